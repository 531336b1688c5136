// Scenes of local time: what a search in local time needs to know of a location vector, found
// once and kept: the variables of its offset matrices, the invariants as ceilings of the
// local times, and the joint transitions, prepared as actions on such matrices.
//
// Variables: the offsets of the clocks that matter; the times of the last write of resources,
// as far as they have one of their own; the local times of the processes; those of the resources.
//
// The cache is bounded like that of engine/scene.h: forgotten in localscene_keep_small only.
#ifndef TARN_ENGINE_LOCALSCENE_H
#define TARN_ENGINE_LOCALSCENE_H

#include "dbm/synced.h"
#include "engine/components.h"
#include "model/clockbounds.h"
#include "model/joint.h"
#include "model/state.h"

#define LOCAL_NOWHERE UINT32_MAX // position of a clock that does not matter

// The rules of doc/local-time.md. All are needed; tests leave one out to see that they are.
typedef enum LocalRule {
  LOCAL_URGENT = 1,         // time stands still in urgent and committed locations
  LOCAL_CEILINGS = 2,       // an invariant bounds the local time
  LOCAL_SYNCHRONISABLE = 4, // nodes without a synchronised valuation are dropped
  LOCAL_WEAK = 8,           // weak participants belong to the domain
  LOCAL_WRITES = 16,        // a write comes after all accesses before it
  LOCAL_READ_AFTER = 32,    // a read comes after the write before it
  LOCAL_READ_BEFORE = 64,   // and before the write after it
  LOCAL_PRESENT = 128,      // a write involves the processes whose invariant reads
  LOCAL_ENTRY = 256,        // entering a location reads what its invariant reads
  LOCAL_EXIT = 512,         // leaving it, too
  LOCAL_WHOLE_TEST = 1024,  // covering looks at all bounds of the synchronised zone
  LOCAL_ALL = 2047,
} LocalRule;

typedef struct LocalScene LocalScene;

typedef struct LocalMove {
  const Edge *const *edges;
  uint32_t edge_count;
  const ProcessId *domain; // the processes whose time is the instant of the action
  uint32_t domain_count;
  ResourceList reads, writes;
  const Test *tests; // integer conditions
  uint32_t test_count;
  const SlotUpdate *slots;
  uint32_t slot_count;
  bool needs_guard, needs_update; // by the Vm
  bool is_linked;                 // target is known
  bool is_constant;               // linked, and nothing depends on variables
  bool is_used;                   // its action was made once
  bool is_kept;                   // `action` is valid
  bool is_impossible;             // kept, and a constant contradicts the target's invariant
  LocalScene *target;
  OffsetAction action;
} LocalMove;

struct LocalScene {
  LocalScene *next; // in its bucket
  uint64_t hash;
  OffsetShape shape;
  const ClockIndex *clocks; // by variable
  const uint32_t *position; // by clock of the net: its variable, or LOCAL_NOWHERE
  SyncedBounds bounds;
  bool has_high;   // some time has a row
  bool is_dynamic; // some invariant depends on variables: ask the Vm
  bool has_moves;
  const Constraint *ceilings; // of the constant invariants
  uint32_t ceiling_count;
  LocalMove *moves; // by ordinal (model/joint.h)
  uint32_t move_count;
  int32_t locations[]; // one per process
};

typedef struct LocalScenes {
  Mem *mem;
  const Net *net;
  const Components *components;
  const ClockBounds *bounds; // NULL: all clocks, without bounds
  unsigned rules;            // of LocalRule
  bool is_global;            // one set of bounds for all
  bool is_m;                 // both bounds of a clock are the larger one
  uint32_t n;                // clocks, clock 0 included
  const uint64_t *keys;
  Joint joint;
  Arena arena, scenes;
  size_t scenes_bytes;
  int32_t *lower, *upper;
  LocalScene **buckets;
  VEC(LocalMove) moves; // of the scene being made
  VEC(uint32_t) ids;
  // The action being made.
  VEC(OffsetLink) in, out;
  VEC(Constraint) between;
  VEC(uint32_t) origin, kept;
  VEC(int32_t) shift;
  ClockTests guard, invariant;
  ClockUpdates updates;
} LocalScenes;

void localscene_init(LocalScenes *, Mem *, const Net *, const Components *, const ClockBounds *,
                     bool is_global, bool is_m, unsigned rules);
void localscene_release(LocalScenes *);
void localscene_keep_small(LocalScenes *);

uint64_t localscene_hash(const LocalScenes *, const int32_t *state);
LocalScene *localscene_find(LocalScenes *, const int32_t *state, uint64_t hash);
void localscene_find_moves(LocalScenes *, LocalScene *, const int32_t *state);
// Finds the target of a move, from the state that it leads to.
void localscene_link(LocalScenes *, const LocalScene *, LocalMove *, const int32_t *target);
// The action of a constant move; NULL if a constant contradicts the target's invariant. Made at
// the first use, and kept from the second on: in many models most moves are tried once.
const OffsetAction *localscene_constant(LocalScenes *, const LocalScene *, LocalMove *,
                                        OffsetAction *made);

// Variables of a scene.
static inline uint32_t localscene_time(const LocalScene *scene, ProcessId p) {
  return scene->shape.first_time + p;
}
static inline uint32_t localscene_known(const LocalScene *scene, ResourceId r) {
  return scene->shape.first_time + scene->shape.times + r;
}

// Makes the action of a move with the given clock tests of its guards, clock updates and tests
// of the target's invariants (for its domain only), in the vectors of LocalScenes; false if
// a constant contradicts an invariant. The arrays of the action are valid until the next one.
bool localscene_action(LocalScenes *, const LocalScene *, const LocalMove *,
                       const ClockTest *guard, uint32_t guard_count, const ClockUpdate *,
                       uint32_t update_count, const ClockTest *invariant,
                       uint32_t invariant_count, OffsetAction *);
// The ceilings that a test of an invariant of process p is: none or one, appended.
bool localscene_ceiling(const LocalScene *, ProcessId, const ClockTest *, Constraint *);

#endif
