// Random expressions and statements over a small fixed net, for unit tests.
#pragma once

#include "base/random.h"
#include "model/expr/vm.h"

// The net: four integers of different ranges, an array, an array of structs with an array
// inside, and the location of one process; clocks x, y and an array z of three.
enum {
  TREES_ARRAY = 4,     // int[-2,7] a[6]
  TREES_RECORDS = 10,  // struct { int[-5,5] p; int[0,100] q[-1..0]; } r[1..2]
  TREES_LOCATION = 16, // 0..3
  TREES_SLOTS = 17,
  TREES_LOCALS = 9, // int l, m; int k[3]; int[0,9] n; bound variables
  TREES_BOUND = 6,  // the first bound variable; at most three are nested
  TREES_CLOCKS = 6, // zero included
  TREES_FUNCTIONS = 4,
};

typedef struct Trees {
  Mem mem;
  Arena arena;
  Random random;
  Source source;
  uint32_t places;  // each node has a place of its own
  uint32_t nesting; // bound variables in scope
  const Type *record, *array, *records, *clocks, *locals, *digit, *integers[4];
  Function functions[TREES_FUNCTIONS];
  const Code *codes[TREES_FUNCTIONS];
  int32_t slot_min[TREES_SLOTS], slot_max[TREES_SLOTS];
  Vm vm;
} Trees;

void trees_init(Trees *, uint64_t seed);
void trees_release(Trees *);
void trees_clear(Trees *); // frees the trees made so far (functions stay usable)
Place trees_place(Trees *);

void trees_state(Trees *, int32_t *state);
const Expr *trees_int(Trees *, int depth);       // an integer
const Expr *trees_condition(Trees *, int depth); // a condition on integers
const Expr *trees_guard(Trees *, int depth);     // with clock tests, without expr_guard_flaw
const Stmt *trees_stmts(Trees *, int depth);
const Expr *trees_clock(Trees *, int depth); // an element of z may have any index
const Expr *trees_name(Trees *, ExprKind, const char *name, const Type *, uint32_t base);
Stmt *trees_stmt(Trees *, StmtKind, const Expr *target, const Expr *source, const Expr *value);
