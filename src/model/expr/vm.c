// The loop of the interpreter is one function, longer than any other here: each opcode is a
// case of a few lines, described in model/expr/opcode.h. A call runs the loop again, one level
// deeper, with the arguments as the beginning of its frame. Room on the stack is made
// once per call, so pushes need no checks.
#include "model/expr/vm.h"

#include "model/expr/operations.h"

#include <string.h>

void vm_init(Vm *vm, Mem *mem) { *vm = (Vm){.mem = mem, .max_constant = CODE_MAX_CONSTANT}; }

void vm_release(Vm *vm) { vec_release(vm->mem, &vm->stack); }

static VmResult fail(Vm *vm, const Code *code, const int32_t *pc, const char *reason) {
  vm->error = reason;
  vm->error_place = code->places[pc - code->words];
  if (reason == operations_out_of_range && vm->invalid && !vm->invalid->count++)
    vm->invalid->first = vm->error_place;
  return reason == operations_out_of_range && !vm->invalid_is_error ? VM_INVALID : VM_ERROR;
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

// clang-format off
#define LOOP_IF(name, operator)                                                                 \
  case OP_LOOP_##name:                                                                           \
    if (frame[pc[1]] operator pc[2]) {                                                           \
      COUNT_STEP();                                                                              \
      pc = code->words + pc[3];                                                                  \
    } else {                                                                                     \
      pc += 4;                                                                                   \
    }                                                                                            \
    break;
// clang-format on

// Of a backward jump or a call: loops end, and limits of time take hold in them.
#define COUNT_STEP()                                                                             \
  if (__builtin_expect(++vm->steps >= vm->pause, 0))                                             \
  FAIL_IF(!look_around(vm), operations_endless)

enum { STEPS_OF_A_TICK = 1 << 10 };
static bool look_around(Vm *vm) {
  mem_tick(vm->mem);
  vm->pause = vm->steps + STEPS_OF_A_TICK;
  if (vm->pause > VM_MAX_STEPS)
    vm->pause = VM_MAX_STEPS + 1;
  return vm->steps <= VM_MAX_STEPS;
}

static void begin_steps(Vm *vm) {
  vm->steps = 0;
  vm->pause = STEPS_OF_A_TICK;
}

static double pop_real(int32_t **sp) {
  *sp -= 2;
  return real_load(*sp);
}

static void push_real(int32_t **sp, double value) {
  real_store(*sp, value);
  *sp += 2;
}

static const char *call_real(const Vm *vm, uint32_t function, int32_t **sp) {
  const RealFunction *f = &real_functions[function];
  double args[3] = {0}, result;
  for (uint32_t k = f->count; k-- > 0;)
    args[k] = pop_real(sp);
  const char *reason = real_call(function, args, vm->draws, &result);
  if (reason)
    return reason;
  if (f->result == REAL_RESULT_REAL)
    push_real(sp, result);
  else
    *(*sp)++ = (int32_t)result;
  return NULL;
}

// OP_REAL: apart from the loop, which stays small for models without real numbers.
__attribute__((noinline)) static const char *operate(const Vm *vm, bool may_change, RealOp op,
                                                     int32_t operand, int32_t **sp) {
  double a, b;
  const char *reason;
  switch (op) {
  case REAL_NEG:
    push_real(sp, -pop_real(sp));
    return NULL;
  case REAL_OF_INT:
    --*sp;
    push_real(sp, **sp);
    return NULL;
  case REAL_CLOCK:
    if (!vm->clocks)
      return operations_misplaced_clock;
    --*sp;
    push_real(sp, vm->clocks[**sp]);
    return NULL;
  case REAL_SET_CLOCK:
    a = pop_real(sp);
    --*sp;
    if (!may_change || !vm->clocks)
      return operations_has_effect;
    vm->clocks[**sp] = a;
    return NULL;
  case REAL_CALL:
    return call_real(vm, (uint32_t)operand, sp);
  default:
    b = pop_real(sp);
    a = pop_real(sp);
    if (op >= REAL_EQ) {
      *(*sp)++ = real_compare(op, a, b);
      return NULL;
    }
    reason = real_operate(op, a, b, &a);
    if (!reason)
      push_real(sp, a);
    return reason;
  }
}

// x := y + c in a simulation.
static const char *set_clock(const Vm *vm, const VmRun *run, const int32_t *args,
                             int64_t constant) {
  if (!run->target)
    return operations_has_effect;
  vm->clocks[args[0]] = vm->clocks[args[1]] + (double)constant;
  return NULL;
}

// The arguments lie at stack[base] and above; the frame and the operands follow.
static VmResult run_code(Vm *vm, VmRun *run, const Code *code, uint32_t base, uint32_t args) {
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
      reason = operations_store(run, (uint32_t)pc[1], sp, 1);
      FAIL_IF(reason, reason);
      pc += 2;
      break;
    case OP_STORE_AT:
      sp -= 2;
      reason = operations_store(run, (uint32_t)(pc[1] + sp[0]), sp + 1, 1);
      FAIL_IF(reason, reason);
      pc += 2;
      break;
    case OP_STORE_MANY:
      sp -= pc[2] + 1;
      reason = operations_store(run, (uint32_t)(pc[1] + sp[0]), sp + 1, (uint32_t)pc[2]);
      FAIL_IF(reason, reason);
      pc += 3;
      break;
    case OP_SET:
      FAIL_IF(!run->target, operations_has_effect);
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
      FAIL_IF(*--sp == 0, operations_false_assertion);
      pc++;
      break;
    case OP_INDEX: {
      uint32_t position = (uint32_t)sp[-1] - (uint32_t)pc[1]; // wraps if below
      FAIL_IF(position >= (uint32_t)pc[2], operations_bad_index);
      sp[-1] = (int32_t)(position * (uint32_t)pc[3]);
      pc += 4;
      break;
    }
    case OP_RANGE:
      FAIL_IF(sp[-1] < pc[1] || sp[-1] > pc[2], operations_out_of_range);
      pc += 3;
      break;
    case OP_RANGE_AT:
      FAIL_IF(sp[-pc[1]] < pc[2] || sp[-pc[1]] > pc[3], operations_out_of_range);
      pc += 4;
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
      reason = operations_arithmetic(vm->wraps, OP_NEG, &sp[-1], 0);
      FAIL_IF(reason, reason);
      pc++;
      break;
    case OP_ADD:
      sp--;
      FAIL_IF(__builtin_add_overflow(sp[-1], sp[0], &sp[-1]) && !vm->wraps, operations_overflow);
      pc++;
      break;
    case OP_SUB:
      sp--;
      FAIL_IF(__builtin_sub_overflow(sp[-1], sp[0], &sp[-1]) && !vm->wraps, operations_overflow);
      pc++;
      break;
    case OP_MUL:
    case OP_DIV:
    case OP_MOD:
    case OP_SHL:
    case OP_SHR:
      sp--;
      reason = operations_arithmetic(vm->wraps, *pc, &sp[-1], sp[0]);
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
      FAIL_IF(run->depth == VM_MAX_DEPTH, operations_too_deep);
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
      FAIL_IF(position >= (uint32_t)pc[2], operations_bad_index);
      sp[-1] = state[(uint32_t)pc[3] + position];
      pc += 4;
      break;
    }
    case OP_LOCAL_INDEX: {
      const uint32_t position = (uint32_t)sp[-1] - (uint32_t)pc[1];
      FAIL_IF(position >= (uint32_t)pc[2], operations_bad_index);
      sp[-1] = frame[(uint32_t)pc[3] + position];
      pc += 4;
      break;
    }
    case OP_TABLE_INDEX: {
      const uint32_t position = (uint32_t)sp[-1] - (uint32_t)pc[1];
      FAIL_IF(position >= (uint32_t)pc[2], operations_bad_index);
      sp[-1] = vm->tables[(uint32_t)pc[3] + position];
      pc += 4;
      break;
    }
    case OP_ADD_CONST:
      FAIL_IF(__builtin_add_overflow(sp[-1], pc[1], &sp[-1]) && !vm->wraps, operations_overflow);
      pc += 2;
      break;
    case OP_MOD_MASK: { // rounded towards zero: a negative number keeps its sign
      const int32_t bias = sp[-1] < 0 ? pc[1] : 0;
      sp[-1] = (int32_t)(((uint32_t)sp[-1] + (uint32_t)bias) & (uint32_t)pc[1]) - bias;
      pc += 2;
      break;
    }
    case OP_LOCAL_MASK: {
      const int32_t value = frame[pc[1]], bias = value < 0 ? pc[2] : 0;
      *sp++ = (int32_t)(((uint32_t)value + (uint32_t)bias) & (uint32_t)pc[2]) - bias;
      pc += 3;
      break;
    }
    case OP_ADD_STATE: {
      int32_t sum;
      sp--;
      FAIL_IF(__builtin_add_overflow(state[pc[1]], *sp, &sum) && !vm->wraps, operations_overflow);
      reason = operations_store(run, (uint32_t)pc[1], &sum, 1);
      FAIL_IF(reason, reason);
      pc += 2;
      break;
    }
    case OP_ADD_LOCAL: {
      int32_t sum;
      sp--;
      FAIL_IF(__builtin_add_overflow(frame[pc[3]], *sp, &sum) && !vm->wraps, operations_overflow);
      FAIL_IF(sum < pc[1] || sum > pc[2], operations_out_of_range);
      frame[pc[3]] = sum;
      pc += 4;
      break;
    }
    case OP_SET_LOCAL_RANGE:
      sp--;
      FAIL_IF(*sp < pc[1] || *sp > pc[2], operations_out_of_range);
      frame[pc[3]] = *sp;
      pc += 4;
      break;
    case OP_SHIFT_LOCAL: {
      int32_t sum;
      FAIL_IF(__builtin_add_overflow(frame[pc[4]], pc[1], &sum) && !vm->wraps,
              operations_overflow);
      FAIL_IF(sum < pc[2] || sum > pc[3], operations_out_of_range);
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
      LOOP_IF(EQ, ==)
      LOOP_IF(NE, !=)
      LOOP_IF(LT, <)
      LOOP_IF(LE, <=)
      LOOP_IF(GT, >)
      LOOP_IF(GE, >=)
    case OP_REAL: {
      int32_t *top = sp; // the address of `sp` itself would keep it out of a register
      reason = operate(vm, run->target, (RealOp)pc[1], pc[2], &top);
      FAIL_IF(reason, reason);
      sp = top;
      pc += 3;
      break;
    }
    case OP_REFUSE:
      return fail(vm, code, pc, operations_misplaced_clock);
    case OP_CLOCK_TEST: {
      bool holds = true;
      sp -= 3;
      reason = operations_clock_test(run, (ExprKind)pc[1], sp, sp[2], vm->max_constant, &holds);
      FAIL_IF(reason, reason);
      if (!holds)
        return VM_FALSE;
      pc += 2;
      break;
    }
    case OP_CLOCK_SET:
      sp -= 3;
      reason = vm->clocks ? set_clock(vm, run, sp, sp[2])
                          : operations_clock_update(run, sp, sp[2], vm->max_constant);
      FAIL_IF(reason, reason);
      pc++;
      break;
    case OP_WIDE_TEST: {
      bool holds = true;
      sp -= 2;
      reason = operations_clock_test(run, (ExprKind)pc[1], sp, operations_wide(pc + 2),
                                     vm->max_constant, &holds);
      FAIL_IF(reason, reason);
      if (!holds)
        return VM_FALSE;
      pc += 4;
      break;
    }
    case OP_WIDE_SET:
      sp -= 2;
      reason = vm->clocks
                   ? set_clock(vm, run, sp, operations_wide(pc + 1))
                   : operations_clock_update(run, sp, operations_wide(pc + 1), vm->max_constant);
      FAIL_IF(reason, reason);
      pc += 3;
      break;
    case OP_COUNT:
    default:
      __builtin_unreachable();
    }
  }
}

VmResult vm_run_guard(Vm *vm, const Code *code, const int32_t *state, ClockTests *tests) {
  uint32_t size = tests ? tests->size : 0;
  begin_steps(vm);
  VmResult result =
      run_code(vm, &(VmRun){.mem = vm->mem, .state = state, .tests = tests}, code, 0, 0);
  if (result != VM_TRUE && tests)
    tests->size = size;
  return result;
}

VmResult vm_value(Vm *vm, const Code *code, const int32_t *state, double *value) {
  begin_steps(vm);
  const VmResult result = run_code(vm, &(VmRun){.mem = vm->mem, .state = state}, code, 0, 0);
  if (result == VM_TRUE)
    *value = real_load(vm->stack.items);
  return result;
}

VmResult vm_run_update(Vm *vm, const Code *code, int32_t *state, ClockUpdates *updates) {
  uint32_t size = updates->size;
  VmRun run = {.mem = vm->mem,
               .slot_min = vm->slot_min,
               .slot_max = vm->slot_max,
               .state = state,
               .target = state,
               .updates = updates};
  begin_steps(vm);
  VmResult result = run_code(vm, &run, code, 0, 0);
  if (result != VM_TRUE)
    updates->size = size;
  return result;
}
