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

// A spare chunk, zeroed, that is large enough; NULL if the next one is not.
static ArenaChunk *take_spare(Arena *arena, size_t size) {
  ArenaChunk *chunk = arena->spare;
  if (!chunk || chunk->size < size)
    return NULL;
  arena->spare = chunk->older;
  memset(chunk + 1, 0, chunk->size);
  return chunk;
}

static void grow(Arena *arena, size_t size) {
  size_t bytes = arena->chunks ? arena->chunks->size * 2 : FIRST_BYTES;
  bytes = bytes > MOST_BYTES ? MOST_BYTES : bytes < FIRST_BYTES ? FIRST_BYTES : bytes;
  bytes = size > bytes ? size : bytes;
  ArenaChunk *chunk = take_spare(arena, size);
  if (!chunk) {
    chunk = mem_alloc(arena->mem, sizeof *chunk + bytes);
    chunk->size = bytes;
  }
  chunk->older = arena->chunks;
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

static void free_chunks(Arena *arena, ArenaChunk **list) {
  while (*list) {
    ArenaChunk *older = (*list)->older;
    mem_free(arena->mem, *list);
    *list = older;
  }
}

void arena_release(Arena *arena) {
  free_chunks(arena, &arena->chunks);
  free_chunks(arena, &arena->spare);
  arena->used = 0;
}

void arena_clear(Arena *arena) {
  while (arena->chunks) {
    ArenaChunk *chunk = arena->chunks;
    arena->chunks = chunk->older;
    chunk->older = arena->spare;
    arena->spare = chunk;
  }
  arena->used = 0;
}
