// Representatives of nodes under the symmetries of a network. A node is a discrete state with a
// zone. An orbit is the set of nodes that permutations of the ids map to each other; only one
// node of it is to be visited.
//
// For the full group, the ids are sorted: by the locations of their processes, by their
// variables, by which cells hold the id, and then by their clocks, x_i before x_j if x_i - x_j
// has the smaller bound of the two. If clocks are only reset to 0, this is a total preorder whose
// ties can be exchanged: the result is the same for all nodes of the orbit. Otherwise it is some
// node of the orbit, which is sound all the same. For rotations it is the least one.
// doc/notes/symmetry.md has the proofs.
//
// Twins: two neighbouring ids such that the node simulates itself with the two swapped. If a
// permutation of twins maps transitions to each other, one of them is enough.
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "dbm/bound.h"

// What is known of the clocks: the bound of x_i - x_j, 0 if one of them does not matter.
typedef struct OrbitZone OrbitZone;
struct OrbitZone {
  Bound (*entry)(const OrbitZone *, ClockIndex i, ClockIndex j);
  // Whether the zone with some clocks swapped is included in it modulo the abstraction in use:
  // swapped[x] is the clock whose place x takes, of the clocks listed; the others stay.
  bool (*simulates)(const OrbitZone *, const ClockIndex *swapped, const ClockIndex *list,
                    uint32_t count);
};

typedef struct IdKey {
  uint64_t columns; // locations and plain variables of the id
  uint64_t cells;   // which cells hold it
} IdKey;

typedef struct OrbitSort { // where the values of a sort belong
  int32_t low;
  uint32_t count;
  const uint32_t *owner; // by value: column * size + id + 1, 0 for none
} OrbitSort;

typedef struct OrbitFamily {
  const Family *family;
  uint32_t field_count; // columns of slots: locations and plain variables
  const uint32_t *fields;
  const uint64_t *scale; // of each, in the key; 0: the key is a hash
  bool is_exact;         // keys say everything about the columns
  uint32_t cell_count;   // slots that hold ids
  const uint32_t *cells;
  const uint32_t *cell_owner; // id + 1 that the cell belongs to, 0 for none
  const uint32_t *cell_column;
  const OrbitSort *sorts;
  uint32_t excluded_count; // processes with excluded locations
  const ProcessId *excluded;
  IdKey *keys;     // by id
  bool *is_held;   // some cell holds the id
  uint32_t *order; // place -> id
  uint32_t *image; // id -> place
  bool is_moved;   // by the last orbit_find
  bool *is_twin;   // of the id before it
  bool has_twins;
} OrbitFamily;

typedef struct Orbit {
  const Net *net;
  OrbitFamily *families;
  uint32_t count;
  const uint32_t *family_of; // by process: family + 1; 0: it stays
  const uint32_t *id_of, *column_of;
  int32_t *state, *scratch;
  ClockIndex *from;    // clock x of the representative is clock from[x] of the node
  ClockIndex *earlier; // scratch
  ClockIndex *swapped, *list;
  uint64_t *roles; // scratch
} Orbit;

void orbit_init(Orbit *, Arena *, const Net *, const Symmetry *);

// Finds the representative of a node: false if it is the node itself. Else `state` is its
// discrete state, `from` its clocks, and each family's `image` where the ids went.
bool orbit_find(Orbit *, const int32_t *state, const OrbitZone *);

// Finds the twins of a node that is a representative; false if there are none.
bool orbit_find_twins(Orbit *, const int32_t *state, const OrbitZone *);
// What an edge makes the id of its process do, as a number other than 0; 0 if it has none.
uint64_t orbit_role(const Orbit *, const Edge *);
// Whether a transition of it can be left out, as another one is its image.
bool orbit_prunes(Orbit *, const Edge *const *edges, uint32_t count);
