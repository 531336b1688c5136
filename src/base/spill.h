// Spill: memory that lies in a file, for searches larger than the memory (--disk).
//
// Blocks of memory are parts of one file that is mapped into the address space, so their users
// see no difference. When the process has more resident memory than it is allowed, it gives the
// pages of the file back to the system (spill_trim), which reads them in again on the next
// access. Contents are never lost.
//
// The file is unlinked at once and vanishes with the process. Space on the disk is reserved for a
// block before it is used, so a full disk only makes an allocation fail.
//
// Any thread may use a spill.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SPILL_LEAST = 1 << 16 }; // smaller blocks are not worth a mapping

typedef struct Spill Spill;

// NULL if there can be no file in the folder: errno says why.
Spill *spill_open(const char *folder);
void spill_close(Spill *); // with its blocks; NULL is all right

// Sets the memory limit of the process, from which the thresholds below follow.
void spill_limit(Spill *, size_t memory);
// Whether the next large block belongs in the file, given the memory in use including that block:
// from a quarter of the limit on, or from three quarters if it is a table, which is accessed at
// random.
bool spill_wants(const Spill *, size_t in_use, bool is_table);

// A block, all zero; NULL if the disk is full, which spill_is_full remembers.
void *spill_alloc(Spill *, size_t size);
void spill_free(Spill *, void *, size_t size);
bool spill_is_full(const Spill *);
// A block in memory, all zero, which goes back to the system when it is freed; NULL if there is
// none.
void *spill_map(Spill *, size_t size);
void spill_unmap(void *, size_t size);
// To be called now and then, and before so much more memory is used.
void spill_trim(Spill *, size_t more);

size_t spill_bytes(const Spill *); // of the file, at most so far
size_t spill_trims(const Spill *); // how often memory was given back
