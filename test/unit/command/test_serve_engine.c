#define _POSIX_C_SOURCE 200809L
#include "command/serve_engine.h"

#include "command/wire.h"
#include "commands.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#define MODEL "process P() { state A, B; init A; trans A -> B { }; } system P;"

typedef struct Client {
  Wire wire;
  pid_t pid;
  uint32_t ticket;
  char *answer;
} Client;

static Client begin(void) {
  int file = -1;
  Client c = {.pid = serve_engine_begin(&(EngineLimits){20, 500}, &file)};
  assert_true(c.pid > 0);
  c.wire.file = file;
  return c;
}

static void send_frame(Client *c, FrameKind kind, uint32_t ticket, const char *text) {
  assert_true(wire_put(&c->wire, kind, ticket, text, strlen(text)) && wire_flush_all(&c->wire));
}

static Frame next(Client *c) {
  Frame frame;
  const char *text;
  while (!wire_next(&c->wire, &frame, &text)) {
    struct pollfd end = {.fd = c->wire.file, .events = POLLIN};
    assert_int_equal(poll(&end, 1, 60000), 1);
    assert_true(wire_fill(&c->wire));
  }
  if (frame.kind == FRAME_ANSWER) {
    free(c->answer);
    c->answer = strndup(text, frame.size);
  }
  return frame;
}

// The answer to a message; checks may begin when they like, and `cancel` is sent then.
static const char *ask(Client *c, const char *message, const char *cancel) {
  free(c->answer);
  c->answer = NULL;
  send_frame(c, FRAME_MESSAGE, ++c->ticket, message);
  for (;;) {
    const Frame frame = next(c);
    if (frame.kind == FRAME_WANT)
      send_frame(c, FRAME_GRANT, frame.ticket, "");
    if (frame.kind == FRAME_WANT && cancel)
      send_frame(c, *cancel ? FRAME_MESSAGE : FRAME_CANCEL, c->ticket, cancel);
    if (frame.kind == FRAME_DONE && frame.ticket == c->ticket)
      return c->answer ? c->answer : "";
  }
}

static void end(Client *c) {
  int status;
  wire_release(&c->wire);
  assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
  assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
  free(c->answer);
}

#define READ(model) "{\"id\":1,\"method\":\"tarn/read\",\"params\":{\"text\":\"" model "\"}}"
#define CHECK(options)                                                                           \
  "{\"id\":2,\"method\":\"tarn/check\",\"params\":{\"query\":\"E<> P.B\",\"options\":{" options  \
  "}}}"

static void test_messages(void **state) {
  (void)state;
  Client c = begin();
  assert_non_null(strstr(ask(&c, "x", NULL), "this is not JSON"));
  assert_non_null(strstr(ask(&c, CHECK(""), NULL), "no model was read"));
  assert_non_null(strstr(ask(&c, READ(MODEL), NULL), "\"model\""));
  assert_non_null(strstr(ask(&c, CHECK(""), NULL), "\"satisfied\""));
  assert_non_null(strstr(ask(&c, CHECK("\"certificate\":\"x\""), NULL), "name a file"));
  assert_non_null(strstr(ask(&c, CHECK("\"time-limit\":\"-1\""), NULL), "\"error\""));
  assert_string_equal(ask(&c, "{\"method\":\"textDocument/didClose\"}", NULL), "");
  end(&c);
}

// A check ends at once, by either way; the model stays as it was read.
static void test_cancel(void **state) {
  (void)state;
  Client c = begin();
  static const char counting[] =
      READ("int a[9]; process P(int[0,8] i) { state B; init B; trans B -> B { guard a[i] < 9; "
           "assign a[i] = a[i] + 1; }; } system P;");
  static const char long_check[] =
      "{\"id\":2,\"method\":\"tarn/check\",\"params\":{\"query\":\"E<> a[0] == 10\",\"options\":{"
      "\"symmetry\":\"off\",\"partial-order\":\"off\"}}}";
  assert_non_null(strstr(ask(&c, counting, NULL), "\"model\""));
  assert_non_null(strstr(ask(&c, long_check, ""), "-32800"));
  assert_non_null(strstr(
      ask(&c, long_check, "{\"method\":\"$/cancelRequest\",\"params\":{\"id\":2}}"), "-32800"));
  assert_non_null(strstr(
      ask(&c, "{\"id\":3,\"method\":\"tarn/check\",\"params\":{\"query\":\"E<> a[0] == 1\"}}",
          NULL),
      "\"satisfied\""));
  end(&c);
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_messages),
                                     cmocka_unit_test(test_cancel)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
