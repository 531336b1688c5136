// Keys: the state after a transition is that of the joint transition, packed; variables that
// would leave their range, and updates that the Vm does, included.
#include "semantics/zone/states.h"

#include "semantics/zone/locvector.h"

#include "reading.h"

static const char model[] = "system:s\n"
                            "event:a\n"
                            "int:1:0:3:0:i\n"
                            "int:2:-5:60:7:v\n"
                            "clock:1:x\n"
                            "process:P\n"
                            "location:P:A{initial:}\n"
                            "location:P:B{}\n"
                            "edge:P:A:A:a{provided: i<3 : do: i=i+1}\n"
                            "edge:P:A:B:a{provided: x>2 : do: v[0]=-5;x=0}\n"
                            "edge:P:B:A:a{provided: v[0]==-5 : do: v[1]=v[0]+i*2}\n"
                            "edge:P:B:B:a{do: i=i-1}\n";

typedef struct Fixture {
  Reading reading;
  Arena arena;
  Vm vm;
  StateLayout layout;
  LocVectors vectors;
  States states;
  int possible; // transitions
} Fixture;

static void start(Fixture *f) {
  reading_accept(&f->reading, model);
  const Net *net = &f->reading.net;
  f->arena = (Arena){.mem = &f->reading.mem};
  net_vm(net, &f->vm, &f->reading.mem);
  state_layout(&f->layout, &f->arena, net);
  locvector_init(&f->vectors, &f->reading.mem, net, &f->layout, NULL, NULL, true, false);
  states_init(&f->states, &f->arena, net, &f->layout, &f->vm);
}

static void end(Fixture *f) {
  vm_release(&f->vm);
  arena_release(&f->arena);
  reading_drop(&f->reading);
}

// Every transition of the opened state, against model/joint.h.
static void compare(Fixture *f, int32_t *next) {
  const Net *net = &f->reading.net;
  States *states = &f->states;
  LocVector *vector = locvector_find(&f->vectors, states->source_key);
  locvector_find_outgoing(&f->vectors, vector);
  ClockUpdates updates = {0}, expected = {0};
  ClockTests tests = {0};
  for (uint32_t m = 0; m < vector->outgoing_count; m++) {
    const Transition *t = locvector_transition(&f->vectors, &vector->outgoing[m]);
    int32_t state[16];
    memcpy(state, states_source(states), net->slots.count * sizeof *state);
    Joint *joint = &f->vectors.joint;
    assert_true(joint_seek(joint, state, m));
    const bool meets = joint_guard(joint, &f->vm, state, &tests) == VM_TRUE;
    assert_int_equal(states_meet(states, t), meets);
    const VmResult result = joint_fire(joint, &f->vm, state, &expected);
    assert_int_equal(states_fire(states, t, &updates), result);
    if (!meets || result != VM_TRUE)
      continue;
    uint64_t packed[4];
    state_pack(&f->layout, packed, state);
    assert_memory_equal(packed, states->key, f->layout.words * sizeof *packed);
    uint64_t guess[4];
    if (!t->needs_update && !t->needs_clocks) {
      states_guess(states, t, guess);
      assert_memory_equal(packed, guess, f->layout.words * sizeof *packed);
    }
    if (f->possible++ % 3) // else the next one follows from an older one
      assert_memory_equal(state, states_state(states), net->slots.count * sizeof *state);
    memcpy(next, state, net->slots.count * sizeof *state);
  }
  vec_release(&f->reading.mem, &updates);
  vec_release(&f->reading.mem, &expected);
  vec_release(&f->reading.mem, &tests);
}

static void test_outgoing(void **unused) {
  (void)unused;
  static Fixture f;
  start(&f);
  int32_t next[16];
  assert_false(states_initial(&f.states, 1));
  assert_true(states_initial(&f.states, 0));
  uint64_t key[4];
  memcpy(key, f.states.key, f.layout.words * sizeof *key);
  for (int i = 0; i < 12; i++) {
    states_open(&f.states, key);
    compare(&f, next);
    state_pack(&f.layout, key, next);
    states_load(&f.states, key);
    assert_memory_equal(next, states_state(&f.states), f.layout.slots * sizeof *next);
  }
  assert_true(f.possible > 12);
  end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_outgoing)};
  return cmocka_run_group_tests_name("states", tests, NULL, NULL);
}
