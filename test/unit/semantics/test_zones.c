// Global-time zones: the discrete states that they reach, under every abstraction, against the
// naive semantics of points.h; single steps against naive matrices; refusals and failures.
#include "semantics/zone/zones.h"

#include "analysis/clockbounds.h"
#include "grid.h"
#include "sample_zones.h"
#include "sanitized.h"
#include "search/reach.h"
#include "semantics/zone/abstraction.h"

static const char *const configurations[][2] = {
    {"alu", "local"},       {"alu", "global"},        {"am", "local"},
    {"am", "global"},       {"extra-lu+", "local"},   {"extra-lu+", "global"},
    {"extra-lu", "local"},  {"extra-lu", "global"},   {"extra-m+", "local"},
    {"extra-m+", "global"}, {"extra-m", "local"},     {"extra-m", "global"},
    {"closure", "local"},   {"closure-lu+", "local"}, {"closure-lu+", "global"},
    {"alu", "fly"},         {"alu", "lazy"},          {"am", "fly"},
    {"am", "lazy"},         {"closure-lu+", "fly"},   {"closure-lu+", "lazy"},
    {"none", "local"},
};
enum { CONFIGURATIONS = sizeof configurations / sizeof *configurations };

static Options options_for(const char *abstraction, const char *bounds) {
  Options options;
  options_init(&options);
  assert_true(options_set(&options, "abstraction", abstraction, NULL));
  assert_true(options_set(&options, "bounds", bounds, NULL));
  return options;
}

enum { MAX_VISITED = 4096 };

typedef struct Search {
  Mem mem;
  Set reached; // discrete states, packed in one word
  ReachResult result;
  Statistics stats;
  const char *failure;
} Search;

// Explores a model to the end (or for a while), or until the goal is found.
static void search(Search *s, Reading *r, const Goal *goal, const Options *options) {
  *s = (Search){.failure = NULL};
  Space *space = zones_new(&s->mem, &r->net, goal, options, &r->report);
  if (!space)
    fail_msg("%s", text_chars(&r->report.error));
  Reach reach;
  reach_init(&reach, &s->mem, space, (SearchOrder)options->order, &s->stats);
  reach.max_visited = MAX_VISITED;
  s->result = reach_run(&reach);
  s->failure = space->failure;
  assert_true(store_ok(&reach.store));
  assert_true(space->key_words == 1);
  for (uint32_t g = 0; g < reach.store.groups.size; g++)
    vec_push(&s->mem, &s->reached, *store_key(&reach.store, g));
  set_finish(&s->reached);
  assert_int_equal(s->reached.size, reach.store.groups.size);
  reach_release(&reach);
  space_release(space);
}

static void search_release(Search *s) {
  vec_release(&s->mem, &s->reached);
  assert_int_equal(s->mem.bytes, 0);
}

static int64_t max_constant(Reading *r) {
  ClockBounds bounds;
  if (!clockbounds_compute(&bounds, &r->arena, &r->net, NULL, &r->report))
    fail_msg("%s", text_chars(&r->report.error));
  int64_t max = 0;
  for (ClockIndex x = 1; x <= r->net.clock_count; x++) {
    max = bounds.global_lower[x] > max ? bounds.global_lower[x] : max;
    max = bounds.global_upper[x] > max ? bounds.global_upper[x] : max;
  }
  return max;
}

// Every configuration, order and seed reaches the same states: those of the first one, in
// `expected`. Plain zones may not end, and with large constants some searches take long; what
// they reach is part of it.
static void compare_all(Reading *r, const Set *expected, uint64_t seed, bool is_large) {
  for (int c = 0; c < CONFIGURATIONS; c++) {
    Options options = options_for(configurations[c][0], configurations[c][1]);
    options.order = (int)(seed + (uint64_t)c) % 2;
    options.seed = seed % 3 ? 0 : (int)seed;
    options.delay = (int)(seed + (uint64_t)c) / 2 % 2;
    Search s;
    search(&s, r, NULL, &options);
    if (options.abstraction != ABSTRACTION_NONE) // those may even outgrow the bounds
      assert_true(s.result == REACH_NONE || (is_large && s.result == REACH_STOPPED));
    if (s.result == REACH_NONE && !set_equals(&s.reached, expected))
      fail_msg("%s, %s bounds: %u states instead of %u\n%s", configurations[c][0],
               configurations[c][1], s.reached.size, expected->size, r->source.text);
    assert_true(set_includes(expected, &s.reached));
    search_release(&s);
  }
}

// Without strict constraints every run has one at whole times: the naive semantics is exact.
static void test_closed_nets(void **state) {
  (void)state;
  const char *const small[] = {"closed=1", "clocks=2", "constant=3", "locations=3", NULL};
  const char *const plain[] = {"closed=1", "clocks=3", "constant=2", "copies=0", "edges=6", NULL};
  int compared = 0, largest = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    char *text = points_random_text(seed, seed % 2 ? small : plain);
    Reading r;
    reading_accept(&r, text);
    Set naive = {0};
    if (points_explore(&naive, &r.mem, &r.net, 1, max_constant(&r), 30000)) {
      compare_all(&r, &naive, seed, false);
      compared++;
      largest = (int)naive.size > largest ? (int)naive.size : largest;
    }
    vec_release(&r.mem, &naive);
    reading_release(&r);
    free(text);
  }
  assert_true(compared > 180 && largest > 20);
}

// With strict ones the naive semantics on a finer grid finds a part of them.
static void test_open_nets(void **state) {
  (void)state;
  const char *const arguments[] = {"clocks=3", "constant=2", "guards=90", NULL};
  int compared = 0, finer = 0;
  for (uint64_t seed = 1; seed <= 80; seed++) {
    char *text = points_random_text(seed + 1000, arguments);
    Reading r;
    reading_accept(&r, text);
    const Options options = options_for("alu", "local");
    Search s;
    search(&s, &r, NULL, &options);
    assert_int_equal(s.result, REACH_NONE);
    Set naive = {0};
    if (points_explore(&naive, &r.mem, &r.net, 3, max_constant(&r), 100000)) {
      assert_true(set_includes(&s.reached, &naive));
      compared++;
      finer += !set_equals(&s.reached, &naive);
    }
    compare_all(&r, &s.reached, seed, false);
    vec_release(&r.mem, &naive);
    search_release(&s);
    reading_release(&r);
    free(text);
  }
  // The grid is fine enough mostly, which shows that the zones are not too large.
  assert_true(compared > 50 && finer < compared / 10);
}

// Constants beyond 16 bits: larger bodies, the other covering tests, the same states.
static void test_large_constants(void **state) {
  (void)state;
  const char *const arguments[] = {"clocks=3", "constant=100000", "ints=0", NULL};
  const char *const huge[] = {"clocks=2", "constant=1000000", "ints=0", "edges=8", NULL};
  for (uint64_t seed = 1; seed <= 60; seed++) {
    char *text = points_random_text(seed, seed % 2 ? arguments : huge);
    Reading r;
    reading_accept(&r, text);
    const Options options = options_for("extra-m", "global");
    Search s;
    search(&s, &r, NULL, &options);
    if (s.result == REACH_NONE)
      compare_all(&r, &s.reached, seed, true);
    search_release(&s);
    reading_release(&r);
    free(text);
  }
}

// One step of exact zones by naive matrices: guard, updates, invariant, delay, invariant.
typedef struct Stepper {
  Mover mover;
  Zone zone;
} Stepper;

static bool naive_cut(Stepper *s) {
  for (uint32_t i = 0; i < s->mover.tests.size; i++) {
    const ClockTest t = s->mover.tests.items[i];
    naive_tighten(&s->zone,
                  (Constraint){t.i, t.j, bound_make(code_narrow(t.constant), t.strict)});
  }
  return naive_close(&s->zone);
}

static void naive_update(Zone *zone, ClockUpdate u) {
  const Zone old = *zone;
  const int32_t constant = code_narrow(u.constant);
  for (uint32_t j = 0; j < zone->n; j++) {
    *zone_at(zone, u.x, j) = bound_shift(zone_get(&old, u.y, j), constant);
    *zone_at(zone, j, u.x) = bound_shift(zone_get(&old, j, u.y), -constant);
  }
  *zone_at(zone, u.x, u.x) = BOUND_LE_ZERO;
}

static bool naive_settle(Stepper *s, const int32_t *locations) {
  Mover *m = &s->mover;
  vec_clear(&m->tests);
  if (joint_invariant(m->net, &m->vm, locations, &m->tests) != VM_TRUE || !naive_cut(s))
    return false;
  if (!state_may_delay(m->net, locations))
    return true;
  for (uint32_t i = 1; i < s->zone.n; i++)
    *zone_at(&s->zone, i, 0) = BOUND_INF;
  return naive_cut(s);
}

static bool naive_step(Stepper *s, int32_t *locations) {
  Mover *m = &s->mover;
  vec_clear(&m->tests);
  vec_clear(&m->updates);
  if (joint_guard(&m->joint, &m->vm, locations, &m->tests) != VM_TRUE || !naive_cut(s) ||
      joint_fire(&m->joint, &m->vm, locations, &m->updates) != VM_TRUE)
    return false;
  for (uint32_t i = 0; i < m->updates.size; i++)
    naive_update(&s->zone, m->updates.items[i]);
  return naive_settle(s, locations);
}

static void assert_zone(Space *space, const Zone *zone) {
  const Bound *d = zones_zone(space);
  for (uint32_t i = 0; i < zone->n; i++)
    for (uint32_t j = 0; j < zone->n; j++)
      assert_int_equal(d[i * dbm_stride(zone->n) + j], zone_get(zone, i, j));
}

// All joint transitions of the current node, one of which is then taken.
static bool walk_step(Space *space, Stepper *s, Random *random) {
  const Net *net = s->mover.net;
  int32_t from[POINT_SLOTS];
  memcpy(from, zones_state(space), net->slots.count * sizeof *from);
  const Zone zone = s->zone;
  joint_begin(&s->mover.joint, from);
  uint32_t enabled[64], count = 0;
  while (joint_next(&s->mover.joint)) {
    int32_t locations[POINT_SLOTS];
    memcpy(locations, from, sizeof locations);
    s->zone = zone;
    if (naive_step(s, locations) && count < 64)
      enabled[count++] = s->mover.joint.ordinal;
  }
  if (!count)
    return false;
  const uint32_t ordinal = enabled[random_below(random, count)];
  s->zone = zone;
  assert_true(joint_seek(&s->mover.joint, from, ordinal));
  assert_true(naive_step(s, from));
  assert_true(zones_replay(space, ordinal));
  assert_memory_equal(zones_state(space), from, net->slots.count * sizeof *from);
  assert_zone(space, &s->zone);
  return true;
}

static void test_exact_steps(void **state) {
  (void)state;
  const char *const arguments[] = {"clocks=4", "constant=9", "diagonals=1", "guards=50", NULL};
  Random random;
  random_seed(&random, 1);
  int steps = 0;
  for (uint64_t seed = 1; seed <= RANDOM_CASES(200); seed++) {
    char *text = points_random_text(seed, arguments);
    Reading r;
    reading_accept(&r, text);
    const Options options = options_for("none", "local");
    Space *space = zones_new(&r.mem, &r.net, NULL, &options, &r.report);
    Stepper s;
    mover_init(&s.mover, &r.mem, &r.net, 1);
    for (uint32_t initial = 0; zones_replay_initial(space, initial); initial++) {
      naive_universal(&s.zone, r.net.clock_count + 1);
      for (uint32_t x = 1; x < s.zone.n; x++)
        naive_tighten(&s.zone, (Constraint){x, 0, BOUND_LE_ZERO});
      assert_true(naive_settle(&s, zones_state(space)));
      assert_zone(space, &s.zone);
      for (int k = 0; k < 20 && walk_step(space, &s, &random); k++)
        steps++;
    }
    mover_release(&s.mover);
    space_release(space);
    reading_release(&r);
    free(text);
  }
  assert_true(steps > RANDOM_CASES(1000));
}

// What `next` gives is what `replay` can repeat: same ordinals, states and zones.
static void test_next_and_replay(void **state) {
  (void)state;
  const char *const arguments[] = {"clocks=3", NULL};
  for (uint64_t seed = 1; seed <= 60; seed++) {
    char *text = points_random_text(seed, arguments);
    Reading r;
    reading_accept(&r, text);
    const Options options = options_for("none", "local");
    Space *space = zones_new(&r.mem, &r.net, NULL, &options, &r.report);
    Space *again = zones_new(&r.mem, &r.net, NULL, &options, &r.report);
    while (space->initial(space)) {
      const uint32_t initial = space->ordinal, zone = space->keep(space);
      uint64_t key = *space->key;
      space->open(space, &key, zone);
      uint32_t last = UINT32_MAX;
      while (space->next(space)) {
        assert_true(last == UINT32_MAX || space->ordinal > last);
        last = space->ordinal;
        assert_true(zones_replay_initial(again, initial));
        assert_true(zones_replay(again, space->ordinal));
        assert_int_equal(*space->key, *again->key);
        assert_true(dbm_equal(zones_zone(space), zones_zone(again), r.net.clock_count + 1));
      }
      assert_null(space->failure);
    }
    space_release(again);
    space_release(space);
    reading_release(&r);
    free(text);
  }
}

#define ONE_PROCESS                                                                              \
  "system:s\nevent:a\nclock:1:x\nclock:1:y\nint:1:0:3:0:n\nprocess:P\n"                          \
  "location:P:l0{initial:}\nlocation:P:l1{}\nlocation:P:l2{}\n"

// Explores ONE_PROCESS with these edges; the failure must hold the words, or be none.
static void expect_failure(const char *edges, const char *abstraction, const char *words) {
  char text[8192];
  snprintf(text, sizeof text, ONE_PROCESS "%s", edges);
  Reading r;
  reading_accept(&r, text);
  const Options options = options_for(abstraction, "local");
  Search s;
  search(&s, &r, NULL, &options);
  assert_int_equal(s.result, words ? REACH_FAILED : REACH_NONE);
  if (words && !strstr(s.failure, words))
    fail_msg("%s", s.failure);
  search_release(&s);
  reading_release(&r);
}

// A clock that no test looks at may still be too small to be subtracted from.
static void test_negative_clocks(void **state) {
  (void)state;
  const char *const negative = "negative value";
  const char *const all[] = {"alu", "am", "extra-lu+", "extra-m", "none"};
  for (size_t a = 0; a < sizeof all / sizeof *all; a++) {
    expect_failure("edge:P:l0:l1:a{do: x=y+(-1)}\n", all[a], negative);
    expect_failure("edge:P:l0:l1:a{provided: y>=1}\nedge:P:l1:l2:a{do: x=y+(-1)}\n", all[a],
                   NULL);
    expect_failure("edge:P:l0:l1:a{provided: y>1}\nedge:P:l1:l2:a{do: x=y+(-1)}\n", all[a], NULL);
    expect_failure("edge:P:l0:l1:a{provided: y>=1}\nedge:P:l1:l2:a{do: x=y+(-2)}\n", all[a],
                   negative);
    expect_failure("edge:P:l0:l1:a{provided: y>=2}\nedge:P:l1:l2:a{do: x=y+(-1); y=x+(-1)}\n",
                   all[a], NULL);
    expect_failure("edge:P:l0:l1:a{provided: y>=2}\nedge:P:l1:l2:a{do: x=y+(-1); y=x+(-2)}\n",
                   all[a], negative);
    expect_failure("edge:P:l0:l1:a{do: x=5; y=x+(-5); x=y+3}\n", all[a], NULL);
  }
}

// Updates that add up to more than a bound can hold are seen, not wrapped.
static void test_outgrown(void **state) {
  (void)state;
  char edges[4096];
  const char *const all[] = {"alu", "extra-lu+", "none"};
  for (size_t a = 0; a < sizeof all / sizeof *all; a++)
    for (int count = 1; count <= 40; count++) {
      size_t size = (size_t)sprintf(edges, "edge:P:l0:l1:a{do: ");
      for (int i = 0; i < count; i++)
        size += (size_t)sprintf(edges + size, "%sx=x+60000000", i ? "; " : "");
      sprintf(edges + size, "}\nedge:P:l1:l2:a{provided: x<=5}\n");
      expect_failure(edges, all[a], count <= 2 ? NULL : "outgrows");
    }
}

// A clock that grows step by step does so until it is seen.
static void test_outgrown_slowly(void **state) {
  (void)state;
  expect_failure("edge:P:l0:l0:a{provided: x==60000000: do: x=0}\n", "none", "outgrows");
  expect_failure("edge:P:l0:l0:a{provided: x==60000000: do: x=0}\n", "alu", NULL);
  expect_failure("edge:P:l0:l0:a{provided: x==60000000: do: x=0}\n"
                 "edge:P:l0:l1:a{provided: y==50000000}\n",
                 "extra-lu+", NULL);
}

static void test_model_failures(void **state) {
  (void)state;
  expect_failure("edge:P:l0:l1:a{provided: 1/n==1}\n", "alu", "zero");
  expect_failure("edge:P:l0:l1:a{do: n=1/n}\n", "alu", "zero");
  // Out of range only disables the edge, in this language.
  expect_failure("edge:P:l0:l1:a{do: n=9}\n", "alu", NULL);
}

static void test_diagonals(void **state) {
  (void)state;
  for (int c = 0; c < CONFIGURATIONS; c++) {
    Reading r;
    reading_accept(&r, ONE_PROCESS "edge:P:l0:l1:a{provided: x-y<1}\n");
    Options options = options_for(configurations[c][0], configurations[c][1]);
    Space *space = zones_new(&r.mem, &r.net, NULL, &options, &r.report);
    const Abstraction abstraction = (Abstraction)options.abstraction;
    const bool is_late = options.bounds == BOUNDS_LOCAL || options.bounds == BOUNDS_GLOBAL;
    const bool is_alu = abstraction_covering(abstraction) == PROBE_ALU;
    const bool is_known = abstraction == ABSTRACTION_NONE || (is_late && is_alu);
    assert_int_equal(space != NULL, is_known);
    assert_int_equal(report_failed(&r.report), !is_known);
    if (space)
      space_release(space);
    else
      assert_non_null(
          strstr(text_chars(&r.report.error), is_alu ? "local or global" : "closure or none"));
    reading_release(&r);
  }
}

// The verdict on a query about ONE_PROCESS with some edges.
static bool reaches(const char *edges, const char *query, const Options *options) {
  char text[4096];
  snprintf(text, sizeof text, ONE_PROCESS "%s", edges);
  Reading r;
  reading_accept(&r, text);
  const Source source = {.name = "query", .text = query, .size = strlen(query)};
  Query parsed;
  Goal goal;
  if (!query_read(&parsed, &r.arena, &r.net, &source, &r.report) ||
      !query_goal(&goal, &r.arena, &r.net, &parsed, &r.report))
    fail_msg("%s", text_chars(&r.report.error));
  Search s;
  search(&s, &r, &goal, options);
  const bool found = s.result == REACH_GOAL;
  assert_true(found || s.result == REACH_NONE);
  search_release(&s);
  reading_release(&r);
  return found;
}

// Goals with clocks: conjunctions that only together miss the zone, disjunctions, clocks
// that the model itself never tests.
static void test_goals(void **state) {
  (void)state;
  const char *const edges = "edge:P:l0:l1:a{provided: x>=2 && x<=4: do: y=0; n=1}\n"
                            "edge:P:l1:l2:a{provided: y<1}\n";
  const struct {
    const char *query;
    bool holds;
  } rows[] = {
      {"E<> P.l1", true},
      {"E<> P.l1 && x < 2", false},
      {"E<> P.l1 && x == 2", true},
      {"E<> P.l1 && x > 4", true},
      {"E<> P.l1 && x > 4 && y == 0", false},
      {"E<> P.l1 && x == 7 && y == 3", true},
      {"E<> P.l1 && x == 7 && y < 3", false},
      {"E<> P.l1 && x == 7 && y <= 3", true},
      {"E<> P.l2 && x >= 5", true},
      {"E<> P.l0 && (x > 100 || y > 200)", true},
      {"E<> P.l1 && (x < 2 || (x > 5 && y < 1))", false},
      {"E<> P.l1 && (x < 2 || (x > 5 && y <= 2 && y > 1))", true},
      {"E<> n == 1 && P.l0", false},
      {"E<> n == 2 || P.l2", true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int c = 0; c < CONFIGURATIONS; c++) {
      const Options options = options_for(configurations[c][0], configurations[c][1]);
      if (reaches(edges, rows[i].query, &options) != rows[i].holds)
        fail_msg("%s with %s, %s", rows[i].query, configurations[c][0], configurations[c][1]);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_closed_nets),     cmocka_unit_test(test_open_nets),
      cmocka_unit_test(test_large_constants), cmocka_unit_test(test_exact_steps),
      cmocka_unit_test(test_next_and_replay), cmocka_unit_test(test_negative_clocks),
      cmocka_unit_test(test_outgrown),        cmocka_unit_test(test_outgrown_slowly),
      cmocka_unit_test(test_model_failures),  cmocka_unit_test(test_diagonals),
      cmocka_unit_test(test_goals),
  };
  return cmocka_run_group_tests_name("zones", tests, NULL, NULL);
}
