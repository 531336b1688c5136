// Byte strings by number: equal ones have one number, and it stays.
#include "base/intern.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// Against a list that is searched from the front.
static void test_random(void **state) {
  (void)state;
  enum { MAX = 700, ROUNDS = 5000 };
  static struct {
    char bytes[3];
    size_t size;
    bool is_met;
  } list[MAX];
  uint32_t count = 0;
  Mem mem = {0};
  Random random = {0};
  random_seed(&random, 5);
  Intern intern;
  intern_init(&intern, &mem);
  for (int i = 0; i < ROUNDS; i++) {
    char bytes[3];
    const size_t size = random_below(&random, 4);
    for (size_t k = 0; k < size; k++)
      bytes[k] = (char)random_below(&random, 8); // zeroes, too
    uint32_t at = 0;
    while (at < count && (list[at].size != size || memcmp(list[at].bytes, bytes, size) != 0))
      at++;
    if (at == count) {
      memcpy(list[count].bytes, bytes, size);
      list[count++].size = size;
    }
    assert_int_equal(intern_number(&intern, bytes, size), at + 1);
    InternItem *item = intern_at(&intern, at + 1);
    assert_ptr_equal(item->value, list[at].is_met ? &list[at] : NULL);
    item->value = &list[at];
    list[at].is_met = true;
  }
  assert_int_equal(intern.items.size, count);
  assert_memory_equal(intern_at(&intern, 8)->bytes, list[7].bytes, list[7].size);
  intern_clear(&intern);
  assert_int_equal(intern_number(&intern, "abc", 3), 1);
  intern_release(&intern);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
