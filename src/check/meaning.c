#include "check/meaning.h"

#include "check/trees/twin.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORK = 1 << 17 }; // to compare a goal in a state: cases times parts

const Net *meaning_net(Arena *arena, const Net *net) {
  Net *copy = ARENA_NEW(arena, Net);
  *copy = *net;
  copy->twin = twin_new(arena->mem, copy);
  return copy;
}

void meaning_release(const Net *net) {
  if (net)
    twin_free(net->twin);
}

const char *meaning_difference(const Net *net) {
  return net->twin ? twin_difference(net->twin) : NULL;
}

MeaningCounts meaning_counts(const Net *net) {
  const Twin *t = net->twin;
  if (!t)
    return (MeaningCounts){0};
  if (t->resolver.lost)
    return (MeaningCounts){
        .has_twin = true, .why = t->resolver.lost, .place = t->resolver.lost_place};
  return (MeaningCounts){.has_twin = true,
                         .compared = t->compared,
                         .unknown = t->unknown,
                         .why = t->why_unknown,
                         .place = t->unknown_place,
                         .knows_query = t->was_asked && !t->has_unknown_goal,
                         .has_text = t->listed};
}

// Only one of the two finds an error: whose it is.
static void differ_in_error(Twin *t, Place place, const Vm *vm, VmResult result,
                            const char *where) {
  char text[300];
  const bool is_vm = result != VM_TRUE && result != VM_FALSE;
  snprintf(text, sizeof text, "only %s finds an error in %s: %s",
           is_vm ? "the interpreter" : "the second evaluator", where,
           is_vm                      ? vm->error
           : t->evaluator.first_error ? t->evaluator.first_error
                                      : "");
  twin_differs(t, place, text);
}

// The twin, if it still compares: after the first difference there is no need to.
static Twin *comparing(const Net *net) {
  Twin *t = net->twin;
  return t && !t->resolver.lost && !twin_difference(t) ? t : NULL;
}

static bool is_unknown(Twin *t, const Label *label) {
  if (!label->unknown)
    return false;
  t->unknown++;
  if (!t->why_unknown) {
    t->why_unknown = label->unknown;
    t->unknown_place = label->place;
  }
  return true;
}

// What is beyond the limits of the engines, constants and steps, is refused by the interpreter
// alone.
static bool is_limit(const Vm *vm) {
  return strstr(vm->error, "too large") || strstr(vm->error, "a loop does not end");
}

// Tests of a conjunction, the tightest one for each two clocks, in their order. Those that hold
// always are left out: clocks are not negative.

static bool is_trivial(const ClockTest *test) {
  return test->i == test->j
             ? test->constant > 0 || (!test->constant && !test->strict)
             : !test->i && (test->constant > 0 || (!test->constant && !test->strict));
}

static bool is_impossible(const ClockTest *test) {
  return (test->i == test->j || !test->j) &&
         (test->constant < 0 || (!test->constant && test->strict));
}

static bool is_tighter(const ClockTest *a, const ClockTest *b) {
  return a->constant != b->constant ? a->constant < b->constant : a->strict && !b->strict;
}

static void add_test(Mem *mem, ClockTests *tests, const ClockTest *test) {
  if (is_trivial(test))
    return;
  uint32_t k = 0;
  while (k < tests->size && (tests->items[k].i < test->i ||
                             (tests->items[k].i == test->i && tests->items[k].j < test->j)))
    k++;
  if (k < tests->size && tests->items[k].i == test->i && tests->items[k].j == test->j) {
    if (is_tighter(test, &tests->items[k]))
      tests->items[k] = *test;
    return;
  }
  vec_push(mem, tests, *test);
  memmove(tests->items + k + 1, tests->items + k, (tests->size - 1 - k) * sizeof *tests->items);
  tests->items[k] = *test;
}

// Adds the tests of a formula; false if it is no conjunction.
static bool add_formula(Twin *t, Formula f, ClockTests *tests) {
  if (f < FORMULA_FIRST)
    return f == FORMULA_TRUE;
  const FormulaNode node = t->evaluator.formulas.items[f - FORMULA_FIRST];
  if (node.kind == FORMULA_TEST)
    add_test(t->resolver.mem, tests, &node.test);
  return node.kind == FORMULA_TEST ||
         (node.kind == FORMULA_AND && add_formula(t, node.a, tests) &&
          add_formula(t, node.b, tests));
}

// Rates that are not in force. They matter only if something reads their clock, so no clock may
// have both.

static void check_unread(Twin *t, ClockIndex x) {
  if (t->is_rated[x] && t->is_read[x])
    twin_differs(t, (Place){0}, "the rate of a clock that something reads is left out");
}

static void note_read(Twin *t, ClockIndex x) {
  t->is_read[x] = true;
  check_unread(t, x);
}

// The clocks that a formula tests.
static void note_tested(Twin *t, Formula f) {
  if (f < FORMULA_FIRST)
    return;
  const FormulaNode node = t->evaluator.formulas.items[f - FORMULA_FIRST];
  if (node.kind == FORMULA_TEST) {
    note_read(t, node.test.i);
    note_read(t, node.test.j);
  }
  if (node.kind == FORMULA_NOT || node.kind == FORMULA_AND || node.kind == FORMULA_OR)
    note_tested(t, node.a);
  if (node.kind == FORMULA_AND || node.kind == FORMULA_OR)
    note_tested(t, node.b);
}

static bool gives_rates(const Term *t) {
  return t && (t->kind == TERM_RATE || gives_rates(t->a) || gives_rates(t->b));
}

void meaning_rates(const Net *net, const int32_t *state) {
  Twin *t = comparing(net);
  if (!t || t->listed || net->traits.has_stopwatches) // TChecker's language has no rates
    return;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const LocationId id = net_location_at(net, p, state);
    const Label *label = t->lacks_rates[id] ? NULL : twin_invariant(t, id);
    if (!label || label->unknown)
      continue;
    t->lacks_rates[id] = !gives_rates(label->condition);
    if (!t->lacks_rates[id])
      evaluator_rated(&t->evaluator, label, state, t->is_rated);
  }
  for (ClockIndex x = 1; x <= t->net->clock_count; x++) // net may have one more: net_measure
    check_unread(t, x);
}

typedef struct Found { // by the second evaluator
  VmResult result;
  bool met_error;
  const Label *unknown;
} Found;

// Adds one condition to what was found of a conjunction.
static void find(Twin *t, const Label *label, const int32_t *state, ClockTests *tests,
                 Found *found) {
  if (label->unknown)
    found->unknown = label;
  if (found->unknown)
    return;
  const Formula f = evaluator_condition(&t->evaluator, label, state);
  note_tested(t, f);
  found->met_error |= t->evaluator.met_error;
  if (f == FORMULA_FALSE)
    found->result = VM_FALSE;
  else if (f == FORMULA_ERROR)
    found->result = found->result == VM_FALSE ? VM_FALSE : VM_ERROR;
  else if (!add_formula(t, f, tests))
    found->unknown = label;
}

static Found find_edge(Twin *t, EdgeId id, const int32_t *state, ClockTests *tests) {
  Found found = {.result = VM_TRUE};
  const TwinEdge *e = twin_edge(t, id);
  find(t, &e->guards[0], state, tests, &found);
  if (found.result != VM_FALSE)
    find(t, &e->guards[1], state, tests, &found);
  const uint32_t wanted = t->channel_of[id];
  uint32_t channel = NET_NONE;
  if (wanted == NET_NONE || found.result == VM_FALSE || found.unknown)
    return found;
  if (e->channel.unknown) {
    found.unknown = &e->channel;
  } else if (!evaluator_channel(&t->evaluator, &e->channel, state, &channel)) {
    found.met_error = true;
    found.result = VM_ERROR;
  } else if (channel != wanted) {
    found.result = VM_FALSE;
  }
  return found;
}

static bool same_tests(const ClockTests *a, const ClockTests *b) {
  bool same = a->size == b->size;
  for (uint32_t i = 0; same && i < a->size; i++)
    same = a->items[i].i == b->items[i].i && a->items[i].j == b->items[i].j &&
           a->items[i].constant == b->items[i].constant &&
           a->items[i].strict == b->items[i].strict;
  return same;
}

static bool has_impossible(const ClockTests *tests) {
  for (uint32_t i = 0; i < tests->size; i++)
    if (is_impossible(&tests->items[i]))
      return true;
  return false;
}

static void compare_guard(Twin *t, const Vm *vm, VmResult result, const Found *found, Place place,
                          const ClockTest *tests, uint32_t count) {
  if (found->unknown) {
    is_unknown(t, &(Label){.unknown = found->unknown->unknown ? found->unknown->unknown
                                                              : "a guard is no conjunction",
                           .place = found->unknown->unknown ? found->unknown->place : place});
    return;
  }
  t->compared++;
  if (result == VM_ERROR) {
    if (!found->met_error && !is_limit(vm))
      differ_in_error(t, place, vm, result, "this condition");
    return;
  }
  if (result == VM_FALSE) {
    if (found->result != VM_FALSE && !has_impossible(&t->tests))
      twin_differs(t, place, "only one of the two evaluators says that this condition is false");
    return;
  }
  if (found->result != VM_TRUE) {
    if (found->result == VM_ERROR)
      differ_in_error(t, place, vm, result, "this condition");
    else
      twin_differs(t, place, "only one of the two evaluators says that this condition is false");
    return;
  }
  ClockTests other = t->other_tests;
  vec_clear(&other);
  for (uint32_t i = 0; i < count; i++)
    add_test(t->resolver.mem, &other, &tests[i]);
  if (!same_tests(&other, &t->tests) && !(has_impossible(&other) && has_impossible(&t->tests)))
    twin_differs(t, place, "the two evaluators find different clock constraints here");
  t->other_tests = other;
}

// A rate of 1 says nothing but that no other is given, and is left out where it is constant.
static void add_rate(Twin *t, ClockTests *tests, const ClockTest *test) {
  if ((test->i ? test->constant : -test->constant) != 1)
    add_test(t->resolver.mem, tests, test);
}

// Whether a rate is neither 0 nor 1, and the network has none for its clock: such rates are left
// out.
static bool is_left_out(const ClockTest *rate, const ClockTest *tests, uint32_t count) {
  const ClockIndex x = rate->i ? rate->i : rate->j;
  const int64_t value = rate->i ? rate->constant : -rate->constant;
  bool has_rate = value == 0 || value == 1;
  for (uint32_t i = 0; i < count; i++)
    has_rate |= tests[i].i == x || tests[i].j == x;
  return !has_rate;
}

static void compare_rates(Twin *t, LocationId id, const int32_t *state, VmResult result,
                          const ClockTest *tests, uint32_t count) {
  const Label *label = twin_invariant(t, id);
  const Place place = t->net->locations.items[id].place;
  ClockTests found = {0}, other = t->other_tests;
  if (is_unknown(t, label))
    return;
  const bool ok = evaluator_rates(&t->evaluator, label, state, &found);
  if (!ok && !t->evaluator.error) {
    is_unknown(t, &(Label){.unknown = "the rate of a clock is not known", .place = place});
  } else {
    t->compared++;
    vec_clear(&other);
    for (uint32_t i = 0; i < count; i++)
      add_rate(t, &other, &tests[i]);
    for (uint32_t i = 0; i < found.size; i++) {
      const ClockTest *rate = &found.items[i];
      if (!is_left_out(rate, tests, count)) {
        add_rate(t, &t->tests, rate);
        continue;
      }
      t->is_rated[rate->i ? rate->i : rate->j] = true;
      check_unread(t, rate->i ? rate->i : rate->j);
    }
    if (ok != (result == VM_TRUE) || (ok && !same_tests(&other, &t->tests)))
      twin_differs(t, place, "the two evaluators find different rates of clocks");
    t->other_tests = other;
  }
  vec_release(t->resolver.mem, &found);
}

static bool is_within(const void *at, const void *items, size_t count, size_t size) {
  return (const char *)at >= (const char *)items &&
         (const char *)at < (const char *)items + count * size;
}

// C knows no NULL + 0.
static const ClockTest *tests_from(const ClockTests *tests, uint32_t first) {
  return tests->items ? tests->items + first : NULL;
}

VmResult meaning_guard(Vm *vm, const Net *net, const Guard *guard, const int32_t *state,
                       ClockTests *tests) {
  Twin *t = comparing(net);
  const uint32_t first = tests->size;
  const VmResult result = vm_guard(vm, guard, state, tests);
  if (!t)
    return result;
  Found found = {.result = VM_TRUE};
  Place place;
  vec_clear(&t->tests);
  if (is_within(guard, net->edges.items, net->edges.size, sizeof(Edge))) {
    const EdgeId id =
        (EdgeId)(((const char *)guard - (const char *)net->edges.items) / sizeof(Edge));
    place = net->edges.items[id].place;
    found = find_edge(t, id, state, &t->tests);
  } else if (is_within(guard, net->locations.items, net->locations.size, sizeof(Location))) {
    const LocationId id =
        (LocationId)(((const char *)guard - (const char *)net->locations.items) /
                     sizeof(Location));
    place = net->locations.items[id].place;
    if (guard == &net->locations.items[id].rates) {
      compare_rates(t, id, state, result, tests_from(tests, first),
                    result == VM_TRUE ? tests->size - first : 0);
      return result;
    }
    find(t, twin_invariant(t, id), state, &t->tests, &found);
  } else { // a clause: see meaning_goal
    return result;
  }
  compare_guard(t, vm, result, &found, place, tests_from(tests, first),
                result == VM_TRUE ? tests->size - first : 0);
  return result;
}

// Updates.

typedef struct ClockSource { // x = y + d, seen from before all updates
  ClockIndex y;
  int64_t d;
} ClockSource;

// What the updates do to the clock x, from the end backwards.
static ClockSource source_of(const ClockUpdate *updates, uint32_t count, ClockIndex x) {
  ClockSource source = {x, 0};
  for (uint32_t i = count; i-- > 0;)
    if (updates[i].x == source.y) {
      source.y = updates[i].y;
      source.d += updates[i].constant;
    }
  return source;
}

// Whether some clock may be negative in between.
static bool can_fall(const ClockUpdate *updates, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (updates[i].constant < 0)
      return true;
  return false;
}

static bool same_updates(const ClockUpdate *a, uint32_t a_count, const ClockUpdate *b,
                         uint32_t b_count) {
  bool same = a_count == b_count;
  for (uint32_t i = 0; same && i < a_count; i++)
    same = a[i].x == b[i].x && a[i].y == b[i].y && a[i].constant == b[i].constant;
  if (same || can_fall(a, a_count) || can_fall(b, b_count))
    return same;
  same = true;
  for (uint32_t i = 0; same && i < a_count + b_count; i++) {
    const ClockIndex x = i < a_count ? a[i].x : b[i - a_count].x;
    const ClockSource one = source_of(a, a_count, x), other = source_of(b, b_count, x);
    same = one.y == other.y && one.d == other.d;
  }
  return same;
}

static const Label *update_label(Twin *t, const Net *net, const Update *update, Place *place) {
  *place = (Place){0};
  if (update == &net->hooks.before || update == &net->hooks.after)
    return update == &net->hooks.before ? &t->before : &t->after;
  if (!is_within(update, net->edges.items, net->edges.size, sizeof(Edge)))
    return NULL;
  const EdgeId id =
      (EdgeId)(((const char *)update - (const char *)net->edges.items) / sizeof(Edge));
  *place = net->edges.items[id].place;
  return &twin_edge(t, id)->update;
}

VmResult meaning_update(Vm *vm, const Net *net, const Update *update, int32_t *state,
                        ClockUpdates *updates) {
  Twin *t = comparing(net);
  Place place;
  if (!t)
    return vm_update(vm, update, state, updates);
  const Label *label = update_label(t, net, update, &place);
  const bool is_compared = label && !is_unknown(t, label);
  if (is_compared) {
    vec_reserve(t->resolver.mem, &t->state, net->slots.count);
    memcpy(t->state.items, state, net->slots.count * sizeof *state);
    vec_clear(&t->evaluator.updates);
  }
  const uint32_t first = updates->size;
  const VmResult result = vm_update(vm, update, state, updates);
  if (!is_compared)
    return result;
  const bool ok = evaluator_update(&t->evaluator, label, t->state.items);
  t->compared++;
  for (uint32_t i = 0; i < t->evaluator.updates.size; i++)
    note_read(t, t->evaluator.updates.items[i].y);
  if (result == VM_ERROR && is_limit(vm))
    return result;
  if (ok != (result == VM_TRUE)) {
    differ_in_error(t, place, vm, result, "these updates");
  } else if (!ok && t->evaluator.is_invalid != (result == VM_INVALID)) {
    twin_differs(t, place,
                 "one of the two evaluators finds that a value leaves its range in "
                 "these updates, the other one another error");
  } else if (ok) {
    if (memcmp(t->state.items, state, net->slots.count * sizeof *state) != 0)
      twin_differs(t, place, "the two evaluators compute different values in these updates");
    else if (!same_updates(updates->items ? updates->items + first : NULL, updates->size - first,
                           t->evaluator.updates.items, t->evaluator.updates.size))
      twin_differs(t, place, "the two evaluators set clocks differently in these updates");
  }
  return result;
}

void meaning_state(const Net *net, const int32_t *state) {
  if (comparing(net))
    twin_state(net->twin, state);
}

// Goals: a disjunction of clauses and a formula. They are compared for all ways in which the
// clock constraints in them can hold together: of those of one difference of clocks, the weaker
// ones hold where a tighter one does.

typedef struct Threshold { // x_i - x_j below it, i > j: twice the constant, 1 more if not strict
  ClockIndex i, j;
  int64_t bound;
} Threshold;

typedef VEC(Threshold) Thresholds;

// The threshold of a test, and whether it is the opposite of one.
static Threshold threshold_of(const ClockTest *test, bool *is_opposite) {
  *is_opposite = test->i < test->j;
  return *is_opposite ? (Threshold){test->j, test->i, -2 * test->constant + test->strict}
                      : (Threshold){test->i, test->j, 2 * test->constant + !test->strict};
}

static int compare(const Threshold *a, const Threshold *b) {
  return a->i != b->i          ? (a->i < b->i ? -1 : 1)
         : a->j != b->j        ? (a->j < b->j ? -1 : 1)
         : a->bound < b->bound ? -1
                               : a->bound > b->bound;
}

static uint32_t position_of(const Thresholds *all, const Threshold *one) {
  uint32_t k = 0;
  while (k < all->size && compare(&all->items[k], one) < 0)
    k++;
  return k;
}

static void add_threshold(Mem *mem, Thresholds *all, const ClockTest *test) {
  bool is_opposite;
  const Threshold one = threshold_of(test, &is_opposite);
  const uint32_t k = position_of(all, &one);
  if (k < all->size && !compare(&all->items[k], &one))
    return;
  vec_push(mem, all, one);
  memmove(all->items + k + 1, all->items + k, (all->size - 1 - k) * sizeof *all->items);
  all->items[k] = one;
}

typedef struct Cases {
  const Thresholds *all;
  bool *holds;               // by threshold
  bool is_deadlocked, fails; // whether parts that are errors are true
} Cases;

static bool test_holds(const Cases *c, const ClockTest *test) {
  bool is_opposite;
  if (test->i == test->j)
    return is_trivial(test);
  const Threshold one = threshold_of(test, &is_opposite);
  return c->holds[position_of(c->all, &one)] != is_opposite;
}

static bool formula_holds(const Cases *c, const Evaluator *w, Formula f) {
  if (f < FORMULA_FIRST)
    return f == FORMULA_TRUE;
  const FormulaNode *node = &w->formulas.items[f - FORMULA_FIRST];
  switch (node->kind) {
  case FORMULA_TEST:
    return test_holds(c, &node->test);
  case FORMULA_NOT:
    return !formula_holds(c, w, node->a);
  case FORMULA_AND:
    return formula_holds(c, w, node->a) && formula_holds(c, w, node->b);
  case FORMULA_OR:
    return formula_holds(c, w, node->a) || formula_holds(c, w, node->b);
  case FORMULA_FAILED:
    return c->fails;
  case FORMULA_DEADLOCK:
    break;
  }
  return c->is_deadlocked;
}

typedef struct GoalClauses { // those whose part on integers holds
  ClockTests tests;
  VEC(uint32_t) ends; // in `tests`, by clause
  VEC(GoalEnd) deadlocks;
} GoalClauses;

static bool clauses_hold(const Cases *c, const GoalClauses *clauses) {
  uint32_t at = 0;
  for (uint32_t k = 0; k < clauses->ends.size; k++) {
    const GoalEnd end = clauses->deadlocks.items[k];
    bool ok = end == GOAL_ANY || (end == GOAL_DEADLOCKED) == c->is_deadlocked;
    for (; at < clauses->ends.items[k]; at++)
      ok = ok && test_holds(c, &clauses->tests.items[at]);
    if (ok)
      return true;
  }
  return false;
}

// The next way: in each group of thresholds, of one difference, those from some one on hold.
// False after the last. A clock is never below 0.
static bool next_case(Cases *c) {
  const Thresholds *all = c->all;
  for (uint32_t first = 0, end; first < all->size; first = end) {
    for (end = first + 1; end < all->size && all->items[end].i == all->items[first].i &&
                          all->items[end].j == all->items[first].j;
         end++) {
    }
    uint32_t count = 0;
    for (uint32_t k = first; k < end; k++)
      count += c->holds[k];
    const uint32_t more = end - 1 - count; // those at the end hold
    if (count < end - first && (all->items[first].j || all->items[more].bound > 0)) {
      c->holds[more] = true;
      return true;
    }
    for (uint32_t k = first; k < end; k++)
      c->holds[k] = false;
  }
  if (c->is_deadlocked)
    return false;
  c->is_deadlocked = true;
  return true;
}

// In one case. The values of parts that are errors do not matter: the clauses met none of them.
static bool same_case(Cases *c, const Evaluator *w, const GoalClauses *clauses, Formula f,
                      bool is_opposite) {
  const bool holds = clauses_hold(c, clauses);
  c->fails = true;
  const bool same = (formula_holds(c, w, f) != is_opposite) == holds;
  c->fails = false;
  return same && (formula_holds(c, w, f) != is_opposite) == holds;
}

static bool same_goal(Twin *t, const GoalClauses *clauses, Formula f, bool is_opposite,
                      bool *is_decided) {
  Mem *mem = t->resolver.mem;
  Thresholds all = {0};
  for (uint32_t i = 0; i < clauses->tests.size; i++)
    if (clauses->tests.items[i].i != clauses->tests.items[i].j)
      add_threshold(mem, &all, &clauses->tests.items[i]);
  for (uint32_t i = 0; i < t->evaluator.formulas.size; i++)
    if (t->evaluator.formulas.items[i].kind == FORMULA_TEST &&
        t->evaluator.formulas.items[i].test.i != t->evaluator.formulas.items[i].test.j)
      add_threshold(mem, &all, &t->evaluator.formulas.items[i].test);
  bool *holds = mem_alloc(mem, all.size + 1);
  memset(holds, 0, all.size + 1);
  Cases cases = {.all = &all, .holds = holds};
  const uint32_t parts = 1 + t->evaluator.formulas.size + clauses->tests.size;
  uint32_t work = parts;
  bool same = true, is_left = false;
  do
    same = same_case(&cases, &t->evaluator, clauses, f, is_opposite);
  while (same && (is_left = next_case(&cases)) && (work += parts) < MAX_WORK);
  *is_decided = !same || !is_left;
  mem_free(mem, holds);
  vec_release(mem, &all);
  return same;
}

// The label of the goal's tree, kept with the twin.
static const Label *goal_label(Twin *t, const Goal *goal) {
  for (uint32_t i = 0; i < t->goals.size; i++)
    if (t->goals.items[i].tree == goal->tree)
      return t->goals.items[i].label;
  Label *label = ARENA_NEW(&t->arena, Label);
  *label = twin_query(t, goal->tree);
  vec_push(t->resolver.mem, &t->goals, ((TwinGoal){goal->tree, label}));
  return label;
}

void meaning_goal(Vm *vm, const Net *net, const Goal *goal, const int32_t *state) {
  Twin *t = comparing(net);
  if (!t || !goal)
    return;
  if (!goal->tree && goal->clause_count == 1 && !goal->clauses[0].expr && !goal->ends) {
    t->was_asked = true; // any state will do
    return;
  }
  const Label *label = goal->tree ? goal_label(t, goal) : NULL;
  if (!label) {
    t->unknown++;
    t->has_unknown_goal = true;
    return;
  }
  if (is_unknown(t, label))
    return;
  Mem *mem = vm->mem;
  GoalClauses clauses = {0};
  bool failed = false, is_decided = true;
  for (uint32_t i = 0; i < goal->clause_count && !failed; i++) {
    const uint32_t size = clauses.tests.size;
    const VmResult result =
        goal->clauses[i].expr ? vm_guard(vm, &goal->clauses[i], state, &clauses.tests) : VM_TRUE;
    failed = result != VM_TRUE && result != VM_FALSE;
    if (result == VM_TRUE) {
      vec_push(mem, &clauses.ends, clauses.tests.size);
      vec_push(mem, &clauses.deadlocks, goal->ends ? goal->ends[i] : GOAL_ANY);
    } else {
      clauses.tests.size = size;
    }
  }
  t->evaluator.keeps_errors = true;
  const Formula f = evaluator_condition(&t->evaluator, label, state);
  t->evaluator.keeps_errors = false;
  note_tested(t, f);
  if (!failed) { // the caller reports an error
    t->compared++;
    t->was_asked = true;
    if (!same_goal(t, &clauses, f, goal->is_opposite, &is_decided))
      twin_differs(t, label->condition ? label->condition->place : (Place){0},
                   "the two evaluators find different states that the query asks for");
  }
  if (!is_decided) {
    t->unknown++;
    t->has_unknown_goal = true;
  }
  vec_release(mem, &clauses.tests);
  vec_release(mem, &clauses.ends);
  vec_release(mem, &clauses.deadlocks);
}
