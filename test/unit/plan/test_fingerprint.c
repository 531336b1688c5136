// The hash of a model: layout and the model's name do not matter, all else does.
#include "plan/fingerprint.h"

#include "reading.h"

static void hash_of(unsigned char hash[SHA256_SIZE], const char *text) {
  Reading r;
  if (strncmp(text, "system:", 7) != 0)
    reading_accept_uppaal(&r, text);
  else
    reading_accept(&r, text);
  fingerprint_model(hash, &r.mem, &r.net);
  reading_release(&r);
}

static bool is_same(const char *text, const char *other) {
  unsigned char a[SHA256_SIZE], b[SHA256_SIZE];
  hash_of(a, text);
  hash_of(b, other);
  return !memcmp(a, b, SHA256_SIZE);
}

static void test_fingerprint(void **unused) {
  (void)unused;
  static const char model[] =
      "system:s\nevent:a\nint:1:0:3:1:n\nprocess:P\nlocation:P:A{initial:}\n";
  assert_true(is_same(model, "system:t\nevent:a\n# a comment\nint:1:0:3:1:n\nprocess:P\n"
                             "location:P:A{ initial: }\n"));
  assert_false(
      is_same(model, "system:s\nevent:a\nint:1:0:3:2:n\nprocess:P\nlocation:P:A{initial:}\n"));
}

// The two languages differ in what happens where a range is left.
static void test_languages(void **unused) {
  (void)unused;
  assert_false(is_same("system:model\nevent:tau\nint:1:0:3:0:n\nprocess:P\n"
                       "location:P:A{initial:}\nedge:P:A:A:tau{do: n = n + 1}\n",
                       "int[0,3] n; process P() { state A; init A;"
                       "trans A -> A { assign n = n + 1; }; } system P;"));
}

// Each change of this model is noticed.
static const char text[] =
    "const int N = 3; const int[0,9] c[2] = {4, 5}; const struct { int u, v; } s[2] = {{1, 2}, "
    "{3, 4}};\n"
    "int[0,9] a, b = 1; int[0,3] m[2][2] = {{0, 1}, {2, 3}}; meta int[0,9] t; clock x;\n"
    "bool flag[int[1,2]]; struct { int[0,7] p; int q; } r = {1, 2};\n"
    "chan go; broadcast chan all; chan priority go < default < all;\n"
    "void count(int[0,9] &n) { int[0,5] i = 0; while (i < N) { n = n + 1; i = i + 1; } }\n"
    "int inner(int k) { int z = 7; { int g = k; z = g; } return z + c[k]; }\n"
    "int outer(int k) { if (k > 0) return inner(k); else return inner(0); }\n"
    "void clear() { x = 2; for (w : int[0,1]) m[w][0] = 0; assert(a < 9); do a--; while (a > 4); "
    "}\n"
    "before_update { t = 1 } after_update { t = 2 }\n"
    "process P(const int[0,4] d, int[0,9] &ref) {\n"
    "  int own() { return d + s[ref].u; }\n"
    "  state A { x <= c[a] }, B; init A;\n"
    "  trans A -> B { guard forall (e : int[0,1]) m[e][1] < outer(e); sync go!; assign "
    "count(ref); },\n"
    "    B -> A { assign a = own(), clear(), flag[1] = r.p > 0; }, B -> B { sync all!; };\n"
    "}\n"
    "process R() { state C; init C; trans C -> C { sync go?; }, C -> C { sync all?; }; }\n"
    "P1 = P(1, a); P2 = P(2, b); system P1 < P2, R;\n";

static void test_changes(void **unused) {
  (void)unused;
  static const struct {
    const char *from, *to;
  } changes[] = {
      {"N = 3", "N = 4"},
      {"{4, 5}", "{4, 6}"},
      {"{{1, 2}, {3, 4}}", "{{1, 2}, {5, 4}}"},
      {"{{0, 1}, {2, 3}}", "{{0, 1}, {3, 2}}"},
      {"m[2][2] = {{0, 1}, {2, 3}}", "m[2][2] = {{0, 0}, {0, 0}}"},
      {"r = {1, 2}", "r = {1, 3}"},
      {"int[0,7] p", "int[0,8] p"},
      {"meta int", "int"},
      {"chan go;", "urgent chan go;"},
      {"broadcast chan all", "broadcast chan none, all"},
      {"broadcast chan all", "chan all"},
      {"go < default < all", "go < all < default"},
      {"go < default < all", "go < default, all"},
      {"int[0,5] i = 0", "int[0,6] i = 0"},
      {"int[0,5] i = 0", "int[0,5] i = 1"},
      {"i < N", "i <= N"},
      {"n = n + 1", "n = n + 2"},
      {"int inner(int k)", "int inner(int[0,2] k)"},
      {"int outer(int k)", "int[0,99] outer(int k)"},
      {"{ int g = k; z = g; }", "{ int g = k; g = g; }"},
      {"{ int g = k; z = g; }", "{ int z = k; z = z; }"},
      {"return z + c[k]", "return z - c[k]"},
      {"inner(0)", "inner(1)"},
      {"x = 2", "x = 3"},
      {"w : int[0,1]", "w : int[1,1]"},
      {"assert(a < 9)", "assert(a < 8)"},
      {"do a--; while (a > 4)", "while (a > 4) a--"},
      {"before_update { t = 1 }", ""},
      {"after_update { t = 2 }", "after_update { t = 3 }"},
      {"return d + s[ref].u", "return d + s[ref].v"},
      {"return d + s", "return 2 * d + s"},
      {"P(1, a)", "P(3, a)"},
      {"P(1, a)", "P(1, b)"},
      {"system P1 < P2, R", "system P1, P2 < R"},
  };
  for (uint32_t k = 0; k < sizeof changes / sizeof *changes; k++) {
    char changed[2 * sizeof text];
    const char *at = strstr(text, changes[k].from);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, changes[k].to,
             at + strlen(changes[k].from));
    if (is_same(text, changed))
      fail_msg("%s, %s: the same hash", changes[k].from, changes[k].to);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fingerprint),
      cmocka_unit_test(test_languages),
      cmocka_unit_test(test_changes),
  };
  return cmocka_run_group_tests_name("fingerprint", tests, NULL, NULL);
}
