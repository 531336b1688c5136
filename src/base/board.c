#include "base/board.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { UNIT = 8, ROOM = 64 }; // bytes of room for which there is one slot

typedef struct Note {
  uint32_t hash, size;
  char bytes[];
} Note;

struct Board {
  Lock *lock;
  void *lock_memory;    // where that lies
  uint32_t used, units; // of the room
  uint32_t count, most;
  uint32_t *starts; // by number: in units
  uint32_t *slots;  // open addressing: number, 0 is free
  uint32_t mask;
  char *room;
};

Board *board_new(Mem *mem, size_t bytes) {
  Board *board = mem_alloc(mem, sizeof *board);
  char *lock = mem_alloc(mem, 2 * sizeof(Lock));
  const size_t skip = (sizeof(Lock) - (uintptr_t)lock % sizeof(Lock)) % sizeof(Lock);
  board->lock_memory = lock;
  board->lock = (Lock *)(void *)(lock + skip);
  board->units = (uint32_t)(bytes / UNIT);
  board->room = mem_alloc(mem, bytes);
  board->mask = 1;
  while (board->mask < bytes / ROOM)
    board->mask = board->mask * 2 + 1;
  board->most = board->mask / 2;
  board->starts = mem_alloc(mem, sizeof *board->starts * (board->most + 1));
  board->slots = mem_alloc(mem, sizeof *board->slots * ((size_t)board->mask + 1));
  return board;
}

void board_release(Board *board, Mem *mem) {
  if (!board)
    return;
  mem_free(mem, board->lock_memory);
  mem_free(mem, board->room);
  mem_free(mem, board->starts);
  mem_free(mem, board->slots);
  mem_free(mem, board);
}

static Note *note_at(const Board *board, uint32_t number) {
  return (Note *)(void *)(board->room + (size_t)board->starts[number] * UNIT);
}

// The slot of a string, or the free one where it belongs.
static uint32_t *find_slot(const Board *board, uint32_t hash, const void *bytes, size_t size) {
  uint32_t at = hash & board->mask;
  for (uint32_t number; (number = board->slots[at]); at = (at + 1) & board->mask) {
    const Note *note = note_at(board, number);
    if (note->hash == hash && note->size == size && !memcmp(note->bytes, bytes, size))
      break;
  }
  return &board->slots[at];
}

static uint32_t add(Board *board, uint32_t hash, const void *bytes, size_t size) {
  const size_t units = (sizeof(Note) + size + UNIT - 1) / UNIT;
  if (board->count == board->most || units > board->units - board->used)
    return 0;
  board->starts[++board->count] = board->used;
  board->used += (uint32_t)units;
  Note *note = note_at(board, board->count);
  note->hash = hash;
  note->size = (uint32_t)size;
  memcpy(note->bytes, bytes, size);
  return board->count;
}

uint32_t board_number(Board *board, const void *bytes, size_t size) {
  const uint32_t hash = (uint32_t)XXH3_64bits(bytes, size);
  lock_acquire(board->lock);
  uint32_t *slot = find_slot(board, hash, bytes, size);
  if (!*slot)
    *slot = add(board, hash, bytes, size);
  const uint32_t number = *slot;
  lock_release(board->lock);
  return number;
}

const void *board_at(const Board *board, uint32_t number, size_t *size) {
  const Note *note = note_at(board, number);
  *size = note->size;
  return note->bytes;
}
