// The proof of an answer that there is no run: a certificate (check/certify.h), from the nodes of
// the search itself or, for other engines than zones, from a search in points or, if these are
// too many or cannot be, in zones, for the same goal.
#ifndef TARN_EVIDENCE_PROOF_H
#define TARN_EVIDENCE_PROOF_H

#include "answers/certificates/certificate.h"

typedef struct Proof {
  Mem *mem;
  const Net *net;
  const Goal *goal; // NULL: everything was explored
  const Options *options;
  Reach *reach;                   // the finished search
  bool is_unbidden;               // nobody asked for it: it may be given up
  CertificateGoal about;          // without `origin` and `is_local`, which are found here
  const struct LassoClaim *claim; // with about.sccs: what no run bears out
  Report *report; // an error if the proof that the options ask for cannot be written
} Proof;

// Writes the certificate if the options ask for it and there is one: true if it is in its file.
// Builds with assertions also make and check one after each search of moderate size.
bool proof_finish(const Proof *, ReachResult);

#endif
