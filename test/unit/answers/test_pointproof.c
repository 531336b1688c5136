// Certificates of points: what is written is accepted, has each point of the search once, and
// says chains as such.
#include "answers/certificates/pointproof.h"

#include "pointdrafts.h"

static void test_accepted(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 5);
  int seen = 0;
  for (int seed = 1; seed <= 300; seed++) {
    Search s;
    if (pointdraft_search(&s, seed, &random, seed % 3)) {
      Text bytes = {.mem = &s.mem};
      CertifyCounts counts;
      pointdraft_written(&s, &bytes);
      if (!pointdraft_accepted(&s, s.query.formula ? &s.goal : NULL, &bytes, &counts))
        fail_msg("rejected:\n%s%s", text_chars(&s.model), s.query_text);
      assert_int_equal(counts.nodes, points_count(s.space));
      text_release(&bytes);
      seen++;
    }
    search_release(&s);
  }
  assert_true(seen > 100);
}

// One state, one clock that nothing resets: one chain, however long it is.
static void test_chain(void **unused) {
  (void)unused;
  for (int limit = 10; limit <= 100000; limit *= 100) {
    Search s = {0};
    char model[200];
    snprintf(model, sizeof model,
             "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
             "edge:P:A:A:a{provided: x>=%d}\n",
             limit);
    reading_accept(&s.reading, model);
    options_init(&s.options);
    s.options.order = ORDER_BFS;
    s.space = points_new(&s.mem, &s.reading.net, NULL, &s.options, &s.reading.report);
    reach_init(&s.reach, &s.mem, s.space, ORDER_BFS, &s.stats);
    assert_int_equal(reach_run(&s.reach), REACH_NONE);
    Text bytes = {.mem = &s.mem};
    CertifyCounts counts;
    pointdraft_written(&s, &bytes);
    assert_true(bytes.size < 100);
    assert_true(pointdraft_accepted(&s, NULL, &bytes, &counts));
    assert_int_equal(counts.nodes, limit + 1);
    text_release(&bytes);
    search_release(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepted),
                                     cmocka_unit_test(test_chain)};
  return cmocka_run_group_tests_name("pointproof", tests, NULL, NULL);
}
