// Prefetching finds the groups of keys that are stored, and changes nothing. The reference build
// has none.
#include "search/passed/prefetch.h"

#include "base/testbuild.h"
#include "spaces.h"

static void test_groups(void **state) {
  (void)state;
  const char *arguments[] = {"n=4"};
  Search s;
  search_generate(&s, "fischer", 1, arguments);
  assert_true(spaces_explore(&s, false, 1));
  Store *store = &s.reach.store;
  for (uint32_t g = 0; g < store->groups.size; g++) {
    const uint64_t *key = store_key(store, g);
    PrefetchKey at = {.key = key, .hash = store_hash(key, store->key_words)};
    for (FetchStage stage = FETCH_SLOT; stage <= FETCH_LINK; stage++)
      prefetch_stage(store, &at, 1, stage);
    assert_int_equal(at.group == NULL, IS_PLAIN);
  }
  assert_true(store_ok(store));
  search_release(&s);
}

SPACES_MAIN("prefetch", cmocka_unit_test(test_groups))
