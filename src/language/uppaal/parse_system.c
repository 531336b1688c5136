// Processes of .xta and .ta files, instantiations and the system line.
#include "language/uppaal/parser.h"

// expr ("!" | "?"), or a channel alone, in the manner of CSP
void parse_sync(Parser *p, EdgeNode *edge) {
  edge->channel = parse_unary(p);
  edge->direction = parser_accept(p, '!')   ? SYNC_SEND
                    : parser_accept(p, '?') ? SYNC_RECEIVE
                                            : SYNC_PLAIN;
}

static LocationNode *find_location(TemplateNode *process, const char *name) {
  for (LocationNode *l = process->locations; l; l = l->next)
    if (l->id == name)
      return l;
  return NULL;
}

// NAME [ "{" [conjunction] [ ";" rate ] "}" ] { "," ... } ";"
static void states(Parser *p, TemplateNode *process, Document *document) {
  LocationNode **last = &process->locations;
  while (*last)
    last = &(*last)->next;
  do {
    LocationNode *location = ARENA_NEW(p->arena, LocationNode);
    location->place = parser_place(p);
    location->name = location->id = parser_name(p, "the name of a location");
    location->name_label = parser_label(p, location->place.offset);
    if (parser_accept(p, '{')) {
      const uint32_t begin = p->token.offset;
      if (!parser_at(p, '}') && !parser_at(p, ';'))
        location->invariant = parse_conjunction(p);
      location->invariant_label = parser_label(p, begin);
      if (parser_accept(p, ';')) {
        document->has_rates = true;
        if (!parser_at(p, '}'))
          parse_expr(p);
        if (parser_accept(p, ':'))
          parse_expr(p);
      }
      parser_expect(p, '}', "`}`");
    }
    *last = location;
    last = &location->next;
  } while (parser_accept(p, ','));
  parser_expect(p, ';', "`;`");
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
      parser_fail(p, place, "there is no location `%s`", name);
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
    parse_expr(p);
    return;
  }
  edge->labels[part] = parser_label(p, begin);
}

// One part of an edge, its `;` included.
static bool edge_part(Parser *p, EdgeNode *edge, Place *given, Document *document) {
  static const Word words[EDGE_PARTS] = {WORD_select, WORD_guard, WORD_sync, WORD_assign,
                                         WORD_probability};
  int part = 0;
  while (part < EDGE_PARTS && !parser_at_word(p, words[part]))
    part++;
  if (part == EDGE_PARTS)
    return false;
  const Place place = parser_place(p);
  parser_next(p);
  parse_edge_part(p, edge, (EdgePart)part, place, given);
  document->has_weights |= part == EDGE_WEIGHT;
  parser_expect(p, ';', "`;`");
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
  do {
    EdgeNode *edge = ARENA_NEW(p->arena, EdgeNode);
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
    if (parser_accept(p, '{')) {
      Place given[EDGE_PARTS] = {0};
      while (edge_part(p, edge, given, document)) {
      }
      parser_expect(p, '}', "`select`, `guard`, `sync`, `assign` or `}`");
    }
    *last = edge;
    last = &edge->next;
  } while (parser_accept(p, ',') && !p->panic);
  parser_expect(p, ';', "`,` and another edge, or `;`");
}

static bool process_part(Parser *p, TemplateNode *process, Place *init, Document *document) {
  const Place place = parser_place(p);
  if (parser_accept_word(p, WORD_state))
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
  } else if (parser_accept_word(p, WORD_trans))
    transitions(p, process, document);
  else
    return false;
  return true;
}

// "process" NAME [ "(" params ")" ] "{" declarations parts "}"
static TemplateNode *process(Parser *p, Document *document) {
  TemplateNode *process = ARENA_NEW(p->arena, TemplateNode);
  parser_next(p);
  process->place = parser_place(p);
  process->name = parser_name(p, "the name of a process");
  if (parser_accept(p, '(')) {
    process->params = parse_parameters(p);
    parser_expect(p, ')', "`)`");
  }
  parser_expect(p, '{', "`{`");
  const uint32_t first = p->at;
  const uint32_t failures = p->failures;
  process->decls = parse_declarations(p);
  uint32_t start = p->at;
  Place init = {0};
  while (process_part(p, process, &init, document)) {
    parser_recover(p, start);
    start = p->at;
  }
  if (p->failures == failures)
    parser_expect(p, '}', "`state`, `commit`, `urgent`, `init`, `trans` or `}`");
  if (p->failures != failures) { // to the end of the process
    p->panic = false;
    uint32_t depth = 1;
    for (p->at = first; p->tokens.items[p->at].kind != UT_END && depth; p->at++) {
      depth += p->tokens.items[p->at].kind == '{';
      depth -= p->tokens.items[p->at].kind == '}';
    }
    p->token = p->tokens.items[p->at];
  } else {
    parser_accept(p, ';');
  }
  return process;
}

static LevelNode *system_items(Parser *p) {
  LevelNode *first = NULL, **last = &first;
  uint32_t level = 0;
  do {
    LevelNode *item = ARENA_NEW(p->arena, LevelNode);
    item->level = level;
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
  document->system = system_items(p);
  if (!parser_at(p, UT_END))
    parser_expect(p, ';', "`,` and another process, or `;`");
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
    add_all(&end, parse_instance(p));
    parser_recover(p, start);
    if (p->at == start)
      return;
  }
}

// `query { ... }` blocks hold the queries of a textual model.
static void query_block(Parser *p, Document *document) {
  QueryNode **last = &document->queries;
  while (*last)
    last = &(*last)->next;
  document->has_queries = true;
  parser_next(p);
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
  *last = query;
  parser_expect(p, '}', "`}`");
}

// { declaration | process | instance | "system" items ";" }: all processes see all declarations
void parse_text(Parser *p, Document *document) {
  TemplateNode **last = &document->templates;
  DeclNode **end = &document->decls, **instances = &document->system_decls;
  for (;;) {
    const uint32_t start = p->at;
    add_all(&end, parse_declarations(p));
    if (parser_at_word(p, WORD_process)) {
      *last = process(p, document);
      last = &(*last)->next;
    } else if (parser_at_word(p, WORD_dynamic)) {
      parser_next(p);
    } else if (parser_at_word(p, WORD_system)) {
      system_line(p, document);
    } else if (parser_at_word(p, WORD_query) && parser_ahead(p, 1)->kind == '{') {
      query_block(p, document);
    } else if (parse_at_trailer(p)) {
      uint32_t depth = 0;
      while (!parser_at(p, UT_END)) {
        depth += parser_at(p, '{');
        const bool closes = parser_at(p, '}');
        parser_next(p);
        if (closes && --depth == 0)
          break;
      }
    } else if (parser_at_name(p) && !document->system) {
      add_all(&instances, parse_instance(p));
    }
    parser_recover(p, start);
    if (p->at == start)
      break;
  }
  if (!parser_at(p, UT_END))
    parser_expect(p, UT_END, "a declaration, a process, `system` or the end");
}
