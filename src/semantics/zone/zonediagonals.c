#include "semantics/zone/zonediagonals.h"

#include "dbm/diagonalcover.h"
#include "dbm/stored/compact.h"

bool zonediagonals_find(Zones *zones, Report *report) {
  ZoneDiagonals *diagonals = &zones->covering.diagonals;
  if (zones->abstraction == ABSTRACTION_NONE || !diagonals_occur(zones->net, zones->goal))
    return true;
  diagonals->is_on = true;
  // Deadlocks are preserved by simulation that goes both ways.
  const bool is_symmetric =
      zones->goal && zones->goal->ends && abstraction_is_maximal(zones->abstraction);
  return diagonals_compute(&diagonals->diagonals, &zones->arena, zones->net, zones->goal,
                           is_symmetric, report);
}

// Memory for two matrices and the parts that they are split into.
static Bound *find_room(Zones *zones, const DiagonalCover *s) {
  ZoneDiagonals *diagonals = &zones->covering.diagonals;
  const size_t bytes = 2 * dbm_bytes(s->n) + diagonalcover_bytes(s->n, s->count);
  if (bytes > diagonals->bytes) {
    diagonals->bytes = 2 * bytes; // so that all that there were are not larger than the last one
    diagonals->memory = arena_align(&zones->arena, diagonals->bytes, 0);
  }
  return diagonals->memory;
}

static DiagonalCover splitting_of(const Zones *zones) {
  const ActiveClocks *active = &zones->vector->active;
  const Setting *setting = zones->vector->setting;
  return (DiagonalCover){.mem = zones->mem,
                         .n = active->k,
                         .lower = active->bounds->lower,
                         .upper = active->bounds->upper,
                         .list = setting->diagonals.items,
                         .count = setting->diagonals.count};
}

typedef struct Packed {
  const void *entries;
  PackedFormat format;
} Packed;

// One entry of a packed zone is mostly enough to know that a difference asks nothing.
static bool some_matters(const DiagonalCover *s, Packed big, Packed small) {
  for (uint32_t i = 0; i < s->count; i++) {
    const Constraint c = s->list[i];
    const Bound back = packed_entry(small.entries, small.format, c.j * s->n + c.i);
    const Bound bound = packed_entry(big.entries, big.format, c.i * s->n + c.j);
    if (diagonalcover_matters(c, back, bound))
      return true;
  }
  return false;
}

bool zonediagonals_agree(Zones *zones, const Probe *probe, ZoneRef ref, bool covers) {
  ZoneDiagonals *diagonals = &zones->covering.diagonals;
  const DiagonalCover s = splitting_of(zones);
  const ZoneTable *table = zones->covering.table;
  if (probe->compact && !diagonals->held)
    diagonals->held = arena_align(&zones->arena, probe->compact->max_bytes, 0);
  const StoredZone *stored = compact_at(probe->compact, table, ref, diagonals->held);
  const Packed own = {probe->entries, probe->format}, other = {stored->entries, stored->format};
  const Packed big = covers ? own : other, small = covers ? other : own;
  if (!some_matters(&s, big, small))
    return true;
  Bound *first = find_room(zones, &s);
  Bound *second = first + dbm_bytes(s.n) / sizeof *first;
  packed_read(first, s.n, big.entries, big.format);
  packed_read(second, s.n, small.entries, small.format);
  return diagonalcover_holds(&s, first, second, second + dbm_bytes(s.n) / sizeof *second);
}

bool zonediagonals_are_true(Zones *zones, const Bound *zone) {
  const DiagonalCover s = splitting_of(zones);
  Bound *universal = find_room(zones, &s);
  dbm_universal(universal, s.n);
  return diagonalcover_holds(&s, zone, universal, universal + dbm_bytes(s.n) / sizeof *universal);
}
