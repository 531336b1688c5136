#include "semantics/zone/splits.h"

#include "dbm/splitting.h"
#include "dbm/stored/compact.h"

bool splits_find(Zones *zones, Report *report) {
  Splits *splits = &zones->covering.splits;
  if (zones->abstraction == ABSTRACTION_NONE || !differences_occur(zones->net, zones->goal))
    return true;
  splits->is_on = true;
  // Deadlocks are preserved by simulation that goes both ways.
  const bool is_symmetric =
      zones->goal && zones->goal->ends && abstraction_is_maximal(zones->abstraction);
  return differences_compute(&splits->differences, &zones->arena, zones->net, zones->goal,
                             is_symmetric, report);
}

// Memory for two matrices and the parts that they are split into.
static Bound *find_room(Zones *zones, const Splitting *s) {
  Splits *splits = &zones->covering.splits;
  const size_t bytes = 2 * dbm_bytes(s->n) + splitting_bytes(s->n, s->count);
  if (bytes > splits->bytes) {
    splits->bytes = 2 * bytes; // so that all that there were are not larger than the last one
    splits->memory = arena_align(&zones->arena, splits->bytes, 0);
  }
  return splits->memory;
}

static Splitting splitting_of(const Zones *zones) {
  const ActiveClocks *active = &zones->vector->active;
  const Setting *setting = zones->vector->setting;
  return (Splitting){.mem = zones->mem,
                     .n = active->k,
                     .lower = active->bounds->lower,
                     .upper = active->bounds->upper,
                     .list = setting->differences.items,
                     .count = setting->differences.count};
}

typedef struct Packed {
  const void *entries;
  PackedFormat format;
} Packed;

// One entry of a packed zone is mostly enough to know that a difference asks nothing.
static bool some_matters(const Splitting *s, Packed big, Packed small) {
  for (uint32_t i = 0; i < s->count; i++) {
    const Constraint c = s->list[i];
    const Bound back = packed_entry(small.entries, small.format, c.j * s->n + c.i);
    const Bound bound = packed_entry(big.entries, big.format, c.i * s->n + c.j);
    if (splitting_matters(c, back, bound))
      return true;
  }
  return false;
}

bool splits_agree(Zones *zones, const Probe *probe, ZoneRef ref, bool covers) {
  Splits *splits = &zones->covering.splits;
  const Splitting s = splitting_of(zones);
  const ZoneTable *table = zones->covering.table;
  if (probe->compact && !splits->held)
    splits->held = arena_align(&zones->arena, probe->compact->most_bytes, 0);
  const StoredZone *stored = compact_at(probe->compact, table, ref, splits->held);
  const Packed own = {probe->entries, probe->format}, other = {stored->entries, stored->format};
  const Packed big = covers ? own : other, small = covers ? other : own;
  if (!some_matters(&s, big, small))
    return true;
  Bound *first = find_room(zones, &s);
  Bound *second = first + dbm_bytes(s.n) / sizeof *first;
  packed_read(first, s.n, big.entries, big.format);
  packed_read(second, s.n, small.entries, small.format);
  return splitting_covers(&s, first, second, second + dbm_bytes(s.n) / sizeof *second);
}

bool splits_are_true(Zones *zones, const Bound *zone) {
  const Splitting s = splitting_of(zones);
  Bound *universal = find_room(zones, &s);
  dbm_universal(universal, s.n);
  return splitting_covers(&s, zone, universal, universal + dbm_bytes(s.n) / sizeof *universal);
}
