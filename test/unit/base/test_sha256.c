// SHA-256: the examples of FIPS 180-4, and lengths around the end of a block.
#include "base/sha256.h"

// cmocka wants most of these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *bytes, size_t size, const char *wanted) {
  Mem mem = {0};
  Text text = {.mem = &mem};
  unsigned char hash[SHA256_SIZE];
  sha256(hash, bytes, size);
  sha256_print(&text, hash);
  assert_string_equal(text_chars(&text), wanted);
  text_release(&text);
}

static void test_examples(void **unused) {
  (void)unused;
  static const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(two, sizeof two - 1, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

// Of as many letters a.
static void test_lengths(void **unused) {
  (void)unused;
  char many[129];
  memset(many, 'a', sizeof many);
  expect(many, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  expect(many, 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  expect(many, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  expect(many, 128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_examples),
      cmocka_unit_test(test_lengths),
  };
  return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
