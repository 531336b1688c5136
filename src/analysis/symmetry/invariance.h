// Finds the symmetries that keep a query: if the query names some ids, only permutations that
// leave these ids in place are used.
#pragma once

#include "analysis/symmetry/symmetry.h"

// Whether every permutation of the family's group maps the formula to one that means the same.
// The operands of &&, || and + may change places, and those of == and !=, unless something can
// fail at run time.
bool invariance_holds(const Family *, Arena *, const Net *, const Expr *);

// The symmetries under which a formula is invariant: whole families, and of the others the ids
// that it does not name (the stabiliser), if there are two at least. NULL: all of them.
Symmetry invariance_restrict(const Symmetry *, Arena *, const Net *, const Expr *);

// The orbit of a formula under a family that it names some ids of: the disjunction of its images,
// or with `all` the conjunction. If the group maps initial states to initial states, a state that
// satisfies the formula is reachable iff one is that satisfies an image of it. NULL if there are
// too many images, or clocks in it, or it cannot be done.
const Expr *invariance_orbit(const Family *, Arena *, const Net *, const Expr *, bool all);
