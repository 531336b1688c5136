// Symbols: which names are declared, by scope. A scope is any number that the reader
// chooses; the same name may stand for different things in different scopes.
//
// A hash table of indices into the list of entries, which keeps the order of declaration. The
// names are not copied: they must live as long as the table.
#pragma once

#include "base/vec.h"

#define SYMBOLS_NONE UINT32_MAX

typedef struct Symbol {
  const char *name;
  uint32_t length;
  uint32_t scope;
  uint32_t id; // the reader's, never SYMBOLS_NONE
} Symbol;

typedef struct Symbols {
  Mem *mem;
  VEC(Symbol) list;
  VEC(uint32_t) slots; // 0: free, else 1 + index in the list; size is a power of two
} Symbols;

void symbols_init(Symbols *, Mem *);
void symbols_release(Symbols *);
// The name must not be in the scope yet.
void symbols_add(Symbols *, uint32_t scope, const char *name, uint32_t id);
// The id, or SYMBOLS_NONE.
uint32_t symbols_find(const Symbols *, uint32_t scope, const char *name, uint32_t length);
// The name of that scope that the user may have meant, or NULL.
const char *symbols_nearest(const Symbols *, uint32_t scope, const char *name);
