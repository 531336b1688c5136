#include "semantics/zone/globalzone.h"

#include "base/testbuild.h"
#include "dbm/stored/compact.h"

bool globalzone_outgrow(Zones *zones) {
  const char *reason =
      zones->extrapolation != ABSTRACTION_NONE
          ? "a clock difference outgrows the largest representable bound; scale the constants of "
            "the model down"
          : "a clock difference outgrows the largest representable bound; scale the constants of "
            "the model down, or use an extrapolation such as --abstraction extra-lu+";
  return space_fail(&zones->space, reason, (Place){0});
}

bool globalzone_in_range(Zones *zones, const Bound *zone, uint32_t k) {
  return dbm_in_range(zone, k) || globalzone_outgrow(zones);
}

void globalzone_read(Zones *zones, ZoneRef ref, Bound *matrix) {
  const StoredZone *stored =
      compact_at(zones->covering.probe.compact, &zones->table, ref, zones->covering.room);
  if (zones->covering.probe.compact && zones->covering.probed != ZONE_CURRENT)
    zones->covering.probed = ZONE_NONE; // that zone may have been in the room
  packed_read(matrix, stored->k, stored->entries, (PackedFormat)stored->format);
}

void globalzone_open(Zones *zones, ZoneRef ref) {
  zones->opened.zone = ref;
  zones->opened.bounds = compact_at(zones->covering.probe.compact, &zones->table, ref,
                                    global_of(zones)->source_room);
}

const Bound *globalzone_source(Zones *zones) {
  const StoredZone *stored = zones->opened.bounds;
  if (!zones->opened.has_matrix)
    packed_read(zones->opened.matrix, stored->k, stored->entries, (PackedFormat)stored->format);
  zones->opened.has_matrix = true;
  return zones->opened.matrix;
}

// The current zone will be in the matrix.
void globalzone_begin(Zones *zones) {
  global_of(zones)->matrix_of = ZONE_CURRENT;
  zones->covering.probed = zones->space.zone = ZONE_NONE;
}

Bound *globalzone_matrix(Zones *zones) {
  Global *global = global_of(zones);
  const Probe *probe = &zones->covering.probe;
  const ZoneRef own = zones->space.zone ? zones->space.zone : ZONE_CURRENT;
  if (global->matrix_of != own && zones->covering.probed == own)
    packed_read(global->matrix, probe->k, probe->entries, probe->format);
  else if (global->matrix_of != own)
    globalzone_read(zones, own, global->matrix);
  global->matrix_of = own;
  return global->matrix;
}

// The current zone, which has no number yet, in packed form.
static Probe *pack_zone(Zones *zones) {
  const ActiveClocks *active = &zones->vector->active;
  Probe *probe = &zones->covering.probe;
  if (zones->covering.probed == ZONE_CURRENT)
    return probe;
  probe_make(probe, zones->covering.kind, global_of(zones)->matrix, active->k,
             &active->bounds->packed);
  zones->covering.probed = ZONE_CURRENT;
  if (probe->format == PACKED_32)
    globalzone_in_range(zones, global_of(zones)->matrix, active->k);
  return probe;
}

// The current zone gets a number.
static void set_number(Zones *zones, ZoneRef number) {
  zones->space.zone = number;
  if (number && global_of(zones)->matrix_of == ZONE_CURRENT)
    global_of(zones)->matrix_of = number;
  if (number)
    zones->covering.probed = number;
}

// How many zones may be in the table that no node has had yet. Where zones are met again and
// again there are far more nodes than zones; where they are not, nothing is gained by keeping
// those that are covered at once.
// In a search that is reduced by symmetry most zones give way to others at once: large ones are
// not kept before.
enum { SPARE_ZONES = LOWERED(4096, 4096, 4), SPARE_BYTES = 1 << 18, MAX_RENAMED = 1 << 10 };

static bool has_room(const Zones *zones) {
  const Probe *probe = &zones->covering.probe;
  const uint32_t bytes = (uint32_t)packed_bytes(probe->k, probe->format);
  const uint32_t spare = SPARE_BYTES / bytes;
  if (zones->rename && bytes > MAX_RENAMED)
    return false;
  return zones->table.count < zones->written + (spare < SPARE_ZONES ? spare : SPARE_ZONES);
}

void globalzone_keep(Zones *zones) {
  const Probe *probe = pack_zone(zones);
  set_number(zones, has_room(zones) ? zonetable_add(&zones->table, probe)
                                    : zonetable_find(&zones->table, probe));
}

ZoneRef globalzone_number(Zones *zones) {
  if (!zones->space.zone)
    set_number(zones, zonetable_add(&zones->table, pack_zone(zones)));
  return zones->space.zone;
}
