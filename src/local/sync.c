#include "local/sync.h"

#include "dbm/kernel/step.h"

// The synchronised zone of a packed zone in the setting of the current node.
static const Bound *synchronise(Local *local, const void *entries, PackedFormat format) {
  const LocalSetting *setting = local->setting;
  offsetpack_synchronise(local->global, local->vector->shape, entries, format, setting->ceilings,
                         setting->ceiling_count, local->spare);
  return local->global;
}

const Bound *sync_whole(Local *local) {
  return synchronise(local, local->pack.entries, local->pack.format);
}

// How many zones are made before one asks whether it helps to extrapolate them.
enum { MOST_UNKNOWN = 2048 };

// Makes the probe for the synchronised zone of a packed one, modulo the abstraction, in 16 bits;
// false if that cannot be.
static bool probe_small(Local *local, const void *entries, PackedFormat format) {
  const ActiveClocks *active = &local->vector->vector->active;
  const LocalSetting *setting = local->setting;
  const PackedBounds *bounds = &active->bounds->packed;
  Probe *probe = &local->zones.covering.probe;
  const bool changes = local->zones.extrapolation != ABSTRACTION_NONE;
  const bool steps =
      local->zones.covering.kind == PROBE_ALU && active->k <= local->zones.step_most;
  if (format == PACKED_32 || (changes && !steps) ||
      !offsetpack_synchronise16(probe->buffer16, local->vector->shape, entries, format,
                                setting->ceilings, setting->ceiling_count, local->instant16))
    return false;
  if (!changes) {
    probe_shrink(probe, local->zones.covering.kind, active->k, bounds);
    return true;
  }
  const Step step = {.from = probe->buffer16, // read before anything is written
                     .format = PACKED_16,
                     .n = active->k,
                     .k = active->k,
                     .bounds = bounds,
                     .image = probe->buffer16,
                     .image8 = probe->allows_8 ? probe->outer_buffer8 : NULL};
  const StepResult result = step_run(&step);
  if (result == STEP_REFUSED)
    return false;
  probe_accept(probe, local->zones.covering.kind, active->k,
               result == STEP_8 ? PACKED_8 : PACKED_16, bounds);
  return true;
}

// Puts the synchronised zone of a packed one, modulo the abstraction, into the table.
static ZoneRef add_sync(Local *local, const void *entries, PackedFormat format) {
  const ActiveClocks *active = &local->vector->vector->active;
  Zones *zones = &local->zones;
  zones->covering.probed = ZONE_NONE;
  if (!probe_small(local, entries, format)) {
    synchronise(local, entries, format);
    abstraction_apply(zones->extrapolation, local->global, active);
    probe_make(&zones->covering.probe, zones->covering.kind, local->global, active->k,
               &active->bounds->packed);
  }
  return zonetable_add(&local->synced.table, &zones->covering.probe);
}

// The same, unless that of a zone which is like this one is known. What remembers such zones is
// made here: many searches never synchronise one.
static ZoneRef keep_sync(Local *local, const void *entries, PackedFormat format) {
  Zones *zones = &local->zones;
  if (!local->synced.is_prepared) {
    local->synced.is_prepared = true;
    memo_init(&local->synced.known, zones->mem);
    local->synced.memo = mem_alloc(zones->mem, sizeof *local->synced.memo);
    if (zones->covering.kind == PROBE_ALU)
      zones->covering.known = covermemo_new(zones->mem);
  }
  if (++local->synced.made == MOST_UNKNOWN && local->synced.table.count > MOST_UNKNOWN / 8 * 7 &&
      zones->covering.kind == PROBE_ALU)
    zones->extrapolation = ABSTRACTION_NONE;
  ZoneRef *known = local->synced.memo && format == PACKED_8
                       ? syncmemo_find(local->synced.memo, local->vector->shape,
                                       local->setting->number, entries)
                       : NULL;
  const ZoneRef sync = known && *known ? *known : add_sync(local, entries, format);
  if (known)
    *known = sync;
  return sync;
}

ZoneRef sync_of(Local *local, ZoneRef ref) {
  const ZoneRef known = local->synced.known.entries
                            ? memo_find(&local->synced.known, ref, local->setting->number)
                            : ZONE_NONE;
  if (known)
    return known;
  const StoredZone *stored = zonetable_at(&local->zones.table, ref);
  const ZoneRef sync = keep_sync(local, stored->entries, (PackedFormat)stored->format);
  if (local->synced.known.entries)
    memo_add(&local->synced.known, ref, local->setting->number, sync);
  return sync;
}

ZoneRef sync_current(Local *local) {
  if (!local->sync && local->zones.space.zone)
    local->sync = sync_of(local, local->zones.space.zone);
  else if (!local->sync)
    local->sync = keep_sync(local, local->pack.entries, local->pack.format);
  return local->sync;
}
