// The loop of the interpreter is one function, longer than any other here: each opcode is a
// case of a few lines, described in model/opcode.h. A call runs the loop again, one level
// deeper, with the arguments as the beginning of its frame. Room on the stack is made
// once per call, so pushes need no checks.
#include "model/vm.h"

#include <string.h>

static const char out_of_range[] = "a value is out of the range of its variable";
static const char overflow[] = "the result of an operation does not fit in 32 bits";
static const char zero_divisor[] = "a number is divided by zero";
static const char bad_shift[] = "a number is shifted by less than 0 or more than 31 bits";
static const char bad_index[] = "an index is out of the bounds of its array";
static const char endless[] = "a loop does not end: more than 10000000 steps";
static const char too_deep[] = "calls are nested too deeply";
static const char false_assertion[] = "an assertion of the model does not hold";
static const char has_effect[] = "a condition must not change a variable or a clock";
static const char misplaced_clock[] = "a clock cannot be tested here";
static const char negative_clock[] = "a clock is set to a negative value";
static const char large_constant[] =
    "the constant that a clock is compared with or set to is too large";

// One run, calls included.
typedef struct Run {
  const int32_t *state;
  int32_t *target; // the same, where it may be changed
  ClockTests *tests;
  ClockUpdates *updates;
  uint32_t depth; // of calls
  uint32_t top;   // after a call: where its result ends on the stack
} Run;

void vm_init(Vm *vm, Mem *mem) { *vm = (Vm){.mem = mem}; }

void vm_release(Vm *vm) { vec_release(vm->mem, &vm->stack); }

static VmResult fail(Vm *vm, const Code *code, const int32_t *pc, const char *reason) {
  vm->error = reason;
  vm->error_place = code->places[pc - code->words];
  if (reason == out_of_range && vm->invalid && !vm->invalid->count++)
    vm->invalid->first = vm->error_place;
  return reason == out_of_range ? VM_INVALID : VM_ERROR;
}

// The operators that can fail; NULL or the reason.
static const char *arithmetic(bool wraps, int32_t op, int32_t *a, int32_t b) {
  switch (op) {
  case OP_NEG:
    return __builtin_sub_overflow(0, *a, a) && !wraps ? overflow : NULL;
  case OP_MUL:
    return __builtin_mul_overflow(*a, b, a) && !wraps ? overflow : NULL;
  case OP_SHL:
    if (b < 0 || b > 31)
      return bad_shift;
    return __builtin_mul_overflow(*a, (int64_t)1 << b, a) && !wraps ? overflow : NULL;
  case OP_SHR:
    if (b < 0 || b > 31)
      return bad_shift;
    *a >>= b;
    return NULL;
  default: // OP_DIV, OP_MOD
    if (b == 0)
      return zero_divisor;
    if (b == -1) // the division of the smallest number would trap
      return op == OP_DIV ? arithmetic(wraps, OP_NEG, a, 0) : (*a = 0, NULL);
    *a = op == OP_DIV ? *a / b : *a % b;
    return NULL;
  }
}

static bool is_large(int32_t constant) {
  return constant > CODE_MOST_CONSTANT || constant < -CODE_MOST_CONSTANT;
}

// Whether the test of a clock against itself holds.
static bool same_clock_test(ExprKind op, int32_t constant) {
  Test test = {0, op, constant};
  return vm_test(&test, &(int32_t){0});
}

// NULL or the reason for a failure; `holds` is cleared if the test is false by itself.
static const char *add_clock_test(Vm *vm, Run *run, ExprKind op, const int32_t *args,
                                  bool *holds) {
  ClockIndex i = (ClockIndex)args[0], j = (ClockIndex)args[1];
  int32_t constant = args[2];
  if (op == EXPR_NE)
    return misplaced_clock;
  if (i == j) {
    *holds = same_clock_test(op, constant);
    return NULL;
  }
  if (is_large(constant))
    return large_constant;
  if (!run->tests)
    return NULL;
  ClockTest tests[2];
  uint32_t count = code_clock_tests(tests, i, j, op, constant);
  for (uint32_t k = 0; k < count; k++)
    vec_push(vm->mem, run->tests, tests[k]);
  return NULL;
}

static const char *add_clock_update(Vm *vm, Run *run, const int32_t *args) {
  ClockUpdate update = {(ClockIndex)args[0], (ClockIndex)args[1], args[2]};
  if (!run->updates)
    return has_effect;
  if (update.y == 0 && update.constant < 0)
    return negative_clock;
  if (is_large(update.constant))
    return large_constant;
  vec_push(vm->mem, run->updates, update);
  return NULL;
}

// Stores values to slots; NULL or the reason.
static const char *store(const Vm *vm, const Run *run, uint32_t slot, const int32_t *values,
                         uint32_t count) {
  if (!run->target)
    return has_effect;
  for (uint32_t k = 0; k < count; k++) {
    if (values[k] < vm->slot_min[slot + k] || values[k] > vm->slot_max[slot + k])
      return out_of_range;
    run->target[slot + k] = values[k];
  }
  return NULL;
}

// clang-format off
#define BINARY(name, operator)                                                                  \
  case OP_##name:                                                                                \
    sp--;                                                                                        \
    sp[-1] = sp[-1] operator sp[0];                                                              \
    pc++;                                                                                        \
    break;
// clang-format on

// clang-format off
#define JUMP_IF(name, operator)                                                                 \
  case OP_JUMP_##name:                                                                           \
    pc = frame[pc[1]] operator pc[2] ? code->words + pc[3] : pc + 4;                             \
    break;
// clang-format on

#define FAIL_IF(condition, reason)                                                               \
  if (condition)                                                                                 \
  return fail(vm, code, pc, reason)

// Of a backward jump or a call: loops end, and limits of time take hold in them.
enum { STEPS_OF_A_TICK = 1 << 10 };
#define COUNT_STEP()                                                                             \
  FAIL_IF(++vm->steps > VM_MOST_STEPS, endless);                                                 \
  if (vm->steps % STEPS_OF_A_TICK == 0)                                                          \
  mem_tick(vm->mem)

// The arguments lie at stack[base] and above; the frame and the operands follow.
static VmResult run_code(Vm *vm, Run *run, const Code *code, uint32_t base, uint32_t args) {
  vec_reserve(vm->mem, &vm->stack, base + code->local_slots + code->stack_slots + 1);
  int32_t *frame = vm->stack.items + base;
  int32_t *sp = frame + code->local_slots; // the next free one
  const int32_t *pc = code->words, *state = run->state;
  const char *reason;
  for (uint32_t k = args; k < code->local_slots; k++)
    frame[k] = 0;
  for (;;) {
    switch ((Opcode)*pc) {
    case OP_END:
      return sp[-1] != 0 ? VM_TRUE : VM_FALSE;
    case OP_DONE:
      return VM_TRUE;
    case OP_PUSH:
      *sp++ = pc[1];
      pc += 2;
      break;
    case OP_LOAD:
      *sp++ = state[pc[1]];
      pc += 2;
      break;
    case OP_LOAD_AT:
      sp[-1] = state[pc[1] + sp[-1]];
      pc += 2;
      break;
    case OP_LOAD_MANY:
      sp--;
      memcpy(sp, state + pc[1] + *sp, (size_t)pc[2] * sizeof *sp);
      sp += pc[2];
      pc += 3;
      break;
    case OP_STORE:
      sp--;
      reason = store(vm, run, (uint32_t)pc[1], sp, 1);
      FAIL_IF(reason, reason);
      pc += 2;
      break;
    case OP_STORE_AT:
      sp -= 2;
      reason = store(vm, run, (uint32_t)(pc[1] + sp[0]), sp + 1, 1);
      FAIL_IF(reason, reason);
      pc += 2;
      break;
    case OP_STORE_MANY:
      sp -= pc[2] + 1;
      reason = store(vm, run, (uint32_t)(pc[1] + sp[0]), sp + 1, (uint32_t)pc[2]);
      FAIL_IF(reason, reason);
      pc += 3;
      break;
    case OP_SET:
      FAIL_IF(!run->target, has_effect);
      run->target[pc[1]] = pc[2];
      pc += 3;
      break;
    case OP_LOCAL:
      *sp++ = frame[pc[1]];
      pc += 2;
      break;
    case OP_LOCAL_AT:
      sp[-1] = frame[pc[1] + sp[-1]];
      pc += 2;
      break;
    case OP_LOCAL_MANY:
      sp--;
      memcpy(sp, frame + pc[1] + *sp, (size_t)pc[2] * sizeof *sp);
      sp += pc[2];
      pc += 3;
      break;
    case OP_SET_LOCAL:
      frame[pc[1]] = *--sp;
      pc += 2;
      break;
    case OP_SET_LOCAL_AT:
      sp -= 2;
      frame[pc[1] + sp[0]] = sp[1];
      pc += 2;
      break;
    case OP_SET_LOCAL_MANY:
      sp -= pc[2] + 1;
      memcpy(frame + pc[1] + *sp, sp + 1, (size_t)pc[2] * sizeof *sp);
      pc += 3;
      break;
    case OP_CLEAR_LOCAL:
      memset(frame + pc[1], 0, (size_t)pc[2] * sizeof *frame);
      pc += 3;
      break;
    case OP_TABLE_AT:
      sp[-1] = vm->tables[pc[1] + sp[-1]];
      pc += 2;
      break;
    case OP_TABLE_MANY:
      sp--;
      memcpy(sp, vm->tables + pc[1] + *sp, (size_t)pc[2] * sizeof *sp);
      sp += pc[2];
      pc += 3;
      break;
    case OP_ADDRESS:
      *sp++ = (int32_t)base + pc[1];
      pc += 2;
      break;
    case OP_REMOTE_AT:
      sp[-1] = vm->stack.items[sp[-1] + pc[1]];
      pc += 2;
      break;
    case OP_REMOTE_MANY:
      sp--;
      memcpy(sp, vm->stack.items + *sp + pc[1], (size_t)pc[2] * sizeof *sp);
      sp += pc[2];
      pc += 3;
      break;
    case OP_SET_REMOTE_AT:
      sp -= 2;
      vm->stack.items[sp[0] + pc[1]] = sp[1];
      pc += 2;
      break;
    case OP_SET_REMOTE_MANY:
      sp -= pc[2] + 1;
      memmove(vm->stack.items + *sp + pc[1], sp + 1, (size_t)pc[2] * sizeof *sp);
      pc += 3;
      break;
    case OP_DUP:
      sp[0] = sp[-1];
      sp++;
      pc++;
      break;
    case OP_TUCK:
      sp[0] = sp[-1];
      sp[-1] = sp[-2];
      sp[-2] = sp[0];
      sp++;
      pc++;
      break;
    case OP_FIELD:
      sp -= pc[1];
      memmove(sp, sp + pc[2], (size_t)pc[3] * sizeof *sp);
      sp += pc[3];
      pc += 4;
      break;
    case OP_SAME:
      sp -= 2 * pc[1];
      *sp = !memcmp(sp, sp + pc[1], (size_t)pc[1] * sizeof *sp);
      sp++;
      pc += 2;
      break;
    case OP_ASSERT:
      FAIL_IF(*--sp == 0, false_assertion);
      pc++;
      break;
    case OP_INDEX: {
      uint32_t position = (uint32_t)sp[-1] - (uint32_t)pc[1]; // wraps if below
      FAIL_IF(position >= (uint32_t)pc[2], bad_index);
      sp[-1] = (int32_t)(position * (uint32_t)pc[3]);
      pc += 4;
      break;
    }
    case OP_RANGE:
      FAIL_IF(sp[-1] < pc[1] || sp[-1] > pc[2], out_of_range);
      pc += 3;
      break;
    case OP_DROP:
      sp--;
      pc++;
      break;
    case OP_NOT:
      sp[-1] = !sp[-1];
      pc++;
      break;
    case OP_NEG:
      reason = arithmetic(vm->wraps, OP_NEG, &sp[-1], 0);
      FAIL_IF(reason, reason);
      pc++;
      break;
    case OP_ADD:
      sp--;
      FAIL_IF(__builtin_add_overflow(sp[-1], sp[0], &sp[-1]) && !vm->wraps, overflow);
      pc++;
      break;
    case OP_SUB:
      sp--;
      FAIL_IF(__builtin_sub_overflow(sp[-1], sp[0], &sp[-1]) && !vm->wraps, overflow);
      pc++;
      break;
    case OP_MUL:
    case OP_DIV:
    case OP_MOD:
    case OP_SHL:
    case OP_SHR:
      sp--;
      reason = arithmetic(vm->wraps, *pc, &sp[-1], sp[0]);
      FAIL_IF(reason, reason);
      pc++;
      break;
    case OP_MIN:
      sp--;
      sp[-1] = sp[-1] < sp[0] ? sp[-1] : sp[0];
      pc++;
      break;
    case OP_MAX:
      sp--;
      sp[-1] = sp[-1] > sp[0] ? sp[-1] : sp[0];
      pc++;
      break;
      BINARY(BIT_AND, &)
      BINARY(BIT_OR, |)
      BINARY(BIT_XOR, ^)
      BINARY(EQ, ==)
      BINARY(NE, !=)
      BINARY(LT, <)
      BINARY(LE, <=)
      BINARY(GT, >)
      BINARY(GE, >=)
    case OP_JUMP:
      pc = code->words + pc[1];
      break;
    case OP_JUMP_ZERO:
      pc = *--sp == 0 ? code->words + pc[1] : pc + 2;
      break;
    case OP_JUMP_NONZERO:
      pc = *--sp != 0 ? code->words + pc[1] : pc + 2;
      break;
    case OP_JUMP_BACK:
      COUNT_STEP();
      pc = code->words + pc[1];
      break;
    case OP_NEXT:
      if (frame[pc[1]] < pc[2]) {
        COUNT_STEP();
        frame[pc[1]]++;
        pc = code->words + pc[3];
      } else {
        pc += 4;
      }
      break;
    case OP_FAIL_ZERO:
      if (*--sp == 0)
        return VM_FALSE;
      pc++;
      break;
    case OP_CALL: {
      FAIL_IF(run->depth == VM_MOST_DEPTH, too_deep);
      COUNT_STEP();
      uint32_t at = (uint32_t)(sp - vm->stack.items) - (uint32_t)pc[2];
      run->depth++;
      VmResult result = run_code(vm, run, vm->functions[pc[1]], at, (uint32_t)pc[2]);
      run->depth--;
      if (result != VM_TRUE)
        return result;
      frame = vm->stack.items + base; // it may have moved
      sp = vm->stack.items + run->top;
      pc += 3;
      break;
    }
    case OP_RETURN:
      memmove(frame, sp - pc[1], (size_t)pc[1] * sizeof *sp);
      run->top = base + (uint32_t)pc[1];
      return VM_TRUE;
    case OP_LOAD_INDEX: {
      const uint32_t position = (uint32_t)sp[-1] - (uint32_t)pc[1];
      FAIL_IF(position >= (uint32_t)pc[2], bad_index);
      sp[-1] = state[(uint32_t)pc[3] + position];
      pc += 4;
      break;
    }
    case OP_LOCAL_INDEX: {
      const uint32_t position = (uint32_t)sp[-1] - (uint32_t)pc[1];
      FAIL_IF(position >= (uint32_t)pc[2], bad_index);
      sp[-1] = frame[(uint32_t)pc[3] + position];
      pc += 4;
      break;
    }
    case OP_TABLE_INDEX: {
      const uint32_t position = (uint32_t)sp[-1] - (uint32_t)pc[1];
      FAIL_IF(position >= (uint32_t)pc[2], bad_index);
      sp[-1] = vm->tables[(uint32_t)pc[3] + position];
      pc += 4;
      break;
    }
    case OP_ADD_CONST:
      FAIL_IF(__builtin_add_overflow(sp[-1], pc[1], &sp[-1]) && !vm->wraps, overflow);
      pc += 2;
      break;
    case OP_MOD_MASK: { // rounded towards zero: a negative number keeps its sign
      const int32_t bias = sp[-1] < 0 ? pc[1] : 0;
      sp[-1] = (int32_t)(((uint32_t)sp[-1] + (uint32_t)bias) & (uint32_t)pc[1]) - bias;
      pc += 2;
      break;
    }
    case OP_SET_LOCAL_RANGE:
      sp--;
      FAIL_IF(*sp < pc[1] || *sp > pc[2], out_of_range);
      frame[pc[3]] = *sp;
      pc += 4;
      break;
    case OP_SHIFT_LOCAL: {
      int32_t sum;
      FAIL_IF(__builtin_add_overflow(frame[pc[4]], pc[1], &sum) && !vm->wraps, overflow);
      FAIL_IF(sum < pc[2] || sum > pc[3], out_of_range);
      frame[pc[4]] = sum;
      pc += 5;
      break;
    }
      JUMP_IF(EQ, ==)
      JUMP_IF(NE, !=)
      JUMP_IF(LT, <)
      JUMP_IF(LE, <=)
      JUMP_IF(GT, >)
      JUMP_IF(GE, >=)
    case OP_REFUSE:
      return fail(vm, code, pc, misplaced_clock);
    case OP_CLOCK_TEST: {
      bool holds = true;
      sp -= 3;
      reason = add_clock_test(vm, run, (ExprKind)pc[1], sp, &holds);
      FAIL_IF(reason, reason);
      if (!holds)
        return VM_FALSE;
      pc += 2;
      break;
    }
    case OP_CLOCK_SET:
      sp -= 3;
      reason = add_clock_update(vm, run, sp);
      FAIL_IF(reason, reason);
      pc++;
      break;
    case OP_COUNT:
    default:
      __builtin_unreachable();
    }
  }
}

VmResult vm_run_guard(Vm *vm, const Code *code, const int32_t *state, ClockTests *tests) {
  uint32_t size = tests ? tests->size : 0;
  vm->steps = 0;
  VmResult result = run_code(vm, &(Run){.state = state, .tests = tests}, code, 0, 0);
  if (result != VM_TRUE && tests)
    tests->size = size;
  return result;
}

VmResult vm_run_update(Vm *vm, const Code *code, int32_t *state, ClockUpdates *updates) {
  uint32_t size = updates->size;
  Run run = {.state = state, .target = state, .updates = updates};
  vm->steps = 0;
  VmResult result = run_code(vm, &run, code, 0, 0);
  if (result != VM_TRUE)
    updates->size = size;
  return result;
}
