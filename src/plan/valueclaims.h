// What a certificate of extreme values claims, as conditions on states.
//
// `sup`, `inf` and `bounds` ask for the least or the greatest value of expressions in the states
// that satisfy a condition. A claim says where such a value lies. Two things prove it: no state
// that satisfies the condition has a value beyond, and a run comes to the value, or within 1 of
// it if it is not reached. All constants are whole, so nothing but the value lies between then.
#pragma once

#include "answers/queries/bounds.h"
#include "check/certificate_reader.h"

// From what a search found. Numbers are in the unit of the net.
CertificateClaim valueclaims_of(QueryKind, const ValueBounds *);
ValueBounds valueclaims_bounds(const Query *, uint32_t index, const CertificateClaim *);
void valueclaims_encode(Text *, const CertificateClaim *, uint32_t count);

// Whether the claim answers the query about its value with this index.
bool valueclaims_answers(const Query *, uint32_t index, const CertificateClaim *);
// The states that contradict the claims, one for each value of the query; NULL: there is nothing
// to contradict, as all values grow without end.
const Expr *valueclaims_contradiction(Arena *, const Query *, const CertificateClaim *);
// The states in which a value is at its bound or, where it is strict, within 1 of it.
const Expr *valueclaims_near(Arena *, const Query *, const Expr *value, int64_t bound,
                             bool is_low, bool is_strict);
// Those that show one side of a claim.
const Expr *valueclaims_shown(Arena *, const Query *, uint32_t index, const CertificateClaim *,
                              bool is_low);
// The syntax tree of such a condition, or of one that joins the query's formula with comparisons
// of its values and numbers, for Goal.tree. NULL: the query has no trees, or it is another
// condition.
const struct Tree *valueclaims_tree(Arena *, const Query *, const Expr *condition, int64_t unit);
