// Streams: the published answers of the cipher, streams that differ, ranges kept and filled.
#include "base/philox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// The known answers that come with the paper's code.
static void test_known_answers(void **state) {
  (void)state;
  static const uint32_t cases[][10] = {
      {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
      {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
       0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
      {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
       0x94fdcceb, 0x5001e420, 0x24126ea1},
  };
  for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
    uint32_t counter[4] = {cases[k][0], cases[k][1], cases[k][2], cases[k][3]};
    philox_cipher(counter, cases[k][4], cases[k][5]);
    for (int i = 0; i < 4; i++)
      assert_int_equal(counter[i], cases[k][6 + i]);
  }
}

// A stream depends on seed and number only; neighbours differ.
static void test_streams(void **state) {
  (void)state;
  for (uint64_t n = 0; n < 100; n++) {
    Philox a, b, c, d;
    philox_start(&a, 1, n), philox_start(&b, 1, n);
    philox_start(&c, 1, n + 1), philox_start(&d, 2, n);
    for (int i = 0; i < 10; i++) {
      const uint64_t value = philox_next(&a);
      assert_int_equal(value, philox_next(&b));
      assert_int_not_equal(value, philox_next(&c));
      assert_int_not_equal(value, philox_next(&d));
    }
  }
}

// Means within 5 standard deviations.
static void test_uniform(void **state) {
  (void)state;
  Philox stream;
  philox_start(&stream, 7, 0);
  enum { COUNT = 100000 };
  double sum = 0;
  int counts[5] = {0};
  for (int i = 0; i < COUNT; i++) {
    const double u = philox_real(&stream);
    assert_true(u > 0 && u < 1);
    sum += u;
    counts[philox_below(&stream, 5)]++;
  }
  assert_true(sum / COUNT > 0.5 - 5 * 0.000913 && sum / COUNT < 0.5 + 5 * 0.000913);
  for (int k = 0; k < 5; k++)
    assert_true(counts[k] > 20000 - 5 * 127 && counts[k] < 20000 + 5 * 127);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_answers),
      cmocka_unit_test(test_streams),
      cmocka_unit_test(test_uniform),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
