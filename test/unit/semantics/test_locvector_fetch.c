// Prefetching of location vectors changes nothing: the same ones are found after it.
#include "semantics/zone/locvector_fetch.h"

#include "spaces.h"

static void test_nothing_changes(void **state) {
  (void)state;
  const char *arguments[] = {"n=4"};
  Search s;
  search_generate(&s, "fischer", 1, arguments);
  assert_true(spaces_explore(&s, false, 1));
  LocVectors *vectors = &((Zones *)s.space)->vectors;
  const uint32_t count = vectors->list.size;
  for (uint32_t g = 0; g < s.reach.store.groups.size; g++) {
    const uint64_t *key = store_key(&s.reach.store, g);
    VectorsAhead ahead = {0};
    locvector_fetch_expect(vectors, &ahead, 0, key);
    assert_int_equal(ahead.count, 1);
    for (FetchStage stage = FETCH_SLOT; stage <= FETCH_OPENING; stage++) {
      locvector_fetch_key(vectors, key, stage);
      locvector_fetch_ahead(vectors, &ahead, locvector_find(vectors, key), stage);
    }
    assert_ptr_equal(ahead.items[0].vector, locvector_find(vectors, key));
  }
  assert_int_equal(vectors->list.size, count);
  search_release(&s);
}

SPACES_MAIN("locvector_fetch", cmocka_unit_test(test_nothing_changes))
