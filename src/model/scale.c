#include "model/scale.h"

int64_t scale_constant(Scale *scale, int64_t value) {
  if (!scale)
    return value;
  const int64_t size = value < 0 ? -value : value;
  scale->common = text_divisor(scale->common, size);
  scale->max = size > scale->max ? size : scale->max;
  scale->misfits |= value % scale_unit(scale) != 0;
  return value / scale_unit(scale);
}

const Expr *scale_number(Scale *scale, Arena *arena, Place place, int64_t value) {
  const int64_t scaled = scale_constant(scale, value);
  const int32_t cut = scaled > INT32_MAX    ? INT32_MAX
                      : scaled < -INT32_MAX ? -INT32_MAX
                                            : (int32_t)scaled;
  Expr *expr = expr_const(arena, place, cut);
  expr->wide = cut == scaled ? 0 : scaled;
  expr->unit = scale_unit(scale);
  return expr;
}

const Expr *scale_expr(Scale *scale, Arena *arena, const Expr *expr) {
  int32_t value;
  if (!expr || !scale)
    return expr;
  if (expr_is_const(expr, &value))
    return scale_unit(scale) == 1 ? (scale_constant(scale, value), expr)
                                  : scale_number(scale, arena, expr->place, value);
  scale->is_dynamic = true;
  return expr;
}

int64_t scale_wanted(const Scale *scale, int64_t limit) {
  if (scale->max <= limit || scale->is_dynamic || scale->common < 2)
    return 1;
  return scale->max / scale->common <= limit ? scale->common : 1;
}

void scale_print(Text *text, int64_t value, int64_t denominator, int64_t unit) {
  const int64_t common = text_divisor(denominator, unit);
  int64_t product;
  if (!__builtin_mul_overflow(value, unit / common, &product))
    text_add_fraction(text, product, denominator / common);
  else // more than 64 bits: what is left to multiply is said
    text_addf(text, "%lld*%lld/%lld", (long long)value, (long long)(unit / common),
              (long long)(denominator / common));
}
