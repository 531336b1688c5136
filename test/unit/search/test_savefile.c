// Save files: what was put in comes out; a file with any changed byte or without its end is not
// read.
#define _POSIX_C_SOURCE 200809L
#include "search/save/savefile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { NUMBERS = 3 * SAVEFILE_BLOCK / 8 + 5 };
static char path[] = "/tmp/test_savefile-XXXXXX";
static SaveFile save;

static void write_file(uint64_t numbers) {
  assert_true(savefile_create(&save, path));
  for (uint64_t i = 0; i < numbers; i++)
    savefile_put_number(&save, i * i);
  savefile_put(&save, "end", 3);
  assert_int_equal(savefile_finish(&save), 0);
}

static void read_file(uint64_t numbers) {
  uint64_t number;
  char end[4] = "";
  assert_null(savefile_open(&save, path));
  const long start = savefile_tell(&save);
  for (int round = 0; round < 2; round++) {
    for (uint64_t i = 0; i < numbers; i++) {
      assert_true(savefile_get_number(&save, &number));
      assert_int_equal(number, i * i);
    }
    assert_true(savefile_seek(&save, round ? savefile_tell(&save) : start));
  }
  assert_true(savefile_get(&save, end, 3));
  assert_string_equal(end, "end");
  savefile_close(&save);
}

static void test_whole(void **state) {
  (void)state;
  static const uint64_t numbers[] = {0, 1, SAVEFILE_BLOCK / 8 - 1, SAVEFILE_BLOCK / 8, NUMBERS};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    write_file(numbers[i]);
    read_file(numbers[i]);
  }
}

static void test_damaged(void **state) {
  (void)state;
  const long size = 8l * NUMBERS + 3 + 8;
  for (long at = 0; at < size; at += at < size - 20 ? 1999 : 1) {
    write_file(NUMBERS);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    fputc(byte ^ 1 << at % 8, file);
    fclose(file);
    assert_non_null(strstr(savefile_open(&save, path), "damaged"));
    write_file(NUMBERS);
    assert_int_equal(truncate(path, at), 0);
    assert_non_null(strstr(savefile_open(&save, path), "damaged"));
  }
}

static void test_errors(void **state) {
  (void)state;
  assert_non_null(savefile_open(&save, "/tmp/test_savefile/none"));
  assert_false(savefile_create(&save, "/tmp/test_savefile/none"));
  if (access("/dev/full", W_OK))
    skip();
  assert_true(savefile_create(&save, "/dev/full"));
  savefile_put(&save, path, sizeof path);
  assert_int_not_equal(savefile_finish(&save), 0);
}

int main(void) {
  const int descriptor = mkstemp(path);
  if (descriptor < 0)
    return 2;
  close(descriptor);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_damaged),
                                     cmocka_unit_test(test_errors)};
  const int failed = cmocka_run_group_tests_name("savefile", tests, NULL, NULL);
  unlink(path);
  return failed;
}
