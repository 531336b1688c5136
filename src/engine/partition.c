#include "engine/partition.h"

// Processes that count for a bit; more bits than it takes, if workers are no power of two;
// location vectors for each worker; ways to cut a process that are tried: all of five bits.
enum { PROCESSES = 3, SPARE_BITS = 3, LEAST_VECTORS = 8, MOST_CUTS = 31 };

// How its locations are cut in two, by the parity of some bits of their numbers.
typedef struct Cut {
  uint64_t mask;
  uint32_t crossings; // joint transitions that lead from one part to the other, roughly
  bool is_chosen;
} Cut;

static uint32_t parity(uint64_t bits) { return (uint32_t)__builtin_parityll(bits); }

// Of many bits only the upper ones are tried.
static uint32_t unused_bits(const StateField *field) {
  uint32_t count = 0;
  while (field->mask >> count > MOST_CUTS)
    count++;
  return count;
}

// By process and event: of how many joint transitions such an edge may be a part.
static uint32_t *count_ways(Arena *arena, const Net *net) {
  const uint32_t events = net->events.size, size = net->processes.size * events;
  uint32_t *ways = ARENA_ARRAY(arena, uint32_t, size);
  for (uint32_t i = 0; i < size; i++)
    ways[i] = net->async[i];
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t i = 0; i < net->syncs.items[s].parts.size; i++) {
      const SyncPart *part = &net->syncs.items[s].parts.items[i];
      ways[part->process * events + part->event]++;
    }
  return ways;
}

// By process and cut.
static uint32_t *count_crossings(Arena *arena, const Net *net, const StateField *fields) {
  const uint32_t *ways = count_ways(arena, net);
  uint32_t *crossings =
      ARENA_ARRAY(arena, uint32_t, (size_t)net->processes.size * (MOST_CUTS + 1));
  for (uint32_t e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    const uint64_t change =
        (uint64_t)(net_index(net, edge->source) ^ net_index(net, edge->target)) >>
        unused_bits(&fields[edge->process]);
    for (uint32_t cut = 1; change && cut <= MOST_CUTS; cut++)
      crossings[edge->process * (MOST_CUTS + 1) + cut] +=
          parity(change & cut) * ways[edge->process * net->events.size + edge->event];
  }
  return crossings;
}

// Whether each part has a third of the locations.
static bool is_even(uint64_t mask, uint32_t locations) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < locations; i++)
    count += parity(i & mask);
  const uint32_t least = (locations + 2) / 3;
  return count >= least && locations - count >= least;
}

// Halves, neighbours together, unless other parts have fewer crossings.
static Cut find_cut(uint32_t locations, const StateField *field, const uint32_t *crossings) {
  const uint32_t unused = unused_bits(field);
  const uint64_t all = field->mask >> unused, halves = all & ~(all >> 1);
  Cut best = {.crossings = UINT32_MAX, .is_chosen = true}; // there may be none
  for (uint64_t i = 0; i <= all; i++) {
    const uint64_t cut = i ? i : halves;
    if (crossings[cut] < best.crossings && is_even(cut << unused, locations))
      best = (Cut){.mask = cut << unused, .crossings = crossings[cut]};
  }
  return best;
}

// The processes of which the fewest moves cross, one after the other; fewer if there are not as
// many.
static uint32_t choose(const Net *net, Cut *cuts, ProcessId *chosen, uint32_t most) {
  uint32_t count = 0;
  for (; count < most; count++) {
    ProcessId best = NET_NONE;
    for (ProcessId p = 0; p < net->processes.size; p++)
      if (!cuts[p].is_chosen && (best == NET_NONE || cuts[p].crossings < cuts[best].crossings))
        best = p;
    if (best == NET_NONE)
      break;
    cuts[best].is_chosen = true;
    chosen[count] = best;
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
  const StateField *fields = layout->fields + net->location_slot;
  const uint32_t *crossings = count_crossings(arena, net, fields);
  Cut *cuts = ARENA_ARRAY(arena, Cut, net->processes.size);
  ProcessId *chosen = ARENA_ARRAY(arena, ProcessId, most);
  for (ProcessId p = 0; p < net->processes.size; p++)
    cuts[p] = find_cut(net->processes.items[p].location_count, &fields[p],
                       crossings + (size_t)p * (MOST_CUTS + 1));
  double vectors = 1;
  const uint32_t count = choose(net, cuts, chosen, most);
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
      masks[bit * layout->words + fields[p].word] |= cuts[p].mask << fields[p].shift;
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
