// Writes certificates of unreachability (check/certify.h) from a finished search in zones, of
// global or of local time: the stored nodes, sorted by discrete state, with their clock bounds
// and, for each successor, the node that covers it. Successors are computed again for that, which
// takes about as long as the search did.
#ifndef TARN_EVIDENCE_CERTIFICATE_H
#define TARN_EVIDENCE_CERTIFICATE_H

#include "search/reach.h"
#include "zone/zones.h"

#include <stdio.h>

typedef struct CertificateGoal {
  const char *query; // NULL: there was none
  bool is_labels;
  const char *origin; // how the nodes were found, for people
  bool is_local;      // they are those of local/local.h
} CertificateGoal;

// The search must have ended with REACH_NONE. False if the file cannot be written (errno says
// why), or, which would be a bug, a successor is not covered (errno is 0).
bool certificate_write(FILE *, Mem *, const Net *, Reach *, const CertificateGoal *);

#endif
