#include "language/tchecker/symbols.h"

#include "base/text.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

void symbols_init(Symbols *symbols, Mem *mem) { *symbols = (Symbols){.mem = mem}; }

void symbols_release(Symbols *symbols) {
  vec_release(symbols->mem, &symbols->list);
  vec_release(symbols->mem, &symbols->slots);
}

// The slot that holds the name, or the free one where it belongs.
static uint32_t *find_slot(const Symbols *symbols, uint32_t scope, const char *name,
                           uint32_t length) {
  const uint32_t mask = symbols->slots.size - 1;
  uint32_t i = (uint32_t)XXH3_64bits_withSeed(name, length, scope) & mask;
  for (;; i = (i + 1) & mask) {
    uint32_t *slot = &symbols->slots.items[i];
    if (!*slot)
      return slot;
    const Symbol *symbol = &symbols->list.items[*slot - 1];
    if (symbol->scope == scope && symbol->length == length && !memcmp(symbol->name, name, length))
      return slot;
  }
}

// At most half of the slots are taken.
static void grow(Symbols *symbols) {
  const uint32_t size = symbols->slots.size ? symbols->slots.size * 2 : 64;
  vec_release(symbols->mem, &symbols->slots);
  vec_reserve(symbols->mem, &symbols->slots, size);
  symbols->slots.size = size;
  for (uint32_t i = 0; i < symbols->list.size; i++) {
    const Symbol *symbol = &symbols->list.items[i];
    *find_slot(symbols, symbol->scope, symbol->name, symbol->length) = i + 1;
  }
}

void symbols_add(Symbols *symbols, uint32_t scope, const char *name, uint32_t id) {
  if (symbols->list.size * 2 >= symbols->slots.size)
    grow(symbols);
  const Symbol symbol = {name, (uint32_t)strlen(name), scope, id};
  uint32_t *slot = find_slot(symbols, scope, name, symbol.length);
  vec_push(symbols->mem, &symbols->list, symbol);
  *slot = symbols->list.size;
}

uint32_t symbols_find(const Symbols *symbols, uint32_t scope, const char *name, uint32_t length) {
  if (!symbols->slots.size)
    return SYMBOLS_NONE;
  const uint32_t index = *find_slot(symbols, scope, name, length);
  return index ? symbols->list.items[index - 1].id : SYMBOLS_NONE;
}

const char *symbols_nearest(const Symbols *symbols, uint32_t scope, const char *name) {
  Nearest nearest = {0};
  for (uint32_t i = 0; i < symbols->list.size; i++)
    if (symbols->list.items[i].scope == scope)
      text_consider(&nearest, name, symbols->list.items[i].name);
  return nearest.name;
}
