#include "check/pointset.h"

#include "base/keytable.h"
#include "check/meaning.h"
#include "check/statetransitions.h"
#include "model/state.h"

#include <string.h>

// Of tests at a point: limits may leave them undecided.
typedef enum Truth { NO, YES, UNKNOWN } Truth;

enum { VALUE_MAX = 1 << 28 }; // a value in a file; sums with updates are made in 64 bits

typedef struct ClauseTests { // of Pointset.clauses
  uint32_t first, count;
} ClauseTests;

typedef struct Pointset {
  Mem *mem;
  const Net *net;
  const Goal *goal;
  Text *why;
  CertifyCounts *counts;
  Certificate c;
  uint32_t n;          // clocks, clock 0 included
  KeyTable states;     // numbered in the order of the file
  KeyTable points;     // number of the state, and values
  VEC(size_t) chains;  // by state: where its number of chains is
  VEC(int32_t) limits; // by state, n each
  uint32_t number;     // of the present state
  int32_t *state;
  int32_t *values, *next; // the present point, and one that it leads to
  uint64_t *state_key, *key;
  StateTransitions outgoing; // of the present state
  VEC(ClauseTests) clauses;
  ClockTests tests; // of the clauses
} Pointset;

static const int32_t *limits_of(const Pointset *p, uint32_t number) {
  return &p->limits.items[(size_t)number * p->n];
}

// --- The file.

static uint32_t state_number(Pointset *p, const int32_t *state, bool *is_new) {
  memset(p->state_key, 0, p->states.key_words * sizeof *p->state_key);
  memcpy(p->state_key, state, p->net->slots.count * sizeof *state);
  return keytable_add(&p->states, p->state_key, is_new);
}

// Whether the set has the point; it has it from then on.
static bool has_point(Pointset *p, uint32_t number, const int32_t *values) {
  bool is_new;
  memset(p->key, 0, p->points.key_words * sizeof *p->key);
  memcpy(p->key, &number, sizeof number);
  memcpy((char *)p->key + sizeof number, values + 1, (p->n - 1) * sizeof *values);
  keytable_add(&p->points, p->key, &is_new);
  return !is_new;
}

static void read_state(Pointset *p) {
  const Net *net = p->net;
  for (uint32_t s = 0; s < net->slots.count; s++)
    p->state[s] = certificate_value(&p->c, net->slots.min[s], net->slots.max[s]);
}

// One unit of time, from `values` to `next`; false if nothing changes.
static bool wait(const Pointset *p, const int32_t *values, int32_t *next) {
  const int32_t *limits = limits_of(p, p->number);
  bool changes = false;
  next[0] = 0;
  for (ClockIndex x = 1; x < p->n; x++) {
    next[x] = values[x] + (values[x] < limits[x]);
    changes |= next[x] != values[x];
  }
  return changes;
}

// The next chain: its first point becomes the present one. Returns how many follow.
static uint32_t read_chain(Pointset *p) {
  const int32_t *limits = limits_of(p, p->number);
  for (ClockIndex x = 1; x < p->n; x++)
    p->values[x] = (int32_t)certificate_small(&p->c, (uint64_t)limits[x]);
  return certificate_small(&p->c, VALUE_MAX);
}

// The next point of a chain; a chain that goes on where nothing changes is damaged.
static void follow(Pointset *p) {
  p->c.is_broken |= !wait(p, p->values, p->next);
  memcpy(p->values, p->next, p->n * sizeof *p->values);
}

// Reads a state and puts its points into the set.
static void read_points(Pointset *p) {
  bool is_new;
  read_state(p);
  if (p->c.is_broken)
    return;
  p->number = state_number(p, p->state, &is_new);
  p->c.is_broken |= !is_new;
  vec_push(p->mem, &p->limits, 0);
  for (ClockIndex x = 1; x < p->n; x++)
    vec_push(p->mem, &p->limits, (int32_t)certificate_small(&p->c, VALUE_MAX));
  vec_push(p->mem, &p->chains, p->c.at);
  uint64_t count = certificate_number(&p->c);
  for (; count && !p->c.is_broken; count--) {
    uint32_t left = read_chain(p);
    for (; !p->c.is_broken; follow(p), left--) {
      has_point(p, p->number, p->values);
      p->c.is_broken |= p->points.size > POINTSET_MAX;
      if (!left)
        break;
    }
  }
}

static bool read_all(Pointset *p) {
  uint64_t count = certificate_number(&p->c);
  for (; count && !p->c.is_broken; count--)
    read_points(p);
  certificate_end(&p->c);
  return !p->c.is_broken || certificate_refuse(&p->c, p->why);
}

// --- Tests.

// A clock at its limit may have any value from there on. Strict tests are read as if they were
// not.
static Truth test_holds(const ClockTest *test, const int32_t *values, const int32_t *limits) {
  const ClockIndex i = test->i, j = test->j;
  const int64_t difference = (int64_t)values[i] - values[j];
  const bool may_grow = i && values[i] >= limits[i], may_shrink = j && values[j] >= limits[j];
  if (i == j)
    return test->constant >= 0 ? YES : NO;
  if (may_grow && may_shrink)
    return UNKNOWN;
  if (difference <= test->constant)
    return may_grow ? UNKNOWN : YES;
  return may_shrink ? UNKNOWN : NO;
}

static Truth tests_hold(const ClockTest *tests, uint32_t count, const int32_t *values,
                        const int32_t *limits) {
  Truth truth = YES;
  for (uint32_t t = 0; t < count && truth != NO; t++) {
    const Truth one = test_holds(&tests[t], values, limits);
    truth = one == YES ? truth : one;
  }
  return truth;
}

// --- One point.

static bool reject(Pointset *p, const char *reason) {
  text_add(p->why, "point ");
  state_print(p->why, p->net, p->state);
  for (ClockIndex x = 1; x < p->n; x++)
    text_addf(p->why, ",%s=%d", p->net->clock_names[x], p->values[x]);
  return text_refuse(p->why, ": %s", reason);
}

static bool reject_transition(Pointset *p, const StateTransition *transition,
                              const char *reason) {
  reject(p, "the transition ");
  statetransitions_print(p->why, &p->outgoing, transition);
  return text_refuse(p->why, " %s", reason);
}

// Whether no update sets a clock to y + d < 0. At its limit y may be larger still.
static bool clocks_stay_positive(const Pointset *p, const StateTransition *transition) {
  for (uint32_t i = 0; i < transition->drop_count; i++) {
    const Origin drop = p->outgoing.drops.items[transition->first_drop + i];
    if (p->values[drop.y] + drop.d < 0)
      return false;
  }
  return true;
}

// The values after the updates, in `next`; false if a limit hides one.
static bool find_target(Pointset *p, const StateTransition *transition, uint32_t target) {
  const Origin *origin = &p->outgoing.origins.items[transition->origin];
  const int32_t *from = limits_of(p, p->number), *to = limits_of(p, target);
  for (ClockIndex x = 1; x < p->n; x++) {
    const ClockIndex y = origin[x].y;
    const int64_t value = p->values[y] + origin[x].d;
    const bool is_least = y && p->values[y] >= from[y];
    if (value < 0 || (is_least && value < to[x]))
      return false;
    p->next[x] = value < to[x] ? (int32_t)value : to[x];
  }
  return true;
}

static bool check_transition(Pointset *p, const StateTransition *transition) {
  const ClockTest *tests = &p->outgoing.tests.items[transition->first_test];
  const uint32_t guards = transition->guard_count;
  const int32_t *limits = limits_of(p, p->number);
  const Truth guard = tests_hold(tests, guards, p->values, limits);
  if (guard == NO)
    return true;
  if (guard == UNKNOWN)
    return reject_transition(p, transition, "depends on a value beyond a limit");
  if (transition->error)
    return reject_transition(p, transition, transition->error);
  if (!clocks_stay_positive(p, transition))
    return reject_transition(p, transition, "may set a clock to a negative value");
  const Truth entry =
      tests_hold(tests + guards, transition->test_count - guards, p->values, limits);
  if (transition->is_blocked || entry == NO)
    return true;
  if (entry == UNKNOWN)
    return reject_transition(p, transition, "leads to an invariant about a value beyond a limit");
  p->counts->transitions++;
  bool is_new;
  const uint32_t target =
      state_number(p, &p->outgoing.targets.items[transition->target], &is_new);
  if (is_new)
    return reject_transition(p, transition, "leads to a state that is missing");
  if (!find_target(p, transition, target))
    return reject_transition(p, transition, "needs a value beyond a limit");
  return has_point(p, target, p->next) ||
         reject_transition(p, transition, "leads to a point that is missing");
}

static bool check_delay(Pointset *p) {
  if (!p->outgoing.can_delay || !wait(p, p->values, p->next))
    return true;
  const ClockTests *invariant = &p->outgoing.invariant;
  const Truth truth =
      tests_hold(invariant->items, invariant->size, p->next, limits_of(p, p->number));
  if (truth == UNKNOWN)
    return reject(p, "its invariant depends on a value beyond a limit");
  return truth == NO || has_point(p, p->number, p->next) ||
         reject(p, "what a unit of delay leads to is missing");
}

static bool check_point(Pointset *p) {
  const int32_t *limits = limits_of(p, p->number);
  const ClockTests *invariant = &p->outgoing.invariant;
  const Truth truth = tests_hold(invariant->items, invariant->size, p->values, limits);
  if (truth != YES) // where the invariant is false it stands for nothing
    return truth == NO || reject(p, "its invariant depends on a value beyond a limit");
  for (uint32_t i = 0; i < p->clauses.size; i++) {
    const ClauseTests *clause = &p->clauses.items[i];
    if (tests_hold(&p->tests.items[clause->first], clause->count, p->values, limits) != NO)
      return reject(p, "it meets the goal");
  }
  for (uint32_t i = 0; i < p->outgoing.list.size; i++)
    if (!check_transition(p, &p->outgoing.list.items[i]))
      return false;
  return check_delay(p);
}

// --- All of them.

// The clauses of the goal that the present state leaves to the clocks.
static bool find_clauses(Pointset *p) {
  vec_clear(&p->clauses);
  vec_clear(&p->tests);
  meaning_goal(&p->outgoing.vm, p->net, p->goal, p->state);
  for (uint32_t i = 0; p->goal && i < p->goal->clause_count; i++) {
    const char *error = NULL;
    const uint32_t first = p->tests.size;
    vec_clear(&p->outgoing.fresh);
    if (!statetransitions_guard_holds(&p->outgoing, &p->goal->clauses[i], p->state,
                                      &p->outgoing.fresh, &error))
      continue;
    if (error)
      return text_refuse(p->why, "the goal fails: %s", error);
    for (uint32_t t = 0; t < p->outgoing.fresh.size; t++)
      vec_push(p->mem, &p->tests, p->outgoing.fresh.items[t]);
    vec_push(p->mem, &p->clauses, ((ClauseTests){first, p->tests.size - first}));
  }
  return true;
}

static bool check_state(Pointset *p) {
  keytable_key(&p->states, p->number, p->state_key);
  memcpy(p->state, p->state_key, p->net->slots.count * sizeof *p->state);
  p->c.at = p->chains.items[p->number];
  uint64_t count = certificate_number(&p->c);
  const char *error = statetransitions_find(&p->outgoing, p->state);
  if (error)
    return text_refuse(p->why, "an invariant fails: %s", error);
  if (p->outgoing.invariant_fails)
    return true;
  if (!find_clauses(p))
    return false;
  for (; count; count--) {
    uint32_t left = read_chain(p);
    for (;; follow(p), left--) {
      if (!check_point(p))
        return false;
      if (!left)
        break;
    }
  }
  return true;
}

// Initial values are exact, whatever the limits are.
static bool starts(Pointset *p, const char **error) {
  vec_clear(&p->outgoing.fresh);
  if (!statetransitions_invariants_hold(&p->outgoing, p->state, &p->outgoing.fresh, error))
    return false;
  for (uint32_t i = 0; i < p->outgoing.fresh.size; i++) {
    const ClockTest *test = &p->outgoing.fresh.items[i];
    const int64_t difference = (int64_t)p->values[test->i] - p->values[test->j];
    if (difference > test->constant || (test->strict && difference == test->constant))
      return false;
  }
  return true;
}

static bool check_initial(Pointset *p, bool *has_start) {
  const char *error = NULL;
  for (ClockIndex x = 0; x < p->n; x++)
    p->values[x] = p->net->clock_initial ? p->net->clock_initial[x] : 0;
  if (!starts(p, &error))
    return true;
  *has_start = true;
  if (error)
    return reject(p, error);
  bool is_new;
  const uint32_t number = state_number(p, p->state, &is_new);
  if (is_new)
    return reject(p, "this initial state is missing");
  const int32_t *limits = limits_of(p, number);
  for (ClockIndex x = 1; x < p->n; x++)
    p->values[x] = p->values[x] < limits[x] ? p->values[x] : limits[x];
  return has_point(p, number, p->values) || reject(p, "this initial point is missing");
}

static bool check_initials(Pointset *p) {
  bool ok = true, has_start = false;
  for (uint32_t i = 0; ok && state_initial(p->net, p->state, i); i++)
    ok = check_initial(p, &has_start);
  // What holds of all states holds of none, too.
  if (ok && !has_start)
    text_add(p->why, "the model has no initial state, so that it would prove anything");
  return ok && has_start;
}

static bool check_all(Pointset *p) {
  *p->counts = (CertifyCounts){p->states.size, p->points.size, 0, p->c.sections};
  if (p->outgoing.is_split || (p->goal && p->goal->ends))
    return text_refuse(p->why, "there are no certificates of points for models with channels or "
                               "priorities, nor about deadlocks");
  if (!check_initials(p))
    return false;
  const uint32_t count = p->states.size;
  for (p->number = 0; p->number < count; p->number++) {
    mem_tick(p->mem);
    if (!check_state(p))
      return false;
  }
  return true;
}

bool pointset_check(Mem *owner, const Net *net, const Goal *goal, const char *bytes, size_t size,
                    CertifyCounts *counts, Text *why) {
  Mem *mem = mem_part(owner);
  Pointset p = {.mem = mem, .net = net, .goal = goal, .why = why, .counts = counts};
  const uint32_t slots = net->slots.count;
  p.n = net->clock_count + 1;
  *counts = (CertifyCounts){0};
  bool accepted = certificate_begin(&p.c, mem, net, bytes, size, why);
  keytable_init(&p.states, mem, slots * (uint32_t)sizeof(int32_t), 0);
  keytable_init(&p.points, mem, p.n * (uint32_t)sizeof(int32_t), 0);
  p.state = mem_alloc(mem, (slots + 1) * sizeof *p.state);
  p.values = mem_alloc(mem, p.n * sizeof *p.values);
  p.next = mem_alloc(mem, p.n * sizeof *p.next);
  p.state_key = mem_alloc(mem, (slots / 2 + 1) * sizeof *p.state_key);
  p.key = mem_alloc(mem, (p.n / 2 + 1) * sizeof *p.key);
  statetransitions_init(&p.outgoing, mem, net);
  accepted = accepted && read_all(&p) && check_all(&p);
  mem_release_part(mem);
  return accepted;
}
