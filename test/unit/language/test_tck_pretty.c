// What models in TChecker's format look like after they were laid out.
#include "language/tchecker/tck_pretty.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void check(const char *text, const char *wanted) {
  Mem mem = {0};
  Text out = {.mem = &mem}, again = {.mem = &mem};
  const Source source = {.name = "text", .text = text, .size = strlen(text)};
  tck_pretty_print(&out, &source);
  assert_string_equal(text_chars(&out), wanted);
  const Source second = {.name = "text", .text = text_chars(&out), .size = out.size};
  tck_pretty_print(&again, &second);
  assert_string_equal(text_chars(&again), wanted);
  mem_release(&mem);
}

static void test_lines(void **state) {
  (void)state;
  check("system : s  # a comment \n\n\n\n  clock:1:x\n", "system:s  # a comment\n\nclock:1:x\n");
  check("location:P:a{initial::invariant:x<=1}", "location:P:a{initial: : invariant: x <= 1}\n");
  check("edge:P:a:b:e{provided:x>=- 1&&!y : do:x=0;a[i+1]=(1+2)*3}",
        "edge:P:a:b:e{provided: x >= -1 && !y : do: x = 0; a[i + 1] = (1 + 2) * 3}\n");
  check("sync : P @ a : Q@b ?\n", "sync:P@a:Q@b?\n");
  check("edge:P:a:b:e{do:if(x==1) y=2}", "edge:P:a:b:e{do: if (x == 1) y = 2}\n");
  check("\n\n# only a comment", "# only a comment\n");
  check("", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
