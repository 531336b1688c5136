#define _POSIX_C_SOURCE 200809L
#include "command/check_command.h"

#include "commands.h"

static int check(const char *words) { return commands_run(check_command, words); }

static void test_status(void **state) {
  (void)state;
  commands_file("m.tck", COMMANDS_SMALL);
  assert_int_equal(check("-q E<>_P.C m.tck"), STATUS_OK);
  assert_string_equal(commands_out, "E<> P.C: satisfied\n");
  assert_int_equal(check("-q E<>_P.C -q A[]_P.A m.tck"), STATUS_NOT_SATISFIED);
  assert_int_equal(check("-l far m.tck"), STATUS_OK);
  assert_int_equal(check("m.tck"), STATUS_OK); // explores everything, and shows statistics
  commands_print(commands_out, "visited");
  assert_int_equal(check("missing.tck"), STATUS_ERROR);
  // Undecided outweighs what is not satisfied.
  assert_int_equal(check("-q A[]_P.A -q E<>_P.C --time-limit 0.0000001 m.tck"), STATUS_UNDECIDED);
}

// A mistake in the last query is told before the first search.
static void test_mistakes_first(void **state) {
  (void)state;
  commands_file("m.tck", COMMANDS_SMALL);
  assert_int_equal(check("-q E<>_P.C -q E<>_P.D m.tck"), STATUS_ERROR);
  assert_string_equal(commands_out, "");
  commands_print(commands_err, "no location `D`");
}

// Queries of an UPPAAL model are refused one by one, and what is expected is fine.
static void test_expectations(void **state) {
  (void)state;
  commands_file("u.xta", COMMANDS_UPPAAL);
  commands_file("u.q", "E<> P.D\nE<> P.C\n");
  assert_int_equal(check("u.xta"), STATUS_ERROR); // as all others are satisfied
  commands_print(commands_out, "E<> P.C: satisfied");
  static const char *const outcomes[] = {"failure", "success"};
  for (int i = 0; i < 2; i++) {
    char model[1000], report[1000];
    snprintf(model, sizeof model,
             "<nta><template><name>P</name><location id=\"a\"><name>A</name></location>"
             "<location id=\"b\"><name>B</name></location><init ref=\"a\"/><transition>"
             "<source ref=\"a\"/><target ref=\"b\"/></transition></template>"
             "<system>system P;</system><queries><query><formula>A[] P.A</formula>"
             "<expect outcome=\"%s\"/></query></queries></nta>\n",
             outcomes[i]);
    commands_file("e.xml", model);
    assert_int_equal(check("--junit j.xml e.xml"), i ? STATUS_NOT_SATISFIED : STATUS_OK);
    commands_read("j.xml", report, sizeof report);
    assert_non_null(strstr(report, i ? "failures=\"1\"" : "failures=\"0\""));
    commands_print(commands_out, "A[] P.A: not satisfied");
    commands_print(commands_out, i ? "0 of 1 expectations met" : "1 of 1 expectations met");
  }
}

// Each of several queries has files of its own; evidence that cannot be written is an error, but
// the answer is shown.
static void test_files(void **state) {
  (void)state;
  char text[100];
  commands_file("m.tck", COMMANDS_SMALL);
  assert_int_equal(check("-q A[]_n<3 -q A[]_n<2 --certificate proof.txt m.tck"), STATUS_OK);
  for (int i = 1; i <= 2; i++) {
    snprintf(text, sizeof text, "proof-%d.txt", i);
    assert_int_equal(access(text, R_OK), 0);
  }
  assert_int_not_equal(access("proof.txt", R_OK), 0);
  assert_int_equal(check("-q A[]_n<3 -q A[]_n<2 --certificate .proof m.tck"), STATUS_OK);
  assert_int_equal(access(".proof-2", R_OK), 0);
  assert_int_equal(check("-q A[]_n<3 --certificate missing/proof m.tck"), STATUS_ERROR);
  assert_int_equal(check("-q E<>_P.C --html missing/page.html m.tck"), STATUS_ERROR);
  assert_string_equal(commands_out, ""); // known before the search
  assert_int_equal(check("-q E<>_P.C --json --junit report.xml m.tck"), STATUS_OK);
  commands_print(commands_out, "\"verdict\": \"satisfied\"");
  commands_read("report.xml", text, sizeof text);
  commands_print(text, "<testsuite");
}

COMMANDS_MAIN("check_command", cmocka_unit_test(test_status),
              cmocka_unit_test(test_mistakes_first), cmocka_unit_test(test_expectations),
              cmocka_unit_test(test_files))
