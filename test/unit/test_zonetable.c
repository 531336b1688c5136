// Tables that number their pages in common: a zone of another table is read where it is, and
// equal zones have one number in each table.
#include "dbm/zonetable.h"

#include "base/random.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { K = 9, BYTES = K * K, ZONES = 20000, KINDS = 5000 };

// Some bytes: the table does not look at what they mean.
static void fill(char *body, uint32_t kind) {
  Random random;
  random_seed(&random, kind + 1);
  for (uint32_t i = 0; i < BYTES; i++)
    body[i] = (char)random_below(&random, 100);
}

static void test_adopt(void **state) {
  (void)state;
  Mem mems[2] = {{0}};
  ZoneTable tables[2];
  static ZoneRef known[2][KINDS];
  Random random;
  random_seed(&random, 7);
  for (int i = 0; i < 2; i++)
    zonetable_init(&tables[i], &mems[i], K);
  zonetable_share(&tables[0], &tables[1]);
  memset(known, 0, sizeof known);
  for (uint32_t i = 0; i < ZONES; i++) {
    char body[BYTES];
    const uint32_t kind = random_below(&random, KINDS), t = random_below(&random, 2);
    const Probe probe = {.k = K, .format = PACKED_8, .body = body};
    fill(body, kind);
    const ZoneRef ref = known[1 - t][kind] && random_below(&random, 2)
                            ? zonetable_adopt(&tables[t], known[1 - t][kind])
                            : zonetable_add(&tables[t], &probe);
    assert_true(ref && (!known[t][kind] || known[t][kind] == ref));
    known[t][kind] = ref;
    for (int reader = 0; reader < 2; reader++)
      assert_memory_equal(zonetable_at(&tables[reader], ref)->body, body, BYTES);
    assert_int_equal(zonetable_find(&tables[t], &probe), ref);
  }
  for (int i = 1; i >= 0; i--) {
    zonetable_release(&tables[i]);
    assert_int_equal(mems[i].bytes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_adopt),
  };
  return cmocka_run_group_tests_name("zonetable", tests, NULL, NULL);
}
