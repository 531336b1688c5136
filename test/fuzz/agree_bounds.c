// Random tester for clock bounds: agree_bounds SEED COUNT
//
// Makes COUNT small random networks (`tarn gen random`, sizes chosen from the seed as well) and
// searches each under every abstraction that stores plain zones, with bounds of every kind
// and in every order, zones stored after and before delay by turns. All must agree on the
// number of discrete states reached and on the answers to queries about clocks. Half of
// the networks have guards with constants so large that few of them are ever met.
//
// Prints a line for every disagreement, with the command that makes the network, and one
// at the end; the exit status is 1 if there was one. test/fuzz/agree_bounds.txt has results.
#include "sample.h"

#include "base/random.h"
#include "tarn.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 24, QUERIES = 2, ORDERS_MAX = 16, POLLS = 20 };

static const char *const abstractions[] = {"alu", "am", "closure", "closure-lu+"};
static const char *const bounds[] = {"local", "global", "fly", "lazy"};

typedef struct Tester {
  Random random;
  char orders[ORDERS_MAX][16];
  int order_count;
  SampleValue arguments[ARGUMENTS];
  int argument_count;
  char queries[QUERIES][96];
  long networks, searches, undecided, disagreements;
} Tester;

static void check(int result, const Tarn *tarn) {
  if (result == 0)
    return;
  fprintf(stderr, "agree_bounds: %s\n", tarn_error(tarn));
  exit(2);
}

// The values of --order, so that new ones are tested without a change here.
static void find_orders(Tester *t) {
  TarnOption option;
  for (size_t i = 0; tarn_option(i, &option) == 0; i++) {
    if (strcmp(option.name, "order") != 0)
      continue;
    for (const char *at = option.argument; *at && t->order_count < ORDERS_MAX;) {
      const size_t size = strcspn(at, "|");
      snprintf(t->orders[t->order_count++], sizeof t->orders[0], "%.*s", (int)size, at);
      at += size + (at[size] == '|');
    }
  }
}

static void add_argument(Tester *t, const char *name, int value) {
  t->arguments[t->argument_count++] = (SampleValue){name, value};
}

static void choose_network(Tester *t, uint64_t seed) {
  Random *random = &t->random;
  random_seed(random, seed);
  t->argument_count = 0;
  add_argument(t, "seed", (int)(seed & 0x7fffffff));
  const int processes = random_between(random, 1, 3);
  add_argument(t, "processes", processes);
  add_argument(t, "clocks", random_between(random, 1, 3));
  add_argument(t, "locations", random_between(random, 2, 4));
  add_argument(t, "edges", random_between(random, 3, 10 - 2 * processes));
  add_argument(t, "constant", random_below(random, 2) ? 30 : random_between(random, 1, 6));
  add_argument(t, "invariants", random_between(random, 0, 60));
  add_argument(t, "closed", (int)random_below(random, 2));
  // Three of four without the features that make clock updates depend on variables.
  const bool is_plain = random_below(random, 4) != 0;
  static const char *const features[] = {"bounds", "branches", "shifts", "copies", "values"};
  for (int i = 0; i < 5; i++)
    add_argument(t, features[i], !is_plain && random_below(random, 2));
  if (is_plain) {
    add_argument(t, "ints", (int)random_below(random, 2));
    add_argument(t, "guards", random_between(random, 60, 100));
    add_argument(t, "resets", random_between(random, 30, 80));
    add_argument(t, "committed", 4);
    add_argument(t, "urgent", 4);
  }
  static const char *const relations[] = {"<", "<=", "==", ">=", ">"};
  for (int q = 0; q < QUERIES; q++) {
    const int process = (int)random_below(random, (uint32_t)processes);
    const int location = (int)random_below(random, 4);
    const char *relation = relations[random_below(random, 5)];
    const int constant = random_between(random, 0, 9);
    snprintf(t->queries[q], sizeof t->queries[q], "E<> P%d.l%d && x0 %s %d", process, location,
             relation, constant);
    if (q % 2)
      snprintf(t->queries[q], sizeof t->queries[q], "A[] P%d.l%d imply x0 %s %d || x1 <= %d",
               process, location, relation, constant, (int)random_below(random, 9));
  }
}

static int stop(void *state) {
  int *left = state;
  return --*left < 0;
}

// What a search found: a verdict, or -1 for a model or query at fault; for explorations also
// the number of discrete states.
typedef struct Finding {
  int verdict;
  long states;
} Finding;

static Finding search(Tester *t, Tarn *tarn, const char *query) {
  int polls = POLLS;
  tarn_set_terminate(tarn, &polls, stop);
  Finding found = {tarn_check(tarn, query), 0};
  if (!query && found.verdict == TARN_EXPLORED)
    found.states = (long)tarn_statistic(tarn, "states");
  t->searches++;
  t->undecided += found.verdict == TARN_UNDECIDED;
  return found;
}

static void complain(Tester *t, const char *options, const char *query, Finding expected,
                     Finding found) {
  t->disagreements++;
  printf("DISAGREE %s %s: verdict %d, %ld states, expected %d, %ld: tarn gen random", options,
         query ? query : "", found.verdict, found.states, expected.verdict, expected.states);
  for (int i = 0; i < t->argument_count; i++)
    printf(" %s=%d", t->arguments[i].name, t->arguments[i].value);
  printf("\n");
}

typedef struct Reference {
  bool is_known;
  Finding findings[QUERIES + 1];
} Reference;

static void try_options(Tester *t, Tarn *tarn, int a, int b, int o, bool before, Reference *r) {
  char options[128];
  // With a seed the transitions of a state are tried in another order.
  const char *seed = random_below(&t->random, 2) ? "0" : "7";
  const bool is_compact = random_below(&t->random, 3) == 0;
  snprintf(options, sizeof options,
           "--abstraction %s --bounds %s --order %s --delay %s --seed %s%s", abstractions[a],
           bounds[b], t->orders[o], before ? "before" : "after", seed,
           is_compact ? " --compact" : "");
  check(tarn_set(tarn, "abstraction", abstractions[a]), tarn);
  check(tarn_set(tarn, "bounds", bounds[b]), tarn);
  check(tarn_set(tarn, "order", t->orders[o]), tarn);
  check(tarn_set(tarn, "delay", before ? "before" : "after"), tarn);
  check(tarn_set(tarn, "seed", seed), tarn);
  check(tarn_set(tarn, "compact", is_compact ? "yes" : "no"), tarn);
  for (int q = 0; q <= QUERIES; q++) {
    const char *query = q ? t->queries[q - 1] : NULL;
    Finding *expected = &r->findings[q];
    if (r->is_known && expected->verdict == TARN_UNDECIDED)
      continue;
    const Finding found = search(t, tarn, query);
    if (!r->is_known)
      *expected = found;
    else if (found.verdict != TARN_UNDECIDED &&
             (found.verdict != expected->verdict || found.states != expected->states))
      complain(t, options, query, *expected, found);
  }
  r->is_known = true;
}

static void test_network(Tester *t, uint64_t seed) {
  choose_network(t, seed);
  char *text = sample_network(t->arguments, t->argument_count);
  Tarn *tarn = tarn_init();
  check(tarn_read_text(tarn, text, "tchecker"), tarn);
  Reference reference = {.is_known = false};
  uint64_t turn = seed;
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++)
      for (int o = 0; o < t->order_count; o++)
        try_options(t, tarn, a, b, o, reference.is_known && turn++ % 2, &reference);
  t->networks++;
  tarn_release(tarn);
  free(text);
}

int main(int count, char **words) {
  if (count != 3) {
    fprintf(stderr, "usage: agree_bounds SEED COUNT\n");
    return 2;
  }
  static Tester t;
  const uint64_t seed = strtoull(words[1], NULL, 10), networks = strtoull(words[2], NULL, 10);
  find_orders(&t);
  for (uint64_t i = 0; i < networks; i++)
    test_network(&t, seed + i);
  printf("%s agree_bounds: %ld networks from seed %s, %ld searches (%ld undecided), %ld "
         "disagreements\n",
         t.disagreements ? "FAIL" : "ok", t.networks, words[1], t.searches, t.undecided,
         t.disagreements);
  return t.disagreements != 0;
}
