// Laws of delays and choices as text, and what may surprise.
#include "output/lawtext.h"

#include "asking.h"

static void expect(const char *model, const char *const *parts) {
  Asking asking;
  asking_begin(&asking, model, "Pr[<=1](<> false)");
  Text text = {.mem = &asking.tarn->mem};
  lawtext_write(&text, &asking.laws);
  for (; *parts; parts++)
    if (!strstr(text_chars(&text), *parts))
      fail_msg("\"%s\" is not in:\n%s", *parts, text_chars(&text));
  text_release(&text);
  asking_release(&asking);
}

static void test_laws(void **state) {
  (void)state;
  expect(ASKING_MODEL,
         (const char *[]){"P.s: uniform, from the first edge that opens to the end of x <= 4",
                          "clock w moves at the rate 2", "s with go! (0.75) or t with go! (0.25)",
                          "P.t: no delay, and before all others (committed)",
                          "Q.s: exponential with the rate 2, from the first edge", NULL});
  expect("int k = 1; clock v = 1.0; urgent broadcast chan u;\n"
         "process P(const int[0,1] i) { state s { v' == -v; k + 2 }, t, z; urgent t; init s;\n"
         " branchpoint b; trans s -> b { }, b -> t { probability k; }, b -> z { }, t -> z { sync "
         "u!; },\n"
         " s -> z { select j : int[0,1]; }; }\nsystem P;\n",
         (const char *[]){"the rate -v (a differential equation)", "the rate k + 2",
                          "(weight k) or z (weight 1)", "of 3 edges", "[j=1]",
                          "P(0).t: no delay (urgent)", "P(0).z: waits for others",
                          "3 locations of other processes are like these", NULL});
}

static void warn(const char *model, const char *expected) {
  Asking asking;
  asking_begin(&asking, model, "Pr[<=1](<> false)");
  lawtext_warn(&asking.laws, &asking.tarn->report);
  const char *said = tarn_warnings(asking.tarn);
  if (*expected ? !strstr(said, expected) : *said)
    fail_msg("\"%s\" is not in:\n%s", expected, said);
  asking_release(&asking);
}

static void test_warnings(void **state) {
  (void)state;
  warn("clock x; process P() { state s { x <= 5; 2 }; init s; trans s -> s { assign x = 0; }; }\n"
       "system P;",
       "the rate is ignored");
  warn("process P() { state s { ; 2 }, t; urgent s; init s; trans s -> t { }; } system P;",
       "the rate has no meaning");
  warn("process P() { state s, t; init s; trans s -> t { }; } system P;", "the delay has no law");
  warn("clock x; process P() { state s { x <= 9 }, t; init s; trans s -> t { guard x <= 2; },\n"
       " s -> t { guard x >= 4; }; } system P;",
       "the guards leave a gap");
  warn("broadcast chan c; process P() { state s, t; init s; trans s -> t { sync c?; },\n"
       " s -> s { sync c?; }; } system P;",
       "several edges may receive");
  warn("broadcast chan c; int n = 0; process P() { state s, t; init s;\n"
       " trans s -> t { guard n == 1; sync c?; }, s -> s { guard n == 2; sync c?; }; } system P;",
       "");
  warn("clock x; process P() { state s { x <= 9 }, t; init s; trans s -> t { guard x <= 4; },\n"
       " s -> t { guard x >= 4; }; } system P;",
       "");
}

SESSIONS_MAIN("lawtext", cmocka_unit_test(test_laws), cmocka_unit_test(test_warnings))
