#include "local/localsweep.h"

#include "base/testbuild.h"
#include "zone/reduce.h"

// How many zones there may be beyond two for each stored node, and how many entries of large
// ones. While results are remembered a zone that no node has may yet spare work.
enum { MORE = LOWERED(1 << 10, 2, 0), MORE_REMEMBERED = LOWERED(1 << 15, 20, 0) };
enum { MORE_ENTRIES = LOWERED(1 << 20, 0, 0) };

bool localsweep_is_due(const Space *space, uint32_t stored) {
  const Local *local = (const Local *)space;
  const OffsetShape *all = &local->vectors.all;
  const size_t entries = offsetpack_most(all->n, all->first_time + all->times, all->clocks);
  const uint64_t more =
      local->zones.results.is_on ? MORE_REMEMBERED : MORE + MORE_ENTRIES / (entries + 1);
  return local->zones.table.count >= 2 * (uint64_t)stored + more;
}

void localsweep_mark(Space *space, uint32_t word) {
  zonetable_mark(&((Local *)space)->zones.table, word);
}

// The synchronised zones of those that stay do so, too.
static void mark_syncs(Local *local) {
  for (uint32_t i = 0; local->synced.known.entries && i <= local->synced.known.mask; i++) {
    const MemoEntry *entry = &local->synced.known.entries[i];
    if (entry->zone && zonetable_is_marked(&local->zones.table, entry->zone))
      zonetable_mark(&local->synced.table, entry->result);
  }
}

void localsweep_run(Space *space) {
  Local *local = (Local *)space;
  Zones *zones = &local->zones;
  Covering *covering = &zones->covering;
  mark_syncs(local);
  memo_sweep(&local->synced.known, &zones->table, &local->synced.table);
  memo_sweep(&zones->results.memo, &zones->table, &zones->table);
  if (covering->known)
    covermemo_forget(&local->synced.table, covering->known);
  localvector_forget_zones(&local->vectors);
  memset(local->origins, 0, sizeof local->origins);
  zonetable_sweep(&zones->table);
  zonetable_sweep(&local->synced.table);
  zones->opened.zone = zones->space.zone = local->sync = covering->probed = ZONE_NONE;
  zones->written = zones->table.count;
}
