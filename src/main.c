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
#include <stdarg.h>
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
  bool has_json;                 // it is printed
  double time_limit;             // seconds, 0: none
  double shown, interval;        // seconds of the last progress line, and until the next one
  double successors;             // at the last one
  size_t query, query_count;     // the one that is decided, of how many
  bool has_progress_line;
} Command;

static char failure[256]; // what is wrong with the command line, for JSON

static int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(failure, sizeof failure, format, arguments);
  va_end(arguments);
  fprintf(stderr, "tarn: %s\n", failure);
  return STATUS_ERROR;
}

// Whether a message begins with a place in a file, as `model.tck:3:5: ...` does.
static bool has_place(const char *text) {
  for (const char *at = text; *at && *at != '\n'; at++)
    if (*at == ':' && at[1] >= '0' && at[1] <= '9' && at[1 + strspn(at + 1, "0123456789")] == ':')
      return true;
  return false;
}

// Messages without a place begin with the name of the command.
static void say(const char *messages) {
  if (*messages && !has_place(messages))
    fputs("tarn: ", stderr);
  fputs(messages, stderr);
}

static int fail_with(Tarn *tarn) {
  say(tarn_error(tarn));
  return STATUS_ERROR;
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
  if (!strcmp(option->name, "time-limit"))
    command->time_limit = atof(value);
  if (option->is_engine)
    return tarn_set(command->tarn, option->name, value) ? fail_with(command->tarn) : 0;
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
      return fail_with(command->tarn);
    return fail("there is no option %s; see `tarn help options`", argument);
  }
  const char *value = NULL;
  if (is_long && name[length])
    value = name + length + 1;
  else if (!is_long && name[1])
    value = name + 1;
  if (!option.argument && value) {
    return fail("--%s takes no value", option.name);
  }
  if (option.argument && !value) {
    if (*i + 1 >= argc) {
      return fail("--%s needs a value: %s", option.name, option.argument);
    }
    value = argv[++*i];
  }
  if (value && !*value && !strcmp(option.argument, "FILE")) {
    return fail("--%s needs the name of a file", option.name);
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

static double statistic(const Command *command, const char *name) {
  return tarn_statistic(command->tarn, name);
}

// `query 2 of 5, 12.0 s: 1200 visited, ...`, with the shares of the limits that are used.
static void show_progress(Command *command, double seconds) {
  const double visited = statistic(command, "visited"), stored = statistic(command, "stored");
  const double waiting = stored - visited + statistic(command, "mistakes");
  const double successors = statistic(command, "transitions");
  const double bytes = statistic(command, "peak_bytes"),
               limit = statistic(command, "limit_bytes");
  const double rate = (successors - command->successors) / (seconds - command->shown);
  fputs(command->has_progress_line ? "\r\033[K" : "", stderr);
  if (command->query_count > 1)
    fprintf(stderr, "query %zu of %zu, ", command->query, command->query_count);
  fprintf(stderr, "%.1f s: %.0f visited, %.0f stored, %.0f waiting, %.0f successors/s, %.0f MB",
          seconds, visited, stored, waiting > 0 ? waiting : 0, rate > 0 ? rate : 0, bytes / 1e6);
  if (command->time_limit > 0)
    fprintf(stderr, ", %.0f %% of the time", 100 * seconds / command->time_limit);
  if (limit > 0)
    fprintf(stderr, ", %.0f %% of the memory", 100 * bytes / limit);
  if (!command->has_progress_line)
    fputc('\n', stderr);
  fflush(stderr);
  command->shown = seconds;
  command->successors = successors;
}

// Polled by the library: shows progress, and tells whether to stop. A line on a terminal is
// rewritten; elsewhere lines come after 1 second, and then more and more seldom.
static int on_poll(void *state) {
  const double most = 60, growth = 1.5;
  Command *command = state;
  const double seconds = statistic(command, "seconds");
  if (!command->progress || seconds - command->shown < command->interval)
    return interrupted;
  command->has_progress_line = isatty(STDERR_FILENO);
  show_progress(command, seconds);
  if (!command->has_progress_line && command->interval < most)
    command->interval = command->interval * growth < most ? command->interval * growth : most;
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
  command->shown = command->successors = 0;
  command->interval = isatty(STDERR_FILENO) ? 0.5 : 1;
  const bool failed =
      (task->is_labels ? tarn_check_labels(tarn, task->text) : tarn_check(tarn, task->text)) < 0;
  const int verdict = tarn_verdict(tarn);
  clear_progress(command);
  if (!command->quiet)
    say(tarn_warnings(tarn));
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
    fprintf(stderr, "tarn: %s: the %s could not be written: %s\n", path,
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
    command->query = i + 1;
    command->query_count = count;
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
  command->has_json = command->json;
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
    say(tarn_warnings(command->tarn));
  return failed ? fail_with(command->tarn) : 0;
}

// Whether a file can be written, before the work whose result it is for. What is there stays.
static int try_writing(const char *path) {
  struct stat about;
  const bool exists = path && !stat(path, &about);
  if (!path || (exists && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)))
    return 0;
  FILE *file = fopen(path, "ab");
  if (!file)
    return fail("%s: cannot be written: %s", path, strerror(errno));
  fclose(file);
  if (!exists)
    remove(path);
  return 0;
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
    status = try_writing(command->html) || try_writing(command->junit) ? STATUS_ERROR : 0;
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
      return fail("%s", usage);
    else
      command->model = argv[i];
  if (!command->model || command->dot + command->symmetry + queries + (run != NULL) > 1 ||
      (command->html && !run))
    return fail("%s", usage);
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
    status = fail_with(command->tarn);
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
             ? fail_with(command->tarn)
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
      return fail("%s", usage);
  if (argc < 2)
    return fail("%s", usage);
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
      return fail("%s", usage);
    else
      command->model = argv[i];
  }
  if (steps < 0 || seed < 0)
    return fail("--steps and --seed need a whole number");
  if (!command->model || (command->html && !steps))
    return fail("%s", usage);
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
  return fail("there is no help on `%s`; see `tarn help`", topic ? topic : "");
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

static const struct {
  const char *name;
  int (*run)(Command *, int argc, char **argv);
} commands[] = {{"check", run_check}, {"certify", run_certify}, {"simulate", run_simulate},
                {"show", run_show},   {"gen", run_gen},         {"convert", run_convert}};
enum { COMMANDS = sizeof commands / sizeof *commands };

// How many letters differ, between what is the same at the beginning and at the end.
static size_t difference(const char *a, const char *b) {
  size_t m = strlen(a), n = strlen(b);
  while (m && n && a[0] == b[0])
    a++, b++, m--, n--;
  while (m && n && a[m - 1] == b[n - 1])
    m--, n--;
  return m > n ? m : n;
}

static int unknown_command(const char *name) {
  const char *nearest = NULL;
  size_t least = 3; // a word that differs in more is another word
  for (int i = 0; i < COMMANDS; i++)
    if (difference(name, commands[i].name) < least) {
      nearest = commands[i].name;
      least = difference(name, nearest);
    }
  if (nearest)
    return fail("there is no command `%s`; did you mean `%s`?", name, nearest);
  return fail("there is no command `%s`, only check, certify, simulate, show, gen, convert, "
              "verifyta and help",
              name);
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
  int found = 0;
  while (found < COMMANDS && strcmp(name, commands[found].name))
    found++;
  if (found == COMMANDS)
    return unknown_command(name);
  if (wants_help(argc, argv))
    return tarn_help(stdout, name, "text"), STATUS_OK;
  return commands[found].run(command, argc, argv);
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

static bool wants_json(int argc, char **argv) {
  for (int i = 2; i < argc && strcmp(argv[i], "--"); i++)
    if (!strcmp(argv[i], "--json"))
      return true;
  return false;
}

// Whoever reads JSON reads errors as JSON, too.
static void print_failure(Command *command) {
  if (!*failure) {
    tarn_write(command->tarn, stdout, "answers", "json");
    return;
  }
  printf("{\"tarn\": \"%s\", \"errors\": [{\"text\": \"", tarn_version());
  for (const unsigned char *at = (const unsigned char *)failure; *at; at++)
    if (*at < 32)
      printf("\\u%04x", *at);
    else
      printf(*at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
  puts("\"}], \"warnings\": [], \"results\": []}");
}

int main(int argc, char **argv) {
  keep_memory();
  Command command = {.tarn = tarn_init()};
  if (!command.tarn)
    return fail("out of memory");
  int status = dispatch(&command, argc, argv);
  if (status == STATUS_ERROR && !command.has_json && wants_json(argc, argv))
    print_failure(&command);
  tarn_release(command.tarn);
  // Whoever reads it must not take a part for all. Most errors have been told already.
  if ((fflush(stdout) || ferror(stdout)) && status != STATUS_ERROR)
    status = fail("the output could not be written");
  return status;
}
