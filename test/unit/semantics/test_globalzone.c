// The forms of zones of global time are those of one zone: number, packed zone and matrix, of the
// opened node and of the current one, with and without minimal forms.
#include "semantics/zone/globalzone.h"

#include "spaces.h"

enum { MAX_NODES = 100 };

static void assert_same(const Bound *a, const Bound *b, uint32_t k) {
  for (uint32_t i = 0; i < k; i++)
    assert_memory_equal(a + i * dbm_stride(k), b + i * dbm_stride(k), k * sizeof *a);
}

// A matrix becomes the current zone, which is in the table already.
static void set_current(Zones *zones, const Bound *matrix, uint32_t k) {
  globalzone_begin(zones);
  memcpy(global_of(zones)->matrix, matrix, sizeof(Bound) * k * dbm_stride(k));
}

static void check_node(Zones *zones, const uint64_t *key, ZoneRef zone) {
  engine_load(&zones->space, key, zone);
  const uint32_t k = zones->vector->active.k;
  Bound *copy = mem_alloc(zones->mem, sizeof(Bound) * k * dbm_stride(k));
  memcpy(copy, globalzone_matrix(zones), sizeof(Bound) * k * dbm_stride(k));
  assert_true(dbm_is_tight(copy, k));
  assert_int_equal(global_of(zones)->matrix_of, zone);
  zones->opened.has_matrix = false;
  globalzone_open(zones, zone);
  assert_int_equal(zones->opened.zone, zone);
  assert_same(globalzone_source(zones), copy, k);
  set_current(zones, copy, k);
  assert_int_equal(zones->space.zone, ZONE_NONE);
  assert_same(globalzone_matrix(zones), copy, k);
  globalzone_keep(zones);
  assert_int_equal(zones->space.zone, zone);
  set_current(zones, copy, k);
  assert_int_equal(globalzone_number(zones), zone);
  assert_int_equal(global_of(zones)->matrix_of, zone);
  mem_free(zones->mem, copy);
}

static void check_nodes(bool is_compact) {
  for (int seed = 1; seed <= 30; seed++) {
    Search s;
    search_random(&s, seed, NULL);
    s.options.compact = is_compact;
    if (spaces_explore(&s, false, 1) && s.result == REACH_NONE)
      for (NodeRef ref = 0; ref < s.reach.store.nodes.size && ref < MAX_NODES; ref++)
        if (spaces_is_stored(&s, ref))
          check_node((Zones *)s.space, spaces_key(&s, ref),
                     store_node(&s.reach.store, ref)->zone);
    search_release(&s);
  }
}

static void test_forms(void **state) {
  (void)state;
  check_nodes(false);
}

static void test_compact_forms(void **state) {
  (void)state;
  check_nodes(true);
}

// A zone that no bound can hold is a failure, with a sentence.
static void test_range(void **state) {
  (void)state;
  const char *arguments[] = {"n=3"};
  Search s;
  search_generate(&s, "fischer", 1, arguments);
  assert_true(spaces_explore(&s, false, 1));
  Zones *zones = (Zones *)s.space;
  enum { K = 2 };
  Bound matrix[K * DBM_LANES];
  dbm_zero(matrix, K);
  assert_true(globalzone_in_range(zones, matrix, K));
  assert_null(s.space->failure);
  matrix[dbm_stride(K)] = BOUND_INF - 2;
  assert_false(globalzone_in_range(zones, matrix, K));
  assert_non_null(strstr(s.space->failure, "outgrows the largest representable bound"));
  search_release(&s);
}

SPACES_MAIN("globalzone", cmocka_unit_test(test_forms), cmocka_unit_test(test_compact_forms),
            cmocka_unit_test(test_range))
