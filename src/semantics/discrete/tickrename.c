#include "semantics/discrete/tickrename.h"

static Bound entry(const OrbitZone *zone, ClockIndex x, ClockIndex y) {
  const int32_t *values = ((const TickValues *)zone)->values;
  return bound_le((x ? values[x] : 0) - (y ? values[y] : 0));
}

// Equal values can be exchanged.
static bool simulates(const OrbitZone *zone, const ClockIndex *swapped, const ClockIndex *list,
                      uint32_t count) {
  const int32_t *values = ((const TickValues *)zone)->values;
  (void)swapped;
  for (uint32_t c = 0; c < count; c += 2)
    if (values[list[c]] != values[list[c + 1]])
      return false;
  return true;
}

void tickrename_attach(Space *space, const Symmetry *symmetry) {
  Ticks *ticks = (Ticks *)space;
  TickReduction *r = ARENA_NEW(&ticks->arena, TickReduction);
  r->symmetry = symmetry;
  orbit_init(&r->orbit, &ticks->arena, ticks->net, symmetry);
  for (uint32_t k = 0; k < symmetry->count; k++)
    r->ids += symmetry->families[k].size;
  r->order = ARENA_ARRAY(&ticks->arena, uint32_t, r->ids + 1);
  r->earlier = ARENA_ARRAY(&ticks->arena, int32_t, ticks->n);
  ticks->reduction = r;
  ticks->trail.order_count = r->ids;
  space->orbit = &r->orbit;
  space->is_pruned = true;
  if (ticks->trail.is_on)
    space->exchange.message_bytes += (r->ids + 1) * sizeof *r->order;
}

// Those of families that stay are in their order.
static void note_order(Ticks *ticks) {
  TickReduction *r = ticks->reduction;
  uint32_t at = 1;
  for (uint32_t k = 0; k < r->orbit.count; k++) {
    const OrbitFamily *f = &r->orbit.families[k];
    for (uint32_t i = 0; i < f->family->size; i++)
      r->order[at++] = f->is_moved ? f->order[i] : i;
  }
  ticks->trail.order = r->order + 1;
}

bool tickrename_current(Ticks *ticks) {
  TickReduction *r = ticks->reduction;
  const TickValues view = {{entry, simulates}, ticks->values};
  ticks->trail.order = NULL;
  r->order[0] = orbit_find(&r->orbit, ticks->state, &view.zone);
  if (!r->order[0])
    return false;
  memcpy(ticks->state, r->orbit.state, ticks->net->slots.count * sizeof *ticks->state);
  memcpy(r->earlier, ticks->values, ticks->n * sizeof *r->earlier);
  for (ClockIndex x = 1; x < ticks->n; x++)
    ticks->values[x] = r->earlier[r->orbit.from[x]];
  if (ticks->trail.is_on)
    note_order(ticks);
  return true;
}

void tickrename_take(Ticks *ticks) {
  TickReduction *r = ticks->reduction;
  const TickValues view = {{entry, simulates}, ticks->source_values};
  r->has_twins = orbit_find_twins(&r->orbit, ticks->source, &view.zone);
}

void tickrename_send(const Ticks *ticks, void *message) {
  const TickReduction *r = ticks->reduction;
  if (r && ticks->trail.is_on)
    memcpy(message, r->order, (r->ids + 1) * sizeof *r->order);
}

void tickrename_receive(Ticks *ticks, const void *message) {
  TickReduction *r = ticks->reduction;
  if (!r || !ticks->trail.is_on)
    return;
  memcpy(r->order, message, (r->ids + 1) * sizeof *r->order);
  ticks->trail.order = r->order[0] ? r->order + 1 : NULL;
}
