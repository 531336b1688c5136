// Calls. What a reference parameter stands for is part of the function that is called: `f(x)` and
// `f(y)` call two functions. Variable indices of such an argument become parameters; storage
// in the caller's frame is passed as its place on the stack.
#include "language/uppaal/advice.h"
#include "language/uppaal/elab_real.h"

#include <string.h>

enum { MAX_NESTED = 150 };

// What a parameter is in the function: storage, and the clocks of a struct that has some.
typedef struct Seen {
  const Expr *expr, *clocks;
} Seen;

typedef struct Call {
  Elaborator *e;
  const Symbol *symbol;
  VEC(const Expr *) args;   // values that are passed
  VEC(const Type *) params; // and their types
  VEC(Seen) seen;           // by parameter
  uint32_t slots;           // of the parameters
  Text key;
} Call;

static void see(Call *call, const Expr *expr, const Expr *clocks) {
  vec_push(call->e->mem, &call->seen, ((Seen){expr, clocks}));
}

// Passes a value; the local that holds it.
static uint32_t pass(Call *call, const Expr *value, const Type *type) {
  const uint32_t local = call->slots;
  vec_push(call->e->mem, &call->args, value);
  vec_push(call->e->mem, &call->params, type);
  call->slots += type->slots;
  return local;
}

// Storage outside frames, as the function sees it.
static const Expr *alias(Call *call, const Expr *expr) {
  Elaborator *e = call->e;
  int32_t value;
  if (expr->kind == EXPR_FIELD) {
    const Expr *record = alias(call, expr->a);
    text_addf(&call->key, ".%u", (unsigned)expr->base);
    Expr *copy = ARENA_NEW(e->arena, Expr);
    *copy = *expr;
    copy->a = record;
    return copy;
  }
  if (expr->kind != EXPR_INDEX) {
    text_addf(&call->key, "%d:%u", (int)expr->kind, (unsigned)expr->base);
    return expr;
  }
  const Expr *array = alias(call, expr->a), *index = expr->b;
  if (expr_is_const(index, &value)) {
    text_addf(&call->key, "[%d]", (int)value);
  } else {
    const Type *type = type_int(e->arena, INT32_MIN, INT32_MAX);
    const uint32_t local = pass(call, index, type);
    index = expr_storage(e->arena, expr->place, EXPR_LOCAL, "index", type, local);
    text_add(&call->key, "[]");
  }
  return expr_index(e->arena, expr->place, array, index);
}

// Functions for storage of different ranges are different ones.
static void add_type(Text *key, const Type *type) {
  text_addf(key, "%d,%d;", (int)type->min, (int)type->max);
  if (type->kind == TYPE_ARRAY)
    add_type(key, type->element);
  for (uint32_t k = 0; type->kind == TYPE_STRUCT && k < type->count; k++)
    add_type(key, type->fields[k].type);
}

static const Expr *remote(Call *call, const Expr *expr, const char *name) {
  Elaborator *e = call->e;
  const Type *type = type_int(e->arena, INT32_MIN, INT32_MAX);
  const uint32_t local = pass(call, expr_address(e->arena, expr->place, expr), type);
  text_add_char(&call->key, '&');
  add_type(&call->key, expr->type);
  return expr_storage(e->arena, expr->place, EXPR_REMOTE, name, expr->type, local);
}

// A struct with clocks: both parts. An index that is no constant is passed for each of them.
static bool by_parts(Call *call, const VarNode *param, const TypeInfo *info, Value arg,
                     Place place) {
  Elaborator *e = call->e;
  if (!elab_fits_record(e, info->type, arg.expr, arg.plus))
    return elab_fail(e, place, "the argument for `%s` has another type", param->name);
  if (arg.expr && expr_has_effects(arg.plus))
    return elab_fail(e, place,
                     "an index of a struct with clocks that is passed cannot call or assign");
  const Expr *rest = arg.expr ? alias(call, arg.expr) : NULL;
  text_add_char(&call->key, ',');
  see(call, rest, alias(call, arg.plus));
  text_add_char(&call->key, ';');
  return true;
}

// Real parameters of functions for symbolic queries.
static bool ignores(Call *call, const VarNode *param, const Type *type) {
  if (call->e->is_full || !elab_is_real(type))
    return false;
  see(call, elab_ignored(call->e, param->place, EXPR_VAR, param->name, type), NULL);
  return true;
}

static bool by_reference(Call *call, const VarNode *param, const TypeInfo *info, Value arg,
                         Place place) {
  Elaborator *e = call->e;
  if (arg.kind == VALUE_RECORD)
    return by_parts(call, param, info, arg, place);
  const Expr *expr = arg.kind == VALUE_CLOCKS && !arg.minus && !arg.expr ? arg.plus : arg.expr;
  if (!expr || (arg.kind != VALUE_DATA && arg.kind != VALUE_CLOCKS) || !expr_is_storage(expr))
    return elab_fail(e, place, "a variable is needed here: the parameter `%s` is a reference",
                     param->name);
  if (!elab_same_type(info->type, expr->type))
    return elab_fail(e, place, "the argument for `%s` has another type", param->name);
  if (ignores(call, param, info->type))
    return true;
  const ExprKind root = expr_root(expr)->kind;
  const bool in_frame = root == EXPR_LOCAL || root == EXPR_REMOTE;
  const Expr *made = in_frame ? remote(call, expr, param->name) : alias(call, expr);
  text_add_char(&call->key, ';');
  see(call, made, NULL);
  return true;
}

static bool by_value(Call *call, const VarNode *param, const TypeInfo *info, Value arg,
                     Place place) {
  Elaborator *e = call->e;
  if (elab_is_real(info->type)) {
    const Expr *real = elab_as_real(e, &arg, place);
    arg = info->type->kind == TYPE_REAL && real ? (Value){.kind = VALUE_DATA, .expr = real} : arg;
  }
  if (arg.kind == VALUE_DATA)
    arg.expr = elab_coerce(e, arg.expr, info->type);
  if (arg.kind != VALUE_DATA || expr_has_clock_test(arg.expr))
    return elab_fail(e, place, "a value is needed here: clocks are passed as `clock &%s`",
                     param->name);
  if (!elab_same_type(info->type, arg.expr->type))
    return elab_fail(e, place, "the argument for `%s` has another type", param->name);
  if (ignores(call, param, info->type))
    return true;
  const uint32_t local = pass(call, arg.expr, info->type);
  see(call, expr_storage(e->arena, param->place, EXPR_LOCAL, param->name, info->type, local),
      NULL);
  return true;
}

static bool pass_arguments(Call *call, Scope *scope, const Tree *node) {
  Elaborator *e = call->e;
  const FunctionNode *function = call->symbol->function;
  const Tree *arg = node->b;
  for (const VarNode *p = function->params; p; p = p->next, arg = arg->next) {
    if (!arg)
      return elab_fail(e, node->place, "`%s` needs more arguments", function->name);
    const TypeInfo info = elab_type(e, call->symbol->scope, p->type, p->dims);
    if (!info.type) {
      elab_refuse(e, p->place, info.refused);
      return false;
    }
    const bool is_ignored = elab_is_real(info.type) && !e->is_full;
    e->ignoring += is_ignored;
    const Value value = elab_value(e, scope, arg);
    e->ignoring -= is_ignored;
    if (value.kind == VALUE_BAD)
      return false;
    const bool is_constant =
        value.kind == VALUE_DATA && !expr_is_storage(value.expr) && info.is_const;
    // A query changes nothing: it passes values, see elab_prepare.
    const bool is_reference = p->is_reference && !is_constant && !e->is_query;
    if (p->is_reference && !is_reference) // else f(3, v) and f(v, 3) would be one function
      text_add(&call->key, "v;");
    if (!(is_reference ? by_reference : by_value)(call, p, &info, value, arg->place))
      return false;
  }
  if (arg)
    elab_fail(e, arg->place, "`%s` has no more parameters", function->name);
  return !arg;
}

static FunctionInstance *find_instance(const Call *call) {
  for (FunctionInstance *i = call->symbol->instances; i; i = i->next)
    if (!strcmp(i->key, text_chars(&call->key)))
      return i;
  return NULL;
}

// Whether a list of statements always returns.
static bool returns(const Stmt *stmt) {
  for (; stmt; stmt = stmt->next)
    if (stmt->kind == STMT_RETURN || (stmt->kind == STMT_DO && returns(stmt->body)) ||
        (stmt->kind == STMT_IF && stmt->other && returns(stmt->body) && returns(stmt->other)))
      return true;
  return false;
}

static void make_body(Call *call, Function *function, Frame *frame) {
  Elaborator *e = call->e;
  const FunctionNode *node = call->symbol->function;
  Scope *scope = scope_new(e->arena, call->symbol->scope, 4);
  uint32_t k = 0;
  for (const VarNode *p = node->params; p; p = p->next, k++) {
    const Seen seen = call->seen.items[k];
    const bool is_table = seen.expr && expr_root(seen.expr)->kind == EXPR_TABLE;
    Symbol *symbol =
        scope_add(e, scope, p->name, p->place, is_table ? SYMBOL_CONSTANT : SYMBOL_STORAGE);
    symbol->expr = seen.expr;
    symbol->clocks = seen.clocks;
  }
  Frame *outer = e->frame;
  e->frame = frame;
  StmtList list = {0};
  for (const StmtNode *s = node->body->body; s; s = s->next)
    elab_statement(e, scope, s, &list);
  e->frame = outer;
  function->body = list.first;
  function->local_slots = frame->max;
}

static FunctionInstance *make_instance(Call *call, Symbol *symbol, const Type *result) {
  Elaborator *e = call->e;
  Arena *arena = &e->making->arena, *outer = e->arena;
  e->arena = arena; // functions of queries stay with the net, too
  Function *function = ARENA_NEW(arena, Function);
  const Type **params = ARENA_ARRAY(arena, const Type *, call->params.size);
  for (uint32_t k = 0; k < call->params.size; k++)
    params[k] = call->params.items[k];
  *function = (Function){
      .name = symbol->name, .result = result, .params = params, .param_count = call->params.size};
  const uint32_t ignoring = e->ignoring;
  const bool is_constraint = e->is_constraint;
  ClockRates *rates = e->rates;
  e->ignoring = 0;
  e->is_constraint = false;
  e->rates = NULL;
  if (result->kind == TYPE_REAL && !e->is_full)
    function->result = type_void(arena);
  Frame frame = {.next = call->slots,
                 .max = call->slots,
                 .function = function,
                 .result = result,
                 .writes = ARENA_ARRAY(arena, bool, call->slots),
                 .param_slots = call->slots};
  symbol->is_open = true;
  e->call_depth++;
  const uint32_t failures = e->failures;
  make_body(call, function, &frame);
  e->call_depth--;
  symbol->is_open = false;
  e->ignoring = ignoring;
  e->is_constraint = is_constraint;
  e->rates = rates;
  if (e->failures == failures && result->kind != TYPE_VOID && !returns(function->body) &&
      !frame.obstacle.what && !symbol->function->is_broken)
    elab_fail(e, symbol->function->place, "the function `%s` may end without `return`",
              symbol->name);
  e->arena = outer;
  if (e->failures != failures)
    return NULL;
  function->id = e->net->functions.size;
  vec_push(e->mem, &e->making->functions, function);
  FunctionInstance *instance = ARENA_NEW(arena, FunctionInstance);
  instance->key = arena_text(arena, text_chars(&call->key), call->key.size);
  instance->function = function;
  instance->has_effects = frame.has_effects;
  instance->obstacle = frame.obstacle;
  instance->writes = frame.writes;
  instance->next = symbol->instances;
  symbol->instances = instance;
  return instance;
}

static void release(Call *call) {
  Mem *mem = call->e->mem;
  vec_release(mem, &call->args);
  vec_release(mem, &call->params);
  vec_release(mem, &call->seen);
  text_release(&call->key);
}

// What the call changes: variables, and what it passes by its address.
static void note_writes(Elaborator *e, Place place, const Call *call,
                        const FunctionInstance *instance) {
  uint32_t slot = 0;
  e->frame->has_effects |= instance->has_effects;
  if (instance->has_effects)
    elab_note_effect(e, place);
  for (uint32_t k = 0; k < call->args.size; slot += call->params.items[k++]->slots)
    if (call->args.items[k]->kind == EXPR_ADDRESS && instance->writes[slot])
      elab_note_write(e, call->args.items[k]->a);
}

static const Expr *call_function(Elaborator *e, Scope *scope, Symbol *symbol, const Tree *node) {
  if (symbol->is_open || e->call_depth > MAX_NESTED) {
    elab_fail(e, node->place,
              symbol->is_open ? "the function `%s` calls itself: there is no recursion"
                              : "calls are nested too deeply at `%s`",
              symbol->name);
    return NULL;
  }
  Call call = {.e = e, .symbol = symbol, .key = {.mem = e->mem}};
  const Expr *expr = NULL;
  const TypeInfo result = elab_type(e, symbol->scope, symbol->function->result, NULL);
  if (!result.type)
    elab_refuse(e, node->place, result.refused);
  else if (pass_arguments(&call, scope, node)) {
    FunctionInstance *instance = find_instance(&call);
    if (!instance && e->is_query) {
      elab_fail(e, node->place, "a query cannot call `%s`: it does not only compute a value",
                symbol->name);
    } else {
      if (!instance)
        instance = make_instance(&call, symbol, result.type);
      const bool has_obstacle = instance && instance->obstacle.what && !e->ignoring;
      if (has_obstacle)
        elab_obstacle(e, instance->obstacle.place, instance->obstacle.what);
      if (instance) {
        note_writes(e, node->place, &call, instance);
        Expr *made = expr_call(e->arena, node->place, instance->function, call.args.items);
        if (result.type->kind == TYPE_REAL)
          made->type = result.type;
        if (!has_obstacle)
          expr = made;
      }
    }
  }
  release(&call);
  return expr;
}

// abs(e) as e >? -e
static const Expr *call_builtin(Elaborator *e, Scope *scope, const Tree *node) {
  if (node->a->kind != NODE_NAME || !node->a->name || strcmp(node->a->name, "abs") != 0 ||
      !node->b || node->b->next)
    return NULL;
  const Expr *arg = elab_int(e, scope, node->b), *again = arg;
  if (!arg)
    return NULL;
  // Computed once, and kept in a local. Nothing comes between its two uses: others may have it.
  if (expr_has_effects(arg) && !e->is_query) {
    const uint32_t next = e->frame->next;
    const Type *any = type_int(e->arena, INT32_MIN, INT32_MAX);
    again = expr_storage(e->arena, node->place, EXPR_LOCAL, "abs", any,
                         elab_frame(e, node->place, 1));
    arg = expr_assign(e->arena, node->place, again, arg);
    e->frame->next = next;
  }
  return expr_binary(e->arena, node->place, EXPR_MAX, arg,
                     expr_unary(e->arena, node->place, EXPR_NEG, again));
}

static void fail_unknown(Elaborator *e, const Scope *scope, const Tree *node) {
  const char *name = node->a->name ? node->a->name : "";
  if (!strcmp(name, "spawn") || !strcmp(name, "exit") || !strcmp(name, "numOf"))
    elab_refuse(e, node->place, "dynamic templates");
  else if (strcmp(name, "abs") != 0)
    elab_fail(
        e, node->place,
        e->is_query ? "there is no process or function `%s`%s" : "there is no function `%s`%s",
        name,
        *advice_name(name) ? advice_name(name) : elab_hint(e, scope, NULL, name, HINT_FUNCTIONS));
}

static void fail_other(Elaborator *e, const Symbol *symbol, const Tree *node) {
  const Place place = node->place;
  const bool is_array = symbol && symbol->info.type && symbol->info.type->kind == TYPE_ARRAY;
  if (node->a->kind == NODE_DEADLOCK)
    elab_fail(e, place, "`deadlock` has no parentheses");
  else if (is_array)
    elab_fail(e, place, "`%s` is an array: an element is written `%s[0]`", symbol->name,
              symbol->name);
  else if (symbol)
    elab_fail(e, place, "`%s` is not a function: it takes no arguments", symbol->name);
  else
    elab_fail(e, place, "this is not a function");
}

const Expr *elab_call(Elaborator *e, Scope *scope, const Tree *node) {
  Symbol *symbol = NULL;
  if (node->a->kind == NODE_NAME && node->a->name) {
    symbol = scope_find(scope, node->a->name);
    if (!symbol) {
      const uint32_t failures = e->failures;
      const Expr *expr;
      if (elab_math(e, scope, node, &expr))
        return expr;
      expr = call_builtin(e, scope, node);
      if (!expr && e->failures == failures)
        fail_unknown(e, scope, node);
      return expr;
    }
  } else if (node->a->kind == NODE_DOT) {
    const Value process = elab_value(e, scope, node->a->a);
    if (process.kind == VALUE_BAD)
      return NULL;
    if (process.kind == VALUE_PROCESS)
      symbol = scope_find_here(process.process->scope, node->a->name);
  }
  if (!symbol || symbol->kind != SYMBOL_FUNCTION) {
    if (symbol && symbol->kind == SYMBOL_REFUSED)
      elab_refuse(e, node->place, symbol->info.refused);
    else
      fail_other(e, symbol, node);
    return NULL;
  }
  return call_function(e, scope, symbol, node);
}

void elab_prepare(Elaborator *e, Symbol *symbol) {
  Call call = {.e = e, .symbol = symbol, .key = {.mem = e->mem}};
  const TypeInfo result = elab_type(e, symbol->scope, symbol->function->result, NULL);
  bool fits = result.type && result.type->kind != TYPE_VOID;
  for (const VarNode *p = symbol->function->params; p && fits; p = p->next) {
    const TypeInfo info = elab_type_or_empty(e, symbol->scope, p->type, p->dims);
    const Type *leaf = info.type;
    while (leaf && leaf->kind == TYPE_ARRAY)
      leaf = leaf->element;
    fits = leaf && p->name && !info.is_empty &&
           (leaf->kind == TYPE_INT || leaf->kind == TYPE_STRUCT || leaf->kind == TYPE_REAL) &&
           !elab_is_record(leaf);
    if (!fits)
      break;
    if (p->is_reference)
      text_add(&call.key, "v;");
    if (ignores(&call, p, info.type))
      continue;
    const uint32_t local = pass(&call, expr_const(e->arena, p->place, 0), info.type);
    see(&call, expr_storage(e->arena, p->place, EXPR_LOCAL, p->name, info.type, local), NULL);
  }
  FunctionInstance *instance = fits ? find_instance(&call) : NULL;
  if (fits && !instance)
    instance = make_instance(&call, symbol, result.type);
  uint32_t k = 0;
  for (const VarNode *p = symbol->function->params; instance && p; p = p->next, k++)
    if (p->is_reference && !elab_is_ignored(call.seen.items[k].expr) &&
        instance->writes[call.seen.items[k].expr->base])
      instance->has_effects = true;
  release(&call);
}
