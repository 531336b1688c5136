// The groups that are found in models, and that they are symmetries.
#include "symmetry/symmetry.h"

#include "automorphism.h"
#include "io/gen.h"
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

// A part that is never reached is not worth a symmetry: T gives the token to P again and again.
static void test_parts(void **state) {
  (void)state;
#define TAKERS                                                                                   \
  HEAD "int:1:0:2:0:i\n" PROCESS("P", "p") PROCESS(                                              \
      "Q",                                                                                       \
      "q") "edge:P:A:B:tau{do:i=1}\nedge:Q:A:B:tau{do:i=2}\nprocess:T\nlocation:T:A{initial:}\n" \
           "location:T:B{}\nlocation:T:Z{}\nedge:T:A:B:tau{do:i=1}\n"
  expect(TAKERS "edge:T:B:A:tau\n", "none\n");
  expect(TAKERS, "S_2 of P, Q after T.A\n");
  expect(TAKERS "edge:T:B:A:tau\nedge:T:B:Z:tau\n", "S_2 of P, Q after T.A, T.B\n");
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups),
                                     cmocka_unit_test(test_products),
                                     cmocka_unit_test(test_parts), cmocka_unit_test(test_rings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
