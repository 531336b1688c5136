#include "search/cycles/suspects.h"

#include <string.h>

#define NONE UINT32_MAX

enum {
  TRIES = 24,         // cycles of one component
  MAX_COMPONENTS = 8, // that are tried
  MAX_ROUNDS = 256,   // of one cycle
  MAX_STEPS = 100000, // of one cycle, in all rounds
  MAX_CYCLE = 5000,   // steps of one round
};

typedef VEC(NodeRef) NodeRefs;

typedef struct Round {
  uint32_t zone; // in which it begins
  uint32_t met;  // marks
} Round;

typedef struct Attempt {
  Mem *mem;
  Suspects *s;
  Tour tour;
  Arena arena;     // of one try
  CycleSteps laps; // the steps taken, round after round
  VEC(Round) rounds;
} Attempt;

// Step i of the cycle from a node, in the space; the marks that it meets are added. False if it
// is not possible.
static bool take(Attempt *t, CycleStep *at, uint32_t i, uint32_t *met) {
  const CycleStep *step = &t->tour.cycle.items[i];
  const uint32_t wanted = t->tour.marks.items[i];
  Space *space = t->s->sccs->store->space;
  space->open(space, at->key, at->zone);
  while (space->next(space)) {
    if (space->ordinal != step->ordinal ||
        memcmp(space->key, step->key, space->key_words * sizeof *step->key))
      continue;
    const uint32_t marks = t->s->rules->marks(space);
    if ((marks & wanted) != wanted)
      continue; // there may be another one
    *met |= marks;
    *at = (CycleStep){step->ordinal, step->key, space->keep(space)};
    vec_push(t->mem, &t->laps, *at);
    return true;
  }
  return false;
}

static bool is_stopped(const Attempt *t) {
  const SccsRules *rules = t->s->rules;
  mem_tick(t->mem);
  return t->s->sccs->store->space->failure || (rules->stopped && rules->stopped(rules->state));
}

// Whether the rounds since this one meet all marks.
static bool has_all(const Attempt *t, uint32_t round) {
  const uint32_t all = t->s->rules->all_marks;
  uint32_t met = 0;
  for (uint32_t i = round; i < t->rounds.size; i++)
    met |= t->rounds.items[i].met;
  return (met & all) == all;
}

// Round after round; the index of the round from which on it repeats, NONE if it does not.
static uint32_t repeat(Attempt *t, NodeRef root) {
  CycleStep at = {.key = vec_last(&t->tour.cycle).key,
                  .zone = store_node(t->s->sccs->store, root)->zone};
  vec_clear(&t->laps);
  vec_clear(&t->rounds);
  for (uint32_t round = 0; round < MAX_ROUNDS && t->laps.size < MAX_STEPS; round++) {
    for (uint32_t i = 0; i < t->rounds.size; i++)
      if (t->rounds.items[i].zone == at.zone)
        return has_all(t, i) ? i : NONE;
    const Round begun = {.zone = at.zone};
    vec_push(t->mem, &t->rounds, begun);
    for (uint32_t i = 0; i < t->tour.cycle.size; i++)
      if (!take(t, &at, i, &vec_last(&t->rounds).met))
        return NONE;
    if (is_stopped(t))
      return NONE;
  }
  return NONE;
}

static bool try_root(Attempt *t, NodeRef root) {
  Suspects *s = t->s;
  const Store *store = s->sccs->store;
  if (!tour_find_cycle(&t->tour, root, MAX_CYCLE, &t->arena))
    return false;
  const uint32_t round = repeat(t, root);
  if (round == NONE)
    return false;
  tour_find_way(store, root, s->mem, s->arena, &s->steps);
  s->loop = s->steps.size - 1 + round * t->tour.cycle.size;
  for (uint32_t i = 0; i < t->laps.size; i++) {
    CycleStep step = t->laps.items[i];
    step.key = arena_copy(s->arena, step.key, store->key_words * sizeof *step.key);
    vec_push(s->mem, &s->steps, step);
  }
  return true;
}

// Roots are spread over the nodes of the component, in the order in which the search found them.
static bool try_component(Attempt *t, const NodeRefs *nodes) {
  const uint32_t tries = nodes->size < TRIES ? nodes->size : TRIES;
  bool found = false;
  for (uint32_t i = 0; !found && i < tries && !is_stopped(t); i++) {
    t->tour.turn = i;
    found = try_root(t, nodes->items[(uint64_t)i * nodes->size / tries]);
    arena_release(&t->arena);
    t->arena = (Arena){.mem = t->mem};
  }
  return found;
}

bool suspects_find(Suspects *s) {
  const Sccs *c = s->sccs;
  Mem *mem = mem_part(s->mem);
  Attempt t = {.mem = mem, .s = s, .arena = {.mem = mem}};
  NodeRefs nodes = {0};
  bool found = false;
  tour_init(&t.tour, mem, c, s->rules);
  uint32_t tried = 0;
  for (uint32_t i = 0; !found && i < c->list.size && tried < MAX_COMPONENTS; i++) {
    if (!c->list.items[i].is_suspect)
      continue;
    tried++;
    vec_clear(&nodes);
    for (NodeRef ref = 0; ref < c->count; ref++)
      if (c->numbers[ref] == i)
        vec_push(mem, &nodes, ref);
    found = try_component(&t, &nodes);
  }
  mem_release_part(mem);
  return found;
}
