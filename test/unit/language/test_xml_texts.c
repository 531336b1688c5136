// Where texts stand in an XML file, and what they look like there.
#include "language/uppaal/xml_texts.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char text[] =
    "<?xml version='1.0'?><!DOCTYPE nta [<!ENTITY a 'b'>]><nta><!-- <system>no</system> -->"
    "<declaration>int a &lt; &#98;&#xe4;;</declaration><template><name x=\"1\">T</name>"
    "<location><label x='>' kind='invariant'> x &amp;&amp; y </label></location>"
    "<declaration/></template><system>\n<![CDATA[a < b]]>\n</system>"
    "<queries><query><formula>a<b/></formula></query></queries></nta>";

static void test_find(void **state) {
  (void)state;
  Mem mem = {0};
  const Source source = {.name = "text", .text = text, .size = sizeof text - 1};
  XmlTexts texts = {0};
  xml_texts_find(&texts, &mem, &source);
  assert_int_equal(texts.size, 6);
  static const char *const wanted[] = {"int a < b\xc3\xa4;", "T", " x && y ", "", "a < b", NULL};
  for (uint32_t i = 0; i < texts.size; i++) {
    Text decoded = {.mem = &mem};
    XmlMap map = {0};
    const XmlText *found = &texts.items[i];
    const bool ok = xml_texts_decode(found, &mem, &source, &decoded, &map);
    assert_int_equal(ok, wanted[i] != NULL);
    if (!ok)
      continue;
    assert_string_equal(text_chars(&decoded), wanted[i]);
    assert_int_equal(map.size, decoded.size + 1);
  }
  assert_true(xml_texts_is(&texts.items[2], "label", "invariant"));
  assert_false(xml_texts_is(&texts.items[2], "label", "guard"));
  assert_true(xml_texts_is(&texts.items[1], "name", NULL));
  assert_memory_equal(text + texts.items[1].parent, "<template>", 10);
  mem_release(&mem);
}

// What is not well formed does no harm.
static void test_damaged(void **state) {
  (void)state;
  for (size_t size = 0; size < sizeof text; size++) {
    Mem mem = {0};
    const char *cut = mem_copy_text(&mem, text, size);
    const Source source = {.name = "text", .text = cut, .size = size};
    XmlTexts texts = {0};
    xml_texts_find(&texts, &mem, &source);
    for (uint32_t i = 0; i < texts.size; i++) {
      Text decoded = {.mem = &mem};
      XmlMap map = {0};
      assert_true(texts.items[i].end <= size);
      xml_texts_decode(&texts.items[i], &mem, &source, &decoded, &map);
    }
    mem_release(&mem);
  }
}

// As the reader of XML does: one end of lines.
static void test_returns(void **state) {
  (void)state;
  static const char lines[] = "<declaration>a\r\nb\rc\r</declaration>";
  Mem mem = {0};
  const Source source = {.name = "text", .text = lines, .size = sizeof lines - 1};
  XmlTexts texts = {0};
  Text decoded = {.mem = &mem};
  XmlMap map = {0};
  xml_texts_find(&texts, &mem, &source);
  assert_true(xml_texts_decode(&texts.items[0], &mem, &source, &decoded, &map));
  assert_string_equal(text_chars(&decoded), "a\nb\nc\n");
  assert_int_equal(map.items[1], strlen("<declaration>a\r"));
  assert_int_equal(map.items[6], strlen("<declaration>a\r\nb\rc\r"));
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_find), cmocka_unit_test(test_damaged),
                                     cmocka_unit_test(test_returns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
