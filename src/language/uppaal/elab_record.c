// Structs with clocks. The state of a network keeps clocks apart from variables. So a struct with
// clock fields is stored twice, as a struct of its clocks and as a struct of the rest, and
// `a[i].f` is looked for in both. Names stay as they were declared: `a[2].x`.
#include "language/uppaal/elab_value.h"

#include <string.h>

bool elab_is_record(const Type *type) {
  type = leaf(type);
  if (type->kind != TYPE_STRUCT)
    return false;
  for (uint32_t k = 0; k < type->count; k++)
    if (leaf(type->fields[k].type)->kind == TYPE_CLOCK || elab_is_record(type->fields[k].type))
      return true;
  return false;
}

const Type *elab_part(Elaborator *e, const Type *type, bool clocks) {
  if (type->kind == TYPE_ARRAY) {
    const Type *element = elab_part(e, type->element, clocks);
    return element
               ? type_of_set(e->arena, type_array(e->arena, element, type->first, type->count),
                             type->scalar_set)
               : NULL;
  }
  if (type->kind != TYPE_STRUCT)
    return (type->kind == TYPE_CLOCK) == clocks ? type : NULL;
  Field *fields = ARENA_ARRAY(e->arena, Field, type->count);
  uint32_t count = 0;
  for (uint32_t k = 0; k < type->count; k++) {
    const Type *part = elab_part(e, type->fields[k].type, clocks);
    if (part)
      fields[count++] = (Field){.name = type->fields[k].name, .type = part};
  }
  return count ? type_struct(e->arena, fields, count) : NULL;
}

// Goes on in the two parts; returns the number of slots of the type that are clocks.
static uint32_t split(const Type *type, const int32_t *values, int32_t *data, int32_t *clocks) {
  if (type->kind != TYPE_ARRAY && type->kind != TYPE_STRUCT) {
    memcpy(type->kind == TYPE_CLOCK ? clocks : data, values, sizeof *values * type->slots);
    return type->kind == TYPE_CLOCK;
  }
  uint32_t found = 0, done = 0;
  for (uint32_t k = 0; k < type->count; k++) {
    const Type *part = type->kind == TYPE_ARRAY ? type->element : type->fields[k].type;
    found += split(part, values + done, data + (done - found), clocks + found);
    done += part->slots;
  }
  return found;
}

void elab_part_values(const Type *type, const int32_t *values, int32_t *data, int32_t *clocks) {
  split(type, values, data, clocks);
}

bool elab_fits_record(Elaborator *e, const Type *type, const Expr *data, const Expr *clocks) {
  const Type *rest = elab_part(e, type, false), *timed = elab_part(e, type, true);
  return timed && elab_same_type(timed, clocks->type) && !rest == !data &&
         (!rest || elab_same_type(rest, data->type));
}

// The clocks of two records of one type, pair by pair.
typedef void PairVisit(Elaborator *, void *context, const Expr *a, const Expr *b);

static void each_pair(Elaborator *e, const Expr *a, const Expr *b, PairVisit *visit,
                      void *context) {
  const Type *type = a->type;
  for (uint32_t k = 0; type->kind == TYPE_ARRAY && k < type->count; k++)
    each_pair(e,
              expr_index(e->arena, a->place, a,
                         expr_const(e->arena, a->place, type->first + (int32_t)k)),
              expr_index(e->arena, b->place, b,
                         expr_const(e->arena, b->place, b->type->first + (int32_t)k)),
              visit, context);
  for (uint32_t k = 0; type->kind == TYPE_STRUCT && k < type->count; k++)
    each_pair(e, expr_field(e->arena, a->place, a, &type->fields[k]),
              expr_field(e->arena, b->place, b, &b->type->fields[k]), visit, context);
  if (type->kind == TYPE_CLOCK)
    visit(e, context, a, b);
}

static bool same_record(const Value *a, const Value *b) {
  return a->kind == VALUE_RECORD && b->kind == VALUE_RECORD && !a->expr == !b->expr &&
         elab_same_type(a->plus->type, b->plus->type) &&
         (!a->expr || elab_same_type(a->expr->type, b->expr->type));
}

static bool changes_something(const Value *value) {
  return expr_has_effects(value->expr) || expr_has_effects(value->plus);
}

static void assign_clock(Elaborator *e, void *list, const Expr *target, const Expr *source) {
  elab_add(e, list, target->place, STMT_CLOCK_ASSIGN, target, NULL)->source = source;
}

// The clocks first: indices may read what the second half writes.
void elab_assign_record(Elaborator *e, Place place, const Value *target, const Value *value,
                        StmtList *list) {
  if (!same_record(target, value)) {
    elab_fail(e, place, "the two sides have different types");
    return;
  }
  if (changes_something(target) || changes_something(value)) {
    elab_fail(e, place,
              "where structs with clocks are assigned, indices must not call functions "
              "or change variables");
    return;
  }
  each_pair(e, target->plus, value->plus, assign_clock, list);
  e->frame->has_effects = true;
  if (target->expr)
    elab_add(e, list, place, STMT_ASSIGN, target->expr, value->expr);
}

typedef struct Comparison {
  Place place;
  ExprKind op;
  const Expr *result;
} Comparison;

static void compare_clocks(Elaborator *e, void *context, const Expr *a, const Expr *b) {
  Comparison *c = context;
  const Expr *zero = expr_const(e->arena, c->place, 0);
  const Expr *test = expr_clock_test(e->arena, c->place, a, b, c->op, zero);
  c->result = c->result ? expr_binary(e->arena, c->place, c->op == EXPR_EQ ? EXPR_AND : EXPR_OR,
                                      c->result, test)
                        : test;
}

Value elab_compare_records(Elaborator *e, Place place, ExprKind op, const Value *a,
                           const Value *b) {
  if ((op != EXPR_EQ && op != EXPR_NE) || !same_record(a, b))
    return elab_bad(e, place, "values of different types cannot be compared");
  Comparison c = {place, op, NULL};
  if (a->expr)
    c.result = expr_binary(e->arena, place, op, a->expr, b->expr);
  each_pair(e, a->plus, b->plus, compare_clocks, &c);
  return data(c.result);
}
