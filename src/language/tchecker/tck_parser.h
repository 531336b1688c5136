// What the parsers of the TChecker language share: the tokens of a part of a source with one
// of look-ahead, the words of the language, errors.
//
// After an error the parser sees only the end of its text. The parsing functions then return
// valid but meaningless results, so callers need to look at the report only when they are done.
#pragma once

#include "language/tchecker/lexer.h"
#include "model/net.h"

enum { TCK_MAX_NESTING = 200 };       // parentheses, indices, negations, blocks in one another
enum { TCK_MAX_DEPTH = 2000 };        // of a tree: also operators in a row
enum { TCK_MAX_INSTANCES = 1 << 16 }; // of bodies of quantifiers in one query
enum { TCK_MAX_WARNINGS = 50 };       // a generated text has the same flaw often

typedef struct TckParser TckParser;
typedef struct Term Term; // language/tchecker/tck_term.h

// A variable that a quantifier binds, with its present value.
typedef struct TckBinding TckBinding;
struct TckBinding {
  const char *name;
  int32_t value;
  const TckBinding *outer;
};

struct TckParser {
  Arena *arena; // for trees
  Report *report;
  Lexer lexer;
  Token token;  // the next one, not consumed yet
  uint32_t end; // where the last consumed token ends
  uint32_t nesting;
  // A query: there are disjunctions, negated clock tests, and conditions serve as numbers.
  bool query;
  const TckBinding *bindings; // innermost first
  uint32_t instances;         // of bodies of quantifiers, so far
  // What a name stands for; reports an error if it is nothing.
  Term (*resolve)(TckParser *, Token);
  void *context; // of resolve
};

// Ready to parse the part of the source, in which newlines may be tokens; what is not about
// tokens is kept.
void tck_start(TckParser *, const Source *, uint32_t begin, uint32_t end, bool lines);

void tck_advance(TckParser *);
bool tck_accept(TckParser *, TokenKind);
bool tck_accept_word(TckParser *, const char *word);
bool tck_at_word(const TckParser *, const char *word);
void tck_expect(TckParser *, TokenKind, const char *after);
void tck_expect_word(TckParser *, const char *word, const char *after);
void tck_expect_end(TckParser *); // nothing must be left

bool tck_is_keyword(const TckParser *, Token);  // then it cannot name a variable
const char *tck_token_text(TckParser *, Token); // copied to the arena
Place tck_place(const TckParser *, uint32_t offset);

// One level deeper, against texts that would exhaust the stack. False: too deep, an error;
// then there is nothing to leave.
bool tck_enter(TckParser *);
void tck_leave(TckParser *);

// An error at an offset. The first one stays; the parser then is at the end.
void tck_fail(TckParser *, uint32_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// A warning at an offset, unless there are enough of them.
void tck_warn(TckParser *, uint32_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The error that the next token is; says what other languages write differently.
void tck_fail_token(TckParser *, const char *expected);
// "; did you mean `...`?" or an empty text, in the arena.
const char *tck_hint(TckParser *, const char *nearest);
