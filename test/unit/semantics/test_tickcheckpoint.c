// Parts of checkpoints of points and darts: a search that goes on from one stores what it would
// have stored, whatever the moment, with other numbers of threads, and every node has a way to
// it.
#define _POSIX_C_SOURCE 200809L
#include "semantics/discrete/tickcheckpoint.h"

#include "saved.h"
#include "search/save/restore.h"
#include "semantics/discrete/darts.h"
#include "semantics/discrete/points.h"

typedef struct Case {
  bool is_darts;
  SearchOrder order;
  int trace;
  uint32_t threads;
} Case;

static void begin(Search *s, const Case *c, Checkpoint *checkpoint) {
  const char *arguments[] = {"n=3"};
  search_generate(s, "vikings", 1, arguments);
  s->options.effects = 0;
  s->options.bounds = BOUNDS_GLOBAL;
  s->options.order = (int)c->order;
  s->options.trace = c->trace;
  s->space = (c->is_darts ? darts_new : points_new)(&s->mem, &s->reading.net, NULL, &s->options,
                                                    &s->reading.report);
  assert_non_null(s->space);
  reach_init(&s->reach, &s->mem, s->space, c->order, &s->stats);
  if (c->threads > 1)
    workers_divide(&s->reach, c->threads, c->order, NULL);
  if (checkpoint)
    checkpoint_attach(&s->reach, checkpoint);
}

// The ways to all nodes begin with the initial one, the only one here, and are no longer than a
// chain of all marks.
static void check_trails(Search *s) {
  const Trail *trails[8];
  const Peers *peers = s->reach.peers;
  const uint32_t count = peers->count;
  for (uint32_t i = 0; i < count; i++)
    trails[i] = peers->members[i]->passed->trail;
  uint32_t marks = 0, nodes = 0;
  for (uint32_t i = 0; i < count; i++)
    marks += trails[i]->marks.size;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t ref = 0; ref < trails[i]->newest.size; ref++, nodes++) {
      TrailSteps steps = {0};
      trail_steps(trails, count, trail_newest(trails[i], ref), UINT32_MAX, &s->mem, &steps);
      assert_true(steps.size > 0 && steps.size <= marks);
      assert_int_equal(steps.items[steps.size - 1].ordinal, 0);
      vec_release(&s->mem, &steps);
    }
  assert_int_equal(nodes, s->stats.stored);
}

// Stopped after some looks, and resumed by other threads.
static void resume(Case c, uint32_t threads, int polls) {
  char folder[SAVED_PATH];
  saved_make(folder);
  Checkpoint checkpoint = {.folder = folder, .every = polls % 2 ? 0 : 1000, .head = "of this\n"};
  Checkpoint later = checkpoint;
  Search whole, first, second;
  Text why = {0};
  begin(&whole, &c, NULL);
  assert_int_equal(reach_run(&whole.reach), REACH_NONE);
  begin(&first, &c, &checkpoint);
  MemWatch watch = {.reached = saved_stop, .state = &polls};
  mem_watch(&first.mem, &watch);
  const bool is_stopped = reach_run(&first.reach) == REACH_STOPPED;
  const bool is_same = c.threads == 1 && threads == 1;
  c.threads = threads;
  begin(&second, &c, &later);
  why.mem = &second.mem;
  if (is_stopped && !restore_read(&second.reach, folder, &why))
    fail_msg("%s", text_chars(&why));
  text_release(&why);
  assert_int_equal(reach_run(&second.reach), REACH_NONE);
  assert_int_equal(second.stats.stored, whole.stats.stored);
  if (is_same) {
    assert_int_equal(second.stats.visited, whole.stats.visited);
    assert_int_equal(second.stats.transitions, whole.stats.transitions);
    assert_int_equal(second.stats.discovered, whole.stats.discovered);
    assert_int_equal(second.stats.covered, whole.stats.covered);
  }
  if (c.trace != TRACE_NONE)
    check_trails(&second);
  search_release(&whole);
  search_release(&first);
  search_release(&second);
  saved_remove(folder);
}

static void test_alone(void **state) {
  (void)state;
  for (int polls = 0; polls < 10; polls++)
    for (int is_darts = 0; is_darts < 2; is_darts++) {
      resume((Case){is_darts, ORDER_BFS, TRACE_NONE, 1}, 1, polls);
      resume((Case){is_darts, ORDER_BFS, TRACE_CONCRETE, 1}, 1, polls);
      resume((Case){is_darts, ORDER_DFS, TRACE_CONCRETE, 1}, 1, polls);
    }
}

static void test_threads(void **state) {
  (void)state;
  for (int polls = 0; polls < 5; polls++)
    for (int is_darts = 0; is_darts < 2; is_darts++) {
      resume((Case){is_darts, ORDER_BFS, TRACE_CONCRETE, 1}, 3, polls);
      resume((Case){is_darts, ORDER_BFS, TRACE_CONCRETE, 3}, 1, polls);
      resume((Case){is_darts, ORDER_BFS, TRACE_CONCRETE, 2}, 4, polls);
      resume((Case){is_darts, ORDER_DFS, TRACE_CONCRETE, 3}, 2, polls);
    }
}

// Without marks there are no ways to go on with.
static void test_no_runs(void **state) {
  (void)state;
  char folder[SAVED_PATH];
  saved_make(folder);
  int polls = 3;
  Checkpoint checkpoint = {.folder = folder, .every = 1000, .head = "of this\n"};
  Checkpoint later = checkpoint;
  Search first, second;
  begin(&first, &(Case){false, ORDER_BFS, TRACE_NONE, 1}, &checkpoint);
  MemWatch watch = {.reached = saved_stop, .state = &polls};
  mem_watch(&first.mem, &watch);
  assert_int_equal(reach_run(&first.reach), REACH_STOPPED);
  begin(&second, &(Case){false, ORDER_BFS, TRACE_CONCRETE, 1}, &later);
  Text why = {.mem = &second.mem};
  assert_false(restore_read(&second.reach, folder, &why));
  assert_non_null(strstr(text_chars(&why), "--trace none"));
  text_release(&why);
  search_release(&first);
  search_release(&second);
  saved_remove(folder);
}

SPACES_MAIN("tickcheckpoint", cmocka_unit_test(test_alone), cmocka_unit_test(test_threads),
            cmocka_unit_test(test_no_runs))
