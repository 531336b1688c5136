// Queries in the unit of time that they and the model need.
#include "plan/rescale.h"

#include "sessions.h"

static void ask(Tarn *tarn, const char *text, int64_t unit, bool is_wide) {
  TarnQuery *asked = handle_new(tarn, text, false);
  Query query;
  Arena arena = {.mem = &tarn->mem};
  assert_true(handle_parse(tarn, asked, &query, &arena, &tarn->report));
  const Expr *read = query.formula;
  const Net *net = rescale_query(&tarn->units, &query, &arena);
  assert_true(net_unit(net) == unit);
  assert_int_equal(net_is_wide(net), is_wide);
  assert_int_equal(query.formula == read, unit == 1);
  arena_release(&arena);
}

static void test_queries(void **state) {
  (void)state;
  Tarn *tarn = sessions_read("system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
                             "location:P:B{}\nedge:P:A:B:a{provided: x>3 && x<=6}\n");
  ask(tarn, "E<> P.B && x < 9", 1, false);
  ask(tarn, "E<> x < 90000000", 3, false);
  ask(tarn, "E<> x < 3000000001", 1, true);
  ask(tarn, "E<> P.B", 1, false); // what another query asked is forgotten
  tarn_release(tarn);
}

SESSIONS_MAIN("rescale", cmocka_unit_test(test_queries))
