// Terms (check/trees/term.h) of the conditions and statements of a TChecker model, and of queries
// about it: the second evaluator's own parser. See check/trees/tckfile.h.
#pragma once

#include "check/trees/evaluator.h"
#include "check/trees/tckfile.h"

// The condition that the attributes with this key make together: `provided` or `invariant`.
Label tckterms_condition(const TckFile *, TckAttributes, const char *key);
// The statements of `do`.
Label tckterms_updates(const TckFile *, TckAttributes);
// A query's formula, value or labels: what the tree has as text (NODE_TEXT, NODE_LABELS), and
// operators between these and numbers. The evaluator is for constants.
Label tckterms_query(const TckFile *, Evaluator *, const Tree *);
