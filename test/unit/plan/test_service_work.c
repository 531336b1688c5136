// Requests that are cancelled before and while they are worked on, and what is told of progress.
#include "plan/service/service_work.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct Sent {
  int count;
  char last[400];
} Sent;

static void keep(void *state, json_t *message) {
  Sent *sent = state;
  char *text = json_dumps(message, JSON_COMPACT);
  sent->count++;
  snprintf(sent->last, sizeof sent->last, "%s", text);
  free(text);
  json_decref(message);
}

static void notice(ServiceWork *w, const char *text) {
  service_work_notice(w, text, strlen(text));
}

static void test_cancel(void **state) {
  (void)state;
  Sent sent = {0};
  ServiceWork w = {.state = &sent, .send = keep};
  json_t *one = json_integer(1), *two = json_integer(2);
  assert_true(service_work_begin(&w, one));
  notice(&w, "{\"method\":\"$/cancelRequest\",\"params\":{\"id\":2}}");
  notice(&w, "{\"method\":\"$/cancelRequest\"}");
  notice(&w, "cancel");
  assert_false(w.is_cancelled);
  notice(&w, "{\"method\":\"$/cancelRequest\",\"params\":{\"id\":1}}");
  assert_true(w.is_cancelled);
  assert_true(service_work_stops(&w, 0));
  service_work_end(&w);
  assert_false(service_work_begin(&w, two)); // it was cancelled meanwhile
  service_work_end(&w);
  service_work_forget(&w, two);
  assert_true(service_work_begin(&w, two));
  service_work_end(&w);
  notice(&w, "{\"method\":\"textDocument/didChange\"}");
  assert_true(w.has_change);
  assert_int_equal(sent.count, 0);
  service_work_release(&w);
  json_decref(one);
  json_decref(two);
}

static void test_progress(void **state) {
  (void)state;
  Sent sent = {0};
  ServiceWork w = {.state = &sent, .send = keep, .makes_tokens = true};
  json_t *id = json_string("a");
  assert_true(service_work_begin(&w, id));
  service_work_tell(&w, NULL, "work");
  assert_non_null(strstr(sent.last, "window/workDoneProgress/create"));
  w.polled = 0;
  assert_false(service_work_stops(&w, 5)); // the client has not accepted the token
  assert_int_equal(sent.count, 1);
  notice(&w, "{\"id\":\"tarn-1\",\"result\":null}");
  w.polled = 0;
  assert_false(service_work_stops(&w, 5));
  assert_non_null(strstr(sent.last, "\"begin\""));
  w.polled = w.told = 0;
  service_work_stops(&w, 7);
  assert_non_null(strstr(sent.last, "7 states"));
  notice(&w, "{\"method\":\"window/workDoneProgress/cancel\",\"params\":{\"token\":\"tarn-1\"}}");
  assert_true(w.is_cancelled);
  service_work_end(&w);
  assert_non_null(strstr(sent.last, "\"end\""));
  assert_int_equal(sent.count, 4);
  service_work_release(&w);
  json_decref(id);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cancel),
                                     cmocka_unit_test(test_progress)};
  return cmocka_run_group_tests_name("service_work", tests, NULL, NULL);
}
