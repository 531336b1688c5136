// Firing in local time: the discrete and the matrix work of transitions, for the space of
// local-time zones (local/local.h), whose data this is.
#ifndef TARN_LOCAL_LOCALFIRING_H
#define TARN_LOCAL_LOCALFIRING_H

#include "base/random.h"
#include "dbm/stored/offsetpack.h"
#include "dbm/stored/zonetable.h"
#include "local/alike.h"
#include "local/commute.h"
#include "local/localscene.h"
#include "space/options.h"
#include "space/shuffle.h"
#include "space/space.h"
#include "zone/abstraction.h"
#include "zone/keys.h"
#include "zone/memo.h"

typedef VEC(Constraint) Ceilings;

typedef struct Local {
  Space space; // first: a Space * is a Local *
  Mem *mem;
  Arena arena;
  const Net *net;
  const Goal *goal;
  Vm vm;
  StateLayout layout;
  Components components;
  ClockBounds bounds;
  Abstraction abstraction;
  ProbeKind kind;
  bool has_small;     // constants: synchronised zones mostly fit into 8 bits
  uint32_t step_most; // those of up to so many dimensions are extrapolated by dbm/kernel/step.h
  unsigned rules;
  Options options; // for siblings
  LocalScenes scenes;
  Keys keys;
  bool has_memo; // what moves make of zones is remembered; how often that was asked for
  uint64_t known, unknown;
  ZoneTable table;  // of local zones
  Memo memo;        // what moves make of them
  uint32_t written; // nodes stored; zones that were left by a sweep count once
  // Synchronised zones, modulo the abstraction; what they are of which zones in which settings;
  // which covers which.
  ZoneTable synced;
  bool is_smoothed;                 // extrapolated although covering is modulo a simulation
  uint32_t synchronised, different; // how often one was made, and was new
  bool is_prepared;                 // the rest has been allocated, if it is to be
  Memo syncs;
  Alike *alike;      // zones with the same ones
  CoverMemo *covers; // NULL: tests are too cheap to be remembered

  // The opened node, and the next of its moves to be tried.
  LocalScene *source_scene;
  ZoneRef source_ref;
  bool has_source; // `source_zone` holds it
  Bound *source_zone;
  const LocalSetting *source_setting;
  uint32_t move;
  bool can_commute;
  Commute commute;
  uint64_t commuted, not_commuted; // zones that were found so, and not
  ZoneRef *result;                 // of localscene_results, for the current node; NULL: none

  // The current node. Space.zone is its zone, ZONE_NONE if that is not in the table; in any case
  // it is in `pack`.
  LocalScene *scene;
  const LocalSetting *setting;
  OffsetPack pack;
  uint32_t hash; // of `pack`, 0: not known yet
  ZoneRef sync;  // its synchronised zone, ZONE_NONE: not known yet
  Bound *global; // scratch for such zones
  Probe probe;
  ZoneRef probed;            // the zone that the probe is made for
  struct Sketcher *sketcher; // NULL: there are no sketches

  Bound *zone, *low;
  Bound *instant, *spare, *scratch;
  int16_t *instant16;
  ProcessId *everybody; // all processes, as a domain
  ClockTests guard, invariant;
  ClockUpdates updates;
  Ceilings ceilings;
  Random random; // with a seed: the moves in the order of `shuffled`
  bool is_random;
  Ordinals shuffled;
  uint64_t *ahead_keys; // SPACE_AHEAD, of localfiring_foresee
  SceneAhead expected;
} Local;

void localfiring_fail(Local *, const char *reason, Place);
// The same where a bound is too large.
void localfiring_outgrow(Local *);
// A VM result as "go on"; errors of the model are recorded.
bool localfiring_holds(Local *, VmResult);

// Finds the setting of the current node; its invariants hold.
void localfiring_find_setting(Local *);
// The synchronised zone of the current node, as it is, in `global`.
const Bound *localfiring_synchronise(Local *);
// The same modulo the abstraction, in the table of such zones; and that of another local zone in
// the same setting.
ZoneRef localfiring_sync(Local *);
ZoneRef localfiring_sync_of(Local *, ZoneRef);

bool localfiring_in_range(Local *); // every bound of the current zone is representable
// The current zone becomes one of the table.
void localfiring_take(Local *, ZoneRef);
// The current zone, put into the table in any case.
ZoneRef localfiring_ref(Local *);
// The current node, whose zone is in the table, has been stored.
void localfiring_stored(Local *);
// The opened node is to be the one with this stored zone, in `source_scene`.
void localfiring_open(Local *, ZoneRef);
// The zone of all clocks 0 as the current node's; false if there is none.
bool localfiring_begin(Local *);
// For assertions: whether computing what local/commute.h found gives the same.
bool localfiring_agrees(Local *, uint32_t ordinal, ZoneRef result);
bool localfiring_next(Local *);        // the next enabled move of the opened node
uint32_t localfiring_foresee(Local *); // as Space.foresee: fills ahead_keys

#endif
