#include "language/uppaal/names.h"

#include <string.h>

enum { LEAST_SLOTS = 256 };

void names_init(Names *names, Arena *arena) {
  *names = (Names){.arena = arena, .mask = LEAST_SLOTS - 1};
  names->slots = ARENA_ARRAY(arena, const char *, LEAST_SLOTS);
}

uint32_t names_hash(const char *text, size_t length) { // FNV-1a
  uint32_t value = 2166136261u;
  for (size_t i = 0; i < length; i++)
    value = (value ^ (unsigned char)text[i]) * 16777619u;
  return value;
}

static void grow(Names *names) {
  const uint32_t mask = names->mask * 2 + 1;
  const char **slots = ARENA_ARRAY(names->arena, const char *, (size_t)mask + 1);
  for (uint32_t i = 0; i <= names->mask; i++) {
    const char *name = names->slots[i];
    if (!name)
      continue;
    uint32_t at = names_hash(name, strlen(name)) & mask;
    while (slots[at])
      at = (at + 1) & mask;
    slots[at] = name;
  }
  names->slots = slots;
  names->mask = mask;
}

const char *names_get(Names *names, const char *text, size_t length) {
  if (names->size > names->mask / 2)
    grow(names);
  uint32_t at = names_hash(text, length) & names->mask;
  for (; names->slots[at]; at = (at + 1) & names->mask)
    if (!strncmp(names->slots[at], text, length) && !names->slots[at][length])
      return names->slots[at];
  names->size++;
  return names->slots[at] = arena_text(names->arena, text, length);
}

void names_copy(Names *names) {
  const size_t bytes = sizeof *names->slots * ((size_t)names->mask + 1);
  names->slots = arena_copy(names->arena, names->slots, bytes);
}
