// Tracked heap: every byte of one Tarn object is allocated through one Mem.
//
// Representation: a list of blocks, each with its size, so that all memory can be returned at
// once. Invariant: `bytes` is the sum of the sizes of the live blocks.
//
// Running out of memory, or over the limit, is handled in one place: allocation never returns
// NULL but jumps to the recovery point `escape`, set by the facade around each API call. The code
// at the recovery point releases what was being built with mem_release_to.
#pragma once

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MemBlock MemBlock;

// A limit that several Mems share, each of them used by one thread. They draw from it in steps,
// so that threads seldom meet here.
typedef struct MemBudget {
  size_t limit;        // 0: none
  uint32_t threads;    // that share it
  atomic_size_t drawn; // at least what is allocated
  atomic_size_t peak;  // most ever drawn
} MemBudget;

// Limits of time, which are looked at where work can be long: see mem_tick.
typedef struct MemWatch {
  // The limit that has been reached, NULL: none. Asked up to a hundred times a second, in the
  // thread of the Mem.
  const char *(*reached)(void *state);
  void *state;
  uint32_t interval;  // ticks between looks at the clock
  double looked;      // when the last look was
  double asked;       // when that question was
  double over_since;  // when a limit was first told; 0: not yet
  const char *struck; // the limit for which there was a jump to `escape`; NULL: there was none
} MemWatch;

typedef struct Mem {
  size_t bytes;     // allocated now
  size_t peak;      // most ever allocated; the owner may lower it to `bytes`
  size_t largest;   // the size of the largest block ever
  size_t limit;     // 0: none
  size_t count;     // blocks ever allocated: the age of the next one
  MemBlock *newest; // list of live blocks, newest first
  jmp_buf *escape;  // where exhaustion jumps to; NULL aborts
  // With a budget, `limit` is what has been drawn from it.
  MemBudget *budget;
  struct Mem *branches; // and parts, newest first; `next` leads on
  struct Mem *next;
  struct Mem *owner; // of a part; NULL: this is none
  size_t age;        // of a branch or part, among the blocks of its owner
  MemWatch *watch;   // NULL: none
  // If it is there, large blocks lie in a file when memory comes to an end (base/spill.h). They
  // are not counted. Branches have it from their owner.
  struct Spill *spill;
  uint32_t ticks;  // left until the next look at the clock
  uintptr_t known; // nothing beyond this address has been populated
} Mem;

// Zeroed memory of the given size; size 0 gives NULL.
void *mem_alloc(Mem *, size_t size);
// The same with any contents, for what is written before it is read.
void *mem_alloc_raw(Mem *, size_t size);
// Zeroed, for tables that are read before they are written, here and there: a page of memory that
// is read first is given out twice, and other threads are stopped for it.
void *mem_alloc_table(Mem *, size_t size);
// For a part of a block that will be written as a whole: the system gives its pages out at once,
// in half the time that it takes one by one. Not those below an address that was populated
// before: most of them have been in use. Contents stay.
void mem_populate(Mem *, void *, size_t size);
// As realloc: contents are kept, bytes beyond the old size are zero.
void *mem_resize(Mem *, void *, size_t size);
void mem_free(Mem *, void *);
// Frees every block (a Mem is then as new, limit and escape kept).
void mem_release(Mem *);
char *mem_copy_text(Mem *, const char *, size_t length);

// As if an allocation had failed, for limits of another kind (32-bit references).
_Noreturn void mem_exhausted(Mem *);

// From now on ticks look at the clock; NULL: no longer. Returns the watch so far.
MemWatch *mem_watch(Mem *, MemWatch *);
void mem_look(Mem *);

// Whatever can take long calls this between its parts, at points where a jump to `escape` leaves
// nothing behind that others would stumble over. If a limit was reached a while ago, and the work
// has not ended in good order, it jumps, as if memory had run out. Parts should take at most a
// millisecond, and better a microsecond or more: it costs two instructions.
static inline void mem_tick(Mem *mem) {
  if (__builtin_expect(mem->ticks-- == 0, 0))
    mem_look(mem);
}

// The same where a jump would do harm, because a lock is held: whether there would be one. Costs
// a look at the clock.
bool mem_is_late(Mem *);

// The same between the items of a large table that is made anew, each of which takes a few
// nanoseconds. `spare`, the table of the two that nothing refers to, is freed before the jump.
static inline void mem_tick_item(Mem *mem, size_t item, void *spare) {
  if (item % 1024 == 0 && mem_is_late(mem)) {
    mem_free(mem, spare);
    mem_exhausted(mem);
  }
}

// mem_mark remembers the present point; mem_release_to frees all blocks younger than it.
// Blocks resized since keep their age.
size_t mem_mark(const Mem *);
void mem_release_to(Mem *, size_t mark);

// A Mem for another thread. It belongs to its owner, as a block does: it is released with all its
// blocks by mem_release_to, if not before. Only the owner's thread may make and release it.
Mem *mem_branch(Mem *owner);
void mem_release_branch(Mem *owner, Mem *branch);

// A part of a Mem, for its thread: what a search, a check or a table allocates, so that it can be
// released as a whole. It counts as its owner's, whose limits it has, and goes with it.
Mem *mem_part(Mem *owner);
void mem_release_part(Mem *part);

// What this is a part of, or itself: what has the limits, the escape and the counts.
static inline Mem *mem_whole(Mem *mem) {
  while (mem->owner)
    mem = mem->owner;
  return mem;
}

// From now on the Mem draws from the budget, what it holds already included; with NULL it no
// longer does, and has no limit. False, and no limit, if that is too much for the budget.
bool mem_share(Mem *, MemBudget *);

// Has memory fetched that will be read soon. The empty statement is there because gcc takes a
// function that does nothing but this for one without effect, and drops calls of it.
static inline void mem_fetch(const void *at) {
  __builtin_prefetch(at);
  __asm__ volatile("");
}

// Bytes in use, for caches that may grow with them. To a thread that shares a budget it seems
// that the others had no caches of their own, if these are as large.
static inline size_t mem_in_use(Mem *mem) {
  mem = mem_whole(mem);
  if (!mem->budget)
    return mem->bytes;
  const size_t drawn = atomic_load_explicit(&mem->budget->drawn, memory_order_relaxed);
  return drawn / (mem->budget->threads + 1) * 2;
}
