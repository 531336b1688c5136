// Compiles guards, invariants, updates and functions to bytecode of a stack machine
// (model/expr/opcode.h). The interpreter is model/expr/vm.h.
//
// Most guards and updates need no bytecode. Conjuncts `variable # constant` become Tests, clock
// tests with constant sides become ClockTests, and only the rest is compiled, in order. Updates
// that assign constants become SlotUpdates and ClockUpdates; updates that also count up or down
// have SlotShifts beside the code. Tests are evaluated first: this may hide a run-time error of
// an earlier conjunct (`1/n > 0 && m == 1` is false for n = m = 0) but never adds one.
#pragma once

#include "base/vec.h"
#include "model/expr/expr.h"
#include "model/expr/opcode.h"

#include <assert.h>

// Constants of clock tests and updates, because matrix entries add them up: most engines take
// them up to the first limit, engine wide up to the second. Larger ones are refused. Those that
// the code computes are checked as it runs (Vm.max_constant, VM_ERROR); those in ClockTests and
// ClockUpdates have to be checked once, by the caller of the compiler.
enum { CODE_MAX_CONSTANT = 1 << 26 };
#define CODE_MAX_WIDE ((int64_t)1 << 48)

// A conjunct `state[slot] op value`.
typedef struct Test {
  uint32_t slot;
  ExprKind op; // EXPR_EQ .. EXPR_GE
  int32_t value;
} Test;

// x_i - x_j < constant (strict) or <= constant; clock 0 is zero. x >= 3 is i = 0, j = x, -3.
// i and j differ: x - x # c is decided by the compiler or the interpreter.
typedef struct ClockTest {
  ClockIndex i, j;
  int64_t constant;
  bool strict;
} ClockTest;

// x := y + constant; y = 0 sets a constant, which is not negative then.
typedef struct ClockUpdate {
  ClockIndex x, y;
  int64_t constant;
} ClockUpdate;

// For engines that take small constants only, and were given no others (net_is_narrow).
static inline int32_t code_narrow(int64_t constant) {
  assert(constant == (int32_t)constant);
  return (int32_t)constant;
}

typedef VEC(ClockTest) ClockTests;
typedef VEC(ClockUpdate) ClockUpdates;

// state[slot] = value, known to be in range.
typedef struct SlotUpdate {
  uint32_t slot;
  int32_t value;
} SlotUpdate;

// state[slot] += delta, which must stay in the range.
typedef struct SlotShift {
  uint32_t slot;
  int32_t delta, low, high;
} SlotShift;

// A conjunction, compiled. Holds if all tests hold, the code (if any) gives non-zero, and
// the clock tests hold: the constant ones here and those the code adds.
typedef struct Guard {
  const Expr *expr; // NULL: true
  const Test *tests;
  uint32_t test_count;
  const ClockTest *clock_tests;
  uint32_t clock_test_count;
  const Code *code; // NULL: nothing left
} Guard;

// Either constant updates only, of slots and clocks, each kind in order (the two do not
// depend on each other), or code, which does all. With code, its clock
// updates are just `clock_updates`, whatever the variables are, unless `has_dynamic_clocks`.
typedef struct Update {
  const Stmt *stmts; // NULL: nothing
  const SlotUpdate *slot_updates;
  uint32_t slot_update_count;
  // With has_shifts, all that the code does to variables: each slot is in one of the lists, once.
  bool has_shifts;
  const SlotShift *shifts;
  uint32_t shift_count;
  const ClockUpdate *clock_updates;
  uint32_t clock_update_count;
  const Code *code; // NULL: the constant updates are all
  bool has_dynamic_clocks;
} Update;

// Compile; the trees stay referenced. `locals` is the size of the frame that the front
// end laid out. code_guard needs an expression (or NULL) without expr_guard_flaw: if
// it has one, running it is an error.
Guard code_guard(Arena *, const Expr *, uint32_t locals);
Update code_update(Arena *, const Stmt *, uint32_t locals);
const Code *code_function(Arena *, const Function *);
// A number, or a condition as 0 or 1, where clocks have values: for vm_value. Clock tests may
// stand anywhere in it.
const Code *code_value(Arena *, const Expr *, uint32_t locals);

// The tests that x_i - x_j op constant amounts to, one or two (EXPR_EQ); not for EXPR_NE.
uint32_t code_clock_tests(ClockTest tests[2], ClockIndex i, ClockIndex j, ExprKind op,
                          int64_t constant);
