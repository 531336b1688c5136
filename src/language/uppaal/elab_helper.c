// Functions that the language does not name: model code for what no operation of the model does.
#include "language/uppaal/elab_value.h"

enum { MAX_FACTORS = 31, MAX_CHOICES = 256 };

static const Expr *param(Elaborator *e, Place place, const char *name, const Type *type,
                         uint32_t local) {
  return expr_storage(e->arena, place, EXPR_LOCAL, name, type, local);
}

// A function of two values; the second is an integer; `body` is its code.
static const Function *add_function(Elaborator *e, const char *name, const Type *first,
                                    const Type *result, const Stmt *body, uint32_t locals) {
  Function *function = ARENA_NEW(e->arena, Function);
  const Type **params = ARENA_ARRAY(e->arena, const Type *, 2);
  params[0] = first;
  params[1] = type_int(e->arena, INT32_MIN, INT32_MAX);
  *function = (Function){.name = name,
                         .result = result,
                         .params = params,
                         .param_count = 2,
                         .body = body,
                         .local_slots = locals,
                         .id = e->net->functions.size};
  vec_push(e->mem, &e->making->functions, function);
  return function;
}

static const Expr *call(Elaborator *e, Place place, const Function *function, const Expr *a,
                        const Expr *b) {
  const Expr *args[] = {a, b};
  return expr_call(e->arena, place, function, args);
}

// int power(int a, int b) { assert(b >= 0); r = 1; while (b > 0) r = r * a, b = b - 1; return r;
// }
static const Function *power_function(Elaborator *e, Place place) {
  const Type *any = type_int(e->arena, INT32_MIN, INT32_MAX);
  const Expr *a = param(e, place, "base", any, 0), *b = param(e, place, "exponent", any, 1);
  const Expr *r = param(e, place, "power", any, 2);
  const Expr *zero = expr_const(e->arena, place, 0), *one = expr_const(e->arena, place, 1);
  StmtList list = {0}, body = {0};
  elab_add(e, &list, place, STMT_ASSERT, NULL, expr_binary(e->arena, place, EXPR_GE, b, zero));
  elab_add(e, &list, place, STMT_ASSIGN, r, one);
  elab_add(e, &body, place, STMT_ASSIGN, r, expr_binary(e->arena, place, EXPR_MUL, r, a));
  elab_add(e, &body, place, STMT_ASSIGN, b, expr_binary(e->arena, place, EXPR_SUB, b, one));
  Stmt *loop =
      elab_add(e, &list, place, STMT_WHILE, NULL, expr_binary(e->arena, place, EXPR_GT, b, zero));
  loop->body = body.first;
  elab_add(e, &list, place, STMT_RETURN, NULL, r);
  return add_function(e, "power", any, any, list.first, 3);
}

const Expr *elab_power(Elaborator *e, Place place, const Expr *base, const Expr *exponent) {
  int32_t times;
  if (expr_is_const(exponent, &times) && times >= 0 && times <= MAX_FACTORS &&
      (e->is_query || !expr_has_effects(base))) { // calls of a query have no effects
    const Expr *product = base;
    if (!times) // base * 0 + 1, which fails where the base does
      product = expr_binary(
          e->arena, place, EXPR_ADD,
          expr_binary(e->arena, place, EXPR_MUL, base, expr_const(e->arena, place, 0)),
          expr_const(e->arena, place, 1));
    for (int32_t k = 1; k < times; k++)
      product = expr_binary(e->arena, place, EXPR_MUL, product, base);
    return product;
  }
  if (e->is_query) {
    elab_fail(e, place, "in a query the exponent must be a number between 0 and %d", MAX_FACTORS);
    return NULL;
  }
  if (!e->power)
    e->power = power_function(e, place);
  return call(e, place, e->power, base, exponent);
}

// Element k of an array that is not stored.
static const Expr *part_at(Elaborator *e, Place place, const Expr *array, uint32_t k) {
  Expr *part = ARENA_NEW(e->arena, Expr);
  *part = (Expr){.kind = EXPR_FIELD,
                 .type = array->type->element,
                 .place = place,
                 .name = "element",
                 .base = k * array->type->element->slots,
                 .a = array};
  return part;
}

// A query comes when the net has all its functions. So its index chooses among the elements; the
// last choice is taken with an index outside only, and is the error.
static const Expr *chosen_part(Elaborator *e, Place place, const Expr *array, const Expr *index) {
  const Type *type = array->type;
  int32_t value;
  if (expr_is_const(index, &value) && (uint32_t)value - (uint32_t)type->first < type->count)
    return part_at(e, place, array, (uint32_t)value - (uint32_t)type->first);
  if (type->count > MAX_CHOICES) {
    elab_fail(e, place, "a query can index what a function returns if it has at most %d elements",
              MAX_CHOICES);
    return expr_const(e->arena, place, 0);
  }
  const int32_t *zeros = ARENA_ARRAY(e->arena, int32_t, type->slots);
  const Expr *result =
      expr_index(e->arena, place, expr_table(e->arena, place, "result", type, zeros, 0), index);
  for (uint32_t k = type->count; k-- > 0;) {
    const Expr *place_of = expr_const(e->arena, place, type->first + (int32_t)k);
    result = expr_cond(e->arena, place, expr_binary(e->arena, place, EXPR_EQ, index, place_of),
                       part_at(e, place, array, k), result);
  }
  return result;
}

// Storage is indexed in place, `c ? a : b` in the branch that is taken. The result of a call
// becomes the parameter of a function that returns the element.
const Expr *elab_element(Elaborator *e, Place place, const Expr *array, const Expr *index) {
  if (expr_is_storage(array))
    return expr_index(e->arena, place, array, index);
  if (array->kind == EXPR_COND)
    return expr_cond(e->arena, place, array->a, elab_element(e, place, array->b, index),
                     elab_element(e, place, array->c, index));
  if (e->is_query)
    return chosen_part(e, place, array, index);
  const Type *type = array->type, *any = type_int(e->arena, INT32_MIN, INT32_MAX);
  StmtList list = {0};
  elab_add(e, &list, place, STMT_RETURN, NULL,
           expr_index(e->arena, place, param(e, place, "array", type, 0),
                      param(e, place, "index", any, type->slots)));
  const Function *function =
      add_function(e, "element", type, type->element, list.first, type->slots + 1);
  return call(e, place, function, array, index);
}
