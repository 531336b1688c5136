// The groups that are found in models, and that they are symmetries.
#include "analysis/symmetry/symmetry.h"

#include "analysis/symmetry/match.h"
#include "automorphism.h"
#include "language/gen/gen.h"
#include "language/uppaal/uppaal.h"
#include "reading.h"

static char model_text[1 << 16];

static void accept_family(Reading *r, const char *family, const char *const *arguments,
                          int count) {
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  Text text = {.mem = &mem};
  assert_true(gen_write(&text, &report, family, count, arguments));
  snprintf(model_text, sizeof model_text, "%s", text_chars(&text));
  text_release(&text);
  report_release(&report);
  reading_accept(r, model_text);
}

static const struct {
  const char *family, *size, *option, *group;
} models[] = {
    {"fischer", "4", NULL, "S_4"},
    {"lynch", "3", NULL, "S_3"},
    {"csma", "4", NULL, "S_4"},
    {"csma", "3", "variant=nonconvex", "S_3"},
    {"train-gate", "3", NULL, "S_3"},
    {"parallel", "3", NULL, "S_3"},
    {"poll", "3", NULL, "S_3"},
    {"corsso", "3", NULL, "S_3"},
    {"train-crossing", "3", NULL, "S_3"},
    {"philosophers", "4", NULL, "C_4"},
    {"critical-region", "4", NULL, "C_4"},
    {"vikings", "3", NULL, ""},
    {"csma", "4", "variant=relay", ""},
    {"fddi", "3", NULL, ""},
    {"darts-fischer", "3", NULL, "S_3"},
};

static void test_groups(void **state) {
  (void)state;
  for (uint32_t i = 0; i < sizeof models / sizeof *models; i++) {
    Reading r;
    const char *const arguments[] = {models[i].size, models[i].option};
    accept_family(&r, models[i].family, arguments, models[i].option ? 2 : 1);
    Symmetry symmetry;
    symmetry_find(&symmetry, &r.arena, &r.net);
    symmetry_name(&r.text, &symmetry);
    assert_string_equal(text_chars(&r.text), models[i].group);
    for (uint32_t f = 0; f < symmetry.count; f++)
      assert_true(is_automorphism(&r.net, &r.mem, &symmetry.families[f], 150));
    reading_release(&r);
  }
}

static void expect(const char *model, const char *groups) {
  Reading r;
  reading_accept(&r, model);
  Symmetry symmetry;
  symmetry_find(&symmetry, &r.arena, &r.net);
  symmetry_print(&r.text, &symmetry, &r.net);
  assert_string_equal(text_chars(&r.text), groups);
  for (uint32_t f = 0; f < symmetry.count; f++)
    assert_true(is_automorphism(&r.net, &r.mem, &symmetry.families[f], 300));
  reading_release(&r);
}

#define HEAD "system:s\nevent:tau\nevent:a\n"
#define PROCESS(p, x)                                                                            \
  "process:" p "\nclock:1:" x "\nlocation:" p ":A{initial:}\nlocation:" p ":B{invariant:" x      \
  "<=3}\n"

static void test_products(void **state) {
  (void)state;
  // Two kinds of processes, each with ids of its own.
  expect(HEAD "int:1:0:2:0:i\nint:1:0:2:0:j\n" PROCESS("P", "p") PROCESS("Q", "q")
             PROCESS("R", "r") PROCESS("S", "s") //
         "edge:P:A:B:tau{provided:i==0 : do:i=1}\nedge:Q:A:B:tau{provided:i==0 : do:i=2}\n"
         "edge:R:A:B:tau{do:j=1}\nedge:R:B:A:tau{do:j=0}\nedge:S:A:B:tau{do:j=2}\n"
         "edge:S:B:A:tau{do:j=0}\n",
         "S_2 of P, Q\nS_2 of R, S\n");
  // 0 is a process and also nobody: the others can be exchanged.
  expect(HEAD "int:1:0:2:0:i\n" PROCESS("P", "p") PROCESS("Q", "q") PROCESS("R", "r") //
         "edge:P:A:B:tau{do:i=0}\nedge:Q:A:B:tau{do:i=1}\nedge:R:A:B:tau{do:i=2}\n"
         "process:T\nlocation:T:A{initial:}\nedge:T:A:A:tau{do:i=0}\n",
         "S_2 of Q, R\n");
  // One of them waits longer.
  expect(HEAD PROCESS("P", "p") PROCESS("Q", "q") PROCESS("R", "r") //
         "edge:P:A:B:tau{provided:p<2}\nedge:Q:A:B:tau{provided:q<1}\n"
         "edge:R:A:B:tau{provided:r<2}\n",
         "S_2 of P, R\n");
  expect(HEAD PROCESS("P", "p") PROCESS("Q", "q") "edge:P:A:B:tau\nedge:Q:B:A:tau\n", "none\n");
}

// A part that is never reached, or small, is not worth a symmetry: T gives the token to P again
// and again.
static void test_parts(void **state) {
  (void)state;
#define TAKERS                                                                                   \
  HEAD "int:1:0:2:0:i\n" PROCESS("P", "p") PROCESS(                                              \
      "Q",                                                                                       \
      "q") "edge:P:A:B:tau{do:i=1}\nedge:Q:A:B:tau{do:i=2}\nprocess:T\nlocation:T:A{initial:}\n" \
           "location:T:B{}\nlocation:T:Z{}\nedge:T:A:B:tau{do:i=1}\n"
  expect(TAKERS "edge:T:B:A:tau\n", "none\n");
  expect(TAKERS, "S_2 of P, Q after T.A\n");
  expect(TAKERS "edge:T:B:A:tau\nedge:T:B:Z:tau\n", "none\n"); // most of T
  expect(TAKERS "location:T:Y{}\nedge:T:B:A:tau\nedge:T:B:Z:tau\nedge:T:Z:Y:tau\n",
         "S_2 of P, Q after T.A, T.B\n");
}

// A ring in which each process passes a token to the next.
static void test_rings(void **state) {
  (void)state;
  expect(HEAD "int:3:0:1:0:t\n" PROCESS("P", "p") PROCESS("Q", "q") PROCESS("R", "r") //
         "edge:P:A:B:tau{provided:t[0]==1 : do:t[0]=0;t[1]=1}\n"
         "edge:Q:A:B:tau{provided:t[1]==1 : do:t[1]=0;t[2]=1}\n"
         "edge:R:A:B:tau{provided:t[2]==1 : do:t[2]=0;t[0]=1}\n",
         "C_3 of P, Q, R\n");
}

static void accept_uppaal(Reading *r, const char *text) {
  memset(r, 0, sizeof *r);
  r->arena.mem = r->text.mem = &r->mem;
  r->source = (Source){.name = "model.xta", .text = text, .size = strlen(text)};
  report_init(&r->report, &r->mem);
  net_init(&r->net, &r->mem);
  if (!uppaal_read(&r->net, &r->source, &r->report))
    fail_msg("refused: %s\n%s", text_chars(&r->report.error), text);
}

// Whether the first family that is found without some rules is a symmetry, found out by force.
static uint32_t count_found(const char *model, unsigned skip, bool *is_symmetry) {
  Reading r;
  Symmetry symmetry;
  accept_uppaal(&r, model);
  symmetry_find_with(&symmetry, &r.arena, &r.net, skip);
  *is_symmetry = symmetry.count && is_automorphism(&r.net, &r.mem, &symmetry.families[0], 400);
  const uint32_t count = symmetry.count;
  reading_release(&r);
  return count;
}

// Rules that only networks of UPPAAL's can break: what is none is found without the rule alone.
#define PAIR                                                                                     \
  "process P() { state A, B; init A; trans A -> B { sync a!; }, B -> A { }; }\n"                 \
  "process Q() { state A, B; init A; trans A -> B { sync b!; }, B -> A { }; }\n"                 \
  "process R() { state C; init C; trans C -> C { sync a?; }, C -> C { sync b?; }; }\n"
// An id is stored where only one of the two fits: that fails for the other.
#define NARROW(function, call)                                                                   \
  "typedef int[1,2] id_t;\nid_t h, k; int[0,2] u;\n" function                                    \
  "\nprocess P(const id_t id) { state A, B; init A;\n"                                           \
  "trans A -> B { assign h = id; }, B -> A { guard h == id; assign " call "; }; }\nsystem P;"
// The first element that decides comes before one that fails, or behind it.
#define IN_ORDER(condition)                                                                      \
  "typedef int[1,2] id_t;\nint[0,2] v[id_t];\nprocess P(const id_t id) { state A, B; init A;\n"  \
  "trans A -> A { assign v[id] = (v[id] + 1) % 3; }, A -> B { guard " condition                  \
  "; }; }\nsystem P;"
static const struct {
  unsigned rule;
  const char *model;
} planted[] = {
    {RULE_RANGES, NARROW("void f() { int[2,2] t = h; u = 1; }", "f()")},
    {RULE_RANGES, NARROW("void f() { int[0,1] t; t = h; u = 1; }", "f()")},
    {RULE_RANGES, NARROW("void f(int[2,2] t) { u = 1; }", "f(h)")},
    {RULE_RANGES, NARROW("void f(int[2,2] t) { u = 1; }", "f(id)")},
    {RULE_RANGES, NARROW("int[2,2] f() { return h; }", "k = f()")},
    {RULE_FAILING,
     "typedef int[1,2] id_t;\nint[0,3] v[id_t];\nprocess P(const id_t id) { state A; init A;\n"
     "trans A -> A { assign v[id] = (v[id] + 1) % 4; }; }\nprocess O() { state A, B; init A;\n"
     "trans A -> B { guard 6 / (v[1] - 1) > 3 && 6 / (v[2] - 1) > 3; }, B -> A { }; }\nsystem P, "
     "O;"},
    {RULE_FAILING, IN_ORDER("forall (i : id_t) v[i] != 0 && 6 / (v[i] - 1) > 3")},
    {RULE_FAILING, IN_ORDER("exists (i : id_t) v[i] == 0 || 6 / (v[i] - 1) > 3")},
    {RULE_CHANNELS, "urgent chan a; chan b;\n" PAIR "system P, Q, R;"},
    {RULE_CHANNELS, "chan a, b; chan priority a < b;\n" PAIR "system P, Q, R;"},
    {RULE_CHANNELS,
     "process P() { state A, B; init A; trans A -> B { }, B -> A { }; }\n"
     "process Q() { state A, B; init A; trans A -> B { }, B -> A { }; }\nsystem P < Q;"},
    {RULE_QUANTIFIERS,
     "typedef int[1,2] id_t;\nint[0,1] flag[id_t];\nprocess P(const id_t id) { state A, B; init "
     "A;\n"
     "trans A -> B { guard forall (i : int[1,1]) flag[i] == 0; assign flag[id] = 1; }; }\n"
     "system P;"},
};

static void test_planted(void **state) {
  (void)state;
  for (uint32_t i = 0; i < sizeof planted / sizeof *planted; i++) {
    bool is_symmetry;
    if (count_found(planted[i].model, 0, &is_symmetry))
      fail_msg("planted %u: accepted", i);
    if (!count_found(planted[i].model, planted[i].rule, &is_symmetry))
      fail_msg("planted %u: refused without the rule, too", i);
    if (is_symmetry)
      fail_msg("planted %u: it is one", i);
  }
}

// The order of operands that cannot fail, and that of alike edges, do not matter. Forks are taken
// by a philosopher on each side: by P3 with its second channel, and F3 is told of P1 first.
#define COUNTED                                                                                  \
  "typedef int[1,2] id_t;\nint[0,3] v[id_t];\nprocess P(const id_t id) { state A; init A;\n"     \
  "trans A -> A { assign v[id] = (v[id] + 1) % 4; }; }\nprocess O() { state A, B; init A;\n"     \
  "trans A -> B { guard v[1] > 2 && v[2] > 2; }; }\nsystem P, O;"
#define PHILOSOPHER(name, left, right)                                                           \
  "process " name "() { state A, B, C; init A;\ntrans A -> B { sync " left                       \
  "!; }, B -> C { sync " right "!; }, C -> A { }; }\n"
#define FORK(name, one, two)                                                                     \
  "process " name "() { state A; init A;\ntrans A -> A { sync " one "?; }, A -> A { sync " two   \
  "?; }; }\n"

static void test_orders(void **state) {
  (void)state;
  bool is_symmetry;
  assert_int_equal(count_found(COUNTED, 0, &is_symmetry), 1);
  assert_true(is_symmetry);
  assert_int_equal(count_found("chan a1, b1, a2, b2, a3, b3;\n" PHILOSOPHER("P1", "a1", "b1")
                                   PHILOSOPHER("P2", "a2", "b2") PHILOSOPHER("P3", "a3", "b3")
                                       FORK("F1", "b1", "a2") FORK("F2", "b2", "a3") FORK(
                                           "F3", "a1", "b3") "system P1, P2, P3, F1, F2, F3;",
                               0, &is_symmetry),
                   1);
  assert_true(is_symmetry);
}

// Functions, tables, references, assignments as values, negative indices.
#define SHARED(table)                                                                            \
  "typedef int[-1,1] id_t;\nid_t list[4]; int[0,3] len; int[0,1] flag[id_t];\n"                  \
  "const int T[id_t] = " table ";\nconst id_t U[id_t] = {-1, 0, 1};\n"                           \
  "void put(id_t &x, id_t v) { x = v; }\n"                                                       \
  "void add(id_t v) { list[len++] = v; }\n"                                                      \
  "process P(const id_t id) { state A, B; init A;\n"                                             \
  "trans A -> B { guard len < 3 && flag[U[id]] == 0 && T[id] == 1; assign add(U[id]); },\n"      \
  "B -> A { guard len > 0 && list[0] == id; assign put(list[1], id), flag[id] = 1, len = 0; }; " \
  "}\nsystem P;"

// A meta variable that nothing reads has its initial value in every state, which is that of the
// first one.
#define META(kind, guard)                                                                        \
  "typedef int[1,2] id_t;\n" kind                                                                \
  " id_t m = 1;\nprocess P(const id_t id) { state A, B; init A;\n"                               \
  "trans A -> B { " guard " }, A -> A { assign m = id; }; }\nsystem P;"

static void test_uppaal(void **state) {
  (void)state;
  bool is_symmetry;
  assert_int_equal(count_found(META("meta", ""), 0, &is_symmetry), 0);
  assert_int_equal(count_found(META("meta", "guard m == id;"), 0, &is_symmetry), 1);
  assert_int_equal(count_found(META("", "guard m == id;"), 0, &is_symmetry), 1);
  assert_int_equal(count_found(SHARED("{1, 1, 1}"), 0, &is_symmetry), 1);
  assert_true(is_symmetry);
  Reading r;
  Symmetry symmetry;
  accept_uppaal(&r, SHARED("{1, 1, 0}")); // the third one is another
  symmetry_find(&symmetry, &r.arena, &r.net);
  assert_int_equal(symmetry.count, 1);
  assert_int_equal(symmetry.families[0].size, 2);
  reading_release(&r);
}

// Workers and servers that share ids and never synchronise. `guard` and `act` are what they
// share.
#define PARTNERS(type, guard, act)                                                               \
  "typedef " type " Id;\nId turn;\nint[0,1] done[Id];\n"                                         \
  "process W(const Id id) { clock x; state A, B; init A;\n"                                      \
  "trans A -> B { guard x >= 1; assign " act ", x = 0; }, B -> A { guard x >= 2; }; }\n"         \
  "process S(const Id id) { clock y; state A, B { y <= 3 }; init A;\n"                           \
  "trans A -> B { guard " guard "; assign y = 0; }, B -> A { guard y >= 2; }; }\nsystem W, S;"

// Each row: the families that are found and the columns of processes of the first.
static void test_partners(void **state) {
  (void)state;
  static const struct {
    const char *model;
    uint32_t families, columns;
  } rows[] = {
      {PARTNERS("scalar[3]", "turn == id", "turn = id"), 1, 2},       // a constant links them
      {PARTNERS("int[0,2]", "turn == id", "turn = id"), 1, 2},        // declared or not
      {PARTNERS("scalar[3]", "done[id] == 1", "done[id] = 1"), 1, 2}, // a variable does
      {PARTNERS("scalar[3]", "done[id] == 1", "turn = turn"), 2, 1},  // nothing does
      {PARTNERS("int[0,2]", "turn >= id", "turn = id"), 0, 0},        // ids are ordered
  };
  for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Reading r;
    Symmetry symmetry;
    accept_uppaal(&r, rows[i].model);
    symmetry_find(&symmetry, &r.arena, &r.net);
    assert_int_equal(symmetry.count, rows[i].families);
    for (uint32_t f = 0; f < symmetry.count; f++) {
      assert_int_equal(symmetry.families[f].size, 3);
      assert_int_equal(symmetry.families[f].process_columns, rows[i].columns);
      assert_true(is_automorphism(&r.net, &r.mem, &symmetry.families[f], 150));
    }
    reading_release(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_groups),  cmocka_unit_test(test_products),
      cmocka_unit_test(test_parts),   cmocka_unit_test(test_rings),
      cmocka_unit_test(test_planted), cmocka_unit_test(test_orders),
      cmocka_unit_test(test_uppaal),  cmocka_unit_test(test_partners)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
