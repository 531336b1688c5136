#define _POSIX_C_SOURCE 200809L
#include "command/wire.h"

#include "commands.h"

#include <fcntl.h>
#include <sys/socket.h>

static void join(Wire *a, Wire *b) {
  int ends[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  for (int i = 0; i < 2; i++)
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  *a = (Wire){.file = ends[0]};
  *b = (Wire){.file = ends[1]};
}

static void expect(Wire *wire, FrameKind kind, uint32_t ticket, const char *text) {
  Frame frame;
  const char *found;
  assert_true(wire_next(wire, &frame, &found));
  assert_int_equal(frame.kind, kind);
  assert_int_equal(frame.ticket, ticket);
  assert_int_equal(frame.size, strlen(text));
  assert_memory_equal(found, text, strlen(text));
}

static void test_frames(void **state) {
  (void)state;
  Wire a, b;
  Frame frame;
  const char *text;
  join(&a, &b);
  assert_true(wire_put(&a, FRAME_MESSAGE, 7, "one", 3) && wire_put(&a, FRAME_CANCEL, 8, "", 0));
  assert_true(wire_flush(&a) && wire_is_flushed(&a));
  assert_false(wire_next(&b, &frame, &text));
  assert_true(wire_fill(&b));
  // What is looked at stays, and each frame is shown once.
  assert_true(wire_look_ahead(&b, &frame, &text) && frame.ticket == 7);
  assert_true(wire_look_ahead(&b, &frame, &text) && frame.ticket == 8);
  assert_false(wire_look_ahead(&b, &frame, &text));
  expect(&b, FRAME_MESSAGE, 7, "one");
  assert_true(wire_fill(&b)); // nothing has come: not the end
  assert_true(wire_put(&a, FRAME_EVENT, 9, "two", 3) && wire_flush(&a) && wire_fill(&b));
  assert_true(wire_look_ahead(&b, &frame, &text) && frame.ticket == 9);
  expect(&b, FRAME_CANCEL, 8, "");
  expect(&b, FRAME_EVENT, 9, "two");
  wire_release(&a);
  assert_false(wire_fill(&b));
  wire_release(&b);
}

// More than a socket takes: the writer does not wait, and nothing is lost.
static void test_much(void **state) {
  (void)state;
  enum { SIZE = 3000000 };
  char *text = malloc(SIZE);
  Wire a, b;
  Frame frame;
  const char *found;
  join(&a, &b);
  for (int i = 0; i < SIZE; i++)
    text[i] = (char)(i * 7);
  assert_true(wire_put(&a, FRAME_ANSWER, 1, text, SIZE));
  do {
    assert_true(wire_flush(&a) && wire_fill(&b));
  } while (!wire_next(&b, &frame, &found));
  assert_true(wire_is_flushed(&a));
  assert_int_equal(frame.size, SIZE);
  assert_memory_equal(found, text, SIZE);
  wire_release(&b);
  assert_true(wire_put(&a, FRAME_ANSWER, 2, text, 1));
  assert_false(wire_flush(&a)); // nobody is there
  wire_release(&a);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_much)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
