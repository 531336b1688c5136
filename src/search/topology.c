// The order that the waiting strategy of HT15 (section 4.1) is made from.
//
// The paper leaves open which edge is taken first. Its printed counts come out when the search
// takes the edges of a location from the last declared to the first.
//
// Strongly connected components are found as by Kosaraju: location by location in the order of
// the indices, all that leads to the location and is not in an earlier component is in its
// component. So all ways into a component are known when it is found, and with them its stage.
#include "search/topology.h"

// The edges of all locations, at one end: the locations at the other end.
typedef struct Arcs {
  uint32_t *first; // by location, and one more: where its arcs start in `ends`
  LocationId *ends;
} Arcs;

typedef struct Search {
  const Net *net;
  TopologyKind kind;
  Arcs out, in;
  bool *is_seen;
  uint32_t *taken; // by location: arcs taken
  LocationId *stack;
  LocationId *found; // by index, in this process
  uint32_t *component;
  uint64_t *weights;
  uint32_t left; // in this process: indices still to be given, from the highest down
} Search;

static LocationId end_of(const Edge *edge, bool is_source) {
  return is_source ? edge->source : edge->target;
}

// In order of declaration for each location, or from the last declared to the first.
static void find_arcs(Arcs *arcs, Arena *arena, const Net *net, bool is_out, TopologyKind kind) {
  const uint32_t count = net->locations.size;
  uint32_t *first = ARENA_ARRAY(arena, uint32_t, count + 2);
  arcs->ends = ARENA_ARRAY(arena, LocationId, net->edges.size);
  for (EdgeId e = 0; e < net->edges.size; e++)
    first[end_of(&net->edges.items[e], is_out) + 2]++;
  for (LocationId l = 0; l < count; l++)
    first[l + 2] += first[l + 1];
  for (EdgeId e = 0; e < net->edges.size; e++) { // moves each start to where the next one was
    const Edge *edge = &net->edges.items[kind == TOPOLOGY_FORWARD ? e : net->edges.size - 1 - e];
    arcs->ends[first[end_of(edge, is_out) + 1]++] = end_of(edge, !is_out);
  }
  arcs->first = first;
}

static void visit(Search *search, LocationId root) {
  if (search->is_seen[root])
    return;
  uint32_t depth = 0;
  search->is_seen[root] = true;
  search->stack[depth++] = root;
  while (depth) {
    const LocationId from = search->stack[depth - 1];
    const uint32_t arc = search->out.first[from] + search->taken[from]++;
    if (arc == search->out.first[from + 1]) {
      search->weights[from] = --search->left;
      depth--;
      continue;
    }
    const LocationId to = search->out.ends[arc];
    if (search->is_seen[to])
      continue;
    search->is_seen[to] = true;
    search->stack[depth++] = to;
  }
}

// Indices were given from the last one down: those of the locations found start where the
// number of the others, which no state ever holds, ends.
static void order_process(Search *search, const Process *process) {
  const uint32_t count = process->location_count, first = process->first_location;
  search->left = count;
  for (uint32_t i = 0; i < count; i++) {
    const LocationId l = first + (search->kind == TOPOLOGY_FORWARD ? i : count - 1 - i);
    if (search->net->locations.items[l].initial)
      visit(search, l);
  }
  const uint32_t lost = search->left;
  for (LocationId l = first; l < first + count; l++) {
    search->weights[l] = search->is_seen[l] ? search->weights[l] - lost : count - search->left--;
    search->found[search->weights[l]] = l;
  }
}

// The component of a location, all of it on the stack, and its stage. Components are named
// by their first location plus one.
static void find_component(Search *search, LocationId root) {
  uint32_t size = 0;
  uint64_t stage = 0;
  search->component[root] = root + 1;
  search->stack[size++] = root;
  for (uint32_t i = 0; i < size; i++) {
    const LocationId to = search->stack[i];
    for (uint32_t arc = search->in.first[to]; arc < search->in.first[to + 1]; arc++) {
      const LocationId from = search->in.ends[arc];
      if (!search->is_seen[from])
        continue;
      if (!search->component[from]) {
        search->component[from] = root + 1;
        search->stack[size++] = from;
      } else if (search->component[from] != root + 1 && search->weights[from] >> 32 >= stage) {
        stage = (search->weights[from] >> 32) + 1;
      }
    }
  }
  for (uint32_t i = 0; i < size; i++)
    search->weights[search->stack[i]] |= stage << 32;
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
  Search search = {
      .net = net,
      .kind = kind,
      .is_seen = ARENA_ARRAY(&scratch, bool, count),
      .taken = ARENA_ARRAY(&scratch, uint32_t, count),
      .stack = ARENA_ARRAY(&scratch, LocationId, count),
      .found = ARENA_ARRAY(&scratch, LocationId, count),
      .component = ARENA_ARRAY(&scratch, uint32_t, count),
      .weights = ARENA_ARRAY(arena, uint64_t, count),
  };
  find_arcs(&search.out, &scratch, net, true, kind);
  find_arcs(&search.in, &scratch, net, false, kind);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    order_process(&search, &net->processes.items[p]);
    for (uint32_t i = 0; i < net->processes.items[p].location_count; i++)
      if (search.is_seen[search.found[i]] && !search.component[search.found[i]])
        find_component(&search, search.found[i]);
  }
  *topology = (Topology){.weights = search.weights};
  find_parts(topology, arena, &scratch, net);
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
