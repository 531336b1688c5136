// Lint: findings with level and place; a model in order has none. test/lint.sh tries each kind.
#include "answers/queries/lint.h"

#include "searching.h"

static const char *stop(void *state) {
  (void)state;
  return "interrupted";
}

// `kind level name;` of each finding.
static void check(const char *lines, bool is_cut, const char *wanted) {
  Reading r;
  char text[2048];
  snprintf(text, sizeof text,
           "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\nlocation:P:B{}\n"
           "edge:P:A:B:a{provided: x>=1 : do: x=0}\nedge:P:B:A:a{}\n%s",
           lines);
  reading_accept(&r, text);
  Statistics stats = {0};
  MemWatch limits = {.reached = stop};
  Lint lint = {.mem = &r.mem, .net = &r.net, .stats = &stats, .limits = is_cut ? &limits : NULL};
  assert_true(lint_run(&lint, &r.report));
  assert_int_equal(lint.stop_reason != NULL, is_cut);
  for (uint32_t i = 0; i < lint.findings.size; i++) {
    const Finding *finding = &lint.findings.items[i];
    text_addf(&r.text, "%s %s %s;", lint_kind(finding->kind), lint_level(finding->level),
              finding->name);
    assert_true(!i || finding[-1].place.offset <= finding->place.offset);
  }
  assert_string_equal(text_chars(&r.text), wanted);
  vec_release(&r.mem, &lint.findings);
  arena_release(&lint.arena);
  reading_release(&r);
}

static void test_findings(void **unused) {
  (void)unused;
  check("", false, "");
  check("clock:1:y\nlocation:P:C{}\n", false, "clock warning y;location warning P.C;");
  check("location:P:C{committed:}\nedge:P:A:C:a{}\n", false,
        "exit note P.C;blocking warning P.C;");
}

// What no search is needed for is certain all the same.
static void test_cut(void **unused) {
  (void)unused;
  check(
      "clock:1:y\nlocation:P:C{}\n", true,
      "location undecided P.B;edge undecided P.A -> B (a);clock warning y;location warning P.C;");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_findings), cmocka_unit_test(test_cut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
