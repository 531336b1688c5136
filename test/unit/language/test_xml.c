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

// What the editor shows: texts, and coordinates where the file has them and they make sense.
static void test_drawing(void **state) {
  (void)state;
  Parsing p;
  Document d;
  read(&p, &d,
       "<nta><template><name>T</name><location id='a' x='-7' y='12'><name x='1' y='2'>A</name>"
       "<label kind='invariant' x='3' y='4'> x &lt;= 3\n&amp;&amp; x > 0 </label></location>"
       "<location id='b' x='5'/><location id='c' x='99999999999' y='0'/><init ref='a'/>"
       "<transition><source ref='a'/><target ref='b'/><label kind='assignment' x='8' y='9'>"
       "k = 1; </label><nail x='1' y='1'/><nail x='2' y='-2'/></transition></template>"
       "<system>system T;</system></nta>");
  assert_int_equal(p.parser.failures, 0);
  const LocationNode *a = d.templates->locations, *b = a->next;
  assert_true(a->at.is_given && a->at.x == -7 && a->at.y == 12);
  assert_true(a->name_label.at.is_given && a->name_label.at.y == 2);
  assert_int_equal(a->invariant_label.at.x, 3);
  const LabelNode *invariant = &a->invariant_label;
  assert_memory_equal(invariant->text, " x <= 3\n&& x > 0", invariant->size);
  assert_false(b->at.is_given || b->next->at.is_given || b->name_label.size);
  const EdgeNode *edge = d.templates->edges;
  assert_int_equal(edge->labels[EDGE_UPDATE].size, strlen("k = 1"));
  assert_int_equal(edge->labels[EDGE_UPDATE].at.x, 8);
  assert_int_equal(edge->labels[EDGE_GUARD].size, 0);
  assert_int_equal(edge->nails->next->at.y, -2);
  assert_null(edge->nails->next->next);
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
  if (!strstr(text_chars(&p.report.error), message))
    fail_msg("%s: %s", message, text_chars(&p.report.error));
  parsing_end(&p);
}

// Entities of the document are not read: neither from files, nor dropped from labels.
static void test_entities(void **state) {
  (void)state;
  expect_error(
      "<!DOCTYPE nta [<!ENTITY f SYSTEM 'file:///etc/hostname'>]><nta><declaration>"
      "int k&f;;</declaration>" TEMPLATE "<system>system T;</system></nta>",
      "text:1:1: entities of one's own are not supported: write the text instead of `&f;`");
  expect_error("<!DOCTYPE nta [<!ENTITY z '0'>]><nta><declaration>\nint k = 1&z;;"
               "</declaration>" TEMPLATE "<system>system T;</system></nta>",
               "`&z;`");
  expect_error(
      "<!DOCTYPE nta [<!ENTITY i 'a'>]><nta><template><name>T</name><location id='a&i;'/>"
      "<init ref='a'/></template><system>system T;</system></nta>",
      "`&i;`");
}

// What is not well formed is refused: libxml2 drops what it cannot read, and labels would mean
// something else. Bytes that are no characters do no harm, and what stands behind them counts.
static void test_damaged(void **state) {
  (void)state;
  expect_error("<other/>", "root element");
  expect_error("<nta><declaration>int k;</declaration>" TEMPLATE "<system>system T;",
               "text:1:1: the XML is damaged");
  expect_error("<nta><declaration>bool k;\nbool l = k&foo;;</declaration>" TEMPLATE
               "<system>system T;</system></nta>",
               "text:2:1: the XML is damaged (Entity 'foo' not defined)");
  expect_error("<nta><template><name>T</name><location id='a'/><init ref='a'/><transition>"
               "<source ref='a'/><target ref='a'/><label kind='guard'>true && 1<k </label>"
               "</transition></template><system>system T;</system></nta>",
               "the XML is damaged");
  expect_error("<nta>" TEMPLATE "<system>system T;</system>\n",
               "text:2:1: the XML is damaged (Premature end of data in tag nta line 1)");
  expect_error("<nta>" TEMPLATE "<system>system T;</system><queries><query><formula>A[] 1 < 2"
               "</formula></query></queries></nta>",
               "text:1:1: the XML is damaged");
  expect_error("<nta><!--\xff-->" TEMPLATE "<system>system T;</system>",
               "text:1:1: the XML is damaged");
  Parsing p;
  Document d;
  read(&p, &d,
       "<?xml version='1.0' encoding='utf-8'?><nta><declaration>// \xe9t\xe9\n"
       "</declaration>" TEMPLATE "<system>system T;</system><queries><query><formula>A[] 1 &gt; "
       "-1</formula></query></queries></nta>");
  assert_false(report_failed(&p.report));
  assert_int_equal(p.report.warning_count, 1);
  assert_non_null(d.templates);
  assert_string_equal(d.queries->source->text, "A[] 1 > -1");
  parsing_end(&p);
}

#define MODEL(location, edge, end)                                                               \
  "<nta><template><name>T</name>\n<location id='a'>" location                                    \
  "</location><init ref='a'/>\n<transition><source ref='a'/><target ref='a'/>\n" edge            \
  "</transition></template><system>system T;</system>\n" end "</nta>"

// Kinds of labels and elements that nobody knows are errors. Those that mean nothing here are
// not.
static void test_unknown(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {MODEL("", "<label kind='gaurd'>1 > 2</label>", ""),
       "text:4:1: an edge has no label of the kind `gaurd`; did you mean `guard`?"},
      {MODEL("", "<label>1 > 2</label>", ""), "text:4:1: this label has no kind"},
      {MODEL("", "<label kind='invariant'>1 > 2</label>", ""), "label of the kind `invariant`"},
      {MODEL("<label kind='invariants'>1 > 2</label>", "", ""),
       "text:2:1: a location has no label of the kind `invariants`; did you mean `invariant`?"},
      {MODEL("<comitted/>", "", ""),
       "text:2:1: `location` has no element `comitted`; did you mean `committed`?"},
      {MODEL("", "", "<queries><query><formual>A[] 1</formual></query></queries>"),
       "text:5:1: `query` has no element `formual`; did you mean `formula`?"},
      {MODEL("", "", "<something/>"), "text:5:1: `nta` has no element `something`"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_error(cases[i].text, cases[i].message);
  Parsing p;
  Document d;
  read(&p, &d,
       MODEL("<label kind='comments'>a</label><label kind='testcodeEnter'>b</label>"
             "<label kind='testcodeExit'>c</label>",
             "<label kind='comments'>d</label><label kind='testcode'>e</label><nail x='1'/>",
             "<queries><option key='a'/><query><formula/><comment/><option/><expect/><result>"
             "<details>1</details></result></query></queries>"
             "<simulator type='concrete'><plot-widget title='x'/></simulator>"));
  assert_false(report_failed(&p.report));
  assert_int_equal(p.report.warning_count, 0);
  parsing_end(&p);
}

// What would replace an earlier one is an error.
static void test_twice(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {MODEL("<label kind='invariant'>1</label>\n<label kind='invariant'>2</label>", "", ""),
       "text:3: template T, location _a, invariant: the invariant is given twice; the first time "
       "at text:2: template T, location _a, invariant"},
      {MODEL("", "<label kind='guard'>1</label>\n<label kind='guard'>2</label>", ""),
       "text:5: template T, edge _a -> _a, guard: the guard is given twice; the first time at "
       "text:4: template T, edge _a -> _a, guard"},
      {MODEL("", "<label kind='assignment'/><label kind='assignment'/>", ""),
       "the update is given twice"},
      {MODEL("<name>A</name><name>B</name>", "", ""), "text:2:1: `name` is given twice"},
      {MODEL("", "<source ref='b'/>", ""),
       "text:4:1: `source` is given twice; the first time at line 3"},
      {MODEL("", "", "<queries/>\n<queries/>"),
       "text:6:1: `queries` is given twice; the first time at line 5"},
      {MODEL("", "", "<system>system T;</system>"),
       "text:5:1: `system` is given twice; the first time at line 4"},
      {MODEL("", "", "<declaration/>\n<declaration/>"),
       "text:6:1: `declaration` is given twice; the first time at line 5"},
      {MODEL("", "", "<instantiation>system T;</instantiation>"), "`system` is given twice"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_error(cases[i].text, cases[i].message);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elements), cmocka_unit_test(test_drawing),
      cmocka_unit_test(test_place),    cmocka_unit_test(test_entities),
      cmocka_unit_test(test_damaged),  cmocka_unit_test(test_unknown),
      cmocka_unit_test(test_twice)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
