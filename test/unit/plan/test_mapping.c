// Mappings of certificates: the bytes, what is no certificate, files that change.
#define _XOPEN_SOURCE 700
#include "plan/mapping.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char text[] = "tarn certificate 1\nand so forth";

static int make(char *path, const char *bytes, size_t size) {
  const int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, bytes, size), size);
  return file;
}

static void test_file(void **state) {
  (void)state;
  Mem mem = {0};
  Mapping mapping;
  for (int is_changed = 0; is_changed < 2; is_changed++) {
    char path[] = "/tmp/tarn-mapping-XXXXXX";
    const int file = make(path, text, sizeof text);
    assert_true(mapping_open(&mapping, &mem, path));
    assert_string_equal(mapping.source.name, path);
    assert_int_equal(mapping.source.size, sizeof text);
    assert_memory_equal(mapping.source.text, text, sizeof text);
    mapping_let_go(&mapping);
    assert_memory_equal(mapping.source.text, text, sizeof text);
    if (is_changed)
      assert_int_equal(write(file, "more", 4), 4);
    assert_int_equal(mapping_close(&mapping), !is_changed);
    close(file);
    unlink(path);
  }
  mem_release(&mem);
}

static void test_others(void **state) {
  (void)state;
  Mem mem = {0};
  Mapping mapping;
  char path[] = "/tmp/tarn-mapping-XXXXXX";
  close(make(path, "{}", 2));
  const char *const others[] = {path, "/dev/zero", "/", "/no/such/file", "-"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    assert_false(mapping_open(&mapping, &mem, others[i]));
    assert_false(mapping_close(&mapping));
  }
  unlink(path);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_file), cmocka_unit_test(test_others)};
  return cmocka_run_group_tests_name("mapping", tests, NULL, NULL);
}
