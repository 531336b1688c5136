// Meta variables: which ones may be read before the same transition writes them.
#include "model/meta.h"

#include "reading.h"

#include "model/joint.h"

typedef struct Case {
  const char *decls, *update;
  bool is_kept; // the variable m
} Case;

static void read(Reading *r, const char *text) {
  reading_begin(r, text);
  if (!uppaal_read(&r->net, &r->source, &r->report))
    fail_msg("%s: %s", text, text_chars(&r->report.error));
}

static bool is_kept(const char *text) {
  Reading r;
  read(&r, text);
  const Name *kept = meta_first_kept(&r.net);
  assert_true(!kept || !strcmp(kept->name, "m"));
  assert_true((kept != NULL) == (r.net.slots.is_kept != NULL));
  assert_true(kept || r.net.slots.is_meta);
  reading_release(&r);
  return kept;
}

static const Case cases[] = {
    {"meta int m;", "m = 1, n = m", false},
    {"meta int m;", "n = m, m = 1", true},
    {"meta int m;", "m = 1", false},
    {"meta int m;", "m++", true},
    {"meta int m;", "m = n > 0 ? 1 : 2, n = m", false},
    // Branches, loops and what need not be evaluated.
    {"meta int m; void f() { if (n > 0) m = 1; else m = 2; n = m; }", "f()", false},
    {"meta int m; void f() { if (n > 0) m = 1; n = m; }", "f()", true},
    {"meta int m; void f() { while (n > 0) { m = 1; n--; } n = m; }", "f()", true},
    {"meta int m; void f() { do { m = 1; n--; } while (m > n); n = m; }", "f()", false},
    {"meta int m; void f() { if (n > 0) return; m = 1; }", "f(), n = m", true},
    {"meta int m; void f() { if (n > 0) { m = 2; return; } m = 1; }", "f(), n = m", false},
    {"meta int m; void f() { m = 1; } void g() { f(); n = m; }", "g()", false},
    {"meta int m; int f() { m = 1; return m; }", "n = f() + m", false},
    {"meta int m; int f() { m = 1; return m; }", "n = (n > 0 && f() > 0) ? m : 0", true},
    {"meta int m; void f(int &x) { x = 1; }", "f(m), n = m", false},
    {"meta int m; void f(int &x) { x++; }", "f(m)", true},
    // Parts of variables.
    {"meta int m[2];", "m[0] = 1, n = m[0]", false},
    {"meta int m[2];", "m[0] = 1, n = m[1]", true},
    {"meta int m[2];", "m[n] = 1, n = m[0]", true},
    {"meta struct { int a; int b; } m;", "m.a = 1, n = m.a", false},
    {"meta struct { int a; int b; } m;", "m.a = 1, n = m.b", true},
    {"meta struct { int a; int b; } m[2]; int k;", "n = m[k].b", true},
    {"meta int m[100];", "m[0] = 1, n = m[0]", true}, // as a whole
    {"meta struct { int a[70]; int b[70]; } m; int z[70];", "m.a = z, n = m.a[1]", true},
    {"meta struct { int a[70]; int b[70]; } m; int k;", "n = 1", false},
    // Hooks.
    {"meta int m; before_update { m = 1 }", "n = m", false},
    {"meta int m; after_update { n = m }", "n = 0", true},
    {"meta int m; after_update { n = m }", "m = 0", false},
};

static void test_updates(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "int n; %s process P() { state A; init A; trans A -> A { assign %s; }; } system P;",
             cases[i].decls, cases[i].update);
    if (is_kept(text) != cases[i].is_kept)
      fail_msg("%s; %s: kept %d", cases[i].decls, cases[i].update, !cases[i].is_kept);
  }
}

#define CHANNEL(kind, sends, receives)                                                           \
  "meta int m; int n; " kind " chan c; process P() { state A; init A; trans A -> A { sync c!; "  \
  "assign " sends "; }, A -> A { sync c!; assign m = 2; }; }\n"                                  \
  "process Q() { state A; init A; trans A -> A { sync c?; assign " receives "; }; } "            \
  "system P, Q;"

// A sender writes before receivers read.
static void test_channels(void **state) {
  (void)state;
  assert_false(is_kept(CHANNEL("", "m = 1", "n = m")));
  assert_false(is_kept(CHANNEL("broadcast", "m = 1", "n = m")));
  assert_true(is_kept(CHANNEL("", "n = 1", "n = m")));
  assert_true(is_kept(CHANNEL("", "n = m", "m = 1")));
}

static void test_conditions(void **state) {
  (void)state;
  assert_true(is_kept("meta int m; process P() { state A { m < 3 }; init A; trans A -> A { "
                      "assign m = 1; }; } system P;"));
  assert_true(is_kept("meta int m; process P() { state A; init A; trans A -> A { guard m < 3; "
                      "assign m = 1; }; } system P;"));
}

// What a query reads is kept. Transitions leave other variables as they are, or give them back
// their initial values where states are made for searches.
static void test_queries(void **state) {
  (void)state;
  Reading r;
  read(&r, "meta int m = 3; meta int k; process P() { state A; init A; trans A -> A { assign m = "
           "1; }; } system P;");
  int32_t values[3] = {0, 0, 0};
  meta_forget(&r.net, values);
  assert_int_equal(values[0], 3);
  assert_true(meta_is_same(&r.net, values, (int32_t[]){7, 8, 0}));
  assert_false(meta_is_same(&r.net, values, (int32_t[]){3, 0, 1}));
  const Expr *m = expr_storage(&r.arena, (Place){0}, EXPR_VAR, "m", r.net.variables.items[0].type,
                               r.net.variables.items[0].base);
  assert_ptr_equal(meta_keep(&r.net, &r.arena, NULL), &r.net);
  const Net *view = meta_keep(&r.net, &r.arena, m);
  assert_ptr_not_equal(view, &r.net);
  assert_ptr_equal(meta_keep(view, &r.arena, m), view);
  assert_true(view->slots.is_kept[0] && !view->slots.is_meta[0]);
  assert_true(!view->slots.is_kept[1] && view->slots.is_meta[1]);
  assert_true(r.net.slots.is_meta[0] && r.net.slots.is_meta[1] && !r.net.slots.is_kept);
  values[0] = 5;
  meta_forget(view, values);
  assert_int_equal(values[0], 5);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_updates),
      cmocka_unit_test(test_channels),
      cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_queries),
  };
  return cmocka_run_group_tests_name("meta", tests, NULL, NULL);
}
