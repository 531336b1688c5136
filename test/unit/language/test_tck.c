#include "model/initial.h"
#include "model/state.h"
#include "reading.h"

static void test_declarations(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, "# before\n\n  system : S.1 # name\n\nprocess:P\nevent:e\nclock:3:c\n"
                     "int:2:-5:+5:-1:v\nint:1:0:2147483647:7:w\nlocation:P:l{initial:}\n"
                     "process:Q_2\nlocation:Q_2:l{initial:}\nlocation:P:m\n"
                     "edge : P : l : m : e\nedge:Q_2:l:l:e\nsync:P@e:Q_2@e?\n# end");
  const Net *net = &r.net;
  assert_string_equal(net->origin.name, "S.1");
  assert_int_equal(net->processes.size, 2);
  assert_int_equal(net->clock_count, 3);
  assert_string_equal(net->clock_names[3], "c[2]");
  assert_int_equal(net->location_slot, 3);
  assert_string_equal(net->slots.names[1], "v[1]");
  assert_int_equal(net->slots.min[1], -5);
  assert_int_equal(net->slots.max[1], 5);
  assert_int_equal(net->slots.initial[1], -1);
  assert_int_equal(net->slots.initial[2], 7);
  assert_int_equal(net->processes.items[0].location_count, 2);
  assert_int_equal(net->edges.size, 2);
  assert_int_equal(net->edges.items[1].process, 1);
  assert_int_equal(net->syncs.size, 1);
  assert_int_equal(net->syncs.items[0].parts.size, 2);
  assert_false(net->syncs.items[0].parts.items[0].weak);
  assert_true(net->syncs.items[0].parts.items[1].weak);
  assert_false(net->async[0]);
  assert_int_equal(r.report.warning_count, 0);
  reading_release(&r);
}

// Events, processes, variables and the locations of each process have names of their own.
static void test_name_spaces(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, "system:a\nprocess:a\nevent:a\nclock:1:a\nlocation:a:a{initial: : "
                     "labels: a : invariant: a<=1}\nprocess:b\nlocation:b:a{initial:}\n"
                     "edge:a:a:a:a\n");
  reading_release(&r);
  reading_refuse("int:1:0:1:0:x", "`x` is declared twice; the first time at model:6:9");
  reading_refuse("clock:1:i", "`i` is declared twice");
  reading_refuse("process:P", "process `P` is declared twice");
  reading_refuse("event:a", "event `a` is declared twice");
  reading_refuse("location:P:A", "location `A` is declared twice");
}

static void test_carriage_returns(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, "\xEF\xBB\xBFsystem:s\r\nprocess:P\r\nlocation:P:l{initial:}\r\n");
  assert_string_equal(r.net.origin.name, "s");
  reading_release(&r);
}

static void test_errors(void **unused) {
  (void)unused;
  reading_refuse("clok:1:t", "`clok` starts no declaration; did you mean `clock`?");
  reading_refuse("2:1:t", "expected a declaration, such as `clock:1:x`, found `2`");
  reading_refuse("system:t", "the `system` is declared twice; the first time at model:1:8");
  reading_refuse("process", "expected `:` after the keyword, found the end of the line");
  reading_refuse("process:", "expected the name of a process, found the end of the line");
  reading_refuse("process:1", "the name of a process must begin with a letter");
  reading_refuse("process:int", "`int` is a reserved word: it cannot be the name of a process");
  reading_refuse("process:R S", "expected `{` or the end of the line, found `S`");
  reading_refuse("clock:x",
                 "expected the number of clocks, found `x`; the form is `clock:size:name`");
  reading_refuse("clock:0:t", "the number of clocks is `0`, but must be between 1 and 1000");
  reading_refuse("clock:-1:t", "the number of clocks is `-1`");
  reading_refuse("clock:1000:t", "these make 1005 clocks; more than 1000 are not");
  reading_refuse("clock:99999999999:t", "the number of clocks is `99999999999`");
  reading_refuse("clock:1:t:u", "expected `{` or the end of the line, found `:`");
  reading_refuse("int:1:0:1:t", "expected the initial value, found `t`");
  reading_refuse("int:65536:0:1:0:t", "these make 65542 elements");
  reading_refuse("int:1:5:0:0:t", "the range is empty: 0 is less than 5");
  reading_refuse("int:1:0:5:6:t", "the initial value is `6`, but must be between 0 and 5");
  reading_refuse("int:1:0:2147483648:0:t", "the greatest value is `2147483648`");
  reading_refuse("int:1:-2147483649:0:0:t", "the least value is `-2147483649`");
  reading_refuse("location:R:A", "process `R` is not declared");
  reading_refuse("location:P", "expected `:` after the process");
  reading_refuse("edge:P:A:Z:a", "location `Z` is not declared in process `P`");
  reading_refuse("edge:P:A:B:c", "event `c` is not declared");
  reading_refuse("edge:P:A:B", "expected `:` after the target");
  reading_warn("sync:P@a", "a synchronisation of one process");
  reading_refuse("sync:P@a:P@b", "process `P` occurs twice in this synchronisation");
  reading_refuse("process:R process:S", "a line of its own");
  reading_refuse("sync:P:Q", "expected `@` after the process");
  reading_refuse("sync:P@a:R@a", "process `R` is not declared");
  reading_refuse("sync:P@a:Q@c", "event `c` is not declared");
  reading_refuse("sync:", "expected the name of a process");
}

// TChecker reads these, too: there is no initial state then.
static void test_no_initial(void **unused) {
  (void)unused;
  static const char *const cases[][2] = {
      {"system:s\nprocess:P\n", "process `P` has no location"},
      {"system:s\nprocess:P\nlocation:P:l\n", "process `P` has no initial location"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Reading r;
    reading_accept(&r, cases[i][0]);
    assert_non_null(strstr(text_chars(&r.report.warnings), cases[i][1]));
    int32_t state[1];
    assert_false(state_initial(&r.net, state, 0));
    assert_false(state_initial(&r.net, state, 1));
    assert_string_equal(initial_lacking(&r.net)->name, "P");
    reading_release(&r);
  }
}

static void test_whole_file(void **unused) {
  (void)unused;
  static const char *const cases[][2] = {
      {"", "the model is empty"},
      {"# nothing\n", "the model is empty"},
      {"process:P\n", "the first declaration must be `system`"},
      {"system:s\n", "no process"},
      {"system:s{", "never closed"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Reading r;
    assert_false(reading_model(&r, cases[i][0]));
    if (!strstr(reading_error(&r), cases[i][1]))
      fail_msg("%s: %s", cases[i][0], text_chars(&r.text));
    reading_release(&r);
  }
}

// Bytes that are no text, NULs among them.
static void test_bytes(void **unused) {
  (void)unused;
  const char model[] = "system:s\nprocess:P\nlocation:P:l{initial:}\n";
  for (size_t i = 0; i < sizeof model - 1; i++)
    for (int k = 0; k < 3; k++) {
      Reading r;
      char text[sizeof model];
      memcpy(text, model, sizeof model);
      text[i] = "\0\xFF{"[k];
      memset(&r, 0, sizeof r);
      r.arena.mem = r.text.mem = &r.mem;
      r.source = (Source){.name = "model", .text = text, .size = sizeof model - 1};
      report_init(&r.report, &r.mem);
      net_init(&r.net, &r.mem);
      tck_read(&r.net, &r.source, &r.report);
      reading_release(&r);
    }
}

static void test_weak_guard(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, PREAMBLE "edge:P:A:B:a{provided: i == 1}\nsync:P@a?:Q@a\n");
  assert_int_equal(r.report.warning_count, 1);
  assert_non_null(strstr(text_chars(&r.report.warnings), "event `a` is synchronised weakly"));
  reading_release(&r);
  reading_accept(&r, PREAMBLE "edge:P:A:B:a{provided: i == 1}\nsync:P@a:Q@a?\n");
  assert_int_equal(r.report.warning_count, 0);
  reading_release(&r);
}

// Long lists must not be slow, let alone quadratic.
static void test_large(void **unused) {
  (void)unused;
  enum { COUNT = 20000 };
  Mem mem = {0};
  Text text = {.mem = &mem};
  text_add(&text, "system:s\nevent:e\nprocess:P\nlocation:P:start{initial:}\n");
  for (int i = 0; i < COUNT; i++)
    text_addf(&text, "location:P:l%d\nedge:P:start:l%d:e{do: nop}\nevent:e%d\n", i, i, i);
  Reading r;
  reading_accept(&r, text_chars(&text));
  assert_int_equal(r.net.edges.size, COUNT);
  reading_release(&r);
  text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_declarations),
      cmocka_unit_test(test_name_spaces),
      cmocka_unit_test(test_carriage_returns),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_no_initial),
      cmocka_unit_test(test_whole_file),
      cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_weak_guard),
      cmocka_unit_test(test_large),
  };
  return cmocka_run_group_tests_name("tck", tests, NULL, NULL);
}
