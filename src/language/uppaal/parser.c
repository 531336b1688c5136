// The steps that all parsing functions are made of.
#include "language/uppaal/parser.h"

#include "language/uppaal/advice.h"
#include "language/uppaal/damage.h"

#include <stdio.h>
#include <string.h>

void parser_begin(Parser *p, const Source *source, uint32_t begin, uint32_t end, TokenMode mode) {
  p->source = source;
  p->tokens = (UTokens){0};
  token_scan(&p->tokens, p->arena->mem, source, begin, end, p->is_old ? TOKEN_OLD : mode);
  p->is_query = mode == TOKEN_QUERY;
  p->at = 0;
  p->panic = false;
  p->depth = 0;
  p->token = p->tokens.items[0];
}

void parser_end(Parser *p) { vec_release(p->arena->mem, &p->tokens); }

static UToken end_token(const Parser *p) { return vec_last(&p->tokens); }

void parser_next(Parser *p) {
  if (p->panic)
    return;
  if (p->at + 1 < p->tokens.size)
    p->at++;
  p->token = p->tokens.items[p->at];
}

const UToken *parser_ahead(const Parser *p, uint32_t count) {
  const uint32_t last = p->tokens.size - 1;
  return &p->tokens.items[p->panic || p->at + count > last ? last : p->at + count];
}

bool parser_at(const Parser *p, int kind) { return p->token.kind == kind; }

bool parser_at_word(const Parser *p, Word word) {
  return p->token.kind == UT_NAME && p->token.word == word;
}

bool parser_accept(Parser *p, int kind) {
  if (!parser_at(p, kind) || kind == UT_END)
    return false;
  parser_next(p);
  return true;
}

bool parser_accept_word(Parser *p, Word word) {
  if (!parser_at_word(p, word))
    return false;
  parser_next(p);
  return true;
}

Place parser_place(const Parser *p) { return (Place){p->source, p->token.offset}; }

LabelNode parser_label(const Parser *p, uint32_t begin) {
  uint32_t end = p->token.offset;
  while (end > begin && strchr(" \t\r\n", p->source->text[end - 1]))
    end--;
  return (LabelNode){.text = p->source->text + begin, .size = end > begin ? end - begin : 0};
}

void parser_fail(Parser *p, Place place, const char *format, ...) {
  if (p->panic)
    return;
  va_list args;
  va_start(args, format);
  report_errors(p->report, place, format, args);
  va_end(args);
  p->failures++;
  p->panic = true;
  p->token = end_token(p);
}

void parser_once(Parser *p, Place *first, Place place, const char *what) {
  if (first->source) {
    Text text = {.mem = p->arena->mem};
    report_place(&text, *first);
    parser_fail(p, place, "%s is given twice; the first time at %s", what, text_chars(&text));
    text_release(&text);
  }
  *first = place;
}

// Signs of other languages, of keyboards with more letters, and of haste.
static const char *foreign_advice(const Parser *p) {
  static const struct {
    const char *sign, *meant;
  } signs[] = {{"\xe2\x89\xa4", "<="}, {"\xe2\x89\xa5", ">="}, {"\xe2\x89\xa0", "!="},
               {"\xe2\x86\x92", "->"}, {"\xe2\x88\xa7", "&&"}, {"\xe2\x88\xa8", "||"},
               {"\xc2\xac", "!"},      {"\xe2\x80\x93", "-"},  {"\xe2\x88\x92", "-"}};
  const UToken token = p->token;
  const char *text = p->source->text + token.offset;
  const UToken *before = p->at ? &p->tokens.items[p->at - 1] : &token;
  if ((token.kind == '>' || token.kind == '<') && before->kind == UT_SET &&
      before->offset + 1 == token.offset)
    return token.kind == '>' ? ">=" : "<=";
  if (token.kind == UT_DEC && text[2] == '>')
    return "->";
  if (!p->is_text && token.length == 3 && !memcmp(text, "\xe2\x86\x92", 3))
    return "imply"; // no edge can be here
  for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
    if (token.length == strlen(signs[k].sign) && !memcmp(text, signs[k].sign, token.length))
      return signs[k].meant;
  return NULL;
}

// Words that people write instead of those of the language.
static const struct {
  const char *word, *meant;
} misspelt[] = {{"process", "process"},      {"proces", "process"},   {"proccess", "process"},
                {"template", "process"},     {"state", "state"},      {"states", "state"},
                {"location", "state"},       {"locations", "state"},  {"init", "init"},
                {"initial", "init"},         {"trans", "trans"},      {"transition", "trans"},
                {"transitions", "trans"},    {"edge", "trans"},       {"edges", "trans"},
                {"commit", "commit"},        {"committed", "commit"}, {"system", "system"},
                {"sytem", "system"},         {"guard", "guard"},      {"when", "guard"},
                {"provided", "guard"},       {"sync", "sync"},        {"synchronisation", "sync"},
                {"synchronization", "sync"}, {"assign", "assign"},    {"update", "assign"},
                {"assignment", "assign"},    {"do", "assign"},        {"select", "select"}};

const char *parser_meant(const Parser *p) {
  const UToken token = p->token;
  if (token.kind != UT_NAME || (token.word != WORD_none && token.word != WORD_do))
    return NULL;
  for (size_t k = 0; k < sizeof misspelt / sizeof *misspelt; k++) {
    if (strlen(misspelt[k].word) != token.length)
      continue;
    uint32_t i = 0;
    while (i < token.length && (p->source->text[token.offset + i] | 32) == misspelt[k].word[i])
      i++;
    if (i == token.length)
      return misspelt[k].meant;
  }
  return NULL;
}

static const struct {
  const char *name;
  Word word;
} corrected[] = {{"process", WORD_process}, {"state", WORD_state},   {"init", WORD_init},
                 {"trans", WORD_trans},     {"commit", WORD_commit}, {"system", WORD_system},
                 {"guard", WORD_guard},     {"sync", WORD_sync},     {"assign", WORD_assign},
                 {"select", WORD_select}};

bool parser_correct(Parser *p, const char *words) {
  const char *meant = p->panic || p->has_own_words ? NULL : parser_meant(p);
  if (!meant || !strstr(words, meant) || parser_ahead(p, 1)->kind != UT_NAME)
    return false;
  UToken token = p->token;
  parser_fail(p, parser_place(p), "`%.*s` is not a word of the language: write `%s`",
              (int)token.length, p->source->text + token.offset, meant);
  for (size_t k = 0; k < sizeof corrected / sizeof *corrected; k++)
    if (!strcmp(corrected[k].name, meant))
      token.word = corrected[k].word;
  p->panic = false;
  p->token = p->tokens.items[p->at] = token;
  return true;
}

// A `;` that is missing at the end of a line is reported, and reading goes on as if it were
// there.
static bool ends_line(const Parser *p) {
  const UToken *before = p->at ? &p->tokens.items[p->at - 1] : &p->token;
  const uint32_t end = before->offset + before->length;
  return p->token.kind != UT_END && p->token.kind != '{' && p->token.offset > end &&
         memchr(p->source->text + end, '\n', p->token.offset - end);
}

// What is missing at the end of a line is missing there, not where the next one begins.
static Place place_of_expected(const Parser *p, const char *what) {
  if (!strstr(what, "`;`") || !ends_line(p))
    return parser_place(p);
  const UToken *before = &p->tokens.items[p->at - 1];
  return (Place){p->source, before->offset + before->length};
}

// The token as a message shows it.
void parser_expected(Parser *p, const char *what) {
  const UToken token = p->token;
  const char *meant;
  if (p->panic)
    return;
  if (token.kind != UT_END && (meant = foreign_advice(p))) {
    parser_fail(p, parser_place(p), "this is not an operator: write `%s`", meant);
    return;
  }
  meant = parser_meant(p);
  if (meant) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "`%s`", meant);
    if (strstr(what, quoted)) {
      parser_fail(p, parser_place(p), "`%.*s` is not a word of the language: write %s",
                  (int)token.length, p->source->text + token.offset, quoted);
      return;
    }
  }
  if (token.kind == UT_END) {
    parser_fail(p, parser_place(p), "expected %s, but the text ends here", what);
    return;
  }
  const char *text = p->source->text + token.offset;
  if (token.kind == UT_BAD && token.length > 1 && text[0] == '/') {
    parser_fail(p, parser_place(p), "this comment does not end: `*/` is missing");
    return;
  }
  if (token.kind == UT_STRING && (token.length < 2 || text[token.length - 1] != '"')) {
    parser_fail(p, parser_place(p), "this text does not end: `\"` is missing");
    return;
  }
  const char *hint = advice_find(p->source, &p->tokens, p->at, what);
  uint32_t length = 0;
  while (length < token.length && length < 40 && text[length] != '\n')
    length++;
  parser_fail(p, place_of_expected(p, what), "expected %s, found `%.*s`%s%s", what, (int)length,
              text, hint ? "; " : "", hint ? hint : "");
}

void parser_expect(Parser *p, int kind, const char *what) {
  if (parser_accept(p, kind) || p->panic)
    return;
  const bool goes_on = kind == ';' && ends_line(p);
  const uint32_t at = p->at;
  parser_expected(p, what);
  if (!goes_on)
    return;
  p->panic = false;
  p->at = at;
  p->token = p->tokens.items[at];
}

void parser_expect_end(Parser *p) {
  if (!parser_at(p, UT_END))
    parser_expected(p, "an operator or the end");
}

static bool is_reserved(const Parser *p, Word word) {
  switch (word) {
  case WORD_none: // words that have a meaning in one place only
  case WORD_IO:
  case WORD_assert:
  case WORD_branchpoint:
  case WORD_deadlock:
  case WORD_double:
  case WORD_dynamic:
  case WORD_gantt:
  case WORD_hybrid:
  case WORD_import:
  case WORD_probability:
  case WORD_query:
  case WORD_string:
  case WORD_sum:
  case WORD_xor:
    return false;
  case WORD_assign: // words of .xta
  case WORD_commit:
  case WORD_guard:
  case WORD_init:
  case WORD_process:
  case WORD_progress:
  case WORD_select:
  case WORD_state:
  case WORD_sync:
  case WORD_system:
  case WORD_trans:
  case WORD_priority:
    return p->is_text;
  default:
    return true;
  }
}

bool parser_at_name(const Parser *p) {
  return p->token.kind == UT_NAME && !is_reserved(p, p->token.word);
}

const char *parser_name(Parser *p, const char *what) {
  if (!parser_at_name(p)) {
    parser_expected(p, what);
    return NULL;
  }
  const char *name = names_get(p->names, p->source->text + p->token.offset, p->token.length);
  parser_next(p);
  return name;
}

void parser_doubt(Parser *p, uint32_t start) {
  if (!p->damage)
    return;
  p->damage->is_any = true;
  for (uint32_t k = start; k < p->at && k < p->tokens.size; k++)
    if (p->tokens.items[k].kind == UT_NAME)
      damage_add(p->damage, p->arena, p->source->text + p->tokens.items[k].offset,
                 p->tokens.items[k].length);
}

// In .xta these words begin a process or the end: a `}` before them is missing.
bool parser_begins_item(const Parser *p) {
  const UToken *token = &p->tokens.items[p->at];
  return p->is_text && token->kind == UT_NAME &&
         (token->word == WORD_process || token->word == WORD_system);
}

// `a, b;` behind braces: the names of what has the type in them.
static uint32_t behind_names(const Parser *p, uint32_t at) {
  const UToken *tokens = p->tokens.items;
  for (uint32_t k = at; tokens[k].kind == UT_NAME && tokens[k].word == WORD_none; k += 2) {
    if (tokens[k + 1].kind == ';')
      return k + 2;
    if (tokens[k + 1].kind != ',')
      break;
  }
  return at;
}

bool parser_recover(Parser *p, uint32_t start) {
  if (!p->panic)
    return false;
  const uint32_t error = p->at;
  p->panic = false;
  uint32_t depth = 0;
  for (p->at = start;; p->at++) {
    const int kind = p->tokens.items[p->at].kind;
    if (kind == UT_END || (kind == '}' && !depth) ||
        (p->at >= error && p->at > start && parser_begins_item(p)))
      break;
    depth += kind == '{';
    depth -= kind == '}';
    if ((kind == ';' || kind == '}') && !depth && p->at >= error) {
      p->at = kind == '}' ? behind_names(p, p->at + 1) : p->at + 1;
      break;
    }
  }
  p->token = p->tokens.items[p->at];
  return true;
}

// Words that begin a declaration or an item, and nothing else.
static bool begins_declaration(Word word) {
  return word == WORD_process || word == WORD_system || word == WORD_const || word == WORD_int ||
         word == WORD_bool || word == WORD_clock || word == WORD_chan || word == WORD_broadcast ||
         word == WORD_typedef || word == WORD_void || word == WORD_struct;
}

void parser_skip_block(Parser *p) {
  uint32_t depth = 0;
  while (!parser_at(p, UT_END)) {
    depth += parser_at(p, '{');
    const bool closes = parser_at(p, '}');
    parser_next(p);
    if (closes && --depth == 0)
      return;
  }
}

bool parser_skip_stray(Parser *p, const char *expected) {
  if (parser_at(p, UT_END))
    return false;
  const uint32_t start = p->at;
  parser_expected(p, expected);
  p->panic = false;
  uint32_t depth = 0;
  for (p->at = start + 1; p->tokens.items[p->at].kind != UT_END; p->at++) {
    const UToken *token = &p->tokens.items[p->at];
    if (parser_begins_item(p) ||
        (!depth && token->kind == UT_NAME && begins_declaration(token->word)))
      break;
    depth += token->kind == '{';
    depth -= token->kind == '}' && depth;
  }
  p->token = p->tokens.items[p->at];
  parser_doubt(p, start);
  return true;
}

bool parser_enter(Parser *p) {
  if (++p->depth <= PARSER_MAX_DEPTH)
    return true;
  parser_fail(p, parser_place(p), "this is nested more than %d levels deep", PARSER_MAX_DEPTH);
  return false;
}
