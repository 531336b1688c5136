// What stands in the way of a simulation that is stuck.
#include "output/obstacles.h"

#include "searching.h"

#define LOCK                                                                                     \
  "system:lock\nevent:a\nevent:c\nclock:1:x\nclock:1:y\nint:1:0:3:0:n\nprocess:P\n"              \
  "location:P:A{initial: : invariant: x<=5}\nlocation:P:B{invariant: y<=1}\n"                    \
  "edge:P:A:B:a{provided: x>7}\nedge:P:A:B:a{provided: x>2}\nedge:P:A:B:c{}\n"                   \
  "edge:P:A:A:a{do: n=n+9}\nprocess:Q\nlocation:Q:A{initial:}\nlocation:Q:B{}\n"                 \
  "edge:Q:B:A:c{}\nsync:P@c:Q@c\n"

static void expect(const char *model, const char *expected) {
  Search s = {0};
  reading_accept(&s.reading, model);
  Simulation sim;
  assert_true(simulate_init(&sim, &s.mem, &s.reading.net));
  Text text = {.mem = &s.mem};
  obstacles_print(&text, &sim, "  ");
  assert_string_equal(text_chars(&text), expected);
  text_release(&text);
  simulate_release(&sim);
  search_release(&s);
}

static void test_kinds(void **unused) {
  (void)unused;
  expect(LOCK, "  time is stopped by the invariant of P.A: x <= 5\n"
               "  P: A -> B (a) needs x > 7\n"
               "  P: A -> B (a) needs the invariant of P.B: y <= 1\n"
               "  P: A -> A (a) needs values that do not leave their ranges\n"
               "  P: A -> B (c) needs a partner that is ready\n");
  expect("system:s\nevent:a\nint:1:0:3:0:n\nprocess:P\nlocation:P:A{initial: : committed:}\n"
         "edge:P:A:A:a{provided: n==1}\nprocess:Q\nlocation:Q:A{initial:}\nedge:Q:A:A:a{}\n",
         "  P.A is committed: no time can pass\n  P: A -> A (a) needs n == 1\n");
}

// Of very many transitions some are counted only.
static void test_many(void **unused) {
  (void)unused;
  Mem mem = {0};
  Text model = {.mem = &mem}, expected = {.mem = &mem};
  text_add(&model, "system:s\nevent:a\nint:1:0:99:0:n\nprocess:P\nlocation:P:A{initial:}\n");
  for (int i = 1; i <= 30; i++)
    text_addf(&model, "edge:P:A:A:a{provided: n==%d}\n", i);
  for (int i = 1; i <= 20; i++)
    text_addf(&expected, "  P: A -> A (a) needs n == %d\n", i);
  text_add(&expected, "  and 10 more transitions\n");
  expect(text_chars(&model), text_chars(&expected));
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_many)};
  return cmocka_run_group_tests_name("obstacles", tests, NULL, NULL);
}
