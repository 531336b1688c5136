// Location vectors: one for each location vector, as the net has it, also after the cache was
// emptied.
#include "semantics/zone/locvector.h"
#include "semantics/zone/locvector_fetch.h"
#include "semantics/zone/transformer.h"

#include "base/random.h"
#include "grid.h"
#include "ranges.h"

// What the tests need beside the location vectors.
typedef struct Fixture {
  Reading r;
  ClockBounds bounds;
  StateLayout layout;
  Mover mover; // for its Joint and its Vm
  LocVectors vectors;
  char *text;
} Fixture;

static void fixture_init(Fixture *f, uint64_t seed, const char *const *arguments) {
  f->text = points_random_text(seed, arguments);
  Reading *r = &f->r;
  reading_accept(r, f->text);
  if (!clockbounds_compute(&f->bounds, &r->arena, &r->net, NULL, &r->report))
    fail_msg("%s", text_chars(&r->report.error));
  forget_ranges(&r->net); // any state will do
  state_layout(&f->layout, &r->arena, &r->net);
  mover_init(&f->mover, &r->mem, &r->net, 1);
  locvector_init(&f->vectors, &r->mem, &r->net, &f->layout, &f->bounds, NULL, false, false);
}

static void fixture_drop(Fixture *f) {
  mover_release(&f->mover);
  reading_drop(&f->r);
  free(f->text);
}

// Clocks come from where the updates, one after the other, take them from.
static void assert_origins(const ActiveClocks *active, const Transition *out,
                           const Joint *joint) {
  ClockIndex from[POINT_CLOCKS];
  int32_t plus[POINT_CLOCKS] = {0};
  for (ClockIndex x = 0; x < POINT_CLOCKS; x++)
    from[x] = x;
  for (uint32_t i = 0; i < joint->edge_count; i++) {
    const Update *update = &joint->edges[i]->update;
    for (uint32_t u = 0; u < update->clock_update_count; u++) {
      const ClockUpdate c = update->clock_updates[u];
      plus[c.x] = (c.y ? plus[c.y] : 0) + code_narrow(c.constant);
      from[c.x] = c.y ? from[c.y] : 0;
    }
  }
  ClockId origin[POINT_CLOCKS + DBM_LANES];
  int32_t offset[POINT_CLOCKS + DBM_LANES];
  Origins origins = {.origin = origin, .offset = offset};
  transformer_origins(active, out, active, &origins);
  bool is_identity = true, has_offset = false;
  for (uint32_t i = 1; i < active->k; i++) {
    const ClockIndex x = active->clocks[i];
    assert_int_equal(origin[i], from[x] ? active->position[from[x]] : 0);
    assert_int_equal(offset[i], plus[x]);
    is_identity &= from[x] == x && !plus[x];
    has_offset |= plus[x] != 0;
  }
  assert_int_equal(origins.has_offset, has_offset);
  assert_true(is_identity || !origins.is_identity);
}

static void assert_outgoing(Fixture *f, LocVector *vector, const int32_t *state) {
  locvector_find_outgoing(&f->vectors, vector);
  Joint *joint = &f->mover.joint;
  uint32_t count = 0;
  for (joint_begin(joint, state); joint_next(joint); count++) {
    assert_true(count < vector->outgoing_count);
    const Transition *out = locvector_transition(&f->vectors, &vector->outgoing[count]);
    assert_int_equal(joint->ordinal, count);
    assert_int_equal(out->edge_count, joint->edge_count);
    assert_memory_equal(out->edges, joint->edges, joint->edge_count * sizeof *joint->edges);
    if (!out->needs_clocks)
      assert_origins(&vector->active, out, joint);
  }
  assert_int_equal(vector->outgoing_count, count);
}

static void assert_vector(const Fixture *f, const LocVector *vector, const int32_t *state) {
  const Net *net = &f->r.net;
  const Intern *parts = &f->vectors.numbers[VECTOR_PARTS];
  assert_ptr_equal(intern_at(parts, vector->setting->number)->value, vector->setting);
  assert_int_equal(vector->setting->can_delay, state_may_delay(net, state));
  int32_t lower[POINT_CLOCKS], upper[POINT_CLOCKS];
  clockbounds_of_state(&f->bounds, net, state, lower, upper);
  uint32_t invariants = 0, k = 1;
  for (ProcessId p = 0; p < net->processes.size; p++)
    invariants += net_location(net, p, state[net->location_slot + p])->invariant.clock_test_count;
  assert_int_equal(vector->setting->invariant.count, invariants);
  for (ClockIndex x = 1; x <= net->clock_count; x++)
    if (lower[x] != CLOCK_UNBOUNDED || upper[x] != CLOCK_UNBOUNDED) {
      assert_int_equal(vector->active.clocks[k], x);
      assert_int_equal(vector->active.bounds->lower[k], lower[x]);
      assert_int_equal(vector->active.bounds->upper[k], upper[x]);
      k++;
    }
  assert_int_equal(vector->active.k, k);
}

static LocVector *find(Fixture *f, const int32_t *state) {
  uint64_t packed[POINT_SLOTS];
  state_pack(&f->layout, packed, state);
  return locvector_find(&f->vectors, packed);
}

static void random_state(const Net *net, Random *random, int32_t *state) {
  for (uint32_t i = 0; i < net->slots.count; i++)
    state[i] = random_between(random, net->slots.min[i], net->slots.max[i]);
}

static void test_random_states(void **state) {
  (void)state;
  const char *const arguments[] = {"clocks=4", "processes=3", "locations=4", NULL};
  Random random;
  random_seed(&random, 1);
  for (uint64_t seed = 1; seed <= 60; seed++) {
    Fixture f;
    fixture_init(&f, seed, arguments);
    for (int k = 0; k < 100; k++) {
      int32_t now[POINT_SLOTS];
      random_state(&f.r.net, &random, now);
      LocVector *vector = find(&f, now);
      assert_vector(&f, vector, now);
      assert_outgoing(&f, vector, now);
      for (uint32_t i = 0; i < f.r.net.location_slot; i++) // variables play no part
        now[i] = f.r.net.slots.min[i];
      assert_ptr_equal(find(&f, now), vector);
      locvector_keep_small(&f.vectors, 2, 0);
    }
    fixture_drop(&f);
  }
}

// More location vectors than the cache holds: it is emptied now and then, and no location vector
// is the worse for it.
static void test_cache(void **state) {
  (void)state;
  const char *const arguments[] = {"processes=4", "locations=20", "clocks=7", "edges=60",
                                   "syncs=60",    "ints=0",       NULL};
  Fixture f;
  fixture_init(&f, 3, arguments);
  Random random;
  random_seed(&random, 2);
  int emptied = 0;
  for (int k = 0; k < 60000; k++) {
    int32_t now[POINT_SLOTS];
    random_state(&f.r.net, &random, now);
    const size_t before = f.vectors.cache.bytes;
    locvector_keep_small(&f.vectors, 2, 0);
    emptied += f.vectors.cache.bytes < before;
    LocVector *vector = find(&f, now);
    locvector_find_outgoing(&f.vectors, vector);
    if (k % 100 == 0) {
      assert_vector(&f, vector, now);
      assert_outgoing(&f, vector, now);
    }
  }
  assert_true(emptied > 0);
  assert_true(f.r.mem.peak < 64 << 20);
  fixture_drop(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_states),
      cmocka_unit_test(test_cache),
  };
  return cmocka_run_group_tests_name("vector", tests, NULL, NULL);
}
