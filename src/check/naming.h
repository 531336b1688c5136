// Networks under other names: one permutation of the ids of a family in a certificate
// (check/renaming.h), and parts of the network written out as text under the new names. Two parts
// with the same text are the same but for names.
//
// Constants are renamed as the values of the variable that they are compared with or assigned to.
// Prover.is_refused is set if renaming is not allowed, as with arithmetic on values that move.
#pragma once

#include "base/text.h"
#include "model/access.h"
#include "model/query.h"
#include "model/renamed.h"

// One permutation of the ids of a family; without a family nothing moves.
typedef struct Names {
  const Net *net;
  const RenamedFamily *family;
  const uint32_t *to;
  uint32_t *process, *clock, *slot; // images
} Names;

typedef struct Prover {
  Mem *mem;
  Arena arena;
  const Net *net;
  const Goal *goal;
  Text *why;
  const RenamedFamily *family;
  Access access;
  Vm vm;
  bool is_refused; // something was written that renaming does not allow
} Prover;

Names naming_make(Prover *, const RenamedFamily *, const uint32_t *to); // NULL: nothing moves
int32_t naming_value(const Names *, uint32_t sort, int32_t value);
EventId naming_event(const Names *, ProcessId, EventId);
uint32_t naming_sort(const Names *, uint32_t slot);

// `sort` is what the place wants: constants are renamed as its values are.
void naming_write_expr(Prover *, const Names *, Text *, const Expr *, uint32_t sort);
void naming_write_stmts(Prover *, const Names *, Text *, const Stmt *);

typedef VEC(char *) Lines;

void naming_add_line(Prover *, Lines *, Text *); // takes the text, which is empty then
void naming_release(Prover *, Lines *);
int naming_compare(const void *, const void *); // for qsort
bool naming_same_lines(Lines *, Lines *);       // as multisets; sorts them

// The edges that leave a location, one line each.
void naming_write_edges(Prover *, const Names *, LocationId, Lines *);
// Whether an edge is taken alone; and what its event says to others: its new name, and what its
// channel is like.
bool naming_is_alone(const Net *, const Edge *);
void naming_write_label(const Names *, Text *, const Edge *);
