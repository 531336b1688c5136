#include "answers/queries/lint.h"

#include "analysis/reads.h"
#include "answers/queries/premise.h"

#include <stdlib.h>
#include <string.h>

// Instances of one template have their locations and edges from the same place: there is one
// finding for a place, and it names the processes that it is about.

typedef struct Linter {
  Lint *lint;
  const Net *net;
  Arena *arena;
  Coverage coverage;
  bool is_complete; // the search saw every state
  bool knows_blocking;
  bool *possible;           // by location: it can be reached if guards are not looked at
  bool *asked;              // by location: a query names it
  uint32_t *settled, group; // by process: the last group of edges in which it was
  Reads reads;
} Linter;

static const char *const kinds[] = {"location", "edge",     "sync",  "clock", "variable", "range",
                                    "exit",     "blocking", "query", "error", "effect"};
static const char *const levels[] = {"warning", "note", "undecided"};

const char *lint_kind(LintKind kind) { return kinds[kind]; }
const char *lint_level(LintLevel level) { return levels[level]; }

static const char *keep(Linter *l, Text *text) { return arena_keep(l->arena, text); }

__attribute__((format(printf, 6, 7))) static void find(Linter *l, LintKind kind, LintLevel level,
                                                       Place place, const char *name,
                                                       const char *format, ...) {
  Text text = {.mem = l->lint->mem};
  va_list arguments;
  va_start(arguments, format);
  text_addv(&text, format, arguments);
  va_end(arguments);
  const Finding finding = {kind, level, place, name, keep(l, &text)};
  vec_push(l->lint->mem, &l->lint->findings, finding);
}

// What was not seen is certain only if everything was.
static LintLevel level_of(const Linter *l, bool is_certain) {
  return l->is_complete || is_certain ? LINT_WARNING : LINT_UNDECIDED;
}

// Things with a place, to be brought together if it is the same one.
typedef struct Item {
  Place place;
  uint32_t id;
} Item;

static int compare_places(Place a, Place b) {
  if (a.source != b.source)
    return (a.source > b.source) - (a.source < b.source);
  return (a.offset > b.offset) - (a.offset < b.offset);
}

static int compare_items(const void *left, const void *right) {
  const Item *a = left, *b = right;
  const int places = compare_places(a->place, b->place);
  return places ? places : (a->id > b->id) - (a->id < b->id);
}

enum { MAX_NAMES = 3 };

// `P1.l, P2.l and 5 more`: adds the next of `count` names.
static void add_name(Text *text, uint32_t index, uint32_t count, const char *name) {
  if (index < MAX_NAMES)
    text_addf(text, "%s%s", !index ? "" : index + 1 == count ? " and " : ", ", name);
  else if (index == MAX_NAMES)
    text_addf(text, " and %u more", count - index);
}

static const char *location_name(Linter *l, LocationId id) {
  const Location *location = &l->net->locations.items[id];
  Text text = {.mem = l->lint->mem};
  text_addf(&text, "%s.%s", l->net->processes.items[location->process].name, location->name);
  return keep(l, &text);
}

static const char *edge_name(Linter *l, EdgeId id) {
  const Edge *edge = &l->net->edges.items[id];
  const Location *locations = l->net->locations.items;
  Text text = {.mem = l->lint->mem};
  text_addf(&text, "%s.%s -> %s", l->net->processes.items[edge->process].name,
            locations[edge->source].name, locations[edge->target].name);
  if (edge->event + 1 != l->net->priority.tau_event)
    text_addf(&text, " (%s)", l->net->events.items[edge->event].name);
  return keep(l, &text);
}

static const char *clock_name(Linter *l, uint32_t id) { return l->net->clocks.items[id].name; }

static const char *variable_name(Linter *l, uint32_t id) {
  return l->net->variables.items[id].name;
}

static const char *names_of(Linter *l, const Item *items, uint32_t count,
                            const char *(*name)(Linter *, uint32_t)) {
  Text text = {.mem = l->lint->mem};
  for (uint32_t i = 0; i < count; i++)
    add_name(&text, i, count, name(l, items[i].id));
  return keep(l, &text);
}

// Guards aside: which locations can be reached in the graph of their process?
static void find_possible(Linter *l) {
  const Net *net = l->net;
  LocationId *waiting = ARENA_ARRAY(l->arena, LocationId, net->locations.size);
  uint32_t count = 0;
  for (LocationId i = 0; i < net->locations.size; i++)
    if ((l->possible[i] = net->locations.items[i].initial))
      waiting[count++] = i;
  while (count) {
    const Location *location = &net->locations.items[waiting[--count]];
    for (uint32_t i = 0; i < location->edge_count; i++) {
      const LocationId target = net->edges.items[net->out[location->first_edge + i]].target;
      if (!l->possible[target])
        waiting[count++] = target;
      l->possible[target] = true;
    }
  }
}

// Locations that a query names: whether they are reached is what it asks.
static void find_asked(Linter *l, const Expr *expr) {
  if (!expr)
    return;
  if (expr->kind == EXPR_AT)
    l->asked[net_location(l->net, expr->base - l->net->location_slot, expr->value) -
             l->net->locations.items] = true;
  for (uint32_t k = 0; k < expr_part_count(expr); k++)
    find_asked(l, expr_part(expr, k));
}

// Tells about those things of a kind, numbered from 0, that are wanted: one finding for those of
// a place, which `is_wanted` sets, too.
static void tell_wanted(Linter *l, uint32_t count,
                        bool (*is_wanted)(const Linter *, uint32_t id, Place *),
                        void (*tell)(Linter *, Item *, uint32_t count)) {
  Item *items = ARENA_ARRAY(l->arena, Item, count);
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < count; i++) {
    items[wanted].id = i;
    wanted += is_wanted(l, i, &items[wanted].place);
  }
  qsort(items, wanted, sizeof *items, compare_items);
  for (uint32_t i = 0, end; i < wanted; i = end) {
    for (end = i + 1; end < wanted && !compare_places(items[i].place, items[end].place);)
      end++;
    tell(l, items + i, end - i);
  }
}

static bool is_unseen(const Linter *l, LocationId i, Place *place) {
  *place = l->net->locations.items[i].place;
  return !l->coverage.locations[i] && !l->asked[i];
}

static void tell_unseen(Linter *l, Item *items, uint32_t count) {
  const char *name = names_of(l, items, count, location_name);
  bool is_certain = true, has_label = false;
  for (uint32_t i = 0; i < count; i++) {
    is_certain = is_certain && !l->possible[items[i].id];
    has_label = has_label || l->net->locations.items[items[i].id].labels.size;
  }
  LintLevel level = level_of(l, is_certain);
  if (level == LINT_WARNING && has_label)
    level = LINT_NOTE; // it may be an error that must not be reached
  find(l, LINT_LOCATION, level, items->place, name, "no run reaches %s", name);
}

// Of the items of one place only one for each process is left, if it has no edge that is used;
// those come first. The number of them.
static uint32_t unused_edges(Linter *l, Item *items, uint32_t count) {
  const Edge *edges = l->net->edges.items;
  uint32_t left = 0;
  l->group++;
  for (uint32_t i = 0; i < count; i++)
    if (l->coverage.edges[items[i].id])
      l->settled[edges[items[i].id].process] = l->group;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *settled = &l->settled[edges[items[i].id].process];
    if (*settled != l->group)
      items[left++] = items[i];
    *settled = l->group;
  }
  return left;
}

// What follows from another finding is not told: edges from a location that is not reached, or to
// one that a query asks for.
static bool is_edge_of_interest(const Linter *l, EdgeId e, Place *place) {
  const bool *seen = l->coverage.locations;
  const Edge *edge = &l->net->edges.items[e];
  *place = edge->place;
  return seen[edge->source] && (seen[edge->target] || !l->asked[edge->target]);
}

static void tell_unused(Linter *l, Item *items, uint32_t count) {
  const uint32_t left = unused_edges(l, items, count);
  const char *name = names_of(l, items, left, edge_name);
  if (left)
    find(l, LINT_EDGE, level_of(l, false), items->place, name, "no run takes the edge %s", name);
}

// A strong part that no edge of its process has: no search is needed to know.
static bool is_hopeless(const Net *net, const Sync *sync, const bool *has_edge) {
  for (uint32_t i = 0; i < sync->parts.size; i++) {
    const SyncPart *part = &sync->parts.items[i];
    if (!part->weak && !has_edge[(size_t)part->process * net->events.size + part->event])
      return true;
  }
  return false;
}

static void tell_syncs(Linter *l) {
  const Net *net = l->net;
  const size_t events = net->events.size;
  bool *has_edge = ARENA_ARRAY(l->arena, bool, net->processes.size *events); // with an event
  for (EdgeId e = 0; e < net->edges.size; e++)
    has_edge[net->edges.items[e].process * events + net->edges.items[e].event] = true;
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    const Sync *sync = &net->syncs.items[s];
    if (sync->channel || l->coverage.syncs[s])
      continue;
    Text text = {.mem = l->lint->mem};
    for (uint32_t i = 0; i < sync->parts.size; i++)
      text_addf(&text, "%s%s@%s", i ? ":" : "",
                net->processes.items[sync->parts.items[i].process].name,
                net->events.items[sync->parts.items[i].event].name);
    const char *name = keep(l, &text);
    find(l, LINT_SYNC, level_of(l, is_hopeless(net, sync, has_edge)), sync->place, name,
         "the synchronisation %s never happens", name);
  }
}

// What is known of a channel, or of all channels of an array.
typedef struct ChannelUse {
  bool happens, is_possible, sends, receives;
} ChannelUse;

// Of each channel.
static ChannelUse *find_uses(const Linter *l) {
  const Net *net = l->net;
  ChannelUse *uses = ARENA_ARRAY(l->arena, ChannelUse, net->channels.size);
  bool *is_used = ARENA_ARRAY(l->arena, bool, net->events.size);
  for (EdgeId e = 0; e < net->edges.size; e++)
    is_used[net->edges.items[e].event] = true;
  for (uint32_t c = 0; c < net->channels.size; c++) {
    uses[c].sends = is_used[net->channels.items[c].send];
    uses[c].receives = is_used[net->channels.items[c].receive];
  }
  for (uint32_t s = 0; s < net->syncs.size; s++)
    if (net->syncs.items[s].channel) {
      uses[net->syncs.items[s].channel - 1].is_possible = true;
      uses[net->syncs.items[s].channel - 1].happens |= l->coverage.syncs[s];
    }
  return uses;
}

// A channel that is used but on which no synchronisation happens. Arrays count as a whole: unused
// elements of a used array are no mistake.
static void tell_channels(Linter *l) {
  const Net *net = l->net;
  const Channel *channels = net->channels.items;
  const ChannelUse *uses = find_uses(l);
  for (uint32_t c = 0, end; c < net->channels.size; c = end) {
    ChannelUse use = {0};
    for (end = c;
         end < net->channels.size && !compare_places(channels[c].place, channels[end].place);
         end++) {
      use.happens |= uses[end].happens;
      use.is_possible |= uses[end].is_possible;
      use.sends |= uses[end].sends;
      use.receives |= uses[end].receives;
    }
    if (use.happens || (!use.sends && !use.receives))
      continue;
    const char *why = !use.receives ? ": nobody receives" : !use.sends ? ": nobody sends" : "";
    find(l, LINT_SYNC, level_of(l, !use.is_possible), channels[c].place, channels[c].name,
         "no synchronisation over the channel %s%s ever happens%s", channels[c].name,
         end - c > 1 ? " and the others of its array" : "", why);
  }
}

static bool leaves_by_some_edge(const Linter *l, const Location *location) {
  for (uint32_t i = 0; i < location->edge_count; i++)
    if (l->coverage.edges[l->net->out[location->first_edge + i]])
      return true;
  return false;
}

static bool has_no_exit(const Linter *l, LocationId i, Place *place) {
  const Location *location = &l->net->locations.items[i];
  *place = location->place;
  return l->coverage.locations[i] && !l->asked[i] &&
         (!location->edge_count || (l->is_complete && !leaves_by_some_edge(l, location)));
}

static void tell_exit(Linter *l, Item *items, uint32_t count) {
  const char *name = names_of(l, items, count, location_name);
  const bool has_edges = l->net->locations.items[items->id].edge_count;
  find(l, LINT_EXIT, has_edges ? LINT_WARNING : LINT_NOTE, items->place, name,
       has_edges ? "no run leaves %s, although there are edges" : "there is no edge out of %s",
       name);
}

static bool is_blocking(const Linter *l, LocationId i, Place *place) {
  *place = l->net->locations.items[i].place;
  return l->coverage.blocking[i];
}

static void tell_blocking(Linter *l, Item *items, uint32_t count) {
  const char *name = names_of(l, items, count, location_name);
  find(l, LINT_BLOCKING, l->knows_blocking ? LINT_WARNING : LINT_UNDECIDED, items->place, name,
       "time can be blocked in %s: it is %s, and a run comes to a state in which nothing can "
       "happen",
       name, l->net->locations.items[items->id].committed ? "committed" : "urgent");
}

static void tell_skipped(Linter *l) {
  const Net *net = l->net;
  if (l->coverage.skips_blocking)
    find(l, LINT_BLOCKING, LINT_UNDECIDED, net->origin.place, net->origin.name,
         "whether urgent or committed locations block time is not known for models that compare "
         "clocks with each other, stop clocks, or have clock guards on urgent channels");
}

static void tell_ranges(Linter *l) {
  const bool is_error = l->net->invalid_is_error; // then it is told as one
  for (uint32_t i = 0; i < l->coverage.invalid_count && !is_error; i++)
    find(l, LINT_RANGE, LINT_WARNING, l->coverage.invalid[i], "",
         "a value out of the range of its variable makes a transition impossible");
  if (l->coverage.failure)
    find(l, LINT_ERROR, LINT_WARNING, l->coverage.failure_place, "",
         "some run ends with an error: %s", l->coverage.failure);
}

// What has no place was not written by anybody.
static bool is_clock_unread(const Linter *l, uint32_t i, Place *place) {
  *place = l->net->clocks.items[i].place;
  return place->source && !l->reads.clocks[i];
}

static void tell_clocks(Linter *l, Item *items, uint32_t count) {
  const char *name = names_of(l, items, count, clock_name);
  find(l, LINT_CLOCK, LINT_WARNING, items->place, name, "nothing reads the clock %s", name);
}

static bool is_variable_unread(const Linter *l, uint32_t i, Place *place) {
  *place = l->net->variables.items[i].place;
  return place->source && !l->reads.variables[i];
}

static void tell_variables(Linter *l, Item *items, uint32_t count) {
  const char *name = names_of(l, items, count, variable_name);
  find(l, LINT_VARIABLE, LINT_WARNING, items->place, name, "nothing reads the variable %s", name);
}

static void find_reads(Linter *l) {
  reads_init(&l->reads, l->arena, l->net);
  for (uint32_t i = 0; i < l->lint->query_count; i++) {
    const Query *query = &l->lint->queries[i];
    reads_expr(&l->reads, query->formula);
    reads_expr(&l->reads, query->conclusion);
    for (uint32_t j = 0; j < query->value_count; j++)
      reads_expr(&l->reads, query->values[j]);
  }
}

static void tell_query(Linter *l, const Query *query) {
  const Premises premises = premises_of(l->arena, query);
  if (premises.is_constant)
    find(l, LINT_QUERY, LINT_WARNING, query->place, query->text,
         "the query `%s` has the same answer for every model", query->text);
  uint32_t unmet = 0, undecided = 0;
  for (uint32_t i = 0; i < premises.count; i++) {
    Goal goal;
    const bool ok =
        goal_build(&goal, l->arena, premises.items[i], false, query->place, &(Report){0});
    const ReachResult result =
        ok ? coverage_reach(l->lint->mem, l->net, &goal, l->lint->limits) : REACH_STOPPED;
    unmet += result == REACH_NONE;
    undecided += result == REACH_STOPPED;
  }
  if (unmet) // told once: a quantifier can have many premises
    find(l, LINT_QUERY, LINT_WARNING, query->place, query->text,
         premises.count > 1 && unmet == premises.count
             ? "the query `%s` has no premise that is ever reached"
             : "the query `%s` has a premise that is never reached",
         query->text);
  else if (undecided)
    find(l, LINT_QUERY, LINT_UNDECIDED, query->place, query->text,
         "whether a premise of the query `%s` is ever reached is not known", query->text);
}

static int compare_findings(const void *left, const void *right) {
  const Finding *a = left, *b = right;
  const int places = compare_places(a->place, b->place);
  return places               ? places
         : a->kind != b->kind ? (a->kind > b->kind) - (a->kind < b->kind)
                              : strcmp(a->name, b->name);
}

// M bounds decide what the first search suspects.
static bool search_blocking(Linter *l, Report *report) {
  Statistics unused = {0};
  if (!l->coverage.has_blocking)
    return true;
  Coverage exact;
  coverage_init(&exact, l->arena, l->lint->mem, l->net);
  if (!coverage_search(&exact, true, l->lint->limits, &unused, report))
    return false;
  const bool is_known = !exact.stop_reason && !exact.failure;
  for (LocationId i = 0; i < l->net->locations.size; i++)
    l->coverage.blocking[i] = exact.blocking[i] || (!is_known && l->coverage.blocking[i]);
  return is_known;
}

bool lint_run(Lint *lint, Report *report) {
  lint->arena.mem = lint->mem;
  Linter l = {.lint = lint, .net = lint->net, .arena = &lint->arena};
  l.possible = ARENA_ARRAY(l.arena, bool, l.net->locations.size);
  l.asked = ARENA_ARRAY(l.arena, bool, l.net->locations.size);
  l.settled = ARENA_ARRAY(l.arena, uint32_t, l.net->processes.size);
  coverage_init(&l.coverage, l.arena, lint->mem, l.net);
  find_possible(&l);
  for (uint32_t i = 0; i < lint->query_count; i++) {
    find_asked(&l, lint->queries[i].formula);
    find_asked(&l, lint->queries[i].conclusion);
  }
  if (!coverage_search(&l.coverage, false, lint->limits, lint->stats, report))
    return false;
  lint->stop_reason = l.coverage.failure       ? "a run ends with an error"
                      : l.coverage.stop_reason ? l.coverage.stop_reason
                                               : lint->refusal;
  l.is_complete = !lint->stop_reason;
  l.knows_blocking = search_blocking(&l, report);
  if (report_failed(report))
    return false;
  find_reads(&l);
  tell_wanted(&l, l.net->locations.size, is_unseen, tell_unseen);
  tell_wanted(&l, l.net->edges.size, is_edge_of_interest, tell_unused);
  tell_syncs(&l);
  tell_channels(&l);
  tell_wanted(&l, l.net->locations.size, has_no_exit, tell_exit);
  tell_wanted(&l, l.net->locations.size, is_blocking, tell_blocking);
  tell_skipped(&l);
  tell_ranges(&l);
  tell_wanted(&l, l.net->clocks.size, is_clock_unread, tell_clocks);
  tell_wanted(&l, l.net->variables.size, is_variable_unread, tell_variables);
  for (uint32_t i = 0; i < l.net->origin.idle_count; i++)
    find(&l, LINT_EFFECT, LINT_WARNING, l.net->origin.idle[i], "",
         "this expression has no effect as a statement");
  for (uint32_t i = 0; i < lint->query_count; i++)
    tell_query(&l, &lint->queries[i]);
  if (lint->findings.size)
    qsort(lint->findings.items, lint->findings.size, sizeof *lint->findings.items,
          compare_findings);
  return true;
}
