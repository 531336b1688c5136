// An evaluator that walks trees of expressions and statements, written independently of the
// compiler: what unit tests compare the VM with.
#pragma once

#include "trees.h"

enum { WALK_UPDATES = 4096, WALK_STEPS = 20000 };

typedef struct Walk {
  const Trees *trees;
  const int32_t *clocks; // doubled, so that 0.5 is 1; [0] is 0
  bool assume;           // clock tests hold, except those that fail by themselves
  int32_t *state, *frame;
  VmResult result;   // VM_TRUE while all is well
  const char *error; // a word of the sentence that the VM has
  Place place;
  const Type *result_type; // of the function that runs
  bool returned;
  int32_t returns;
  int steps;
  uint32_t update_count;
  ClockUpdate updates[WALK_UPDATES];
} Walk;

void walk_init(Walk *, const Trees *, int32_t *state, int32_t *frame, const int32_t *clocks);
int32_t walk_value(Walk *, const Expr *); // clock tests are evaluated
void walk_stmts(Walk *, const Stmt *);
