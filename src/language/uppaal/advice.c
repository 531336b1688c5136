#include "language/uppaal/advice.h"

#include <string.h>

// Kinds of tokens, where a rule has no text of one.
static const char NAME[] = "name"; // that is not a word of the language
static const char WORD[] = "word";
static const char NUMBER[] = "number"; // with or without a dot
static const char STRANGE[] = "strange character";

// A rule applies if each part that it has does: words of what is expected, the token before, the
// token that is found, the one behind it, and the first token of the statement.
typedef struct Rule {
  const char *what, *before, *found, *after, *first;
  const char *hint;
} Rule;

static const char comments[] = "there is no preprocessor; constants are written `const int N = "
                               "3;`, comments begin with `//`";
static const char only_slashes[] = "comments begin with `//`";
static const char in_parentheses[] = "the condition stands in parentheses";
static const char queries[] =
    "queries stand in a `.q` file beside the model, or in `query { ... }`";
static const char no_word[] = "a label has no such word before it";
static const char one_sync[] = "an edge has one synchronisation";
static const char state_list[] = "locations are separated by `,`, and `;` ends their list";

static const Rule rules[] = {
    {.what = "a declaration", .found = "#", .hint = comments},
    {.what = "`trans` or `}`", .found = "#", .hint = comments},
    {.what = "an operator or the end",
     .found = "in",
     .hint = "a set is written as conditions: `n == 1 or n == 2`"},
    {.what = "declaration", .found = "--", .hint = only_slashes},
    {.what = "declaration", .found = "<", .after = "!", .hint = only_slashes},
    {.what = "declaration", .found = "}", .hint = "is there a `}` too many before it?"},
    // Declarations.
    {.what = "name of the type",
     .found = WORD,
     .hint = "the type comes first, as in `typedef int[0,7] id_t;`"},
    {.what = "after the dot", .found = NUMBER, .hint = "a range is written `int[0,5]`"},
    {.what = "name of a variable",
     .before = "int",
     .found = "(",
     .hint = "a range is written `int[0,5]`"},
    {.what = "name of a variable",
     .before = "clock",
     .found = "[",
     .hint = "a clock has no range"},
    {.what = "name of a variable",
     .before = "chan",
     .found = "broadcast",
     .hint = "write `broadcast chan`"},
    {.what = "name of a variable",
     .before = "chan",
     .found = "urgent",
     .hint = "write `urgent chan`"},
    {.what = "name of a variable", .first = "broadcast", .hint = "write `broadcast chan`"},
    {.what = "name of a variable",
     .found = ";",
     .first = "urgent",
     .hint = "write `urgent chan`"},
    {.what = "name of a variable",
     .found = "=",
     .first = "const",
     .hint = "the type is missing, as in `const int N = 3;`"},
    {.what = "name of a variable",
     .before = "int",
     .found = "const",
     .hint = "write `const int`"},
    {.what = "name of a parameter",
     .first = "chan",
     .hint = "a channel has no parameters: pass values in a shared variable"},
    {.what = "a type",
     .before = "(",
     .found = NUMBER,
     .hint = "the size of an array stands in brackets"},
    {.what = "and a template", .first = "class", .hint = "there is no `class`: write `struct`"},
    {.what = "and a template",
     .found = "*",
     .after = "/",
     .hint = "comments do not nest: this one has ended before"},
    {.what = "`;`", .first = "query", .hint = queries},
    {.what = "a declaration, a process", .found = "E", .hint = queries},
    {.what = "a declaration, a process", .found = "A", .hint = queries},
    {.what = "a declaration, a process",
     .found = NAME,
     .after = "=",
     .hint = "processes are made before the `system` line"},
    {.what = "name of a field", .found = WORD, .hint = "fields are separated by `;`"},
    {.what = "bound variable", .found = "int", .hint = "write `forall (i : int[0,3])`"},
    {.what = "the name", .found = WORD, .hint = "that is a word of the language"},
    {.what = "the name", .found = NUMBER, .hint = "a name begins with a letter or `_`"},
    {.what = "the name",
     .found = STRANGE,
     .hint = "names consist of `_`, digits and the letters from a to z"},
    {.what = "`;`",
     .before = NAME,
     .found = "-",
     .hint = "names consist of `_`, digits and the letters from a to z"},
    {.what = "and a template", .first = "enum", .hint = "there is no `enum`: write constants"},
    {.what = "and a template",
     .found = ":",
     .hint = "a declaration begins with its type, as in `bool busy;`"},
    {.what = "and a template",
     .found = "{",
     .hint = "a function begins with the type of its result, as in `int twice(int n) { ... }`"},
    {.what = "upper end",
     .found = "]",
     .hint = "a range has two ends, as in `int[0,7]`; an array is written `int a[7]`"},
    {.what = "`]`", .found = ",", .hint = "each dimension has its own brackets, as in `a[2][3]`"},
    {.what = "an expression",
     .before = "=",
     .found = "[",
     .hint = "a list of values stands in braces, as in `{1, 2}`"},
    {.what = "`;`", .before = "new", .hint = "there is no `new`"},
    // Statements.
    {.what = "`;`", .first = "switch", .hint = "there is no `switch`: write `if`"},
    {.what = "`;`", .first = "elif", .hint = "write `else if`"},
    {.what = "`;`", .first = "elseif", .hint = "write `else if`"},
    {.what = "`;`", .first = "elsif", .hint = "write `else if`"},
    {.what = "`;`", .before = "then", .hint = "there is no `then`"},
    {.what = "`;`", .found = "then", .hint = "there is no `then`"},
    {.what = "`;`", .before = NAME, .found = "{", .hint = "arguments stand in parentheses"},
    {.what = "`;`", .found = "mod", .hint = "write `%`"},
    {.what = "`;`", .found = "div", .hint = "write `/`"},
    {.what = "`(`", .before = "if", .hint = in_parentheses},
    {.what = "`(`", .before = "while", .hint = in_parentheses},
    {.what = "an expression",
     .before = "(",
     .found = "int",
     .hint = "a loop is written `for (i : int[0,2])`, or its variable is declared before it"},
    {.found = "AND", .hint = "write `and`"},
    {.found = "And", .hint = "write `and`"},
    {.found = "OR", .hint = "write `or`"},
    {.found = "Or", .hint = "write `or`"},
    {.before = "NOT", .hint = "negation is written `not`"},
    {.before = "Not", .hint = "negation is written `not`"},
    {.found = "implies", .hint = "write `imply`"},
    {.found = "Imply", .hint = "write `imply`"},
    {.what = "an expression",
     .before = "<",
     .found = ">",
     .hint = "\"not equal\" is written `!=`"},
    {.what = "an expression", .before = "==", .found = "=", .hint = "equality is written `==`"},
    // Quantifiers and queries.
    {.what = "`(`", .before = "forall", .hint = "write `forall (i : int[0,3])`"},
    {.what = "`(`", .before = "exists", .hint = "write `exists (i : int[0,3])`"},
    {.what = "an operator or the end", .before = "sum", .hint = "write `sum (i : int[0,3])`"},
    {.what = "`:`", .found = ")", .hint = "its range is missing, as in `forall (i : int[0,3])`"},
    {.what = "another argument",
     .found = ":",
     .hint = "`forall`, `exists` and `sum` have small letters only"},
    {.what = "an operator or the end",
     .found = "{",
     .hint = "a condition stands before the `:`, as in `sup{p}: x`"},
    {.what = "an expression",
     .before = "(",
     .found = "<=",
     .hint = "a bound stands in brackets, as in `Pr[<=10](<> p)`"},
    {.what = "`U`", .hint = "`<>` or `[]` comes before the condition"},
    {.found = "~", .hint = "write `!` for \"not\""},
    // Processes.
    {.what = "`{`", .found = "[", .hint = "parameters stand in parentheses"},
    {.what = "name of a location",
     .found = "{",
     .hint = "locations are written `state a, b { x <= 5 };`"},
    {.what = "`{`, `,` or `;`",
     .hint = "an invariant stands in braces behind the name of its location"},
    {.what = "`}`", .before = "invariant", .hint = "an invariant has no such word before it"},
    {.what = "initial location", .found = "=", .hint = "write `init a;`"},
    {.what = "a location",
     .found = "trans",
     .hint = "`trans` comes once, and edges are separated by `,`"},
    {.what = "`trans` or `}`", .found = "clock", .hint = "declarations stand before `state`"},
    {.what = "`trans` or `}`", .found = "int", .hint = "declarations stand before `state`"},
    {.what = "`trans` or `}`", .found = "bool", .hint = "declarations stand before `state`"},
    {.what = "`trans` or `}`", .found = "chan", .hint = "declarations stand before `state`"},
    {.what = "`trans` or `}`", .found = "const", .hint = "declarations stand before `state`"},
    {.what = "`trans` or `}`", .found = "process", .hint = "is a `}` missing before it?"},
    {.what = "`trans` or `}`",
     .found = NAME,
     .after = "=",
     .hint = "is a `}` missing before it?"},
    {.what = "`trans` or `}`", .before = ";", .found = NAME, .after = ";", .hint = state_list},
    {.what = "`trans` or `}`", .before = ";", .found = NAME, .after = ",", .hint = state_list},
    {.what = "`trans` or `}`", .before = ";", .found = NAME, .after = "{", .hint = state_list},
    // Edges.
    {.what = "an expression", .before = "guard", .found = ":", .hint = "no `:` follows `guard`"},
    {.what = "an expression", .before = "sync", .found = ":", .hint = "no `:` follows `sync`"},
    {.what = "an expression",
     .before = "assign",
     .found = ":",
     .hint = "no `:` follows `assign`"},
    {.what = "an expression", .found = ":", .hint = "no `:` stands before a condition"},
    {.what = "`;`", .before = "!", .hint = one_sync},
    {.what = "`;`", .before = "?", .hint = one_sync},
    {.what = "`:`", .found = "in", .hint = "write `i : type`"},
    {.what = "a type", .before = ":", .found = NUMBER, .hint = "a range is a type: `int[0,3]`"},
    // The system.
    {.what = "a process", .found = "(", .hint = "write `system A, B;`"},
    {.what = "a process", .found = "=", .hint = "write `system A, B;`"},
    {.what = "a process", .found = ":", .hint = "write `system A, B;`"},
    {.what = "and a template",
     .found = ",",
     .hint = "the list of processes begins with `system`"},
    // Labels of .xml.
    {.what = "an operator or the end", .before = "guard", .hint = no_word},
    {.what = "an operator or the end", .before = "when", .hint = no_word},
    {.what = "an operator or the end", .before = "sync", .hint = no_word},
    {.what = "an operator or the end", .before = "invariant", .hint = no_word},
    {.what = "an operator or the end", .before = "assign", .hint = no_word},
    {.what = "an operator or the end", .before = "update", .hint = no_word},
    {.what = "an operator or the end", .before = "!", .hint = one_sync},
    {.what = "an operator or the end", .before = "?", .hint = one_sync},
    {.what = "an operator or the end", .before = ",", .hint = one_sync},
    {.what = "an operator or the end",
     .found = NAME,
     .after = "=",
     .hint = "updates are separated by `,`"},
    {.what = "an operator or the end",
     .before = ";",
     .found = "=",
     .hint = "is `&gt;` or `&lt;` escaped twice?"},
};

static bool is_kind(const UToken *token, const char *wanted) {
  return wanted == NAME     ? token->kind == UT_NAME && token->word == WORD_none
         : wanted == WORD   ? token->kind == UT_NAME && token->word != WORD_none
         : wanted == NUMBER ? token->kind == UT_NUMBER || token->kind == UT_DOUBLE
                            : token->kind == UT_BAD;
}

static bool is_token(const Source *source, const UToken *token, const char *wanted) {
  if (!wanted)
    return true;
  if (wanted == NAME || wanted == WORD || wanted == NUMBER || wanted == STRANGE)
    return is_kind(token, wanted);
  return strlen(wanted) == token->length &&
         !memcmp(wanted, source->text + token->offset, token->length);
}

const char *advice_find(const Source *source, const UTokens *tokens, uint32_t at,
                        const char *what) {
  static const UToken none = {.kind = UT_END};
  const UToken *items = tokens->items;
  uint32_t first = at;
  while (first > 0 && items[first - 1].kind != ';' && items[first - 1].kind != '{' &&
         items[first - 1].kind != '}')
    first--;
  for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
    const Rule *rule = &rules[k];
    if ((!rule->what || strstr(what, rule->what)) &&
        is_token(source, at ? &items[at - 1] : &none, rule->before) &&
        is_token(source, &items[at], rule->found) &&
        is_token(source, items[at].kind == UT_END ? &none : &items[at + 1], rule->after) &&
        is_token(source, &items[first], rule->first))
      return rule->hint;
  }
  return NULL;
}

const char *advice_name(const char *name) {
  static const char *const names[][2] = {
      {"True", "; write `true`"},
      {"TRUE", "; write `true`"},
      {"False", "; write `false`"},
      {"FALSE", "; write `false`"},
      {"NULL", "; every variable has a value"},
      {"null", "; every variable has a value"},
      {"break", ": a loop ends by its condition, or by `return`"},
      {"continue", ": write `if` around the rest of the loop"},
      {"print", ": the simulator and runs show all values"},
      {"printf", ": the simulator and runs show all values"},
      {"reset", ": a clock is reset by `x = 0`"},
      {"Forall", "; write `forall`"},
      {"ForAll", "; write `forall`"},
      {"FORALL", "; write `forall`"},
      {"Exists", "; write `exists`"},
      {"EXISTS", "; write `exists`"},
      {"Not", "; write `not`"},
      {"NOT", "; write `not`"},
      {"Deadlock", "; did you mean `deadlock`?"},
      {"deadlok", "; did you mean `deadlock`?"},
      {"dedlock", "; did you mean `deadlock`?"},
      {"deadlocks", "; did you mean `deadlock`?"},
      {"function", ": a function begins with the type of its result"},
      {"def", ": a function begins with the type of its result"},
      {"var", ": a declaration begins with its type, as in `int n;`"},
      {"let", ": a declaration begins with its type, as in `int n;`"},
      {"char", ": a value is an integer, `int`"},
      {"long", "; did you mean `int`?"},
      {"unsigned", "; did you mean `int`?"},
      {"short", "; did you mean `int`?"},
      {"enum", ": write constants"},
      {"boolean", "; did you mean `bool`?"},
      {"Boolean", "; did you mean `bool`?"},
      {"Bool", "; did you mean `bool`?"},
      {"integer", "; did you mean `int`?"},
      {"Integer", "; did you mean `int`?"},
      {"Int", "; did you mean `int`?"},
      {"channel", "; did you mean `chan`?"},
      {"channels", "; did you mean `chan`?"},
      {"Chan", "; did you mean `chan`?"},
      {"clocks", "; did you mean `clock`?"},
      {"Clock", "; did you mean `clock`?"},
      {"State", "; did you mean `state`?"},
      {"System", "; did you mean `system`?"},
      {"float", "; integers are `int`, and statistical queries have `double`"},
      {"real", "; integers are `int`, and statistical queries have `double`"},
  };
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (!strcmp(names[k][0], name))
      return names[k][1];
  return "";
}
