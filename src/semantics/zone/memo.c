#include "semantics/zone/memo.h"

#include "base/testbuild.h"

#include <string.h>

// The table may take this share of the memory in use, and always LEAST_BYTES.
enum { LEAST_ENTRIES = LOWERED(1 << 10, 1 << 10, 1 << 2), SHARE = 4 };
enum { LEAST_BYTES = LOWERED(2 << 20, 2 << 20, 1 << 10) };

static size_t bytes_of(uint32_t mask) { return sizeof(MemoEntry) * ((size_t)mask + 1); }

void memo_init(Memo *memo, Mem *mem) {
  *memo = (Memo){.mem = mem, .mask = LEAST_ENTRIES - 1};
  memo->entries = mem_alloc(mem, bytes_of(memo->mask));
}

void memo_release(Memo *memo) {
  if (memo->mem)
    mem_free(memo->mem, memo->entries);
}

void memo_clear(Memo *memo) {
  if (memo->entries)
    memset(memo->entries, 0, bytes_of(memo->mask));
}

void memo_sweep(Memo *memo, const ZoneTable *zones, const ZoneTable *results) {
  for (uint32_t i = 0; memo->entries && i <= memo->mask; i++) {
    MemoEntry *entry = &memo->entries[i];
    if (entry->zone &&
        !(zonetable_is_marked(zones, entry->zone) &&
          (entry->result == MEMO_EMPTY || zonetable_is_marked(results, entry->result))))
      *entry = (MemoEntry){0};
  }
}

static bool may_grow(const Memo *memo) {
  if (memo->added <= memo->mask / 2 || memo->mask >= UINT32_MAX / 2)
    return false;
  const size_t bytes = 2 * bytes_of(memo->mask);
  return bytes <= LEAST_BYTES || bytes <= (mem_in_use(memo->mem) + bytes) / SHARE;
}

// What was in the slot moves to the neighbour's, and so on, up to a free one.
static void put(Memo *memo, MemoEntry entry) {
  const uint32_t slot = memo_slot(memo, entry.zone, entry.transformer);
  for (uint32_t i = 0; i < MEMO_WAYS && entry.zone; i++) {
    const MemoEntry moved = memo->entries[slot ^ i];
    memo->entries[slot ^ i] = entry;
    entry = moved;
  }
}

static void grow(Memo *memo) {
  MemoEntry *old = memo->entries;
  const uint32_t old_mask = memo->mask;
  memo->entries = mem_alloc_table(memo->mem, bytes_of(old_mask * 2 + 1));
  memo->mask = old_mask * 2 + 1;
  memo->added = 0;
  for (uint32_t i = 0; i <= old_mask; i++) {
    mem_tick_item(memo->mem, i, old);
    if (old[i].zone)
      put(memo, old[i]);
  }
  mem_free(memo->mem, old);
}

void memo_add(Memo *memo, ZoneRef zone, uint32_t transformer, ZoneRef result) {
  memo->added++;
  if (may_grow(memo))
    grow(memo);
  put(memo, (MemoEntry){.zone = zone, .transformer = transformer, .result = result});
}
