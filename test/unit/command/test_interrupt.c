#define _POSIX_C_SOURCE 200809L
#include "command/interrupt.h"

#include "command/check_command.h"
#include "commands.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A signal ends the search, and the answer says so.
static void test_signal(void **state) {
  (void)state;
  static char model[1 << 16];
  Command command = {.tarn = tarn_init()};
  const char *const size[] = {"12"};
  assert_true(tarn_generate_buffer(command.tarn, model, sizeof model, "fischer", 1, size) > 0);
  assert_int_equal(tarn_read_text(command.tarn, model, "tchecker"), 0);
  assert_int_equal(tarn_set(command.tarn, "symmetry", "off"), 0);
  interrupt_watch(&command);
  assert_false(interrupt_came());
  raise(SIGTERM);
  assert_true(interrupt_came());
  raise(SIGINT); // at once: the same, as timeout(1) sends it
  assert_int_equal(tarn_check(command.tarn, NULL), TARN_UNDECIDED);
  assert_string_equal(tarn_reason(command.tarn), "interrupted");
  tarn_release(command.tarn);
}

// A second one ends the program.
static void test_second(void **state) {
  (void)state;
  const struct timespec later = {.tv_nsec = 300000000};
  const pid_t child = fork();
  if (!child) {
    nanosleep(&later, NULL);
    raise(SIGINT);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

// Queries that are left when a signal comes are not decided, though all before them got the
// answer that is expected.
static void test_left(void **state) {
  (void)state;
  commands_file("e.xml",
                "<nta><template><name>P</name><location id=\"a\"><name>A</name></location>"
                "<init ref=\"a\"/></template><system>system P;</system><queries>"
                "<query><formula>E&lt;&gt; P.D</formula><expect outcome=\"error\"/></query>"
                "<query><formula>E&lt;&gt; P.A</formula></query></queries></nta>\n");
  assert_true(interrupt_came());
  assert_int_equal(commands_run(check_command, "e.xml"), STATUS_UNDECIDED);
}

COMMANDS_MAIN("interrupt", cmocka_unit_test(test_signal), cmocka_unit_test(test_second),
              cmocka_unit_test(test_left))
