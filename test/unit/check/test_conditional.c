// Branches against model/enabled: in every state there are the same, with the same tests, so that
// certificates of the one are understood by the other. And what happens in a network happens in
// one without some of its processes.
#include "check/conditional.h"

#include "model/joint.h"
#include "nets.h"

enum { ROUNDS = 400, STATES = 12 };
enum { PROCESSES = 3, CLOCKS = 2, VARIABLES = 2, MAX = 3 };

static const Expr *random_guard(Fixture *f, Random *random) {
  const Expr *guard = NULL;
  for (uint32_t i = random_below(random, 3); i > 0; i--) {
    const ExprKind op = (ExprKind)(EXPR_LT + random_below(random, 4));
    const int32_t constant = (int32_t)random_below(random, MAX);
    guard = conjunction(
        f, guard,
        random_below(random, 3)
            ? test_clock(f, 1 + random_below(random, CLOCKS), op, constant)
            : binary(f, op, var(f, random_below(random, VARIABLES)), num(f, constant)));
  }
  return guard;
}

static void random_net(Fixture *f, Random *random) {
  fixture_init(f);
  net_add_clocks(&f->net, "x", CLOCKS, NOWHERE);
  for (uint32_t v = 0; v < VARIABLES; v++)
    add_int(f, v ? "b" : "a", 0, MAX, 0);
  for (uint32_t c = 0; c < 2; c++) {
    net_add_channel(&f->net, "c", NOWHERE);
    Channel *channel = &vec_last(&f->net.channels);
    channel->broadcast = random_below(random, 2);
    channel->urgent = !random_below(random, 3);
    channel->priority = (int32_t)random_below(random, 2);
  }
  f->net.priority.is_used = !random_below(random, 3);
  for (ProcessId p = 0; p < PROCESSES; p++) {
    net_add_process(&f->net, "P", NOWHERE);
    f->net.processes.items[p].priority = (int32_t)random_below(random, 2);
    LocationId locations[2];
    for (uint32_t l = 0; l < 2; l++)
      locations[l] = add_location(f, p, "l", !l);
    f->net.locations.items[locations[1]].committed = !random_below(random, 6);
    for (uint32_t e = 0; e < 5; e++) {
      const Channel *channel = &f->net.channels.items[random_below(random, 2)];
      const EventId event = !random_below(random, 5)  ? net_tau_event(&f->net)
                            : random_below(random, 2) ? channel->receive
                                                      : channel->send;
      Edge *edge = add_edge(f, locations[random_below(random, 2)],
                            locations[random_below(random, 2)], event);
      edge->guard_expr = random_guard(f, random);
    }
  }
  fixture_finish(f);
}

static bool same_tests(const ClockTest *a, const ClockTest *b, uint32_t count) {
  for (uint32_t t = 0; t < count; t++)
    if (a[t].i != b[t].i || a[t].j != b[t].j || a[t].constant != b[t].constant ||
        a[t].strict != b[t].strict)
      return false;
  return true;
}

// Whether there is a branch with the edges and tests of the present joint transition.
static bool has_branch(const ConditionalTransitions *b, const Joint *joint) {
  for (uint32_t i = 0; i < b->list.size; i++) {
    const ConditionalTransition *branch = &b->list.items[i];
    const TransitionEdges transition = b->transitions->list.items[i];
    if (transition.count == joint->edge_count && branch->count == joint->extra.count &&
        branch->after_count == joint->after.count &&
        !memcmp(b->transitions->edges.items + transition.first, joint->edges,
                transition.count * sizeof *joint->edges) &&
        same_tests(b->tests.items + branch->first, joint->extra.items, branch->count) &&
        same_tests(b->tests.items + branch->first_after, joint->after.items, branch->after_count))
      return true;
  }
  return false;
}

// In one state there are as many branches as joint transitions, and the same.
static uint32_t compare(Fixture *f, const int32_t *state) {
  Joint joint;
  Transitions transitions;
  ConditionalTransitions branches;
  joint_init(&joint, &f->net, &f->arena);
  transitions_init(&transitions, &f->mem, &f->net);
  conditional_init(&branches, &f->mem, &transitions, &f->vm);
  conditional_find(&branches, state);
  uint32_t count = 0;
  for (joint_begin(&joint, state); joint_next(&joint); count++)
    assert_true(has_branch(&branches, &joint));
  assert_int_equal(branches.list.size, count);
  joint_release(&joint);
  return count;
}

// Tests that contradict each other only all together: x_1 <= C, x_2 - x_1 <= C, ... and, over
// other clocks, x_n > n C. The sums are much larger than the largest constant.
static void test_sums(void **unused) {
  (void)unused;
  enum { N = 20, LAST = 2 * N };
  Fixture f;
  fixture_init(&f);
  net_add_clocks(&f.net, "x", LAST, NOWHERE);
  const Expr *upper = NULL, *lower = NULL, *constant = num(&f, NET_MAX_CONSTANT);
  for (ClockIndex i = 1; i <= N; i++)
    upper = conjunction(
        &f, upper,
        test_of(&f, clock_at(&f, i), i > 1 ? clock_at(&f, i - 1) : NULL, EXPR_LE, constant));
  upper = conjunction(&f, upper, test_clock(&f, LAST, EXPR_LE, 5));
  for (ClockIndex i = N; i < LAST; i++)
    lower = conjunction(&f, lower,
                        test_of(&f, clock_at(&f, i), i < LAST - 1 ? clock_at(&f, i + 1) : NULL,
                                i < LAST - 1 ? EXPR_GE : EXPR_GT, constant));
  f.net.priority.is_used = true;
  for (ProcessId p = 0; p < 2; p++) {
    net_add_process(&f.net, "P", NOWHERE);
    f.net.processes.items[p].priority = (int32_t)p;
    const LocationId l = add_location(&f, p, "l", true);
    for (uint32_t e = 0; e <= p; e++)
      add_edge(&f, l, l, net_tau_event(&f.net))->guard_expr = !p ? NULL : e ? lower : upper;
  }
  fixture_finish(&f);
  assert_true(compare(&f, (const int32_t[]){0, 0}) > N);
  fixture_drop(&f);
}

// A low transition beside N higher ones with x_i == 3: where invariants say x_i <= 3, it has one
// part, x_i < 3 for all i.
static void test_invariants(void **unused) {
  (void)unused;
  enum { N = 40 };
  Fixture f;
  fixture_init(&f);
  net_add_clocks(&f.net, "x", N, NOWHERE);
  f.net.priority.is_used = true;
  for (ProcessId p = 0; p <= N; p++) {
    net_add_process(&f.net, "P", NOWHERE);
    f.net.processes.items[p].priority = p < N;
    const LocationId l = add_location(&f, p, "l", true);
    Edge *edge = add_edge(&f, l, l, net_tau_event(&f.net));
    if (p == N)
      break;
    edge->guard_expr = test_clock(&f, p + 1, EXPR_EQ, 3);
    f.net.locations.items[l].invariant_expr = test_clock(&f, p + 1, EXPR_LE, 3);
  }
  fixture_finish(&f);
  const int32_t state[N + 1] = {0};
  assert_int_equal(compare(&f, state), N + 1);
  fixture_drop(&f);
}

static void test_same(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 5);
  uint32_t count = 0;
  for (int round = 0; round < ROUNDS; round++) {
    Fixture f;
    random_net(&f, &random);
    Joint joint;
    Transitions transitions;
    ConditionalTransitions branches;
    joint_init(&joint, &f.net, &f.arena);
    transitions_init(&transitions, &f.mem, &f.net);
    conditional_init(&branches, &f.mem, &transitions, &f.vm);
    for (int i = 0; i < STATES; i++) {
      int32_t state[VARIABLES + PROCESSES];
      for (uint32_t s = 0; s < f.net.slots.count; s++)
        state[s] = (int32_t)random_below(&random, (uint32_t)f.net.slots.max[s] + 1);
      conditional_find(&branches, state);
      assert_int_equal(branches.can_delay, joint_can_delay(&joint, state));
      for (joint_begin(&joint, state); joint_next(&joint); count++)
        assert_true(has_branch(&branches, &joint));
    }
    joint_release(&joint);
    fixture_drop(&f);
  }
  assert_true(count > 10000);
}

// --- Processes that are left out.

typedef struct Sliced {
  Fixture f;
  Transitions whole, smaller;
  ConditionalTransitions branches; // of the smaller network
  bool left_out[PROCESSES];
  int32_t state[VARIABLES + PROCESSES];
  int64_t clocks[CLOCKS + 1]; // in halves
  uint32_t projected, delays;
} Sliced;

static bool hold(const Sliced *s, const ClockTest *tests, uint32_t count) {
  for (uint32_t t = 0; t < count; t++) {
    const int64_t left = s->clocks[tests[t].i] - s->clocks[tests[t].j];
    const int64_t right = 2 * (int64_t)tests[t].constant;
    if (tests[t].strict ? left >= right : left > right)
      return false;
  }
  return true;
}

// Whether some branch has just these edges, under tests that hold.
static bool is_branch(const Sliced *s, const Edge *const *edges, uint32_t count) {
  for (uint32_t i = 0; i < s->branches.list.size; i++) {
    const ConditionalTransition *branch = &s->branches.list.items[i];
    const TransitionEdges transition = s->smaller.list.items[i];
    if (transition.count == count &&
        (!count ||
         !memcmp(s->smaller.edges.items + transition.first, edges, count * sizeof *edges)) &&
        hold(s, s->branches.tests.items + branch->first, branch->count))
      return true;
  }
  return false;
}

// What happens at a point of the whole network happens in the smaller one, wherever those that
// are left out are there.
static void compare_sliced(Sliced *s, Random *random) {
  const TransitionPoint at = {s->state, s->clocks, 2};
  int32_t other[VARIABLES + PROCESSES];
  memcpy(other, s->state, sizeof other);
  for (ProcessId p = 0; p < PROCESSES; p++)
    if (s->left_out[p])
      other[VARIABLES + p] = (int32_t)random_below(random, 2);
  conditional_find(&s->branches, other);
  assert_true(transitions_at(&s->whole, &s->f.vm, &at, NULL, 0));
  for (uint32_t m = 0; m < s->whole.list.size; m++) {
    const TransitionEdges transition = s->whole.list.items[m];
    const Edge *kept[PROCESSES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < transition.count; i++) {
      const Edge *edge = s->whole.edges.items[transition.first + i];
      if (!s->left_out[edge->process])
        kept[count++] = edge;
    }
    s->projected += count && count < transition.count;
    assert_true(!count || is_branch(s, kept, count));
  }
  if (transitions_can_delay(&s->whole, s->state) &&
      !transitions_urgent(&s->whole, &s->f.vm, &at, 1)) {
    s->delays++;
    assert_true(s->branches.can_delay || is_branch(s, NULL, 0));
  }
}

static void test_left_out(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 11);
  uint32_t projected = 0, delays = 0;
  for (int round = 0; round < ROUNDS; round++) {
    Sliced s = {0};
    random_net(&s.f, &random);
    if (s.f.net.priority.is_used) { // then no process can be left out
      fixture_drop(&s.f);
      continue;
    }
    for (ProcessId p = 0; p < PROCESSES; p++)
      s.left_out[p] = random_below(&random, 2);
    transitions_init(&s.whole, &s.f.mem, &s.f.net);
    transitions_init(&s.smaller, &s.f.mem, &s.f.net);
    transitions_leave_out(&s.smaller, s.left_out);
    conditional_init(&s.branches, &s.f.mem, &s.smaller, &s.f.vm);
    for (int i = 0; i < STATES; i++) {
      for (uint32_t slot = 0; slot < s.f.net.slots.count; slot++)
        s.state[slot] = (int32_t)random_below(&random, (uint32_t)s.f.net.slots.max[slot] + 1);
      for (ClockIndex x = 1; x <= CLOCKS; x++)
        s.clocks[x] = random_below(&random, 2 * MAX + 1);
      compare_sliced(&s, &random);
    }
    projected += s.projected;
    delays += s.delays;
    fixture_drop(&s.f);
  }
  assert_true(projected > 1000);
  assert_true(delays > 500);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_sums),
                                     cmocka_unit_test(test_invariants),
                                     cmocka_unit_test(test_left_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
