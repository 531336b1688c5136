// Premises of a query: if none of the states that it speaks of is ever reached, it holds
// vacuously. `A[] p imply q` has the premise p, and so has `p --> q`.
#pragma once

#include "model/query.h"

typedef struct Premises {
  const Expr **items; // in the arena
  uint32_t count;
  bool is_constant; // the query does not depend on the model at all
} Premises;

Premises premises_of(Arena *, const Query *);
