// What a model reads: guards, invariants, updates of other things, but not what only goes round.
#include "analysis/reads.h"

#include "reading.h"

static bool reads_variable(const Reads *reads, const char *name) {
  for (uint32_t i = 0; i < reads->net->variables.size; i++)
    if (!strcmp(reads->net->variables.items[i].name, name))
      return reads->variables[i];
  fail_msg("no variable %s", name);
  return false;
}

static bool reads_clock(const Reads *reads, const char *name) {
  for (uint32_t i = 0; i < reads->net->clocks.size; i++)
    if (!strcmp(reads->net->clocks.items[i].name, name))
      return reads->clocks[i];
  fail_msg("no clock %s", name);
  return false;
}

// The names of i, j, v, x, y, z that are read with this edge.
static void check(const char *attributes, const char *wanted) {
  static const char *const variables[] = {"i", "j", "v"}, *const clocks[] = {"x", "y", "z"};
  Reading r;
  char text[2048];
  snprintf(text, sizeof text, PREAMBLE "edge:P:A:B:a{%s}\n", attributes);
  reading_accept(&r, text);
  Reads reads;
  reads_init(&reads, &r.arena, &r.net);
  for (int i = 0; i < 3; i++)
    text_add(&r.text, reads_variable(&reads, variables[i]) ? variables[i] : "");
  for (int i = 0; i < 3; i++)
    text_add(&r.text, reads_clock(&reads, clocks[i]) ? clocks[i] : "");
  assert_string_equal(text_chars(&r.text), wanted);
  reading_release(&r);
}

static void test_places(void **unused) {
  (void)unused;
  check("provided: i<3 && x>=j", "ijx");
  check("provided: y-z[1]<2", "yz");
  check("do: i=j", "j");
  check("do: v[i]=1", "i");
  check("do: if i==1 then j=2 end", "i");
  check("do: while v[j]<3 do v[j]=v[j]+1; j=j+1 end", "jv");
  check("do: x=i", "i");
  check("do: x=y+1", "y");
}

static void test_own(void **unused) {
  (void)unused;
  check("do: i=i+1", "");
  check("do: i=i+j", "j");
  check("do: v[0]=v[1]", "");
  check("do: v[v[0]]=1", "v");
  check("do: x=x+1; x=0", "");
  check("do: i=i+1; j=i", "i");
}

static void test_query(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, PREAMBLE);
  Reads reads;
  reads_init(&reads, &r.arena, &r.net);
  assert_false(reads_variable(&reads, "i"));
  const char *text = "A[] i<3 imply x>=1";
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  Query query;
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  reads_expr(&reads, query.formula);
  reads_expr(&reads, NULL);
  assert_true(reads_variable(&reads, "i") && reads_clock(&reads, "x"));
  assert_false(reads_variable(&reads, "j") || reads_clock(&reads, "y"));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_own),
                                     cmocka_unit_test(test_query)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
