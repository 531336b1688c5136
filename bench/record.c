#include "record.h"

#include "dbm/stored/minimal.h"
#include "language/source.h"
#include "language/tchecker/tck.h"
#include "semantics/zone/time.h"
#include "semantics/zone/zones.h"

#include <time.h>

static uint32_t number_node(Record *record, const uint64_t *key, uint32_t zone, uint32_t parent) {
  const size_t bytes = record->zones->space.key_words * sizeof *key;
  const uint32_t state = intern_number(&record->states, key, bytes);
  const uint32_t known = pairs_get(&record->numbers, state, zone);
  if (known)
    return known - 1;
  const uint32_t node = record->nodes.size;
  pairs_set(&record->numbers, state, zone, node + 1);
  vec_push(&record->mem, &record->nodes,
           ((RecordedNode){state, zone, parent == NODE_NONE ? node : parent}));
  return node;
}

static void open(Space *space, const uint64_t *key, uint32_t zone) {
  Record *record = space->goal_context;
  record->open(space, key, zone);
  vec_push(&record->mem, &record->visited, number_node(record, key, zone, NODE_NONE));
  vec_push(&record->mem, &record->first, record->transitions.size);
}

// In place of a goal, as it is asked for every node that is made.
static bool note(Space *space) {
  Record *record = space->goal_context;
  Zones *zones = record->zones;
  const uint32_t zone = space->zone ? space->zone : zones->time->number(zones);
  const bool is_initial = !record->visited.size;
  const uint32_t parent = is_initial ? NODE_NONE : vec_last(&record->visited);
  const uint32_t node = number_node(record, space->key, zone, parent);
  if (!is_initial)
    vec_push(&record->mem, &record->transitions, node);
  return false;
}

// Of the processor: other programs may run.
static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static bool search(Record *record, bool is_recorded) {
  Options options;
  options_init(&options);
  record->stats = (Statistics){0};
  Space *space = zones_new(&record->mem, &record->net, NULL, &options, &record->report);
  if (!space)
    return false;
  record->zones = (Zones *)space;
  if (is_recorded) {
    record->open = space->open;
    space->open = open;
    space->is_goal = note;
    space->goal_context = record;
  }
  reach_init(&record->reach, &record->mem, space, (SearchOrder)options.order, &record->stats);
  const double start = seconds();
  reach_run(&record->reach);
  if (!is_recorded)
    record->seconds = seconds() - start;
  return true;
}

static void end_search(Record *record) {
  if (!record->zones)
    return;
  reach_release(&record->reach);
  space_release(&record->zones->space);
  record->zones = NULL;
}

bool record_make(Record *record, const char *path) {
  *record = (Record){0};
  report_init(&record->report, &record->mem);
  net_init(&record->net, &record->mem);
  intern_init(&record->states, &record->mem);
  pairs_init(&record->numbers, &record->mem);
  if (!source_read(&record->source, &record->mem, path, SOURCE_MAX_MODEL, &record->report) ||
      !tck_read(&record->net, &record->source, &record->report) || !search(record, false))
    return false;
  end_search(record);
  if (!search(record, true))
    return false;
  vec_push(&record->mem, &record->first, record->transitions.size);
  return true;
}

void record_release(Record *record) {
  end_search(record);
  mem_release(&record->mem);
}

const uint64_t *record_key(const Record *record, uint32_t state) {
  return record->states.items.items[state - 1].bytes;
}

// As semantics/zone/message.c sends it: packed or in minimal form, whichever is shorter.
uint16_t *record_zone_bytes(Record *record) {
  Zones *zones = record->zones;
  const uint32_t n = record->net.clock_count + 1;
  MinimalScratch scratch;
  minimal_init(&scratch, arena_align(&zones->arena, minimal_scratch_bytes(n), 0), n);
  Bound *matrix = arena_align(&zones->arena, dbm_bytes(n), 0);
  char *minimal = arena_align(&zones->arena, minimal_max_bytes(n), MINIMAL_SLACK);
  uint32_t zone_count = 0;
  for (uint32_t i = 0; i < record->nodes.size; i++)
    if (record->nodes.items[i].zone >= zone_count)
      zone_count = record->nodes.items[i].zone + 1;
  uint16_t *bytes = mem_alloc(&record->mem, zone_count * sizeof *bytes);
  for (uint32_t i = 0; i < record->nodes.size; i++) {
    const uint32_t zone = record->nodes.items[i].zone;
    if (bytes[zone])
      continue;
    const StoredZone *kept = zonetable_at(&zones->table, zone);
    const size_t packed = packed_bytes(kept->k, (PackedFormat)kept->format);
    packed_read(matrix, kept->k, kept->entries, (PackedFormat)kept->format);
    const size_t least = minimal_make(&scratch, minimal, matrix, kept->k);
    bytes[zone] = (uint16_t)(((least < packed ? least : packed) + 7) / 8 * 8);
  }
  return bytes;
}
