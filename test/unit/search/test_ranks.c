// What ranks tell each other after a search: the way to a node that goes through all of them, and
// the nodes of each.
#include "search/ranks.h"

#include "fakelink.h"
#include "search/stream.h"
#include "spaces.h"

#include <pthread.h>

enum { RANKS = 3 };

typedef struct Player {
  Link *link;
  Search s;
} Player;

static void explore(Player *p) {
  const char *arguments[] = {"n=4"};
  search_generate(&p->s, "fischer", 1, arguments);
  p->s.space = spaces_new(&p->s, false);
  reach_init(&p->s.reach, &p->s.mem, p->s.space, ORDER_BFS, &p->s.stats);
  workers_divide(&p->s.reach, 2, ORDER_BFS, p->link);
  p->s.result = reach_run(&p->s.reach);
}

// Answers until it is asked something else.
static void *serve(void *context) {
  Player *p = context;
  explore(p);
  for (uint32_t kind = RANKS_ASK; kind == RANKS_ASK;) {
    size_t size;
    uint32_t *request = link_hear(p->link, &p->s.mem, 0, &size);
    kind = *request;
    if (kind == RANKS_ASK)
      ranks_answer(&p->s.reach, request);
    mem_free(&p->s.mem, request);
  }
  search_release(&p->s);
  return NULL;
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

static uint32_t count_nodes(Player *p, Mem *mem) {
  void *bytes = mem_alloc(mem, ranks_piece_bytes(&p->s.reach) + SPACE_SLACK);
  uint32_t count = 0;
  for (uint32_t worker = 0; worker < p->s.reach.peers->all; worker++) {
    NodeRef next = 0;
    for (size_t size; (size = ranks_piece(&p->s.reach, worker, &next, bytes));)
      for (size_t at = 0; at < size; at = stream_next(bytes, at))
        count++;
  }
  mem_free(mem, bytes);
  return count;
}

static void test_after(void **state) {
  (void)state;
  static Player players[RANKS];
  pthread_t threads[RANKS];
  Mem mem = {0};
  Link *link = fakelink_new(RANKS);
  for (uint32_t i = 0; i < RANKS; i++)
    players[i].link = fakelink_at(link, i);
  for (uint32_t i = 1; i < RANKS; i++)
    pthread_create(&threads[i], NULL, serve, &players[i]);
  explore(&players[0]);
  assert_int_equal(players[0].s.result, REACH_NONE);
  assert_true(count_ways(&players[0], &mem) > 0);
  assert_int_equal(count_nodes(&players[0], &mem), players[0].s.stats.stored);
  for (uint32_t i = 1; i < RANKS; i++)
    link_tell(players[0].link, i, &(uint32_t){0}, sizeof(uint32_t));
  for (uint32_t i = 1; i < RANKS; i++)
    pthread_join(threads[i], NULL);
  search_release(&players[0].s);
  fakelink_release(link);
  assert_int_equal(mem.bytes, 0);
}

SPACES_MAIN("ranks", cmocka_unit_test(test_after))
