// What the lines of a model of UPPAAL name but do not say: the functions that it calls, and its
// constant arrays and structs. They become lines of their own, each once, in the order in which
// they are first needed.
//
// Several can have one name: a function for each process that has its own, or for each variable
// that a reference stands for; a part of an array goes by the name of the whole. Those that
// differ are numbered: `f`, `f#2`, and constants `c#1`, `c#2`, as they can have the name of a
// variable, too. In functions and hooks `i#3` is the variable that begins at place 3 of the
// frame. A variable that a quantifier binds elsewhere is `i#` if `i` is a variable of the model.
#pragma once

#include "model/expr/print.h"
#include "model/net.h"

typedef struct Definition {
  const char *kind, *name;
  const Expr *table; // NULL: it is none
  char *text;
  uint32_t number; // among those with this name, from 1
} Definition;

typedef struct Definitions {
  Mem *mem;
  const Net *net;
  Marks marks; // to print what is in the net
  VEC(Definition) items;
  uint32_t *functions; // by id: the number; 0: none yet
  Text *locals;        // those of the function that is printed; NULL: none is
} Definitions;

// It must not move while it is used.
void definitions_begin(Definitions *, Mem *, const Net *);
void definitions_end(Definitions *);

// `{locals: int i#0 : do: i#0 = 3}`, for hooks.
void definitions_print_code(Definitions *, Text *, const Stmt *);
// All that was needed so far, a line each.
void definitions_print(const Definitions *, Text *);

void definitions_print_type(Text *, const Type *); // `int[0,3][2]`, `struct(int a, int b)`
