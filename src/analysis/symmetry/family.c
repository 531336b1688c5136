#include "analysis/symmetry/family.h"

#include <stdlib.h>

static void move_columns(uint32_t *map, const uint32_t *columns, uint32_t count, uint32_t size,
                         const uint32_t *image) {
  for (uint32_t c = 0; c < count; c++)
    for (uint32_t i = 0; i < size; i++)
      map[columns[c * size + i]] = columns[c * size + image[i]];
}

static uint32_t *identity(Arena *arena, uint32_t count) {
  uint32_t *map = ARENA_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    map[i] = i;
  return map;
}

uint32_t family_span(const Family *family, uint32_t sort, int32_t *least) {
  int32_t low = INT32_MAX, high = INT32_MIN;
  for (uint32_t c = 0; c < family->value_columns; c++)
    for (uint32_t i = 0; family->values[c].sort == sort && i < family->size; i++) {
      const int32_t value = family->values[c].values[i];
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
  *least = low;
  return low > high ? 0 : (uint32_t)high - (uint32_t)low + 1;
}

// The map of one sort: its columns together.
static ValueMap make_map(const Family *family, Arena *arena, uint32_t sort,
                         const uint32_t *image) {
  int32_t low;
  const uint32_t count = family_span(family, sort, &low);
  if (!count)
    return (ValueMap){0};
  int32_t *to = ARENA_ARRAY(arena, int32_t, count);
  for (uint32_t k = 0; k < count; k++)
    to[k] = (int32_t)((uint32_t)low + k);
  for (uint32_t c = 0; c < family->value_columns; c++)
    for (uint32_t i = 0; family->values[c].sort == sort && i < family->size; i++)
      to[family->values[c].values[i] - low] = family->values[c].values[image[i]];
  return (ValueMap){low, count, to};
}

static int compare_pairs(const void *a, const void *b) {
  const EventPair *x = a, *y = b;
  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

static void make_events(Permutation *perm, const Family *family, Arena *arena,
                        const uint32_t *image) {
  const uint32_t size = family->size;
  EventPair *pairs = ARENA_ARRAY(arena, EventPair, family->event_columns * size);
  uint32_t count = 0;
  for (uint32_t c = 0; c < family->event_columns; c++)
    for (uint32_t i = 0; i < size; i++) {
      const RenamedEvents *column = &family->events[c];
      const ProcessId process =
          column->is_moved ? family->processes[column->process * size + i] : column->process;
      pairs[count++] = (EventPair){process, column->events[i], column->events[image[i]]};
    }
  qsort(pairs, count, sizeof *pairs, compare_pairs);
  perm->events = pairs;
  perm->event_count = count;
}

Permutation family_permutation(const Family *family, Arena *arena, const Net *net,
                               const uint32_t *image) {
  const uint32_t size = family->size;
  ProcessId *process = identity(arena, net->processes.size);
  ClockIndex *clock = identity(arena, net->clock_count + 1);
  uint32_t *slot = identity(arena, net->slots.count);
  move_columns(process, family->processes, family->process_columns, size, image);
  move_columns(clock, family->clocks, family->clock_columns, size, image);
  move_columns(slot, family->slots, family->slot_columns, size, image);
  for (ProcessId p = 0; p < net->processes.size; p++)
    slot[net->location_slot + p] = net->location_slot + process[p];
  ValueMap *maps = ARENA_ARRAY(arena, ValueMap, family->sort_count);
  for (uint32_t sort = 1; sort < family->sort_count; sort++)
    maps[sort] = make_map(family, arena, sort, image);
  Permutation perm = {.net = net,
                      .process = process,
                      .clock = clock,
                      .slot = slot,
                      .sort = family->sort,
                      .maps = maps,
                      .sort_count = family->sort_count};
  make_events(&perm, family, arena, image);
  return perm;
}

static uint32_t *pick(Arena *arena, const uint32_t *columns, uint32_t columns_count,
                      uint32_t size, const uint32_t *ids, uint32_t count) {
  uint32_t *picked = ARENA_ARRAY(arena, uint32_t, columns_count * count);
  for (uint32_t c = 0; c < columns_count; c++)
    for (uint32_t i = 0; i < count; i++)
      picked[c * count + i] = columns[c * size + ids[i]];
  return picked;
}

Family family_restrict(const Family *family, Arena *arena, const uint32_t *ids, uint32_t count) {
  Family part = *family;
  const uint32_t size = family->size;
  part.size = count;
  part.processes = pick(arena, family->processes, family->process_columns, size, ids, count);
  part.clocks = pick(arena, family->clocks, family->clock_columns, size, ids, count);
  part.slots = pick(arena, family->slots, family->slot_columns, size, ids, count);
  RenamedEvents *events = ARENA_ARRAY(arena, RenamedEvents, family->event_columns);
  for (uint32_t c = 0; c < family->event_columns; c++) {
    events[c] = family->events[c];
    events[c].events = pick(arena, family->events[c].events, 1, size, ids, count);
  }
  part.events = events;
  RenamedValues *values = ARENA_ARRAY(arena, RenamedValues, family->value_columns);
  for (uint32_t c = 0; c < family->value_columns; c++) {
    int32_t *picked = ARENA_ARRAY(arena, int32_t, count);
    for (uint32_t i = 0; i < count; i++)
      picked[i] = family->values[c].values[ids[i]];
    values[c] = (RenamedValues){family->values[c].sort, picked};
  }
  part.values = values;
  return part;
}

bool family_holds(const Family *family, const Net *net, const int32_t *state) {
  if (!family->excluded)
    return true;
  const int32_t *locations = state + net->location_slot;
  for (ProcessId p = 0; p < net->processes.size; p++)
    if (family->excluded[net->processes.items[p].first_location + (uint32_t)locations[p]])
      return false;
  return true;
}
