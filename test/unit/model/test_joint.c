#include "nets.h"

#include "model/joint.h"
#include "model/state.h"

// A joint transition as the naive enumeration finds it.
typedef struct Found {
  uint32_t sync;
  uint32_t count;
  EdgeId edges[8];
} Found;

typedef struct Naive {
  const Net *net;
  const int32_t *locations;
  Mem mem;
  VEC(Found) found;
} Naive;

static bool is_at(const Naive *naive, const Edge *edge) {
  return naive->net->locations.items[edge->source].index ==
         (uint32_t)naive->locations[edge->process];
}

static bool is_synchronous(const Net *net, const Edge *edge) {
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++) {
      const SyncPart *part = &net->syncs.items[s].parts.items[k];
      if (part->process == edge->process && part->event == edge->event)
        return true;
    }
  return false;
}

// If some location is committed, one of those that move must be.
static void add_found(Naive *naive, const Found *found) {
  bool some = false, moving = false;
  for (ProcessId p = 0; p < naive->net->processes.size; p++)
    some |= net_location(naive->net, p, naive->locations[p])->committed;
  for (uint32_t k = 0; k < found->count; k++) {
    const Edge *edge = &naive->net->edges.items[found->edges[k]];
    moving |= naive->net->locations.items[edge->source].committed;
  }
  if (!some || moving)
    vec_push(&naive->mem, &naive->found, *found);
}

// Chooses the edge of each part from k on in turn.
static void choose_parts(Naive *naive, const Sync *sync, uint32_t k, Found *found) {
  if (k == sync->parts.size) {
    if (found->count)
      add_found(naive, found);
    return;
  }
  const SyncPart *part = &sync->parts.items[k];
  bool offered = false;
  for (EdgeId i = 0; i < naive->net->edges.size; i++) {
    const Edge *edge = &naive->net->edges.items[i];
    if (edge->process != part->process || edge->event != part->event || !is_at(naive, edge))
      continue;
    offered = true;
    found->edges[found->count++] = i;
    choose_parts(naive, sync, k + 1, found);
    found->count--;
  }
  if (!offered && part->weak)
    choose_parts(naive, sync, k + 1, found);
}

static void enumerate(Naive *naive, const Net *net, const int32_t *state) {
  naive->net = net;
  naive->locations = state + net->location_slot;
  vec_clear(&naive->found);
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    Found found = {.sync = s};
    choose_parts(naive, &net->syncs.items[s], 0, &found);
  }
  for (ProcessId p = 0; p < net->processes.size; p++)
    for (EdgeId i = 0; i < net->edges.size; i++) {
      const Edge *edge = &net->edges.items[i];
      if (edge->process == p && is_at(naive, edge) && !is_synchronous(net, edge))
        add_found(naive, &(Found){.sync = NET_NONE, .count = 1, .edges = {i}});
    }
}

static void assert_same(const Joint *joint, const Naive *naive, uint32_t index) {
  assert_true(index < naive->found.size);
  const Found *found = &naive->found.items[index];
  assert_int_equal(joint->ordinal, index);
  assert_int_equal(joint->sync, found->sync);
  assert_int_equal(joint->edge_count, found->count);
  for (uint32_t k = 0; k < found->count; k++)
    assert_ptr_equal(joint->edges[k], &joint->net->edges.items[found->edges[k]]);
}

static void random_net(Fixture *f, Random *random, uint32_t processes, uint32_t max_syncs) {
  const uint32_t events = 1 + random_below(random, 4);
  const bool dense = random_below(random, 2);
  for (uint32_t i = 0; i < events; i++)
    net_add_event(&f->net, "e", NOWHERE);
  for (uint32_t p = 0; p < processes; p++)
    net_add_process(&f->net, "P", NOWHERE);
  const uint32_t locations = processes * (1 + random_below(random, 4));
  for (uint32_t l = 0; l < locations; l++) {
    const LocationId id = add_location(f, l % processes, "l", true);
    f->net.locations.items[id].committed = random_below(random, 6) == 0;
  }
  const uint32_t edges = random_below(random, locations * (dense ? 3 : 2) + 1);
  for (uint32_t i = 0; i < edges; i++) {
    const LocationId source = random_below(random, locations);
    const uint32_t rows = locations / processes;
    const LocationId target = source % processes + processes * random_below(random, rows);
    add_edge(f, source, target, random_below(random, events));
  }
  const uint32_t syncs = processes < 2 ? 0 : random_below(random, max_syncs + 1);
  for (uint32_t s = 0; s < syncs; s++) {
    add_sync(f);
    const uint32_t all_weak = random_below(random, 4) == 0;
    uint32_t parts = 2 + random_below(random, processes < 4 ? processes - 1 : 3);
    ProcessId p = random_below(random, processes);
    for (; parts > 0; parts--, p = (p + 1) % processes)
      add_part(f, p, random_below(random, events), all_weak || random_below(random, 3) == 0);
  }
}

// The synchronisations once more, by numbers: those that have got one are what they were then.
static void compare_numbers(Joint *joint, const int32_t *state, Naive *naive, Naive *given) {
  uint32_t count = 0, syncs = 0;
  while (syncs < naive->found.size && naive->found.items[syncs].sync != NET_NONE)
    syncs++;
  for (joint_begin(joint, state); joint_next_number(joint); count++) {
    assert_int_equal(joint->ordinal, count);
    if (!joint->number) {
      assert_same(joint, naive, count);
      vec_push(&given->mem, &given->found, naive->found.items[count]);
      joint_give_number(joint, given->found.size);
    }
    assert_true(joint->number && joint->number <= given->found.size);
    assert_memory_equal(&given->found.items[joint->number - 1], &naive->found.items[count],
                        sizeof(Found));
  }
  assert_int_equal(count, syncs);
}

static uint64_t compare_all(Fixture *f, Random *random, int vectors) {
  uint64_t total = 0;
  Naive naive = {0}, given = {0};
  Joint joint;
  joint_init(&joint, &f->net, &f->arena);
  const size_t bytes = f->mem.bytes;
  int32_t state[16];
  for (int k = 0; k < vectors; k++) {
    for (uint32_t i = 0; i < f->net.slots.count; i++)
      state[i] = random_between(random, 0, f->net.slots.max[i]);
    enumerate(&naive, &f->net, state);
    joint_begin(&joint, state);
    uint32_t count = 0;
    for (; joint_next(&joint); count++)
      assert_same(&joint, &naive, count);
    assert_int_equal(count, naive.found.size);
    assert_false(joint_next(&joint));
    assert_false(joint_seek(&joint, state, count));
    if (count) {
      const uint32_t ordinal = random_below(random, count);
      assert_true(joint_seek(&joint, state, ordinal));
      assert_same(&joint, &naive, ordinal);
    }
    compare_numbers(&joint, state, &naive, &given);
    if (random_below(random, 20) == 0)
      joint_forget_numbers(&joint);
    total += count;
  }
  vec_release(&naive.mem, &naive.found);
  vec_release(&given.mem, &given.found);
  assert_int_equal(f->mem.bytes, bytes); // nothing was allocated
  return total;
}

static void test_enumeration(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 2);
  uint64_t total = 0;
  for (int round = 0; round < 4000; round++) {
    Fixture f;
    fixture_init(&f);
    random_net(&f, &random, 1 + random_below(&random, 5), round % 8 ? 8 : 150);
    fixture_finish(&f);
    total += compare_all(&f, &random, 10);
    fixture_release(&f);
  }
  assert_true(total > 100000); // the random nets are not all dead
}

// One location of each process, a shared counter, updates whose order is visible.
static void test_firing(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const EventId e = net_add_event(&f.net, "go", NOWHERE),
                g = net_add_event(&f.net, "come", NOWHERE);
  const ClockIndex x = net_add_clocks(&f.net, "x", 2, NOWHERE);
  const uint32_t v = add_int(&f, "v", 0, 20, 3);
  const ProcessId p = net_add_process(&f.net, "P", NOWHERE);
  const ProcessId q = net_add_process(&f.net, "Q", NOWHERE);
  const LocationId p0 = add_location(&f, p, "p0", true), p1 = add_location(&f, p, "p1", false);
  const LocationId q0 = add_location(&f, q, "q0", true), q1 = add_location(&f, q, "q1", false);
  Edge *edge = add_edge(&f, p0, p1, e);
  edge->guard_expr = binary(&f, EXPR_AND, test_clock(&f, x, EXPR_GE, 2),
                            binary(&f, EXPR_LE, var(&f, v), num(&f, 9)));
  edge->update_stmts = then(set_int(&f, var(&f, v), binary(&f, EXPR_ADD, var(&f, v), num(&f, 1))),
                            reset_clock(&f, x));
  edge = add_edge(&f, q0, q1, g);
  edge->guard_expr = binary(&f, EXPR_AND, test_clock(&f, x + 1, EXPR_LT, 5),
                            binary(&f, EXPR_NE, var(&f, v), num(&f, 4)));
  edge->update_stmts = then(set_int(&f, var(&f, v), binary(&f, EXPR_MUL, var(&f, v), num(&f, 2))),
                            set_clock(&f, clock_at(&f, x + 1), clock_at(&f, x), num(&f, 1)));
  f.net.locations.items[q1].invariant_expr = test_clock(&f, x, EXPR_LE, 7);
  f.net.locations.items[p1].invariant_expr = binary(&f, EXPR_LT, var(&f, v), num(&f, 16));
  add_sync(&f); // Q first: its update runs first
  add_part(&f, q, g, false);
  add_part(&f, p, e, false);
  fixture_finish(&f);

  Joint joint;
  joint_init(&joint, &f.net, &f.arena);
  ClockTests tests = {0};
  ClockUpdates updates = {0};
  // Start value, result of the guards, of the updates, of the invariants, end value.
  const int32_t cases[][5] = {{3, VM_TRUE, VM_TRUE, VM_TRUE, 7},
                              {4, VM_FALSE, 0, 0, 0},
                              {8, VM_TRUE, VM_TRUE, VM_FALSE, 17},
                              {9, VM_TRUE, VM_TRUE, VM_FALSE, 19},
                              {10, VM_FALSE, 0, 0, 0}};
  for (int i = 0; i < 5; i++) {
    int32_t state[] = {cases[i][0], 0, 0};
    tests.size = updates.size = 0;
    assert_true(joint_seek(&joint, state, 0));
    assert_int_equal(joint_guard(&joint, &f.vm, state, &tests), cases[i][1]);
    assert_int_equal(tests.size, cases[i][1] == VM_TRUE ? 2 : 0);
    if (cases[i][1] == VM_FALSE)
      continue;
    assert_int_equal(tests.items[0].i, x + 1); // Q's comes first
    assert_true(tests.items[0].strict);
    assert_int_equal(joint_fire(&joint, &f.vm, state, &updates), cases[i][2]);
    assert_int_equal(state[0], cases[i][4]);
    assert_int_equal(state[1], 1);
    assert_int_equal(state[2], 1);
    assert_int_equal(updates.size, 2);
    assert_int_equal(updates.items[0].x, x + 1);
    assert_int_equal(updates.items[0].y, x);
    assert_int_equal(updates.items[1].x, x);
    tests.size = 0;
    assert_int_equal(joint_invariant(&f.net, &f.vm, state, &tests), cases[i][3]);
    assert_int_equal(tests.size, cases[i][3] == VM_TRUE);
  }
  Text text = {.mem = &f.mem};
  joint_print(&text, &joint);
  assert_string_equal(text_chars(&text), "<Q.q0->q1, P.p0->p1> via come/go");
  text_release(&text);
  vec_release(&f.mem, &tests);
  vec_release(&f.mem, &updates);
  fixture_release(&f);
}

// An assignment out of range: no transition, or an error, as the net says.
static void test_invalid(void **unused) {
  (void)unused;
  for (int is_error = 0; is_error < 2; is_error++) {
    Fixture f;
    fixture_init(&f);
    const EventId e = net_add_event(&f.net, "e", NOWHERE);
    const uint32_t v = add_int(&f, "v", 0, 2, 2);
    const LocationId l = add_location(&f, net_add_process(&f.net, "P", NOWHERE), "l", true);
    add_edge(&f, l, l, e)->update_stmts =
        set_int(&f, var(&f, v), binary(&f, EXPR_ADD, var(&f, v), num(&f, 1)));
    f.net.invalid_is_error = is_error;
    fixture_finish(&f);
    Joint joint;
    joint_init(&joint, &f.net, &f.arena);
    ClockUpdates updates = {0};
    int32_t state[] = {2, 0};
    assert_true(joint_seek(&joint, state, 0));
    const VmResult expected = is_error ? VM_ERROR : VM_INVALID;
    assert_int_equal(joint_fire(&joint, &f.vm, state, &updates), expected);
    assert_non_null(f.vm.error);
    vec_release(&f.mem, &updates);
    fixture_release(&f);
  }
}

// 200 processes in a ring, three synchronisations each: more than one word of candidates.
static void test_many(void **unused) {
  (void)unused;
  enum { COUNT = 200 };
  Fixture f;
  fixture_init(&f);
  const EventId send = net_add_event(&f.net, "send", NOWHERE);
  const EventId take = net_add_event(&f.net, "take", NOWHERE);
  for (ProcessId p = 0; p < COUNT; p++) {
    net_add_process(&f.net, "P", NOWHERE);
    const LocationId a = add_location(&f, p, "a", true), b = add_location(&f, p, "b", false);
    add_edge(&f, a, b, send);
    add_edge(&f, b, a, take);
  }
  for (uint32_t s = 0; s < 3 * COUNT; s++) {
    add_sync(&f);
    add_part(&f, s / 3, send, false);
    add_part(&f, (s / 3 + s % 3 + 1) % COUNT, take, false);
  }
  fixture_finish(&f);
  Joint joint;
  joint_init(&joint, &f.net, &f.arena);
  int32_t state[COUNT] = {0};
  joint_begin(&joint, state);
  assert_false(joint_next(&joint));
  state[100] = 1; // the three before it can send to it
  joint_begin(&joint, state);
  const uint32_t expected[] = {97 * 3 + 2, 98 * 3 + 1, 99 * 3};
  for (int i = 0; i < 3; i++) {
    assert_true(joint_next(&joint));
    assert_int_equal(joint.sync, expected[i]);
  }
  assert_false(joint_next(&joint));
  fixture_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_enumeration),
      cmocka_unit_test(test_firing),
      cmocka_unit_test(test_invalid),
      cmocka_unit_test(test_many),
  };
  return cmocka_run_group_tests_name("joint", tests, NULL, NULL);
}
