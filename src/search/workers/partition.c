#include "search/workers/partition.h"

#include "search/workers/cuts.h"
#include "search/workers/shares.h"

#include <float.h>
#include <string.h>

// Workers that are given parts; those that may be given parts that are not quite equal; location
// vectors for each worker; terms.
enum { MAX_WORKERS = 64, FEW_WORKERS = 16, LEAST_VECTORS = 8, MAX_TERMS = 64 };
// Processes that are asked whether they are all in one part; those looked at for it; states by
// which to guess how often they are.
enum { TOGETHER = 2, MAX_TWINS = 64, LEAST_SAMPLE = 1 << 7 };
static const double max_skew = 0.1;    // how far from one half that may be
static const double least_bias = 0.08; // how near to one half the guess can be trusted to be
// The largest share that a partition may have, relative to the mean, if skews are as guessed; for
// many workers, which a hash serves well, too.
static const double unequal = 1.1, many_unequal = 1.05;
// What is tried. Cuts are taken until the largest share is not above `share`, with skews that are
// doubted; then if it becomes smaller by `gain` for each transition that crosses them.
static const struct Enough {
  double share, gain;
} enough[] = {{1.15, 0.3}, {1.15, 100}, {1.3, 100}, {1.6, 100}};
// Transitions that cross: how many there may be, compared with a hash; how much longer the search
// takes for each.
static const double margin = 0.97, message_cost = 0.3;

// Processes whose moves cross least often; usually all of the same kind.
typedef struct Twins {
  const StateField *fields;
  const Cut *cuts; // one of each
  uint32_t count;
  uint32_t part; // in which two of them are in about half of the states
  double share;  // of these states
} Twins;

static bool is_in_part(const Twins *twins, uint32_t i, const uint64_t *packed, uint32_t part) {
  const Cut *cut = &twins->cuts[i % twins->count];
  const StateField *field = &twins->fields[cut->process];
  return cuts_parity(packed[field->word] >> field->shift & cut->mask) == part;
}

// In which share of the sample so many of them are in that part: the mean over all that are
// neighbours, for the sample is small and they are much alike.
static double estimate(const Twins *twins, const Sample *sample, uint32_t together,
                       uint32_t part) {
  uint32_t found = 0;
  for (uint32_t s = 0; s < sample->count; s++)
    for (uint32_t first = 0; first < twins->count; first++) {
      uint32_t i = 0;
      while (i < together && is_in_part(twins, first + i, walk_at(sample, sample->keys, s), part))
        i++;
      found += i == together;
    }
  return found / (double)twins->count / sample->count;
}

// Whether all moves of the processes are their own. Of those that wait for each other walks do
// not tell in how many states they are where: on CSMA/CD 12 a station is to send again in 0.9 of
// what is met, and in 0.43 of the nodes.
static bool are_alone(const Net *net, const Twins *twins) {
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t i = 0; i < net->syncs.items[s].parts.size; i++)
      for (uint32_t j = 0; j < twins->count; j++)
        if (net->syncs.items[s].parts.items[i].process == twins->cuts[j].process)
          return false;
  return true;
}

// Whether TOGETHER of them seem to be all in one part in about half of the states: the part in
// which they are more often.
static bool are_halves(Twins *twins, Arena *arena, const Net *net, const StateLayout *layout) {
  if (twins->count < TOGETHER || !are_alone(net, twins))
    return false;
  const Sample sample = walk_sample(arena, net, layout, false);
  if (sample.count < LEAST_SAMPLE)
    return false;
  twins->part = estimate(twins, &sample, 1, 1) > 0.5;
  twins->share = estimate(twins, &sample, TOGETHER, twins->part);
  return twins->share > 0.5 - max_skew && twins->share < 0.5 + max_skew;
}

// A partition that is being made.
typedef struct Draft {
  Partition *partition;
  const Net *net;
  const StateField *fields;
  Shares guessed, doubted; // with skews as guessed, and larger ones
  uint32_t *spans;         // by process: the set of cuts that its cuts make, by exclusive or
} Draft;

static void begin(Draft *draft, Arena *arena, const Net *net, const StateLayout *layout,
                  uint32_t workers, uint32_t together) {
  Partition *partition = ARENA_NEW(arena, Partition);
  *partition = (Partition){.workers = workers,
                           .odd = shares_odd(workers),
                           .words = layout->words,
                           .together = together};
  partition->masks = ARENA_ARRAY(arena, uint64_t, (size_t)MAX_TERMS * together * layout->words);
  partition->columns = ARENA_ARRAY(arena, uint32_t, MAX_TERMS);
  partition->all = ARENA_ARRAY(arena, uint64_t, layout->words);
  // With a power of two there is a parity for each bit.
  if (partition->odd == 1 && together == 1)
    for (; 1u << partition->terms < workers; partition->terms++)
      partition->columns[partition->terms] = 1u << partition->terms;
  *draft = (Draft){.partition = partition,
                   .net = net,
                   .fields = layout->fields + net->location_slot,
                   .spans = ARENA_ARRAY(arena, uint32_t, net->processes.size)};
  shares_init(&draft->guessed, arena, workers);
  shares_init(&draft->doubted, arena, workers);
}

// A parity, numbered by term and within it, depends on the cut.
static void count_in(Draft *draft, uint32_t parity, const Cut *cut) {
  const Partition *partition = draft->partition;
  const StateField *field = &draft->fields[cut->process];
  partition->masks[parity * partition->words + field->word] ^= cut->mask << field->shift;
  partition->all[field->word] |= cut->mask << field->shift;
}

// Pairs of twins become terms, as many as it takes. With two workers one pair is enough.
static void add_pairs(Draft *draft, const Twins *twins) {
  Partition *partition = draft->partition;
  const uint32_t pairs = twins->count / TOGETHER;
  double share = twins->share;
  if (share > (1 - least_bias) / 2 && share < (1 + least_bias) / 2)
    share = (1 - least_bias) / 2;
  partition->flip = !twins->part;
  while (partition->terms < pairs &&
         (partition->workers > 2 ? shares_largest(&draft->guessed) > many_unequal
                                 : !partition->terms)) {
    const uint32_t column = shares_choose(&draft->guessed);
    for (uint32_t i = 0, at = partition->terms * TOGETHER; i < TOGETHER; i++, at++)
      count_in(draft, at, &twins->cuts[at]);
    partition->columns[partition->terms++] = column;
    shares_add(&draft->guessed, share, column);
  }
}

// The set of a process with one more cut.
static void span(uint32_t *set, const Cut *cut) {
  const uint32_t before = *set | 1; // none of them
  for (uint32_t i = 0; i < CUTS_MAX; i++)
    *set |= (before >> i & 1) << (i ^ cut->number);
}

// Single cuts become terms, or count for the bits of their columns.
static void add_cuts(Draft *draft, const Cuts *cuts, const struct Enough *max) {
  Partition *partition = draft->partition;
  for (uint32_t i = 0, taken = 0; i < cuts->count && taken < MAX_TERMS; i++) {
    const Cut *cut = &cuts->items[i];
    // A cut that depends on others of the process would help less than is thought.
    if (draft->spans[cut->process] >> cut->number & 1)
      continue;
    const double before = shares_largest(&draft->doubted);
    const uint32_t column = shares_choose(&draft->doubted);
    shares_add(&draft->doubted, (1 - cut->doubted) / 2, column);
    if (before <= max->share && shares_largest(&draft->guessed) <= unequal &&
        before - shares_largest(&draft->doubted) < max->gain * cut->crossing)
      break;
    span(&draft->spans[cut->process], cut);
    shares_add(&draft->guessed, (1 - cut->skew) / 2, column);
    if (partition->odd > 1) {
      partition->columns[partition->terms] = column;
      count_in(draft, partition->terms++, cut);
    }
    for (uint32_t bit = 0; partition->odd == 1 && bit < partition->terms; bit++)
      if (column >> bit & 1)
        count_in(draft, bit, cut);
    taken++;
  }
}

// The share of the steps of the sample that cross.
static double estimate_crossing(const Partition *partition, const Sample *sample) {
  uint32_t crossing = 0, moving = 0;
  for (uint32_t s = 0; s < sample->step_count; s++) {
    const uint64_t *source = walk_at(sample, sample->sources, s);
    const uint64_t *target = walk_at(sample, sample->targets, s);
    moving += memcmp(source, target, partition->words * sizeof *source) != 0;
    crossing += partition_find(partition, source) != partition_find(partition, target);
  }
  return moving ? crossing / (double)moving : 0;
}

static bool is_good(const Draft *draft) {
  const uint32_t workers = draft->partition->workers;
  double vectors = 1; // of locations of the processes that count
  for (ProcessId p = 0; p < draft->net->processes.size; p++) {
    const StateField *field = &draft->fields[p];
    if (draft->partition->all[field->word] >> field->shift & field->mask)
      vectors *= draft->net->processes.items[p].location_count;
  }
  return vectors >= LEAST_VECTORS * workers &&
         shares_largest(&draft->guessed) <= (workers > FEW_WORKERS ? many_unequal : unequal);
}

// Of what is tried, what takes least time by the estimate; NULL if nothing is good.
static const Partition *choose_cuts(Arena *arena, const Net *net, const StateLayout *layout,
                                    uint32_t workers) {
  const Sample sample = walk_sample(arena, net, layout, true);
  const Cuts cuts = cuts_priced(arena, net, layout, &sample);
  const Partition *best = NULL;
  double least = DBL_MAX;
  for (size_t i = 0; i < sizeof enough / sizeof *enough; i++) {
    Draft draft;
    begin(&draft, arena, net, layout, workers, 1);
    add_cuts(&draft, &cuts, &enough[i]);
    const double crossing = estimate_crossing(draft.partition, &sample);
    const double cost = shares_largest(&draft.guessed) * (1 + message_cost * crossing);
    if (is_good(&draft) && crossing <= margin * (workers - 1) / workers && cost < least) {
      best = draft.partition;
      least = cost;
    }
  }
  return best;
}

const Partition *partition_new(Arena *arena, const Net *net, const StateLayout *layout,
                               uint32_t workers) {
  Draft draft;
  if (workers < 2 || workers > MAX_WORKERS)
    return NULL;
  const Cuts fewest = cuts_fewest(arena, net, layout);
  Twins twins = {.fields = layout->fields + net->location_slot, .cuts = fewest.items};
  while (twins.count < fewest.count && twins.count < MAX_TWINS &&
         fewest.items[twins.count].price == fewest.items[0].price)
    twins.count++;
  if (are_halves(&twins, arena, net, layout)) {
    begin(&draft, arena, net, layout, workers, TOGETHER);
    add_pairs(&draft, &twins);
    if (workers == 2 || is_good(&draft))
      return draft.partition;
  }
  return choose_cuts(arena, net, layout, workers);
}

uint32_t partition_find(const Partition *partition, const uint64_t *packed) {
  const uint64_t *mask = partition->masks;
  uint32_t owner = 0;
  for (uint32_t term = 0; term < partition->terms; term++) {
    uint32_t all = 1;
    for (uint32_t part = 0; part < partition->together; part++) {
      uint64_t counted = 0;
      for (uint32_t i = 0; i < partition->words; i++)
        counted ^= packed[i] & *mask++;
      all &= cuts_parity(counted) ^ partition->flip;
    }
    if (all)
      owner = shares_sum(partition->odd, owner, partition->columns[term]);
  }
  return owner;
}
