#define _POSIX_C_SOURCE 200809L
#include "command/progress.h"

#include <stdlib.h>
#include <unistd.h>

void progress_begin(Command *command) {
  command->shown = command->successors = 0;
  command->interval = isatty(STDERR_FILENO) ? 0.5 : 1;
}

void progress_clear(Command *command) {
  if (command->has_progress_line)
    fputs("\r\033[K", stderr);
  command->has_progress_line = false;
}

static double statistic(const Command *command, const char *name) {
  return tarn_statistic(command->tarn, name);
}

static void show_numbers(const Command *command, double seconds) {
  const double runs = statistic(command, "runs");
  if (runs > 0) {
    fprintf(stderr, "%.1f s: %.0f runs, %.0f satisfied, %.0f steps/s, %g in [%g, %g]", seconds,
            runs, statistic(command, "satisfied"), statistic(command, "steps") / seconds,
            statistic(command, "estimate"), statistic(command, "lower"),
            statistic(command, "upper"));
    return;
  }
  const double visited = statistic(command, "visited"), stored = statistic(command, "stored");
  const double waiting = stored - visited + statistic(command, "mistakes");
  const double rate =
      (statistic(command, "transitions") - command->successors) / (seconds - command->shown);
  fprintf(stderr, "%.1f s: %.0f visited, %.0f stored, %.0f waiting, %.0f successors/s, %.0f MB",
          seconds, visited, stored, waiting > 0 ? waiting : 0, rate > 0 ? rate : 0,
          statistic(command, "peak_bytes") / 1e6);
}

// `query 2 of 5, 12.0 s: 1200 visited, ...`, with the shares of the limits that are used.
static void show_progress(Command *command, double seconds) {
  const double bytes = statistic(command, "peak_bytes"),
               limit = statistic(command, "limit_bytes");
  fputs(command->has_progress_line ? "\r\033[K" : "", stderr);
  if (command->query_count > 1)
    fprintf(stderr, "query %zu of %zu, ", command->query, command->query_count);
  show_numbers(command, seconds);
  const double time_limit = command->time_limit ? atof(command->time_limit) : 0;
  if (time_limit > 0)
    fprintf(stderr, ", %.0f %% of the time", 100 * seconds / time_limit);
  if (limit > 0)
    fprintf(stderr, ", %.0f %% of the memory", 100 * bytes / limit);
  if (!command->has_progress_line)
    fputc('\n', stderr);
  fflush(stderr);
  command->shown = seconds;
  command->successors = statistic(command, "transitions");
}

// A line on a terminal is rewritten. Elsewhere lines come after 1 second, and then more and more
// seldom.
void progress_poll(Command *command) {
  const double max = 60, growth = 1.5;
  if (!command->progress)
    return;
  const double seconds = statistic(command, "seconds");
  if (seconds - command->shown < command->interval)
    return;
  command->has_progress_line = isatty(STDERR_FILENO);
  show_progress(command, seconds);
  if (!command->has_progress_line && command->interval < max)
    command->interval = command->interval * growth < max ? command->interval * growth : max;
}
