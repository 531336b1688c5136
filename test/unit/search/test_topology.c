// Indices and stages against examples, and against what defines them on random processes.
#include "search/orders/topology.h"

#include "nets.h"
#include "ranges.h"

enum { MAX = 12 };

static void build(Fixture *f, uint32_t count, const uint32_t (*edges)[2], uint32_t edge_count) {
  fixture_init(f);
  const ProcessId p = net_add_process(&f->net, "P", NOWHERE);
  const EventId event = net_add_event(&f->net, "e", NOWHERE);
  LocationId locations[MAX];
  for (uint32_t i = 0; i < count; i++) {
    const char name[] = {(char)('a' + i), 0};
    locations[i] = add_location(f, p, name, i == 0);
  }
  for (uint32_t i = 0; i < edge_count; i++)
    add_edge(f, locations[edges[i][0]], locations[edges[i][1]], event);
  fixture_finish(f);
  forget_ranges(&f->net); // any state will do
}

static uint32_t index_of(const Topology *t, LocationId l) { return (uint32_t)t->weights[l]; }
static uint32_t stage_of(const Topology *t, LocationId l) {
  return (uint32_t)(t->weights[l] >> 32);
}

static void check_weights(const Topology *t, uint32_t count, const uint32_t *order,
                          const uint32_t *stages) {
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(index_of(t, i), order[i]);
    assert_int_equal(stage_of(t, i), stages[i]);
  }
}

static void check_example(uint32_t count, const uint32_t (*edges)[2], uint32_t edge_count,
                          const uint32_t *forward, const uint32_t *reverse,
                          const uint32_t *stages) {
  Fixture f;
  build(&f, count, edges, edge_count);
  Topology topology;
  topology_init(&topology, &f.arena, &f.net, TOPOLOGY_FORWARD);
  check_weights(&topology, count, forward, stages);
  topology_init(&topology, &f.arena, &f.net, TOPOLOGY_REVERSE);
  check_weights(&topology, count, reverse, stages);
  fixture_release(&f);
}

// Figure 1 of HT15: q1 to q3 directly and over q2, then q4 and back to q1; and the variant with
// an edge from q3 to q2, where the order depends on the edge taken first.
static void test_figure(void **state) {
  (void)state;
  static const uint32_t edges[][2] = {{0, 2}, {0, 1}, {1, 2}, {2, 3}, {3, 0}, {2, 1}};
  static const uint32_t order[] = {0, 1, 2, 3}, other[] = {0, 2, 1, 3}, zero[4] = {0};
  check_example(4, edges, 5, order, order, zero);
  check_example(4, edges, 6, other, order, zero);
}

// A loop of two, behind it a loop of one, the end, and what is never reached.
static void test_stages(void **state) {
  (void)state;
  static const uint32_t edges[][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 2}, {2, 3}, {0, 3}, {4, 0}};
  static const uint32_t order[] = {0, 1, 2, 3, 4}, stages[] = {0, 0, 1, 2, 0};
  check_example(5, edges, 7, order, order, stages);
}

typedef struct Graph {
  uint32_t count;
  bool edge[MAX][MAX], reaches[MAX][MAX];
} Graph;

static void close_graph(Graph *g) {
  memcpy(g->reaches, g->edge, sizeof g->edge);
  for (uint32_t i = 0; i < g->count; i++)
    g->reaches[i][i] = true;
  for (uint32_t k = 0; k < g->count; k++)
    for (uint32_t i = 0; i < g->count; i++)
      for (uint32_t j = 0; j < g->count; j++)
        g->reaches[i][j] |= g->reaches[i][k] && g->reaches[k][j];
}

// The longest way through components, by trying all.
static uint32_t naive_stage(const Graph *g, uint32_t to) {
  uint32_t stage = 0;
  for (uint32_t from = 0; from < g->count; from++)
    if (g->reaches[0][from] && g->reaches[from][to] && !g->reaches[to][from]) {
      const uint32_t before = naive_stage(g, from) + 1;
      stage = before > stage ? before : stage;
    }
  return stage;
}

// Indices are a permutation, start with 0, and respect every edge that no cycle contains.
static void check_random(Random *random) {
  Graph g = {.count = 1 + random_below(random, 7)};
  uint32_t edges[30][2];
  const uint32_t edge_count = random_below(random, 15);
  for (uint32_t i = 0; i < edge_count; i++) {
    edges[i][0] = random_below(random, g.count);
    edges[i][1] = random_below(random, g.count);
    g.edge[edges[i][0]][edges[i][1]] = true;
  }
  close_graph(&g);
  Fixture f;
  build(&f, g.count, (const uint32_t(*)[2])edges, edge_count);
  for (int kind = TOPOLOGY_FORWARD; kind <= TOPOLOGY_REVERSE; kind++) {
    Topology t;
    topology_init(&t, &f.arena, &f.net, (TopologyKind)kind);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < g.count; i++)
      seen |= 1u << index_of(&t, i);
    assert_int_equal(seen, (1u << g.count) - 1);
    assert_int_equal(index_of(&t, 0), 0);
    for (uint32_t i = 0; i < g.count; i++) {
      if (g.reaches[0][i])
        assert_int_equal(stage_of(&t, i), naive_stage(&g, i));
      for (uint32_t j = 0; j < g.count; j++)
        if (g.edge[i][j] && g.reaches[0][i] && !g.reaches[j][i])
          assert_true(index_of(&t, i) < index_of(&t, j));
    }
  }
  fixture_release(&f);
}

static void test_random(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  for (int i = 0; i < 3000; i++)
    check_random(&random);
}

enum { PROCESSES = 40, STATES = 20 };

// Processes with one to MOST locations, and variables: packed states of several words.
static void build_many(Fixture *f, Random *random) {
  fixture_init(f);
  const EventId event = net_add_event(&f->net, "e", NOWHERE);
  add_int(f, "v", 0, 1000, 0);
  for (uint32_t p = 0; p < PROCESSES; p++) {
    const char name[] = {(char)('A' + p / 10), (char)('0' + p % 10), 0};
    net_add_process(&f->net, name, NOWHERE);
    LocationId locations[MAX];
    const uint32_t count = 1 + random_below(random, MAX);
    for (uint32_t l = 0; l < count; l++) {
      const char location[] = {(char)('a' + l), 0};
      locations[l] = add_location(f, p, location, l == 0);
      if (l)
        add_edge(f, locations[random_below(random, l)], locations[l], event);
    }
  }
  fixture_finish(f);
  forget_ranges(&f->net); // any state will do
}

static LocationId location(const Net *net, const int32_t *state, ProcessId p) {
  return net->processes.items[p].first_location + (uint32_t)state[net->location_slot + p];
}

// Sums and steps against those of states that are not packed.
static void check_packed(Random *random) {
  Fixture f;
  build_many(&f, random);
  const Net *net = &f.net;
  Topology t;
  topology_init(&t, &f.arena, net, TOPOLOGY_FORWARD);
  StateLayout layout;
  state_layout(&layout, &f.arena, net);
  int32_t old[PROCESSES + 1] = {0}, new[PROCESSES + 1] = {0};
  uint64_t packed[2][PROCESSES];
  assert_in_range(layout.words, 2, PROCESSES);
  for (int i = 0; i < STATES; i++) {
    new[0] = (int32_t)random_below(random, 1000); // the variable
    for (uint32_t moves = random_below(random, 2 * PROCESSES); moves; moves--) {
      const ProcessId p = random_below(random, PROCESSES);
      new[net->location_slot + p] =
          (int32_t)random_below(random, net->processes.items[p].location_count);
    }
    state_pack(&layout, packed[0], old);
    state_pack(&layout, packed[1], new);
    uint64_t old_sum = 0, new_sum = 0;
    bool is_back = false, is_forward = false;
    for (ProcessId p = 0; p < PROCESSES; p++) {
      const LocationId from = location(net, old, p), to = location(net, new, p);
      old_sum += t.weights[from];
      new_sum += t.weights[to];
      is_back |= index_of(&t, to) < index_of(&t, from);
      is_forward |= index_of(&t, to) > index_of(&t, from);
      assert_int_equal((uint32_t)topology_weight(&t.parts[p], packed[1]), index_of(&t, to));
    }
    const TopologyStep step = topology_step(&t, packed[0], packed[1]);
    assert_int_equal(topology_sum(&t, packed[1]), new_sum);
    assert_int_equal(old_sum + step.change, new_sum);
    assert_int_equal(step.is_back, is_back);
    assert_int_equal(step.is_forward, is_forward);
    memcpy(old, new, sizeof old);
  }
  fixture_release(&f);
}

static void test_packed(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 2);
  for (int i = 0; i < 300; i++)
    check_packed(&random);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_figure),
      cmocka_unit_test(test_stages),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_packed),
  };
  return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
