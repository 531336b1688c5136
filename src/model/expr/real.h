// Real numbers of the modelling language (`double`): operators, mathematical functions and
// distributions. A value takes two slots, which hold the 64 bits of a C double.
//
// Operations fail with a sentence, as those of model/expr/operations.h do: a division by zero, a
// result that is no number, an integer that does not fit in 32 bits. NULL is success.
#pragma once

#include "model/expr/expr.h"

#include <string.h>

static inline double real_load(const int32_t *slots) {
  double value;
  memcpy(&value, slots, sizeof value);
  return value;
}

static inline void real_store(int32_t *slots, double value) {
  memcpy(slots, &value, sizeof value);
}

// Where random numbers come from: each call is a new one, uniform in [0, 1).
typedef struct RealDraws {
  double (*uniform)(void *context);
  void *context;
} RealDraws;

typedef enum RealResult { REAL_RESULT_REAL, REAL_RESULT_INT, REAL_RESULT_BOOL } RealResult;

typedef struct RealFunction {
  const char *name;
  uint32_t count; // arguments, 1 to 3; all real
  RealResult result;
  bool draws; // a distribution
} RealFunction;

// In the order of the alphabet. `abs` is not among them: it is for integers.
extern const RealFunction real_functions[];
bool real_find(const char *name, uint32_t *function);
// Constants that are declared from the beginning: M_PI, DBL_MAX, ...
bool real_constant(const char *name, double *value);

// EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_MIN or EXPR_MAX.
const char *real_operate(ExprKind, double a, double b, double *result);
// EXPR_EQ .. EXPR_GE.
bool real_compare(ExprKind, double a, double b);
// Integers and truths come as numbers, too. `draws` may be NULL: then a distribution fails.
const char *real_call(uint32_t function, const double args[3], const RealDraws *draws,
                      double *result);
