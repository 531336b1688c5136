// Nodes go from one space to a sibling and are the same there, in both notions of time.
#include "zone/message.h"

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
  // Kinds of local zones are numbers of each worker's own.
  const size_t head = p->here->key_words * sizeof(uint64_t) + sizeof(ZoneMessage);
  const ZoneMessage *there = (const ZoneMessage *)((const char *)p->back + head) - 1;
  const ZoneMessage *here = (const ZoneMessage *)((const char *)p->message + head) - 1;
  assert_int_equal(there->ref, here->ref);
  assert_int_equal(there->format, here->format);
  assert_memory_equal((const char *)p->back + head, (const char *)p->message + head, size - head);
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
  p.there->release(p.there);
  p.here->release(p.here);
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

SPACES_MAIN("message", cmocka_unit_test(test_exchange))
