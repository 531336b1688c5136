// The twin of a network: its processes and edges, and differences of the two.
#include "check/trees/twin.h"

#include "reading.h"

static const char model[] =
    "const int N = 2; typedef int[0,N] id; int[0,4] n; chan c[N + 1], d; broadcast chan e;\n"
    "chan priority c[0] < default < d;\n"
    "process P(const id me, int k, chan &out) {\n"
    "  state A, B; branchpoint X; init A;\n"
    "  trans A -> B { select i : id; guard i != me; sync c[(me + i) % (N + 1)]!; assign k++; },\n"
    "        A -> X { select j : int[1,2]; guard n == j; sync out!; assign n = j; },\n"
    "        X -> A { assign k = 1; }, X -> B { select l : bool; assign n = l; }, X -> B { "
    "assign "
    "k = 0; },\n"
    "        B -> B { sync c[n]?; }, B -> A { sync e?; }, B -> A { sync n > 1 ? c[1]? : d?; };\n"
    "}\n"
    "process R(const id me) { state A; init A; trans A -> A { guard me > 0; sync e!; }; }\n"
    "Q(const id me) = P(me, 7, d);\n"
    "system Q < R;\n";

static void test_same(void **unused) {
  (void)unused;
  Reading r;
  // A channel that `?:` chooses has its direction behind it.
  char text[2000];
  snprintf(text, sizeof text, "%s", model);
  char *at = strstr(text, "n > 1 ? c[1]? : d?");
  memcpy(at, "(n > 1 ? c[1]:d)? ", 18);
  reading_accept_uppaal(&r, text);
  Twin *twin = twin_new(&r.mem, &r.net);
  if (twin_difference(twin))
    fail_msg("%s", twin_difference(twin));
  assert_int_equal(twin->processes.size, 6);
  for (EdgeId e = 0; e < r.net.edges.size; e++)
    assert_true(twin->edge_of[e] < twin->edges.size);
  int32_t state[32];
  memcpy(state, r.net.slots.initial, r.net.slots.count * sizeof *state);
  for (int32_t n = 0; n <= 2; n++) { // 3 and 4 are no index
    state[0] = n;
    for (int32_t l = 0; l <= 1; l++) {
      state[r.net.location_slot] = l;
      twin_state(twin, state);
      assert_null(twin_difference(twin));
    }
  }
  twin_free(twin);
  reading_release(&r);
}

// An edge that is missing is found in the states in which it could be taken.
static void test_missing(void **unused) {
  (void)unused;
  Reading r;
  reading_accept_uppaal(&r,
                        "int[0,4] n; chan c[3]; process P() { state A, B; init A; trans A -> B "
                        "{ guard n < 3; sync c[n]!; }, B -> A { guard n > 3; }; } system P;");
  assert_int_equal(r.net.edges.size, 4);
  r.net.edges.size = 3; // without B -> A
  Twin *twin = twin_new(&r.mem, &r.net);
  int32_t state[] = {0, 0};
  assert_null(twin_difference(twin));
  twin_state(twin, state);
  state[0] = 3;
  state[1] = 1;
  twin_state(twin, state);
  assert_null(twin_difference(twin));
  state[0] = 4;
  twin_state(twin, state);
  assert_non_null(strstr(twin_difference(twin), "lacks an edge"));
  twin_free(twin);
  reading_release(&r);
}

// A TChecker model has its text; what has neither a tree nor a text has no twin.
static void test_listed(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, "system:s\nevent:a\nclock:1:x\nprocess:P\n"
                     "location:P:A{initial: : invariant: x < 2}\nedge:P:A:A:a{do: x = 0}\n");
  Twin *twin = twin_new(&r.mem, &r.net);
  assert_null(twin_difference(twin));
  assert_non_null(twin_edge(twin, 0)->update.deeds);
  assert_null(twin_edge(twin, 0)->guards[0].condition);
  assert_non_null(twin_invariant(twin, 0)->condition);
  twin_free(twin);
  r.net.edges.items[0].event = 1;
  twin = twin_new(&r.mem, &r.net);
  assert_non_null(strstr(twin_difference(twin), "another edge"));
  twin_free(twin);
  r.net.origin.place.source = NULL;
  assert_null(twin_new(&r.mem, &r.net));
  twin_free(NULL);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_missing),
                                     cmocka_unit_test(test_listed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
