#include "base/arena.h"

#include <string.h>

// Chunks double in size: small arenas stay small, and large chunks come as fresh pages, which
// need not be cleared.
#define FIRST_BYTES ((size_t)16384)
#define MOST_BYTES ((size_t)262144)

struct ArenaChunk {
  ArenaChunk *older;
  size_t size;
  // payload follows
};

static void grow(Arena *arena, size_t size) {
  size_t bytes = arena->chunks ? arena->chunks->size * 2 : FIRST_BYTES;
  bytes = bytes > MOST_BYTES ? MOST_BYTES : bytes < FIRST_BYTES ? FIRST_BYTES : bytes;
  bytes = size > bytes ? size : bytes;
  ArenaChunk *chunk = mem_alloc(arena->mem, sizeof *chunk + bytes);
  chunk->older = arena->chunks;
  chunk->size = bytes;
  arena->chunks = chunk;
  arena->used = 0;
}

void *arena_alloc(Arena *arena, size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (!arena->chunks || arena->chunks->size - arena->used < size)
    grow(arena, size);
  void *data = (char *)(arena->chunks + 1) + arena->used;
  arena->used += size;
  return data;
}

char *arena_text(Arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  memcpy(copy, text, length);
  return copy;
}

void arena_release(Arena *arena) {
  while (arena->chunks) {
    ArenaChunk *older = arena->chunks->older;
    mem_free(arena->mem, arena->chunks);
    arena->chunks = older;
  }
  arena->used = 0;
}
