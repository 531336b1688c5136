// How queries are cut into parts, with a language whose formulas are any text.
#include "language/query_grammar.h"

#include "reading.h"

typedef struct Said { // what the grammar asked of the language
  Text text;
  Report *report;
  Mem *mem;
  const Source *source;
} Said;

static const void *parse(void *reader, const QueryPart *part) {
  Said *said = reader;
  static const char roles[] = "fcv";
  text_addf(&said->text, "%c(%.*s)%s", roles[part->role], (int)(part->end - part->begin),
            said->source->text + part->begin, part->until ? part->until : "");
  return said;
}

static const Expr *make(void *reader, const QueryPart *part, const void *parsed) {
  (void)part;
  assert_ptr_equal(parsed, reader);
  return NULL;
}

static bool refuse(void *reader, bool has_arrow) {
  Said *said = reader;
  if (!has_arrow)
    report_error(said->report, (Place){0}, "refused");
  return !has_arrow;
}

static const QueryLanguage language = {parse, make, refuse, false};

// Errors are shown as they are; else the kind, the number of values and the parts.
static void check(const char *query, const char *expected) {
  Mem mem = {0};
  Report report;
  Arena arena = {.mem = &mem};
  const Source source = {.name = "q", .text = query, .size = strlen(query)};
  Said said = {.text = {.mem = &mem}, .report = &report, .mem = &mem, .source = &source};
  Query read;
  Text shown = {.mem = &mem};
  report_init(&report, &mem);
  if (query_grammar_read(&read, &arena, (Place){&source, 0}, (uint32_t)source.size, &language,
                         &said, &report))
    text_addf(&shown, "%d %u %s", (int)read.kind, read.value_count, text_chars(&said.text));
  else
    text_add(&shown, text_chars(&report.error));
  if (!strstr(text_chars(&shown), expected))
    fail_msg("%s gives %s", query, text_chars(&shown));
  mem_release(&mem);
}

static void test_forms(void **unused) {
  (void)unused;
  check(" E<> p ", "0 0 f( p)");
  check("A[]p", "1 0 f(p)");
  check("E [ ] p", "2 0 f( p)");
  check("A/* - */<> p", "3 0 f( p)");
  check("p --> q", "4 0 f(p )-->c( q)");
  check("A[0] --> q", "4 0 f(A[0] )-->c( q)");
  check("sup --> q", "4 0 f(sup )-->c( q)"); // a name
  check("sup: x", "5 1 v( x)");
  check("inf{p && a[1]}: x, f(y, z)", "6 2 f(p && a[1])}v( x),v( f(y, z))");
  check("bounds{ }: x", "7 1 f( )}v( x)");
  check("buchi: p, q, r", "8 3 v( p),v( q),v( r)");
  check("E<> p /* --> q */ // --> r", "0 0 f( p /* --> q */ // --> r)");
}

static void test_mistakes(void **unused) {
  (void)unused;
  check("", "refused");
  check("Ex<> p", "refused");
  check("E< p", "refused");
  check("suppose: x", "refused");
  check("E<> p --> q", "is a query by itself");
  check("sup x", "expected `:`");
  check("sup{p} x", "expected `:`");
  check("buchi{p}: x", "expected `:`");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms),
                                     cmocka_unit_test(test_mistakes)};
  return cmocka_run_group_tests_name("query_grammar", tests, NULL, NULL);
}
