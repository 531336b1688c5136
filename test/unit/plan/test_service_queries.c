// Queries of a model with mistakes: what can be said of them all the same.
#include "plan/service/service_queries.h"

#include "plan/service/service_document.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static bool find_none(void *state, const char *path, Mem *mem, Source *source) {
  (void)state, (void)path, (void)mem, (void)source;
  return false;
}

// Reads a model with queries; its messages must be these, in this order.
static void check(const char *text, uint32_t count, const char *const *messages) {
  ServiceDocument *d = service_document_open("m.xta", text, strlen(text));
  assert_non_null(d);
  assert_true(service_document_read(d, find_none, NULL, NULL));
  for (uint32_t i = 0; i < count && i < d->messages.size; i++)
    if (!strstr(d->messages.items[i].text, messages[i]))
      fail_msg("%s: not %s", d->messages.items[i].text, messages[i]);
  assert_int_equal(d->messages.size, count);
  service_document_close(d);
}

#define MODEL(mistake)                                                                           \
  "int n; clock x; " mistake " process P(const int k) { clock z; state off, on; init off; "      \
  "trans off -> on; } A = P(1); system A;\n"

static void test_broken_model(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "expected", "no location, variable or clock `of`; did you mean `off`?",
      "`m` is not declared", "write `E<>`", "no location, variable or clock `w`"};
  check(MODEL("int a = ;") "query { E<> A.of }\nquery { A[] m > 1 }\nquery { E< A.on }\nquery { "
                           "A.on --> A.w > 1 }\n",
        5, wrong);
  // Names that quantifiers bind, that the unread text may declare, or that all models have.
  static const char *const right[] = {"expected"};
  check(
      MODEL(
          "int unread = ;") "query { E<> forall (i : int[0,3]) i < n and A.z > 1 and A.k == 1 }\n"
                            "query { A[] unread > INT8_MAX or abs(n) > 1 or not deadlock }\n"
                            "query { Pr[<=1](<> A.of) }\n",
      1, right);
}

// A hint to another query language takes nothing back that was said before.
static void test_hints(void **state) {
  (void)state;
  static const char *const messages[] = {"`m` is not declared", "write `A[]`",
                                         "`l` is not declared"};
  check(MODEL("") "query { E<> m > 1 }\nquery { always A.on }\nquery { E<> l > 1 }\n", 3,
        messages);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_broken_model),
                                     cmocka_unit_test(test_hints)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
