// Intern: stores each byte string once and numbers the strings from 1.
#pragma once

#include "base/arena.h"
#include "base/vec.h"

typedef struct InternItem {
  uint64_t hash;
  const void *bytes;
  size_t size;
  const void *value; // what the owner keeps under the number; NULL at first
} InternItem;

typedef struct Intern {
  Mem *mem;
  Arena arena;
  VEC(InternItem) items; // number - 1
  uint32_t *slots;       // open addressing: number, 0 is free
  uint32_t mask;
  size_t bytes; // of all strings
} Intern;

void intern_init(Intern *, Mem *);
void intern_release(Intern *);
void intern_clear(Intern *);
uint32_t intern_number(Intern *, const void *bytes, size_t size);
static inline InternItem *intern_at(const Intern *intern, uint32_t number) {
  return &intern->items.items[number - 1];
}
