#define _POSIX_C_SOURCE 200809L
#include "command/mutate_command.h"

#include "command/command_line.h"
#include "command/interrupt.h"
#include "command/jobs.h"
#include "command/row.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const statuses[] = {"killed", "living", "equivalent", "undecided",
                                       "unreadable"};
enum { STATUSES = sizeof statuses / sizeof *statuses };

typedef struct Mutation {
  Command *command;
  json_t *queries;  // answers on the model itself
  json_t **results; // by mutant; NULL: not checked
  size_t count;
  bool has_mistake; // a query is refused on the model itself: the exit status is 2, as of check
} Mutation;

static const char *const limit = "10"; // seconds of a query, if none are given

static TarnQuery *query_of(const Command *command, Tarn *tarn, const char *text, size_t i) {
  return command->task_count && command->tasks[i].is_labels ? tarn_query_labels(tarn, text)
                                                            : tarn_query_new(tarn, text);
}

// The answer to one query, as a row. Never NULL.
static json_t *answer_to(const Command *command, Tarn *tarn, const char *text, size_t i) {
  TarnQuery *query = query_of(command, tarn, text, i);
  const int verdict = tarn_check_query(tarn, query);
  json_t *row = verdict < 0 ? NULL : row_of_answer(tarn);
  if (!row) {
    const char *message = tarn_error(tarn);
    json_t *reason = json_stringn(message, strcspn(message, "\n"));
    row = json_pack("{s:s, s:o}", "verdict", "error", "reason",
                    reason ? reason : json_string("the message is not UTF-8"));
  }
  tarn_query_release(tarn, query);
  return row;
}

// A query that has no verdict on the model says nothing about mutants; nor does an estimate.
static bool is_verdict(const json_t *row) {
  const char *verdict = row_text(row, "verdict");
  return strcmp(verdict, "error") && strcmp(verdict, "refused") && strcmp(verdict, "undecided") &&
         strcmp(verdict, "estimated");
}

// In a process of its own. A mutant whose check ends with an error of the model is noticed, too.
static json_t *check_mutant(const Mutation *mutation, Tarn *tarn, Tarn *model) {
  const Command *command = mutation->command;
  json_t *killers = json_array();
  const char *reason = NULL;
  size_t i, states = command->compare ? (size_t)atoll(command->compare) : 2000;
  json_t *row;
  json_array_foreach(mutation->queries, i, row) {
    if (!is_verdict(row))
      continue;
    json_t *found = answer_to(command, tarn, row_text(row, "query"), i);
    const char *verdict = row_text(found, "verdict");
    if (!strcmp(verdict, "undecided") || !strcmp(verdict, "refused"))
      reason = "a query is undecided or refused";
    else if (strcmp(verdict, row_text(row, "verdict")) ||
             strcmp(row_text(found, "values"), row_text(row, "values")))
      json_array_append_new(killers, json_integer((json_int_t)i + 1));
    json_decref(found);
  }
  int is_all = 0;
  const bool is_killed = json_array_size(killers) > 0;
  const int is_alike =
      is_killed || reason || !states ? -1 : tarn_is_alike(model, tarn, &states, &is_all);
  const char *status = is_killed       ? "killed"
                       : reason        ? "undecided"
                       : is_alike == 1 ? "equivalent"
                                       : "living";
  json_t *result = json_pack("{s:s, s:o}", "status", status, "killed_by", killers);
  if (is_alike >= 0)
    json_object_set_new(result, "compared",
                        json_pack("{s:I, s:b}", "states", (json_int_t)states, "all", is_all));
  if (!is_killed && reason)
    json_object_set_new(result, "reason", json_string(reason));
  return result;
}

static void apply(const Command *command, Tarn *tarn) {
  tarn_set(tarn, "time-limit", limit);
  for (int i = 0; i < command->setting_count; i++)
    if (strcmp(command->settings[i].name, "strict"))
      tarn_command_set(tarn, "mutate", command->settings[i].name, command->settings[i].value);
}

static void work(void *state, size_t index, FILE *out) {
  Mutation *mutation = state;
  Command *command = mutation->command;
  Tarn *model = command->tarn, *tarn = tarn_init();
  TarnMutant mutant;
  if (!tarn || tarn_mutant(model, index, &mutant))
    return;
  command->tarn = tarn;
  apply(command, tarn);
  tarn_share(tarn, command->jobs ? atoi(command->jobs) : 1);
  interrupt_watch(command);
  json_t *result;
  if (tarn_read_text(tarn, mutant.text, tarn_language(model))) {
    const char *message = tarn_error(tarn);
    json_t *reason = json_stringn(message, strcspn(message, "\n"));
    result = json_pack("{s:s, s:[], s:o}", "status", "unreadable", "killed_by", "reason",
                       reason ? reason : json_string("the message is not UTF-8"));
  } else {
    result = check_mutant(mutation, tarn, model);
  }
  if (!interrupt_came())
    json_dumpf(result, out, JSON_COMPACT);
  json_decref(result);
  tarn_release(tarn);
}

static void done(void *state, size_t index, const char *text, size_t size, bool ok) {
  Mutation *mutation = state;
  mutation->results[index] = ok ? json_loadb(text, size, 0, NULL) : NULL;
}

// What every mutant has, checked or not.
static void complete(Mutation *mutation) {
  for (size_t i = 0; i < mutation->count; i++) {
    TarnMutant mutant;
    json_t *result = mutation->results[i];
    if (!result)
      result = mutation->results[i] =
          json_pack("{s:s, s:[], s:s}", "status", "undecided", "killed_by", "reason",
                    "it was not checked to the end");
    if (tarn_mutant(mutation->command->tarn, i, &mutant))
      continue;
    json_t *from = json_string(mutant.from), *to = json_string(mutant.to);
    json_object_set_new(result, "number", json_integer((json_int_t)i + 1));
    json_object_set_new(result, "operator", json_string(mutant.kind));
    json_object_set_new(result, "line", json_integer((json_int_t)mutant.line));
    json_object_set_new(result, "column", json_integer((json_int_t)mutant.column));
    json_object_set_new(result, "from", from ? from : json_string("?"));
    json_object_set_new(result, "to", to ? to : json_string("?"));
  }
}

static size_t count_of(const Mutation *mutation, const char *status) {
  size_t count = 0;
  for (size_t i = 0; i < mutation->count; i++)
    count += !strcmp(row_text(mutation->results[i], "status"), status);
  return count;
}

// The share of killed mutants, of those that are killed or living. Without any, there is nothing
// that the queries fail to notice.
static double score_of(const Mutation *mutation) {
  const size_t killed = count_of(mutation, "killed"), living = count_of(mutation, "living");
  return killed + living ? 100.0 * (double)killed / (double)(killed + living) : 100;
}

// On one line, and cut.
static void shorten(const char *text, char *room, size_t size) {
  size_t n = 0;
  for (; *text && n + 1 < size; text++) {
    const bool is_blank = isspace((unsigned char)*text);
    if (!is_blank || (n && room[n - 1] != ' '))
      room[n++] = is_blank ? ' ' : *text;
  }
  while (n && room[n - 1] == ' ')
    n--;
  room[n] = 0;
  if (*text && n > 3)
    memcpy(room + n - 3, "...", 3);
}

static void print_mutant(const json_t *result) {
  char from[40], to[40], change[96], place[32];
  size_t i;
  json_t *killer;
  shorten(row_text(result, "from"), from, sizeof from);
  shorten(row_text(result, "to"), to, sizeof to);
  if (*from && *to && strcmp(row_text(result, "operator"), "edge"))
    snprintf(change, sizeof change, "%s -> %s", from, to);
  else
    snprintf(change, sizeof change, "%s%s", *from ? "without " : "with ", *from ? from : to);
  snprintf(place, sizeof place, "%d:%d", (int)json_integer_value(json_object_get(result, "line")),
           (int)json_integer_value(json_object_get(result, "column")));
  printf("%5d  %-8s %-10s  %-44s  %s", (int)json_integer_value(json_object_get(result, "number")),
         place, row_text(result, "operator"), change, row_text(result, "status"));
  json_array_foreach(json_object_get(result, "killed_by"), i, killer)
      printf("%s%d", i ? ", " : " by ", (int)json_integer_value(killer));
  putchar('\n');
}

static void print_text(const Mutation *mutation) {
  size_t i;
  json_t *row;
  json_array_foreach(mutation->queries, i, row) printf(
      "query %zu: %s: %s%s%.*s\n", i + 1, row_text(row, "query"), row_text(row, "verdict"),
      is_verdict(row) ? "" : " (says nothing about mutants) ",
      is_verdict(row) ? 0 : (int)strcspn(row_text(row, "reason"), "\n"), row_text(row, "reason"));
  for (i = 0; i < mutation->count; i++)
    if (strcmp(row_text(mutation->results[i], "status"), "unreadable"))
      print_mutant(mutation->results[i]);
  printf("%zu mutants:", mutation->count);
  for (i = 0; i < STATUSES; i++)
    printf("%s %zu %s", i ? "," : "", count_of(mutation, statuses[i]), statuses[i]);
  if (count_of(mutation, "killed") + count_of(mutation, "living"))
    printf("\nscore: %.4g %% (killed, of those that are killed or living)\n", score_of(mutation));
  else
    puts("\nno score: there is no mutant that is killed or living");
}

static void print_json(const Mutation *mutation) {
  json_t *queries = json_array(), *mutants = json_array(), *row;
  size_t i;
  json_array_foreach(mutation->queries, i, row) {
    json_t *query = json_pack("{s:s, s:s, s:b}", "query", row_text(row, "query"), "verdict",
                              row_text(row, "verdict"), "used", is_verdict(row));
    if (json_object_get(row, "values"))
      json_object_set(query, "values", json_object_get(row, "values"));
    json_array_append_new(queries, query);
  }
  for (i = 0; i < mutation->count; i++)
    json_array_append(mutants, mutation->results[i]);
  json_t *model = json_string(mutation->command->model);
  json_t *object = json_pack("{s:s, s:s, s:o, s:o, s:f}", "tarn", tarn_version(), "schema",
                             "mutants-1.json", "model", model ? model : json_string("?"),
                             "queries", queries, "percent", score_of(mutation));
  for (i = 0; i < STATUSES; i++)
    json_object_set_new(object, statuses[i],
                        json_integer((json_int_t)count_of(mutation, statuses[i])));
  json_object_set_new(object, "mutants", mutants);
  json_dumpf(object, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(object);
}

static int write_mutants(const Mutation *mutation) {
  const Command *command = mutation->command;
  const char *dot = strrchr(command->model, '.'), *slash = strrchr(command->model, '/');
  const char *ending = dot && (!slash || dot > slash) ? dot : "";
  if (command_make_folder(command->write))
    return STATUS_ERROR;
  for (size_t i = 0; i < mutation->count; i++) {
    char path[4096];
    TarnMutant mutant;
    if (!strcmp(row_text(mutation->results[i], "status"), "unreadable") ||
        tarn_mutant(command->tarn, i, &mutant))
      continue;
    if (snprintf(path, sizeof path, "%s/mutant-%zu%s", command->write, i + 1, ending) >=
        (int)sizeof path)
      return command_fail("%s: this name is too long", command->write);
    const int status = command_put_file(path, mutant.text, strlen(mutant.text));
    if (status)
      return status;
    json_t *file = json_string(path);
    if (file)
      json_object_set_new(mutation->results[i], "file", file);
  }
  return 0;
}

// The answers on the model itself.
static int check_model(Mutation *mutation) {
  Command *command = mutation->command;
  Tarn *tarn = command->tarn;
  const size_t count = command->task_count ? (size_t)command->task_count : tarn_query_count(tarn);
  size_t used = 0;
  if (!count)
    return command_fail("%s has no queries: nothing can notice a mutant", command->model);
  for (size_t i = 0; i < count && !interrupt_came(); i++) {
    const char *text = command->task_count ? command->tasks[i].text : tarn_query(tarn, i);
    json_t *row = answer_to(command, tarn, text, i);
    const bool is_error = !strcmp(row_text(row, "verdict"), "error");
    if (is_error)
      command_say(tarn_error(tarn));
    mutation->has_mistake |= is_error || !strcmp(row_text(row, "verdict"), "refused");
    json_t *asked = json_string(text);
    if (!asked) {
      json_decref(row);
      return command_fail("query %zu is not UTF-8", i + 1);
    }
    json_object_set_new(row, "query", asked);
    json_array_append_new(mutation->queries, row);
    used += is_verdict(row);
  }
  return used ? 0 : command_fail("no query has a verdict: nothing can notice a mutant");
}

static int status_of(const Mutation *mutation) {
  const Command *command = mutation->command;
  if (mutation->has_mistake)
    return STATUS_ERROR;
  if (command->require)
    return score_of(mutation) < atof(command->require) ? STATUS_NOT_SATISFIED : STATUS_OK;
  return count_of(mutation, "undecided") ? STATUS_UNDECIDED : STATUS_OK;
}

static int run(Mutation *mutation) {
  Command *command = mutation->command;
  Jobs jobs = {.at_once = command->jobs ? atoi(command->jobs) : 1,
               .state = mutation,
               .work = work,
               .done = done};
  const double seconds = command->total_time_limit ? atof(command->total_time_limit) : 0;
  if (seconds > 0)
    jobs.deadline = jobs_now() + seconds;
  int status = check_model(mutation);
  const long count = status ? 0 : tarn_mutate(command->tarn, command->operators);
  if (count < 0)
    return command_fail_with(command->tarn);
  mutation->results = calloc((size_t)count + 1, sizeof(json_t *));
  if (!mutation->results)
    return command_fail("out of memory");
  mutation->count = (size_t)count;
  if (!status) {
    jobs_run(&jobs, mutation->count);
    complete(mutation);
    status = command->write ? write_mutants(mutation) : 0;
  }
  if (status)
    return status;
  (command->json ? print_json : print_text)(mutation);
  command->has_json = command->json;
  return status_of(mutation);
}

int mutate_command(Command *command, int argc, char **argv) {
  int status = command_line_parse(command, "mutate", argc, argv, 1);
  if (!status && command->jobs && !atoi(command->jobs))
    return command_fail("--jobs needs a whole number from 1 on");
  if (!status && !command->time_limit)
    tarn_set(command->tarn, "time-limit", limit);
  if (!status)
    status = command_read_model(command, !command->task_count);
  if (status)
    return status;
  interrupt_watch(command);
  Mutation mutation = {.command = command, .queries = json_array()};
  status = run(&mutation);
  for (size_t i = 0; i < mutation.count; i++)
    json_decref(mutation.results[i]);
  free(mutation.results);
  json_decref(mutation.queries);
  return status;
}
