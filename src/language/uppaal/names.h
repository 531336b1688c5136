// Names: each text has one copy, so that equal names are equal pointers. Everything lives in the
// arena.
#pragma once

#include "base/arena.h"

typedef struct Names {
  Arena *arena;
  const char **slots; // open addressing; NULL is free
  uint32_t size, mask;
} Names;

uint32_t names_hash(const char *text, size_t length);
void names_init(Names *, Arena *);
const char *names_get(Names *, const char *text, size_t length);
// The slots are copied to the present arena: what is added from now on goes with that.
void names_copy(Names *);
