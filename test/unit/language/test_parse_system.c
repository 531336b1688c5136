// Processes and the system line of a text.
#include "parsing.h"

static void test_text(void **state) {
  (void)state;
  Parsing p;
  parsing_begin(
      &p,
      "int n;\nprocess P(int k) { clock x; state A { x <= 3 }, B, C; commit B; urgent C;\n"
      "init A; trans A -> B { select i : int[0,1]; guard n == i; sync c!; assign n = 1,\n"
      "k = 2; }, -> C { }; }\nQ = P(1);\nsystem Q < P;",
      false);
  p.parser.is_text = true;
  Document document = {0};
  parse_text(&p.parser, &document);
  if (p.parser.failures)
    fail_msg("%s", text_chars(&p.report.error));
  const TemplateNode *t = document.templates;
  assert_string_equal(t->name, "P");
  assert_string_equal(t->init, "A");
  const LocationNode *l = t->locations;
  assert_non_null(l->invariant);
  assert_true(l->next->is_committed);
  assert_true(l->next->next->is_urgent);
  const EdgeNode *e = t->edges;
  assert_true(e->select && e->guard && e->update->next);
  assert_int_equal(e->direction, SYNC_SEND);
  assert_string_equal(e->next->source, "A"); // as the edge before it
  assert_string_equal(e->next->target, "C");
  assert_int_equal(document.system->level + 1, document.system->next->level);
  parsing_end(&p);
}

static void test_errors(void **state) {
  (void)state;
  static const char *const texts[] = {
      "process P( { state A; init A; } system P;",
      "process P() { state A; init A; trans A - B { }; } system P;"};
  for (uint32_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    Parsing p;
    parsing_begin(&p, texts[k], false);
    p.parser.is_text = true;
    Document document = {0};
    parse_text(&p.parser, &document);
    assert_true(p.parser.failures > 0);
    parsing_end(&p);
  }
}

static void test_sync(void **state) {
  (void)state;
  static const struct {
    const char *text;
    Direction direction;
  } cases[] = {{"c!", SYNC_SEND}, {"c[i]?", SYNC_RECEIVE}, {"c", SYNC_PLAIN}};
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Parsing p;
    parsing_begin(&p, cases[k].text, false);
    EdgeNode edge = {0};
    parse_sync(&p.parser, &edge);
    assert_int_equal(edge.direction, cases[k].direction);
    assert_non_null(edge.channel);
    parsing_end(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_errors),
                                     cmocka_unit_test(test_sync)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
