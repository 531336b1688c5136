// Intervals become closed under permutations: those of the net, and those by location.
#include "analysis/symmetry/widening.h"

#include "families.h"
#include "model/localranges.h"

#define MODEL                                                                                    \
  "system:s\nevent:a\nclock:1:x\nint:1:0:9:0:v\nint:1:0:9:3:w\nprocess:P\nprocess:Q\n"           \
  "location:P:A{initial: : invariant: x<=v}\nlocation:P:B{}\n"                                   \
  "location:Q:A{initial: : invariant: x<=w}\nlocation:Q:B{}\n"                                   \
  "edge:P:A:B:a{do: v=5}\nedge:Q:A:B:a{do: w=7}\n"

static const Draft draft = {.size = 2, .processes = "P Q", .slots = "v w"};

static void test_join(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, MODEL);
  const Family family = family_make(&r, &draft);
  const SlotRanges *before = r.net.slots.local;
  assert_non_null(before);
  assert_int_equal(before[0].count, 1);
  assert_int_equal(before[0].items[0].high, 0);
  const Net *wide = widening_apply(&family, 1, &r.arena, &r.net);
  assert_ptr_equal(r.net.slots.local, before); // the net stays as it is
  for (uint32_t slot = 0; slot < 2; slot++) {
    assert_int_equal(wide->slots.low[slot], 0);
    assert_int_equal(wide->slots.high[slot], 7);
  }
  // v = 0 and w = 3 in A, 5 and 7 in B; the locations of P come first.
  const int32_t low[] = {0, 5, 0, 5}, high[] = {3, 7, 3, 7};
  for (LocationId l = 0; l < 4; l++) {
    const SlotRanges *ranges = &wide->slots.local[l];
    assert_int_equal(ranges->count, 1);
    assert_int_equal(ranges->items[0].slot, l / 2);
    assert_int_equal(ranges->items[0].low, low[l]);
    assert_int_equal(ranges->items[0].high, high[l]);
  }
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_join)};
  return cmocka_run_group_tests_name("widening", tests, NULL, NULL);
}
