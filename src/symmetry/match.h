// Whether one expression, or list of statements, is the image of another under a permutation of
// the network: evaluated in the image of a state, it gives the image of the value.
//
// The trees are walked side by side. Every value has a sort (symmetry/permutation.h): that of the
// variables it is read from. Values that a permutation moves may only be compared for equality,
// copied, and used as an index of an array whose elements move along; everything else wants
// plain values. This is sufficient, not necessary: see symmetry/table.h for the rest.
#ifndef TARN_SYMMETRY_MATCH_H
#define TARN_SYMMETRY_MATCH_H

#include "symmetry/permutation.h"

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
} SymmetryRule;

typedef struct Match {
  Mem *mem;
  const Permutation *perm;
  unsigned skip; // rules left out
} Match;

bool match_expr(const Match *, const Expr *, const Expr *image); // a condition; NULL: true
bool match_stmts(const Match *, const Stmt *, const Stmt *image);

#endif
