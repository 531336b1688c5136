// The interpreter of model/expr/code.h. Runs on a discrete state (an array of int32 slots) and
// collects the clock tests and clock updates that the code asks for.
//
// Arithmetic is 32-bit and checked, unless the language says that it wraps around. Three kinds of
// failure: a value out of the range of its variable is VM_INVALID (TChecker: the transition does
// not exist), or with invalid_is_error (UPPAAL) VM_ERROR; division by zero, an index out of
// range, overflow, a negative value for a clock or an endless loop are VM_ERROR, with the
// place and the reason in the Vm.
//
// Most guards and updates have no code: they are handled here, inline, and never enter the
// interpreter.
//
// In a simulation clocks have values (Vm.clocks): then code can read them, and an update sets
// them at once; its list of clock updates stays empty.
#pragma once

#include "model/expr/code.h"

enum { VM_MAX_STEPS = 10000000 }; // backward jumps and calls of one run
enum { VM_MAX_DEPTH = 200 };      // nested calls

typedef enum VmResult { VM_FALSE, VM_TRUE, VM_INVALID, VM_ERROR } VmResult;

// How often a value was out of the range of its variable, and where first.
typedef struct VmInvalid {
  uint64_t count;
  Place first;
} VmInvalid;

static inline void vm_add_invalid(VmInvalid *sum, const VmInvalid *part) {
  if (!sum->count)
    sum->first = part->first;
  sum->count += part->count;
}

typedef struct Vm {
  Mem *mem;
  const int32_t *slot_min, *slot_max; // ranges of the slots of a state
  const Code *const *functions;       // by Function.id
  const int32_t *tables;              // constants, see EXPR_TABLE
  int64_t max_constant;               // of clocks, computed ones
  bool wraps;                         // an overflow wraps around (UPPAAL), and is no error
  bool invalid_is_error;              // VM_ERROR takes the place of VM_INVALID
  VEC(int32_t) stack;                 // frames and operands; its size is not used
  VmInvalid *invalid;                 // NULL: not counted
  double *clocks;                     // values by ClockIndex, [0] is 0; NULL: no simulation
  const RealDraws *draws;             // NULL: a draw is an error
  Place error_place;                  // after VM_ERROR and VM_INVALID
  const char *error;                  // a sentence without a dot, constant text
  uint64_t steps;                     // of the present run
  uint64_t pause;                     // a look at the clock and the limit after so many
} Vm;

void vm_init(Vm *, Mem *);
void vm_release(Vm *);

// The parts of the functions below that need the interpreter; not called from elsewhere.
// `tests` may be NULL: clock tests are dropped.
VmResult vm_run_guard(Vm *, const Code *, const int32_t *state, ClockTests *tests);
VmResult vm_run_update(Vm *, const Code *, int32_t *state, ClockUpdates *);

// Computes a value of code_value. VM_TRUE or VM_ERROR.
VmResult vm_value(Vm *, const Code *, const int32_t *state, double *value);

// Three bits per comparison, EXPR_EQ first: whether it holds for less, equal, greater.
enum { VM_COMPARISONS = 2 | 5 << 3 | 1 << 6 | 3 << 9 | 4 << 12 | 6 << 15 };

// Without a branch on the operator, which differs from test to test.
static inline bool vm_test(const Test *test, const int32_t *state) {
  int32_t value = state[test->slot];
  int order = (value > test->value) - (value < test->value) + 1;
  return VM_COMPARISONS >> (3 * (int)(test->op - EXPR_EQ) + order) & 1;
}

// Evaluates the integer part of a guard; on VM_TRUE its clock tests are appended (the vector
// grows in vm->mem).
static inline VmResult vm_guard(Vm *vm, const Guard *guard, const int32_t *state,
                                ClockTests *tests) {
  for (uint32_t k = 0; k < guard->test_count; k++)
    if (!vm_test(&guard->tests[k], state))
      return VM_FALSE;
  if (guard->code) {
    VmResult result = vm_run_guard(vm, guard->code, state, tests);
    if (result != VM_TRUE)
      return result;
  }
  vec_reserve(vm->mem, tests, tests->size + guard->clock_test_count);
  for (uint32_t k = 0; k < guard->clock_test_count; k++)
    tests->items[tests->size++] = guard->clock_tests[k];
  return VM_TRUE;
}

// Runs an update on the state, in place; clock updates are appended in order. After a failure
// the state may be changed in part and the updates are as before.
static inline VmResult vm_update(Vm *vm, const Update *update, int32_t *state,
                                 ClockUpdates *updates) {
  if (update->code)
    return vm_run_update(vm, update->code, state, updates);
  for (uint32_t k = 0; k < update->slot_update_count; k++)
    state[update->slot_updates[k].slot] = update->slot_updates[k].value;
  vec_reserve(vm->mem, updates, updates->size + update->clock_update_count);
  for (uint32_t k = 0; k < update->clock_update_count; k++)
    updates->items[updates->size++] = update->clock_updates[k];
  return VM_TRUE;
}
