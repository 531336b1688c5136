// Lint: what is suspicious in a model although every query may be satisfied. Locations, edges and
// synchronisations that no run uses; clocks and variables that are never read; ranges that are
// hit; statements without effect; locations without exit; urgent and committed locations in which
// time can be blocked; queries that hold only because their premise never does.
//
// Most of it comes from one search of all reachable states (answers/queries/coverage.h),
// which has a limit of time. If the limit ends the search, what it has not seen may still happen:
// such findings are undecided. A second search, with M bounds, is made only if the first one saw
// a location that may block time (answers/queries/deadlock.h says why), and one for each premise.
#pragma once

#include "answers/queries/coverage.h"
#include "model/query.h"

typedef enum LintKind {
  LINT_LOCATION, // no run enters it
  LINT_EDGE,     // no run takes it
  LINT_SYNC,     // it never happens
  LINT_CLOCK,    // it is never read
  LINT_VARIABLE,
  LINT_RANGE,    // an update leaves the range of its variable
  LINT_EXIT,     // it cannot be left
  LINT_BLOCKING, // time cannot pass, and nothing can happen
  LINT_QUERY,    // it holds vacuously
  LINT_ERROR,    // a run ends with a run-time error
  LINT_EFFECT,   // a statement has none
} LintKind;

typedef enum LintLevel {
  LINT_WARNING,
  LINT_NOTE,      // often meant
  LINT_UNDECIDED, // the search was cut before it could tell
} LintLevel;

typedef struct Finding {
  LintKind kind;
  LintLevel level;
  Place place;
  const char *name; // of what it is about: `P.l`, `x`
  const char *text; // a sentence without a dot
} Finding;

typedef struct Lint {
  // Set by the caller.
  Mem *mem;
  const Net *net;
  const Query *queries; // their texts are what users see
  uint32_t query_count;
  MemWatch *limits; // for all searches together; NULL: none
  // Results, in `arena`, sorted by place. The caller releases them, or all of `mem`.
  Arena arena;
  VEC(Finding) findings;
  Statistics *stats;       // of the first search
  const char *refusal;     // why a search cannot tell what is reached; NULL: it can
  const char *stop_reason; // why it was cut, or the refusal; NULL: it was not
} Lint;

const char *lint_kind(LintKind); // as JSON names it
const char *lint_level(LintLevel);

// False, with an error in the report, if the model cannot be searched at all.
bool lint_run(Lint *, Report *);
