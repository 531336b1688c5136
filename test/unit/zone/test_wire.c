// Wires: unfinished nodes become the same on the other side, with more zones than a dictionary
// has slots, and maps and joint transitions by number after the first time. On a network zones in
// minimal form are shorter.
#include "zone/wire.h"

#include "spaces.h"
#include "zone/common.h"

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
  const size_t most = s.space->exchange.message_bytes;
  char *message = mem_alloc(&s.mem, most + SPACE_SLACK);
  Zones *mine = (Zones *)s.space, *other = (Zones *)to;
  size_t sizes[2] = {0};
  for (int round = 0; round < 2; round++)
    for (NodeRef ref = 0; ref < s.reach.store.nodes.size; ref++) {
      if (!spaces_is_stored(&s, ref))
        continue;
      s.space->open(s.space, spaces_key(&s, ref), store_node(&s.reach.store, ref)->zone);
      while (s.space->next(s.space)) {
        const Outgoing *out = &mine->opened.vector->outgoing[s.space->ordinal];
        const uint32_t zone = mine->time->number(mine);
        mine->left_map = common_map(&mine->vectors, mine->opened.vector);
        mine->left_transition = common_transition(&mine->vectors, out->transition);
        s.space->exchange.is_unfinished = true;
        s.space->exchange.peer = 2;
        const size_t bytes = s.space->exchange.send(s.space, message);
        assert_true(bytes <= most);
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
  assert_true(sizes[1] < sizes[0]); // what was sent by value is sent by number
  mem_free(&s.mem, message);
  to->release(to);
  search_release(&s);
  return sizes[0];
}

static void test_unfinished(void **state) {
  (void)state;
  static const char *const families[] = {"fischer", "csma", "philosophers"};
  for (int i = 0; i < 3; i++)
    assert_true(finish_all(families[i], "n=3", true) < finish_all(families[i], "n=3", false));
}

SPACES_MAIN("wire", cmocka_unit_test(test_unfinished))
