// Which location keeps a model from starting.
#include "model/initial.h"

#include "reading.h"

static void assert_obstacle(const char *locations, const char *name) {
  Reading r;
  char text[512];
  snprintf(text, sizeof text,
           "system:m\nevent:a\nclock:1:x\nint:1:0:3:1:n\nprocess:P\nprocess:Q\n%s", locations);
  reading_accept(&r, text);
  const Location *found = initial_obstacle(&r.mem, &r.net);
  assert_true(initial_exists(&r.mem, &r.net) == !name);
  assert_true(!found == !name);
  if (name)
    assert_string_equal(found->name, name);
  reading_release(&r);
}

static void test_obstacle(void **unused) {
  (void)unused;
  assert_obstacle("location:P:a{initial:}\nlocation:Q:a{initial:}\n", NULL);
  assert_obstacle("location:P:a{initial: : invariant: x<=0}\nlocation:Q:b{initial: : invariant: "
                  "x<0}\n",
                  "b");
  assert_obstacle("location:P:a{initial: : invariant: n==2}\nlocation:Q:b{initial:}\n", "a");
  assert_obstacle("location:P:a{initial: : invariant: x>3}\nlocation:P:c{initial:}\n"
                  "location:Q:b{initial: : invariant: x>=1}\nlocation:Q:d{invariant: x>3}\n",
                  "b");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_obstacle)};
  return cmocka_run_group_tests_name("initial", tests, NULL, NULL);
}
