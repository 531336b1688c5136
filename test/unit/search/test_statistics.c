// The list of statistics: each name reads its own field.
#include "search/statistics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const StatisticInfo *find(const char *name) {
  for (uint32_t i = 0; i < statistics_count(); i++)
    if (!strcmp(statistics_at(i)->name, name))
      return statistics_at(i);
  fail_msg("there is no statistic %s", name);
  return NULL;
}

static void test_table(void **state) {
  (void)state;
  for (uint32_t i = 0; i < statistics_count(); i++) {
    const StatisticInfo *info = statistics_at(i);
    assert_true(*info->name && *info->help);
    assert_ptr_equal(find(info->name), info);
    assert_true(info->offset + 8 <= sizeof(Statistics));
    for (uint32_t k = 0; k < i; k++)
      assert_int_not_equal(statistics_at(k)->offset, info->offset);
  }
  assert_string_equal(statistics_at(statistics_count() - 1)->name, "cpu_seconds");
}

static void test_values(void **state) {
  (void)state;
  const Statistics statistics = {.visited = 1,
                                 .stored = 2,
                                 .max_stored = 3,
                                 .mistakes = 4,
                                 .transitions = 5,
                                 .covered = 6,
                                 .states = 7,
                                 .node_bytes = 8,
                                 .peak_bytes = UINT64_C(1) << 40,
                                 .seconds = 0.25};
  const char *const names[] = {"visited",     "stored",  "max_stored", "mistakes",
                               "transitions", "covered", "states",     "node_bytes"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_true(statistics_value(&statistics, find(names[i])) == (double)(i + 1));
  assert_true(statistics_value(&statistics, find("peak_bytes")) == 1099511627776.0);
  assert_true(statistics_value(&statistics, find("seconds")) == 0.25);
}

// The names that a search with these options has, besides those that every search has.
static void assert_scope(const char *engine, const char *order, const char *bounds,
                         const char *wanted) {
  Options options;
  Report unused = {0};
  options_init(&options);
  assert_true(options_set(&options, "engine", engine, &unused) &&
              options_set(&options, "order", order, &unused) &&
              options_set(&options, "bounds", bounds, &unused));
  char found[200] = "";
  for (uint32_t i = 0; i < statistics_count(); i++) {
    const StatisticInfo *info = statistics_at(i);
    if (!statistics_searches(info)) {
      assert_true(statistics_applies(info, &options));
    } else if (statistics_applies(info, &options)) {
      strcat(found, " ");
      strcat(found, info->name);
    }
  }
  assert_string_equal(found, wanted);
}

static void test_scopes(void **state) {
  (void)state;
  assert_scope("zones", "stages", "local", " states node_bytes");
  assert_scope("local", "bfs", "global", " states node_bytes");
  assert_scope("zones", "rank", "local", " rank_visited states node_bytes");
  assert_scope("zones", "tw", "fly", " reopened raised states node_bytes");
  assert_scope("zones", "rank", "lazy", " reopened raised rank_visited states node_bytes");
  assert_scope("darts", "bfs", "global", " discovered");
  assert_scope("points", "dfs", "local", " discovered");
}

// Counts are added; the time is the longest, the bytes of a node are the mean.
static void test_sum(void **state) {
  (void)state;
  Statistics sum = {.visited = 3, .stored = 1, .node_bytes = 40, .seconds = 2};
  statistics_add(&sum, &(Statistics){.visited = 4, .stored = 3, .node_bytes = 80, .seconds = 1});
  assert_int_equal(sum.visited, 7);
  assert_int_equal(sum.stored, 4);
  assert_int_equal(sum.node_bytes, 70);
  assert_true(sum.seconds == 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_scopes),
      cmocka_unit_test(test_sum),
  };
  return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
