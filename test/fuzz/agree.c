// Random closed networks, decided by every engine: agree COUNT [FIRST]
//
// Each seed from FIRST (default 1) on gives a network and a query. Points, darts, zones of global
// and of local time, with every kind of bounds and abstraction, in several orders, must give one
// verdict; runs must be found where there is one, with whole delays. Stops at the first
// disagreement, and shows it; the last line is the sum. With diagonal constraints zones may not
// end: those that visit more than a few thousand nodes are left out.
//
// Each seed also gives a network whose guards, invariants and updates can fail at run time. All
// its states are explored, and either every engine finds a failure or none does; then there is a
// certificate, which must be accepted.
//
// make agree runs it on 20000 networks; test/fuzz/faults.sh, on a library with faults.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "sample.h"

#include "tarn.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_VISITED = 4000 };
enum { FAILED = -1, CUT_SHORT = TARN_UNDECIDED };

typedef struct Configuration {
  const char *engine, *bounds, *abstraction, *order, *seed; // NULL: as it is
  int shows_run;
} Configuration;

// The first one is the oracle.
static const Configuration configurations[] = {
    {"points", "global", NULL, "bfs", NULL, 0},
    {"points", "local", NULL, "dfs", NULL, 1},
    {"points", "local", NULL, "bfs", "3", 0},
    {"darts", "global", NULL, "bfs", NULL, 1},
    {"darts", "global", NULL, "dfs", "7", 0},
    {"darts", "local", NULL, "bfs", NULL, 1},
    {"darts", "local", NULL, "dfs", NULL, 1},
    {"darts", "local", NULL, "bfs", "5", 0},
    {"zones", "local", "alu", "bfs", NULL, 0},
    {"zones", "global", "alu", "dfs", NULL, 0},
    {"zones", "local", "am", "dfs", NULL, 0},
    {"zones", "global", "am", "bfs", NULL, 0},
    {"zones", "local", "extra-lu+", "bfs", NULL, 0},
    {"zones", "global", "extra-lu+", "dfs", NULL, 0},
    {"zones", "local", "extra-lu", "dfs", NULL, 0},
    {"zones", "global", "extra-lu", "bfs", NULL, 0},
    {"zones", "local", "extra-m+", "bfs", NULL, 0},
    {"zones", "global", "extra-m+", "dfs", NULL, 0},
    {"zones", "local", "extra-m", "dfs", NULL, 0},
    {"zones", "global", "extra-m", "bfs", NULL, 0},
    {"local", "local", "alu", "bfs", NULL, 1},
    {"local", "global", "alu", "dfs", "4", 1},
    {"local", "local", "extra-lu+", "dfs", NULL, 0},
    {"local", "local", "none", "bfs", NULL, 0},
    {"zones", "local", "none", "bfs", NULL, 0},
};
enum { CONFIGURATIONS = sizeof configurations / sizeof *configurations };

typedef struct Case {
  unsigned long seed;
  unsigned long long random;
  int processes, clocks, locations, diagonals, has_faults;
  char *model;
  char query[256];
} Case;

typedef struct Sum {
  unsigned long networks, satisfied, diagonals, failed, runs, zones_cut;
  unsigned long with_faults, faults;
} Sum;

static unsigned below(Case *c, unsigned n) { return sample_below(&c->random, n); }

static void make_model(Case *c) {
  c->diagonals = below(c, 3) == 0;
  const int is_plain = c->diagonals && below(c, 2); // little but diagonals, and small constants
  c->processes = is_plain ? 1 : 1 + (int)below(c, 3);
  c->clocks = 1 + is_plain + (int)below(c, c->processes == 1 ? 4 - (unsigned)is_plain : 3);
  c->locations = 2 + (int)below(c, 4) + is_plain;
  const SampleValue values[] = {
      {"seed", (int)c->seed},
      {"closed", 1},
      {"processes", c->processes},
      {"clocks", c->clocks},
      {"locations", c->locations},
      {"edges", c->locations + (int)below(c, 5)},
      {"constant", 1 + (int)below(c, is_plain ? 2 : 6)},
      {"ints", is_plain ? 0 : (int)below(c, 3)},
      {"syncs", (int)below(c, 3)},
      {"diagonals", c->diagonals},
      {"committed", below(c, 2) ? 0 : 15},
      {"urgent", below(c, 2) ? 0 : 20},
      {"invariants", is_plain ? 0 : (int)below(c, 80)},
      {"resets", 30 + (int)below(c, is_plain ? 20 : 60)},
      {"guards", is_plain ? 100 : 50 + (int)below(c, 50)},
  };
  c->model = sample_network(values, sizeof values / sizeof *values);
}

// Few features but those that can fail.
static void make_faulty(Case *c) {
  c->has_faults = 1;
  c->processes = 1 + (int)below(c, 3);
  c->clocks = 1 + (int)below(c, 2);
  c->locations = 2 + (int)below(c, 2);
  const SampleValue values[] = {
      {"seed", (int)c->seed},
      {"closed", 1},
      {"faults", 1},
      {"processes", c->processes},
      {"clocks", c->clocks},
      {"locations", c->locations},
      {"edges", c->locations + (int)below(c, 3)},
      {"constant", 1 + (int)below(c, 6)},
      {"ints", 1 + (int)below(c, 3)},
      {"syncs", (int)below(c, 3)},
      {"invariants", (int)below(c, 80)},
      {"guards", 100},
  };
  c->model = sample_network(values, sizeof values / sizeof *values);
  snprintf(c->query, sizeof c->query, "E<> 1 == 2");
}

// A location or two, often with a closed constraint on clocks, as E<> or, negated, as A[].
static void make_query(Case *c) {
  const int is_invariant = below(c, 3) == 0;
  const int has_array = strstr(c->model, "clock:2:z") != NULL;
  char *at = c->query, *end = c->query + sizeof c->query;
  at += snprintf(at, (size_t)(end - at), is_invariant ? "A[] !(" : "E<> ");
  const int p = (int)below(c, (unsigned)c->processes);
  at += snprintf(at, (size_t)(end - at), "P%d_l%d", p, c->locations - 1);
  if (c->processes > 1 && below(c, 2))
    at += snprintf(at, (size_t)(end - at), " && P%d_l%u", (p + 1) % c->processes,
                   below(c, (unsigned)c->locations));
  for (int i = (int)below(c, 3); i > 0; i--) {
    const int x = (int)below(c, (unsigned)c->clocks);
    at +=
        snprintf(at, (size_t)(end - at), has_array && x < 2 ? " && z[%d] %s %u" : " && x%d %s %u",
                 x, below(c, 2) ? "<=" : ">=", below(c, 7));
  }
  snprintf(at, (size_t)(end - at), is_invariant ? ")" : "");
}

static int terminate(void *state) { return tarn_statistic(state, "visited") > MAX_VISITED; }

static void set(Tarn *tarn, const char *option, const char *value) {
  if (value && tarn_set(tarn, option, value))
    abort();
}

// Whether the run is there and its times are whole.
static int is_good_run(Tarn *tarn) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  tarn_write(tarn, file, "answer", "text");
  fclose(file);
  const int good = strstr(text, "a run that ") && !strchr(strstr(text, "\n"), '/');
  free(text);
  return good;
}

static int decide(const Case *c, const Configuration *configuration, Sum *sum) {
  Tarn *tarn = tarn_init();
  set(tarn, "engine", configuration->engine);
  set(tarn, "bounds", configuration->bounds);
  set(tarn, "abstraction", configuration->abstraction);
  set(tarn, "order", configuration->order);
  set(tarn, "seed", configuration->seed);
  set(tarn, "trace", configuration->shows_run ? "concrete" : NULL);
  set(tarn, "prefer", "any"); // the run of this search
  if (configuration->abstraction && !strcmp(configuration->abstraction, "none"))
    tarn_set_terminate(tarn, tarn, terminate);
  int verdict = FAILED;
  if (!tarn_read_text(tarn, c->model, "tchecker"))
    verdict = tarn_check(tarn, c->query);
  // Zones have no bounds then, and the engine refuses the model.
  if (c->has_faults && verdict == FAILED && strstr(tarn_error(tarn), "matter without bound"))
    verdict = CUT_SHORT;
  const int is_reached = verdict == (c->query[0] == 'E' ? TARN_SATISFIED : TARN_NOT_SATISFIED);
  if (configuration->shows_run && is_reached) {
    sum->runs++;
    if (!is_good_run(tarn)) {
      printf("no good run with %s, %s\n", configuration->engine, configuration->bounds);
      verdict = 99;
    }
  }
  if (verdict == FAILED && getenv("AGREE_ERRORS"))
    printf("seed %lu: %s\n", c->seed, tarn_error(tarn));
  tarn_release(tarn);
  return verdict;
}

// Whether the certificate that there is no failure is accepted.
static int is_proven(const Case *c) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/tarn-agree-%ld", (long)getpid());
  Tarn *tarn = tarn_init();
  set(tarn, "bounds", below((Case[]){*c}, 2) ? "lazy" : "fly");
  set(tarn, "certificate", path);
  const int ok = !tarn_read_text(tarn, c->model, "tchecker") &&
                 tarn_check(tarn, c->query) == TARN_NOT_SATISFIED &&
                 tarn_certify(tarn, path) == 1;
  if (!ok)
    printf("seed %lu: not proven: %s%s\n%s\n", c->seed, tarn_error(tarn), tarn_finding(tarn),
           c->model);
  tarn_release(tarn);
  remove(path);
  return ok;
}

static void show(const Case *c, const int *verdicts) {
  printf("%s\nquery: %s\n", c->model, c->query);
  for (int i = 0; i < CONFIGURATIONS; i++)
    printf("%3d  %s %s %s %s seed %s\n", verdicts[i], configurations[i].engine,
           configurations[i].bounds,
           configurations[i].abstraction ? configurations[i].abstraction : "",
           configurations[i].order, configurations[i].seed ? configurations[i].seed : "0");
}

static int is_left_out(const Case *c, const Configuration *configuration) {
  const int is_none = configuration->abstraction && !strcmp(configuration->abstraction, "none");
  return configuration->abstraction && c->diagonals && !is_none;
}

// True if all agree.
static int try_case(Case *c, Sum *sum) {
  int verdicts[CONFIGURATIONS], agree = 1, known = CUT_SHORT;
  for (int i = 0; i < CONFIGURATIONS; i++) {
    verdicts[i] =
        is_left_out(c, &configurations[i]) ? CUT_SHORT : decide(c, &configurations[i], sum);
    known = known == CUT_SHORT ? verdicts[i] : known;
    agree &= verdicts[i] == known || verdicts[i] == CUT_SHORT;
  }
  if (c->has_faults) {
    sum->with_faults++;
    sum->faults += known == FAILED;
    if (agree && verdicts[0] == TARN_NOT_SATISFIED)
      return is_proven(c);
    if (!agree) {
      printf("seed %lu, with faults: the engines disagree\n", c->seed);
      show(c, verdicts);
    }
    return agree;
  }
  sum->networks++;
  sum->diagonals += c->diagonals;
  sum->failed += verdicts[0] == FAILED;
  sum->satisfied += verdicts[0] == TARN_SATISFIED;
  sum->zones_cut += verdicts[CONFIGURATIONS - 1] == CUT_SHORT;
  if (!agree) {
    printf("seed %lu: the engines disagree\n", c->seed);
    show(c, verdicts);
  }
  return agree;
}

int main(int argc, char **argv) {
  unsigned long first, last;
  sample_seeds(argc, argv, &first, &last);
  Sum sum = {0};
  int agree = 1;
  for (unsigned long seed = first; agree && seed < last; seed++) {
    Case c = {.seed = seed, .random = seed};
    make_model(&c);
    make_query(&c);
    agree = try_case(&c, &sum);
    free(c.model);
    Case faulty = {.seed = seed, .random = seed};
    make_faulty(&faulty);
    agree = agree && try_case(&faulty, &sum);
    free(faulty.model);
  }
  printf("%lu networks, %d configurations: %s; %lu queries satisfied, %lu with diagonals, "
         "%lu refused or failing, %lu runs, plain zones cut short on %lu; of %lu with faults %lu "
         "fail\n",
         sum.networks, CONFIGURATIONS, agree ? "all agree" : "DISAGREEMENT", sum.satisfied,
         sum.diagonals, sum.failed, sum.runs, sum.zones_cut, sum.with_faults, sum.faults);
  return !agree;
}
