// Values inside expressions, and what the modules that elaborate expressions share.
#pragma once

#include "language/uppaal/elaborate.h"

static const Value bad = {.kind = VALUE_BAD};

static inline Value data(const Expr *expr) {
  return expr ? (Value){.kind = VALUE_DATA, .expr = expr} : bad;
}

static inline const Type *leaf(const Type *type) {
  while (type->kind == TYPE_ARRAY)
    type = type->element;
  return type;
}

// Names and parts of what they stand for (elab_name.c).
Value elab_symbol_value(Elaborator *, const Symbol *, Place);
Value elab_name_value(Elaborator *, Scope *, const Tree *);
Value elab_process_at(Elaborator *, Scope *, const Symbol *, const Tree *); // P(i, j)
Value elab_dot_value(Elaborator *, Scope *, const Tree *);
Value elab_index_value(Elaborator *, Scope *, const Tree *);
// A clock in an array or a struct, as the clock that it is. Returns what it was given if an index
// depends on variables.
const Expr *elab_fixed_clock(Elaborator *, const Expr *);

// Assignments inside expressions (elab_assign.c).
Value elab_assign_value(Elaborator *, Scope *, const Tree *);
Value elab_step_value(Elaborator *, Scope *, const Tree *);

// Structs with clocks as a whole (elab_record.c).
void elab_assign_record(Elaborator *, Place, const Value *target, const Value *value, StmtList *);
Value elab_compare_records(Elaborator *, Place, ExprKind, const Value *, const Value *);
