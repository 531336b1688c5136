#include "plan/valueclaims.h"

#include "model/syntax.h"

#include "answers/certificates/encode.h"

CertificateClaim valueclaims_of(QueryKind kind, const ValueBounds *bounds) {
  CertificateClaim claim = {0};
  if (!bounds->found)
    return (CertificateClaim){.is = CERTIFY_EMPTY};
  if (kind != QUERY_SUP) {
    claim.is |= CERTIFY_LOW | (bounds->low_strict ? CERTIFY_LOW_STRICT : 0);
    claim.low = bounds->low;
  }
  if (kind != QUERY_INF && bounds->is_infinite) {
    claim.is |= CERTIFY_GROWS;
  } else if (kind != QUERY_INF) {
    claim.is |= CERTIFY_HIGH | (bounds->high_strict ? CERTIFY_HIGH_STRICT : 0);
    claim.high = bounds->high;
  }
  return claim;
}

ValueBounds valueclaims_bounds(const Query *query, uint32_t index,
                               const CertificateClaim *claim) {
  return (ValueBounds){.value = query->values[index],
                       .is_clock = query->values[index]->kind == EXPR_CLOCK,
                       .found = !(claim->is & CERTIFY_EMPTY),
                       .is_infinite = claim->is & CERTIFY_GROWS,
                       .low_strict = claim->is & CERTIFY_LOW_STRICT,
                       .high_strict = claim->is & CERTIFY_HIGH_STRICT,
                       .low = claim->low,
                       .high = claim->high};
}

void valueclaims_encode(Text *text, const CertificateClaim *claims, uint32_t count) {
  encode_number(text, count);
  for (uint32_t i = 0; i < count; i++) {
    encode_number(text, claims[i].is);
    encode_integer(text, claims[i].low);
    encode_integer(text, claims[i].high);
  }
}

static bool fits(int64_t value) { return value >= -INT32_MAX && value <= INT32_MAX; }

bool valueclaims_answers(const Query *query, uint32_t index, const CertificateClaim *claim) {
  const bool is_clock = query->values[index]->kind == EXPR_CLOCK;
  const bool has_low = claim->is & CERTIFY_LOW, has_high = claim->is & CERTIFY_HIGH;
  const bool is_strict_low = claim->is & CERTIFY_LOW_STRICT;
  const bool is_strict_high = claim->is & CERTIFY_HIGH_STRICT, grows = claim->is & CERTIFY_GROWS;
  // Nothing that has no meaning.
  if ((is_strict_low && !has_low) || (is_strict_high && !has_high) || (grows && has_high) ||
      (!has_low && claim->low) || (!has_high && claim->high) || !fits(claim->low) ||
      !fits(claim->high))
    return false;
  if (claim->is & CERTIFY_EMPTY)
    return claim->is == CERTIFY_EMPTY && query->formula;
  if ((is_strict_low || is_strict_high || grows) && !is_clock)
    return false;
  return has_low == (query->kind != QUERY_SUP) &&
         (has_high || grows) == (query->kind != QUERY_INF);
}

static const Expr *compare(Arena *arena, const Query *query, const Expr *value, ExprKind op,
                           int64_t bound) {
  const Expr *number = expr_const(arena, query->place, (int32_t)bound);
  return value->kind == EXPR_CLOCK ? expr_clock_test(arena, query->place, value, NULL, op, number)
                                   : expr_binary(arena, query->place, op, value, number);
}

static const Expr *join(Arena *arena, const Query *query, ExprKind kind, const Expr *a,
                        const Expr *b) {
  return !a ? b : !b ? a : expr_binary(arena, query->place, kind, a, b);
}

const Expr *valueclaims_contradiction(Arena *arena, const Query *query,
                                      const CertificateClaim *claims) {
  const Expr *beyond = NULL;
  for (uint32_t i = 0; i < query->value_count; i++) {
    const CertificateClaim *claim = &claims[i];
    const Expr *value = query->values[i];
    if (claim->is & CERTIFY_EMPTY)
      return query->formula;
    if (claim->is & CERTIFY_LOW)
      beyond = join(arena, query, EXPR_OR, beyond,
                    compare(arena, query, value,
                            claim->is & CERTIFY_LOW_STRICT ? EXPR_LE : EXPR_LT, claim->low));
    if (claim->is & CERTIFY_HIGH)
      beyond = join(arena, query, EXPR_OR, beyond,
                    compare(arena, query, value,
                            claim->is & CERTIFY_HIGH_STRICT ? EXPR_GE : EXPR_GT, claim->high));
  }
  return beyond ? join(arena, query, EXPR_AND, query->formula, beyond) : NULL;
}

const Expr *valueclaims_near(Arena *arena, const Query *query, const Expr *value, int64_t bound,
                             bool is_low, bool is_strict) {
  const int64_t low = bound - (is_strict && !is_low), high = bound + (is_strict && is_low);
  const Expr *least = compare(arena, query, value, is_strict ? EXPR_GT : EXPR_GE, low);
  const Expr *most = compare(arena, query, value, is_strict ? EXPR_LT : EXPR_LE, high);
  return join(arena, query, EXPR_AND, query->formula, join(arena, query, EXPR_AND, least, most));
}

const Expr *valueclaims_shown(Arena *arena, const Query *query, uint32_t index,
                              const CertificateClaim *claim, bool is_low) {
  const bool is_strict = claim->is & (is_low ? CERTIFY_LOW_STRICT : CERTIFY_HIGH_STRICT);
  return valueclaims_near(arena, query, query->values[index], is_low ? claim->low : claim->high,
                          is_low, is_strict);
}

static Tree *number_tree(Arena *arena, const Expr *number, int64_t unit) {
  int32_t value;
  const int64_t wide = expr_is_const(number, &value) ? value * unit : INT64_MAX;
  Tree *tree = ARENA_NEW(arena, Tree);
  *tree = (Tree){.kind = NODE_NUMBER, .place = number->place, .value = (int32_t)wide};
  return wide >= INT32_MIN && wide <= INT32_MAX ? tree : NULL;
}

const Tree *valueclaims_tree(Arena *arena, const Query *query, const Expr *expr, int64_t unit) {
  if (expr == query->formula)
    return query->tree;
  for (uint32_t i = 0; query->value_trees && i < query->value_count; i++)
    if (expr == query->values[i])
      return query->value_trees[i];
  if (expr->kind == EXPR_CONST)
    return number_tree(arena, expr, 1);
  const bool is_test = expr->kind == EXPR_CLOCK_TEST;
  if ((is_test && expr->b) || (!is_test && (expr->kind < EXPR_EQ || expr->kind > EXPR_OR)))
    return NULL;
  const Tree *a = valueclaims_tree(arena, query, expr->a, unit);
  const Tree *b =
      is_test ? number_tree(arena, expr->c, unit) : valueclaims_tree(arena, query, expr->b, unit);
  Tree *tree = ARENA_NEW(arena, Tree);
  *tree = (Tree){.kind = NODE_BINARY,
                 .op = is_test ? expr->op : expr->kind,
                 .place = expr->place,
                 .a = a,
                 .b = b};
  return a && b ? tree : NULL;
}
