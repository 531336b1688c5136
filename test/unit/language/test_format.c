// Whole files: which language it is, line ends, and what stays in XML.
#include "language/format.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void check(const char *name, const char *text, const char *wanted) {
  Mem mem = {0};
  Text out = {.mem = &mem};
  Report report;
  report_init(&report, &mem);
  const Source source = {.name = name, .text = text, .size = strlen(text)};
  assert_true(format_text(&out, &source, &report));
  assert_string_equal(text_chars(&out), wanted);
  mem_release(&mem);
}

static void test_files(void **state) {
  (void)state;
  check("a.xta", "int  a;\r\nint  b;", "int a;\r\nint b;\r\n");
  check("a.tck", "system : a", "system:a\n");
  check("a.q", "// EXPECT:T  \nA[]a==1  \n\n# x\nE<>b",
        "// EXPECT:T\nA[] a == 1\n\n# x\nE<> b\n");
  check("a.xta", "\xEF\xBB\xBFint  a;", "\xEF\xBB\xBFint a;\n");
  check("a.xta", " \n", "");
}

static void test_xml(void **state) {
  (void)state;
  check("a.xml",
        "<nta><declaration> \n  int  a&lt;1;\n\t</declaration  ><template  ><name>T  x</name>"
        "<label kind='guard'>a>1&amp;&amp;b &gt;&#61;2</label><label kind='comments'>a  b</label>"
        "</template><system>system  P ;</system><formula>E&lt;&gt;a</formula></nta>",
        "<nta><declaration> \nint a &lt; 1;\n\t</declaration  ><template  ><name>T  x</name>"
        "<label kind='guard'>a > 1 &amp;&amp; b &gt;&#61; 2</label>"
        "<label kind='comments'>a  b</label>"
        "</template><system>system P;</system><formula>E&lt;&gt; a</formula></nta>");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_files), cmocka_unit_test(test_xml)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
