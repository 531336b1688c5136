#include "model/queryhint.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

typedef struct Hint {
  const char *what, *hint;
  bool is_word, is_first; // it stands alone; at the beginning only
  bool is_later;          // not at the beginning
} Hint;

#define NESTED(what)                                                                             \
  {                                                                                              \
    what,                                                                                        \
        "`" what                                                                                 \
        "` stands at the beginning of a query: nothing is nested, and nothing joins two "        \
        "queries",                                                                               \
        false, false, true                                                                       \
  }

static const Hint hints[] = {
    {"AG", "a query does not begin with `AG`; write `A[]`", true, true, false},
    {"EF", "a query does not begin with `EF`; write `E<>`", true, true, false},
    {"AF", "a query does not begin with `AF`; write `A<>`", true, true, false},
    {"EG", "a query does not begin with `EG`; write `E[]`", true, true, false},
    {"AX", "there is no `AX`: a state has no next moment in dense time", true, true, false},
    {"EX", "there is no `EX`: a state has no next moment in dense time", true, true, false},
    {"=>", "`=>` is not an operator; write `imply`", false, false, false},
    {"U",
     "there is no `U` (until); `p --> q` asks whether q follows each p, `A<> q` whether q is "
     "always reached",
     true, false, false},
    {"W",
     "there is no `W` (weak until); write an observer process, and ask whether it gets there",
     true, false, false},
    {"--->", "`--->` is not an operator; write `-->`", false, false, true},
    {"~>", "`~>` is not an operator; write `-->`", false, false, true},
    {"leads", "\"leads to\" is written `p --> q`", true, false, true},
    {"leadsto", "\"leads to\" is written `p --> q`", true, false, true},
    {"==>", "`==>` is not an operator; write `imply`", false, false, true},
    {"===", "`===` is not an operator; write `==`", false, false, true},
    {"implies", "`implies` is not an operator; write `imply`", true, false, true},
    {"Implies", "`Implies` is not an operator; write `imply`", true, false, true},
    {"IMPLIES", "`IMPLIES` is not an operator; write `imply`", true, false, true},
    {"Imply", "`Imply` is not an operator; write `imply`", true, false, true},
    {"impl", "`impl` is not an operator; write `imply`", true, false, true},
    {"AND", "`AND` is not an operator; write `and`", true, false, true},
    {"And", "`And` is not an operator; write `and`", true, false, true},
    {"OR", "`OR` is not an operator; write `or`", true, false, true},
    {"Or", "`Or` is not an operator; write `or`", true, false, true},
    {"NOT", "`NOT` is not an operator; write `not`", true, false, true},
    {"Not", "`Not` is not an operator; write `not`", true, false, true},
    {"no", "write `not`", true, false, true},
    {"::", "`::` is not an operator; a location is written `P.x`", false, false, true},
    {"->",
     "`->` is not an operator; write `imply` for implication, or `p --> q` for \"leads to\"",
     false, false, false},
    NESTED("A[]"),
    NESTED("A<>"),
    NESTED("E[]"),
    NESTED("E<>"),
    {"<>", "`<>` is not an operator; write `!=`", false, false, true},
};

// How a query can begin that is none. The first that fits is told.
static const struct {
  const char *begin; // small letters, without blanks
  const char *hint;
} beginnings[] = {
    {"e<>", "write `E<>`, with a capital"},
    {"e[]", "write `E[]`, with a capital"},
    {"a<>", "write `A<>`, with a capital"},
    {"a[]", "write `A[]`, with a capital"},
    {"<>e", "write `E<>`"},
    {"<>a", "write `A<>`"},
    {"[]a", "write `A[]`"},
    {"[]e", "write `E[]`"},
    {"<>",
     "say of which runs: `E<>` (of one: can it happen?) or `A<>` (of all: does it always come?)"},
    {"[]", "say of which runs: `A[]` (of all: does it always hold?) or `E[]` (of one)"},
    {"p[", "probabilities begin with `Pr`, as in `Pr[<=10](<> p)`"},
};

// The same for words.
static const char *const words[][2] = {
    {"G", "write `A[]`"},
    {"F", "write `A<>` (does it always come?) or `E<>` (can it happen?)"},
    {"always", "write `A[]`"},
    {"globally", "write `A[]`"},
    {"invariant", "write `A[]`"},
    {"forall", "a query begins with `E<>` or `A[]`; then `forall (i : int[0,3]) p` can follow"},
    {"never", "write `A[] not`"},
    {"eventually", "write `A<>`"},
    {"finally", "write `A<>`"},
    {"exists", "write `E<>`"},
    {"reach", "write `E<>`"},
    {"reachable", "write `E<>`"},
    {"possibly", "write `E<>`"},
    {"max", "write `sup: x`"},
    {"min", "write `inf: x`"},
    {"and", "a query of several lines has `\\` at the end of each but the last"},
    {"or", "a query of several lines has `\\` at the end of each but the last"},
    {"imply", "a query of several lines has `\\` at the end of each but the last"},
    {"E", "write `E<>` (can it happen?) or `E[]`"},
    {"A", "write `A[]` (does it always hold?) or `A<>`"},
};

static bool is_part(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

static bool is_there(const Hint *hint, const char *text, size_t size, size_t at) {
  const size_t length = strlen(hint->what);
  if (at + length > size || memcmp(text + at, hint->what, length) != 0)
    return false;
  const char before = at ? text[at - 1] : ' ',
             after = at + length < size ? text[at + length] : ' ';
  if (hint->is_word)
    return !is_part(before) && !is_part(after) && after != '(';
  if (hint->is_later)
    return !is_part(before);
  return before != '-' && before != '<' && before != '>' && before != '=' && before != '!';
}

static const char *find_beginning(const char *text, size_t size) {
  for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++) {
    size_t at = 0, i = 0;
    for (; beginnings[k].begin[i] && at < size; at++)
      if (!isspace((unsigned char)text[at]) &&
          tolower((unsigned char)text[at]) != beginnings[k].begin[i++])
        break;
    if (!beginnings[k].begin[i] && at &&
        tolower((unsigned char)text[at - 1]) == beginnings[k].begin[i - 1])
      return beginnings[k].hint;
  }
  return NULL;
}

static const char *find_word(const char *text, size_t size) {
  size_t length = 0;
  while (length < size && is_part(text[length]))
    length++;
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (strlen(words[k][0]) == length && !strncasecmp(text, words[k][0], length))
      return words[k][1];
  return NULL;
}

static bool has(const char *text, size_t size, const char *sign) {
  for (size_t i = 0; i + 2 <= size; i++)
    if (!memcmp(text + i, sign, 2))
      return true;
  return false;
}

// `safety: A[] p` and `"A[] p"`: what stands before a query.
static const char *find_prefix(const char *text, size_t size) {
  size_t at = 0;
  while (at < size && (is_part(text[at]) || text[at] == ' '))
    at++;
  return size > 1 && text[0] == '/' && text[1] == '*'
             ? "this comment does not end: `*/` is missing"
         : size && *text == '"' ? "a query has no quotes around it"
         : at < size && at && text[at] == ':' && (has(text, size, "[]") || has(text, size, "<>"))
             ? "a query has no name before it"
             : NULL;
}

const char *queryhint_begin(const char *text, size_t size, size_t *at) {
  size_t first = 0;
  while (first < size && isspace((unsigned char)text[first]))
    first++;
  *at = first;
  const char *hint = find_prefix(text + first, size - first);
  if (!hint)
    hint = find_beginning(text + first, size - first);
  if (!hint)
    hint = queryhint_find(text, size, at);
  if (hint)
    return hint;
  *at = first;
  return find_word(text + first, size - first);
}

const char *queryhint_find(const char *text, size_t size, size_t *at) {
  size_t first = 0;
  while (first < size && isspace((unsigned char)text[first]))
    first++;
  for (size_t i = first; i < size; i++)
    for (size_t k = 0; k < sizeof hints / sizeof *hints; k++)
      if ((i == first ? !hints[k].is_later : !hints[k].is_first) &&
          is_there(&hints[k], text, size, i)) {
        *at = i;
        return hints[k].hint;
      }
  return NULL;
}
