// Federations: finite unions of zones, for sets that are not convex: complements, what is left
// after a subtraction, the states from which something can happen.
//
// Representation: `count` tight non-empty matrices of dimension n, one after the other. The empty
// federation is the empty set. The zones may overlap; federation_subtract keeps disjoint zones
// disjoint. The federation owns its matrices, which lie in `mem`.
#pragma once

#include "base/mem.h"
#include "dbm/dbm.h"

typedef struct Federation {
  Mem *mem;
  uint32_t n;
  uint32_t count, capacity;
  Bound *zones;
  Bound *scratch; // two matrices
} Federation;

void federation_init(Federation *, Mem *, uint32_t n);
void federation_release(Federation *);
static inline void federation_clear(Federation *f) { f->count = 0; }

static inline const Bound *federation_zone(const Federation *f, uint32_t index) {
  return f->zones + index * (dbm_bytes(f->n) / sizeof(Bound));
}

void federation_add(Federation *, const Bound *zone);         // union with a zone, no test
void federation_copy(Federation *to, const Federation *from); // of the same dimension
// Takes a zone away, exactly: each zone that meets it falls into the parts beyond one of its
// constraints.
void federation_subtract(Federation *, const Bound *zone);
void federation_subtract_all(Federation *, const Federation *);
void federation_intersect(Federation *, const Bound *zone);
bool federation_meets(const Federation *, const Bound *zone); // they have a point in common
void federation_down(Federation *);                           // the past
bool federation_contains(const Federation *, const int64_t *point, int64_t scale);

// Whether two zones have a point in common; the intersection then is in `to`.
bool federation_common(Mem *, Bound *to, const Bound *a, const Bound *b, uint32_t n);
