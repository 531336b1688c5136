// Representatives against the least node of the orbit, found by trying all permutations; twins.
#include "semantics/orbit.h"

#include "base/random.h"
#include "dbm/dbm.h"
#include "families.h"

#define COPY(p, x, v)                                                                            \
  "process:" p "\nclock:1:" x "\nint:1:0:1:0:" v "\nlocation:" p ":A{initial:}\nlocation:" p     \
  ":B{}\nlocation:" p ":C{}\n"
#define MODEL                                                                                    \
  "system:s\nevent:tau\nint:1:0:4:0:id\nint:1:0:4:0:g\nclock:1:z\nprocess:T\nlocation:T:A{"      \
  "initial:}\n"                                                                                  \
  "location:T:B{}\n" COPY("P", "p", "a") COPY("Q", "q", "b") COPY("R", "r", "c")                 \
      COPY("S", "s", "d") "edge:P:A:B:tau\nedge:P:A:C:tau\nedge:Q:A:B:tau\nedge:Q:A:C:tau\n"

enum { IDS = 4, CLOCKS = 6 }; // z is clock 1, p to s are 2 to 5

static const Draft draft = {.size = IDS,
                            .processes = "P Q R S",
                            .clocks = "p q r s",
                            .slots = "a b c d",
                            .ids = "id g",
                            .values = {1, 2, 3, 4}};

typedef struct Node {
  int32_t state[16];
  Bound zone[CLOCKS * 16];
} Node;

typedef struct View {
  OrbitZone zone;
  const Bound *bounds;
} View;

static Bound entry(const OrbitZone *zone, ClockIndex i, ClockIndex j) {
  return ((const View *)zone)->bounds[i * dbm_stride(CLOCKS) + j];
}

// Inclusion.
static bool simulates(const OrbitZone *zone, const ClockIndex *swapped, const ClockIndex *list,
                      uint32_t count) {
  (void)list;
  (void)count;
  for (uint32_t i = 0; i < CLOCKS; i++)
    for (uint32_t j = 0; j < CLOCKS; j++)
      if (entry(zone, swapped[i], swapped[j]) > entry(zone, i, j))
        return false;
  return true;
}

static View view_of(const Node *node) { return (View){{entry, simulates}, node->zone}; }

// A zone as resets to 0, delays and upper bounds make it.
static void make_zone(Random *random, Bound *zone) {
  dbm_zero(zone, CLOCKS);
  for (int i = 0; i < 8; i++) {
    dbm_up(zone, CLOCKS);
    if (random_below(random, 3) == 0)
      dbm_constrain(&(Mem){0}, zone, CLOCKS,
                    (Constraint){1 + random_below(random, CLOCKS - 1), 0,
                                 bound_le(random_between(random, 3, 9))});
    dbm_assign(zone, CLOCKS, 1 + random_below(random, CLOCKS - 1), 0);
  }
}

static void make_node(Random *random, const Net *net, Node *node) {
  memset(node, 0, sizeof *node);
  for (uint32_t s = 0; s < net->slots.count; s++)
    node->state[s] = random_between(random, net->slots.min[s], net->slots.max[s]);
  make_zone(random, node->zone);
}

static void apply(const Permutation *perm, const Node *from, Node *to) {
  memset(to, 0, sizeof *to);
  permutation_apply(perm, to->state, from->state);
  const uint32_t stride = dbm_stride(CLOCKS);
  memcpy(to->zone, from->zone, sizeof to->zone);
  for (uint32_t i = 0; i < CLOCKS; i++)
    for (uint32_t j = 0; j < CLOCKS; j++)
      to->zone[perm->clock[i] * stride + perm->clock[j]] = from->zone[i * stride + j];
}

static bool next_image(uint32_t *image, bool is_cyclic, uint32_t number) {
  for (uint32_t i = 0; i < IDS; i++)
    image[i] = (i + number) % IDS;
  if (is_cyclic)
    return number < IDS;
  uint32_t left[IDS] = {0, 1, 2, 3};
  for (uint32_t i = 0, rest = number, count = IDS; i < IDS; i++, count--) {
    image[i] = left[rest % count];
    memmove(left + rest % count, left + rest % count + 1,
            (count - 1 - rest % count) * sizeof *left);
    rest /= count;
  }
  return number < 24;
}

static Node least(Reading *r, const Family *family, const Node *node) {
  Node best = *node;
  uint32_t image[IDS];
  for (uint32_t number = 0; next_image(image, family->is_cyclic, number); number++) {
    Arena arena = {.mem = &r->mem};
    const Permutation perm = family_permutation(family, &arena, &r->net, image);
    Node moved;
    apply(&perm, node, &moved);
    if (memcmp(&moved, &best, sizeof best) < 0)
      best = moved;
    arena_release(&arena);
  }
  return best;
}

// The representative, checked to be an image of the node.
static Node represent(Reading *r, Orbit *orbit, const Family *family, const Node *node) {
  const View view = view_of(node);
  Node found = *node;
  if (!orbit_find(orbit, node->state, &view.zone))
    return found;
  Arena arena = {.mem = &r->mem};
  const Permutation perm = family_permutation(family, &arena, &r->net, orbit->families[0].image);
  apply(&perm, node, &found);
  assert_memory_equal(found.state, orbit->state, r->net.slots.count * sizeof(int32_t));
  for (ClockIndex x = 0; x < CLOCKS; x++)
    assert_int_equal(perm.clock[orbit->from[x]], x);
  arena_release(&arena);
  return found;
}

static void try_group(bool is_cyclic) {
  Reading r;
  reading_accept(&r, MODEL);
  Family family = family_make(&r, &draft);
  family.is_cyclic = is_cyclic;
  const Symmetry symmetry = {&family, 1};
  Orbit orbit;
  orbit_init(&orbit, &r.arena, &r.net, &symmetry);
  Random random;
  random_seed(&random, 3);
  for (int n = 0; n < 400; n++) {
    Node node, moved;
    make_node(&random, &r.net, &node);
    const Node first = represent(&r, &orbit, &family, &node);
    uint32_t image[IDS];
    next_image(image, is_cyclic, random_below(&random, is_cyclic ? IDS : 24));
    Arena arena = {.mem = &r.mem};
    const Permutation perm = family_permutation(&family, &arena, &r.net, image);
    apply(&perm, &node, &moved);
    arena_release(&arena);
    const Node second = represent(&r, &orbit, &family, &moved);
    assert_memory_equal(&first, &second, sizeof first); // one for the whole orbit
    const Node a = least(&r, &family, &node), b = least(&r, &family, &first);
    assert_memory_equal(&a, &b, sizeof a); // and a member of it
  }
  reading_release(&r);
}

static void test_full(void **state) {
  (void)state;
  try_group(false);
}

static void test_cyclic(void **state) {
  (void)state;
  try_group(true);
}

// P and Q are alike; R differs in its location, S in its variable.
static void test_twins(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, MODEL);
  const Family family = family_make(&r, &draft);
  const Symmetry symmetry = {&family, 1};
  Orbit orbit;
  orbit_init(&orbit, &r.arena, &r.net, &symmetry);
  Node node;
  memset(&node, 0, sizeof node);
  node.state[find_name(&r, 's', "d")] = 1;
  node.state[r.net.location_slot + 3] = 1; // R
  dbm_zero(node.zone, CLOCKS);
  dbm_up(node.zone, CLOCKS);
  const View view = view_of(&node);
  assert_true(orbit_find_twins(&orbit, node.state, &view.zone));
  const bool wanted[] = {false, true, false, false};
  assert_memory_equal(orbit.families[0].is_twin, wanted, sizeof wanted);
  const Edge *const *edges = NULL;
  const Edge *pb = &r.net.edges.items[0], *pc = &r.net.edges.items[1];
  const Edge *qb = &r.net.edges.items[2], *qc = &r.net.edges.items[3];
  assert_false(orbit_prunes(&orbit, (edges = &pb), 1));
  assert_true(orbit_prunes(&orbit, (edges = &qb), 1));
  // Of both together: equal choices stay, of different ones one order.
  const Edge *both[][2] = {{pb, qb}, {pc, qc}, {pb, qc}, {pc, qb}};
  assert_false(orbit_prunes(&orbit, both[0], 2));
  assert_false(orbit_prunes(&orbit, both[1], 2));
  assert_true(orbit_prunes(&orbit, both[2], 2) != orbit_prunes(&orbit, both[3], 2));
  // Not if a cell holds one of them, or their clocks differ.
  node.state[find_name(&r, 's', "id")] = 2;
  assert_false(orbit_find_twins(&orbit, node.state, &view.zone));
  node.state[find_name(&r, 's', "id")] = 0;
  dbm_assign(node.zone, CLOCKS, 2, 0);
  assert_false(orbit_find_twins(&orbit, node.state, &view.zone));
  reading_release(&r);
}

// Nothing moves where the symmetry does not hold.
static void test_excluded(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, MODEL);
  Family family = family_make(&r, &draft);
  bool *excluded = ARENA_ARRAY(&r.arena, bool, r.net.locations.size);
  excluded[1] = true; // T.B
  family.excluded = excluded;
  const Symmetry symmetry = {&family, 1};
  Orbit orbit;
  orbit_init(&orbit, &r.arena, &r.net, &symmetry);
  Node node;
  memset(&node, 0, sizeof node);
  dbm_zero(node.zone, CLOCKS);
  node.state[r.net.location_slot + 1] = 2;
  const View view = view_of(&node);
  assert_true(orbit_find(&orbit, node.state, &view.zone));
  node.state[r.net.location_slot] = 1;
  assert_false(orbit_find(&orbit, node.state, &view.zone));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_full), cmocka_unit_test(test_cyclic),
                                     cmocka_unit_test(test_twins),
                                     cmocka_unit_test(test_excluded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
