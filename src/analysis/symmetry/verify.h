// Verification of symmetries: whether a permutation is an automorphism of the network, so that it
// maps transitions to transitions. Trusts nothing of how the permutation was found.
//
// Compared are: locations (committed, urgent, invariant); edges of each process with those of
// its image, as multisets, or, if that fails, as one relation by value tables; ranges of
// variables; synchronisations with weak and strong participants; channels and priorities. The
// order of participants may differ only if their updates do not depend on each other.
//
// Where edges that leave a location of a process that stays have no image, the symmetry can still
// hold for the rest: the location is *excluded*, with all from which it can be entered.
// doc/notes/symmetry.md has the proofs.
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
