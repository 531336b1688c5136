// Options that choose between representations change nothing here but what is echoed: tarn's
// verdicts are exact with all of them.
#include "command/verifyta.h"

#include "command/command.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct Verifyta {
  Tarn *tarn;
  const char *model, *queries;
  const char *prefix; // of files for traces; NULL: they are printed
  int trace, order, space;
  const char *seed;
  bool matrices, summary, silent, quiet;
} Verifyta;

static const char usage[] =
    "Usage: verifyta [OPTION]... MODEL [QUERY]\n"
    "\n"
    "Checks the queries of an UPPAAL model (.xml, .xta, .ta) with tarn: those in QUERY, a .q "
    "file,\n"
    "else those in the model, else those in the .q file beside it. The options of UPPAAL's\n"
    "verifyta are taken; those marked * choose a representation and change nothing.\n"
    "\n"
    "  -t 0|1|2     show a run: any, the shortest, the fastest\n"
    "  -f PREFIX    write the run of query N to PREFIX-N.xtr, as text\n"
    "  -o 0..5      search order: 0 breadth first, 1 depth first, 2 random depth first\n"
    "  -r SEED      for the random order\n"
    "  -n 0..4      extrapolation: 1 none, others tarn's own *\n"
    "  -u           statistics after each query (--summary)\n"
    "  -s, -q       no progress, no list of options\n"
    "  -S 0|1|2, -C, -A, -Z, -H N, -T, -Y, -y, -X PREFIX *\n"
    "  -v, -h       the version, this text\n"
    "\n"
    "The exit status is 0 if all queries got a verdict, whichever it is, and 1 if not.\n";

static int fail(const char *text, const char *what) {
  fprintf(stderr, "verifyta: %s%s\n", text, what);
  return 1;
}

// An option with a value: `-t0`, `-t 0`. NULL: it is missing.
static const char *value_of(int argc, char **argv, int *i) {
  if (argv[*i][2])
    return argv[*i] + 2;
  return *i + 1 < argc ? argv[++*i] : NULL;
}

static int take_value(Verifyta *v, char letter, const char *value) {
  switch (letter) {
  case 't':
    v->trace = atoi(value);
    break;
  case 'f':
    v->prefix = value;
    break;
  case 'o':
    v->order = atoi(value);
    break;
  case 'S':
    v->space = atoi(value);
    break;
  case 'r':
    v->seed = value;
    break;
  case 'n':
    if (atoi(value) == 1 && tarn_set(v->tarn, "abstraction", "none"))
      return fail("", tarn_error(v->tarn));
    break;
  default: // of other representations, which there are none of
    break;
  }
  return 0;
}

static bool take_flag(Verifyta *v, const char *option) {
  if (!strcmp(option, "-C"))
    v->matrices = true;
  else if (!strcmp(option, "-u") || !strcmp(option, "--summary"))
    v->summary = true;
  else if (!strcmp(option, "-s") || !strcmp(option, "--silence-progress"))
    v->silent = true;
  else if (!strcmp(option, "-q"))
    v->quiet = true;
  else
    return strchr("AZTYyDNc", option[1]) && !option[2];
  return true;
}

static int parse(Verifyta *v, int argc, char **argv) {
  for (int i = 0; i < argc; i++) {
    const char *option = argv[i];
    if (option[0] != '-' || !option[1]) {
      if (v->queries)
        return fail("too many files: ", option);
      *(v->model ? &v->queries : &v->model) = option;
    } else if (!strcmp(option, "--key") || !strcmp(option, "--lease")) {
      i++; // there is no licence to manage
    } else if (option[1] != '-' && strchr("tfoSrnHX", option[1])) {
      const char *value = value_of(argc, argv, &i);
      if (!value)
        return fail("a value is missing: ", option);
      if (take_value(v, option[1], value))
        return 1;
    } else if (!take_flag(v, option)) {
      return fail("there is no option ", option);
    }
  }
  return v->model ? 0 : fail("which MODEL? see verifyta -h", "");
}

static int apply(Verifyta *v) {
  static const char *const prefer[] = {"any", "shortest", "fastest"};
  Tarn *tarn = v->tarn;
  int failed = 0;
  if (v->trace >= 0) {
    failed |= tarn_set(tarn, "trace", "concrete");
    failed |= tarn_set(tarn, "prefer", prefer[v->trace > 2 ? 0 : v->trace]);
  }
  if (v->order >= 0)
    failed |= tarn_set(tarn, "order", v->order == 1 || v->order == 2 ? "dfs" : "bfs");
  if (v->order == 2)
    failed |= tarn_set(tarn, "seed", v->seed ? v->seed : "1");
  return failed ? fail("", tarn_error(tarn)) : 0;
}

static void show_options(const Verifyta *v) {
  static const char *const traces[] = {"no", "some", "shortest", "fastest"};
  static const char *const orders[] = {"breadth first", "depth first", "random depth first"};
  static const char *const spaces[] = {"no", "conservative", "aggressive"};
  printf("Options for the verification:\n");
  printf("  Generating %s trace\n", traces[v->trace < 0 || v->trace > 2 ? 0 : v->trace + 1]);
  printf("  Search order is %s\n", orders[v->order < 0 || v->order > 2 ? 0 : v->order]);
  printf("  Using %s space optimisation\n", spaces[v->space < 0 || v->space > 2 ? 1 : v->space]);
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

static void show_summary(const Verifyta *v) {
  Tarn *tarn = v->tarn;
  printf(" -- States stored : %.0f states\n", tarn_statistic(tarn, "stored"));
  printf(" -- States explored : %.0f states\n", tarn_statistic(tarn, "visited"));
  printf(" -- CPU user time used : %.0f ms\n", tarn_statistic(tarn, "seconds") * 1000);
  printf(" -- Virtual memory used : %.0f KiB\n", tarn_statistic(tarn, "peak_bytes") / 1024);
  printf(" -- Resident memory used : %.0f KiB\n", tarn_statistic(tarn, "peak_bytes") / 1024);
}

static int check(const Verifyta *v, size_t index) {
  Tarn *tarn = v->tarn;
  const char *position = tarn_query_position(tarn, index);
  printf("\nVerifying formula %zu at %s\n", index + 1, position ? position : "?");
  fflush(stdout);
  const int result = tarn_check(tarn, tarn_query(tarn, index));
  const int verdict = tarn_verdict(tarn);
  command_say_as("verifyta", tarn_warnings(tarn));
  if (verdict == TARN_SATISFIED || verdict == TARN_NOT_SATISFIED) {
    const bool satisfied = verdict == TARN_SATISFIED;
    printf(" -- Formula is %ssatisfied.\n", satisfied ? "" : "NOT ");
    if (v->trace >= 0 && tarn_has_run(tarn) && show_trace(v, index + 1, satisfied))
      return 1;
    if (v->summary)
      show_summary(v);
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
      return fputs(usage, stdout), 0;
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
