// What is shared between processes, and who accesses it how.
#include "analysis/resources.h"

#include "reading.h"

#define BEGIN                                                                                    \
  "system:s\nprocess:P\nprocess:Q\nevent:tau\nevent:a\nevent:b\n"                                \
  "clock:1:x\nclock:1:y\nint:1:0:9:0:v\nint:1:0:9:0:w\n"                                         \
  "location:P:l0{initial:}\nlocation:P:l1{}\nlocation:Q:m0{initial:}\nlocation:Q:m1{}\n"

static Resources find(Reading *r, const char *text) {
  Resources resources;
  reading_accept(r, text);
  assert_true(resources_find(&resources, &r->arena, &r->net, &r->report));
  return resources;
}

static void test_private(void **state) {
  (void)state;
  Reading r;
  // v is P's alone, w is never written, x is used by Q only together with P.
  const Resources c = find(&r, BEGIN "edge:P:l0:l1:tau{provided:v==w : do:v=1;x=0}\n"
                                     "edge:P:l1:l0:a{}\n"
                                     "edge:Q:m0:m1:b{provided:x>=1&&w==0}\n"
                                     "sync:P@a:Q@b\n");
  assert_int_equal(c.count, 0);
  reading_release(&r);
}

static void test_shared(void **state) {
  (void)state;
  Reading r;
  const Resources c = find(&r, BEGIN "edge:P:l0:l1:tau{provided:v==1 : do:w=1;y=0}\n"
                                     "edge:P:l1:l0:tau{do:w=2}\n"
                                     "edge:Q:m0:m1:tau{do:v=1;w=0}\n"
                                     "edge:Q:m1:m0:tau{provided:y<=1}\n");
  assert_int_equal(c.count, 3); // v, w, y
  assert_int_equal(c.written_count, 1);
  assert_true(c.items[0].is_read && c.items[0].is_own && !c.items[0].clock);
  assert_false(c.items[1].is_read || c.items[1].is_own); // nobody only reads w
  assert_true(c.items[2].is_read && !c.items[2].is_own); // reset to 0 only
  assert_int_equal(c.items[2].clock, 2);
  assert_true(resources_has(c.edge_reads[0], 0) && !resources_has(c.edge_writes[0], 0));
  assert_true(resources_has(c.edge_writes[0], 1) && resources_has(c.edge_writes[0], 2));
  assert_int_equal(c.edge_reads[1].size, 0);
  assert_int_equal(c.edge_writes[2].size, 2);
  assert_true(resources_has(c.edge_reads[3], 2));
  reading_release(&r);
}

// A weak participant counts; an event that is in no synchronisation with P does not.
static void test_weak(void **state) {
  (void)state;
  Reading r;
  Resources c = find(&r, BEGIN "edge:P:l0:l1:a{do:v=1}\nedge:Q:m0:m1:b{do:v=2}\n"
                               "sync:P@a?:Q@b\n");
  assert_int_equal(c.count, 0);
  reading_release(&r);
  c = find(&r, BEGIN "edge:P:l0:l1:a{do:v=1}\nedge:Q:m0:m1:b{do:v=2}\n");
  assert_int_equal(c.count, 1);
  reading_release(&r);
}

static void test_invariants(void **state) {
  (void)state;
  Reading r;
  const Resources c =
      find(&r, "system:s\nprocess:P\nprocess:Q\nevent:tau\nclock:1:x\nint:2:0:9:0:v\n"
               "location:P:l0{initial: : invariant:x<=v[0]}\nlocation:P:l1{}\n"
               "location:Q:m0{initial:}\nedge:Q:m0:m0:tau{do:v[0]=1;v[1]=1;x=3}\n");
  assert_int_equal(c.count, 2); // v[0] and x; v[1] is Q's
  assert_true(c.items[0].is_own);
  assert_true(c.items[1].is_own); // its offset does not tell when it was set
  assert_int_equal(c.invariant_reads[0].size, 2);
  assert_int_equal(c.invariant_reads[1].size, 0);
  reading_release(&r);
}

// Variables with the same accesses are one resource.
static void test_together(void **state) {
  (void)state;
  Reading r;
  const Resources c = find(&r, BEGIN "edge:P:l0:l1:tau{provided:v==w}\n"
                                     "edge:Q:m0:m1:tau{do:v=1;w=1}\n");
  assert_int_equal(c.count, 1);
  assert_int_equal(c.written_count, 1);
  reading_release(&r);
}

static void test_independence(void **state) {
  (void)state;
  Reading r;
  Resources c = find(&r, BEGIN "edge:P:l0:l1:tau{do:x=0}\nedge:Q:m0:m1:tau{do:y=0}\n");
  assert_true(c.independent == 1);
  reading_release(&r);
  c = find(&r, BEGIN "edge:P:l0:l1:a{do:x=0}\nedge:Q:m0:m1:b{do:y=0}\nsync:P@a:Q@b\n");
  assert_true(c.independent == 0);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_private),  cmocka_unit_test(test_shared),
      cmocka_unit_test(test_weak),     cmocka_unit_test(test_invariants),
      cmocka_unit_test(test_together), cmocka_unit_test(test_independence)};
  return cmocka_run_group_tests_name("resources", tests, NULL, NULL);
}
