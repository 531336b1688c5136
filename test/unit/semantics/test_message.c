// Nodes go from one space to a sibling and are the same there, in both notions of time.
// Unfinished nodes become the same on the other side, with more zones than a dictionary has
// slots. On a network zones in minimal form are shorter.
#include "semantics/zone/message.h"

#include "spaces.h"

typedef struct Pair {
  Space *here, *there;
  void *message, *back;
} Pair;

// The current node goes there; what comes back is what went.
static void pass(Pair *p) {
  const size_t size = p->here->exchange.send(p->here, p->message);
  p->there->exchange.receive(p->there, p->message);
  assert_memory_equal(p->there->key, p->here->key, p->here->key_words * sizeof(uint64_t));
  assert_int_equal(p->there->exchange.send(p->there, p->back), size);
  const size_t words = p->here->key_words * sizeof(uint64_t), head = words + sizeof(ZoneMessage);
  assert_memory_equal((const char *)p->back + words, (const char *)p->message + words,
                      sizeof(ZoneMessage));
  // Kinds of local zones, before the zone itself, are numbers of each worker's own.
  if (size > head)
    assert_memory_equal((const char *)p->back + head + sizeof(uint32_t),
                        (const char *)p->message + head + sizeof(uint32_t),
                        size - head - sizeof(uint32_t));
}

static uint32_t exchange(Search *s, bool is_local) {
  Pair p = {.here = spaces_new(s, is_local)};
  uint32_t passed = 0;
  uint64_t key[16];
  if (!p.here)
    return 0;
  p.here->exchange.workers = 2;
  p.there = p.here->exchange.sibling(p.here, &s->mem);
  p.message = mem_alloc(&s->mem, p.here->exchange.message_bytes + SPACE_SLACK);
  p.back = mem_alloc(&s->mem, p.here->exchange.message_bytes + SPACE_SLACK);
  assert_true(p.here->key_words <= 16);
  while (p.here->initial(p.here)) {
    pass(&p);
    memcpy(key, p.here->key, p.here->key_words * sizeof *key);
    const uint32_t zone = p.here->keep(p.here);
    p.here->open(p.here, key, zone);
    for (; p.here->next(p.here); passed++) {
      p.here->keep(p.here);
      pass(&p);
    }
  }
  mem_free(&s->mem, p.message);
  mem_free(&s->mem, p.back);
  space_release(p.there);
  space_release(p.here);
  return passed;
}

static void test_exchange(void **state) {
  (void)state;
  for (int is_local = 0; is_local < 2; is_local++) {
    uint32_t passed = 0;
    for (int seed = 1; seed <= 60; seed++) {
      Search s;
      search_random(&s, seed, NULL);
      passed += exchange(&s, is_local);
      search_release(&s);
    }
    assert_true(passed > 30);
  }
}

static Space *connected(Search *s, bool saves_bytes) {
  Space *space = spaces_new(s, false);
  space->exchange.workers = 2;
  space->exchange.saves_bytes = saves_bytes;
  space->exchange.connect(space);
  return space;
}

// All successors of all nodes, finished here and there. Gives the bytes of the first time.
static size_t finish_all(const char *family, const char *size, bool saves_bytes) {
  Search s;
  const char *arguments[] = {size};
  search_generate(&s, family, 1, arguments);
  s.space = connected(&s, saves_bytes);
  reach_init(&s.reach, &s.mem, s.space, ORDER_BFS, &s.stats);
  assert_int_equal(reach_run(&s.reach), REACH_NONE);
  Space *to = connected(&s, saves_bytes);
  const size_t max = s.space->exchange.message_bytes;
  char *message = mem_alloc(&s.mem, max + SPACE_SLACK);
  Zones *mine = (Zones *)s.space, *other = (Zones *)to;
  size_t sizes[2] = {0};
  for (int round = 0; round < 2; round++)
    for (NodeRef ref = 0; ref < s.reach.store.nodes.size; ref++) {
      if (!spaces_is_stored(&s, ref))
        continue;
      s.space->open(s.space, spaces_key(&s, ref), store_node(&s.reach.store, ref)->zone);
      while (s.space->next(s.space)) {
        const uint32_t zone = mine->time->number(mine);
        s.space->exchange.is_unfinished = true;
        s.space->exchange.peer = 2;
        const size_t bytes = s.space->exchange.send(s.space, message);
        assert_true(bytes <= max);
        sizes[round] += bytes;
        s.space->exchange.is_unfinished = false;
        s.space->exchange.peer = 0;
        to->exchange.peer = 1;
        assert_true(to->exchange.finish(to, message));
        to->exchange.peer = 0;
        const StoredZone *a = zonetable_at(&mine->table, zone);
        const StoredZone *b = zonetable_at(&other->table, other->time->number(other));
        assert_int_equal(a->k, b->k);
        assert_int_equal(a->format, b->format);
        assert_memory_equal(a->entries, b->entries, packed_bytes(a->k, (PackedFormat)a->format));
      }
    }
  assert_true(sizes[1] < sizes[0]); // zones that were sent by value are sent by slot
  mem_free(&s.mem, message);
  space_release(to);
  search_release(&s);
  return sizes[0];
}

static void test_unfinished(void **state) {
  (void)state;
  static const char *const families[] = {"fischer", "csma", "philosophers"};
  for (int i = 0; i < 3; i++)
    assert_true(finish_all(families[i], "n=3", true) < finish_all(families[i], "n=3", false));
}

// Where a node comes from must fit into its message.
static void test_leaving(void **state) {
  (void)state;
  Transition t = {.edge_count = UINT16_MAX};
  assert_true(message_can_leave(&t));
  t.edge_count++;
  assert_false(message_can_leave(&t));
}

SPACES_MAIN("message", cmocka_unit_test(test_leaving), cmocka_unit_test(test_exchange),
            cmocka_unit_test(test_unfinished))
