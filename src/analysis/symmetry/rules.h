// The rules by which permutations of a network are judged (analysis/symmetry/verify.h,
// analysis/symmetry/match.h).
#pragma once

#include "analysis/symmetry/permutation.h"

// Parts of the verification that tests can leave out, to see that each is needed.
typedef enum SymmetryRule {
  RULE_LOCATIONS = 1 << 1,  // committed and urgent locations
  RULE_RANGES = 1 << 2,     // ranges of variables; values that move are in them
  RULE_INVARIANTS = 1 << 3, // of locations
  RULE_GUARDS = 1 << 4,     // of edges
  RULE_UPDATES = 1 << 5,    // of edges
  RULE_PLAIN = 1 << 6,      // values that move are only compared, copied, used as index
  RULE_INDICES = 1 << 7,    // the elements of an array move as its index does
  RULE_SYNCS = 1 << 8,      // synchronisations, as a multiset
  RULE_WEAK = 1 << 9,       // weak participants
  RULE_ORDER = 1 << 10,     // the order of participants where it matters
  RULE_EVENTS = 1 << 11,    // events of edges; edges taken alone stay so
  RULE_CLOSED = 1 << 12,    // the part where it holds is closed under successors
  RULE_TABLES = 1 << 13, // relations compared by value tables: nobody else writes what they read
  RULE_QUANTIFIERS = 1 << 14, // the range of a bound variable is closed
  RULE_CHANNELS = 1 << 15,    // broadcasts, urgent channels, priorities
  RULE_FAILING = 1 << 16,     // no invariant can fail where processes change places
} SymmetryRule;

typedef struct Match {
  Mem *mem;
  const Permutation *perm;
  unsigned skip; // rules left out
} Match;
