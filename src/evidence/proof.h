// The proof of an answer that there is no run: a certificate (check/certify.h), from the nodes of
// the search itself or, for other engines than zones, from a search in points or, if these are
// too many or cannot be, in zones, for the same goal.
#ifndef TARN_EVIDENCE_PROOF_H
#define TARN_EVIDENCE_PROOF_H

#include "evidence/certificate.h"

typedef struct Proof {
  Mem *mem;
  const Net *net;
  const Goal *goal; // NULL: everything was explored
  const Options *options;
  Reach *reach;     // the finished search
  bool is_unbidden; // nobody asked for it: it may be given up
  const char *query;
  bool is_labels;
  bool is_m; // clock bounds of the search are M bounds
  // Of a search for runs without end: what is shown of its nodes, and the claim that no run
  // bears out. Else NULL.
  const CertificateLive *live;
  const struct LassoClaim *claim;
  Report *report; // an error if the proof that the options ask for cannot be written
} Proof;

// Writes the certificate if the options ask for it and there is one. Builds with assertions
// also make and check one after each search of moderate size.
void proof_finish(const Proof *, ReachResult);

#endif
