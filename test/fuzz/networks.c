// The random tester: random networks with every feature of the language, a random query, the
// default options and a number of random combinations of options; all must agree, every run
// must replay and every certificate must be accepted. It is a client of tarn.h, and learns from
// the library which options there are: a new engine, order or abstraction is tested without
// a change here.
//
//   networks [--seed N] [--count N] [--tries N] [--out FOLDER]
//
// Without --count it goes on until it is stopped. Each network is tried in a process of its own,
// so that a crash is a finding too. What is found is made small (shrink.h) and written to
// FOLDER (test/run/reg) as NAME.tck and NAME.q; test/run.sh tries those under all
// configurations ever after. Exit status: 0 nothing found, 1 something was found.
// If TARN_PROVED names the proved checker (doc/trust.md), it must accept the evidence as well.
#define _GNU_SOURCE
#include "shrink.h"

#include "model/certificate_format.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tarn.h"

enum { MAX_CHOICES = 16, MAX_SETTINGS = 32 };
enum { TIME_LIMIT = 3 }; // seconds for one check; beyond it is undecided

// xorshift64*: the tester must not share the library's numbers.
static uint64_t random_state;

static uint32_t below(uint32_t n) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (uint32_t)((random_state * 0x2545f4914f6cdd1du) >> 33) % n;
}

static void seed_with(uint64_t seed) {
  random_state = seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
  for (int i = 0; i < 8; i++)
    below(2);
}

// One value for each option that is a choice.
typedef struct Settings {
  int count;
  char names[MAX_SETTINGS][32], values[MAX_SETTINGS][32];
} Settings;

static bool is_flag(const Settings *settings, int i) {
  return !strcmp(settings->values[i], "yes");
}

static void settings_text(const Settings *settings, char *text, size_t size) {
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; i < settings->count && used < size; i++)
    used +=
        (size_t)snprintf(text + used, size - used, is_flag(settings, i) ? " --%s" : " --%s %s",
                         settings->names[i], settings->values[i]);
}

// Options that do not change how the search is made. (strict: a random network may warn.)
static bool is_for_show(const char *name) {
  return !strcmp(name, "trace") || !strcmp(name, "prefer") || !strcmp(name, "strict");
}

static void choose(Settings *settings, const TarnOption *option) {
  char values[512];
  const char *choices[MAX_CHOICES];
  uint32_t count = 0;
  snprintf(values, sizeof values, "%s", option->argument);
  for (char *value = strtok(values, "|"); value && count < MAX_CHOICES; value = strtok(NULL, "|"))
    choices[count++] = value;
  snprintf(settings->names[settings->count], 32, "%s", option->name);
  snprintf(settings->values[settings->count], 32, "%s", choices[below(count)]);
  settings->count++;
}

static void random_settings(Settings *settings) {
  TarnOption option;
  settings->count = 0;
  for (size_t i = 0; !tarn_option(i, &option); i++) {
    if (!option.is_engine || is_for_show(option.name))
      continue;
    if (!option.argument) {
      if (below(4) == 0) {
        snprintf(settings->names[settings->count], 32, "%s", option.name);
        snprintf(settings->values[settings->count++], 32, "yes");
      }
    } else if (strchr(option.argument, '|')) {
      choose(settings, &option);
    } else if (!strcmp(option.name, "seed") && below(3) == 0) {
      snprintf(settings->names[settings->count], 32, "seed");
      snprintf(settings->values[settings->count++], 32, "%u", 1 + below(1000));
    }
  }
}

typedef struct Trial {
  const char *model, *query;
  int out; // where the child reports to
} Trial;

static _Noreturn void found(const Trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static _Noreturn void found(const Trial *trial, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vdprintf(trial->out, format, arguments);
  va_end(arguments);
  _exit(FOUND);
}

typedef enum Outcome { REACHABLE, UNREACHABLE, FAILED, UNDECIDED, REFUSED } Outcome;

static const char *const outcome_names[] = {"reachable", "unreachable", "a failing model",
                                            "undecided", "refused"};

static char evidence_path[64]; // of this process

static void write_run(Tarn *tarn) {
  FILE *file = fopen(evidence_path, "wb");
  if (!file || tarn_write(tarn, file, "answers", "json"))
    _exit(TROUBLE);
  fclose(file);
}

// Whether the evidence is a certificate with a feature that the proof does not cover
// (model/certificate_format.h).
static bool is_beyond_proof(void) {
  enum { BEYOND = CERTIFY_DIAGONALS | CERTIFY_REDUCED | CERTIFY_VALUES };
  static const char magic[] = "tarn certificate 6\n";
  char head[sizeof magic] = {0}; // with the features
  FILE *file = fopen(evidence_path, "rb");
  if (!file)
    _exit(TROUBLE);
  const size_t size = fread(head, 1, sizeof head, file);
  fclose(file);
  return size == sizeof head && !memcmp(head, magic, sizeof magic - 1) &&
         head[sizeof magic - 1] & BEYOND;
}

// Whether the checker that is proved correct (proof/), a program that TARN_PROVED names, accepts
// the evidence too; without one that is so.
static bool is_proved(const Trial *trial) {
  const char *program = getenv("TARN_PROVED");
  if (!program || !*program || is_beyond_proof())
    return true;
  char path[80];
  snprintf(path, sizeof path, "%s.tck", evidence_path);
  FILE *file = fopen(path, "wb");
  if (!file || fputs(trial->model, file) < 0 || fclose(file))
    _exit(TROUBLE);
  const pid_t child = fork();
  if (child < 0)
    _exit(TROUBLE);
  if (!child) {
    const int quiet = open("/dev/null", O_WRONLY);
    dup2(quiet, STDOUT_FILENO);
    dup2(quiet, STDERR_FILENO);
    execl(program, program, path, evidence_path, (char *)NULL);
    _exit(TROUBLE);
  }
  int status = 0;
  waitpid(child, &status, 0);
  remove(path);
  return WIFEXITED(status) && !WEXITSTATUS(status);
}

// The evidence of the last answer, which a fresh object checks.
static void check_evidence(const Trial *trial, const Settings *settings, Outcome outcome) {
  char text[1024];
  Tarn *checker = tarn_init();
  if (tarn_read_text(checker, trial->model, "tchecker"))
    _exit(TROUBLE);
  const int result = tarn_certify(checker, evidence_path);
  settings_text(settings, text, sizeof text);
  if (result != 1)
    found(trial, "%s is not accepted with%s: %s%s",
          outcome == REACHABLE ? "the run" : "the certificate", text,
          result < 0 ? tarn_error(checker) : "", result < 0 ? "" : tarn_finding(checker));
  if (!is_proved(trial))
    found(trial, "%s is not accepted by the proved checker with%s",
          outcome == REACHABLE ? "the run" : "the certificate", text);
  tarn_release(checker);
}

static Outcome outcome_of(Tarn *tarn, int verdict, bool is_invariant) {
  if (verdict < 0)
    return strstr(tarn_error(tarn), "outgrows") ||
                   strstr(tarn_error(tarn), "matter without bound")
               ? UNDECIDED
           : strstr(tarn_error(tarn), "after this run") || !strstr(tarn_error(tarn), "--")
               ? FAILED
               : REFUSED;
  if (verdict == TARN_UNDECIDED)
    return UNDECIDED;
  return (verdict == TARN_SATISFIED) != is_invariant ? REACHABLE : UNREACHABLE;
}

static Outcome decide(const Trial *trial, const Settings *settings) {
  char limit[16];
  Tarn *tarn = tarn_init();
  snprintf(limit, sizeof limit, "%d", TIME_LIMIT);
  tarn_set(tarn, "time-limit", limit);
  tarn_set(tarn, "memory-limit", "12"); // small ones need less: what is endless ends soon
  tarn_set(tarn, "trace", "concrete");
  tarn_set(tarn, "prefer", "any"); // the run of this search
  tarn_set(tarn, "certificate", evidence_path);
  for (int i = 0; i < settings->count; i++)
    if (tarn_set(tarn, settings->names[i], settings->values[i]))
      _exit(TROUBLE);
  if (tarn_read_text(tarn, trial->model, "tchecker"))
    _exit(INVALID);
  remove(evidence_path);
  const int verdict = tarn_check(tarn, trial->query);
  const Outcome outcome = outcome_of(tarn, verdict, !strncmp(trial->query, "A[]", 3));
  if (outcome == REACHABLE)
    write_run(tarn);
  if (outcome == REACHABLE || outcome == UNREACHABLE)
    check_evidence(trial, settings, outcome);
  tarn_release(tarn);
  return outcome;
}

// A search may find what it looks for before it comes to where the model fails, so these two
// go together.
static bool disagree(Outcome a, Outcome b) {
  return (a == REACHABLE && b == UNREACHABLE) || (a == UNREACHABLE && b == REACHABLE) ||
         (a == FAILED && b == UNREACHABLE) || (a == UNREACHABLE && b == FAILED);
}

static void compare(const Trial *trial, const Settings *a, Outcome first, const Settings *b,
                    Outcome second) {
  char left[1024], right[1024];
  if (!disagree(first, second))
    return;
  settings_text(a, left, sizeof left);
  settings_text(b, right, sizeof right);
  found(trial, "%s with%s, but %s with%s\n", outcome_names[first], left, outcome_names[second],
        right);
}

// In the child: tries the network under the default settings and some others.
static _Noreturn void try_network(Trial *trial, int tries) {
  const Settings defaults = {0};
  snprintf(evidence_path, sizeof evidence_path, "/tmp/tarn-networks-%ld", (long)getpid());
  const Outcome expected = decide(trial, &defaults);
  if (expected == REFUSED)
    found(trial, "refused with the default options");
  Settings best = {0};
  Outcome known = expected;
  for (int i = 0, left = 4 * tries; i < tries && left; left--) {
    Settings settings;
    random_settings(&settings);
    const Outcome outcome = decide(trial, &settings);
    i += outcome != REFUSED;
    compare(trial, &best, known, &settings, outcome);
    if (known >= FAILED && outcome < FAILED) { // what is decided is what to compare with
      known = outcome;
      best = settings;
    }
  }
  remove(evidence_path);
  _exit(known == REACHABLE ? ENDED_REACHABLE : known == UNREACHABLE ? ENDED_UNREACHABLE : ENDED);
}

// Runs a trial in a child; its report comes back in `report`. The random numbers go on from
// the given seed, so that the same settings are tried.
typedef struct Attempt {
  uint64_t seed;
  int tries;
  char report[4096];
} Attempt;

static int attempt(void *context, const char *model, const char *query) {
  Attempt *now = context;
  int ends[2];
  if (pipe(ends))
    abort();
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    alarm(120); // a hang is a crash
    seed_with(now->seed);
    Trial trial = {.model = model, .query = query, .out = ends[1]};
    try_network(&trial, now->tries);
  }
  close(ends[1]);
  size_t used = 0;
  for (ssize_t got; used < sizeof now->report - 1 &&
                    (got = read(ends[0], now->report + used, sizeof now->report - 1 - used)) > 0;)
    used += (size_t)got;
  now->report[used] = 0;
  close(ends[0]);
  int status;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) >= ENDED && WEXITSTATUS(status) <= INVALID)
    return WEXITSTATUS(status);
  snprintf(now->report + used, sizeof now->report - used, "it crashed: %s %d\n",
           WIFSIGNALED(status) ? "signal" : "exit status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  return FOUND;
}

static void add_argument(char arguments[][32], int *count, const char *name, uint32_t value) {
  snprintf(arguments[(*count)++], 32, "%s=%u", name, value);
}

// A network of the seed: sizes and features are chosen first, each with its own chance.
static char *generate(uint64_t seed) {
  static const char *const features[] = {"shared", "nary",   "weak",       "initials",
                                         "values", "copies", "shifts",     "bounds",
                                         "range",  "arrays", "statements", "branches"};
  char arguments[40][32];
  const char *pointers[40];
  int count = 0;
  seed_with(seed);
  add_argument(arguments, &count, "seed", below(1u << 30));
  add_argument(arguments, &count, "processes", 1 + below(3));
  add_argument(arguments, &count, "clocks", below(4));
  add_argument(arguments, &count, "locations", 2 + below(3));
  add_argument(arguments, &count, "edges", 2 + below(5));
  add_argument(arguments, &count, "constant", 1 + below(below(8) ? 5 : 40));
  add_argument(arguments, &count, "ints", below(3));
  add_argument(arguments, &count, "syncs", below(4));
  add_argument(arguments, &count, "committed", below(3) * 8);
  add_argument(arguments, &count, "urgent", below(3) * 8);
  add_argument(arguments, &count, "closed", below(3) == 0);
  add_argument(arguments, &count, "diagonals", below(12) == 0);
  add_argument(arguments, &count, "faults", below(6) == 0);
  for (size_t i = 0; i < sizeof features / sizeof *features; i++)
    add_argument(arguments, &count, features[i], below(4) > 0);
  for (int i = 0; i < count; i++)
    pointers[i] = arguments[i];
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  Tarn *tarn = tarn_init();
  if (tarn_generate(tarn, file, "random", count, pointers)) {
    fputs(tarn_error(tarn), stderr);
    exit(TROUBLE);
  }
  fclose(file);
  tarn_release(tarn);
  return text;
}

// The name in the nth declaration of a kind, e.g. "clock:1:x0"; false if there are fewer.
static bool declared(const char *model, const char *kind, uint32_t n, char *name, size_t size) {
  const size_t length = strlen(kind);
  for (const char *line = model; line && *line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, kind, length) || line[length] != ':' || n--)
      continue;
    const char *end = line + strcspn(line, "{\n"), *from = end;
    while (from[-1] != ':')
      from--;
    snprintf(name, size, "%.*s", (int)(end - from), from);
    return true;
  }
  return false;
}

// Locations of some processes, now and then a clock or a variable too.
static void random_query(const char *model, char *query, size_t size) {
  static const char *const operators[] = {"<", "<=", "==", ">=", ">"};
  char name[64];
  size_t used = (size_t)snprintf(query, size, "E<> ");
  uint32_t locations = 0;
  while (declared(model, "location", locations, name, sizeof name))
    locations++;
  uint32_t processes = 0;
  while (declared(model, "process", processes, name, sizeof name))
    processes++;
  const char *and = "";
  for (uint32_t p = 0; p < processes; p++)
    if (p == 0 || below(4)) {
      used += (size_t)snprintf(query + used, size - used, "%sP%u.l%u", and, p,
                               below(locations / processes));
      and = " && ";
    }
  if (below(3) == 0 && declared(model, "clock:1", below(2), name, sizeof name))
    used += (size_t)snprintf(query + used, size - used, " && %s %s %u", name, operators[below(5)],
                             below(6));
  if (below(4) == 0 && declared(model, "int:1", 0, name, sizeof name))
    snprintf(query + used, size - used, " && %s == %u", name, below(3));
}

static void write_finding(const char *folder, uint64_t seed, const char *model, const char *query,
                          const char *report) {
  char path[512];
  snprintf(path, sizeof path, "%s/network-%llu.tck", folder, (unsigned long long)seed);
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    return;
  }
  fputs("# Found by the random tester: ", file);
  for (; *report; report++) {
    fputc(*report, file);
    if (*report == '\n' && report[1])
      fputs("# ", file);
  }
  fprintf(file, "\n%s", model);
  fclose(file);
  snprintf(path, sizeof path, "%s/network-%llu.q", folder, (unsigned long long)seed);
  file = fopen(path, "w");
  if (!file)
    return;
  fprintf(file, "%s\n", query);
  fclose(file);
  printf("written to %s/network-%llu.tck\n", folder, (unsigned long long)seed);
}

static volatile sig_atomic_t stopped;
static void on_signal(int number) { stopped = number; }

typedef struct Session {
  uint64_t seed, count;
  int tries;
  const char *folder;
  uint64_t reachable, unreachable, findings;
} Session;

static void try_seed(Session *session, uint64_t seed) {
  char query[256];
  char *model = generate(seed);
  random_query(model, query, sizeof query);
  Attempt now = {.seed = seed, .tries = session->tries};
  const int result = attempt(&now, model, query);
  session->reachable += result == ENDED_REACHABLE;
  session->unreachable += result == ENDED_UNREACHABLE;
  if (result == FOUND) {
    session->findings++;
    printf("seed %llu, %s: %s", (unsigned long long)seed, query, now.report);
    fflush(stdout);
    Shrunk shrunk = {.attempt = attempt, .context = &now, .model = model, .query = query};
    shrink(&shrunk);
    attempt(&now, shrunk.model, shrunk.query);
    printf("shrunk to %u declarations\n%s%s\n%s", shrink_declarations(shrunk.model), shrunk.model,
           shrunk.query, now.report);
    write_finding(session->folder, seed, shrunk.model, shrunk.query, now.report);
    model = shrunk.model;
    free(shrunk.query);
  } else if (result != ENDED && result != ENDED_REACHABLE && result != ENDED_UNREACHABLE) {
    printf("seed %llu: the tester itself failed, status %d\n", (unsigned long long)seed, result);
    session->findings++;
  }
  free(model);
}

static void show(const Session *session, uint64_t done) {
  printf("%llu networks from seed %llu, %d settings each: %llu reachable, %llu not, %llu "
         "disagreements\n",
         (unsigned long long)done, (unsigned long long)session->seed, session->tries,
         (unsigned long long)session->reachable, (unsigned long long)session->unreachable,
         (unsigned long long)session->findings);
  fflush(stdout);
}

int main(int argc, char **argv) {
  Session session = {.seed = 1, .tries = 10, .folder = "test/run/reg"};
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (value && !strcmp(argv[i], "--seed"))
      session.seed = strtoull(argv[++i], NULL, 10);
    else if (value && !strcmp(argv[i], "--count"))
      session.count = strtoull(argv[++i], NULL, 10);
    else if (value && !strcmp(argv[i], "--tries"))
      session.tries = atoi(argv[++i]);
    else if (value && !strcmp(argv[i], "--out"))
      session.folder = argv[++i];
    else
      return fprintf(stderr, "networks [--seed N] [--count N] [--tries N] [--out FOLDER]\n"), 2;
  }
  const struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  uint64_t done = 0;
  while (!stopped && (!session.count || done < session.count) && session.findings < 5) {
    try_seed(&session, session.seed + done);
    if (++done % 1000 == 0)
      show(&session, done);
  }
  show(&session, done);
  return session.findings ? 1 : 0;
}
