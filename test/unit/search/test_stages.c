// The order by stages against its definition, by looking at all that waits.
#include "search/orders/stages.h"

#include "search/orders/topology.h"

#include "ladder.h"
#include "nets.h"
#include "ranges.h"

enum { MAX = 300, PROCESSES = 3, LOCATIONS = 4 };

typedef struct Naive {
  bool waits[MAX], is_true[MAX];
  uint32_t stage[MAX], round[MAX], index[MAX];
  uint32_t count;
} Naive;

typedef struct Search {
  Fixture f;
  Random random;
  Ladder ladder;
  Store store;
  Stages *stages;
  Topology topology;
  StateLayout layout;
  Naive naive;
  int32_t states[MAX][PROCESSES + 1]; // by node
  int32_t source[PROCESSES + 1], state[PROCESSES + 1];
} Search;

static void random_net(Fixture *f, Random *random) {
  fixture_init(f);
  const EventId event = net_add_event(&f->net, "e", NOWHERE);
  add_int(f, "v", 0, 2, 0);
  for (uint32_t p = 0; p < PROCESSES; p++) {
    const char name[] = {(char)('P' + p), 0};
    net_add_process(&f->net, name, NOWHERE);
    LocationId locations[LOCATIONS];
    for (uint32_t l = 0; l < LOCATIONS; l++) {
      const char location[] = {(char)('a' + l), 0};
      locations[l] = add_location(f, p, location, l == 0);
    }
    for (uint32_t l = 1; l < LOCATIONS; l++) // everything can be reached
      add_edge(f, locations[random_below(random, l)], locations[l], event);
    for (uint32_t i = random_below(random, 4); i; i--)
      add_edge(f, locations[random_below(random, LOCATIONS)],
               locations[random_below(random, LOCATIONS)], event);
  }
  fixture_finish(f);
  forget_ranges(&f->net); // any state will do
}

// The parent is a true parent; the opened node may have successors yet.
static bool is_open(const Store *store, NodeRef root, NodeRef opened, uint32_t count) {
  const Node *node = store_node(store, root);
  if (root == opened || (node->is_stored && !node->is_visited))
    return true;
  for (NodeRef ref = root + 1; ref < count; ref++)
    if (store_node(store, ref)->parent == root && is_open(store, ref, opened, count))
      return true;
  return false;
}

static LocationId location(const Net *net, const int32_t *state, ProcessId p) {
  return net->processes.items[p].first_location + (uint32_t)state[net->location_slot + p];
}

static void naive_add(Search *s, NodeRef ref, bool is_true) {
  Naive *naive = &s->naive;
  const Store *store = &s->store;
  const Topology *t = &s->topology;
  bool is_back = false, is_forward = false;
  for (ProcessId p = 0; p < PROCESSES; p++) {
    const uint64_t weight = t->weights[location(&s->f.net, s->state, p)];
    const uint32_t from = (uint32_t)t->weights[location(&s->f.net, s->source, p)];
    const uint32_t to = (uint32_t)weight;
    naive->stage[ref] += (uint32_t)(weight >> 32);
    naive->index[ref] += to;
    is_back |= to < from;
    is_forward |= to > from;
  }
  const bool is_same = !memcmp(s->state, s->source, sizeof s->state);
  const NodeRef parent = store_node(store, ref)->parent;
  if (parent != NODE_NONE)
    naive->round[ref] = naive->round[parent] + (is_back || (!is_forward && !is_same));
  for (uint32_t i = 0; i < store->evicted.size; i++) {
    const NodeRef old = store->evicted.items[i];
    if (store_node(store, old)->is_visited && naive->round[old] < naive->round[ref] &&
        is_open(store, old, parent, ref))
      naive->round[ref] = naive->round[old];
    naive->waits[old] = false;
  }
  naive->waits[ref] = true;
  naive->is_true[ref] = is_true;
  naive->count = ref + 1;
}

static bool comes_before(const Naive *naive, NodeRef a, NodeRef b) {
  if (naive->is_true[a] || naive->is_true[b])
    return naive->is_true[a] && (!naive->is_true[b] || a > b);
  if (naive->stage[a] != naive->stage[b])
    return naive->stage[a] < naive->stage[b];
  if (naive->round[a] != naive->round[b])
    return naive->round[a] < naive->round[b];
  if (naive->index[a] != naive->index[b])
    return naive->index[a] < naive->index[b];
  return a < b;
}

static NodeRef naive_pop(Naive *naive) {
  NodeRef best = NODE_NONE;
  for (NodeRef i = 0; i < naive->count; i++)
    if (naive->waits[i] && (best == NODE_NONE || comes_before(naive, i, best)))
      best = i;
  if (best != NODE_NONE)
    naive->waits[best] = false;
  return best;
}

static void search_init(Search *s, uint64_t seed) {
  memset(s, 0, sizeof *s);
  random_seed(&s->random, seed);
  random_net(&s->f, &s->random);
  ladder_init(&s->ladder);
  s->ladder.space.net = &s->f.net;
  store_init(&s->store, &s->f.mem, &s->ladder.space, &s->ladder.stats);
  s->stages = stages_new(&s->f.mem, &s->store, false);
  topology_init(&s->topology, &s->f.arena, &s->f.net, TOPOLOGY_FORWARD);
  state_layout(&s->layout, &s->f.arena, &s->f.net);
  assert_int_equal(s->layout.words, 1);
}

static void add_random(Search *s, NodeRef parent) {
  memcpy(s->state, s->source, sizeof s->state);
  for (uint32_t i = random_below(&s->random, 3); i && parent != NODE_NONE; i--) {
    const uint32_t slot = random_below(&s->random, PROCESSES + 1);
    s->state[slot] = (int32_t)random_below(&s->random, slot ? LOCATIONS : 3);
  }
  uint64_t key;
  state_pack(&s->layout, &key, s->state);
  const NodeRef ref =
      ladder_add(&s->ladder, &s->store, parent, key, random_below(&s->random, 1000));
  if (ref == NODE_NONE)
    return;
  const bool is_true = random_below(&s->random, 15) == 0;
  memcpy(s->states[ref], s->state, sizeof s->state);
  stages_push(s->stages, ref, is_true);
  naive_add(s, ref, is_true);
}

static void check(uint64_t seed) {
  static Search search;
  Search *s = &search;
  search_init(s, seed);
  const uint32_t max = 2 + random_below(&s->random, 4);
  NodeRef parent = NODE_NONE;
  do {
    for (uint32_t i = random_below(&s->random, max + 1) + (parent == NODE_NONE); i; i--)
      add_random(s, parent);
    do
      parent = stages_pop(s->stages);
    while (parent != NODE_NONE && !store_node(&s->store, parent)->is_stored);
    assert_int_equal(parent, naive_pop(&s->naive));
    if (parent == NODE_NONE)
      break;
    store_node(&s->store, parent)->is_visited = true;
    memcpy(s->source, s->states[parent], sizeof s->source);
  } while (s->naive.count < MAX - 10);
  fixture_drop(&s->f);
}

static void test_random(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 2000; seed++)
    check(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
