#include "plan/compose.h"

#include "sessions.h"

static void test_fill(void **state) {
  (void)state;
  Mem mem = {0};
  Text text = {.mem = &mem};
  char buffer[6] = "-----";
  text_add(&text, "0123456789");
  assert_int_equal(compose_fill(buffer, sizeof buffer, &text), 10); // so much there would be
  assert_string_equal(buffer, "01234");
  text_release(&text);
}

static void test_words(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Text text = {.mem = &tarn->mem};
  assert_true(compose(tarn, &text, "model", "text", "test"));
  assert_non_null(strstr(text_chars(&text), "location:P:C"));
  text_clear(&text);
  assert_true(compose(tarn, &text, "model", "dot", "test"));
  assert_non_null(strstr(text_chars(&text), "digraph"));
  text_clear(&text);
  assert_true(compose_help(&text, "queries", "text"));
  assert_true(text.size > 100);
  tarn_release(tarn);
}

static void test_put(void **state) {
  (void)state;
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  Text text = {.mem = &mem};
  text_add(&text, "some words");
  FILE *full = fopen("/dev/full", "w");
  if (!full)
    skip();
  assert_int_equal(compose_put(&report, full, &text), -1);
  assert_true(report_failed(&report));
  fclose(full);
  report_release(&report);
  assert_int_equal(mem.bytes, 0);
}

SESSIONS_MAIN("compose", cmocka_unit_test(test_fill), cmocka_unit_test(test_words),
              cmocka_unit_test(test_put))
