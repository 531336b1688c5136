#include "semantics/stochastic/watch.h"

#include "model/expr/expand.h"
#include "model/query.h"

#include <math.h>

enum { SAMPLES = 16 }; // of a number within a delay

// Notes what an expression reads; NULL reads nothing.
static void note_reads(Watch *watch, Arena *arena, const Expr *expr) {
  Access access;
  access_init(&access, arena, watch->laws->net);
  bool *reads = watch->reads ? (bool *)(uintptr_t)watch->reads
                             : ARENA_ARRAY(arena, bool, access.cell_count);
  access_expr(&access, expr);
  for (uint32_t k = 0; k < access.marked.size; k++) {
    reads[access.marked.items[k]] = true;
    watch->reads_more |= !watch->laws->readers[access.marked.items[k]].count;
    watch->is_moving |= access.marked.items[k] >= access.first_clock;
  }
  watch->reads = reads;
  access_release(&access);
}

static const Condition *make_condition(const Laws *laws, Arena *arena, const Expr *expr,
                                       bool negated) {
  Access access;
  access_init(&access, arena, laws->net);
  const Expr *whole = expr;
  if (negated)
    whole =
        expr ? expr_unary(arena, expr->place, EXPR_NOT, expr) : expr_const(arena, (Place){0}, 0);
  const Condition *condition = condition_make(arena, &access, whole, expr_locals(whole));
  access_release(&access);
  return condition;
}

static bool watch_mitl(Watch *watch, Arena *arena, const Mitl *mitl, Report *report) {
  const Expr *atoms[MONITOR_MAX_ATOMS];
  watch->mitl = mitl;
  watch->mitl_steps = monitor_steps(mitl);
  watch->atom_count = monitor_atoms(mitl, atoms);
  if (watch->atom_count > MONITOR_MAX_ATOMS)
    return report_error(report, mitl->place, "the formula has more than %d conditions",
                        MONITOR_MAX_ATOMS);
  for (uint32_t k = 0; k < watch->atom_count; k++)
    watch->atoms[k] = make_condition(watch->laws, arena, atoms[k], false);
  for (uint32_t k = 0; k < watch->atom_count; k++)
    note_reads(watch, arena, atoms[k]);
  watch->bound = (RunBound){.limit = monitor_horizon(mitl)};
  return true;
}

bool watch_path(Watch *watch, Arena *arena, const Laws *laws, const PathQuery *path,
                Report *report) {
  *watch = (Watch){.laws = laws, .bound = path->bound};
  if (path->kind == PATH_MITL)
    return watch_mitl(watch, arena, path->mitl, report);
  note_reads(watch, arena, path->goal);
  note_reads(watch, arena, path->hold);
  watch->is_goal_bad = path->kind == PATH_ALWAYS;
  watch->goal = make_condition(laws, arena, path->goal, watch->is_goal_bad);
  if (path->kind == PATH_UNTIL)
    watch->trap = make_condition(laws, arena, path->hold, true);
  return true;
}

// Sums of clocks have their extremes at the ends of delays.
static bool is_sum(const Expr *expr) {
  if (expr->kind == EXPR_ADD || expr->kind == EXPR_SUB)
    return is_sum(expr->a) && is_sum(expr->b);
  return expr->kind == EXPR_CLOCK_VALUE || expr->kind == EXPR_REAL || expr->kind == EXPR_OF_INT ||
         expr->kind == EXPR_VAR;
}

void watch_numbers(Watch *watch, Arena *arena, const Laws *laws, const RunBound *bound,
                   const Expr *const *exprs, uint32_t count, bool is_min, const Expr *goal) {
  *watch = (Watch){.laws = laws, .bound = *bound, .number_count = count, .is_min = is_min};
  WatchNumber *numbers = ARENA_ARRAY(arena, WatchNumber, count);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t locals = expr_locals(exprs[k]);
    const Expr *expr = expr_expand(arena, exprs[k], &locals);
    numbers[k].code = code_value(arena, expr, locals);
    numbers[k].is_sampled = access_finds_clocks(arena, laws->net, exprs[k]) &&
                            (laws->has_curves || !is_sum(exprs[k]));
  }
  watch->numbers = numbers;
  for (uint32_t k = 0; k < count; k++)
    note_reads(watch, arena, exprs[k]);
  note_reads(watch, arena, goal);
  if (goal)
    watch->goal = make_condition(laws, arena, goal, false);
}

// A run that is being watched.
typedef struct Watching {
  const Watch *watch;
  Race *race;
  Outcome *outcome;
  WatchPoint *point;
  void *context;
  double *values;
  bool has_value;
  Monitor monitor;
  uint32_t later_steps;    // after the horizon of a formula
  double last_step;        // the moment of the last of them
  const WatchLevel *level; // NULL: none
} Watching;

static double position(const Watching *w) {
  return w->watch->bound.kind == RUN_BOUND_TIME ? w->race->time
         : w->watch->bound.kind == RUN_BOUND_STEPS
             ? (double)w->race->steps
             : w->race->motion.clocks[w->watch->bound.clock];
}

// Looks at the numbers, with the clocks that the Vm has.
static bool observe(Watching *w, double time, bool is_inner) {
  const Watch *watch = w->watch;
  Motion *motion = &w->race->motion;
  for (uint32_t k = 0; k < watch->number_count; k++)
    if (vm_value(&motion->vm, watch->numbers[k].code, motion->state, &w->values[k]) != VM_TRUE)
      return race_fail_vm(w->race, NET_NONE);
  if (!watch->number_count)
    return true;
  const double value = w->values[0];
  if (!w->has_value || (watch->is_min ? value < w->outcome->value : value > w->outcome->value))
    w->outcome->value = value;
  w->has_value = true;
  if (w->point)
    w->point(w->context, w->race, time, w->values, is_inner);
  return true;
}

// Notes the truths of the atoms from now on.
static bool note_position(Watching *w, bool is_step) {
  MonitorPosition position = {.start = w->race->time, .is_step = is_step};
  for (uint32_t k = 0; k < w->watch->atom_count; k++) {
    const VmResult result = condition_holds(w->watch->atoms[k], &w->race->motion);
    if (result != VM_TRUE && result != VM_FALSE)
      return race_fail_vm(w->race, NET_NONE);
    position.truths |= (uint64_t)(result == VM_TRUE) << k;
  }
  vec_push(w->race->mem, &w->monitor.positions, position);
  return true;
}

// Lets time pass up to a moment, with a position for each change of an atom in between.
static bool note_delay(Watching *w, double end) {
  Race *race = w->race;
  const double least = 4 * CONDITION_TOLERANCE * fmax(1, end);
  for (;;) {
    const uint64_t truths = vec_last(&w->monitor.positions).truths;
    double next = end - race->time;
    for (uint32_t k = 0; k < w->watch->atom_count; k++) {
      double change;
      bool is_open;
      if (!condition_is_moving(w->watch->atoms[k]))
        continue;
      if (condition_first(w->watch->atoms[k], &race->motion, !(truths >> k & 1), next, &change,
                          &is_open) != VM_TRUE)
        return race->error.size ? false : race_fail_vm(race, NET_NONE);
      if (isfinite(change))
        next = fmin(next, fmax(is_open ? change + least : change, least));
    }
    if (!(race->time + next < end))
      return true;
    if (!race_delay(race, race->time + next) || !note_position(w, false))
      return false;
  }
}

// The numbers after a part of a delay.
static bool observe_part(Watching *w, double part) {
  Race *race = w->race;
  Motion *motion = &race->motion;
  if (motion->is_curved) {
    if (motion->advance(race, part) != VM_TRUE)
      return false;
  } else {
    for (uint32_t c = 0; c < motion->clock_count; c++)
      motion->moved[c] = motion->clocks[c] + part * motion->rates[c];
  }
  motion->vm.clocks = motion->moved;
  const bool is_known = observe(w, race->time + part, true);
  motion->vm.clocks = motion->clocks;
  return is_known;
}

// Closes in on an extreme of the first number between two delays.
static bool refine(Watching *w, double low, double high) {
  const double golden = 0.6180339887498949;
  for (int k = 0; k < 40 && high - low > 1e-9; k++) {
    const double left = high - golden * (high - low), right = low + golden * (high - low);
    if (!observe_part(w, left))
      return false;
    const double value = w->values[0];
    if (!observe_part(w, right))
      return false;
    const bool is_right = w->watch->is_min ? w->values[0] < value : w->values[0] > value;
    *(is_right ? &low : &high) = is_right ? left : right;
  }
  return true;
}

// The numbers within a delay, if they can have extremes there.
static bool observe_delay(Watching *w, double delay) {
  Race *race = w->race;
  bool is_sampled = false;
  for (uint32_t k = 0; k < w->watch->number_count; k++)
    is_sampled |= w->watch->numbers[k].is_sampled;
  if (!is_sampled)
    return true;
  double at = 0, low = 0, high = 0, best = w->outcome->value;
  bool is_next = false;
  while (at < delay) {
    const double next =
        race->motion.is_curved ? race->motion.next_sample(race, at) : at + delay / SAMPLES;
    if (is_next)
      high = fmin(next, delay), is_next = false;
    if (next >= delay)
      break;
    if (!observe_part(w, next))
      return false;
    if (w->outcome->value != best) // the best so far: the extreme lies around it
      best = w->outcome->value, low = at, high = delay, is_next = true;
    at = next;
  }
  return w->point || high <= low || refine(w, low, high);
}

// Whether the run ends within the delay, and if so how.
static bool look(Watching *w, double delay, bool *is_over) {
  const Watch *watch = w->watch;
  Race *race = w->race;
  double hit = INFINITY, trap = INFINITY;
  bool is_open = false, trap_is_open = false;
  *is_over = false;
  if (watch->goal &&
      condition_first(watch->goal, &race->motion, true, delay, &hit, &is_open) != VM_TRUE)
    return race->error.size ? false : race_fail_vm(race, NET_NONE);
  if (watch->trap &&
      condition_first(watch->trap, &race->motion, true, delay, &trap, &trap_is_open) != VM_TRUE)
    return race->error.size ? false : race_fail_vm(race, NET_NONE);
  if (isinf(hit) && isinf(trap))
    return true;
  *is_over = true;
  const bool is_hit = hit < trap || (hit == trap && !is_open);
  if (!race_delay(race, race->time + fmin(hit, trap)))
    return false;
  w->outcome->is_satisfied = is_hit != watch->is_goal_bad;
  w->outcome->at = position(w);
  return true;
}

// The moment at which the bound is reached.
static double find_horizon(const Watching *w) {
  const RunBound *bound = &w->watch->bound;
  const Motion *motion = &w->race->motion;
  if (bound->kind == RUN_BOUND_TIME && w->later_steps < w->watch->mitl_steps)
    return INFINITY;
  if (bound->kind == RUN_BOUND_TIME)
    return bound->limit + (w->watch->mitl_steps ? w->last_step : 0);
  if (bound->kind == RUN_BOUND_STEPS)
    return INFINITY;
  const double left = bound->limit - motion->clocks[bound->clock];
  const double rate = motion->rates[bound->clock];
  return left <= 0 ? w->race->time : rate > 0 ? w->race->time + left / rate : INFINITY;
}

static bool is_beyond(const Watching *w) {
  const RunBound *bound = &w->watch->bound;
  return bound->kind == RUN_BOUND_STEPS
             ? (double)w->race->steps >= bound->limit
             : bound->kind == RUN_BOUND_CLOCK &&
                   w->race->motion.clocks[bound->clock] >
                       bound->limit + CONDITION_TOLERANCE * fmax(1, bound->limit);
}

// Whether the last step may have changed what is watched.
static bool is_touched(const Watching *w) {
  for (uint32_t k = 0; k < w->race->written.size; k++)
    if (w->watch->reads[w->race->written.items[k]])
      return true;
  return w->watch->is_moving || w->point || w->watch->mitl_steps;
}

// Whether the run has come to its level.
static bool look_at_level(Watching *w, bool *is_over) {
  double value;
  if (!w->level || *is_over)
    return true;
  if (vm_value(&w->race->motion.vm, w->level->number, w->race->motion.state, &value) != VM_TRUE)
    return race_fail_vm(w->race, NET_NONE);
  *is_over = w->outcome->is_raised = value >= w->level->threshold;
  return true;
}

// One delay and one step. *is_over: the run has ended.
static bool go_on(Watching *w, bool *is_over) {
  Race *race = w->race;
  double moment;
  ProcessId winner;
  bool acted;
  if (!race_next(race, &moment, &winner))
    return false;
  race->horizon = find_horizon(w);
  const bool is_committed = race->committed;
  const double last = race->horizon + CONDITION_TOLERANCE * fmax(1, race->horizon);
  const bool is_last = moment > last || isinf(moment) ||
                       (!is_committed && race->locks[winner] && moment >= race->horizon);
  double end = is_last ? race->horizon : moment;
  if (isinf(end)) // nothing will ever happen
    end = race->time;
  if (end > race->time) {
    // The moment at which a strict invariant ends is not reached.
    const bool is_open = !is_last && !is_committed && race->locks[winner] == RACE_LOCK_OPEN;
    const double seen = end - race->time - (is_open ? 4 * CONDITION_TOLERANCE * fmax(1, end) : 0);
    if ((w->watch->is_moving && seen >= 0 && !look(w, seen, is_over)) || *is_over)
      return !race->error.size;
    if (w->watch->mitl && !note_delay(w, end))
      return false;
    const bool is_seen = w->watch->is_moving || w->point;
    if ((is_seen && !observe_delay(w, end - race->time)) || !race_delay(race, end) ||
        (is_seen && !observe(w, race->time, false)))
      return false;
  }
  *is_over = is_last;
  if (is_last)
    return true;
  if (!race_act(race, winner, &acted))
    return false;
  if (!acted)
    return true;
  if (is_touched(w) && (!observe(w, race->time, false) || !look(w, 0, is_over) ||
                        (w->watch->mitl && !note_position(w, true))))
    return false;
  if (!look_at_level(w, is_over))
    return false;
  if (w->later_steps < w->watch->mitl_steps && race->time >= w->watch->bound.limit)
    w->later_steps++, w->last_step = race->time;
  *is_over = *is_over || is_beyond(w);
  return true;
}

static bool run_from(const Watch *watch, Race *race, uint64_t seed, uint64_t run,
                     const WatchLevel *level, Outcome *outcome, WatchPoint *point,
                     void *context) {
  double few[8];
  Watching w = {watch, race, outcome, point, context, few, false, {.mem = race->mem},
                0,     0,    level};
  *outcome = (Outcome){.is_satisfied = watch->is_goal_bad, .at = INFINITY};
  if (watch->number_count > 8)
    w.values = mem_alloc(race->mem, sizeof(double) * watch->number_count);
  bool is_over = false;
  race->notes_all = watch->reads_more;
  race_set_horizon(race, watch->bound.kind == RUN_BOUND_TIME ? watch->bound.limit : INFINITY);
  bool is_good = race_start(race, seed, run);
  if (is_good && level && level->from)
    race_resume(race, level->from);
  is_good = is_good && observe(&w, race->time, false) && look(&w, 0, &is_over) &&
            (!watch->mitl || note_position(&w, false)) && look_at_level(&w, &is_over);
  while (is_good && !is_over)
    is_good = go_on(&w, &is_over);
  if (w.values != few)
    mem_free(race->mem, w.values);
  w.monitor.end = race->time;
  if (is_good && watch->mitl)
    outcome->is_satisfied = monitor_holds(&w.monitor, watch->mitl);
  vec_release(race->mem, &w.monitor.positions);
  outcome->time = race->time;
  outcome->steps = race->steps;
  return is_good;
}

bool watch_run(const Watch *watch, Race *race, uint64_t seed, uint64_t run, Outcome *outcome,
               WatchPoint *point, void *context) {
  return run_from(watch, race, seed, run, NULL, outcome, point, context);
}

bool watch_level(const Watch *watch, Race *race, uint64_t seed, uint64_t number,
                 const WatchLevel *level, Outcome *outcome) {
  return run_from(watch, race, seed, number, level, outcome, NULL, NULL);
}
