// Types: prefixes, ranges, structs, and dimensions by number and by type.
#include "parsing.h"

static const TypeNode *read(Parsing *p, const char *text) {
  parsing_begin(p, text, false);
  const TypeNode *type = parse_type(&p->parser);
  assert_int_equal(p->parser.failures, 0);
  return type;
}

static void test_prefixes(void **state) {
  (void)state;
  Parsing p;
  const TypeNode *type = read(&p, "urgent broadcast chan");
  assert_int_equal(type->kind, TYPENODE_CHAN);
  assert_true(type->is_urgent && type->is_broadcast && !type->is_const);
  parsing_end(&p);
  type = read(&p, "const meta int[1, n]");
  assert_int_equal(type->kind, TYPENODE_INT);
  assert_true(type->is_const && type->is_meta && type->a && type->b);
  parsing_end(&p);
  type = read(&p, "hybrid clock");
  assert_int_equal(type->kind, TYPENODE_CLOCK);
  assert_true(type->is_hybrid);
  parsing_end(&p);
  type = read(&p, "id_t");
  assert_int_equal(type->kind, TYPENODE_NAME);
  assert_string_equal(type->name, "id_t");
  parsing_end(&p);
}

static void test_struct(void **state) {
  (void)state;
  Parsing p;
  const TypeNode *type = read(&p, "struct { int a, b[2]; struct { bool c; } d; }");
  assert_int_equal(type->kind, TYPENODE_STRUCT);
  const VarNode *a = type->fields, *b = a->next, *d = b->next;
  assert_string_equal(a->name, "a");
  assert_non_null(b->dims);
  assert_int_equal(d->type->kind, TYPENODE_STRUCT);
  assert_null(d->next);
  parsing_end(&p);
}

// `[name]` may be a number or a type: elaboration finds out.
static void test_dimensions(void **state) {
  (void)state;
  Parsing p;
  parsing_begin(&p, "[3][int[0,2]][id_t]", false);
  const DimNode *dim = parse_dimensions(&p.parser);
  assert_true(dim->size && !dim->type);
  assert_true(dim->next->type && !dim->next->size);
  assert_int_equal(dim->next->next->size->kind, NODE_NAME);
  assert_null(dim->next->next->next);
  parsing_end(&p);
}

static void test_errors(void **state) {
  (void)state;
  static const char *const texts[] = {"int[1", "struct { int }", "scalar", "scalar[2", "5"};
  for (uint32_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    Parsing p;
    parsing_begin(&p, texts[k], false);
    parse_type(&p.parser);
    assert_int_equal(p.parser.failures, 1);
    parsing_end(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_prefixes), cmocka_unit_test(test_struct),
      cmocka_unit_test(test_dimensions), cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
