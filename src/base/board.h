// Board: byte strings that several threads number in common. Its room is fixed, so that nothing
// can fail while it is locked; strings that find none have no number.
#ifndef TARN_BASE_BOARD_H
#define TARN_BASE_BOARD_H

#include "base/lock.h"
#include "base/mem.h"

typedef struct Board Board;

Board *board_new(Mem *, size_t bytes); // room for strings, with a few bytes for each
void board_release(Board *, Mem *);    // NULL is all right

// From 1 on, for a string that is not empty; 0: there is no room for it.
uint32_t board_number(Board *, const void *bytes, size_t size);
// The string, aligned to 8. Nothing is locked: whoever asks was told the number.
const void *board_at(const Board *, uint32_t number, size_t *size);

#endif
