// Spills: memory that lies in a file, for searches that need more than there is (--disk).
//
// Blocks of memory are parts of one file, mapped into the address space: whoever uses them sees
// no difference. The system keeps in memory what it can of the file, and the process only as much
// of it as it is allowed (`resident`): when it has more, it gives all of it back to the system
// (spill_trim) and meets anew what it needs. Contents are never lost by that.
//
// The file has no name: it ends with the process, however that ends. Its blocks have room on the
// disk before they are used, so that a full disk is an allocation that fails, and nothing worse.
//
// Any thread may use a spill.
#ifndef TARN_BASE_SPILL_H
#define TARN_BASE_SPILL_H

#include <stdbool.h>
#include <stddef.h>

enum { SPILL_LEAST = 1 << 16 }; // smaller blocks are not worth a mapping

typedef struct Spill Spill;

// NULL if there can be no file in the folder: errno says why.
Spill *spill_open(const char *folder);
void spill_close(Spill *); // with its blocks; NULL is all right

// For a process that may have so much memory.
void spill_limit(Spill *, size_t memory);
// Whether the next large block is to be in the file, if so much memory is in use with it. Tables
// in which one looks here and there stay in memory as long as they can.
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

#endif
