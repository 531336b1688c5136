// Processes and the system line of a text.
#include "parsing.h"

#include <stdio.h>

static void refuse(const char *text, const char *message) {
  Parsing p;
  parsing_begin(&p, text, false);
  p.parser.is_text = true;
  Document document = {0};
  parse_text(&p.parser, &document);
  if (!strstr(text_chars(&p.report.error), message))
    fail_msg("%s: %s", message, text_chars(&p.report.error));
  parsing_end(&p);
}

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
  const LabelNode *labels = document.templates->edges->labels;
  assert_memory_equal(labels[EDGE_UPDATE].text, "n = 1,\nk = 2;", labels[EDGE_UPDATE].size + 1);
  assert_memory_equal(labels[EDGE_SELECT].text, "i : int[0,1];", labels[EDGE_SELECT].size + 1);
  const LabelNode *invariant = &document.templates->locations->invariant_label;
  assert_memory_equal(invariant->text, "x <= 3 }", invariant->size + 2);
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

// Each part of an edge, `init` and the system line may be given once.
static void test_twice(void **state) {
  (void)state;
  static const char *const parts[] = {
      "select i : int[0,1];", "guard x > 1;",  "guard ;", "sync c!;",
      "assign x = 0;",        "probability 1;"};
  static const char *const whats[] = {"`select`",   "the guard",
                                      "the guard",  "the synchronisation",
                                      "the update", "the probability"};
  for (uint32_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    char text[400], message[400];
    snprintf(text, sizeof text,
             "process P() { state A; init A; trans A -> A {\n %s assign ;\n %s }; } system P;",
             k == 4 ? "guard ;" : parts[k], parts[k]);
    snprintf(message, sizeof message, "text:3:2: %s is given twice; the first time at text:2:%d",
             whats[k], k == 4 ? 10 : 2);
    refuse(text, message);
  }
  refuse("process P() { state A, B;\n init A;\n init B; } system P;",
         "text:3:2: `init` is given twice; the first time at text:2:2");
  refuse("process P() { state A; init A; } system P;\nsystem P;",
         "text:2:1: `system` is given twice; the first time at text:1:34");
}

static void test_errors(void **state) {
  (void)state;
  static const char *const texts[] = {
      "process P( { state A; init A; } system P;",
      "process P() { state A; init A; trans A - B { }; } system P;"};
  for (uint32_t k = 0; k < sizeof texts / sizeof *texts; k++)
    refuse(texts[k], "expected");
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
                                     cmocka_unit_test(test_twice), cmocka_unit_test(test_sync)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
