#include "check/replay.h"

#include "check/meaning.h"
#include "check/rates.h"
#include "check/transitions.h"
#include "check/waiting.h"
#include "model/meta.h"

#include <stdio.h>
#include <string.h>

// Numbers beyond this are refused, so that nothing here can overflow: times never decrease and
// are at most 2^60; a clock is at most 2^60 after an update, so at most 2^61 after the delays
// that follow. A constant of the model is at most 2^31, or 2^48 in nets with large ones, and at
// most 2^61 if it is multiplied by the denominator. Sums and differences of two of these are
// below 2^63.
#define REPLAY_MAX (INT64_C(1) << 60)
int64_t replay_max_denominator(const Net *net) {
  return INT64_C(1) << (net_is_wide(net) ? 13 : 30);
}

typedef struct Replay {
  Mem *mem;
  const Net *net;
  const Run *run;
  Text *why;
  uint32_t index; // of the step
  Transitions transitions;
  Rates rates;
  Vm vm;
  ClockTests tests;
  ClockUpdates updates;
  int32_t *state;
  int64_t *clocks; // numerators; [0] stays 0
  int64_t time;
} Replay;

static bool reject(Replay *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool reject(Replay *r, const char *format, ...) {
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

static void add_test(Text *text, const Net *net, const ClockTest *test) {
  const char *relation = test->strict ? "<" : "<=";
  if (!test->i)
    text_addf(text, "%s %s %lld", net->clock_names[test->j],
              test->strict ? ">" : ">=", (long long)-test->constant);
  else if (!test->j)
    text_addf(text, "%s %s %lld", net->clock_names[test->i], relation, (long long)test->constant);
  else
    text_addf(text, "%s - %s %s %lld", net->clock_names[test->i], net->clock_names[test->j],
              relation, (long long)test->constant);
}

// The clock tests that were collected; `what` they belong to, for the message.
static bool clocks_hold(Replay *r, const char *what) {
  for (uint32_t i = 0; i < r->tests.size; i++) {
    const ClockTest *test = &r->tests.items[i];
    const int64_t left = r->clocks[test->i] - r->clocks[test->j];
    const int64_t right = test->constant * r->run->denominator;
    if (test->strict ? left < right : left <= right)
      continue;
    reject(r, "%s does not hold: ", what);
    add_test(r->why, r->net, test);
    text_add(r->why, ", and it is ");
    text_add_fraction(r->why, test->i ? left : -left, r->run->denominator);
    return false;
  }
  return true;
}

static bool result_holds(Replay *r, VmResult result, const char *what) {
  if (result == VM_TRUE)
    return true;
  if (result == VM_FALSE)
    return reject(r, "%s does not hold", what);
  return reject(r, "%s fails: %s", what, r->vm.error);
}

static bool invariants_hold(Replay *r, const char *when) {
  const Net *net = r->net;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Location *location = net_location(net, p, r->state[net->location_slot + p]);
    char what[256];
    snprintf(what, sizeof what, "the invariant of %s.%s %s", net->processes.items[p].name,
             location->name, when);
    vec_clear(&r->tests);
    if (!result_holds(r, meaning_guard(&r->vm, r->net, &location->invariant, r->state, &r->tests),
                      what) ||
        !clocks_hold(r, what))
      return false;
  }
  return true;
}

static bool pass_time(Replay *r, int64_t until) {
  if (until < r->time)
    return reject(r, "time goes backwards");
  if (until > REPLAY_MAX)
    return reject(r, "the time is too large");
  const int64_t passed = until - r->time; // 0 <= r->time <= until
  if (passed && !transitions_can_delay(&r->transitions, r->state))
    return reject(r, "time passes in an urgent or committed location");
  const TransitionPoint now = {r->state, r->clocks, r->run->denominator};
  if (passed && transitions_urgent(&r->transitions, &r->vm, &now, passed))
    return reject(r, "time passes though an urgent synchronisation is enabled");
  const char *error = rates_find(&r->rates, &r->vm, r->state);
  if (passed && error)
    return reject(r, "%s", error);
  for (ClockIndex x = 1; x <= r->net->clock_count; x++)
    if (!r->rates.stands_still[x])
      r->clocks[x] += passed;
  r->time = until;
  return invariants_hold(r, "after the delay");
}

static bool guards_hold(Replay *r, const RunStep *step) {
  for (uint32_t i = 0; i < step->edge_count; i++) {
    const Edge *edge = step->edges[i];
    char what[256];
    snprintf(what, sizeof what, "the guard of %s: %s -> %s",
             r->net->processes.items[edge->process].name,
             r->net->locations.items[edge->source].name,
             r->net->locations.items[edge->target].name);
    vec_clear(&r->tests);
    if (!result_holds(r, meaning_guard(&r->vm, r->net, &edge->guard, r->state, &r->tests),
                      what) ||
        !clocks_hold(r, what))
      return false;
  }
  return true;
}

static bool update_clocks(Replay *r) {
  for (uint32_t i = 0; i < r->updates.size; i++) {
    const ClockUpdate u = r->updates.items[i];
    r->clocks[u.x] = r->clocks[u.y] + u.constant * r->run->denominator;
    if (r->clocks[u.x] < 0)
      return reject(r, "clock %s becomes negative", r->net->clock_names[u.x]);
    if (r->clocks[u.x] > REPLAY_MAX)
      return reject(r, "clock %s becomes too large", r->net->clock_names[u.x]);
  }
  return true;
}

static bool in_ranges(Replay *r) {
  for (uint32_t slot = 0; slot < r->net->slots.count; slot++)
    if (r->state[slot] < r->net->slots.min[slot] || r->state[slot] > r->net->slots.max[slot])
      return reject(r, "%s is out of its range",
                    slot < r->net->location_slot ? r->net->slots.names[slot] : "a location");
  return true;
}

static bool update_runs(Replay *r, const Update *update, const char *what) {
  return result_holds(r, meaning_update(&r->vm, r->net, update, r->state, &r->updates), what);
}

static bool updates_run(Replay *r, const RunStep *step) {
  vec_clear(&r->updates);
  if (!update_runs(r, &r->net->hooks.before, "what comes before every update"))
    return false;
  for (uint32_t i = 0; i < step->edge_count; i++)
    if (!update_runs(r, &step->edges[i]->update, "an update"))
      return false;
  if (!update_runs(r, &r->net->hooks.after, "what comes after every update"))
    return false;
  for (uint32_t i = 0; i < step->edge_count; i++) {
    const Edge *edge = step->edges[i];
    r->state[r->net->location_slot + edge->process] = net_index(r->net, edge->target);
  }
  return update_clocks(r) && in_ranges(r);
}

// What the run says of the state and the clocks is so.
static bool agrees(Replay *r, const int32_t *state, const int64_t *clocks) {
  const Net *net = r->net;
  for (uint32_t slot = 0; state && slot < net->slots.count; slot++) {
    if (state[slot] == r->state[slot])
      continue;
    if (slot < net->location_slot)
      return reject(r, "%s is %d, not %d", net->slots.names[slot], r->state[slot], state[slot]);
    const ProcessId p = slot - net->location_slot;
    return reject(r, "%s is in %s, not where the run says", net->processes.items[p].name,
                  net_location(net, p, r->state[slot])->name);
  }
  for (ClockIndex x = 1; clocks && x <= net->clock_count; x++)
    if (clocks[x] != r->clocks[x]) {
      reject(r, "clock %s is ", net->clock_names[x]);
      text_add_fraction(r->why, r->clocks[x], r->run->denominator);
      text_add(r->why, ", not ");
      text_add_fraction(r->why, clocks[x], r->run->denominator);
      return false;
    }
  return true;
}

static bool start(Replay *r) {
  const Net *net = r->net;
  const RunStep *first = &r->run->steps[0];
  if (first->edge_count)
    return reject(r, "the run does not begin with an initial state");
  if (first->time)
    return reject(r, "the run does not begin at time 0");
  memcpy(r->state, net->slots.initial, net->slots.count * sizeof *r->state);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const uint32_t slot = net->location_slot + p;
    const int32_t index = first->state[slot];
    if (index < net->slots.min[slot] || index > net->slots.max[slot] ||
        !net_location(net, p, index)->initial)
      return reject(r, "%s does not begin in an initial location", net->processes.items[p].name);
    r->state[slot] = index;
  }
  for (ClockIndex x = 1; net->clock_initial && x <= net->clock_count; x++)
    r->clocks[x] = net->clock_initial[x] * r->run->denominator;
  return agrees(r, first->state, first->clocks) && invariants_hold(r, "at the start");
}

// Whether the edges are what happens at this point, of all joint transitions of channels.
static bool is_enabled(Replay *r, const RunStep *step) {
  const TransitionPoint now = {r->state, r->clocks, r->run->denominator};
  if (!r->net->channels.size && !r->net->priority.is_used)
    return true;
  if (!transitions_at(&r->transitions, &r->vm, &now, step->edges, step->edge_count))
    return reject(r, "a guard fails: %s", r->vm.error);
  if (!transitions_contain(&r->transitions, step->edges, step->edge_count))
    return reject(r, "the guards hold, but these edges are not what happens: other receivers "
                     "take part, a location is committed, or something has a higher priority");
  return true;
}

static bool edges_start_here(Replay *r, const RunStep *step) {
  if (!r->net->channels.size && !r->net->priority.is_used) {
    transitions_find(&r->transitions, r->state);
    return transitions_contain(&r->transitions, step->edges, step->edge_count);
  }
  for (uint32_t i = 0; i < step->edge_count; i++) {
    const Edge *edge = step->edges[i];
    if (r->state[r->net->location_slot + edge->process] != net_index(r->net, edge->source))
      return false;
  }
  return true;
}

static bool follow(Replay *r, const RunStep *step) {
  if (!pass_time(r, step->time))
    return false;
  if (!edges_start_here(r, step))
    return reject(r, "these edges are no joint transition of this state");
  return guards_hold(r, step) && is_enabled(r, step) && updates_run(r, step) &&
         agrees(r, step->state, step->clocks) && invariants_hold(r, "after the step");
}

// Whether the state is deadlocked or not, as the clause asks.
static bool end_holds(Replay *r, GoalEnd end) {
  if (end == GOAL_ANY)
    return true;
  Waiting waiting;
  waiting_init(&waiting, r->mem, r->net);
  return (end == GOAL_DEADLOCKED ? waiting_is_deadlocked : waiting_can_act)(
      &waiting, r->state, r->clocks, r->run->denominator);
}

static bool goal_holds(Replay *r, const Goal *goal) {
  meaning_goal(&r->vm, r->net, goal, r->state);
  for (uint32_t i = 0; i < goal->clause_count; i++) {
    vec_clear(&r->tests);
    const VmResult result = vm_guard(&r->vm, &goal->clauses[i], r->state, &r->tests);
    if (result == VM_ERROR || result == VM_INVALID)
      return reject(r, "the goal fails: %s", r->vm.error);
    if (result == VM_TRUE && clocks_hold(r, "the goal") &&
        (!goal->ends || end_holds(r, goal->ends[i])))
      return true;
    text_clear(r->why); // another clause may hold
  }
  return reject(r, "the goal does not hold");
}

// The state and the clocks after the last step are those after step loop_from, so that what
// followed can follow again, after the same delays.
static bool repeats(Replay *r) {
  const Run *run = r->run;
  if (run->loop_from + 1 >= run->step_count)
    return reject(r, "the part that repeats has no steps");
  if (run->goes_on)
    return reject(r, "only a run in which a clock grows goes on after the part that repeats");
  const RunStep *from = &run->steps[run->loop_from];
  if (!from->clocks && r->net->clock_count)
    return reject(r, "the clocks where the repeating part begins are not stated");
  return agrees(r, meta_is_same(r->net, from->state, r->state) ? NULL : from->state,
                from->clocks);
}

static bool replay(Replay *r, const Goal *goal) {
  const Run *run = r->run;
  if (!run->step_count || run->denominator < 1 ||
      run->denominator > replay_max_denominator(r->net))
    return reject(r, "no steps, or a denominator out of range");
  if (r->net->traits.has_stopwatches && (run->repeats || (goal && goal->ends)))
    return reject(r, "clocks are stopped in this model: it is not known what follows");
  if (!start(r))
    return false;
  for (r->index = 1; r->index < run->step_count; r->index++)
    if (!follow(r, &run->steps[r->index]))
      return false;
  if (run->repeats && !repeats(r))
    return false;
  return pass_time(r, run->end_time) && agrees(r, NULL, run->end_clocks) &&
         (!goal || goal_holds(r, goal));
}

bool replay_run(Mem *owner, const Net *net, const Goal *goal, const Run *run, Text *why) {
  Mem *mem = mem_part(owner);
  Replay r = {.mem = mem, .net = net, .run = run, .why = why};
  net_vm(net, &r.vm, mem);
  r.vm.max_constant = NET_MAX_WIDE;
  transitions_init(&r.transitions, mem, net);
  rates_init(&r.rates, mem, net);
  r.state = mem_alloc(mem, net->slots.count * sizeof *r.state);
  r.clocks = mem_alloc(mem, (net->clock_count + 1) * sizeof *r.clocks);
  const bool accepted = replay(&r, goal);
  mem_release_part(mem);
  return accepted;
}
