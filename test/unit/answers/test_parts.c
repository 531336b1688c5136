// Parts: the nodes of all processes have all numbers, each once, and groups are whole.
#include "answers/certificates/parts.h"

#include "players.h"
#include "search/passed/nodes.h"

static void test_alone(void **state) {
  (void)state;
  Search s;
  const char *arguments[] = {"n=8"};
  search_generate(&s, "fischer", 1, arguments);
  assert_true(spaces_explore(&s, false, 1));
  FileParts parts;
  Talk talk;
  talk_init(&talk, &s.mem, NULL);
  parts_init(&parts, &s.mem, &s.reach, NULL);
  assert_true(parts_plan(&parts, &talk));
  const FilePart *end = &parts.list.items[parts.rounds];
  assert_true(parts.rounds > 1);
  assert_int_equal(end->node, s.stats.stored);
  assert_int_equal(end->group, parts.all_groups);
  for (uint32_t i = 0; i < end->node; i++)
    assert_int_equal(parts.numbers.items[parts.order.items[i]], i);
  for (uint32_t i = 0; i < parts.rounds; i++) {
    const FilePart *part = &parts.list.items[i];
    assert_true(part[1].node - part->node >= PARTS_NODES || i + 1 == parts.rounds);
    assert_int_equal(parts.ends.items[part[1].group - 1], part[1].node);
  }
  talk_end(&talk, true);
  search_drop(&s);
}

static unsigned char seen[1 << 17];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void plan(Player *p) {
  FileParts parts;
  Talk talk;
  talk_init(&talk, &p->s.mem, p->link);
  parts_init(&parts, mem_part(&p->s.mem), &p->s.reach, NULL);
  assert_true(parts_plan(&parts, &talk));
  pthread_mutex_lock(&mutex);
  for (uint32_t i = 0; i < parts.list.items[parts.rounds].node; i++)
    seen[parts.numbers.items[parts.order.items[i]]]++;
  pthread_mutex_unlock(&mutex);
  assert_true(talk_end(&talk, true));
  mem_release_part(parts.mem);
  for (uint32_t i = 0; !p->link->rank && i < sizeof seen; i++)
    assert_int_equal(seen[i], i < p->s.stats.stored);
}

static void test_together(void **state) {
  (void)state;
  players_run(9, plan);
}

SPACES_MAIN("parts", cmocka_unit_test(test_alone), cmocka_unit_test(test_together))
