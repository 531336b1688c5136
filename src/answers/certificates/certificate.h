// Writes certificates of unreachability (check/certify.h) from a finished search in zones, of
// global or of local time: the stored nodes, sorted by discrete state, with their clock bounds
// and, for each successor, the node that covers it. Successors are computed again for that, which
// takes about as long as the search did.
//
// If several processes searched together, each writes its own nodes, in parts
// (answers/certificates/parts.h). Processes ask each other for the nodes that cover successors
// (answers/certificates/covers.h). Parts go to rank 0 in pieces, and it appends them to the file.
// So no process keeps more than its own nodes and a part, and only rank 0 needs a disk.
#pragma once

#include "analysis/forget.h"
#include "search/cycles/sccs.h"
#include "search/reach.h"
#include "semantics/zone/zones.h"

#include <stdio.h>

typedef struct CertificateGoal {
  const char *query; // NULL: there was none
  bool is_labels;
  const unsigned char *hash; // of the model; NULL: the file is for ourselves
  // Of extreme values: the claims and the section of runs, as the file has them. NULL: another
  // goal.
  const Text *claims, *runs;
  uint32_t marked; // process + 1 whose last edge the net has as a mark; 0: it has none
  // By location, if the search was of a net that sets dead variables back: these. NULL: of the
  // net itself.
  const ForgetList *forgotten;
  const bool *left_out; // by process, if the search was of a slice; else NULL
  const char *origin;   // how the nodes were found, for people
  bool is_local;        // they are those of semantics/local/local.h
  bool is_m;            // both bounds of a clock are the larger one
  bool leaves_out;      // the search has left out transitions: of all processes; see left_out
  // Of a search of answers/queries/stateruns.h, for a certificate about infinite runs
  // (check/descent.h): numbers of nodes, and which of them cover successors; by number, a mark
  // that is missing. NULL: it is about reachability.
  const Sccs *sccs;
  const uint32_t *missing;
  bool is_timed; // the search is one of answers/queries/runs.h
} CertificateGoal;

// The search must have ended with REACH_NONE. False if the file cannot be written (errno says
// why), or, which would be a bug, a successor is not covered (errno is 0). Rank 0 calls it; then
// the others hear a call, and help.
bool certificate_write(FILE *, Mem *, const Net *, Reach *, const CertificateGoal *);

typedef struct CertificateCall {
  uint32_t kind; // RANKS_WRITE
  bool is_local, is_m, leaves_out;
} CertificateCall;

bool certificate_help(const CertificateCall *, Mem *, const Net *, Reach *);
