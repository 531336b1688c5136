// Finds the variables and clocks that a model reads. Those that are only written decide nothing:
// they may be left out of the model, or the author forgot to read them.
//
// An assignment to a variable does not count as reading that variable: `n = n + 1` alone is a
// counter that is never read. Arrays and structs count as a whole.
#pragma once

#include "model/net.h"

typedef struct Reads {
  const Net *net;
  uint32_t *variable_of; // by slot: index in Net.variables
  uint32_t *clocks_of;   // by clock: index in Net.clocks; UINT32_MAX for clocks without a name
  bool *variables;       // by index: it is read
  bool *clocks;
} Reads;

// Of everything in a finished net: guards, invariants, updates, functions.
void reads_init(Reads *, Arena *, const Net *);
void reads_expr(Reads *, const Expr *); // adds what an expression reads, such as a query; or NULL
