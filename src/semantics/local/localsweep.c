#include "semantics/local/localsweep.h"

#include "base/testbuild.h"

#include <string.h>

// How many zones there may be beyond two for each stored node.
enum { MORE = LOWERED(1 << 10, 2, 0) };

bool localsweep_is_due(const Space *space, uint32_t stored) {
  return ((const Zones *)space)->table.count >= 2 * (uint64_t)stored + MORE;
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
  for (uint32_t i = 0; i < zones->vectors.list.size; i++)
    ((LocalVector *)((LocVector *)pool_at(&zones->vectors.list, i))->more)->opened = ZONE_NONE;
  memset(local->origins, 0, sizeof local->origins);
  zonetable_sweep(&zones->table);
  zonetable_sweep(&local->synced.table);
  zones->opened.zone = zones->space.zone = local->sync = covering->probed = ZONE_NONE;
  zones->written = zones->table.count;
}
