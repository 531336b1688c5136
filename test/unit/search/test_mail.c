// Mail between workers: nodes that are lent arrive, and those that were visited take no room.
#include "search/workers/workers.h"

#include "searching.h"

#include "semantics/local/local.h"

enum { GIVEN = 2000, LEFT = 5 };

// The nodes of a search by two workers are lent from one to the other once more.
static void give(bool is_local) {
  Search s;
  const char *arguments[] = {"n=3"};
  search_generate(&s, "fischer", 1, arguments);
  s.space = (is_local ? local_new : zones_new)(&s.mem, &s.reading.net, NULL, &s.options,
                                               &s.reading.report);
  reach_init(&s.reach, &s.mem, s.space, ORDER_BFS, &s.stats);
  workers_divide(&s.reach, 2, ORDER_BFS, NULL);
  assert_int_equal(reach_run(&s.reach), REACH_NONE);
  Reach *to = s.reach.peers->members[1];
  const uint32_t nodes = s.reach.store.nodes.size;
  assert_true(nodes > 0);
  uint32_t refs[GIVEN], given = 0;
  for (uint32_t i = 0; given < GIVEN; i++)
    if (store_node(&s.reach.store, i % nodes)->is_stored)
      refs[given++] = i % nodes;
  uint32_t opened = 0, max = 0;
  for (uint32_t i = 0; i < GIVEN; i++) {
    mail_lend(&s.reach, 1, refs[i]);
    worker_flush(s.reach.worker);
    NodeRef parent;
    for (Received received; (received = mail_receive(to, &parent));)
      assert_int_equal(received, MAIL_DEALT);
    // All but the last few.
    for (; opened + LEFT < i; opened++)
      assert_int_equal(mail_open_lent(to), store_global(&s.reach.store, refs[opened]));
    max = to->mail->lent.size > max ? to->mail->lent.size : max;
  }
  for (; opened < GIVEN; opened++)
    assert_int_equal(mail_open_lent(to), store_global(&s.reach.store, refs[opened]));
  assert_int_equal(mail_open_lent(to), NODE_NONE);
  const size_t words = (mail_message_bytes(s.space) + 7) / sizeof(uint64_t);
  assert_true(max <= 3 * (LEFT + 2) * words);
  search_release(&s);
}

static void test_lent(void **state) {
  (void)state;
  give(false);
  give(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lent)};
  return cmocka_run_group_tests_name("mail", tests, NULL, NULL);
}
