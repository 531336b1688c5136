// Infinite runs: which clock values are alike, and what is rejected. The runs that searches
// find are checked by test/fuzz/agree_queries.c.
#include "check/lasso.h"

#include "answers/runs/lassorun.h"
#include "base/random.h"
#include "reading.h"

static const char model[] =
    "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\n"
    "location:P:A{initial: : invariant: x <= 3}\nlocation:P:B{invariant: x <= 3}\n"
    "location:P:C{invariant: x <= 5}\n"
    "edge:P:A:B:a{provided: x >= 1 : do: x = 0}\nedge:P:B:A:a{provided: x > 1 : do: x = 0}\n"
    "edge:P:B:C:a{provided: y > 9}\n";

static void test_alike(void **unused) {
  (void)unused;
  const int64_t a[] = {0, 5, 11, 3}, same[] = {0, 6, 11, 3}, other[] = {0, 4, 8, 3};
  const int64_t moved[] = {0, 5, 15, 3}, whole[] = {0, 8, 11, 3}, large[] = {0, 5, 99, 3};
  assert_true(lasso_is_alike(4, (LassoLimits){9, -1}, a, a, 4));
  assert_true(lasso_is_alike(4, (LassoLimits){9, -1}, a, same, 4)); // the same order of fractions
  assert_false(lasso_is_alike(4, (LassoLimits){9, -1}, a, other, 4)); // fractions become zero
  assert_false(lasso_is_alike(4, (LassoLimits){9, -1}, a, moved, 4)); // another whole part
  assert_false(lasso_is_alike(4, (LassoLimits){9, -1}, a, whole, 4));
  assert_false(lasso_is_alike(4, (LassoLimits){9, -1}, a, large, 4));
  assert_true(lasso_is_alike(4, (LassoLimits){2, -1}, a, large, 4)); // both above
  assert_false(lasso_is_alike(4, (LassoLimits){-1, -1}, a, large, 4));
  assert_true(lasso_is_alike(4, (LassoLimits){-1, -1}, a, a, 4));
}

// Clocks above all constants whose differences matter up to 2.
static void test_gaps(void **unused) {
  (void)unused;
  const LassoLimits limits = {2, 2};
  const int64_t a[] = {0, 40, 45}, same[] = {0, 80, 87}, whole[] = {0, 40, 44};
  const int64_t more[] = {0, 40, 48}, back[] = {0, 45, 40};
  const int64_t far[] = {0, 40, 49}, further[] = {0, 40, 90};
  assert_true(lasso_is_alike(3, limits, a, same, 4)); // between 1 and 2
  assert_false(lasso_is_alike(3, limits, a, whole, 4));
  assert_false(lasso_is_alike(3, limits, a, more, 4));
  assert_false(lasso_is_alike(3, limits, a, back, 4));
  assert_false(lasso_is_alike(3, limits, more, far, 4));
  assert_true(lasso_is_alike(3, limits, far, further, 4)); // both beyond
  assert_true(lasso_is_alike(3, (LassoLimits){2, -1}, a, back, 4));
}

// x = 3 and then a test of x - y up to 4: y matters up to 7. Shifts make all of them equal.
static void test_limits(void **unused) {
  (void)unused;
  static const char *const edges[] = {"edge:P:A:A:a{provided: x - y < 4 : do: x = 3}\n",
                                      "edge:P:A:A:a{provided: x < 6 : do: x = 3}\n",
                                      "edge:P:A:A:a{provided: x - y < 4 : do: x = y + 1}\n",
                                      "edge:P:A:A:a{provided: x < 6 : do: x = y + 1}\n"};
  static const LassoLimits expected[] = {{7, 4}, {6, -1}, {-1, 4}, {6, -1}};
  for (int i = 0; i < 4; i++) {
    Reading r;
    char text[300];
    snprintf(text, sizeof text,
             "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\nlocation:P:A{initial:}\n%s",
             edges[i]);
    reading_accept(&r, text);
    const LassoClaim claim = {0};
    const LassoLimits limits = lasso_limits(&r.net, &claim);
    assert_int_equal(limits.max, expected[i].max);
    assert_int_equal(limits.diagonal, expected[i].diagonal);
    reading_release(&r);
  }
}

typedef struct Found {
  Reading r;
  Query query;
  Statistics stats;
  Liveness l;
  Trace trace;
  LassoClaim claim;
} Found;

static void find(Found *f, const char *text) {
  CyclesResult result;
  memset(f, 0, sizeof *f);
  reading_accept(&f->r, model);
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  assert_true(query_read(&f->query, &f->r.arena, &f->r.net, &source, &f->r.report));
  f->l = (Liveness){.mem = &f->r.mem, .net = &f->r.net, .query = &f->query, .stats = &f->stats};
  assert_true(liveness_run(&f->l, &result, &f->r.report));
  assert_true(lassorun_build(&f->trace, &f->r.mem, &f->r.net, &f->l, TRACE_CONCRETE));
  f->claim = f->l.rules.claim;
}

static void release(Found *f) {
  trace_release(&f->trace);
  liveness_release(&f->l);
  reading_release(&f->r);
}

static bool accepts(Found *f, const Run *run) {
  Text why = {.mem = &f->r.mem};
  const bool accepted = lasso_check(&f->r.mem, &f->r.net, &f->claim, run, &why);
  assert_true(accepted || why.size);
  text_release(&why);
  return accepted;
}

// What is changed contradicts the rest of the run, or its claim.
static void test_mutants(void **unused) {
  (void)unused;
  static const char *const queries[] = {"E[] P.A or P.B", "E[] not P.C", "buchi: P.A",
                                        "P.C --> false", "P.B --> P.C"};
  Random random;
  random_seed(&random, 3);
  uint32_t rejected = 0;
  for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
    Found f;
    find(&f, queries[q]);
    const Run run = f.trace.run;
    assert_true(accepts(&f, &run));
    for (int i = 0; i < 400; i++) {
      RunStep steps[64];
      int64_t clocks[3];
      int32_t state;
      assert_true(run.step_count <= 64);
      memcpy(steps, run.steps, run.step_count * sizeof *steps);
      Run mutant = run;
      mutant.steps = steps;
      RunStep *step = &steps[random_below(&random, run.step_count)];
      switch (random_below(&random, 4)) {
      case 0: // another value of a clock
        memcpy(clocks, step->clocks, sizeof clocks);
        clocks[1 + random_below(&random, 2)] += 1 + (int64_t)random_below(&random, 9);
        step->clocks = clocks;
        break;
      case 1: // another location
        state = (step->state[0] + 1 + (int32_t)random_below(&random, 2)) % 3;
        step->state = &state;
        break;
      case 2: // a step at another time than the clocks say
        step->time += 1 + (int64_t)random_below(&random, 9);
        break;
      default: // the claim of another way to go on
        if (run.repeats) {
          mutant.repeats = false;
        } else {
          mutant.repeats = true;
          mutant.loop_from = (uint32_t)random_below(&random, run.step_count);
        }
      }
      assert_false(accepts(&f, &mutant));
      rejected++;
    }
    release(&f);
  }
  assert_int_equal(rejected, 2000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_alike), cmocka_unit_test(test_gaps),
                                     cmocka_unit_test(test_limits),
                                     cmocka_unit_test(test_mutants)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
