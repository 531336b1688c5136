// Guards and statements; what they are made of, the values, is model/expr/build.c.
#include "model/expr/code.h"

#include "model/expr/build.h"

#include <assert.h>
#include <string.h>

uint32_t code_clock_tests(ClockTest tests[2], ClockIndex i, ClockIndex j, ExprKind op,
                          int64_t constant) {
  uint32_t count = 0;
  assert(op != EXPR_NE);
  if (op == EXPR_LT || op == EXPR_LE || op == EXPR_EQ)
    tests[count++] = (ClockTest){i, j, constant, op == EXPR_LT};
  if (op == EXPR_GT || op == EXPR_GE || op == EXPR_EQ)
    tests[count++] = (ClockTest){j, i, -constant, op == EXPR_GT};
  return count;
}

// Ends the guard unless the condition holds, assuming its clock tests, which are added.
static void compile_condition(Builder *b, const Expr *expr) {
  if (!expr_has_clock_test(expr)) {
    build_value(b, expr);
    build_emit(b, expr->place, OP_FAIL_ZERO);
  } else if (expr->kind == EXPR_CLOCK_TEST) {
    build_clock(b, expr->a, expr->place);
    build_clock(b, expr->b, expr->place);
    if (expr->c->wide) {
      build_emit(b, expr->place, OP_WIDE_TEST, (int32_t)expr->op, BUILD_HALVES(expr->c->wide));
      return;
    }
    build_value(b, expr->c);
    build_emit(b, expr->place, OP_CLOCK_TEST, (int32_t)expr->op);
  } else if (expr->kind == EXPR_AND) {
    compile_condition(b, expr->a);
    compile_condition(b, expr->b);
  } else if (expr->kind == EXPR_OR) { // the side on integers decides whether the other counts
    const bool right = expr_has_clock_test(expr->b);
    const uint32_t end = build_branch(b, right ? expr->a : expr->b, true, 0);
    compile_condition(b, right ? expr->b : expr->a);
    build_patch(b, end);
  } else if (expr->kind == EXPR_COND) {
    uint32_t otherwise = build_branch(b, expr->a, false, 0);
    compile_condition(b, expr->b);
    uint32_t end = build_jump(b, expr->place, OP_JUMP, 0);
    build_patch(b, otherwise);
    compile_condition(b, expr->c);
    build_patch(b, end);
  } else if (expr->kind == EXPR_FORALL) {
    uint32_t top = build_begin_loop(b, expr);
    compile_condition(b, expr->a);
    build_end_loop(b, expr, top);
  } else { // a flaw
    build_emit(b, expr->place, OP_REFUSE);
    build_emit(b, expr->place, OP_FAIL_ZERO);
  }
}

typedef struct GuardBuilder {
  Builder code;
  Arena *arena;
  VEC(Test) tests;
  VEC(ClockTest) clock_tests;
  bool ends_with_value; // the code ends with a value and FAIL_ZERO
} GuardBuilder;

// Whether the conjunct is a comparison of a slot with a constant; negation is left to
// the caller.
static bool as_test(const Expr *expr, Test *test) {
  *test = (Test){.op = EXPR_NE};
  if (expr->kind == EXPR_AT) {
    *test = (Test){expr->base, EXPR_EQ, expr->value};
    return true;
  }
  if (expr->kind >= EXPR_EQ && expr->kind <= EXPR_GE) {
    bool swapped = expr_is_const(expr->a, &test->value);
    test->op = swapped ? expr_mirrored(expr->kind) : expr->kind;
    if (!swapped && !expr_is_const(expr->b, &test->value))
      return false;
    expr = swapped ? expr->b : expr->a;
  }
  return build_constant_address(expr, EXPR_VAR, &test->slot);
}

static void add_conjunct(GuardBuilder *g, const Expr *expr, bool negated);

// Whether it could be made constant clock tests (or, for x - x, an integer condition).
static bool add_clock_test(GuardBuilder *g, const Expr *expr) {
  ClockIndex i, j = 0;
  int64_t constant;
  if (expr->kind != EXPR_CLOCK_TEST || expr->op == EXPR_NE ||
      !build_constant_address(expr->a, EXPR_CLOCK, &i) ||
      (expr->b && !build_constant_address(expr->b, EXPR_CLOCK, &j)))
    return false;
  if (i == j) {
    const Expr *zero = expr_const(g->arena, expr->place, 0);
    add_conjunct(g, expr_binary(g->arena, expr->place, expr->op, zero, expr->c), false);
    return true;
  }
  if (!expr_is_time(expr->c, &constant))
    return false;
  ClockTest tests[2];
  uint32_t count = code_clock_tests(tests, i, j, expr->op, constant);
  for (uint32_t k = 0; k < count; k++)
    vec_push(g->code.mem, &g->clock_tests, tests[k]);
  return true;
}

// ZoneDiagonals conjunctions; what is neither a Test nor a ClockTest is compiled.
static void add_conjunct(GuardBuilder *g, const Expr *expr, bool negated) {
  int32_t value;
  Test test;
  if (expr->kind == EXPR_NOT) {
    add_conjunct(g, expr->a, !negated);
  } else if (expr->kind == (negated ? EXPR_OR : EXPR_AND)) {
    add_conjunct(g, expr->a, negated);
    add_conjunct(g, expr->b, negated);
  } else if (as_test(expr, &test)) {
    if (negated)
      test.op = expr_opposite(test.op);
    vec_push(g->code.mem, &g->tests, test);
  } else if ((!expr_is_const(expr, &value) || (value != 0) == negated) &&
             (negated || !add_clock_test(g, expr))) {
    g->ends_with_value = negated || !expr_has_clock_test(expr);
    if (negated) {
      build_value(&g->code, expr);
      build_emit(&g->code, expr->place, OP_NOT);
      build_emit(&g->code, expr->place, OP_FAIL_ZERO);
    } else {
      compile_condition(&g->code, expr);
    }
  }
}

static const Code *finish_guard(GuardBuilder *g, Place place, uint32_t locals) {
  Builder *b = &g->code;
  if (b->words.size == 0)
    return NULL;
  if (g->ends_with_value) {
    vec_last(&b->words) = OP_END;
  } else {
    build_emit(b, place, OP_PUSH, 1);
    build_emit(b, place, OP_END);
  }
  return build_finish(b, g->arena, locals);
}

static const void *to_arena(Arena *arena, const void *items, size_t bytes) {
  void *copy = arena_alloc(arena, bytes);
  if (bytes)
    memcpy(copy, items, bytes);
  return copy;
}

Guard code_guard(Arena *arena, const Expr *expr, uint32_t locals) {
  if (!expr)
    return (Guard){0};
  GuardBuilder g = {.arena = arena, .code.mem = arena->mem};
  add_conjunct(&g, expr, false);
  Guard guard = {
      .expr = expr,
      .tests = to_arena(arena, g.tests.items, g.tests.size * sizeof(Test)),
      .test_count = g.tests.size,
      .clock_tests = to_arena(arena, g.clock_tests.items, g.clock_tests.size * sizeof(ClockTest)),
      .clock_test_count = g.clock_tests.size,
      .code = finish_guard(&g, expr->place, locals),
  };
  vec_release(arena->mem, &g.tests);
  vec_release(arena->mem, &g.clock_tests);
  return guard;
}

// Statements.

// The assignment of a constant, in range, to a slot known here.
static bool constant_assign(const Stmt *stmt, SlotUpdate *update) {
  return stmt->kind == STMT_ASSIGN &&
         build_constant_address(stmt->target, EXPR_VAR, &update->slot) &&
         expr_is_const(stmt->value, &update->value) && update->value >= stmt->target->type->min &&
         update->value <= stmt->target->type->max;
}

// local = value; local = local + c; local = local + value
static void compile_local_assign(Builder *b, const Stmt *stmt) {
  const Expr *target = stmt->target, *value = stmt->value;
  const Type *type = target->type;
  const int32_t local = (int32_t)target->base;
  int32_t delta;
  if ((value->kind == EXPR_ADD || value->kind == EXPR_SUB) && value->a->kind == EXPR_LOCAL &&
      value->a->base == target->base && expr_is_const(value->b, &delta) && delta != INT32_MIN) {
    build_emit(b, value->place, OP_SHIFT_LOCAL, value->kind == EXPR_ADD ? delta : -delta,
               type->min, type->max, local);
  } else if (value->kind == EXPR_ADD && value->a->kind == EXPR_LOCAL &&
             value->a->base == target->base && type->kind == TYPE_INT &&
             !expr_has_effects(value->b)) {
    build_value(b, value->b);
    build_emit(b, value->place, OP_ADD_LOCAL, type->min, type->max, local);
  } else {
    build_value(b, value);
    if (build_needs_range(value, type))
      build_emit(b, value->place, OP_SET_LOCAL_RANGE, type->min, type->max, local);
    else
      build_emit(b, stmt->place, OP_SET_LOCAL, local);
  }
}

// slot = slot + value
static bool compile_state_sum(Builder *b, const Stmt *stmt) {
  const Expr *value = stmt->value;
  uint32_t slot, other;
  if (!BUILD_FUSES || value->kind != EXPR_ADD || stmt->target->type->slots != 1 ||
      !build_constant_address(stmt->target, EXPR_VAR, &slot) ||
      !build_constant_address(value->a, EXPR_VAR, &other) || slot != other ||
      expr_has_effects(value->b))
    return false;
  const Range range = expr_range(value); // an overflow would have another place
  if (range.low < INT32_MIN || range.high > INT32_MAX)
    return false;
  build_value(b, value->b);
  build_emit(b, stmt->place, OP_ADD_STATE, (int32_t)slot);
  return true;
}

static void compile_assign(Builder *b, const Stmt *stmt) {
  const Expr *target = stmt->target, *value = stmt->value;
  uint32_t slots = target->type->slots;
  SlotUpdate constant;
  if (constant_assign(stmt, &constant)) {
    build_emit(b, stmt->place, OP_SET, (int32_t)constant.slot, constant.value);
    return;
  }
  if (compile_state_sum(b, stmt))
    return;
  if (BUILD_FUSES && target->kind == EXPR_LOCAL && target->type->kind == TYPE_INT) {
    compile_local_assign(b, stmt);
    return;
  }
  Address address = build_address(b, target);
  assert(value->type->slots == slots);
  if (slots != 1 && !address.dynamic)
    build_emit(b, stmt->place, OP_PUSH, 0);
  build_value(b, value);
  if (address.space != EXPR_VAR)
    build_check_range(b, value, target->type);
  build_store(b, stmt->place, address, slots);
}

static void compile_clock_assign(Builder *b, const Stmt *stmt) {
  build_clock(b, stmt->target, stmt->place);
  if (stmt->value && stmt->value->type->kind == TYPE_REAL) {
    build_value(b, stmt->value);
    build_real(b, stmt->place, REAL_SET_CLOCK, 0, -3);
    return;
  }
  build_clock(b, stmt->source, stmt->place);
  if (stmt->value && stmt->value->wide) {
    build_emit(b, stmt->place, OP_WIDE_SET, BUILD_HALVES(stmt->value->wide));
    return;
  }
  if (stmt->value)
    build_value(b, stmt->value);
  else
    build_emit(b, stmt->place, OP_PUSH, 0);
  build_emit(b, stmt->place, OP_CLOCK_SET);
}

static void compile_stmts(Builder *b, const Stmt *stmt);

static void compile_if(Builder *b, const Stmt *stmt) {
  uint32_t otherwise = build_branch(b, stmt->value, false, 0);
  compile_stmts(b, stmt->body);
  if (stmt->other) {
    uint32_t end = build_jump(b, stmt->place, OP_JUMP, 0);
    build_patch(b, otherwise);
    compile_stmts(b, stmt->other);
    build_patch(b, end);
  } else {
    build_patch(b, otherwise);
  }
}

static void compile_while(Builder *b, const Stmt *stmt) {
  uint32_t top = b->words.size;
  uint32_t end = build_branch(b, stmt->value, false, 0);
  const uint32_t body = b->words.size;
  compile_stmts(b, stmt->body);
  if (!build_loop(b, stmt->value, body))
    build_emit(b, stmt->place, OP_JUMP_BACK, (int32_t)top);
  build_patch(b, end);
}

static void compile_do(Builder *b, const Stmt *stmt) {
  uint32_t top = b->words.size;
  compile_stmts(b, stmt->body);
  if (build_loop(b, stmt->value, top))
    return;
  uint32_t end = build_branch(b, stmt->value, false, 0);
  build_emit(b, stmt->place, OP_JUMP_BACK, (int32_t)top);
  build_patch(b, end);
}

static void compile_return(Builder *b, const Stmt *stmt) {
  uint32_t slots = 1;
  if (stmt->value) {
    build_value(b, stmt->value);
    build_check_range(b, stmt->value, b->result);
    slots = stmt->value->type->slots;
  } else {
    build_emit(b, stmt->place, OP_PUSH, 0);
  }
  build_emit(b, stmt->place, OP_RETURN, (int32_t)slots);
  build_depth(b, -(int64_t)slots);
}

static uint32_t dropped_slots(const Expr *value) {
  return value->type->kind == TYPE_VOID ? 1 : value->type->slots;
}

static void compile_stmt(Builder *b, const Stmt *stmt) {
  switch (stmt->kind) {
  case STMT_NOP:
    break;
  case STMT_ASSIGN:
    compile_assign(b, stmt);
    break;
  case STMT_CLOCK_ASSIGN:
    compile_clock_assign(b, stmt);
    break;
  case STMT_IF:
    compile_if(b, stmt);
    break;
  case STMT_WHILE:
    compile_while(b, stmt);
    break;
  case STMT_DO:
    compile_do(b, stmt);
    break;
  case STMT_ASSERT:
    build_value(b, stmt->value);
    build_emit(b, stmt->place, OP_ASSERT);
    break;
  case STMT_LOCAL:
    if (stmt->value)
      compile_assign(b, stmt);
    else
      build_emit(b, stmt->place, OP_CLEAR_LOCAL, (int32_t)stmt->target->base,
                 (int32_t)stmt->target->type->slots);
    break;
  case STMT_RETURN:
    compile_return(b, stmt);
    break;
  case STMT_CALL:
    build_value(b, stmt->value);
    for (uint32_t k = 0; k < dropped_slots(stmt->value); k++)
      build_emit(b, stmt->place, OP_DROP);
    break;
  }
}

static void compile_stmts(Builder *b, const Stmt *stmt) {
  for (; stmt; stmt = stmt->next)
    compile_stmt(b, stmt);
}

// v = v + c, c + v or v - c.
static bool shift_assign(const Stmt *stmt, SlotShift *shift) {
  const Expr *value = stmt->value;
  uint32_t other;
  if (stmt->kind != STMT_ASSIGN || (value->kind != EXPR_ADD && value->kind != EXPR_SUB) ||
      !build_constant_address(stmt->target, EXPR_VAR, &shift->slot))
    return false;
  const Expr *a = value->a, *b = value->b;
  int32_t delta;
  if (value->kind == EXPR_ADD && expr_is_const(a, &delta))
    a = b;
  else if (!expr_is_const(b, &delta))
    return false;
  if (delta == INT32_MIN || !build_constant_address(a, EXPR_VAR, &other) || other != shift->slot)
    return false;
  shift->delta = value->kind == EXPR_ADD ? delta : -delta;
  shift->low = stmt->target->type->min;
  shift->high = stmt->target->type->max;
  return true;
}

static bool constant_clock_assign(const Stmt *stmt, ClockUpdate *update) {
  *update = (ClockUpdate){0};
  return stmt->kind == STMT_CLOCK_ASSIGN &&
         build_constant_address(stmt->target, EXPR_CLOCK, &update->x) &&
         (!stmt->source || build_constant_address(stmt->source, EXPR_CLOCK, &update->y)) &&
         (!stmt->value || expr_is_time(stmt->value, &update->constant)) &&
         (update->y != 0 || update->constant >= 0);
}

// Whether the statement, or one inside it, may set a clock; a call may.
static bool may_set_clock(const Stmt *stmt) {
  if (stmt->kind == STMT_CLOCK_ASSIGN || stmt->kind == STMT_CALL ||
      expr_has_kind(stmt->target, EXPR_CALL) || expr_has_kind(stmt->source, EXPR_CALL) ||
      expr_has_kind(stmt->value, EXPR_CALL))
    return true;
  for (const Stmt *s = stmt->body; s; s = s->next)
    if (may_set_clock(s))
      return true;
  for (const Stmt *s = stmt->other; s; s = s->next)
    if (may_set_clock(s))
      return true;
  return false;
}

static bool are_distinct(const SlotUpdate *updates, uint32_t update_count,
                         const SlotShift *shifts, uint32_t shift_count) {
  for (uint32_t i = 0; i < shift_count; i++) {
    for (uint32_t k = 0; k < update_count; k++)
      if (updates[k].slot == shifts[i].slot)
        return false;
    for (uint32_t k = 0; k < i; k++)
      if (shifts[k].slot == shifts[i].slot)
        return false;
  }
  return true;
}

Update code_update(Arena *arena, const Stmt *stmts, uint32_t locals) {
  Update update = {.stmts = stmts};
  Mem *mem = arena->mem;
  VEC(SlotUpdate) slots = {0};
  VEC(SlotShift) shifts = {0};
  VEC(ClockUpdate) clocks = {0};
  bool needs_code = false, is_simple = true;
  for (const Stmt *stmt = stmts; stmt; stmt = stmt->next) {
    SlotUpdate slot;
    SlotShift shift;
    ClockUpdate clock;
    if (constant_assign(stmt, &slot)) {
      vec_push(mem, &slots, slot);
    } else if (shift_assign(stmt, &shift)) {
      vec_push(mem, &shifts, shift);
      needs_code = true;
    } else if (constant_clock_assign(stmt, &clock)) {
      vec_push(mem, &clocks, clock);
    } else if (stmt->kind != STMT_NOP) {
      needs_code = true;
      is_simple = false;
      update.has_dynamic_clocks |= may_set_clock(stmt);
    }
  }
  if (needs_code) {
    Builder b = {.mem = mem};
    compile_stmts(&b, stmts);
    build_emit(&b, stmts->place, OP_DONE);
    update.code = build_finish(&b, arena, locals);
  }
  update.has_shifts =
      needs_code && is_simple && are_distinct(slots.items, slots.size, shifts.items, shifts.size);
  if (!needs_code || update.has_shifts) {
    update.slot_updates = to_arena(arena, slots.items, slots.size * sizeof(SlotUpdate));
    update.slot_update_count = slots.size;
  }
  if (update.has_shifts) {
    update.shifts = to_arena(arena, shifts.items, shifts.size * sizeof(SlotShift));
    update.shift_count = shifts.size;
  }
  if (!update.has_dynamic_clocks) {
    update.clock_updates = to_arena(arena, clocks.items, clocks.size * sizeof(ClockUpdate));
    update.clock_update_count = clocks.size;
  }
  vec_release(mem, &slots);
  vec_release(mem, &shifts);
  vec_release(mem, &clocks);
  return update;
}

const Code *code_value(Arena *arena, const Expr *expr, uint32_t locals) {
  const uint32_t used = expr_locals(expr);
  locals = used > locals ? used : locals;
  Builder b = {.mem = arena->mem, .reads_clocks = true};
  build_value(&b, expr);
  if (expr->type->kind != TYPE_REAL)
    build_real(&b, expr->place, REAL_OF_INT, 0, 1);
  build_emit(&b, expr->place, OP_RETURN, 2);
  return build_finish(&b, arena, locals);
}

const Code *code_function(Arena *arena, const Function *function) {
  Builder b = {.mem = arena->mem, .result = function->result};
  compile_stmts(&b, function->body);
  // For void functions; in others a return comes before.
  uint32_t slots = build_result_slots(function);
  Place place = function->body ? function->body->place : (Place){0};
  for (uint32_t k = 0; k < slots; k++)
    build_emit(&b, place, OP_PUSH, 0);
  build_emit(&b, place, OP_RETURN, (int32_t)slots);
  return build_finish(&b, arena, function->local_slots);
}
