#include "language/query_grammar.h"

#include "model/syntax.h"

#include <ctype.h>
#include <string.h>

typedef struct Grammar {
  const QueryLanguage *language;
  void *reader;
  Report *report;
  Mem *mem;
  const Source *source;
  const char *text;
  uint32_t at, end; // what is not cut yet
  QueryKind kind;
  VEC(QueryPart) parts;
} Grammar;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

// Where the blank or comment that begins here ends; `at` itself if there is none.
static uint32_t skip_one(const Grammar *g, uint32_t at) {
  const char *text = g->text + at;
  const size_t size = g->end - at;
  if (size && isspace((unsigned char)*text))
    return at + 1;
  if (size < 2 || *text != '/' || (text[1] != '*' && text[1] != '/'))
    return at;
  const bool is_line = text[1] == '/';
  for (at += 2; at < g->end; at++)
    if (is_line ? g->text[at] == '\n' : g->text[at - 1] == '*' && g->text[at] == '/')
      return at + 1;
  return g->end;
}

// Goes behind blanks and comments, and behind the token if it comes then.
static bool accept(Grammar *g, const char *token) {
  const uint32_t length = (uint32_t)strlen(token);
  for (uint32_t next; (next = skip_one(g, g->at)) > g->at;)
    g->at = next;
  if (g->end - g->at < length || memcmp(g->text + g->at, token, length) ||
      (is_word(*token) && g->at + length < g->end && is_word(g->text[g->at + length])))
    return false;
  g->at += length;
  return true;
}

// The next such sign, of one character only in no brackets; the end if there is none.
static uint32_t find(const Grammar *g, const char *sign) {
  const size_t length = strlen(sign);
  int depth = 0;
  for (uint32_t at = g->at, next; at < g->end; at = next) {
    const char c = g->text[at];
    if ((!depth || length > 1) && g->end - at >= length && !memcmp(g->text + at, sign, length))
      return at;
    next = skip_one(g, at);
    next += next == at;
    depth += c == '(' || c == '[' || c == '{';
    depth -= depth && (c == ')' || c == ']' || c == '}');
  }
  return g->end;
}

// The part up to the sign, and the sign; without one the part is the rest. False: it is missing.
static bool add_part(Grammar *g, QueryRole role, const char *until) {
  const uint32_t end = until ? find(g, until) : g->end;
  const QueryPart part = {g->kind, role, g->at, end, until};
  vec_push(g->mem, &g->parts, part);
  g->at = end;
  return until && accept(g, until);
}

// ("sup" | "inf" | "bounds") [ "{" formula "}" ] ":" value { "," value }
// | "buchi" ":" value { "," value }
static bool cut_values(Grammar *g) {
  static const char *const words[] = {"sup", "inf", "bounds", "buchi"};
  static const QueryKind kinds[] = {QUERY_SUP, QUERY_INF, QUERY_BOUNDS, QUERY_BUCHI};
  const uint32_t begin = g->at;
  uint32_t i = 0;
  while (i < sizeof kinds / sizeof *kinds && !accept(g, words[i]))
    i++;
  if (i == sizeof kinds / sizeof *kinds)
    return false;
  g->kind = kinds[i];
  const bool has_formula = g->kind != QUERY_BUCHI && accept(g, "{");
  if (has_formula && !add_part(g, QUERY_FORMULA, "}"))
    return true; // the language says what is wrong with it
  const bool has_colon = accept(g, ":");
  if (!has_colon && !has_formula && find(g, "-->") < g->end) { // it is the name of a variable
    g->at = begin;
    return false;
  }
  if (!has_colon) {
    report_error(g->report, (Place){g->source, g->at},
                 g->at < g->end && g->text[g->at] == '['
                     ? "a condition stands in braces, as in `sup{p}: x`"
                     : "expected `:` and what is asked for, as in `sup: x`");
    return true;
  }
  while (add_part(g, QUERY_VALUE, find(g, ",") < g->end ? "," : NULL))
    continue;
  return true;
}

// ("E" | "A") ("<" ">" | "[" "]")
static bool cut_quantifiers(Grammar *g) {
  const uint32_t begin = g->at;
  const bool exists = accept(g, "E"), always = !exists && accept(g, "A");
  const bool eventually = accept(g, "<") && accept(g, ">");
  if ((exists || always) && (eventually || (accept(g, "[") && accept(g, "]")))) {
    g->kind = exists       ? eventually ? QUERY_REACH : QUERY_POSSIBLY
              : eventually ? QUERY_EVENTUALLY
                           : QUERY_INVARIANT;
    return true;
  }
  g->at = begin;
  return false;
}

static void cut(Grammar *g) {
  if (cut_values(g))
    return;
  const uint32_t arrow = find(g, "-->");
  if (!cut_quantifiers(g)) {
    if (g->language->refuse(g->reader, arrow < g->end))
      return;
    g->kind = QUERY_LEADS_TO;
    add_part(g, QUERY_FORMULA, "-->");
    add_part(g, QUERY_CONCLUSION, NULL);
  } else if (arrow < g->end) {
    report_error(g->report, (Place){g->source, arrow},
                 "`p --> q` is a query by itself: nothing like `A<>` or a bracket goes around "
                 "it");
  } else {
    add_part(g, QUERY_FORMULA, NULL);
  }
}

// A part as its text, for who reads it again.
static const Tree *text_tree(const Grammar *g, const QueryPart *part, Arena *arena) {
  Tree *tree = ARENA_NEW(arena, Tree);
  *tree = (Tree){.kind = NODE_TEXT,
                 .place = {g->source, part->begin},
                 .value = (int32_t)(part->end - part->begin)};
  return tree;
}

// No part is made before all are parsed: what has a mistake may be of another query language.
static void make_query(const Grammar *g, Query *query, Arena *arena) {
  const void **parsed = ARENA_ARRAY(arena, const void *, g->parts.size);
  const Expr **values = ARENA_ARRAY(arena, const Expr *, g->parts.size);
  for (uint32_t i = 0; i < g->parts.size && !report_failed(g->report); i++)
    parsed[i] = g->language->parse(g->reader, &g->parts.items[i]);
  if (report_failed(g->report))
    return;
  const struct Tree **trees = ARENA_ARRAY(arena, const struct Tree *, g->parts.size);
  query->value_trees = trees;
  query->kind = g->kind;
  query->values = values;
  for (uint32_t i = 0; i < g->parts.size; i++) {
    const QueryPart *part = &g->parts.items[i];
    const Expr *expr =
        g->language->make ? g->language->make(g->reader, part, parsed[i]) : parsed[i];
    const Tree *tree = g->language->has_trees ? parsed[i] : text_tree(g, part, arena);
    if (part->role == QUERY_VALUE)
      trees[query->value_count] = tree;
    else
      *(part->role == QUERY_FORMULA ? &query->tree : &query->conclusion_tree) = tree;
    if (part->role == QUERY_VALUE)
      values[query->value_count++] = expr;
    else
      *(part->role == QUERY_FORMULA ? &query->formula : &query->conclusion) = expr;
  }
}

uint32_t query_grammar_begin(Query *query, Arena *arena, Place place, uint32_t end) {
  const char *text = place.source->text;
  while (place.offset < end && isspace((unsigned char)text[place.offset]))
    place.offset++;
  while (end > place.offset && isspace((unsigned char)text[end - 1]))
    end--;
  *query =
      (Query){.text = arena_text(arena, text + place.offset, end - place.offset), .place = place};
  return end;
}

bool query_grammar_read(Query *query, Arena *arena, Place place, uint32_t end,
                        const QueryLanguage *language, void *reader, Report *report) {
  end = query_grammar_begin(query, arena, place, end);
  place = query->place;
  Grammar g = {.language = language, .reader = reader, .report = report, .mem = arena->mem};
  g.source = place.source;
  g.text = place.source->text;
  g.at = place.offset;
  g.end = end;
  cut(&g);
  make_query(&g, query, arena);
  vec_release(g.mem, &g.parts);
  return !report_failed(report);
}
