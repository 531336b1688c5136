// Scenes of local time: what a search in local time needs to know of a location vector besides
// zone/scene.h, found once and kept: the shape of its offset matrices and the invariants as
// ceilings of the local times. And *steps*: joint transitions, prepared as actions on such
// matrices.
//
// The variables of the matrices (local/localaction.h) are the same everywhere, so that most
// steps do not depend on where they are taken; but clocks that do not matter in a scene have no
// rows there.
//
// The cache is bounded like that of zone/scene.h: forgotten in localscene_keep_small only.
// Shapes are kept.
#ifndef TARN_LOCAL_LOCALSCENE_H
#define TARN_LOCAL_LOCALSCENE_H

#include "dbm/kernel/offset8.h"
#include "dbm/stored/kept.h"
#include "local/localaction.h"
#include "zone/scene.h"

// A transition from locations of the processes in its domain.
typedef struct LocalStep {
  LocalUse use;
  bool has_action;    // nothing of `action` depends on variables
  bool is_impossible; // a constant contradicts the target's invariant
  OffsetAction action;
  uint32_t number;        // of the action: the same for equal ones
  bool is_tiny, is_small; // packed zones of 8 bits will do, of 16 bits
  Offset8Action masks;
} LocalStep;

typedef struct LocalShape {
  OffsetShape shape;
  Offset8Shape masks;
  const uint64_t *clocks; // that have rows, as bits
  uint32_t number;
} LocalShape;

// What the synchronised zone of a local one depends on, modulo the abstraction: shape, bounds of
// the clocks, ceilings. Many scenes share one.
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
  uint32_t scene; // Scene.number, 0: not known
  uint32_t move;
} LocalOrigin;

enum { LOCAL_ORIGINS = 2 };

typedef struct LocalScene { // a line of the cache
  Scene *scene;
  const OffsetShape *shape;    // of the setting
  const LocalSetting *setting; // if is_dynamic, that without ceilings
  uint32_t *steps;             // by ordinal (model/joint.h): number, 0 if it is not known yet
  ZoneRef last;                // a zone that was met here: the next one is likely to be the same
  // For local/commute.h: the zone that was opened last, ZONE_NONE if that is forgotten; and
  // where nodes come from, the one that was stored last, and one that was met last before it was
  // opened.
  ZoneRef opened;
  LocalOrigin origins[LOCAL_ORIGINS];
  bool is_dynamic; // some invariant depends on variables: ask the Vm
} LocalScene;

// By ordinal: what moves make of the zone that was opened last. Behind the steps.
static inline ZoneRef *localscene_results(const LocalScene *scene) {
  return scene->steps + scene->scene->move_count;
}

// What transitions have in common wherever they start.
typedef struct LocalAccess {
  bool is_known;
  bool may_involve; // invariants of processes that do not take part may depend on what it writes
  ResourceList reads, writes;
  const uint64_t *sets; // clocks, as bits
  uint32_t step;        // if it depends on nothing else; 0: not known yet
  uint64_t touches;     // then: processes and resources, as bits; some may share one
} LocalAccess;

typedef struct LocalScenes {
  Mem *mem;
  const Net *net;
  const Components *components;
  unsigned rules;       // of LocalRule
  bool has_weak;        // some synchronisation has weak participants
  OffsetShape all;      // with the columns of all variables
  int16_t *times;       // a mask for dbm/kernel/offset8.h
  bool has_frozen;      // some location is urgent or committed
  const uint8_t *kinds; // by location: LocationKind
  // The ceilings of constant invariants: different lists of them, and numbers of these by
  // location, 0 for none.
  Intern lists;
  const uint32_t *ceilings;
  const LocationId *firsts; // by process: its first location
  Scenes *scenes;
  Arena arena; // kept
  Intern shapes;
  VEC(const LocalShape *) shape_list; // by number - 1
  VEC(LocalScene *) list;             // by Scene.number - 1
  VEC(LocalAccess) accesses;          // by number of a transition
  VEC(const LocalShape *) map_shapes; // by Scene.map; NULL: not known
  Intern actions;                     // of steps
  Intern contents, settings;          // of steps, of settings
  VEC(const LocalStep *) steps;       // by number - 1
  VEC(const LocalSetting *) setting_list;
  VEC(uint32_t) ids, words;
  LocalActions maker;
  ClockTests guard, invariant;
} LocalScenes;

// The scenes of zone/scene.h are the caller's.
void localscene_init(LocalScenes *, Mem *, const Net *, Scenes *, const Components *,
                     unsigned rules);
void localscene_release(LocalScenes *);
// True if the numbers of effects have been forgotten.
bool localscene_keep_small(LocalScenes *);

LocalScene *localscene_find(LocalScenes *, const uint64_t *packed);
void localscene_find_moves(LocalScenes *, LocalScene *);
static inline LocalScene *localscene_target(const LocalScenes *scenes, const Move *move) {
  return scenes->list.items[move->target - 1];
}

// The setting of a scene with other ceilings.
const LocalSetting *localscene_setting(LocalScenes *, const LocalScene *, const Constraint *,
                                       uint32_t count);

// The ceiling that a test of an invariant of process p is, if it is one.
bool localscene_ceiling(const LocalScenes *, ProcessId, LocationId, const ClockTest *,
                        Constraint *);

#endif
