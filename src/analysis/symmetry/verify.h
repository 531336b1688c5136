// Verifies that a permutation is an automorphism of the network: it maps transitions to
// transitions. Nothing is assumed about how the permutation was found.
//
// These are compared: locations (committed, urgent, invariant); the edges of each process with
// those of its image, as multisets or, if that fails, by value tables; ranges of variables;
// synchronisations with their weak and strong participants; channels and priorities. The order of
// participants may differ only if their updates do not depend on each other.
//
// A process that the permutation leaves in place may have a location whose outgoing edges have no
// image. The location is then *excluded*, together with all locations that lead to it, and the
// symmetry holds for the rest. doc/notes/symmetry.md has the proofs.
#pragma once

#include "analysis/symmetry/family.h"
#include "analysis/symmetry/match.h"

// Verifies the generators of the family's group: for the full group a swap of the first two ids
// and a rotation, else the rotation. Fills in `excluded` and `keeps_initial`. `skip` has the
// rules (SymmetryRule) that are left out: 0 but in tests.
bool symmetry_verify(Family *, Arena *, const Net *, unsigned skip);
// The same for the swap of two ids alone.
bool symmetry_verify_swap(Family *, Arena *, const Net *, uint32_t a, uint32_t b, unsigned skip);

// Whether a condition is mapped to itself by all generators: a query is invariant.
bool symmetry_keeps(const Family *, Arena *, const Net *, const Expr *);
