// Covers: each successor has a node that covers it, in whichever process, and stored nodes cover
// themselves.
#include "answers/certificates/covers.h"

#include "players.h"
#include "search/passed/nodes.h"

// Numbers that tell the rank, and the node.
static uint32_t *make_numbers(Player *p) {
  const NodeRef limit = nodes_limit(&p->s.reach);
  uint32_t *numbers = mem_alloc(&p->s.mem, limit * sizeof *numbers);
  for (NodeRef ref = 0; ref < limit; ref++)
    numbers[ref] = ref * PLAYERS + p->link->rank;
  return numbers;
}

static void visit(Player *p, Covers *covers, NodeRef ref) {
  Reach *reach = &p->s.reach;
  const uint64_t *key = nodes_key(reach, nodes_group(reach, ref));
  p->s.space->load(p->s.space, key, nodes_at(reach, ref)->zone);
  const uint32_t place = covers_find(covers, reach);
  assert_int_equal(covers->answers.items[place], ref * PLAYERS + p->link->rank);
  p->s.space->open(p->s.space, key, nodes_at(reach, ref)->zone);
  while (p->s.space->next(p->s.space))
    covers_find(covers, reach);
}

static void cover(Player *p) {
  Reach *reach = &p->s.reach;
  const NodeRef limit = nodes_limit(reach);
  Talk talk;
  Covers covers;
  bool has_others = false;
  for (uint32_t i = 0; i < reach->peers->count; i++)
    reach->peers->members[i]->space->exchange.leaves_others = false;
  talk_init(&talk, &p->s.mem, p->link);
  covers_init(&covers, mem_part(&p->s.mem), &talk, reach);
  uint32_t *numbers = make_numbers(p);
  covers.numbers = numbers;
  NodeRef ref = 0;
  do
    for (uint32_t i = 0; i < 100 && ref < limit; ref++, i++)
      if (nodes_at(reach, ref) && nodes_at(reach, ref)->is_stored)
        visit(p, &covers, ref);
  while (!covers_meet(&covers, ref == limit));
  for (uint32_t i = 0; i < covers.answers.size; i++) {
    assert_int_not_equal(covers.answers.items[i], COVERS_NONE);
    has_others |= covers.answers.items[i] % PLAYERS != p->link->rank;
  }
  assert_true(has_others);
  assert_int_equal(covers.asked, 0);
  mem_free(&p->s.mem, numbers);
  mem_release_part(covers.mem);
  assert_true(talk_end(&talk, true));
}

static void test_covers(void **state) {
  (void)state;
  players_run(5, cover);
}

SPACES_MAIN("covers", cmocka_unit_test(test_covers))
