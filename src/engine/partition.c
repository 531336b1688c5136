#include "engine/partition.h"

// Location vectors of the processes that count, at least: reachable ones are far fewer.
enum { CLASSES = 1 << 14 };

// How many joint transitions a process takes part in, roughly.
static uint32_t activity(const Net *net, ProcessId p) {
  uint32_t sum = 0;
  for (uint32_t e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    sum += edge->process == p && net->async[p * net->events.size + edge->event];
  }
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t i = 0; i < net->syncs.items[s].parts.size; i++)
      sum += net->syncs.items[s].parts.items[i].process == p;
  return sum;
}

const uint64_t *partition_mask(Arena *arena, const Net *net, const StateLayout *layout) {
  const uint32_t count = net->processes.size;
  uint64_t *mask = ARENA_ARRAY(arena, uint64_t, layout->words);
  uint32_t *moves = ARENA_ARRAY(arena, uint32_t, count);
  bool *is_chosen = ARENA_ARRAY(arena, bool, count);
  for (ProcessId p = 0; p < count; p++)
    moves[p] = activity(net, p);
  double product = 1;
  for (uint32_t i = 0; i < count && product < CLASSES; i++) {
    ProcessId best = NET_NONE;
    for (ProcessId p = 0; p < count; p++)
      if (!is_chosen[p] && (best == NET_NONE || moves[p] < moves[best]))
        best = p;
    is_chosen[best] = true;
    product *= net->processes.items[best].location_count;
    const StateField *field = &layout->fields[net->location_slot + best];
    mask[field->word] |= field->mask << field->shift;
  }
  return product < CLASSES ? NULL : mask;
}
