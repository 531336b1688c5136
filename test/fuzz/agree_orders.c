// Random networks, decided in every order under every abstraction: agree_orders COUNT [FIRST]
//
// Each seed from FIRST (default 1) on gives a network. Is a location reachable, for every one of
// its locations: all orders (with declared and with random order of transitions), abstractions
// and kinds of bounds must say the same. A full exploration must visit just what it stores
// in the end, and its mistakes, and --compact must not change its counts. Stops at the first
// disagreement, and shows it.
#include "sample.h"

#include "tarn.h"

#include <stdlib.h>
#include <string.h>

static const char *const orders[] = {"bfs", "dfs", "rank", "wait", "tw", "stages"};
static const char *const abstractions[] = {"alu",      "am",      "extra-lu+", "extra-lu",
                                           "extra-m+", "extra-m", "none"};
enum {
  ORDERS = sizeof orders / sizeof *orders,
  ABSTRACTIONS = sizeof abstractions / sizeof *abstractions,
  MAX_VISITED = 2000, // without abstraction, which may not end
};

typedef struct Sum {
  unsigned long networks, checks, reached, failed, cut_short;
} Sum;

static unsigned below(SampleCase *c, unsigned n) { return sample_below(&c->random, n); }

static void set(Tarn *tarn, const char *option, const char *value) {
  if (tarn_set(tarn, option, value))
    abort();
}

static int terminate(void *tarn) { return tarn_statistic(tarn, "visited") > MAX_VISITED; }

// Whether a search to the end kept its books.
static int adds_up(const Tarn *tarn) {
  return tarn_statistic(tarn, "visited") ==
         tarn_statistic(tarn, "stored") + tarn_statistic(tarn, "mistakes");
}

// Whether another exploration, with zones in minimal form, counts the same.
static int is_same_compact(Tarn *tarn) {
  static const char *const names[] = {"visited", "stored", "transitions", "mistakes", "covered"};
  enum { NAMES = sizeof names / sizeof *names };
  double before[NAMES];
  for (int i = 0; i < NAMES; i++)
    before[i] = tarn_statistic(tarn, names[i]);
  set(tarn, "compact", "yes");
  if (tarn_check(tarn, NULL) != TARN_EXPLORED)
    return 0;
  for (int i = 0; i < NAMES; i++)
    if (tarn_statistic(tarn, names[i]) != before[i])
      return 0;
  return 1;
}

static int show(const SampleCase *c, const char *order, const char *abstraction,
                const char *query, const char *what) {
  printf("%s\nseed %lu, order %s, abstraction %s, %s: %s\n", c->model, c->seed, order,
         abstraction, query, what);
  return 0;
}

// True if one configuration says what the first one said.
static int try_one(SampleCase *c, Sum *sum, const char *order, const char *abstraction,
                   int is_first) {
  Tarn *tarn = tarn_init();
  set(tarn, "order", order);
  set(tarn, "abstraction", abstraction);
  set(tarn, "bounds", below(c, 3) ? "local" : "global");
  set(tarn, "seed", below(c, 2) ? "0" : "5");
  if (!strcmp(abstraction, "none"))
    tarn_set_terminate(tarn, tarn, terminate);
  if (tarn_read_text(tarn, c->model, "tchecker"))
    return show(c, order, abstraction, "model", tarn_error(tarn));
  int agree = 1;
  for (int q = 0; q <= c->query_count && agree; q++) {
    const char *query = q < c->query_count ? c->labels[q] : NULL;
    const int verdict = query ? tarn_check_labels(tarn, query) : tarn_check(tarn, NULL);
    if (is_first)
      c->verdicts[q] = verdict;
    sum->checks++;
    sum->reached += verdict == TARN_SATISFIED;
    sum->failed += verdict == -1;
    sum->cut_short += verdict == TARN_UNDECIDED;
    if (verdict != c->verdicts[q] && verdict != TARN_UNDECIDED)
      agree = show(c, order, abstraction, query ? query : "exploration", "another verdict");
    else if (verdict == TARN_EXPLORED && !adds_up(tarn))
      agree = show(c, order, abstraction, "exploration", "visited is not stored + mistakes");
    else if (verdict == TARN_EXPLORED && !is_same_compact(tarn))
      agree = show(c, order, abstraction, "exploration", "other counts with --compact");
  }
  tarn_release(tarn);
  return agree;
}

static int try_case(SampleCase *c, Sum *sum) {
  int agree = 1;
  for (int a = 0; a < ABSTRACTIONS && agree; a++)
    for (int o = 0; o < ORDERS && agree; o++)
      agree = try_one(c, sum, orders[o], abstractions[a], a + o == 0);
  sum->networks++;
  return agree;
}

int main(int argc, char **argv) {
  unsigned long first, last;
  sample_seeds(argc, argv, &first, &last);
  Sum sum = {0};
  int agree = 1;
  for (unsigned long seed = first; agree && seed < last; seed++) {
    SampleCase c = sample_case(seed, 6, 0);
    agree = try_case(&c, &sum);
    free(c.model);
  }
  printf("%lu networks, %d orders, %d abstractions: %s; %lu checks, %lu reached, %lu failed, "
         "%lu without abstraction cut short\n",
         sum.networks, ORDERS, ABSTRACTIONS, agree ? "all agree" : "DISAGREEMENT", sum.checks,
         sum.reached, sum.failed, sum.cut_short);
  return !agree;
}
