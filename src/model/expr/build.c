// One pass over the tree, operands before operators. Conditions become jumps
// (build_branch), so that && and || need no values in between; a forward jump is emitted
// with the index of the previous jump to the same place as its operand, a chain that
// build_patch follows when the place is known.
#include "model/expr/build.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

void build_depth(Builder *b, int64_t change) {
  b->depth = (uint32_t)(b->depth + change);
  if (b->depth > b->deepest)
    b->deepest = b->depth;
}

static void add_word(Builder *b, Place place, int32_t word) {
  vec_push(b->mem, &b->words, word);
  vec_push(b->mem, &b->places, place);
}

void build_emit(Builder *b, Place place, Opcode op, ...) {
  add_word(b, place, (int32_t)op);
  va_list operands;
  va_start(operands, op);
  for (uint32_t k = 0; k < opcode_operands(op); k++)
    add_word(b, place, va_arg(operands, int32_t));
  va_end(operands);
  build_depth(b, opcode_depth(op));
}

uint32_t build_jump(Builder *b, Place place, Opcode op, uint32_t chain) {
  build_emit(b, place, op, (int32_t)chain);
  return b->words.size - 1;
}

void build_patch(Builder *b, uint32_t chain) {
  while (chain) {
    uint32_t next = (uint32_t)b->words.items[chain];
    b->words.items[chain] = (int32_t)b->words.size;
    chain = next;
  }
}

const Code *build_finish(Builder *b, Arena *arena, uint32_t locals) {
  uint32_t size = b->words.size;
  int32_t *words = ARENA_ARRAY(arena, int32_t, size);
  Place *places = ARENA_ARRAY(arena, Place, size);
  memcpy(words, b->words.items, size * sizeof *words);
  memcpy(places, b->places.items, size * sizeof *places);
  Code *code = ARENA_NEW(arena, Code);
  *code = (Code){words, places, size, locals, b->deepest};
  vec_release(b->mem, &b->words);
  vec_release(b->mem, &b->places);
  return code;
}

// The offset that an index adds, if it is known; an index that is always out of range is not.
static bool constant_index(const Expr *expr, uint32_t *offset) {
  const Type *array = expr->a->type;
  int32_t index;
  if (!expr_is_const(expr->b, &index))
    return false;
  uint32_t position = (uint32_t)index - (uint32_t)array->first; // wraps if below
  *offset = position * array->element->slots;
  return position < array->count;
}

Address build_address(Builder *b, const Expr *expr) {
  if (expr->kind != EXPR_INDEX && expr->kind != EXPR_FIELD) {
    if (expr->kind == EXPR_REMOTE) {
      build_emit(b, expr->place, OP_LOCAL, (int32_t)expr->base);
      return (Address){EXPR_REMOTE, 0, true};
    }
    assert(expr->kind == EXPR_VAR || expr->kind == EXPR_LOCAL || expr->kind == EXPR_CLOCK ||
           expr->kind == EXPR_TABLE);
    return (Address){expr->kind, expr->base, false};
  }
  Address address = build_address(b, expr->a);
  uint32_t offset = expr->base;
  if (expr->kind == EXPR_FIELD || constant_index(expr, &offset)) {
    address.offset += offset;
    return address;
  }
  const Type *array = expr->a->type;
  build_value(b, expr->b);
  build_emit(b, expr->b->place, OP_INDEX, array->first, (int32_t)array->count,
             (int32_t)array->element->slots);
  if (address.dynamic)
    build_emit(b, expr->place, OP_ADD);
  address.dynamic = true;
  return address;
}

bool build_constant_address(const Expr *expr, ExprKind space, uint32_t *offset) {
  uint32_t part = expr->base;
  if (expr->kind == space) {
    *offset = expr->base;
    return true;
  }
  if (expr->kind != EXPR_FIELD && (expr->kind != EXPR_INDEX || !constant_index(expr, &part)))
    return false;
  if (!build_constant_address(expr->a, space, offset))
    return false;
  *offset += part;
  return true;
}

// The value of a part of a function's result: the whole goes on the stack, the rest is dropped.
static void compile_part(Builder *b, const Expr *expr) {
  build_value(b, expr->a);
  build_emit(b, expr->place, OP_FIELD, (int32_t)expr->a->type->slots, (int32_t)expr->base,
             (int32_t)expr->type->slots);
  build_depth(b, (int64_t)expr->type->slots - expr->a->type->slots);
}

// a[i], where only the index is not known: one instruction behind the index.
static bool compile_indexed(Builder *b, const Expr *expr) {
  uint32_t offset;
  if (!BUILD_FUSES || expr->kind != EXPR_INDEX || expr->type->slots != 1)
    return false;
  const Expr *root = expr_root(expr);
  const Opcode op = root->kind == EXPR_VAR     ? OP_LOAD_INDEX
                    : root->kind == EXPR_LOCAL ? OP_LOCAL_INDEX
                    : root->kind == EXPR_TABLE ? OP_TABLE_INDEX
                                               : OP_COUNT;
  if (op == OP_COUNT || constant_index(expr, &offset) ||
      !build_constant_address(expr->a, root->kind, &offset))
    return false;
  build_value(b, expr->b);
  build_emit(b, expr->b->place, op, expr->a->type->first, (int32_t)expr->a->type->count,
             (int32_t)offset);
  return true;
}

static void compile_load(Builder *b, const Expr *expr) {
  if (compile_indexed(b, expr))
    return;
  if (expr->kind == EXPR_FIELD && !expr_is_storage(expr)) {
    compile_part(b, expr);
    return;
  }
  Address address = build_address(b, expr);
  const bool local = address.space == EXPR_LOCAL, remote = address.space == EXPR_REMOTE;
  const bool table = address.space == EXPR_TABLE;
  int32_t offset = (int32_t)address.offset;
  uint32_t slots = expr->type->slots;
  assert(address.space != EXPR_CLOCK);
  if (slots == 1 && !address.dynamic && !table) {
    build_emit(b, expr->place, local ? OP_LOCAL : OP_LOAD, offset);
    return;
  }
  if (!address.dynamic)
    build_emit(b, expr->place, OP_PUSH, 0);
  if (slots == 1) {
    const Opcode op = local    ? OP_LOCAL_AT
                      : remote ? OP_REMOTE_AT
                      : table  ? OP_TABLE_AT
                               : OP_LOAD_AT;
    build_emit(b, expr->place, op, offset);
  } else {
    const Opcode op = local    ? OP_LOCAL_MANY
                      : remote ? OP_REMOTE_MANY
                      : table  ? OP_TABLE_MANY
                               : OP_LOAD_MANY;
    build_emit(b, expr->place, op, offset, (int32_t)slots);
    build_depth(b, (int64_t)slots - 1);
  }
}

void build_store(Builder *b, Place place, Address address, uint32_t slots) {
  const bool local = address.space == EXPR_LOCAL, remote = address.space == EXPR_REMOTE;
  const int32_t offset = (int32_t)address.offset;
  if (slots != 1) {
    const Opcode op = local ? OP_SET_LOCAL_MANY : remote ? OP_SET_REMOTE_MANY : OP_STORE_MANY;
    build_emit(b, place, op, offset, (int32_t)slots);
    build_depth(b, -1 - (int64_t)slots);
  } else if (address.dynamic) {
    const Opcode op = local ? OP_SET_LOCAL_AT : remote ? OP_SET_REMOTE_AT : OP_STORE_AT;
    build_emit(b, place, op, offset);
  } else {
    build_emit(b, place, local ? OP_SET_LOCAL : OP_STORE, offset);
  }
}

static void compile_assign(Builder *b, const Expr *expr) {
  assert(expr->type->slots == 1);
  const Address address = build_address(b, expr->a);
  build_value(b, expr->b);
  if (address.space != EXPR_VAR)
    build_check_range(b, expr->b, expr->type);
  build_emit(b, expr->place, address.dynamic ? OP_TUCK : OP_DUP);
  build_store(b, expr->place, address, 1);
}

static void compile_address(Builder *b, const Expr *expr) {
  const Address address = build_address(b, expr->a);
  const bool local = address.space == EXPR_LOCAL;
  assert(local || address.space == EXPR_REMOTE);
  if (!local && !address.offset)
    return;
  build_emit(b, expr->place, local ? OP_ADDRESS : OP_PUSH, (int32_t)address.offset);
  if (address.dynamic)
    build_emit(b, expr->place, OP_ADD);
}

void build_clock(Builder *b, const Expr *clock, Place place) {
  Address address = {EXPR_CLOCK, 0, false};
  if (clock)
    address = build_address(b, clock);
  assert(address.space == EXPR_CLOCK);
  build_emit(b, place, OP_PUSH, (int32_t)address.offset);
  if (address.dynamic)
    build_emit(b, place, OP_ADD);
}

// Whether a local is compared with a constant.
static bool is_local_test(const Expr *expr, int32_t *value) {
  return BUILD_FUSES && expr->kind >= EXPR_EQ && expr->kind <= EXPR_GE &&
         expr->a->kind == EXPR_LOCAL && expr->a->type->slots == 1 &&
         expr_is_const(expr->b, value);
}

bool build_loop(Builder *b, const Expr *expr, uint32_t top) {
  int32_t value;
  if (!is_local_test(expr, &value))
    return false;
  build_emit(b, expr->place, OP_LOOP_EQ + (Opcode)(expr->kind - EXPR_EQ), (int32_t)expr->a->base,
             value, (int32_t)top);
  return true;
}

uint32_t build_branch(Builder *b, const Expr *expr, bool sense, uint32_t chain) {
  int32_t value;
  if (expr->kind == EXPR_NOT)
    return build_branch(b, expr->a, !sense, chain);
  if (expr_is_const(expr, &value))
    return (value != 0) == sense ? build_jump(b, expr->place, OP_JUMP, chain) : chain;
  if (expr->kind != EXPR_AND && expr->kind != EXPR_OR) {
    if (is_local_test(expr, &value)) {
      const ExprKind kind = sense ? expr->kind : expr_opposite(expr->kind);
      build_emit(b, expr->place, OP_JUMP_EQ + (Opcode)(kind - EXPR_EQ), (int32_t)expr->a->base,
                 value, (int32_t)chain);
      return b->words.size - 1;
    }
    build_value(b, expr);
    return build_jump(b, expr->place, sense ? OP_JUMP_NONZERO : OP_JUMP_ZERO, chain);
  }
  bool decisive = expr->kind == EXPR_OR; // the truth of the left side that suffices
  if (sense == decisive) {
    chain = build_branch(b, expr->a, sense, chain);
    return build_branch(b, expr->b, sense, chain);
  }
  uint32_t skip = build_branch(b, expr->a, decisive, 0);
  chain = build_branch(b, expr->b, sense, chain);
  build_patch(b, skip);
  return chain;
}

// The value is !early, unless the chain brought us here: then it is `early`.
static void compile_truth(Builder *b, Place place, bool early, uint32_t chain) {
  build_emit(b, place, OP_PUSH, (int32_t)!early);
  uint32_t end = build_jump(b, place, OP_JUMP, 0);
  build_patch(b, chain);
  build_depth(b, -1); // of two ways that push, one is taken
  build_emit(b, place, OP_PUSH, (int32_t)early);
  build_patch(b, end);
}

static void compile_cond(Builder *b, const Expr *expr) {
  uint32_t otherwise = build_branch(b, expr->a, false, 0);
  build_value(b, expr->b);
  uint32_t end = build_jump(b, expr->place, OP_JUMP, 0);
  build_patch(b, otherwise);
  build_depth(b, -(int64_t)expr->type->slots);
  build_value(b, expr->c);
  build_patch(b, end);
}

uint32_t build_begin_loop(Builder *b, const Expr *expr) {
  build_emit(b, expr->place, OP_PUSH, expr->low);
  build_emit(b, expr->place, OP_SET_LOCAL, (int32_t)expr->base);
  return b->words.size;
}

void build_end_loop(Builder *b, const Expr *expr, uint32_t top) {
  build_emit(b, expr->place, OP_NEXT, (int32_t)expr->base, expr->high, (int32_t)top);
}

static void compile_quantifier(Builder *b, const Expr *expr) {
  bool early = expr->kind == EXPR_EXISTS;
  uint32_t top = build_begin_loop(b, expr);
  uint32_t found = build_branch(b, expr->a, early, 0);
  build_end_loop(b, expr, top);
  compile_truth(b, expr->place, early, found);
}

void build_real(Builder *b, Place place, RealOp op, uint32_t operand, int depth) {
  build_emit(b, place, OP_REAL, (int32_t)op, (int32_t)operand);
  build_depth(b, depth);
}

static void push_real(Builder *b, Place place, double value) {
  int32_t halves[2];
  real_store(halves, value);
  build_emit(b, place, OP_PUSH, halves[0]);
  build_emit(b, place, OP_PUSH, halves[1]);
}

// EXPR_NEG, an operator or a comparison.
static void compile_real_operator(Builder *b, const Expr *expr) {
  build_value(b, expr->a);
  if (expr->kind == EXPR_NEG) {
    build_real(b, expr->place, REAL_NEG, 0, 0);
    return;
  }
  build_value(b, expr->b);
  const bool is_comparison = expr->kind >= EXPR_EQ && expr->kind <= EXPR_GE;
  build_real(b, expr->place, expr_real_op(expr->kind), 0, is_comparison ? -3 : -2);
}

static void compile_math(Builder *b, const Expr *expr) {
  const Expr *args[] = {expr->a, expr->b, expr->c};
  const uint32_t count = real_functions[expr->value].count;
  for (uint32_t k = 0; k < count; k++)
    build_value(b, args[k]);
  build_real(b, expr->place, REAL_CALL, (uint32_t)expr->value,
             (int)expr->type->slots - 2 * (int)count);
}

static void compile_real(Builder *b, const Expr *expr) {
  switch (expr->kind) {
  case EXPR_REAL:
    push_real(b, expr->place, expr->real);
    break;
  case EXPR_OF_INT:
    build_value(b, expr->a);
    build_real(b, expr->place, REAL_OF_INT, 0, 1);
    break;
  case EXPR_CLOCK_VALUE:
    build_clock(b, expr->a, expr->place);
    build_real(b, expr->place, REAL_CLOCK, 0, 1);
    break;
  default:
    compile_math(b, expr);
  }
}

// x - y op c, on the values that the clocks have.
static void compile_clock_test(Builder *b, const Expr *expr) {
  int64_t constant;
  build_clock(b, expr->a, expr->place);
  build_real(b, expr->place, REAL_CLOCK, 0, 1);
  if (expr->b) {
    build_clock(b, expr->b, expr->place);
    build_real(b, expr->place, REAL_CLOCK, 0, 1);
    build_real(b, expr->place, REAL_SUB, 0, -2);
  }
  if (expr_is_time(expr->c, &constant)) {
    push_real(b, expr->c->place, (double)constant);
  } else {
    build_value(b, expr->c);
    build_real(b, expr->place, REAL_OF_INT, 0, 1);
  }
  build_real(b, expr->place, REAL_EQ + (RealOp)(expr->op - EXPR_EQ), 0, -3);
}

static void compile_sum(Builder *b, const Expr *expr) {
  const bool is_real = expr->type->kind == TYPE_REAL;
  if (is_real)
    push_real(b, expr->place, 0);
  else
    build_emit(b, expr->place, OP_PUSH, 0);
  uint32_t top = build_begin_loop(b, expr);
  build_value(b, expr->a);
  if (is_real)
    build_real(b, expr->place, REAL_ADD, 0, -2);
  else
    build_emit(b, expr->place, OP_ADD);
  build_end_loop(b, expr, top);
}

bool build_needs_range(const Expr *value, const Type *type) {
  if (type->kind != TYPE_INT)
    return false;
  const Range range = expr_range(value);
  return range.low < type->min || range.high > type->max;
}

// Checks the parts of a value whose first slot is so far from the top of the stack.
static void check_parts(Builder *b, Place place, const Type *type, uint32_t depth) {
  if (type->kind == TYPE_INT)
    build_emit(b, place, OP_RANGE_AT, (int32_t)depth, type->min, type->max);
  for (uint32_t i = 0; type->kind == TYPE_ARRAY && i < type->count; i++)
    check_parts(b, place, type->element, depth - i * type->element->slots);
  for (uint32_t i = 0; type->kind == TYPE_STRUCT && i < type->count; i++)
    check_parts(b, place, type->fields[i].type, depth - type->fields[i].offset);
}

void build_check_range(Builder *b, const Expr *value, const Type *type) {
  if (build_needs_range(value, type))
    build_emit(b, value->place, OP_RANGE, type->min, type->max);
  else if (type->kind != TYPE_INT && !expr_fits(value, type))
    check_parts(b, value->place, type, type->slots);
}

uint32_t build_result_slots(const Function *function) {
  return function->result->kind == TYPE_VOID ? 1 : function->result->slots;
}

static void compile_call(Builder *b, const Expr *expr) {
  uint32_t slots = 0;
  for (uint32_t k = 0; k < expr->arg_count; k++) {
    const Type *type = expr->function->params[k];
    build_value(b, expr->args[k]);
    build_check_range(b, expr->args[k], type);
    slots += type->slots;
  }
  build_emit(b, expr->place, OP_CALL, (int32_t)expr->function->id, (int32_t)slots);
  build_depth(b, (int64_t)build_result_slots(expr->function) - slots);
}

// The opcodes of operators follow in the order of their expressions.
static Opcode opcode(ExprKind kind) {
  if (kind >= EXPR_EQ && kind <= EXPR_GE)
    return OP_EQ + (Opcode)(kind - EXPR_EQ);
  assert(kind >= EXPR_ADD && kind <= EXPR_SHR);
  return OP_ADD + (Opcode)(kind - EXPR_ADD);
}

static bool is_power_of_two(int32_t value) { return value > 0 && !(value & (value - 1)); }

// v % c, where v is a local.
static bool compile_masked_local(Builder *b, const Expr *expr) {
  int32_t value;
  if (!BUILD_FUSES || expr->kind != EXPR_MOD || expr->a->kind != EXPR_LOCAL ||
      expr->a->type->slots != 1 || !expr_is_const(expr->b, &value) || !is_power_of_two(value))
    return false;
  build_emit(b, expr->place, OP_LOCAL_MASK, (int32_t)expr->a->base, value - 1);
  return true;
}

// v + c, v - c and v % c, where v is on the stack.
static bool compile_with_constant(Builder *b, const Expr *expr) {
  int32_t value;
  if (!BUILD_FUSES || !expr_is_const(expr->b, &value))
    return false;
  if (expr->kind == EXPR_MOD && is_power_of_two(value))
    build_emit(b, expr->place, OP_MOD_MASK, value - 1);
  else if (expr->kind == EXPR_ADD || (expr->kind == EXPR_SUB && value != INT32_MIN))
    build_emit(b, expr->place, OP_ADD_CONST, expr->kind == EXPR_ADD ? value : -value);
  else
    return false;
  return true;
}

static void compile_binary(Builder *b, const Expr *expr) {
  const uint32_t slots = expr->a->type->slots;
  if (compile_masked_local(b, expr))
    return;
  build_value(b, expr->a);
  if (compile_with_constant(b, expr))
    return;
  build_value(b, expr->b);
  if (slots == 1 || (expr->kind != EXPR_EQ && expr->kind != EXPR_NE)) {
    build_emit(b, expr->place, opcode(expr->kind));
    return;
  }
  build_emit(b, expr->place, OP_SAME, (int32_t)slots);
  build_depth(b, 1 - 2 * (int64_t)slots);
  if (expr->kind == EXPR_NE)
    build_emit(b, expr->place, OP_NOT);
}

void build_value(Builder *b, const Expr *expr) {
  switch (expr->kind) {
  case EXPR_CONST:
    build_emit(b, expr->place, OP_PUSH, expr->value);
    break;
  case EXPR_VAR:
  case EXPR_LOCAL:
  case EXPR_INDEX:
  case EXPR_FIELD:
  case EXPR_TABLE:
  case EXPR_REMOTE:
    compile_load(b, expr);
    break;
  case EXPR_ASSIGN:
    compile_assign(b, expr);
    break;
  case EXPR_ADDRESS:
    compile_address(b, expr);
    break;
  case EXPR_AT:
    build_emit(b, expr->place, OP_LOAD, (int32_t)expr->base);
    build_emit(b, expr->place, OP_PUSH, expr->value);
    build_emit(b, expr->place, OP_EQ);
    break;
  case EXPR_NEG:
  case EXPR_NOT:
    if (expr->type->kind == TYPE_REAL) {
      compile_real_operator(b, expr);
      break;
    }
    build_value(b, expr->a);
    build_emit(b, expr->place, expr->kind == EXPR_NEG ? OP_NEG : OP_NOT);
    break;
  case EXPR_AND:
  case EXPR_OR:
    compile_truth(b, expr->place, false, build_branch(b, expr, false, 0));
    break;
  case EXPR_COND:
    compile_cond(b, expr);
    break;
  case EXPR_CALL:
    compile_call(b, expr);
    break;
  case EXPR_FORALL:
  case EXPR_EXISTS:
    compile_quantifier(b, expr);
    break;
  case EXPR_SUM:
    compile_sum(b, expr);
    break;
  case EXPR_CLOCK_TEST:
    if (b->reads_clocks) {
      compile_clock_test(b, expr);
      break;
    } // fall through
  case EXPR_CLOCK:
  case EXPR_DEADLOCK:
    build_emit(b, expr->place, OP_REFUSE);
    break;
  case EXPR_REAL:
  case EXPR_OF_INT:
  case EXPR_MATH:
  case EXPR_CLOCK_VALUE:
    compile_real(b, expr);
    break;
  default:
    if (expr->a->type->kind == TYPE_REAL)
      compile_real_operator(b, expr);
    else
      compile_binary(b, expr);
  }
}
