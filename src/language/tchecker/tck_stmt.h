// Statements of the TChecker language, and what names mean in a model.
//
//   statements = statement { ";" statement } [ ";" ]
//   statement  = "nop" | storage "=" sum | local
//              | "if" formula "then" statements [ "else" statements ] "end"
//              | "while" formula "do" statements "end"
//   local      = "local" NAME [ "=" sum | "[" sum "]" ]
//
// A local variable is known to the end of its attribute; one of a loop, to the end of the loop.
// Each has its own place in the frame: one whose declaration was skipped is 0.
#pragma once

#include "language/tchecker/symbols.h"
#include "language/tchecker/tck_expr.h"

// Scopes of names in a model. Clocks and variables share one.
enum {
  TCK_VARIABLES, // id: 2 * index in Net.variables, or 2 * index in Net.clocks + 1
  TCK_EVENTS,
  TCK_PROCESSES,
  TCK_LABELS,
  TCK_WARNED,    // attributes that a warning has been given for
  TCK_SUSPECTS,  // names in declarations with errors
  TCK_LOCATIONS, // of process p: TCK_LOCATIONS + p
};

// Of the local variables of one attribute: names and elements.
enum { TCK_MAX_LOCAL_NAMES = 1000, TCK_MAX_LOCALS = 1 << 16 };

// What can be named in an attribute: the global names and, in `do`, its local ones.
typedef struct TckScope {
  const Net *net;
  const Symbols *symbols;
  VEC(const Expr *) locals;
  uint32_t frame; // elements of local variables so far
} TckScope;

// TckParser.resolve with a TckScope as its context.
Term tck_resolve(TckParser *, Token);

// The statements up to the end of the text, and the last of them; NULL after an error. The
// parser's context is a TckScope, which then knows the local variables.
Stmt *tck_statements(TckParser *, Stmt **last);
