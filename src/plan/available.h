// How much memory this process may use: the minimum of the physical memory and the limits of its
// cgroups and of `ulimit -v` and `-d`.
#pragma once

#include <stddef.h>
#include <stdint.h>

// What is left to a cgroup and those around it, down from the folder `root`; UINT64_MAX: they
// have no limit. `limit` and `used` are the names of its files.
uint64_t available_in_group(const char *root, const char *path, const char *limit,
                            const char *used);
// Bytes that the process can still take; 0 if nothing is known. Linux only.
size_t available_memory(void);
