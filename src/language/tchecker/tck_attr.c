#define _POSIX_C_SOURCE 200809L // strcasecmp
#include "language/tchecker/tck_attr.h"

#include <string.h>
#include <strings.h>

const char *const tck_keywords[TCK_DECLARATIONS] = {
    [TCK_SYSTEM] = "system", [TCK_PROCESS] = "process", [TCK_EVENT] = "event",
    [TCK_CLOCK] = "clock",   [TCK_INT] = "int",         [TCK_LOCATION] = "location",
    [TCK_EDGE] = "edge",     [TCK_SYNC] = "sync"};

const char *const tck_forms[TCK_DECLARATIONS] = {
    [TCK_SYSTEM] = "system:name",
    [TCK_PROCESS] = "process:name",
    [TCK_EVENT] = "event:name",
    [TCK_CLOCK] = "clock:size:name",
    [TCK_INT] = "int:size:min:max:initial:name",
    [TCK_LOCATION] = "location:process:name{attributes}",
    [TCK_EDGE] = "edge:process:source:target:event{attributes}",
    [TCK_SYNC] = "sync:process@event:process@event"};

// The attributes that mean something.
static const struct {
  TckDeclaration declaration;
  const char *key;
} known_keys[] = {
    {TCK_LOCATION, "initial"}, {TCK_LOCATION, "committed"}, {TCK_LOCATION, "urgent"},
    {TCK_LOCATION, "labels"},  {TCK_LOCATION, "invariant"}, {TCK_EDGE, "provided"},
    {TCK_EDGE, "do"}};
enum { KNOWN_KEYS = sizeof known_keys / sizeof *known_keys };

// What other languages, and other declarations, call them.
static const struct {
  const char *other, *key;
} other_keys[] = {
    {"guard", "provided"}, {"when", "provided"}, {"condition", "provided"}, {"assign", "do"},
    {"assignment", "do"},  {"update", "do"},     {"updates", "do"},         {"action", "do"},
    {"effect", "do"},      {"reset", "do"},      {"resets", "do"},          {"inv", "invariant"},
    {"init", "initial"},   {"label", "labels"},  {"invar", "invariant"},    {"if", "provided"}};
enum { OTHER_KEYS = sizeof other_keys / sizeof *other_keys };

void tck_reader_fail(TckReader *reader, Token token, const char *format, ...) {
  Text text = {.mem = reader->net->mem};
  va_list args;
  va_start(args, format);
  text_addv(&text, format, args);
  va_end(args);
  tck_fail(&reader->parser, token.offset, "%s", text_chars(&text));
  text_release(&text);
}

// Whether the error is that a name is not declared whose declaration has an error.
static bool is_consequence(const TckReader *reader) {
  const char *text = text_chars(&reader->report->error);
  const char *said = strstr(text, "` is not declared"), *name = said;
  while (name && name > text && name[-1] != '`')
    name--;
  return name && symbols_find(&reader->symbols, TCK_SUSPECTS, name, (uint32_t)(said - name)) !=
                     SYMBOLS_NONE;
}

void tck_suspect(TckReader *reader, uint32_t begin, uint32_t end) {
  const Source *source = reader->parser.lexer.source;
  Lexer lexer;
  Token token;
  lexer_init(&lexer, source, begin, end, false);
  while ((token = lexer_next(&lexer)).kind != TOKEN_END)
    if (token.kind == TOKEN_NAME &&
        symbols_find(&reader->symbols, TCK_SUSPECTS, source->text + token.offset, token.length) ==
            SYMBOLS_NONE)
      symbols_add(&reader->symbols, TCK_SUSPECTS, tck_token_text(&reader->parser, token), 0);
}

bool tck_recover(TckReader *reader, uint32_t begin, uint32_t end) {
  Text *error = &reader->report->error;
  if (!is_consequence(reader)) {
    if (reader->error_count++ < REPORT_MAX_ERRORS)
      text_add(&reader->errors, text_chars(error));
  } else if (reader->report->list) {
    report_cut(reader->report, reader->report->list->size - 1);
  }
  text_clear(error);
  tck_suspect(reader, begin, end);
  return reader->error_count < TCK_MAX_ERRORS;
}

void tck_count_errors(TckReader *reader) {
  const uint32_t count = reader->error_count;
  if (count > REPORT_MAX_ERRORS)
    text_addf(&reader->errors, "and %s%u more error%s\n",
              count < TCK_MAX_ERRORS ? "" : "at least ", (unsigned)(count - REPORT_MAX_ERRORS),
              count > REPORT_MAX_ERRORS + 1 ? "s" : "");
}

static bool key_is(const TckReader *reader, const TckPair *pair, const char *key) {
  return lexer_token_is(&reader->parser.lexer, pair->key, key);
}

static void cut_blanks(const char *text, uint32_t *begin, uint32_t *end) {
  while (*begin < *end && lexer_is_blank(text[*begin]))
    ++*begin;
  while (*begin < *end && lexer_is_blank(text[*end - 1]))
    --*end;
}

static bool ends_value(char c) { return !c || c == ':' || c == '{' || c == '}' || c == '#'; }

// A value is everything up to `:` or `}`; it is not made of tokens yet.
static void read_value(TckReader *reader, TckPair *pair, Token brace) {
  TckParser *parser = &reader->parser;
  const char *text = parser->lexer.source->text;
  uint32_t end = parser->end;
  while (end < parser->lexer.end && !ends_value(text[end]))
    end++;
  pair->begin = parser->end;
  pair->end = end;
  cut_blanks(text, &pair->begin, &pair->end);
  parser->lexer.offset = parser->end = end;
  parser->token = lexer_next(&parser->lexer);
  const Token stop = parser->token;
  if (stop.kind == TOKEN_END)
    tck_reader_fail(reader, brace, "this `{` is never closed: a `}` is missing");
  else if (stop.kind == TOKEN_LBRACE)
    tck_reader_fail(reader, stop, "`{` inside of braces; is a `}` missing before it?");
  else if (stop.kind == TOKEN_BAD && text[stop.offset] == '#')
    tck_reader_fail(reader, stop,
                    "a comment cannot stand inside of braces; write it above the declaration");
  else if (stop.kind == TOKEN_BAD)
    tck_reader_fail(reader, stop, "a value cannot contain byte 0x%02X",
                    (unsigned char)text[stop.offset]);
}

static bool is_flag(const TckReader *reader, const TckPair *pair) {
  return key_is(reader, pair, "initial") || key_is(reader, pair, "committed") ||
         key_is(reader, pair, "urgent");
}

// `initial: invariant: x<3` is a slip that would only be noticed at the `<`.
static void check_flag(TckReader *reader, const TckPair *pair) {
  const Token value = {TOKEN_NAME, pair->begin, pair->end - pair->begin, 0};
  const char *key = tck_token_text(&reader->parser, pair->key);
  for (int i = 0; i < KNOWN_KEYS; i++)
    if (lexer_token_is(&reader->parser.lexer, value, known_keys[i].key))
      tck_reader_fail(reader, value,
                      "`:` is missing between the attributes `%s` and `%s`; write `%s: : %s: "
                      "...`",
                      key, known_keys[i].key, key, known_keys[i].key);
}

// `provided: x<3 do: x=0`: the value before this key ends with a word that should be a key.
static void check_last_word(TckReader *reader) {
  if (!reader->pairs.size)
    return;
  const char *text = reader->parser.lexer.source->text;
  const TckPair *last = &vec_last(&reader->pairs);
  Token word = {TOKEN_NAME, last->end, 0, 0};
  while (word.offset > last->begin && !lexer_is_blank(text[word.offset - 1]))
    word.offset--;
  word.length = last->end - word.offset;
  for (int i = 0; i < KNOWN_KEYS; i++)
    if (lexer_token_is(&reader->parser.lexer, word, known_keys[i].key))
      tck_reader_fail(reader, word, "`:` is missing before the attribute `%s`",
                      known_keys[i].key);
}

// The value before this key has a `?`.
static bool follows_question(const TckReader *reader) {
  const TckPair *last = reader->pairs.size ? &vec_last(&reader->pairs) : NULL;
  return last &&
         memchr(reader->parser.lexer.source->text + last->begin, '?', last->end - last->begin);
}

static void check_key(TckReader *reader, Token key, Token brace) {
  char found[LEXER_QUOTE];
  if (key.kind == TOKEN_END)
    tck_reader_fail(reader, brace, "this `{` is never closed: a `}` is missing");
  else if (key.kind == TOKEN_ASSIGN)
    tck_reader_fail(reader, key,
                    "`:` ends the value of an attribute; assignments are written with `=`, as in "
                    "`do: x=0`");
  else if (key.kind != TOKEN_NAME)
    tck_reader_fail(reader, key, "expected the name of an attribute, found %s%s",
                    lexer_show(&reader->parser.lexer, key, found),
                    follows_question(reader)
                        ? "; `:` ends the value of an attribute: instead of `c ? a : b` write "
                          "`(if c then a else b)`"
                        : "");
}

static bool is_in_other_line(const TckReader *reader, Token a, Token b) {
  return memchr(reader->parser.lexer.source->text + a.offset, '\n', b.offset - a.offset);
}

// key ":" value
static void read_pair(TckReader *reader, Token brace) {
  TckParser *parser = &reader->parser;
  TckPair pair = {.key = parser->token};
  char quoted[LEXER_QUOTE], found[LEXER_QUOTE];
  check_key(reader, pair.key, brace);
  tck_advance(parser);
  const Token colon = parser->token;
  if (colon.kind != TOKEN_COLON) {
    check_last_word(reader);
    if (is_in_other_line(reader, brace, pair.key))
      tck_reader_fail(reader, brace,
                      "this `{` is not closed in its line, and what follows is not an attribute: "
                      "is a `}` missing?");
    tck_reader_fail(reader, colon,
                    "expected `:` after the attribute %s, found %s; attributes are written "
                    "`key: value`, with `:` between them",
                    lexer_show(&parser->lexer, pair.key, quoted),
                    lexer_show(&parser->lexer, colon, found));
  }
  // Not tck_advance: what follows is no token.
  parser->end = colon.offset + colon.length;
  read_value(reader, &pair, brace);
  if (is_flag(reader, &pair))
    check_flag(reader, &pair);
  vec_push(reader->net->mem, &reader->pairs, pair);
}

// What people mean by a sign behind a declaration.
static const char *end_advice(const TckReader *reader, Token token, bool after_brace) {
  const bool is_sync = reader->declaration == TCK_SYNC;
  switch (token.kind) {
  case TOKEN_SEMICOLON:
    return "a declaration ends with its line; ";
  case TOKEN_COMMA:
    return is_sync ? "only `:` separates the parts: " : "each has a declaration of its own; ";
  case TOKEN_NOT:
  case TOKEN_QUESTION:
    return "an event has no direction: `sync` tells who takes part; ";
  case TOKEN_LPAREN:
    return after_brace ? "" : "attributes stand in braces; ";
  case TOKEN_LBRACKET:
    return "the size comes before the name; ";
  case TOKEN_DIVIDE:
    return "comments begin with `#`; ";
  case TOKEN_NAME:
    return after_brace ? "" : "names have no blanks; ";
  default:
    return "";
  }
}

static void check_end_of_line(TckReader *reader, bool after_brace) {
  const Token token = reader->parser.token;
  char found[LEXER_QUOTE];
  if (token.kind == TOKEN_NEWLINE || token.kind == TOKEN_END)
    return;
  for (int i = 0; i < TCK_DECLARATIONS; i++)
    if (lexer_token_is(&reader->parser.lexer, token, tck_keywords[i]))
      tck_reader_fail(reader, token, "each declaration needs a line of its own");
  tck_reader_fail(reader, token, "expected %sthe end of the line, found %s; %sthe form is `%s`",
                  after_brace ? "" : "`{` or ", lexer_show(&reader->parser.lexer, token, found),
                  end_advice(reader, token, after_brace), tck_forms[reader->declaration]);
}

// [ "{" [ pair { ":" pair } ] "}" ] and the end of the line
void tck_attr_read(TckReader *reader) {
  TckParser *parser = &reader->parser;
  const Token brace = parser->token;
  vec_clear(&reader->pairs);
  if (brace.kind == TOKEN_LBRACE) {
    parser->lexer.lines = false; // from the token after the brace on
    tck_advance(parser);
    bool more = parser->token.kind != TOKEN_RBRACE;
    while (more && !report_failed(reader->report)) {
      read_pair(reader, brace);
      more = tck_accept(parser, TOKEN_COLON);
    }
    parser->lexer.lines = true;
    tck_accept(parser, TOKEN_RBRACE);
  }
  check_end_of_line(reader, brace.kind == TOKEN_LBRACE);
}

// Whether this key has not been warned of for this kind of declaration yet.
static bool is_news(TckReader *reader, TckDeclaration declaration, const char *key) {
  Text text = {.mem = reader->net->mem};
  text_addf(&text, "%s:%s", tck_keywords[declaration], key);
  const bool news =
      symbols_find(&reader->symbols, TCK_WARNED, text.chars, (uint32_t)text.size) == SYMBOLS_NONE;
  if (news)
    symbols_add(&reader->symbols, TCK_WARNED,
                arena_text(&reader->net->arena, text.chars, text.size), 0);
  text_release(&text);
  return news;
}

// The attribute that a key of no meaning was meant to be: one that is spelled nearly so, or that
// has this name elsewhere. NULL: none.
static const char *meant_key(TckDeclaration declaration, const char *key) {
  enum { MAX_EDITS = 2 };
  for (int i = 0; i < KNOWN_KEYS; i++) {
    const char *known = known_keys[i].key;
    const unsigned max = strlen(known) > MAX_EDITS ? MAX_EDITS : 1; // `do` is near to much
    if (known_keys[i].declaration == declaration &&
        (!strcasecmp(key, known) || text_distance(key, known, max + 1) <= max))
      return known;
  }
  for (int i = 0; i < OTHER_KEYS; i++)
    for (int k = 0; k < KNOWN_KEYS; k++)
      if (!strcasecmp(key, other_keys[i].other) &&
          !strcmp(known_keys[k].key, other_keys[i].key) &&
          known_keys[k].declaration == declaration)
        return other_keys[i].key;
  return NULL;
}

// Whether only declarations of another kind have this attribute: the model means more than it
// says.
static bool is_misplaced(TckDeclaration declaration, const char *key) {
  const bool has_keys = declaration == TCK_LOCATION || declaration == TCK_EDGE;
  for (int i = 0; (has_keys || declaration == TCK_PROCESS) && i < KNOWN_KEYS; i++)
    if (known_keys[i].declaration != declaration && !strcmp(key, known_keys[i].key))
      return true;
  return false;
}

static void keep(TckReader *reader, TckDeclaration declaration, const TckPair *pair,
                 Attributes *list) {
  const char *text = reader->parser.lexer.source->text;
  const Attribute attribute = {
      tck_token_text(&reader->parser, pair->key),
      arena_text(&reader->net->arena, text + pair->begin, pair->end - pair->begin)};
  vec_push(reader->net->mem, list, attribute);
  const char *meant = meant_key(declaration, attribute.key);
  if (meant) {
    tck_reader_fail(reader, pair->key, "there is no attribute `%s`; did you mean `%s`?",
                    attribute.key, meant);
    return;
  }
  if (is_misplaced(declaration, attribute.key)) {
    const bool is_of_edge = meant_key(TCK_EDGE, attribute.key);
    tck_reader_fail(reader, pair->key, "`%s` is an attribute of %s, not of `%s` declarations",
                    attribute.key, is_of_edge ? "edges" : "locations", tck_keywords[declaration]);
    return;
  }
  if (is_news(reader, declaration, attribute.key))
    tck_warn(&reader->parser, pair->key.offset,
             "attribute `%s` has no meaning for `%s` declarations and is ignored", attribute.key,
             tck_keywords[declaration]);
}

void tck_attr_keep(TckReader *reader, TckDeclaration declaration, Attributes *list) {
  for (uint32_t i = 0; i < reader->pairs.size; i++)
    keep(reader, declaration, &reader->pairs.items[i], list);
}

// initial, committed, urgent: there should be no value, and TChecker ignores one.
static void warn_of_value(TckReader *reader, const TckPair *pair) {
  if (pair->begin < pair->end)
    tck_warn(&reader->parser, pair->begin, "`%s` takes no value; this one is ignored",
             tck_token_text(&reader->parser, pair->key));
}

// As net_add_label, which looks through all labels.
static LabelId add_label(TckReader *reader, const char *name) {
  Net *net = reader->net;
  const uint32_t found = symbols_find(&reader->symbols, TCK_LABELS, name, (uint32_t)strlen(name));
  if (found != SYMBOLS_NONE)
    return found;
  const Name label = {.name = name};
  vec_push(net->mem, &net->labels, label);
  symbols_add(&reader->symbols, TCK_LABELS, name, net->labels.size - 1);
  return net->labels.size - 1;
}

// One label, from `begin` to the comma or the end at `next`.
static void read_label(TckReader *reader, LocationId id, uint32_t begin, uint32_t next) {
  uint32_t end = next;
  cut_blanks(reader->parser.lexer.source->text, &begin, &end);
  const Token token = {TOKEN_NAME, begin, end - begin, 0};
  const char *label = tck_token_text(&reader->parser, token);
  if (!*label)
    tck_reader_fail(reader, token, "a label is missing here; labels are written `a,b`");
  else if (strpbrk(label, " \t\r\n"))
    tck_warn(&reader->parser, begin, "this label contains blanks; is a comma missing?");
  if (report_failed(reader->report))
    return;
  const LabelId label_id = add_label(reader, label);
  vec_push(reader->net->mem, &reader->net->locations.items[id].labels, label_id);
}

// label { "," label }, or nothing
static void read_labels(TckReader *reader, LocationId id, const TckPair *pair) {
  const char *text = reader->parser.lexer.source->text;
  uint32_t begin = pair->begin;
  for (uint32_t i = begin; i < pair->end; i++)
    if (text[i] == ',') {
      read_label(reader, id, begin, i);
      begin = i + 1;
    }
  if (pair->begin < pair->end)
    read_label(reader, id, begin, pair->end);
}

static void postpone(TckReader *reader, const TckPair *pair, bool is_edge, uint32_t id) {
  if (pair->begin == pair->end) {
    tck_reader_fail(reader, pair->key, "attribute `%s` has no value; write one or leave it out",
                    tck_token_text(&reader->parser, pair->key));
    return;
  }
  const TckPending pending = {*pair, is_edge, id};
  vec_push(reader->net->mem, &reader->pending, pending);
}

static void location_attribute(TckReader *reader, LocationId id, const TckPair *pair) {
  Location *location = &reader->net->locations.items[id];
  const struct {
    const char *key;
    bool *flag;
  } flags[] = {{"initial", &location->initial},
               {"committed", &location->committed},
               {"urgent", &location->urgent}};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (key_is(reader, pair, flags[i].key)) {
      warn_of_value(reader, pair);
      *flags[i].flag = true;
      return;
    }
  if (key_is(reader, pair, "labels"))
    read_labels(reader, id, pair);
  else if (key_is(reader, pair, "invariant"))
    postpone(reader, pair, false, id);
  else
    keep(reader, TCK_LOCATION, pair, &location->attributes);
}

void tck_attr_location(TckReader *reader, LocationId id) {
  for (uint32_t i = 0; i < reader->pairs.size; i++)
    location_attribute(reader, id, &reader->pairs.items[i]);
}

void tck_attr_edge(TckReader *reader, EdgeId id) {
  for (uint32_t i = 0; i < reader->pairs.size; i++) {
    const TckPair *pair = &reader->pairs.items[i];
    if (key_is(reader, pair, "provided") || key_is(reader, pair, "do"))
      postpone(reader, pair, true, id);
    else
      keep(reader, TCK_EDGE, pair, &reader->net->edges.items[id].attributes);
  }
}

// What has been parsed for one edge or location; its attributes come one after the other.
typedef struct Target {
  bool is_edge, has_condition;
  uint32_t id;
  Term condition;
  Stmt *last;     // of the statements
  TckScope scope; // of the statements: with local variables
} Target;

// Conditions given in several attributes must all hold.
static void read_condition(TckReader *reader, Target *target) {
  TckParser *parser = &reader->parser;
  Net *net = reader->net;
  TckScope globals = {.net = net, .symbols = &reader->symbols};
  parser->context = &globals;
  const Term term = tck_formula(parser);
  tck_expect_end(parser);
  parser->context = NULL;
  target->condition =
      target->has_condition ? term_connect(parser, &target->condition, EXPR_AND, &term) : term;
  target->has_condition = true;
  const Expr *expr = term_condition(parser, &target->condition);
  if (target->is_edge)
    net->edges.items[target->id].guard_expr = expr;
  else
    net->locations.items[target->id].invariant_expr = expr;
}

// Statements given in several attributes follow each other and share their local variables.
static void read_statements(TckReader *reader, Target *target) {
  Edge *edge = &reader->net->edges.items[target->id];
  reader->parser.context = &target->scope;
  Stmt *last = NULL, *first = tck_statements(&reader->parser, &last);
  reader->parser.context = NULL;
  edge->update_locals = target->scope.frame;
  if (target->last)
    target->last->next = first;
  else
    edge->update_stmts = first;
  target->last = last;
}

void tck_attr_finish(TckReader *reader) {
  TckParser *parser = &reader->parser;
  Target target = {.scope = {.net = reader->net, .symbols = &reader->symbols}};
  bool is_first = true;
  for (uint32_t i = 0; i < reader->pending.size; i++) {
    const TckPending *pending = &reader->pending.items[i];
    if (is_first || pending->is_edge != target.is_edge || pending->id != target.id) {
      vec_clear(&target.scope.locals);
      target.scope.frame = 0;
      target = (Target){.is_edge = pending->is_edge, .id = pending->id, .scope = target.scope};
    }
    tck_start(parser, parser->lexer.source, pending->pair.begin, pending->pair.end, false);
    if (key_is(reader, &pending->pair, "do"))
      read_statements(reader, &target);
    else
      read_condition(reader, &target);
    is_first = report_failed(reader->report); // then nothing of it is of use
    if (is_first && !tck_recover(reader, 0, 0))
      break;
  }
  vec_release(reader->net->mem, &target.scope.locals);
}
