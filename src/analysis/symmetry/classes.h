// Classes of variables that hold values of one kind: those that are copied to or compared with
// each other, or that index the same array, belong together. For proposals of symmetry only.
//
// A *node* is a slot of a variable, an index of an array variable (one for each dimension), or a
// local of a function or an attribute. Nodes are united as the expressions of the network are
// read.
#pragma once

#include "base/pairs.h"
#include "model/net.h"

enum { CLASSES_DIMENSIONS = 4, CLASSES_MAX_SLOTS = 1 << 14 };
#define CLASS_NONE UINT32_MAX

typedef struct Classes {
  Mem *mem;
  const Net *net;
  VEC(uint32_t) parent; // union-find
  Pairs locals;         // of scope and local: node + 1
  uint32_t *variable;   // by slot: the variable that it belongs to
} Classes;

void classes_init(Classes *, Arena *, const Net *); // reads all of the network
void classes_release(Classes *);

uint32_t classes_find(Classes *, uint32_t node); // the representative of its class
// The node of what an expression reads; CLASS_NONE if it is no variable. `scope` is where locals
// belong: a function, or any address that is the same for the same attribute.
uint32_t classes_node(Classes *, const Expr *, const void *scope);
uint32_t classes_local(Classes *, const void *scope, uint32_t local);
// The node of the index of storage, given by its root, in its dimension `depth`; CLASS_NONE if
// there is none.
uint32_t classes_index(Classes *, const Expr *root, uint32_t depth, const void *scope);
// The same of a variable.
static inline uint32_t classes_variable_index(Classes *classes, uint32_t variable) {
  return classes->net->location_slot + variable * CLASSES_DIMENSIONS;
}

// The root of a storage expression, how many indices lead to it, and whether all of them are
// constant; then *slot is its first slot, local or clock.
const Expr *classes_root(const Expr *, uint32_t *depth, bool *is_constant, uint32_t *slot);
