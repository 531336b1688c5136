// Excerpts: whole lines from both ends, and how many are missing.
#include "output/excerpt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *whole, size_t max, const char *part) {
  Mem mem = {0};
  Text text = {.mem = &mem}, from = {.mem = &mem};
  text_add(&from, whole);
  assert_int_equal(excerpt_add(&text, &from, max), strcmp(whole, part) != 0);
  assert_string_equal(text_chars(&text), part);
  text_release(&text);
  text_release(&from);
}

#define LEFT_OUT " lines are left out here: the file .run.json beside has them ...\n"

static void test_lines(void **unused) {
  (void)unused;
  expect("", 0, "");
  expect("one\ntwo\nthree\n", 14, "one\ntwo\nthree\n");
  expect("one\ntwo\nthree\n", 13, "one\n... 1" LEFT_OUT "three\n");
  expect("one\ntwo\nthree\nfour\nfive", 12, "one\n... 3" LEFT_OUT "five");
  expect("one\ntwo\nthree\n", 4, "... 3" LEFT_OUT);
  expect("no line ends here", 8, "... 0" LEFT_OUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
  return cmocka_run_group_tests_name("excerpt", tests, NULL, NULL);
}
