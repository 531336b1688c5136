// Firing in local time: the matrix work of transitions. An entry of a zone bounds the difference
// of two moments: those at which clocks were reset, and the local times that the processes may
// have come to (dbm/offset.h; doc/notes/local-time.md).
#pragma once

#include "dbm/stored/offsetpack.h"
#include "semantics/local/commute.h"
#include "semantics/local/localvector.h"
#include "semantics/zone/engine.h"

// Synchronised zones.
typedef struct Synchronised {
  ZoneTable table;
  Memo known; // of zone and setting
} Synchronised;

typedef struct Local {
  Zones zones; // first: a Zones * of local time is a Local *
  Resources resources;
  LocalVectors vectors;
  Synchronised synced;

  // The opened node.
  LocalVector *source_vector;
  const LocalSetting *source_setting;
  bool can_commute;
  CommuteOrigin origins[LOCAL_ORIGINS];
  uint64_t commuted, not_commuted; // zones that were found so, and not
  ZoneRef *result;                 // of localvector_results, for the current node; NULL: none

  // The current node. Whether its zone has a number or not, it is in `pack`.
  LocalVector *vector;
  const LocalSetting *setting;
  OffsetPack pack;
  ZoneRef sync;  // its synchronised zone, ZONE_NONE: not known yet
  Bound *global; // scratch for such zones

  Bound *matrix, *low;
  Bound *instant, *spare, *scratch;
  int16_t *instant16;
  ClockTests invariant;
  uint32_t *origin; // scratch of semantics/local/localrename.c
} Local;

static inline Local *local_of(const Zones *zones) { return (Local *)(void *)(uintptr_t)zones; }

// As the functions of Time.
bool localfiring_begin(Zones *);
bool localfiring_open(Zones *, ZoneRef);
bool localfiring_can_happen(Zones *);
ZoneRef localfiring_infer(Zones *, uint32_t ordinal);
bool localfiring_take(Zones *, const OutgoingTransition *, uint32_t ordinal, ZoneRef known,
                      bool is_sure);
bool localfiring_make(Zones *, const OutgoingTransition *, uint32_t ordinal);
void localfiring_load(Zones *, ZoneRef);
ZoneRef localfiring_number(Zones *);
ZoneString localfiring_packed(Zones *);
ZoneString localfiring_form(Zones *, PackedFormat);
void localfiring_accept(Zones *, const ZoneString *);

void localfiring_keep(Local *);      // the current zone is the one in `matrix`
uint32_t localfiring_store(Space *); // as Space.keep
// For assertions: whether computing what semantics/local/commute.h found gives the same.
bool localfiring_agrees(Local *, uint32_t ordinal, ZoneRef result);
