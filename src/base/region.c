#ifdef __linux__
#define _GNU_SOURCE // mremap, MADV_HUGEPAGE
#include <sys/mman.h>
#endif

#include "base/region.h"

#include <stdint.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_CHECKED
#endif
#endif
#if defined MADV_HUGEPAGE && !defined IS_CHECKED && !defined __SANITIZE_ADDRESS__ &&             \
    !defined __SANITIZE_THREAD__ && !defined TARN_PLAIN

enum { UNIT = 64, PAGE = 1 << 12, HUGE = 1 << 21 };
// Blocks from this size on have a region each. The others share regions, whose size grows with
// what is in use.
enum { LARGE = 4 * HUGE, MOST_SHARED = 16 * HUGE };

typedef struct Run Run;
struct Run { // that was freed
  Run *next; // by address
  size_t size;
};

struct Region {
  Region *older;
  Run *runs;
  char *fresh, *end; // from here on nothing was ever used
  size_t used;       // bytes of blocks
};

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

static char *reserve(size_t size) {
  void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return data == MAP_FAILED ? NULL : data;
}

// Fresh memory that starts with a huge page, of whole pages.
static char *map(Regions *regions, size_t size) {
  char *wide = reserve(size + HUGE);
  if (!wide)
    return NULL;
  const size_t before = (size_t)(-(uintptr_t)wide % HUGE);
  if (before)
    munmap(wide, before);
  munmap(wide + before + size, HUGE - before);
  madvise(wide + before, size, MADV_HUGEPAGE); // it is advice: the result does not matter
  regions->bytes += size;
  return wide + before;
}

static void unmap(Regions *regions, void *data, size_t size) {
  munmap(data, size);
  regions->bytes -= size;
}

static Region *add_region(Regions *regions) {
  size_t size = round_up(regions->bytes / 2, HUGE);
  size = size < LARGE ? LARGE : size > MOST_SHARED ? MOST_SHARED : size;
  Region *region = (Region *)map(regions, size);
  if (!region)
    return NULL;
  *region = (Region){
      .older = regions->newest, .fresh = (char *)region + UNIT, .end = (char *)region + size};
  return regions->newest = region;
}

// The first run that is large enough, or the beginning of it.
static void *take_run(Region *region, size_t size) {
  for (Run **link = &region->runs; *link; link = &(*link)->next) {
    Run *run = *link;
    if (run->size < size)
      continue;
    if (run->size == size) {
      *link = run->next;
    } else {
      Run *rest = (Run *)((char *)run + size);
      *rest = (Run){run->next, run->size - size};
      *link = rest;
    }
    return run;
  }
  return NULL;
}

static void *take_fresh(Region *region, size_t size) {
  if ((size_t)(region->end - region->fresh) < size)
    return NULL;
  region->fresh += size;
  return region->fresh - size;
}

void *region_alloc(Regions *regions, size_t size, bool *is_zero) {
  *is_zero = true;
  if (size >= LARGE)
    return map(regions, round_up(size, PAGE));
  size = round_up(size, UNIT);
  for (int use_fresh = 0; use_fresh < 2; use_fresh++)
    for (Region *region = regions->newest; region; region = region->older) {
      void *data = use_fresh ? take_fresh(region, size) : take_run(region, size);
      if (!data)
        continue;
      region->used += size;
      *is_zero = use_fresh;
      return data;
    }
  Region *region = add_region(regions);
  if (!region)
    return NULL;
  region->used = size;
  return take_fresh(region, size);
}

static void remove_region(Regions *regions, Region **link) {
  Region *region = *link;
  *link = region->older;
  unmap(regions, region, (size_t)(region->end - (char *)region));
}

// Joins a run with the next one if there is nothing between them.
static void join(Run *run) {
  Run *next = run->next;
  if (next && (char *)run + run->size == (char *)next)
    *run = (Run){next->next, run->size + next->size};
}

static void add_run(Region *region, char *data, size_t size) {
  Run *before = NULL, *run = (Run *)data;
  for (Run *next = region->runs; next && (char *)next < data; next = next->next)
    before = next;
  Run **link = before ? &before->next : &region->runs;
  *run = (Run){*link, size};
  *link = run;
  join(run);
  if (before)
    join(before);
}

void region_free(Regions *regions, void *data, size_t size) {
  if (size >= LARGE) {
    unmap(regions, data, round_up(size, PAGE));
    return;
  }
  Region **link = &regions->newest;
  while ((char *)data < (char *)*link || (char *)data >= (*link)->end)
    link = &(*link)->older;
  size = round_up(size, UNIT);
  (*link)->used -= size;
  if (!(*link)->used)
    remove_region(regions, link);
  else
    add_run(*link, data, size);
}

// Pages are moved, not copied. Where they end within a huge page, those behind them may be used.
void *region_resize(Regions *regions, void *data, size_t old, size_t size) {
  const size_t from = round_up(old, PAGE), to = round_up(size, PAGE);
  if (old < LARGE || size < old)
    return NULL;
  char *moved = map(regions, to);
  if (!moved)
    return NULL;
  regions->bytes -= from;
  if (mremap(data, from, from, MREMAP_MAYMOVE | MREMAP_FIXED, moved) != MAP_FAILED)
    return moved;
  regions->bytes += from;
  unmap(regions, moved, to);
  return NULL;
}

#else

void *region_alloc(Regions *regions, size_t size, bool *is_zero) {
  (void)regions, (void)size, (void)is_zero;
  return NULL;
}

void region_free(Regions *regions, void *data, size_t size) {
  (void)regions, (void)data, (void)size;
}

void *region_resize(Regions *regions, void *data, size_t old, size_t size) {
  (void)regions, (void)data, (void)old, (void)size;
  return NULL;
}

#endif
