#include "check/trees/tckfile.h"

#include <stdlib.h>
#include <string.h>

// Where reading is: in [at, end).
typedef struct Lines {
  TckFile *file;
  const char *at, *end;
} Lines;

Place tckfile_place(const TckFile *file, const char *at) {
  return (Place){file->source, (uint32_t)(at - file->source->text)};
}

static void give_up(Lines *l, const char *why) {
  if (!l->file->unknown) {
    l->file->unknown = why;
    l->file->unknown_place = tckfile_place(l->file, l->at);
  }
  l->at = l->end;
}

bool tckspan_is(TckSpan span, const char *text) {
  return strlen(text) == span.size && !memcmp(span.at, text, span.size);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

TckSpan tckspan_trim(TckSpan span) {
  for (; span.size && is_blank(*span.at); span.at++)
    span.size--;
  while (span.size && is_blank(span.at[span.size - 1]))
    span.size--;
  return span;
}

static TckSpan span_of(const char *text) { return (TckSpan){text, (uint32_t)strlen(text)}; }

// Names, and what they stand for.

static bool same_span(TckSpan a, TckSpan b) {
  return a.size == b.size && !memcmp(a.at, b.at, a.size);
}

static uint32_t hash(const TckFile *file, const TckEntry *process, TckSpan name) {
  uint32_t h = process ? process->index + 1 : 0;
  for (uint32_t i = 0; i < name.size; i++)
    h = h * 31 + (unsigned char)name.at[i];
  return (h ^ h >> 15) % file->bucket_count;
}

static TckEntry *find(const TckFile *file, TckEntryKind kind, const TckEntry *process,
                      TckSpan name) {
  TckEntry *e = file->buckets[hash(file, process, name)];
  while (e && (e->kind != kind || e->process != process || !same_span(e->name, name)))
    e = e->same_hash;
  return e;
}

const TckEntry *tckfile_find(const TckFile *file, TckEntryKind kind, const TckEntry *process,
                             TckSpan name) {
  return find(file, kind, process, name);
}

static TckEntry *add(Lines *l, TckEntryKind kind, TckEntry *process, TckSpan name) {
  TckFile *file = l->file;
  if (find(file, kind, process, name))
    give_up(l, "a name is declared twice");
  TckEntry *e = ARENA_NEW(file->arena, TckEntry);
  *e = (TckEntry){.kind = kind, .name = name, .process = process};
  e->index = process ? process->locations++ : file->counts[kind];
  file->counts[kind]++;
  *file->end[kind] = e;
  file->end[kind] = &e->next;
  TckEntry **bucket = &file->buckets[hash(file, process, name)];
  e->same_hash = *bucket;
  *bucket = e;
  return e;
}

// Parts of lines.

static void skip(Lines *l, bool and_lines) {
  while (l->at < l->end && is_blank(*l->at) && (and_lines || *l->at != '\n'))
    l->at++;
}

static bool accept(Lines *l, char c) {
  skip(l, false);
  const bool is_there = l->at < l->end && *l->at == c;
  l->at += is_there;
  return is_there;
}

static void colon(Lines *l) {
  if (!accept(l, ':'))
    give_up(l, "a colon is missing");
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.';
}

static TckSpan name(Lines *l) {
  skip(l, false);
  const char *begin = l->at;
  while (l->at < l->end && is_of_name(*l->at))
    l->at++;
  if (l->at == begin || is_digit(*begin) || *begin == '.')
    give_up(l, "a name is missing");
  return (TckSpan){begin, (uint32_t)(l->at - begin)};
}

static int64_t number(Lines *l) {
  const bool is_negative = accept(l, '-');
  int64_t value = 0;
  if (!is_negative)
    accept(l, '+');
  skip(l, false);
  if (l->at == l->end || !is_digit(*l->at))
    give_up(l, "a number is missing");
  for (; l->at < l->end && is_digit(*l->at) && value < INT64_C(1) << 40; l->at++)
    value = value * 10 + (*l->at - '0');
  return is_negative ? -value : value;
}

static TckEntry *declared(Lines *l, TckEntryKind kind, const TckEntry *process) {
  TckEntry *e = find(l->file, kind, process, name(l));
  if (!e)
    give_up(l, "a name is not declared");
  return e;
}

static void read_attribute(Lines *l) {
  skip(l, true);
  TckAttribute attribute = {.key = name(l)};
  skip(l, true);
  colon(l);
  attribute.value.at = l->at;
  while (l->at < l->end && *l->at != ':' && *l->at != '}')
    l->at++;
  attribute.value.size = (uint32_t)(l->at - attribute.value.at);
  attribute.value = tckspan_trim(attribute.value);
  vec_push(l->file->arena->mem, &l->file->attributes, attribute);
}

// [ "{" [ key ":" value { ":" key ":" value } ] "}" ]
static TckAttributes attributes(Lines *l) {
  TckAttributes all = {.first = l->file->attributes.size};
  if (!accept(l, '{'))
    return all;
  skip(l, true);
  while (l->at < l->end && *l->at != '}') {
    read_attribute(l);
    if (accept(l, ':'))
      skip(l, true);
    else if (l->at < l->end && *l->at != '}')
      give_up(l, "attributes are not understood");
  }
  if (!accept(l, '}'))
    give_up(l, "a brace is not closed");
  all.count = l->file->attributes.size - all.first;
  return all;
}

// Declarations.

static const Shape *shape_of(Arena *arena, Shape element, uint32_t count) {
  Shape *one = ARENA_NEW(arena, Shape), *array = ARENA_NEW(arena, Shape);
  *one = element;
  *array = (Shape){.kind = SHAPE_ARRAY,
                   .element = one,
                   .count = count,
                   .data = count * one->data,
                   .clocks = count * one->clocks};
  return count > 1 ? array : one;
}

// int:SIZE:MIN:MAX:INITIAL:NAME
static void read_int(Lines *l) {
  int64_t numbers[4];
  for (int i = 0; i < 4; i++) {
    numbers[i] = number(l);
    colon(l);
  }
  for (int i = 0; i < 4; i++)
    if (numbers[i] < INT32_MIN || numbers[i] > INT32_MAX || numbers[0] < 1)
      give_up(l, "a number is too large");
  if (l->file->unknown)
    return;
  TckEntry *e = add(l, TCK_ENTRY_INT, NULL, name(l));
  e->count = (uint32_t)numbers[0];
  e->initial = (int32_t)numbers[3];
  e->base = l->file->slots;
  e->shape = shape_of(
      l->file->arena,
      (Shape){
          .kind = SHAPE_INT, .low = (int32_t)numbers[1], .high = (int32_t)numbers[2], .data = 1},
      e->count);
  l->file->slots += e->count;
  attributes(l);
}

// clock:SIZE:NAME
static void read_clock(Lines *l) {
  const int64_t count = number(l);
  colon(l);
  if (count < 1 || count > UINT16_MAX)
    give_up(l, "a number is too large");
  if (l->file->unknown)
    return;
  TckEntry *e = add(l, TCK_ENTRY_CLOCK, NULL, name(l));
  e->count = (uint32_t)count;
  e->base = 1 + l->file->clocks; // clock 0 is always 0
  e->shape = shape_of(l->file->arena, (Shape){.kind = SHAPE_CLOCK, .clocks = 1}, e->count);
  l->file->clocks += e->count;
  attributes(l);
}

// location:PROCESS:NAME
static void read_location(Lines *l) {
  TckEntry *process = declared(l, TCK_ENTRY_PROCESS, NULL);
  colon(l);
  if (l->file->unknown)
    return;
  TckEntry *e = add(l, TCK_ENTRY_LOCATION, process, name(l));
  e->attributes = attributes(l);
  for (uint32_t k = 0; k < e->attributes.count; k++) {
    const TckSpan key = l->file->attributes.items[e->attributes.first + k].key;
    e->is_initial |= tckspan_is(key, "initial");
    e->is_committed |= tckspan_is(key, "committed");
    e->is_urgent |= tckspan_is(key, "urgent");
  }
}

// edge:PROCESS:SOURCE:TARGET:EVENT
static void read_edge(Lines *l) {
  TckEdge edge = {0};
  skip(l, false);
  edge.place = tckfile_place(l->file, l->at);
  const TckEntry *process = declared(l, TCK_ENTRY_PROCESS, NULL);
  colon(l);
  if (!process)
    return;
  edge.source = declared(l, TCK_ENTRY_LOCATION, process);
  colon(l);
  edge.target = declared(l, TCK_ENTRY_LOCATION, process);
  colon(l);
  edge.event = declared(l, TCK_ENTRY_EVENT, NULL);
  edge.attributes = attributes(l);
  vec_push(l->file->arena->mem, &l->file->edges, edge);
}

// sync:P@e:Q@f?:...
static void read_sync(Lines *l) {
  do {
    TckPart part = {.process = declared(l, TCK_ENTRY_PROCESS, NULL)};
    if (!accept(l, '@'))
      give_up(l, "an event is missing");
    part.event = declared(l, TCK_ENTRY_EVENT, NULL);
    part.is_weak = accept(l, '?');
    vec_push(l->file->arena->mem, &l->file->parts, part);
  } while (accept(l, ':'));
  vec_push(l->file->arena->mem, &l->file->sync_ends, l->file->parts.size);
  attributes(l);
}

static void read_declaration(Lines *l) {
  const TckSpan word = name(l);
  colon(l);
  if (tckspan_is(word, "int")) {
    read_int(l);
  } else if (tckspan_is(word, "clock")) {
    read_clock(l);
  } else if (tckspan_is(word, "location")) {
    read_location(l);
  } else if (tckspan_is(word, "edge")) {
    read_edge(l);
  } else if (tckspan_is(word, "sync")) {
    read_sync(l);
  } else if (tckspan_is(word, "process") || tckspan_is(word, "event")) {
    const TckSpan what = name(l);
    if (!l->file->unknown)
      add(l, *word.at == 'p' ? TCK_ENTRY_PROCESS : TCK_ENTRY_EVENT, NULL, what);
    attributes(l);
  } else if (tckspan_is(word, "system")) {
    name(l);
    attributes(l);
  } else {
    give_up(l, "a declaration is not understood");
  }
}

static void skip_comment(Lines *l) {
  while (l->at < l->end && *l->at != '\n')
    l->at++;
}

void tckfile_read(TckFile *file, Arena *arena, const Source *source) {
  *file = (TckFile){.arena = arena, .source = source};
  for (int kind = 0; kind < TCK_ENTRY_KINDS; kind++)
    file->end[kind] = &file->first[kind];
  file->bucket_count = 64 + (uint32_t)(source->size / 16);
  file->buckets = ARENA_ARRAY(arena, TckEntry *, file->bucket_count);
  Lines l = {file, source->text + report_text_begin(source), source->text + source->size};
  for (skip(&l, true); l.at < l.end; skip(&l, true)) {
    mem_tick(arena->mem);
    if (*l.at != '#')
      read_declaration(&l);
    skip(&l, false);
    if (l.at < l.end && *l.at == '#')
      skip_comment(&l);
    else if (l.at < l.end && *l.at != '\n')
      give_up(&l, "the end of a line is not understood");
  }
}

// The label that begins there in a list of them; moves behind its comma.
static TckSpan next_label(TckSpan *list) {
  TckSpan label = {list->at, 0};
  while (label.size < list->size && list->at[label.size] != ',')
    label.size++;
  const uint32_t used = label.size + (label.size < list->size);
  list->at += used;
  list->size -= used;
  return tckspan_trim(label);
}

bool tckfile_carries(const TckFile *file, const TckEntry *location, TckSpan label) {
  for (uint32_t k = 0; k < location->attributes.count; k++) {
    const TckAttribute *a = &file->attributes.items[location->attributes.first + k];
    TckSpan list = a->value;
    while (tckspan_is(a->key, "labels") && list.size)
      if (same_span(next_label(&list), label))
        return true;
  }
  return false;
}

// The network.

static void differ(Text *difference, const char *what, TckSpan name) {
  if (!difference->size)
    text_addf(difference, "the network has %s `%.*s`", what, (int)name.size, name.at);
}

// The same labels in the same order.
static bool is_labelled(const TckFile *file, const TckEntry *e, const Location *location,
                        const Net *net) {
  bool ok = true;
  uint32_t next = 0;
  for (uint32_t k = 0; k < e->attributes.count; k++) {
    const TckAttribute *a = &file->attributes.items[e->attributes.first + k];
    TckSpan list = a->value;
    while (tckspan_is(a->key, "labels") && list.size) {
      const TckSpan label = next_label(&list);
      ok = ok && next < location->labels.size &&
           tckspan_is(label, net->labels.items[location->labels.items[next]].name);
      next++;
    }
  }
  return ok && next == location->labels.size;
}

static bool is_location(const TckFile *file, const TckEntry *e, const Net *net) {
  const Process *process = &net->processes.items[e->process->index];
  const LocationId id = process->first_location + e->index;
  if (e->index >= process->location_count || id >= net->locations.size)
    return false;
  const Location *location = &net->locations.items[id];
  return tckspan_is(e->name, location->name) && location->process == e->process->index &&
         location->index == e->index && location->initial == e->is_initial &&
         location->committed == e->is_committed && location->urgent == e->is_urgent &&
         net->by_location.urgent[id] == (e->is_urgent || e->is_committed) &&
         net->by_location.committed[id] == e->is_committed && is_labelled(file, e, location, net);
}

// A process without locations has one to which nothing leads.
static bool is_process(const TckEntry *e, const Net *net) {
  const Process *process =
      e->index < net->processes.size ? &net->processes.items[e->index] : NULL;
  return process && tckspan_is(e->name, process->name) && !process->priority &&
         process->location_count == (e->locations ? e->locations : 1) &&
         (e->locations || !net->locations.items[process->first_location].initial);
}

static bool is_variable(const TckEntry *e, const Net *net) {
  if (e->index >= net->variables.size)
    return false;
  const Name *there = &net->variables.items[e->index];
  const Shape *one = e->count > 1 ? e->shape->element : e->shape;
  bool ok = tckspan_is(e->name, there->name) && there->base == e->base && !there->is_meta;
  for (uint32_t k = 0; ok && k < e->count; k++)
    ok = net->slots.min[e->base + k] == one->low && net->slots.max[e->base + k] == one->high &&
         net->slots.initial[e->base + k] == e->initial;
  return ok;
}

static bool is_clock(const TckEntry *e, const Net *net) {
  const Name *there = e->index < net->clocks.size ? &net->clocks.items[e->index] : NULL;
  return there && tckspan_is(e->name, there->name) && there->base == e->base;
}

static bool is_entry(const TckFile *file, const TckEntry *e, const Net *net) {
  switch (e->kind) {
  case TCK_ENTRY_PROCESS:
    return is_process(e, net);
  case TCK_ENTRY_EVENT:
    return e->index < net->events.size && tckspan_is(e->name, net->events.items[e->index].name);
  case TCK_ENTRY_LOCATION:
    return is_location(file, e, net);
  case TCK_ENTRY_INT:
    return is_variable(e, net);
  default:
    return is_clock(e, net);
  }
}

static void compare_edges(const TckFile *file, const Net *net, Text *difference) {
  for (EdgeId id = 0; id < file->edges.size && id < net->edges.size && !difference->size; id++) {
    const TckEdge *e = &file->edges.items[id];
    const Edge *there = &net->edges.items[id];
    const LocationId first = net->processes.items[e->source->process->index].first_location;
    if (there->process == e->source->process->index && there->event == e->event->index &&
        there->source == first + e->source->index && there->target == first + e->target->index)
      continue;
    report_place(difference, e->place);
    text_add(difference, ": the network has another edge");
  }
}

static bool same_syncs(const TckFile *file, const Net *net) {
  bool ok = net->syncs.size == file->sync_ends.size;
  uint32_t at = 0;
  for (uint32_t s = 0; ok && s < net->syncs.size; s++) {
    const Sync *sync = &net->syncs.items[s];
    ok = !sync->broadcast && !sync->channel && sync->parts.size == file->sync_ends.items[s] - at;
    for (uint32_t k = 0; ok && k < sync->parts.size; k++, at++) {
      const SyncPart *there = &sync->parts.items[k];
      const TckPart *part = &file->parts.items[at];
      ok = there->process == part->process->index && there->event == part->event->index &&
           there->weak == part->is_weak;
    }
  }
  return ok;
}

TckAttributes tckfile_attributes(const TckFile *file, const Net *net, LocationId id) {
  const Location *location = &net->locations.items[id];
  const char *process = net->processes.items[location->process].name;
  const TckEntry *e = find(file, TCK_ENTRY_PROCESS, NULL, span_of(process));
  e = e ? find(file, TCK_ENTRY_LOCATION, e, span_of(location->name)) : NULL;
  return e ? e->attributes : (TckAttributes){0};
}

void tckfile_compare(const TckFile *file, const Net *net, Text *difference) {
  static const char *const others[TCK_ENTRY_KINDS] = {
      "another process than", "another event than", "another location than",
      "another variable than", "other clocks than"};
  if (file->counts[TCK_ENTRY_PROCESS] != net->processes.size ||
      file->counts[TCK_ENTRY_EVENT] != net->events.size ||
      file->counts[TCK_ENTRY_INT] != net->variables.size ||
      file->counts[TCK_ENTRY_CLOCK] != net->clocks.size ||
      file->clocks + net->reading.measures_time != net->clock_count ||
      file->slots != net->location_slot || file->edges.size != net->edges.size) {
    text_add(difference, "the network has more or fewer declarations");
    return;
  }
  for (int kind = 0; kind < TCK_ENTRY_KINDS; kind++)
    for (const TckEntry *e = file->first[kind]; e && !difference->size; e = e->next)
      if (!is_entry(file, e, net))
        differ(difference, others[kind], e->name);
  if (!difference->size)
    compare_edges(file, net, difference);
  if (!difference->size && !same_syncs(file, net))
    text_add(difference, "the network has other synchronisations");
  if (!difference->size && (net->channels.size || net->priority.is_used || net->clock_initial ||
                            net->invalid_is_error || net->by_location.rates ||
                            net->hooks.before_stmts || net->hooks.after_stmts))
    text_add(difference, "the network has what models of TChecker do not have");
}
