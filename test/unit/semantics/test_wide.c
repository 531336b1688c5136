#include "semantics/wide/wide.h"

#include "spaces.h"

// Explores with engine zones or wide, by so many workers.
static void explore(Search *s, bool is_wide, uint32_t workers) {
  const Reading *r = &s->reading;
  s->space = (is_wide ? wide_new : zones_new)(&s->mem, &r->net, s->goal.clauses ? &s->goal : NULL,
                                              &s->options, &s->reading.report);
  if (!s->space)
    fail_msg("%s", text_chars(&r->report.error));
  s->stats = (Statistics){0};
  reach_init(&s->reach, &s->mem, s->space, (SearchOrder)s->options.order, &s->stats);
  if (workers > 1)
    workers_divide(&s->reach, workers, (SearchOrder)s->options.order, NULL);
  s->result = reach_run(&s->reach);
}

static void end(Search *s) {
  reach_release(&s->reach);
  space_release(s->space);
}

// Both engines make the same search, node by node.
static void compare(Search *s, const char *what, int seed) {
  explore(s, false, 1);
  const Statistics zones = s->stats;
  const ReachResult result = s->result;
  end(s);
  explore(s, true, 1);
  if (s->result != result || s->stats.visited != zones.visited ||
      s->stats.max_stored != zones.max_stored || s->stats.transitions != zones.transitions ||
      s->stats.covered != zones.covered || s->stats.mistakes != zones.mistakes)
    fail_msg("%s %d: %d, %llu visited, in zones %d, %llu", what, seed, s->result,
             (unsigned long long)s->stats.visited, result, (unsigned long long)zones.visited);
  end(s);
}

static const Abstraction abstractions[] = {ABSTRACTION_ALU,      ABSTRACTION_AM,
                                           ABSTRACTION_CLOSURE,  ABSTRACTION_EXTRA_LU_PLUS,
                                           ABSTRACTION_EXTRA_LU, ABSTRACTION_EXTRA_M_PLUS,
                                           ABSTRACTION_EXTRA_M};
enum { ABSTRACTIONS = sizeof abstractions / sizeof *abstractions };

static void test_counts(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  for (int seed = 1; seed <= 150; seed++) {
    Search s;
    search_random(&s, seed, seed % 3 ? "clocks=3" : "copies=1");
    s.options.abstraction = (int)abstractions[seed % ABSTRACTIONS];
    s.options.bounds = seed % 2 ? BOUNDS_LOCAL : BOUNDS_GLOBAL;
    s.options.order = seed % 5 == 0 ? ORDER_BFS : ORDER_STAGES;
    if (seed % 4)
      search_ask_random(&s, &random);
    compare(&s, "random", seed);
    reading_release(&s.reading);
    mem_release(&s.mem);
  }
}

static void test_families(void **state) {
  (void)state;
  static const char *const families[] = {"fischer", "csma", "fddi", "train-gate", "lynch"};
  static const char *const sizes[] = {"4", "3", "3", "3", "3"};
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    Search s;
    search_generate(&s, families[i], 1, &sizes[i]);
    compare(&s, families[i], 0);
    reading_release(&s.reading);
    mem_release(&s.mem);
  }
}

static void test_workers(void **state) {
  (void)state;
  Search s;
  const char *const size = "4";
  search_generate(&s, "fischer", 1, &size);
  explore(&s, true, 3);
  assert_int_equal(s.result, REACH_NONE);
  assert_true(s.stats.visited > 0);
  end(&s);
  reading_release(&s.reading);
  mem_release(&s.mem);
}

// A clock that nothing resets or extrapolates outgrows the range: the search says so.
static void test_outgrow(void **state) {
  (void)state;
  Search s = {0};
  reading_accept(&s.reading, "system:s\nevent:a\nclock:1:x\nclock:1:y\nprocess:P\n"
                             "location:P:A{initial:}\nlocation:P:B{}\n"
                             "edge:P:A:A:a{provided: x-y<=3 : do: x = x + 281474976710656}\n"
                             "edge:P:A:A:a{do: y = y + 281474976710656}\n");
  options_init(&s.options);
  s.options.abstraction = ABSTRACTION_NONE;
  s.options.order = ORDER_DFS;
  assert_true(net_is_wide(&s.reading.net));
  explore(&s, true, 1);
  assert_int_equal(s.result, REACH_FAILED);
  assert_non_null(strstr(s.space->failure, "outgrows 2^58"));
  end(&s);
  assert_null(zones_new(&s.mem, &s.reading.net, NULL, &s.options, &s.reading.report));
  assert_non_null(strstr(text_chars(&s.reading.report.error), "--engine wide"));
  reading_release(&s.reading);
  mem_release(&s.mem);
}

SPACES_MAIN("wide", cmocka_unit_test(test_counts), cmocka_unit_test(test_families),
            cmocka_unit_test(test_workers), cmocka_unit_test(test_outgrow))
