// Parts of checkpoints of searches with clock bounds of their own: a search that goes on from one
// finds what it would have found, whatever the moment.
#define _POSIX_C_SOURCE 200809L
#include "search/passed/flycheckpoint.h"

#include "saved.h"
#include "search/passed/fly.h"
#include "search/save/restore.h"

typedef struct Case {
  const char *family, *size;
  BoundsScope bounds;
  SearchOrder order;
} Case;

static void begin(Search *s, const Case *c, Checkpoint *checkpoint) {
  search_generate(s, c->family, 1, &c->size);
  s->options.bounds = (int)c->bounds;
  s->options.order = (int)c->order;
  s->space = spaces_new(s, false);
  assert_non_null(s->space);
  reach_init(&s->reach, &s->mem, s->space, c->order, &s->stats);
  assert_non_null(s->reach.fly);
  if (checkpoint)
    checkpoint_attach(&s->reach, checkpoint);
}

// Every node is visited, or covered by one that is.
static void check_subsumers(Search *s) {
  const uint32_t count = s->reach.store.nodes.size;
  NodeRef *subsumers = mem_alloc(&s->mem, count * sizeof *subsumers);
  uint32_t visited = 0;
  fly_subsumers(s->reach.fly, subsumers);
  for (NodeRef ref = 0; ref < count; ref++) {
    assert_true(subsumers[ref] < count);
    assert_int_equal(fly_at(s->reach.fly, subsumers[ref])->state, FLY_VISITED);
    visited += subsumers[ref] == ref;
  }
  assert_int_equal(visited, s->stats.stored);
  mem_free(&s->mem, subsumers);
}

static void resume(const Case *c, int polls) {
  char folder[SAVED_PATH];
  saved_make(folder);
  Checkpoint checkpoint = {.folder = folder, .every = polls % 2 ? 0 : 1000, .head = "of this\n"};
  Checkpoint later = checkpoint;
  Search whole, first, second;
  begin(&whole, c, NULL);
  assert_int_equal(reach_run(&whole.reach), REACH_NONE);
  begin(&first, c, &checkpoint);
  MemWatch watch = {.reached = saved_stop, .state = &polls};
  mem_watch(&first.mem, &watch);
  const bool is_stopped = reach_run(&first.reach) == REACH_STOPPED;
  begin(&second, c, &later);
  Text why = {.mem = &second.mem};
  if (is_stopped && !restore_read(&second.reach, folder, &why))
    fail_msg("%s", text_chars(&why));
  text_release(&why);
  assert_int_equal(reach_run(&second.reach), REACH_NONE);
  check_subsumers(&second);
  if (c->order == ORDER_STAGES) {
    assert_int_equal(second.stats.visited, whole.stats.visited);
    assert_int_equal(second.stats.stored, whole.stats.stored);
    assert_int_equal(second.stats.transitions, whole.stats.transitions);
  }
  search_release(&whole);
  search_release(&first);
  search_release(&second);
  saved_remove(folder);
}

static void test_resume(void **state) {
  (void)state;
  static const SearchOrder orders[] = {ORDER_STAGES, ORDER_BFS, ORDER_DFS, ORDER_RANK, ORDER_TW};
  for (int polls = 0; polls < 10; polls++)
    for (int i = 0; i < 10; i++) {
      const BoundsScope bounds = i % 2 ? BOUNDS_LAZY : BOUNDS_FLY;
      resume(&(Case){"fischer", "n=4", bounds, orders[i / 2]}, polls);
      resume(&(Case){"philosophers", "n=3", bounds, orders[i / 2]}, polls);
    }
}

// A node that descends from itself, or from a younger one, is not what was written.
static void test_parents(void **state) {
  (void)state;
  const Case c = {"fischer", "n=4", BOUNDS_LAZY, ORDER_STAGES};
  for (NodeRef parent = 4; parent < 8; parent++) {
    char folder[SAVED_PATH];
    saved_make(folder);
    int polls = 2;
    Checkpoint checkpoint = {.folder = folder, .every = 1000, .head = "of this\n"};
    Checkpoint later = checkpoint;
    Search first, second;
    begin(&first, &c, &checkpoint);
    MemWatch watch = {.reached = saved_stop, .state = &polls};
    mem_watch(&first.mem, &watch);
    assert_int_equal(reach_run(&first.reach), REACH_STOPPED);
    store_node(&first.reach.store, 5)->parent = parent;
    first.reach.saver->save(&first.reach, true);
    begin(&second, &c, &later);
    Text why = {.mem = &second.mem};
    assert_int_equal(restore_read(&second.reach, folder, &why), parent < 5);
    text_release(&why);
    search_release(&second);
    search_release(&first);
    saved_remove(folder);
  }
}

SPACES_MAIN("flycheckpoint", cmocka_unit_test(test_resume), cmocka_unit_test(test_parents))
