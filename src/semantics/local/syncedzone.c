#include "semantics/local/syncedzone.h"

#include "base/testbuild.h"

// The synchronised zone of a packed zone in the setting of the current node.
static const Bound *synchronise(Local *local, const void *entries, PackedFormat format) {
  const LocalSetting *setting = local->setting;
  offsetpack_synchronise(local->global, local->vector->shape, entries, format, setting->ceilings,
                         setting->ceiling_count, local->spare);
  return local->global;
}

const Bound *syncedzone_whole(Local *local) {
  return synchronise(local, local->pack.entries, local->pack.format);
}

// Makes the probe for the synchronised zone of a packed one in 16 bits; false if that cannot be.
static bool probe_small(Local *local, const void *entries, PackedFormat format) {
  const ActiveClocks *active = &local->vector->vector->active;
  const LocalSetting *setting = local->setting;
  Covering *covering = &local->zones.covering;
  if (format == PACKED_32 || local->zones.extrapolation != ABSTRACTION_NONE ||
      !offsetpack_synchronise16(covering->probe.buffer16, local->vector->shape, entries, format,
                                setting->ceilings, setting->ceiling_count, local->instant16))
    return false;
  probe_accept(&covering->probe, covering->kind, active->k, &active->bounds->packed);
  return true;
}

// Puts the synchronised zone of a packed one, modulo the abstraction, into the table. What
// remembers such zones is made here: many searches never synchronise one.
static ZoneRef add_sync(Local *local, const void *entries, PackedFormat format) {
  const ActiveClocks *active = &local->vector->vector->active;
  Zones *zones = &local->zones;
  if (!local->synced.known.entries && !IS_PLAIN)
    memo_init(&local->synced.known, zones->mem);
  zones->covering.probed = ZONE_NONE;
  if (!probe_small(local, entries, format)) {
    synchronise(local, entries, format);
    abstraction_apply(zones->extrapolation, zones->mem, local->global, active);
    probe_make(&zones->covering.probe, zones->covering.kind, local->global, active->k,
               &active->bounds->packed);
  }
  return zonetable_add(&local->synced.table, &zones->covering.probe);
}

ZoneRef syncedzone_of(Local *local, ZoneRef ref) {
  const ZoneRef known = local->synced.known.entries
                            ? memo_find(&local->synced.known, ref, local->setting->number)
                            : ZONE_NONE;
  if (known)
    return known;
  const StoredZone *stored = zonetable_at(&local->zones.table, ref);
  const ZoneRef sync = add_sync(local, stored->entries, (PackedFormat)stored->format);
  if (local->synced.known.entries)
    memo_add(&local->synced.known, ref, local->setting->number, sync);
  return sync;
}

ZoneRef syncedzone_current(Local *local) {
  if (!local->sync && local->zones.space.zone)
    local->sync = syncedzone_of(local, local->zones.space.zone);
  else if (!local->sync)
    local->sync = add_sync(local, local->pack.entries, local->pack.format);
  return local->sync;
}
