#include "model/jointtable.h"

#include <string.h>

enum { MAX_NUMBERS = 256, MAX_IN_ALL = 1 << 14 };

// Edges of (process, event), one Choices for each location of the process.
static const Choices *find_choices(Arena *arena, const Net *net, const Edge *const *out,
                                   const SyncPart *part) {
  const Process *process = &net->processes.items[part->process];
  Choices *choices = ARENA_ARRAY(arena, Choices, process->location_count);
  for (uint32_t l = 0; l < process->location_count; l++) {
    const Location *location = &net->locations.items[process->first_location + l];
    for (uint32_t k = 0; k < location->edge_count; k++) {
      const Edge *const *edge = out + location->first_edge + k;
      if ((*edge)->event == part->event) {
        choices[l].edges = choices[l].count ? choices[l].edges : edge;
        choices[l].count++;
      }
    }
  }
  return choices;
}

// The parts of all synchronisations; those with equal process and event share their choices.
static Parts *build_syncs(Arena *arena, const Net *net, const Edge *const *out) {
  const uint32_t events = net->events.size;
  const size_t pairs = (size_t)net->processes.size * events;
  const Choices **known = mem_alloc(arena->mem, sizeof *known * pairs);
  Parts *syncs = ARENA_ARRAY(arena, Parts, net->syncs.size);
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    mem_tick(arena->mem);
    const Sync *sync = &net->syncs.items[s];
    Part *parts = ARENA_ARRAY(arena, Part, sync->parts.size);
    for (uint32_t k = 0; k < sync->parts.size; k++) {
      const SyncPart *part = &sync->parts.items[k];
      const Choices **choices = &known[(size_t)part->process * events + part->event];
      if (!*choices)
        *choices = find_choices(arena, net, out, part);
      parts[k] = (Part){.process = part->process, .weak = part->weak, .choices = *choices};
    }
    syncs[s] = (Parts){.items = parts, .count = sync->parts.size};
  }
  mem_free(arena->mem, known);
  return syncs;
}

// Sets the strides; how many numbers there are then, 0 for none.
static uint32_t set_strides(const Net *net, const Sync *sync, Part *parts) {
  uint64_t count = 1;
  for (uint32_t k = 0; k < sync->parts.size && count <= MAX_NUMBERS; k++) {
    parts[k].stride = (uint32_t)count;
    count *= net->processes.items[parts[k].process].location_count;
    if (parts[k].weak)
      return 0;
  }
  return count <= MAX_NUMBERS ? (uint32_t)count : 0;
}

static void build_numbers(Arena *arena, const Net *net, JointTable *table, Parts *syncs) {
  uint32_t *counts = mem_alloc(arena->mem, sizeof *counts * net->syncs.size), all = 0;
  for (uint32_t s = 0; s < net->syncs.size && all <= MAX_IN_ALL; s++)
    all += counts[s] = set_strides(net, &net->syncs.items[s], syncs[s].items);
  uint32_t *at = table->numbers = ARENA_ARRAY(arena, uint32_t, all);
  table->number_count = all;
  for (uint32_t s = 0; s < net->syncs.size; at += counts[s++])
    syncs[s].numbers = counts[s] ? at : NULL;
  mem_free(arena->mem, counts);
}

static uint32_t offering(const Net *net, const Part *part) {
  uint32_t count = 0;
  for (uint32_t l = 0; l < net->processes.items[part->process].location_count; l++)
    count += part->choices[l].count != 0;
  return count;
}

// The strong part that is offered in the smallest share of its process's locations; NULL if
// all are weak.
static const Part *find_pivot(const Net *net, const Parts *parts) {
  const Part *pivot = NULL;
  uint64_t least = 0, of = 1;
  for (uint32_t k = 0; k < parts->count; k++) {
    const Part *part = &parts->items[k];
    if (part->weak)
      continue;
    const uint64_t count = offering(net, part);
    const uint64_t all = net->processes.items[part->process].location_count;
    if (!pivot || count * of < least * all) {
      pivot = part;
      least = count;
      of = all;
    }
  }
  return pivot;
}

static void list_sync(const Net *net, const Part *part, uint32_t sync, Spot *spots,
                      uint32_t **lists) {
  const Process *process = &net->processes.items[part->process];
  for (uint32_t l = 0; l < process->location_count; l++)
    if (part->choices[l].count) {
      Spot *spot = &spots[process->first_location + l];
      if (lists)
        lists[process->first_location + l][spot->sync_count] = sync;
      spot->sync_count++;
    }
}

// Counts the entries of each location's list or, with `lists`, writes them.
static void list_syncs(Mem *mem, const Net *net, const Parts *syncs, Spot *spots,
                       uint32_t **lists) {
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    mem_tick(mem);
    const Part *pivot = find_pivot(net, &syncs[s]);
    if (pivot)
      list_sync(net, pivot, s, spots, lists);
    else
      for (uint32_t k = 0; k < syncs[s].count; k++)
        list_sync(net, &syncs[s].items[k], s, spots, lists);
  }
}

static void build_async(Arena *arena, const Net *net, Spot *spots) {
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    if (net->async[(size_t)edge->process * net->events.size + edge->event])
      spots[edge->source].async.count++;
  }
  const Edge ***lists = mem_alloc(arena->mem, sizeof *lists * net->locations.size);
  for (LocationId l = 0; l < net->locations.size; l++) {
    lists[l] = ARENA_ARRAY(arena, const Edge *, spots[l].async.count);
    spots[l].async = (Choices){lists[l], 0};
  }
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    if (net->async[(size_t)edge->process * net->events.size + edge->event])
      lists[edge->source][spots[edge->source].async.count++] = edge;
  }
  mem_free(arena->mem, lists);
}

static const Spot *build_spots(Arena *arena, const Net *net, const Parts *syncs) {
  Spot *spots = ARENA_ARRAY(arena, Spot, net->locations.size);
  uint32_t **lists = mem_alloc(arena->mem, sizeof *lists * net->locations.size);
  build_async(arena, net, spots);
  list_syncs(arena->mem, net, syncs, spots, NULL);
  for (LocationId l = 0; l < net->locations.size; l++) {
    lists[l] = ARENA_ARRAY(arena, uint32_t, spots[l].sync_count);
    spots[l].syncs = lists[l];
    spots[l].sync_count = 0;
    spots[l].index = net->locations.items[l].index;
    spots[l].committed = net->by_location.committed[l];
  }
  list_syncs(arena->mem, net, syncs, spots, lists);
  mem_free(arena->mem, lists);
  return spots;
}

static const uint64_t *find_urgent(Arena *arena, const Net *net, uint32_t words) {
  uint64_t *urgent = NULL;
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    const uint32_t channel = net->syncs.items[s].channel;
    if (!channel || !net->channels.items[channel - 1].urgent)
      continue;
    if (!urgent)
      urgent = ARENA_ARRAY(arena, uint64_t, words);
    urgent[s / 64] |= (uint64_t)1 << s % 64;
  }
  return urgent;
}

void jointtable_init(JointTable *table, Arena *arena, const Net *net) {
  const Edge **out = ARENA_ARRAY(arena, const Edge *, net->edges.size);
  for (uint32_t k = 0; k < net->edges.size; k++)
    out[k] = &net->edges.items[net->out[k]];
  LocationId *first = ARENA_ARRAY(arena, LocationId, net->processes.size);
  for (ProcessId p = 0; p < net->processes.size; p++)
    first[p] = net->processes.items[p].first_location;
  *table = (JointTable){.first_locations = first, .process_count = net->processes.size};
  Parts *syncs = build_syncs(arena, net, out);
  build_numbers(arena, net, table, syncs);
  table->syncs = syncs;
  table->spots = build_spots(arena, net, syncs);
  table->word_count = (net->syncs.size + 63) / 64;
  table->urgent = find_urgent(arena, net, table->word_count);
}

void jointtable_place(const JointTable *table, Arena *arena, JointPlace *place) {
  *place = (JointPlace){.now = ARENA_ARRAY(arena, const Spot *, table->process_count),
                        .candidates = ARENA_ARRAY(arena, uint64_t, table->word_count)};
}

void jointtable_find(const JointTable *table, JointPlace *place, const int32_t *locations) {
  memset(place->candidates, 0, sizeof *place->candidates * table->word_count);
  bool committed = false;
  uint32_t async = 0;
  for (ProcessId p = 0; p < table->process_count; p++) {
    const Spot *spot = &table->spots[table->first_locations[p] + (uint32_t)locations[p]];
    place->now[p] = spot;
    committed |= spot->committed;
    async |= spot->async.count;
    for (uint32_t k = 0; k < spot->sync_count; k++)
      place->candidates[spot->syncs[k] / 64] |= (uint64_t)1 << spot->syncs[k] % 64;
  }
  place->committed = committed;
  place->has_async = async;
}
