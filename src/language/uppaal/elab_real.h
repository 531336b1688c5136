// Real numbers, clocks as numbers, and what symbolic queries ignore.
//
// A model is elaborated in one of two ways (Elaborator.is_full). For statistical queries all of
// it becomes part of the net. For symbolic ones, real variables and hybrid clocks do not: they
// are *ignored*. They have symbols and types, so that mistakes are found, but no place in the
// net, and assignments to them are left out. Where they could change an answer there is an
// *obstacle*: a comparison, a conversion to an integer, a clock that is set to a real number.
// Only constants are exempt. An obstacle in a function counts where the function is called.
#pragma once

#include "language/uppaal/elab_value.h"

// Something that symbolic queries cannot have; `what` is a sentence, which is kept.
void elab_obstacle(Elaborator *, Place, const char *what);
extern const char elab_real_obstacle[], elab_clock_obstacle[], elab_hybrid_obstacle[];
// In what is ignored, an effect on variables is an obstacle, too.
void elab_note_effect(Elaborator *, Place);

bool elab_is_real(const Type *);           // or an array of them
bool elab_is_ignored(const Expr *storage); // NULL: false
// Storage that is ignored; `kind` is EXPR_VAR or EXPR_CLOCK.
const Expr *elab_ignored(Elaborator *, Place, ExprKind, const char *name, const Type *);

// A number as a real number; NULL, and no error, if it is none.
const Expr *elab_as_real(Elaborator *, const Value *, Place);
// To the type of a variable: an integer becomes real, a real constant without a fraction an
// integer, an integer a truth. Else the expression itself.
const Expr *elab_coerce(Elaborator *, const Expr *, const Type *);
// A real constant without a fraction as an integer; else the value itself.
Value elab_whole(Elaborator *, Value);
// An operator with a real operand, or of clocks where only their values will do.
Value elab_real_operation(Elaborator *, const Tree *, const Value *, const Value *);
// A function of model/expr/real.h, if the name is one.
bool elab_math(Elaborator *, Scope *, const Tree *call, const Expr **result);
// base ** exponent; one of them is real.
const Expr *elab_real_power(Elaborator *, Place, const Expr *base, const Expr *exponent);
// The type with real numbers in the place of clocks.
const Type *elab_real_type(Elaborator *, const Type *);
// x' == rate, in an invariant.
Value elab_rate(Elaborator *, Scope *, const Tree *);
// When all processes are made: keeps the rates of stopwatches, refuses others that matter, and
// forgets the rest.
void elab_check_rates(Elaborator *);
