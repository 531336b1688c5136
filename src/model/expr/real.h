// Real numbers of the modelling language (`double`): operators, mathematical functions and
// distributions. A value takes two slots, which hold the 64 bits of a C double.
//
// Operations fail with a sentence, as those of model/expr/operations.h do: a division by zero, a
// result that is not a number, an integer that does not fit in 32 bits. NULL is success.
#pragma once

#include <stdbool.h>
#include <stdint.h>
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

// What OP_REAL of the bytecode does (model/expr/opcode.h); r is a real number on the stack.
typedef enum RealOp {
  REAL_ADD, // ( r r -- r )
  REAL_SUB,
  REAL_MUL,
  REAL_DIV,
  REAL_MIN,
  REAL_MAX,
  REAL_EQ, // ( r r -- v )
  REAL_NE,
  REAL_LT,
  REAL_LE,
  REAL_GT,
  REAL_GE,
  REAL_NEG,       // ( r -- r )
  REAL_OF_INT,    // ( v -- r )
  REAL_CLOCK,     // ( x -- r ) what the clock shows
  REAL_SET_CLOCK, // ( x r -- )
  REAL_CALL,      // the operand is the function of model/expr/real.h: ( r.. -- r or v )
} RealOp;

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

const char *real_operate(RealOp, double a, double b, double *result); // REAL_ADD .. REAL_MAX
bool real_compare(RealOp, double a, double b);                        // REAL_EQ .. REAL_GE
// Integers and truths come as numbers, too. `draws` may be NULL: then a distribution fails.
const char *real_call(uint32_t function, const double args[3], const RealDraws *draws,
                      double *result);
