// The library through its own header: states and misuse, answers, errors, limits, interrupts.
#define _GNU_SOURCE // fmemopen, open_memstream
#include "tarn.h"

#include "aborts.h"
#include "sanitized.h"

#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <cmocka.h>

#define MODEL                                                                                    \
  "system:small\nevent:a\nclock:1:x\nint:1:0:3:0:n\nprocess:P\n"                                 \
  "location:P:l0{initial:}\nlocation:P:l1{labels: one,both}\nlocation:P:l2{labels: both}\n"      \
  "edge:P:l0:l1:a{provided: x>=2 : do: n=1}\nedge:P:l1:l2:a{provided: x<1}\n"

// x is reset in each unit of time, y never: endless without abstraction.
#define ENDLESS                                                                                  \
  "system:endless\nevent:a\nclock:1:x\nclock:1:y\nprocess:P\nlocation:P:l{initial:}\n"           \
  "edge:P:l:l:a{provided: x==1 : do: x=0}\n"

static Tarn *loaded(const char *model) {
  Tarn *tarn = tarn_init();
  assert_non_null(tarn);
  if (tarn_read_text(tarn, model, "tchecker"))
    fail_msg("%s", tarn_error(tarn));
  return tarn;
}

static void assert_says(const Tarn *tarn, const char *words) {
  if (!strstr(tarn_error(tarn), words))
    fail_msg("the error is: %s", tarn_error(tarn));
}

// What tarn_write writes; free it.
static char *written(Tarn *tarn, const char *what, const char *format) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  const int result = tarn_write(tarn, file, what, format);
  fclose(file);
  if (result)
    fail_msg("%s", tarn_error(tarn));
  return text;
}

static void assert_written(Tarn *tarn, const char *what, const char *format, const char *words) {
  char *text = written(tarn, what, format);
  if (!strstr(text, words))
    fail_msg("%s as %s is:\n%s", what, format, text);
  free(text);
}

static char *generated(const char *family, const char *size) {
  Tarn *tarn = tarn_init();
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  if (tarn_generate(tarn, file, family, 1, &size))
    fail_msg("%s", tarn_error(tarn));
  fclose(file);
  tarn_release(tarn);
  return text;
}

static void test_verdicts(void **state) {
  (void)state;
  Tarn *tarn = loaded(MODEL);
  assert_int_equal(tarn_check(tarn, "E<> P.l1"), TARN_SATISFIED);
  assert_null(tarn_reason(tarn));
  assert_int_equal(tarn_check(tarn, "E<> P.l2"), TARN_NOT_SATISFIED);
  assert_int_equal(tarn_check(tarn, "A[] !P.l2"), TARN_SATISFIED);
  assert_int_equal(tarn_check(tarn, "A[] n == 0"), TARN_NOT_SATISFIED);
  assert_int_equal(tarn_check(tarn, NULL), TARN_EXPLORED);
  assert_int_equal(tarn_check_labels(tarn, "one,both"), TARN_SATISFIED);
  assert_int_equal(tarn_check_labels(tarn, "one"), TARN_SATISFIED);
  assert_string_equal(tarn_error(tarn), "");
  assert_string_equal(tarn_warnings(tarn), "");
  assert_int_equal(tarn_query_count(tarn), 0);
  assert_null(tarn_query(tarn, 0));
  tarn_release(tarn);
}

static void test_statistics(void **state) {
  (void)state;
  Tarn *tarn = loaded(MODEL);
  assert_true(tarn_statistic(tarn, "visited") == 0);
  assert_true(isnan(tarn_statistic(tarn, "no-such-thing")));
  tarn_check(tarn, NULL);
  assert_true(tarn_statistic(tarn, "visited") == 2);
  assert_true(tarn_statistic(tarn, "stored") == 2);
  assert_true(tarn_statistic(tarn, "transitions") == 1);
  assert_true(tarn_statistic(tarn, "covered") == 0);
  assert_true(tarn_statistic(tarn, "seconds") >= 0);
  assert_true(tarn_statistic(tarn, "peak_bytes") > 0);
  // Those of the last check only.
  tarn_check(tarn, "E<> P.l0");
  assert_true(tarn_statistic(tarn, "visited") == 0);
  tarn_release(tarn);
}

// stored(n) = 2^n + n (2^n - 1) + n (n-1) 2^(n-2), whatever the order.
static void test_known_counts(void **state) {
  (void)state;
  for (int n = 2; n <= 5; n++)
    for (int dfs = 0; dfs < 2; dfs++) {
      const char size[] = {(char)('0' + n), 0};
      char *model = generated("csma", size);
      Tarn *tarn = loaded(model);
      assert_int_equal(tarn_set(tarn, "abstraction", "extra-lu+"), 0);
      assert_int_equal(tarn_set(tarn, "order", dfs ? "dfs" : "bfs"), 0);
      assert_int_equal(tarn_check(tarn, NULL), TARN_EXPLORED);
      const int power = 1 << n, stored = power + n * (power - 1) + n * (n - 1) * power / 4;
      assert_true(tarn_statistic(tarn, "stored") == stored);
      tarn_release(tarn);
      free(model);
    }
}

// Misuse: each call in each state in which it is not allowed, and without an object.

typedef void Call(void *tarn);

static void call_set(void *tarn) { tarn_set(tarn, "order", "dfs"); }
static void call_read(void *tarn) { tarn_read(tarn, "/no/such/file"); }
static void call_read_text(void *tarn) { tarn_read_text(tarn, MODEL, "tchecker"); }
static void call_query_count(void *tarn) { tarn_query_count(tarn); }
static void call_query(void *tarn) { tarn_query(tarn, 0); }
static void call_check(void *tarn) { tarn_check(tarn, "E<> P.l1"); }
static void call_check_labels(void *tarn) { tarn_check_labels(tarn, "one"); }
static void call_parse(void *tarn) { tarn_parse(tarn, "E<> P.l1"); }
static void call_parse_labels(void *tarn) { tarn_parse_labels(tarn, "one"); }
static void call_query_at(void *tarn) { tarn_query_at(tarn, 0); }
static void call_query_new(void *tarn) { tarn_query_new(tarn, "E<> P.l1"); }
static void call_query_labels(void *tarn) { tarn_query_labels(tarn, "one"); }
static void call_query_release(void *tarn) { tarn_query_release(tarn, NULL); }
static void call_check_query(void *tarn) { tarn_check_query(tarn, NULL); }
static void call_plan_query(void *tarn) { tarn_plan_query(tarn, NULL); }
static void call_parse_query(void *tarn) { tarn_parse_query(tarn, NULL); }
static void call_verdict(void *tarn) { tarn_verdict(tarn); }
static void call_reason(void *tarn) { tarn_reason(tarn); }
static void call_error(void *tarn) { tarn_error(tarn); }
static void call_warnings(void *tarn) { tarn_warnings(tarn); }
static void call_statistic(void *tarn) { tarn_statistic(tarn, "visited"); }
static void call_set_terminate(void *tarn) { tarn_set_terminate(tarn, NULL, NULL); }
static void call_write_model(void *tarn) { tarn_write(tarn, stderr, "model", "text"); }
static void call_write_answer(void *tarn) { tarn_write(tarn, stderr, "answer", "text"); }
static void call_write_stats(void *tarn) { tarn_write(tarn, stderr, "stats", "text"); }
static void call_write_answers(void *tarn) { tarn_write(tarn, stderr, "answers", "json"); }
static void call_generate(void *tarn) { tarn_generate(tarn, stderr, NULL, 0, NULL); }

static void test_misuse(void **state) {
  (void)state;
  enum { EMPTY = 1, LOADED = 2, ANSWERED = 4, ANY = 7 };
  const struct {
    Call *call;
    const char *name;
    int allowed;
  } rows[] = {
      {call_set, "tarn_set", ANY},
      {call_read, "tarn_read", EMPTY},
      {call_read_text, "tarn_read_text", EMPTY},
      {call_query_count, "tarn_query_count", LOADED | ANSWERED},
      {call_query, "tarn_query", LOADED | ANSWERED},
      {call_check, "tarn_check", LOADED | ANSWERED},
      {call_check_labels, "tarn_check_labels", LOADED | ANSWERED},
      {call_parse, "tarn_parse", LOADED | ANSWERED},
      {call_parse_labels, "tarn_parse_labels", LOADED | ANSWERED},
      {call_query_at, "tarn_query_at", LOADED | ANSWERED},
      {call_query_new, "tarn_query_new", LOADED | ANSWERED},
      {call_query_labels, "tarn_query_labels", LOADED | ANSWERED},
      {call_query_release, "tarn_query_release", LOADED | ANSWERED},
      {call_check_query, "tarn_check_query", LOADED | ANSWERED},
      {call_plan_query, "tarn_plan_query", LOADED | ANSWERED},
      {call_parse_query, "tarn_parse_query", LOADED | ANSWERED},
      {call_verdict, "tarn_verdict", ANY},
      {call_reason, "tarn_reason", ANSWERED},
      {call_error, "tarn_error", ANY},
      {call_warnings, "tarn_warnings", ANY},
      {call_statistic, "tarn_statistic", ANY},
      {call_set_terminate, "tarn_set_terminate", ANY},
      {call_write_model, "tarn_write", LOADED | ANSWERED},
      {call_write_answer, "tarn_write", ANSWERED},
      {call_write_stats, "tarn_write", ANSWERED},
      {call_write_answers, "tarn_write", ANY},
      {call_generate, "tarn_generate", ANY},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int now = 0; now <= ANSWERED; now = now ? 2 * now : 1) {
      Tarn *tarn = now == EMPTY ? tarn_init() : now ? loaded(MODEL) : NULL;
      if (now == ANSWERED)
        tarn_check(tarn, NULL);
      char words[64];
      snprintf(words, sizeof words, "%s: ", rows[i].name);
      if (aborts(rows[i].call, tarn, words) == !!(rows[i].allowed & now))
        fail_msg("%s in state %d", rows[i].name, now);
      tarn_release(tarn);
    }
  tarn_release(NULL);
}

typedef struct Foreign {
  Tarn *tarn;
  TarnQuery *query;
} Foreign;

static void check_foreign(void *foreign) {
  tarn_check_query(((Foreign *)foreign)->tarn, ((Foreign *)foreign)->query);
}

static void test_handles(void **state) {
  (void)state;
  Tarn *tarn = loaded(MODEL), *other = loaded(MODEL);
  TarnQuery *query = tarn_query_new(tarn, "E<> P.l1"), *wrong = tarn_query_new(tarn, "E<> P.l9");
  TarnQuery *labels = tarn_query_labels(tarn, "one");
  assert_string_equal(tarn_query_text(query), "E<> P.l1");
  assert_null(tarn_query_place(query));
  assert_null(tarn_query_expectation(query));
  assert_null(tarn_query_at(tarn, 0));
  assert_int_equal(tarn_parse_query(tarn, wrong), -1);
  assert_int_equal(tarn_check_query(tarn, wrong), -1);
  assert_says(tarn, "<query>:1:5: ");
  assert_int_equal(tarn_parse_query(tarn, query), 0);
  assert_int_equal(tarn_plan_query(tarn, query), 0);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(tarn_check_query(tarn, query), TARN_SATISFIED);
    assert_int_equal(tarn_is_expected(tarn), -1);
    assert_written(tarn, "answer", "text", "E<> P.l1: satisfied");
    assert_int_equal(tarn_check_query(tarn, labels), TARN_SATISFIED);
  }
  assert_int_equal(tarn_check_query(tarn, NULL), TARN_EXPLORED);
  Foreign foreign = {other, query};
  assert_true(aborts(check_foreign, &foreign, "tarn_check_query: "));
  tarn_query_release(tarn, query);
  tarn_query_release(tarn, wrong);
  tarn_release(tarn);
  tarn_release(other);
}

static void test_read_errors(void **state) {
  (void)state;
  Tarn *tarn = tarn_init();
  assert_int_equal(tarn_read_text(tarn, MODEL, "cobol"), -1);
  assert_says(tarn, "no language `cobol`");
  assert_int_equal(tarn_read(tarn, "/no/such/file.tck"), -1);
  assert_says(tarn, "/no/such/file.tck: No such file");
  assert_int_equal(tarn_read(tarn, "/"), -1);
  assert_int_equal(tarn_read_text(tarn, MODEL "edge:P:l0:nowhere:a\n", "tchecker"), -1);
  assert_says(tarn, "<text>:11:");
  assert_says(tarn, "\n  edge:P:l0:nowhere:a\n            ^\n");
  assert_int_equal(tarn_read_text(tarn, "", "tchecker"), -1);
  // Still EMPTY: the next one may be right, and has nothing of those before.
  assert_int_equal(tarn_read_text(tarn, MODEL, "tchecker"), 0);
  assert_string_equal(tarn_error(tarn), "");
  assert_int_equal(tarn_check(tarn, NULL), TARN_EXPLORED);
  assert_true(tarn_statistic(tarn, "stored") == 2);
  tarn_release(tarn);
}

static void test_check_errors(void **state) {
  (void)state;
  Tarn *tarn = loaded(MODEL);
  assert_int_equal(tarn_check(tarn, "E<> P.nowhere"), -1);
  assert_says(tarn, "<query>:1:");
  assert_int_equal(tarn_check(tarn, ""), -1);
  assert_int_equal(tarn_check_labels(tarn, "one,three"), -1);
  assert_says(tarn, "<labels>:1:5: ");
  // The state does not change: there is no answer yet, and the old one stays.
  assert_true(aborts(call_reason, tarn, "tarn_reason: "));
  assert_int_equal(tarn_check(tarn, "E<> P.l1"), TARN_SATISFIED);
  assert_string_equal(tarn_error(tarn), "");
  assert_int_equal(tarn_check(tarn, "E<>"), -1);
  assert_written(tarn, "answer", "text", "E<> P.l1: satisfied");
  tarn_release(tarn);
}

static void test_options(void **state) {
  (void)state;
  Tarn *tarn = loaded(MODEL);
  assert_int_equal(tarn_set(tarn, "order", "zigzag"), -1);
  assert_says(tarn, "bfs|dfs");
  assert_int_equal(tarn_set(tarn, "ordr", "dfs"), -1);
  assert_says(tarn, "did you mean `order`?");
  assert_int_equal(tarn_set(tarn, "json", "1"), -1);
  assert_says(tarn, "option of the command");
  assert_int_equal(tarn_set(tarn, "order", "dfs"), 0);
  assert_string_equal(tarn_error(tarn), "");
  TarnOption option;
  size_t count = 0, engine = 0;
  while (!tarn_option(count, &option)) {
    assert_true(option.name && option.help);
    if (option.is_engine) {
      assert_int_equal(tarn_set(tarn, option.name, option.initial ? option.initial : ""), 0);
      engine++;
    }
    count++;
  }
  assert_true(engine >= 8 && count > engine);
  assert_int_equal(tarn_option(count + 5, &option), -1);
  // Those of a command; of others than the engine's the value is only checked.
  for (count = 0; !tarn_command_option("simulate", count, &option);)
    count++;
  assert_true(count > 5);
  assert_int_equal(tarn_command_option("dance", 0, &option), -1);
  assert_int_equal(tarn_command_set(tarn, "dance", "steps", "3"), -1);
  assert_int_equal(tarn_command_set(tarn, "simulate", "steps", "3"), 0);
  assert_int_equal(tarn_command_set(tarn, "simulate", "json", NULL), 0);
  assert_int_equal(tarn_command_set(tarn, "simulate", "steps", "-3"), -1);
  assert_says(tarn, "--steps needs a whole number");
  assert_string_equal(tarn_language(tarn), "tchecker");
  // All options back to their defaults.
  tarn_set(tarn, "trace", "concrete");
  assert_int_equal(tarn_set(tarn, NULL, NULL), 0);
  tarn_check(tarn, "E<> P.l1");
  char *answer = written(tarn, "answer", "text");
  assert_null(strstr(answer, "a run"));
  free(answer);
  tarn_release(tarn);
}

// Chosen abstractions are refused where they are unsound; the default one is not.
static void test_diagonals(void **state) {
  (void)state;
  Tarn *tarn = loaded(MODEL "clock:1:y\nedge:P:l1:l2:a{provided: x-y>0}\n");
  assert_int_equal(tarn_check(tarn, "E<> P.l2"), TARN_NOT_SATISFIED);
  assert_string_equal(tarn_warnings(tarn), "");
  tarn_set(tarn, "abstraction", "am");
  assert_int_equal(tarn_check(tarn, "E<> P.l2"), TARN_NOT_SATISFIED);
  tarn_set(tarn, "abstraction", "extra-lu+");
  assert_int_equal(tarn_check(tarn, "E<> P.l2"), -1);
  assert_says(tarn, "<text>:12:");
  assert_says(tarn, "alu, am, closure or none");
  tarn_set(tarn, "abstraction", "none");
  assert_int_equal(tarn_check(tarn, "E<> P.l2"), TARN_NOT_SATISFIED);
  assert_string_equal(tarn_warnings(tarn), "");
  tarn_release(tarn);
}

// An error of the model at run time, with the run to it.
static void test_model_fails(void **state) {
  (void)state;
  Tarn *tarn = loaded(MODEL "edge:P:l1:l2:a{do: n=1/(n-1)}\n");
  for (int i = 0; i < 3; i++) {
    assert_int_equal(tarn_check(tarn, NULL), -1);
    assert_says(tarn, "<text>:11:");
    assert_says(tarn, "zero");
    assert_says(tarn, "P: l0 -> l1 (a)");
    assert_null(strstr(tarn_error(tarn), "it holds"));
    assert_int_equal(tarn_check(tarn, "E<> P.l1"), TARN_SATISFIED);
  }
  tarn_release(tarn);
}

static void test_parse(void **state) {
  (void)state;
  Tarn *tarn = loaded(ENDLESS);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(tarn_parse(tarn, "E<> P.l && x > 1"), 0);
    assert_string_equal(tarn_error(tarn), "");
    assert_int_equal(tarn_parse(tarn, "E<> P.k"), -1);
    assert_says(tarn, "<query>:1:5:");
    assert_int_equal(tarn_parse_labels(tarn, "a,"), -1);
    assert_says(tarn, "<labels>:1:");
    assert_int_equal(tarn_verdict(tarn), i ? TARN_EXPLORED : -1);
    assert_int_equal(tarn_check(tarn, NULL), TARN_EXPLORED);
  }
  tarn_release(tarn);
}

static void test_time_limit(void **state) {
  (void)state;
  Tarn *tarn = loaded(ENDLESS);
  tarn_set(tarn, "abstraction", "none");
  tarn_set(tarn, "time-limit", "1");
  assert_int_equal(tarn_check(tarn, "E<> P.l && x > 1 && x < 1"), TARN_UNDECIDED);
  assert_string_equal(tarn_reason(tarn), "time limit");
  assert_true(tarn_statistic(tarn, "visited") > 100);
  assert_true(tarn_statistic(tarn, "seconds") > 0.9); // the search begins after the query
  assert_written(tarn, "answer", "text", "undecided (time limit)");
  tarn_set(tarn, "abstraction", "alu");
  assert_int_equal(tarn_check(tarn, NULL), TARN_EXPLORED);
  assert_null(tarn_reason(tarn));
  tarn_release(tarn);
}

static void test_memory_limit(void **state) {
  (void)state;
  char *model = generated("fischer", "8");
  Tarn *tarn = loaded(model);
  tarn_set(tarn, "symmetry", "off"); // else it is small
  tarn_set(tarn, "trace", "concrete");
  assert_int_equal(tarn_check(tarn, "E<> P1.cs"), TARN_SATISFIED);
  for (int i = 0; i < 3; i++) {
    tarn_set(tarn, "memory-limit", "3");
    assert_int_equal(tarn_check(tarn, "E<> P1.cs && P2.cs"), TARN_UNDECIDED);
    assert_string_equal(tarn_reason(tarn), "memory limit");
    assert_true(tarn_statistic(tarn, "visited") > 100);
    const double peak = tarn_statistic(tarn, "peak_bytes");
    assert_true(peak > 1 << 20 && peak <= 3 << 20);
    // What was in use is free again.
    tarn_set(tarn, "memory-limit", "0");
    assert_int_equal(tarn_check(tarn, "E<> P2.cs"), TARN_SATISFIED);
    assert_true(tarn_statistic(tarn, "peak_bytes") < 3 << 20);
    assert_int_equal(tarn_check(tarn, "E<> P1.nowhere"), -1);
  }
  assert_written(tarn, "answers", "json", "\"reason\": \"memory limit\"");
  tarn_release(tarn);
  free(model);
}

static void test_compact(void **state) {
  (void)state;
  char *model = generated("fddi", "8");
  Tarn *tarn = loaded(model);
  tarn_set(tarn, "order", "bfs");
  assert_int_equal(tarn_check(tarn, NULL), TARN_EXPLORED);
  const double stored = tarn_statistic(tarn, "stored"),
               bytes = tarn_statistic(tarn, "node_bytes");
  tarn_set(tarn, "compact", "yes");
  assert_int_equal(tarn_check(tarn, NULL), TARN_EXPLORED);
  assert_true(tarn_statistic(tarn, "stored") == stored);
  assert_true(tarn_statistic(tarn, "node_bytes") < bytes / 2);
  tarn_set(tarn, "memory-limit", "1");
  assert_int_equal(tarn_check(tarn, NULL), TARN_UNDECIDED);
  assert_string_equal(tarn_reason(tarn), "memory limit");
  assert_true(tarn_statistic(tarn, "peak_bytes") <= 1 << 20);
  tarn_set(tarn, "engine", "local");
  assert_int_equal(tarn_check(tarn, NULL), -1);
  assert_says(tarn, "--compact is for --engine zones only");
  tarn_release(tarn);
  free(model);
}

// Evidence that cannot be written is an error: before the search if the path is wrong, else after
// it, and then the answer is there.
static void test_evidence(void **state) {
  (void)state;
  Tarn *tarn = loaded(MODEL);
  assert_int_equal(tarn_verdict(tarn), -1);
  tarn_set(tarn, "certificate", "/no/such/folder/proof");
  assert_int_equal(tarn_check(tarn, "E<> P.l2"), -1);
  assert_says(tarn, "/no/such/folder/proof: cannot be written");
  assert_int_equal(tarn_verdict(tarn), -1);
  tarn_set(tarn, "certificate", "/dev/full");
  assert_int_equal(tarn_check(tarn, "E<> P.l2"), -1);
  assert_says(tarn, "/dev/full: the certificate could not be written");
  assert_int_equal(tarn_verdict(tarn), TARN_NOT_SATISFIED);
  assert_written(tarn, "answer", "text", "E<> P.l2: not satisfied");
  assert_int_equal(tarn_check(tarn, "E<> P.nowhere"), -1);
  assert_int_equal(tarn_verdict(tarn), -1);
  tarn_set(tarn, "graph", "/dev/full");
  assert_int_equal(tarn_check(tarn, "E<> P.l1"), -1);
  assert_says(tarn, "/dev/full: the graph could not be written: No space left on device");
  assert_int_equal(tarn_verdict(tarn), TARN_SATISFIED);
  tarn_set(tarn, "engine", "local");
  assert_int_equal(tarn_check(tarn, "E<> P.l1"), -1);
  assert_says(tarn, "--graph is for --engine zones only");
  assert_int_equal(tarn_verdict(tarn), -1);
  tarn_release(tarn);
}

typedef struct Watch {
  Tarn *tarn;
  int polls, max;
  double visited;
} Watch;

static int watch_poll(void *state) {
  Watch *watch = state;
  const double visited = tarn_statistic(watch->tarn, "visited");
  assert_true(visited >= watch->visited);
  assert_true(isnan(tarn_statistic(watch->tarn, "nothing")));
  watch->visited = visited;
  return ++watch->polls > watch->max;
}

// A limit that comes before the fastest run is known: the run that was found is shown, and it is
// said that it is any run.
static void test_prefer_in_vain(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    Tarn *tarn = loaded(ENDLESS);
    tarn_set(tarn, "trace", "concrete");
    tarn_set(tarn, "prefer", "fastest");
    Watch watch = {.tarn = tarn, .max = i ? 0 : 1000000};
    tarn_set_terminate(tarn, &watch, watch_poll);
    assert_int_equal(tarn_check(tarn, "E<> P.l && x > 1"), TARN_SATISFIED);
    assert_written(tarn, "answers", "json",
                   i ? "\"preferred\": \"any\"" : "\"preferred\": \"fastest\"");
    tarn_release(tarn);
  }
}

static void test_terminate(void **state) {
  (void)state;
  Tarn *tarn = loaded(ENDLESS);
  tarn_set(tarn, "abstraction", "none");
  Watch watch = {.tarn = tarn, .max = 3};
  tarn_set_terminate(tarn, &watch, watch_poll);
  assert_int_equal(tarn_check(tarn, NULL), TARN_UNDECIDED);
  assert_string_equal(tarn_reason(tarn), "interrupted");
  assert_true(watch.visited > 0);
  assert_true(tarn_statistic(tarn, "visited") >= watch.visited);
  tarn_set_terminate(tarn, NULL, NULL);
  tarn_set(tarn, "abstraction", "alu");
  assert_int_equal(tarn_check(tarn, NULL), TARN_EXPLORED);
  tarn_release(tarn);
}

static void test_write(void **state) {
  (void)state;
  Tarn *tarn = loaded(MODEL);
  assert_written(tarn, "model", "text", "small");
  assert_written(tarn, "model", "dot", "graph");
  tarn_set(tarn, "trace", "concrete");
  tarn_check(tarn, "E<> P.l1");
  assert_written(tarn, "answer", "text", "E<> P.l1: satisfied\na shortest run that shows it:\n");
  assert_written(tarn, "answer", "text", "at 2  P: l0 -> l1 (a)");
  assert_written(tarn, "stats", "text", "visited");
  tarn_check(tarn, "A[] !P.l1");
  assert_written(tarn, "answer", "text",
                 "A[] !P.l1: not satisfied\na shortest run that breaks it:\n");
  assert_int_equal(tarn_write(tarn, stderr, "answer", "xml"), -1);
  assert_says(tarn, "cannot write `answer` as `xml`");
  assert_int_equal(tarn_write(tarn, stderr, "nothing", "text"), -1);
  FILE *full = fopen("/dev/full", "w");
  if (full) {
    assert_int_equal(tarn_write(tarn, full, "model", "text"), -1);
    assert_says(tarn, "cannot write: ");
    fclose(full);
  }
  tarn_release(tarn);
}

// Buffers get what streams get, in one call or, if it has no room, in two.
static void test_buffers(void **state) {
  (void)state;
  Tarn *tarn = loaded(MODEL);
  tarn_check(tarn, "E<> P.l1");
  static const char *const words[][2] = {
      {"model", "text"}, {"model", "dot"}, {"answer", "json"}, {"answers", "json"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    char *text = written(tarn, words[i][0], words[i][1]), small[8];
    const long length = tarn_write_buffer(tarn, NULL, 0, words[i][0], words[i][1]);
    assert_int_equal(length, strlen(text));
    assert_int_equal(tarn_write_buffer(tarn, small, sizeof small, words[i][0], words[i][1]),
                     length);
    assert_int_equal(strlen(small), sizeof small - 1);
    assert_memory_equal(small, text, sizeof small - 1);
    char *buffer = malloc((size_t)length + 1);
    assert_int_equal(
        tarn_write_buffer(tarn, buffer, (size_t)length + 1, words[i][0], words[i][1]), length);
    assert_string_equal(buffer, text);
    free(buffer);
    free(text);
  }
  // A check in between: nothing old is told.
  assert_true(tarn_write_buffer(tarn, NULL, 0, "answer", "text") > 0);
  tarn_check(tarn, "A[] !P.l1");
  char buffer[400];
  assert_true(tarn_write_buffer(tarn, buffer, sizeof buffer, "answer", "text") > 0);
  assert_non_null(strstr(buffer, "not satisfied"));
  assert_int_equal(tarn_write_buffer(tarn, buffer, sizeof buffer, "nothing", "text"), -1);
  assert_says(tarn, "cannot write `nothing`");
  const char *const arguments[] = {"3"};
  assert_true(tarn_generate_buffer(tarn, buffer, sizeof buffer, "fischer", 1, arguments) > 400);
  assert_int_equal(tarn_generate_buffer(tarn, buffer, sizeof buffer, "fisher", 0, NULL), -1);
  assert_true(tarn_help_buffer(buffer, sizeof buffer, "queries", "text") > 400);
  assert_int_equal(tarn_help_buffer(buffer, sizeof buffer, "no-such-topic", "text"), -1);
  tarn_release(tarn);
}

static void test_version(void **state) {
  (void)state;
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", TARN_VERSION_MAJOR, TARN_VERSION_MINOR,
           TARN_VERSION_PATCH);
  assert_string_equal(version, tarn_version());
}

// What a model prints as is the same model.
static void test_write_and_read_again(void **state) {
  (void)state;
  char *model = generated("fischer", "3");
  Tarn *tarn = loaded(model);
  char *once = written(tarn, "model", "text");
  Tarn *again = loaded(once);
  char *twice = written(again, "model", "text");
  assert_string_equal(once, twice);
  assert_int_equal(tarn_check(tarn, NULL), tarn_check(again, NULL));
  assert_true(tarn_statistic(tarn, "stored") == tarn_statistic(again, "stored"));
  tarn_release(again);
  tarn_release(tarn);
  free(twice);
  free(once);
  free(model);
}

static const char *text_at(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

static void test_json(void **state) {
  (void)state;
  Tarn *tarn = loaded(MODEL);
  tarn_check(tarn, NULL);
  tarn_set(tarn, "trace", "concrete");
  tarn_check(tarn, "E<> P.l1 && x > 3");
  tarn_set(tarn, "trace", "symbolic");
  tarn_check(tarn, "E<> P.l1");
  tarn_check(tarn, "E<> P.l2");
  char *text = written(tarn, "answers", "json");
  json_error_t error;
  json_t *root = json_loads(text, 0, &error);
  if (!root)
    fail_msg("%s", error.text);
  assert_string_equal(text_at(root, "tarn"), tarn_version());
  assert_string_equal(text_at(root, "model"), "small");
  assert_string_equal(text_at(json_object_get(root, "options"), "order"), "stages");
  const json_t *results = json_object_get(root, "results");
  assert_int_equal(json_array_size(results), 4);
  const json_t *first = json_array_get(results, 0), *second = json_array_get(results, 1);
  assert_true(json_is_null(json_object_get(first, "query")));
  assert_string_equal(text_at(first, "verdict"), "explored");
  assert_int_equal(
      json_integer_value(json_object_get(json_object_get(first, "stats"), "visited")), 2);
  assert_null(json_object_get(first, "trace"));
  assert_string_equal(text_at(second, "query"), "E<> P.l1 && x > 3");
  assert_string_equal(text_at(second, "verdict"), "satisfied");
  const json_t *trace = json_object_get(second, "trace");
  assert_string_equal(text_at(trace, "kind"), "concrete");
  assert_int_equal(json_array_size(json_object_get(trace, "steps")), 2);
  assert_string_equal(text_at(json_array_get(json_object_get(trace, "steps"), 1), "time"), "2");
  trace = json_object_get(json_array_get(results, 2), "trace");
  assert_string_equal(text_at(json_array_get(json_object_get(trace, "steps"), 1), "zone"),
                      "2<=x");
  assert_string_equal(text_at(json_array_get(results, 3), "verdict"), "not satisfied");
  json_decref(root);
  free(text);
  tarn_release(tarn);
}

// Files: a model with the queries beside it, and with wrong ones.
typedef struct Files {
  char folder[64], model[80], queries[80];
} Files;

static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void test_files(void **state) {
  (void)state;
  Files f;
  snprintf(f.folder, sizeof f.folder, "/tmp/tarn-test-XXXXXX");
  assert_non_null(mkdtemp(f.folder));
  snprintf(f.model, sizeof f.model, "%s/m.tck", f.folder);
  snprintf(f.queries, sizeof f.queries, "%s/m.q", f.folder);
  put(f.model, MODEL);
  put(f.queries, "// queries\nE<> P.l1\n\nE<> P.nowhere\n");
  Tarn *tarn = tarn_init();
  assert_int_equal(tarn_read(tarn, f.model), 0);
  assert_int_equal(tarn_check(tarn, tarn_query(tarn, 1)), TARN_REFUSED); // for itself
  assert_non_null(strstr(tarn_reason(tarn), "m.q:4:"));
  assert_int_equal(tarn_check(tarn, tarn_query(tarn, 0)), TARN_SATISFIED);
  tarn_release(tarn);
  // A file that nobody wants is not opened.
  put(f.queries, "\x1f\x8b");
  tarn = tarn_init();
  assert_int_equal(tarn_read(tarn, f.model), -1);
  assert_says(tarn, "m.q: this is compressed");
  assert_int_equal(tarn_read_model(tarn, f.model), 0);
  assert_int_equal(tarn_query_count(tarn), 0);
  tarn_release(tarn);
  tarn = tarn_init();
  put(f.queries, "# queries\nE<> P.l2\nA[] n <= 1\n");
  assert_int_equal(tarn_read(tarn, f.model), 0);
  assert_int_equal(tarn_query_count(tarn), 2);
  assert_string_equal(tarn_query(tarn, 0), "E<> P.l2");
  assert_string_equal(tarn_query(tarn, 1), "A[] n <= 1");
  assert_null(tarn_query(tarn, 2));
  TarnQuery *first = tarn_query_at(tarn, 0);
  assert_ptr_equal(tarn_query_text(first), tarn_query(tarn, 0));
  assert_non_null(strstr(tarn_query_place(first), "m.q:2"));
  assert_null(tarn_query_expectation(first)); // only UPPAAL's models have them
  assert_int_equal(tarn_check_query(tarn, first), TARN_NOT_SATISFIED);
  put(f.queries, "E<> P.l1\n"); // handles of the file before stay
  assert_int_equal(tarn_read_queries(tarn, f.queries), 0);
  assert_int_equal(tarn_query_count(tarn), 1);
  assert_int_equal(tarn_check_query(tarn, tarn_query_at(tarn, 0)), TARN_SATISFIED);
  tarn_query_release(tarn, first); // nothing is done
  assert_int_equal(tarn_check_query(tarn, first), TARN_NOT_SATISFIED);
  tarn_release(tarn);
  tarn = tarn_init();
  put(f.queries, "# queries\nE<> P.l2\nA[] n <= 1\n");
  assert_int_equal(tarn_read(tarn, f.model), 0);
  assert_int_equal(tarn_check(tarn, tarn_query(tarn, 0)), TARN_NOT_SATISFIED);
  assert_int_equal(tarn_check(tarn, tarn_query(tarn, 1)), TARN_SATISFIED);
  tarn_release(tarn);
  remove(f.queries);
  tarn = tarn_init();
  assert_int_equal(tarn_read(tarn, f.model), 0);
  assert_int_equal(tarn_query_count(tarn), 0);
  tarn_release(tarn);
  remove(f.model);
  rmdir(f.folder);
}

// Queries, runs and evidence from texts, as from files.
static void test_texts(void **state) {
  (void)state;
  Tarn *tarn = loaded(MODEL);
  assert_int_equal(tarn_read_queries_text(tarn, "E<> P.l1\nA[] P.l0\n"), 0);
  assert_int_equal(tarn_query_count(tarn), 2);
  assert_int_equal(tarn_set(tarn, "trace", "concrete"), 0);
  assert_int_equal(tarn_check(tarn, "E<> P.l1"), TARN_SATISFIED);
  char *run = written(tarn, "answers", "json");
  assert_int_equal(tarn_certify_text(tarn, run), 1);
  char *moved = strstr(run, "\"time\": \"2\"");
  assert_non_null(moved);
  moved[9] = '1'; // the guard is x >= 2
  assert_int_equal(tarn_certify_text(tarn, run), 0);
  moved[9] = '2';
  assert_int_equal(tarn_read_runs_text(tarn, run), 0);
  assert_true(tarn_has_run(tarn));
  assert_int_equal(tarn_certify_text(tarn, "rubbish"), -1);
  assert_int_equal(tarn_read_runs_text(tarn, "{}"), -1);
  assert_int_equal(tarn_read_queries_text(tarn, ""), 0);
  assert_int_equal(tarn_query_count(tarn), 0);
  free(run);
  tarn_release(tarn);
}

static void test_generate(void **state) {
  (void)state;
  Tarn *tarn = tarn_init();
  const char *const arguments[] = {"3", "colour=red"};
  char buffer[16];
  FILE *small = fmemopen(buffer, sizeof buffer, "w");
  assert_int_equal(tarn_generate(tarn, small, "no-such-family", 0, NULL), -1);
  assert_true(*tarn_error(tarn));
  assert_int_equal(tarn_generate(tarn, small, "fischer", 2, arguments), -1);
  assert_says(tarn, "colour");
  assert_int_equal(tarn_generate(tarn, small, "fischer", 1, arguments), -1); // does not fit
  assert_says(tarn, "cannot write: ");
  fclose(small);
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  assert_int_equal(tarn_generate(tarn, file, NULL, 0, NULL), 0);
  fclose(file);
  assert_non_null(strstr(text, "fischer"));
  free(text);
  tarn_release(tarn);
}

static void test_help(void **state) {
  (void)state;
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  assert_int_equal(tarn_help(file, NULL, "text"), 0);
  assert_int_equal(tarn_help(file, "options", "text"), 0);
  assert_int_equal(tarn_help(file, NULL, "man"), 0);
  fclose(file);
  assert_non_null(strstr(text, "tarn check"));
  assert_non_null(strstr(text, "abstraction"));
  assert_non_null(strstr(text, ".SH"));
  free(text);
  assert_int_equal(tarn_help(stderr, "no-such-topic", "text"), -1);
}

// Objects share nothing.
static void *explore(void *model) {
  Tarn *tarn = tarn_init();
  tarn_read_text(tarn, model, "tchecker");
  tarn_set(tarn, "symmetry", "off");
  double stored = -1;
  for (int i = 0; i < 3; i++)
    if (tarn_check(tarn, NULL) == TARN_EXPLORED)
      stored = tarn_statistic(tarn, "stored");
  tarn_release(tarn);
  return (void *)(uintptr_t)stored;
}

static void test_threads(void **state) {
  (void)state;
  char *model = generated("fischer", "4");
  pthread_t threads[4];
  void *stored[4];
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, explore, model), 0);
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], &stored[i]);
    assert_ptr_equal(stored[i], stored[0]);
  }
  assert_true((uintptr_t)stored[0] > 100);
  free(model);
}

static void set(Tarn *tarn, const char *option, const char *value) {
  if (tarn_set(tarn, option, value))
    fail_msg("%s", tarn_error(tarn));
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int is_late(void *until) { return seconds_now() > *(double *)until; }

static void assert_stops(char *model, const char *engine, const char *threads) {
  Tarn *tarn = loaded(model);
  double until;
  set(tarn, "engine", engine);
  set(tarn, "threads", threads);
  tarn_set_terminate(tarn, &until, is_late);
  for (int i = 0; i < 3; i++) {
    until = seconds_now() + 0.2;
    assert_int_equal(tarn_check(tarn, NULL), TARN_UNDECIDED);
    const double late = seconds_now() - until;
    if (late > (IS_SANITIZED ? 8 : 2))
      fail_msg("engine %s, %s threads: stopped after %g seconds", engine, threads, late);
  }
  tarn_release(tarn);
  free(model);
}

// Who has much else to do than to visit nodes looks at the clock all the same: a worker with more
// mail than it can read; or darts, where one node has any number of successors.
static void test_stops(void **state) {
  (void)state;
  assert_stops(generated("poll", "n=12"), "zones", "8");
  assert_stops(strdup("system:wide\nevent:a\nclock:3:x\nprocess:P\n"
                      "location:P:l{initial:}\nlocation:P:m\n"
                      "edge:P:l:l:a{provided: x[0]>=1 && x[0]<=600000 : do: x[0]=0}\n"
                      "edge:P:l:m:a{provided: x[1]>=3 && x[1]<=600000 : do: x[1]=0}\n"
                      "edge:P:m:l:a{provided: x[2]>=500000 && x[2]<=600000 : do: x[2]=0}\n"),
               "darts", "1");
}

static double peak_of_one(Tarn *tarn) {
  set(tarn, "threads", "1");
  assert_int_equal(tarn_check(tarn, NULL), TARN_EXPLORED);
  return tarn_statistic(tarn, "peak_bytes");
}

// What a check took is there again for the next one, but for its answer.
static void test_memory_comes_back(void **state) {
  (void)state;
  static const char *const engines[] = {"zones", "local", "darts", "points"};
  char *model = generated("darts-fischer", "2");
  for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
    Tarn *tarn = loaded(model);
    set(tarn, "engine", engines[e]);
    const double before = peak_of_one(tarn);
    for (int i = 0; i < 4; i++) {
      set(tarn, "threads", i % 2 ? "3" : "2");
      assert_int_equal(tarn_check(tarn, NULL), TARN_EXPLORED);
    }
    const double after = peak_of_one(tarn);
    if (after > before + 16384)
      fail_msg("engine %s: %.0f bytes, then %.0f", engines[e], before, after);
    tarn_release(tarn);
  }
  free(model);
}

// The system refuses memory while a model is read: an error, and the object is as before.
static void starve(void *state) {
  Tarn *tarn = tarn_init();
  const struct rlimit limit = {(rlim_t)1 << 28, (rlim_t)1 << 28};
  setrlimit(RLIMIT_AS, &limit);
  if (tarn_read_text(tarn, state, "tchecker") == -1 &&
      strstr(tarn_error(tarn), "out of memory") && tarn_read_text(tarn, MODEL, "tchecker") == 0 &&
      tarn_check(tarn, NULL) == TARN_EXPLORED)
    abort(); // all is well: this is how it tells
}

static void test_out_of_memory(void **state) {
  (void)state;
  if (IS_SANITIZED)
    skip(); // sanitizers need the address space
  enum { SIZE = 200 << 20 };
  char *text = malloc(SIZE + 1);
  memset(text, ' ', SIZE);
  text[SIZE] = 0;
  assert_true(aborts(starve, text, NULL));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_verdicts),
      cmocka_unit_test(test_statistics),
      cmocka_unit_test(test_known_counts),
      cmocka_unit_test(test_misuse),
      cmocka_unit_test(test_handles),
      cmocka_unit_test(test_read_errors),
      cmocka_unit_test(test_check_errors),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_diagonals),
      cmocka_unit_test(test_parse),
      cmocka_unit_test(test_model_fails),
      cmocka_unit_test(test_time_limit),
      cmocka_unit_test(test_memory_limit),
      cmocka_unit_test(test_compact),
      cmocka_unit_test(test_evidence),
      cmocka_unit_test(test_prefer_in_vain),
      cmocka_unit_test(test_terminate),
      cmocka_unit_test(test_write),
      cmocka_unit_test(test_buffers),
      cmocka_unit_test(test_version),
      cmocka_unit_test(test_write_and_read_again),
      cmocka_unit_test(test_json),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_generate),
      cmocka_unit_test(test_help),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_out_of_memory),
      cmocka_unit_test(test_memory_comes_back),
      cmocka_unit_test(test_stops),
  };
  return cmocka_run_group_tests_name("tarn", tests, NULL, NULL);
}
