// What the resolver knows of labels, and what it says that it does not know.
#include "check/trees/twin.h"

#include "reading.h"

static const struct {
  const char *guard, *update, *unknown; // in what is not known; NULL: all is known
} labels[] = {
    {"x <= LIMIT && n == 2.0", "d = d * 1.5 + x, n = 1, z = 0", NULL},
    {"deadlock == 0 || n < HALF * 4", "deadlock++", NULL},
    {"n + M_PI > 3", NULL, "real"},
    {"x < 3", "n = fint(1.5)", "real"},
    {NULL, "f(n)", NULL},
    {"INT8_MAX > n", "n = UINT8_MAX - 250", NULL},
};

static void test_labels(void **unused) {
  (void)unused;
  for (size_t k = 0; k < sizeof labels / sizeof *labels; k++) {
    Reading r;
    char text[2000];
    const char *guard = labels[k].guard, *update = labels[k].update;
    snprintf(
        text, sizeof text,
        "const double LIMIT = 2.5 * 4, HALF = 0.5; double d; clock x; hybrid clock z; int[0,9] "
        "n, deadlock; void f(int &a) { double e = 2; a = 3; e = e * a; } process P() { state "
        "A; init A; trans A -> A { %s%s%s %s%s%s }; } system P;",
        guard ? "guard " : "", guard ? guard : "", guard ? ";" : "", update ? "assign " : "",
        update ? update : "", update ? ";" : "");
    reading_begin(&r, text);
    if (!uppaal_read(&r.net, &r.source, &r.report) || r.net.origin.obstacles) {
      assert_non_null(labels[k].unknown); // the network does not know either
      reading_release(&r);
      continue;
    }
    Twin *twin = twin_new(&r.mem, &r.net);
    assert_null(twin_difference(twin));
    const TwinEdge *edge = twin_edge(twin, 0);
    const char *unknown =
        edge->guards[0].unknown ? edge->guards[0].unknown : edge->update.unknown;
    if (!unknown != !labels[k].unknown || (unknown && !strstr(unknown, labels[k].unknown)))
      fail_msg("%s; %s: %s", guard ? guard : "", update ? update : "", unknown ? unknown : "-");
    twin_free(twin);
    reading_release(&r);
  }
}

// A condition that no state can make true, and one that needs a state.
static void test_never(void **unused) {
  (void)unused;
  Reading r;
  reading_accept_uppaal(&r,
                        "const int N = 3; int n; clock x; process P() { state A; init A; trans A "
                        "-> A { guard N > 4 && 1 / n == 1; }, A -> A { guard n > N && x < 2; }; "
                        "} system P;");
  Twin *twin = twin_new(&r.mem, &r.net);
  assert_null(twin_difference(twin));
  assert_int_equal(twin->edges.size, 2);
  assert_true(resolve_is_never(&twin->resolver, &twin->edges.items[0].guards[0]));
  assert_false(resolve_is_never(&twin->resolver, &twin_edge(twin, 0)->guards[0]));
  twin_free(twin);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_labels), cmocka_unit_test(test_never)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
