#include "base/arena.h"

#include <string.h>

#define CHUNK_BYTES ((size_t)16384)

struct ArenaChunk {
  ArenaChunk *older;
  size_t size;
  // payload follows
};

static void grow(Arena *arena, size_t size) {
  const size_t bytes = size > CHUNK_BYTES ? size : CHUNK_BYTES;
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
