// libxml2 is found when it is needed, and reads.
#include "language/uppaal/libxml.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void test_read(void **unused) {
  (void)unused;
  LibXml xml;
  if (!libxml_load(&xml)) {
    print_message("libxml2 is not installed\n");
    skip();
  }
  const char text[] = "<a>\n<b/>\n</a>";
  xmlParserCtxt *context = xml.new_context();
  assert_non_null(context);
  xmlDoc *document = xml.read(context, text, (int)strlen(text), "x", NULL, XML_PARSE_NONET);
  assert_non_null(document);
  const xmlNode *root = xml.root(document);
  assert_string_equal((const char *)root->name, "a");
  assert_int_equal(xml.line(root), 1);
  assert_int_equal(xml.line(root->children->next), 2);
  xml.free_document(document);
  xml.free_context(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
