// Declarations, updates and statements.
#include "language/uppaal/elab_real.h"

#include <string.h>

Stmt *elab_new_stmt(Elaborator *e, Place place, StmtKind kind) {
  Stmt *stmt = ARENA_NEW(e->arena, Stmt);
  stmt->kind = kind;
  stmt->place = place;
  return stmt;
}

void elab_append(StmtList *list, Stmt *stmt) {
  if (list->last)
    list->last->next = stmt;
  else
    list->first = stmt;
  list->last = stmt;
}

Stmt *elab_add(Elaborator *e, StmtList *list, Place place, StmtKind kind, const Expr *target,
               const Expr *value) {
  Stmt *stmt = elab_new_stmt(e, place, kind);
  stmt->target = target;
  stmt->value = value;
  elab_append(list, stmt);
  return stmt;
}

uint32_t elab_frame(Elaborator *e, Place place, uint32_t slots) {
  const uint32_t local = e->frame->next;
  if (slots > ELABORATE_MAX_LOCALS || local > ELABORATE_MAX_LOCALS) {
    elab_fail(e, place, "local variables have more than %d elements together",
              ELABORATE_MAX_LOCALS);
    return 0;
  }
  e->frame->next += slots;
  if (e->frame->next > e->frame->max)
    e->frame->max = e->frame->next;
  return local;
}

// Updates.

static void effect(Elaborator *e, Scope *scope, const Tree *node, StmtList *list);
static const Expr *assigned_value(Elaborator *e, Scope *scope, const Tree *node, const Type *type,
                                  StmtList *list);

// What a chain of assignments to clocks gives: in x = y = 3 the number, which both are set to. A
// value with effects is computed once, so x is then set to y.
static Value chained_value(Elaborator *e, Scope *scope, const Tree *node) {
  if (node->kind != NODE_ASSIGN)
    return elab_value(e, scope, node);
  const Value target = elab_value(e, scope, node->a);
  if (target.kind != VALUE_CLOCKS)
    return target.kind == VALUE_BAD ? bad : elab_value(e, scope, node);
  const Value value = chained_value(e, scope, node->b);
  return value.kind != VALUE_BAD && expr_has_effects(value.expr) ? target : value;
}

// In a statistical model a clock is set to any number; x = y = 0 sets y first.
static void number_assign(Elaborator *e, Scope *scope, const Tree *node, const Expr *clock,
                          StmtList *list) {
  const Type *real = type_real(e->arena);
  const bool is_ignored = elab_is_ignored(clock);
  e->ignoring += is_ignored;
  const Expr *value = assigned_value(e, scope, node->b, real, list);
  e->ignoring -= is_ignored;
  if (!value)
    return;
  if (node->op > EXPR_DIV) {
    elab_fail(e, node->place, "this operator is for integers");
    return;
  }
  if (is_ignored)
    return;
  if (node->op != EXPR_CONST)
    value = expr_binary(e->arena, node->place, node->op,
                        expr_clock_value(e->arena, clock->place, clock), value);
  elab_add(e, list, node->place, STMT_CLOCK_ASSIGN, clock,
           elab_whole(e, (Value){.kind = VALUE_DATA, .expr = value}).expr);
  e->frame->has_effects = true;
}

// x = y + 3, where both may be chains: x = y = 0 sets y first.
static void clock_assign(Elaborator *e, Scope *scope, const Tree *node, const Expr *clock,
                         StmtList *list) {
  const Tree *value_node = node->b;
  const bool is_ignored = elab_is_ignored(clock);
  if (e->is_full || is_ignored) {
    number_assign(e, scope, node, clock, list);
    return;
  }
  if (node->op != EXPR_CONST) {
    elab_obstacle(e, node->place, "a clock can only be set, with `=`");
    return;
  }
  // A chain within it comes first. The value of an assignment to a variable sets both.
  if (value_node->kind == NODE_ASSIGN && elab_value(e, scope, value_node->a).kind == VALUE_CLOCKS)
    effect(e, scope, value_node, list);
  const Value value = elab_whole(e, chained_value(e, scope, value_node));
  if (value.kind == VALUE_BAD)
    return;
  if (elab_is_ignored(value.plus) || elab_is_ignored(value.minus)) {
    elab_obstacle(e, value_node->place, elab_hybrid_obstacle);
    return;
  }
  if ((value.kind == VALUE_CLOCKS && value.minus) ||
      (value.kind == VALUE_DATA &&
       (value.expr->type->kind == TYPE_REAL || expr_has_clock_test(value.expr)))) {
    elab_obstacle(e, value_node->place,
                  "for symbolic queries a clock can be set to an integer or to another clock");
    return;
  }
  const bool is_number = value.kind == VALUE_DATA && value.expr->type->kind == TYPE_INT &&
                         !expr_has_clock_test(value.expr);
  const bool is_clock = value.kind == VALUE_CLOCKS && value.plus && !value.minus;
  if (!is_number && !is_clock) {
    elab_fail(e, value_node->place, "a clock can be set to an integer or to another clock");
    return;
  }
  elab_add(e, list, node->place, STMT_CLOCK_ASSIGN, clock, value.expr)->source = value.plus;
  e->frame->has_effects = true;
}

static void record_assign(Elaborator *e, Scope *scope, const Tree *node, const Value *target,
                          StmtList *list) {
  const Value value = elab_value(e, scope, node->b);
  if (node->op != EXPR_CONST)
    elab_fail(e, node->place, "this operator is for integers");
  else if (value.kind != VALUE_BAD)
    elab_assign_record(e, node->place, target, &value, list);
}

// What a variable is given. A chain of assignments to real variables, d = e = 1.5, sets the last
// one first.
static const Expr *assigned_value(Elaborator *e, Scope *scope, const Tree *node, const Type *type,
                                  StmtList *list) {
  if (node->kind != NODE_ASSIGN || type->kind != TYPE_REAL)
    return elab_typed(e, scope, node, type);
  const Value target = elab_value(e, scope, node->a);
  const bool is_number = target.kind == VALUE_CLOCKS ||
                         (target.kind == VALUE_DATA && elab_is_real(target.expr->type));
  if (!is_number)
    return elab_typed(e, scope, node, type);
  effect(e, scope, node, list);
  return elab_typed(e, scope, node->a, type);
}

// A number that the variable cannot have.
static void warn_of_range(Elaborator *e, const Expr *target, const Tree *node) {
  const Type *type = target->type;
  if (e->is_query || type->kind != TYPE_INT || type->is_bool ||
      (node->value >= type->min && node->value <= type->max))
    return;
  Text text = {.mem = e->mem};
  text_addf(&text, "%d is outside the range %d .. %d: an error if it is ever assigned",
            (int)node->value, (int)type->min, (int)type->max);
  elab_warn(e, node->place, text_chars(&text));
  text_release(&text);
}

static void data_assign(Elaborator *e, Scope *scope, const Tree *node, StmtList *list) {
  const Expr *target = elab_target(e, scope, node->a), *again;
  const bool is_ignored = elab_is_ignored(target);
  e->ignoring += is_ignored;
  const bool is_counted = node->op != EXPR_CONST && target && target->type->kind == TYPE_INT;
  const Expr *value = is_counted
                          ? elab_int(e, scope, node->b) // b -= 2 is b = b - 2, not b - true
                      : target ? assigned_value(e, scope, node->b, target->type, list)
                               : NULL;
  e->ignoring -= is_ignored;
  if (!value)
    return;
  if (!elab_same_type(target->type, value->type)) {
    elab_fail(e, node->place, "the two sides have different types");
    return;
  }
  if (node->op != EXPR_CONST) {
    const bool is_real = target->type->kind == TYPE_REAL && node->op <= EXPR_DIV;
    if (target->type->kind != TYPE_INT && !is_real) {
      elab_fail(e, node->place, "this operator is for integers");
      return;
    }
    target = elab_stable(e, target, &again);
    value = expr_binary(e->arena, node->place, node->op, again, value);
  } else if (node->b->kind == NODE_NUMBER) {
    warn_of_range(e, target, node->b);
  }
  if (is_ignored) {
    e->has_reals = true;
    return;
  }
  elab_add(e, list, node->place, STMT_ASSIGN, target, elab_coerce(e, value, target->type));
}

static void step(Elaborator *e, Scope *scope, const Tree *node, StmtList *list) {
  const Expr *target = elab_stepped(e, scope, node->a), *again;
  if (!target)
    return;
  if (target->type->kind != TYPE_INT) {
    elab_fail(e, node->place, "only integers can be counted up and down");
    return;
  }
  target = elab_stable(e, target, &again);
  elab_add(
      e, list, node->place, STMT_ASSIGN, target,
      expr_binary(e->arena, node->place, node->op, again, expr_const(e->arena, node->place, 1)));
}

// c ? a = 1 : b = 2
static void choice(Elaborator *e, Scope *scope, const Tree *node, StmtList *list) {
  const Expr *condition = elab_int(e, scope, node->a);
  StmtList yes = {0}, no = {0};
  effect(e, scope, node->b, &yes);
  effect(e, scope, node->c, &no);
  if (!condition)
    return;
  Stmt *stmt = elab_add(e, list, node->place, STMT_IF, NULL, condition);
  stmt->body = yes.first;
  stmt->other = no.first;
}

static void effect(Elaborator *e, Scope *scope, const Tree *node, StmtList *list) {
  if (node->kind == NODE_ASSIGN) {
    const Value target = elab_value(e, scope, node->a);
    if (target.kind == VALUE_CLOCKS && target.plus && !target.minus && !target.expr)
      clock_assign(e, scope, node, target.plus, list);
    else if (target.kind == VALUE_RECORD)
      record_assign(e, scope, node, &target, list);
    else if (target.kind != VALUE_BAD)
      data_assign(e, scope, node, list);
  } else if (node->kind == NODE_STEP) {
    step(e, scope, node, list);
  } else if (node->kind == NODE_COND) {
    choice(e, scope, node, list);
  } else {
    const Value value = elab_value(e, scope, node);
    if (value.kind != VALUE_DATA || !expr_has_effects(value.expr))
      return; // without effect
    elab_add(e, list, node->place, STMT_CALL, NULL, value.expr);
  }
}

// A call may do what is ignored.
static bool has_call(const Tree *node) {
  return node && (node->kind == NODE_CALL || node->kind == NODE_ASSIGN || has_call(node->a) ||
                  has_call(node->b) || has_call(node->c));
}

void elab_effects(Elaborator *e, Scope *scope, const Tree *list, StmtList *stmts) {
  for (; list; list = list->next) {
    const Stmt *last = stmts->last;
    const uint32_t failures = e->failures;
    effect(e, scope, list, stmts);
    if (stmts->last == last && e->failures == failures && list->kind != NODE_ASSIGN &&
        !has_call(list))
      elab_warn(e, list->place,
                list->kind == NODE_BINARY && list->op == EXPR_EQ
                    ? "this comparison has no effect here; to assign, write `=`"
                    : "this expression has no effect here");
  }
}

// Local variables.

static void assign_local(Elaborator *e, const Expr *target, const Expr *value, StmtList *list) {
  elab_add(e, list, target->place, STMT_ASSIGN, target, elab_coerce(e, value, target->type));
}

static void initialise(Elaborator *e, Scope *scope, const Expr *target, const Tree *node,
                       StmtList *list) {
  const Type *type = target->type;
  if (node->kind != NODE_LIST) {
    const Expr *value = elab_typed(e, scope, node, type);
    if (value && !elab_same_type(type, value->type))
      elab_fail(e, node->place, "this value has another type than the variable");
    else if (value)
      assign_local(e, target, value, list);
    return;
  }
  if (type->kind != TYPE_ARRAY && type->kind != TYPE_STRUCT) {
    elab_fail(e, node->place, "a list of values is for arrays and structs");
    return;
  }
  uint32_t k = 0;
  for (const Tree *item = node->b; item && k < type->count; item = item->next, k++) {
    if (type->kind == TYPE_ARRAY) {
      const Expr *index = expr_const(e->arena, item->place, type->first + (int32_t)k);
      initialise(e, scope, expr_index(e->arena, item->place, target, index), item, list);
    } else {
      const Field *field = &type->fields[k];
      const bool named = item->kind == NODE_DOT && item->value;
      if (named)
        field = type_field(type, item->name);
      if (!field) {
        elab_fail(e, item->place, "there is no field `%s`", item->name);
        return;
      }
      if (elab_field_again(e, type, node, item, field))
        return;
      initialise(e, scope, expr_field(e->arena, item->place, target, field),
                 named ? item->a : item, list);
    }
  }
  if (k != type->count)
    elab_fail(e, node->place, "there are too few values");
}

static void default_local(Elaborator *e, const Expr *target, StmtList *list) {
  int32_t *values = ARENA_ARRAY(e->arena, int32_t, target->type->slots);
  elab_default(target->type, values);
  bool is_zero = true;
  for (uint32_t k = 0; k < target->type->slots; k++)
    is_zero = is_zero && !values[k];
  elab_add(e, list, target->place, STMT_LOCAL, target, NULL);
  if (!is_zero)
    assign_local(e, target, elab_table(e, target->place, target->name, target->type, values),
                 list);
}

static void ignore_local(Elaborator *e, Scope *scope, const VarNode *var, const Type *type) {
  e->ignoring++;
  if (var->init && var->init->kind != NODE_LIST)
    elab_typed(e, scope, var->init, type);
  e->ignoring--;
  scope_add(e, scope, var->name, var->place, SYMBOL_STORAGE)->expr =
      elab_ignored(e, var->place, EXPR_VAR, var->name, type);
}

void elab_local(Elaborator *e, Scope *scope, const VarNode *var, StmtList *list) {
  const TypeInfo info = elab_type(e, scope, var->type, var->dims);
  const Type *base = info.type;
  while (base && base->kind == TYPE_ARRAY)
    base = base->element;
  if (base && base->kind == TYPE_REAL && !e->is_full && !info.is_const) {
    ignore_local(e, scope, var, info.type);
    return;
  }
  if (!base || base->kind == TYPE_VOID || base->kind == TYPE_CLOCK ||
      base->kind == TYPE_CHANNEL || elab_is_record(base)) {
    Symbol *symbol = scope_add(e, scope, var->name, var->place, SYMBOL_REFUSED);
    symbol->info.refused = base ? "local clocks and channels" : info.refused;
    elab_refuse(e, var->place, symbol->info.refused);
    return;
  }
  elab_need_value(e, &info, var);
  if (info.is_const && var->init && var->init->kind != NODE_LIST && base == info.type) {
    const Expr *value = elab_typed(e, scope, var->init, info.type);
    int32_t number;
    if (!value)
      return;
    if (value->kind == EXPR_REAL && base->kind == TYPE_REAL) {
      scope_add(e, scope, var->name, var->place, SYMBOL_CONSTANT)->expr = value;
      return;
    }
    if (base->kind == TYPE_INT && expr_is_const(value, &number) && number >= info.type->min &&
        number <= info.type->max) {
      scope_add(e, scope, var->name, var->place, SYMBOL_CONSTANT)->expr = value;
      return;
    }
  }
  if (base->kind == TYPE_REAL && !e->is_full) {
    ignore_local(e, scope, var, info.type);
    return;
  }
  const uint32_t local = elab_frame(e, var->place, info.type->slots);
  const Expr *target =
      expr_storage(e->arena, var->place, EXPR_LOCAL, var->name, info.type, local);
  if (!var->init || var->init->kind == NODE_LIST)
    default_local(e, target, list);
  if (var->init) // the name is not visible in its own initialiser
    initialise(e, scope, target, var->init, list);
  scope_add(e, scope, var->name, var->place, SYMBOL_STORAGE)->expr = target;
}

// Statements.

// A statement, and what comes before the condition that follows it.
static const Stmt *body_of(Elaborator *e, Scope *scope, const StmtNode *node,
                           const Tree *before) {
  StmtList list = {0};
  if (node)
    elab_statement(e, scope, node, &list);
  elab_effects(e, scope, before, &list);
  return list.first;
}

static void for_loop(Elaborator *e, Scope *scope, const StmtNode *node, StmtList *list) {
  elab_effects(e, scope, node->a, list);
  elab_effects(e, scope, node->before, list);
  Stmt *loop = elab_new_stmt(e, node->place, STMT_WHILE);
  loop->value = node->b ? elab_int(e, scope, node->b) : expr_const(e->arena, node->place, 1);
  StmtList body = {0};
  elab_statement(e, scope, node->body, &body);
  elab_effects(e, scope, node->c, &body);
  elab_effects(e, scope, node->before, &body);
  loop->body = body.first;
  if (loop->value)
    elab_append(list, loop);
}

// for (i : type): i counts from the least value to the greatest. Where `i <= high` would always
// hold, i is compared before it is counted up: do body while (i < high && (i = i + 1) <= high).
static void iterate(Elaborator *e, Scope *scope, const StmtNode *node, StmtList *list) {
  const VarNode *var = node->var;
  int32_t low, high;
  if (!var->name || !elab_range(e, scope, var->type, &low, &high) || low > high)
    return;
  const bool is_open = high == INT32_MAX;
  const uint32_t next = e->frame->next;
  const Type *any = type_int(e->arena, INT32_MIN, INT32_MAX);
  const uint32_t local = elab_frame(e, var->place, 1);
  const Expr *counter = expr_storage(e->arena, var->place, EXPR_LOCAL, var->name, any, local);
  const Expr *seen = expr_storage(e->arena, var->place, EXPR_LOCAL, var->name,
                                  type_int(e->arena, low, high), local);
  assign_local(e, counter, expr_const(e->arena, var->place, low), list);
  Scope *inner = scope_new(e->arena, scope, 1);
  scope_add(e, inner, var->name, var->place, SYMBOL_STORAGE)->expr = seen;
  const Expr *last = expr_const(e->arena, node->place, high);
  const Expr *more =
      expr_binary(e->arena, node->place, EXPR_ADD, counter, expr_const(e->arena, node->place, 1));
  const Expr *counted = is_open ? expr_assign(e->arena, node->place, counter, more) : counter;
  Stmt *loop = elab_new_stmt(e, node->place, is_open ? STMT_DO : STMT_WHILE);
  loop->value = expr_binary(e->arena, node->place, EXPR_LE, counted, last);
  if (is_open)
    loop->value =
        expr_binary(e->arena, node->place, EXPR_AND,
                    expr_binary(e->arena, node->place, EXPR_LT, counter, last), loop->value);
  StmtList body = {0};
  elab_statement(e, inner, node->body, &body);
  if (!is_open)
    assign_local(e, counter, more, &body);
  loop->body = body.first;
  elab_append(list, loop);
  e->frame->next = next;
}

static void conditional(Elaborator *e, Scope *scope, const StmtNode *node, StmtList *list) {
  if (node->a && node->a->kind == NODE_ASSIGN && node->a->op == EXPR_CONST)
    elab_warn(e, node->a->place, "this assigns; to compare, write `==`");
  const StmtKind kind = node->kind == STMTNODE_IF      ? STMT_IF
                        : node->kind == STMTNODE_WHILE ? STMT_WHILE
                                                       : STMT_DO;
  if (kind != STMT_DO)
    elab_effects(e, scope, node->before, list);
  Stmt *stmt = elab_new_stmt(e, node->place, kind);
  stmt->value = elab_int(e, scope, node->a);
  stmt->body = body_of(e, scope, node->body, kind == STMT_IF ? NULL : node->before);
  stmt->other = body_of(e, scope, node->other, NULL);
  int32_t value;
  if (!stmt->value)
    return;
  if (kind == STMT_IF && expr_is_const(stmt->value, &value)) { // only one branch is left
    const Stmt *left = value ? stmt->body : stmt->other;
    Stmt *always = elab_new_stmt(e, node->place, STMT_IF);
    always->value = expr_const(e->arena, node->place, 1);
    always->body = left;
    always->other = left; // so that it returns if they do
    if (left)
      elab_append(list, always);
    return;
  }
  elab_append(list, stmt);
}

static void return_value(Elaborator *e, Scope *scope, const StmtNode *node, StmtList *list) {
  const Type *result = e->frame->result;
  Stmt *stmt = elab_new_stmt(e, node->place, STMT_RETURN);
  if (!result) {
    elab_fail(e, node->place, "`return` is for functions");
    return;
  }
  const bool is_ignored = result->kind == TYPE_REAL && !e->is_full;
  if (node->a && result->kind != TYPE_VOID) {
    e->ignoring += is_ignored;
    const Expr *value = elab_typed(e, scope, node->a, result);
    e->ignoring -= is_ignored;
    if (!value && !is_ignored)
      return;
    if (value && !elab_same_type(result, value->type))
      elab_fail(e, node->place, "the value has another type than the function");
    stmt->value = is_ignored ? NULL : value;
  } else if (!node->a != (result->kind == TYPE_VOID)) {
    elab_fail(e, node->place,
              node->a ? "a void function returns no value" : "the function must return a value");
  }
  elab_append(list, stmt);
}

static void block(Elaborator *e, Scope *scope, const StmtNode *node, StmtList *list) {
  if (node->decls) { // declarations belong to the block around them
    for (const DeclNode *d = node->decls; d; d = d->next) {
      if (d->kind == DECL_VARIABLE)
        elab_local(e, scope, d->var, list);
      else
        elab_declarations(e, scope, d);
      if (d->kind != DECL_VARIABLE)
        break; // elab_declarations has done the rest
    }
    return;
  }
  const uint32_t next = e->frame->next;
  Scope *inner = scope_new(e->arena, scope, 4);
  for (const StmtNode *s = node->body; s; s = s->next)
    elab_statement(e, inner, s, list);
  e->frame->next = next;
}

void elab_statement(Elaborator *e, Scope *scope, const StmtNode *node, StmtList *list) {
  switch (node->kind) {
  case STMTNODE_EMPTY:
    break;
  case STMTNODE_EXPR:
    elab_effects(e, scope, node->a, list);
    break;
  case STMTNODE_BLOCK:
    block(e, scope, node, list);
    break;
  case STMTNODE_IF:
  case STMTNODE_WHILE:
  case STMTNODE_DO:
    conditional(e, scope, node, list);
    break;
  case STMTNODE_FOR:
    for_loop(e, scope, node, list);
    break;
  case STMTNODE_ITERATE:
    iterate(e, scope, node, list);
    break;
  case STMTNODE_RETURN:
    return_value(e, scope, node, list);
    break;
  case STMTNODE_ASSERT: {
    Stmt *stmt = elab_new_stmt(e, node->place, STMT_ASSERT);
    stmt->value = elab_int(e, scope, node->a);
    if (stmt->value)
      elab_append(list, stmt);
    break;
  }
  }
}
