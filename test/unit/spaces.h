// Searches in both notions of time, for the unit tests of the zone engine.
#pragma once

#include "searching.h"

#include "search/workers/workers.h"
#include "semantics/local/local.h"
#include "semantics/zone/engine.h"

// A space of the model, NULL if the combination is refused.
static inline Space *spaces_new(Search *s, bool is_local) {
  return (is_local ? local_new : zones_new)(&s->mem, &s->reading.net, NULL, &s->options,
                                            &s->reading.report);
}

// Explores everything; the space and the search stay until search_end. False if it is refused.
static inline bool spaces_explore(Search *s, bool is_local, uint32_t workers) {
  s->space = spaces_new(s, is_local);
  if (!s->space)
    return false;
  s->stats = (Statistics){0};
  reach_init(&s->reach, &s->mem, s->space, (SearchOrder)s->options.order, &s->stats);
  if (workers > 1)
    workers_divide(&s->reach, workers, (SearchOrder)s->options.order, NULL);
  s->result = reach_run(&s->reach);
  return true;
}

// A node of a finished search by one worker, as `load` and `open` want it.
static inline const uint64_t *spaces_key(const Search *s, NodeRef ref) {
  return store_key(&s->reach.store, store_node(&s->reach.store, ref)->group);
}

static inline bool spaces_is_stored(const Search *s, NodeRef ref) {
  return store_node(&s->reach.store, ref)->is_stored;
}

#define SPACES_MAIN(name, ...)                                                                   \
  int main(void) {                                                                               \
    const struct CMUnitTest tests[] = {__VA_ARGS__};                                             \
    return cmocka_run_group_tests_name(name, tests, NULL, NULL);                                 \
  }
