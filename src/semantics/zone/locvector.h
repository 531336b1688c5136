// Location vectors: what a search needs to know about each, computed once and kept. This is the
// active clocks with their bounds, the outgoing joint transitions and the *setting*: bounds,
// invariant as constraints over the active clocks, and whether time may pass. Many vectors share
// a setting.
//
// The cache is bounded: when it is full, all location vectors are forgotten. Only
// locvector_keep_small does that, so pointers to location vectors stay valid between two calls of
// it.
#pragma once

#include "analysis/clockbounds.h"
#include "base/intern.h"
#include "base/pairs.h"
#include "base/pool.h"
#include "model/joint.h"
#include "search/space/space.h"
#include "semantics/zone/activeclocks.h"
#include "semantics/zone/transition.h"

typedef struct LocVector LocVector;

// A transition from a location vector; 32-bit numbers, as there are many.
typedef struct OutgoingTransition {
  uint32_t transition; // locvector_transition
  uint32_t target;     // locvector_target; 0: this and below are not known yet
  // The number of its transformer on zones (semantics/zone/memo.h): transitions with the same one
  // make the same of equal zones. 0: that depends on variables. If wants.ways, a number for where
  // clocks come from (search/space/needs.h), 0 if it is not known.
  uint32_t transformer;
} OutgoingTransition;

typedef struct Setting {
  ActiveBounds *bounds;
  ConstraintList invariant; // the constant clock tests, over the active clocks
  bool is_dynamic;          // some invariant depends on variables: ask the Vm instead
  bool has_rates;           // some process gives rates (model/stopwatches.h); is_dynamic, too
  bool is_upper;            // all of `invariant` bound single clocks from above
  bool can_delay;
  // It is a delay by a transition (model/joint.h), and the last so many of `invariant` hold after
  // it.
  bool is_delay;
  uint32_t after_count;
  ConstraintList diagonals; // that matter (analysis/diagonals.h), over the active
  uint32_t number;          // the same for equal ones
  uint32_t stay; // the transformer of its invariant and delay alone; 0: neither changes a zone
} Setting;

struct LocVector {
  ActiveClocks active; // its clocks are those of the map, its bounds those of the setting
  const Setting *setting;
  OutgoingTransition *outgoing; // by ordinal (model/joint.h); NULL: not known yet
  uint32_t outgoing_count;
  // What a transition to it needs lies together.
  uint32_t entry; // a number for all that entering it does to a zone, 0 if it is dynamic
  uint32_t number, map;
  uint32_t note;    // what a goal found of it (zones_note), 0 at first
  void *more;       // what the notion of time adds, see LocVectors.after_make
  uint64_t words[]; // of the packed state: the locations only
};

// Where the active clocks of a target come from (dbm/remap.h), with room for
// dbm_stride(n).
typedef struct Origins {
  ClockId *origin;
  int32_t *offset;
  bool is_identity; // the active clocks are equal and no clock is updated
  bool has_offset;  // some offset is not 0
} Origins;

// Targets for which memory is fetched.
typedef struct VectorsAhead {
  uint32_t count;
  struct {
    uint64_t hash;
    uint32_t transition;
    const LocVector *vector; // found between the stages: likely the one
  } items[SPACE_AHEAD];
} VectorsAhead;

// What the owner of location vectors needs of them.
typedef struct VectorWants {
  bool only_bounds;  // of settings nothing but the bounds
  bool ways;         // in place of transformers: results are not remembered
  bool stay;         // Setting.stay
  bool entry_bounds; // bounds for tests modulo a_LU (dbm/stored/packed.h)
  bool is_m;         // both bounds of a clock are the larger one
} VectorWants;

// The location vector that is being made.
typedef struct VectorDraft {
  int32_t *state; // of variables it has the lowest values
  ActiveClocks active;
  int32_t *lower, *upper;
  VEC(OutgoingTransition) outgoing;
  const Edge **joint;         // of a transition that comes from elsewhere
  Constraints constraints;    // the invariant, then the differences that matter
  VEC(uint32_t) words;        // being interned
  const Diagonals *diagonals; // that can matter; NULL: none
  ClockTests tests;           // those that do
  bool *needed;               // by clock: it matters even if it has no bound
} VectorDraft;

// Of what there are numbers: joint transitions by their edges (the first numbers are those of
// single edges), maps; and parts of zone transformers (semantics/zone/transformer.h): settings,
// bounds, passages, renamings, and both where these are too large.
enum { VECTOR_JOINTS, VECTOR_MAPS, VECTOR_PARTS, VECTOR_NUMBERS };

typedef struct LocVectors {
  Mem *mem;
  const Net *net;
  const ClockBounds *bounds; // NULL: all clocks, without bounds
  bool is_global;            // the same active clocks everywhere
  VectorWants wants;         // set by the owner
  uint32_t n;                // clocks, clock 0 included
  const StateLayout *layout;
  uint64_t *masks; // by word of packed states: the bits of locations
  Joint joint;
  // Called when a location vector has been made, before it is found again, and before its
  // transitions are found; NULL: nothing is.
  void (*after_make)(void *context, LocVector *);
  void *make_context;
  void (*before_outgoing)(void *context, const LocVector *);
  void *before_context;
  Arena arena; // kept
  Arena cache; // emptied when it is full
  VectorDraft draft;
  Pool list;                     // of location vectors, by number - 1
  Pairs known;                   // of a hash of locations, and how many others have it: number
  uint64_t made;                 // location vectors, those that were forgotten included
  VEC(Transition *) transitions; // by number: of single edges, then joint ones
  Intern numbers[VECTOR_NUMBERS];
  Pairs passages; // of transition and maps: a number for guard and origins, over positions
  VEC(ActiveClocks) maps; // by number - 1, without bounds: location vectors share them
  LocVector *received;    // see locvector_receive
  Origins origins;        // of the transition fired last
} LocVectors;

void locvector_init(LocVectors *, Mem *, const Net *, const StateLayout *, const ClockBounds *,
                    const Diagonals *, bool is_global, bool is_m);
// Forgets all location vectors if, with `more` that the owner keeps beside them, they have more
// than this share of the memory in use. True if the numbers of transformers have been forgotten
// as well.
bool locvector_keep_small(LocVectors *, uint32_t share, size_t more);

LocVector *locvector_find(LocVectors *, const uint64_t *packed); // of a packed state
void locvector_find_outgoing(LocVectors *, LocVector *);         // makes sure of them
static inline const Transition *locvector_transition(const LocVectors *vectors,
                                                     const OutgoingTransition *out) {
  return vectors->transitions.items[out->transition];
}
static inline LocVector *locvector_target(const LocVectors *vectors,
                                          const OutgoingTransition *out) {
  return pool_at(&vectors->list, out->target - 1);
}
