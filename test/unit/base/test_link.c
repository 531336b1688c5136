// Links: what is told is heard, whole and in order; and a process that is alone has none.
#define _POSIX_C_SOURCE 200809L
#include "base/link.h"
#include "fakelink.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MESSAGES = 50 };

static void *tell(void *context) {
  for (uint32_t i = 0; i < MESSAGES; i++)
    link_tell(context, 0, &i, sizeof i);
  return NULL;
}

static void test_order(void **state) {
  (void)state;
  Mem mem = {0};
  Link *link = fakelink_new(2);
  pthread_t thread;
  pthread_create(&thread, NULL, tell, fakelink_at(link, 1));
  for (uint32_t i = 0; i < MESSAGES; i++) {
    uint32_t heard = 0;
    if (i % 2) {
      link_hear_into(link, 1, &heard, sizeof heard);
    } else {
      size_t size;
      void *bytes = link_hear(link, &mem, LINK_ANY, &size);
      assert_int_equal(size, sizeof heard);
      memcpy(&heard, bytes, size);
      mem_free(&mem, bytes);
    }
    assert_int_equal(heard, i);
  }
  pthread_join(thread, NULL);
  fakelink_release(link);
  assert_int_equal(mem.bytes, 0);
}

static void test_alone(void **state) {
  (void)state;
  Mem mem = {0};
  const char *error = "";
  assert_null(link_open(&mem, &error));
  assert_null(error);
#ifndef TARN_MPI
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  assert_null(link_open(&mem, &error));
  assert_non_null(error);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_alone)};
  return cmocka_run_group_tests_name("link", tests, NULL, NULL);
}
