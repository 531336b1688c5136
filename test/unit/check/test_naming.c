// Texts of parts of a network under other names.
#include "check/naming.h"

#include "reading.h"

static const char model[] =
    "system:s\nevent:tau\nclock:1:x\nclock:1:y\nint:1:0:2:0:id\nint:1:0:9:0:n\nprocess:P\n"
    "process:Q\nlocation:P:A{initial:}\nlocation:Q:A{initial:}\n"
    "edge:P:A:A:tau{provided:id==1&&x<=3 : do:id=2;x=0}\n"
    "edge:Q:A:A:tau{provided:id==2&&y<=3 : do:id=1;y=0}\n"
    "edge:P:A:A:tau{provided:n<2 : do:n=id}\n";

// The swap of P and Q maps the first edge to the second; the third does not make sense, as a
// value that moves goes into a variable that does not.
static void test_edges(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, model);
  static const uint32_t processes[] = {0, 1}, clocks[] = {1, 2}, to[] = {1, 0}, sort[] = {1, 0};
  static const int32_t ids[] = {1, 2};
  const RenamedValues values = {1, ids};
  const RenamedFamily family = {.size = 2,
                                .process_columns = 1,
                                .clock_columns = 1,
                                .value_columns = 1,
                                .processes = processes,
                                .clocks = clocks,
                                .values = &values,
                                .sort = sort};
  Prover p = {.mem = &r.mem, .arena = {.mem = &r.mem}, .net = &r.net};
  const Names swapped = naming_make(&p, &family, to), own = naming_make(&p, NULL, NULL);
  assert_int_equal(naming_value(&swapped, 1, 1), 2);
  assert_int_equal(naming_value(&swapped, 0, 1), 1);
  assert_int_equal(naming_sort(&swapped, 1), 0);
  for (EdgeId e = 0; e < 3; e++) {
    Text a = {.mem = &r.mem}, b = {.mem = &r.mem};
    const Edge *edge = &r.net.edges.items[e], *image = &r.net.edges.items[e == 2 ? 2 : 1 - e];
    p.is_refused = false;
    naming_write_expr(&p, &swapped, &a, edge->guard.expr, 0);
    naming_write_stmts(&p, &swapped, &a, edge->update.stmts);
    naming_write_expr(&p, &own, &b, image->guard.expr, 0);
    naming_write_stmts(&p, &own, &b, image->update.stmts);
    assert_int_equal(p.is_refused, e == 2);
    if (e < 2)
      assert_string_equal(text_chars(&a), text_chars(&b));
    text_release(&a);
    text_release(&b);
  }
  arena_release(&p.arena);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
