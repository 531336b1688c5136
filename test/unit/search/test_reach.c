// The search against a naive exploration. The space is a fake: a random graph whose nodes
// are a vertex and an interval of 0..SIZE-1; edges cut the interval, shift it and clamp it, which
// keeps inclusion, as covering has to.
#include "search/reach.h"

#include "base/random.h"
#include "base/timer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { VERTICES = 12, EDGES = 40, SIZE = 20, INITIALS = 2 };

typedef struct Interval {
  int32_t low, high;
} Interval;

typedef struct StateTransition {
  uint32_t from, to;
  Interval guard;
  int32_t shift;
} StateTransition;

typedef struct Fake {
  Space space; // first
  StateTransition arrows[EDGES];
  uint32_t arrow_count;
  uint32_t initials[INITIALS], initial_count, next_initial;
  uint32_t goal;      // a vertex, UINT32_MAX for none
  Interval goal_part; // its interval has to meet this
  uint32_t bad;       // an arrow that is a run-time error, EDGES for none
  bool only_equal;    // covering is equality
  // The opened node and the current one.
  uint64_t source, vertex;
  Interval source_interval, interval;
  uint32_t next_arrow;
} Fake;

static Fake *fake_of(Space *space) { return (Fake *)space; }

static bool covers(const Fake *fake, Interval big, Interval small) {
  if (fake->only_equal)
    return big.low == small.low && big.high == small.high;
  return big.low <= small.low && small.high <= big.high;
}

static int32_t clamp(int32_t value) { return value < 0 ? 0 : value >= SIZE ? SIZE - 1 : value; }

static bool arrow_apply(const StateTransition *arrow, Interval from, Interval *to) {
  const int32_t low = from.low > arrow->guard.low ? from.low : arrow->guard.low;
  const int32_t high = from.high < arrow->guard.high ? from.high : arrow->guard.high;
  *to = (Interval){clamp(low + arrow->shift), clamp(high + arrow->shift)};
  return low <= high;
}

static bool fake_initial(Space *space) {
  Fake *fake = fake_of(space);
  if (fake->next_initial == fake->initial_count)
    return false;
  space->ordinal = fake->next_initial;
  fake->vertex = fake->initials[fake->next_initial++];
  fake->interval = (Interval){3, 5};
  return true;
}

static uint32_t write(Interval i) { return (uint32_t)i.low << 16 | (uint32_t)i.high | 1u << 30; }

static Interval read(uint32_t zone) {
  return (Interval){(int32_t)(zone >> 16 & 0x3fff), (int32_t)(zone & 0xffff)};
}

static void fake_open(Space *space, const uint64_t *key, uint32_t zone) {
  Fake *fake = fake_of(space);
  fake->source = *key;
  fake->source_interval = read(zone);
  fake->next_arrow = 0;
}

static bool fake_next(Space *space) {
  Fake *fake = fake_of(space);
  while (fake->next_arrow < fake->arrow_count) {
    const uint32_t a = fake->next_arrow++;
    const StateTransition *arrow = &fake->arrows[a];
    if (arrow->from != fake->source ||
        !arrow_apply(arrow, fake->source_interval, &fake->interval))
      continue;
    space->ordinal = a;
    if (a == fake->bad) {
      space->failure = "bad";
      return false;
    }
    fake->vertex = arrow->to;
    return true;
  }
  return false;
}

static bool is_goal(const Fake *fake, uint64_t vertex, Interval interval) {
  return vertex == fake->goal && interval.low <= fake->goal_part.high &&
         fake->goal_part.low <= interval.high;
}

static bool fake_is_goal(Space *space) {
  return is_goal(fake_of(space), fake_of(space)->vertex, fake_of(space)->interval);
}

static uint32_t fake_find_subsumer(Space *space, const uint32_t *zones, uint32_t count) {
  uint32_t i = 0;
  while (i < count && !covers(fake_of(space), read(zones[i]), fake_of(space)->interval))
    i++;
  return i;
}

static uint32_t fake_find_subsumed(Space *space, const uint32_t *zones, uint32_t from,
                                   uint32_t count) {
  while (from < count && !covers(fake_of(space), fake_of(space)->interval, read(zones[from])))
    from++;
  return from;
}

static uint32_t fake_keep(Space *space) { return write(fake_of(space)->interval); }

static void fake_init(Fake *fake) {
  *fake = (Fake){.space = {.key_words = 1,
                           .initial = fake_initial,
                           .open = fake_open,
                           .next = fake_next,
                           .is_goal = fake_is_goal,
                           .find_subsumer = fake_find_subsumer,
                           .find_subsumed = fake_find_subsumed,
                           .keep = fake_keep},
                 .goal = UINT32_MAX,
                 .bad = EDGES};
  fake->space.key = &fake->vertex;
}

static void fake_random(Fake *fake, Random *random) {
  fake_init(fake);
  fake->arrow_count = random_below(random, EDGES + 1);
  for (uint32_t a = 0; a < fake->arrow_count; a++) {
    StateTransition *arrow = &fake->arrows[a];
    arrow->from = random_below(random, VERTICES);
    arrow->to = random_below(random, VERTICES);
    arrow->guard.low = random_below(random, 2) ? 0 : random_between(random, 0, SIZE - 1);
    arrow->guard.high =
        random_below(random, 2) ? SIZE - 1 : random_between(random, arrow->guard.low, SIZE - 1);
    arrow->shift = random_between(random, -4, 4);
  }
  fake->initial_count = random_below(random, INITIALS + 1);
  for (uint32_t i = 0; i < fake->initial_count; i++)
    fake->initials[i] = random_below(random, VERTICES);
  fake->only_equal = random_below(random, 4) == 0;
}

// All nodes, without covering, in levels; a node is a triple of small numbers.
typedef struct Naive {
  int level[VERTICES][SIZE][SIZE]; // -1: not reached
  int goal_level;                  // of the nearest goal, -1 for none
  bool reaches_bad;
} Naive;

static bool naive_visit(Naive *naive, const Fake *fake, uint64_t vertex, Interval i, int level) {
  int *at = &naive->level[vertex][i.low][i.high];
  if (*at >= 0)
    return false;
  *at = level;
  if (naive->goal_level < 0 && is_goal(fake, vertex, i))
    naive->goal_level = level;
  return true;
}

static bool naive_expand(Naive *naive, const Fake *fake, uint64_t vertex, Interval i, int level) {
  bool changed = false;
  for (uint32_t a = 0; a < fake->arrow_count; a++) {
    Interval next;
    if (fake->arrows[a].from != vertex || !arrow_apply(&fake->arrows[a], i, &next))
      continue;
    if (a == fake->bad)
      naive->reaches_bad = true;
    else
      changed |= naive_visit(naive, fake, fake->arrows[a].to, next, level + 1);
  }
  return changed;
}

static void naive_explore(Naive *naive, const Fake *fake) {
  memset(naive, 0xff, sizeof *naive);
  naive->reaches_bad = false;
  for (uint32_t i = 0; i < fake->initial_count; i++)
    naive_visit(naive, fake, fake->initials[i], (Interval){3, 5}, 0);
  bool changed = fake->initial_count > 0;
  for (int level = 0; changed; level++) {
    changed = false;
    for (uint32_t v = 0; v < VERTICES; v++)
      for (int32_t low = 0; low < SIZE; low++)
        for (int32_t high = low; high < SIZE; high++)
          if (naive->level[v][low][high] == level)
            changed |= naive_expand(naive, fake, v, (Interval){low, high}, level);
  }
}

static Interval zone_of(const Reach *reach, NodeRef ref) {
  return read(store_node(&reach->store, ref)->zone);
}

// Goes the way from an initial node to the given node, and one step further.
static int follow(const Reach *reach, const Fake *fake, NodeRef ref, uint32_t ordinal,
                  uint64_t *vertex, Interval *interval) {
  if (ref == NODE_NONE) {
    *vertex = fake->initials[ordinal];
    *interval = (Interval){3, 5};
    return 0;
  }
  const Node *node = store_node(&reach->store, ref);
  const int steps = follow(reach, fake, node->parent, node->ordinal, vertex, interval);
  assert_true(node->is_visited);
  const StateTransition *arrow = &fake->arrows[ordinal];
  assert_int_equal(arrow->from, *vertex);
  assert_true(arrow_apply(arrow, *interval, interval));
  *vertex = arrow->to;
  return steps + 1;
}

// After an exploration to the end: every node is reachable and expanded, every reachable one
// is covered, and the statistics add up.
static void check_complete(const Reach *reach, const Fake *fake, const Naive *naive) {
  const Statistics *stats = reach->stats;
  uint64_t stored = 0, visited = 0, mistakes = 0;
  for (NodeRef ref = 0; ref < reach->store.nodes.size; ref++) {
    const Node *node = store_node(&reach->store, ref);
    stored += node->is_stored;
    visited += node->is_visited;
    mistakes += node->is_visited && !node->is_stored;
    if (!node->is_stored)
      continue;
    assert_true(node->is_visited);
    const Interval i = zone_of(reach, ref);
    assert_true(naive->level[*store_key(&reach->store, node->group)][i.low][i.high] >= 0);
  }
  assert_int_equal(stats->stored, stored);
  assert_int_equal(stats->visited, visited);
  assert_int_equal(stats->mistakes, mistakes);
  assert_int_equal(stats->covered, stats->transitions + fake->initial_count - stored);
  assert_int_equal(stats->states, reach->store.groups.size);
  assert_true(stats->max_stored >= stored &&
              stats->max_stored <= visited + fake->initial_count + stats->transitions);
  for (uint32_t v = 0; v < VERTICES; v++)
    for (int32_t low = 0; low < SIZE; low++)
      for (int32_t high = low; high < SIZE; high++) {
        bool is_covered = naive->level[v][low][high] < 0;
        for (NodeRef ref = 0; !is_covered && ref < reach->store.nodes.size; ref++) {
          const Node *node = store_node(&reach->store, ref);
          is_covered = node->is_stored && *store_key(&reach->store, node->group) == v &&
                       covers(fake, zone_of(reach, ref), (Interval){low, high});
        }
        assert_true(is_covered);
      }
}

static void check_goal(const Reach *reach, const Fake *fake, const Naive *naive,
                       SearchOrder order) {
  uint64_t vertex;
  Interval interval;
  const int steps =
      follow(reach, fake, reach->goal_parent, reach->goal_ordinal, &vertex, &interval);
  assert_true(is_goal(fake, vertex, interval));
  assert_true(steps >= naive->goal_level);
  if (order == ORDER_BFS && fake->only_equal)
    assert_int_equal(steps, naive->goal_level);
}

static ReachResult run(Fake *fake, const Naive *naive, SearchOrder order) {
  static Mem mem;
  Statistics stats = {0};
  Reach reach;
  fake->next_initial = 0;
  fake->space.failure = NULL;
  reach_init(&reach, &mem, &fake->space, order, &stats);
  const ReachResult result = reach_run(&reach);
  assert_true(store_ok(&reach.store));
  assert_null(reach.stop_reason);
  assert_true(stats.seconds >= 0 && stats.peak_bytes > 0);
  if (result == REACH_NONE)
    check_complete(&reach, fake, naive);
  if (result == REACH_GOAL)
    check_goal(&reach, fake, naive, order);
  if (result == REACH_FAILED) {
    assert_int_equal(reach.goal_ordinal, fake->bad);
    const Node *node = store_node(&reach.store, reach.goal_parent);
    assert_int_equal(*store_key(&reach.store, node->group), fake->arrows[fake->bad].from);
  }
  reach_release(&reach);
  assert_int_equal(mem.bytes, 0);
  return result;
}

static void test_exploration(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  for (int round = 0; round < 600; round++) {
    static Fake fake;
    static Naive naive;
    fake_random(&fake, &random);
    naive_explore(&naive, &fake);
    assert_int_equal(run(&fake, &naive, ORDER_BFS), REACH_NONE);
    assert_int_equal(run(&fake, &naive, ORDER_DFS), REACH_NONE);
  }
}

static void test_goals(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 2);
  int found = 0;
  for (int round = 0; round < 1000; round++) {
    static Fake fake;
    static Naive naive;
    fake_random(&fake, &random);
    fake.goal = random_below(&random, VERTICES);
    fake.goal_part.low = random_between(&random, 0, SIZE - 1);
    fake.goal_part.high = random_between(&random, fake.goal_part.low, SIZE - 1);
    naive_explore(&naive, &fake);
    const ReachResult expected = naive.goal_level < 0 ? REACH_NONE : REACH_GOAL;
    found += expected == REACH_GOAL;
    assert_int_equal(run(&fake, &naive, ORDER_BFS), expected);
    assert_int_equal(run(&fake, &naive, ORDER_DFS), expected);
  }
  assert_in_range(found, 100, 900);
}

static void test_failures(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 3);
  int failed = 0;
  for (int round = 0; round < 500; round++) {
    static Fake fake;
    static Naive naive;
    fake_random(&fake, &random);
    fake.bad = random_below(&random, EDGES);
    naive_explore(&naive, &fake);
    failed += naive.reaches_bad;
    const ReachResult expected = naive.reaches_bad ? REACH_FAILED : REACH_NONE;
    assert_int_equal(run(&fake, &naive, ORDER_BFS), expected);
    assert_int_equal(run(&fake, &naive, ORDER_DFS), expected);
  }
  assert_in_range(failed, 50, 450);
}

// A line of vertices 0, 1, 2, ... that goes on for ever.
static bool endless_next(Space *space) {
  Fake *fake = fake_of(space);
  fake->vertex = fake->source + 1;
  fake->interval = (Interval){0, 0};
  space->ordinal = 0;
  return fake->next_arrow++ == 0;
}

static void endless_init(Fake *fake) {
  fake_init(fake);
  fake->space.next = endless_next;
  fake->initial_count = 1;
}

// Stops when there were so many questions.
static bool is_enough(void *state) { return --*(int *)state < 0; }

// It stops before the first node that comes after so many transitions.
static void test_max_transitions(void **state) {
  (void)state;
  for (uint64_t max = 0; max < 500; max += 99) {
    Mem mem = {0};
    static Fake fake;
    endless_init(&fake);
    Statistics stats = {0};
    Reach reach;
    reach_init(&reach, &mem, &fake.space, ORDER_BFS, &stats);
    reach.max_transitions = max;
    assert_int_equal(reach_run(&reach), REACH_STOPPED);
    assert_int_equal(stats.transitions, max);
    assert_int_equal(stats.visited, max);
    reach_release(&reach);
    assert_int_equal(mem.bytes, 0);
  }
}

static void test_between(void **state) {
  (void)state;
  for (int max = 0; max < 5; max++) {
    Mem mem = {0};
    static Fake fake;
    endless_init(&fake);
    Statistics stats = {0};
    int polls = max;
    Reach reach;
    reach_init(&reach, &mem, &fake.space, ORDER_BFS, &stats);
    reach.between = is_enough;
    reach.between_state = &polls;
    assert_int_equal(reach_run(&reach), REACH_STOPPED);
    assert_null(reach.stop_reason);
    // The polls are not too far apart, and the numbers those of the end.
    assert_in_range(stats.visited, max, 1 + 1000 * max);
    assert_in_range(stats.stored, stats.visited, stats.visited + 1);
    assert_int_equal(stats.states, stats.stored);
    reach_release(&reach);
    assert_int_equal(mem.bytes, 0);
  }
}

// As with hundreds of clocks: every node takes long.
static bool slow_next(Space *space) {
  const double start = timer_seconds();
  while (timer_seconds() - start < 0.002)
    ;
  return endless_next(space);
}

// A node whose successors have no end.
static bool wide_next(Space *space) {
  endless_next(space);
  return true;
}

static const char *is_late(void *start) {
  return timer_seconds() - *(double *)start > 0.02 ? "time limit" : NULL;
}

// The limits of the caller's watch.
static void check_time_limit(bool (*next)(Space *), uint64_t max) {
  Mem mem = {0};
  static Fake fake;
  endless_init(&fake);
  fake.space.next = next;
  Statistics stats = {0};
  Reach reach;
  reach_init(&reach, &mem, &fake.space, ORDER_DFS, &stats);
  double start = timer_seconds();
  MemWatch watch = {.reached = is_late, .state = &start};
  mem_watch(&mem, &watch);
  assert_int_equal(reach_run(&reach), REACH_STOPPED);
  assert_string_equal(reach.stop_reason, "time limit");
  assert_true(stats.seconds > 0.02 && stats.seconds < 60);
  assert_in_range(stats.visited, 1, max);
  reach_release(&reach);
  assert_int_equal(mem.bytes, 0);
}

static void test_time_limit(void **state) {
  (void)state;
  check_time_limit(endless_next, UINT64_MAX);
  check_time_limit(slow_next, 32);
  check_time_limit(wide_next, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exploration), cmocka_unit_test(test_goals),
      cmocka_unit_test(test_failures),    cmocka_unit_test(test_between),
      cmocka_unit_test(test_time_limit),  cmocka_unit_test(test_max_transitions),
  };
  return cmocka_run_group_tests_name("reach", tests, NULL, NULL);
}
