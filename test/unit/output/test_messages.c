// Messages as JSON: places, excerpts, details.
#include "output/messages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>

static void assert_json(const char *text, const char *expected) {
  json_t *list = messages_json(text);
  char *dumped = json_dumps(list, JSON_COMPACT | JSON_SORT_KEYS);
  assert_string_equal(dumped, expected);
  free(dumped);
  json_decref(list);
}

static void test_json(void **unused) {
  (void)unused;
  assert_json("", "[]");
  assert_json("no place\n", "[{\"command\":\"tarn\",\"text\":\"no place\"}]");
  assert_json("a file: no place\n", "[{\"command\":\"tarn\",\"text\":\"a file: no place\"}]");
  assert_json(
      "m.tck:3:14: warning: odd\n  line\n  ^\nm.xml:7: guard: worse\n  line\n  ^\n",
      "[{\"column\":14,\"command\":\"tarn\",\"file\":\"m.tck\",\"line\":3,\"text\":\"odd\"},"
      "{\"command\":\"tarn\",\"file\":\"m.xml\",\"line\":7,\"text\":\"guard: worse\"}]");
  assert_json("m.tck:3:1: fails\n  line\n  ^\nafter this run:\n      P.a\n   1  at 2\n",
              "[{\"column\":1,\"command\":\"tarn\",\"detail\":\"after this run:\\n      P.a\\n   "
              "1  at 2\","
              "\"file\":\"m.tck\",\"line\":3,\"text\":\"fails\"}]");
}

// A key whose value is not UTF-8 would be missing.
static void test_text(void **unused) {
  (void)unused;
  static const char *const pairs[][2] = {{"E<> caf\xe9", "E<> caf?"}, {"\xc3\xa9", "\xc3\xa9"}};
  for (int i = 0; i < 2; i++) {
    json_t *text = messages_text(pairs[i][0]);
    assert_string_equal(json_string_value(text), pairs[i][1]);
    json_decref(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_json), cmocka_unit_test(test_text)};
  return cmocka_run_group_tests_name("messages", tests, NULL, NULL);
}
