// The second evaluator: walks terms (check/trees/term.h) over a state. It is plain on purpose,
// and shares nothing with the bytecode and its interpreter.
//
// Arithmetic is that of 32 bits, and wraps around; in models of TChecker (`is_checked`) what does
// not fit is an error. What is stored has to be in the range of its variable: else it is an
// error, and in models of TChecker the transition does not exist. Conditions are true, false, an
// error, or a formula over clock constraints. `false && error` is false, in either order: where
// the other evaluator has met an error, `met_error` tells that there is one.
#pragma once

#include "base/vec.h"
#include "check/trees/term.h"
#include "model/expr/code.h"

// Where a value is.
typedef struct Spot {
  const Shape *shape;
  int32_t *data;
  uint32_t clock, channel;
  bool is_outside;  // an index is out of its array: an error once it is read or written
  bool is_constant; // nothing may write to it
} Spot;

typedef enum FormulaKind {
  FORMULA_TEST,
  FORMULA_NOT,
  FORMULA_AND,
  FORMULA_OR,
  FORMULA_DEADLOCK,
  FORMULA_FAILED, // an error, which may not matter
} FormulaKind;

// A formula is a truth, or the index of a node.
enum { FORMULA_FALSE, FORMULA_TRUE, FORMULA_ERROR, FORMULA_FIRST };
typedef uint32_t Formula;

typedef struct FormulaNode {
  FormulaKind kind;
  Formula a, b;
  ClockTest test;
} FormulaNode;

typedef struct Evaluator {
  Mem *mem;
  int32_t *state;      // NULL: nothing of it is known, as in constants
  uint32_t first_slot; // of the locations in a state
  bool may_write;
  bool is_checked; // see above
  bool is_invalid; // the update failed as a value was out of range, with is_checked
  int64_t unit;    // clocks count in it
  int32_t *frame;
  Spot *refs;
  VEC(FormulaNode) formulas;
  ClockUpdates updates;
  uint64_t steps;
  uint32_t depth;
  bool has_returned, is_strict, met_error;
  bool keeps_errors;               // as nodes of formulas, where the rest may decide
  int32_t *result;                 // of the function that runs
  const char *error, *first_error; // NULL: none; the first one stays known
} Evaluator;

void evaluator_init(Evaluator *, Mem *);

// The value of a label's condition in a state. The formulas of earlier ones are forgotten.
Formula evaluator_condition(Evaluator *, const Label *, const int32_t *state);
// The rates that an invariant gives to clocks, as tests x == rate. False after an error,
// or if one is not known.
bool evaluator_rates(Evaluator *, const Label *, const int32_t *state, ClockTests *);
// Marks the clocks to which an invariant gives rates other than 1, or rates that are not known.
void evaluator_rated(Evaluator *, const Label *, const int32_t *state, bool *is_rated);
// The channel that a term denotes; false after an error.
bool evaluator_channel(Evaluator *, const Label *, const int32_t *state, uint32_t *channel);
// Runs updates on a state. The clock updates are appended to `updates`. False after an error.
bool evaluator_update(Evaluator *, const Label *, int32_t *state);

// A number that is known without a state; false if it is not.
bool evaluator_constant(Evaluator *, const Term *, uint32_t frame, uint32_t refs, int32_t *value);
// The same of an array or a struct.
bool evaluator_constants(Evaluator *, const Term *, uint32_t frame, uint32_t refs,
                         int32_t *values);
