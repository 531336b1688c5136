// Mappings: certificates in files, which may be larger than memory. They are not read but mapped:
// whoever looks at the bytes has those in memory that it looked at since mapping_let_go.
//
// A file that changes meanwhile could be one thing when it is looked at first, and another one
// later. So mapping_close says whether it was left alone. If it gets shorter, the process ends
// with SIGBUS.
#ifndef TARN_IO_MAPPING_H
#define TARN_IO_MAPPING_H

#include "base/report.h"

typedef struct Mapping {
  Source source; // its text does not end with a NUL
  int file;
  long long changed[2]; // when the file was, seconds and nanoseconds
} Mapping;

// False if this is not a file that begins like a certificate. Then nothing is mapped, but closing
// it does no harm.
bool mapping_open(Mapping *, Mem *, const char *path);
void mapping_let_go(Mapping *); // until it is looked at again
bool mapping_close(Mapping *);  // true if the file was left alone

#endif
