// Writes the proof that there is no run: a certificate (check/certify.h). It is made from the
// nodes of the search itself or, for engines other than zones, from a second search for the same
// goal: in points or, if there are too many of them or points are not possible, in zones.
#pragma once

#include "answers/certificates/certificate.h"

// Nodes that stand for no more than their zones, which may be without number; or these are
// extrapolated, with states that need not be reachable.
typedef enum ProofInclusion { PROOF_FREE, PROOF_EXACT, PROOF_EXTRAPOLATED } ProofInclusion;

typedef struct Proof {
  Mem *mem;
  const Net *net;
  const Goal *goal;   // NULL: everything was explored
  const Query *query; // of the goal; NULL: it is not known
  const Options *options;
  Reach *reach;                   // the finished search
  bool is_unbidden;               // the user did not ask for it: it may be given up
  ProofInclusion inclusion;       // decided here
  CertificateGoal about;          // without `origin` and `is_local`, which are found here
  const struct LassoClaim *claim; // with about.sccs: what no run bears out
  Report *report; // an error if the proof that the options ask for cannot be written
} Proof;

// Writes the certificate if the options ask for it and there is one: true if it is in its file.
// Builds with assertions also make and check one after each search of moderate size.
bool proof_finish(const Proof *, ReachResult);
