#define _POSIX_C_SOURCE 200809L
#include "command/watch_command.h"

#include "command/command_line.h"
#include "command/interrupt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { PAUSE = 100 }; // milliseconds between looks at the files

typedef struct Answer {
  char *query;
  int verdict;
} Answer;

// The model, the queries beside it, and what was answered before.
typedef struct Watch {
  const char *model;
  char *queries;
  struct stat seen[2];
  Answer *answers;
  size_t count;
} Watch;

static void look(const Watch *watch, struct stat *about) {
  memset(about, 0, 2 * sizeof *about);
  if (stat(watch->model, &about[0]))
    about[0].st_size = -1;
  if (stat(watch->queries, &about[1]))
    about[1].st_size = -1;
}

// Whether a file was saved since the round began.
static bool is_saved(const Watch *watch) {
  struct stat now[2];
  look(watch, now);
  for (int i = 0; i < 2; i++)
    if (now[i].st_size != watch->seen[i].st_size || now[i].st_ino != watch->seen[i].st_ino ||
        now[i].st_mtim.tv_sec != watch->seen[i].st_mtim.tv_sec ||
        now[i].st_mtim.tv_nsec != watch->seen[i].st_mtim.tv_nsec)
      return true;
  return false;
}

// A search ends when its model is no longer the present one.
static int on_poll(void *state) { return interrupt_came() || is_saved(state); }

static const char *name_of(int verdict) {
  static const char *const names[] = {"not satisfied", "satisfied", "explored",
                                      "undecided",     "refused",   "estimated"};
  return verdict >= 0 && verdict <= TARN_ESTIMATED ? names[verdict] : "an error";
}

// The answer of the last round to the same query; -1: it was not asked.
static int before(const Watch *watch, const char *query) {
  for (size_t i = 0; i < watch->count; i++)
    if (!strcmp(watch->answers[i].query, query))
      return watch->answers[i].verdict;
  return -1;
}

static void forget(Watch *watch) {
  for (size_t i = 0; i < watch->count; i++)
    free(watch->answers[i].query);
  free(watch->answers);
  watch->answers = NULL;
  watch->count = 0;
}

static void check_queries(Tarn *tarn, Watch *watch) {
  const size_t count = tarn_query_count(tarn);
  Answer *answers = calloc(count + 1, sizeof *answers);
  size_t done = 0, changed = 0;
  for (; answers && done < count && !on_poll(watch); done++) {
    const char *query = tarn_query(tarn, done);
    const int verdict = tarn_check_query(tarn, tarn_query_at(tarn, done));
    const int old = before(watch, query);
    if (verdict < 0)
      command_say(tarn_error(tarn));
    if (verdict != old)
      printf(old < 0 ? "%s: %s\n" : "%s: %s (was %s)\n", query, name_of(verdict), name_of(old));
    changed += verdict != old;
    answers[done].verdict = verdict;
    if (!(answers[done].query = strdup(query)))
      break;
  }
  printf("%zu quer%s, %zu changed\n", done, done == 1 ? "y" : "ies", changed);
  forget(watch);
  watch->answers = answers;
  watch->count = done;
}

static int run_round(Command *command, Watch *watch) {
  Tarn *tarn = tarn_init();
  if (!tarn)
    return command_fail("out of memory");
  for (int i = 0; i < command->setting_count; i++)
    tarn_command_set(tarn, "watch", command->settings[i].name, command->settings[i].value);
  tarn_set_terminate(tarn, watch, on_poll);
  look(watch, watch->seen);
  if (tarn_read(tarn, watch->model)) {
    if (!on_poll(watch))
      command_say(tarn_error(tarn));
  } else {
    command_say(tarn_warnings(tarn));
    check_queries(tarn, watch);
  }
  fflush(stdout);
  tarn_release(tarn);
  return STATUS_OK;
}

// MODEL.q beside MODEL.xta.
static char *queries_beside(const char *model) {
  const char *dot = strrchr(model, '.'), *slash = strrchr(model, '/');
  const size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - model) : strlen(model);
  char *path = malloc(stem + 3);
  if (path) {
    memcpy(path, model, stem);
    memcpy(path + stem, ".q", 3);
  }
  return path;
}

int watch_command(Command *command, int argc, char **argv) {
  int status = command_line_parse(command, "watch", argc, argv, 1);
  if (status)
    return status;
  Watch watch = {.model = command->model, .queries = queries_beside(command->model)};
  if (!watch.queries)
    return command_fail("out of memory");
  interrupt_watch(command); // Ctrl-C ends it in good order
  while (!status && !interrupt_came()) {
    status = run_round(command, &watch);
    while (!status && !interrupt_came() && !is_saved(&watch))
      nanosleep(&(struct timespec){.tv_nsec = PAUSE * 1000000L}, NULL);
  }
  forget(&watch);
  free(watch.queries);
  return status;
}
