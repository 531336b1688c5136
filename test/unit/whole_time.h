// Searches with the engines for discrete time, for their unit tests.
#pragma once

#include "grid.h"
#include "search/reach.h"
#include "semantics/discrete/darts.h"
#include "semantics/discrete/points.h"

typedef Space *SpaceMaker(Mem *, const Net *, const Goal *, const Options *, Report *);

static inline Options discrete_options(BoundsScope bounds, int seed) {
  Options options;
  options_init(&options);
  options.bounds = bounds;
  options.seed = seed;
  return options;
}

// A model of a family with up to two arguments.
static inline void discrete_read(Reading *r, const char *family, const char *a, const char *b) {
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  Text text = {.mem = &mem};
  const char *arguments[] = {a, b};
  if (!gen_write(&text, &report, family, (a != NULL) + (b != NULL), arguments))
    fail_msg("%s", text_chars(&report.error));
  reading_accept(r, text_chars(&text));
  mem_release(&mem);
  r->source.text = ""; // places must not be looked at any more
  r->source.size = 0;
}

// Explores all of it.
static inline void discrete_explore(Statistics *stats, SpaceMaker *maker, Reading *r,
                                    BoundsScope bounds) {
  Mem mem = {0};
  const Options options = discrete_options(bounds, 0);
  Space *space = maker(&mem, &r->net, NULL, &options, &r->report);
  if (!space)
    fail_msg("%s", text_chars(&r->report.error));
  Reach reach;
  *stats = (Statistics){0};
  reach_init(&reach, &mem, space, ORDER_BFS, stats);
  assert_int_equal(reach_run(&reach), REACH_NONE);
  reach_release(&reach);
  space_release(space);
  assert_int_equal(mem.bytes, 0);
}

static inline void discrete_counts(SpaceMaker *maker, const char *family, const char *n,
                                   BoundsScope bounds, uint64_t discovered, uint64_t stored) {
  Reading r;
  Statistics stats;
  discrete_read(&r, family, n, NULL);
  discrete_explore(&stats, maker, &r, bounds);
  assert_int_equal(stats.discovered, discovered);
  assert_int_equal(stats.stored, stored);
  reading_release(&r);
}

// The packed discrete state of the current node, with which its key begins
// (semantics/discrete/ticks.h).
static inline uint64_t discrete_state(const StateLayout *layout, Space *space) {
  int32_t state[64];
  uint64_t packed;
  assert_true(layout->slots <= 64);
  space->exchange.pack(space);
  state_unpack(layout, state, space->key);
  state_pack(layout, &packed, state);
  return packed;
}

// Those of all nodes that are made current.
static inline void discrete_states(Set *reached, Mem *mem, const Net *net, Space *space) {
  Arena arena = {.mem = mem};
  StateLayout layout;
  state_layout(&layout, &arena, net);
  VEC(uint32_t) waiting = {0};
  Passed *passed = space->passed;
  Statistics stats = {0};
  passed->stats = &stats;
  while (space->initial(space)) {
    vec_push(mem, reached, discrete_state(&layout, space));
    vec_push(mem, &waiting, passed->add(passed, NODE_NONE));
  }
  while (waiting.size) {
    if (!passed->open(passed, vec_pop(&waiting)))
      continue;
    while (space->next(space)) {
      vec_push(mem, reached, discrete_state(&layout, space));
      const uint32_t ref = passed->add(passed, NODE_NONE);
      if (ref != NODE_NONE)
        vec_push(mem, &waiting, ref);
    }
  }
  set_finish(reached);
  vec_release(mem, &waiting);
  arena_release(&arena);
}

// On random closed networks the engine reaches the discrete states that the naive search of
// points.h reaches.
static inline void discrete_compare(SpaceMaker *maker, BoundsScope bounds, int networks) {
  const char *const arguments[] = {"closed=1", "constant=3", "clocks=3", "urgent=15", NULL};
  int compared = 0;
  for (int seed = 1; seed <= networks; seed++) {
    char *text = points_random_text((uint64_t)seed, arguments);
    Reading r;
    Mem mem = {0};
    reading_accept(&r, text);
    Set expected = {0}, reached = {0};
    // Shifts go beyond the constants of the tests, and so must the cap.
    if (points_explore(&expected, &mem, &r.net, 1, 6, 60000)) {
      const Options options = discrete_options(bounds, seed % 3);
      Space *space = maker(&mem, &r.net, NULL, &options, &r.report);
      assert_non_null(space);
      discrete_states(&reached, &mem, &r.net, space);
      if (!set_equals(&expected, &reached))
        fail_msg("%u states, not %u:\n%s", reached.size, expected.size, text);
      space_release(space);
      compared++;
    }
    vec_release(&mem, &expected);
    vec_release(&mem, &reached);
    assert_int_equal(mem.bytes, 0);
    reading_release(&r);
    free(text);
  }
  assert_true(compared > networks / 2);
}
