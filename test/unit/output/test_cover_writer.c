// Suites as text: counts, shares, what is left.
#include "output/cover_writer.h"

#include "reading.h"

static void test_text(void **unused) {
  (void)unused;
  Mem mem = {0};
  Text text = {.mem = &mem};
  const Statistics stats = {0};
  const CoveredItem items[] = {{.name = "P.a -> b", .status = "covered", .run = 1},
                               {.name = "P.b -> c", .status = "unreachable"},
                               {.name = "P.c -> d", .status = "undecided"}};
  const Covered covered = {.goal = "edges",
                           .items = items,
                           .item_count = 3,
                           .reason = "time limit",
                           .is_accepted = true,
                           .stats = &stats};
  cover_text(&text, &covered);
  assert_string_equal(text_chars(&text),
                      "1 of 2 edges covered (50 %) by 0 runs with 0 steps\n"
                      "1 unreachable; a certificate was made and checked:\n  P.b -> c\n"
                      "1 undecided, time limit:\n  P.c -> d\n");
  text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_text)};
  return cmocka_run_group_tests_name("cover_writer", tests, NULL, NULL);
}
