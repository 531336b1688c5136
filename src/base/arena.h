// Arena: many small objects that live and die together (a model, a parse).
//
// Objects never move. The arena owns its chunks; everything is freed by arena_release.
// An all-zero Arena with `mem` set is valid and empty.
#pragma once

#include "base/text.h"

typedef struct ArenaChunk ArenaChunk;

typedef struct Arena {
  Mem *mem;
  ArenaChunk *chunks; // newest first
  size_t used;        // bytes of the newest chunk in use
  ArenaChunk *spare;  // chunks that arena_clear kept
  size_t bytes;       // of all objects
} Arena;

// Zeroed, aligned to 16 bytes, never NULL (size 0 gives a valid pointer).
void *arena_alloc(Arena *, size_t size);
// The same, aligned to 64 bytes, a cache line, with so many bytes before and after it.
void *arena_align(Arena *, size_t size, size_t slack);
void *arena_copy(Arena *, const void *bytes, size_t size);
char *arena_text(Arena *, const char *text, size_t length); // copies, adds NUL
char *arena_keep(Arena *, Text *);                          // copies and releases it
void arena_release(Arena *);
// As arena_release, but keeps the memory for what comes next: for arenas that fill up again.
void arena_clear(Arena *);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (count)))
