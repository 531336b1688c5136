// The hash of a model: layout and the model's name do not matter, all else does.
#include "plan/fingerprint.h"

#include "reading.h"

static void hash_of(unsigned char hash[SHA256_SIZE], const char *text) {
  Reading r;
  reading_accept(&r, text);
  fingerprint_model(hash, &r.mem, &r.net);
  reading_release(&r);
}

static void test_fingerprint(void **unused) {
  (void)unused;
  unsigned char hash[SHA256_SIZE], other[SHA256_SIZE];
  hash_of(hash, "system:s\nevent:a\nint:1:0:3:1:n\nprocess:P\nlocation:P:A{initial:}\n");
  hash_of(other, "system:t\nevent:a\n# a comment\nint:1:0:3:1:n\nprocess:P\n"
                 "location:P:A{ initial: }\n");
  assert_memory_equal(hash, other, SHA256_SIZE);
  hash_of(other, "system:s\nevent:a\nint:1:0:3:2:n\nprocess:P\nlocation:P:A{initial:}\n");
  assert_memory_not_equal(hash, other, SHA256_SIZE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fingerprint)};
  return cmocka_run_group_tests_name("fingerprint", tests, NULL, NULL);
}
