// An UPPAAL model as .xta and as XML, and the layout block: there and back again.
#include "language/uppaal/xta_text.h"

#include "language/uppaal/uppaal.h"
#include "language/uppaal/xml_writer.h"
#include "reading.h"

static const char model[] =
    "<nta><declaration>chan c; // a channel</declaration><template><name x='1' y='2'>T</name>"
    "<parameter>int n</parameter><declaration>clock x;</declaration>"
    "<location id='a' x='3' y='4' color='#ff0000'><name x='5' y='6'>A</name>"
    "<label kind='invariant' x='7' y='8'>x &lt;= 3</label>"
    "<label kind='testcodeEnter'>say \"*/\"\nend</label></location>"
    "<location id='b' x='9' y='10'><label kind='comments' x='1' y='1'>why\nnot</label><urgent/>"
    "</location><init ref='a'/><transition controllable='false'><source ref='a'/><target "
    "ref='b'/>"
    "<label kind='guard' x='11' y='12'>x &gt; 1 // late</label>"
    "<label kind='synchronisation'>c?</label><label kind='comments'>once</label>"
    "<nail x='13' y='-14'/></transition></template><system>P = T(1);\nsystem P;</system>"
    "<queries><query><formula>A[] not deadlock</formula><comment>no end</comment>"
    "<expect outcome='failure' type='symbolic'/></query></queries></nta>";

static void read(Reading *r, const char *text) {
  reading_accept_uppaal(r, text);
  text_clear(&r->text);
}

static void test_around(void **state) {
  (void)state;
  Reading first, second, third;
  read(&first, model);
  assert_true(xta_text_write(&first.text, &first.arena, uppaal_document(&first.net),
                             uppaal_queries(&first.net), &first.report));
  static const char *const parts[] = {
      "chan c; // a channel\n",
      "process T(int n) {",
      "state A { x <= 3 },",
      "// why\n        // not\n",
      "urgent _b;",
      "A -u-> _b { guard x > 1 // late\n",
      "// once\n",
      "query {\n  // no end\n  // EXPECT:F\n  A[] not deadlock\n}",
      "location A id a at 3 4 name 5 6 invariant 7 8 colour #ff0000",
      "nail 13 -14"};
  for (uint32_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if (!strstr(text_chars(&first.text), parts[k]))
      fail_msg("no %s in\n%s", parts[k], text_chars(&first.text));
  read(&second, text_chars(&first.text));
  xml_write(&second.text, &second.arena, uppaal_document(&second.net),
            uppaal_queries(&second.net));
  static const char *const elements[] = {
      "<location id=\"a\" x=\"3\" y=\"4\" color=\"#ff0000\">",
      "<label kind=\"testcodeEnter\">say &quot;*/&quot;\nend</label>",
      "<label kind=\"comments\" x=\"1\" y=\"1\">why\nnot</label>",
      "<label kind=\"guard\" x=\"11\" y=\"12\">x &gt; 1 // late</label>",
      "<transition controllable=\"false\">",
      "<comment>no end</comment>\n\t\t\t<expect outcome=\"failure\" type=\"symbolic\"/>",
      "<nail x=\"13\" y=\"-14\"/>"};
  for (uint32_t k = 0; k < sizeof elements / sizeof *elements; k++)
    if (!strstr(text_chars(&second.text), elements[k]))
      fail_msg("no %s in\n%s", elements[k], text_chars(&second.text));
  read(&third, text_chars(&second.text));
  assert_int_equal(third.net.edges.size, first.net.edges.size);
  assert_string_equal(third.net.locations.items[1].name, "_b");
  reading_release(&third);
  reading_release(&second);
  reading_release(&first);
}

// A word of .xta is a name in XML only.
static void test_names(void **state) {
  (void)state;
  Reading r;
  read(&r, "<nta><template><name>T</name><location id='a'><name>guard</name></location>"
           "<init ref='a'/></template><system>system T;</system></nta>");
  assert_false(xta_text_write(&r.text, &r.arena, uppaal_document(&r.net), NULL, &r.report));
  assert_non_null(strstr(text_chars(&r.report.error), "`guard` is not a name in .xta"));
  reading_release(&r);
}

// Where comments of a .xta go.
static void test_comments(void **state) {
  (void)state;
  Reading r;
  read(&r, "int a; // of a\n// of P\nprocess P() { // inside\n  state A, // of A\n    B;\n"
           "  init A; // lost\n  trans A -> B { /* of the edge */ guard a /* kept */ > 1; };\n"
           "  // the end\n}\n/* before */ system P; // of the system\n");
  const Document *d = uppaal_document(&r.net);
  xml_write(&r.text, &r.arena, d, NULL);
  static const char *const elements[] = {
      "int a; // of a\n</declaration>",
      "<declaration>// of P\n// inside\n</declaration>",
      "<label kind=\"comments\">of A</label>",
      "a /* kept */ &gt; 1</label>",
      "<label kind=\"comments\">lost\nof the edge</label>",
      "<label kind=\"comments\">the end</label>",
      "<system>/* before */ system P; // of the system\n</system>"};
  for (uint32_t k = 0; k < sizeof elements / sizeof *elements; k++)
    if (!strstr(text_chars(&r.text), elements[k]))
      fail_msg("no %s in\n%s", elements[k], text_chars(&r.text));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_around), cmocka_unit_test(test_names),
                                     cmocka_unit_test(test_comments)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
