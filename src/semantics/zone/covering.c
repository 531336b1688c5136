#include "semantics/zone/covering.h"

#include "dbm/stored/compact.h"
#include "dbm/stored/sketch.h"
#include "search/space/needs.h"
#include "semantics/zone/zonediagonals.h"

// The compared zone of a zone of the table; of the current one (ZONE_NONE): ZONE_NONE if it has
// no number.
static inline ZoneRef compared(Zones *zones, ZoneRef zone) {
  return zones->time->compared ? zones->time->compared(zones, zone)
         : zone                ? zone
                               : zones->space.zone;
}

static const PackedBounds *bounds_of(const Zones *zones) {
  const Needs *needs = zones->space.needs;
  return !needs          ? &zones->vector->active.bounds->packed
         : needs->bounds ? needs->bounds
                         : needs->limits;
}

// The same zone may be met where the clocks have other bounds.
static inline Probe *find_probe(Zones *zones, ZoneRef own) {
  Covering *covering = &zones->covering;
  Probe *probe = &covering->probe;
  const PackedBounds *bounds = bounds_of(zones);
  if (covering->probed != own) {
    const StoredZone *stored = compact_at(probe->compact, covering->table, own, covering->room);
    probe_take(probe, covering->kind, stored->entries, stored->k, (PackedFormat)stored->format,
               bounds);
    covering->probed = own;
  }
  if (probe->bounds != bounds) // else its demands are still right
    probe_bounds(probe, bounds);
  return probe;
}

Probe *covering_probe(Zones *zones) {
  const ZoneRef own = compared(zones, ZONE_NONE);
  return find_probe(zones, own ? own : ZONE_CURRENT);
}

// Without differences of clocks. Always inlined: `covers` is mostly a constant.
__attribute__((always_inline)) static inline uint32_t
scan(Zones *zones, ZoneRef own, const ZoneRef *refs, uint32_t from, uint32_t count, bool covers) {
  const ZoneTable *table = zones->covering.table;
  Probe *probe = find_probe(zones, own ? own : ZONE_CURRENT);
  return covers ? zonetable_covers(table, probe, refs, from, count)
                : zonetable_covered(table, probe, refs, count);
}

// With differences of clocks, if they matter (semantics/zone/zonediagonals.h).
__attribute__((noinline)) static uint32_t scan_splits(Zones *zones, ZoneRef own,
                                                      const ZoneRef *refs, uint32_t from,
                                                      uint32_t count, bool covers) {
  for (;; from++) {
    from += scan(zones, own, refs + from, 0, count - from, covers);
    if (from >= count || zonediagonals_agree(zones, find_probe(zones, own ? own : ZONE_CURRENT),
                                             refs[from], covers))
      return from;
  }
}

uint32_t covering_scan(Zones *zones, ZoneRef own, const ZoneRef *refs, uint32_t from,
                       uint32_t count, bool covers) {
  return zonediagonals_are_needed(zones) ? scan_splits(zones, own, refs, from, count, covers)
                                         : scan(zones, own, refs, from, count, covers);
}

uint32_t covering_find_subsumer(Space *space, const uint32_t *refs, uint32_t count) {
  Zones *zones = (Zones *)space;
  const ZoneRef own = space->zone;
  if (own) {
    const uint32_t found = count == 1 ? *refs != own : zonetable_same(own, refs, count);
    if (found < count)
      return found;
  }
  return covering_scan(zones, own, refs, 0, count, false);
}

uint32_t covering_find_subsumed(Space *space, const uint32_t *refs, uint32_t from,
                                uint32_t count) {
  return covering_scan((Zones *)space, space->zone, refs, from, count, true);
}

// Made when the first list is long enough for sketches: it takes more memory than a small search.
static Sketcher *find_sketcher(Zones *zones) {
  const uint32_t k = zones->vectors.n;
  if (!zones->covering.sketcher) {
    Sketcher *sketcher = ARENA_NEW(&zones->arena, Sketcher);
    sketcher_init(sketcher, arena_align(&zones->arena, sketcher_bytes(k), 0), k);
    zones->covering.sketcher = sketcher;
  }
  return zones->covering.sketcher;
}

static void choose_legend(Space *space, void *made, const uint32_t *refs, uint32_t count) {
  Zones *zones = (Zones *)space;
  ZoneRef sample[SPACE_SAMPLE];
  for (uint32_t i = 0; i < count; i++)
    sample[i] = compared(zones, refs[i]);
  sketch_choose(find_sketcher(zones), made, zones->covering.table, covering_probe(zones), sample,
                count);
}

static void sketch(Space *space, const void *by, uint32_t zone, uint32_t *supply,
                   uint32_t *demand) {
  Zones *zones = (Zones *)space;
  const ZoneRef other = zone ? compared(zones, zone) : ZONE_NONE;
  Probe *probe = covering_probe(zones);
  const Sketch made =
      zone ? sketch_zone(find_sketcher(zones), by, zones->covering.table, probe, other)
           : sketch_probe(by, probe);
  *supply = made.supply;
  *demand = made.demand;
}

void covering_allow_sketches(Zones *zones) {
  Speed *speed = &zones->space.speed;
  if (zones->covering.kind == PROBE_CLOSURE_LU || zones->vectors.n > SKETCH_MAX_CLOCKS ||
      zones->space.needs) // sketches are made for bounds that do not change
    return;
  speed->sketch_words = zones->covering.kind == PROBE_INCLUSION ? 1 : 2;
  speed->legend_bytes = sizeof(SketchLegend);
  speed->choose_legend = choose_legend;
  speed->sketch = sketch;
}
