// What expressions and functions compute, by the guide: as initial values, which the second
// evaluator finds, too, and compares.
#include "check/trees/twin.h"

#include "reading.h"

static const struct {
  const char *expression;
  int32_t value;
} values[] = {
    {"2147483647 + 1", INT32_MIN},
    {"-2147483648 - 1", INT32_MAX},
    {"65536 * 65536 + 5", 5},
    {"-7 / 2", -3},
    {"-7 % 2", -1},
    {"INT32_MIN / -1", INT32_MIN},
    {"INT32_MIN % -1", 0},
    {"-1 >> 31", -1},
    {"-5 >> 1", -3},
    {"1 << 31", INT32_MIN},
    {"3 << 31", INT32_MIN},
    {"5 <? 3", 3},
    {"5 >? 3", 5},
    {"6 & 3", 2},
    {"6 ^ 3", 5},
    {"6 | 3", 7},
    {"2 ** 10", 1024},
    {"(-3) ** 3", -27},
    {"abs(-4)", 4},
    {"!3", 0},
    {"3 && 4", 1},
    {"0 || 7", 1},
    {"1 xor 2", 0},
    {"0 xor 2", 1},
    {"0 imply 0", 1},
    {"3 > 2 ? 8 : 9", 8},
    {"sum (i : int[1,4]) i * i", 30},
    {"forall (i : int[0,3]) t[i] < 9", 1},
    {"exists (i : int[0,3]) t[i] == 9", 0},
    {"t[2] + r.f[1]", 8},
    {"early(3)", 13},
    {"early(9)", 20},
    {"loops(5)", 20},
    {"swap()", 21},
    {"shadow(2)", 5},
    {"counts(3)", 4123},
    {"whole().f[1] + pick(t, 1)", 7},
    {"nested(2)", 12},
    {"b2i(5)", 1},
    {"2.5 * 4", 10},
};

static const char declarations[] =
    "typedef struct { int f[2]; bool g; } rec; const int t[4] = {1, 2, 3, 4};\n"
    "const rec r = {{4, 5}, true};\n"
    "int early(int n) { for (i : int[0,5]) { if (i == n) return 10 + i; } return 20; }\n"
    "int loops(int n) { int s = 0, i; for (i = 0; i < n; i++) s += i; do { s++, i--; } while (i "
    "> "
    "0); while (i, i < n) { i += 2; s = s + 1; } return s + 2; }\n"
    "void exchange(int &a, int &b) { int c = a; a = b; b = c; }\n"
    "int swap() { int x[2] = {1, 2}; exchange(x[0], x[1]); return 10 * x[0] + x[1]; }\n"
    "int shadow(int n) { int m = n; { int n = 3; m += n; } return m; }\n"
    "int counts(int n) { int a = n++, b = ++n, c[2]; c[n - 5]++; return a + 4000 + 100 * c[0] + "
    "10 "
    "* (b - 3) + (n -= 5); }\n"
    "rec whole() { rec q; q.f[1] = 5; q.g = 1; return q; }\n"
    "int pick(const int &v[4], int i) { return v[i]; }\n"
    "int nested(int n) { int k; int[0,99] total; for (i : int[1,3]) { k = 0; while (k < n) { "
    "k++; "
    "total += i; } } return total; }\n"
    "bool b2i(int n) { return n; }\n";

static void test_values(void **unused) {
  (void)unused;
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
    Reading r;
    char text[4000];
    snprintf(text, sizeof text,
             "%s int[-2147483648,2147483647] v = %s; process P() { state A; init A; } system P;",
             declarations, values[k].expression);
    reading_accept_uppaal(&r, text);
    Twin *twin = twin_new(&r.mem, &r.net);
    if (twin_difference(twin))
      fail_msg("%s: %s", values[k].expression, twin_difference(twin));
    if (r.net.slots.initial[0] != values[k].value)
      fail_msg("%s: %d", values[k].expression, r.net.slots.initial[0]);
    twin_free(twin);
    reading_release(&r);
  }
}

// Run-time errors of an update, and updates without one.
static const struct {
  const char *update;
  bool is_good;
} updates[] = {
    {"n = 9", true},
    {"n = 10", false},
    {"n = v[3]", false},
    {"v[n - 1] = 1", false},
    {"n = 1 / n", false},
    {"n = 1 << (n - 1)", false},
    {"m = n && 1 / n", true},
    {"m = 1 / n && n", false},
    {"x = -1 - n", false},
    {"x = n", true},
    {"x = y - 5", true},
    {"check(1)", true},
    {"check(0)", false},
    {"small(3)", true},
    {"small(4)", false},
    {"n = back(4)", false},
    {"n = 2 ** (n - 1)", false},
    {"forever()", false},
    {"n++, n--", true},
    {"n--", false},
    {"m = m + 2", true}, // a truth
    {"v = w", false},
    {"w = v", true},
};

static void test_updates(void **unused) {
  (void)unused;
  for (size_t k = 0; k < sizeof updates / sizeof *updates; k++) {
    Reading r;
    char text[2000];
    snprintf(
        text, sizeof text,
        "int[0,9] n, v[3]; int w[3] = {10, 0, 0}; bool m; clock x, y; void check(int a) { "
        "assert(a); } void small(int[0,3] a) { } int[0,3] back(int a) { return a; } void "
        "forever() { while (true) { int i; i++; i--; } } process P() { state A; init A; trans A "
        "-> A { assign %s; }; } system P;",
        updates[k].update);
    reading_accept_uppaal(&r, text);
    Twin *twin = twin_new(&r.mem, &r.net);
    int32_t state[16];
    memcpy(state, r.net.slots.initial, r.net.slots.count * sizeof *state);
    const Label *label = &twin_edge(twin, 0)->update;
    assert_null(label->unknown);
    if (evaluator_update(&twin->evaluator, label, state) != updates[k].is_good)
      fail_msg("%s: %s", updates[k].update, twin->evaluator.error);
    twin_free(twin);
    reading_release(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),
                                     cmocka_unit_test(test_updates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
