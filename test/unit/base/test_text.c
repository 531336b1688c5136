// Growable strings against memcpy into a large buffer; edit distance against its
// recursive definition.
#include "base/text.h"

#include "base/random.h"

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 200, STEPS = 100 };

// One random addition, to the text and to the mirror; how much longer it is.
static size_t add_something(Text *text, Random *random, char *to) {
  char word[300];
  const size_t length = random_below(random, random_below(random, 8) ? 10 : sizeof word - 1);
  for (size_t i = 0; i < length; i++)
    word[i] = (char)random_between(random, 'a', 'z');
  word[length] = 0;
  const int number = random_between(random, -100000, 100000);
  switch (random_below(random, 4)) {
  case 0:
    text_add(text, word);
    return (size_t)sprintf(to, "%s", word);
  case 1:
    text_add_bytes(text, word, length / 2);
    return (size_t)sprintf(to, "%.*s", (int)length / 2, word);
  case 2:
    text_add_char(text, '%');
    return (size_t)sprintf(to, "%%");
  default:
    text_addf(text, "%d:%s;", number, word);
    return (size_t)sprintf(to, "%d:%s;", number, word);
  }
}

static void test_additions(void **state) {
  (void)state;
  Mem mem = {0};
  static char mirror[STEPS * 400];
  Random random;
  random_seed(&random, 1);
  for (int round = 0; round < ROUNDS; round++) {
    Text text = {.mem = &mem};
    assert_string_equal(text_chars(&text), "");
    size_t size = 0;
    mirror[0] = 0;
    const int steps = random_between(&random, 0, STEPS);
    for (int step = 0; step < steps; step++) {
      size += add_something(&text, &random, mirror + size);
      assert_int_equal(text.size, size);
      assert_true(text.size < text.capacity);
      assert_string_equal(text_chars(&text), mirror);
    }
    text_clear(&text);
    assert_string_equal(text_chars(&text), "");
    text_add(&text, "again");
    assert_string_equal(text_chars(&text), "again");
    text_release(&text);
    assert_ptr_equal(text.mem, &mem);
    assert_int_equal(mem.bytes, 0);
    assert_string_equal(text_chars(&text), "");
  }
}

static void test_utf8(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"", ""},
      {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x9f", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x9f"},
      {"caf\xe9!", "caf?!"},                       // Latin-1
      {"\x80\xc0\x80\xc3", "????"},                // no beginning, overlong, cut off
      {"\xe0\x80\x80\xed\xa0\x80", "??????"},      // overlong, a surrogate
      {"\xf4\x90\x80\x80\xff\xe2\x82", "???????"}, // too large, none, cut off
  };
  Mem mem = {0};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    Text text = {.mem = &mem};
    text_add_utf8(&text, pairs[i][0]);
    assert_string_equal(text_chars(&text), pairs[i][1]);
    text_release(&text);
  }
}

static void test_xml(void **state) {
  (void)state;
  Mem mem = {0};
  Text text = {.mem = &mem};
  text_add_xml(&text, "a<b && c>\"\xc3\xa9\"\r\n\t\001\xe9");
  assert_string_equal(text_chars(&text), "a&lt;b &amp;&amp; c&gt;&quot;\xc3\xa9&quot;\n\t ?");
  text_clear(&text);
  text_add_xml_bytes(&text, "x<\xc3\xa9", 3); // a character that is cut
  assert_string_equal(text_chars(&text), "x&lt;?");
  text_release(&text);
}

static void test_divisor(void **state) {
  (void)state;
  assert_int_equal(text_divisor(12, 18), 6);
  assert_int_equal(text_divisor(0, 7), 7);
  assert_int_equal(text_divisor(7, 0), 7);
  assert_int_equal(text_divisor(-12, 18), 6);
  assert_int_equal(text_divisor(10000000001, 3), 1);
  assert_int_equal(text_divisor(INT64_MIN, 6), 2);
}

static void test_fractions(void **state) {
  (void)state;
  Mem mem = {0};
  Text text = {.mem = &mem};
  static const int64_t pairs[][2] = {{0, 6}, {12, 4}, {6, 4}, {-6, 4}, {-3, 1}, {INT64_MAX, 1}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    text_add_fraction(&text, pairs[i][0], pairs[i][1]);
    text_add_char(&text, ' ');
  }
  assert_string_equal(text_chars(&text), "0 3 3/2 -3/2 -3 9223372036854775807 ");
  text_release(&text);
  assert_int_equal(mem.bytes, 0);
}

static void test_zero_bytes(void **state) {
  (void)state;
  Mem mem = {0};
  Text text = {.mem = &mem};
  text_add_bytes(&text, "a\0b", 3);
  text_add_char(&text, 0);
  text_add_char(&text, 'c');
  assert_int_equal(text.size, 5);
  assert_memory_equal(text_chars(&text), "a\0b\0c", 6);
  text_release(&text);
}

// An empty addition makes a string of the empty text; a long one fits at once.
static void test_extremes(void **state) {
  (void)state;
  Mem mem = {0};
  Text text = {.mem = &mem};
  text_clear(&text);
  text_add(&text, "");
  assert_non_null(text.chars);
  assert_int_equal(text.size, 0);
  text_addf(&text, "%*d", 100000, 1);
  assert_int_equal(text.size, 100000);
  assert_int_equal(text.chars[99999], '1');
  assert_int_equal(strlen(text.chars), 100000);
  text_release(&text);
}

static unsigned naive_distance(const char *a, const char *b) {
  if (!*a || !*b)
    return (unsigned)(strlen(a) + strlen(b));
  const unsigned change = naive_distance(a + 1, b + 1) + (*a != *b);
  const unsigned drop = naive_distance(a + 1, b) + 1, insert = naive_distance(a, b + 1) + 1;
  const unsigned swap =
      a[1] && a[0] == b[1] && a[1] == b[0] ? naive_distance(a + 2, b + 2) + 1 : change;
  const unsigned step = drop < insert ? drop : insert, other = change < swap ? change : swap;
  return other < step ? other : step;
}

static void random_word(Random *random, char *word) {
  const uint32_t length = random_below(random, 6);
  for (uint32_t i = 0; i < length; i++)
    word[i] = (char)random_between(random, 'a', 'c');
  word[length] = 0;
}

static void test_distance(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 2);
  for (int round = 0; round < 3000; round++) {
    char a[8], b[8];
    random_word(&random, a), random_word(&random, b);
    const unsigned distance = naive_distance(a, b);
    assert_int_equal(text_distance(a, b, 99), distance);
    const unsigned limit = random_below(&random, 5);
    assert_int_equal(text_distance(a, b, limit), distance < limit ? distance : limit);
  }
  assert_int_equal(text_distance("abstraction", "abstracton", 99), 1);
  assert_int_equal(text_distance("order", "odrer", 99), 1);
}

static void test_distance_of_long_names(void **state) {
  (void)state;
  char a[200], b[200];
  for (size_t length = 60; length < 70; length++) {
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    a[length] = b[length] = 0;
    assert_int_equal(text_distance(a, b, 99), length < 64 ? length : 99);
    assert_int_equal(text_distance(a, "", 99), length < 64 ? length : 99);
    assert_int_equal(text_distance("", b, 99), length < 64 ? length : 99);
  }
}

// A name is near if at most a third of it is wrong.
static void test_nearest(void **state) {
  (void)state;
  Nearest nearest = {0};
  text_consider(&nearest, "opened", "shut");
  assert_null(nearest.name);
  text_consider(&nearest, "opened", "open");
  assert_string_equal(nearest.name, "open");
  text_consider(&nearest, "opened", "openes");
  assert_string_equal(nearest.name, "openes");
  text_consider(&nearest, "opened", "open");
  assert_string_equal(nearest.name, "openes");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_additions), cmocka_unit_test(test_zero_bytes),
      cmocka_unit_test(test_utf8),      cmocka_unit_test(test_fractions),
      cmocka_unit_test(test_xml),       cmocka_unit_test(test_divisor),
      cmocka_unit_test(test_extremes),  cmocka_unit_test(test_distance),
      cmocka_unit_test(test_nearest),   cmocka_unit_test(test_distance_of_long_names),
  };
  return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
