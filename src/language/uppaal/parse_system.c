// Processes of .xta and .ta files, instantiations and the system line.
#include "language/uppaal/layout_block.h"
#include "language/uppaal/parser.h"
#include "language/uppaal/query_file.h"

#include <string.h>

// Where the text of what was just read ends: with it its line, if only comments follow there.
static uint32_t end_of_item(const Parser *p) {
  const UToken *last = &p->tokens.items[p->at ? p->at - 1 : 0];
  const uint32_t end = last->offset + last->length, next = p->tokens.items[p->at].offset;
  const char *newline = next > end ? memchr(p->source->text + end, '\n', next - end) : NULL;
  return newline                                 ? (uint32_t)(newline - p->source->text)
         : p->tokens.items[p->at].kind == UT_END ? next
                                                 : end;
}

static RemarkNode *add_remark(Parser *p, RemarkNode **list, const char *kind, LabelNode label) {
  while (*list)
    list = &(*list)->next;
  *list = ARENA_NEW(p->arena, RemarkNode);
  **list = (RemarkNode){.kind = kind, .label = label};
  return *list;
}

// The comments from p->noted to `until`, without their marks, as one remark. Those inside of the
// labels belong to the labels.
static void note_comments(Parser *p, RemarkNode **list, uint32_t until, const LabelNode *labels,
                          uint32_t count) {
  const char *text = p->source->text;
  Text comment = {.mem = p->arena->mem};
  uint32_t at = p->noted;
  while (at < until) {
    for (uint32_t k = 0; k < count; k++)
      if (labels[k].size && labels[k].text == text + at)
        at += labels[k].size;
    const uint32_t end = at < until ? query_file_comment_end(text, at, until) : 0;
    if (!end) {
      at++;
      continue;
    }
    uint32_t first = at + 2, last = text[at + 1] == '*' && end - at >= 4 ? end - 2 : end;
    while (first < last && strchr(" \t\r\n", text[first]))
      first++;
    while (last > first && strchr(" \t\r\n", text[last - 1]))
      last--;
    if (comment.size)
      text_add_char(&comment, '\n');
    text_add_bytes(&comment, text + first, last - first);
    at = end;
  }
  p->noted = until > p->noted ? until : p->noted;
  if (comment.size)
    add_remark(p, list, "comments",
               (LabelNode){.text = arena_text(p->arena, comment.chars, comment.size),
                           .size = (uint32_t)comment.size});
  text_release(&comment);
}

// expr ("!" | "?"), or a channel alone, as in CSP
void parse_sync(Parser *p, EdgeNode *edge) {
  if (parser_at(p, '!') || parser_at(p, '?'))
    parser_fail(p, parser_place(p), "the sign stands behind the channel, as in `go!`");
  edge->channel = parse_unary(p);
  edge->direction = parser_accept(p, '!')   ? SYNC_SEND
                    : parser_accept(p, '?') ? SYNC_RECEIVE
                                            : SYNC_PLAIN;
}

void parse_rate(Parser *p, LocationNode *location) {
  if (parser_at(p, '}') || parser_at(p, UT_END))
    return;
  location->rate = parse_expr(p);
  if (parser_accept(p, ':'))
    location->divisor = parse_expr(p);
}

// After an error in braces that open at token `open`: goes on behind the `}`, if that is in the
// same line.
static void recover_braces(Parser *p, uint32_t open) {
  const UToken *tokens = p->tokens.items;
  const char *text = p->source->text;
  uint32_t at = open + 1, end = tokens[open].offset;
  while (tokens[at].kind != UT_END && tokens[at].kind != '{' && tokens[at].kind != '}')
    at++;
  if (tokens[at].kind != '}' || at < p->at || memchr(text + end, '\n', tokens[at].offset - end))
    return;
  p->panic = false;
  p->at = at + 1;
  p->token = tokens[p->at];
}

static LocationNode *find_location(TemplateNode *process, const char *name) {
  for (LocationNode *l = process->locations; l; l = l->next)
    if (l->id == name)
      return l;
  return NULL;
}

// After an error in a location that begins with token `start`: goes on before the `,` or `;`
// behind it, if that comes before another part of the process.
static void recover_location(Parser *p, uint32_t start) {
  if (!p->panic)
    return;
  const uint32_t error = p->at;
  uint32_t depth = 0;
  for (uint32_t at = start; p->tokens.items[at].kind != UT_END; at++) {
    const UToken *token = &p->tokens.items[at];
    if (at > error && token->kind == UT_NAME &&
        (token->word == WORD_init || token->word == WORD_trans || token->word == WORD_commit ||
         token->word == WORD_urgent || token->word == WORD_state || token->word == WORD_process))
      return;
    depth += token->kind == '{';
    if (token->kind == '}' && !depth--)
      return;
    if (!depth && at >= error && (token->kind == ',' || token->kind == ';')) {
      p->panic = false;
      p->at = at;
      p->token = *token;
      parser_doubt(p, error);
      return;
    }
  }
}

static bool is_text_of(const Parser *p, const char *word) {
  return p->token.length == strlen(word) &&
         !memcmp(p->source->text + p->token.offset, word, p->token.length);
}

// NAME [ "{" [conjunction] [ ";" rate ] "}" ] { "," ... } ";"
static void states(Parser *p, TemplateNode *process, Document *document) {
  LocationNode **last = &process->locations;
  while (*last)
    last = &(*last)->next;
  bool more;
  do {
    LocationNode *location = ARENA_NEW(p->arena, LocationNode);
    const uint32_t start = p->at;
    location->place = parser_place(p);
    location->name = location->id = parser_name(p, "the name of a location");
    location->name_label = parser_label(p, location->place.offset);
    const uint32_t open = p->at;
    if (!parser_at(p, '{') && !parser_at(p, ',') && !parser_at(p, ';') && !p->panic &&
        (p->token.kind != UT_NAME || p->token.word == WORD_none))
      parser_expect(p, '{', "`{`, `,` or `;`");
    if (parser_accept(p, '{')) {
      const uint32_t begin = p->token.offset;
      if (parser_at_word(p, WORD_none) && is_text_of(p, "invariant")) // the hint needs it behind
        parser_next(p), parser_expect(p, '}', "`}`");
      if (!parser_at(p, '}') && !parser_at(p, ';') && !p->panic)
        location->invariant = parse_conjunction(p);
      location->invariant_label = parser_label(p, begin);
      if (parser_accept(p, ';')) {
        document->has_rates |= !parser_at(p, '}');
        const uint32_t rate = p->token.offset;
        parse_rate(p, location);
        const LabelNode label = parser_label(p, rate);
        if (label.size)
          add_remark(p, &location->remarks, "exponentialrate", label);
      }
      parser_expect(p, '}', "`}`");
      if (p->panic) {
        location->invariant = location->rate = location->divisor = NULL;
        recover_braces(p, open);
      }
    }
    if (location->name) {
      *last = location;
      last = &location->next;
    }
    process->is_broken |= !location->name;
    recover_location(p, start);
    more = parser_accept(p, ',');
    if (!more)
      parser_expect(p, ';', "`;`");
    note_comments(p, &location->remarks, end_of_item(p), &location->invariant_label, 1);
  } while (more);
}

static void branch_points(Parser *p, TemplateNode *process) {
  LocationNode **last = &process->locations;
  while (*last)
    last = &(*last)->next;
  do {
    LocationNode *location = ARENA_NEW(p->arena, LocationNode);
    location->is_branch = true;
    location->place = parser_place(p);
    location->name = location->id = parser_name(p, "the name of a branch point");
    *last = location;
    last = &location->next;
  } while (parser_accept(p, ','));
  parser_expect(p, ';', "`;`");
}

// NAME { "," NAME } ";", of `commit` and `urgent`
static void mark(Parser *p, TemplateNode *process, bool is_committed) {
  do {
    const Place place = parser_place(p);
    const char *name = parser_name(p, "the name of a location");
    LocationNode *location = name ? find_location(process, name) : NULL;
    if (location) {
      location->is_committed |= is_committed;
      location->is_urgent |= !is_committed;
    } else if (name) {
      Nearest nearest = {0};
      for (const LocationNode *l = process->locations; l; l = l->next)
        if (l->name)
          text_consider(&nearest, name, l->name);
      parser_fail(p, place, "there is no location `%s`%s%s%s", name,
                  nearest.name ? "; did you mean `" : "", nearest.name ? nearest.name : "",
                  nearest.name ? "`?" : "");
    }
  } while (parser_accept(p, ','));
  parser_expect(p, ';', "`;`");
}

void parse_edge_part(Parser *p, EdgeNode *edge, EdgePart part, Place place, Place *given) {
  static const char *const names[EDGE_PARTS] = {"`select`", "the guard", "the synchronisation",
                                                "the update", "the probability"};
  parser_once(p, &given[part], place, names[part]);
  if (parser_at(p, ';') || parser_at(p, UT_END))
    return;
  const uint32_t begin = p->token.offset;
  switch (part) {
  case EDGE_SELECT:
    edge->select = parse_bindings(p);
    break;
  case EDGE_GUARD:
    edge->guard = parse_conjunction(p);
    break;
  case EDGE_SYNC:
    parse_sync(p, edge);
    break;
  case EDGE_UPDATE:
    edge->update = parse_list(p);
    break;
  default:
    edge->weight = parse_expr(p);
    if (p->is_text)
      add_remark(p, &edge->remarks, "probability", parser_label(p, begin));
    return;
  }
  edge->labels[part] = parser_label(p, begin);
}

void parse_forget_part(EdgeNode *edge, EdgePart part) {
  edge->is_broken |= part == EDGE_SELECT || part == EDGE_GUARD;
  edge->select = part == EDGE_SELECT ? NULL : edge->select;
  edge->guard = part == EDGE_GUARD ? NULL : edge->guard;
  edge->update = part == EDGE_UPDATE ? NULL : edge->update;
  edge->weight = part == EDGE_WEIGHT ? NULL : edge->weight;
  edge->channel = part == EDGE_SYNC ? NULL : edge->channel;
  edge->direction = part == EDGE_SYNC ? SYNC_NONE : edge->direction;
}

// One part of an edge, its `;` included.
static bool edge_part(Parser *p, EdgeNode *edge, Place *given, Document *document) {
  static const Word words[EDGE_PARTS] = {WORD_select, WORD_guard, WORD_sync, WORD_assign,
                                         WORD_probability};
  int part = 0;
  parser_correct(p, "select guard sync assign");
  while (part < EDGE_PARTS && !parser_at_word(p, words[part]))
    part++;
  if (part == EDGE_PARTS)
    return false;
  const Place place = parser_place(p);
  const uint32_t start = p->at;
  parser_next(p);
  parse_edge_part(p, edge, (EdgePart)part, place, given);
  document->has_weights |= part == EDGE_WEIGHT;
  if (part == EDGE_UPDATE && parser_at(p, ';') && parser_ahead(p, 1)->kind == UT_NAME &&
      parser_ahead(p, 2)->kind == UT_SET) {
    parser_next(p);
    parser_fail(p, parser_place(p), "updates are separated by `,`, not by `;`");
  }
  parser_expect(p, ';', "`;`");
  if (p->panic)
    parse_forget_part(edge, (EdgePart)part);
  if (parser_recover(p, start) && part == EDGE_SELECT)
    parser_doubt(p, start);
  return true;
}

// After an error in an edge that begins with token `start`: goes on before the `,` or `;` behind
// it.
static void recover_edge(Parser *p, uint32_t start) {
  if (!p->panic)
    return;
  const uint32_t error = p->at;
  uint32_t depth = 0;
  p->panic = false;
  for (p->at = start; p->tokens.items[p->at].kind != UT_END; p->at++) {
    const int kind = p->tokens.items[p->at].kind;
    if ((!depth && (kind == '}' || (p->at >= error && (kind == ',' || kind == ';')))) ||
        (p->at > error && parser_begins_item(p)))
      break;
    depth += kind == '{';
    depth -= kind == '}';
  }
  p->token = p->tokens.items[p->at];
}

// The parts of an edge in brackets of another form: an error, and they are skipped.
static void skip_brackets(Parser *p) {
  uint32_t at = p->at;
  while (p->tokens.items[at].kind != ']' && p->tokens.items[at].kind != '}' &&
         p->tokens.items[at].kind != UT_END)
    at++;
  parser_fail(p, parser_place(p), "the parts of an edge stand in braces");
  p->panic = false;
  p->at = p->tokens.items[at].kind == ']' ? at + 1 : at;
  p->token = p->tokens.items[p->at];
}

static bool at_edge(const Parser *p) {
  const int kind = parser_ahead(p, 1)->kind;
  return parser_at_name(p) && (kind == UT_ARROW || kind == UT_UARROW);
}

// Where an edge comes without a `,` before it, that is an error, and the edge is read.
static bool misses_comma(Parser *p) {
  if (p->panic || !at_edge(p))
    return false;
  const UToken *before = &p->tokens.items[p->at - 1];
  const uint32_t at = p->at;
  parser_fail(p, (Place){p->source, before->offset + before->length},
              "expected `,` before another edge");
  p->panic = false;
  p->token = p->tokens.items[at];
  return true;
}

// [NAME] ("->" | "-u->") NAME [ "{" parts "}" ] { "," ... } ";"
static void transitions(Parser *p, TemplateNode *process, Document *document) {
  EdgeNode **last = &process->edges;
  while (*last)
    last = &(*last)->next;
  const char *source = NULL;
  Place source_place = parser_place(p);
  if (parser_accept(p, ';'))
    return;
  bool more;
  do {
    EdgeNode *edge = ARENA_NEW(p->arena, EdgeNode);
    const uint32_t start = p->at;
    edge->place = parser_place(p);
    if (!parser_at(p, UT_ARROW) && !parser_at(p, UT_UARROW)) {
      source_place = parser_place(p);
      source = parser_name(p, "a location");
    } else if (!source) {
      parser_fail(p, parser_place(p), "the first edge needs a source location");
    }
    edge->source = source;
    edge->source_place = source_place;
    edge->is_uncontrollable = parser_at(p, UT_UARROW);
    if (!parser_accept(p, UT_UARROW))
      parser_expect(p, UT_ARROW, "`->`");
    edge->target_place = parser_place(p);
    edge->target = parser_name(p, "a location");
    if (parser_at(p, '['))
      skip_brackets(p);
    if (parser_accept(p, '{')) {
      Place given[EDGE_PARTS] = {0};
      while (edge_part(p, edge, given, document)) {
      }
      parser_expect(p, '}', "`select`, `guard`, `sync`, `assign` or `}`");
    }
    *last = edge;
    last = &edge->next;
    recover_edge(p, start);
    more = (parser_accept(p, ',') && !p->panic) || misses_comma(p);
    if (!more)
      parser_expect(p, ';', "`,` and another edge, or `;`");
    note_comments(p, &edge->remarks, end_of_item(p), edge->labels, EDGE_WEIGHT);
  } while (more);
}

// The last edge or, if there is none, the last location gets the comments behind it.
static void note_last_comments(Parser *p, TemplateNode *process) {
  RemarkNode **list = NULL;
  for (LocationNode *l = process->locations; l; l = l->next)
    list = &l->remarks;
  for (EdgeNode *e = process->edges; e; e = e->next)
    list = &e->remarks;
  if (list)
    note_comments(p, list, p->token.offset, NULL, 0);
}

static LabelNode slice(const Parser *p, uint32_t begin, uint32_t end) {
  return (LabelNode){.text = p->source->text + begin, .size = end > begin ? end - begin : 0};
}

// `urgent state a;` for `urgent a;`
static void marked_state(Parser *p, TemplateNode *process) {
  const bool is_committed = parser_at_word(p, WORD_commit);
  const uint32_t at = p->at;
  const char *word = is_committed ? "commit" : "urgent";
  parser_fail(p, parser_place(p), "write `%s %.*s;` behind the list of all locations", word,
              (int)p->tokens.items[at + 2].length,
              p->tokens.items[at + 2].kind == UT_NAME
                  ? p->source->text + p->tokens.items[at + 2].offset
                  : "");
  p->panic = false;
  p->at = at + 2;
  p->token = p->tokens.items[p->at];
  mark(p, process, is_committed);
}

// An edge behind the `;` that ends their list is an error, and is read.
static bool follows_edges(Parser *p) {
  if (!at_edge(p))
    return false;
  const uint32_t at = p->at;
  parser_fail(p, parser_place(p),
              "edges are separated by `,`: the `;` before this one ends their list");
  p->panic = false;
  p->token = p->tokens.items[at];
  return true;
}

static bool process_part(Parser *p, TemplateNode *process, Place *init, Document *document) {
  const Place place = parser_place(p);
  parser_correct(p, "state commit init trans");
  if ((parser_at_word(p, WORD_commit) || parser_at_word(p, WORD_urgent)) &&
      parser_ahead(p, 1)->kind == UT_NAME && parser_ahead(p, 1)->word == WORD_state)
    marked_state(p, process);
  else if (parser_accept_word(p, WORD_state))
    states(p, process, document);
  else if (parser_at_word(p, WORD_branchpoint)) {
    parser_next(p);
    branch_points(p, process);
  } else if (parser_accept_word(p, WORD_commit))
    mark(p, process, true);
  else if (parser_at_word(p, WORD_urgent) && parser_ahead(p, 1)->kind == UT_NAME &&
           parser_ahead(p, 1)->word == WORD_none) {
    parser_next(p);
    mark(p, process, false);
  } else if (parser_accept_word(p, WORD_init)) {
    parser_once(p, init, place, "`init`");
    process->init = parser_name(p, "the initial location");
    parser_expect(p, ';', "`;`");
  } else if (parser_accept_word(p, WORD_trans) || follows_edges(p))
    transitions(p, process, document);
  else
    return false;
  return true;
}

#define PROCESS_PARTS "`state`, `commit`, `urgent`, `init`, `trans` or `}`"

static bool at_process_part(const Parser *p) {
  const Word word = p->tokens.items[p->at].kind == UT_NAME ? p->tokens.items[p->at].word : 0;
  return word == WORD_state || word == WORD_branchpoint || word == WORD_commit ||
         word == WORD_init || word == WORD_trans;
}

// After an error that begins here: goes on where a part of a process begins, or it ends. Returns
// false if nothing is skipped.
static bool skip_stray(Parser *p) {
  const uint32_t start = p->at;
  uint32_t depth = 0;
  parser_expected(p, PROCESS_PARTS);
  p->panic = false;
  for (; p->tokens.items[p->at].kind != UT_END; p->at++) {
    const int kind = p->tokens.items[p->at].kind;
    if ((!depth && (kind == '}' || (p->at > start && at_process_part(p)))) ||
        parser_begins_item(p))
      break;
    depth += kind == '{';
    depth -= kind == '}';
  }
  p->token = p->tokens.items[p->at];
  parser_doubt(p, start);
  return p->at > start;
}

// After an error in the header of a process, which begins with token `start`: goes on behind the
// `{`, or before the next process.
static void recover_header(Parser *p, TemplateNode *process, uint32_t start) {
  p->panic = false;
  process->params = NULL;
  process->is_broken = true;
  for (p->at = start + 1; p->tokens.items[p->at].kind != UT_END; p->at++)
    if (p->tokens.items[p->at].kind == '{' || parser_begins_item(p))
      break;
  p->token = p->tokens.items[p->at];
  parser_doubt(p, start);
  parser_accept(p, '{');
}

// "process" NAME [ "(" params ")" ] "{" declarations parts "}"
static TemplateNode *process(Parser *p, Document *document) {
  TemplateNode *process = ARENA_NEW(p->arena, TemplateNode);
  const uint32_t header = p->at, failures = p->failures;
  parser_next(p);
  process->place = parser_place(p);
  process->name = parser_name(p, "the name of a process");
  const uint32_t open = p->token.offset + 1;
  if (parser_accept(p, '(')) {
    process->params = parse_parameters(p);
    process->params_label = slice(p, open, p->token.offset);
    parser_expect(p, ')', "`)`");
  }
  const uint32_t body = p->token.offset + 1;
  parser_expect(p, '{', "`{`");
  if (p->panic)
    recover_header(p, process, header);
  process->decls = parse_declarations(p);
  process->decls_label = slice(p, body, p->token.offset);
  p->noted = p->token.offset;
  uint32_t start = p->at;
  Place init = {0};
  for (;;) {
    if (process_part(p, process, &init, document)) {
      if (parser_recover(p, start)) {
        process->is_broken = true;
        parser_doubt(p, start);
      }
    } else if (parser_at(p, '}') || parser_begins_item(p) || !skip_stray(p)) {
      break;
    } else {
      process->is_broken = true;
    }
    start = p->at;
  }
  note_last_comments(p, process);
  const bool is_missing = parser_begins_item(p) || parser_at(p, UT_END);
  process->is_broken |= is_missing;
  if (!is_missing || p->failures == failures)
    parser_expect(p, '}', PROCESS_PARTS);
  if (is_missing && p->panic) { // as if it were there
    p->panic = false;
    p->token = p->tokens.items[p->at];
  }
  parser_accept(p, ';');
  return process;
}

static LevelNode *system_items(Parser *p) {
  LevelNode *first = NULL, **last = &first;
  uint32_t level = 0;
  do {
    LevelNode *item = ARENA_NEW(p->arena, LevelNode);
    item->level = level;
    if (parser_at(p, ';') || parser_at(p, UT_END))
      parser_expected(p, "a process");
    item->expr = parse_unary(p);
    *last = item;
    last = &item->next;
    level += parser_at(p, '<');
  } while (parser_accept(p, ',') || parser_accept(p, '<'));
  return first;
}

// Appends declarations to a list whose end is known, and finds its new end.
static void add_all(DeclNode ***end, DeclNode *decls) {
  **end = decls;
  while (**end)
    *end = &(**end)->next;
}

// What may follow the system line says how to draw it (`progress`, `gantt`), or which actions are
// inputs and outputs in a game (`IO P { a?, b! }`). Symbolic queries do not depend on it.
bool parse_at_trailer(const Parser *p) {
  return parser_at_word(p, WORD_progress) || parser_at_word(p, WORD_gantt) ||
         (parser_at_word(p, WORD_IO) && parser_ahead(p, 1)->kind == UT_NAME &&
          parser_ahead(p, 2)->kind == '{');
}

// "system" items ";"
static void system_line(Parser *p, Document *document) {
  const Place place = parser_place(p);
  Place first = document->system ? document->system_place : (Place){0};
  parser_once(p, &first, place, "`system`");
  document->system_place = place;
  parser_next(p);
  if (parser_at(p, '(') || parser_at(p, UT_SET) || parser_at(p, ':'))
    parser_expected(p, "a process");
  document->system = system_items(p);
  if (!parser_at(p, UT_END))
    parser_expect(p, ';', "`,` and another process, or `;`");
  document->damage.is_any |= p->panic;
  if (p->panic)
    document->system = NULL;
}

static void instance(Parser *p, DeclNode ***end) {
  const uint32_t start = p->at;
  DeclNode *decl = parse_instance(p);
  add_all(end, decl);
  if (parser_recover(p, start)) {
    decl->is_broken = true;
    parser_doubt(p, start);
  }
}

// { declaration | instance } [ "system" items ";" ]; a trailer may come behind
void parse_system(Parser *p, Document *document) {
  DeclNode **end = &document->system_decls;
  add_all(&end, *end); // it may be called again
  for (;;) {
    const uint32_t start = p->at;
    add_all(&end, parse_declarations(p));
    if (parser_at_word(p, WORD_system)) {
      system_line(p, document);
      return;
    }
    if (!parser_at_name(p) || parse_at_trailer(p))
      return;
    instance(p, &end);
    if (p->at == start)
      return;
  }
}

// `query { ... }` blocks hold the queries of a textual model.
static void query_block(Parser *p, Document *document) {
  QueryNode **last = &document->queries;
  while (*last)
    last = &(*last)->next;
  parser_next(p);
  const uint32_t first = p->at;
  parser_expect(p, '{', "`{`");
  const uint32_t begin = p->token.offset;
  uint32_t depth = 1;
  while (!parser_at(p, UT_END)) {
    depth += parser_at(p, '{');
    if (parser_at(p, '}') && --depth == 0)
      break;
    parser_next(p);
  }
  QueryNode *query = ARENA_NEW(p->arena, QueryNode);
  *query = (QueryNode){.source = p->source, .begin = begin, .end = p->token.offset};
  const uint32_t open = p->tokens.items[first].offset;
  query->expect = query_file_expectation(p->arena, p->source->text + open, query->end - open);
  RemarkNode *comments = NULL;
  p->noted = open;
  note_comments(p, &comments, query->end, NULL, 0);
  query->comment = comments ? comments->label.text : NULL;
  *last = query;
  parser_expect(p, '}', "`}`");
}

// Adds the text from `*cut` to the end of what was just read, and what it stands for.
static void cut_text(const Parser *p, Text *text, uint32_t *cut) {
  const uint32_t end = end_of_item(p);
  if (end > *cut) {
    text_add_bytes(text, p->source->text + *cut, end - *cut);
    *cut = end;
  }
}

static LabelNode keep_text(Parser *p, Text *text) {
  const LabelNode label = {.text = arena_text(p->arena, text_chars(text), text->size),
                           .size = (uint32_t)text->size};
  text_release(text);
  return label;
}

// A process, with the comments before it among its declarations. What a blank line separates from
// it goes to `before`.
static TemplateNode *cut_process(Parser *p, Document *document, Text *before, uint32_t *cut) {
  Text text = {.mem = p->arena->mem};
  const char *chars = p->source->text;
  const uint32_t begin = p->token.offset;
  uint32_t newlines = 0, split = begin;
  for (; split > *cut && newlines < 2; split--)
    newlines = chars[split - 1] == '\n'            ? newlines + 1
               : strchr(" \t\r", chars[split - 1]) ? newlines
                                                   : 0;
  text_add_bytes(before, chars + *cut, split > *cut ? split - *cut : 0);
  text_add_bytes(&text, chars + split, begin > split ? begin - split : 0);
  TemplateNode *template = process(p, document);
  text_add_bytes(&text, template->decls_label.text, template->decls_label.size);
  template->decls_label = keep_text(p, &text);
  *cut = end_of_item(p);
  return template;
}

// { declaration | process | instance | "system" items ";" }: all processes see all declarations
void parse_text(Parser *p, Document *document) {
  TemplateNode **last = &document->templates;
  DeclNode **end = &document->decls, **instances = &document->system_decls;
  Text decls = {.mem = p->arena->mem}, system = {.mem = p->arena->mem};
  uint32_t cut = report_text_begin(p->source);
  for (;;) {
    const uint32_t start = p->at;
    add_all(&end, parse_declarations(p));
    if (p->at > start)
      cut_text(p, &decls, &cut);
    parser_correct(p, "process system");
    const uint32_t item = p->at;
    if (parser_at_word(p, WORD_process)) {
      *last = cut_process(p, document, &decls, &cut);
      last = &(*last)->next;
    } else if (parser_at_word(p, WORD_dynamic)) {
      parser_next(p);
    } else if (parser_at_word(p, WORD_system)) {
      system_line(p, document);
    } else if (parser_at_word(p, WORD_query) && parser_ahead(p, 1)->kind == '{') {
      query_block(p, document);
      cut = end_of_item(p);
    } else if (parse_at_trailer(p)) {
      parser_skip_block(p);
    } else if (parser_at_name(p) && !document->system) {
      instance(p, &instances);
    }
    parser_recover(p, start);
    if (p->at > item)
      cut_text(p, &system, &cut);
    if (p->at == start && !parser_skip_stray(p, "a declaration, a process, `system` or the end"))
      break;
  }
  document->decls_label = keep_text(p, &decls);
  document->system_label = keep_text(p, &system);
  layout_block_read(p->arena, p->source, document);
}
