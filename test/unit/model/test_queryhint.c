// What people write who know other query languages.
#include "model/queryhint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_hints(void **unused) {
  (void)unused;
  static const struct {
    const char *text, *part; // of the hint; NULL: there is none
    size_t at;
  } cases[] = {
      {"AG p", "`A[]`", 0},
      {" EF p", "`E<>`", 1},
      {"AF p", "`A<>`", 0},
      {"EG p", "`E[]`", 0},
      {"A[] p => q", "imply", 6},
      {"A[] p -> q", "imply", 6},
      {"E[ p U q ]", "until", 5},
      {"A (p W q)", "weak", 5},
      {"p --> q", NULL, 0},
      {"A[] (p and E<> q)", "beginning", 11},
      {"A[] p && A[] q", "beginning", 9},
      {"A[] BA[] < 3", NULL, 0},
      {"A[] U.x >= 1", NULL, 0},
      {"A[] x >= 1 imply EF", NULL, 0},
      {"E<> P.U", NULL, 0},
      {"A[] x<=>3", NULL, 0},
      {"", NULL, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t at = SIZE_MAX;
    const char *hint = queryhint_find(cases[i].text, strlen(cases[i].text), &at);
    if (!hint != !cases[i].part || (hint && (!strstr(hint, cases[i].part) || at != cases[i].at)))
      fail_msg("%s: %s at %zu", cases[i].text, hint ? hint : "no hint", at);
  }
}

static void test_beginnings(void **unused) {
  (void)unused;
  static const char *const cases[][2] = {{"e<> p", "write `E<>`"},
                                         {"<> p", "say of which runs"},
                                         {"always p", "write `A[]`"},
                                         {"E> p", "write `E<>`"},
                                         {"safe: A[] p", "no name before"},
                                         {"\"A[] p\"", "no quotes"},
                                         {"/* p", "does not end"},
                                         {"p implies q", "imply"},
                                         {"and p", "several lines"},
                                         {"P[<=3](<> p)", "`Pr`"},
                                         {"max: x", "sup: x"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t at;
    const char *hint = queryhint_begin(cases[i][0], strlen(cases[i][0]), &at);
    if (!hint || !strstr(hint, cases[i][1]))
      fail_msg("%s: %s", cases[i][0], hint ? hint : "no hint");
  }
  size_t at;
  assert_null(queryhint_begin("p", 1, &at));
  assert_null(queryhint_begin("", 0, &at));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hints),
                                     cmocka_unit_test(test_beginnings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
