// Ticks: the data of the spaces that count time in whole units (semantics/discrete/darts.h,
// semantics/discrete/points.h), and their discrete steps. These spaces share all but the
// semantics (semantics/discrete/tickspace.h): a node is a discrete state and one whole number per
// clock, packed together as a key of a table. Each space has its own code for transitions and
// delays, because the two are tested against each other.
#pragma once

#include "analysis/clockbounds.h"
#include "analysis/diagonallimits.h"
#include "base/keytable.h"
#include "model/state.h"
#include "model/stepper.h"
#include "search/options.h"
#include "search/space/fold.h"
#include "search/space/passed.h"
#include "search/space/shuffle.h"
#include "search/space/space.h"
#include "search/space/trail.h"

#include <stddef.h>
#include <string.h>

enum { TICKS_MAX = 1 << 28 }; // value of a clock; larger ones are refused

typedef struct Ticks Ticks;

// What one of these spaces adds. Its own struct begins with Ticks.
typedef struct TickKind {
  const char *engine; // its name
  size_t bytes;       // of the struct
  // Once bounds and diagonals are known: makes ready, and finds the largest value of each clock,
  // and how many bytes a node has besides; false if clocks would become too large.
  bool (*prepare)(Ticks *, int32_t *max, uint32_t *value_bytes);
  bool (*begin)(Ticks *); // `state` and `values`, which are initial, become the current node
  bool (*next)(Space *);
  bool (*meets)(const Ticks *); // some point of the current node passes `tests`
  NodeRef (*add)(Passed *, NodeRef parent);
  bool (*open)(Passed *, NodeRef);
} TickKind;

struct Ticks {
  Space space; // first: a Space * is a Ticks *
  Passed passed;
  const TickKind *kind;
  Arena arena;
  const Net *net;
  const Goal *goal;
  Stepper stepper;
  Shuffle shuffle;
  ClockBounds bounds;
  DiagonalLimits diagonals;
  Options options;    // for siblings
  uint32_t n;         // clocks, clock 0 included
  StateLayout layout; // of a state, and the values behind it
  KeyTable table;     // nodes, by their keys
  Fold fold;          // of long keys; without words: keys are not folded
  Trail trail;

  int32_t *source, *source_values; // of the taken node
  int32_t *state, *values;         // of the current one; values lie behind the state
  int32_t waiting;                 // what messages tell of it besides: a distance of darts
  uint64_t *key;                   // state and values, packed
  bool is_packed;                  // it is the current node's

  ClockTests invariant;
  struct TickReduction *reduction; // by symmetry (semantics/discrete/tickrename.h); NULL: none
};

static inline bool ticks_holds(Ticks *ticks, VmResult result) {
  return space_holds(&ticks->space, &ticks->stepper.vm, result);
}

// Discrete steps, inline as they are the inner loop; false if integers forbid it, or on failure.
// Clock tests of the invariant go to `invariant`, others and updates to those of the stepper.
static inline bool ticks_invariant(Ticks *ticks, const int32_t *state) {
  vec_clear(&ticks->invariant);
  return ticks_holds(ticks,
                     joint_invariant(ticks->net, &ticks->stepper.vm, state, &ticks->invariant));
}

// The joint transition that the shuffle is on makes `state` of `source`.
static inline bool ticks_fire(Ticks *ticks) {
  memcpy(ticks->state, ticks->source, ticks->net->slots.count * sizeof(int32_t));
  return ticks_holds(ticks, stepper_fire(&ticks->stepper, ticks->state));
}

static inline void ticks_pack(Space *space) {
  Ticks *ticks = (Ticks *)space;
  state_pack(&ticks->layout, ticks->key, ticks->state);
  ticks->is_packed = true;
}

// The current node in the table, kept if it is new.
static inline uint32_t ticks_add(Ticks *ticks, bool *is_new) {
  if (!ticks->is_packed)
    ticks_pack(&ticks->space);
  const uint64_t folded = ticks->fold.words ? fold_key(&ticks->fold, ticks->key) : 0;
  const uint32_t ref =
      keytable_add(&ticks->table, ticks->fold.words ? &folded : ticks->key, is_new);
  passed_count(&ticks->passed, ticks->table.size);
  return ref;
}

// The key of a node that is kept, in place of the current one's.
static inline const uint64_t *ticks_key(Ticks *ticks, uint32_t ref) {
  uint64_t folded;
  keytable_key(&ticks->table, ref, ticks->fold.words ? &folded : ticks->key);
  return ticks->fold.words ? fold_base(&ticks->fold, folded) : ticks->key;
}

// The current node is no news.
static inline NodeRef ticks_covered(Ticks *ticks) {
  ticks->passed.stats->covered++;
  return NODE_NONE;
}

static inline Ticks *ticks_of(Passed *passed) {
  return (Ticks *)(void *)((char *)passed - offsetof(Ticks, passed));
}
