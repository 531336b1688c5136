// Zones along runs under a condition: the space in which infinite runs are searched
// (search/cycles/cycles.h), for `E[]`, `A<>`, `-->` and Büchi conditions.
//
// A node is a situation (answers/queries/situation.h), a *mode* and a zone. In mode 0 a run is
// unrestricted. In mode i + 1 it stays in part i of the situation's `stays`, the convex parts of
// the condition that has to hold from now on: time passes there as long as part i and the
// invariant hold. Where two parts touch, time can pass from one to the other: a *hop*, a step
// without edges. Without a condition, every node has mode 0. With `starts`, a run begins in mode
// 0 and hops to another mode where one of the starts holds; without, it begins in the other
// modes.
//
// Marks are what has to be met again and again. With a condition: RUNS_ACTION, a step with edges
// in a mode other than 0. Else one for each label. With is_divergent also RUNS_TICK: a clock that
// nothing else uses, the last one of the net, has reached 1 and is set back. Such steps recur for
// ever exactly if time diverges.
//
// Zones are extrapolated by Extra_LU+ (or Extra_M+, which is the same with equal bounds) and cut
// back to where they may be; covering is simulation by a_LU. Where clocks are compared with each
// other zones are not extrapolated. Covering is simulation that goes both ways, by M bounds and
// all tests of differences (dbm/diagonalcover.h), and a zone gives way to one of its key that it
// covers and is covered by: there are finitely many of these (doc/notes/diagonals.md).
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "answers/queries/situation.h"
#include "check/lasso.h"
#include "search/space/space.h"

enum { RUNS_ACTION = 1, RUNS_TICK = 2, RUNS_FIRST_LABEL = 4 };
enum { RUNS_MAX_LABELS = 28 };

// How an infinite run may stop at a node.
typedef enum RunsEnd {
  RUNS_GOES_ON,
  RUNS_IDLES,   // time passes for ever
  RUNS_STUCK,   // no action is possible, and time cannot pass for ever
  RUNS_UNCLEAR, // some state that the node stands for might be stuck: not with M bounds
  RUNS_FAILED,
} RunsEnd;

typedef struct RunsRules {
  LassoClaim claim; // what such a run shows
  bool is_divergent;
  // In modes other than 0, to which a run goes over anywhere, no step sets this clock; 0: any
  // may.
  ClockIndex kept;
  bool is_m;
  // Runs start when they come to a state in which they may, not anywhere behind it. Certificates
  // do not know this form.
  bool starts_soon;
  // By which the nodes of answers/queries/stateruns.h are reduced: conditions and labels are
  // invariant under them. NULL: by none.
  const Symmetry *symmetry;
} RunsRules;

// NULL with an error in the report. Rules must outlive the space.
Space *runs_new(Mem *, const Net *, const RunsRules *, Report *);

uint32_t runs_all_marks(const RunsRules *);
uint32_t runs_marks(Space *); // of the current node and the step to it
RunsEnd runs_end(Space *);    // of the current node
// Whether no infinite run that counts goes through nodes of this key: they are in mode 0, from
// which it has to go over.
bool runs_is_inert(Space *, const uint64_t *key);
// With `kept`: the current node is in a mode other than 0, and `start` holds somewhere in it.
bool runs_starts(Space *);
Situations *runs_situations(Space *);
const Bound *runs_zone(Space *); // of the current node
static inline uint32_t runs_situation(uint64_t key) { return (uint32_t)(key >> 32); }
static inline uint32_t runs_mode(uint64_t key) { return (uint32_t)key; }
