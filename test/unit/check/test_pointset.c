// The checker of certificates of points: rejects one in which a point is missing, and whatever is
// said about a goal that is reachable.
#include "check/pointset.h"

#include "pointdrafts.h"

// All points are reachable, so none can be missing.
static void test_missing(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 6);
  int seen = 0;
  for (int seed = 1; seed <= 150; seed++) {
    Search s;
    if (pointdraft_search(&s, seed, &random, seed % 3)) {
      const Goal *goal = s.query.formula ? &s.goal : NULL;
      Text bytes = {.mem = &s.mem}, changed = {.mem = &s.mem};
      CertifyCounts counts;
      pointdraft_written(&s, &bytes);
      const uint32_t count = pointdraft_change(&s, &bytes, &changed, UINT32_MAX, 0, 0);
      assert_true(pointdraft_accepted(&s, goal, &changed, &counts));
      for (int i = 0; i < 20; i++) {
        pointdraft_change(&s, &bytes, &changed, random_below(&random, count), 0, 0);
        if (pointdraft_accepted(&s, goal, &changed, &counts))
          fail_msg("a point is missing:\n%s%s", text_chars(&s.model), s.query_text);
        seen++;
      }
      text_release(&bytes);
      text_release(&changed);
    }
    search_release(&s);
  }
  assert_true(seen > 1000);
}

// A certificate of all states, said to be about a goal that is reachable; then changed in several
// ways, in which points that meet the goal are left out, or seem not to.
static void test_false_claims(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 7);
  int seen = 0;
  for (int seed = 1; seed <= 200; seed++) {
    Search s, all;
    const bool is_none = pointdraft_search(&s, seed, &random, true);
    const bool is_closed = pointdraft_search(&all, seed, &random, false);
    Text bytes = {.mem = &all.mem}, changed = {.mem = &all.mem};
    if (s.space && !is_none && s.result == REACH_GOAL && is_closed) {
      CertifyCounts counts;
      pointdraft_written(&all, &bytes);
      const uint32_t count = pointdraft_change(&all, &bytes, &changed, UINT32_MAX, 0, 0);
      for (int i = 0; i < 60; i++, seen++) {
        const uint32_t clocks = s.reading.net.clock_count;
        pointdraft_change(&all, &bytes, &changed, random_below(&random, count + count / 4 + 1),
                          clocks ? 1 + random_below(&random, clocks) : 0,
                          (int)random_below(&random, 5) - 2);
        for (uint32_t k = random_below(&random, 3); k; k--)
          changed.chars[random_below(&random, (uint32_t)changed.size)] =
              (char)random_below(&random, i % 2 ? 256 : 6);
        if (pointdraft_accepted(&s, &s.goal, &changed, &counts))
          fail_msg("a false claim is accepted:\n%s%s", text_chars(&s.model), s.query_text);
      }
    }
    text_release(&bytes);
    text_release(&changed);
    search_release(&all);
    search_release(&s);
  }
  assert_true(seen > 500);
}

static void check_text(const char *model, const char *numbers, size_t size, const char *reason) {
  Mem mem = {0};
  Reading r;
  Text bytes = {.mem = &mem}, why = {.mem = &mem};
  CertifyCounts counts;
  reading_accept(&r, model);
  text_add(&bytes, CERTIFY_PREFIX "5\n");
  text_add_bytes(&bytes, numbers, size);
  const bool ok = certify_check(&mem, &r.net, NULL, bytes.chars, bytes.size, &counts, &why);
  if (reason ? ok || !strstr(text_chars(&why), reason) : !ok)
    fail_msg("wanted: %s, said: %s", reason ? reason : "accepted", text_chars(&why));
  text_release(&bytes);
  text_release(&why);
  reading_release(&r);
  assert_int_equal(mem.bytes, 0);
}

#define CHECK(model, numbers, reason) check_text(model, numbers, sizeof(numbers) - 1, reason)

// One location and a clock x, at first with a test x <= 1 that 2 as a limit decides. The numbers:
// no query, no origin, sizes; one state; location, limit, chains; x, points that follow.
static void test_limits(void **unused) {
  (void)unused;
  const char *model = "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
                      "edge:P:A:A:a{provided: x<=1 : do: x=0}\n";
  CHECK(model, "\0\0\0\1\1\1\0\2\1\0\2", NULL);
  CHECK(model, "\0\0\0\1\1\1\0\1\1\0\1", "depends on a value beyond a limit");
  CHECK(model, "\0\0\0\1\1\1\0\2\1\0\1", "a unit of delay leads to is missing");
  CHECK(model, "\0\0\0\1\1\1\0\2\1\1\1", "this initial point is missing");
  CHECK(model, "\0\0\0\1\1\0", "this initial state is missing");
  CHECK(model, "\0\0\0\1\1\1\0\2\1\0\3", "damaged"); // nothing follows the limit
  CHECK(model, "\0\0\0\1\1\1\0\2\1\3\0", "damaged"); // above the limit
  CHECK(model, "\0\0\0\1\1\1\0\2\1\0\2\0", "damaged");
  CHECK(model, "\0\0\0\1\1\2\0\2\1\0\2\0\2\1\0\2", "damaged"); // a state twice
  // y = x needs to know x as far as y: limits 0 and 2.
  CHECK("system:s\nevent:a\nclock:1:x\nclock:1:y\nprocess:P\nlocation:P:A{initial:}\n"
        "edge:P:A:A:a{do: y=x}\n",
        "\0\0\0\1\2\1\0\0\2\1\0\0\2", "needs a value beyond a limit");
  CHECK("system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
        "edge:P:A:A:a{provided: x<=1 : do: x=x+-1}\n",
        "\0\0\0\1\1\1\0\2\1\0\2", "may set a clock to a negative value");
  // A strict test is read as one that is not: x < 1 holds where x and y are 1.
  CHECK("system:s\nevent:a\nclock:1:x\nclock:1:y\nprocess:P\nlocation:P:A{initial:}\n"
        "location:P:B{}\nedge:P:A:B:a{provided: y>=1 && x<1}\n",
        "\0\0\0\1\2\1\0\2\2\1\0\0\2", "leads to a state that is missing");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_missing),
                                     cmocka_unit_test(test_false_claims),
                                     cmocka_unit_test(test_limits)};
  return cmocka_run_group_tests_name("pointset", tests, NULL, NULL);
}
