// What the parts of the .xta writer share.
#pragma once

#include "model/net.h"

typedef struct Writer {
  Text *text;
  const Net *net;
  Report *report;
  bool *is_located; // by process: a variable holds its location
  bool is_trial;    // statements end where a value leaves its range
} Writer;

void xta_add_expr(Writer *, const Expr *);
void xta_add_conjunct(Writer *, const Expr *); // a disjunction in parentheses
bool xta_add_guard(Writer *, const Edge *); // `guard ...` without its end; true if there is one
void xta_check_name(Writer *, const char *name, Place);
void xta_add_variable(Writer *, const Name *); // with its type

// Updates (xta_update.c).
bool xta_is_plain(const Stmt *);      // assignments only
bool xta_can_leave(const Stmt *);     // the value of an assignment can leave the variable's range
bool xta_can_any_leave(const Stmt *); // one of a list, or inside it
bool xta_depends(const Stmt *, const Stmt *before); // whether a value is of what another one sets
void xta_add_assign(Writer *, const Stmt *);
void xta_add_functions(Writer *, ProcessId);
void xta_add_trial_call(Writer *, const Edge *, const char *before);

// Synchronisations of more than two processes, all of which must take part (xta_joint.c).
bool xta_is_joint(const Sync *);
void xta_find_located(Writer *);
void xta_add_located(Writer *);
void xta_add_where(Writer *, ProcessId, const char *op, LocationId);
bool xta_add_joint_guard(Writer *, const Edge *, const Sync *, uint32_t part);
