// The order that the waiting strategy of HT15 (section 4.1) is made from.
//
// The paper leaves open which edge is taken first. Its printed counts come out when the search
// takes the edges of a location from the last declared to the first; the other way round,
// locations that are declared first come first, which makes fewer mistakes on some models.
#include "engine/topology.h"

typedef struct Search {
  const Net *net;
  TopologyKind kind;
  const uint32_t *first; // by location, and one more: its edges in `targets`
  const LocationId *targets;
  bool *is_seen;
  uint32_t *next; // by location: edges taken
  LocationId *stack;
  uint32_t *index;
  uint32_t left; // in this process: indices still to be given, from the highest down
} Search;

// The targets of each location's edges, in order of declaration.
static void find_targets(Search *search, Arena *arena) {
  const Net *net = search->net;
  const uint32_t count = net->locations.size;
  uint32_t *first = ARENA_ARRAY(arena, uint32_t, count + 2);
  LocationId *targets = ARENA_ARRAY(arena, LocationId, net->edges.size);
  for (EdgeId e = 0; e < net->edges.size; e++)
    first[net->edges.items[e].source + 2]++;
  for (LocationId l = 0; l < count; l++)
    first[l + 2] += first[l + 1];
  for (EdgeId e = 0; e < net->edges.size; e++) // each start ends up where the next one was
    targets[first[net->edges.items[e].source + 1]++] = net->edges.items[e].target;
  search->first = first;
  search->targets = targets;
}

static LocationId next_target(Search *search, LocationId from) {
  const uint32_t taken = search->next[from]++;
  return search->kind == TOPOLOGY_FORWARD ? search->targets[search->first[from] + taken]
                                          : search->targets[search->first[from + 1] - 1 - taken];
}

static void visit(Search *search, LocationId root) {
  if (search->is_seen[root])
    return;
  uint32_t depth = 0;
  search->is_seen[root] = true;
  search->stack[depth++] = root;
  while (depth) {
    const LocationId from = search->stack[depth - 1];
    if (search->next[from] == search->first[from + 1] - search->first[from]) {
      search->index[from] = --search->left;
      depth--;
      continue;
    }
    const LocationId to = next_target(search, from);
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
  for (LocationId l = first; l < first + count; l++)
    search->index[l] = search->is_seen[l] ? search->index[l] - lost : count - search->left--;
}

void topology_init(Topology *topology, Arena *arena, const Net *net, TopologyKind kind) {
  const uint32_t count = net->locations.size;
  Arena scratch = {.mem = arena->mem};
  Search search = {
      .net = net,
      .kind = kind,
      .is_seen = ARENA_ARRAY(&scratch, bool, count),
      .next = ARENA_ARRAY(&scratch, uint32_t, count),
      .stack = ARENA_ARRAY(&scratch, LocationId, count),
      .index = ARENA_ARRAY(arena, uint32_t, count),
  };
  find_targets(&search, &scratch);
  for (ProcessId p = 0; p < net->processes.size; p++)
    order_process(&search, &net->processes.items[p]);
  *topology = (Topology){net, search.index};
  arena_release(&scratch);
}
