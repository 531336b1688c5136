#define _GNU_SOURCE
#include "base/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

// The system allows some ten thousand mappings: blocks share them.
enum { PART_BYTES = 1 << 24 };
// So much must have come back into memory before it is given back again, see spill_trim.
enum { LEAST_TRIM = 1 << 24 };

typedef struct Part { // of the file
  char *memory;
  size_t size, used;
  uint32_t blocks;
} Part;

struct Spill {
  pthread_mutex_t mutex;
  int file, status; // /proc/self/statm
  size_t page;
  size_t max_blocks, max_tables, memory; // see spill_limit
  size_t program;                        // resident at first: the program and its libraries
  off_t end;                             // of the file
  size_t bytes, max;                     // in use now; the most so far
  Part *parts;
  uint32_t count, capacity;
  size_t trims;
  atomic_size_t left; // resident after the last of them
  atomic_bool is_full;
};

// Memory of the process.
static size_t resident(const Spill *spill) {
  char text[128];
  const ssize_t size = spill->status < 0 ? 0 : pread(spill->status, text, sizeof text - 1, 0);
  unsigned long all, now;
  if (size <= 0)
    return SIZE_MAX;
  text[size] = 0;
  return sscanf(text, "%lu %lu", &all, &now) == 2 ? now * spill->page : SIZE_MAX;
}

Spill *spill_open(const char *folder) {
  static const char name[] = "/tarn-XXXXXX";
  char *path = malloc(strlen(folder) + sizeof name);
  Spill *spill = calloc(1, sizeof *spill);
  if (!path || !spill) {
    free(path);
    free(spill);
    errno = ENOMEM;
    return NULL;
  }
  strcpy(path, folder);
  strcat(path, name);
  spill->file = mkstemp(path);
  const int reason = errno;
  if (spill->file >= 0)
    unlink(path);
  free(path);
  if (spill->file < 0) {
    free(spill);
    errno = reason;
    return NULL;
  }
  spill->status = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  spill->page = (size_t)sysconf(_SC_PAGESIZE);
  pthread_mutex_init(&spill->mutex, NULL);
  const size_t now = resident(spill);
  spill->program = now == SIZE_MAX ? 0 : now;
  return spill;
}

void spill_close(Spill *spill) {
  if (!spill)
    return;
  for (uint32_t i = 0; i < spill->count; i++)
    munmap(spill->parts[i].memory, spill->parts[i].size);
  close(spill->file);
  if (spill->status >= 0)
    close(spill->status);
  pthread_mutex_destroy(&spill->mutex);
  free(spill->parts);
  free(spill);
}

// What is in use without the file grows slowly beyond a quarter: by tables, and small blocks.
// Pages of the file may have what these leave of nearly all memory. (With a limit of three
// quarters tables left them next to nothing: lynch 12 with deadlocks in 180 MB took 44 s,
// now 28.)
void spill_limit(Spill *spill, size_t memory) {
  spill->max_blocks = memory / 4;
  spill->max_tables = memory / 4 * 3;
  spill->memory = memory / 16 * 15;
}

bool spill_wants(const Spill *spill, size_t in_use, bool is_table) {
  return in_use > (is_table ? spill->max_tables : spill->max_blocks);
}

bool spill_is_full(const Spill *spill) { return atomic_load(&spill->is_full); }

size_t spill_bytes(const Spill *spill) { return spill->max; }

size_t spill_trims(const Spill *spill) { return spill->trims; }

static bool make_room(Spill *spill) {
  if (spill->count < spill->capacity)
    return true;
  const uint32_t capacity = spill->capacity ? spill->capacity * 2 : 64;
  Part *parts = realloc(spill->parts, capacity * sizeof *parts);
  if (!parts)
    return false;
  spill->parts = parts;
  spill->capacity = capacity;
  return true;
}

// Adds a part to the file; NULL if the disk is full.
static Part *add(Spill *spill, size_t size) {
  if (!make_room(spill) || posix_fallocate(spill->file, spill->end, (off_t)size))
    return NULL;
  char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, spill->file, spill->end);
  if (memory == MAP_FAILED)
    return NULL;
  madvise(memory, size, MADV_RANDOM);
  Part *part = &spill->parts[spill->count++];
  *part = (Part){.memory = memory, .size = size};
  spill->end += (off_t)size;
  return part;
}

static size_t whole_pages(const Spill *spill, size_t size) {
  return (size + spill->page - 1) / spill->page * spill->page;
}

// The newest part if it has room.
static Part *find_part(Spill *spill, size_t size) {
  Part *last = spill->count ? &spill->parts[spill->count - 1] : NULL;
  if (last && last->size - last->used >= size)
    return last;
  Part *part = add(spill, size > PART_BYTES ? size : PART_BYTES);
  return part || size >= PART_BYTES ? part : add(spill, size);
}

void *spill_alloc(Spill *spill, size_t size) {
  size = whole_pages(spill, size);
  char *memory = NULL;
  spill_trim(spill, size < PART_BYTES ? size : PART_BYTES);
  pthread_mutex_lock(&spill->mutex);
  Part *part = find_part(spill, size);
  if (part) {
    memory = part->memory + part->used;
    part->used += size;
    part->blocks++;
    spill->bytes += size;
    spill->max = spill->bytes > spill->max ? spill->bytes : spill->max;
    if (size <= PART_BYTES) // all its pages at once; it may fail
      madvise(memory, size, MADV_POPULATE_WRITE);
  } else {
    atomic_store(&spill->is_full, true);
  }
  pthread_mutex_unlock(&spill->mutex);
  return memory;
}

static uint32_t part_of(const Spill *spill, const char *memory) {
  uint32_t i = spill->count - 1;
  while (memory < spill->parts[i].memory ||
         memory >= spill->parts[i].memory + spill->parts[i].size)
    i--;
  return i;
}

// Its room on the disk is free again. Its place in the file is not used again: there are plenty.
void spill_free(Spill *spill, void *memory, size_t size) {
  size = whole_pages(spill, size);
  pthread_mutex_lock(&spill->mutex);
  const uint32_t i = part_of(spill, memory);
  Part *part = &spill->parts[i];
  madvise(memory, size, MADV_REMOVE);
  spill->bytes -= size;
  if (!--part->blocks) {
    munmap(part->memory, part->size);
    *part = spill->parts[--spill->count];
  }
  pthread_mutex_unlock(&spill->mutex);
}

// Whether trimming is due. What is not in the file may be too much already. Trimming at every
// look would then free next to nothing, and the search would do nothing but fault its pages in.
static bool is_due(const Spill *spill, size_t more) {
  const size_t now = resident(spill);
  if (now == SIZE_MAX)
    return true; // unknown
  return now + more >= spill->program + spill->memory &&
         now + more >= atomic_load(&spill->left) + LEAST_TRIM;
}

// All parts but the newest, where what is new is written, unless that is one large block: a table
// of hundreds of megabytes would be memory on top of the limit.
void spill_trim(Spill *spill, size_t more) {
  if (!spill->count || !is_due(spill, more) || pthread_mutex_trylock(&spill->mutex))
    return;
  const uint32_t last = spill->count - 1;
  for (uint32_t i = 0; i <= last; i++)
    if (i < last || spill->parts[i].size > PART_BYTES)
      madvise(spill->parts[i].memory, spill->parts[i].size, MADV_DONTNEED);
  spill->trims++;
  atomic_store(&spill->left, resident(spill));
  pthread_mutex_unlock(&spill->mutex);
}

void *spill_map(Spill *spill, size_t size) {
  spill_trim(spill, size);
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void spill_unmap(void *memory, size_t size) { munmap(memory, size); }
