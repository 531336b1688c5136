// Options that choose between representations change nothing here but what is echoed: tarn's
// verdicts are exact with all of them.
#define _DEFAULT_SOURCE
#include "command/verifyta.h"

#include "command/command.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct Verifyta {
  Tarn *tarn;
  const char *model, *queries;
  const char *prefix; // of files for traces; NULL: they are printed
  int trace, order, space;
  const char *seed;
  bool matrices, summary, quiet;
} Verifyta;

static const char usage_text[] =
    "Usage: verifyta [OPTION]... MODEL [QUERY]\n"
    "\n"
    "Checks the queries of an UPPAAL model (.xml, .xta, .ta) with tarn: those in QUERY, a .q "
    "file,\n"
    "else those in the model, else those in the .q file beside it. The options are those of\n"
    "UPPAAL's verifyta; those marked * choose a representation and change nothing.\n"
    "\n"
    "  -t, --diagnostic, --trace 0|1|2   show a run: any, the shortest, the fastest\n"
    "  -f PREFIX                         write the run of query N to PREFIX-N.xtr, as text\n"
    "  -o, --search-order 0|1|2          breadth first, depth first, random depth first\n"
    "  -r, --seed N                      for the random order\n"
    "  -n, --extrapolation 0..4          1 none, others tarn's own *\n"
    "  -u, --summary                     statistics after each query\n"
    "  -s, --silence-progress            no progress: there is none\n"
    "  -q                                no list of options\n"
    "  -S 0|1|2, -C, -A, -Z, -T *\n"
    "  -H, --hashtable-size N *\n"
    "  -a, --alpha, -B, --beta, -E, --epsilon, --lower-delta, --upper-delta, --u0, --u1,\n"
    "  --histogram-bar-width, --histogram-bar-count, --discretization, --truncation-error,\n"
    "  --truncation-time-error           of statistical queries: as in `tarn help options`\n"
    "  -v, --version, -h, --help         the version, this text\n"
    "\n"
    "Other options of UPPAAL's are refused. The exit status is 0 if all queries got a verdict,\n"
    "whichever it is, and 1 if not.\n";

typedef struct VerifytaOption {
  char letter; // 0: it has a name only
  const char *name;
  bool has_value;
  int max;             // of a value that is a number from 0 on; 0: any text
  const char *refusal; // NULL: it is taken
} VerifytaOption;

static const char no_zones[] =
    "runs are shown with exact times, not with zones: use -t and -f, or "
    "`tarn check --trace symbolic`";

static const VerifytaOption options[] = {
    {'t', "diagnostic", true, 2, NULL},
    {'t', "trace", true, 2, NULL},
    {'f', NULL, true, 0, NULL},
    {'o', "search-order", true, 2, NULL},
    {'r', "seed", true, INT_MAX, NULL},
    {'n', "extrapolation", true, 4, NULL},
    {'H', "hashtable-size", true, INT_MAX, NULL},
    {'S', NULL, true, 2, NULL},
    {'u', "summary", false, 0, NULL},
    {'s', "silence-progress", false, 0, NULL},
    {'q', NULL, false, 0, NULL},
    {'C', NULL, false, 0, NULL},
    {'A', NULL, false, 0, NULL},
    {'Z', NULL, false, 0, NULL},
    {'T', NULL, false, 0, NULL},
    {0, "key", true, 0, NULL}, // there is no licence to manage
    {0, "lease", true, 0, NULL},
    {'a', "alpha", true, 0, NULL},
    {'B', "beta", true, 0, NULL},
    {'E', "epsilon", true, 0, NULL},
    {0, "lower-delta", true, 0, NULL},
    {0, "upper-delta", true, 0, NULL},
    {0, "u0", true, 0, NULL},
    {0, "u1", true, 0, NULL},
    {0, "histogram-bar-width", true, 0, NULL},
    {0, "histogram-bar-count", true, 0, NULL},
    {0, "discretization", true, 0, NULL},
    {0, "truncation-error", true, 0, NULL},
    {0, "truncation-time-error", true, 0, NULL},
    {0, "resolution", true, INT_MAX, NULL}, // of courses: all points are written
    {'X', NULL, true, 0, no_zones},
    {'y', NULL, false, 0, no_zones},
    {'Y', NULL, false, 0, no_zones},
};

static int fail(const char *text, const char *what) {
  fprintf(stderr, "verifyta: %s%s\n", text, what);
  return 1;
}

// By its letter, or by its name if that is 0.
static const VerifytaOption *find_option(char letter, const char *name, size_t length) {
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    const char *other = options[i].name;
    if (letter ? options[i].letter == letter
               : other && strlen(other) == length && !strncmp(other, name, length))
      return &options[i];
  }
  return NULL;
}

static bool is_parameter(const char *name) {
  TarnOption option;
  for (size_t i = 0; !tarn_option(i, &option); i++)
    if (!strcmp(option.name, name))
      return option.is_engine;
  return false;
}

static int take(Verifyta *v, const VerifytaOption *option, const char *value) {
  const int number = option->max ? atoi(value) : 0;
  switch (option->letter) {
  case 't':
    v->trace = number;
    break;
  case 'f':
    v->prefix = value;
    break;
  case 'o':
    v->order = number;
    break;
  case 'S':
    v->space = number;
    break;
  case 'r':
    v->seed = value;
    break;
  case 'n':
    if (number == 1 && tarn_set(v->tarn, "abstraction", "none"))
      return fail("", tarn_error(v->tarn));
    break;
  case 'C':
    v->matrices = true;
    break;
  case 'u':
    v->summary = true;
    break;
  case 'q':
    v->quiet = true;
    break;
  default: // a statistical parameter, or another representation, which there are none of
    if (option->name && option->has_value && is_parameter(option->name) &&
        tarn_set(v->tarn, option->name, value))
      return fail("", tarn_error(v->tarn));
    break;
  }
  return 0;
}

// What is asked for is done, or refused by name. `shown` is the option as it was written.
static int take_checked(Verifyta *v, const VerifytaOption *option, const char *shown,
                        const char *value) {
  if (option->refusal) {
    fprintf(stderr, "verifyta: %s is not supported: %s\n", shown, option->refusal);
    return 1;
  }
  if (option->has_value && !value)
    return fail("a value is missing: ", shown);
  char *end = NULL;
  const long number = option->max ? strtol(value, &end, 10) : 0;
  if (option->max && (end == value || *end || number < 0 || number > option->max)) {
    fprintf(stderr, "verifyta: %s needs a number from 0 to %d, not `%s`\n", shown, option->max,
            value);
    return 1;
  }
  return take(v, option, value);
}

// `--name value` or `--name=value`, at argv[*i].
static int parse_name(Verifyta *v, int argc, char **argv, int *i) {
  const char *shown = argv[*i], *name = shown + 2;
  const size_t length = strcspn(name, "=");
  const VerifytaOption *option = find_option(0, name, length);
  if (!option)
    return fail("there is no option ", shown);
  if (!option->has_value && name[length])
    return fail("this option takes no value: ", shown);
  const char *value = name[length]                         ? name + length + 1
                      : option->has_value && *i + 1 < argc ? argv[++*i]
                                                           : NULL;
  return take_checked(v, option, shown, value);
}

// `-t0`, `-t 0`, or several flags as in `-us`; the last of them may have a value.
static int parse_letters(Verifyta *v, int argc, char **argv, int *i) {
  const char *shown = argv[*i];
  for (const char *at = shown + 1; *at; at++) {
    const VerifytaOption *option = find_option(*at, NULL, 0);
    if (!option)
      return fail("there is no option ", shown);
    const char *value = !option->has_value ? NULL
                        : at[1]            ? at + 1
                        : *i + 1 < argc    ? argv[++*i]
                                           : NULL;
    const char name[] = {'-', *at, 0};
    if (take_checked(v, option, name, value))
      return 1;
    if (option->has_value)
      return 0;
  }
  return 0;
}

static int parse(Verifyta *v, int argc, char **argv) {
  int status = 0;
  for (int i = 0; i < argc && !status; i++) {
    const char *option = argv[i];
    if (option[0] == '-' && option[1]) {
      status = (option[1] == '-' ? parse_name : parse_letters)(v, argc, argv, &i);
    } else if (v->queries) {
      status = fail("too many files: ", option);
    } else {
      *(v->model ? &v->queries : &v->model) = option;
    }
  }
  if (v->prefix && v->trace < 0)
    v->trace = 0; // a run is to be written
  return status || v->model ? status : fail("which MODEL? see verifyta -h", "");
}

static int apply(Verifyta *v) {
  static const char *const prefer[] = {"any", "shortest", "fastest"};
  Tarn *tarn = v->tarn;
  int failed = tarn_set(tarn, "exact", "off"); // the numbers are UPPAAL's
  if (v->trace >= 0) {
    failed |= tarn_set(tarn, "trace", "concrete");
    failed |= tarn_set(tarn, "prefer", prefer[v->trace]);
  }
  if (v->order >= 0)
    failed |= tarn_set(tarn, "order", v->order ? "dfs" : "bfs");
  if (v->order == 2)
    failed |= tarn_set(tarn, "seed", v->seed ? v->seed : "1");
  return failed ? fail("", tarn_error(tarn)) : 0;
}

static void show_options(const Verifyta *v) {
  static const char *const traces[] = {"no", "some", "shortest", "fastest"};
  static const char *const orders[] = {"breadth first", "depth first", "random depth first"};
  static const char *const spaces[] = {"no", "conservative", "aggressive"};
  printf("Options for the verification:\n");
  printf("  Generating %s trace\n", traces[v->trace + 1]);
  printf("  Search order is %s\n", orders[v->order < 0 ? 0 : v->order]);
  printf("  Using %s space optimisation\n", spaces[v->space]);
  printf("  Seed is %s\n", v->seed ? v->seed : "1");
  printf("  State space representation uses %s\n",
         v->matrices ? "difference bound matrices" : "minimal constraint systems");
}

// The run of an answer that has one: of E<> if it is satisfied, of A[] if it is not.
static int show_trace(const Verifyta *v, size_t number, bool satisfied) {
  FILE *file = stdout;
  char name[4096];
  if (v->prefix) {
    snprintf(name, sizeof name, "%s-%zu.xtr", v->prefix, number);
    fprintf(stderr, "Writing %s to %s\n", satisfied ? "example trace" : "counter example", name);
    file = fopen(name, "w");
    if (!file)
      return fail("cannot write ", name);
  } else {
    printf(" -- Showing %s:\n", satisfied ? "witness trace" : "counter example");
  }
  const int failed = tarn_write(v->tarn, file, "run of the answer", "uppaal");
  if (file != stdout)
    fclose(file);
  return failed ? fail("", tarn_error(v->tarn)) : 0;
}

// The processor time and memory of the process so far.
static struct rusage usage_now(void) {
  struct rusage usage = {0};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

static double user_ms(const struct rusage *usage) {
  return (double)usage->ru_utime.tv_sec * 1000 + (double)usage->ru_utime.tv_usec / 1000;
}

// UPPAAL also prints a line on virtual memory, which tarn does not measure.
static void show_summary(const Verifyta *v, const struct rusage *before) {
  Tarn *tarn = v->tarn;
  const struct rusage now = usage_now();
  printf(" -- States stored : %.0f states\n", tarn_statistic(tarn, "stored"));
  printf(" -- States explored : %.0f states\n", tarn_statistic(tarn, "visited"));
  printf(" -- CPU user time used : %.0f ms\n", user_ms(&now) - user_ms(before));
  printf(" -- Resident memory used : %ld KiB\n", now.ru_maxrss);
}

// `Pr`, `E[<=...`, `simulate`: the seed is for these, too.
static bool is_statistical(const char *text) {
  text += strspn(text, " \t\r\n");
  if (!strncmp(text, "Pr", 2) || !strncmp(text, "simulate", 8))
    return true;
  const char *bound = text + 1 + strspn(text + (*text != 0), " \t");
  return *text == 'E' && *bound == '[' && bound[1] != ']';
}

static int check(const Verifyta *v, size_t index) {
  Tarn *tarn = v->tarn;
  TarnQuery *query = tarn_query_at(tarn, index);
  if (v->seed && is_statistical(tarn_query_text(query)) && tarn_set(tarn, "seed", v->seed))
    return fail("", tarn_error(tarn));
  const char *position = tarn_query_place(query);
  printf("\nVerifying formula %zu at %s\n", index + 1, position ? position : "?");
  fflush(stdout);
  const struct rusage before = usage_now();
  const int result = tarn_check_query(tarn, query);
  const int verdict = tarn_verdict(tarn);
  command_say_as("verifyta", tarn_warnings(tarn));
  if (verdict == TARN_SATISFIED || verdict == TARN_NOT_SATISFIED || verdict == TARN_ESTIMATED) {
    const bool satisfied = verdict != TARN_NOT_SATISFIED;
    printf(" -- Formula is %ssatisfied.\n", satisfied ? "" : "NOT ");
    if (tarn_write(tarn, stdout, "estimate", "uppaal"))
      return fail("", tarn_error(tarn));
    if (v->trace >= 0 && tarn_has_run(tarn) && show_trace(v, index + 1, satisfied))
      return 1;
    if (v->summary)
      show_summary(v, &before);
    fflush(stdout);
    return result < 0 ? fail("", tarn_error(tarn)) : 0;
  }
  const bool has_answer = verdict == TARN_REFUSED || verdict == TARN_UNDECIDED;
  fprintf(stderr, "verifyta: %s: [error] %s\n", position ? position : "?",
          has_answer ? tarn_reason(tarn) : tarn_error(tarn));
  return 1;
}

int verifyta_run(Tarn *tarn, int argc, char **argv) {
  Verifyta v = {.tarn = tarn, .trace = -1, .order = -1, .space = 1};
  for (int i = 0; i < argc; i++) {
    if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help"))
      return fputs(usage_text, stdout), 0;
    if (!strcmp(argv[i], "-v") || !strcmp(argv[i], "--version"))
      return printf("tarn %s, in the manner of verifyta\n", tarn_version()), 0;
  }
  if (parse(&v, argc, argv) || apply(&v))
    return 1;
  if (v.queries ? tarn_read_model(tarn, v.model) || tarn_read_queries(tarn, v.queries)
                : tarn_read(tarn, v.model)) {
    command_say_as("verifyta", tarn_error(tarn));
    return 1;
  }
  command_say_as("verifyta", tarn_warnings(tarn));
  if (!v.quiet)
    show_options(&v);
  int status = 0;
  for (size_t i = 0; i < tarn_query_count(tarn); i++)
    status |= check(&v, i);
  return status;
}
