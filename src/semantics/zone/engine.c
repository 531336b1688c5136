#include "semantics/zone/engine.h"

#include "base/testbuild.h"
#include "search/space/needs.h"
#include "search/workers/partition.h"
#include "semantics/zone/covering.h"
#include "semantics/zone/locvector_fetch.h"
#include "semantics/zone/locvector_make.h"
#include "semantics/zone/message.h"

#include <string.h>

static Zones *zones_of(Space *space) { return (Zones *)space; }

// How many results are not known before one asks whether it helps to remember them.
enum { MAX_UNKNOWN = LOWERED(2048, 2048, 16) };

void engine_remember(Zones *zones, ZoneRef from, uint32_t transformer, ZoneRef result) {
  Results *results = &zones->results;
  if (!results->is_on || !transformer || zones->space.failure)
    return;
  if (result)
    memo_add(&results->memo, from, transformer, result);
  if (results->may_give_up && ++results->unknown > MAX_UNKNOWN &&
      results->known < results->unknown / 8) {
    results->is_on = false;
    memo_release(&results->memo);
    results->memo = (Memo){0};
  }
}

// With bounds found during the search: the needs are those of the current node.
static void announce(Zones *zones) {
  Needs *needs = zones->space.needs;
  const ActiveClocks *active = &zones->vector->active;
  needs->current_k = active->k;
  needs->limits = &active->bounds->packed;
  needs->limits_number = &active->bounds->number;
  needs->bounds = NULL;
}

// A node was made.
static inline bool arrive(Zones *zones) {
  if (zones->rename)
    zones->rename(zones);
  if (zones->space.needs)
    announce(zones);
  return true;
}

static bool initial(Space *space) {
  Zones *zones = zones_of(space);
  while (states_initial(&zones->states, space->next_initial)) {
    space->ordinal = space->next_initial++;
    mem_tick(zones->mem);
    zones->vector = locvector_find(&zones->vectors, zones->states.key);
    if (zones->time->begin(zones))
      return arrive(zones);
    if (space->failure)
      return false;
  }
  return false;
}

void engine_open_vector(Zones *zones, const uint64_t *key) {
  const Exchange *exchange = &zones->space.exchange;
  Opened *opened = &zones->opened;
  states_open(&zones->states, key);
  opened->vector = locvector_find(&zones->vectors, zones->states.source_key);
  locvector_find_outgoing(&zones->vectors, opened->vector);
  opened->is_own =
      exchange->partition && partition_owner(exchange->partition, key) == exchange->number;
  opened->next = 0;
  opened->is_listed = false;
  opened->has_matrix = false;
}

// Location vectors are forgotten here only: else pointers to them stay valid.
static void make_room(Zones *zones) {
  const uint32_t vectors = zones->vectors.list.size;
  const bool has_forgotten = zones->time->keep_small(zones);
  if (zones->vectors.list.size < vectors)
    zones->covering.probed = ZONE_NONE; // its bounds are gone
  if (!has_forgotten)
    return;
  memo_clear(&zones->results.memo);
  if (zones->time->forget)
    zones->time->forget(zones);
}

static inline const Transition *transition_at(const Zones *zones, uint32_t ordinal) {
  return locvector_transition(&zones->vectors, &zones->opened.vector->outgoing[ordinal]);
}

static bool is_in_focus(const Zones *zones, uint32_t ordinal) {
  const Transition *t = transition_at(zones, ordinal);
  for (uint32_t i = 0; i < t->edge_count; i++)
    if (zones->opened.focus[t->edges[i]->process])
      return true;
  return false;
}

// The transitions in random order. A search depth first goes on with the last of them: so those
// of processes in focus come last.
static void shuffle(Zones *zones) {
  Opened *opened = &zones->opened;
  const uint32_t count = opened->vector->outgoing_count;
  shuffle_numbers(&opened->listed, zones->mem, &opened->random, count);
  uint32_t *items = opened->listed.items;
  for (uint32_t i = 0, others = 0; opened->focus && i < count; i++)
    if (!is_in_focus(zones, items[i])) {
      const uint32_t item = items[i];
      items[i] = items[others];
      items[others++] = item;
    }
}

bool engine_refuse(Zones *zones) {
  if (zones->space.needs && !zones->space.failure)
    needs_refuse(zones->space.needs);
  return false;
}

// Cheap tests first: whether integers and single bounds of the opened zone allow a transition.
// Guards that depend on variables are left to `fire`.
static inline bool is_possible(Zones *zones, const Transition *t) {
  const StoredZone *bounds = zones->opened.bounds;
  if (!states_meet(&zones->states, t))
    return false;
  if (!bounds) // entries mean something else: no single one forbids a transition
    return true;
  if (zones->space.needs)
    zones->time->try(zones, t);
  const uint32_t *position = zones->opened.vector->active.position;
  for (uint32_t i = 0; i < t->guard_count; i++) {
    const Constraint c = t->guard[i];
    const uint32_t at = position[c.j] * bounds->k + position[c.i];
    const Bound back = packed_entry(bounds->entries, (PackedFormat)bounds->format, at);
    if (bound_sum(back, c.bound) < BOUND_LE_ZERO)
      return engine_refuse(zones);
  }
  return true;
}

// The transitions of the opened node that are left out, by ordinal. NULL: none.
static inline const bool *find_pruned(Zones *zones) {
  const bool *pruned = zones->prune ? zones->prune(zones) : NULL;
  return zones->narrow ? zones->narrow(zones, pruned) : pruned;
}

// Lists the transitions to be tried, those that are not left out (semantics/zone/reduce.h) nor
// forbidden by the cheap tests. With Space.needs these come when a transition is tried, as they
// tell of it. Not inlined: mostly all are tried in order.
__attribute__((noinline)) static void list_transitions(Zones *zones, const bool *pruned) {
  Opened *opened = &zones->opened;
  const uint32_t count = opened->vector->outgoing_count;
  vec_reserve(zones->mem, &opened->listed, count);
  uint32_t *items = opened->listed.items, size = 0;
  if (opened->is_random)
    shuffle(zones);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t ordinal = opened->is_random ? items[i] : i;
    if ((!pruned || !pruned[ordinal]) &&
        (zones->space.needs || is_possible(zones, transition_at(zones, ordinal))))
      items[size++] = ordinal;
  }
  opened->listed.size = size;
  opened->is_listed = true;
}

// Not inlined: most searches leave nothing out.
__attribute__((noinline)) static void list_some(Zones *zones) {
  const bool *pruned = find_pruned(zones);
  if (pruned || zones->opened.is_random)
    list_transitions(zones, pruned);
}

static void open(Space *space, const uint64_t *key, uint32_t zone) {
  Zones *zones = zones_of(space);
  make_room(zones);
  engine_open_vector(zones, key);
  space->exchange.prepared = zones->vectors.made;
  if (!zones->time->open(zones, zone))
    zones->opened.next = zones->opened.vector->outgoing_count; // a failure
  else if (zones->prune || zones->narrow || zones->opened.is_random)
    list_some(zones);
}

void engine_constant_guard(Zones *zones, const Transition *t) {
  vec_clear(&zones->tests);
  for (uint32_t i = 0; i < t->guard_count; i++) {
    const Constraint c = t->guard[i];
    const ClockTest test = {c.i, c.j, bound_constant(c.bound), bound_is_strict(c.bound)};
    vec_push(zones->mem, &zones->tests, test);
  }
}

bool engine_give_up(Zones *zones, VmResult result) {
  if (result == VM_ERROR && zones->time->can_happen(zones))
    space_holds(&zones->space, &zones->vm, result);
  return false;
}

// Whether the guard of a transition that depends on variables may hold. Not inlined: few do.
__attribute__((noinline)) static bool may_hold(Zones *zones, const Transition *t) {
  vec_clear(&zones->tests);
  for (uint32_t i = 0; i < t->edge_count; i++) {
    const VmResult result =
        vm_guard(&zones->vm, &t->edges[i]->guard, states_source(&zones->states), &zones->tests);
    if (result == VM_TRUE)
      continue;
    if (result == VM_ERROR)
      engine_constant_guard(zones, t);
    return engine_give_up(zones, result);
  }
  for (uint32_t i = 0; i < t->extra.count; i++)
    vec_push(zones->mem, &zones->tests, t->extra.items[i]);
  return !zones->time->may_hold || zones->time->may_hold(zones);
}

// Whether it is seen at once that a node with this key is this worker's.
static inline bool is_own(const Zones *zones, const uint64_t *key) {
  return zones->opened.is_own &&
         partition_same(zones->space.exchange.partition, zones->states.source_key, key);
}

// Whether a node with this key, by this transition, may be left to the worker that it belongs to:
// its location vector is one of those that this worker need not know.
static bool is_others(const Zones *zones, const Transition *t, const uint64_t *key) {
  const Exchange *exchange = &zones->space.exchange;
  return exchange->leaves_others && !zones->rename && !t->needs_guard && !t->needs_clocks &&
         message_can_leave(t) && partition_owner(exchange->partition, key) != exchange->number;
}

// With several workers: whether the current node is left to another one. Not inlined: mostly
// there is one.
__attribute__((noinline)) static bool is_left(Zones *zones, const Transition *t) {
  const uint64_t *key = zones->states.key;
  Exchange *exchange = &zones->space.exchange;
  exchange->is_own = is_own(zones, key);
  if (exchange->is_own || !is_others(zones, t, key))
    return false;
  exchange->is_unfinished = true;
  zones->space.zone = ZONE_NONE;
  return true;
}

// The current node gets a zone that is known; false if it is empty.
static inline bool take(Zones *zones, const OutgoingTransition *out, uint32_t ordinal,
                        ZoneRef known, bool is_sure) {
  if (zones->time->take)
    return zones->time->take(zones, out, ordinal, known, is_sure);
  if (!memo_is_zone(known))
    return false;
  zones->vector = locvector_target(&zones->vectors, out);
  zones->space.zone = known;
  return true;
}

// Whether it is not known yet where a transition leads to from the opened node, or it led to
// another location vector the last time.
static inline bool needs_link(const Zones *zones, const OutgoingTransition *out) {
  const LocVectors *vectors = &zones->vectors;
  return !out->target ||
         (locvector_transition(vectors, out)->may_stray &&
          !locvector_is_of(vectors, locvector_target(vectors, out), zones->states.key));
}

// A transition that the integers allow and for which nothing was remembered. Not inlined, because
// this is rare.
static inline bool find_result(Zones *zones, OutgoingTransition *out, uint32_t ordinal) {
  const Time *time = zones->time;
  ZoneRef found = time->infer ? time->infer(zones, ordinal) : ZONE_NONE;
  const bool is_sure = found;
  if (!found && needs_link(zones, out)) {
    time->link(zones, ordinal);
    found = engine_recall(zones, zones->opened.zone, out->transformer);
    zones->results.known += found != 0;
  }
  if (found)
    return take(zones, out, ordinal, found, is_sure);
  zones->vector = locvector_target(&zones->vectors, out);
  return time->make(zones, out, ordinal);
}

// An error in the updates, or a variable that leaves its range.
__attribute__((noinline)) static bool give_up_updates(Zones *zones, const Transition *t,
                                                      VmResult result) {
  if (!t->needs_guard)
    engine_constant_guard(zones, t);
  return engine_give_up(zones, result);
}

__attribute__((always_inline)) static inline bool fire(Zones *zones, uint32_t ordinal,
                                                       const Transition *t) {
  OutgoingTransition *out = &zones->opened.vector->outgoing[ordinal];
  ZoneRef known = zones->opened.results ? zones->opened.results[ordinal] : ZONE_NONE;
  const bool is_sure = known;
  if (!known)
    known = engine_recall(zones, zones->opened.zone, out->transformer);
  // Errors in updates are errors wherever the guard holds: they are looked for first.
  if (!memo_is_zone(known) && !t->needs_update && !t->shift_count)
    return false;
  if (t->needs_guard && !may_hold(zones, t))
    return false;
  const VmResult result = states_fire(&zones->states, t, &zones->updates);
  if (result != VM_TRUE)
    return give_up_updates(zones, t, result);
  if (zones->space.exchange.partition && is_left(zones, t))
    return true;
  if (!known || (t->may_stray && needs_link(zones, out)))
    return find_result(zones, out, ordinal);
  zones->results.known++;
  return take(zones, out, ordinal, known, is_sure);
}

bool engine_try(Zones *zones, uint32_t ordinal) {
  const Transition *t = transition_at(zones, ordinal);
  return is_possible(zones, t) && fire(zones, ordinal, t);
}

bool engine_finish(Zones *zones, const OutgoingTransition *out) {
  const ZoneRef known = engine_recall(zones, zones->opened.zone, out->transformer);
  if (!known)
    return zones->time->make(zones, out, 0);
  zones->space.zone = known;
  return memo_is_zone(known);
}

// The next transition of those that are listed. Not inlined: few searches have lists.
__attribute__((noinline)) static bool next_listed(Zones *zones) {
  Space *space = &zones->space;
  Opened *opened = &zones->opened;
  while (opened->next < opened->listed.size && !space->failure) {
    space->ordinal = opened->listed.items[opened->next++];
    const Transition *t = transition_at(zones, space->ordinal);
    if ((!space->needs || is_possible(zones, t)) && fire(zones, space->ordinal, t))
      return arrive(zones);
    mem_tick(zones->mem);
  }
  return false;
}

// The next transition of the opened node that the cheap tests allow; NULL if there is none.
static inline const Transition *find_possible(Zones *zones) {
  const LocVector *vector = zones->opened.vector;
  const uint32_t count = vector->outgoing_count;
  for (uint32_t at = zones->opened.next; at < count; at++) {
    const Transition *t = locvector_transition(&zones->vectors, &vector->outgoing[at]);
    if (is_possible(zones, t)) {
      zones->opened.next = at + 1;
      return t;
    }
  }
  zones->opened.next = count;
  return NULL;
}

static bool next(Space *space) {
  Zones *zones = zones_of(space);
  if (zones->opened.is_listed)
    return next_listed(zones);
  for (const Transition *t; (t = find_possible(zones));) {
    space->ordinal = zones->opened.next - 1;
    if (fire(zones, space->ordinal, t))
      return arrive(zones);
    mem_tick(zones->mem);
    if (space->failure)
      return false;
  }
  return false;
}

static uint32_t foresee(Space *space, const uint64_t **keys) {
  Zones *zones = zones_of(space);
  Opened *opened = &zones->opened;
  uint32_t count = 0;
  *keys = opened->ahead_keys;
  opened->expected.count = 0;
  if (space->needs)
    return 0;
  if (!opened->is_listed)
    list_transitions(zones, NULL);
  for (uint32_t i = 0; i < opened->listed.size && count < SPACE_AHEAD; i++) {
    const OutgoingTransition *out = &opened->vector->outgoing[opened->listed.items[i]];
    const Transition *t = locvector_transition(&zones->vectors, out);
    if (t->needs_update || t->needs_clocks)
      continue;
    uint64_t *key = opened->ahead_keys + zones->layout.words * count;
    states_guess(&zones->states, t, key);
    if (!is_own(zones, key) && is_others(zones, t, key))
      continue;
    count++;
    if (!out->target)
      locvector_fetch_expect(&zones->vectors, &opened->expected, out->transition, key);
    else if (zones->results.is_on && out->transformer)
      memo_fetch(&zones->results.memo, opened->zone, out->transformer);
  }
  return count;
}

static void fetch_ahead(Space *space, FetchStage stage) {
  Zones *zones = zones_of(space);
  locvector_fetch_ahead(&zones->vectors, &zones->opened.expected, zones->opened.vector, stage);
}

static void fetch(const Space *space, const uint64_t *key, FetchStage stage) {
  locvector_fetch_key(&((const Zones *)space)->vectors, key, stage);
}

static bool is_goal(Space *space) {
  Zones *zones = zones_of(space);
  if (space->exchange.is_unfinished) // its owner looks
    return false;
  for (uint32_t clause = 0;; clause++) {
    vec_clear(&zones->tests);
    if (!space_holds(space, &zones->vm,
                     goal_clause(zones->goal, &zones->vm, states_state(&zones->states), &clause,
                                 &zones->tests)))
      return false;
    if (!zones->tests.size || zones->time->meets(zones))
      return true;
  }
}

static uint32_t keep(Space *space) {
  Zones *zones = zones_of(space);
  const ZoneRef zone = zones->time->number(zones);
  zones->written++;
  return zone;
}

void engine_load(Space *space, const uint64_t *key, uint32_t zone) {
  Zones *zones = zones_of(space);
  states_load(&zones->states, key);
  zones->vector = locvector_find(&zones->vectors, zones->states.key);
  space->zone = zone;
  if (zones->time->load)
    zones->time->load(zones, zone);
  if (space->needs)
    announce(zones);
}

static size_t shared_bytes(const Space *space) {
  const Zones *zones = (const Zones *)space;
  const ZoneTable *compared = zones->covering.table;
  return zonetable_bytes(&zones->table) +
         (compared == &zones->table ? 0 : zonetable_bytes(compared));
}

const Space engine_functions = {
    .initial = initial,
    .open = open,
    .next = next,
    .is_goal = is_goal,
    .find_subsumer = covering_find_subsumer,
    .find_subsumed = covering_find_subsumed,
    .keep = keep,
    .load = engine_load,
    .shared_bytes = shared_bytes,
    .speed = {.foresee = foresee, .fetch_ahead = fetch_ahead, .fetch = fetch},
};
