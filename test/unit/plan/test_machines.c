// Processes that search together, played by threads: answers, counts, runs, certificates,
// failures and limits are those of one.
#include "fakelink.h"
#include "plan/serving.h"
#include "tarn.h"

#include <pthread.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_RANKS = 3 };

static void *serve(void *context) {
  Tarn *tarn = tarn_init();
  assert_int_equal(serving_attach(tarn, context), 1);
  tarn_release(tarn);
  return NULL;
}

typedef struct Machines {
  Tarn *tarn;
  Link *link;
  pthread_t threads[MAX_RANKS];
} Machines;

static void begin(Machines *m, uint32_t ranks, const char *threads) {
  m->tarn = tarn_init();
  m->link = fakelink_new(ranks);
  for (uint32_t i = 1; i < ranks; i++)
    pthread_create(&m->threads[i], NULL, serve, fakelink_at(m->link, i));
  if (ranks > 1)
    assert_int_equal(serving_attach(m->tarn, m->link), 0);
  assert_int_equal(tarn_set(m->tarn, "threads", threads), 0);
  assert_int_equal(tarn_set(m->tarn, "symmetry", "off"), 0);
}

static void end(Machines *m) {
  const uint32_t ranks = m->link->ranks;
  tarn_release(m->tarn);
  for (uint32_t i = 1; i < ranks; i++)
    pthread_join(m->threads[i], NULL);
  fakelink_release(m->link);
}

static void generate(Machines *m, const char *family, const char *size) {
  char text[1 << 16];
  const char *arguments[] = {size};
  assert_true(tarn_generate_buffer(m->tarn, text, sizeof text, family, 1, arguments) > 0);
  assert_int_equal(tarn_read_text(m->tarn, text, "tchecker"), 0);
}

static void explore(const char *engine, const char *family, const char *size) {
  double stored = 0;
  for (uint32_t ranks = 1; ranks <= MAX_RANKS; ranks++) {
    Machines m;
    begin(&m, ranks, ranks == 2 ? "2" : "1");
    tarn_set(m.tarn, "engine", engine);
    generate(&m, family, size);
    assert_int_equal(tarn_check(m.tarn, NULL), TARN_EXPLORED);
    if (ranks == 1)
      stored = tarn_statistic(m.tarn, "stored");
    assert_int_equal(tarn_statistic(m.tarn, "stored"), stored);
    assert_int_equal(tarn_statistic(m.tarn, "visited"),
                     stored + tarn_statistic(m.tarn, "mistakes"));
    end(&m);
  }
}

static void test_counts(void **state) {
  (void)state;
  explore("zones", "fischer", "n=4");
  explore("zones", "csma", "n=4");
  explore("local", "philosophers", "n=4");
}

// Builds with assertions replay each run, and check a certificate of each other answer.
static void test_answers(void **state) {
  (void)state;
  for (uint32_t ranks = 2; ranks <= MAX_RANKS; ranks++) {
    Machines m;
    begin(&m, ranks, "1");
    tarn_set(m.tarn, "trace", "concrete");
    generate(&m, "fischer", "n=4");
    for (int i = 0; i < 3; i++) {
      assert_int_equal(tarn_check(m.tarn, "E<> P1.cs and P2.cs"), TARN_NOT_SATISFIED);
      assert_int_equal(tarn_check(m.tarn, "E<> P3.cs and P2.A and P4.A"), TARN_SATISFIED);
      assert_true(tarn_has_run(m.tarn));
      assert_int_equal(tarn_check(m.tarn, "A[] not (P1.cs and P4.cs)"), TARN_SATISFIED);
      assert_int_equal(tarn_check(m.tarn, "A[] not deadlock"), TARN_SATISFIED); // by rank 0
    }
    end(&m);
  }
}

// What a query's symmetries make of the network goes with it, in every process.
static void test_symmetry(void **state) {
  (void)state;
  Machines m;
  begin(&m, 2, "1");
  tarn_set(m.tarn, "symmetry", "auto");
  generate(&m, "fischer", "n=4");
  for (int i = 0; i < 3; i++) {
    assert_int_equal(tarn_check(m.tarn, "E<> P1.cs and P2.cs"), TARN_NOT_SATISFIED);
    assert_int_equal(tarn_check(m.tarn, "E<> id == 1 and P1.wait"), TARN_SATISFIED);
    assert_int_equal(tarn_check(m.tarn, NULL), TARN_EXPLORED);
  }
  end(&m);
}

// A query may need another unit of time than the model does.
static void test_units(void **state) {
  (void)state;
  static const char model[] = "system:units\nevent:a\nclock:1:x\nint:1:0:50:0:n\nprocess:P\n"
                              "location:P:l{initial:}\nlocation:P:m\n"
                              "edge:P:l:l:a{provided:x>=1000000000 && n<50 : do:x=0;n=n+1}\n"
                              "edge:P:l:m:a{provided:n>20}\n";
  Machines m;
  begin(&m, 3, "1");
  assert_int_equal(tarn_read_text(m.tarn, model, "tchecker"), 0);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(tarn_check(m.tarn, "E<> P.m and n==50 and x>1500000000"), TARN_SATISFIED);
    assert_int_equal(tarn_check(m.tarn, "E<> P.l and n==49 and x>1000000000"), TARN_SATISFIED);
    assert_int_equal(tarn_check(m.tarn, "E<> P.m and n==20"), TARN_NOT_SATISFIED);
  }
  end(&m);
}

static const char failing[] = "system:failing\n"
                              "event:go\n"
                              "int:1:0:9:0:i\n"
                              "int:3:0:9:0:a\n"
                              "process:P\n"
                              "location:P:l{initial:}\n"
                              "edge:P:l:l:go{do:i=i+1}\n"
                              "process:Q\n"
                              "location:Q:l{initial:}\n"
                              "location:Q:m\n"
                              "edge:Q:l:m:go{provided:i==7:do:a[i]=1}\n";

static void test_failure(void **state) {
  (void)state;
  for (int i = 0; i < 5; i++) {
    Machines m;
    begin(&m, 3, "1");
    assert_int_equal(tarn_read_text(m.tarn, failing, "tchecker"), 0);
    assert_int_equal(tarn_check(m.tarn, NULL), -1);
    assert_non_null(strstr(tarn_error(m.tarn), "<text>:11:"));
    assert_non_null(strstr(tarn_error(m.tarn), "after this run"));
    end(&m);
  }
}

static int stop(void *state) { return ++*(int *)state > 3; }

static void test_interrupt(void **state) {
  (void)state;
  int polls = 0;
  Machines m;
  begin(&m, 2, "2");
  generate(&m, "fischer", "n=9");
  tarn_set_terminate(m.tarn, &polls, stop);
  assert_int_equal(tarn_check(m.tarn, NULL), TARN_UNDECIDED);
  assert_string_equal(tarn_reason(m.tarn), "interrupted");
  assert_true(tarn_statistic(m.tarn, "stored") > 0);
  end(&m);
}

// There may be too little to prepare the search, in the first process or in another one.
static void test_little_memory(void **state) {
  (void)state;
  static const char *const threads[] = {"1", "4", "16"};
  static const char *const limits[] = {"1", "2", "3"};
  for (int i = 0; i < 9; i++) {
    Machines m;
    begin(&m, 2, threads[i % 3]);
    generate(&m, "fischer", "n=8");
    tarn_set(m.tarn, "memory-limit", limits[i / 3]);
    assert_int_equal(tarn_check(m.tarn, NULL), TARN_UNDECIDED);
    assert_string_equal(tarn_reason(m.tarn), "memory limit");
    tarn_set(m.tarn, "memory-limit", "0"); // the processes still understand each other
    assert_int_equal(tarn_check(m.tarn, "E<> P1.cs"), TARN_SATISFIED);
    end(&m);
  }
  for (size_t more = 1000; more < 2000000; more += more / 8) {
    Machines m;
    begin(&m, 2, "2");
    generate(&m, "fischer", "n=3");
    m.tarn->available = m.tarn->mem.bytes + more; // of the first process alone
    const int verdict = tarn_check(m.tarn, NULL);
    assert_true(verdict == TARN_UNDECIDED || verdict == TARN_EXPLORED);
    m.tarn->available = 0;
    assert_int_equal(tarn_check(m.tarn, "E<> P1.cs"), TARN_SATISFIED);
    end(&m);
  }
}

static void test_memory(void **state) {
  (void)state;
  Machines m;
  begin(&m, 2, "1");
  tarn_set(m.tarn, "memory-limit", "20");
  generate(&m, "fischer", "n=10");
  assert_int_equal(tarn_check(m.tarn, NULL), TARN_UNDECIDED);
  assert_string_equal(tarn_reason(m.tarn), "memory limit");
  end(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),   cmocka_unit_test(test_answers),
      cmocka_unit_test(test_failure),  cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_memory),   cmocka_unit_test(test_little_memory),
      cmocka_unit_test(test_symmetry), cmocka_unit_test(test_units),
  };
  return cmocka_run_group_tests_name("machines", tests, NULL, NULL);
}
