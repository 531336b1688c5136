// Regions: large blocks of memory straight from the system, in huge pages where it has them.
// To give out a page takes the system a microsecond or more, as long as it takes to store several
// nodes; a huge one, of 512 times the size, costs little more than to clear it.
//
// A region is a stretch of addresses. Blocks are cut from its end that was never used, or from
// runs that were freed: the first that fits; adjacent ones are joined. A region without blocks is
// given back. Very large blocks have a region of their own, and grow without being copied.
//
// Where there are no such pages, and in builds that check each access to memory, there are no
// regions: region_alloc returns NULL.
#ifndef TARN_BASE_REGION_H
#define TARN_BASE_REGION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Region Region;

typedef struct Regions {
  Region *newest; // list
  size_t bytes;   // of all of them
} Regions;

// A block aligned to 64 bytes, or NULL; is_zero: it is known to be zero.
void *region_alloc(Regions *, size_t size, bool *is_zero);
void region_free(Regions *, void *, size_t size);
// The same block with another size, moved if need be; NULL, with nothing changed, if that is not
// possible without copying it. What is new in it is zero.
void *region_resize(Regions *, void *, size_t old, size_t size);

#endif
