#include "answers/statistics/splitting.h"

#include "model/query.h"

#include <math.h>

enum { MAX_LEVELS = 100000 };

typedef VEC(RacePoint) Points;

typedef struct Splitting {
  Estimate *estimate;
  Mem *mem;
  const Watch *watch;
  Race race;
  const Code *number;
  uint32_t effort;
  uint64_t next;  // stream
  Points points;  // where the present level was reached; those at the goal are not kept
  uint32_t goals; // runs of the last level that are at the goal
  EstimateStop *stop;
  void *context;
  const char *reason;
} Splitting;

static bool is_open(const Expr *expr) {
  int32_t value;
  return expr->kind != EXPR_CLOCK_TEST && expr->type->kind == TYPE_INT &&
         !expr_is_const(expr, &value);
}

const Expr *splitting_number(const Expr *goal) {
  int32_t value;
  if (!goal)
    return NULL;
  if (goal->kind == EXPR_AND) {
    const Expr *left = splitting_number(goal->a);
    return left ? left : splitting_number(goal->b);
  }
  const bool is_upward = goal->kind == EXPR_GE || goal->kind == EXPR_GT || goal->kind == EXPR_EQ;
  const bool is_downward =
      goal->kind == EXPR_LE || goal->kind == EXPR_LT || goal->kind == EXPR_EQ;
  if (is_upward && is_open(goal->a) && expr_is_const(goal->b, &value) && value > 1)
    return goal->a;
  if (is_downward && is_open(goal->b) && expr_is_const(goal->a, &value) && value > 1)
    return goal->b;
  return NULL;
}

static void release_points(Mem *mem, Points *points) {
  for (uint32_t k = 0; k < points->size; k++) {
    mem_free(mem, points->items[k].state);
    mem_free(mem, points->items[k].clocks);
  }
  vec_release(mem, points);
  *points = (Points){0};
}

static bool should_stop(void *context) {
  Splitting *s = context;
  if (!s->reason && s->stop)
    s->reason = s->stop(s->context, s->estimate);
  return s->reason;
}

static void count_level(Splitting *s, uint32_t index, double threshold, uint32_t reached) {
  Estimate *estimate = s->estimate;
  if (index >= estimate->levels.size) {
    const LevelCount level = {.threshold = threshold};
    vec_push(estimate->mem, &estimate->levels, level);
  }
  estimate->levels.items[index].reached += reached;
  estimate->levels.items[index].runs += s->effort;
}

// Makes the runs of one level. *share: how many of them reached the next one.
static bool climb(Splitting *s, uint32_t index, double threshold, double *share) {
  const uint64_t seed = s->estimate->parameters.seed;
  const uint32_t sources = s->points.size + s->goals;
  Points reached = {0};
  uint32_t goals = 0;
  Philox choice;
  philox_start(&choice, seed, s->next++);
  bool ok = true;
  for (uint32_t k = 0; ok && k < s->effort; k++) {
    const uint32_t source = index ? philox_below(&choice, sources) : 0;
    if (index && source >= s->points.size) { // it is at the goal, and stays there
      goals++;
      continue;
    }
    const WatchLevel level = {index ? &s->points.items[source] : NULL, s->number, threshold};
    Outcome outcome;
    ok = watch_level(s->watch, &s->race, seed, s->next++, &level, &outcome);
    s->estimate->runs++;
    s->estimate->steps += outcome.steps;
    goals += outcome.is_satisfied;
    if (ok && !outcome.is_satisfied && outcome.is_raised) {
      RacePoint point;
      race_save(&s->race, &point, s->mem);
      vec_push(s->mem, &reached, point);
    }
  }
  release_points(s->mem, &s->points);
  s->points = reached;
  s->goals = goals;
  *share = (double)(reached.size + goals) / s->effort;
  count_level(s, index, threshold, reached.size + goals);
  return ok;
}

static bool repeat(Splitting *s, double first, double *product) {
  *product = 1;
  release_points(s->mem, &s->points);
  s->goals = 0;
  for (uint32_t index = 0; index < MAX_LEVELS; index++) {
    double share;
    if (!climb(s, index, first + index, &share))
      return false;
    *product *= share;
    if (!s->points.size)
      break; // all that is left is at the goal, or nothing is left
  }
  s->estimate->satisfied += s->goals;
  return true;
}

// The number in the initial state.
static bool find_first(Splitting *s, double *first) {
  Race *race = &s->race;
  if (!race_start(race, s->estimate->parameters.seed, 0))
    return false;
  return vm_value(&race->motion.vm, s->number, race->motion.state, first) == VM_TRUE ||
         race_fail_vm(race, NET_NONE);
}

static bool run(Splitting *s) {
  Estimate *estimate = s->estimate;
  double first, product;
  if (!find_first(s, &first))
    return false;
  while (estimate->sample.count < SPLITTING_REPETITIONS) {
    if (!repeat(s, floor(first) + 1, &product))
      return false;
    confidence_add(&estimate->sample, product);
    const double half = confidence_student(&estimate->sample, estimate->parameters.test.alpha);
    estimate->value = estimate->sample.mean;
    estimate->interval =
        (Interval){fmax(estimate->value - half, 0), fmin(estimate->value + half, 1)};
  }
  return estimate->is_complete = true;
}

bool splitting_run(Estimate *estimate, Mem *mem, const Laws *laws, const Statistical *query,
                   const Expr *number, const EstimateParameters *parameters, EstimateStop *stop,
                   void *context, const char **reason, Report *report) {
  *estimate = (Estimate){.mem = mem, .kind = query->kind, .parameters = *parameters};
  *reason = NULL;
  Arena arena = {.mem = mem};
  Watch watch;
  const uint64_t runs = query->path.bound.runs;
  if (access_finds_clocks(&arena, laws->net, number))
    report_error(report, number->place, "levels must not depend on clocks");
  else
    watch_path(&watch, &arena, laws, &query->path, report);
  bool ok = !report_failed(report);
  if (ok) {
    Splitting s = {.estimate = estimate,
                   .mem = mem,
                   .watch = &watch,
                   .number = code_value(&arena, number, expr_locals(number)),
                   .effort = runs ? (uint32_t)fmin((double)runs, 1e7) : SPLITTING_EFFORT,
                   .next = UINT64_C(1) << 62,
                   .stop = stop,
                   .context = context};
    race_init(&s.race, laws, mem);
    s.race.should_stop = should_stop, s.race.stop_context = &s;
    ok = run(&s) || s.reason;
    *reason = s.reason;
    if (!ok)
      report_error(report, s.race.error_place, "%s", text_chars(&s.race.error));
    release_points(mem, &s.points);
    race_release(&s.race);
  }
  arena_release(&arena);
  return ok;
}
