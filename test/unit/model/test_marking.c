// A network with a mark: the variable is the last, locations move on by one slot, and runs are
// those of the network.
#include "model/marking.h"

#include "reading.h"

static const char *const model =
    "system:s\nevent:a\nclock:1:x\nint:2:0:3:0:n\nprocess:P\nprocess:Q\nlocation:P:A{initial:}\n"
    "location:P:B{invariant: n[0]<3}\nlocation:Q:C{initial:}\n"
    "edge:P:A:B:a{do: n[1]=1}\nedge:P:B:A:a{provided: n[1]==1}\n";

static void test_marking(void **unused) {
  (void)unused;
  Reading r;
  Net marked;
  reading_accept(&r, model);
  const int32_t values[] = {2, -1};
  assert_true(marking_make(&marked, &r.net, values, 3, &r.report));
  assert_int_equal(marking_slot(&marked), 2);
  assert_int_equal(marked.location_slot, r.net.location_slot + 1);
  assert_int_equal(marked.slots.max[2], 3);
  assert_int_equal(marked.slots.initial[2], 0);
  const Stmt *first = marked.edges.items[0].update_stmts;
  assert_int_equal(first->target->base, 2);
  assert_int_equal(first->value->value, 2);
  assert_ptr_equal(first->next, r.net.edges.items[0].update_stmts);
  assert_null(marked.edges.items[1].update_stmts);
  const Expr *at = expr_at(&r.arena, (Place){0}, "Q.C", r.net.location_slot + 1, 0);
  assert_int_equal(marking_expr(&r.arena, at, &marked)->base, marked.location_slot + 1);
  assert_null(marking_expr(&r.arena, NULL, &marked));
  const int32_t state[] = {0, 1, 2, 1, 0};
  const Edge *edges[] = {&marked.edges.items[0]};
  const RunStep steps[] = {{.state = state}, {.edges = edges, .edge_count = 1, .state = state}};
  const Run run = marking_run(&r.arena, &(Run){.steps = steps, .step_count = 2}, &marked, &r.net);
  const int32_t narrow[] = {0, 1, 1, 0};
  assert_memory_equal(run.steps[1].state, narrow, sizeof narrow);
  assert_ptr_equal(run.steps[1].edges[0], &r.net.edges.items[0]);
  net_release(&marked);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_marking)};
  return cmocka_run_group_tests_name("marking", tests, NULL, NULL);
}
