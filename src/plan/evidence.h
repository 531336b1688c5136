// Checks a file of evidence, a certificate or runs in JSON, against a net: reads it and the query
// that it is about, and asks the checkers of check/.
#pragma once

#include "base/report.h"
#include "model/net.h"
#include "plan/certified.h"

// Where what was proved is kept: NULL, or a list and the name of the model.
typedef struct EvidenceKeep {
  Certified *certified;
  const char *model;
} EvidenceKeep;

// 1 if it is accepted, 0 if it is rejected: `finding` then says what it shows, or what is wrong
// with it. -1 with an error if it cannot be read.
int evidence_check(Mem *, const Net *, const Source *, Text *finding, EvidenceKeep, Report *);
