#define _POSIX_C_SOURCE 200809L
#include "command/check_command.h"

#include "command/command_line.h"
#include "command/interrupt.h"
#include "command/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int status_of(int verdict) {
  return verdict == TARN_NOT_SATISFIED ? STATUS_NOT_SATISFIED
         : verdict == TARN_UNDECIDED   ? STATUS_UNDECIDED
                                       : STATUS_OK;
}

// What an answer means for the exit status: one that is expected is fine, whatever it is.
static int judge(Command *command, int verdict) {
  const int is_expected = tarn_is_expected(command->tarn);
  if (is_expected >= 0) {
    command->expected_count++;
    command->met_count += is_expected;
    return is_expected                 ? STATUS_OK
           : verdict == TARN_UNDECIDED ? STATUS_UNDECIDED
                                       : STATUS_NOT_SATISFIED;
  }
  command->is_refused |= verdict == TARN_REFUSED; // which counts if all others are satisfied
  return status_of(verdict);
}

// What is planned, before it is done. A mistake in the query is told by the check.
static int explain_plan(Command *command, TarnQuery *query) {
  Tarn *tarn = command->tarn;
  if (tarn_plan_query(tarn, query))
    return 0;
  return tarn_write(tarn, stdout, "plan", "text") || fflush(stdout) ? command_fail_with(tarn) : 0;
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
  const int judged = judge(command, verdict);
  if (judged > *status)
    *status = judged;
  if (command->json)
    return 0;
  // A page has the run, and so has a report; who wants to see it here asks for it.
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

// Sets an option that names a file to the file of one of several queries: the second of
// `graph.dot` is `graph-2.dot`, for the library would write them all to the same. Pipes and
// devices such as /dev/stdout have room for all.
static int set_numbered(Command *command, const char *option, const char *path, size_t number) {
  struct stat about;
  if (!path || !*path || !strncmp(path, "/dev/", 5) ||
      (!stat(path, &about) && !S_ISREG(about.st_mode)))
    return 0;
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  const char *name_begins = slash ? slash + 1 : path; // the dot of a hidden file is no ending
  const size_t stem = dot && dot > name_begins ? (size_t)(dot - path) : strlen(path);
  const size_t size = strlen(path) + 24;
  char *name = malloc(size);
  if (!name)
    return command_fail("out of memory");
  snprintf(name, size, "%.*s-%zu%s", (int)stem, path, number, path + stem);
  const int failed = tarn_set(command->tarn, option, name);
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
    if (count > 1 && (set_numbered(command, "certificate", command->certificate, i + 1) ||
                      set_numbered(command, "graph", command->graph, i + 1)))
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

// Answers that came before an error are shown, in JSON and in a page as they are in text.
static int check_all(Command *command) {
  Tarn *tarn = command->tarn;
  int status = STATUS_OK;
  const bool failed = check_tasks(command, &status);
  if (command->junit && command_write_answers(command, command->junit, "junit"))
    return STATUS_ERROR;
  if (failed && !command->answer_count)
    return STATUS_ERROR;
  if (command->json && tarn_write(tarn, stdout, "answers", "json"))
    return command_fail_with(tarn);
  command->has_json = command->json;
  if (command->html && command_write_answers(command, command->html, "html"))
    return STATUS_ERROR;
  if (command->expected_count && !command->json && !command->quiet)
    printf("%d of %d expectations met\n", command->met_count, command->expected_count);
  if (!status && command->is_refused)
    status = STATUS_ERROR;
  return failed || command->lacks_evidence ? STATUS_ERROR : status;
}

int check_command(Command *command, int argc, char **argv) {
  int status = command_line_parse(command, "check", argc, argv, 1);
  if (!status && (command->html || command->junit))
    tarn_set(command->tarn, "trace", "concrete");
  if (!status && command->html)
    tarn_set(command->tarn, "explain", "yes");
  command->progress = !command->quiet && (command->progress || isatty(STDERR_FILENO));
  if (!status)
    status = command_try_writing(command->html) || command_try_writing(command->junit)
                 ? STATUS_ERROR
                 : 0;
  if (!status)
    status = command_read_model(command, !command->task_count);
  if (!status)
    status = parse_tasks(command);
  if (status && command->junit && command->model)
    command_write_answers(command, command->junit, "junit");
  if (!status) {
    interrupt_watch(command);
    status = check_all(command);
  }
  return status;
}
