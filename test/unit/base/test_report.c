// Messages: the place, the line and the caret, for every kind of line.
#include "base/report.h"

#include "base/random.h"

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// The error message for one place of a source.
typedef struct Fixture {
  Mem mem;
  Report report;
  Source source;
} Fixture;

static void fixture_init(Fixture *f, const char *text, size_t size) {
  *f = (Fixture){.source = {.name = "m.tck", .text = text, .size = size}};
  report_init(&f->report, &f->mem);
}

static void fixture_release(Fixture *f) {
  report_release(&f->report);
  assert_int_equal(f->mem.bytes, 0);
}

static Place place_at(const Fixture *f, uint32_t offset) { return (Place){&f->source, offset}; }

static void assert_error(const char *text, uint32_t offset, const char *expected) {
  Fixture f;
  fixture_init(&f, text, strlen(text));
  report_error(&f.report, place_at(&f, offset), "no such %s", "clock");
  assert_string_equal(text_chars(&f.report.error), expected);
  fixture_release(&f);
}

static void test_error(void **state) {
  (void)state;
  assert_error("system:s\nclock:1:x\n", 15, "m.tck:2:7: no such clock\n  clock:1:x\n        ^\n");
  assert_error("abc", 0, "m.tck:1:1: no such clock\n  abc\n  ^\n");
  assert_error("abc", 2, "m.tck:1:3: no such clock\n  abc\n    ^\n");
}

// The mark at the beginning of a text takes no column.
static void test_mark(void **state) {
  (void)state;
  assert_error("\xEF\xBB\xBF"
               "abc",
               3, "m.tck:1:1: no such clock\n  abc\n  ^\n");
  assert_error("\xEF\xBB\xBF"
               "abc",
               0, "m.tck:1:1: no such clock\n  abc\n  ^\n");
  assert_error("\xEF\xBB\xBF"
               "a\nbc",
               6, "m.tck:2:2: no such clock\n  bc\n   ^\n");
  assert_error("\xEF\xBB", 0, "m.tck:1:1: no such clock\n  \xEF\xBB\n  ^\n");
}

static void test_ends(void **state) {
  (void)state;
  // At the newline, at the end with and without one, beyond it, and with nothing at all.
  assert_error("abc\nd", 3, "m.tck:1:4: no such clock\n  abc\n     ^\n");
  assert_error("abc", 3, "m.tck:1:4: no such clock\n  abc\n     ^\n");
  assert_error("abc\n", 4, "m.tck:2:1: no such clock\n  \n  ^\n");
  assert_error("abc", 1000, "m.tck:1:4: no such clock\n  abc\n     ^\n");
  assert_error("", 0, "m.tck:1:1: no such clock\n  \n  ^\n");
  assert_error("\n\n\n", 1, "m.tck:2:1: no such clock\n  \n  ^\n");
}

// Tabs and other control characters take one column, in the line as under it.
static void test_control_characters(void **state) {
  (void)state;
  assert_error("\tx\ty", 3, "m.tck:1:4: no such clock\n   x y\n     ^\n");
  assert_error("a\r\nb\r\n", 3, "m.tck:2:1: no such clock\n  b \n  ^\n");
  assert_error("a\x1b[31mb\x7f", 6, "m.tck:1:7: no such clock\n  a [31mb \n        ^\n");
  assert_error("caf\xc3\xa9 x", 0, "m.tck:1:1: no such clock\n  caf\xc3\xa9 x\n  ^\n");
}

static void test_zero_bytes(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f, "a\0b\0\nc\0d", 8);
  report_error(&f.report, place_at(&f, 7), "bad");
  assert_string_equal(text_chars(&f.report.error), "m.tck:2:3: bad\n  c d\n    ^\n");
  fixture_release(&f);
}

// Whatever the length of the line, at most 100 columns are shown, and the caret is under the
// character of the place.
static void test_long_lines(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  static char text[2000];
  for (int round = 0; round < 3000; round++) {
    const uint32_t size = random_below(&random, random_below(&random, 2) ? 300 : sizeof text);
    for (uint32_t i = 0; i < size; i++)
      text[i] = random_below(&random, 200) ? (char)random_between(&random, '!', '~') : '\n';
    const uint32_t offset = random_below(&random, size + 1);
    Fixture f;
    fixture_init(&f, text, size);
    report_error(&f.report, place_at(&f, offset), "bad");
    const char *error = text_chars(&f.report.error);
    const char *line = strchr(error, '\n') + 1, *under = strchr(line, '\n') + 1;
    assert_true(under - line <= 2 + 100 + 1);
    const size_t caret = strspn(under, " ");
    assert_string_equal(under + caret, "^\n");
    assert_in_range(caret, 2, 2 + 75);
    const bool at_end = offset == size || text[offset] == '\n';
    assert_int_equal(line[caret], at_end ? '\n' : text[offset]);
    // Line and column by counting.
    unsigned number = 1, column = 1;
    for (uint32_t i = 0; i < offset; i++, column++)
      if (text[i] == '\n')
        number++, column = 0;
    char place[40];
    snprintf(place, sizeof place, "m.tck:%u:%u: bad\n", number, column);
    assert_memory_equal(error, place, strlen(place));
    fixture_release(&f);
  }
}

// Characters of several bytes are one column wide, and none is cut.
static void test_characters(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f, "/* \u00e4\U0001d4b3 */ bad", 16);
  report_error(&f.report, place_at(&f, 13), "bad");
  assert_string_equal(text_chars(&f.report.error),
                      "m.tck:1:14: bad\n  /* \u00e4\U0001d4b3 */ bad\n           ^\n");
  fixture_release(&f);
  for (size_t shift = 0; shift < 4; shift++) {
    char text[700];
    memset(text, 'a', shift);
    for (size_t i = 0; i < 160; i++)
      memcpy(text + shift + 4 * i, "\U0001d4b3", 4);
    for (size_t at = 0; at < 160; at += 20) {
      fixture_init(&f, text, shift + 640);
      report_error(&f.report, place_at(&f, (uint32_t)(shift + 4 * at)), "bad");
      const char *line = strchr(text_chars(&f.report.error), '\n') + 3, *end = strchr(line, '\n');
      line += strspn(line, "a");
      assert_int_equal((end - line) % 4, 0);
      for (; line < end; line += 4)
        assert_memory_equal(line, "\U0001d4b3", 4);
      fixture_release(&f);
    }
  }
}

static void test_first_error_stays(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f, "abc", 3);
  assert_false(report_failed(&f.report));
  report_error(&f.report, (Place){0}, "first");
  assert_true(report_failed(&f.report));
  report_error(&f.report, place_at(&f, 1), "second");
  assert_string_equal(text_chars(&f.report.error), "first\n");
  report_clear(&f.report);
  assert_false(report_failed(&f.report));
  assert_string_equal(text_chars(&f.report.error), "");
  report_error(&f.report, (Place){0}, "third");
  assert_string_equal(text_chars(&f.report.error), "third\n");
  fixture_release(&f);
}

static void test_warnings_accumulate(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f, "abc", 3);
  report_warning(&f.report, place_at(&f, 1), "odd %d", 1);
  report_error(&f.report, (Place){0}, "wrong");
  report_warning(&f.report, (Place){0}, "odd %d", 2);
  assert_int_equal(f.report.warning_count, 2);
  assert_string_equal(text_chars(&f.report.warnings),
                      "m.tck:1:2: warning: odd 1\n  abc\n   ^\nwarning: odd 2\n");
  assert_string_equal(text_chars(&f.report.error), "wrong\n");
  report_clear(&f.report);
  assert_int_equal(f.report.warning_count, 0);
  assert_string_equal(text_chars(&f.report.warnings), "");
  fixture_release(&f);
}

// Without memory no message is kept, only that there was one.
static void test_unread(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f, "abc", 3);
  Report unread = {0};
  report_warning(&unread, place_at(&f, 1), "odd");
  assert_false(report_failed(&unread));
  for (int i = 0; i < 2; i++) {
    report_error(&unread, place_at(&f, 1), "wrong %d", i);
    assert_true(report_failed(&unread));
    assert_string_equal(text_chars(&unread.error), "");
    report_clear(&unread);
    assert_false(report_failed(&unread));
  }
  fixture_release(&f);
}

static void test_place(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f, "a\nbc", 4);
  Text text = {.mem = &f.mem};
  report_place(&text, (Place){0});
  assert_string_equal(text_chars(&text), "");
  report_place(&text, place_at(&f, 3));
  assert_string_equal(text_chars(&text), "m.tck:2:2");
  text_release(&text);
  fixture_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_error),
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_mark),
      cmocka_unit_test(test_control_characters),
      cmocka_unit_test(test_zero_bytes),
      cmocka_unit_test(test_long_lines),
      cmocka_unit_test(test_characters),
      cmocka_unit_test(test_first_error_stays),
      cmocka_unit_test(test_warnings_accumulate),
      cmocka_unit_test(test_unread),
      cmocka_unit_test(test_place),
  };
  return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
