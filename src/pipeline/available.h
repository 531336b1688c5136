// How much memory there is for this process: physical memory, the limits of its cgroups and of
// `ulimit -v` and `-d` count, the least of them.
#ifndef TARN_AVAILABLE_H
#define TARN_AVAILABLE_H

#include <stddef.h>

// Bytes that the process can still take; 0 if nothing is known. Linux only.
size_t available_memory(void);

#endif
