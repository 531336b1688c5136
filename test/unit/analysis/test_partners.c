// Alike edges come in the order of their partners, all others in that of the declarations.
#include "analysis/symmetry/partners.h"

#include "families.h"

#define MODEL                                                                                    \
  "system:s\nevent:a\nevent:b\nevent:c\nevent:d\nprocess:P\nprocess:Q\nprocess:F\nprocess:G\n"   \
  "location:P:A{initial:}\nlocation:Q:A{initial:}\nlocation:F:A{initial:}\nlocation:G:A{"        \
  "initial:}\n"                                                                                  \
  "edge:P:A:A:a\nedge:Q:A:A:b\nedge:F:A:A:c\nedge:F:A:A:d\nedge:G:A:A:c\nedge:G:A:A:d\n"         \
  "sync:P@a:F@c\nsync:Q@b:F@d\nsync:P@a:G@c\nsync:Q@b:G@d\n"

static void test_order(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, MODEL);
  ProcessId column[] = {0, 1}, *columns[] = {column};
  EventId events[] = {0, 1};
  EventDraft draft = {true, 0, events};
  const Builder b = {.mem = &r.mem,
                     .net = &r.net,
                     .size = 2,
                     .processes = {columns, 1, 1},
                     .events = {&draft, 1, 1}};
  EdgeIds list = {0};
  partners_list_edges(&b, 2, 0, &list); // F is with P: that edge is its first
  assert_int_equal(list.size, 2);
  assert_int_equal(list.items[0], 2);
  assert_int_equal(list.items[1], 3);
  partners_list_edges(&b, 3, 1, &list); // G is with Q
  assert_int_equal(list.items[0], 5);
  assert_int_equal(list.items[1], 4);
  partners_list_edges(&b, 0, 0, &list);
  assert_int_equal(list.size, 1);
  vec_release(&r.mem, &list);
  reading_release(&r);
}

// The lists find what a look at all synchronisations finds.
static void test_syncs(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, MODEL);
  const SyncUses *uses = partners_list_syncs(&r.arena, &r.net);
  for (ProcessId p = 0; p < r.net.processes.size; p++)
    for (EventId e = 0; e < r.net.events.size; e++) {
      uint32_t which = 0;
      for (uint32_t s = 0; s < r.net.syncs.size; s++)
        for (uint32_t k = 0; k < r.net.syncs.items[s].parts.size; k++) {
          const SyncPart *part = &r.net.syncs.items[s].parts.items[k];
          if (part->process == p && part->event == e)
            assert_int_equal(partners_find_sync(uses, p, e, which++), s);
        }
      assert_int_equal(partners_find_sync(uses, p, e, which), NET_NONE);
    }
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_syncs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
