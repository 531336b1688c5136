// Numbers and texts in certificates (model/certificate_format.h): seven bits a byte, the lowest
// first; the highest bit says that more follow.
#pragma once

#include "analysis/symmetry/family.h"
#include "base/intern.h"

#include <stdio.h>

void encode_number(Text *, uint64_t value);
uint64_t encode_sign(int64_t value);        // as a number: small ones of both signs are small
void encode_integer(Text *, int64_t value); // of either sign

// What every certificate begins with.
typedef struct CertificateStart {
  unsigned features;         // CERTIFY_RENAMED, ...
  const unsigned char *hash; // of the model, CERTIFY_HASH bytes; NULL: zeros
  const char *query;         // NULL: there is none
  bool is_labels;
  const char *origin;
  const Text *claims; // NULL: it is not about extreme values
  // The net has a mark for the last edge of this process, plus 1; 0: it has none.
  uint32_t marked;
} CertificateStart;

void encode_head(Text *, const CertificateStart *, const Net *);
void encode_end(Text *, const Text *runs); // what it ends with; the runs may be NULL
// The number of a definition among those known so far, and the definition itself if it is new.
void encode_definition(Text *, Intern *known, const Text *definition);
void encode_gaps(Text *, const uint32_t *items, uint32_t count);   // a list of growing numbers
void encode_processes(Text *, const bool *in, uint32_t processes); // those that are in
// Columns of `size` numbers, and how many of them first.
void encode_columns(Text *, const uint32_t *items, uint32_t columns, uint32_t size);
uint64_t encode_bound(int32_t bound);                    // the number of a clock bound
void encode_family(Text *, const Net *, const Family *); // ids that can be exchanged
// Writes the text to the file, if it has so many bytes or is the end; then it is empty. False if
// that failed: errno says why.
enum { ENCODE_MANY = 1 << 16 };
bool encode_flush(Text *, FILE *, bool is_end);
