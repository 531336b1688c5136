#include "check/recur.h"

#include "check/statetransitions.h"
#include "model/meta.h"

#include <string.h>

enum { MAX_ROUNDS = 100000 }; // a chain of zones ends; this is to be on the safe side

// A step of the part, as far as clocks matter: time passes in a state, then edges lead to the
// next.
typedef struct RecurStep {
  uint32_t first_stay, stay_count;   // tests: the invariant and the condition, while time passes
  uint32_t first_guard, guard_count; // tests when the edges move
  bool can_delay;
  const Origin *origins; // where each clock comes from
} RecurStep;

typedef struct Recur {
  Mem *mem;
  Arena arena;
  const Net *net;
  const Run *run;
  const Goal *stay;
  Text *why;
  uint32_t own; // clocks of the net, clock 0 included
  uint32_t n;   // the same, and one that measures a round if time has to diverge
  StateTransitions outgoing;
  ClockTests tests; // of the steps
  RecurStep *steps;
  uint32_t count;
  int32_t *state;
  int64_t *clocks; // at a moment of the run
  NodeBound *zone, *before, *start;
  bool is_extreme; // some number is too large
} Recur;

static bool reject(Recur *r, const char *reason) { return text_refuse(r->why, "%s", reason); }

// --- The steps.

// Clocks of a run are at most 2^61, so their differences fit. A constant may be too large to be
// multiplied: then it is beyond all differences.
static bool holds_now(const Recur *r, const ClockTest *test) {
  const int64_t left = r->clocks[test->i] - r->clocks[test->j],
                max = INT64_MAX / r->run->denominator;
  if (test->constant > max || test->constant < -max)
    return test->constant > 0;
  const int64_t right = test->constant * r->run->denominator;
  return test->strict ? left < right : left <= right;
}

static bool all_hold_now(const Recur *r, const ClockTest *tests, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!holds_now(r, &tests[i]))
      return false;
  return true;
}

// Entries of matrices stay below 2^41 then, and sums along at most 2^14 clocks below 2^55.
enum { MAX_SHIFT = 38 };

static bool is_moderate(int64_t number) {
  return number <= INT64_C(1) << MAX_SHIFT && number >= -(INT64_C(1) << MAX_SHIFT);
}

static void add_tests(Recur *r, const ClockTest *tests, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    r->is_extreme |= !is_moderate(tests[i].constant);
    vec_push(r->mem, &r->tests, tests[i]);
  }
}

// The clocks after step `index`, `passed` later.
static void look_at(Recur *r, uint32_t index, int64_t passed) {
  for (ClockIndex x = 1; x < r->own; x++)
    r->clocks[x] = r->run->steps[index].clocks[x] + passed;
}

// Adds a clause of the condition that holds at both ends of the delay that is given.
static bool add_stay(Recur *r, uint32_t index, int64_t passed) {
  const ClockTests *fresh = &r->outgoing.fresh;
  for (uint32_t i = 0; r->stay && i < r->stay->clause_count; i++) {
    const char *error = NULL;
    vec_clear(&r->outgoing.fresh);
    if ((r->stay->clauses[i].expr &&
         !statetransitions_guard_holds(&r->outgoing, &r->stay->clauses[i], r->state,
                                       &r->outgoing.fresh, &error)) ||
        error || (r->stay->ends && r->stay->ends[i] != GOAL_ANY))
      continue;
    look_at(r, index, 0);
    if (!all_hold_now(r, fresh->items, fresh->size))
      continue;
    look_at(r, index, passed);
    if (!all_hold_now(r, fresh->items, fresh->size))
      continue;
    add_tests(r, fresh->items, fresh->size);
    return true;
  }
  return !r->stay || reject(r, "the condition does not hold in the part that repeats");
}

static bool has_edges(const Recur *r, const StateTransition *transition, const RunStep *step) {
  const Transitions *transitions = &r->outgoing.transitions;
  const TransitionEdges *edges = &transitions->list.items[transition->ordinal];
  return edges->count == step->edge_count &&
         !memcmp(&transitions->edges.items[edges->first], step->edges,
                 step->edge_count * sizeof *step->edges);
}

// The transition of the present state with the edges of the step, which holds at its moment.
static const StateTransition *find_transition(Recur *r, const RunStep *step) {
  for (uint32_t i = 0; i < r->outgoing.list.size; i++) {
    const StateTransition *transition = &r->outgoing.list.items[i];
    if (!transition->error && !transition->is_blocked && has_edges(r, transition, step) &&
        all_hold_now(r, &r->outgoing.tests.items[transition->first_test],
                     transition->guard_count) &&
        meta_is_same(r->net, &r->outgoing.targets.items[transition->target], step->state))
      return transition;
  }
  return NULL;
}

// Of the run's step `index`, and the state before it.
static bool read_step(Recur *r, uint32_t index, RecurStep *to) {
  const RunStep *steps = r->run->steps;
  const int64_t passed = steps[index].time - steps[index - 1].time;
  memcpy(r->state, steps[index - 1].state, r->net->slots.count * sizeof *r->state);
  meta_forget(r->net, r->state);
  if (statetransitions_find(&r->outgoing, r->state) || r->outgoing.invariant_fails)
    return reject(r, "an invariant fails in the part that repeats");
  to->can_delay = r->outgoing.can_delay;
  to->first_stay = r->tests.size;
  add_tests(r, r->outgoing.invariant.items, r->outgoing.invariant.size);
  if (!add_stay(r, index - 1, passed))
    return false;
  to->stay_count = r->tests.size - to->first_stay;
  look_at(r, index - 1, passed);
  const StateTransition *transition = find_transition(r, &steps[index]);
  if (!transition)
    return reject(r, "a step of the part that repeats is not seen as one transition");
  to->first_guard = r->tests.size;
  add_tests(r, &r->outgoing.tests.items[transition->first_test], transition->guard_count);
  // A clock must not become negative in between.
  for (uint32_t i = 0; i < transition->drop_count; i++) {
    const Origin drop = r->outgoing.drops.items[transition->first_drop + i];
    add_tests(r, &(ClockTest){.j = drop.y, .constant = drop.d}, 1);
  }
  to->guard_count = r->tests.size - to->first_guard;
  Origin *origins = ARENA_ARRAY(&r->arena, Origin, r->n);
  memcpy(origins, &r->outgoing.origins.items[transition->origin], r->own * sizeof *origins);
  for (ClockIndex x = r->own; x < r->n; x++)
    origins[x] = (Origin){x, 0};
  for (ClockIndex x = 1; x < r->own; x++)
    r->is_extreme |= !is_moderate(origins[x].d);
  to->origins = origins;
  return !r->is_extreme || reject(r, "a number in the part that repeats is too large");
}

static bool read_steps(Recur *r) {
  const uint32_t from = r->run->loop_from;
  r->count = r->run->step_count - 1 - from;
  r->steps = ARENA_ARRAY(&r->arena, RecurStep, r->count);
  for (uint32_t i = 0; i < r->count; i++)
    if (mem_tick(r->mem), !read_step(r, from + 1 + i, &r->steps[i]))
      return false;
  return true;
}

// --- Zones.

static void make_universal(const Recur *r, NodeBound *m) {
  for (uint32_t i = 0; i < r->n; i++)
    for (uint32_t j = 0; j < r->n; j++)
      m[i * r->n + j] = i == j || !i ? NODEBOUND_ZERO : NODEBOUND_INFINITE;
}

// Each entry becomes the least that follows. False if nothing is left, or numbers are too large.
static bool close_zone(const Recur *r, NodeBound *m) {
  const uint32_t n = r->n;
  for (uint32_t l = 0; l < n; l++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j < n && m[i * n + l] < NODEBOUND_INFINITE; j++) {
        const NodeBound way = nodebound_sum(m[i * n + l], m[l * n + j]);
        if (way < m[i * n + j])
          m[i * n + j] = way;
      }
  for (uint32_t i = 0; i < n * n; i++)
    if (m[i] < -NODEBOUND_MAX || (m[i] > NODEBOUND_MAX && m[i] < NODEBOUND_INFINITE) ||
        (i % (n + 1) == 0 && m[i] < NODEBOUND_ZERO))
      return false;
  return true;
}

static void bound(const Recur *r, NodeBound *m, ClockIndex i, ClockIndex j, NodeBound limit) {
  if (limit < m[i * r->n + j])
    m[i * r->n + j] = limit;
}

static void cut(const Recur *r, NodeBound *m, uint32_t first, uint32_t count) {
  for (uint32_t t = first; t < first + count; t++) {
    const ClockTest *test = &r->tests.items[t];
    bound(r, m, test->i, test->j, nodebound_of(test));
  }
}

// The values before the updates that lead into `zone`, in `before`.
static void undo_updates(Recur *r, const RecurStep *step) {
  const uint32_t n = r->n;
  make_universal(r, r->before);
  for (ClockIndex i = 0; i < n; i++)
    for (ClockIndex j = 0; j < n; j++) {
      const Origin a = step->origins[i], b = step->origins[j];
      if (i != j && r->zone[i * n + j] < NODEBOUND_INFINITE)
        bound(r, r->before, a.y, b.y, nodebound_moved(r->zone[i * n + j], b.d - a.d));
    }
}

// The values from which some delay leads into `before`, which is closed. It stays so.
static void undo_delay(Recur *r) {
  const uint32_t n = r->n;
  for (uint32_t x = 1; x < n; x++) {
    NodeBound least = NODEBOUND_ZERO;
    for (uint32_t y = 1; y < n; y++)
      if (r->before[y * n + x] < least)
        least = r->before[y * n + x];
    r->before[x] = least;
  }
}

// `zone` becomes the values from which the step can lead into it. False if there are none.
static bool undo(Recur *r, const RecurStep *step) {
  undo_updates(r, step);
  cut(r, r->before, step->first_guard, step->guard_count);
  cut(r, r->before, step->first_stay, step->stay_count);
  if (!close_zone(r, r->before))
    return false;
  if (step->can_delay) {
    undo_delay(r);
    cut(r, r->before, step->first_stay, step->stay_count);
    if (!close_zone(r, r->before))
      return false;
  }
  memcpy(r->zone, r->before, sizeof *r->zone * r->n * r->n);
  return true;
}

// The clock that measures the round is 0 at its beginning. Then it can be anything again.
static bool begin_measure(Recur *r) {
  const uint32_t n = r->n, z = r->own;
  bound(r, r->zone, z, 0, NODEBOUND_ZERO);
  if (!close_zone(r, r->zone))
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (i != z) {
      r->zone[i * n + z] = i ? NODEBOUND_INFINITE : NODEBOUND_ZERO;
      r->zone[z * n + i] = NODEBOUND_INFINITE;
    }
  return true;
}

// From `start`, the values at the beginning of the part, to those from which a round comes back;
// one that takes at least 1 if time has to diverge.
static bool undo_round(Recur *r) {
  memcpy(r->zone, r->start, sizeof *r->zone * r->n * r->n);
  if (r->own < r->n)
    bound(r, r->zone, 0, r->own, nodebound_moved(NODEBOUND_ZERO, -1));
  for (uint32_t i = r->count; i-- > 0;)
    if (mem_tick(r->mem), !undo(r, &r->steps[i]))
      return false;
  return r->own == r->n || begin_measure(r);
}

// Makes `start` the greatest set from which a round leads back into it.
static bool find_start(Recur *r) {
  make_universal(r, r->start);
  cut(r, r->start, r->steps[0].first_stay, r->steps[0].stay_count);
  if (!close_zone(r, r->start))
    return false;
  for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
    if (!undo_round(r))
      return false;
    bool is_same = true;
    for (uint32_t i = 0; i < r->n * r->n; i++) {
      is_same &= r->start[i] <= r->zone[i];
      bound(r, r->start, i / r->n, i % r->n, r->zone[i]);
    }
    if (is_same) // it lies within those from which a round comes back
      return true;
    if (!close_zone(r, r->start))
      return false;
  }
  return false;
}

// Whether the clocks after this step are among them.
static bool is_inside(Recur *r, uint32_t index) {
  look_at(r, index, 0);
  for (ClockIndex i = 0; i < r->own; i++)
    for (ClockIndex j = 0; j < r->own; j++) {
      const NodeBound limit = r->start[i * r->n + j];
      if (i == j || limit >= NODEBOUND_INFINITE)
        continue;
      const bool is_strict = !(limit & 1);
      const ClockTest test = {
          .i = i, .j = j, .strict = is_strict, .constant = (limit - !is_strict) / 2};
      if (!holds_now(r, &test))
        return false;
    }
  return true;
}

static bool check(Recur *r, bool after_round) {
  if (meta_first_kept(r->net) || r->net->traits.has_stopwatches)
    return reject(r, "meta variables or stopped clocks matter in the part that repeats");
  if (!read_steps(r))
    return false;
  if (!find_start(r))
    return reject(r, "the part cannot be repeated for ever");
  return is_inside(r, after_round ? r->run->step_count - 1 : r->run->loop_from) ||
         reject(r, after_round
                       ? "the part that repeats ends where it cannot be repeated for ever"
                       : "the part that repeats begins where it cannot be repeated for ever");
}

bool recur_check(Mem *owner, const Net *net, const Goal *stay, const Run *run, bool after_round,
                 bool diverges, Text *why) {
  Mem *mem = mem_part(owner);
  Recur r = {.mem = mem,
             .arena = {.mem = mem},
             .net = net,
             .run = run,
             .stay = stay,
             .why = why,
             .own = net->clock_count + 1,
             .n = net->clock_count + 1 + diverges};
  r.state = ARENA_ARRAY(&r.arena, int32_t, net->slots.count);
  r.clocks = ARENA_ARRAY(&r.arena, int64_t, r.n);
  r.zone = ARENA_ARRAY(&r.arena, NodeBound, (size_t)r.n * r.n);
  r.before = ARENA_ARRAY(&r.arena, NodeBound, (size_t)r.n * r.n);
  r.start = ARENA_ARRAY(&r.arena, NodeBound, (size_t)r.n * r.n);
  statetransitions_init(&r.outgoing, mem, net);
  const bool accepted = check(&r, after_round);
  mem_release_part(mem);
  return accepted;
}
