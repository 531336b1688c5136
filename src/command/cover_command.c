#define _POSIX_C_SOURCE 200809L
#include "command/cover_command.h"

#include "command/command_line.h"
#include "command/interrupt.h"
#include "command/row.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// A process is in the list `P,Q`; or there is none.
static bool is_listed(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (size_t size; list && *list; list += size + (list[size] == ',')) {
    size = strcspn(list, ",");
    if (size == length && !memcmp(list, name, size))
      return true;
  }
  return !list;
}

static long long gcd(long long a, long long b) { return b ? gcd(b, a % b) : a; }

// What passed between two times, such as `7/2` and `4`.
static void put_delay(FILE *file, const char *from, const char *to) {
  long long a = 0, b = 1, c = 0, d = 1;
  sscanf(from, "%lld/%lld", &a, &b);
  sscanf(to, "%lld/%lld", &c, &d);
  const long long over = c * b - a * d, under = b * d, common = over ? gcd(over, under) : 1;
  if (over > 0 && under == common)
    fprintf(file, "delay %lld\n", over / common);
  else if (over > 0)
    fprintf(file, "delay %lld/%lld\n", over / common, under / common);
}

// `in c?` for what a process receives, `out c!` for what it sends, `do P.a -> b` for what it does
// alone, and `on e` for a synchronisation that has no direction.
static void put_edge(FILE *file, const json_t *edge) {
  const char *event = row_text(edge, "event");
  const char last = *event ? event[strlen(event) - 1] : 0;
  if (last == '?')
    fprintf(file, "in %s\n", event);
  else if (last == '!')
    fprintf(file, "out %s\n", event);
  else if (!strcmp(event, "tau") || !*event)
    fprintf(file, "do %s.%s -> %s\n", row_text(edge, "process"), row_text(edge, "source"),
            row_text(edge, "target"));
  else
    fprintf(file, "on %s.%s\n", row_text(edge, "process"), event);
}

// A run as a sequence of delays, inputs and outputs of the processes that are asked for.
static void put_run(FILE *file, const json_t *trace, const char *processes) {
  const char *now = "0";
  size_t i, k;
  json_t *step, *edge;
  json_array_foreach(json_object_get(trace, "steps"), i, step) {
    json_array_foreach(json_object_get(step, "edges"), k, edge) {
      if (!is_listed(processes, row_text(edge, "process")))
        continue;
      put_delay(file, now, row_text(step, "time"));
      now = row_text(step, "time");
      put_edge(file, edge);
    }
  }
  put_delay(file, now, row_text(trace, "end_time"));
}

static int write_runs(const Command *command, const json_t *results) {
  size_t i;
  json_t *result;
  if (command_make_folder(command->output))
    return STATUS_ERROR;
  json_array_foreach(results, i, result) {
    char path[4096];
    snprintf(path, sizeof path, "%s/run-%zu.txt", command->output, i + 1);
    FILE *file = fopen(path, "w");
    if (file)
      put_run(file, json_object_get(result, "trace"), command->processes);
    if (!file || fclose(file))
      return command_fail("%s: cannot be written: %s", path, strerror(errno));
  }
  return 0;
}

// Processes that the options name exist.
static int check_processes(const Command *command, const json_t *results) {
  const json_t *trace = json_object_get(json_array_get(results, 0), "trace");
  const json_t *step = json_array_get(json_object_get(trace, "steps"), 0);
  const json_t *locations = json_object_get(step, "locations");
  const char *list = command->processes;
  for (size_t size; locations && list && *list; list += size + (list[size] == ',')) {
    char name[512];
    size = strcspn(list, ",");
    snprintf(name, sizeof name, "%.*s", (int)size, list);
    if (!json_object_get(locations, name))
      return command_fail("--processes: there is no process `%s`", name);
  }
  return 0;
}

static int status_of(const Command *command, const json_t *cover) {
  const double percent = json_number_value(json_object_get(cover, "percent"));
  const bool is_open = json_integer_value(json_object_get(cover, "undecided")) > 0;
  const json_t *certificate = json_object_get(cover, "certificate");
  if (command->certificate && json_is_object(certificate) &&
      !json_is_true(json_object_get(certificate, "accepted")))
    return command_fail("%s: there is no certificate: %s", command->certificate,
                        json_string_value(json_object_get(certificate, "reason")));
  if (command->require)
    return percent < atof(command->require) ? STATUS_NOT_SATISFIED : STATUS_OK;
  return is_open ? STATUS_UNDECIDED : STATUS_OK;
}

static int report(Command *command) {
  Tarn *tarn = command->tarn;
  json_t *cover = row_written(tarn, "cover");
  const json_t *results = json_object_get(cover, "results");
  int status = check_processes(command, results);
  if (!status && command->output)
    status = write_runs(command, results);
  if (!status && command->html)
    status = command_write_file(tarn, command->html, "cover", "html", "page");
  if (!status && tarn_write(tarn, stdout, "cover", command->json ? "json" : "text"))
    status = command_fail_with(tarn);
  command->has_json = command->json;
  if (!status)
    status = status_of(command, cover);
  json_decref(cover);
  return status;
}

int cover_command(Command *command, int argc, char **argv) {
  int status = command_line_parse(command, "cover", argc, argv, 1);
  if (!status)
    status = command_try_writing(command->html);
  if (!status)
    status = command_read_model(command, true);
  if (status)
    return status;
  interrupt_watch(command);
  const bool failed = tarn_cover(command->tarn, command->goal ? command->goal : "edges");
  if (!command->quiet)
    command_say(tarn_warnings(command->tarn));
  return failed ? command_give_up(command->tarn) : report(command);
}
