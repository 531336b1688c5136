// Footprints: cells, kinds of writes, what can follow an edge in zero time.
#include "analysis/footprint.h"

#include "reading.h"

#define BEGIN                                                                                    \
  "system:s\nprocess:P\nprocess:Q\nevent:tau\nevent:a\n"                                         \
  "clock:1:x\nclock:1:y\nint:1:0:9:0:v\nint:1:1:9:3:w\n"                                         \
  "location:Q:m0{initial: : invariant:x<=5&&v<=3}\nedge:Q:m0:m0:a{}\n"

typedef struct Found {
  Reading reading;
  Footprint f;
} Found;

static void find(Found *found, const char *text) {
  reading_accept(&found->reading, text);
  assert_null(footprint_obstacle(&found->reading.net, NULL));
  footprint_make(&found->f, &found->reading.arena, &found->reading.net, NULL);
}

static void release(Found *found) { reading_drop(&found->reading); }

static const Word *own(const Found *found, EdgeId e, uint32_t part) {
  return found->f.own + e * found->f.row_words + part;
}
static Word follow_flags(Found *found, EdgeId e) {
  return footprint_follow(&found->f, e)[found->f.flags];
}

static void test_kinds(void **state) {
  (void)state;
  Found found;
  find(&found, BEGIN "location:P:l0{initial:}\nlocation:P:l1{}\n"
                     "edge:P:l0:l1:tau{provided:v==1 : do:v=v+1;w=2;x=0}\n"
                     "edge:P:l1:l0:tau{do:v=w}\n");
  const Footprint *f = &found.f; // edge 0 is Q's; cells: v, w, locations, clocks
  assert_true(foot_has(own(&found, 1, f->ups), 0) && !foot_has(own(&found, 1, f->writes), 0));
  assert_true(foot_has(f->guards + f->cell_words, 0) && !foot_has(f->guards + f->cell_words, 1));
  assert_int_equal(f->constants.size, 2); // w = 2, x = 0
  assert_true(own(&found, 1, f->sets)[0] == 3);
  assert_true(foot_has(own(&found, 2, f->writes), 0) && foot_has(own(&found, 2, f->reads), 1));
  // Q's invariant reads v, and bounds x from above only.
  assert_true(f->has_harm[1] && foot_has(f->harms + f->cell_words, 0));
  assert_false(foot_has(f->harms + f->cell_words, f->first_clock + 1));
  release(&found);
}

// y is reset, so that y >= w, which is at least 1, takes time.
static void test_follow(void **state) {
  (void)state;
  Found found;
  find(&found, BEGIN "location:P:l0{initial:}\nlocation:P:l1{}\nlocation:P:l2{}\n"
                     "edge:P:l0:l1:tau{do:y=0}\n"
                     "edge:P:l1:l2:tau{provided:y>=w : do:v=1}\n"
                     "edge:P:l2:l0:tau{}\nedge:P:l1:l1:a{provided:v==2}\n");
  Footprint *f = &found.f;
  const uint32_t constant = 1; // v = 1, after y = 0
  assert_int_equal(f->constants.items[constant].value, 1);
  assert_false(foot_has(footprint_follow(f, 1) + f->sets, constant));
  assert_false(foot_has(footprint_follow(f, 3) + f->sets, constant));
  assert_true(foot_has(footprint_follow(f, 2) + f->sets, constant));
  // Cells that are written are behind the row.
  assert_true(foot_has(footprint_follow(f, 2) + f->row_words, f->first_location));
  assert_false(foot_has(footprint_follow(f, 2) + f->row_words, f->first_location + 1));
  assert_ptr_equal(footprint_follow(f, 2), footprint_follow(f, 2)); // it is kept
  release(&found);
}

// y is reset on the way round l0 and l1, and asked to be more than 0. Nothing is asked by the
// edges between l1 and l2.
static void test_recurring(void **state) {
  (void)state;
  Found found;
  find(&found, BEGIN "location:P:l0{initial:}\nlocation:P:l1{}\nlocation:P:l2{}\n"
                     "edge:P:l0:l1:tau{do:y=0}\nedge:P:l1:l0:tau{provided:y>=1}\n"
                     "edge:P:l1:l2:tau{}\nedge:P:l2:l1:tau{}\n");
  for (EdgeId e = 1; e <= 4; e++)
    assert_int_equal(footprint_recurs(&found.f, e), e >= 3);
  release(&found);
}

// A guard that can fail is evaluated although y is too small.
static void test_unseen(void **state) {
  (void)state;
  Found found;
  find(&found, BEGIN "location:P:l0{initial:}\nlocation:P:l1{}\nlocation:P:l2{}\n"
                     "edge:P:l0:l1:tau{do:y=0}\n"
                     "edge:P:l1:l2:tau{provided:y>=w && 1/v==1 : do:v=1}\n");
  Footprint *f = &found.f;
  assert_int_equal(f->constants.items[1].value, 1);
  assert_true(foot_has(footprint_follow(f, 1) + f->sets, 1));
  release(&found);
}

static void test_committed(void **state) {
  (void)state;
  Found found;
  find(&found, BEGIN "location:P:l0{initial:}\nlocation:P:c{committed:}\n"
                     "edge:P:l0:c:tau{}\nedge:P:c:l0:tau{do:w=2}\n");
  assert_false(follow_flags(&found, 1) & FOOT_CAN_STICK);
  release(&found);
  find(&found, BEGIN "location:P:l0{initial:}\nlocation:P:c{committed:}\n"
                     "edge:P:l0:c:tau{}\nedge:P:c:l0:tau{do:v=9}\n");
  assert_true(follow_flags(&found, 1) & FOOT_CAN_STICK); // Q's invariant may not allow it
  release(&found);
}

static void test_obstacles(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, BEGIN "location:P:l0{initial: : invariant:1/v>=0}\n");
  assert_string_equal(footprint_obstacle(&r.net, NULL),
                      "an invariant or the query can fail at run time");
  reading_drop(&r);
  reading_accept(&r, BEGIN "location:P:l0{initial:}\nedge:P:l0:l0:a{provided:1/v==1}\n"
                           "sync:P@a:Q@a\n");
  assert_string_equal(footprint_obstacle(&r.net, NULL),
                      "a guard of a synchronisation can fail at run time");
  reading_drop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kinds),     cmocka_unit_test(test_follow),
      cmocka_unit_test(test_recurring), cmocka_unit_test(test_unseen),
      cmocka_unit_test(test_committed), cmocka_unit_test(test_obstacles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
