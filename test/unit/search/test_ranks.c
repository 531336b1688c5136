// What ranks tell each other after a search: the way to a node that goes through all of them.
#include "search/workers/ranks.h"

#include "players.h"

// Answers until it is asked something else.
static void serve(Player *p) {
  for (uint32_t kind = RANKS_ASK; kind == RANKS_ASK;) {
    size_t size;
    uint32_t *request = link_hear(p->link, &p->s.mem, 0, &size);
    kind = *request;
    if (kind == RANKS_ASK)
      ranks_answer(&p->s.reach, request);
    mem_free(&p->s.mem, request);
  }
}

// Each node has a way to an initial one.
static uint32_t count_ways(const Player *p, Mem *mem) {
  const Peers *peers = p->s.reach.peers;
  uint32_t count = 0;
  for (NodeRef ref = 0; ref < p->s.reach.store.nodes.size; ref++, count++) {
    Ordinals ordinals = {0};
    NodeRef at = ref * peers->all + peers->first;
    for (uint32_t i = 0; at != NODE_NONE; i++) {
      at = ranks_follow(&p->s.reach, at, !i, mem, &ordinals);
      assert_true(i < 10000);
    }
    assert_true(ordinals.size > 0);
    vec_release(mem, &ordinals);
  }
  return count;
}

static void after(Player *p) {
  Mem mem = {0};
  if (p->link->rank) {
    serve(p);
    return;
  }
  assert_int_equal(p->s.result, REACH_NONE);
  assert_true(count_ways(p, &mem) > 0);
  for (uint32_t i = 1; i < PLAYERS; i++)
    link_tell(p->link, i, &(uint32_t){0}, sizeof(uint32_t));
  assert_int_equal(mem.bytes, 0);
}

static void test_after(void **state) {
  (void)state;
  players_run(4, after);
}

SPACES_MAIN("ranks", cmocka_unit_test(test_after))
