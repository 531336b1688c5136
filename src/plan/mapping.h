// Mappings: certificate files that may be larger than memory. They are mapped instead of read;
// only the bytes that were accessed since mapping_let_go are in memory.
//
// A file that changes meanwhile could have different contents at two accesses. So mapping_close
// says whether it changed. If it gets shorter, the process ends with SIGBUS.
#pragma once

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
