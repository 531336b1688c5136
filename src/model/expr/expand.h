// Makes expressions quicker to evaluate, for callers that evaluate them often: calls of functions
// that only return a value become that value, and quantifiers over few values become their parts.
// The value stays the same, and so do the errors.
#pragma once

#include "model/expr/expr.h"

// In the arena; parts that stay as they are are shared. `*locals` is the frame of the expression,
// and grows where the quantifiers of a function go with its value.
const Expr *expr_expand(Arena *, const Expr *, uint32_t *locals);

// The expression with a local (a scalar) replaced by another one. NULL stays NULL.
const Expr *expr_put(Arena *, const Expr *, uint32_t local, const Expr *value);
