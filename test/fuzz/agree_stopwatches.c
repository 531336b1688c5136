// Random networks with stopwatches: agree_stopwatches COUNT [FIRST]
//
// Each seed from FIRST (default 1) on gives a network of two processes, three clocks and a
// variable that is the rate of clocks, as UPPAAL text, and some queries. A naive search on half
// units of time finds states that can be reached for sure: tarn must not say that they cannot be.
// (Where clocks are stopped, others can be reached only at times that are no multiples of any
// unit.) Every run is certified, and every "not satisfied" has a certificate, which is certified
// too. In every fourth network only queries read the clocks that are stopped, and
// all its queries are of one session. Stops at the first difference and shows it; the last line
// is the sum.
#define _POSIX_C_SOURCE 200809L // mkstemp
#include "sample.h"

#include "tarn.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSES = 2, LOCATIONS = 3, EDGES = 5, CLOCKS = 3, CONSTANT = 3, TEXT = 8000 };
enum { CAP = 2 * CONSTANT + 1, VALUES = CAP + 1 }; // of a clock, in halves; all above are one
enum { STATES = LOCATIONS * LOCATIONS * 2 * VALUES * VALUES * VALUES };

typedef struct Test { // clock op constant; clock CLOCKS: none
  int clock, constant;
  char op; // 'g' >=, 'l' <=, 'e' ==, '>' and '<'
} Test;

typedef struct Place {
  Test invariant;
  int rated, rate; // a clock, and 0, 1 or 2 for the variable; CLOCKS: none
} Place;

typedef struct Way {
  int from, to;
  Test guards[2];
  int reset, set; // a clock or CLOCKS; a value of the variable or 2
} Way;

typedef struct Network {
  unsigned long seed;
  unsigned long long random;
  Place places[PROCESSES][LOCATIONS];
  Way ways[PROCESSES][EDGES];
  char text[TEXT];
  size_t size;
  bool *reached;
  bool is_quiet; // the model reads clock 2 only, which runs
} Network;

typedef struct Point {
  int at[PROCESSES], v, clocks[CLOCKS];
} Point;

typedef struct Sum {
  unsigned long networks, queries, satisfied, proved, undecided, dense;
} Sum;

static int below(Network *n, unsigned count) { return (int)sample_below(&n->random, count); }

// Process 0 gives rates to clocks 0 and 2, process 1 to clock 1: no clock gets two.
static void draw_place(Network *n, Place *place, int process) {
  place->invariant = (Test){below(n, 2) ? below(n, CLOCKS) : CLOCKS, 1 + below(n, CONSTANT), 'l'};
  place->rated = below(n, 3) ? (process ? 1 : 2 * below(n, 2)) : CLOCKS;
  place->rate = below(n, 3);
}

static Test draw_test(Network *n) {
  static const char ops[] = "ggle><";
  return (Test){below(n, 4) ? below(n, CLOCKS) : CLOCKS, below(n, CONSTANT + 1),
                ops[below(n, sizeof ops - 1)]};
}

static void read_clock_2(Test *test) {
  if (test->clock < CLOCKS)
    test->clock = 2;
}

// What the model tests becomes a test of clock 2, and its rates those of clock 0.
static void make_quiet(Network *n) {
  for (int p = 0; p < PROCESSES; p++) {
    for (int l = 0; l < LOCATIONS; l++) {
      read_clock_2(&n->places[p][l].invariant);
      if (n->places[p][l].rated == 2)
        n->places[p][l].rated = 0;
    }
    for (int e = 0; e < EDGES; e++) {
      read_clock_2(&n->ways[p][e].guards[0]);
      read_clock_2(&n->ways[p][e].guards[1]);
    }
  }
}

static void draw(Network *n) {
  for (int p = 0; p < PROCESSES; p++) {
    for (int l = 0; l < LOCATIONS; l++)
      draw_place(n, &n->places[p][l], p);
    for (int e = 0; e < EDGES; e++) {
      Way *way = &n->ways[p][e];
      *way = (Way){.from = e < LOCATIONS ? e : below(n, LOCATIONS), .to = below(n, LOCATIONS)};
      way->guards[0] = draw_test(n);
      way->guards[1] = draw_test(n);
      way->reset = below(n, 2) ? below(n, CLOCKS) : CLOCKS;
      way->set = below(n, 3);
    }
  }
}

static void add(Network *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(Network *n, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  n->size += (size_t)vsnprintf(n->text + n->size, TEXT - n->size, format, arguments);
  va_end(arguments);
}

static void add_test(Network *n, const Test *test) {
  static const char *const ops[] = {
      ['g'] = ">=", ['l'] = "<=", ['e'] = "==", ['>'] = ">", ['<'] = "<"};
  if (test->clock == CLOCKS)
    add(n, "true");
  else
    add(n, "x%d %s %d", test->clock, ops[(int)test->op], test->constant);
}

static void write_place(Network *n, int p, int l) {
  const Place *place = &n->places[p][l];
  add(n, "%s l%d { ", l ? "," : "  state", l);
  add_test(n, &place->invariant);
  if (place->rated < CLOCKS && place->rate < 2)
    add(n, " && x%d' == %d", place->rated, place->rate);
  else if (place->rated < CLOCKS)
    add(n, " && x%d' == v", place->rated);
  add(n, " }");
}

static void write_model(Network *n) {
  add(n, "clock x0, x1, x2;\nint[0,1] v = 1;\n");
  for (int p = 0; p < PROCESSES; p++) {
    add(n, "process P%d() {\n", p);
    for (int l = 0; l < LOCATIONS; l++)
      write_place(n, p, l);
    add(n, ";\n  init l0;\n  trans");
    for (int e = 0; e < EDGES; e++) {
      const Way *way = &n->ways[p][e];
      add(n, "%s\n    l%d -> l%d { guard ", e ? "," : "", way->from, way->to);
      add_test(n, &way->guards[0]);
      add(n, " && ");
      add_test(n, &way->guards[1]);
      add(n, "; ");
      if (way->reset < CLOCKS && way->set < 2)
        add(n, "assign x%d = 0, v = %d; ", way->reset, way->set);
      else if (way->reset < CLOCKS)
        add(n, "assign x%d = 0; ", way->reset);
      else if (way->set < 2)
        add(n, "assign v = %d; ", way->set);
      add(n, "}");
    }
    add(n, ";\n}\n");
  }
  add(n, "system P0, P1;\n");
}

// --- The naive search, in halves.

static bool holds(const Test *test, const Point *point) {
  const int value = test->clock < CLOCKS ? point->clocks[test->clock] : 0;
  const int constant = 2 * test->constant;
  if (test->clock == CLOCKS)
    return true;
  switch (test->op) {
  case 'g':
    return value >= constant;
  case 'l':
    return value <= constant;
  case 'e':
    return value == constant;
  case '>':
    return value > constant;
  default:
    return value < constant;
  }
}

static bool is_allowed(const Network *n, const Point *point) {
  return holds(&n->places[0][point->at[0]].invariant, point) &&
         holds(&n->places[1][point->at[1]].invariant, point);
}

static int number_of(const Point *point) {
  int number = (point->at[0] * LOCATIONS + point->at[1]) * 2 + point->v;
  for (int x = 0; x < CLOCKS; x++)
    number = number * VALUES + point->clocks[x];
  return number;
}

static Point point_of(int number) {
  Point point;
  for (int x = CLOCKS; x-- > 0; number /= VALUES)
    point.clocks[x] = number % VALUES;
  point.v = number % 2;
  point.at[1] = number / 2 % LOCATIONS;
  point.at[0] = number / 2 / LOCATIONS;
  return point;
}

static void visit(Network *n, const Point *point, int *stack, int *size) {
  const int number = number_of(point);
  if (!is_allowed(n, point) || n->reached[number])
    return;
  n->reached[number] = true;
  stack[(*size)++] = number;
}

static Point delayed(const Network *n, Point point) {
  bool stopped[CLOCKS + 1] = {0};
  for (int p = 0; p < PROCESSES; p++) {
    const Place *place = &n->places[p][point.at[p]];
    stopped[place->rated] |= !(place->rate == 2 ? point.v : place->rate);
  }
  for (int x = 0; x < CLOCKS; x++)
    point.clocks[x] += !stopped[x] && point.clocks[x] < CAP;
  return point;
}

static void search(Network *n) {
  int *stack = malloc(STATES * sizeof *stack), size = 0;
  visit(n, &(Point){.v = 1}, stack, &size);
  while (size) {
    const Point point = point_of(stack[--size]), later = delayed(n, point);
    visit(n, &later, stack, &size);
    for (int p = 0; p < PROCESSES; p++)
      for (int e = 0; e < EDGES; e++) {
        const Way *way = &n->ways[p][e];
        if (way->from != point.at[p] || !holds(&way->guards[0], &point) ||
            !holds(&way->guards[1], &point))
          continue;
        Point next = point;
        next.at[p] = way->to;
        next.v = way->set < 2 ? way->set : next.v;
        if (way->reset < CLOCKS)
          next.clocks[way->reset] = 0;
        visit(n, &next, stack, &size);
      }
  }
  free(stack);
}

// --- Queries: a location of each process, and perhaps two tests.

typedef struct Question {
  int at[PROCESSES];
  Test tests[2];
} Question;

static bool is_reached(const Network *n, const Question *q) {
  for (int i = 0; i < STATES; i++) {
    const Point point = point_of(i);
    if (n->reached[i] && point.at[0] == q->at[0] && point.at[1] == q->at[1] &&
        holds(&q->tests[0], &point) && holds(&q->tests[1], &point))
      return true;
  }
  return false;
}

static void write_query(const Network *n, const Question *q, char *text, size_t room) {
  Network scratch = *n; // for its text
  scratch.size = 0;
  add(&scratch, "E<> P0.l%d && P1.l%d && ", q->at[0], q->at[1]);
  add_test(&scratch, &q->tests[0]);
  add(&scratch, " && ");
  add_test(&scratch, &q->tests[1]);
  snprintf(text, room, "%s", scratch.text);
}

static bool is_certified(const Network *n, const char *path) {
  Tarn *tarn = tarn_init();
  const bool ok = !tarn_read_text(tarn, n->text, "uppaal") && tarn_certify(tarn, path) == 1;
  tarn_release(tarn);
  return ok;
}

static bool fails(const Network *n, const char *query, const char *what) {
  printf("%s\nseed %lu, %s: %s\n", n->text, n->seed, query, what);
  return false;
}

static Tarn *session(const Network *n, const char *path) {
  Tarn *tarn = tarn_init();
  tarn_set(tarn, "trace", "concrete");
  tarn_set(tarn, "certificate", path);
  if (tarn_read_text(tarn, n->text, "uppaal"))
    fails(n, "the model", tarn_error(tarn));
  return tarn;
}

static bool try_question(const Network *n, Tarn *tarn, const Question *q, const char *path,
                         Sum *sum) {
  char query[TEXT];
  write_query(n, q, query, sizeof query);
  const int verdict = tarn_check(tarn, query);
  const bool reached = is_reached(n, q);
  bool ok = true;
  sum->queries++;
  if (verdict == TARN_SATISFIED) {
    FILE *file = fopen(path, "w");
    tarn_write(tarn, file, "answer", "json");
    fclose(file);
    sum->satisfied++;
    sum->dense += !reached;
    ok = is_certified(n, path) || fails(n, query, "the run is not accepted");
  } else if (verdict == TARN_NOT_SATISFIED) {
    sum->proved++;
    ok = !reached || fails(n, query, "not satisfied, but there is such a state");
    ok = ok && (is_certified(n, path) || fails(n, query, "the certificate is not accepted"));
  } else if (verdict == TARN_UNDECIDED) {
    sum->undecided++;
  } else {
    ok = fails(n, query, tarn_error(tarn));
  }
  return ok;
}

static bool try_network(unsigned long seed, const char *path, Sum *sum) {
  Network n = {.seed = seed, .random = seed, .is_quiet = seed % 4 == 1};
  Tarn *tarn = NULL;
  bool ok = true;
  n.reached = calloc(STATES, sizeof *n.reached);
  draw(&n);
  if (n.is_quiet)
    make_quiet(&n);
  write_model(&n);
  search(&n);
  sum->networks++;
  for (int q = 0; q < 4 && ok; q++) {
    Question question = {.at = {below(&n, LOCATIONS), below(&n, LOCATIONS)},
                         .tests = {{.clock = CLOCKS}, {.clock = CLOCKS}}};
    if (q > 1 || (q && n.is_quiet)) {
      question.tests[0] = draw_test(&n);
      question.tests[1] = draw_test(&n);
    }
    if (!n.is_quiet || !tarn) {
      tarn_release(tarn);
      tarn = session(&n, path);
    }
    ok = try_question(&n, tarn, &question, path, sum);
  }
  tarn_release(tarn);
  free(n.reached);
  return ok;
}

int main(int argc, char **argv) {
  unsigned long first, last;
  char path[] = "/tmp/tarn-stopwatches-XXXXXX";
  Sum sum = {0};
  bool ok = true;
  sample_seeds(argc, argv, &first, &last);
  close(mkstemp(path));
  for (unsigned long seed = first; ok && seed < last; seed++)
    ok = try_network(seed, path, &sum);
  unlink(path);
  printf("%lu networks with stopwatches, %lu queries: %lu satisfied (%lu of them not on halves), "
         "%lu proved, %lu undecided: %s\n",
         sum.networks, sum.queries, sum.satisfied, sum.dense, sum.proved, sum.undecided,
         ok ? "all agree" : "DISAGREEMENT");
  return !ok;
}
