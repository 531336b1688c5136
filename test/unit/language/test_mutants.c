// Mutants: where the scanners of the three formats find something to change, and what they write.
#include "language/mutants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// All mutants of these operators, as `operator line:column from -> to` on a line each.
static void expect(const char *text, bool is_uppaal, const char *operators,
                   const char *expected) {
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  Mutants m = {.mem = &mem, .text = text, .size = strlen(text)};
  Text found = {.mem = &mem};
  assert_true(mutants_choose(&m.kinds, operators, &report));
  mutants_find(&m, is_uppaal);
  for (uint32_t i = 0; i < m.list.size; i++) {
    const Mutant *mutant = &m.list.items[i];
    uint32_t line, column;
    mutants_place(&m, mutant, &line, &column);
    text_addf(&found, "%s %u:%u %.*s -> %s\n", mutants_kind(mutant->kind), line, column,
              (int)(mutant->end - mutant->begin), text + mutant->begin, mutant->by);
    Text whole = {.mem = &mem};
    mutants_write(&m, mutant, &whole);
    assert_int_equal(whole.size, m.size - (mutant->end - mutant->begin) + strlen(mutant->by));
    text_release(&whole);
  }
  assert_string_equal(text_chars(&found), expected);
  text_release(&found);
  mutants_release(&m);
  report_release(&report);
  assert_int_equal(mem.bytes, 0);
}

static const char xta[] =
    "clock x; const int T = 3;\n"
    "process P() {\n"
    "clock y;\n"
    "state a { x <= T && y < 7 }, b, c; // state d;\n"
    "commit b; urgent a, c; init a;\n"
    "trans a -> b { guard x > v[1] + 2; sync e!; assign x = 0, n := f(1, 2); },\n"
    "-> c { };\n"
    "}\n"
    "system P;\n";

static void test_xta(void **unused) {
  (void)unused;
  expect(xta, true, "constant",
         "constant 4:16 T -> T + 1\nconstant 4:16 T -> T - 1\nconstant 4:25 7 -> 6\n"
         "constant 4:25 7 -> 8\nconstant 6:33 2 -> 1\nconstant 6:33 2 -> 3\n");
  expect(xta, true, "strict", "strict 4:13 <= -> <\nstrict 4:23 < -> <=\nstrict 6:24 > -> >=\n");
  expect(xta, true, "turn", "turn 4:13 <= -> >=\nturn 4:23 < -> >\nturn 6:24 > -> <\n");
  expect(xta, true, "drop-reset",
         "drop-reset 6:52 x = 0, -> \ndrop-reset 6:57 , n := f(1, 2) -> \n");
  expect(xta, true, "add-reset",
         "add-reset 6:51  ->  y = 0,\nadd-reset 7:8  ->  assign x = 0; \n"
         "add-reset 7:8  ->  assign y = 0; \n");
  expect(xta, true, "target,sync",
         "target 6:12 b -> c\nsync 6:36 sync e!; -> \ntarget 7:4 c -> a\n");
  expect(xta, true, "committed,urgent",
         "committed 5:1 commit b; -> \nurgent 5:18 a,  -> \nurgent 5:19 , c -> \n");
}

// Of channels: global ones, those of a process, and those of the last part.
static void test_channels(void **unused) {
  (void)unused;
  expect("chan a; urgent chan b; urgent broadcast chan c;\n"
         "process P() { urgent chan d; state l; urgent l; init l; }\n"
         "urgent chan e; // urgent chan f;\nsystem P;\n",
         true, "urgent",
         "urgent 1:9 urgent  -> \nurgent 1:24 urgent  -> \nurgent 2:15 urgent  -> \n"
         "urgent 2:39 urgent l; -> \nurgent 3:1 urgent  -> \n");
  expect(
      "<nta><declaration>urgent chan a;</declaration><template>\n"
      "<declaration>urgent broadcast chan b;</declaration></template>\n"
      "<!-- <declaration>urgent chan c;</declaration> --><system>urgent chan d;</system></nta>\n",
      true, "urgent",
      "urgent 1:19 urgent  -> \nurgent 2:14 urgent  -> \nurgent 3:59 urgent  -> \n");
}

static const char xml[] =
    "<nta><declaration>clock x;</declaration><template><name>P</name>\n"
    "<location id=\"a\"><label kind=\"invariant\">x &lt;= 3</label><urgent/></location>\n"
    "<!-- <location id=\"z\"/> --><location id=\"b\"><committed/></location>\n"
    "<transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"guard\">x == 1</label>\n"
    "<label kind=\"synchronisation\">e!</label></transition>\n"
    "</template><queries><query><formula>E&lt;&gt; P.b</formula></query></queries></nta>\n";

static void test_xml(void **unused) {
  (void)unused;
  expect(xml, true, "strict,turn",
         "strict 2:44 &lt;= -> &lt;\nturn 2:44 &lt;= -> &gt;=\nturn 4:69 == -> !=\n");
  expect(xml, true, "target,urgent,committed",
         "urgent 2:59 <urgent/> -> \ncommitted 3:45 <committed/> -> \ntarget 4:43 b -> a\n");
  expect(xml, true, "add-reset,sync",
         "add-reset 4:47  -> <label kind=\"assignment\">x = 0</label>\n"
         "sync 5:1 <label kind=\"synchronisation\">e!</label> -> \n");
}

static const char tck[] = "system:s\nevent:a\nclock:1:x # of P\nclock:2:y\nprocess:P\n"
                          "location:P:l{initial: : invariant: x<=3 : urgent:}\n"
                          "location:P:m{committed:}\n"
                          "edge:P:l:m:a{provided: x>=2 : do: x=0;y[0]=0}\n"
                          "edge:P:m:l:a\nsync:P@a:Q@a\n";

static void test_tck(void **unused) {
  (void)unused;
  expect(tck, false, "strict,turn",
         "strict 6:37 <= -> <\nturn 6:37 <= -> >=\nstrict 8:25 >= -> >\nturn 8:25 >= -> <=\n");
  expect(
      tck, false, "drop-reset,add-reset",
      "drop-reset 8:35 x=0; -> \ndrop-reset 8:38 ;y[0]=0 -> \nadd-reset 9:13  -> {do: x = 0}\n");
  expect(tck, false, "urgent,committed,sync,target",
         "urgent 6:41 : urgent: -> \ncommitted 7:14 committed: -> \ntarget 8:10 m -> l\n"
         "target 9:10 l -> m\nsync 10:1 sync:P@a:Q@a -> \n");
}

// Whatever the text is, the scanners stay within it.
static void test_cut(void **unused) {
  (void)unused;
  const char *const texts[] = {xta, xml, tck};
  Mem mem = {0};
  for (int kind = 0; kind < 3; kind++)
    for (size_t size = 0; size <= strlen(texts[kind]); size++) {
      char *copy = mem_alloc_raw(&mem, size + 1);
      memcpy(copy, texts[kind], size);
      copy[size] = 0;
      Mutants m = {.mem = &mem, .text = copy, .size = size, .kinds = (1u << MUTANT_KINDS) - 1};
      mutants_find(&m, kind < 2);
      for (uint32_t i = 0; i < m.list.size; i++)
        assert_true(m.list.items[i].begin <= m.list.items[i].end && m.list.items[i].end <= size);
      mutants_release(&m);
      mem_free(&mem, copy);
    }
}

static void test_unknown(void **unused) {
  (void)unused;
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  uint32_t kinds;
  assert_false(mutants_choose(&kinds, "edge,edges", &report));
  assert_true(report_failed(&report));
  assert_true(mutants_choose(&kinds, NULL, &report));
  assert_int_equal(kinds, (1u << MUTANT_KINDS) - 1);
  report_release(&report);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_xta), cmocka_unit_test(test_channels),
                                     cmocka_unit_test(test_xml), cmocka_unit_test(test_tck),
                                     cmocka_unit_test(test_cut), cmocka_unit_test(test_unknown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
