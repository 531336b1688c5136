// Transitions: prepared ones do what the net says, in random states of random networks.
#include "semantics/zone/transition.h"

#include "base/random.h"
#include "grid.h"
#include "ranges.h"

typedef struct Fixture {
  Reading r;
  StateLayout layout;
  Mover mover; // for its Joint and its Vm
} Fixture;

// A transition that needs no Vm changes the packed state as firing the transition does.
static void assert_patches(Fixture *f, const Transition *out, const int32_t *state) {
  Mover *m = &f->mover;
  int32_t fired[POINT_SLOTS];
  memcpy(fired, state, f->r.net.slots.count * sizeof *state);
  uint64_t source[POINT_SLOTS], key[POINT_SLOTS], expected[POINT_SLOTS];
  bool is_out = false;
  state_pack(&f->layout, source, state);
  state_pack(&f->layout, key, state);
  vec_clear(&m->updates);
  const bool is_fired = joint_fire(&m->joint, &m->vm, fired, &m->updates) == VM_TRUE;
  for (uint32_t i = 0; i < out->word_count; i++) {
    const WordPatch *patch = &out->words[i];
    key[patch->word] = (key[patch->word] & patch->keep) | patch->set;
  }
  for (uint32_t i = 0; i < out->shift_count; i++) {
    const Shift *shift = &out->shifts[i];
    const uint64_t old = (source[shift->word] & ~shift->keep) >> shift->shift;
    const int64_t value = (int64_t)old + shift->base + shift->delta;
    is_out |= value < shift->low || value > shift->high;
    key[shift->word] = (key[shift->word] & shift->keep) | (uint64_t)(value - shift->base)
                                                              << shift->shift;
  }
  assert_int_equal(is_fired, !is_out);
  if (is_out)
    return;
  state_pack(&f->layout, expected, fired);
  assert_memory_equal(key, expected, f->layout.words * sizeof *key);
}

// Prepared tests say what the tests of the edges say, one by one and at the ends of the range.
static void assert_tests(const Fixture *f, const Transition *out, const Joint *joint,
                         const int32_t *state) {
  const Net *net = &f->r.net;
  const SlotTest *prepared = out->tests;
  int32_t values[POINT_SLOTS];
  uint64_t packed[POINT_SLOTS];
  memcpy(values, state, net->slots.count * sizeof *state);
  for (uint32_t i = 0; i < joint->edge_count; i++)
    for (uint32_t k = 0; k < joint->edges[i]->guard.test_count; k++, prepared++) {
      const Test *test = &joint->edges[i]->guard.tests[k];
      const int32_t tried[] = {
          state[test->slot],          test->value - 1,           test->value, test->value + 1,
          net->slots.min[test->slot], net->slots.max[test->slot]};
      for (size_t v = 0; v < sizeof tried / sizeof *tried; v++) {
        if (tried[v] < net->slots.min[test->slot] || tried[v] > net->slots.max[test->slot])
          continue;
        values[test->slot] = tried[v];
        state_pack(&f->layout, packed, values);
        assert_int_equal(transition_test(prepared, packed), vm_test(test, values));
      }
    }
}

static void assert_transitions(Fixture *f, const int32_t *state, uint32_t *counts) {
  Joint *joint = &f->mover.joint;
  for (joint_begin(joint, state); joint_next(joint);) {
    const Transition t =
        transition_make(&f->r.arena, &f->r.net, &f->layout, joint->edges, joint->edge_count,
                        (ClockTestList){0}, (ClockTestList){0});
    uint32_t clock_tests = 0, tests = 0;
    bool needs_guard = false;
    for (uint32_t i = 0; i < joint->edge_count; i++) {
      clock_tests += joint->edges[i]->guard.clock_test_count;
      tests += joint->edges[i]->guard.test_count;
      needs_guard |= joint->edges[i]->guard.code != NULL;
    }
    assert_int_equal(t.guard_count, clock_tests);
    assert_int_equal(t.test_count, tests);
    assert_int_equal(t.needs_guard, needs_guard);
    assert_tests(f, &t, joint, state);
    if (!t.needs_update)
      assert_patches(f, &t, state);
    counts[t.needs_update]++;
    counts[2] += t.shift_count;
  }
}

static void test_random_states(void **unused) {
  (void)unused;
  const char *const arguments[] = {"clocks=4", "processes=3", "locations=4", "ints=2", NULL};
  uint32_t counts[3] = {0};
  Random random;
  random_seed(&random, 1);
  for (uint64_t seed = 1; seed <= 60; seed++) {
    Fixture f;
    char *text = points_random_text(seed, arguments);
    reading_accept(&f.r, text);
    const Net *net = &f.r.net;
    forget_ranges(&f.r.net); // any state will do
    state_layout(&f.layout, &f.r.arena, net);
    mover_init(&f.mover, &f.r.mem, net, 1);
    for (int k = 0; k < 100; k++) {
      int32_t state[POINT_SLOTS];
      for (uint32_t i = 0; i < net->slots.count; i++)
        state[i] = random_between(&random, net->slots.min[i], net->slots.max[i]);
      assert_transitions(&f, state, counts);
    }
    mover_release(&f.mover);
    reading_release(&f.r);
    free(text);
  }
  assert_true(counts[0] > 1000 && counts[2] > 0);
}

// Comparisons with the ends of the range of integers, some of which never hold or always do.
static void test_extreme_constants(void **unused) {
  (void)unused;
  static const int32_t values[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX};
  static const char *const operators[] = {"<", "<=", "==", "!=", ">=", ">"};
  enum { VALUES = sizeof values / sizeof *values, OPERATORS = 6 };
  Fixture f;
  char text[8192];
  int length = snprintf(text, sizeof text,
                        "system:s\nint:1:%d:%d:0:v\nevent:e\nprocess:P\n"
                        "location:P:a{initial:}\n",
                        INT32_MIN, INT32_MAX);
  for (int i = 0; i < VALUES * OPERATORS; i++)
    length +=
        snprintf(text + length, sizeof text - (size_t)length, "edge:P:a:a:e{provided:v%s%d}\n",
                 operators[i % OPERATORS], values[i / OPERATORS]);
  reading_accept(&f.r, text);
  forget_ranges(&f.r.net); // any value will do
  state_layout(&f.layout, &f.r.arena, &f.r.net);
  for (int i = 0; i < VALUES * OPERATORS; i++) {
    const Edge *edge = &f.r.net.edges.items[i];
    const Transition t = transition_make(&f.r.arena, &f.r.net, &f.layout, &edge, 1,
                                         (ClockTestList){0}, (ClockTestList){0});
    assert_int_equal(t.test_count, 1);
    for (int v = 0; v < VALUES; v++) {
      int32_t state[POINT_SLOTS] = {values[v]};
      uint64_t packed[POINT_SLOTS];
      state_pack(&f.layout, packed, state);
      assert_int_equal(transition_test(t.tests, packed), vm_test(edge->guard.tests, state));
    }
  }
  reading_release(&f.r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_states),
                                     cmocka_unit_test(test_extreme_constants)};
  return cmocka_run_group_tests_name("transition", tests, NULL, NULL);
}
