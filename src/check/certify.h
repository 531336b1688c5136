// Certificates of unreachability, and their checker. It shares no code with the searches and
// computes successors by plain matrix code of its own.
//
// A certificate is a set of nodes (discrete state, zone Z, clock bounds L and U). It holds if
//   - every initial state is covered by a node,
//   - every joint transition from a node, after any delay, leads into a node that covers it,
//   - no node meets the goal, also after a delay.
// A node n stands for the valuations that one of Z_n simulates: a_LU(Z_n), see HSW12. u is
// simulated by v if for each clock x: u = v, or L < v < u, or U < u < v. So
//   - a test x <= c is seen by the node only if c <= U_x, x >= c only if c <= L_x: if u meets
//     it, so does v then. Other tests are dropped, which can only add successors: bounds
//     that are too small make a certificate fail, never a false one hold;
//   - if x after a transition is y + d, the bounds of x in the coverer, less d, must not
//     exceed those of y in the source: then u still is simulated by v afterwards.
// Both are checked for every transition of every node, so bounds of any origin will do: static,
// or found during the search, different for each node. Infinite bounds make covering plain
// inclusion: that serves extrapolated zones, and constraints on clock differences, which are
// seen only so. Clocks that a node does not list have no bounds; its matrix does not have them.
//
// Layout. After the line "tarn certificate 1\n" come numbers, 7 bits to a byte, least first, the
// eighth bit set on all but the last; signed ones as 2n or -2n - 1.
//   goal:     kind (CERTIFY_ALL, _QUERY, _LABELS); length and bytes of its text
//   origin:   length and bytes: how it was made, for people
//   net:      slots of a state, clocks
//   initials: count; for each: gap from the last ordinal, node that covers it
//   groups:   count; for each: the slots of the state, signed; number of its nodes; nodes
//   node:     bounds, as an index; if it is the next unused one, a definition: number of
//             clocks, for each: gap from the last clock, L, U as 0 none, 1 infinite, c + 2
//             the matrix without diagonal, row major, x_i - x_j <= c as signed 2c + 1, < c as 2c,
//             plus 1 in the unsigned form; 0 is infinite
//             number of successors; for each: gap from the last ordinal, node that covers it
// Ordinals are those of model/joint.h; gaps are the differences, less one. Nodes are numbered
// from 0 in the order of the file.
#ifndef TARN_CHECK_CERTIFY_H
#define TARN_CHECK_CERTIFY_H

#include "base/text.h"
#include "model/query.h"

#define CERTIFY_MAGIC "tarn certificate 1\n"

enum { CERTIFY_ALL, CERTIFY_QUERY, CERTIFY_LABELS };
enum { CERTIFY_NONE = 0, CERTIFY_INFINITE = 1, CERTIFY_FIRST = 2 }; // codes of L and U

typedef struct CertificateHead {
  int kind;
  const char *query; // not terminated
  size_t query_size;
  const char *origin;
  size_t origin_size;
  size_t rest; // offset of what follows
} CertificateHead;

// Whether the bytes begin like a certificate; then the head. False with the reason.
bool certify_is_certificate(const char *bytes, size_t size);
bool certify_head(CertificateHead *, const char *bytes, size_t size, Text *why);

typedef struct CertifyCounts {
  uint32_t states, nodes;
  uint64_t transitions;
} CertifyCounts;

// Checks the certificate for this goal (NULL: none); false with the reason, which names the
// first node that fails. Time is linear in the certificate, memory a few bytes for each node
// and state beside it.
bool certify_check(Mem *, const Net *, const Goal *, const char *bytes, size_t size,
                   CertifyCounts *, Text *why);

#endif
