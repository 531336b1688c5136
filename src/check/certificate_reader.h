// Reads the parts of a certificate (model/certificate_format.h): numbers, bounds, states,
// matrices, and the index of where each node is. All input is distrusted.
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "check/forgotten.h"
#include "check/renaming.h"
#include "model/certificate_format.h"
#include "model/net.h"

typedef struct CertificateHead {
  int kind;          // CERTIFY_ALL, ...
  const char *query; // not terminated
  size_t query_size;
  const char *origin;
  size_t origin_size;
  unsigned features;         // CERTIFY_RENAMED, ...
  const unsigned char *hash; // of the model, CERTIFY_HASH bytes; NULL: an older file has none
  uint32_t claim_count;      // of extreme values
  size_t claims;             // their offset
  ProcessId process;         // with CERTIFY_MARKED
} CertificateHead;

// What is claimed of an extreme value.
typedef struct CertificateClaim {
  unsigned is; // a sum of CERTIFY_LOW, ...
  int64_t low, high;
} CertificateClaim;

// What a checker has seen: discrete states, nodes or points, transitions.
typedef struct CertifyCounts {
  uint32_t states, nodes;
  uint64_t transitions;
  size_t sections; // offset of the list; 0: an older file has none
} CertifyCounts;

// Whether the bytes begin like a certificate; then the head. False with the reason.
bool certificate_is_one(const char *bytes, size_t size);
bool certificate_head(CertificateHead *, const char *bytes, size_t size, Text *why);
// Claim `index` of a head that was read.
CertificateClaim certificate_claim(const CertificateHead *, const char *bytes, size_t size,
                                   uint32_t index);
// The bytes of the first section with this number; NULL: there is none.
const char *certificate_section(const char *bytes, size_t size, const CertifyCounts *,
                                uint64_t number, size_t *length);

// x_i - x_j <= c is 2c + 1, < c is 2c; NODEBOUND_INFINITE is no bound. Sums along a path of
// clocks cannot overflow (check/nodezone.h has the argument).
typedef int64_t NodeBound;
#define NODEBOUND_INFINITE (INT64_C(1) << 61)
#define NODEBOUND_MAX CERTIFY_MAX_ENTRY // of a finite one in a file, if constants are not large
#define NODEBOUND_ZERO ((NodeBound)1)   // <= 0

// L and U of a clock: CERTIFY_ codes turned into numbers.
#define BOUND_NONE INT64_C(-1)
#define BOUND_INFINITE (INT64_C(1) << 50)

// x_i - x_j <= bound, of positions in the node's clocks (check/nodediagonals.h).
typedef struct NodeDiagonal {
  uint32_t i, j;
  NodeBound bound;
} NodeDiagonal;

typedef struct NodeBounds {
  uint32_t k;               // clocks listed, and the constant zero as clock 0
  const ClockIndex *clocks; // ascending; [0] is 0
  const int64_t *lower, *upper;
  const uint32_t *position;      // by clock of the net: its index here, or UINT32_MAX
  const NodeDiagonal *diagonals; // differences of clocks that matter
  uint32_t diagonal_count;
} NodeBounds;

typedef struct CertificateNode {
  uint64_t offset; // of its matrix
  uint32_t group, bounds;
  uint32_t number; // of a certificate about infinite runs
} CertificateNode;

// What a node says about the transitions that it leaves out (check/leftout.h).
typedef struct ReducedSet {
  uint32_t reason; // CERTIFY_STILL_..., 0: it leaves out none
  ProcessId process;
  ClockIndex clock;
  const bool *in; // by process: the set whose transitions are not left out
} ReducedSet;

typedef struct Certificate {
  Mem *mem;
  const Net *net;
  Arena arena;
  const unsigned char *bytes;
  size_t size;
  size_t at; // of the next byte to be read
  bool is_broken;
  unsigned version;   // of the file
  bool has_diagonals; // nodes list differences of clocks
  CertificateHead head;
  const ForgottenSlots *forgotten; // by location; NULL: nothing is
  const bool *left_out;            // by process; NULL: none is (check/sliced.h)
  size_t initials;                 // offset of the list
  size_t sections;                 // the same; 0: there is none
  VEC(NodeBounds) bounds;
  VEC(CertificateNode) nodes;
  VEC(uint32_t) first_nodes; // by group, and one more
  VEC(int32_t) states;       // by group, slot_count each
  uint32_t group_count;
  bool is_live;          // it is about infinite runs
  VEC(uint32_t) missing; // by number of nodes: a mark
  VEC(uint32_t) modes;   // by group
  uint32_t max_k;
  NodeBound short_bounds[128]; // entries of matrices, by their one byte
  bool *claimed;               // by process: of the claim that was read last
  Renamings renamings;         // families of ids that covering nodes may exchange
  uint32_t **to;               // by family: where the ids go, as the last hint says
} Certificate;

// Reads all of it and makes the index; false with the reason.
bool certificate_open(Certificate *, Mem *, const Net *, const char *bytes, size_t size,
                      Text *why);

// Reads the beginning only, up to the number of clocks.
bool certificate_begin(Certificate *, Mem *, const Net *, const char *bytes, size_t size,
                       Text *why);
// Skips what follows the last node or point. What is left of the file then is damage.
void certificate_end(Certificate *);
// Says that it is damaged at the present byte; false.
bool certificate_refuse(const Certificate *, Text *why);

uint64_t certificate_number(Certificate *);                          // the next one
uint32_t certificate_small(Certificate *, uint64_t max);             // a larger one is damage
int32_t certificate_value(Certificate *, int32_t low, int32_t high); // a signed one

// A list of nodes, each said to cover where a transition or an initial state leads to. It is
// read in one pass, whatever else is read meanwhile.
typedef struct Hint {
  uint64_t ordinal; // of what is covered
  uint32_t node;
  size_t renaming; // offset: how the target is renamed
} Hint;

typedef struct HintList {
  size_t at;
  uint64_t left;
  Hint last; // the one read last
  bool has_last;
} HintList;

// The list at the present byte.
HintList certificate_hints(Certificate *);
// Returns false at the end of the list. `to` is how the covering node is renamed.
bool certificate_next_hint(Certificate *, HintList *, Hint *);
// The node for an ordinal, which is at least that of the call before; UINT32_MAX: none. The same
// of `to`.
uint32_t certificate_find_hint(Certificate *, HintList *, uint64_t ordinal);
// Reads how the covering node of a hint is renamed into `to`.
void certificate_rename(Certificate *, const Hint *);
// The matrix of a node, k x k; `at` is then behind it.
void certificate_matrix(Certificate *, uint32_t node, NodeBound *matrix);
// What comes next, before the list of its successors. It holds until the next one is read.
ReducedSet certificate_reduced(Certificate *);

static inline const NodeBounds *certificate_bounds(const Certificate *c, uint32_t node) {
  return &c->bounds.items[c->nodes.items[node].bounds];
}

static inline const int32_t *certificate_state(const Certificate *c, uint32_t group) {
  return &c->states.items[(size_t)group * c->net->slots.count];
}
