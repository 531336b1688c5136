#include "output/explanation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static Explanation *example(Mem *mem) {
  Explanation *e = mem_alloc(mem, sizeof *e);
  options_init(&e->options);
  e->is_planned = true;
  e->engine_why = "why not";
  e->symmetry_why = "there is none";
  static const char name[] = "search", purpose[] = "try", again[] = "if that ends";
  explanation_plan(e, (PlannedStage){name, "", purpose, 10, 0});
  explanation_plan(e, (PlannedStage){name, again, purpose, 20, 0});
  explanation_plan(e, (PlannedStage){"hulls", again, "join", 0, 7});
  explanation_done(e, (DoneStage){.number = 1, .name = name, .outcome = "limit"});
  explanation_done(e, (DoneStage){.number = 2,
                                  .name = name,
                                  .outcome = "found",
                                  .stats = {.visited = 3, .max_stored = 2}});
  explanation_done(e, (DoneStage){.name = "run", .outcome = "made", .stats = {.visited = 99}});
  return e;
}

static void test_text(void **state) {
  (void)state;
  Mem mem = {0};
  Text text = {.mem = &mem};
  const Explanation *e = example(&mem);
  explanation_write_plan(&text, e);
  assert_non_null(strstr(text.chars, "  1 to 2. search: try; at most 10 to 20 visited nodes\n"));
  assert_non_null(strstr(text.chars, "  3. hulls, if that ends: join; at most 7 transitions\n"));
  text_clear(&text);
  explanation_write_stages(&text, e);
  assert_non_null(strstr(text.chars, "  2. search: visited 3,"));
  assert_non_null(strstr(text.chars, "     run: visited 99,"));
  assert_non_null(strstr(text.chars, "  in all: visited 3,")); // without evidence
  assert_int_equal(e->total.max_stored, 2);
  mem_release(&mem);
}

// More stages than there is room for are summed up all the same.
static void test_many(void **state) {
  (void)state;
  Mem mem = {0};
  Explanation *e = example(&mem);
  for (int i = 0; i < 2 * EXPLANATION_STAGES; i++)
    explanation_done(e, (DoneStage){.number = 3, .outcome = "", .stats = {.visited = 1}});
  assert_int_equal(e->done_count, EXPLANATION_STAGES);
  assert_int_equal(e->total.visited, 3 + 2 * EXPLANATION_STAGES);
  mem_release(&mem);
}

static void test_json(void **state) {
  (void)state;
  Mem mem = {0};
  json_t *answer = json_object();
  explanation_add_json(answer, example(&mem));
  assert_int_equal(json_array_size(json_object_get(answer, "stages")), 3);
  assert_string_equal(
      json_string_value(json_object_get(json_object_get(answer, "plan"), "engine_why")),
      "why not");
  json_decref(answer);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_many),
                                     cmocka_unit_test(test_json)};
  return cmocka_run_group_tests_name("explanation", tests, NULL, NULL);
}
