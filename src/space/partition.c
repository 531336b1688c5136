#include "space/partition.h"

#include "space/walk.h"

// Processes that count for a bit; more bits than it takes, if workers are no power of two;
// location vectors for each worker; ways to cut a process that are tried: all of five bits.
enum { PROCESSES = 3, SPARE_BITS = 3, LEAST_VECTORS = 8, MOST_CUTS = 31 };
// Processes that are asked whether they are all in one part; those looked at for it; states by
// which to guess how often they are.
enum { TOGETHER = 2, MOST_TWINS = 16, LEAST_SAMPLE = 1 << 7 };
static const double most_skew = 0.1; // how far from one half that may be

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

// The processes of which the fewest moves cross, those with the fewest first.
typedef struct Chosen {
  const ProcessId *processes;
  uint32_t count;
  const Cut *cuts;
  const StateField *fields;
} Chosen;

static double count_vectors(const Net *net, const Chosen *chosen, uint32_t most) {
  double vectors = 1;
  for (uint32_t i = 0; i < chosen->count && i < most; i++)
    vectors *= net->processes.items[chosen->processes[i]].location_count;
  return vectors;
}

// Those that are as good as the first one, most often of the same kind.
static Chosen find_twins(const Chosen *chosen) {
  Chosen twins = *chosen;
  const uint32_t least = chosen->cuts[chosen->processes[0]].crossings;
  for (twins.count = 1; twins.count < chosen->count; twins.count++)
    if (chosen->cuts[chosen->processes[twins.count]].crossings != least)
      break;
  return twins;
}

static bool is_in_part(const Chosen *twins, uint32_t i, const uint64_t *packed, uint32_t part) {
  const ProcessId p = twins->processes[i % twins->count];
  const StateField *field = &twins->fields[p];
  return parity(packed[field->word] >> field->shift & twins->cuts[p].mask) == part;
}

// In which share of the sample so many of them are in that part: the mean over all that are
// neighbours, for the sample is small and they are much alike.
static double estimate(const Chosen *twins, const Sample *sample, uint32_t together,
                       uint32_t part) {
  uint32_t found = 0;
  for (uint32_t s = 0; s < sample->count; s++)
    for (uint32_t first = 0; first < twins->count; first++) {
      uint32_t i = 0;
      while (i < together && is_in_part(twins, first + i, walk_key(sample, s), part))
        i++;
      found += i == together;
    }
  return found / (double)twins->count / sample->count;
}

// Whether TOGETHER of them seem to be all in `part` in about half of the states: the part in
// which they are more often.
static bool are_halves(const Chosen *twins, const Sample *sample, uint32_t *part) {
  if (twins->count < TOGETHER || sample->count < LEAST_SAMPLE)
    return false;
  *part = estimate(twins, sample, 1, 1) > 0.5;
  const double share = estimate(twins, sample, TOGETHER, *part);
  return share > 0.5 - most_skew && share < 0.5 + most_skew;
}

static Partition *new_partition(Arena *arena, const StateLayout *layout, uint32_t workers,
                                uint32_t together) {
  Partition *partition = ARENA_NEW(arena, Partition);
  *partition = (Partition){.workers = workers,
                           .bits = bits_for(workers),
                           .words = layout->words,
                           .together = together};
  partition->masks =
      ARENA_ARRAY(arena, uint64_t, (size_t)partition->bits * together * layout->words);
  partition->all = ARENA_ARRAY(arena, uint64_t, layout->words);
  return partition;
}

static void count_in(const Partition *partition, uint32_t mask, const Cut *cut,
                     const StateField *field) {
  partition->masks[mask * partition->words + field->word] |= cut->mask << field->shift;
  partition->all[field->word] |= cut->mask << field->shift;
}

// Whether all moves of the processes are their own. Of those that wait for each other walks do
// not tell in how many states they are where: on CSMA/CD 12 a station is to send again in 0.9 of
// what is met, and in 0.43 of the nodes.
static bool are_alone(const Net *net, const Chosen *chosen) {
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t i = 0; i < net->syncs.items[s].parts.size; i++)
      for (uint32_t j = 0; j < chosen->count; j++)
        if (net->syncs.items[s].parts.items[i].process == chosen->processes[j])
          return false;
  return true;
}

// NULL if parity is better.
static const Partition *divide_by_all(Arena *arena, const Net *net, const StateLayout *layout,
                                      const Chosen *chosen) {
  uint32_t part;
  const Chosen twins = find_twins(chosen);
  if (!are_alone(net, &twins))
    return NULL;
  const Sample sample = walk_sample(arena, net, layout);
  if (!are_halves(&twins, &sample, &part))
    return NULL;
  Partition *partition = new_partition(arena, layout, 2, TOGETHER);
  partition->flip = !part;
  for (uint32_t i = 0; i < TOGETHER; i++) {
    const ProcessId p = chosen->processes[i];
    count_in(partition, i, &chosen->cuts[p], &chosen->fields[p]);
  }
  return partition;
}

static const Partition *divide_by_parity(Arena *arena, const StateLayout *layout,
                                         uint32_t workers, const Chosen *chosen) {
  Partition *partition = new_partition(arena, layout, workers, 1);
  const uint32_t bits = partition->bits, most = bits * PROCESSES;
  const uint32_t count = chosen->count < most ? chosen->count : most;
  const uint32_t step = bits > 1 ? (count - PROCESSES) / (bits - 1) : 0;
  for (uint32_t bit = 0; bit < bits; bit++)
    for (uint32_t i = 0; i < PROCESSES; i++) {
      const ProcessId p = chosen->processes[bit * step + i];
      count_in(partition, bit, &chosen->cuts[p], &chosen->fields[p]);
    }
  return partition;
}

const Partition *partition_new(Arena *arena, const Net *net, const StateLayout *layout,
                               uint32_t workers) {
  const uint32_t bits = bits_for(workers);
  const uint32_t most = bits * PROCESSES > MOST_TWINS ? bits * PROCESSES : MOST_TWINS;
  const StateField *fields = layout->fields + net->location_slot;
  const uint32_t *crossings = count_crossings(arena, net, fields);
  Cut *cuts = ARENA_ARRAY(arena, Cut, net->processes.size);
  ProcessId *processes = ARENA_ARRAY(arena, ProcessId, most);
  for (ProcessId p = 0; p < net->processes.size; p++)
    cuts[p] = find_cut(net->processes.items[p].location_count, &fields[p],
                       crossings + (size_t)p * (MOST_CUTS + 1));
  Chosen chosen = {processes, choose(net, cuts, processes, most), cuts, fields};
  if (chosen.count < bits + PROCESSES - 1 ||
      count_vectors(net, &chosen, bits * PROCESSES) < LEAST_VECTORS * workers)
    return NULL;
  const Partition *partition = workers == 2 ? divide_by_all(arena, net, layout, &chosen) : NULL;
  return partition ? partition : divide_by_parity(arena, layout, workers, &chosen);
}

uint32_t partition_find(const Partition *partition, const uint64_t *packed) {
  const uint64_t *mask = partition->masks;
  uint32_t number = 0;
  for (uint32_t bit = 0; bit < partition->bits; bit++) {
    uint32_t all = 1;
    for (uint32_t part = 0; part < partition->together; part++) {
      uint64_t counted = 0;
      for (uint32_t i = 0; i < partition->words; i++)
        counted ^= packed[i] & *mask++;
      all &= parity(counted) ^ partition->flip;
    }
    number = number << 1 | all;
  }
  return number * partition->workers >> partition->bits;
}
