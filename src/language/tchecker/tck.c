#include "language/tchecker/tck.h"

#include "language/tchecker/tck_attr.h"

#include <inttypes.h>
#include <string.h>

static const char *token_text(TckReader *reader, Token token) {
  return tck_token_text(&reader->parser, token);
}

static Place token_place(const TckReader *reader, Token token) {
  return tck_place(&reader->parser, token.offset);
}

// The error that a part of the declaration is missing.
static void fail_part(TckReader *reader, Token found, const char *expected) {
  char shown[LEXER_QUOTE];
  const bool is_separator = found.kind == TOKEN_MINUS || found.kind == TOKEN_COMMA;
  tck_reader_fail(reader, found, "expected %s, found %s; %sthe form is `%s`", expected,
                  lexer_show(&reader->parser.lexer, found, shown),
                  is_separator ? "only `:` separates the parts: " : "",
                  tck_forms[reader->declaration]);
}

// ":", after the part of a declaration that is named
static void colon(TckReader *reader, const char *after) {
  const Token token = reader->parser.token;
  if (tck_accept(&reader->parser, TOKEN_COLON))
    return;
  Text expected = {.mem = reader->net->mem};
  text_addf(&expected, "`:` after %s", after);
  fail_part(reader, token, expected.chars);
  text_release(&expected);
}

static bool is_reserved(const TckReader *reader, Token token) {
  for (int i = 0; i < TCK_DECLARATIONS; i++)
    if (lexer_token_is(&reader->parser.lexer, token, tck_keywords[i]))
      return true;
  return false;
}

static void fail_name(TckReader *reader, Token token, const char *what) {
  Text expected = {.mem = reader->net->mem};
  text_addf(&expected, "the name of %s", what);
  fail_part(reader, token, expected.chars);
  text_release(&expected);
}

// NAME, of what is described
static Token name(TckReader *reader, const char *what) {
  const Token token = reader->parser.token;
  if (token.kind == TOKEN_NUMBER)
    tck_reader_fail(reader, token, "the name of %s must begin with a letter or `_`", what);
  else if (token.kind != TOKEN_NAME)
    fail_name(reader, token, what);
  else if (is_reserved(reader, token))
    tck_reader_fail(reader, token, "`%s` is a reserved word: it cannot be the name of %s",
                    token_text(reader, token), what);
  tck_advance(&reader->parser);
  return token;
}

// [ "+" | "-" ] NUMBER, of what is described
static int64_t number(TckReader *reader, const char *what, int64_t least, int64_t max) {
  TckParser *parser = &reader->parser;
  const Token first = parser->token;
  const bool negative = tck_accept(parser, TOKEN_MINUS);
  if (!negative)
    tck_accept(parser, TOKEN_PLUS);
  const Token digits = parser->token;
  char found[LEXER_QUOTE];
  if (!tck_accept(parser, TOKEN_NUMBER))
    fail_part(reader, digits, what);
  const int64_t value = negative ? -digits.value : digits.value;
  if (value < least || value > max)
    tck_reader_fail(reader, first, "%s is %s, but must be between %" PRId64 " and %" PRId64, what,
                    lexer_quote(parser->lexer.source, first.offset, parser->end, found), least,
                    max);
  return report_failed(reader->report) ? least : value;
}

static uint32_t find(const TckReader *reader, uint32_t scope, Token token) {
  return symbols_find(&reader->symbols, scope, reader->parser.lexer.source->text + token.offset,
                      token.length);
}

static bool failed(const TckReader *reader) {
  return reader->is_flawed || report_failed(reader->report);
}

// The error that a name is not declared, after which the declaration is read on. `of` completes
// the sentence.
static void fail_unknown(TckReader *reader, uint32_t scope, Token token, const char *what,
                         const char *of) {
  if (report_failed(reader->report))
    return;
  const TckParser kept = reader->parser; // the other parts may have mistakes, too
  const char *text = token_text(reader, token);
  const char *nearest = symbols_nearest(&reader->symbols, scope, text);
  reader->is_flawed = true;
  if (!nearest && reader->is_lost[scope < TCK_LOCATIONS ? scope : TCK_LOCATIONS])
    return; // its declaration has lost its name
  tck_reader_fail(reader, token, "%s `%s` is not declared%s%s", what, text, of,
                  tck_hint(&reader->parser, nearest));
  tck_recover(reader, 0, 0);
  reader->parser = kept;
}

// The id of something declared, 0 after an error.
static uint32_t use(TckReader *reader, uint32_t scope, Token token, const char *what) {
  const uint32_t id = find(reader, scope, token);
  if (id != SYMBOLS_NONE)
    return id;
  fail_unknown(reader, scope, token, what, "");
  return 0;
}

// Where something else than `end` follows, that is the mistake, and the name may be none of a
// process.
static ProcessId use_process(TckReader *reader, TokenKind end) {
  const Token token = name(reader, "a process");
  const bool is_cut = end == TOKEN_COLON && reader->parser.token.kind != end;
  return is_cut ? 0 : use(reader, TCK_PROCESSES, token, "process");
}

static EventId use_event(TckReader *reader) {
  return use(reader, TCK_EVENTS, name(reader, "an event"), "event");
}

// Locations of a process that is not declared are not looked for.
static LocationId use_location(TckReader *reader, ProcessId process, bool has_process) {
  const Token token = name(reader, "a location");
  if (report_failed(reader->report) || !has_process)
    return 0;
  const LocationId id = find(reader, TCK_LOCATIONS + process, token);
  if (id != SYMBOLS_NONE)
    return id;
  Text of = {.mem = reader->net->mem};
  text_addf(&of, " in process `%s`", reader->net->processes.items[process].name);
  fail_unknown(reader, TCK_LOCATIONS + process, token, "location", of.chars);
  text_release(&of);
  return 0;
}

// The error that a name is declared twice.
static void fail_twice(TckReader *reader, Token token, const char *what, Place first) {
  Text place = {.mem = reader->net->mem};
  report_place(&place, first);
  tck_reader_fail(reader, token, "%s `%s` is declared twice; the first time at %s", what,
                  token_text(reader, token), text_chars(&place));
  text_release(&place);
}

// system:NAME
static void read_system(TckReader *reader) {
  Net *net = reader->net;
  const Token token = name(reader, "the system");
  tck_attr_read(reader);
  net->origin.name = token_text(reader, token);
  net->origin.place = token_place(reader, token);
  tck_attr_keep(reader, TCK_SYSTEM, &net->origin.attributes);
}

// process:NAME
static void read_process(TckReader *reader) {
  Net *net = reader->net;
  const Token token = name(reader, "a process");
  const uint32_t old = find(reader, TCK_PROCESSES, token);
  if (old != SYMBOLS_NONE)
    fail_twice(reader, token, "process", net->processes.items[old].place);
  tck_attr_read(reader);
  if (failed(reader))
    return;
  const ProcessId id =
      net_add_process(net, token_text(reader, token), token_place(reader, token));
  Process *process = &net->processes.items[id];
  symbols_add(&reader->symbols, TCK_PROCESSES, process->name, id);
  tck_attr_keep(reader, TCK_PROCESS, &process->attributes);
}

// event:NAME
static void read_event(TckReader *reader) {
  Net *net = reader->net;
  const Token token = name(reader, "an event");
  const uint32_t old = find(reader, TCK_EVENTS, token);
  if (old != SYMBOLS_NONE)
    fail_twice(reader, token, "event", net->events.items[old].place);
  tck_attr_read(reader);
  if (failed(reader))
    return;
  const EventId id = net_add_event(net, token_text(reader, token), token_place(reader, token));
  Name *event = &net->events.items[id];
  symbols_add(&reader->symbols, TCK_EVENTS, event->name, id);
  tck_attr_keep(reader, TCK_EVENT, &event->attributes);
}

// A new name of a clock or variable.
static Token variable_name(TckReader *reader, const char *what) {
  const Net *net = reader->net;
  const Token token = name(reader, what);
  const uint32_t old = find(reader, TCK_VARIABLES, token);
  if (old != SYMBOLS_NONE)
    fail_twice(reader, token, "the clock or variable",
               old & 1 ? net->clocks.items[old / 2].place : net->variables.items[old / 2].place);
  return token;
}

// clock:SIZE:NAME
static void read_clock(TckReader *reader) {
  Net *net = reader->net;
  const Token size = reader->parser.token;
  const uint32_t count = (uint32_t)number(reader, "the number of clocks", 1, TCK_MAX_CLOCKS);
  colon(reader, "the size");
  const Token token = variable_name(reader, "a clock");
  tck_attr_read(reader);
  if (count > TCK_MAX_CLOCKS - net->clock_count)
    tck_reader_fail(reader, size, "these make %u clocks; more than %d are not supported",
                    net->clock_count + count, TCK_MAX_CLOCKS);
  if (failed(reader))
    return;
  net_add_clocks(net, token_text(reader, token), count, token_place(reader, token));
  Name *clock = &vec_last(&net->clocks);
  symbols_add(&reader->symbols, TCK_VARIABLES, clock->name, 2 * (net->clocks.size - 1) + 1);
  tck_attr_keep(reader, TCK_CLOCK, &clock->attributes);
}

static void add_variable(TckReader *reader, Token token, uint32_t count, const Type *type,
                         int32_t initial) {
  Net *net = reader->net;
  int32_t *values = ARENA_ARRAY(&net->arena, int32_t, count);
  for (uint32_t i = 0; i < count; i++)
    values[i] = initial;
  if (count > 1)
    type = type_array(&net->arena, type, 0, count);
  const uint32_t index =
      net_add_variable(net, token_text(reader, token), type, values, token_place(reader, token));
  reader->elements += count;
  Name *variable = &net->variables.items[index];
  symbols_add(&reader->symbols, TCK_VARIABLES, variable->name, 2 * index);
  tck_attr_keep(reader, TCK_INT, &variable->attributes);
}

// int:SIZE:MIN:MAX:INITIAL:NAME
static void read_int(TckReader *reader) {
  const Token size = reader->parser.token;
  const uint32_t count = (uint32_t)number(reader, "the number of elements", 1, TCK_MAX_ELEMENTS);
  colon(reader, "the size");
  const int64_t min = number(reader, "the least value", INT32_MIN, INT32_MAX);
  colon(reader, "the least value");
  const Token max_token = reader->parser.token;
  const int64_t max = number(reader, "the greatest value", INT32_MIN, INT32_MAX);
  if (min > max)
    tck_reader_fail(reader, max_token, "the range is empty: %" PRId64 " is less than %" PRId64,
                    max, min);
  colon(reader, "the greatest value");
  const int64_t initial = number(reader, "the initial value", min, max);
  colon(reader, "the initial value");
  const Token token = variable_name(reader, "a variable");
  tck_attr_read(reader);
  if (count > TCK_MAX_ELEMENTS - reader->elements)
    tck_reader_fail(reader, size,
                    "these make %u elements of variables; more than %d are not supported",
                    reader->elements + count, TCK_MAX_ELEMENTS);
  if (!failed(reader))
    add_variable(reader, token, count, type_int(&reader->net->arena, (int32_t)min, (int32_t)max),
                 (int32_t)initial);
}

// location:PROCESS:NAME
static void read_location(TckReader *reader) {
  Net *net = reader->net;
  const ProcessId process = use_process(reader, TOKEN_COLON);
  colon(reader, "the process");
  const Token token = name(reader, "a location");
  const uint32_t old =
      failed(reader) ? SYMBOLS_NONE : find(reader, TCK_LOCATIONS + process, token);
  if (old != SYMBOLS_NONE)
    fail_twice(reader, token, "location", net->locations.items[old].place);
  tck_attr_read(reader);
  if (failed(reader))
    return;
  const LocationId id =
      net_add_location(net, process, token_text(reader, token), token_place(reader, token));
  symbols_add(&reader->symbols, TCK_LOCATIONS + process, net->locations.items[id].name, id);
  tck_attr_location(reader, id);
}

// edge:PROCESS:SOURCE:TARGET:EVENT
static void read_edge(TckReader *reader) {
  const Place place = token_place(reader, reader->parser.token);
  const ProcessId process = use_process(reader, TOKEN_COLON);
  colon(reader, "the process");
  const bool has_process = !failed(reader);
  const LocationId source = use_location(reader, process, has_process);
  colon(reader, "the source");
  const LocationId target = use_location(reader, process, has_process);
  colon(reader, "the target");
  const EventId event = use_event(reader);
  tck_attr_read(reader);
  const Net *net = reader->net;
  if (report_failed(reader->report) || !net->locations.size || !net->events.size)
    return;
  // An edge with unknown ends is some edge, so that its attributes are read.
  tck_attr_edge(reader, reader->is_flawed
                            ? net_add_edge(reader->net, 0, 0, 0, place)
                            : net_add_edge(reader->net, source, target, event, place));
}

// PROCESS "@" EVENT [ "?" ]
static SyncPart sync_part(TckReader *reader, const Sync *sync) {
  TckParser *parser = &reader->parser;
  const Token token = parser->token;
  SyncPart part = {.process = use_process(reader, TOKEN_AT)};
  for (uint32_t i = 0; i < sync->parts.size && !failed(reader); i++)
    if (sync->parts.items[i].process == part.process)
      tck_reader_fail(reader, token,
                      "process `%s` occurs twice in this synchronisation; it can take part "
                      "with one event only",
                      reader->net->processes.items[part.process].name);
  if (parser->token.kind != TOKEN_AT && reader->is_flawed) {
    while (parser->token.kind != TOKEN_COLON && parser->token.kind != TOKEN_NEWLINE &&
           parser->token.kind != TOKEN_END && parser->token.kind != TOKEN_LBRACE)
      tck_advance(parser); // the name is not that of a process: said already
    return part;
  }
  if (!tck_accept(parser, TOKEN_AT))
    fail_part(reader, parser->token, "`@` after the process");
  part.event = use_event(reader);
  part.weak = tck_accept(parser, TOKEN_QUESTION);
  return part;
}

// sync:P1@E1:P2@E2?:...
static void read_sync(TckReader *reader) {
  Net *net = reader->net;
  const Token first = reader->parser.token;
  Sync sync = {.place = token_place(reader, first)};
  do {
    const SyncPart part = sync_part(reader, &sync);
    vec_push(net->mem, &sync.parts, part);
  } while (tck_accept(&reader->parser, TOKEN_COLON));
  tck_attr_read(reader);
  if (failed(reader)) {
    vec_release(net->mem, &sync.parts);
    return;
  }
  if (sync.parts.size < 2)
    tck_warn(&reader->parser, first.offset, "a synchronisation of one process: it happens alone");
  vec_push(net->mem, &net->syncs, sync);
  tck_attr_keep(reader, TCK_SYNC, &vec_last(&net->syncs).attributes);
}

static void (*const readers[TCK_DECLARATIONS])(TckReader *) = {
    [TCK_SYSTEM] = read_system, [TCK_PROCESS] = read_process, [TCK_EVENT] = read_event,
    [TCK_CLOCK] = read_clock,   [TCK_INT] = read_int,         [TCK_LOCATION] = read_location,
    [TCK_EDGE] = read_edge,     [TCK_SYNC] = read_sync};

// Words of other languages.
static const char *declaration_advice(TckReader *reader, Token token) {
  static const char *const words[][2] = {{"chan", "event"},
                                         {"channel", "event"},
                                         {"action", "event"},
                                         {"bool", "int"},
                                         {"var", "int"},
                                         {"variable", "int"},
                                         {"const", "int"},
                                         {"transition", "edge"},
                                         {"trans", "edge"},
                                         {"state", "location"},
                                         {"loc", "location"},
                                         {"template", "process"},
                                         {"automaton", "process"},
                                         {"synchronisation", "sync"},
                                         {"synchronization", "sync"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (lexer_token_is(&reader->parser.lexer, token, words[i][0]))
      return tck_hint(&reader->parser, words[i][1]);
  return lexer_token_is(&reader->parser.lexer, token, "query")
             ? "; queries stand in a file of their own, beside the model"
             : "; see `tarn help language`";
}

static void unknown_declaration(TckReader *reader) {
  const Token token = reader->parser.token;
  char found[LEXER_QUOTE];
  const char *shown = lexer_show(&reader->parser.lexer, token, found);
  if (token.kind != TOKEN_NAME) {
    const bool is_other = !reader->net->origin.name; // XML, a picture, ...
    tck_reader_fail(reader, token, "expected a declaration, such as `%s`, found %s%s",
                    is_other ? "system:name" : "clock:1:x", shown,
                    token.kind == TOKEN_DIVIDE ? "; comments begin with `#`"
                    : token.kind == TOKEN_LBRACE
                        ? "; attributes begin in the line of what they are of"
                    : is_other ? "; is this a model? see `tarn help language`"
                               : "");
    return;
  }
  Nearest nearest = {0};
  for (int i = 0; i < TCK_DECLARATIONS; i++)
    text_consider(&nearest, token_text(reader, token), tck_keywords[i]);
  tck_reader_fail(reader, token, "%s starts no declaration%s", shown,
                  nearest.name ? tck_hint(&reader->parser, nearest.name)
                               : declaration_advice(reader, token));
}

static void declaration(TckReader *reader) {
  const Token token = reader->parser.token;
  int kind = 0;
  while (kind < TCK_DECLARATIONS &&
         !lexer_token_is(&reader->parser.lexer, token, tck_keywords[kind]))
    kind++;
  if (kind == TCK_DECLARATIONS) {
    unknown_declaration(reader);
    return;
  }
  reader->declaration = (TckDeclaration)kind;
  reader->is_flawed = false;
  if (kind == TCK_SYSTEM && reader->net->origin.name)
    fail_twice(reader, token, "the", reader->net->origin.place);
  else if (kind != TCK_SYSTEM && !reader->net->origin.name)
    tck_reader_fail(reader, token, "the first declaration must be `system`, as in `system:name`");
  tck_advance(&reader->parser);
  colon(reader, "the keyword");
  if (!report_failed(reader->report))
    readers[kind](reader);
}

// Where the next line begins that a declaration begins, from that of an offset on. Inside of
// braces only the words that there are begin one.
static uint32_t next_declaration(const Source *source, uint32_t at) {
  const char *text = source->text;
  const uint32_t size = (uint32_t)source->size;
  int depth = 0;
  while (at < size) {
    for (; at < size && text[at] != '\n'; at++)
      depth += (text[at] == '{') - (text[at] == '}');
    while (at < size && lexer_is_blank(text[at]))
      at++;
    const size_t word = at < size ? strspn(text + at, "abcdefghijklmnopqrstuvwxyz") : 0;
    if (!depth && word && text[at + word] == ':') // perhaps a misspelt one
      return at;
    for (int i = 0; i < TCK_DECLARATIONS && at < size; i++) {
      const size_t length = strlen(tck_keywords[i]);
      if (!strncmp(text + at, tck_keywords[i], length) && text[at + length] == ':')
        return at;
    }
  }
  return size;
}

// Where the part of a declaration ends that has the name which it declares. Edges and
// synchronisations declare none.
static uint32_t name_end(const TckReader *reader, uint32_t begin) {
  const Source *source = reader->parser.lexer.source;
  const char *text = source->text + begin;
  if (!strncmp(text, "edge:", 5) || !strncmp(text, "sync:", 5))
    return begin;
  return begin + (uint32_t)strcspn(text, "{\n");
}

// After an error in the declaration that begins there: is there a name that it declares?
static void note_lost(TckReader *reader, uint32_t begin) {
  static const struct {
    TckDeclaration kind;
    uint32_t scope;
  } scopes[] = {
      {TCK_PROCESS, TCK_PROCESSES}, {TCK_EVENT, TCK_EVENTS}, {TCK_LOCATION, TCK_LOCATIONS}};
  const Source *source = reader->parser.lexer.source;
  Lexer lexer;
  Token token, last = {0};
  lexer_init(&lexer, source, begin, name_end(reader, begin), false);
  while ((token = lexer_next(&lexer)).kind != TOKEN_END)
    last = token;
  if (last.kind == TOKEN_NAME && !is_reserved(reader, last))
    return;
  for (size_t k = 0; k < sizeof scopes / sizeof *scopes; k++)
    if (reader->declaration == scopes[k].kind)
      reader->is_lost[scopes[k].scope] = true;
}

// One after the other; after an error reading goes on with the next.
static void declarations(TckReader *reader) {
  TckParser *parser = &reader->parser;
  const Source *source = parser->lexer.source;
  while (parser->token.kind != TOKEN_END) {
    mem_tick(reader->net->mem);
    if (tck_accept(parser, TOKEN_NEWLINE))
      continue;
    const uint32_t begin = parser->token.offset;
    declaration(reader);
    if (!report_failed(reader->report)) {
      if (reader->is_flawed)
        tck_suspect(reader, begin, name_end(reader, begin));
      continue;
    }
    const uint32_t next = next_declaration(source, begin);
    note_lost(reader, begin);
    // What does not begin with `system` is perhaps no model at all.
    if (!reader->net->origin.name || !tck_recover(reader, begin, name_end(reader, begin)))
      return;
    tck_start(parser, source, next, (uint32_t)source->size, true);
  }
  if (!reader->net->origin.name && !reader->error_count)
    tck_reader_fail(reader, parser->token,
                    "the model is empty; one in TChecker's format begins with `system:name`");
}

// A table of processes and events, for models of a sensible size.
static void warn_of_weak_guards(TckReader *reader) {
  enum { MAX_TABLE = 1 << 24 };
  const Net *net = reader->net;
  const uint64_t size = (uint64_t)net->processes.size * net->events.size;
  if (size > MAX_TABLE)
    return;
  bool *weak = mem_alloc(net->mem, size);
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t i = 0; i < net->syncs.items[s].parts.size; i++) {
      const SyncPart *part = &net->syncs.items[s].parts.items[i];
      weak[part->process * net->events.size + part->event] |= part->weak;
    }
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    if (!edge->guard_expr || !weak[edge->process * net->events.size + edge->event])
      continue;
    tck_warn(&reader->parser, edge->guard_expr->place.offset,
             "this edge has a guard, though event `%s` is synchronised weakly: process "
             "`%s` takes part whenever it has such an edge, and waits for the guard",
             net->events.items[edge->event].name, net->processes.items[edge->process].name);
    break; // one is enough to think about it
  }
  mem_free(net->mem, weak);
}

// As TChecker does, processes that can be in no location are read: the model then has no initial
// state, which a check tells as an error. A process without locations gets one that nothing
// leads to, so that it can have a place in states.
static void complete_processes(TckReader *reader) {
  Net *net = reader->net;
  bool *has_location = mem_alloc(net->mem, net->processes.size);
  bool *has_initial = mem_alloc(net->mem, net->processes.size);
  for (LocationId l = 0; l < net->locations.size; l++) {
    const Location *location = &net->locations.items[l];
    has_location[location->process] = true;
    has_initial[location->process] |= location->initial;
  }
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    if (!has_initial[p])
      tck_warn(&reader->parser, process->place.offset,
               "process `%s` has no %s: the model has no initial state", process->name,
               has_location[p] ? "initial location" : "location");
    if (!has_location[p])
      net_add_location(net, p, "none", (Place){0});
  }
  net->reading.may_lack_initial = true;
  mem_free(net->mem, has_initial);
  mem_free(net->mem, has_location);
}

bool tck_read(Net *net, const Source *source, Report *report) {
  if (source->size >= UINT32_MAX)
    return report_error(report, (Place){source, 0}, "models of 4 GiB and more are not supported");
  TckReader reader = {.net = net, .report = report, .errors = {.mem = net->mem}};
  reader.parser = (TckParser){.arena = &net->arena, .report = report, .resolve = tck_resolve};
  symbols_init(&reader.symbols, net->mem);
  tck_start(&reader.parser, source, report_text_begin(source), (uint32_t)source->size, true);
  declarations(&reader);
  if (!report_failed(report) && reader.error_count < TCK_MAX_ERRORS)
    tck_attr_finish(&reader);
  tck_count_errors(&reader);
  text_add(&report->error, text_chars(&reader.errors));
  text_release(&reader.errors);
  if (!report_failed(report)) {
    warn_of_weak_guards(&reader);
    complete_processes(&reader);
  }
  symbols_release(&reader.symbols);
  vec_release(net->mem, &reader.pairs);
  vec_release(net->mem, &reader.pending);
  return !report_failed(report) && net_finish(net, report);
}
