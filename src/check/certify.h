// Certificates of unreachability, and their checker. It shares no code with the searches and
// computes successors with its own plain matrix code. The layout of the file is in
// model/certificate_format.h.
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
//   - if x after a transition is y + d, the bounds of x in the subsumer, less d, must not
//     exceed those of y in the source: then v still simulates u afterwards.
// Both are checked for every transition of every node, so bounds of any origin will do: static,
// or found during the search, different for each node. Infinite bounds make covering plain
// inclusion: that serves extrapolated zones, and constraints on clock differences, which are seen
// only then, or if the node lists them (check/nodediagonals.h). Clocks that a node does not list
// have no bounds; its matrix does not have them.
//
// A goal that asks for a deadlock is met if the node may stand for one (check/stuck.h).
//
// A certificate that there is no infinite run of some kind has a mode and a number for each node;
// check/descent.h says what else must hold then.
//
// A covering node may stand for the target under other names, if the certificate lists families
// of ids that can be exchanged: check/renaming.h proves that this maps the network and the goal
// to themselves. Then what holds of the one holds of the other.
//
// A node may stand for states with any value in variables that are dead in their locations:
// check/forgotten.h proves it. Processes on which the query does not depend can be left out, so
// that all of this is about a smaller network: check/sliced.h proves it.
#pragma once

#include "base/text.h"
#include "check/certificate_reader.h"
#include "check/lasso.h"
#include "model/query.h"

// There are also certificates of points, for models whose zones are many: check/pointset.h.

// Checks the certificate for this goal (NULL: none); false with the reason, which names the
// first node that fails. Time is linear in the certificate, memory a few bytes for each node
// and state beside it.
bool certify_check(Mem *, const Net *, const Goal *, const char *bytes, size_t size,
                   CertifyCounts *, Text *why);
// The same for a certificate of all states: calls for each edge of a transition that some node of
// it can take, with the node's discrete state, often more than once. No run takes another one.
typedef struct CertifyTaken {
  void (*call)(void *state, const int32_t *source, EdgeId);
  void *state;
} CertifyTaken;
bool certify_check_edges(Mem *, const Net *, const char *bytes, size_t size, const CertifyTaken *,
                         CertifyCounts *, Text *why);
// The same for the claim that there is no such run.
bool certify_check_live(Mem *, const Net *, const LassoClaim *, const char *bytes, size_t size,
                        CertifyCounts *, Text *why);
