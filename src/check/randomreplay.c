#include "check/randomreplay.h"

#include "model/access.h"
#include "model/query.h"
#include "model/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DELAY_LOOKS = 8, MAX_HALVINGS = 16 };
#define LATE 1e-8 // an urgent edge with a strict guard is taken so much after its bound at most

typedef struct Replay {
  Mem *mem;
  const Net *net;
  const RandomRun *run;
  const RandomClaim *claim;
  Text *why;
  uint32_t index; // of the step
  Arena arena;    // of the present step
  Access access;
  Arena access_arena;
  Vm vm;
  ClockUpdates updates;
  RealDraws source;
  uint32_t drawn;
  bool lacks_draws;
  int32_t *state;
  bool *is_real;     // by slot
  double *clocks;    // [0] stays 0
  double *room, *at; // for other moments; `room` has 6 times the clocks
  double time, tolerance;
  bool has_extreme;
  bool has_curves; // clocks that did not move straight within a delay
  bool has_gaps; // delays within which the path's conditions were looked at in some moments only
  VEC(double) roots;
  double extreme;
} Replay;

static bool reject(Replay *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool reject(Replay *r, const char *format, ...) {
  if (r->why->size)
    return false;
  if (r->index < r->run->step_count)
    text_addf(r->why, "step %u: ", r->index);
  else
    text_add(r->why, "the end: ");
  va_list arguments;
  va_start(arguments, format);
  text_addv(r->why, format, arguments);
  va_end(arguments);
  return false;
}

static double draw(void *context) {
  Replay *r = context;
  const RandomStep *step = &r->run->steps[r->index];
  if (r->index < r->run->step_count && r->drawn < step->draw_count)
    return step->draws[r->drawn++];
  r->lacks_draws = true;
  return 0.5;
}

static const Location *location_of(const Replay *r, ProcessId p) {
  return net_location(r->net, p, r->state[r->net->location_slot + p]);
}

// Compiles and computes a number, with these clocks.
static bool compute(Replay *r, const Expr *expr, uint32_t locals, double *clocks, double *value) {
  r->vm.clocks = clocks;
  const VmResult result = vm_value(&r->vm, code_value(&r->arena, expr, locals), r->state, value);
  r->vm.clocks = r->clocks;
  return result == VM_TRUE ||
         reject(r, "%s", r->vm.error ? r->vm.error : "a value is out of range");
}

static bool compare(ExprKind op, double difference, double scale, double slack) {
  const double tolerance = slack * fmax(1, scale);
  switch (op) {
  case EXPR_EQ:
    return fabs(difference) <= tolerance;
  case EXPR_NE:
    return tolerance >= 0 ? difference != 0 || tolerance > 0 : fabs(difference) > -tolerance;
  case EXPR_LT:
    return slack == 0 ? difference < 0 : difference < tolerance;
  case EXPR_LE:
    return difference <= tolerance;
  case EXPR_GT:
    return slack == 0 ? difference > 0 : difference > -tolerance;
  default:
    return difference >= -tolerance;
  }
}

static bool truth(Replay *, const Expr *, uint32_t locals, double *clocks, double slack,
                  bool *holds);

static bool compare_numbers(Replay *r, ExprKind op, const Expr *a, const Expr *b, uint32_t locals,
                            double *clocks, double slack, bool *holds) {
  double left, right;
  if (!compute(r, a, locals, clocks, &left) || !compute(r, b, locals, clocks, &right))
    return false;
  *holds = compare(op, left - right, fmax(fabs(left), fabs(right)), slack);
  return true;
}

// The two sides of a clock test, as real numbers.
static const Expr *left_of(Arena *arena, const Expr *test) {
  const Expr *x = expr_clock_value(arena, test->place, test->a);
  return test->b ? expr_binary(arena, test->place, EXPR_SUB, x,
                               expr_clock_value(arena, test->place, test->b))
                 : x;
}

static const Expr *right_of(Arena *arena, const Expr *test) {
  int64_t constant;
  return expr_is_time(test->c, &constant) ? expr_real(arena, test->place, (double)constant)
                                          : expr_of_int(arena, test->place, test->c);
}

// Whether a condition holds. With a slack above 0, whether it may hold for numbers that differ by
// so much; below 0, whether it must.
static bool truth(Replay *r, const Expr *expr, uint32_t locals, double *clocks, double slack,
                  bool *holds) {
  double value;
  *holds = true;
  if (!expr)
    return true;
  switch (expr->kind) {
  case EXPR_AND:
  case EXPR_OR:
    if (!truth(r, expr->a, locals, clocks, slack, holds))
      return false;
    return *holds == (expr->kind == EXPR_OR) || truth(r, expr->b, locals, clocks, slack, holds);
  case EXPR_NOT:
    if (!truth(r, expr->a, locals, clocks, -slack, holds))
      return false;
    *holds = !*holds;
    return true;
  case EXPR_CLOCK_TEST:
    return compare_numbers(r, expr->op, left_of(&r->arena, expr), right_of(&r->arena, expr),
                           locals, clocks, slack, holds);
  case EXPR_EQ:
  case EXPR_NE:
  case EXPR_LT:
  case EXPR_LE:
  case EXPR_GT:
  case EXPR_GE:
    if (expr->a->type->kind == TYPE_REAL)
      return compare_numbers(r, expr->kind, expr->a, expr->b, locals, clocks, slack, holds);
    break;
  default:
    break;
  }
  if (!compute(r, expr, locals, clocks, &value))
    return false;
  *holds = value != 0;
  return true;
}

static bool reads_clocks(Replay *r, const Expr *expr) {
  access_expr_alone(&r->access, expr);
  return access_has_clocks(&r->access);
}

// How clocks move, and whether that depends on clocks.
static bool find_rates(Replay *r, double *clocks, double *rates, bool *is_curved) {
  rates[0] = 0;
  for (ClockIndex x = 1; x <= r->net->clock_count; x++)
    rates[x] = 1;
  *is_curved = false;
  for (ProcessId p = 0; p < r->net->processes.size; p++) {
    const Location *location = location_of(r, p);
    for (uint32_t k = 0; k < location->clock_rate_count; k++) {
      const ClockRate *rate = &location->clock_rates[k];
      *is_curved |= reads_clocks(r, rate->rate);
      if (!compute(r, rate->rate, 0, clocks, &rates[rate->clock->base]))
        return false;
    }
  }
  return true;
}

// The method of Runge and Kutta of order 4, in equal steps.
static bool integrate(Replay *r, double delay, uint32_t steps, double *values) {
  const uint32_t n = r->net->clock_count + 1;
  double *trial = r->room, *slopes[4];
  const double h = delay / steps, parts[4] = {0, h / 2, h / 2, h};
  bool is_curved;
  for (int k = 0; k < 4; k++)
    slopes[k] = r->room + (size_t)(k + 1) * n;
  memcpy(values, r->clocks, sizeof *values * n);
  for (uint32_t s = 0; s < steps; s++) {
    for (int k = 0; k < 4; k++) {
      for (uint32_t x = 0; x < n; x++)
        trial[x] = values[x] + (k ? parts[k] * slopes[k - 1][x] : 0);
      if (!find_rates(r, trial, slopes[k], &is_curved))
        return false;
    }
    for (uint32_t x = 0; x < n; x++)
      values[x] += h / 6 * (slopes[0][x] + 2 * slopes[1][x] + 2 * slopes[2][x] + slopes[3][x]);
  }
  return true;
}

static double distance(double a, double b) { return fabs(a - b) / fmax(1, fabs(b)); }

// In more and more steps, until it does not matter.
static bool follow_curve(Replay *r, double delay, double *values) {
  const uint32_t n = r->net->clock_count + 1;
  double *before = r->room + 5 * (size_t)n;
  double worst = INFINITY;
  for (uint32_t k = 2; k < MAX_HALVINGS && !(worst <= r->tolerance / 100); k++) {
    if (k > 2)
      memcpy(before, values, sizeof *values * n);
    if (!integrate(r, delay, 1u << k, values))
      return false;
    worst = k > 2 ? 0 : INFINITY;
    for (uint32_t x = 0; x < n && k > 2; x++) {
      const double far = distance(values[x], before[x]);
      worst = !(far <= worst) ? far : worst;
      if (!isfinite(worst)) { // too few steps: no number came out
        worst = INFINITY;
        break;
      }
    }
  }
  return worst <= r->tolerance || reject(r, "the clocks cannot be integrated so far");
}

// a + b * c, and whether it is exact.
static double sum(double a, double b, double c, bool *is_exact) {
  const double product = b * c, total = a + product, rest = total - a;
  *is_exact &= fma(b, c, -product) == 0 && (a - (total - rest)) + (product - rest) == 0;
  return total;
}

// The clocks after a delay.
static bool move(Replay *r, double delay, double *values) {
  const uint32_t n = r->net->clock_count + 1;
  bool is_curved, is_exact = true;
  if (!find_rates(r, r->clocks, r->room, &is_curved))
    return false;
  if (is_curved && r->tolerance == 0)
    return reject(r, "clocks follow differential equations, and the tolerance is 0");
  if (is_curved)
    return follow_curve(r, delay, values);
  for (uint32_t x = 0; x < n; x++)
    values[x] = sum(r->clocks[x], delay, r->room[x], &is_exact);
  return is_exact || r->tolerance > 0 || reject(r, "the value of a clock is not exact");
}

static bool invariants_hold(Replay *r, double *clocks, const char *when) {
  for (ProcessId p = 0; p < r->net->processes.size; p++) {
    const Location *location = location_of(r, p);
    bool holds;
    if (!truth(r, location->invariant_expr, location->locals, clocks, r->tolerance, &holds))
      return false;
    if (!holds)
      return reject(r, "the invariant of %s.%s %s does not hold", r->net->processes.items[p].name,
                    location->name, when);
  }
  return true;
}

static uint32_t channel_of(const Replay *r, const Edge *edge) {
  return r->net->event_channels ? r->net->event_channels[edge->event] : 0;
}

static bool is_sending(const Replay *r, const Edge *edge) {
  const uint32_t channel = channel_of(r, edge);
  return !channel || r->net->channels.items[channel - 1].send == edge->event;
}

static bool sends_urgently(const Replay *r, const Edge *edge) {
  const uint32_t channel = channel_of(r, edge);
  return channel && r->net->channels.items[channel - 1].urgent && is_sending(r, edge);
}

static bool guard_holds(Replay *r, const Edge *edge, double *clocks, double slack, bool *holds) {
  return truth(r, edge->guard_expr, edge->guard_locals, clocks, slack, holds);
}

// Whether an urgent channel, an urgent or a committed location lets no time pass.
static bool can_wait(Replay *r, double *clocks) {
  for (ProcessId p = 0; p < r->net->processes.size; p++) {
    const Location *location = location_of(r, p);
    if (location->urgent || location->committed)
      return reject(r, "time passes in the urgent or committed location %s.%s",
                    r->net->processes.items[p].name, location->name);
    for (uint32_t k = 0; k < location->edge_count; k++) {
      const Edge *edge = &r->net->edges.items[r->net->out[location->first_edge + k]];
      bool holds = sends_urgently(r, edge);
      if (holds && !guard_holds(r, edge, clocks, -r->tolerance, &holds))
        return false;
      if (holds)
        return reject(r, "time passes though %s can send on an urgent channel",
                      r->net->processes.items[p].name);
    }
  }
  return true;
}

// What is claimed of each point of the run but the last one: a goal does not come before the end.
static bool point_is_right(Replay *r, double *clocks, bool is_last) {
  const RandomClaim *claim = r->claim;
  const PathQuery *path = claim->path;
  double value;
  bool holds;
  if (claim->value) {
    if (!compute(r, claim->value, expr_locals(claim->value), clocks, &value))
      return false;
    if (!r->has_extreme || (claim->is_min ? value < r->extreme : value > r->extreme))
      r->extreme = value;
    r->has_extreme = true;
  }
  if (!path || path->kind == PATH_MITL || is_last)
    return true;
  const bool is_always = path->kind == PATH_ALWAYS;
  const uint32_t locals = expr_locals(path->goal);
  if (!truth(r, path->goal, locals, clocks, is_always ? r->tolerance : -r->tolerance, &holds))
    return false;
  if (holds != is_always)
    return reject(r, "the run should have ended before: its goal was decided");
  if (path->kind != PATH_UNTIL)
    return true;
  if (!truth(r, path->hold, expr_locals(path->hold), clocks, r->tolerance, &holds))
    return false;
  return holds || reject(r, "the run should have ended before: the left side of U is false");
}

// Whether a number is a sum of clocks with factors that do not depend on clocks.
static bool is_linear(Replay *r, const Expr *e) {
  if (!reads_clocks(r, e))
    return true;
  switch (e->kind) {
  case EXPR_CLOCK_VALUE:
    return true;
  case EXPR_NEG:
    return is_linear(r, e->a);
  case EXPR_ADD:
  case EXPR_SUB:
    return is_linear(r, e->a) && is_linear(r, e->b);
  case EXPR_MUL:
    return (is_linear(r, e->a) && !reads_clocks(r, e->b)) ||
           (is_linear(r, e->b) && !reads_clocks(r, e->a));
  case EXPR_DIV:
    return is_linear(r, e->a) && !reads_clocks(r, e->b);
  default:
    return false;
  }
}

// Notes when the two sides of a comparison are equal, from the clocks at both ends of a delay.
static bool add_root(Replay *r, const Expr *a, const Expr *b, uint32_t locals, double delay) {
  double left, right, left_end, right_end;
  if (!compute(r, a, locals, r->clocks, &left) || !compute(r, b, locals, r->clocks, &right) ||
      !compute(r, a, locals, r->at, &left_end) || !compute(r, b, locals, r->at, &right_end))
    return false;
  const double first = left - right, last = left_end - right_end;
  const double root = first == last ? 0 : delay * (first / (first - last));
  if (root > 0 && root < delay)
    vec_push(r->mem, &r->roots, root);
  return true;
}

// Lists the moments of a delay, with clocks that move straight, at which the truth of a condition
// can change. *is_full: these are all of them.
static bool list_roots(Replay *r, const Expr *e, uint32_t locals, double delay, bool *is_full) {
  if (!e || !*is_full || !reads_clocks(r, e))
    return true;
  if (e->kind == EXPR_NOT)
    return list_roots(r, e->a, locals, delay, is_full);
  if (e->kind == EXPR_AND || e->kind == EXPR_OR)
    return list_roots(r, e->a, locals, delay, is_full) &&
           list_roots(r, e->b, locals, delay, is_full);
  if (e->kind == EXPR_CLOCK_TEST)
    return add_root(r, left_of(&r->arena, e), right_of(&r->arena, e), locals, delay);
  *is_full = e->kind >= EXPR_EQ && e->kind <= EXPR_GE && e->a->type->kind == TYPE_REAL &&
             is_linear(r, e->a) && is_linear(r, e->b);
  return !*is_full || add_root(r, e->a, e->b, locals, delay);
}

static int compare_roots(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

// The moments at which the guards of urgent edges can change, as far as they are linear.
static bool list_urgent(Replay *r, double delay) {
  for (ProcessId p = 0; p < r->net->processes.size; p++) {
    const Location *location = location_of(r, p);
    for (uint32_t k = 0; k < location->edge_count; k++) {
      const Edge *edge = &r->net->edges.items[r->net->out[location->first_edge + k]];
      bool is_full = true;
      if (sends_urgently(r, edge) &&
          !list_roots(r, edge->guard_expr, edge->guard_locals, delay, &is_full))
        return false;
    }
  }
  return true;
}

// Looks at the path's conditions and at urgent edges wherever their truth can change within a
// delay, and between each two such moments. The clocks at its end are in r->at, and are not kept.
static bool look_between(Replay *r, double delay) {
  const PathQuery *path = r->claim->path;
  const uint32_t n = r->net->clock_count + 1;
  const bool is_watched = path && path->kind != PATH_MITL;
  bool is_curved, is_full;
  vec_clear(&r->roots);
  if (!find_rates(r, r->clocks, r->room, &is_curved))
    return false;
  r->has_curves |= is_curved;
  is_full = !is_curved;
  if (is_watched && (!list_roots(r, path->goal, expr_locals(path->goal), delay, &is_full) ||
                     !list_roots(r, path->hold, expr_locals(path->hold), delay, &is_full)))
    return false;
  r->has_gaps |= is_watched && !is_full;
  if (is_curved)
    return true;
  if (!list_urgent(r, delay))
    return false;
  if (!r->roots.size)
    return true;
  qsort(r->roots.items, r->roots.size, sizeof(double), compare_roots);
  double *rates = r->room + n;
  memcpy(rates, r->room, sizeof *rates * n);
  double before = 0;
  for (uint32_t k = 0; k <= r->roots.size; k++) {
    const double root = k < r->roots.size ? r->roots.items[k] : delay;
    for (int part = 1; part <= 2; part++) {
      const double moment = part == 1 ? before + (root - before) / 2 : root;
      for (uint32_t x = 0; x < n; x++)
        r->at[x] = r->clocks[x] + moment * rates[x];
      if ((moment < delay - LATE && !can_wait(r, r->at)) ||
          (moment < delay && !point_is_right(r, r->at, false)))
        return false;
    }
    before = root;
  }
  return true;
}

static bool pass_time(Replay *r, double until) {
  const uint32_t n = r->net->clock_count + 1;
  const double delay = until - r->time;
  if (!(delay >= 0) || !isfinite(until))
    return reject(r, "time goes backwards");
  if (r->tolerance == 0 && r->time + delay != until)
    return reject(r, "the delay is not exact");
  const double tolerance = r->tolerance;
  for (int k = 0; k < DELAY_LOOKS && delay > tolerance; k++) {
    r->tolerance = fmax(tolerance, 1e-12); // within a delay nothing is exact
    const bool is_right = move(r, delay * k / DELAY_LOOKS, r->at) && can_wait(r, r->at) &&
                          invariants_hold(r, r->at, "during the delay") &&
                          point_is_right(r, r->at, false);
    r->tolerance = tolerance;
    if (!is_right)
      return false;
  }
  if (delay > tolerance) {
    r->tolerance = fmax(tolerance, 1e-12);
    const bool is_right = move(r, delay, r->at) && look_between(r, delay);
    r->tolerance = tolerance;
    if (!is_right)
      return false;
  }
  if (!move(r, delay, r->at))
    return false;
  memcpy(r->clocks, r->at, sizeof *r->clocks * n);
  r->time = until;
  return invariants_hold(r, r->clocks, "after the delay");
}

static bool update(Replay *r, const Update *what) {
  vec_clear(&r->updates);
  r->vm.draws = &r->source;
  const VmResult result = vm_update(&r->vm, what, r->state, &r->updates);
  r->vm.draws = NULL;
  if (result != VM_TRUE)
    return reject(r, "an update fails: %s", r->vm.error ? r->vm.error : "out of range");
  for (uint32_t k = 0; k < r->updates.size; k++) {
    const ClockUpdate *u = &r->updates.items[k];
    r->clocks[u->x] = r->clocks[u->y] + (double)u->constant;
  }
  return true;
}

// The receivers that the run names are those that can receive.
static bool receivers_are_right(Replay *r, const RandomStep *step, uint32_t channel) {
  const Net *net = r->net;
  uint32_t next = 1;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Location *location = location_of(r, p);
    const Edge *taken =
        next < step->edge_count && step->edges[next]->process == p ? step->edges[next++] : NULL;
    bool holds;
    if (taken && (p == step->edges[0]->process || !channel ||
                  taken->event != net->channels.items[channel - 1].receive ||
                  net->locations.items[taken->source].index != location->index))
      return reject(r, "an edge of %s does not receive here", net->processes.items[p].name);
    if (taken && !guard_holds(r, taken, r->clocks, r->tolerance, &holds))
      return false;
    if (taken && !holds)
      return reject(r, "the guard of a receiver, %s, does not hold",
                    net->processes.items[p].name);
    for (uint32_t k = 0; k < location->edge_count; k++) {
      const Edge *edge = &net->edges.items[net->out[location->first_edge + k]];
      if (taken || !channel || p == step->edges[0]->process ||
          edge->event != net->channels.items[channel - 1].receive)
        continue;
      if (!guard_holds(r, edge, r->clocks, -r->tolerance, &holds))
        return false;
      if (holds)
        return reject(r, "%s can receive, and does not take part", net->processes.items[p].name);
    }
  }
  return next == step->edge_count || reject(r, "the edges are not in the order of processes");
}

// Statements before those of the branch.
static const Stmt *stem_of(Replay *r, const Edge *edge) {
  const Stmt *first = NULL, **last = &first;
  for (const Stmt *stmt = edge->update_stmts; stmt && stmt != edge->branch_stmts;
       stmt = stmt->next) {
    Stmt *copy = arena_copy(&r->arena, stmt, sizeof *stmt);
    copy->next = NULL;
    *last = copy;
    last = &copy->next;
  }
  return first;
}

// The edge of one process: its stem and its branch, whose weight must not be 0. `step` is that of
// the sender if the branch sends, else NULL.
static bool take(Replay *r, const Edge *edge, const RandomStep *step) {
  if (edge->stem) {
    const Update stem = code_update(&r->arena, stem_of(r, edge), edge->update_locals);
    const Update branch = code_update(&r->arena, edge->branch_stmts, edge->update_locals);
    double weight = 1;
    if (!update(r, &stem) || (edge->weight && !compute(r, edge->weight, 0, r->clocks, &weight)))
      return false;
    if (!(weight > 0))
      return reject(r, "the weight of the branch is %g", weight);
    if (step && !receivers_are_right(r, step, channel_of(r, edge)))
      return false;
    if (!update(r, &branch))
      return false;
  } else if (!update(r, &edge->update)) {
    return false;
  }
  r->state[r->net->location_slot + edge->process] = net_index(r->net, edge->target);
  return true;
}

static bool committed_is_served(Replay *r, const RandomStep *step) {
  bool is_committed = false, is_served = false;
  for (ProcessId p = 0; p < r->net->processes.size; p++)
    is_committed |= location_of(r, p)->committed;
  for (uint32_t k = 0; k < step->edge_count; k++)
    is_served |= r->net->locations.items[step->edges[k]->source].committed;
  return !is_committed || is_served ||
         reject(r, "a location is committed, and its process does not take part");
}

static bool sender_can(Replay *r, const Edge *edge) {
  bool holds;
  if (r->net->locations.items[edge->source].index != location_of(r, edge->process)->index)
    return reject(r, "%s is not where the edge begins",
                  r->net->processes.items[edge->process].name);
  if (!is_sending(r, edge))
    return reject(r, "the first edge is one that receives");
  if (!guard_holds(r, edge, r->clocks, r->tolerance, &holds))
    return false;
  return holds ||
         reject(r, "the guard of %s does not hold", r->net->processes.items[edge->process].name);
}

static bool is_near(const Replay *r, double found, double said) {
  return found == said || distance(found, said) <= r->tolerance;
}

// What the run says of the state and the clocks is so; then it goes on from what it says.
static bool agrees(Replay *r, const int32_t *state, const double *clocks) {
  const Net *net = r->net;
  for (uint32_t slot = 0; state && slot < net->slots.count; slot++) {
    if (r->is_real[slot]) {
      const double found = real_load(r->state + slot), said = real_load(state + slot);
      if (!is_near(r, found, said))
        return reject(r, "%s is %.17g, not %.17g", net->slots.names[slot], found, said);
      real_store(r->state + slot++, said);
    } else if (state[slot] != r->state[slot]) {
      return slot < net->location_slot ? reject(r, "%s is %d, not %d", net->slots.names[slot],
                                                r->state[slot], state[slot])
                                       : reject(r, "%s is in another location than the run says",
                                                net->slots.names[slot]);
    }
  }
  for (ClockIndex x = 1; x <= net->clock_count; x++) {
    if (!is_near(r, r->clocks[x], clocks[x]))
      return reject(r, "clock %s is %.17g, not %.17g", net->clock_names[x], r->clocks[x],
                    clocks[x]);
    r->clocks[x] = clocks[x];
  }
  return true;
}

// Whether nothing follows the present step.
static bool is_end(const Replay *r) {
  return r->index + 1 == r->run->step_count && r->run->end_time == r->time;
}

static bool follow(Replay *r, const RandomStep *step) {
  const Net *net = r->net;
  if (!step->edge_count)
    return reject(r, "there are no edges");
  const Edge *first = step->edges[0];
  for (uint32_t k = 0; k < step->draw_count; k++)
    if (!(step->draws[k] >= 0 && step->draws[k] < 1))
      return reject(r, "a random number is not between 0 and 1");
  r->drawn = 0;
  if (!pass_time(r, step->time) || !point_is_right(r, r->clocks, false) ||
      !sender_can(r, first) || !committed_is_served(r, step) ||
      (!first->is_late && !receivers_are_right(r, step, channel_of(r, first))) ||
      (net->hooks.before_stmts && !update(r, &net->hooks.before)))
    return false;
  for (uint32_t k = 0; k < step->edge_count; k++)
    if (!take(r, step->edges[k], !k && first->is_late ? step : NULL))
      return false;
  if (net->hooks.after_stmts && !update(r, &net->hooks.after))
    return false;
  if (r->lacks_draws || r->drawn != step->draw_count)
    return reject(r, "the updates draw another number of random numbers");
  return agrees(r, step->state, step->clocks) &&
         invariants_hold(r, r->clocks, "after the step") &&
         point_is_right(r, r->clocks, is_end(r));
}

static bool start(Replay *r) {
  const Net *net = r->net;
  const RandomStep *first = &r->run->steps[0];
  if (first->edge_count || first->time != 0)
    return reject(r, "the run does not begin with an initial state at time 0");
  state_initial(net, r->state, 0);
  for (ClockIndex x = 1; x <= net->clock_count; x++)
    r->clocks[x] = net->clock_start     ? net->clock_start[x]
                   : net->clock_initial ? net->clock_initial[x]
                                        : 0;
  return agrees(r, first->state, first->clocks) &&
         invariants_hold(r, r->clocks, "at the start") && point_is_right(r, r->clocks, is_end(r));
}

// How much of the bound is used up.
static double used(const Replay *r, const RunBound *bound) {
  return bound->kind == RUN_BOUND_TIME    ? r->time
         : bound->kind == RUN_BOUND_STEPS ? r->run->step_count - 1
                                          : r->clocks[bound->clock];
}

// Whether a condition may have changed within a delay, between the moments at which it was looked
// at.
static bool may_change(Replay *r, const Expr *condition) {
  return condition && r->has_gaps && reads_clocks(r, condition);
}

static double bound_slack(const Replay *r) {
  return fmax(r->tolerance, 1e-9) * fmax(1, r->claim->bound->limit);
}

static bool is_short_enough(Replay *r) {
  const RunBound *bound = r->claim->bound;
  return !bound || used(r, bound) <= bound->limit + bound_slack(r) ||
         reject(r, "the run is longer than the bound");
}

// A run whose time is bounded goes on to the bound, whatever happens. Others end where nothing
// can happen any more.
static bool is_long_enough(Replay *r, const char **rest) {
  const RunBound *bound = r->claim->bound;
  if (!bound || !isfinite(bound->limit) || used(r, bound) >= bound->limit - bound_slack(r))
    return true;
  if (bound->kind == RUN_BOUND_TIME)
    return reject(r, "the run ends before the bound");
  if (!*rest)
    *rest = "the run ends before the bound, as nothing else can happen: this was not checked";
  return true;
}

// Whether a value can be beyond what it was at both ends of a delay.
static bool may_peak(Replay *r, const Expr *value) {
  return reads_clocks(r, value) && (r->has_curves || !is_linear(r, value));
}

// Whether the run ends as its outcome says: at the goal, or at the bound.
static bool end_is_right(Replay *r, const char **rest) {
  const PathQuery *path = r->claim->path;
  const double slack = fmax(r->tolerance, 1e-9);
  bool holds = false, keeps = true;
  if (r->claim->value && !is_near(r, r->extreme, r->run->value)) {
    if (!may_peak(r, r->claim->value) ||
        (r->claim->is_min ? r->extreme < r->run->value : r->extreme > r->run->value))
      return reject(r, "the value is %.17g, not %.17g", r->extreme, r->run->value);
    *rest = "the value lies within a delay, where it was not looked for";
  }
  if (path && path->kind == PATH_MITL) {
    *rest = "the formula was not looked at";
    return true;
  }
  if (!is_short_enough(r))
    return false;
  if (!path)
    return is_long_enough(r, rest);
  const bool is_always = path->kind == PATH_ALWAYS;
  if (!truth(r, path->goal, expr_locals(path->goal), r->clocks, is_always ? -slack : slack,
             &holds))
    return false;
  if (path->hold && !truth(r, path->hold, expr_locals(path->hold), r->clocks, -slack, &keeps))
    return false;
  const bool is_decided = r->run->is_satisfied != is_always; // here
  if (may_change(r, path->hold) || (!is_decided && may_change(r, path->goal)))
    *rest = "the formula was looked at in some moments of each delay: what lies between was not "
            "checked";
  if (is_decided)
    return holds != is_always || reject(r, "the goal is not decided at the end");
  if (!truth(r, path->goal, expr_locals(path->goal), r->clocks, is_always ? slack : -r->tolerance,
             &holds))
    return false;
  if (holds != is_always)
    return reject(r, "the goal is decided at the end");
  return (path->kind == PATH_UNTIL && !keeps) || is_long_enough(r, rest);
}

static bool replay(Replay *r, const char **rest) {
  const RandomRun *run = r->run;
  *rest = NULL;
  if (!run->step_count)
    return reject(r, "there are no steps");
  if (!start(r))
    return false;
  for (r->index = 1; r->index < run->step_count; r->index++) {
    const bool is_right = follow(r, &run->steps[r->index]);
    arena_release(&r->arena);
    r->arena = (Arena){.mem = r->mem};
    if (!is_right)
      return false;
  }
  return pass_time(r, run->end_time) && agrees(r, NULL, run->end_clocks) &&
         point_is_right(r, r->clocks, true) && end_is_right(r, rest);
}

bool randomreplay_run(Mem *owner, const Net *net, const RandomRun *run, const RandomClaim *claim,
                      Text *why, const char **rest) {
  Mem *mem = mem_part(owner);
  Replay r = {.mem = mem,
              .net = net,
              .run = run,
              .claim = claim,
              .why = why,
              .arena = {.mem = mem},
              .access_arena = {.mem = mem},
              .tolerance = run->tolerance};
  const size_t clocks = net->clock_count + 1;
  net_vm(net, &r.vm, mem);
  r.source = (RealDraws){draw, &r};
  access_init(&r.access, &r.access_arena, net);
  r.state = mem_alloc(mem, (net->slots.count + 1) * sizeof *r.state);
  r.is_real = mem_alloc(mem, net->slots.count + 1);
  r.clocks = mem_alloc(mem, clocks * sizeof *r.clocks);
  r.room = mem_alloc(mem, 6 * clocks * sizeof *r.room);
  r.at = mem_alloc(mem, clocks * sizeof *r.at);
  r.vm.clocks = r.clocks;
  random_run_reals(net, r.is_real);
  const bool accepted = replay(&r, rest);
  mem_release_part(mem);
  return accepted;
}
