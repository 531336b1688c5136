#include "reading.h"

static void test_dot(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, "system:s\nevent:e\nclock:1:x\nprocess:P\n"
                     "location:P:A{initial: : labels: a\"b : invariant: x<3}\n"
                     "location:P:B{urgent:}\nedge:P:A:B:e{provided: x>1 : do: x=0}\n");
  processgraph_all(&r.text, &r.net);
  const char *nodes = strstr(text_chars(&r.text), "  subgraph");
  assert_non_null(nodes);
  assert_string_equal(nodes,
                      "  subgraph cluster_0 {\n    label=\"P\";\n"
                      "    l0 [id=\"tarn-location0\", label=<<font color=\"#8b1a1a\">A</font>"
                      "<br/><font color=\"#8b1a8b\">x &lt; 3</font>"
                      "<br/><font color=\"#5c6b7a\">labels: a&quot;b</font>>];\n"
                      "    i0 [shape=point, label=\"\"];\n    i0 -> l0;\n"
                      "    l0 -> l1 [id=\"tarn-edge0\", label=<<font color=\"#5c6b7a\">e</font>"
                      "<br/><font color=\"#0b6e1d\">x &gt; 1</font>"
                      "<br/><font color=\"#1c2fb0\">x = 0</font>>];\n"
                      "    l1 [id=\"tarn-location1\", label=<<font color=\"#8b1a1a\">B</font>>, "
                      "style=\"rounded,dashed\"];\n  }\n}\n");
  reading_release(&r);
}

// Long guards and statements become lines of at most 36 characters where they can be broken;
// nothing is lost.
static void test_long_lines(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, "system:s\nevent:e\nint:1:0:9:0:counter\nint:1:0:9:0:other\nprocess:P\n"
                     "location:P:A{initial:}\n"
                     "edge:P:A:A:e{provided: counter<9 && other<9 && counter+other<12 && "
                     "counter-other>-5 : do: counter=counter+1; other=other+1; "
                     "counter=counter-other+other; other=0}\n");
  processgraph_write(&r.text, &r.net, 0);
  const char *chars = text_chars(&r.text);
  assert_non_null(strstr(chars, "counter &lt; 9 &amp;&amp; other &lt; 9</font><br/>"));
  assert_non_null(strstr(chars, "counter = counter + 1;</font><br/>"));
  assert_non_null(strstr(chars, "other = 0</font>"));
  assert_null(strstr(chars, "..."));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_dot),
                                     cmocka_unit_test(test_long_lines)};
  return cmocka_run_group_tests_name("processgraph", tests, NULL, NULL);
}
