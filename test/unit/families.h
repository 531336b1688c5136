// Families made by hand, of names, for the tests of symmetry.
#pragma once

#include "analysis/symmetry/family.h"
#include "reading.h"

typedef struct Draft { // lists of names, separated by spaces: `size` names make a column
  uint32_t size;
  const char *processes, *clocks, *slots;
  const char *ids;   // variables that hold ids
  int32_t values[4]; // that stand for the ids
} Draft;

static inline uint32_t find_name(const Reading *r, char kind, const char *name) {
  if (kind == 'p')
    return net_find_process(&r->net, name);
  for (ClockIndex x = 1; kind == 'c' && x <= r->net.clock_count; x++)
    if (!strcmp(r->net.clock_names[x], name))
      return x;
  for (uint32_t s = 0; kind == 's' && s < r->net.location_slot; s++)
    if (!strcmp(r->net.slots.names[s], name))
      return s;
  fail_msg("no %c `%s`", kind, name);
  return 0;
}

static inline uint32_t *find_names(Reading *r, char kind, const char *names, uint32_t *count) {
  uint32_t *items = ARENA_ARRAY(&r->arena, uint32_t, 64);
  char *text = arena_text(&r->arena, names ? names : "", names ? strlen(names) : 0);
  *count = 0;
  for (char *name = strtok(text, " "); name; name = strtok(NULL, " "))
    items[(*count)++] = find_name(r, kind, name);
  return items;
}

static inline Family family_make(Reading *r, const Draft *draft) {
  Family family = {.size = draft->size, .sort_count = draft->ids ? 2 : 1};
  uint32_t count;
  family.processes = find_names(r, 'p', draft->processes, &count);
  family.process_columns = count / draft->size;
  family.clocks = find_names(r, 'c', draft->clocks, &count);
  family.clock_columns = count / draft->size;
  family.slots = find_names(r, 's', draft->slots, &count);
  family.slot_columns = count / draft->size;
  uint32_t *sort = ARENA_ARRAY(&r->arena, uint32_t, r->net.location_slot + 1);
  const uint32_t *ids = find_names(r, 's', draft->ids, &count);
  for (uint32_t i = 0; i < count; i++)
    sort[ids[i]] = 1;
  family.sort = sort;
  RenamedValues *values = ARENA_ARRAY(&r->arena, RenamedValues, 1);
  values[0] = (RenamedValues){1, arena_copy(&r->arena, draft->values, sizeof draft->values)};
  family.values = values;
  family.value_columns = draft->ids != NULL;
  return family;
}
