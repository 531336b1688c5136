// Notions of time, and the data of the zone engine (semantics/zone/engine.h), which works with
// any of them.
//
// A notion of time (semantics/zone/firing.h: global time; semantics/local/localfiring.h: local
// time) says what a row of the matrix means and what a transition does to it, as a table of
// functions; its own data follows the engine's in one struct.
//
// The current zone has a number (Space.zone) if it is in the table; otherwise the notion of time
// has it in packed form. Its matrix is made from that on demand.
#pragma once

#include "base/random.h"
#include "search/options.h"
#include "search/space/shuffle.h"
#include "search/space/space.h"
#include "semantics/zone/abstraction.h"
#include "semantics/zone/locvector.h"
#include "semantics/zone/memo.h"
#include "semantics/zone/states.h"

typedef struct Zones Zones;

// What is different from one notion of time to another.
typedef struct Time {
  bool knows_diagonals; // zones are compared by differences of clocks, too
                        // (semantics/zone/zonediagonals.h)
  // Room for location vectors is made when all of them have become too many: true if numbers of
  // transformers have been forgotten.
  bool (*keep_small)(Zones *);
  // What refers to location vectors or numbers of transformers; NULL: nothing does.
  void (*forget)(Zones *);

  bool (*begin)(Zones *); // the current node, an initial one, gets its zone; false: none
  bool (*open)(Zones *,
               ZoneRef); // a node of `opened.vector` is opened; false on failure
  // With Space.needs: tells of a transition that the integers allow, before its guard is tested.
  void (*try)(Zones *, const Transition *);
  // Whether the guard of a transition that depends on variables, in `tests`, may hold in the
  // opened zone; NULL: it always may. And whether these tests can hold there at a moment of
  // global time, for then an error of the model counts.
  bool (*may_hold)(Zones *);
  bool (*can_happen)(Zones *);
  // Finds where a transition of the opened location vector leads to, given the key, and its
  // transformer.
  void (*link)(Zones *, uint32_t ordinal);
  // What a transition leads to, if that follows from others: as memo_find. NULL: never.
  ZoneRef (*infer)(Zones *, uint32_t ordinal);
  // The current node, in the target, gets a zone that is known (or MEMO_EMPTY), with is_sure from
  // the same node. NULL: a zone of the table is a node in any case. Or, in `vector`, one that has
  // to be made. False if it is empty, or on failure.
  bool (*take)(Zones *, const OutgoingTransition *, uint32_t ordinal, ZoneRef known,
               bool is_sure);
  bool (*make)(Zones *, const OutgoingTransition *, uint32_t ordinal);

  bool (*meets)(Zones *); // the current zone meets the clock constraints in `tests`
  void (*load)(Zones *,
               ZoneRef); // the current node, in `vector`, has this zone; NULL: nothing more to do
  ZoneRef (*number)(Zones *);            // of the current zone, put into the table in any case
  ZoneRef (*compared)(Zones *, ZoneRef); // what is compared in place of a zone of the table
                                         // (ZONE_NONE: the current one); NULL: the zone itself

  // Of a search that is reduced by symmetry. The current node gives way to its image under the
  // permutation that the reduction's orbit has found, in `to`; false, and nothing is done, if
  // other clocks matter there. And the opened zone as it is compared; NULL: `opened.bounds`.
  bool (*rename)(Zones *, LocVector *to);
  const StoredZone *(*opened_zone)(Zones *);

  // For hulls (semantics/zone/hulls.h): the current zone becomes the smallest that includes it,
  // this one of the same key, and what delays lead to from there. NULL: there are no hulls.
  void (*join)(Zones *, ZoneRef);

  // For siblings: the packed zone.
  ZoneString (*packed)(Zones *);
  void (*accept)(Zones *,
                 const ZoneString *); // the current node gets a zone that a sibling packed
  ZoneString (*form)(Zones *,
                     PackedFormat); // what zones of the current node are, but for entries
} Time;

// What transitions make of zones, remembered (semantics/zone/memo.h); given up where that does
// not help, if it may be.
typedef struct Results {
  Memo memo;
  bool is_on, may_give_up;
  uint64_t known, unknown; // how often something was known, or not
} Results;

// Of a model or a goal that tests differences of clocks, under an abstraction by simulation
// (semantics/zone/zonediagonals.h): which ones, and memory for the tests.
typedef struct ZoneDiagonals {
  bool is_on; // else there are none
  Diagonals diagonals;
  Bound *memory;
  size_t bytes;
  void *held; // of a compact table: for one zone
} ZoneDiagonals;

// How zones are compared (semantics/zone/covering.h).
typedef struct Covering {
  ProbeKind kind;
  ZoneTable *table; // of the zones that are compared
  Probe probe;      // of the current one
  ZoneRef probed;   // for which it was made; ZONE_CURRENT: for one that has no number
  void *room;       // of a compact table: for one zone
  struct Sketcher *sketcher;
  ZoneDiagonals diagonals;
} Covering;
#define ZONE_CURRENT UINT32_MAX

typedef struct Opened {
  LocVector *vector;
  ZoneRef zone;
  const StoredZone *bounds; // the same, if entries are bounds of clock differences; else NULL
  Bound *matrix;
  bool has_matrix;
  bool is_own;      // several workers search, and it is this one's
  ZoneRef *results; // by transition, of this very node: what is known already; NULL: nothing
  uint32_t next;    // transition to be tried, or its place in `listed`
  bool is_listed;   // not all are tried in order
  Ordinals listed;
  uint64_t *ahead_keys; // SPACE_AHEAD: of possible ones
  VectorsAhead expected;
  Random random;
  bool is_random;
  const bool *focus; // by process: it goes first (search/options.h); NULL: none does
} Opened;

struct Zones {
  Space space; // first: a Space * is a Zones *
  const Time *time;
  // A new space of the same kind.
  Space *(*make)(Mem *, const Net *, const Goal *, const Options *, Report *);
  Mem *mem;
  Arena arena;
  const Net *net;
  const Goal *goal;
  Options options;
  Vm vm;
  StateLayout layout;
  ClockBounds bounds;
  Abstraction abstraction;
  // By which zones are extrapolated, ABSTRACTION_NONE: they are not. The abstraction itself where
  // they are compared by inclusion. But zones that are compared modulo a simulation may be, too:
  // of those that are equivalent most become equal, and there are far fewer to keep and to work
  // on.
  Abstraction extrapolation;
  uint32_t step_max; // zones of up to so many dimensions are worked on by dbm/kernel/step.h
  int32_t max;       // largest of all clock bounds
  LocVectors vectors;
  States states; // the states of the opened and of the current node
  ZoneTable table;
  uint32_t written; // nodes ever stored
  Results results;
  Covering covering;
  Opened opened;
  LocVector *vector; // of the current node
  ClockTests tests;  // collected by the Vm
  ClockUpdates updates;
  // Of a search that is reduced by symmetry (semantics/zone/reduce.h): `rename` makes the current
  // node give way to its representative, `prune` marks transitions that are left out, NULL: none.
  // Else NULL.
  struct Reduction *reduction;
  void (*rename)(Zones *);
  const bool *(*prune)(Zones *);
  // Of a search that is reduced by partial order (semantics/zone/partialorder.h): adds the
  // transitions that are left out to those that `prune` has marked. Else NULL.
  struct PartialOrder *partialorder;
  const bool *(*narrow)(Zones *, const bool *pruned);
};
