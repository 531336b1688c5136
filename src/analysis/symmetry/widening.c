#include "analysis/symmetry/widening.h"

#include "model/localranges.h"

#include <string.h>

static bool include(int32_t *low, int32_t *high, int32_t from, int32_t to) {
  const bool more = from < *low || to > *high;
  *low = from < *low ? from : *low;
  *high = to > *high ? to : *high;
  return more;
}

// Variables that change places can have the same values. If one can have the value of an id, then
// that of every id.
static bool widen(const Family *f, const Net *net, int32_t *low, int32_t *high) {
  bool more = false;
  for (uint32_t i = 0; i < f->slot_columns * f->size; i++) {
    const uint32_t slot = f->slots[i], first = f->slots[i / f->size * f->size];
    more |= include(&low[first], &high[first], low[slot], high[slot]);
    more |= include(&low[slot], &high[slot], low[first], high[first]);
  }
  for (uint32_t s = 0; s < net->location_slot; s++)
    for (uint32_t c = 0; f->sort[s] && c < f->value_columns; c++) {
      const int32_t *values = f->values[c].values;
      bool some = false;
      for (uint32_t i = 0; f->values[c].sort == f->sort[s] && i < f->size; i++)
        some |= values[i] >= low[s] && values[i] <= high[s];
      for (uint32_t i = 0; some && i < f->size; i++)
        more |= include(&low[s], &high[s], values[i], values[i]);
    }
  return more;
}

static void widen_net(const Family *families, uint32_t count, Arena *arena, Net *net) {
  int32_t *low = ARENA_ARRAY(arena, int32_t, net->slots.count);
  int32_t *high = ARENA_ARRAY(arena, int32_t, net->slots.count);
  memcpy(low, net->slots.low, net->slots.count * sizeof *low);
  memcpy(high, net->slots.high, net->slots.count * sizeof *high);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < count; i++)
      more |= widen(&families[i], net, low, high);
  }
  net->slots.low = low;
  net->slots.high = high;
}

// Intervals by location. A permutation takes a process to one of its column, and a variable to
// one of its column. The variables of a process that belong to its own id go to those of the
// other process; so the intervals of all of them are joined. Where a variable belongs to another
// id, or holds ids, the net's interval is taken.

typedef struct Columns { // of one family; column + 1, 0: not in one
  uint32_t *processes, *process_ids, *slots, *slot_ids;
} Columns;

static Columns columns_of(Arena *arena, const Family *f, const Net *net) {
  const Columns columns = {ARENA_ARRAY(arena, uint32_t, net->processes.size),
                           ARENA_ARRAY(arena, uint32_t, net->processes.size),
                           ARENA_ARRAY(arena, uint32_t, net->slots.count),
                           ARENA_ARRAY(arena, uint32_t, net->slots.count)};
  for (uint32_t i = 0; i < f->process_columns * f->size; i++) {
    columns.processes[f->processes[i]] = i / f->size + 1;
    columns.process_ids[f->processes[i]] = i % f->size;
  }
  for (uint32_t i = 0; i < f->slot_columns * f->size; i++) {
    columns.slots[f->slots[i]] = i / f->size + 1;
    columns.slot_ids[f->slots[i]] = i % f->size;
  }
  return columns;
}

static Range range_at(const Net *net, LocationId location, uint32_t slot) {
  const SlotRanges *ranges = &net->slots.local[location];
  for (uint32_t i = 0; i < ranges->count; i++)
    if (ranges->items[i].slot == slot)
      return (Range){ranges->items[i].low, ranges->items[i].high};
  return (Range){net->slots.low[slot], net->slots.high[slot]};
}

// Joins an interval with all that permutations of the family make of it.
static Range close_range(const Family *f, const Columns *columns, const Net *net,
                         const Location *location, uint32_t slot) {
  const uint32_t process = columns->processes[location->process], column = columns->slots[slot];
  const Range whole = {net->slots.low[slot], net->slots.high[slot]};
  const LocationId own = net->processes.items[location->process].first_location + location->index;
  Range range = range_at(net, own, slot);
  if (f->sort[slot] ||
      (process && column && columns->process_ids[location->process] != columns->slot_ids[slot]))
    return whole;
  for (uint32_t i = 0; (process || column) && i < f->size; i++) {
    const ProcessId p = process ? f->processes[(process - 1) * f->size + i] : location->process;
    const uint32_t s = column ? f->slots[(column - 1) * f->size + i] : slot;
    range = intervals_join(
        range, range_at(net, net->processes.items[p].first_location + location->index, s));
  }
  return range;
}

static bool widen_local(const Family *f, Arena *arena, Net *net) {
  const Columns columns = columns_of(arena, f, net);
  SlotRanges *all = ARENA_ARRAY(arena, SlotRanges, net->locations.size);
  bool more = false;
  for (LocationId l = 0; l < net->locations.size; l++) {
    const SlotRanges *old = &net->slots.local[l];
    SlotRange *items = ARENA_ARRAY(arena, SlotRange, old->count);
    all[l] = (SlotRanges){items, old->count};
    for (uint32_t i = 0; i < old->count; i++) {
      const SlotRange item = old->items[i];
      const Range range = close_range(f, &columns, net, &net->locations.items[l], item.slot);
      items[i] = (SlotRange){item.slot, (int32_t)range.low, (int32_t)range.high};
      more |= range.low < item.low || range.high > item.high;
    }
  }
  net->slots.local = all;
  return more;
}

const Net *widening_apply(const Family *families, uint32_t count, Arena *arena, const Net *net) {
  Net *wide = arena_copy(arena, net, sizeof *net);
  widen_net(families, count, arena, wide);
  for (bool more = wide->slots.local != NULL; more;) {
    more = false;
    for (uint32_t i = 0; i < count; i++)
      more |= widen_local(&families[i], arena, wide);
  }
  return wide;
}
