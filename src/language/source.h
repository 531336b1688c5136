// Sources: files that are read as a whole.
#pragma once

#include "base/report.h"

// Models and queries, and evidence. /dev/zero is neither.
#define SOURCE_MAX_MODEL ((size_t)1 << 28)
#define SOURCE_MAX_EVIDENCE ((size_t)1 << 34)

// Reads a file, or standard input if the path is `-`, of at most so many bytes; false with an
// error. Name and text lie in the Mem.
bool source_read(Source *, Mem *, const char *path, size_t max, Report *);

// Whether a file can be written, before the work whose result it is for; false with an error.
bool source_is_writable(const char *path, Report *);
