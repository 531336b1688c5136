// Rows of tables: an answer as an object, numbers as fields, quotes.
#define _XOPEN_SOURCE 700
#include "command/row.h"

#include "commands.h"

static void assert_line(const json_t *row, const char *wanted) {
  char text[200] = "";
  FILE *file = tmpfile();
  assert_non_null(file);
  row_put(file, row);
  rewind(file);
  assert_non_null(fgets(text, sizeof text, file));
  assert_string_equal(text, wanted);
  fclose(file);
}

static void test_fields(void **state) {
  (void)state;
  json_t *row = json_pack("{s:s, s:s, s:f, s:i, s:b, s:[{s:i, s:b, s:b}, {s:n, s:b, s:b}]}",
                          "query", "a, \"b\"\nc", "verdict", "satisfied", "seconds", 0.25,
                          "stored", 7, "expected", 1, "numbers", "value", 3, "strict", 1,
                          "infinite", 0, "value", "strict", 0, "infinite", 1);
  assert_line(row, "\"a, \"\"b\"\" c\",satisfied,,,0.25,7,,,,yes,3;,yes;no,no;yes,\n");
  json_decref(row);
  row = json_object();
  assert_line(row, ",,,,,,,,,,,,,\n");
  assert_string_equal(row_text(row, "query"), "");
  json_decref(row);
}

// What a table keeps of a row; a line that is cut has none.
static void test_read(void **state) {
  (void)state;
  json_t *row =
      row_read("\"a, \"\"b\"\" c\",satisfied,,x < 7,0.25,7,8,,zones,yes,7,yes,no,0.5\n");
  assert_string_equal(row_text(row, "query"), "a, \"b\" c");
  assert_string_equal(row_text(row, "values"), "x < 7");
  assert_int_equal(json_integer_value(json_object_get(row, "visited")), 8);
  assert_true(json_real_value(json_object_get(row, "cpu_seconds")) == 0.5);
  assert_true(json_is_true(json_object_get(row, "expected")));
  assert_null(json_object_get(row, "memory"));
  assert_null(json_object_get(row, "reason"));
  json_decref(row);
  assert_null(row_read("a,satisfied,,,0.25,7,8,,zones,,,,\n"));
  assert_null(row_read("a,satisfied,,,0.25,7,8,,zones,,,,,,\n"));
  assert_null(row_read("\"a,satisfied,,,0.25,7,8,,zones,,,,,\n"));
  assert_null(row_read("a,satisfied,,,0.25,7,8,,zones,,,,,0.5"));
}

static void test_answer(void **state) {
  (void)state;
  Tarn *tarn = tarn_init();
  assert_int_equal(tarn_read_text(tarn, COMMANDS_UPPAAL, "uppaal"), 0);
  assert_int_equal(tarn_check(tarn, "sup: x"), TARN_SATISFIED);
  json_t *row = row_of_answer(tarn);
  char text[20];
  row_field(row, "infinite", text, sizeof text);
  assert_string_equal(text, "yes");
  assert_string_equal(row_text(row, "plan"), "zones");
  assert_null(json_object_get(row, "expected"));
  json_decref(row);
  tarn_release(tarn);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields), cmocka_unit_test(test_read),
                                     cmocka_unit_test(test_answer)};
  return cmocka_run_group_tests_name("row", tests, NULL, NULL);
}
