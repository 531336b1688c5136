#define _DEFAULT_SOURCE // madvise
#include "base/mem.h"

#include "base/spill.h"
#include "base/timer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct MemBlock {
  MemBlock *older, **link; // what points to this one: of the newer one, or of the Mem
  size_t size;
  uint64_t age : 62;      // also keeps the payload aligned to 16 bytes
  uint64_t is_spilt : 1;  // it lies in a file (base/spill.h)
  uint64_t is_mapped : 1; // it is a mapping of its own
};

static const size_t AGES = SIZE_MAX / 4;

_Noreturn void mem_exhausted(Mem *mem) {
  const Mem *const whole = mem_whole(mem);
  if (whole->escape)
    longjmp(*whole->escape, 1);
  abort();
}

enum { MAX_TICKS = 64, NO_LOOK = 1 << 30 };
static const double quick = 0.002; // seconds between looks that may be further apart
static const double rest = 0.01;   // between questions
static const double grace = 0.02;  // for an end in good order

MemWatch *mem_watch(Mem *mem, MemWatch *watch) {
  MemWatch *const old = mem->watch;
  mem->watch = watch;
  mem->ticks = watch ? 0 : NO_LOOK;
  if (watch && !watch->interval) {
    watch->interval = 1;
    watch->asked = timer_seconds();
  }
  return old;
}

bool mem_is_late(Mem *mem) {
  Mem *const whole = mem_whole(mem);
  MemWatch *watch = whole->watch;
  if (!watch) {
    mem->ticks = mem == whole ? NO_LOOK : MAX_TICKS;
    return false;
  }
  const double now = timer_seconds();
  if (now - watch->looked > quick)
    watch->interval = watch->interval > 1 ? watch->interval / 2 : 1;
  else if (watch->interval < MAX_TICKS)
    watch->interval *= 2;
  watch->looked = now;
  mem->ticks = watch->interval;
  if (whole->spill)
    spill_trim(whole->spill, 0);
  if (now - watch->asked < rest)
    return false;
  watch->asked = now;
  const char *limit = watch->reached(watch->state);
  if (!limit)
    return false;
  if (watch->over_since == 0)
    watch->over_since = now;
  if (now - watch->over_since < grace)
    return false;
  watch->struck = limit;
  return true;
}

void mem_look(Mem *mem) {
  if (mem_is_late(mem))
    mem_exhausted(mem);
}

enum { LEAST_PAGE = 4096, LEAST_POPULATED = 8 * LEAST_PAGE, MAX_CLEARED = 1 << 24 };
enum { STEP = 1 << 18, MAX_SPARE = 4 * STEP }; // of a Mem with a budget

// Takes from a budget; false if it has not as much.
static bool take(MemBudget *budget, size_t size) {
  size_t drawn = atomic_load(&budget->drawn), sum;
  do {
    sum = drawn + size;
    if (budget->limit && sum > budget->limit)
      return false;
  } while (!atomic_compare_exchange_weak(&budget->drawn, &drawn, sum));
  size_t peak = atomic_load(&budget->peak);
  while (sum > peak && !atomic_compare_exchange_weak(&budget->peak, &peak, sum))
    ;
  return true;
}

// Raises the limit so that `size` more bytes are within it, in whole steps while there are any.
static void draw(Mem *mem, size_t size) {
  const size_t missing = mem->bytes + size - mem->limit;
  size_t drawn = (missing + STEP - 1) / STEP * STEP;
  if (!mem->budget || (!take(mem->budget, drawn) && !take(mem->budget, drawn = missing)))
    mem_exhausted(mem);
  mem->limit += drawn;
}

// After bytes were freed: others may need what was drawn for them.
static void give_back(Mem *mem) {
  const size_t spare = mem->limit - mem->bytes;
  if (!mem->budget || spare <= MAX_SPARE)
    return;
  mem->limit -= spare - STEP;
  atomic_fetch_sub(&mem->budget->drawn, spare - STEP);
}

static void account(Mem *mem, size_t size) {
  if (mem->limit && mem->bytes + size > mem->limit)
    draw(mem, size);
  mem->bytes += size;
  if (mem->bytes > mem->peak)
    mem->peak = mem->bytes;
}

// With a spill large blocks are mappings: freed ones go back to the system, as memory is scarce.
static bool maps(const Mem *mem, size_t size) { return mem->spill && size >= SPILL_LEAST; }

#if defined(MADV_POPULATE_WRITE) && !defined(TARN_PLAIN)
#define FAR ((uintptr_t)1 << 30)
void mem_populate(Mem *part, void *data, size_t size) {
  Mem *const mem = mem_whole(part);
  const uintptr_t page = LEAST_PAGE, at = (uintptr_t)data, end = at + size;
  const uintptr_t from = ((at > mem->known ? at : mem->known) + page - 1) / page * page;
  if (end <= mem->known || mem->spill) // then memory is scarce
    return;
  if (!mem->known || end - mem->known < FAR) // else it is a mapping of its own, not of the heap
    mem->known = end;
  if (from + LEAST_POPULATED <= end)
    madvise((char *)data + (from - at), end - from, MADV_POPULATE_WRITE); // if it can
}
#else
void mem_populate(Mem *mem, void *data, size_t size) { (void)mem, (void)data, (void)size; }
#endif

// Asks the C library. Its calloc knows of large blocks only that their pages are zero already.
// And it does not take small ones that were freed a moment ago, as malloc does.
static MemBlock *ask_library(Mem *mem, size_t size, bool is_raw) {
  const bool is_cleared = !is_raw && size <= MAX_CLEARED && !maps(mem, size);
  account(mem, size);
  MemBlock *block = maps(mem, size)        ? spill_map(mem->spill, sizeof *block + size)
                    : is_raw || is_cleared ? malloc(sizeof *block + size)
                                           : calloc(1, sizeof *block + size);
  if (!block) {
    mem->bytes -= size;
    mem_exhausted(mem);
  }
  if (is_cleared) {
    mem_populate(mem, block + 1, size);
    memset(block + 1, 0, size);
  }
  return block;
}

static bool wants_spill(const Mem *mem, size_t size, bool is_table) {
  if (!mem->spill || size < SPILL_LEAST)
    return false;
  const size_t in_use = mem->budget ? atomic_load(&mem->budget->drawn) : mem->bytes;
  return spill_wants(mem->spill, in_use + size, is_table);
}

static MemBlock *ask_spill(Mem *mem, size_t size) {
  MemBlock *block = spill_alloc(mem->spill, sizeof *block + size);
  if (!block)
    mem_exhausted(mem);
  return block;
}

// Puts a block into the list, between its `older` one and what points to that.
static void insert(MemBlock *block, MemBlock **link) {
  block->link = link;
  *link = block;
  if (block->older)
    block->older->link = &block->older;
}

static void take_out(MemBlock *block) {
  *block->link = block->older;
  if (block->older)
    block->older->link = block->link;
}

static void *alloc(Mem *mem, size_t size, bool is_raw, bool is_table) {
  if (!size)
    return NULL;
  if (size > SIZE_MAX / 2)
    mem_exhausted(mem);
  mem_tick(mem);
  Mem *const whole = mem_whole(mem);
  const bool is_spilt = wants_spill(whole, size, is_table);
  MemBlock *block = is_spilt ? ask_spill(whole, size) : ask_library(whole, size, is_raw);
  *block = (MemBlock){.older = mem->newest, .size = size, .is_spilt = is_spilt};
  block->is_mapped = !is_spilt && maps(whole, size);
  block->age = mem->count++ & AGES;
  whole->largest = size > whole->largest ? size : whole->largest;
  insert(block, &mem->newest);
  return block + 1;
}

// Frees a block that is no longer in the list.
static void drop(Mem *part, MemBlock *block) {
  Mem *const mem = mem_whole(part);
  if (block->is_spilt) {
    spill_free(mem->spill, block, sizeof *block + block->size);
    return;
  }
  mem->bytes -= block->size;
  if (block->is_mapped)
    spill_unmap(block, sizeof *block + block->size);
  else
    free(block);
  give_back(mem);
}

void *mem_alloc(Mem *mem, size_t size) { return alloc(mem, size, false, false); }

void *mem_alloc_raw(Mem *mem, size_t size) { return alloc(mem, size, true, false); }

void *mem_alloc_table(Mem *mem, size_t size) {
  char *table = alloc(mem, size, false, true);
  for (size_t i = 0; i < size; i += LEAST_PAGE) {
    mem_tick_item(mem, i / LEAST_PAGE, table);
    *(volatile char *)(table + i) = 0;
  }
  return table;
}

// Blocks of a file come into memory by being read: those that were are given back on the way.
static void copy_large(const Mem *mem, char *to, const char *from, size_t size) {
  enum { AT_ONCE = 1 << 22 };
  for (size_t at = 0; at < size; at += AT_ONCE) {
    memcpy(to + at, from + at, size - at < AT_ONCE ? size - at : AT_ONCE);
    spill_trim(mem->spill, 0);
  }
}

// From or to a file. It keeps its age: what is released by age must not change.
static void *move(Mem *mem, MemBlock *block, size_t size) {
  const size_t age = block->age, count = mem->count, old = block->size;
  char *to = mem_alloc(mem, size);
  MemBlock *moved = (MemBlock *)(void *)to - 1;
  copy_large(mem_whole(mem), to, (const char *)(block + 1), old < size ? old : size);
  // It takes the place of the old one in the list, which is by age.
  take_out(moved);
  mem->count = count;
  moved->age = age & AGES;
  moved->older = block->older;
  insert(moved, block->link);
  drop(mem, block);
  return to;
}

void *mem_resize(Mem *mem, void *data, size_t size) {
  if (!data)
    return mem_alloc(mem, size);
  if (!size) {
    mem_free(mem, data);
    return NULL;
  }
  MemBlock *block = (MemBlock *)data - 1;
  const size_t old = block->size;
  if (size > SIZE_MAX / 2)
    mem_exhausted(mem);
  mem_tick(mem);
  Mem *const whole = mem_whole(mem);
  if (block->is_spilt || block->is_mapped || maps(whole, size))
    return move(mem, block, size);
  if (size > old)
    account(whole, size - old);
  MemBlock *moved = realloc(block, sizeof *block + size);
  if (!moved) {
    whole->bytes -= size > old ? size - old : 0;
    mem_exhausted(whole);
  }
  if (size > old) {
    mem_populate(whole, (char *)(moved + 1) + old, size - old);
    memset((char *)(moved + 1) + old, 0, size - old);
  } else {
    whole->bytes -= old - size;
  }
  give_back(whole);
  whole->largest = size > whole->largest ? size : whole->largest;
  moved->size = size;
  insert(moved, moved->link);
  return moved + 1;
}

void mem_free(Mem *mem, void *data) {
  if (!data)
    return;
  MemBlock *block = (MemBlock *)data - 1;
  take_out(block);
  drop(mem, block);
}

void mem_release(Mem *mem) { mem_release_to(mem, 0); }

size_t mem_mark(const Mem *mem) { return mem->count; }

void mem_release_to(Mem *mem, size_t mark) {
  while (mem->branches && mem->branches->age >= mark)
    mem_release_branch(mem, mem->branches);
  while (mem->newest && mem->newest->age >= mark)
    mem_free(mem, mem->newest + 1);
}

char *mem_copy_text(Mem *mem, const char *text, size_t length) {
  char *copy = mem_alloc_raw(mem, length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

static Mem *grow(Mem *owner) {
  const size_t age = owner->count;
  Mem *branch = mem_alloc(owner, sizeof *branch);
  branch->next = owner->branches;
  branch->age = age;
  owner->branches = branch;
  return branch;
}

Mem *mem_branch(Mem *owner) {
  Mem *branch = grow(owner);
  branch->escape = mem_whole(owner)->escape;
  branch->spill = mem_whole(owner)->spill;
  return branch;
}

Mem *mem_part(Mem *owner) {
  Mem *part = grow(owner);
  part->owner = owner;
  return part;
}

void mem_release_part(Mem *part) { mem_release_branch(part->owner, part); }

void mem_release_branch(Mem *owner, Mem *branch) {
  Mem **link = &owner->branches;
  while (*link != branch)
    link = &(*link)->next;
  *link = branch->next;
  mem_share(branch, NULL);
  mem_release(branch);
  mem_free(owner, branch);
}

bool mem_share(Mem *mem, MemBudget *budget) {
  if (mem->budget)
    atomic_fetch_sub(&mem->budget->drawn, mem->limit);
  mem->budget = NULL;
  mem->limit = 0;
  if (!budget)
    return true;
  const size_t held = mem->bytes + 1; // not 0: that would be no limit
  if (!take(budget, held))
    return false;
  mem->budget = budget;
  mem->limit = held;
  return true;
}
