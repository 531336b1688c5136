// The instructions of the interpreter (model/expr/vm.h) that do more than compute: they read and
// write a state, add clock tests and clock updates to the result, and can fail. A failure is one
// of the sentences below; NULL is success.
#pragma once

#include "model/expr/code.h"

extern const char operations_out_of_range[], operations_overflow[], operations_zero_divisor[],
    operations_bad_shift[], operations_bad_index[], operations_endless[], operations_too_deep[],
    operations_false_assertion[], operations_has_effect[], operations_misplaced_clock[],
    operations_negative_clock[], operations_large_constant[];

// One run, calls included.
typedef struct VmRun {
  Mem *mem;
  const int32_t *slot_min, *slot_max; // ranges of the slots
  const int32_t *state;
  int32_t *target; // the same, where it may be changed
  ClockTests *tests;
  ClockUpdates *updates;
  uint32_t depth; // of calls
  uint32_t top;   // after a call: where its result ends on the stack
} VmRun;

// The operators that can fail; NULL or the reason.
static inline const char *operations_arithmetic(bool wraps, int32_t op, int32_t *a, int32_t b) {
  switch (op) {
  case OP_NEG:
    return __builtin_sub_overflow(0, *a, a) && !wraps ? operations_overflow : NULL;
  case OP_MUL:
    return __builtin_mul_overflow(*a, b, a) && !wraps ? operations_overflow : NULL;
  case OP_SHL:
    if (b < 0 || b > 31)
      return operations_bad_shift;
    return __builtin_mul_overflow(*a, (int64_t)1 << b, a) && !wraps ? operations_overflow : NULL;
  case OP_SHR:
    if (b < 0 || b > 31)
      return operations_bad_shift;
    *a >>= b;
    return NULL;
  default: // OP_DIV, OP_MOD
    if (b == 0)
      return operations_zero_divisor;
    if (b == -1) // the division of the smallest number would trap
      return op == OP_DIV ? operations_arithmetic(wraps, OP_NEG, a, 0) : (*a = 0, NULL);
    *a = op == OP_DIV ? *a / b : *a % b;
    return NULL;
  }
}

// Stores values to slots; NULL or the reason.
static inline const char *operations_store(const VmRun *run, uint32_t slot, const int32_t *values,
                                           uint32_t count) {
  if (!run->target)
    return operations_has_effect;
  for (uint32_t k = 0; k < count; k++) {
    if (values[k] < run->slot_min[slot + k] || values[k] > run->slot_max[slot + k])
      return operations_out_of_range;
    run->target[slot + k] = values[k];
  }
  return NULL;
}

// x_i - x_j op c with (i, j) at `args`; `holds` is cleared if the test is false by itself. A
// constant beyond `max` is a failure.
const char *operations_clock_test(VmRun *, ExprKind op, const int32_t *args, int64_t constant,
                                  int64_t max, bool *holds);
// x := y + c with (x, y) at `args`.
const char *operations_clock_update(VmRun *, const int32_t *args, int64_t constant, int64_t max);
// The number whose halves are at `args` (BUILD_HALVES).
static inline int64_t operations_wide(const int32_t *args) {
  return (int64_t)((uint64_t)(uint32_t)args[1] << 32 | (uint32_t)args[0]);
}
