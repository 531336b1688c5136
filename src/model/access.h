// What conditions and statements can read and write, found by looking at the trees; nothing
// here is run during a search.
//
// A *cell* is the unit of it: a slot of a variable (an array of more than ACCESS_MAX_SLOTS
// slots is one cell as a whole), the location of a process, or a clock. What depends on an
// index that is not constant counts for every cell that the index can reach.
#pragma once

#include "model/net.h"

enum { ACCESS_MAX_SLOTS = 64 };

typedef uint32_t CellId; // variables, then locations, then clocks

enum {
  ACCESS_READ = 1,
  ACCESS_WRITE = 2,
  ACCESS_SET = 4, // a clock is written, perhaps to something else than 0
};

typedef struct Access {
  Mem *mem;
  const Net *net;
  const CellId *first;   // per variable: its first cell
  CellId first_location; // of process 0
  CellId first_clock;    // of clock 0, which stands for nothing
  uint32_t cell_count;
  uint8_t *marks;               // per cell, since the last access_clear
  VEC(CellId) marked;           // cells with a mark
  VEC(const Function *) called; // whose bodies were looked at since then
} Access;

void access_init(Access *, Arena *, const Net *); // of a finished net
void access_release(Access *);
void access_clear(Access *);

// Add what an expression (NULL: nothing) or a list of statements can access.
void access_expr(Access *, const Expr *);
void access_stmts(Access *, const Stmt *);
// The same after what was marked before is forgotten.
void access_expr_alone(Access *, const Expr *);
void access_stmts_alone(Access *, const Stmt *);
void access_invariant(Access *, const Location *); // with the rates of clocks
void access_mark(Access *, CellId, unsigned kind);

CellId access_cell(const Access *, uint32_t slot); // of a variable
bool access_has_clocks(const Access *);            // some clock is marked
bool access_finds_clocks(Arena *, const Net *, const Expr *);
