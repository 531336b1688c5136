// Types, constants and initial values.
#include "base/random.h"
#include "language/uppaal/advice.h"
#include "language/uppaal/elab_real.h"
#include "model/expr/real.h"

#include <inttypes.h>
#include <string.h>

static TypeInfo refused_type(const char *what) { return (TypeInfo){.refused = what}; }

// An error was reported; what follows goes on with an integer.
static TypeInfo bad_type(Elaborator *e) {
  return (TypeInfo){.type = type_int(e->arena, INT32_MIN, INT32_MAX), .is_bad = true};
}

static TypeInfo int_type(Elaborator *e, Scope *scope, const TypeNode *node) {
  TypeInfo info = {.is_plain_int = !node->a};
  int32_t low = INT16_MIN, high = INT16_MAX;
  if (!node->a && node->is_const)
    low = INT32_MIN, high = INT32_MAX;
  if (node->a && (!elab_constant_int(e, scope, node->a, &low) ||
                  !elab_constant_int(e, scope, node->b, &high)))
    return bad_type(e);
  info.is_empty = low > high;
  info.type = type_int(e->arena, low, low > high ? low : high);
  return info;
}

static TypeInfo scalar_type(Elaborator *e, Scope *scope, const TypeNode *node) {
  int32_t size;
  if (!elab_constant_int(e, scope, node->a, &size))
    return bad_type(e);
  if (size < 1) {
    elab_fail(e, node->place, "a scalar set needs at least one element");
    return bad_type(e);
  }
  return (TypeInfo){.type =
                        type_of_set(e->arena, type_int(e->arena, 0, size - 1), ++e->scalar_sets)};
}

static TypeInfo struct_type(Elaborator *e, Scope *scope, const TypeNode *node) {
  uint32_t count = 0;
  for (const VarNode *f = node->fields; f; f = f->next)
    count++;
  Field *fields = ARENA_ARRAY(e->arena, Field, count);
  uint32_t k = 0;
  const char *refused = NULL;
  bool has_real = false;
  for (const VarNode *f = node->fields; f; f = f->next, k++) {
    const TypeInfo info = elab_type(e, scope, f->type, f->dims);
    const Type *leaf = info.type;
    while (leaf && leaf->kind == TYPE_ARRAY)
      leaf = leaf->element;
    if (!leaf)
      refused = info.refused;
    else if (leaf->kind == TYPE_CHANNEL)
      refused = "structs with channels";
    else if (leaf->kind == TYPE_REAL && !e->is_full)
      refused = "structs with floating point numbers (`double`)", has_real = true;
    has_real |= info.has_real;
    fields[k] = (Field){.name = f->name, .type = info.type};
    for (const VarNode *g = node->fields; g != f; g = g->next)
      if (g->name == f->name)
        elab_fail_twice(e, f->place, g->place, "the field `%s` is declared", f->name);
  }
  if (refused)
    return (TypeInfo){.refused = refused, .has_real = has_real};
  const Type *type = type_struct(e->arena, fields, count);
  if (type->slots > NET_MAX_SLOTS) {
    elab_fail(e, node->place, "this struct has more than %d elements", NET_MAX_SLOTS);
    return bad_type(e);
  }
  return (TypeInfo){.type = type};
}

// What is to be written instead of a type that is not there.
static const char *type_hint(Elaborator *e, const Scope *scope, const char *name) {
  const char *advice = advice_name(name);
  return *advice ? advice : elab_hint(e, scope, NULL, name, HINT_TYPES);
}

static TypeInfo named_type(Elaborator *e, Scope *scope, const TypeNode *node) {
  const Symbol *symbol = node->name ? scope_find(scope, node->name) : NULL;
  if (!symbol && node->name)
    symbol = elab_predeclared(e, node->name, node->place);
  if (!node->name)
    return bad_type(e);
  if (!symbol || symbol->kind != SYMBOL_TYPE) {
    const bool is_template = elab_finds_template(e, node->name);
    elab_fail(e, node->place,
              is_template
                  ? "`%s` is a template, not a type: a process is made by `%s1 = %s(...);`"
              : symbol ? "`%s` is not a type"
                       : "there is no type `%s`%s",
              node->name, is_template ? node->name : type_hint(e, scope, node->name), node->name);
    return bad_type(e);
  }
  TypeInfo info = symbol->info;
  if (info.is_plain_int && node->is_const)
    info.type = type_int(e->arena, INT32_MIN, INT32_MAX);
  return info;
}

static TypeInfo base_type(Elaborator *e, Scope *scope, const TypeNode *node) {
  switch (node->kind) {
  case TYPENODE_INT:
    return int_type(e, scope, node);
  case TYPENODE_BOOL:
    return (TypeInfo){.type = type_bool(e->arena)};
  case TYPENODE_CLOCK:
    return (TypeInfo){.type = type_clock(e->arena), .is_hybrid = node->is_hybrid};
  case TYPENODE_CHAN:
    return (TypeInfo){.type = type_channel(e->arena)};
  case TYPENODE_SCALAR:
    return scalar_type(e, scope, node);
  case TYPENODE_STRUCT:
    return struct_type(e, scope, node);
  case TYPENODE_NAME:
    return named_type(e, scope, node);
  case TYPENODE_VOID:
    return (TypeInfo){.type = type_void(e->arena)};
  case TYPENODE_DOUBLE:
    return (TypeInfo){.type = type_real(e->arena)};
  case TYPENODE_STRING:
    break;
  }
  return refused_type("strings");
}

// The indices of a dimension: 0 .. size - 1, or the values of a type.
static bool dimension(Elaborator *e, Scope *scope, const DimNode *dim, int32_t *first,
                      uint32_t *count) {
  const TypeNode *type = dim->type;
  TypeNode named = {.kind = TYPENODE_NAME};
  if (!type && dim->size->kind == NODE_NAME) {
    const Symbol *symbol = scope_find(scope, dim->size->name);
    if (symbol && symbol->kind == SYMBOL_TYPE) {
      named.name = dim->size->name;
      named.place = dim->size->place;
      type = &named;
    }
  }
  int32_t low = 0, high;
  if (type) {
    if (!elab_range(e, scope, type, &low, &high))
      return false;
  } else {
    if (!elab_constant_int(e, scope, dim->size, &high))
      return false;
    if (high < 0)
      return elab_fail(e, dim->size->place, "the size of an array is %d", (int)high);
    high--;
  }
  const int64_t size = (int64_t)high - low + 1;
  if (size > NET_MAX_SLOTS)
    return elab_fail(e, type ? type->place : dim->size->place,
                     "an array of %" PRId64 " elements is too large: at most %d are supported",
                     size, NET_MAX_SLOTS);
  *first = low;
  *count = (uint32_t)(size > 0 ? size : 0);
  return true;
}

// The scalar set whose elements are the indices of a dimension; 0: none, or one without a name.
static uint32_t set_of(const Scope *scope, const DimNode *dim) {
  const char *name = dim->type                      ? dim->type->name
                     : dim->size->kind == NODE_NAME ? dim->size->name
                                                    : NULL;
  const Symbol *symbol = name ? scope_find(scope, name) : NULL;
  return symbol && symbol->kind == SYMBOL_TYPE && symbol->info.type &&
                 symbol->info.type->kind == TYPE_INT
             ? symbol->info.type->scalar_set
             : 0;
}

// a[2][3] is an array of two arrays of three.
static const Type *array_type(Elaborator *e, Scope *scope, const Type *element,
                              const DimNode *dim) {
  if (!dim)
    return element;
  const Type *inner = array_type(e, scope, element, dim->next);
  int32_t first = 0;
  uint32_t count = 0;
  if (!inner || !dimension(e, scope, dim, &first, &count))
    return NULL;
  const Type *type =
      type_of_set(e->arena, type_array(e->arena, inner, first, count), set_of(scope, dim));
  if (type->slots > NET_MAX_SLOTS) {
    elab_fail(e, dim->type ? dim->type->place : dim->size->place,
              "this array has more than %d elements", NET_MAX_SLOTS);
    return NULL;
  }
  return type;
}

TypeInfo elab_type_or_empty(Elaborator *e, Scope *scope, const TypeNode *node,
                            const DimNode *dims) {
  TypeInfo info = base_type(e, scope, node);
  info.is_const |= node->is_const;
  info.is_meta |= node->is_meta;
  info.is_urgent |= node->is_urgent;
  info.is_broadcast |= node->is_broadcast;
  info.is_hybrid |= node->is_hybrid;
  if (info.type && dims) {
    const Type *array = array_type(e, scope, info.type, dims);
    info.is_bad |= !array;
    info.type = array ? array : bad_type(e).type;
    info.is_plain_int = false;
  }
  return info;
}

TypeInfo elab_type(Elaborator *e, Scope *scope, const TypeNode *node, const DimNode *dims) {
  TypeInfo info = elab_type_or_empty(e, scope, node, dims);
  if (info.is_empty)
    elab_fail(e, node->place, "the range is empty: nothing can have a value of this type");
  info.is_bad |= info.is_empty;
  return info;
}

bool elab_range(Elaborator *e, Scope *scope, const TypeNode *node, int32_t *low, int32_t *high) {
  const uint32_t failures = e->failures;
  const TypeInfo info = elab_type_or_empty(e, scope, node, NULL);
  if (e->failures != failures || info.is_bad)
    return false;
  if (!info.type || info.type->kind != TYPE_INT)
    return elab_fail(e, node->place,
                     "a bounded integer type, `bool` or a scalar set is needed here");
  if (info.is_plain_int && (int64_t)info.type->max - info.type->min > UINT16_MAX)
    return elab_fail(e, node->place, "a range is needed here, as in `int[0,7]`");
  *low = info.type->min;
  *high = info.type->max;
  if (info.is_empty) { // the same for all: from 1 to 0
    *low = 1;
    *high = 0;
  }
  return true;
}

// Constants: what is not one after folding is compiled and run, on a state that holds nothing but
// the result.

static bool stmts_read_state(const Stmt *);

static bool reads_state(const void *unused, const Expr *expr) {
  (void)unused;
  return expr->kind == EXPR_VAR || expr->kind == EXPR_CLOCK || expr->kind == EXPR_AT ||
         expr->kind == EXPR_CLOCK_TEST || expr->kind == EXPR_CLOCK_VALUE ||
         (expr->kind == EXPR_CALL && stmts_read_state(expr->function->body));
}

static bool stmts_read_state(const Stmt *stmt) {
  for (; stmt; stmt = stmt->next)
    if (stmt->kind == STMT_CLOCK_ASSIGN || expr_any(stmt->target, reads_state, NULL) ||
        expr_any(stmt->value, reads_state, NULL) || stmts_read_state(stmt->body) ||
        stmts_read_state(stmt->other))
      return true;
  return false;
}

// A local outside a quantifier of the expression itself is no constant either.
static bool reads_frame(const void *elaborator, const Expr *expr) {
  const Frame *frame = ((const Elaborator *)elaborator)->frame;
  return expr->kind == EXPR_REMOTE ||
         (expr->kind == EXPR_LOCAL && frame && expr->base < frame->next);
}

static double uniform(void *random) { return (double)(random_next(random) >> 11) * 0x1p-53; }

// Whether it has a distribution; functions are not looked into.
static bool draws_number(const Expr *expr) {
  return expr && ((expr->kind == EXPR_MATH && real_functions[expr->value].draws) ||
                  draws_number(expr->a) || draws_number(expr->b) || draws_number(expr->c));
}

static bool run(Elaborator *e, const Expr *expr, int32_t *values) {
  const uint32_t slots = expr->type->slots;
  while (e->codes.size < e->net->functions.size) {
    const Code *code = code_function(e->arena, e->net->functions.items[e->codes.size]);
    vec_push(e->mem, &e->codes, code);
  }
  int32_t *min = mem_alloc(e->mem, sizeof *min * slots);
  int32_t *max = mem_alloc(e->mem, sizeof *max * slots);
  for (uint32_t k = 0; k < slots; k++)
    min[k] = INT32_MIN, max[k] = INT32_MAX;
  Stmt *assign = elab_new_stmt(e, expr->place, STMT_ASSIGN);
  assign->target = expr_storage(e->arena, expr->place, EXPR_VAR, "", expr->type, 0);
  assign->value = expr;
  const uint32_t locals = e->frame ? e->frame->max : 64;
  const Update update = code_update(e->arena, assign, locals);
  Vm vm;
  vm_init(&vm, e->mem);
  vm.slot_min = min;
  vm.slot_max = max;
  vm.functions = e->codes.items;
  vm.tables = e->net->tables.items;
  vm.wraps = true;
  Random random;
  random_seed(&random, 1);
  const RealDraws draws = {uniform, &random};
  vm.draws = e->is_full ? &draws : NULL;
  if (e->is_full && draws_number(expr))
    elab_warn(e, expr->place, "this random number is drawn once, not in each run");
  ClockUpdates updates = {0};
  const VmResult result = vm_update(&vm, &update, values, &updates);
  if (result != VM_TRUE)
    elab_fail(e, vm.error_place.source ? vm.error_place : expr->place,
              "this constant cannot be computed: %s", vm.error);
  vec_release(e->mem, &updates);
  vm_release(&vm);
  mem_free(e->mem, min);
  mem_free(e->mem, max);
  return result == VM_TRUE;
}

bool elab_constant(Elaborator *e, const Expr *expr, int32_t *values) {
  double number;
  if (expr_is_const(expr, values))
    return true;
  if (expr_is_real(expr, &number)) {
    real_store(values, number);
    return true;
  }
  if (expr->kind == EXPR_TABLE) {
    memcpy(values, expr->table, sizeof *values * expr->type->slots);
    return true;
  }
  if (expr_any(expr, reads_state, NULL) || expr_any(expr, reads_frame, e))
    return elab_fail(e, expr->place, "this must be a constant, known before the system runs");
  return run(e, expr, values);
}

bool elab_constant_int(Elaborator *e, Scope *scope, const Tree *node, int32_t *value) {
  const Expr *expr = elab_int(e, scope, node);
  return expr && elab_constant(e, expr, value);
}

// Initial values.

void elab_default(const Type *type, int32_t *values) {
  if (type->kind == TYPE_ARRAY) {
    for (uint32_t i = 0; i < type->count; i++)
      elab_default(type->element, values + i * type->element->slots);
  } else if (type->kind == TYPE_STRUCT) {
    for (uint32_t i = 0; i < type->count; i++)
      elab_default(type->fields[i].type, values + type->fields[i].offset);
  } else {
    *values = type->kind == TYPE_INT && (type->min > 0 || type->max < 0) ? type->min : 0;
  }
}

static bool fill(Elaborator *e, Scope *scope, const Type *type, const Tree *node,
                 int32_t *values);

bool elab_field_again(Elaborator *e, const Type *type, const Tree *list, const Tree *item,
                      const Field *field) {
  uint32_t k = 0;
  for (const Tree *other = list->b; other != item; other = other->next, k++) {
    const bool named = other->kind == NODE_DOT && other->value;
    if ((named ? type_field(type, other->name) : &type->fields[k]) != field)
      continue;
    elab_fail_twice(e, item->place, other->place, "the field `%s` is given a value", field->name);
    return true;
  }
  return false;
}

static bool fill_struct(Elaborator *e, Scope *scope, const Type *type, const Tree *list,
                        int32_t *values) {
  uint32_t k = 0;
  for (const Tree *item = list->b; item; item = item->next, k++) {
    const Field *field = k < type->count ? &type->fields[k] : NULL;
    const Tree *value = item;
    if (item->kind == NODE_DOT && item->value) {
      field = type_field(type, item->name);
      value = item->a;
    }
    if (field && elab_field_again(e, type, list, item, field))
      return false;
    if (!field || !fill(e, scope, field->type, value, values + field->offset)) {
      if (!field)
        elab_fail(e, item->place,
                  value == item ? "there are more values than fields%s"
                                : "there is no field `%s`",
                  value == item ? "" : item->name);
      return false;
    }
  }
  if (k < type->count)
    elab_fail(e, list->place, "there are %u values for %u fields", (unsigned)k,
              (unsigned)type->count);
  return k == type->count;
}

static bool fill_list(Elaborator *e, Scope *scope, const Type *type, const Tree *list,
                      int32_t *values) {
  if (type->kind == TYPE_STRUCT)
    return fill_struct(e, scope, type, list, values);
  if (type->kind != TYPE_ARRAY)
    return elab_fail(e, list->place, "a list of values is for arrays and structs");
  uint32_t k = 0;
  for (const Tree *item = list->b; item; item = item->next, k++)
    if (k < type->count &&
        !fill(e, scope, type->element, item, values + k * type->element->slots))
      return false;
  if (k != type->count)
    elab_fail(e, list->place, "there are %u values for an array of %u", (unsigned)k,
              (unsigned)type->count);
  return k == type->count;
}

static bool fill(Elaborator *e, Scope *scope, const Type *type, const Tree *node,
                 int32_t *values) {
  if (node->kind == NODE_LIST)
    return fill_list(e, scope, type, node, values);
  const Expr *expr = elab_data(e, scope, node);
  if (!expr)
    return false;
  const Type *number = type->kind == TYPE_CLOCK ? type_int(e->arena, INT32_MIN, INT32_MAX) : type;
  expr = elab_coerce(e, expr, number);
  if (type->kind == TYPE_CLOCK && expr->type->kind == TYPE_REAL) {
    elab_obstacle(e, node->place, "for symbolic queries a clock starts with an integer");
    return false;
  }
  if (expr->type->slots != type->slots ||
      (expr->type->kind == TYPE_INT) != (number->kind == TYPE_INT) ||
      (expr->type->kind == TYPE_REAL) != (type->kind == TYPE_REAL))
    return elab_fail(e, node->place, "this value has another type than what it is for");
  if (!elab_constant(e, expr, values))
    return false;
  if (type->kind == TYPE_INT && type->is_bool)
    *values = *values != 0;
  if (type->kind == TYPE_INT && (*values < type->min || *values > type->max))
    return elab_fail(e, node->place, "the value %d is outside the range %d .. %d", (int)*values,
                     (int)type->min, (int)type->max);
  return true;
}

const int32_t *elab_initial(Elaborator *e, Scope *scope, const Type *type, const Tree *node) {
  int32_t *values = ARENA_ARRAY(e->arena, int32_t, type->slots);
  if (!node) {
    elab_default(type, values);
    return values;
  }
  return fill(e, scope, type, node, values) ? values : NULL;
}

void elab_need_value(Elaborator *e, const TypeInfo *info, const VarNode *var) {
  if (info->is_const && !var->init)
    elab_fail(e, var->place, "the constant `%s` needs a value", var->name);
}

const Expr *elab_table(Elaborator *e, Place place, const char *name, const Type *type,
                       const int32_t *values) {
  if (type->kind == TYPE_REAL)
    return expr_real(e->arena, place, real_load(values));
  if (type->kind == TYPE_INT) {
    Expr *expr = expr_const(e->arena, place, *values);
    expr->type = type->is_bool ? type : expr->type;
    return expr;
  }
  const uint32_t base = e->net->tables.size;
  vec_reserve(e->mem, &e->making->tables, base + type->slots);
  for (uint32_t k = 0; k < type->slots; k++)
    vec_push(e->mem, &e->making->tables, values[k]);
  return expr_table(e->arena, place, name, type, values, base);
}
