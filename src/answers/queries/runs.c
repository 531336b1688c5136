#include "answers/queries/runs.h"

#include "base/testbuild.h"
#include "dbm/diagonalcover.h"
#include "dbm/extra.h"
#include "dbm/simulation.h"

#include <string.h>

typedef struct Successor {
  uint64_t key;
  uint32_t zone; // number in `zones`
  uint32_t ordinal;
  uint32_t marks;
} Successor;

typedef struct RunsClass { // a link of the list of a key
  uint32_t zone;
  uint32_t next; // + 1
} RunsClass;

typedef struct Runs {
  Space space; // first: a Space * is a Runs *
  Mem *mem;
  const Net *net;
  RunsRules rules;
  Situations situations;
  uint32_t n;
  Intern zones; // without padding
  Arena arena;
  VEC(Successor) successors; // of the opened node, or the initial ones
  uint32_t at;
  uint64_t key; // of the current node
  uint32_t marks;
  Intern keys;            // if there are differences of clocks
  VEC(uint32_t) heads;    // by key: its last link + 1
  VEC(RunsClass) classes; // zones that others gave way to
  void *scratch;          // for dbm/diagonalcover.h
  size_t scratch_bytes;
  VEC(uint32_t) label_marks; // by situation, and 1: they are known
  Bound *zone;               // of the current node
  Bound *source;             // of the opened one
  Bound *entry, *work, *other, *hull;
  Bound *packed;
} Runs;

static Runs *runs_of(Space *space) { return (Runs *)space; }

static uint64_t key_of(uint32_t situation, uint32_t mode) {
  return (uint64_t)situation << 32 | mode;
}

static uint32_t intern_zone(Runs *r, const Bound *zone) {
  for (uint32_t i = 0; i < r->n; i++)
    memcpy(r->packed + i * r->n, zone + i * dbm_stride(r->n), r->n * sizeof *zone);
  return intern_number(&r->zones, r->packed, r->n * r->n * sizeof *zone);
}

static void read_zone(const Runs *r, uint32_t number, Bound *zone) {
  const Bound *packed = r->zones.items.items[number - 1].bytes;
  dbm_universal(zone, r->n);
  for (uint32_t i = 0; i < r->n; i++)
    memcpy(zone + i * dbm_stride(r->n), packed + i * r->n, r->n * sizeof *zone);
}

static bool covers(Runs *r, const Situation *situation, const Bound *big, const Bound *small) {
  if (!r->situations.has_diagonals)
    return simulation_alu(big, small, r->n, situation->lower, situation->upper);
  const DiagonalCover splitting = {.mem = r->mem,
                                   .n = r->n,
                                   .lower = situation->lower,
                                   .upper = situation->upper,
                                   .list = situation->diagonals,
                                   .count = situation->diagonal_count};
  const size_t bytes = diagonalcover_bytes(r->n, splitting.count) + DBM_ALIGN;
  if (bytes > r->scratch_bytes) {
    mem_free(r->mem, r->scratch);
    r->scratch = NULL;
    r->scratch = mem_alloc(r->mem, bytes);
    r->scratch_bytes = bytes;
  }
  const uintptr_t at = ((uintptr_t)r->scratch + DBM_ALIGN - 1) / DBM_ALIGN * DBM_ALIGN;
  return diagonalcover_holds(&splitting, big, small, (void *)at);
}

// The zone that stands for this one, which has the number, in nodes of the key.
static uint32_t find_class(Runs *r, uint64_t key, uint32_t number, const Bound *zone) {
  const Situation *situation = situation_at(&r->situations, runs_situation(key));
  const uint32_t k = intern_number(&r->keys, &key, sizeof key) - 1;
  if (k == r->heads.size)
    vec_push(r->mem, &r->heads, 0);
  for (uint32_t i = r->heads.items[k]; i; i = r->classes.items[i - 1].next) {
    const uint32_t other = r->classes.items[i - 1].zone;
    if (other == number)
      return number;
    read_zone(r, other, r->hull);
    if (covers(r, situation, r->hull, zone) &&
        (PLANTED("runs-class") || covers(r, situation, zone, r->hull)))
      return other;
  }
  const RunsClass class = {number, r->heads.items[k]};
  vec_push(r->mem, &r->classes, class);
  r->heads.items[k] = r->classes.size;
  return number;
}

static bool fail(Runs *r) {
  r->space.failure = r->situations.failure;
  r->space.failure_place = r->situations.failure_place;
  return false;
}

// Where a run may be in a mode.
static const Bound *mode_zone(const Runs *r, const Situation *situation, uint32_t mode) {
  return mode ? situation_zone(&r->situations, &situation->stays, mode - 1)
              : situation->invariant;
}

static uint32_t find_labels(Runs *r, uint32_t number) {
  uint32_t marks = 0;
  ClockTests tests = {0};
  for (uint32_t i = 0; i < r->rules.claim.label_count; i++) {
    uint32_t clause = 0;
    const VmResult result =
        goal_clause(&r->rules.claim.labels[i], &r->situations.vm,
                    situation_at(&r->situations, number)->state, &clause, &tests);
    if (result == VM_ERROR && !r->space.failure) {
      r->space.failure = r->situations.vm.error;
      r->space.failure_place = r->situations.vm.error_place;
    }
    marks |= result == VM_TRUE ? (uint32_t)RUNS_FIRST_LABEL << i : 0;
  }
  vec_release(r->mem, &tests);
  return marks;
}

static uint32_t labels_of(Runs *r, uint32_t number) {
  while (r->label_marks.size <= number)
    vec_push(r->mem, &r->label_marks, 0);
  uint32_t *known = &r->label_marks.items[number];
  if (!*known)
    *known = find_labels(r, number) | 1;
  return *known & ~(uint32_t)1;
}

// Lets time pass in the entry zone, which lies in the zone of the mode, abstracts, and adds it.
static void add_successor(Runs *r, uint32_t number, uint32_t mode, uint32_t ordinal,
                          uint32_t marks) {
  const Situation *situation = situation_at(&r->situations, number);
  const Bound *allowed = mode_zone(r, situation, mode);
  if (situation->can_delay)
    dbm_up(r->entry, r->n);
  if (!federation_common(r->mem, r->work, r->entry, allowed, r->n))
    return;
  if (r->situations.has_diagonals) {
    dbm_copy(r->entry, r->work, r->n);
  } else {
    extra_lu_plus(r->mem, r->work, r->n, situation->lower, situation->upper);
    federation_common(r->mem, r->entry, r->work, allowed, r->n);
  }
  if (!dbm_in_range(r->entry, r->n)) {
    r->space.failure = "a clock bound is too large; use a coarser unit of time";
    return;
  }
  const uint64_t key = key_of(number, mode);
  uint32_t zone = intern_zone(r, r->entry);
  if (r->situations.has_diagonals)
    zone = find_class(r, key, zone, r->entry);
  const Successor successor = {key, zone, ordinal,
                               marks | (r->rules.claim.label_count ? labels_of(r, number) : 0)};
  vec_push(r->mem, &r->successors, successor);
}

// The zone `from`, on entry, in the mode and, if that is not 0, in every part where it may be.
static void add_entries(Runs *r, uint32_t number, bool is_free, const Bound *from,
                        uint32_t ordinal, uint32_t marks) {
  const Situation *situation = situation_at(&r->situations, number);
  if (is_free) {
    if (federation_common(r->mem, r->entry, from, situation->invariant, r->n))
      add_successor(r, number, 0, ordinal, marks);
    return;
  }
  for (uint32_t i = 0; i < situation->stays.count; i++)
    if (federation_common(r->mem, r->entry, from,
                          situation_zone(&r->situations, &situation->stays, i), r->n))
      add_successor(r, number, i + 1, ordinal, marks);
}

static bool make_initials(Runs *r) {
  int32_t *state = mem_alloc(r->mem, r->net->slots.count * sizeof *state);
  bool ok = true;
  for (uint32_t i = 0; ok && state_initial(r->net, state, i); i++) {
    const uint32_t number = situation_find(&r->situations, state);
    ok = number != UINT32_MAX;
    if (!ok || !situation_at(&r->situations, number)->is_possible)
      continue;
    situation_initial_zone(&r->situations, r->other);
    add_entries(r, number, !r->rules.claim.stay || r->rules.claim.start, r->other, i, 0);
  }
  mem_free(r->mem, state);
  return ok || fail(r);
}

static bool runs_next(Space *space) {
  Runs *r = runs_of(space);
  if (space->failure || r->at == r->successors.size)
    return false;
  const Successor *successor = &r->successors.items[r->at++];
  r->key = successor->key;
  r->marks = successor->marks;
  space->zone = successor->zone;
  space->ordinal = successor->ordinal;
  read_zone(r, successor->zone, r->zone);
  return true;
}

static bool runs_initial(Space *space) {
  Runs *r = runs_of(space);
  if (!space->next_initial) { // they are made all at once
    space->next_initial = 1;
    vec_clear(&r->successors);
    r->at = 0;
    if (!make_initials(r))
      return false;
  }
  return runs_next(space);
}

// Setting it to itself does not count.
static bool sets(const SituationTransition *transition, ClockIndex clock) {
  for (uint32_t i = 0; i < transition->update_count; i++) {
    const ClockUpdate u = transition->updates[i];
    if (u.x == clock && (u.y != clock || u.constant < 0))
      return true;
  }
  return false;
}

static bool fire_transitions(Runs *r, const Situation *situation, uint32_t mode) {
  Situations *s = &r->situations;
  const bool has_ticks = r->rules.is_divergent && (mode || !r->rules.claim.stay);
  const uint32_t marks = mode || !r->rules.claim.stay ? RUNS_ACTION : 0;
  const ClockIndex tick = r->n - 1;
  for (uint32_t i = 0; i < situation->transition_count; i++) {
    const SituationTransition *transition = &situation->transitions[i];
    if (mode && r->rules.kept && sets(transition, r->rules.kept))
      continue;
    dbm_copy(r->other, r->source, r->n);
    if (!situation_fire(s, transition, r->other)) {
      if (s->failure)
        return fail(r);
      continue;
    }
    add_entries(r, transition->target, !mode, r->other, transition->ordinal, marks);
    if (has_ticks && dbm_constrain(r->mem, r->other, r->n, (Constraint){0, tick, bound_le(-1)})) {
      dbm_assign(r->other, r->n, tick, 0);
      add_entries(r, transition->target, !mode, r->other, transition->ordinal, marks | RUNS_TICK);
    }
    mem_tick(r->mem);
  }
  return true;
}

// Intersects with the constraints of a zone, but where `lower` with lower bounds of clocks, else
// upper ones, that are not strict.
static bool constrain_relaxed(Mem *mem, Bound *zone, const Bound *by, uint32_t n, bool lower) {
  const uint32_t stride = dbm_stride(n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      Bound bound = by[i * stride + j];
      if (i == j || bound == BOUND_INF)
        continue;
      if ((lower ? !i : !j) && !PLANTED("runs-hop"))
        bound |= 1;
      if (!dbm_constrain(mem, zone, n, (Constraint){i, j, bound}))
        return false;
    }
  return true;
}

// Time passes from one part to another that it touches: from a point of this part such that all
// soon after it are in the other; or to a point of the other such that all just before it are in
// this one. Parts are convex, and differences of clocks do not change, so it is enough to look at
// the points that meet the constraints of both with the one bound not strict.
static void hop(Runs *r, uint32_t number, uint32_t to) {
  const Situation *situation = situation_at(&r->situations, number);
  const Bound *allowed = mode_zone(r, situation, to);
  dbm_copy(r->entry, r->source, r->n);
  if (constrain_relaxed(r->mem, r->entry, allowed, r->n, true)) {
    dbm_up(r->entry, r->n);
    if (federation_common(r->mem, r->other, r->entry, allowed, r->n)) {
      dbm_copy(r->entry, r->other, r->n);
      add_successor(r, number, to, SPACE_DELAY, 0);
    }
  }
  dbm_copy(r->entry, allowed, r->n);
  if (constrain_relaxed(r->mem, r->entry, r->source, r->n, false))
    add_successor(r, number, to, SPACE_DELAY, 0);
}

// Waiting is a cycle, too, where it is the growth of a clock that matters.
static void wait(Runs *r, uint32_t number, uint32_t mode) {
  const ClockIndex tick = r->n - 1;
  dbm_copy(r->entry, r->source, r->n);
  if (!dbm_constrain(r->mem, r->entry, r->n, (Constraint){0, tick, bound_le(-1)}))
    return;
  dbm_assign(r->entry, r->n, tick, 0);
  add_successor(r, number, mode, SPACE_DELAY, RUNS_ACTION | RUNS_TICK);
}

static void make_hops(Runs *r, uint32_t number, uint32_t mode) {
  const Situation *situation = situation_at(&r->situations, number);
  if (mode && r->rules.kept && situation->can_delay)
    wait(r, number, mode);
  for (uint32_t i = 0; mode && situation->can_delay && i < situation->stays.count; i++)
    if (i + 1 != mode)
      hop(r, number, i + 1);
  if (!mode && r->rules.kept)
    add_entries(r, number, false, r->source, SPACE_DELAY, 0);
  for (uint32_t i = 0;
       !mode && r->rules.claim.start && !r->rules.kept && i < situation->starts.count; i++)
    if (federation_common(r->mem, r->other, r->source,
                          situation_zone(&r->situations, &situation->starts, i), r->n))
      add_entries(r, number, false, r->other, SPACE_DELAY, 0);
}

static void runs_open(Space *space, const uint64_t *key, uint32_t zone) {
  Runs *r = runs_of(space);
  const uint32_t number = runs_situation(*key), mode = runs_mode(*key);
  Situation *situation = situation_at(&r->situations, number);
  vec_clear(&r->successors);
  r->at = 0;
  read_zone(r, zone, r->source);
  if (!situation_find_transitions(&r->situations, situation)) {
    fail(r);
    return;
  }
  if (fire_transitions(r, situation, mode))
    make_hops(r, number, mode);
}

static void runs_load(Space *space, const uint64_t *key, uint32_t zone) {
  Runs *r = runs_of(space);
  r->key = *key;
  r->marks = 0;
  space->zone = zone;
  read_zone(r, space->zone, r->zone);
}

static uint32_t runs_find_subsumer(Space *space, const uint32_t *zones, uint32_t count) {
  Runs *r = runs_of(space);
  const Situation *situation = situation_at(&r->situations, runs_situation(r->key));
  for (uint32_t i = 0; i < count; i++) {
    if (zones[i] == space->zone)
      return i;
    read_zone(r, zones[i], r->work);
    if (covers(r, situation, r->work, r->zone))
      return i;
  }
  return count;
}

static uint32_t runs_find_subsumed(Space *space, const uint32_t *zones, uint32_t from,
                                   uint32_t count) {
  Runs *r = runs_of(space);
  const Situation *situation = situation_at(&r->situations, runs_situation(r->key));
  for (uint32_t i = from; i < count; i++) {
    read_zone(r, zones[i], r->work);
    if (covers(r, situation, r->zone, r->work))
      return i;
  }
  return count;
}

static uint32_t runs_keep(Space *space) { return space->zone; }

uint32_t runs_all_marks(const RunsRules *rules) {
  uint32_t marks = RUNS_ACTION | (rules->is_divergent ? RUNS_TICK : 0);
  for (uint32_t i = 0; i < rules->claim.label_count; i++)
    marks |= (uint32_t)RUNS_FIRST_LABEL << i;
  return marks;
}

uint32_t runs_marks(Space *space) { return runs_of(space)->marks; }
Situations *runs_situations(Space *space) { return &runs_of(space)->situations; }
const Bound *runs_zone(Space *space) { return runs_of(space)->zone; }

bool runs_is_inert(Space *space, const uint64_t *key) {
  return runs_of(space)->rules.claim.stay && !runs_mode(*key);
}

bool runs_starts(Space *space) {
  Runs *r = runs_of(space);
  const Situation *situation = situation_at(&r->situations, runs_situation(r->key));
  for (uint32_t i = 0; runs_mode(r->key) && i < situation->starts.count; i++)
    if (federation_common(r->mem, r->work, r->zone,
                          situation_zone(&r->situations, &situation->starts, i), r->n))
      return true;
  return false;
}

static bool is_unbounded(const Bound *zone, uint32_t n) {
  for (uint32_t x = 1; x < n; x++)
    if (zone[x * dbm_stride(n)] != BOUND_INF)
      return false;
  return true;
}

RunsEnd runs_end(Space *space) {
  Runs *r = runs_of(space);
  const uint32_t mode = runs_mode(r->key);
  Situation *situation = situation_at(&r->situations, runs_situation(r->key));
  if (!mode)
    return RUNS_GOES_ON;
  const Bound *allowed = mode_zone(r, situation, mode);
  if (situation->can_delay && is_unbounded(allowed, r->n))
    return RUNS_IDLES;
  if (r->rules.is_divergent)
    return RUNS_GOES_ON;
  const Federation *stuck = situation_find_stuck(&r->situations, situation, mode - 1);
  if (!stuck) {
    fail(r);
    return RUNS_FAILED;
  }
  if (!stuck->count)
    return RUNS_GOES_ON;
  if (r->rules.is_m)
    return federation_meets(stuck, r->zone) ? RUNS_STUCK : RUNS_GOES_ON;
  if (PLANTED("runs-hull"))
    return federation_meets(stuck, r->zone) ? RUNS_STUCK : RUNS_GOES_ON;
  simulation_alu_hull(r->hull, r->zone, r->n, situation->lower, situation->upper);
  return federation_common(r->mem, r->work, r->hull, allowed, r->n) &&
                 federation_meets(stuck, r->work)
             ? RUNS_UNCLEAR
             : RUNS_GOES_ON;
}

Space *runs_new(Mem *owner, const Net *net, const RunsRules *rules, Report *report) {
  Mem *mem = mem_part(owner);
  Runs *r = mem_alloc(mem, sizeof *r);
  r->mem = mem;
  r->net = net;
  r->rules = *rules;
  r->n = net->clock_count + 1;
  r->arena.mem = mem;
  intern_init(&r->zones, mem);
  intern_init(&r->keys, mem);
  Bound **zones[] = {&r->zone, &r->source, &r->entry, &r->work, &r->other, &r->hull, &r->packed};
  for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
    *zones[i] = arena_align(&r->arena, dbm_bytes(r->n), 0);
  r->space = (Space){.key_words = 1,
                     .key = &r->key,
                     .initial = runs_initial,
                     .open = runs_open,
                     .next = runs_next,
                     .find_subsumer = runs_find_subsumer,
                     .find_subsumed = runs_find_subsumed,
                     .keep = runs_keep,
                     .load = runs_load,
                     .mem = mem};
  const bool ok =
      situations_init(&r->situations, mem, net, rules->claim.stay, rules->claim.start, report);
  r->situations.is_m |= rules->is_m;
  r->rules.is_m |= r->situations.is_m;
  r->situations.watched = rules->is_divergent ? r->n - 1 : 0;
  if (ok)
    return &r->space;
  mem_release_part(mem);
  return NULL;
}
