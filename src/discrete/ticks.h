// Ticks: what the spaces that count time in whole units (discrete/darts.h, discrete/points.h)
// have in common, which is all but the semantics: a node is a discrete state and one whole number
// per clock, kept in a table store under the two packed together; how the model was read into it,
// and the initial states one by one. What a transition or delay makes of a node is for each space
// to say in its own words, as they are tested against each other.
#ifndef TARN_DISCRETE_TICKS_H
#define TARN_DISCRETE_TICKS_H

#include "base/keytable.h"
#include "discrete/packing.h"
#include "model/clockbounds.h"
#include "model/diagonals.h"
#include "space/fold.h"
#include "space/options.h"
#include "space/passed.h"
#include "space/shuffle.h"
#include "space/space.h"
#include "space/trail.h"

#include <stddef.h>
#include <string.h>

enum { TICKS_MOST = 1 << 28 }; // value of a clock; larger ones are refused

typedef struct Ticks {
  Space space; // first: a Space * is a Ticks *
  Passed passed;
  Mem *mem;
  Arena arena;
  const Net *net;
  const Goal *goal;
  Vm vm;
  Shuffle shuffle;
  ClockBounds bounds;
  Diagonals diagonals;
  Options options; // for siblings
  uint32_t n;      // clocks, clock 0 included
  Packing packing;
  KeyTable table; // nodes, by their keys
  Fold fold;      // of long keys; without words: keys are not folded
  Trail trail;

  int32_t *source, *source_values; // of the taken node
  int32_t *state, *values;         // of the current one
  uint64_t *state_key, *key;       // `state` packed; it and the values
  bool is_packed;                  // `key` is the current node's

  uint32_t *initial_choice;
  bool initial_started;
  uint32_t initial_count;
  ClockTests tests;
  ClockUpdates updates;
  struct TickReduction *reduction; // by symmetry (discrete/tickrename.h); NULL: none
} Ticks;

// The fields above but `packing`, `table` and the keys; those of `space` and `passed` that it
// does not set are left as they are.
void ticks_init(Ticks *, Mem *, const Net *, const Goal *, const Options *);
void ticks_release(Ticks *);
// Finds bounds and diagonals; false, with an error in the report, if model, goal or options do
// not suit the engine of that name.
bool ticks_accept(Ticks *, const char *engine, Report *);
// Reports that clocks would become too large; false.
bool ticks_refuse(const char *engine, Report *);
// Makes room for nodes whose values are up to most[x], with so many bytes besides.
void ticks_keep(Ticks *, const int32_t *most, uint32_t value_bytes);

static inline void ticks_fail(Ticks *ticks, const char *reason, Place place) {
  ticks->space.failure = reason;
  ticks->space.failure_place = place;
}

// A VM result as "go on"; errors of the model are recorded.
static inline bool ticks_holds(Ticks *ticks, VmResult result) {
  if (result == VM_ERROR || (result == VM_INVALID && ticks->net->invalid_is_error))
    ticks_fail(ticks, ticks->vm.error, ticks->vm.error_place);
  return result == VM_TRUE;
}

bool ticks_initial(Ticks *); // `state` becomes the next initial one; false if there is none left

// Discrete steps, inline as they are the inner loop. Clock tests and updates go to `tests` and
// `updates`, cleared before; false if integers forbid it, or on failure.
static inline bool ticks_invariant(Ticks *ticks, const int32_t *state, ClockTests *tests) {
  vec_clear(tests);
  return ticks_holds(ticks, joint_invariant(ticks->net, &ticks->vm, state, tests));
}

// The guard of the joint transition that the shuffle is on, in `source`. A failure is for the
// caller to record, with ticks_holds, if the clock tests hold.
static inline VmResult ticks_guard(Ticks *ticks) {
  const Joint *joint = &ticks->shuffle.joint;
  vec_clear(&ticks->tests);
  return joint_guard(joint, &ticks->vm, ticks->source, &ticks->tests);
}

// It makes `state` of `source`.
static inline bool ticks_fire(Ticks *ticks) {
  const Joint *joint = &ticks->shuffle.joint;
  memcpy(ticks->state, ticks->source, ticks->net->slots.count * sizeof(int32_t));
  vec_clear(&ticks->updates);
  return ticks_holds(ticks, joint_fire(joint, &ticks->vm, ticks->state, &ticks->updates));
}

// The next clause of the goal that `state` may meet.
static inline bool ticks_clause(Ticks *ticks, uint32_t *clause) {
  vec_clear(&ticks->tests);
  return ticks->goal && ticks_holds(ticks, goal_clause(ticks->goal, &ticks->vm, ticks->state,
                                                       clause, &ticks->tests));
}

// The node with the current key, kept if it is new.
static inline uint32_t ticks_add(Ticks *ticks, bool *is_new) {
  const uint64_t folded = ticks->fold.words ? fold_key(&ticks->fold, ticks->key) : 0;
  const uint32_t ref =
      keytable_add(&ticks->table, ticks->fold.words ? &folded : ticks->key, is_new);
  passed_count(&ticks->passed, ticks->table.size);
  return ref;
}

// The current node is no news.
static inline NodeRef ticks_covered(Ticks *ticks) {
  ticks->passed.stats->covered++;
  return NODE_NONE;
}

static inline Ticks *ticks_of(Passed *passed) {
  return (Ticks *)(void *)((char *)passed - offsetof(Ticks, passed));
}

void ticks_read(Ticks *, uint32_t ref); // into `source` and `source_values`
void ticks_take(Ticks *, uint32_t ref); // the same, and its transitions come next

#endif
