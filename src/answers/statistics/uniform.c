#include "answers/statistics/uniform.h"

#include "semantics/stochastic/watch.h"

#include <math.h>

enum { MAX_STATES = 2000 };
#define MAX_WORK 3e7 // products of a probability and a move

typedef struct Solver {
  Mem *mem;
  const Chain *chain;
  double *before, *after;
  uint32_t *order; // of the states that are left at once: each before those that it leads to
  uint32_t order_count;
  uint8_t *marks;
} Solver;

// Sorts the states that are left at once; false if they can follow each other for ever.
static bool visit(Solver *s, uint32_t root) {
  const Chain *chain = s->chain;
  VEC(uint32_t) path = {0};
  bool ok = true;
  vec_push(s->mem, &path, root);
  while (path.size && ok) {
    const uint32_t at = vec_last(&path);
    const ChainState *state = &chain->states.items[at];
    const bool is_instant = isinf(state->rate);
    if (!is_instant || s->marks[at] == 2) {
      path.size--;
      continue;
    }
    if (s->marks[at] == 1) {
      s->marks[at] = 2;
      s->order[s->order_count++] = at;
      path.size--;
      continue;
    }
    s->marks[at] = 1;
    for (uint32_t k = 0; k < state->count; k++) {
      const uint32_t target = chain->moves.items[state->first + k].target;
      ok &= s->marks[target] != 1;
      vec_push(s->mem, &path, target);
    }
  }
  vec_release(s->mem, &path);
  return ok;
}

// Passes on what is in states that are left at once.
static void settle(const Solver *s, double *mass) {
  for (uint32_t k = s->order_count; k-- > 0;) {
    const uint32_t at = s->order[k];
    const ChainState *state = &s->chain->states.items[at];
    const double amount = mass[at];
    mass[at] = 0;
    for (uint32_t i = 0; i < state->count; i++) {
      const ChainMove *move = &s->chain->moves.items[state->first + i];
      mass[move->target] += amount * move->probability;
    }
  }
}

// One step of the chain in discrete time; with the rate 0 of the steps themselves.
static void step(Solver *s, double rate) {
  const Chain *chain = s->chain;
  memset(s->after, 0, sizeof *s->after * chain->states.size);
  for (uint32_t k = 0; k < chain->states.size; k++) {
    const ChainState *state = &chain->states.items[k];
    const double mass = s->before[k];
    if (mass == 0)
      continue;
    const double share = state->count ? (rate > 0 ? state->rate / rate : 1) : 0;
    s->after[k] += mass * (1 - share);
    for (uint32_t i = 0; i < state->count; i++) {
      const ChainMove *move = &chain->moves.items[state->first + i];
      s->after[move->target] += mass * share * move->probability;
    }
  }
  double *swapped = s->before;
  s->before = s->after, s->after = swapped;
  if (rate > 0)
    settle(s, s->before);
}

static double in_goal(const Solver *s) {
  double sum = 0;
  for (uint32_t k = 0; k < s->chain->states.size; k++)
    sum += s->chain->states.items[k].is_goal ? s->before[k] : 0;
  return sum;
}

static bool solve_steps(Solver *s, double limit, double *probability) {
  if (limit * s->chain->moves.size > MAX_WORK)
    return false;
  for (double k = 0; k < limit; k++)
    step(s, 0);
  *probability = in_goal(s);
  return true;
}

static bool solve_time(Solver *s, double time, double *probability) {
  const Chain *chain = s->chain;
  double rate = 0, sum = 0, covered = 0;
  for (uint32_t k = 0; k < chain->states.size; k++) {
    if (isfinite(chain->states.items[k].rate) && chain->states.items[k].count)
      rate = fmax(rate, chain->states.items[k].rate);
    if (isinf(chain->states.items[k].rate) && !visit(s, k))
      return false;
  }
  const double mean = rate * time;
  if ((mean + 10 * sqrt(mean) + 50) * (chain->moves.size + chain->states.size) > MAX_WORK)
    return false;
  settle(s, s->before);
  for (double k = 0; 1 - covered > UNIFORM_ERROR / 10; k++) {
    const double weight = mean > 0 ? exp(k * log(mean) - mean - lgamma(k + 1)) : k == 0;
    sum += weight * in_goal(s);
    covered += weight;
    if (k > mean && weight < 1e-18)
      break;
    if (rate > 0)
      step(s, rate);
  }
  *probability = sum / covered;
  return true;
}

bool uniform_solve(Mem *mem, const Laws *laws, const PathQuery *path, double *probability) {
  Arena arena = {.mem = mem};
  Report unused;
  Watch watch;
  Chain chain = {.mem = mem};
  if (path->kind == PATH_MITL || path->bound.kind == RUN_BOUND_CLOCK)
    return false;
  report_init(&unused, mem);
  bool ok = watch_path(&watch, &arena, laws, path, &unused) &&
            chain_make(&chain, mem, laws, watch.goal, watch.trap, MAX_STATES);
  if (ok) {
    const uint32_t count = chain.states.size;
    Solver s = {.mem = mem,
                .chain = &chain,
                .before = ARENA_ARRAY(&arena, double, count),
                .after = ARENA_ARRAY(&arena, double, count),
                .order = ARENA_ARRAY(&arena, uint32_t, count),
                .marks = ARENA_ARRAY(&arena, uint8_t, count)};
    s.before[0] = 1;
    ok = path->bound.kind == RUN_BOUND_STEPS ? solve_steps(&s, path->bound.limit, probability)
                                             : solve_time(&s, path->bound.limit, probability);
    if (ok && watch.is_goal_bad)
      *probability = 1 - *probability;
  }
  chain_release(&chain);
  report_release(&unused);
  arena_release(&arena);
  return ok;
}
