// The model as JSON: what the workbench draws and the page shows.
#include "output/netjson.h"

#include "searching.h"

#include <jansson.h>
#include <string.h>

static json_t *written(Reading *reading) {
  Mem mem = {0};
  Text text = {.mem = &mem};
  netjson_write(&text, &reading->net);
  json_t *json = json_loads(text_chars(&text), 0, NULL);
  text_release(&text);
  assert_non_null(json);
  return json;
}

static const char *at(json_t *model, const char *list, size_t i, const char *key) {
  return json_string_value(json_object_get(json_array_get(json_object_get(model, list), i), key));
}

static void test_uppaal(void **unused) {
  (void)unused;
  Reading reading = {0};
  reading_accept_uppaal(
      &reading, "<nta><declaration>clock x; int n;</declaration><template><name>T</name>"
                "<location id=\"a\"><label kind=\"invariant\">x &lt;= 3</label></location>"
                "<location id=\"b\"/><init ref=\"a\"/><transition><source ref=\"a\"/>"
                "<target ref=\"b\"/><label kind=\"select\">i : int[1,1]</label>"
                "<label kind=\"assignment\">n = i</label></transition></template>"
                "<system>P = T(); Q = T(); system P, Q;</system></nta>");
  json_t *model = written(&reading);
  assert_int_equal(json_array_size(json_object_get(model, "processes")), 2);
  assert_string_equal(at(model, "processes", 1, "name"), "Q");
  assert_string_equal(at(model, "processes", 1, "template"), "T");
  assert_string_equal(json_string_value(json_array_get(json_object_get(model, "clocks"), 0)),
                      "x");
  json_t *process = json_array_get(json_object_get(model, "processes"), 0);
  assert_string_equal(at(process, "locations", 0, "invariant"), "x <= 3");
  assert_string_equal(at(process, "locations", 1, "path"), "/nta/template[1]/location[2]");
  json_t *edge = json_array_get(json_object_get(model, "edges"), 0);
  assert_string_equal(json_string_value(json_array_get(json_object_get(edge, "paths"), 0)),
                      "/nta/template[1]/transition[1]");
  assert_non_null(strstr(json_string_value(json_object_get(edge, "update")), "n = "));
  assert_non_null(json_object_get(edge, "select"));
  json_decref(model);
  reading_release(&reading);
}

static void test_tchecker(void **unused) {
  (void)unused;
  Reading reading = {0};
  reading_accept(&reading, "system:s\nevent:e\nclock:1:y\nprocess:P\nlocation:P:A{initial:}\n"
                           "location:P:B{}\nedge:P:A:B:e{provided:y>1}\n");
  json_t *model = written(&reading);
  assert_string_equal(at(model, "edges", 0, "guard"), "y > 1");
  assert_null(at(model, "processes", 0, "template"));
  assert_null(json_object_get(json_array_get(json_object_get(model, "edges"), 0), "paths"));
  json_decref(model);
  reading_release(&reading);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_uppaal),
                                     cmocka_unit_test(test_tchecker)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
