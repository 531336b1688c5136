// An engine of `tarn serve`: a process that answers messages of JSON-RPC, one after the other.
// Each check is a process of its own, which a cancelled request ends: the model stays as it was
// read.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

typedef struct EngineLimits {
  double seconds; // of a request
  unsigned mib;   // of memory
} EngineLimits;

// Begins one: the other end of its socket is `*file`. -1: it cannot be.
pid_t serve_engine_begin(const EngineLimits *, int *file);
