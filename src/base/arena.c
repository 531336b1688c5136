#include "base/arena.h"

#include <string.h>

// Chunks double in size, so that small arenas stay small. Objects are cleared one by one: of a
// chunk only what is used is touched.
#define FIRST_BYTES ((size_t)4096)
#define MAX_BYTES ((size_t)262144)

struct ArenaChunk {
  ArenaChunk *older;
  size_t size;
  // payload follows
};

// A spare chunk that is large enough; NULL if the next one is not.
static ArenaChunk *take_spare(Arena *arena, size_t size) {
  ArenaChunk *chunk = arena->spare;
  if (!chunk || chunk->size < size)
    return NULL;
  arena->spare = chunk->older;
  return chunk;
}

static void grow(Arena *arena, size_t size) {
  size_t bytes = arena->chunks ? arena->chunks->size * 2 : FIRST_BYTES;
  bytes = bytes > MAX_BYTES ? MAX_BYTES : bytes < FIRST_BYTES ? FIRST_BYTES : bytes;
  bytes = size > bytes ? size : bytes;
  ArenaChunk *chunk = take_spare(arena, size);
  if (!chunk) {
    chunk = mem_alloc_raw(arena->mem, sizeof *chunk + bytes);
    chunk->size = bytes;
  }
  chunk->older = arena->chunks;
  arena->chunks = chunk;
  arena->used = 0;
}

// Room with any contents.
static inline __attribute__((always_inline)) void *take(Arena *arena, size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (!arena->chunks || arena->chunks->size - arena->used < size)
    grow(arena, size);
  void *data = (char *)(arena->chunks + 1) + arena->used;
  arena->used += size;
  arena->bytes += size;
  return data;
}

// By pieces: a gigabyte of matrices takes the system a second.
static __attribute__((noinline)) void *clear_large(Arena *arena, char *data, size_t size) {
  for (size_t at = 0; at < size; at += MAX_BYTES) {
    mem_tick(arena->mem);
    memset(data + at, 0, size - at < MAX_BYTES ? size - at : MAX_BYTES);
  }
  return data;
}

void *arena_alloc(Arena *arena, size_t size) {
  void *data = take(arena, size);
  return size > MAX_BYTES ? clear_large(arena, data, size) : memset(data, 0, size);
}

void *arena_align(Arena *arena, size_t size, size_t slack) {
  const size_t align = 64;
  char *memory = (char *)arena_alloc(arena, size + 2 * slack + align) + slack;
  return memory + (align - (uintptr_t)memory % align) % align;
}

void *arena_copy(Arena *arena, const void *bytes, size_t size) {
  void *copy = take(arena, size);
  if (size) // an empty list may be NULL
    memcpy(copy, bytes, size);
  return copy;
}

char *arena_text(Arena *arena, const char *text, size_t length) {
  char *copy = take(arena, length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *arena_keep(Arena *arena, Text *text) {
  char *copy = arena_text(arena, text_chars(text), text->size);
  text_release(text);
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
  arena->used = arena->bytes = 0;
}

void arena_clear(Arena *arena) {
  while (arena->chunks) {
    ArenaChunk *chunk = arena->chunks;
    arena->chunks = chunk->older;
    chunk->older = arena->spare;
    arena->spare = chunk;
  }
  arena->used = arena->bytes = 0;
}
