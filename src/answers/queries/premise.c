#include "answers/queries/premise.h"

#include <string.h>

typedef struct Collector {
  Arena *arena;
  VEC(const Expr *) items;
  bool says_imply; // the text of the query has the word
} Collector;

// `p imply q` is kept as `!p || q`. Front ends push the negation down, so that `!p` may be any
// condition: then only the word in the text tells that it was one.
static bool is_implication(const Collector *c, const Expr *expr) {
  return expr->kind == EXPR_OR && (expr->a->kind == EXPR_NOT || c->says_imply);
}

static const Expr *negate(Collector *c, const Expr *expr) {
  return expr->kind == EXPR_NOT ? expr->a : expr_unary(c->arena, expr->place, EXPR_NOT, expr);
}

// Of a formula that holds in every state. `forall (i) p imply q` has a premise if some p is
// reached; where clocks are tested that cannot be asked, and nothing is told.
static void collect(Collector *c, const Expr *expr) {
  if (expr->kind == EXPR_AND) {
    collect(c, expr->a);
    collect(c, expr->b);
  } else if (is_implication(c, expr)) {
    vec_push(c->arena->mem, &c->items, negate(c, expr->a));
  } else if (expr->kind == EXPR_FORALL && is_implication(c, expr->a) &&
             !expr_has_clock_test(expr->a->a)) {
    vec_push(c->arena->mem, &c->items,
             expr_quantifier(c->arena, expr->place, EXPR_EXISTS, expr->base, expr->low,
                             expr->high, negate(c, expr->a->a)));
  }
}

Premises premises_of(Arena *arena, const Query *query) {
  Collector c = {.arena = arena, .says_imply = query->text && strstr(query->text, "imply")};
  Premises premises = {0};
  int32_t value;
  if (query->formula && query->kind <= QUERY_EVENTUALLY)
    premises.is_constant = expr_is_const(query->formula, &value);
  if (query->kind == QUERY_LEADS_TO && query->formula)
    vec_push(arena->mem, &c.items, query->formula);
  else if (query->kind == QUERY_INVARIANT && query->formula)
    collect(&c, query->formula);
  premises.count = c.items.size;
  premises.items = arena_copy(arena, c.items.items, c.items.size * sizeof *c.items.items);
  vec_release(arena->mem, &c.items);
  return premises;
}
