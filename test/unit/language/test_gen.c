// Generators: structure, errors and determinism of every family. With TARN_SHARED set to a folder
// that has models/papers-*, their texts are compared with those of the models there.
#define _POSIX_C_SOURCE 200809L
#include "language/gen/gen.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static Mem mem;
static Text out;
static Report report;

static int setup(void **state) {
  (void)state;
  out = (Text){.mem = &mem};
  report_init(&report, &mem);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  text_release(&out);
  report_release(&report);
  assert_int_equal(mem.bytes, 0);
  return 0;
}

// Runs `tarn gen` with a line of arguments, separated by blanks. The text is in `out`.
static bool generate(const char *line) {
  enum { MAX = 40 };
  char copy[1000];
  const char *words[MAX];
  int count = 0;
  assert_true(strlen(line) < sizeof copy);
  strcpy(copy, line);
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
    assert_true(count < MAX);
    words[count++] = word;
  }
  text_clear(&out);
  report_clear(&report);
  const bool good = gen_write(&out, &report, words[0], count - 1, words + 1);
  assert_int_equal(good, !report_failed(&report));
  return good;
}

static void must_generate(const char *line) {
  if (!generate(line))
    fail_msg("%s: %s", line, text_chars(&report.error));
}

// How many lines of the text start with these characters.
static int count_lines(const char *text, const char *start) {
  int count = 0;
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
    count += !strncmp(line, start, strlen(start));
  return count;
}

static void test_structure(void **state) {
  (void)state;
  static const char *const kinds[] = {
      "system:", "process:", "event:", "clock:", "int:", "location:", "edge:", "sync:"};
  static const struct {
    const char *line;
    int counts[8];
  } rows[] = {
      {"fischer 5", {1, 5, 1, 5, 1, 20, 25, 0}},
      {"fischer 5 buggy=1 k=3", {1, 5, 1, 5, 1, 20, 25, 0}},
      {"lynch 4", {1, 4, 1, 4, 2, 36, 44, 0}},
      {"csma 6", {1, 7, 4, 7, 0, 21, 59, 19}},
      {"csma 6 variant=nonconvex", {1, 7, 4, 7, 0, 21, 53, 19}},
      {"csma 6 variant=relay", {1, 7, 11, 7, 1, 22, 66, 24}},
      {"fddi 4", {1, 5, 11, 13, 0, 40, 48, 8}},
      {"critical-region 3", {1, 7, 7, 3, 1, 29, 33, 6}},
      {"critical-region 3 variant=local", {1, 8, 10, 3, 1, 30, 42, 9}},
      {"blowup 4", {1, 1, 1, 5, 0, 10, 13, 0}},
      {"flexray 2", {1, 6, 8, 3, 8, 19, 42, 6}},
      {"a1", {1, 2, 2, 2, 0, 4, 3, 1}},
      {"a2", {1, 1, 1, 2, 0, 4, 4, 0}},
      {"a3", {1, 1, 1, 2, 1, 5, 6, 0}},
      {"fig1", {1, 1, 1, 2, 0, 4, 5, 0}},
      {"corsso 3", {1, 3, 1, 6, 6, 6, 18, 0}},
      {"philosophers 5", {1, 10, 10, 5, 0, 30, 35, 20}},
      {"parallel 4", {1, 5, 3, 5, 0, 14, 18, 8}},
      {"poll 4", {1, 5, 1, 4, 1, 10, 10, 0}},
      {"lcm 5", {1, 1, 1, 6, 0, 2, 6, 0}},
      {"darts-example", {1, 1, 1, 2, 0, 4, 5, 0}},
      {"vikings 4", {1, 5, 4, 4, 0, 24, 26, 16}},
      {"train-crossing 2", {1, 5, 3, 5, 0, 13, 15, 4}},
      {"darts-fischer 3", {1, 4, 12, 3, 0, 26, 45, 27}},
      {"train-gate 3", {1, 4, 17, 3, 2, 19, 34, 12}},
      {"random processes=3 clocks=0 ints=2 syncs=4 locations=5 edges=7",
       {1, 3, 5, 0, 2, 15, 21, 4}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    must_generate(rows[i].line);
    int total = 0;
    for (int kind = 0; kind < 8; kind++) {
      const int count = count_lines(text_chars(&out), kinds[kind]);
      total += count;
      if (count != rows[i].counts[kind])
        fail_msg("%s: %d lines start with %s, not %d", rows[i].line, count, kinds[kind],
                 rows[i].counts[kind]);
    }
    assert_int_equal(count_lines(text_chars(&out), ""), total + 1); // and the first, a comment
  }
}

static void test_deterministic(void **state) {
  (void)state;
  for (int i = 0; gen_name(i); i++) {
    must_generate(gen_name(i));
    char *first = mem_copy_text(&mem, text_chars(&out), out.size);
    must_generate(gen_name(i));
    assert_string_equal(text_chars(&out), first);
    mem_free(&mem, first);
  }
  assert_null(gen_name(-1));
}

// The first line, without its `# tarn gen `, makes the same text again.
static void test_origin(void **state) {
  (void)state;
  static const char *const lines[] = {"fischer 4", "csma 3 variant=relay sigma=5", "tasks seed=7",
                                      "random seed=5 ints=3", "darts-example"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    must_generate(lines[i]);
    char *first = mem_copy_text(&mem, text_chars(&out), out.size);
    char *end = strchr(first, '\n');
    *end = 0;
    must_generate(first + strlen("# tarn gen "));
    *end = '\n';
    assert_string_equal(text_chars(&out), first);
    mem_free(&mem, first);
  }
}

static void test_parameters(void **state) {
  (void)state;
  must_generate("fischer 2 k=7");
  assert_non_null(strstr(text_chars(&out), "edge:P2:wait:cs:tau{provided:x2>7&&id==2}\n"));
  must_generate("fischer buggy=1 k=7 n=2");
  assert_non_null(strstr(text_chars(&out), "edge:P2:wait:cs:tau{provided:x2>=7&&id==2}\n"));
  must_generate("csma 2 lambda=9 sigma=4");
  assert_non_null(strstr(text_chars(&out), "location:Station2:Retry{invariant:x2<8}\n"));
  assert_non_null(strstr(text_chars(&out), "sync:Bus@cd:Station2@cd:Station1@cd\n"));
  must_generate("train-crossing scale=10 red=16");
  assert_non_null(strstr(text_chars(&out), "location:Light:Red{invariant:y<=160 : "));
  must_generate("darts-fischer mc=9");
  assert_non_null(strstr(text_chars(&out), "edge:P3:C_:CS_:tau{provided:x3>=9 : do:x3=0}\n"));
  must_generate("tasks 5 processors=3");
  assert_int_equal(count_lines(text_chars(&out), "clock:"), 3);
}

static void test_errors(void **state) {
  (void)state;
  static const struct {
    const char *line, *message;
  } rows[] = {
      {"fisher", "there is no model family 'fisher': did you mean 'fischer'?"},
      {"nonsense", "there is no model family 'nonsense': 'tarn gen --list' shows them all"},
      {"fischer n=x", "n must be a whole number from 1 to 1000 in family 'fischer', not 'x'"},
      {"fischer 0", "n must be a whole number from 1 to 1000 in family 'fischer', not '0'"},
      {"fischer 3x", "n must be a whole number from 1 to 1000 in family 'fischer', not '3x'"},
      {"fischer n=", "n must be a whole number from 1 to 1000 in family 'fischer', not ''"},
      {"fischer +3", "n must be a whole number from 1 to 1000 in family 'fischer', not '+3'"},
      {"fischer k=99999999999999999999", "k must be a whole number from 1 to 1000000"},
      {"fischer 3 4", "n is given twice"},
      {"fischer 3 buggy=0 buggy=1", "buggy is given twice"},
      {"fischer bugy=1", "family 'fischer' has no parameter 'bugy': did you mean 'buggy'?"},
      {"fischer colour=1", "family 'fischer' has no parameter 'colour', only n, k, buggy"},
      {"fischer =1", "family 'fischer' has no parameter '', only n, k, buggy"},
      {"darts-example n=1", "family 'darts-example' has no parameters, so no 'n'"},
      {"a1 3", "family 'a1' has no size: what is '3'?"},
      {"csma variant=other",
       "variant must be one of orders|nonconvex|relay in family 'csma', not 'other'"},
      {"tasks file=/nonexistent/graph.stg",
       "cannot read the task graph '/nonexistent/graph.stg': "},
      {"flexray drift=100", "drift must be less than period, which is 100"},
      {"flexray strobe=9", "strobe must be at most cell, which is 8"},
      {"flexray window=4", "window must be odd, so that there is a majority"},
      {"flexray settle=792", "settle must be less than the shortest cell, which is 792"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_false(generate(rows[i].line));
    if (!strstr(text_chars(&report.error), rows[i].message))
      fail_msg("%s: the message is: %s", rows[i].line, text_chars(&report.error));
  }
}

// Generates tasks from a graph file with this text.
static bool generate_tasks(const char *graph, int n) {
  char path[] = "/tmp/tarn-gen-XXXXXX", line[100];
  const int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, graph, strlen(graph)), strlen(graph));
  close(file);
  snprintf(line, sizeof line, "tasks %d file=%s", n, path);
  const bool good = generate(line);
  unlink(path);
  return good;
}

static void test_tasks(void **state) {
  (void)state;
  const char *graph = " 3 # tasks\n0 0 0\n1 6 1 0\n2 4 1 1\n# a comment\n3 7 2 1 2\n4 0 1 3\n";
  assert_true(generate_tasks(graph, 3));
  const char *text = text_chars(&out);
  assert_non_null(strstr(text, "edge:T3:w0:w1:tau{provided:done2==1}\n"
                               "edge:T3:w1:w2:tau{provided:done1==1}\n"
                               "edge:T3:w2:r1:tau{provided:b1==0 : do:b1=1;c1=0}\n"
                               "edge:T3:r1:d:tau{provided:c1==7 : do:b1=0;c1=0;done3=1}\n"));
  assert_int_equal(count_lines(text, "process:T"), 3);
  assert_true(generate_tasks(graph, 2));
  assert_int_equal(count_lines(text_chars(&out), "process:T"), 2);
  assert_false(generate_tasks(graph, 4));
  assert_non_null(strstr(text_chars(&report.error), "has only 3 tasks, not 4"));
  static const char *const wrong[] = {"",
                                      "x",
                                      "2\n0 0 0\n1 6 1 2\n",
                                      "2\n0 0 0\n1 6 1\n",
                                      "2\n0 0 0\n2 6 1 0\n",
                                      "2\n0 0 0\n1 99999999999 1 0\n",
                                      "2 #"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_false(generate_tasks(wrong[i], 2));
    assert_non_null(strstr(text_chars(&report.error), "is not a task graph in STG format"));
  }
}

static void test_list(void **state) {
  (void)state;
  gen_list(&out);
  const char *text = text_chars(&out);
  int families = 0;
  while (gen_name(families))
    assert_true(count_lines(text, gen_name(families++)) >= 1);
  assert_int_equal(count_lines(text, "") - count_lines(text, "    "), families);
  assert_non_null(strstr(text, "    k=10               the delay (1..1000000)\n"));
  assert_non_null(strstr(text, "    variant=orders     "));
  assert_non_null(strstr(text, "    file=PATH          "));
}

// A feature of random networks: the parameter that allows it and a text that shows it, which
// must occur in some networks with the parameter and in none without.
static void test_random_features(void **state) {
  (void)state;
  static const struct {
    const char *on, *off, *sign, *others;
  } rows[] = {
      {"ints=2", "ints=0", "\nint:", ""},
      {"clocks=2", "clocks=0", "x0", ""},
      {"syncs=2", "syncs=0", "\nsync:", ""},
      {"guards=70", "guards=0", "provided:", "ints=0"},
      {"resets=60", "resets=0", "do:", "ints=0"},
      {"invariants=40", "invariants=0", "invariant:", ""},
      {"committed=8", "committed=0", "committed:", ""},
      {"urgent=8", "urgent=0", "urgent:", ""},
      {"closed=0", "closed=1", "x0<1", "ints=0"},
      {"closed=0", "closed=1", "x0>1", "ints=0"},
      {"diagonals=1", "diagonals=0", "x0-x1", ""},
      {"nary=1", "nary=0", "@e0:P1@e0:P2@e0", "weak=0 syncs=1"},
      {"weak=1", "weak=0", "?\n", ""},
      {"values=1", "values=0", "x0=1", "bounds=0 ints=0 guards=0"},
      {"copies=1", "copies=0", "x0=x1", "guards=0 shifts=0"},
      {"shifts=1", "shifts=0", "x0=x1+", "guards=0"},
      {"shifts=1", "diagonals=1", "x0=x1+", "guards=0"},
      {"bounds=1", "bounds=0", "x0<=v0", ""},
      {"bounds=1", "bounds=0", "x0=x1+(if ", ""},
      {"range=1", "range=0", "v0=v0+1", ""},
      {"arrays=1", "arrays=0", "v0[", ""},
      {"arrays=1", "arrays=0", "clock:2:z", ""},
      {"statements=1", "statements=0", "local t", ""},
      {"statements=1", "statements=0", " end", ""},
      {"branches=1", "branches=0", "then x0=0", ""},
      {"faults=1", "faults=0", "/v0", "ints=3"},
      {"faults=1", "faults=0", "v1[v0]", "ints=3"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int with = 0, without = 0;
    for (int seed = 0; seed < 400; seed++) {
      char line[200];
      snprintf(line, sizeof line, "random seed=%d processes=3 %s %s", seed, rows[i].on,
               rows[i].others);
      must_generate(line);
      with += strstr(text_chars(&out), rows[i].sign) != NULL;
      snprintf(line, sizeof line, "random seed=%d processes=3 %s %s", seed, rows[i].off,
               rows[i].others);
      must_generate(line);
      without += strstr(text_chars(&out), rows[i].sign) != NULL;
    }
    if (with == 0 || without != 0)
      fail_msg("%s: '%s' occurs in %d networks; %s: in %d", rows[i].on, rows[i].sign, with,
               rows[i].off, without);
  }
}

// Every location has its own label, process and location; with initials=0 one is initial.
static void test_random_labels(void **state) {
  (void)state;
  for (int seed = 0; seed < 50; seed++) {
    char line[100];
    snprintf(line, sizeof line, "random seed=%d processes=3 locations=4 initials=0", seed);
    must_generate(line);
    int initials = 0;
    for (int p = 0; p < 3; p++)
      for (int l = 0; l < 4; l++) {
        char start[40], label[40];
        snprintf(start, sizeof start, "\nlocation:P%d:l%d{", p, l);
        snprintf(label, sizeof label, "labels:P%d_l%d}", p, l);
        const char *found = strstr(text_chars(&out), start);
        assert_non_null(found);
        const char *end = strchr(found + 1, '\n');
        const char *there = strstr(found, label);
        assert_true(there && there < end);
        const char *initial = strstr(found, "initial:");
        initials += initial && initial < end;
      }
    assert_int_equal(initials, 3);
  }
}

// With shared=0 clock i occurs only in the lines of process i modulo the number of processes.
static void test_random_own_clocks(void **state) {
  (void)state;
  for (int seed = 0; seed < 100; seed++) {
    char line[100];
    snprintf(line, sizeof line, "random seed=%d clocks=5 shared=0 diagonals=1 arrays=0", seed);
    must_generate(line);
    int process = -1;
    for (const char *c = text_chars(&out); *c; c++) {
      if (!strncmp(c, "\nprocess:P", 10))
        process = c[10] - '0';
      if (process >= 0 && *c == 'x' && c[1] >= '0' && c[1] <= '9')
        assert_int_equal((c[1] - '0') % 2, process);
    }
    assert_int_equal(process, 1);
  }
}

static bool read_file(Text *text, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  for (int c; (c = getc(file)) != EOF;)
    text_add_char(text, (char)c);
  fclose(file);
  return true;
}

// Compares models/FOLDER/NAME.tck with what the arguments generate, without its first line.
static void compare(const char *shared, const char *name, const char *line) {
  Text path = {.mem = &mem}, file = {.mem = &mem};
  text_addf(&path, "%s/models/papers-%s.tck", shared, name);
  if (!read_file(&file, text_chars(&path)))
    fail_msg("cannot read %s", text_chars(&path));
  must_generate(line);
  const char *body = strchr(text_chars(&out), '\n') + 1;
  if (strcmp(body, text_chars(&file)))
    fail_msg("'tarn gen %s' is not %s", line, text_chars(&path));
  text_release(&path);
  text_release(&file);
}

static void test_papers(void **state) {
  (void)state;
  const char *shared = getenv("TARN_SHARED");
  if (!shared) {
    print_message("TARN_SHARED is not set: generated texts are not compared with model files\n");
    skip();
  }
  static const struct {
    const char *name, *line; // %d is the size
    int sizes[10];           // ends with 0
  } rows[] = {
      {"orders/blowup-%d", "blowup %d", {5, 10, 15}},
      {"orders/critical-region-%d", "critical-region %d", {3, 4, 5}},
      {"orders/csmacd-%d", "csma %d", {3, 4, 5, 6, 7, 8, 10, 11, 12}},
      {"orders/fddi-%d", "fddi %d", {8, 10, 15}},
      {"orders/fischer-%d", "fischer %d", {7, 8, 9}},
      {"orders/lynch-%d", "lynch %d", {8, 9, 10}},
      {"nonconvex/a-%d", "a%d", {1, 2, 3}},
      {"nonconvex/a-%dswapped", "a%d swapped=1", {2}},
      {"nonconvex/csmacd-%d", "csma %d variant=nonconvex", {7, 8, 9}},
      {"nonconvex/fddi-%d", "fddi %d", {10, 20, 30}},
      {"nonconvex/fischer-%d", "fischer %d", {7, 8, 9}},
      {"local/corsso-%d", "corsso %d", {3, 4, 5}},
      {"local/cr-concur19-%d", "critical-region %d variant=async", {4, 5}},
      {"local/dining-%d", "philosophers %d", {7, 8, 9, 10}},
      {"local/parallel-%d", "parallel %d", {6, 7, 8}},
      {"darts/fig-4", "darts-example", {4}},
      {"darts/lcm-%d", "lcm %d", {4, 5, 6}},
      {"darts/vikings-%d", "vikings %d", {2, 3, 4, 5, 6, 7}},
      {"darts/tgs-T55-%d", "tasks %d file=$/models/task-graphs/rand0055.stg", {4, 7}},
      {"darts/tgs-T155-%d", "tasks %d file=$/models/task-graphs/rand0155.stg", {4, 6}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (const int *size = rows[i].sizes; *size; size++) {
      Text texts[2] = {{.mem = &mem}, {.mem = &mem}};
      const char *const patterns[2] = {rows[i].name, rows[i].line};
      for (int t = 0; t < 2; t++)
        for (const char *c = patterns[t]; *c; c++)
          if (*c == '$')
            text_add(&texts[t], shared);
          else if (*c == '%')
            text_addf(&texts[t], "%d", (c++, *size));
          else
            text_add_char(&texts[t], *c);
      compare(shared, text_chars(&texts[0]), text_chars(&texts[1]));
      text_release(&texts[0]);
      text_release(&texts[1]);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_structure, setup, teardown),
      cmocka_unit_test_setup_teardown(test_deterministic, setup, teardown),
      cmocka_unit_test_setup_teardown(test_origin, setup, teardown),
      cmocka_unit_test_setup_teardown(test_parameters, setup, teardown),
      cmocka_unit_test_setup_teardown(test_errors, setup, teardown),
      cmocka_unit_test_setup_teardown(test_tasks, setup, teardown),
      cmocka_unit_test_setup_teardown(test_list, setup, teardown),
      cmocka_unit_test_setup_teardown(test_random_features, setup, teardown),
      cmocka_unit_test_setup_teardown(test_random_labels, setup, teardown),
      cmocka_unit_test_setup_teardown(test_random_own_clocks, setup, teardown),
      cmocka_unit_test_setup_teardown(test_papers, setup, teardown),
  };
  return cmocka_run_group_tests_name("gen", tests, NULL, NULL);
}
