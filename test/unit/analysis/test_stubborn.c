// Stubborn sets: which processes a start asks for.
#include "analysis/stubborn.h"

#include "model/state.h"
#include "reading.h"

#define BEGIN                                                                                    \
  "system:s\nprocess:P\nprocess:Q\nprocess:R\nevent:tau\nevent:a\n"                              \
  "int:1:0:9:0:v\nint:1:0:9:0:w\n"                                                               \
  "location:P:l0{initial: : urgent:}\nlocation:P:l1{}\nlocation:Q:l0{initial:}\n"                \
  "location:Q:l1{}\nlocation:R:l0{initial:}\nlocation:R:l1{}\n"

static bool never(void *context, const ClockTest *test) {
  (void)context;
  (void)test;
  return false;
}

// The set that begins with P, as a text; edge `failing`, if any, has a guard that does not hold.
static const char *close_set(const char *text, EdgeId failing) {
  static char set[4];
  Reading r;
  Footprint f;
  Stubborn s;
  int32_t initial[8];
  reading_accept(&r, text);
  footprint_make(&f, &r.arena, &r.net, NULL);
  stubborn_init(&s, &r.arena, &f, NULL);
  memcpy(initial, r.net.slots.initial, sizeof *initial * r.net.slots.count);
  if (failing != NET_NONE)
    s.status[failing] = EDGE_FAILS;
  stubborn_begin(&s, initial);
  stubborn_clear(&s);
  stubborn_add(&s, 0);
  stubborn_close(&s, never, NULL);
  uint32_t count = 0;
  for (ProcessId p = 0; p < 3; p++)
    if (s.in[p])
      set[count++] = "PQR"[p];
  set[count] = 0;
  reading_drop(&r);
  return set;
}

static void test_data(void **state) {
  (void)state;
  assert_string_equal(close_set(BEGIN "edge:P:l0:l1:tau{do:v=1}\nedge:Q:l0:l1:tau{do:w=1}\n"
                                      "edge:R:l0:l1:tau{provided:v==0}\n",
                                NET_NONE),
                      "PR");
  assert_string_equal(close_set(BEGIN "edge:P:l0:l1:tau{do:v=1}\nedge:Q:l0:l1:tau{do:v=1}\n"
                                      "edge:R:l0:l1:tau{do:v=2}\n",
                                NET_NONE),
                      "PQR"); // Q and R differ; P and Q alone would not
  assert_string_equal(close_set(BEGIN "edge:P:l0:l1:tau{do:v=v+1}\n"
                                      "edge:Q:l0:l1:tau{do:v=v+2}\nedge:R:l0:l1:tau{}\n",
                                NET_NONE),
                      "P");
}

static void test_disabled(void **state) {
  (void)state;
  static const char model[] = BEGIN "edge:P:l0:l1:tau{provided:v==1}\n"
                                    "edge:Q:l0:l1:tau{do:v=1}\nedge:R:l0:l1:tau{}\n";
  assert_string_equal(close_set(model, 0), "PQ");
}

static void test_partners(void **state) {
  (void)state;
  assert_string_equal(close_set(BEGIN "edge:P:l0:l1:a{}\nedge:Q:l0:l1:tau{}\n"
                                      "edge:Q:l1:l0:a{}\nedge:R:l0:l1:tau{}\nsync:P@a:Q@a\n",
                                NET_NONE),
                      "PQ");
}

// Sets that were closed before: of the same state, of others, and of more starts than are kept.
static void test_kept(void **state) {
  (void)state;
  Reading r;
  Footprint f;
  Stubborn s;
  int32_t values[8];
  reading_accept(&r, BEGIN "edge:P:l0:l1:tau{do:v=1}\nedge:Q:l0:l1:tau{do:w=1}\n"
                           "edge:R:l0:l1:tau{provided:v==0}\n");
  footprint_make(&f, &r.arena, &r.net, NULL);
  stubborn_init(&s, &r.arena, &f, NULL);
  memcpy(values, r.net.slots.initial, sizeof *values * r.net.slots.count);
  for (int round = 0; round < 12; round++) {
    values[0] = round % 2; // where v is 1, P changes nothing
    stubborn_begin(&s, values);
    for (ProcessId start = 0; start < 3; start++) {
      stubborn_clear(&s);
      stubborn_add(&s, start);
      stubborn_close(&s, never, NULL);
      assert_int_equal(s.in[0], start == 0 || (start == 2 && !values[0]));
      assert_int_equal(s.in[1], start == 1);
      assert_int_equal(s.in[2], start == 2 || (start == 0 && !values[0]));
    }
    stubborn_clear(&s); // the needs count, too
    stubborn_add(&s, 1);
    stubborn_need(&s, f.needs + 2 * f.cell_words);
    stubborn_close(&s, never, NULL);
    assert_int_equal(s.in[0], !values[0]);
    stubborn_clear(&s);
    stubborn_add(&s, 0);
    stubborn_add(&s, 1);
    stubborn_close(&s, never, NULL);
    assert_true(s.in[0] && s.in[1] && s.in[2] == !values[0]);
  }
  reading_drop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_data), cmocka_unit_test(test_disabled),
                                     cmocka_unit_test(test_partners),
                                     cmocka_unit_test(test_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
