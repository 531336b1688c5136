// Says what was proved, and by which program: a sentence for each piece of evidence that was
// checked, to be pasted into a report, and the same as JSON.
#pragma once

#include "base/text.h"

typedef struct Certified {
  Text sentences; // one on each line
  Text results;   // JSON objects, with commas between
} Certified;

typedef struct CertifiedPiece {
  const char *model, *file;  // their names
  const unsigned char *hash; // of the model, SHA256_SIZE bytes
  const char *query;         // as it is shown; NULL: all states
  const char *verdict;       // what the evidence shows of the query
  const char *kind;          // certificate, run
  const char *reason;        // why it is rejected; NULL: it is not
  const char *trusted;       // what has to be trusted
} CertifiedPiece;

void certified_add(Certified *, const CertifiedPiece *);
// All that was added. With `is_json` an object: tarn, checker, results.
void certified_write(Text *, const Certified *, bool is_json);
void certified_clear(Certified *);
