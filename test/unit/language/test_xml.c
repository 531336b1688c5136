// The XML format: what becomes of its elements, places in labels, and files that are not well
// formed.
#include "parsing.h"

static void read(Parsing *p, Document *document, const char *text) {
  parsing_begin(p, "", false);
  parser_end(&p->parser);
  p->source = (Source){.name = "text", .text = text, .size = strlen(text)};
  *document = (Document){0};
  xml_read(&p->parser, document, &p->source);
}

#define TEMPLATE                                                                                 \
  "<template><name>T</name><parameter>int n</parameter><declaration>clock x;</declaration>"      \
  "<location id='a'><name>A</name><label kind='invariant'>x &lt;= 3</label></location>"          \
  "<location id='b'><committed/></location><init ref='a'/>"                                      \
  "<transition><source ref='a'/><target ref='b'/><label kind='select'>i : int[0,1]</label>"      \
  "<label kind='guard'>x > 1</label><label kind='synchronisation'>c?</label>"                    \
  "<label kind='assignment'>x = 0</label></transition></template>"

static void test_elements(void **state) {
  (void)state;
  Parsing p;
  Document d;
  read(&p, &d,
       "<?xml version='1.0'?><nta><declaration>int k; chan c;</declaration>" TEMPLATE
       "<system>system T;</system><queries><query><formula>A[] true</formula>"
       "<expect outcome='success'/></query></queries></nta>");
  assert_int_equal(p.parser.failures, 0);
  const TemplateNode *t = d.templates;
  assert_string_equal(t->name, "T");
  assert_string_equal(t->params->name, "n");
  assert_string_equal(t->locations->name, "A");
  assert_non_null(t->locations->invariant);
  assert_true(t->locations->next->is_committed);
  assert_string_equal(t->init, "a");
  assert_true(t->edges->select && t->edges->guard && t->edges->update);
  assert_int_equal(t->edges->direction, SYNC_RECEIVE);
  assert_non_null(d.queries);
  assert_null(d.queries->next);
  assert_string_equal(d.queries->expect, "T");
  parsing_end(&p);
}

static void test_place(void **state) {
  (void)state;
  Parsing p;
  Document d;
  read(&p, &d,
       "<nta><template><name>T</name><location id='a'><name>A</name>\n"
       "<label kind='invariant'>x &lt;=\n</label></location><init ref='a'/></template>"
       "<system>system T;</system></nta>");
  assert_true(p.parser.failures > 0);
  assert_non_null(strstr(text_chars(&p.report.error), "template T, location A, invariant"));
  parsing_end(&p);
}

static void expect_error(const char *text, const char *message) {
  Parsing p;
  Document d;
  read(&p, &d, text);
  assert_true(report_failed(&p.report));
  assert_non_null(strstr(text_chars(&p.report.error), message));
  parsing_end(&p);
}

// Entities of the document are not read: neither from files, nor dropped from labels.
static void test_entities(void **state) {
  (void)state;
  expect_error(
      "<!DOCTYPE nta [<!ENTITY f SYSTEM 'file:///etc/hostname'>]><nta><declaration>"
      "int k&f;;</declaration>" TEMPLATE "<system>system T;</system></nta>",
      "text:1: entities of one's own are not supported: write the text instead of `&f;`");
  expect_error("<!DOCTYPE nta [<!ENTITY z '0'>]><nta><declaration>\nint k = 1&z;;"
               "</declaration>" TEMPLATE "<system>system T;</system></nta>",
               "`&z;`");
  expect_error(
      "<!DOCTYPE nta [<!ENTITY i 'a'>]><nta><template><name>T</name><location id='a&i;'/>"
      "<init ref='a'/></template><system>system T;</system></nta>",
      "`&i;`");
}

// What stands before the end of `system` must be well formed: libxml2 drops what it cannot read,
// and labels would mean something else.
static void test_damaged(void **state) {
  (void)state;
  Parsing p;
  Document d;
  expect_error("<other/>", "root element");
  expect_error("<nta><declaration>int k;</declaration>" TEMPLATE "<system>system T;",
               "text:1: the XML is damaged");
  expect_error("<nta><declaration>bool k;\nbool l = k&foo;;</declaration>" TEMPLATE
               "<system>system T;</system></nta>",
               "text:2: the XML is damaged (Entity 'foo' not defined)");
  expect_error("<nta><template><name>T</name><location id='a'/><init ref='a'/><transition>"
               "<source ref='a'/><target ref='a'/><label kind='guard'>true && 1<k </label>"
               "</transition></template><system>system T;</system></nta>",
               "the XML is damaged");
  static const char *const harmless[] = {
      "<nta>" TEMPLATE "<system>system T;</system><queries><query><formula>A[] 1 < 2</formula>",
      "<nta><declaration>// \xe9t\xe9\n</declaration>" TEMPLATE
      "<system>system T;</system></nta>"};
  for (int i = 0; i < 2; i++) {
    read(&p, &d, harmless[i]);
    assert_false(report_failed(&p.report));
    assert_int_equal(p.parser.failures, 0);
    assert_non_null(d.templates);
    parsing_end(&p);
  }
}

// Queries after damage, and documents with bytes that are no characters: what libxml2 drops there
// must not change what is read.
static void test_dropped(void **state) {
  (void)state;
  static const struct {
    const char *text, *query;
  } cases[] = {
      {"<nta><declaration>// \xe9t\xe9\n</declaration>" TEMPLATE "<system>system T;</system>"
       "<queries><query><formula>A[] 1 &gt; -1</formula></query></queries></nta>",
       "A[] 1 > -1"},
      {"<?xml version='1.0' encoding='utf-8'?><nta><!--\xff-->" TEMPLATE
       "<system>system T;</system><queries><query><formula>A[] 1 &gt; -1</formula></query>",
       "A[] 1 > -1"},
      {"<nta>" TEMPLATE "<system>system T;</system><queries><query><formula>A[] 1 < 2</formula>"
       "</query><query><formula>A[] 1 &gt; -1</formula></query></queries></nta>",
       "(damaged XML) A[] 1  2"},
      {"<nta>" TEMPLATE "<system>system T;</system><queries><query><formula>A[] 1 &gt; -1",
       "(damaged XML) A[] 1 > -1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Parsing p;
    Document d;
    read(&p, &d, cases[i].text);
    assert_false(report_failed(&p.report));
    assert_int_equal(p.report.warning_count, 1);
    assert_non_null(d.templates);
    assert_string_equal(d.queries->source->text, cases[i].query);
    parsing_end(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elements), cmocka_unit_test(test_place),
      cmocka_unit_test(test_entities), cmocka_unit_test(test_damaged),
      cmocka_unit_test(test_dropped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
