// Which slots a certificate may call dead. test/rules.py has certificates that break each rule.
#include "check/forgotten.h"

#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// Slot 0 is d, slot 1 e; then the location of P, which is A, B or C.
#define HEAD "system:s\nevent:a\nint:1:0:3:0:d\nint:1:0:3:0:e\nprocess:P\n"
#define LOCATIONS "location:P:A{initial:}\nlocation:P:B{}\nlocation:P:C{}\n"

typedef struct Case {
  const char *text; // of the model
  uint32_t slot;    // which is said to be dead in B
  const char *why;  // a part of the reason; NULL: it is
} Case;

static const Case cases[] = {
    {HEAD LOCATIONS
     "edge:P:A:B:a{do: d = 1}\nedge:P:B:C:a{do: d = 0}\nedge:P:C:A:a{provided: d == 1}\n",
     0, NULL},
    {HEAD LOCATIONS "edge:P:A:B:a{do: d = 1}\n", 0, NULL},
    {HEAD LOCATIONS "edge:P:B:C:a{do: d = d + 1}\n", 0, "reads"},
    {HEAD LOCATIONS "edge:P:B:C:a{provided: d == 1: do: d = 0}\n", 0, "reads"},
    {HEAD LOCATIONS "edge:P:B:C:a{do: d = 0; e = d}\n", 0, NULL},
    {HEAD LOCATIONS "edge:P:B:C:a{do: e = d; d = 0}\n", 0, "reads"},
    {HEAD LOCATIONS "edge:P:B:C:a{}\n", 0, "does not write"},
    {HEAD LOCATIONS
     "edge:P:B:C:a{do: d = 0}\nprocess:Q\nlocation:Q:A{initial:}\nedge:Q:A:A:a{do: d = 1}\n",
     0, "elsewhere"},
    {HEAD "clock:1:x\nlocation:P:A{initial:}\nlocation:P:B{invariant: x <= d}\nlocation:P:C{}\n",
     0, "invariant"},
    {HEAD LOCATIONS "edge:P:B:C:a{do: d = 0}\n", 2, "none of a small variable"},
    {HEAD LOCATIONS "edge:P:B:C:a{do: d = 0}\n", 99, "none of a small variable"},
};

static void test_rules(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Reading r;
    reading_accept(&r, cases[i].text);
    const uint32_t locations = r.net.locations.size;
    ForgottenSlots *lists = ARENA_ARRAY(&r.arena, ForgottenSlots, locations);
    lists[r.net.processes.items[0].first_location + 1] = (ForgottenSlots){&cases[i].slot, 1};
    const char *why = forgotten_refuse(&r.mem, &r.net, NULL, lists);
    if (!why != !cases[i].why || (why && !strstr(why, cases[i].why)))
      fail_msg("case %zu: %s", i, why ? why : "is dead");
    reading_release(&r);
  }
}

static void test_set_back(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, "system:s\nevent:a\nint:1:0:3:2:d\nint:1:0:3:0:e\nprocess:P\n" LOCATIONS);
  const uint32_t d = 0;
  const ForgottenSlots lists[3] = {{NULL, 0}, {&d, 1}, {NULL, 0}};
  int32_t state[] = {3, 3, 0};
  forgotten_set_back(&r.net, lists, state);
  assert_int_equal(state[0], 3);
  state[2] = 1;
  forgotten_set_back(&r.net, lists, state);
  assert_int_equal(state[0], 2);
  assert_int_equal(state[1], 3);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules),
                                     cmocka_unit_test(test_set_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
