#include "language/uppaal/pretty.h"

#include <string.h>

enum { STEP = 2, HANG = 4 }; // columns: of a block, of a line that goes on

// What is open, innermost last. The first is the text itself.
typedef struct Level {
  int kind;         // '{', '(' or '[', 0: the text
  bool is_list;     // an initialiser: a comma ends an item
  bool is_fresh;    // the next token begins a statement or item
  bool is_head;     // the last token was a word such as `trans`, whose items are lined up
  uint32_t outside; // column of the line that closes it
  uint32_t inside;  // column of statements in it
  uint32_t hang;    // column of lines that go on with the present statement
  uint32_t item;    // column of the present item: blocks in it are indented from there
} Level;

typedef struct Pretty {
  Text *out;
  Mem *mem;
  const PrettyText *in;
  const char *text; // decoded
  UTokens tokens;
  VEC(Level) levels;
  size_t start;       // of the output
  size_t line;        // where the present line of the output begins
  uint32_t quoted;    // end of what was written last, in the source
  bool after_comment; // a comment was written last
} Pretty;

static void add_source(Pretty *p, uint32_t begin, uint32_t end) {
  if (p->in->map)
    text_add_bytes(p->out, p->in->raw + p->in->map[begin], p->in->map[end] - p->in->map[begin]);
  else
    text_add_bytes(p->out, p->text + begin, end - begin);
}

static bool is_word(const UToken *t, Word word) { return t->kind == UT_NAME && t->word == word; }

// Words behind which an operand begins.
static bool is_operator_word(Word word) {
  switch (word) {
  case WORD_and:
  case WORD_assert:
  case WORD_assign:
  case WORD_do:
  case WORD_else:
  case WORD_guard:
  case WORD_imply:
  case WORD_init:
  case WORD_not:
  case WORD_or:
  case WORD_probability:
  case WORD_return:
  case WORD_select:
  case WORD_state:
  case WORD_sync:
  case WORD_system:
  case WORD_trans:
  case WORD_xor:
    return true;
  default:
    return false;
  }
}

// Words with a blank before the parenthesis that follows.
static bool is_spaced_word(Word word) {
  return word == WORD_if || word == WORD_for || word == WORD_while || word == WORD_forall ||
         word == WORD_exists || word == WORD_sum || word == WORD_const || word == WORD_int ||
         is_operator_word(word);
}

static bool ends_operand(const UToken *t) {
  return (t->kind == UT_NAME && !is_operator_word(t->word)) || t->kind == UT_NUMBER ||
         t->kind == UT_DOUBLE || t->kind == UT_STRING || t->kind == ')' || t->kind == ']' ||
         t->kind == '\'' || t->kind == UT_INC || t->kind == UT_DEC;
}

static bool begins_operand(const UToken *t) {
  return (t->kind == UT_NAME && !is_operator_word(t->word)) || t->kind == UT_NUMBER ||
         t->kind == '(';
}

// What ends a synchronisation: behind these `?` is no question.
static bool ends_sync(const UToken *t) {
  return t->kind == UT_END || t->kind == ';' || t->kind == ',' || t->kind == '}' ||
         t->kind == ')';
}

static bool was_apart(const Pretty *p, uint32_t k) {
  const UToken *t = &p->tokens.items[k];
  return t->offset > (t - 1)->offset + (t - 1)->length;
}

// Path quantifiers of queries: E<>, A[], <> and [] alone.
static bool is_box(const Pretty *p, uint32_t k) {
  const UToken *t = &p->tokens.items[k];
  const bool has_path = p->in->kind == PRETTY_QUERY ||
                        (k && (t - 1)->length == 1 && strchr("AE", p->text[(t - 1)->offset]));
  return ((t->kind == '<' && (t + 1)->kind == '>') ||
          (has_path && t->kind == '[' && (t + 1)->kind == ']')) &&
         !was_apart(p, k + 1);
}

static bool is_postfix(const Pretty *p, uint32_t k) {
  const UToken *t = &p->tokens.items[k];
  if (!k || !ends_operand(t - 1) || (k > 1 && is_box(p, k - 2)))
    return false;
  return t->kind == '\'' || t->kind == '!' || (t->kind == '?' && ends_sync(t + 1)) ||
         ((t->kind == UT_INC || t->kind == UT_DEC) && !begins_operand(t + 1));
}

static bool is_prefix(const Pretty *p, uint32_t k) {
  const UToken *t = &p->tokens.items[k];
  const bool is_sign = t->kind == '-' || t->kind == '+' || t->kind == '!' || t->kind == UT_INC ||
                       t->kind == UT_DEC;
  return is_sign && !is_postfix(p, k) &&
         (!k || !ends_operand(t - 1) || (k > 1 && is_box(p, k - 2)));
}

// Whether the two tokens before `k` and at `k` would be read as others without a blank.
static bool would_merge(const Pretty *p, uint32_t k) {
  const UToken *a = &p->tokens.items[k - 1], *b = a + 1;
  const bool is_symbol = a->kind != UT_NAME && a->kind != UT_NUMBER && a->kind != UT_DOUBLE;
  if (!was_apart(p, k))
    return false;
  if (!is_symbol)
    return b->kind == UT_NAME || b->kind == UT_NUMBER || b->kind == UT_DOUBLE || b->kind == '.';
  Text both = {.mem = p->mem};
  text_add_bytes(&both, p->text + a->offset, a->length);
  text_add_bytes(&both, p->text + b->offset, b->length);
  const Source source = {.name = "", .text = text_chars(&both), .size = both.size};
  UTokens tokens = {0};
  token_scan(&tokens, p->mem, &source, 0, (uint32_t)both.size,
             p->in->kind == PRETTY_QUERY ? TOKEN_QUERY : TOKEN_OLD);
  const bool merges = tokens.size != 3 || tokens.items[0].length != a->length;
  vec_release(p->mem, &tokens);
  text_release(&both);
  return merges;
}

// Whether a blank belongs between the token before `k` and that at `k`.
static bool wants_blank(const Pretty *p, uint32_t k) {
  const UToken *b = &p->tokens.items[k], *a = b - 1;
  const Level *level = &vec_last(&p->levels);
  if (b->kind == UT_BAD || a->kind == UT_BAD || a->kind == '&' || b->kind == '&')
    return was_apart(p, k); // `&` may be an operator, or mark a reference
  if (a->kind == UT_SET && a->length == 1 && (b->kind == '<' || b->kind == '>'))
    return was_apart(p, k); // `=<` of the old syntax
  if (is_box(p, k - 1) || (k > 1 && is_box(p, k - 2)))
    return !is_box(p, k - 1);
  if (is_box(p, k))
    return a->kind != '(' && (a->kind != UT_NAME || was_apart(p, k));
  if (a->kind == '(' || b->kind == ')' || b->kind == ']' || a->kind == '.' || b->kind == '.' ||
      b->kind == ';' || b->kind == ',')
    return false;
  if (a->kind == '[')
    return false;
  if (a->kind == ',')
    return level->kind != '[';
  if (b->kind == ':') // `sup: x`, `{field: 1}`
    return (p->in->kind != PRETTY_QUERY || level->kind) && !level->is_list;
  if ((a->kind == '{' && b->kind == '}') ||
      (p->in->kind == PRETTY_QUERY && (a->kind == '{' || b->kind == '}')))
    return was_apart(p, k);
  if (a->kind == '{')
    return !level->is_list;
  if (b->kind == '}')
    return !level->is_list;
  if (b->kind == '{')
    return p->in->kind != PRETTY_QUERY || was_apart(p, k);
  if (is_postfix(p, k) || is_prefix(p, k - 1))
    return false;
  if (b->kind == '(')
    return a->kind == UT_NAME ? is_spaced_word(a->word) : a->kind != ']';
  if (b->kind == '[')
    return p->in->kind == PRETTY_QUERY ? was_apart(p, k) : !ends_operand(a);
  // Operators in brackets are as tight as they were: x[N+1], queue[length - 1].
  const bool is_operand = ends_operand(a) && ends_operand(b);
  if (level->kind == '[' && !is_operand)
    return was_apart(p, k);
  return true;
}

static uint32_t column(const Pretty *p) { return (uint32_t)(p->out->size - p->line); }

static void begin_line(Pretty *p, uint32_t newlines, uint32_t indent) {
  for (uint32_t i = 0; i < newlines && i < 2; i++)
    text_add_char(p->out, '\n');
  p->line = p->out->size;
  for (uint32_t i = 0; i < indent; i++)
    text_add_char(p->out, ' ');
}

// Where the blanks before it begin.
static uint32_t blanks_before(const Pretty *p, uint32_t at) {
  while (at > p->in->begin && (p->text[at - 1] == ' ' || p->text[at - 1] == '\t'))
    at--;
  return at;
}

// The column of a line that begins at `at`, with token `k` or with a comment before it.
static uint32_t indent_of(const Pretty *p, uint32_t k, uint32_t at) {
  const UToken *t = &p->tokens.items[k];
  const Level *level = &vec_last(&p->levels);
  const bool is_comment = at < t->offset;
  if (p->in->kind == PRETTY_QUERY) // as it was
    return at - blanks_before(p, at);
  if (!is_comment && (t->kind == '}' || t->kind == ')' || t->kind == ']') && level->kind)
    return level->outside;
  if (!is_comment && t->kind == '{' && !level->is_list && k && (t - 1)->kind != UT_SET)
    return level->item ? level->item : level->inside;
  if (level->is_fresh || (is_comment && t->kind == '}'))
    return level->inside;
  if (level->is_head)
    return level->inside + STEP;
  if (p->in->kind == PRETTY_LABEL && !level->kind)
    return 0;
  const bool is_body =
      k && ((t - 1)->kind == ')' || is_word(t - 1, WORD_else) || is_word(t - 1, WORD_do));
  return is_body && level->kind != '(' ? level->inside + STEP : level->hang;
}

static bool is_head_word(const UToken *t) {
  return is_word(t, WORD_state) || is_word(t, WORD_trans) || is_word(t, WORD_branchpoint) ||
         is_word(t, WORD_commit);
}

static void open_level(Pretty *p, uint32_t k, uint32_t indent) {
  const UToken *t = &p->tokens.items[k];
  const Level outer = vec_last(&p->levels);
  const int before = k ? (t - 1)->kind : 0;
  const uint32_t from = t->kind == '{' && outer.item ? outer.item : indent;
  const bool is_list = t->kind == '{' && (before == UT_SET || (outer.is_list && before == ',') ||
                                          (outer.is_list && before == '{'));
  const uint32_t inside = from + (t->kind == '{' ? STEP : HANG);
  const Level level = {.kind = t->kind,
                       .is_list = is_list,
                       .is_fresh = t->kind == '{',
                       .outside = from,
                       .inside = inside,
                       .hang = inside};
  vec_push(p->mem, &p->levels, level);
}

static void close_level(Pretty *p, int kind) {
  if (p->levels.size > 1)
    (void)vec_pop(&p->levels);
  Level *level = &vec_last(&p->levels);
  if (kind == '}' && !level->is_list && level->kind != '(')
    level->is_fresh = true;
}

// What the token at `k`, which begins at `at` in a line that is indented by `indent`, changes.
static void note_token(Pretty *p, uint32_t k, uint32_t at, bool begins_line) {
  const UToken *t = &p->tokens.items[k];
  Level *level = &vec_last(&p->levels);
  uint32_t indent = 0;
  for (size_t i = p->line; i < p->out->size && p->out->chars[i] == ' '; i++)
    indent++;
  if (level->is_head) { // items are lined up under the first one
    level->hang = begins_line ? level->inside + STEP : at;
    level->item = level->hang;
    level->is_head = false;
  }
  if (level->is_fresh && t->kind != ',' && t->kind != ';' && t->kind != ')') {
    level->hang = level->is_list ? level->inside : level->inside + HANG;
    level->item = 0;
    level->is_head = is_head_word(t);
  }
  if (t->kind != '}')
    level->is_fresh = t->kind == ';' || (level->is_list && t->kind == ',');
  if (t->kind == '{' || t->kind == '(' || t->kind == '[')
    open_level(p, k, indent);
  else if (t->kind == '}' || t->kind == ')' || t->kind == ']')
    close_level(p, t->kind);
}

// The end of the comment, or of the mark for a line that goes on, that begins here; `at`: none
// does.
static uint32_t comment_end(const Pretty *p, uint32_t at, uint32_t end) {
  const char *text = p->text;
  if (text[at] == '\\')
    return at + 1;
  if (end - at < 2 || text[at] != '/')
    return at;
  if (text[at + 1] == '/') {
    while (at < end && text[at] != '\n')
      at++;
    return at;
  }
  for (at += 2; at < end; at++)
    if (text[at] == '*' && at + 1 < end && text[at + 1] == '/')
      return at + 2;
  return end;
}

// A comment over several lines moves as a whole, if its lines are indented as its first one is.
static void add_comment(Pretty *p, uint32_t begin, uint32_t end, bool begins_line) {
  const char *text = p->text;
  const uint32_t indent = column(p), old = begins_line ? blanks_before(p, begin) : begin;
  while (end > begin && strchr(" \t\r", text[end - 1]))
    end--;
  for (uint32_t at = begin; at < end;) {
    uint32_t line = at;
    while (line < end && text[line] != '\n')
      line++;
    uint32_t shown = line;
    while (shown > at && strchr(" \t\r", text[shown - 1]))
      shown--;
    add_source(p, at, shown);
    if (line == end)
      break;
    text_add_char(p->out, '\n');
    p->line = p->out->size;
    at = line + 1;
    if (begins_line && end - at > begin - old && !memcmp(text + at, text + old, begin - old)) {
      for (uint32_t i = 0; i < indent; i++)
        text_add_char(p->out, ' ');
      at += begin - old;
    }
  }
}

// Comments before token `k`. Returns the number of line breaks behind the last of them.
static uint32_t add_gap(Pretty *p, uint32_t k) {
  const uint32_t end = p->tokens.items[k].offset;
  uint32_t newlines = 0, at = p->quoted;
  p->after_comment = false;
  while (at < end) {
    const uint32_t behind = comment_end(p, at, end);
    newlines += p->text[at] == '\n';
    if (behind == at) {
      at++;
      continue;
    }
    const bool is_first = p->out->size == p->start;
    if (!is_first && newlines) {
      begin_line(p, newlines, indent_of(p, k, at));
    } else if (!is_first) { // in the line of the token before it, as far from it as it was
      uint32_t blanks = at - p->quoted;
      if (memchr(p->text + p->quoted, '\t', blanks) || !blanks)
        blanks = p->quoted < at ? STEP : 1;
      for (uint32_t i = 0; i < blanks; i++)
        text_add_char(p->out, ' ');
    }
    add_comment(p, at, behind, is_first || newlines);
    p->after_comment = true;
    p->quoted = at = behind;
    newlines = 0;
  }
  return newlines;
}

static void print_tokens(Pretty *p) {
  for (uint32_t k = 0; k < p->tokens.size; k++) {
    const UToken *t = &p->tokens.items[k];
    const uint32_t newlines = add_gap(p, k);
    if (t->kind == UT_END)
      return;
    const bool is_first = p->out->size == p->start;
    if (!is_first && newlines)
      begin_line(p, newlines, indent_of(p, k, t->offset));
    else if (!is_first && (p->after_comment || !k || wants_blank(p, k) || would_merge(p, k)))
      text_add_char(p->out, ' ');
    const uint32_t at = column(p);
    add_source(p, t->offset, t->offset + t->length);
    p->quoted = t->offset + t->length;
    note_token(p, k, at, is_first || newlines);
  }
}

// Appends the tokens of the text. Blocks of queries have tokens of their own.
static void scan(Pretty *p) {
  const PrettyText *in = p->in;
  UTokens *tokens = &p->tokens;
  token_scan(tokens, p->mem, in->source, in->begin, in->end,
             in->kind == PRETTY_QUERY ? TOKEN_QUERY : TOKEN_MODEL);
  if (in->kind != PRETTY_MODEL)
    return;
  for (uint32_t k = 0; k + 1 < tokens->size; k++) {
    if (!is_word(&tokens->items[k], WORD_query) || tokens->items[k + 1].kind != '{')
      continue;
    uint32_t depth = 1, close = k + 2;
    for (; tokens->items[close].kind != UT_END; close++) {
      depth += tokens->items[close].kind == '{';
      depth -= tokens->items[close].kind == '}';
      if (!depth)
        break;
    }
    const uint32_t begin = tokens->items[k + 1].offset + 1, end = tokens->items[close].offset;
    tokens->size = k + 2;
    token_scan(tokens, p->mem, in->source, begin, end, TOKEN_QUERY);
    k = --tokens->size;
    token_scan(tokens, p->mem, in->source, end, in->end, TOKEN_MODEL);
  }
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

LabelNode pretty_trimmed(LabelNode label) {
  while (label.size && is_blank(label.text[label.size - 1]))
    label.size--;
  while (label.size && is_blank(*label.text)) {
    label.text++;
    label.size--;
  }
  return label;
}

void pretty_print(Text *out, Mem *mem, const PrettyText *in) {
  Pretty p = {.out = out, .mem = mem, .in = in, .text = in->source->text};
  text_add(out, "");
  p.start = p.line = out->size;
  p.quoted = in->begin;
  scan(&p);
  const Level level = {.is_fresh = in->kind != PRETTY_QUERY};
  vec_push(mem, &p.levels, level);
  bool is_foreign = false; // a query of TChecker's language may have comments of its own
  for (uint32_t k = 0; k < p.tokens.size && in->kind == PRETTY_QUERY; k++)
    is_foreign |= p.tokens.items[k].kind == UT_BAD;
  if (is_foreign)
    add_source(&p, in->begin, in->end);
  else
    print_tokens(&p);
  vec_release(mem, &p.tokens);
  vec_release(mem, &p.levels);
}
