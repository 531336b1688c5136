// The joint transitions of random nets with channels, urgency and priorities, at random points,
// against those that check/transitions finds straight from the definitions.
#include "check/transitions.h"
#include "model/joint.h"
#include "model/state.h"

#include "nets.h"

#include <stdlib.h>

enum { ROUNDS = 400, STATES = 12, POINTS = 25 };
enum { PROCESSES = 4, CLOCKS = 2, VARIABLES = 2, MAX = 3, DENOMINATOR = 3, WIDEST = 5 };

static const Expr *random_guard(Fixture *f, Random *random, bool clocks) {
  const Expr *guard = NULL;
  for (uint32_t i = random_below(random, 3); i > 0; i--) {
    const ExprKind op = (ExprKind)(EXPR_LT + random_below(random, 4));
    const int32_t constant = (int32_t)random_below(random, MAX);
    if (!clocks || random_below(random, 2))
      guard = conjunction(
          f, guard, binary(f, op, var(f, random_below(random, VARIABLES)), num(f, constant)));
    else
      guard =
          conjunction(f, guard, test_clock(f, 1 + random_below(random, CLOCKS), op, constant));
  }
  return guard;
}

static void random_net(Fixture *f, Random *random) {
  fixture_init(f);
  net_add_clocks(&f->net, "x", CLOCKS, NOWHERE);
  for (uint32_t v = 0; v < VARIABLES; v++)
    add_int(f, v ? "b" : "a", 0, MAX, 0);
  const uint32_t channels = 1 + random_below(random, 3);
  for (uint32_t c = 0; c < channels; c++) {
    net_add_channel(&f->net, "c", NOWHERE);
    Channel *channel = &vec_last(&f->net.channels);
    channel->broadcast = random_below(random, 2);
    channel->urgent = !random_below(random, 3);
    channel->priority = (int32_t)random_below(random, 3) - 1;
  }
  f->net.priority.is_used = !random_below(random, 3);
  const bool clocks = random_below(random, 4);
  for (ProcessId p = 0; p < PROCESSES; p++) {
    net_add_process(&f->net, "P", NOWHERE);
    f->net.processes.items[p].priority = (int32_t)random_below(random, 2);
    LocationId locations[2];
    for (uint32_t l = 0; l < 2; l++) {
      locations[l] = add_location(f, p, "l", !l);
      f->net.locations.items[locations[l]].committed = !random_below(random, 8);
    }
    for (uint32_t e = 0; e < 5; e++) {
      const Channel *channel = &f->net.channels.items[random_below(random, channels)];
      const EventId event = !random_below(random, 5)  ? net_tau_event(&f->net)
                            : random_below(random, 3) ? channel->receive
                                                      : channel->send;
      Edge *edge = add_edge(f, locations[random_below(random, 2)],
                            locations[random_below(random, 2)], event);
      edge->guard_expr = random_guard(f, random, clocks);
    }
  }
  fixture_finish(f);
}

// Edges of the joint transitions that hold at a point, in `found`; those without edges are left
// out.
static uint32_t joint_at(Fixture *f, Joint *joint, const TransitionPoint *at, const Edge **found,
                         uint32_t *counts) {
  ClockTests tests = {0};
  uint32_t count = 0, total = 0;
  for (joint_begin(joint, at->state); joint_next(joint);) {
    vec_clear(&tests);
    bool holds = joint->edge_count && joint_guard(joint, &f->vm, at->state, &tests) == VM_TRUE;
    for (uint32_t t = 0; t < tests.size && holds; t++) {
      const int64_t left = at->clocks[tests.items[t].i] - at->clocks[tests.items[t].j];
      const int64_t right = (int64_t)tests.items[t].constant * at->denominator;
      holds = tests.items[t].strict ? left < right : left <= right;
    }
    if (!holds)
      continue;
    memcpy(found + total, joint->edges, joint->edge_count * sizeof *found);
    counts[count++] = joint->edge_count;
    total += joint->edge_count;
  }
  vec_release(&f->mem, &tests);
  return count;
}

static bool tests_hold(ClockTestList list, const int64_t *clocks, int64_t delay) {
  for (uint32_t t = 0; t < list.count; t++) {
    const ClockTest test = list.items[t];
    const int64_t left =
        clocks[test.i] + (test.i ? delay : 0) - clocks[test.j] - (test.j ? delay : 0);
    const int64_t right = (int64_t)test.constant * DENOMINATOR;
    if (test.strict ? left >= right : left > right)
      return false;
  }
  return true;
}

enum { LONGEST = (WIDEST + 2) * DENOMINATOR };

// The delays that transitions without edges make, one after the other.
static void delays_at(Joint *joint, const TransitionPoint *at, bool *reached) {
  const JointDelay kind = joint_delay(joint, at->state);
  memset(reached, kind == JOINT_FLOWS, LONGEST);
  reached[0] = true;
  if (kind != JOINT_SPLIT)
    return;
  for (int round = 0; round < 4; round++)
    for (joint_begin(joint, at->state); joint_next(joint);)
      for (int d = 0; !joint->edge_count && d < LONGEST; d++) {
        if (!reached[d] || !tests_hold(joint->extra, at->clocks, d))
          continue;
        for (int e = d; e < LONGEST; e++)
          reached[e] |= tests_hold(joint->after, at->clocks, e);
      }
}

static void compare(Fixture *f, Joint *joint, Transitions *transitions,
                    const TransitionPoint *at) {
  const Edge *found[1024];
  uint32_t counts[256];
  const uint32_t count = joint_at(f, joint, at, found, counts);
  assert_true(transitions_at(transitions, &f->vm, at, NULL, 0));
  assert_int_equal(count, transitions->list.size);
  const Edge **next = found;
  for (uint32_t m = 0; m < count; next += counts[m++]) {
    assert_true(transitions_contain(transitions, next, counts[m]));
    const Edge **other = found;
    for (uint32_t k = 0; k < m; other += counts[k++])
      assert_false(counts[k] == counts[m] && !memcmp(other, next, counts[m] * sizeof(*other)));
  }
  bool reached[LONGEST];
  delays_at(joint, at, reached);
  for (int d = 1; d < LONGEST; d++)
    assert_int_equal(reached[d], transitions_can_delay(transitions, at->state) &&
                                     !transitions_urgent(transitions, &f->vm, at, d));
}

static void test_points(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 1);
  for (int round = 0; round < ROUNDS; round++) {
    Fixture f;
    random_net(&f, &random);
    Joint joint;
    Transitions transitions;
    joint_init(&joint, &f.net, &f.arena);
    transitions_init(&transitions, &f.mem, &f.net);
    for (int i = 0; i < STATES; i++) {
      int32_t state[VARIABLES + PROCESSES];
      for (uint32_t s = 0; s < f.net.slots.count; s++)
        state[s] = (int32_t)random_below(&random, (uint32_t)f.net.slots.max[s] + 1);
      for (int k = 0; k < POINTS; k++) {
        int64_t clocks[CLOCKS + 1] = {0};
        for (uint32_t x = 1; x <= CLOCKS; x++)
          clocks[x] = random_below(&random, WIDEST * DENOMINATOR);
        compare(&f, &joint, &transitions, &(TransitionPoint){state, clocks, DENOMINATOR});
      }
    }
    joint_release(&joint);
    fixture_drop(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
