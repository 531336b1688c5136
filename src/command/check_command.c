#define _POSIX_C_SOURCE 200809L
#include "command/check_command.h"

#include "command/command_line.h"
#include "command/interrupt.h"
#include "command/jobs.h"
#include "command/progress.h"
#include "command/row.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int status_of(int verdict) {
  return verdict == TARN_NOT_SATISFIED ? STATUS_NOT_SATISFIED
         : verdict == TARN_UNDECIDED   ? STATUS_UNDECIDED
                                       : STATUS_OK;
}

// What an answer means for the exit status: one that is expected is fine, whatever it is. A query
// that is refused counts if all others are satisfied, or as expected.
static int judge(Command *command, int verdict) {
  const int is_expected = tarn_is_expected(command->tarn);
  if (is_expected >= 0) {
    command->expected_count++;
    command->met_count += is_expected;
    command->is_refused |= !is_expected && verdict == TARN_REFUSED;
    return is_expected || verdict == TARN_REFUSED ? STATUS_OK
           : verdict == TARN_UNDECIDED            ? STATUS_UNDECIDED
                                                  : STATUS_NOT_SATISFIED;
  }
  command->is_refused |= verdict == TARN_REFUSED;
  return status_of(verdict);
}

// What is planned, before it is done. A mistake in the query is told by the check.
static int explain_plan(Command *command, TarnQuery *query) {
  Tarn *tarn = command->tarn;
  if (tarn_plan_query(tarn, query))
    return 0;
  return tarn_write(tarn, stdout, "plan", "text") || fflush(stdout) ? command_fail_with(tarn) : 0;
}

static void put_row(const Command *command) {
  json_t *row = row_of_answer(command->tarn);
  row_put_field(command->csv_file, command->model);
  fputc(',', command->csv_file);
  row_put(command->csv_file, row);
  fflush(command->csv_file); // the table is valid after an interrupt, too
  json_decref(row);
}

// With --total-time-limit, a call has no more than what is left of it. Queries that are left
// when nothing is have the least time that there is.
static int limit_time(Command *command) {
  const double least = 1e-4, own = command->time_limit ? atof(command->time_limit) : 0;
  double left = command->deadline - jobs_now();
  char text[40];
  if (command->deadline <= 0)
    return 0;
  left = (left > least ? left : least) + (left > 0 ? command->reading : 0);
  snprintf(text, sizeof text, "%.6f", own > 0 && own < left ? own : left);
  return tarn_set(command->tarn, "time-limit", text) ? command_fail_with(command->tarn) : 0;
}

// The limit of each query again: JSON and the page tell it.
static void restore_limit(Command *command) {
  if (command->deadline > 0)
    tarn_set(command->tarn, "time-limit", command->time_limit ? command->time_limit : "0");
}

// Undecided outweighs not satisfied: the run did not finish its job. So does evidence that was
// asked for and could not be written; the answer is shown all the same.
static int check_one(Command *command, TarnQuery *query, int *status) {
  Tarn *tarn = command->tarn;
  if (command->explain && !command->json && explain_plan(command, query))
    return STATUS_ERROR;
  progress_begin(command);
  const bool failed = tarn_check_query(tarn, query) < 0;
  const int verdict = tarn_verdict(tarn);
  progress_clear(command);
  if (!command->quiet)
    command_say(tarn_warnings(tarn));
  if (failed)
    command_fail_with(tarn);
  if (verdict < 0)
    return STATUS_ERROR;
  command->answer_count++;
  command->lacks_evidence |= failed;
  if (command->csv_file)
    put_row(command);
  const int judged = judge(command, verdict);
  if (judged > *status)
    *status = judged;
  if (command->json)
    return 0;
  // A page has the run, and so has a report. It is printed here only if it is asked for.
  const bool is_brief =
      command->html || (command->junit && (!command->trace || !strcmp(command->trace, "none")));
  if (tarn_write(tarn, stdout, "answer", is_brief ? "brief" : command->full ? "full" : "text"))
    return command_fail_with(tarn);
  if (command->explain && tarn_write(tarn, stdout, "stages", "text"))
    return command_fail_with(tarn);
  if ((command->stats || verdict == TARN_EXPLORED || verdict == TARN_UNDECIDED) &&
      tarn_write(tarn, stdout, "stats", "text"))
    return command_fail_with(tarn);
  return 0;
}

// A file of one of several models or queries: the second of `graph.dot` is `graph-2.dot`, and
// that of the third model `graph-3-2.dot`. Pipes and devices such as /dev/stdout have room for
// all: NULL.
static char *numbered(const Command *command, const char *path, size_t number) {
  struct stat about;
  if (!path || !*path || !strncmp(path, "/dev/", 5) ||
      (!stat(path, &about) && !S_ISREG(about.st_mode)))
    return NULL;
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  const char *name_begins = slash ? slash + 1 : path; // the dot of a hidden file is no ending
  const size_t stem = dot && dot > name_begins ? (size_t)(dot - path) : strlen(path);
  const size_t size = strlen(path) + 48;
  char *name = malloc(size), model[24] = "", query[24] = "";
  if (command->number)
    snprintf(model, sizeof model, "-%zu", command->number);
  if (number)
    snprintf(query, sizeof query, "-%zu", number);
  if (name)
    snprintf(name, size, "%.*s%s%s%s", (int)stem, path, model, query, path + stem);
  return name;
}

static int set_numbered(Command *command, const char *option, const char *path, size_t number) {
  char *name = numbered(command, path, number);
  const int failed = name && tarn_set(command->tarn, option, name);
  free(name);
  return failed ? command_fail_with(command->tarn) : 0;
}

// A mistake in the last query should not wait for the searches before it.
static int parse_tasks(Command *command) {
  Tarn *tarn = command->tarn;
  for (int i = 0; i < command->task_count; i++) {
    Task *task = &command->tasks[i];
    task->query =
        task->is_labels ? tarn_query_labels(tarn, task->text) : tarn_query_new(tarn, task->text);
    if (!tarn_refuses(tarn) && tarn_parse_query(tarn, task->query))
      return command_give_up(tarn);
  }
  return 0;
}

static int check_tasks(Command *command, int *status) {
  Tarn *tarn = command->tarn;
  const int given = command->task_count;
  const size_t count = given ? (size_t)given : tarn_query_count(tarn);
  for (size_t i = 0; i < (count ? count : 1); i++) {
    TarnQuery *query = given ? command->tasks[i].query : tarn_query_at(tarn, i);
    const size_t number = count > 1 ? i + 1 : 0;
    if ((number || command->number) &&
        (set_numbered(command, "certificate", command->certificate, number) ||
         set_numbered(command, "graph", command->graph, number)))
      return STATUS_ERROR;
    if (limit_time(command))
      return STATUS_ERROR;
    command->query = i + 1;
    command->query_count = count;
    if (check_one(command, query, status))
      return STATUS_ERROR;
    if (interrupt_came()) { // what is left is undecided, whatever came before
      if (i + 1 < count)
        *status = STATUS_UNDECIDED;
      break;
    }
  }
  return 0;
}

// The report, or its part on one of several models. It tells the error of the call before.
static int write_report(Command *command) {
  if (!command->report)
    return command->junit ? command_write_answers(command, command->junit, "junit") : 0;
  return tarn_write(command->tarn, command->report, "answers", "testsuite")
             ? command_fail_with(command->tarn)
             : 0;
}

// JSON on standard output: one object, or one of the list of several models.
static int put_json(Command *command) {
  command->has_json = true;
  if (command->number) { // models of different files may have the same name
    json_t *object = row_written(command->tarn, "answers"), *file = json_string(command->model);
    json_object_set_new(object, "file", file ? file : json_null());
    fputs(command->number > 1 ? ",\n" : "\n", stdout);
    json_dumpf(object, stdout, JSON_REAL_PRECISION(6));
    json_decref(object);
    return 0;
  }
  return tarn_write(command->tarn, stdout, "answers", "json") ? command_fail_with(command->tarn)
                                                              : 0;
}

static int write_page(Command *command) {
  char *name = command->number ? numbered(command, command->html, 0) : NULL;
  const int status = command_write_answers(command, name ? name : command->html, "html");
  free(name);
  return status;
}

// Answers that came before an error are shown, in JSON and in a page as they are in text.
static int check_all(Command *command) {
  int status = STATUS_OK;
  const bool failed = check_tasks(command, &status);
  restore_limit(command);
  if (write_report(command))
    return STATUS_ERROR;
  if (failed && !command->answer_count)
    return STATUS_ERROR;
  if (command->json && put_json(command))
    return STATUS_ERROR;
  if (command->html && write_page(command))
    return STATUS_ERROR;
  if (command->expected_count && !command->json && !command->quiet)
    printf("%d of %d expectations met\n", command->met_count, command->expected_count);
  if (!status && command->is_refused)
    status = STATUS_ERROR;
  return failed || command->lacks_evidence ? STATUS_ERROR : status;
}

// Reads the model and answers its queries.
static int check_model(Command *command) {
  const double began = jobs_now();
  command->reading = 0;
  interrupt_watch(command);
  int status = limit_time(command);
  if (!status)
    status = command_read_model(command, !command->task_count);
  command->reading = jobs_now() - began;
  if (!status)
    status = parse_tasks(command);
  if (status)
    write_report(command);
  return status ? status : check_all(command);
}

// Whether runs with times are needed for what is written, or are asked for by their number.
static bool shows_runs(const Command *command) {
  const bool is_none = !command->trace || !strcmp(command->trace, "none");
  return command->html || command->junit || (is_none && command->traces);
}

// A Tarn for another model, with the options of the command line.
static Tarn *another(const Command *command) {
  Tarn *tarn = tarn_init();
  for (int i = 0; tarn && i < command->setting_count; i++)
    tarn_command_set(tarn, "check", command->settings[i].name, command->settings[i].value);
  if (tarn && shows_runs(command))
    tarn_set(tarn, "trace", "concrete");
  if (tarn && command->html)
    tarn_set(tarn, "explain", "yes");
  return tarn;
}

// An error outweighs undecided, that outweighs not satisfied.
static int worse(int a, int b) {
  static const int ranks[] = {
      [STATUS_OK] = 0, [STATUS_NOT_SATISFIED] = 1, [STATUS_UNDECIDED] = 2, [STATUS_ERROR] = 3};
  return ranks[a] > ranks[b] ? a : b;
}

// One of several models. What it leaves behind is for the reports.
static int check_next(Command *command) {
  command->answer_count = command->expected_count = command->met_count = 0;
  command->is_refused = command->lacks_evidence = command->has_json = false;
  if (!command->json)
    printf("%s%s:\n", command->number > 1 ? "\n" : "", command->model);
  fflush(stdout);
  const int status = check_model(command);
  if (command->json && !command->has_json && put_json(command))
    return STATUS_ERROR;
  fflush(stdout);
  return status;
}

// Each model has a Tarn of its own; that of the command only holds the options.
static int check_several(Command *command) {
  FILE *const report = command->report;
  Tarn *const first = command->tarn;
  const int count = command->word_count;
  int status = STATUS_OK;
  if (command->json)
    printf("{\"tarn\": \"%s\", \"schema\": \"models-1.json\", \"models\": [", tarn_version());
  if (report)
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", report);
  for (int i = 0; i < count && !interrupt_came(); i++) {
    command->tarn = another(command);
    command->model = command->words[i];
    command->number = (size_t)i + 1;
    status = worse(status, command->tarn ? check_next(command) : command_fail("out of memory"));
    tarn_release(command->tarn);
    if (interrupt_came() && i + 1 < count)
      status = worse(status, STATUS_UNDECIDED);
  }
  command->tarn = first;
  if (command->json)
    puts("]}");
  command->has_json = command->json;
  if (report)
    fputs("</testsuites>\n", report);
  return status;
}

static FILE *open_file(const char *path, int *status) {
  FILE *file = *status || !path ? NULL : fopen(path, "w");
  if (!file && path && !*status)
    *status = command_fail("%s: cannot be written: %s", path, strerror(errno));
  return file;
}

static int close_file(FILE *file, const char *path, int status) {
  return file && fclose(file) ? command_fail("%s: cannot be written: %s", path, strerror(errno))
                              : status;
}

static int prepare(Command *command) {
  for (int i = 0; command->word_count > 1 && i < command->setting_count; i++)
    if (!strcmp(command->settings[i].name, "checkpoint") ||
        !strcmp(command->settings[i].name, "resume"))
      return command_fail("--%s is for one model at a time", command->settings[i].name);
  int inputs = 0;
  for (int i = 0; i < command->word_count; i++)
    inputs += !strcmp(command->words[i], "-");
  if (inputs > 1)
    return command_fail("standard input can be one of the models only");
  if (command->total_time_limit && atof(command->total_time_limit) > 0)
    command->deadline = jobs_now() + atof(command->total_time_limit);
  if (shows_runs(command))
    tarn_set(command->tarn, "trace", "concrete");
  if (command->html)
    tarn_set(command->tarn, "explain", "yes");
  return command_try_writing(command->html) || command_try_writing(command->junit) ? STATUS_ERROR
                                                                                   : 0;
}

int check_command(Command *command, int argc, char **argv) {
  int status = command_line_parse(command, "check", argc, argv, INT_MAX);
  command->progress = !command->quiet && (command->progress || isatty(STDERR_FILENO));
  if (!status)
    status = prepare(command);
  command->csv_file = open_file(command->csv, &status);
  if (command->csv_file) {
    fputs("model,", command->csv_file);
    row_put_head(command->csv_file);
  }
  if (!status && command->word_count > 1) {
    command->report = open_file(command->junit, &status);
    if (!status)
      status = check_several(command);
    status = close_file(command->report, command->junit, status);
  } else if (!status) {
    status = check_model(command);
  }
  return close_file(command->csv_file, command->csv, status);
}
