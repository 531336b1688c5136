// What the parts of the .xta writer share.
#ifndef TARN_UPPAAL_XTA_INSIDE_H
#define TARN_UPPAAL_XTA_INSIDE_H

#include "model/net.h"

typedef struct Writer {
  Text *text;
  const Net *net;
  Report *report;
  bool *is_located; // by process: a variable holds its location
} Writer;

void xta_add_expr(Writer *, const Expr *);
void xta_add_conjunct(Writer *, const Expr *); // a disjunction in parentheses
bool xta_add_guard(Writer *, const Edge *); // `guard ...` without its end; true if there is one
bool xta_is_plain(const Stmt *);            // assignments only
bool xta_can_leave(const Stmt *); // the value of an assignment can leave the variable's range

// Synchronisations of more than two processes, all of which must take part (xta_joint.c).
bool xta_is_joint(const Sync *);
bool xta_is_part(const Edge *, const SyncPart *);
void xta_find_located(Writer *);
void xta_add_located(Writer *);
void xta_add_where(Writer *, ProcessId, const char *op, LocationId);
bool xta_add_joint_guard(Writer *, const Edge *, const Sync *, uint32_t part);

#endif
