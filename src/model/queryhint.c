#include "model/queryhint.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

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
    {"=>", "`=>` is no operator; write `imply`", false, false, false},
    {"U",
     "there is no `U` (until); `p --> q` asks whether q follows each p, `A<> q` whether q is "
     "always reached",
     true, false, false},
    {"W",
     "there is no `W` (weak until); write an observer process, and ask whether it gets there",
     true, false, false},
    {"->", "`->` is no operator; write `imply` for implication, or `p --> q` for \"leads to\"",
     false, false, false},
    NESTED("A[]"),
    NESTED("A<>"),
    NESTED("E[]"),
    NESTED("E<>"),
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
