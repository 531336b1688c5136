// Random networks, searched by several threads: agree_threads COUNT [FIRST]
//
// Each seed from FIRST (default 1) on gives a closed network. Is a location reachable, for every
// one of its locations, and in zones, is there a deadlock: searches by 1, 2, 3 and 5 threads,
// with every engine, in several orders and under several abstractions, must say the same; a full
// exploration must keep its books, and
// store as much as with one thread where that does not depend on the order. Runs are asked for,
// so that builds with assertions replay them and check the proofs of all other answers. Stops at
// the first disagreement, and shows it.
//
// Of a build with MPI=1, started by mpirun: the processes together, each with 1 or 2 threads in
// turns, against one process with one.
#include "sample.h"

#include "tarn.h"

#include <stdlib.h>
#include <string.h>

typedef struct Configuration {
  const char *engine, *abstraction, *order;
} Configuration;

static const Configuration configurations[] = {
    {"zones", "alu", "stages"},  {"zones", "alu", "bfs"},    {"zones", "am", "rank"},
    {"zones", "alu", "tw"},      {"zones", "alu", "wait"},   {"zones", "extra-lu+", "stages"},
    {"zones", "extra-m", "dfs"}, {"local", "alu", "stages"}, {"local", "extra-lu+", "bfs"},
    {"local", "am", "rank"},     {"darts", NULL, "bfs"},     {"darts", NULL, "dfs"},
    {"points", NULL, "bfs"},     {"points", NULL, "dfs"},
};
static const char *const threads[] = {"1", "2", "3", "5"};
static int is_mpi; // then threads[1] stands for several processes with 1, threads[2] with 2
enum {
  CONFIGURATIONS = sizeof configurations / sizeof *configurations,
  THREADS = sizeof threads / sizeof *threads,
};

typedef struct Sum {
  unsigned long networks, checks, reached;
} Sum;

static void set(Tarn *tarn, const char *option, const char *value) {
  if (tarn_set(tarn, option, value))
    abort();
}

static int show(const SampleCase *c, const Configuration *how, const char *count,
                const char *query, const char *what) {
  printf("%s\nseed %lu, engine %s, order %s, abstraction %s, %s threads, %s: %s\n", c->model,
         c->seed, how->engine, how->order, how->abstraction ? how->abstraction : "none", count,
         query, what);
  return 0;
}

// Whether a search to the end kept its books; *one is what one thread stored. In global time the
// largest zones modulo a_LU are found in any order, and points are single.
static int adds_up(double *one, const Tarn *tarn, const Configuration *how, const char *count) {
  const double stored = tarn_statistic(tarn, "stored");
  const int is_fixed = !strcmp(how->engine, "points") ||
                       (!strcmp(how->engine, "zones") &&
                        (!strcmp(how->abstraction, "alu") || !strcmp(how->abstraction, "am")));
  if (count == *threads)
    *one = stored;
  if (is_fixed && stored != *one)
    return 0;
  return !strcmp(how->engine, "points") || !strcmp(how->engine, "darts") ||
         tarn_statistic(tarn, "visited") == stored + tarn_statistic(tarn, "mistakes");
}

// A warning other than that values left the range of their variable, which is a trait of the
// model.
static int has_warning(Tarn *tarn) {
  static const char word[] = "warning: ", harmless[] = "a value out of the range of its variable";
  for (const char *at = strstr(tarn_warnings(tarn), word); at; at = strstr(at, word)) {
    at += sizeof word - 1;
    if (strncmp(at, harmless, sizeof harmless - 1) != 0)
      return 1;
  }
  return 0;
}

// What to say of a verdict that is not the first one.
static const char *other(const Tarn *tarn, int verdict) {
  if (verdict < 0)
    return tarn_error(tarn);
  return verdict == TARN_UNDECIDED ? "undecided" : "another verdict";
}

static int try_one(SampleCase *c, Sum *sum, const Configuration *how, const char *count,
                   double *one) {
  Tarn *tarn = tarn_init();
  if (is_mpi && count != *threads) {
    const int joined = tarn_join(tarn);
    if (joined) { // not the first process: it has done its part
      tarn_release(tarn);
      return joined > 0;
    }
    count = count == threads[1] ? "1" : "2";
  }
  set(tarn, "engine", how->engine);
  set(tarn, "order", how->order);
  if (how->abstraction)
    set(tarn, "abstraction", how->abstraction);
  set(tarn, "threads", count);
  set(tarn, "trace", "concrete");
  set(tarn, "prefer", "any"); // the run of this search
  // Without a limit it may use 85 % of what is available, and is undecided where others take all.
  set(tarn, "memory-limit", "1000");
  if (tarn_read_text(tarn, c->model, "tchecker"))
    return show(c, how, count, "model", tarn_error(tarn));
  int agree = 1;
  for (int q = 0; q <= c->query_count && agree; q++) {
    const char *query = q < c->query_count ? c->labels[q] : NULL;
    const int verdict = query ? tarn_check_labels(tarn, query) : tarn_check(tarn, NULL);
    const int is_first = how == configurations && count == *threads;
    if (is_first)
      c->verdicts[q] = verdict;
    sum->checks++;
    sum->reached += verdict == TARN_SATISFIED;
    if (verdict != c->verdicts[q])
      agree = show(c, how, count, query ? query : "exploration", other(tarn, verdict));
    else if (has_warning(tarn))
      agree = show(c, how, count, query ? query : "exploration", tarn_warnings(tarn));
    else if (verdict == TARN_EXPLORED && !adds_up(one, tarn, how, count))
      agree = show(c, how, count, "exploration", "the counts do not add up");
  }
  // Threads look for deadlocks in zones.
  if (agree && !is_mpi && !strcmp(how->engine, "zones")) {
    const int verdict = tarn_check(tarn, "E<> deadlock");
    if (how == configurations && count == *threads)
      c->deadlock = verdict;
    sum->checks++;
    sum->reached += verdict == TARN_SATISFIED;
    if (verdict != c->deadlock)
      agree = show(c, how, count, "deadlock", other(tarn, verdict));
  }
  tarn_release(tarn);
  return agree;
}

static int try_case(SampleCase *c, Sum *sum) {
  int agree = 1;
  double one = 0;
  for (int i = 0; i < CONFIGURATIONS && agree; i++)
    for (int t = 0; t < THREADS && agree; t++)
      if (!is_mpi || !t || t == 1 + (int)(c->seed + (unsigned long)i) % 2)
        agree = try_one(c, sum, &configurations[i], threads[t], &one);
  sum->networks++;
  return agree;
}

int main(int argc, char **argv) {
  unsigned long first, last;
  sample_seeds(argc, argv, &first, &last);
  Sum sum = {0};
  int agree = 1;
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  is_mpi = rank != NULL;
  for (unsigned long seed = first; agree && seed < last; seed++) {
    SampleCase c = sample_case(seed, 5, 1);
    agree = try_case(&c, &sum);
    free(c.model);
  }
  if (!is_mpi || !strcmp(rank, "0"))
    printf("%lu networks, %d configurations, %s: %s; %lu checks, %lu reached\n", sum.networks,
           CONFIGURATIONS, is_mpi ? "several processes with 1 or 2 threads" : "1 to 5 threads",
           agree ? "all agree" : "DISAGREEMENT", sum.checks, sum.reached);
  return !agree;
}
