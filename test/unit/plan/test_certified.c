// Sentences and JSON about evidence that was checked.
#include "plan/certified.h"

#include "base/sha256.h"
#include "sessions.h"

#include <jansson.h>

static void test_certified(void **state) {
  (void)state;
  Mem mem = {0};
  Certified c = {.sentences = {.mem = &mem}, .results = {.mem = &mem}};
  Text text = {.mem = &mem};
  unsigned char hash[SHA256_SIZE];
  sha256(hash, "", 0);
  const CertifiedPiece good = {"m.xta",     "m.proof",     hash, "A[] \"p\"",
                               "satisfied", "certificate", NULL, "the machine"};
  CertifiedPiece bad = good;
  bad.reason = "it is \"wrong\"";
  certified_add(&c, &good);
  certified_add(&c, &bad);
  certified_write(&text, &c, false);
  assert_non_null(
      strstr(text_chars(&text),
             "Proved: the query \"A[] \"p\"\" is satisfied in the model m.xta (SHA-256 "
             "e3b0c442"));
  assert_int_equal(text.size,
                   strcspn(text_chars(&text), "\n") + 1); // nothing of what is rejected
  text_clear(&text);
  certified_write(&text, &c, true);
  json_t *root = json_loads(text_chars(&text), 0, NULL);
  json_t *results = json_object_get(root, "results");
  assert_int_equal(json_array_size(results), 2);
  assert_true(json_is_true(json_object_get(json_array_get(results, 0), "accepted")));
  assert_string_equal(json_string_value(json_object_get(json_array_get(results, 1), "reason")),
                      bad.reason);
  json_decref(root);
  certified_clear(&c);
  text_clear(&text);
  certified_write(&text, &c, false);
  assert_int_equal(text.size, 0);
  text_release(&text);
  text_release(&c.sentences);
  text_release(&c.results);
}

SESSIONS_MAIN("certified", cmocka_unit_test(test_certified))
