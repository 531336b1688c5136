// The language service by its messages: what test/lsp_client.py has no easy way to send.
#include "plan/service/service.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static char last[1 << 16];
static int count;

static void keep(void *state, const char *message, size_t size) {
  (void)state;
  snprintf(last, sizeof last, "%.*s", (int)size, message);
  count++;
}

static int receive(Service *s, const char *message) {
  return service_receive(s, message, strlen(message));
}

#define OPEN(uri, text)                                                                          \
  "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"" uri            \
  "\",\"text\":\"" text "\"}}}"

static void test_messages(void **state) {
  (void)state;
  Service *s = service_new(&(ServiceCalls){.send = keep});
  assert_int_equal(receive(s, "{\"id\":1,\"method\":\"initialize\"}"), 0);
  assert_non_null(strstr(last, "\"renameProvider\""));
  assert_false(service_waits(s));
  receive(s, OPEN("file:///a%20b.xta", "clock x; int y = z;"));
  assert_true(service_waits(s));
  service_idle(s);
  assert_false(service_waits(s));
  assert_non_null(strstr(last, "`z` is not declared"));
  receive(s, OPEN("file:///a%20b.xta", "")); // once more: it replaces the first
  service_idle(s);
  assert_non_null(strstr(last, "there is no `system` line"));
  receive(s, "{\"id\":\"x\",\"method\":\"shutdown\"}");
  assert_string_equal(last, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":null}");
  assert_int_equal(receive(s, "{\"method\":\"exit\"}"), 1);
  service_release(s);
}

static void poll(void *state) { (void)state; }

// What comes before `initialize` or after `shutdown` has no effect; `initialize` comes once.
static void test_order(void **state) {
  (void)state;
  Service *s = service_new(&(ServiceCalls){.send = keep});
  service_set_poll(s, NULL, poll);
  receive(s, OPEN("file:///a.xta", "clock"));
  assert_false(service_waits(s));
  receive(s, "{\"id\":1,\"method\":\"textDocument/hover\"}");
  assert_non_null(strstr(last, "-32002"));
  receive(s, "{\"id\":1,\"method\":\"initialize\"}");
  receive(s, "{\"id\":1,\"method\":\"initialize\"}");
  assert_non_null(strstr(last, "-32600"));
  receive(
      s,
      "{\"id\":1,\"method\":\"workspace/executeCommand\",\"params\":{\"command\":\"tarn.x\"}}");
  assert_non_null(strstr(last, "there is no such command"));
  receive(s, "{\"id\":2,\"method\":\"shutdown\"}");
  receive(s, OPEN("file:///a.xta", "clock"));
  assert_false(service_waits(s));
  service_release(s);
}

// Halves of a character, as strings of JavaScript can have them, do not lose a change.
static void test_halves(void **state) {
  (void)state;
  Service *s = service_new(&(ServiceCalls){.send = keep});
  receive(s,
          OPEN("file:///a.xta", "int \\ud83d = 1; // \\\\ud83d \\ud83d\\ude00 \\udc00\\ud800"));
  assert_true(service_waits(s));
  receive(
      s, "{\"id\":1,\"method\":\"textDocument/formatting\",\"params\":{\"textDocument\":{\"uri\":"
         "\"file:///a.xta\"},\"x\":\"\\ud83d");
  assert_non_null(strstr(last, "-32700"));
  service_release(s);
}

// A location without a name, and others behind it, which edges lead to.
static void test_nameless_location(void **state) {
  (void)state;
  Service *s = service_new(&(ServiceCalls){.send = keep});
  receive(s, OPEN("file:///a.xta", "process P() { state (, a, b; init a; trans a -> b; } process "
                                   "Q() { state c, ( { x }, d, e;"
                                   " init c; trans c -> d, d -> e; } system P, Q;"));
  service_idle(s);
  assert_non_null(strstr(last, "the name of a location"));
  service_release(s);
}

// Whatever comes, there is an answer or silence.
static void test_nonsense(void **state) {
  (void)state;
  static const char *const messages[] = {
      "",
      "null",
      "{}",
      "[{}]",
      "{\"id\":{},\"method\":\"x\"}",
      "{\"id\":1,\"method\":\"textDocument/hover\"}",
      "{\"id\":1,\"method\":\"textDocument/hover\",\"params\":[]}",
      "{\"id\":1,\"method\":\"textDocument/hover\",\"params\":{\"textDocument\":{\"uri\":3}}}",
      "{\"id\":1,\"method\":\"textDocument/hover\",\"params\":{\"textDocument\":{\"uri\":\"u\"},"
      "\"position\":{\"line\":-1,\"character\":1e99}}}",
      "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":\"u\"},"
      "\"contentChanges\":[1,{},{\"text\":1},{\"range\":{},\"text\":\"(\"},{\"range\":{\"start\":"
      "{\"line\":9},\"end\":{}},\"text\":\"\\u0000\"}]}}",
      "{\"method\":\"textDocument/didOpen\",\"params\":{}}",
      "{\"id\":1,\"method\":\"workspace/executeCommand\",\"params\":{\"command\":\"tarn.check\","
      "\"arguments\":[\"u\",-5]}}",
      "{\"id\":1,\"method\":\"textDocument/"
      "rename\",\"params\":{\"textDocument\":{\"uri\":\"u\"}}}",
      "{\"id\":1,\"result\":5}",
      "{\"method\":\"textDocument/didClose\",\"params\":{\"textDocument\":{\"uri\":\"v\"}}}",
  };
  Service *s = service_new(&(ServiceCalls){.send = keep});
  receive(s, OPEN("u", "int a; process P("));
  for (int round = 0; round < 2; round++)
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
      assert_int_equal(receive(s, messages[i]), 0);
      service_idle(s);
    }
  assert_int_equal(receive(s, "{\"method\":\"exit\"}"), 2);
  service_release(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_messages), cmocka_unit_test(test_order),
      cmocka_unit_test(test_nameless_location), cmocka_unit_test(test_halves),
      cmocka_unit_test(test_nonsense)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
