// The lexer: turns a text into an array of tokens that ends with UT_END. A word is a name; words
// with a meaning in the language also have a number. Whether such a word is reserved depends on
// its place, so the parser decides.
#pragma once

#include "base/report.h"
#include "base/vec.h"

// clang-format off
#define UPPAAL_WORDS(W)                                                                          \
  W(IO) W(after_update) W(and) W(assert) W(assign) W(before_update) W(bool) W(branchpoint)       \
  W(broadcast) W(chan) W(clock) W(commit) W(const) W(deadlock) W(default) W(do) W(double)        \
  W(dynamic) W(else) W(exists) W(false) W(for) W(forall) W(gantt) W(guard) W(hybrid) W(if)       \
  W(imply) W(import) W(init) W(int) W(meta) W(not) W(or) W(priority) W(probability) W(process)   \
  W(progress) W(query) W(return) W(scalar) W(select) W(state) W(string) W(struct) W(sum)         \
  W(sync) W(system) W(trans) W(true) W(typedef) W(urgent) W(void) W(while) W(xor)
// clang-format on

typedef enum Word {
  WORD_none,
#define W(word) WORD_##word,
  UPPAAL_WORDS(W)
#undef W
} Word;

// Other tokens of one character are that character.
typedef enum UTokenKind {
  UT_END = 0,
  UT_BAD = 1, // a character or a number that has no place in the language
  UT_NAME = 256,
  UT_NUMBER,
  UT_DOUBLE,
  UT_STRING,
  UT_LE,
  UT_GE,
  UT_EQ,
  UT_NE,
  UT_AND, // &&
  UT_OR,
  UT_SHL,
  UT_SHR,
  UT_MIN, // <?
  UT_MAX,
  UT_POWER,
  UT_INC,
  UT_DEC,
  UT_SET,     // = or :=
  UT_SET_ADD, // +=, and so on
  UT_SET_SUB,
  UT_SET_MUL,
  UT_SET_DIV,
  UT_SET_MOD,
  UT_SET_AND,
  UT_SET_OR,
  UT_SET_XOR,
  UT_SET_SHL,
  UT_SET_SHR,
  UT_ARROW,    // ->
  UT_UARROW,   // -u->
  UT_LEADS_TO, // -->, in queries
} UTokenKind;

typedef struct UToken {
  int kind;
  Word word;
  uint32_t offset, length;
  int64_t value; // of a number; -1 - it if it is too large
} UToken;

typedef VEC(UToken) UTokens;

typedef enum TokenMode {
  TOKEN_MODEL,
  TOKEN_OLD,   // =< and => are comparisons
  TOKEN_QUERY, // --> is a token
} TokenMode;

// Appends the tokens of source[begin, end); UT_END included.
void token_scan(UTokens *, Mem *, const Source *, uint32_t begin, uint32_t end, TokenMode);
