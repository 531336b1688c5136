#include "search/workers/cuts.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = CUTS_MAX, MAX_CUTS = ROW - 1 }; // ways to cut a process: those of five bits
// States of a sample that is trusted, and how many steps for each it may have taken: if walks
// come back to few states all the time, these are not where a search will be.
enum { LEAST_SAMPLE = 1 << 8, MAX_STEPS = 4 };
enum { MAX_TRIED = 64 };              // processes whose cuts are priced
static const double usual_skew = 0.4; // of a cut, if nothing is known of it
static const double doubted_skew = 0.6;
static const double max_skew = 0.95; // cuts that are less equal do not help

// Of many bits only the upper ones are tried.
static uint32_t unused_bits(const StateField *field) {
  uint32_t count = 0;
  while (field->mask >> count > MAX_CUTS)
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
  uint32_t *crossings = ARENA_ARRAY(arena, uint32_t, (size_t)net->processes.size * ROW);
  for (uint32_t e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    const uint64_t change =
        (uint64_t)(net_index(net, edge->source) ^ net_index(net, edge->target)) >>
        unused_bits(&fields[edge->process]);
    for (uint32_t cut = 1; change && cut <= MAX_CUTS; cut++)
      crossings[edge->process * ROW + cut] +=
          cuts_parity(change & cut) * ways[edge->process * net->events.size + edge->event];
  }
  return crossings;
}

// Whether each part has a third of the locations.
static bool is_even(uint64_t mask, uint32_t locations) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < locations; i++)
    count += cuts_parity(i & mask);
  const uint32_t least = (locations + 2) / 3;
  return count >= least && locations - count >= least;
}

static Cut find_fewest(ProcessId process, uint32_t locations, const StateField *field,
                       const uint32_t *crossings) {
  const uint32_t unused = unused_bits(field);
  const uint64_t all = field->mask >> unused, halves = all & ~(all >> 1);
  Cut best = {.process = process, .price = DBL_MAX}; // there may be none
  for (uint64_t i = 0; i <= all; i++) {
    const uint64_t cut = i ? i : halves;
    if (crossings[cut] < best.price && is_even(cut << unused, locations))
      best = (Cut){.process = process, .mask = cut << unused, .price = crossings[cut]};
  }
  return best;
}

// Cuts with the same price: halves, neighbours together, first. So higher bits come before lower
// ones, and single ones before several.
static int compare(const void *a, const void *b) {
  const Cut *x = a, *y = b;
  const int bits = __builtin_popcountll(x->mask) - __builtin_popcountll(y->mask);
  return x->price != y->price ? (x->price > y->price) - (x->price < y->price)
         : bits               ? bits
         : x->mask != y->mask ? (x->mask < y->mask) - (x->mask > y->mask)
                              : (x->process > y->process) - (x->process < y->process);
}

Cuts cuts_fewest(Arena *arena, const Net *net, const StateLayout *layout) {
  const StateField *fields = layout->fields + net->location_slot;
  const uint32_t *crossings = count_crossings(arena, net, fields);
  Cuts cuts = {.items = ARENA_ARRAY(arena, Cut, net->processes.size)};
  for (ProcessId p = 0; p < net->processes.size; p++) {
    cuts.items[cuts.count] = find_fewest(p, net->processes.items[p].location_count, &fields[p],
                                         crossings + (size_t)p * ROW);
    cuts.count += cuts.items[cuts.count].mask != 0;
  }
  qsort(cuts.items, cuts.count, sizeof *cuts.items, compare);
  return cuts;
}

// Adds what the sample says of one cut of one process, as counts.
static void measure(Cut *cut, double *second, const Sample *sample, const StateField *field) {
  const uint64_t mask = cut->mask << field->shift;
  for (uint32_t i = 0; i < sample->count; i++)
    *second += cuts_parity(walk_at(sample, sample->keys, i)[field->word] & mask);
  for (uint32_t i = 0; i < sample->step_count; i++)
    cut->crossing += cuts_parity((walk_at(sample, sample->sources, i)[field->word] ^
                                  walk_at(sample, sample->targets, i)[field->word]) &
                                 mask);
}

// Whether two processes have as many locations, and as many ways across each cut.
static bool are_alike(const Net *net, const uint32_t *crossings, ProcessId p, ProcessId q) {
  return net->processes.items[p].location_count == net->processes.items[q].location_count &&
         !memcmp(crossings + (size_t)p * ROW, crossings + (size_t)q * ROW,
                 ROW * sizeof *crossings);
}

// -ln of a number between 0.4 and 1, nearly.
static double minus_log(double x) {
  const double z = (1 - x) / (1 + x), square = z * z;
  return 2 * z * (1 + square / 3 + square * square / 5);
}

// From counts that are those of `members` alike processes. Of a sample that is not trusted
// nothing is taken, and nothing is known of what cuts cost: as few as possible will do.
static void judge(Cut *cut, double found, uint32_t members, const Sample *sample) {
  const bool is_trusted =
      sample->count >= LEAST_SAMPLE && sample->step_count <= MAX_STEPS * sample->count;
  const double second = is_trusted ? found / members / sample->count : 0.5;
  const double skew = second > 0.5 ? 2 * second - 1 : 1 - 2 * second;
  cut->crossing = is_trusted ? (cut->crossing + 1) / members / sample->step_count : 1;
  cut->skew = skew > usual_skew ? skew : usual_skew;
  cut->doubted = cut->skew > doubted_skew || !is_trusted ? cut->skew : doubted_skew;
  cut->price = skew > max_skew ? DBL_MAX
               : is_trusted    ? cut->crossing / minus_log(cut->skew)
                               : cut->price;
}

// Adds one cut of all processes that are like the first of `tried`.
static void price(Cuts *cuts, const Net *net, const StateField *fields, const uint32_t *crossings,
                  const Sample *sample, const Cut *tried, uint32_t count, uint32_t number) {
  Cut sum = {.mask = (uint64_t)number << unused_bits(&fields[tried->process]),
             .number = number,
             .price = crossings[tried->process * ROW + number]};
  const uint32_t first = cuts->count;
  double second = 0;
  for (uint32_t i = 0; i < count; i++)
    if (are_alike(net, crossings, tried->process, tried[i].process)) {
      measure(&sum, &second, sample, &fields[tried[i].process]);
      cuts->items[cuts->count++].process = tried[i].process;
    }
  judge(&sum, second, cuts->count - first, sample);
  if (sum.price == DBL_MAX)
    cuts->count = first;
  for (uint32_t i = first; i < cuts->count; i++) {
    sum.process = cuts->items[i].process;
    cuts->items[i] = sum;
  }
}

Cuts cuts_priced(Arena *arena, const Net *net, const StateLayout *layout, const Sample *sample) {
  const StateField *fields = layout->fields + net->location_slot;
  const uint32_t *crossings = count_crossings(arena, net, fields);
  const Cuts fewest = cuts_fewest(arena, net, layout);
  const Cut *tried = fewest.items;
  const uint32_t count = fewest.count < MAX_TRIED ? fewest.count : MAX_TRIED;
  bool is_done[MAX_TRIED] = {0};
  Cuts cuts = {.items = ARENA_ARRAY(arena, Cut, (size_t)count * ROW)};
  for (uint32_t t = 0; t < count; t++) {
    const ProcessId p = tried[t].process;
    const uint32_t unused = unused_bits(&fields[p]);
    for (uint32_t i = 1; !is_done[t] && i <= fields[p].mask >> unused; i++)
      if (is_even((uint64_t)i << unused, net->processes.items[p].location_count))
        price(&cuts, net, fields, crossings, sample, tried + t, count - t, i);
    for (uint32_t u = t + 1; u < count; u++)
      is_done[u] |= are_alike(net, crossings, p, tried[u].process);
  }
  qsort(cuts.items, cuts.count, sizeof *cuts.items, compare);
  return cuts;
}
