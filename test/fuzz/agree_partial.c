// Random networks with and without partial order: agree_partial KIND COUNT [FIRST]
//
// KIND: random (those of all engines), still (still_nets.h), text (the same, in UPPAAL's language
// only), uppaal (burst_nets.h: UPPAAL's language as its users write it), near (near_nets.h:
// models of the rules with some edits). Each seed from FIRST (default 1) on gives a network and
// some queries, with every abstraction in turn. Both searches must say the same, and certificates
// of reduced ones be accepted; an error at run time and a state that is found are both possible
// answers of one search. Of kind uppaal, so must a search that is reduced by symmetry, too, and
// engine points, which shares no code with them, where the model suits it; and runs must be
// accepted. Where TARN_PROVED is the path of the proved checker, it checks the runs of every
// eighth network, and certificates that are not reduced. Stops at the first difference and shows
// it; the last line is the sum.
#define _POSIX_C_SOURCE 200809L // getpid
#include "burst_nets.h"
#include "near_nets.h"
#include "sample.h"
#include "still_nets.h"

#include "tarn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_QUERIES = BURST_QUERIES };
#define TIME_LIMIT " --time-limit 0.5" // of kind uppaal: few need more

typedef struct Sum {
  unsigned long networks, reduced, queries, found, failed, undecided, left_out, proofs;
  unsigned long symmetric, points, runs, proved; // of kind uppaal
} Sum;

typedef struct Case {
  unsigned long seed;
  const char *text, *language;
  const char *queries[MOST_QUERIES];
  int query_count;
  const char *options; // --name value ...
  bool is_thorough;    // also symmetry, points and runs
} Case;

enum { FAILED = -1, NOT_READ = -2 };

static unsigned long find_left_out(Tarn *tarn) {
  char text[4000];
  tarn_write_buffer(tarn, text, sizeof text, "stats", "text");
  const char *at = strstr(text, "left_out");
  return at ? strtoul(at + strlen("left_out"), NULL, 10) : 0;
}

static void set_options(Tarn *tarn, const char *options) {
  char name[100], value[100];
  int size;
  while (options && sscanf(options, " --%99s %99s%n", name, value, &size) == 2) {
    tarn_set(tarn, name, value);
    options += size;
  }
}

// The verdict; FAILED for an error at run time, which refuses queries of UPPAAL models. Not so
// where the search comes to a state in which a query is not answered.
static int check(Tarn *tarn, const char *query) {
  const int verdict = tarn_check(tarn, query);
  const char *reason = verdict == TARN_REFUSED ? tarn_reason(tarn) : NULL;
  return reason && strstr(reason, "after this run") && !strstr(reason, "not answered") ? FAILED
                                                                                       : verdict;
}

static int decide(const Case *c, const char *query, bool reduces, unsigned long *left_out) {
  static const char *const abstractions[] = {"alu",  "am",      "extra-lu+", "closure-lu+",
                                             "none", "extra-m", "closure"};
  Tarn *tarn = tarn_init();
  const unsigned long choice = c->seed % 16;
  tarn_set(tarn, "time-limit", "5");
  tarn_set(tarn, "partial-order", reduces ? "on" : "off");
  tarn_set(tarn, "engine", "zones");
  if (choice < 6)
    tarn_set(tarn, "abstraction", abstractions[choice + (choice >= 4)]);
  if (choice == 7 || choice == 8)
    tarn_set(tarn, "order", choice == 7 ? "bfs" : "dfs");
  if (choice == 9)
    tarn_set(tarn, "bounds", "global");
  if (choice == 10)
    tarn_set(tarn, "symmetry", "on");
  if (choice == 11)
    tarn_set(tarn, "threads", "2");
  set_options(tarn, c->options);
  int verdict = NOT_READ;
  if (!tarn_read_text(tarn, c->text, c->language)) {
    verdict = check(tarn, query);
    if (verdict >= 0 && left_out)
      *left_out += find_left_out(tarn);
  }
  tarn_release(tarn);
  return verdict;
}

// Whether there is a certificate of the reduced search that the checker accepts, if there is one
// at all: none where clocks are compared with each other or a rule of certificates forbids it.
enum { NO_PROOF, PROVED, REJECTED };
static int prove(const Case *c, const char *query) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/agree_partial.%ld.cert", (long)getpid());
  Tarn *tarn = tarn_init();
  tarn_set(tarn, "time-limit", "5");
  tarn_set(tarn, "partial-order", "on");
  tarn_set(tarn, "engine", "zones");
  tarn_set(tarn, "certificate", path);
  if (c->seed % 4 == 1)
    tarn_set(tarn, "abstraction", "am");
  if (c->seed % 4 == 2)
    tarn_set(tarn, "bounds", "global");
  if (c->seed % 4 == 3)
    tarn_set(tarn, "symmetry", "on");
  set_options(tarn, c->options);
  int result = NO_PROOF;
  if (!tarn_read_text(tarn, c->text, c->language)) {
    const int verdict = tarn_check(tarn, query);
    const char *said = verdict == TARN_REFUSED ? tarn_reason(tarn) : tarn_error(tarn);
    result = strstr(said, "report this model")     ? REJECTED
             : verdict < 0 || !find_left_out(tarn) ? NO_PROOF
                                                   : PROVED;
    if (result == REJECTED)
      puts(said);
  }
  tarn_release(tarn);
  remove(path);
  return result;
}

static bool is_decided(int verdict) {
  return verdict == TARN_SATISFIED || verdict == TARN_NOT_SATISFIED;
}

// What a search with these options alone says.
static int decide_by(const Case *c, const char *query, const char *options) {
  Tarn *tarn = tarn_init();
  int verdict = NOT_READ;
  set_options(tarn, TIME_LIMIT);
  set_options(tarn, options);
  if (!tarn_read_text(tarn, c->text, c->language))
    verdict = check(tarn, query);
  tarn_release(tarn);
  return verdict;
}

// A state was found: E<> holds, A[] does not.
static bool has_found(const char *query, int verdict) {
  return verdict == (*query == 'E' ? TARN_SATISFIED : TARN_NOT_SATISFIED);
}

// Whether two searches can say this of one query. Those that say neither yes nor no cannot err.
static bool can_both_say(const char *query, int one, int other) {
  if ((one != FAILED && !is_decided(one)) || (other != FAILED && !is_decided(other)))
    return true;
  return one == other || (one == FAILED && has_found(query, other)) ||
         (other == FAILED && has_found(query, one));
}

// Whether the proved checker accepts a file, or says that the proof does not go so far: to this
// model, or to deadlocks in nodes like these.
static bool is_proved(const Case *c, const char *evidence, Sum *sum) {
  char path[64], command[400], said[400] = "";
  const char *program = getenv("TARN_PROVED");
  snprintf(path, sizeof path, "/tmp/agree_partial.%ld.xta", (long)getpid());
  FILE *file = fopen(path, "w");
  fputs(c->text, file);
  fclose(file);
  snprintf(command, sizeof command, "%.200s %s %s 2>&1", program, path, evidence);
  FILE *output = popen(command, "r");
  said[fread(said, 1, sizeof said - 1, output)] = '\0';
  const int status = pclose(output);
  remove(path);
  sum->proved += !status;
  return !status || (WIFEXITED(status) && WEXITSTATUS(status) == 2) ||
         strstr(said, "do not show to the proof");
}

// Whether the evidence is accepted: the run of the reduced search; of one that is not reduced,
// the certificate.
static bool has_good_evidence(const Case *c, const char *query, bool found, Sum *sum) {
  const bool goes_to_proved = getenv("TARN_PROVED") && c->seed % 8 == 0;
  char path[64];
  if (!found && !goes_to_proved)
    return true;
  snprintf(path, sizeof path, "/tmp/agree_partial.%ld.evidence", (long)getpid());
  Tarn *tarn = tarn_init();
  set_options(tarn, found ? TIME_LIMIT " --engine zones --partial-order on --trace concrete"
                          : TIME_LIMIT " --engine zones --partial-order off");
  if (!found)
    tarn_set(tarn, "certificate", path);
  if (!found && strstr(query, "deadlock")) // nodes from which the proof sees that there is none
    tarn_set(tarn, "abstraction", "extra-m");
  const bool is_read = !tarn_read_text(tarn, c->text, c->language);
  const int verdict = is_read ? check(tarn, query) : NOT_READ;
  bool ok = is_read;
  if (ok && is_decided(verdict) && has_found(query, verdict) == found) {
    if (found) {
      FILE *file = fopen(path, "w");
      tarn_write(tarn, file, "answer", "json");
      fclose(file);
      sum->runs++;
      ok = tarn_certify(tarn, path) == 1;
    }
    ok = ok && (!goes_to_proved || is_proved(c, path, sum));
    if (!ok)
      printf("the evidence is not accepted: %s\n", tarn_error(tarn));
  }
  tarn_release(tarn);
  remove(path);
  return ok;
}

// The other searches, and what shows that a state can be reached.
static bool agrees_thoroughly(const Case *c, const char *query, int full, Sum *sum) {
  const char *const turned[] = {
      "--partial-order on --engine zones --symmetry on",
      "--partial-order on --engine zones --symmetry on --abstraction am",
      "--partial-order on --engine zones --symmetry on --order dfs"};
  char options[100];
  snprintf(options, sizeof options, " %s", turned[c->seed % 3]);
  const int symmetric = decide_by(c, query, options);
  const int points = decide_by(c, query, " --engine points");
  sum->symmetric += is_decided(symmetric);
  sum->points += is_decided(points);
  if (!can_both_say(query, full, symmetric) || !can_both_say(query, full, points)) {
    printf("%d, with symmetry %d, by points %d\n", full, symmetric, points);
    return false;
  }
  return full == FAILED || has_good_evidence(c, query, has_found(query, full), sum);
}

static bool run_case(const Case *c, Sum *sum) {
  unsigned long left_out = 0;
  sum->networks++;
  for (int i = 0; i < c->query_count; i++) {
    const char *query = c->queries[i];
    const int full = decide(c, query, false, NULL);
    const int reduced = decide(c, query, true, &left_out);
    const bool fails = full == FAILED || reduced == FAILED;
    if ((!is_decided(full) && full != FAILED) || (!is_decided(reduced) && reduced != FAILED)) {
      sum->undecided++;
      continue;
    }
    sum->queries++;
    sum->found += has_found(query, full);
    sum->failed += full == FAILED;
    if (full == reduced || (fails && (has_found(query, full) || has_found(query, reduced)))) {
      const int proof = full == FAILED || has_found(query, full) ? NO_PROOF : prove(c, query);
      sum->proofs += proof == PROVED;
      if (proof != REJECTED && (!c->is_thorough || agrees_thoroughly(c, query, full, sum)))
        continue;
    }
    printf("seed %lu: %s: %d, with partial order %d\n%s\n", c->seed, query, full, reduced,
           c->text);
    return false;
  }
  sum->reduced += left_out > 0;
  sum->left_out += left_out;
  return true;
}

static bool run_random(unsigned long seed, Sum *sum) {
  unsigned long long random = seed * 2 + 1;
  const int processes = 2 + (int)sample_below(&random, 4);
  const SampleValue values[] = {
      {"seed", (int)seed},
      {"processes", processes},
      {"locations", 2 + (int)sample_below(&random, 2)},
      {"edges", 4 + (int)sample_below(&random, 3)},
      {"clocks", 1 + (int)sample_below(&random, 3)},
      {"constant", 1 + (int)sample_below(&random, 3)},
      {"ints", 1 + (int)sample_below(&random, 2)},
      {"syncs", (int)sample_below(&random, 4)},
      {"guards", 20 + (int)sample_below(&random, 60)},
      {"invariants", (int)sample_below(&random, 90)},
      {"committed", sample_below(&random, 2) ? 0 : 20},
      {"urgent", sample_below(&random, 2) ? 0 : 40},
      {"faults", sample_below(&random, 8) == 0},
      {"statements", sample_below(&random, 4) == 0},
      {"branches", sample_below(&random, 4) == 0},
      {"bounds", (int)sample_below(&random, 2)},
  };
  char *model = sample_network(values, sizeof values / sizeof *values);
  char queries[4][80];
  Case c = {seed, model, "tchecker", {"A[] not deadlock"}, 5, NULL, false};
  for (unsigned i = 0; i < 4; i++) {
    const unsigned p = sample_below(&random, (unsigned)processes), l = sample_below(&random, 2);
    snprintf(queries[i], sizeof queries[i],
             i == 3 ? "E<> deadlock and P%u.l%u" : "E<> P%u.l%u and P%u.l%u", p, l,
             sample_below(&random, (unsigned)processes), sample_below(&random, 2));
    c.queries[i + 1] = queries[i];
  }
  const bool ok = run_case(&c, sum);
  free(model);
  return ok;
}

static bool run_net(unsigned long seed, bool only_uppaal, Sum *sum) {
  static StillNet net;
  still_nets_make(&net, seed, only_uppaal);
  Case c = {seed, net.text, net.is_uppaal ? "uppaal" : "tchecker", {0}, STILL_QUERIES,
            NULL, false};
  for (int i = 0; i < STILL_QUERIES; i++)
    c.queries[i] = net.queries[i];
  return run_case(&c, sum);
}

static bool run_still(unsigned long seed, Sum *sum) { return run_net(seed, false, sum); }
static bool run_text(unsigned long seed, Sum *sum) { return run_net(seed, true, sum); }

static bool run_uppaal(unsigned long seed, Sum *sum) {
  static BurstNet net;
  burst_nets_make(&net, seed);
  Case c = {.seed = seed,
            .text = net.text,
            .language = "uppaal",
            .query_count = BURST_QUERIES,
            .is_thorough = true};
  c.options = TIME_LIMIT;
  for (int i = 0; i < BURST_QUERIES; i++)
    c.queries[i] = net.queries[i];
  return run_case(&c, sum);
}

static bool run_near(unsigned long seed, Sum *sum) {
  static NearNet net;
  near_nets_make(&net, seed);
  const Case c = {.seed = seed,
                  .text = net.text,
                  .language = net.is_uppaal ? "uppaal" : "tchecker",
                  .queries = {net.query, "A[] not deadlock"},
                  .query_count = 2,
                  .options = net.options};
  return run_case(&c, sum);
}

int main(int argc, char **argv) {
  static bool (*const runs[])(unsigned long, Sum *) = {run_random, run_still, run_text,
                                                       run_uppaal, run_near};
  static const char *const kinds[] = {"random", "still", "text", "uppaal", "near"};
  int kind = 0;
  while (kind < 5 && (argc < 3 || strcmp(argv[1], kinds[kind])))
    kind++;
  if (kind == 5) {
    fprintf(stderr, "agree_partial random|still|text|uppaal|near COUNT [FIRST]\n");
    return 2;
  }
  const unsigned long count = strtoul(argv[2], NULL, 10);
  const unsigned long first = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
  Sum sum = {0};
  bool ok = true;
  for (unsigned long seed = first; ok && seed < first + count; seed++)
    ok = runs[kind](seed, &sum);
  printf(
      "%s: %lu networks from seed %lu, %lu of them reduced (%lu transitions left out); %lu "
      "queries %s (%lu find a state, %lu an error), %lu undecided or refused; %lu certificates "
      "accepted",
      kinds[kind], sum.networks, first, sum.reduced, sum.left_out, sum.queries,
      ok ? "agree" : "until a difference", sum.found, sum.failed, sum.undecided, sum.proofs);
  if (sum.symmetric)
    printf("; %lu decided with symmetry, %lu by points; %lu runs accepted", sum.symmetric,
           sum.points, sum.runs);
  if (sum.proved)
    printf(", %lu files by the proved checker", sum.proved);
  puts("");
  return !ok;
}
