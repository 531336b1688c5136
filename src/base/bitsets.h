// Lists of sets of up to 32 numbers, one word each: finds the sets that include a given set, or
// are included in it, several at once by vector instructions.
#pragma once

#include <stdint.h>

// Indices, from `from` on, of the sets that have all members of `set`; of those that have no
// others. BITSETS_OVER more words are readable, and more indices may be written, than there are.
enum { BITSETS_OVER = 8 };
uint32_t bitsets_including(const uint32_t *sets, uint32_t from, uint32_t end, uint32_t set,
                           uint32_t *found);
uint32_t bitsets_within(const uint32_t *sets, uint32_t from, uint32_t end, uint32_t set,
                        uint32_t *found);
