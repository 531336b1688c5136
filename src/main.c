// The command: a client of tarn.h and nothing else; simulator.h is a part of it.
#define _POSIX_C_SOURCE 200809L
#include "simulator.h"
#include "verifyta.h"

#include <errno.h>
#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATUS_OK = 0, STATUS_NOT_SATISFIED = 1, STATUS_ERROR = 2, STATUS_UNDECIDED = 3 };

static volatile sig_atomic_t interrupted; // set by SIGINT and SIGTERM

static void on_signal(int number) { interrupted = number; }

typedef struct Task { // a query or labels, in the order of the command line
  const char *text;
  bool is_labels;
  const char *expectation; // of a query in the model file; NULL: to be satisfied
} Task;

typedef struct Command {
  Tarn *tarn;
  const char *model;
  const char *html, *junit;        // where to write a page, a report
  const char *certificate, *graph; // the engine's options of these names
  Task *tasks;
  int task_count, answer_count;
  bool json, stats, progress, quiet, dot, list, symmetry;
  int expected_count, met_count; // queries with an expectation, and those that meet it
  bool is_refused;               // some query is
  bool lacks_evidence;           // an answer is there, but not all that was to be written with it
  double shown;                  // seconds of the last progress line
  bool has_progress_line;
} Command;

static int fail(const char *message) {
  fprintf(stderr, "tarn: %s\n", message);
  return STATUS_ERROR;
}

static int fail_with(Tarn *tarn) {
  fputs(tarn_error(tarn), stderr);
  return STATUS_ERROR;
}

// The same for what is wrong with the command line: it has no file to begin with.
static int fail_with_name(Tarn *tarn) {
  fputs("tarn: ", stderr);
  return fail_with(tarn);
}

static bool find_option(const char *name, size_t length, char letter, TarnOption *option) {
  for (size_t i = 0; !tarn_option(i, option); i++)
    if (letter ? option->letter == letter
               : strlen(option->name) == length && !strncmp(option->name, name, length))
      return true;
  return false;
}

// The command's own options; the engine's go to tarn_set.
static int apply(Command *command, const TarnOption *option, const char *value) {
  if (!strcmp(option->name, "certificate"))
    command->certificate = value;
  if (!strcmp(option->name, "graph"))
    command->graph = value;
  if (option->is_engine)
    return tarn_set(command->tarn, option->name, value) ? fail_with_name(command->tarn) : 0;
  if (!strcmp(option->name, "query") || !strcmp(option->name, "labels"))
    command->tasks[command->task_count++] = (Task){value, *option->name == 'l', NULL};
  else if (!strcmp(option->name, "json"))
    command->json = true;
  else if (!strcmp(option->name, "stats"))
    command->stats = true;
  else if (!strcmp(option->name, "progress"))
    command->progress = true;
  else if (!strcmp(option->name, "quiet"))
    command->quiet = true;
  else if (!strcmp(option->name, "html"))
    command->html = value;
  else if (!strcmp(option->name, "junit"))
    command->junit = value;
  return 0;
}

// One option, at argv[*i]: --name value, --name=value, -x value, -xvalue.
static int parse_option(Command *command, int argc, char **argv, int *i) {
  const char *argument = argv[*i];
  const bool is_long = argument[1] == '-';
  const char *name = argument + (is_long ? 2 : 1);
  const size_t length = is_long ? strcspn(name, "=") : 1;
  TarnOption option;
  if (!find_option(name, length, is_long ? 0 : *name, &option)) {
    // The library knows the nearest name.
    if (is_long && tarn_set(command->tarn, name, ""))
      return fail_with_name(command->tarn);
    fprintf(stderr, "tarn: there is no option %s; see `tarn help options`\n", argument);
    return STATUS_ERROR;
  }
  const char *value = NULL;
  if (is_long && name[length])
    value = name + length + 1;
  else if (!is_long && name[1])
    value = name + 1;
  if (!option.argument && value) {
    fprintf(stderr, "tarn: --%s takes no value\n", option.name);
    return STATUS_ERROR;
  }
  if (option.argument && !value) {
    if (*i + 1 >= argc) {
      fprintf(stderr, "tarn: --%s needs a value: %s\n", option.name, option.argument);
      return STATUS_ERROR;
    }
    value = argv[++*i];
  }
  if (value && !*value && !strcmp(option.argument, "FILE")) {
    fprintf(stderr, "tarn: --%s needs the name of a file\n", option.name);
    return STATUS_ERROR;
  }
  return apply(command, &option, value);
}

static int parse(Command *command, int argc, char **argv) {
  bool only_names = false;
  for (int i = 0; i < argc; i++) {
    if (!only_names && !strcmp(argv[i], "--")) {
      only_names = true;
    } else if (!only_names && argv[i][0] == '-' && argv[i][1]) {
      const int status = parse_option(command, argc, argv, &i);
      if (status)
        return status;
    } else if (command->model) {
      return fail("one MODEL at a time; quote a query that contains blanks");
    } else {
      command->model = argv[i];
    }
  }
  return command->model ? 0 : fail("which MODEL? see `tarn help`");
}

static void clear_progress(Command *command) {
  if (command->has_progress_line)
    fputs("\r\033[K", stderr);
  command->has_progress_line = false;
}

// Polled by the library: shows progress, and tells whether to stop.
static int on_poll(void *state) {
  Command *command = state;
  const double seconds = tarn_statistic(command->tarn, "seconds");
  if (command->progress && seconds - command->shown >= 0.5) {
    command->shown = seconds;
    command->has_progress_line = isatty(STDERR_FILENO);
    fprintf(stderr, "%s%.1f s: %.0f visited, %.0f stored, %.0f MB%s",
            command->has_progress_line ? "\r\033[K" : "", seconds,
            tarn_statistic(command->tarn, "visited"), tarn_statistic(command->tarn, "stored"),
            tarn_statistic(command->tarn, "peak_bytes") / 1e6,
            command->has_progress_line ? "" : "\n");
    fflush(stderr);
  }
  return interrupted;
}

static int status_of(int verdict) {
  return verdict == TARN_NOT_SATISFIED                          ? STATUS_NOT_SATISFIED
         : verdict == TARN_UNDECIDED || verdict == TARN_REFUSED ? STATUS_UNDECIDED
                                                                : STATUS_OK;
}

static bool is_one_of(const char *word, size_t length, const char *const *words) {
  for (; *words; words++)
    if (strlen(*words) == length && !strncmp(*words, word, length))
      return true;
  return false;
}

// The verdict that an expectation such as `F,10MB` is about; -1: none.
static int expected_verdict(const char *expectation) {
  static const char *const yes[] = {"T", "SAT", "TRUE", NULL};
  static const char *const no[] = {"F", "UNSAT", "FALSE", NULL};
  static const char *const error[] = {"E", "ERROR", NULL};
  for (const char *at = expectation; at && *at;) {
    const size_t length = strcspn(at, ",");
    if (is_one_of(at, length, yes))
      return TARN_SATISFIED;
    if (is_one_of(at, length, no))
      return TARN_NOT_SATISFIED;
    if (is_one_of(at, length, error))
      return TARN_REFUSED;
    at += length + (at[length] == ',');
  }
  return -1;
}

// What an answer means for the exit status: one that is expected is fine, whatever it is.
static int judge(Command *command, const Task *task, int verdict) {
  const int expected = expected_verdict(task->expectation);
  if (expected >= 0) {
    command->expected_count++;
    command->met_count += verdict == expected;
    return verdict == expected         ? STATUS_OK
           : verdict == TARN_UNDECIDED ? STATUS_UNDECIDED
                                       : STATUS_NOT_SATISFIED;
  }
  command->is_refused |= verdict == TARN_REFUSED && tarn_refuses(command->tarn);
  return verdict == TARN_REFUSED && tarn_refuses(command->tarn) ? STATUS_OK : status_of(verdict);
}

// Undecided outweighs not satisfied: the run did not finish its job. So does evidence that was
// asked for and could not be written; the answer is shown all the same.
static int check_one(Command *command, const Task *task, int *status) {
  Tarn *tarn = command->tarn;
  command->shown = 0;
  const bool failed =
      (task->is_labels ? tarn_check_labels(tarn, task->text) : tarn_check(tarn, task->text)) < 0;
  const int verdict = tarn_verdict(tarn);
  clear_progress(command);
  if (!command->quiet)
    fputs(tarn_warnings(tarn), stderr);
  if (failed)
    fail_with(tarn);
  if (verdict < 0)
    return STATUS_ERROR;
  command->answer_count++;
  command->lacks_evidence |= failed;
  const int judged = judge(command, task, verdict);
  if (judged > *status)
    *status = judged;
  if (command->json)
    return 0;
  if (tarn_write(tarn, stdout, "answer", "text"))
    return fail_with(tarn);
  if ((command->stats || verdict == TARN_EXPLORED || verdict == TARN_UNDECIDED) &&
      tarn_write(tarn, stdout, "stats", "text"))
    return fail_with(tarn);
  return 0;
}

// Writes all answers to a file: `html`, the page, or `junit`, the report.
static int write_answers(Command *command, const char *path, const char *format) {
  FILE *file = fopen(path, "w");
  bool failed = !file || tarn_write(command->tarn, file, "answers", format);
  int reason = errno;
  if (file && fclose(file) && !failed) {
    failed = true;
    reason = errno;
  }
  if (failed)
    fprintf(stderr, "%s: the %s could not be written: %s\n", path,
            strcmp(format, "html") ? "report" : "page", strerror(reason));
  return failed ? STATUS_ERROR : 0;
}

// Sets an option that names a file to the file of one of several queries: the second of
// `graph.dot` is `graph-2.dot`, for the library would write them all to the same. Pipes and
// devices such as /dev/stdout have room for all.
static int set_numbered(Command *command, const char *option, const char *path, size_t number) {
  struct stat about;
  if (!path || !*path || !strncmp(path, "/dev/", 5) ||
      (!stat(path, &about) && !S_ISREG(about.st_mode)))
    return 0;
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  const size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
  const size_t size = strlen(path) + 24;
  char *name = malloc(size);
  if (!name)
    return fail("out of memory");
  snprintf(name, size, "%.*s-%zu%s", (int)stem, path, number, path + stem);
  const int failed = tarn_set(command->tarn, option, name);
  free(name);
  return failed ? fail_with(command->tarn) : 0;
}

// A mistake in the last query should not wait for the searches before it.
static int parse_tasks(Command *command) {
  for (int i = 0; i < command->task_count && !tarn_refuses(command->tarn); i++) {
    const Task *task = &command->tasks[i];
    if (task->is_labels ? tarn_parse_labels(command->tarn, task->text)
                        : tarn_parse(command->tarn, task->text))
      return fail_with(command->tarn);
  }
  return 0;
}

static int check_tasks(Command *command, int *status) {
  Tarn *tarn = command->tarn;
  const int given = command->task_count;
  const size_t count = given ? (size_t)given : tarn_query_count(tarn);
  for (size_t i = 0; i < (count ? count : 1); i++) {
    const Task task = given   ? command->tasks[i]
                      : count ? (Task){tarn_query(tarn, i), false, tarn_expectation(tarn, i)}
                              : (Task){NULL, false, NULL};
    if (count > 1 && (set_numbered(command, "certificate", command->certificate, i + 1) ||
                      set_numbered(command, "graph", command->graph, i + 1)))
      return STATUS_ERROR;
    if (check_one(command, &task, status))
      return STATUS_ERROR;
    if (interrupted)
      break;
  }
  return 0;
}

// Answers that came before an error are shown, in JSON and in a page as they are in text.
static int check_all(Command *command) {
  Tarn *tarn = command->tarn;
  int status = STATUS_OK;
  const bool failed = check_tasks(command, &status);
  if (command->junit && write_answers(command, command->junit, "junit"))
    return STATUS_ERROR;
  if (failed && !command->answer_count)
    return STATUS_ERROR;
  if (command->json && tarn_write(tarn, stdout, "answers", "json"))
    return fail_with(tarn);
  if (command->html && write_answers(command, command->html, "html"))
    return STATUS_ERROR;
  if (command->expected_count && !command->json && !command->quiet)
    printf("%d of %d expectations met\n", command->met_count, command->expected_count);
  if (!status && command->is_refused)
    status = STATUS_ERROR;
  return failed || command->lacks_evidence ? STATUS_ERROR : status;
}

static int read_model(Command *command) {
  const bool failed = tarn_read(command->tarn, command->model);
  if (!command->quiet)
    fputs(tarn_warnings(command->tarn), stderr);
  return failed ? fail_with(command->tarn) : 0;
}

static int run_check(Command *command, int argc, char **argv) {
  command->tasks = calloc((size_t)argc + 1, sizeof *command->tasks);
  if (!command->tasks)
    return fail("out of memory");
  int status = parse(command, argc, argv);
  if (!status && (command->html || command->junit))
    tarn_set(command->tarn, "trace", "concrete");
  command->progress = !command->quiet && (command->progress || isatty(STDERR_FILENO));
  if (!status)
    status = read_model(command);
  if (!status)
    status = parse_tasks(command);
  if (status && command->junit && command->model)
    write_answers(command, command->junit, "junit");
  if (!status) {
    const struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    tarn_set_terminate(command->tarn, command, on_poll);
    status = check_all(command);
  }
  free(command->tasks);
  return status;
}

// One on each line, whatever blanks it has inside.
static int show_queries(Tarn *tarn) {
  for (size_t i = 0; i < tarn_query_count(tarn); i++) {
    for (const char *c = tarn_query(tarn, i); *c; c++)
      putchar(strchr("\t\r\n", *c) ? ' ' : *c);
    putchar('\n');
  }
  return STATUS_OK;
}

// show [--dot | --symmetry] MODEL, show --trace RUN [--html FILE] MODEL
static int run_show(Command *command, int argc, char **argv) {
  const char *const usage =
      "usage: tarn show [--dot | --symmetry | --queries | --trace RUN.json [--html FILE]] MODEL";
  const char *run = NULL;
  bool queries = false;
  for (int i = 0; i < argc; i++)
    if (!strcmp(argv[i], "--dot"))
      command->dot = true;
    else if (!strcmp(argv[i], "--symmetry"))
      command->symmetry = true;
    else if (!strcmp(argv[i], "--queries"))
      queries = true;
    else if (!strcmp(argv[i], "--trace") && i + 1 < argc)
      run = argv[++i];
    else if (!strcmp(argv[i], "--html") && i + 1 < argc)
      command->html = argv[++i];
    else if (command->model || (argv[i][0] == '-' && argv[i][1]))
      return fail(usage);
    else
      command->model = argv[i];
  if (!command->model || command->dot + command->symmetry + queries + (run != NULL) > 1 ||
      (command->html && !run))
    return fail(usage);
  const int status = read_model(command);
  if (status)
    return status;
  if (queries)
    return show_queries(command->tarn);
  if (run && tarn_read_runs(command->tarn, run))
    return fail_with(command->tarn);
  if (command->html)
    return write_answers(command, command->html, "html");
  const char *what = run ? "answer" : command->symmetry ? "symmetry" : "model";
  return tarn_write(command->tarn, stdout, what, command->dot ? "dot" : "text")
             ? fail_with(command->tarn)
             : STATUS_OK;
}

// The model goes through memory: written, read, and written in the other language.
static int gen_xta(Command *command, int argc, char **argv) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (!file)
    return fail("out of memory");
  const char *const *arguments = (const char *const *)(argv + 1);
  const bool failed = tarn_generate(command->tarn, file, argv[0], argc - 1, arguments);
  fclose(file);
  int status = STATUS_OK;
  if (failed)
    status = fail_with_name(command->tarn);
  else if (tarn_read_text(command->tarn, text, "tchecker") ||
           tarn_write(command->tarn, stdout, "model", "xta"))
    status = fail_with(command->tarn);
  free(text);
  return status;
}

static int run_gen(Command *command, int argc, char **argv) {
  const char *format = "tchecker";
  if (argc >= 2 && !strcmp(argv[0], "--format")) {
    format = argv[1];
    argc -= 2;
    argv += 2;
  }
  if (strcmp(format, "tchecker") && strcmp(format, "xta"))
    return fail("--format is tchecker or xta");
  if (argc < 1)
    return fail("which family? `tarn gen --list` shows them");
  if (!strcmp(format, "xta"))
    return gen_xta(command, argc, argv);
  const char *family = strcmp(argv[0], "--list") ? argv[0] : NULL;
  const char *const *arguments = (const char *const *)(argv + 1);
  return tarn_generate(command->tarn, stdout, family, argc - 1, arguments)
             ? fail_with_name(command->tarn)
             : STATUS_OK;
}

// The checker that is proved correct is a program of its own, and takes over: argv[0] is
// --proved.
static int run_proved(char **argv) {
  char program[] = "tarn-proved";
  argv[0] = program;
  execvp(program, argv);
  return fail(
      "tarn-proved is not installed; `make proof` builds it, then `make install` installs it");
}

// Evidence that is rejected is an answer, with the status of "not satisfied".
static int run_certify(Command *command, int argc, char **argv) {
  const char *const usage = "usage: tarn certify [--proved] MODEL FILE...";
  const bool is_proved = argc && !strcmp(argv[0], "--proved");
  if (is_proved && argc > 2 && argv[1][0] != '-' && !argv[argc])
    return run_proved(argv);
  for (int i = 0; i < argc; i++)
    if (argv[i][0] == '-' && argv[i][1])
      return fail(usage);
  if (argc < 2)
    return fail(usage);
  command->model = argv[0];
  int status = read_model(command);
  for (int i = 1; i < argc && status != STATUS_ERROR; i++) {
    const int found = tarn_certify(command->tarn, argv[i]);
    if (found < 0)
      return fail_with(command->tarn);
    fputs(tarn_finding(command->tarn), stdout);
    status = found ? status : STATUS_NOT_SATISFIED;
  }
  return status;
}

// A whole number from 0 on; -1 if it is none.
static int number(const char *text) {
  char *end;
  const long value = strtol(text, &end, 10);
  return end == text || *end || value < 0 || value > INT_MAX ? -1 : (int)value;
}

static int run_simulate(Command *command, int argc, char **argv) {
  const char *const usage = "usage: tarn simulate [--steps N] [--seed S] [--json] [--html FILE] "
                            "[--from RUN.json] MODEL";
  const char *from = NULL;
  int steps = 0, seed = 1;
  for (int i = 0; i < argc; i++) {
    const bool has_value = i + 1 < argc;
    if (!strcmp(argv[i], "--json"))
      command->json = true;
    else if (!strcmp(argv[i], "--steps") && has_value)
      steps = number(argv[++i]);
    else if (!strcmp(argv[i], "--seed") && has_value)
      seed = number(argv[++i]);
    else if (!strcmp(argv[i], "--from") && has_value)
      from = argv[++i];
    else if (!strcmp(argv[i], "--html") && has_value)
      command->html = argv[++i];
    else if (command->model || (argv[i][0] == '-' && argv[i][1]))
      return fail(usage);
    else
      command->model = argv[i];
  }
  if (steps < 0 || seed < 0)
    return fail("--steps and --seed need a whole number");
  if (!command->model || (command->html && !steps))
    return fail(usage);
  const int status = read_model(command);
  if (status)
    return status;
  if (tarn_simulate(command->tarn, from))
    return fail_with(command->tarn);
  if (steps <= 0)
    return simulator_run(command->tarn, command->json, (unsigned)seed) ? fail_with(command->tarn)
                                                                       : STATUS_OK;
  const int done = tarn_step_randomly(command->tarn, steps, seed);
  const char *why = done < steps ? tarn_stuck(command->tarn) : NULL;
  if (done < steps)
    fprintf(stderr, "tarn: after %d of %d steps: %s\n", done, steps,
            why ? why : "the times become too fine");
  if (command->html && simulator_save(command->tarn, command->html))
    return STATUS_ERROR;
  return tarn_write(command->tarn, stdout, "run", command->json ? "json" : "text")
             ? fail_with(command->tarn)
             : STATUS_OK;
}

static int run_help(int argc, char **argv) {
  const char *topic = argc ? argv[0] : NULL;
  const bool is_whole =
      topic && (!strcmp(topic, "--man") || !strcmp(topic, "--bash") || !strcmp(topic, "--zsh"));
  if (!tarn_help(stdout, is_whole ? NULL : topic, is_whole ? topic + 2 : "text") ||
      ferror(stdout))
    return STATUS_OK; // a failure to write is noticed in the end
  fprintf(stderr, "tarn: there is no help on `%s`; see `tarn help`\n", topic ? topic : "");
  return STATUS_ERROR;
}

// `--help` and `-h` anywhere after a command mean help on that command.
static bool wants_help(int argc, char **argv) {
  for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
      return true;
  return false;
}

// convert MODEL: in the other language.
static int run_convert(Command *command, int argc, char **argv) {
  if (argc != 1 || (argv[0][0] == '-' && argv[0][1]))
    return fail("usage: tarn convert MODEL");
  command->model = argv[0];
  const int status = read_model(command);
  if (status)
    return status;
  const char *format = tarn_refuses(command->tarn) ? "tchecker" : "xta";
  return tarn_write(command->tarn, stdout, "model", format) ? fail_with(command->tarn)
                                                            : STATUS_OK;
}

// A link called verifyta is `tarn verifyta`.
static bool is_verifyta(const char *path) {
  const char *slash = strrchr(path, '/');
  return !strcmp(slash ? slash + 1 : path, "verifyta");
}

static int dispatch(Command *command, int argc, char **argv) {
  if (argc > 0 && is_verifyta(argv[0]))
    return verifyta_run(command->tarn, argc - 1, argv + 1);
  if (argc < 2)
    return tarn_help(stderr, NULL, "text"), STATUS_ERROR;
  const char *name = argv[1];
  argc -= 2;
  argv += 2;
  if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h"))
    return run_help(argc, argv);
  if (!strcmp(name, "--version"))
    return printf("tarn %s\n", tarn_version()), STATUS_OK;
  if (!strcmp(name, "verifyta"))
    return verifyta_run(command->tarn, argc, argv);
  int (*run)(Command *, int, char **) = !strcmp(name, "check")      ? run_check
                                        : !strcmp(name, "certify")  ? run_certify
                                        : !strcmp(name, "simulate") ? run_simulate
                                        : !strcmp(name, "show")     ? run_show
                                        : !strcmp(name, "gen")      ? run_gen
                                        : !strcmp(name, "convert")  ? run_convert
                                                                    : NULL;
  if (!run) {
    fprintf(stderr,
            "tarn: there is no command `%s`, only check, certify, simulate, show, gen, convert, "
            "verifyta and help\n",
            name);
    return STATUS_ERROR;
  }
  if (wants_help(argc, argv))
    return tarn_help(stdout, name, "text"), STATUS_OK;
  return run(command, argc, argv);
}

// What growing tables give up is used again, and the system is asked for more memory seldom: a
// page that it gives out anew takes it longer than it takes us to store a node.
static void keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  mallopt(M_TOP_PAD, 1 << 22);
#endif
}

int main(int argc, char **argv) {
  keep_memory();
  Command command = {.tarn = tarn_init()};
  if (!command.tarn)
    return fail("out of memory");
  int status = dispatch(&command, argc, argv);
  tarn_release(command.tarn);
  // Whoever reads it must not take a part for all. Most errors have been told already.
  if ((fflush(stdout) || ferror(stdout)) && status != STATUS_ERROR)
    status = fail("the output could not be written");
  return status;
}
