#include "engine/partition.h"

// Processes that count for a bit; more bits than it takes, if workers are no power of two;
// location vectors for each worker.
enum { PROCESSES = 3, SPARE_BITS = 3, LEAST_VECTORS = 8 };

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

// The one that moves least of those that are left; NET_NONE if none is.
static ProcessId next_process(const Net *net, const bool *is_chosen) {
  ProcessId best = NET_NONE;
  uint32_t least = 0;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const uint32_t moves = activity(net, p);
    if (is_chosen[p] || net->processes.items[p].location_count < 2)
      continue;
    if (best == NET_NONE || moves < least) {
      best = p;
      least = moves;
    }
  }
  return best;
}

// The processes that move least, one after the other; fewer if there are not as many.
static uint32_t choose(const Net *net, bool *is_chosen, ProcessId *chosen, uint32_t most) {
  uint32_t count = 0;
  for (ProcessId p; count < most && (p = next_process(net, is_chosen)) != NET_NONE; count++) {
    is_chosen[p] = true;
    chosen[count] = p;
  }
  return count;
}

static uint32_t bits_for(uint32_t workers) {
  uint32_t bits = 1;
  while (1u << bits < workers)
    bits++;
  return 1u << bits == workers ? bits : bits + SPARE_BITS;
}

const Partition *partition_new(Arena *arena, const Net *net, const StateLayout *layout,
                               uint32_t workers) {
  const uint32_t bits = bits_for(workers), most = bits * PROCESSES;
  bool *is_chosen = ARENA_ARRAY(arena, bool, net->processes.size);
  ProcessId *chosen = ARENA_ARRAY(arena, ProcessId, most);
  double vectors = 1;
  const uint32_t count = choose(net, is_chosen, chosen, most);
  if (count < bits + PROCESSES - 1)
    return NULL;
  for (uint32_t i = 0; i < count; i++)
    vectors *= net->processes.items[chosen[i]].location_count;
  if (vectors < LEAST_VECTORS * workers)
    return NULL;
  uint64_t *masks = ARENA_ARRAY(arena, uint64_t, (size_t)bits * layout->words);
  const uint32_t step = bits > 1 ? (count - PROCESSES) / (bits - 1) : 0;
  for (uint32_t bit = 0; bit < bits; bit++)
    for (uint32_t i = 0; i < PROCESSES; i++) {
      const ProcessId p = chosen[bit * step + i];
      const StateField *field = &layout->fields[net->location_slot + p];
      const uint64_t half = field->mask & ~(field->mask >> 1); // its highest bit
      masks[bit * layout->words + field->word] |= half << field->shift;
    }
  Partition *partition = ARENA_NEW(arena, Partition);
  *partition = (Partition){workers, bits, layout->words, masks};
  return partition;
}

uint32_t partition_find(const Partition *partition, const uint64_t *packed) {
  const uint64_t *mask = partition->masks;
  uint32_t number = 0;
  for (uint32_t bit = 0; bit < partition->bits; bit++) {
    uint64_t counted = 0;
    for (uint32_t i = 0; i < partition->words; i++)
      counted ^= packed[i] & *mask++;
    number = number << 1 | (uint32_t)__builtin_parityll(counted);
  }
  return number * partition->workers >> partition->bits;
}
