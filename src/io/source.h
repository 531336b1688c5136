// Sources: files that are read as a whole.
#ifndef TARN_IO_SOURCE_H
#define TARN_IO_SOURCE_H

#include "base/report.h"

// Reads a file, or standard input if the path is `-`; false with an error. Name and text lie in
// the Mem.
bool source_read(Source *, Mem *, const char *path, Report *);

#endif
