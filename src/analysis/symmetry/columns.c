#include "analysis/symmetry/columns.h"

#include <string.h>

// --- Values.

static bool has_value(const Builder *b, const int32_t *values, int32_t value) {
  for (uint32_t i = 0; i < b->size; i++)
    if (values[i] == value)
      return true;
  return false;
}

// Adds a value column to a class, unless it has these values; false if it has some of them, or
// they are not distinct.
static bool add_values(Builder *b, uint32_t node, const int32_t *values) {
  const uint32_t root = classes_find(b->classes, node);
  for (uint32_t i = 0; i < b->size; i++)
    for (uint32_t k = 0; k < i; k++)
      if (values[i] == values[k])
        return false;
  for (uint32_t c = 0; c < b->values.size; c++) {
    if (b->values.items[c].root != root)
      continue;
    uint32_t common = 0;
    for (uint32_t i = 0; i < b->size; i++)
      common += has_value(b, b->values.items[c].values, values[i]);
    if (common)
      return common == b->size;
  }
  vec_push(b->mem, &b->values, ((ClassValues){root, values}));
  return true;
}

static bool find_values(Builder *b) {
  for (uint32_t u = 0; u < b->uses.size; u++) {
    const ConstantUse *use = &b->uses.items[u];
    bool is_same = true;
    for (uint32_t i = 1; i < b->size; i++)
      is_same &= use->values[i] == use->values[0];
    if (!is_same && !add_values(b, use->node, use->values))
      return false;
  }
  return true;
}

// Adds a column of slots unless some of them are in one.
static bool add_slots(Builder *b, uint32_t *items) {
  for (uint32_t i = 0; i < b->size; i++) {
    if (b->is_taken[items[i]])
      return false;
    for (uint32_t k = 0; k < i; k++)
      if (items[i] == items[k])
        return false;
  }
  for (uint32_t i = 0; i < b->size; i++)
    b->is_taken[items[i]] = true;
  vec_push(b->mem, &b->slot_columns, items);
  return true;
}

// Slots that differ between the ids.
static void find_slots(Builder *b) {
  for (uint32_t s = 0; s < b->net->location_slot; s++) {
    uint32_t *items = b->slots[s];
    if (!items)
      continue;
    bool is_same = true, is_whole = true;
    for (uint32_t i = 1; i < b->size; i++) {
      is_whole &= items[i] != 0;
      is_same &= items[i] == s + 1;
    }
    if (is_same || !is_whole)
      continue;
    uint32_t *column = ARENA_ARRAY(b->arena, uint32_t, b->size);
    column[0] = s;
    for (uint32_t i = 1; i < b->size; i++)
      column[i] = items[i] - 1;
    add_slots(b, column);
  }
}

// Elements of an array that each belong to an id: then an index of the array is an id.
static void index_by_slots(Builder *b) {
  for (uint32_t c = 0; c < b->slot_columns.size; c++) {
    const uint32_t *items = b->slot_columns.items[c];
    const uint32_t v = b->classes->variable[items[0]];
    const Name *variable = &b->net->variables.items[v];
    if (variable->type->kind != TYPE_ARRAY)
      continue;
    const uint32_t stride = variable->type->element->slots;
    int32_t *values = ARENA_ARRAY(b->arena, int32_t, b->size);
    bool good = true;
    for (uint32_t i = 0; good && i < b->size; i++) {
      good = b->classes->variable[items[i]] == v &&
             (items[i] - variable->base) % stride == (items[0] - variable->base) % stride;
      values[i] = variable->type->first + (int32_t)((items[i] - variable->base) / stride);
    }
    if (good)
      add_values(b, classes_variable_index(b->classes, v), values);
  }
}

// Arrays that are indexed by ids: their elements belong to the ids.
static void slots_by_index(Builder *b) {
  for (uint32_t v = 0; v < b->net->variables.size; v++) {
    const Name *variable = &b->net->variables.items[v];
    if (variable->type->kind != TYPE_ARRAY)
      continue;
    const uint32_t root = classes_find(b->classes, classes_variable_index(b->classes, v));
    const uint32_t stride = variable->type->element->slots;
    for (uint32_t c = 0; c < b->values.size; c++) {
      if (b->values.items[c].root != root)
        continue;
      for (uint32_t k = 0; k < stride; k++) {
        uint32_t *column = ARENA_ARRAY(b->arena, uint32_t, b->size);
        bool good = true;
        for (uint32_t i = 0; good && i < b->size; i++) {
          const int64_t at = (int64_t)b->values.items[c].values[i] - variable->type->first;
          good = at >= 0 && at < variable->type->count;
          column[i] = variable->base + (uint32_t)at * stride + k;
        }
        if (good)
          add_slots(b, column);
      }
    }
  }
}

// --- The family.

static void put_processes(Builder *b, Family *family) {
  const uint32_t size = b->size;
  ProcessId *processes = ARENA_ARRAY(b->arena, ProcessId, b->processes.size * size);
  for (uint32_t c = 0; c < b->processes.size; c++)
    memcpy(processes + c * size, b->processes.items[c], size * sizeof *processes);
  family->processes = processes;
  family->process_columns = b->processes.size;
}

static void put_clocks(Builder *b, Family *family) {
  const uint32_t size = b->size, count = b->net->clock_count + 1;
  ClockIndex *clocks = ARENA_ARRAY(b->arena, ClockIndex, (size_t)count * 2);
  bool *taken = ARENA_ARRAY(b->arena, bool, count);
  uint32_t columns = 0;
  for (ClockIndex x = 1; x < count; x++) {
    const ClockIndex *items = b->clocks[x];
    bool good = items != NULL && (columns + 1) * size <= 2 * count;
    for (uint32_t i = 0; good && i < size; i++) {
      const ClockIndex clock = i ? items[i] - 1 : x;
      good = (!i || items[i]) && !taken[clock] && (i == 0 || clock != x);
      clocks[columns * size + i] = clock;
    }
    for (uint32_t i = 0; good && i < size; i++)
      taken[clocks[columns * size + i]] = true;
    columns += good;
  }
  family->clocks = clocks;
  family->clock_columns = columns;
}

static void put_slots(Builder *b, Family *family) {
  const uint32_t size = b->size;
  uint32_t *slots = ARENA_ARRAY(b->arena, uint32_t, b->slot_columns.size * size);
  for (uint32_t c = 0; c < b->slot_columns.size; c++)
    memcpy(slots + c * size, b->slot_columns.items[c], size * sizeof *slots);
  family->slots = slots;
  family->slot_columns = b->slot_columns.size;
}

static void put_events(Builder *b, Family *family) {
  RenamedEvents *events = ARENA_ARRAY(b->arena, RenamedEvents, b->events.size);
  for (uint32_t c = 0; c < b->events.size; c++) {
    const EventDraft *draft = &b->events.items[c];
    events[c] = (RenamedEvents){draft->is_moved, draft->process, draft->events};
  }
  family->events = events;
  family->event_columns = b->events.size;
}

static void put_values(Builder *b, Family *family) {
  RenamedValues *values = ARENA_ARRAY(b->arena, RenamedValues, b->values.size);
  uint32_t sorts = 1;
  for (uint32_t c = 0; c < b->values.size; c++) {
    uint32_t sort = sorts;
    for (uint32_t d = 0; d < c; d++)
      if (b->values.items[d].root == b->values.items[c].root)
        sort = values[d].sort;
    values[c] = (RenamedValues){sort, b->values.items[c].values};
    sorts += sort == sorts;
  }
  uint32_t *sort = ARENA_ARRAY(b->arena, uint32_t, b->net->location_slot + 1);
  for (uint32_t s = 0; s < b->net->location_slot; s++)
    for (uint32_t c = 0; c < b->values.size; c++)
      if (classes_find(b->classes, s) == b->values.items[c].root)
        sort[s] = values[c].sort;
  family->values = values;
  family->value_columns = b->values.size;
  family->sort = sort;
  family->sort_count = sorts;
}

bool columns_make(Builder *b, Family *family) {
  if (!find_values(b))
    return false;
  find_slots(b);
  for (int round = 0; round < 2; round++) {
    index_by_slots(b);
    slots_by_index(b);
  }
  *family = (Family){.size = b->size};
  put_processes(b, family);
  put_clocks(b, family);
  put_slots(b, family);
  put_events(b, family);
  put_values(b, family);
  return true;
}
