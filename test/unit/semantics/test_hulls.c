// Hulls of zones: a search that joins nodes has one for each discrete state, and each includes
// what the exact search has there.
#include "semantics/zone/hulls.h"

#include "reading.h"
#include "search/reach.h"
#include "semantics/zone/zones.h"

// In B the clocks x and y differ by any whole number up to 6: seven zones, and one hull.
static const char model[] = "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\n"
                            "location:P:A{initial: : invariant: x <= 1}\n"
                            "location:P:B{invariant: y <= 6}\n"
                            "edge:P:A:A:a{provided: x == 1 && y <= 5 : do: x = 0}\n"
                            "edge:P:A:B:a{provided: x == 0}\n"
                            "edge:P:B:B:a{provided: y > 6 && x < 3}\n";

// The hull of both zones of B has x = c = 0 and y = 5, from where y can grow up to 11; in each of
// the zones it grows up to 6.
static const char bounded[] = "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\nclock:1:c\n"
                              "location:P:A{initial: : invariant: y <= 5}\n"
                              "location:P:B{invariant: x <= 6 && c <= 6}\n"
                              "edge:P:A:B:a{provided: y == 5 : do: x = 0}\n"
                              "edge:P:A:B:a{provided: y == 5 : do: c = 0}\n"
                              "edge:P:B:B:a{provided: y >= 20}\n";

typedef struct Found {
  uint32_t nodes, keys;
  bool is_closed; // what follows the nodes is covered by one of them
  bool lets_time_pass;
} Found;

static bool is_closed(Reach *reach) {
  Space *space = reach->space;
  for (NodeRef ref = 0; ref < reach->store.nodes.size; ref++) {
    const Node *node = store_node(&reach->store, ref);
    if (!node->is_stored)
      continue;
    space->open(space, store_opening_key(&reach->store, node->group), node->zone);
    while (space->next(space))
      if (store_subsumer(&reach->store) == NODE_NONE)
        return false;
  }
  return true;
}

// Whether zones include what delays lead to within the invariant.
static bool lets_time_pass(Reach *reach) {
  Space *space = reach->space;
  for (NodeRef ref = 0; ref < reach->store.nodes.size; ref++) {
    const Node *node = store_node(&reach->store, ref);
    if (!node->is_stored)
      continue;
    space->load(space, store_opening_key(&reach->store, node->group), node->zone);
    Bound later[64];
    const uint32_t k = zones_active(space)->k;
    const ConstraintList list = ((Zones *)space)->vector->setting->invariant;
    assert_true(dbm_bytes(k) <= sizeof later);
    dbm_copy(later, zones_zone(space), k);
    dbm_up(later, k);
    assert_true(dbm_constrain_all(&(Mem){0}, later, k, list.items, list.count));
    if (!dbm_is_tight(zones_zone(space), k) || !dbm_includes(zones_zone(space), later, k))
      return false;
  }
  return true;
}

static Found search(const char *text, bool joins) {
  Reading r;
  Statistics stats = {0};
  Options options;
  Reach reach;
  Found found = {0};
  reading_accept(&r, text);
  options_init(&options);
  Space *space = zones_new(&r.mem, &r.net, NULL, &options, &r.report);
  assert_non_null(space);
  zones_join_nodes(space, joins);
  reach_init(&reach, &r.mem, space, ORDER_BFS, &stats);
  assert_int_equal(reach_run(&reach), REACH_NONE);
  zones_join_nodes(space, false);
  found.nodes = reach.store.stored;
  found.keys = reach.store.groups.size;
  found.is_closed = is_closed(&reach);
  found.lets_time_pass = lets_time_pass(&reach);
  reach_release(&reach);
  space_release(space);
  reading_release(&r);
  return found;
}

static void test_search(void **unused) {
  (void)unused;
  const Found exact = search(model, false), joined = search(model, true);
  assert_true(exact.is_closed && joined.is_closed);
  assert_int_equal(exact.keys, 2);
  assert_true(exact.nodes > 2);
  assert_int_equal(joined.keys, 2);
  assert_int_equal(joined.nodes, 2);
}

static void test_delays(void **unused) {
  (void)unused;
  const Found exact = search(bounded, false), joined = search(bounded, true);
  assert_true(exact.is_closed && exact.lets_time_pass);
  assert_int_equal(exact.nodes, 3);
  assert_true(joined.is_closed && joined.lets_time_pass);
  assert_int_equal(joined.nodes, 2);
}

// The hull of two zones has both.
static void test_join(void **unused) {
  (void)unused;
  Reading r;
  Options options;
  Hulls hulls;
  reading_accept(&r, model);
  options_init(&options);
  Space *space = zones_new(&r.mem, &r.net, NULL, &options, &r.report);
  hulls_init(&hulls, &r.mem, space);
  assert_true(space->initial(space));
  const uint64_t key = *space->key;
  const uint32_t first = space->keep(space);
  hulls_join(&hulls, &key, 1);
  assert_int_equal(space->keep(space), first);
  space->open(space, &key, first);
  assert_true(space->next(space));
  assert_int_equal(*space->key, key);
  const uint32_t second = space->keep(space);
  hulls_join(&hulls, &key, 1);
  const uint32_t joined = space->keep(space);
  uint32_t list[1 + SPACE_SLACK / sizeof(uint32_t)] = {joined};
  assert_true(joined != first && joined != second);
  space->load(space, &key, first);
  assert_int_equal(space->find_subsumer(space, list, 1), 0);
  space->load(space, &key, second);
  assert_int_equal(space->find_subsumer(space, list, 1), 0);
  hulls_release(&hulls);
  space_release(space);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_search),
      cmocka_unit_test(test_delays),
      cmocka_unit_test(test_join),
  };
  return cmocka_run_group_tests_name("hulls", tests, NULL, NULL);
}
