#include "semantics/local/localrename.h"

#include "base/clones.h"
#include "semantics/local/syncedzone.h"
#include "semantics/zone/reduce.h"

#include <string.h>

// --- Which families are symmetries of local time.

typedef struct Judge {
  const Net *net;
  const Resources *resources;
  const Family *family;
  const Permutation *perm;
  ResourceId *image; // by resource; RESOURCE_NONE: not known yet
} Judge;

static bool pair_resources(Judge *judge, ResourceId from, ResourceId to) {
  if (from == RESOURCE_NONE || to == RESOURCE_NONE)
    return from == to;
  if (judge->image[from] == RESOURCE_NONE)
    judge->image[from] = to;
  return judge->image[from] == to;
}

// Every resource has an image, of the same kind. No two have the same one, as some power of the
// permutation takes each back to itself.
static bool permutes_resources(Judge *judge) {
  const Resources *c = judge->resources;
  const Permutation *perm = judge->perm;
  for (ResourceId r = 0; r < c->count; r++)
    judge->image[r] = RESOURCE_NONE;
  for (uint32_t s = 0; s < judge->net->location_slot; s++)
    if (!pair_resources(judge, c->slot_resource[s], c->slot_resource[perm->slot[s]]))
      return false;
  for (ClockIndex x = 1; x <= judge->net->clock_count; x++)
    if (!pair_resources(judge, c->clock_resource[x], c->clock_resource[perm->clock[x]]))
      return false;
  for (ResourceId r = 0; r < c->count; r++) {
    if (judge->image[r] == RESOURCE_NONE)
      return false;
    const Resource *a = &c->items[r], *b = &c->items[judge->image[r]];
    if (a->is_read != b->is_read || a->is_own != b->is_own || perm->clock[a->clock] != b->clock)
      return false;
  }
  return true;
}

static bool same_list(const Judge *judge, ResourceList a, ResourceList b) {
  if (a.size != b.size)
    return false;
  for (uint32_t i = 0; i < a.size; i++)
    if (!resources_has(b, judge->image[a.items[i]]))
      return false;
  return true;
}

static bool is_excluded(const Judge *judge, LocationId location) {
  return judge->family->excluded && judge->family->excluded[location];
}

static bool same_ends(const Judge *judge, const Edge *a, const Edge *b) {
  const Net *net = judge->net;
  const bool alone = net->async[(size_t)a->process * net->events.size + a->event];
  return b->process == judge->perm->process[a->process] &&
         net_index(net, a->source) == net_index(net, b->source) &&
         net_index(net, a->target) == net_index(net, b->target) &&
         alone == net->async[(size_t)b->process * net->events.size + b->event] &&
         (alone || permutation_event(judge->perm, a->process, a->event) == b->event);
}

// Edges that were compared one by one access what corresponds. Of those that were compared by
// their values all must do so.
static bool has_image(const Judge *judge, EdgeId e) {
  const Resources *c = judge->resources;
  const Net *net = judge->net;
  const Edge *edge = &net->edges.items[e];
  const Location *source =
      net_location(net, judge->perm->process[edge->process], net_index(net, edge->source));
  bool some = false;
  for (uint32_t k = 0; k < source->edge_count; k++) {
    const EdgeId other = net->out[source->first_edge + k];
    if (!same_ends(judge, edge, &net->edges.items[other]))
      continue;
    const bool same = same_list(judge, c->edge_reads[e], c->edge_reads[other]) &&
                      same_list(judge, c->edge_writes[e], c->edge_writes[other]);
    if (!same && judge->family->by_tables)
      return false;
    some |= same;
  }
  return some;
}

static bool permutes_accesses(const Judge *judge) {
  const Net *net = judge->net;
  const Resources *c = judge->resources;
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (!is_excluded(judge, net->edges.items[e].source) && !has_image(judge, e))
      return false;
  for (LocationId l = 0; l < net->locations.size; l++) {
    const ProcessId image = judge->perm->process[net->locations.items[l].process];
    const Location *other = net_location(net, image, net_index(net, l));
    if (!is_excluded(judge, l) && !same_list(judge, c->invariant_reads[l],
                                             c->invariant_reads[other - net->locations.items]))
      return false;
  }
  return true;
}

// The generators of the group: a rotation, and a swap of two ids.
static bool is_local(Judge *judge, Arena *arena) {
  const Family *family = judge->family;
  uint32_t *image = ARENA_ARRAY(arena, uint32_t, family->size);
  for (int swaps = 0; swaps < (family->is_cyclic ? 1 : 2); swaps++) {
    for (uint32_t i = 0; i < family->size; i++)
      image[i] = !swaps ? (i + 1) % family->size : i < 2 ? 1 - i : i;
    const Permutation perm = family_permutation(family, arena, judge->net, image);
    judge->perm = &perm;
    if (!permutes_resources(judge) || !permutes_accesses(judge))
      return false;
  }
  return true;
}

Symmetry localrename_restrict(const Symmetry *symmetry, Arena *arena, const Net *net) {
  Resources resources;
  Symmetry result = {0};
  // Of urgent channels it is not known where a permutation takes their resources.
  if (symmetry->count && resources_find(&resources, arena, net, &(Report){0}) &&
      !resources.has_urgent) {
    Judge judge = {.net = net,
                   .resources = &resources,
                   .image = ARENA_ARRAY(arena, ResourceId, resources.count + 1)};
    Family *families = ARENA_ARRAY(arena, Family, symmetry->count);
    for (uint32_t i = 0; i < symmetry->count; i++) {
      judge.family = &symmetry->families[i];
      if (is_local(&judge, arena))
        families[result.count++] = symmetry->families[i];
    }
    result.families = families;
  }
  return result;
}

// --- Representatives.

static void move_resource(Local *local, ResourceId to, ResourceId from) {
  const OffsetShape *all = &local->vectors.all;
  const Resource *items = local->resources.items;
  if (to == RESOURCE_NONE)
    return;
  local->origin[localaction_known(all, to)] = localaction_known(all, from);
  if (items[to].is_own)
    local->origin[all->clocks + items[to].written] = all->clocks + items[from].written;
}

// Variable v of the representative's matrix is variable origin[v] of the node's.
static void find_origins(Local *local) {
  const Orbit *orbit = &local->zones.reduction->orbit;
  const Resources *c = &local->resources;
  const OffsetShape *all = &local->vectors.all;
  for (uint32_t v = 0; v < all->n; v++)
    local->origin[v] = v;
  for (uint32_t x = 0; x < all->clocks; x++) {
    local->origin[x] = orbit->from[x + 1] - 1;
    move_resource(local, c->clock_resource[x + 1], c->clock_resource[orbit->from[x + 1]]);
  }
  for (uint32_t k = 0; k < orbit->count; k++) {
    const OrbitFamily *f = &orbit->families[k];
    const Family *family = f->family;
    const uint32_t size = family->size;
    for (uint32_t i = 0; f->is_moved && i < size; i++) {
      const uint32_t from = f->order[i];
      for (uint32_t p = 0; p < family->process_columns * size; p += size)
        local->origin[localaction_time(all, family->processes[p + i])] =
            localaction_time(all, family->processes[p + from]);
      for (uint32_t s = 0; s < family->slot_columns * size; s += size)
        move_resource(local, c->slot_resource[family->slots[s + i]],
                      c->slot_resource[family->slots[s + from]]);
    }
  }
}

// Whether every row of a shape comes from one of the other.
static bool has_rows(const Local *local, const OffsetShape *from, const OffsetShape *to) {
  if (from->row_count != to->row_count)
    return false;
  for (uint32_t r = 0; r < to->row_count; r++)
    if (!offset_has_row(from, local->origin[to->rows[r]]))
      return false;
  return true;
}

DBM_CLONES static void gather(Bound *restrict matrix, const Bound *restrict scratch,
                              const uint32_t *restrict origin, const OffsetShape *to) {
  const uint32_t n = to->n, stride = to->stride;
  for (uint32_t r = 0; r < to->row_count; r++) {
    const Bound *source = scratch + origin[to->rows[r]] * stride;
    Bound *target = matrix + to->rows[r] * stride;
    for (uint32_t j = 0; j < n; j++)
      target[j] = source[origin[j]];
    for (uint32_t j = n; j < stride; j++)
      target[j] = BOUND_INF;
  }
}

bool localrename_current(Zones *zones, LocVector *to) {
  Local *local = local_of(zones);
  const OffsetShape *from = local->vector->shape;
  const ZoneRef before = zones->space.zone;
  find_origins(local);
  if (!has_rows(local, from, ((const LocalVector *)to->more)->shape))
    return false;
  zones->vector = to;
  const uint32_t number = reduce_transformer(zones, local->origin, from->n);
  const ZoneRef known = engine_recall(zones, before, number);
  if (!known)
    offsetpack_read(local->scratch, from, local->pack.entries, local->pack.format);
  localfiring_load(zones, known);
  if (known)
    return true;
  gather(local->matrix, local->scratch, local->origin, local->vector->shape);
  localfiring_keep(local);
  engine_remember(zones, before, number, zones->space.zone);
  return true;
}

const StoredZone *localrename_opened(Zones *zones) {
  Local *local = local_of(zones);
  local->vector = local->source_vector;
  local->setting = local->source_setting;
  return zonetable_at(&local->synced.table, syncedzone_of(local, zones->opened.zone));
}
