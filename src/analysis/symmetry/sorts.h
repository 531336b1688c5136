// Sorts of values, for analysis/symmetry/match.h: what is known of a value, and of the variables
// it is read from, while two trees are walked side by side.
#pragma once

#include "analysis/symmetry/rules.h"

enum { MAX_LOCALS = 64 };

// What is known of a value: its sort; or, of a constant, what it is on both sides; or, of a local
// that was only set to a constant so far, which local it is: it is *open*, its sort is decided by
// the first use.
typedef enum Known { KNOWN_NOT, KNOWN_SORT, KNOWN_CONST, KNOWN_OPEN } Known;

typedef struct Value {
  Known known;
  uint32_t sort;    // KNOWN_SORT
  int32_t from, to; // KNOWN_CONST
  uint32_t local;   // KNOWN_OPEN
  struct Locals *frame;
} Value;

typedef struct Locals { // of one frame; `known` is KNOWN_SORT, or KNOWN_CONST for an open one
  Value values[MAX_LOCALS];
  const Type *types[MAX_LOCALS]; // of those that are known
  // By local that is a reference: the storage of the caller, whose frame is `outer`, on both
  // sides.
  const Expr *from[MAX_LOCALS], *to[MAX_LOCALS];
  struct Locals *outer;
} Locals;

typedef struct Walk {
  const Match *match;
  const Permutation *perm;
  Locals *locals;
  Value result; // of the function being walked; KNOWN_NOT: nothing returned yet
  uint32_t steps, depth;
} Walk;

typedef struct Pair { // storage and its image, first slot, local or clock of each
  uint32_t from, to;
} Pair;

typedef struct Storage {
  ExprKind space;           // EXPR_VAR, EXPR_LOCAL, EXPR_CLOCK or EXPR_TABLE
  uint32_t root;            // EXPR_LOCAL: the first local of the variable
  Locals *frame;            // EXPR_LOCAL: to which it belongs
  const int32_t *from, *to; // EXPR_TABLE
  VEC(Pair) pairs;
} Storage;

static const Value sorts_none = {.known = KNOWN_NOT};

static inline bool sorts_skips(const Walk *w, SymmetryRule rule) { return w->match->skip & rule; }

static inline Value sorts_value(uint32_t sort) {
  return (Value){.known = KNOWN_SORT, .sort = sort};
}

bool sorts_same_type(const Type *, const Type *);
// Whether a value is of this sort, or can be: an open local gets it then.
bool sorts_is(Walk *, Value, uint32_t sort);
bool sorts_is_plain(Walk *, Value);
Value sorts_unite(Walk *, Value, Value); // the sort that two values have in common
// Whether a value and its image are both in the range of a type, or neither is. Storing it fails
// on both sides then, or on none.
bool sorts_fits(const Walk *, Value, const Type *);
// The sort of what is read there, if each slot goes where the image reads; else sorts_none.
Value sorts_of_storage(Walk *, const Storage *, uint32_t slots);
