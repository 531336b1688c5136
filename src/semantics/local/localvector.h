// Location vectors of local time. They add to semantics/zone/locvector.h what local time needs:
// the shape of the offset matrices, and the invariants as ceilings of the local times. They also
// hold *steps*, which are joint transitions prepared as actions on such matrices.
//
// All matrices have the same variables (semantics/local/localaction.h), so most steps do not
// depend on the location vector. But a location vector has no rows for clocks that are not
// active.
//
// The cache is bounded as in semantics/zone/locvector.h: only localvector_keep_small empties it.
// Shapes are kept.
#pragma once

#include "dbm/kernel/offsetstep.h"
#include "dbm/stored/storedzone.h"
#include "semantics/local/localaction.h"
#include "semantics/zone/locvector.h"

// A transition from locations of the processes in its domain.
typedef struct LocalTransition {
  LocalUse use;
  bool has_action;    // nothing of `action` depends on variables
  bool is_impossible; // a constant contradicts the target's invariant
  OffsetAction action;
  uint32_t number;        // of the action: the same for equal ones
  bool is_tiny, is_small; // packed zones of 8 bits will do, of 16 bits
  OffsetStepAction masks;
} LocalTransition;

typedef struct LocalShape {
  OffsetShape shape;
  OffsetStepShape masks;
  const uint64_t *clocks; // that have rows, as bits
  uint32_t number;
} LocalShape;

// What the synchronised zone of a local one depends on, modulo the abstraction: shape, bounds of
// the clocks, ceilings. Many location vectors share one.
typedef struct LocalSetting {
  uint32_t number;
  const LocalShape *shape;
  uint32_t bounds; // their number (dbm/stored/packed.h)
  const Constraint *ceilings;
  uint32_t ceiling_count;
  const int8_t *least; // what these ask of minima (dbm/stored/offsetpack.h)
} LocalSetting;

// Where a node comes from.
typedef struct LocalOrigin {
  const struct LocalVector *vector; // NULL: not known
  uint32_t out;
} LocalOrigin;

enum { LOCAL_ORIGINS = 2 };

typedef struct LocalVector { // LocVector.more
  LocVector *vector;
  const OffsetShape *shape;    // of the setting
  const LocalSetting *setting; // if is_dynamic, that without ceilings
  uint32_t *steps;             // by ordinal: number, 0 if not known yet; NULL before it is opened
  // For semantics/local/commute.h: the zone that was opened last, ZONE_NONE if that is forgotten;
  // and where nodes come from, the one that was stored last, and one that was met last before it
  // was opened.
  ZoneRef opened;
  LocalOrigin origins[LOCAL_ORIGINS];
  bool is_dynamic; // some invariant depends on variables: ask the Vm
} LocalVector;

// By ordinal: what transitions make of the zone that was opened last. Behind the steps.
static inline ZoneRef *localvector_results(const LocalVector *vector) {
  return vector->steps + vector->vector->outgoing_count;
}

// What transitions have in common wherever they start: Transition.more.
typedef struct LocalAccess {
  bool may_involve; // invariants of processes that do not take part may depend on what it writes
  ResourceList reads, writes;
  const uint64_t *sets; // clocks, as bits
  uint32_t step;        // if it depends on nothing else; 0: not known yet
  uint64_t touches;     // then: processes and resources, as bits; some may share one
} LocalAccess;

// Of what there are numbers: shapes, settings, steps, under which they are kept, and actions.
enum { LOCAL_SHAPES, LOCAL_SETTINGS, LOCAL_STEPS, LOCAL_ACTIONS, LOCAL_NUMBERS };

typedef struct LocalVectors {
  Mem *mem;
  const Net *net;
  const Resources *resources;
  OffsetShape all;    // with the columns of all variables
  int16_t *times;     // a mask for dbm/kernel/offsetstep.h
  bool has_frozen;    // some location is urgent or committed, or some channel is urgent
  ProcessId *limited; // processes that have an invariant somewhere
  uint32_t limited_count;
  bool *stops;           // by process, see joint_stops; NULL: no channel is urgent
  VEC(Constraint) found; // of a setting that is being looked for
  LocVectors *of;
  Intern numbers[LOCAL_NUMBERS];
  VEC(uint32_t) ids;
  LocalActions maker;
} LocalVectors;

// The location vectors of semantics/zone/locvector.h are the caller's.
void localvector_init(LocalVectors *, Mem *, const Net *, LocVectors *, const Resources *);
// True if the numbers of transformers have been forgotten.
bool localvector_keep_small(LocalVectors *);

static inline const LocalTransition *localvector_step(const LocalVectors *vectors,
                                                      uint32_t number) {
  return intern_at(&vectors->numbers[LOCAL_STEPS], number)->value;
}
static inline LocalVector *localvector_target(const LocalVectors *vectors,
                                              const OutgoingTransition *out) {
  return locvector_target(vectors->of, out)->more;
}

// Ceilings are collected in `found`, behind a place for what else is of the setting. Adds the one
// that a test of an invariant of process p is, if it is one.
static inline void localvector_clear_ceilings(LocalVectors *vectors) { vectors->found.size = 1; }
void localvector_add_ceiling(LocalVectors *, ProcessId, LocationId, const ClockTest *);
// The setting with this shape, these bounds and the ceilings in `found`.
const LocalSetting *localvector_setting(LocalVectors *, const LocalShape *, uint32_t bounds);

// Sets of clocks have this many words; there is always one.
static inline uint32_t localvector_set_words(const LocalVectors *vectors) {
  return vectors->all.clocks / 64 + 1;
}

static inline void localvector_add_clock(uint64_t *set, uint32_t clock) {
  set[clock / 64] |= (uint64_t)1 << clock % 64;
}

// Of a process in LocVectors.draft.
static inline LocationId localvector_location(const LocalVectors *vectors, ProcessId p) {
  return net_location_at(vectors->net, p, vectors->of->draft.state);
}
