// Forged evidence must be rejected: forger [--seed N] [--seconds S | --count N] [--language L]
//   [--each N] [--proved PROGRAM] [--print PROGRAM]
//
// Each seed gives a random network and a query, of which the truth is known from a search.
// Evidence for it is forged (forge.h) from that of the same network, of networks that differ in a
// number, a guard or an edge, of the network before, and of other queries. A certificate that is
// accepted although the goal can be reached or the model fails, or a run that is accepted
// although the goal cannot be reached, is shown, and so is a crash: under the sanitizers, any
// overflow. Evidence that was not touched must be accepted.
//
// With --proved a second checker, tarn-proved, gets everything, too. What it accepts must not be
// false either; what was not touched it must accept, or say that it is not covered.
//
// Of extreme values a certificate is false if what it claims is not what tarn found.
//
// Networks are in TChecker's language, or with `--language uppaal` in that of UPPAAL. With
// --print they are what a program prints for the seed, with `// E<> p` or `// A[] not p` as first
// line: then all queries are about states. Questions about infinite runs are asked with
// --non-zeno half of the time; a certificate says itself which runs it is about.
//
// With FORGER_DIAGONALS in the environment every network compares clocks with each other.
// test/fuzz/record.tsv has the last long run, tools/test a short one.
#define _GNU_SOURCE // MAP_ANONYMOUS, strcasestr
#include "forge.h"
#include "sample.h"
#include "second.h"
#include "uppaal_nets.h"

#include "plan/fingerprint.h"
#include "plan/session.h"

#include "tarn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_VISITED = 3000, RELATIVES = 4, SEEDS_OF_A_CHILD = 20, HANG = 300, SHOWN = 3 };
#define NEVER "E<> 1 == 2"

// Of queries, and so of evidence.
typedef enum Kind { REACH, DEADLOCK, POSSIBLY, EVENTUALLY, LEADS_TO, BUCHI, EXTREME, KINDS } Kind;
static const char *const kind_names[] = {"E<>", "deadlock", "E[]",        "A<>",
                                         "-->", "buchi",    "sup and inf"};

// REACHABLE: there is a run that the query asks for, or that breaks it.
typedef enum Truth { REACHABLE, UNREACHABLE, FAILING, UNKNOWN } Truth;

typedef struct Evidence {
  Truth truth; // UNKNOWN: there is none
  Kind kind;
  char *bytes; // a certificate, or the JSON of a run
  size_t size;
  char *proof; // of extreme values, beside the run: a certificate, or NULL
  size_t proof_size;
} Evidence;

// What the children count, shared with the parent.
typedef struct Shared {
  unsigned long seed;
  unsigned long networks, reachable, failing, certificates, runs, accepted;
  unsigned long certificates_of[KINDS], lassos, ends, values; // forged
  // Of certificates, by the kind of query that they are to prove: claims that are false, all of
  // which have to be rejected; mutants, whose claim is true, and those that are rejected.
  unsigned long false_of[KINDS], mutants_of[KINDS], rejected_of[KINDS];
  // Of the second checker: networks that it read and that it refused; what was not touched and
  // both accept, or what it does not cover; what was forged and both reject, both accept, or one
  // of them; false claims that it rejected; files of which it said nothing.
  unsigned long read, refused, own, open, neither, both, first_only, second_only, lies, silent;
  unsigned long odd; // what was not touched, and only the second checker rejects
} Shared;

typedef struct Forger {
  unsigned long long random;
  char *model;
  char query[256];
  Kind kind;
  char values[128];         // of `sup` and `inf`, as the answer says it; empty: nothing
  Truth truth, exploration; // of the query; of the search for what is nowhere
  Truth diverging;          // of the query, if only runs count in which time diverges
  int diverges;             // they are asked for
  const char *language, *print;
  unsigned char hash[32]; // of the model
  Tarn *tarn;             // has read the model
  Evidence last;          // of the network before
  Shared *shared;
  int has_diagonals; // every network compares clocks with each other
  unsigned each;     // forgeries of each piece
  char *claims;      // of extreme values, that are true; NULL: none is known
  Second second;
} Forger;

static char path[64], proof_path[80];

static unsigned below(Forger *f, unsigned n) { return sample_below(&f->random, n); }

static int terminate(void *tarn) { return tarn_statistic(tarn, "visited") > MAX_VISITED; }

static char *read_file(const char *from, size_t *size) {
  FILE *file = fopen(from, "rb");
  char *bytes = NULL;
  *size = 0;
  if (file) {
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = calloc(*size + 1, 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size)
      abort();
    fclose(file);
  }
  return bytes;
}

static void write_file(const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
    abort();
}

static Truth truth_of(Tarn *tarn, int verdict, int is_universal) {
  if (verdict < 0)
    return strstr(tarn_error(tarn), "outgrow") || strstr(tarn_error(tarn), "--") ||
                   strstr(tarn_error(tarn), "matter") || strstr(tarn_error(tarn), "certificate")
               ? UNKNOWN
               : FAILING;
  if (verdict != TARN_SATISFIED && verdict != TARN_NOT_SATISFIED)
    return UNKNOWN;
  return (verdict == TARN_SATISFIED) != is_universal ? REACHABLE : UNREACHABLE;
}

// Searches for a goal and takes the evidence.
static Evidence find_evidence(Forger *f, const char *model, const char *query) {
  static const char *const bounds[] = {"local", "fly", "lazy", "global"};
  static const char *const abstractions[] = {"alu", "alu", "am", "extra-lu+", "extra-m"};
  const unsigned a = below(f, 5), b = below(f, a < 3 ? 4 : 1);
  Evidence evidence = {.truth = UNKNOWN};
  Tarn *tarn = tarn_init();
  tarn_set(tarn, "engine", "zones");
  // With differences only some are sound.
  tarn_set(tarn, "abstraction", abstractions[f->has_diagonals ? a % 3 : a]);
  tarn_set(tarn, "bounds", bounds[!f->has_diagonals ? b : b < 2 ? 0 : 3]);
  tarn_set(tarn, "trace", "concrete");
  tarn_set(tarn, "prefer", "any"); // the run of this search
  const int is_extreme = f->kind == EXTREME && strcmp(query, NEVER) != 0;
  tarn_set(tarn, "certificate", is_extreme ? proof_path : path);
  tarn_set(tarn, "non-zeno", f->diverges ? "yes" : "no");
  tarn_set_terminate(tarn, tarn, terminate);
  remove(path);
  remove(proof_path);
  if (!tarn_read_text(tarn, model, f->language)) {
    evidence.kind = strcmp(query, NEVER) ? f->kind : REACH;
    const int is_universal =
        evidence.kind == EVENTUALLY || evidence.kind == LEADS_TO || !strncmp(query, "A[]", 3);
    evidence.truth = truth_of(tarn, tarn_check(tarn, query), is_universal);
    if (evidence.truth == REACHABLE && !tarn_has_run(tarn))
      evidence.truth = UNKNOWN; // it has none to be shown
    if (evidence.truth == REACHABLE) {
      FILE *file = fopen(path, "wb");
      if (!file || tarn_write(tarn, file, "answers", "json"))
        abort();
      fclose(file);
    }
    if (evidence.truth <= UNREACHABLE)
      evidence.bytes = read_file(path, &evidence.size);
    if (evidence.truth <= UNREACHABLE && is_extreme)
      evidence.proof = read_file(proof_path, &evidence.proof_size);
  }
  tarn_release(tarn);
  return evidence;
}

static void free_evidence(Evidence *evidence) {
  free(evidence->bytes);
  free(evidence->proof);
}

// By `tarn certify`; the second checker is asked later.
static int is_accepted(Forger *f, const char *bytes, size_t size, int is_false, int is_own) {
  write_file(bytes, size);
  const int result = tarn_certify(f->tarn, path);
  f->shared->accepted += result == 1;
  second_add(&f->second, bytes, size, (SecondFile){is_false, is_own, result == 1, 0});
  return result == 1;
}

static _Noreturn void show(const Forger *f, const char *what, const char *bytes, size_t size) {
  char kept[96];
  snprintf(kept, sizeof kept, "%s.accepted", path);
  FILE *file = fopen(kept, "wb");
  if (file) {
    fwrite(bytes, 1, size, file);
    fclose(file);
  }
  printf("seed %lu: %s (%s)\n%s\nquery: %s\n%s", f->shared->seed, what, kept, f->model, f->query,
         tarn_finding(f->tarn));
  fflush(stdout);
  _exit(SHOWN);
}

// Whether a certificate, if it can be read, is about runs in which time diverges only.
static int is_of_diverging(const char *bytes, size_t size) {
  const size_t at = strlen("tarn certificate 6\n");
  return size > at + 1 && bytes[at] & 128 && bytes[at + 1] & 2; // the feature 256
}

// Whether what the certificate claims of the query is known to be false.
static int is_lie(const Forger *f, const char *bytes, size_t size) {
  return (is_of_diverging(bytes, size) ? f->diverging : f->truth) == REACHABLE;
}

static void forge_proofs(Forger *f, const Evidence *evidence) {
  for (unsigned i = 0; i < f->each; i++) {
    size_t size;
    const unsigned is_other = below(f, 4) == 0; // the query may stay what it is
    char *forged =
        forge_certificate(&f->random, evidence->bytes, evidence->size, is_other ? NULL : f->query,
                          below(f, 8) ? f->hash : NULL, &size);
    f->shared->certificates++;
    f->shared->certificates_of[evidence->kind]++;
    // A search for infinite runs need not meet what fails.
    const int asks = !is_other && forge_asks(forged, size, f->query);
    const int is_false = f->kind > DEADLOCK || evidence->kind > DEADLOCK
                             ? asks && is_lie(f, forged, size)
                             : f->exploration == FAILING || (asks && f->truth != UNREACHABLE);
    const Kind claimed = is_other ? evidence->kind : f->kind;
    const int accepted = is_accepted(f, forged, size, is_false, 0);
    if (accepted && is_false)
      show(f, "a false certificate is accepted", forged, size);
    if (is_false) {
      f->shared->false_of[claimed]++;
    } else {
      f->shared->mutants_of[claimed]++;
      f->shared->rejected_of[claimed] += !accepted;
    }
    free(forged);
  }
}

static void forge_runs(Forger *f, const Evidence *evidence) {
  for (unsigned i = 0; i < f->each; i++) {
    char *forged = forge_run(&f->random, evidence->bytes, f->query, below(f, 5));
    f->shared->runs++;
    f->shared->lassos += f->kind > DEADLOCK && strstr(evidence->bytes, "\"loop\"") != NULL;
    f->shared->ends += f->kind > DEADLOCK && !strstr(evidence->bytes, "\"loop\"");
    const int is_false = f->truth == UNREACHABLE;
    if (is_accepted(f, forged, strlen(forged), is_false, 0) && is_false)
      show(f, "a run is accepted, but there is none", forged, strlen(forged));
    free(forged);
  }
}

// A claim that is false: beyond the true value, or that there is none.
static void make_false(Forger *f, char *claim, size_t size) {
  const char *end = f->values + strlen(f->values), *number = end;
  while (number > f->values && strchr("0123456789-", number[-1]))
    number--;
  const int is_sup = f->query[0] == 's';
  const long value = strtol(number, NULL, 10), by = 1 + (long)below(f, 3);
  if (is_sup && below(f, 3) == 0 && !strncmp(f->values, "x0", 2))
    snprintf(claim, size, "x0 grows without end");
  else
    snprintf(claim, size, "%.*s%ld", (int)(number - f->values), f->values,
             is_sup ? value + by : value - by);
}

static void forge_values(Forger *f, const Evidence *evidence) {
  const char *at = strstr(evidence->bytes, "\"values\": \"");
  if (!at || !f->values[0] || strstr(f->values, "without end"))
    return;
  at += strlen("\"values\": \"");
  for (unsigned i = 0; i < f->each; i++) {
    char claim[160];
    make_false(f, claim, sizeof claim);
    char *text = malloc(evidence->size + sizeof claim + 40);
    if (!text)
      abort();
    // A growing clock needs a part that repeats.
    const char *rest = strchr(at, '"'), *end = strstr(rest, "\"end_time\"");
    char loop[48] = "";
    if (end && strstr(claim, "without end") && below(f, 4)) {
      const unsigned from = below(f, 4);
      snprintf(loop, sizeof loop,
               below(f, 2) ? "\"loop\": {\"from\": %u}, "
                           : "\"loop\": {\"from\": %u, \"to\": %u}, ",
               from, from + below(f, 3));
    }
    sprintf(text, "%.*s%s%.*s%s%s", (int)(at - evidence->bytes), evidence->bytes, claim,
            end ? (int)(end - rest) : 0, rest, loop, end ? end : rest);
    char *forged = forge_run(&f->random, text, f->query, below(f, 5));
    f->shared->runs++;
    f->shared->values++;
    if (is_accepted(f, forged, strlen(forged), 1, 0))
      show(f, "a value is accepted that is not reached", forged, strlen(forged));
    free(forged);
    free(text);
  }
}

// What is claimed is false if it is not what is true; bytes that nobody can read are no claim.
static void forge_claimed(Forger *f, const Evidence *evidence) {
  for (unsigned i = 0; i < f->each && f->claims && evidence->proof; i++) {
    size_t size;
    char *forged = forge_certificate(&f->random, evidence->proof, evidence->proof_size, f->query,
                                     below(f, 8) ? f->hash : NULL, &size);
    char *claims = forge_claims(forged, size);
    const int is_false = !claims || strcmp(claims, f->claims) != 0;
    f->shared->certificates++;
    f->shared->certificates_of[EXTREME]++;
    const int accepted = is_accepted(f, forged, size, is_false, 0);
    if (accepted && is_false)
      show(f, "a false claim of values is accepted", forged, size);
    if (is_false) {
      f->shared->false_of[EXTREME]++;
    } else {
      f->shared->mutants_of[EXTREME]++;
      f->shared->rejected_of[EXTREME] += !accepted;
    }
    free(claims);
    free(forged);
  }
}

static void forge(Forger *f, const Evidence *evidence) {
  if (evidence->bytes && evidence->kind == EXTREME) {
    if (f->kind == EXTREME) {
      forge_values(f, evidence);
      forge_claimed(f, evidence);
    }
    return;
  }
  if (f->kind == EXTREME)
    return;
  if (evidence->bytes && evidence->truth == UNREACHABLE)
    forge_proofs(f, evidence);
  if (evidence->bytes && evidence->truth == REACHABLE)
    forge_runs(f, evidence);
}

// The end of a number that begins at `at`.
static size_t number_end(const char *text, size_t at) {
  while (text[at] >= '0' && text[at] <= '9')
    at++;
  return at;
}

// Another number in an attribute, in place of one that is there.
static void change_number(Forger *f, char *text) {
  const size_t size = strlen(text);
  for (int tries = 0; tries < 200; tries++) {
    const size_t at = below(f, (unsigned)size), end = number_end(text, at);
    if (end == at || (at && strchr("0123456789abcdefghijklmnopqrstuvwxyz_PQ", text[at - 1])) ||
        !memchr(text, '{', at))
      continue;
    if (end == at + 1)
      text[at] = (char)('0' + below(f, 10));
    return;
  }
}

// A guard, an invariant or an update less: it becomes blank up to the end of the attribute.
static void drop_attribute(Forger *f, char *text) {
  static const char *const names[] = {"provided:", "invariant:", "do:", "committed:", "urgent:"};
  const char *name = names[below(f, 5)];
  char *found = NULL, *at = text;
  unsigned count = 0;
  while ((at = strstr(at, name)) != NULL) {
    if (below(f, ++count) == 0)
      found = at;
    at++;
  }
  if (!found)
    return;
  // `x : provided:y : z` without its middle: from the name to before the next attribute.
  char *end = found;
  while (*end && *end != '}' && !(end[0] == ' ' && end[1] == ':' && end[2] == ' '))
    end++;
  if (end[0] == ' ')
    end += 3;
  else
    while (found[-1] == ' ' || found[-1] == ':')
      found--;
  memmove(found, end, strlen(end) + 1);
}

// In UPPAAL's language: a guard, an assignment or a synchronisation less, up to the semicolon.
static void drop_clause(Forger *f, char *text) {
  static const char *const names[] = {" guard ", " assign ", " sync ", "urgent ", "broadcast "};
  const char *name = names[below(f, 5)];
  char *found = NULL, *at = text;
  unsigned count = 0;
  while ((at = strstr(at, name)) != NULL) {
    if (below(f, ++count) == 0)
      found = at;
    at++;
  }
  char *end = !found ? NULL : *name == ' ' ? strchr(found, ';') : found + strlen(name) - 1;
  if (end)
    memmove(found, end + 1, strlen(end));
}

static void drop_edge(Forger *f, char *text) {
  char *found = NULL, *at = text;
  unsigned count = 0;
  while ((at = strstr(at, "\nedge:")) != NULL) {
    if (below(f, ++count) == 0)
      found = at;
    at++;
  }
  char *end = found ? strchr(found + 1, '\n') : NULL;
  if (end)
    memmove(found, end, strlen(end) + 1);
}

// A network that differs a little.
static char *relative(Forger *f) {
  static void (*const changes[])(Forger *, char *) = {change_number, change_number,
                                                      drop_attribute, drop_edge};
  static void (*const of_uppaal[])(Forger *, char *) = {change_number, change_number, drop_clause,
                                                        drop_clause};
  char *text = strdup(f->model);
  for (unsigned i = 1 + below(f, 3); i; i--)
    (strcmp(f->language, "uppaal") ? changes : of_uppaal)[below(f, 4)](f, text);
  return text;
}

// A location of each process, and perhaps a test of a clock, so that many are not satisfied.
static void add_condition(Forger *f, char *text, size_t size, int processes, int locations) {
  static const char *const tests[] = {"",           " && x0 == 3",          " && x0 <= 1",
                                      " && x0 > 4", " || x0 < 1 || x0 > 2", " && x0 != 2"};
  const unsigned count = f->kind >= POSSIBLY && f->kind <= LEADS_TO ? 5 : 4;
  size_t used = (size_t)snprintf(text, size, "true");
  for (int p = 0; p < processes; p++)
    used += (size_t)snprintf(text + used, size - used, " && P%d_l%u", p,
                             below(f, (unsigned)locations));
  if (strstr(f->model, ":x0\n") && f->kind <= LEADS_TO)
    snprintf(text + used, size - used, "%s", tests[below(f, count)]);
}

// Deadlocks inside of conditions, and states that are none.
static void put_deadlock(Forger *f, const char *p, const char *q) {
  switch (below(f, 6)) {
  case 0:
    snprintf(f->query, sizeof f->query, "A[] (deadlock imply not (%s))", p);
    break;
  case 1:
    snprintf(f->query, sizeof f->query, "E<> (deadlock || (%s)) && (%s)", q, p);
    break;
  case 2:
    snprintf(f->query, sizeof f->query, "E<> not deadlock && (%s)", p);
    break;
  default:
    snprintf(f->query, sizeof f->query, "E<> deadlock && (%s)", p);
  }
}

// A query of the kind, from two conditions.
static void put_query(Forger *f, const char *p, const char *q) {
  switch (f->kind) {
  case DEADLOCK:
    put_deadlock(f, p, q);
    break;
  case POSSIBLY:
    snprintf(f->query, sizeof f->query, "E[] not (%s)", q);
    break;
  case EVENTUALLY:
    snprintf(f->query, sizeof f->query, "A<> %s", q);
    break;
  case LEADS_TO:
    snprintf(f->query, sizeof f->query, "(%s) --> (%s)", p, q);
    break;
  case EXTREME:
    snprintf(f->query, sizeof f->query, "%s%s%s%s: %s", below(f, 2) ? "sup" : "inf",
             f->kind == EXTREME && p[4] ? "{" : "", p[4] ? p : "", p[4] ? "}" : "",
             strstr(f->model, ":x0\n") && below(f, 4) ? "x0" : "1");
    break;
  case BUCHI:
    snprintf(f->query, sizeof f->query, "buchi: %s, %s", p, q);
    break;
  default:
    snprintf(f->query, sizeof f->query, below(f, 4) ? "E<> (%s)" : "A[] not (%s)", p);
  }
}

static void make_query(Forger *f, int processes, int locations) {
  char p[150], q[150];
  add_condition(f, p, sizeof p, f->kind == REACH ? processes : (int)below(f, 2), locations);
  add_condition(f, q, sizeof q, 1, locations);
  put_query(f, p, q);
}

// The condition of the random query, without its parts from the second on.
static void cut_condition(char *text) {
  char *end = strstr(text, " && ");
  if (end)
    *end = 0;
}

static void make_uppaal(Forger *f, unsigned long seed) {
  Mem mem = {0};
  UppaalNet made;
  uppaal_nets_make(&made, &mem, seed);
  const char *text = text_chars(&made.query), *condition = strchr(text, ' ');
  char p[180], q[180];
  f->model = strdup(text_chars(&made.text));
  snprintf(p, sizeof p, "%s", condition ? condition + 1 : "true");
  snprintf(q, sizeof q, "%s", p);
  if (below(f, 2))
    cut_condition(p);
  if (f->kind == BUCHI || f->kind == EXTREME) {
    cut_condition(p);
    cut_condition(q);
  }
  put_query(f, p, q);
  if (f->kind == EXTREME)
    snprintf(f->query, sizeof f->query, "%s{%s}: %s", below(f, 2) ? "sup" : "inf", p,
             below(f, 2) ? "i" : "x[0]");
  uppaal_nets_release(&made);
  mem_release(&mem);
}

static void make_printed(Forger *f, unsigned long seed) {
  char command[512];
  size_t size;
  snprintf(command, sizeof command, "%s %lu >%s", f->print, seed, path);
  if (system(command))
    abort();
  f->model = read_file(path, &size);
  f->kind = REACH;
  const char *end = f->model ? strchr(f->model, '\n') : NULL, *from = NULL;
  if (end && !strncmp(f->model, "// E<> ", 7))
    from = f->model + 7;
  else if (end && !strncmp(f->model, "// A[] not ", 11))
    from = f->model + 11;
  if (!from)
    abort();
  snprintf(f->query, sizeof f->query, "E<> %.*s", (int)(end - from), from);
}

static void make_network(Forger *f, unsigned long seed) {
  if (f->print) {
    make_printed(f, seed);
    return;
  }
  f->kind = below(f, 3) ? (Kind)(1 + below(f, KINDS - 1)) : REACH;
  f->diverges = f->kind >= POSSIBLY && f->kind <= BUCHI && below(f, 2);
  if (!strcmp(f->language, "uppaal")) {
    make_uppaal(f, seed);
    return;
  }
  const int processes = 1 + (int)below(f, 3), locations = 2 + (int)below(f, 3);
  const int has_diagonals = below(f, 8) == 0 || f->has_diagonals;
  const SampleValue values[] = {
      {"seed", (int)(seed % 1000000007)}, {"processes", processes},
      {"locations", locations},           {"edges", locations + (int)below(f, 4)},
      {"clocks", 1 + (int)below(f, 3)},   {"constant", 1 + (int)below(f, 7)},
      {"ints", (int)below(f, 3)},         {"syncs", (int)below(f, 3)},
      {"invariants", (int)below(f, 70)},  {"committed", below(f, 2) ? 0 : 15},
      {"urgent", below(f, 2) ? 0 : 15},   {"diagonals", has_diagonals},
      {"faults", below(f, 2) == 0},
  };
  f->model = sample_network(values, sizeof values / sizeof *values);
  make_query(f, processes, locations);
}

static void try_relatives(Forger *f) {
  for (int i = 0; i < RELATIVES; i++) {
    char *model = relative(f);
    Evidence evidence = find_evidence(f, model, below(f, 2) ? f->query : NEVER);
    forge(f, &evidence);
    free_evidence(&evidence);
    free(model);
  }
}

// Says what is odd, and keeps the file and the model.
static void note(const Forger *f, const char *what, const char *file, unsigned number) {
  char kept[128];
  size_t size;
  char *bytes = read_file(file, &size);
  snprintf(kept, sizeof kept, "%s-%lu-%u.odd", path, f->shared->seed, number);
  FILE *to = fopen(kept, "wb");
  if (to && bytes)
    fwrite(bytes, 1, size, to);
  if (to)
    fclose(to);
  printf("seed %lu: %s (%s), query: %s\n", f->shared->seed, what, kept, f->query);
  snprintf(kept, sizeof kept, "%s-%lu.model", path, f->shared->seed);
  if ((to = fopen(kept, "w")) != NULL) {
    fputs(f->model, to);
    fclose(to);
  }
  fflush(stdout);
  free(bytes);
}

static void count_second(Shared *shared, const SecondFile *file) {
  const int accepts = file->answer == SECOND_ACCEPTS;
  unsigned long *count = &shared->neither;
  if (file->answer == SECOND_SILENT)
    count = &shared->silent;
  else if (file->is_own)
    count = accepts ? &shared->own : file->answer == SECOND_OPEN ? &shared->open : &shared->odd;
  else if (file->is_false)
    count = &shared->lies;
  else if (accepts)
    count = file->is_accepted ? &shared->both : &shared->second_only;
  else if (file->is_accepted)
    count = &shared->first_only;
  ++*count;
}

// What the second checker says of all that was collected.
static void ask_second(Forger *f) {
  Second *s = &f->second;
  second_ask(s, f->model, strcmp(f->language, "uppaal") ? ".tck" : ".xta");
  f->shared->read += s->has_read;
  if (s->count && !s->has_read) {
    f->shared->refused++;
    if (!strstr(s->said, "not covered by the proof"))
      printf("seed %lu: the second checker does not read the model: %s\n", f->shared->seed,
             s->said);
  }
  for (unsigned i = 0; i < s->count && s->has_read; i++) {
    const SecondFile *file = &s->files[i];
    char at[128];
    size_t size;
    second_path(s, i, at, sizeof at);
    count_second(f->shared, file);
    if (file->answer == SECOND_ACCEPTS && file->is_false) {
      char *bytes = read_file(at, &size);
      show(f, "the second checker accepts what is false", bytes, size);
    }
    if (file->answer == SECOND_SILENT)
      note(f, "the second checker says nothing", at, i);
    if (file->is_own && file->answer == SECOND_REJECTS)
      note(f, "only the second checker rejects what was not touched", at, i);
  }
  second_clear(s);
}

static void try_own(Forger *f, const char *bytes, size_t size) {
  if (bytes && !is_accepted(f, bytes, size, 0, 1))
    show(f, "what was not touched is rejected", bytes, size);
}

static void try_seed(Forger *f, unsigned long seed) {
  f->shared->seed = seed;
  f->random = seed;
  make_network(f, seed);
  Evidence own = find_evidence(f, f->model, f->query);
  Evidence all = find_evidence(f, f->model, NEVER);
  f->values[0] = 0;
  const char *values = own.bytes ? strstr(own.bytes, "\"values\": \"") : NULL;
  if (f->kind == EXTREME && values)
    sscanf(values, "\"values\": \"%127[^\"]", f->values);
  f->truth = own.truth;
  f->diverging = f->diverges ? own.truth : UNKNOWN;
  if (f->diverges && own.truth == UNREACHABLE) { // by other runs it may be
    f->diverges = 0;
    Evidence any = find_evidence(f, f->model, f->query);
    f->truth = any.truth;
    free(any.bytes);
    f->diverges = 1;
  }
  f->exploration = all.truth;
  f->tarn = tarn_init();
  if (own.truth != UNKNOWN && f->truth != UNKNOWN && all.truth != UNKNOWN &&
      !tarn_read_text(f->tarn, f->model, f->language)) {
    Mem mem = {0};
    fingerprint_model(f->hash, &mem, f->tarn->net);
    mem_release(&mem);
    f->shared->networks++;
    f->shared->reachable += f->truth == REACHABLE;
    f->shared->failing += all.truth == FAILING;
    try_own(f, own.bytes, own.size);
    try_own(f, own.proof, own.proof_size);
    try_own(f, all.truth == UNREACHABLE ? all.bytes : NULL, all.size);
    f->claims = own.proof ? forge_claims(own.proof, own.proof_size) : NULL;
    forge(f, &own);
    forge(f, &all);
    forge(f, &f->last);
    try_relatives(f);
    ask_second(f);
    free(f->claims);
  }
  tarn_release(f->tarn);
  free_evidence(&f->last);
  f->last = own;
  free_evidence(&all);
  free(f->model);
}

// In a child, so that a crash is reported with its seed.
static int try_seeds(Forger f, const char *proved, unsigned long first, unsigned long count) {
  Shared *shared = f.shared;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    f.has_diagonals = getenv("FORGER_DIAGONALS") != NULL;
    snprintf(path, sizeof path, "%s/tarn-forger-%ld",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", (long)getpid());
    snprintf(proof_path, sizeof proof_path, "%s-proof", path);
    second_begin(&f.second, proved, path);
    alarm(HANG);
    for (unsigned long seed = first; seed < first + count; seed++)
      try_seed(&f, seed);
    free_evidence(&f.last);
    second_end(&f.second);
    remove(path);
    remove(proof_path);
    exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return 1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != SHOWN)
    printf("seed %lu: it crashed or hung, %s %d\n", shared->seed,
           WIFSIGNALED(status) ? "signal" : "exit status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  return 0;
}

int main(int argc, char **argv) {
  unsigned long seed = 1, count = 100;
  double seconds = 0;
  const char *proved = NULL;
  Forger f = {.language = "tchecker", .each = 6};
  for (int i = 1; i + 1 < argc; i += 2)
    if (!strcmp(argv[i], "--seed"))
      seed = strtoul(argv[i + 1], NULL, 10);
    else if (!strcmp(argv[i], "--count"))
      count = strtoul(argv[i + 1], NULL, 10);
    else if (!strcmp(argv[i], "--seconds"))
      seconds = strtod(argv[i + 1], NULL);
    else if (!strcmp(argv[i], "--language"))
      f.language = argv[i + 1];
    else if (!strcmp(argv[i], "--each"))
      f.each = (unsigned)strtoul(argv[i + 1], NULL, 10);
    else if (!strcmp(argv[i], "--print"))
      f.print = argv[i + 1];
    else if (!strcmp(argv[i], "--proved"))
      proved = argv[i + 1];
  Shared *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    abort();
  f.shared = shared;
  const time_t begin = time(NULL);
  const unsigned long first = seed;
  int ok = 1;
  while (ok && (seconds > 0 ? difftime(time(NULL), begin) < seconds : seed < first + count)) {
    const unsigned long max = seconds > 0 ? SEEDS_OF_A_CHILD : first + count - seed;
    const unsigned long next = max < SEEDS_OF_A_CHILD ? max : SEEDS_OF_A_CHILD;
    ok = try_seeds(f, proved, seed, next);
    seed += next;
  }
  printf("forged certificates:");
  for (int k = 0; k < KINDS; k++)
    printf(" %s %lu%s", kind_names[k], shared->certificates_of[k], k + 1 < KINDS ? "," : "\n");
  for (int k = 0; k < KINDS; k++)
    printf("%s: %lu false claims rejected, %lu of %lu mutants rejected\n", kind_names[k],
           shared->false_of[k], shared->rejected_of[k], shared->mutants_of[k]);
  printf("forged runs: %lu lassos, %lu idle or stuck ends, %lu extreme values\n", shared->lassos,
         shared->ends, shared->values);
  if (proved)
    printf(
        "%s: %lu networks read, %lu refused; not touched: %lu accepted by both, %lu not covered, "
        "%lu only rejected by it; forged: %lu false claims rejected, others: %lu rejected by "
        "both, %lu accepted by both, %lu by tarn only, %lu by it only; %lu without an answer\n",
        strrchr(proved, '/') ? strrchr(proved, '/') + 1 : proved, shared->read, shared->refused,
        shared->own, shared->open, shared->odd, shared->lies, shared->neither, shared->both,
        shared->first_only, shared->second_only, shared->silent);
  printf(
      "%lu networks from seed %lu, %lu with a goal that can be reached, %lu failing: %lu forged "
      "certificates, %lu forged runs, %lu of all accepted and true, %s, %.0f s\n",
      shared->networks, first, shared->reachable, shared->failing, shared->certificates,
      shared->runs, shared->accepted, ok ? "none false" : "A FALSE ONE OR A CRASH",
      difftime(time(NULL), begin));
  return !ok;
}
