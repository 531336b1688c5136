// The order that the waiting strategy of HT15 (section 4.1) is made from.
//
// The paper leaves open which edge is taken first. Its printed counts come out when the search
// takes the edges of a location from the last declared to the first.
//
// The stage of a component is known before any of its locations is looked at, in the order of the
// indices: what leads to it from outside comes before (search/orders/depthfirst.h).
#include "search/orders/topology.h"

#include "search/orders/depthfirst.h"

typedef struct Search {
  const Net *net;
  TopologyKind kind;
  uint64_t *first;  // by location, and one more: where its arcs start in `ends`
  LocationId *ends; // of arcs
  DepthFirst depth_first;
  uint32_t *stages; // by component
  uint64_t *weights;
} Search;

static uint32_t end_of(const void *search, uint64_t arc) {
  return ((const Search *)search)->ends[arc];
}

// In order of declaration for each location, or from the last declared to the first.
static void find_arcs(Search *search, Arena *arena) {
  const Net *net = search->net;
  const uint32_t count = net->locations.size;
  uint64_t *first = search->first = ARENA_ARRAY(arena, uint64_t, count + 2);
  search->ends = ARENA_ARRAY(arena, LocationId, net->edges.size);
  for (EdgeId e = 0; e < net->edges.size; e++)
    first[net->edges.items[e].source + 2]++;
  for (LocationId l = 0; l < count; l++)
    first[l + 2] += first[l + 1];
  for (EdgeId e = 0; e < net->edges.size; e++) { // moves each start to where the next one was
    const Edge *edge =
        &net->edges.items[search->kind == TOPOLOGY_FORWARD ? e : net->edges.size - 1 - e];
    search->ends[first[edge->source + 1]++] = edge->target;
  }
}

// The location has the next index. It raises the stages of what it leads to.
static void give_index(Search *search, LocationId from, uint32_t index) {
  const uint32_t *numbers = search->depth_first.numbers;
  const uint32_t own = numbers[from], stage = search->stages[own];
  search->weights[from] = (uint64_t)stage << 32 | index;
  for (uint64_t arc = search->first[from]; arc < search->first[from + 1]; arc++) {
    const uint32_t to = numbers[search->ends[arc]];
    if (to != own && search->stages[to] <= stage)
      search->stages[to] = stage + 1;
  }
}

// Locations that were not found, which no state ever holds, come last.
static void order_process(Search *search, const Process *process) {
  DepthFirst *d = &search->depth_first;
  const uint32_t count = process->location_count, first = process->first_location;
  uint32_t index = 0;
  vec_clear(&d->finished);
  for (uint32_t i = 0; i < count; i++) {
    const LocationId l = first + (search->kind == TOPOLOGY_FORWARD ? i : count - 1 - i);
    if (search->net->locations.items[l].initial)
      depthfirst_visit(d, l);
  }
  while (index < d->finished.size) {
    give_index(search, d->finished.items[d->finished.size - 1 - index], index);
    index++;
  }
  for (LocationId l = first; l < first + count; l++)
    if (d->numbers[l] == DEPTHFIRST_NONE)
      search->weights[l] = index++;
}

// Where the processes are in packed states.
static void find_parts(Topology *topology, Arena *arena, Arena *scratch, const Net *net) {
  StateLayout layout;
  state_layout(&layout, scratch, net);
  topology->process_count = net->processes.size;
  topology->words = layout.words;
  topology->parts = ARENA_ARRAY(arena, TopologyPart, net->processes.size);
  topology->masks = ARENA_ARRAY(arena, uint64_t, layout.words);
  topology->owners = ARENA_ARRAY(arena, ProcessId, (size_t)layout.words * 64);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const StateField *field = &layout.fields[net->location_slot + p];
    const uint64_t mask = field->mask << field->shift;
    topology->parts[p] =
        (TopologyPart){.word = field->word,
                       .shift = field->shift,
                       .mask = mask,
                       .weights = topology->weights + net->processes.items[p].first_location};
    topology->masks[field->word] |= mask;
    for (uint32_t bit = 0; bit < 64; bit++)
      if (mask >> bit & 1)
        topology->owners[field->word * 64 + bit] = p;
  }
}

void topology_init(Topology *topology, Arena *arena, const Net *net, TopologyKind kind) {
  const uint32_t count = net->locations.size;
  Arena scratch = {.mem = arena->mem};
  Search search = {.net = net,
                   .kind = kind,
                   .stages = ARENA_ARRAY(&scratch, uint32_t, count),
                   .weights = ARENA_ARRAY(arena, uint64_t, count)};
  find_arcs(&search, &scratch);
  search.depth_first =
      (DepthFirst){.mem = arena->mem, .first = search.first, .end = end_of, .graph = &search};
  depthfirst_init(&search.depth_first, count);
  for (ProcessId p = 0; p < net->processes.size; p++)
    order_process(&search, &net->processes.items[p]);
  *topology = (Topology){.weights = search.weights};
  find_parts(topology, arena, &scratch, net);
  depthfirst_release(&search.depth_first);
  arena_release(&scratch);
}

uint64_t topology_sum(const Topology *topology, const uint64_t *packed) {
  uint64_t sum = 0;
  for (ProcessId p = 0; p < topology->process_count; p++)
    sum += topology_weight(&topology->parts[p], packed);
  return sum;
}

// Most processes stay where they are: only those are looked at whose bits differ.
TopologyStep topology_step(const Topology *topology, const uint64_t *from, const uint64_t *to) {
  TopologyStep step = {0};
  for (uint32_t word = 0; word < topology->words; word++) {
    uint64_t differing = (from[word] ^ to[word]) & topology->masks[word];
    while (differing) {
      const uint32_t bit = (uint32_t)__builtin_ctzll(differing);
      const TopologyPart *part = &topology->parts[topology->owners[word * 64 + bit]];
      const uint64_t old = topology_weight(part, from), new = topology_weight(part, to);
      step.change += new - old;
      step.is_back |= (uint32_t) new < (uint32_t)old;
      step.is_forward |= (uint32_t) new > (uint32_t)old;
      differing &= ~part->mask;
    }
  }
  return step;
}
