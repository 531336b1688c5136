// Conditions, statements and queries of TChecker's language: what the second evaluator makes of
// them.
#include "check/trees/tckterms.h"

#include "reading.h"

typedef struct Terms {
  Reading r;
  TckFile file;
  Evaluator evaluator;
  int32_t state[16];
  char text[2000];
} Terms;

// Its first edge has the attributes.
static void begin(Terms *t, const char *attributes) {
  snprintf(t->text, sizeof t->text,
           "system:s\nevent:a\nclock:1:x\nclock:2:c\nint:1:-9:9:2:n\nint:3:0:99:0:v\n"
           "int:1:-2147483648:2147483647:0:w\nprocess:P1\nlocation:P1:l{initial:}\n"
           "location:P1:m{labels:far}\nedge:P1:l:m:a{%s}\n",
           attributes);
  reading_accept(&t->r, t->text);
  tckfile_read(&t->file, &t->r.arena, t->r.net.origin.place.source);
  evaluator_init(&t->evaluator, &t->r.mem);
  t->evaluator.is_checked = true;
  t->evaluator.first_slot = t->r.net.location_slot;
  memcpy(t->state, t->r.net.slots.initial, t->r.net.slots.count * sizeof *t->state);
}

static void end(Terms *t) { reading_drop(&t->r); }

static Formula holds(const char *condition) {
  Terms t;
  char text[1000];
  snprintf(text, sizeof text, "provided: %s", condition);
  begin(&t, text);
  const Label label = tckterms_condition(&t.file, t.file.edges.items[0].attributes, "provided");
  assert_null(label.unknown);
  const Formula f = evaluator_condition(&t.evaluator, &label, t.state);
  end(&t);
  return f;
}

static void test_conditions(void **unused) {
  (void)unused;
  static const char *const yes[] = {"n",
                                    "1<n<=2",
                                    "2 - 3 - 4 == -5 && 7 / -2 == -3 && -7%2 == -1",
                                    "!(n == 3) && !!n",
                                    "(if n > 1 then 4 else 5) == 2 * n",
                                    "v[n] + v[0] == 0 && n[0] == 2",
                                    "x - x <= 0 && c[n - 1] - c[1] == 0",
                                    "-2147483648 < w : provided: n != 0"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
    if (holds(yes[i]) != FORMULA_TRUE)
      fail_msg("%s", yes[i]);
  assert_int_equal(holds("n == 2 && v[0]"), FORMULA_FALSE);
  assert_int_equal(holds("1 / v[0] == 1 && n == 3"), FORMULA_FALSE);
  assert_int_equal(holds("1 / v[0] == 1"), FORMULA_ERROR);
  assert_int_equal(holds("v[n + 1] == 1"), FORMULA_ERROR);
  assert_int_equal(holds("2147483647 + n > 0"), FORMULA_ERROR);
  assert_true(holds("3 < x <= n") >= FORMULA_FIRST);
}

// Runs updates; the value of v[0] afterwards, or -1 after an error and -2 if a value is out of
// its range.
static int32_t result(const char *statements) {
  Terms t;
  char text[1000];
  snprintf(text, sizeof text, "do: %s", statements);
  begin(&t, text);
  const Label label = tckterms_updates(&t.file, t.file.edges.items[0].attributes);
  assert_null(label.unknown);
  const bool ok = evaluator_update(&t.evaluator, &label, t.state);
  const int32_t value = ok ? t.state[1] : t.evaluator.is_invalid ? -2 : -1;
  end(&t);
  return value;
}

static void test_statements(void **unused) {
  (void)unused;
  assert_int_equal(result("v[0] = 7; nop; v[n-2] = v[0] + 1;"), 8);
  assert_int_equal(result("if n == 2 then v[0] = 1 else v[0] = 2 end"), 1);
  assert_int_equal(
      result("local i; while i < 5 do local k; k = k + 3; i = i + 1; v[0] = v[0] + k "
             "end"),
      15);
  assert_int_equal(result("if n == 3 then local j = 4 end; v[0] = j + 1"), 1);
  assert_int_equal(result("local a[2]; a[n - 1] = 5; v[0] = a[1] : do: v[0] = v[0] + a[1]"), 10);
  assert_int_equal(result("v[0] = 100"), -2);
  assert_int_equal(result("v[0] = 1 / v[1]"), -1);
  assert_int_equal(result("v[3] = 1"), -1);
  assert_int_equal(result("x = 0 - n"), -1);
  assert_int_equal(result("v[0] = 3; x = c[n-2] + n; c[1] = 3000000000"), 3);
}

static Formula asked(const char *query, NodeKind kind) {
  Terms t;
  begin(&t, "");
  const Source source = {.name = "<query>", .text = query, .size = strlen(query)};
  const Tree tree = {.kind = kind, .place = {&source, 0}, .value = (int32_t)source.size};
  const Label label = tckterms_query(&t.file, &t.evaluator, &tree);
  if (label.unknown)
    fail_msg("%s: %s at %u", query, label.unknown, (unsigned)label.place.offset);
  const Formula f = evaluator_condition(&t.evaluator, &label, t.state);
  end(&t);
  return f;
}

static void test_queries(void **unused) {
  (void)unused;
  static const char *const yes[] = {"P1.l and not P1.m",
                                    "far imply false",
                                    "forall (i : int[1,1]) P(i).l /* a comment */ || n == 7",
                                    "exists (i : int[0,4]) i * i == n + 2",
                                    "sum (i : int[0,2]) v[i] + i == n + 1",
                                    "(P1.l) + 1 == n",
                                    "n == 2 or 1 / v[0] == 1"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
    if (asked(yes[i], NODE_TEXT) != FORMULA_TRUE)
      fail_msg("%s", yes[i]);
  assert_int_equal(asked("far", NODE_LABELS), FORMULA_FALSE);
  assert_int_equal(asked("far , far", NODE_LABELS), FORMULA_FALSE);
  assert_true(asked("deadlock", NODE_TEXT) >= FORMULA_FIRST);
  assert_true(asked("x != 3", NODE_TEXT) >= FORMULA_FIRST);
}

// What is not understood is not guessed.
static void test_unknown(void **unused) {
  (void)unused;
  static const char *const texts[] = {"P1.z", "n ==", "(n", "x + c[0] < 3", "v < 2", "n n", "?"};
  Terms t;
  begin(&t, "");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const Source source = {.name = "<query>", .text = texts[i], .size = strlen(texts[i])};
    const Tree tree = {.kind = NODE_TEXT, .place = {&source, 0}, .value = (int32_t)source.size};
    assert_non_null(tckterms_query(&t.file, &t.evaluator, &tree).unknown);
  }
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_conditions), cmocka_unit_test(test_statements),
      cmocka_unit_test(test_queries), cmocka_unit_test(test_unknown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
