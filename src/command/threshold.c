// Where the verdict of a query changes as one constant grows.
#define _POSIX_C_SOURCE 200809L
#include "command/interrupt.h"
#include "command/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROBES = 20 };

// The cells of the sweep are the values of the constant. Their rows are found when they are
// asked for, and kept.
typedef struct Threshold {
  Sweep *sweep;
  const size_t *wanted; // cells of the present round
  const char *folder;   // evidence of the present round goes there; NULL: none is made
  size_t probes[PROBES], probe_count; // cells that are tried for all queries
} Threshold;

static void work(void *state, size_t index, FILE *out) {
  const Threshold *t = state;
  cell_check(t->sweep->command, &t->sweep->axes, t->wanted[index], t->folder, out);
}

// A verdict that was found stays, whatever comes of its evidence: the other side's, or none.
static void take_evidence(json_t *rows, const json_t *again) {
  size_t i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    const json_t *found = json_array_get(again, i);
    json_t *evidence = json_object_get(found, "evidence");
    if (evidence && !strcmp(row_text(row, "verdict"), row_text(found, "verdict")))
      json_object_set(row, "evidence", evidence);
    else
      json_object_set_new(row, "reason", json_string(row_text(found, "reason")));
  }
}

static void done(void *state, size_t index, const char *text, size_t size, bool ok) {
  const Threshold *t = state;
  json_t *rows = cell_rows(text, size, ok), **kept = &t->sweep->rows[t->wanted[index]];
  if (*kept)
    take_evidence(*kept, rows);
  else
    *kept = json_incref(rows);
  json_decref(rows);
}

// Decides these cells. False if that was ended before.
static bool decide(Threshold *t, const size_t *cells, size_t count) {
  const Command *command = t->sweep->command;
  const Jobs jobs = {.at_once = command->jobs ? atoi(command->jobs) : 1,
                     .deadline = t->sweep->deadline,
                     .state = t,
                     .work = work,
                     .done = done};
  t->wanted = cells;
  return jobs_run(&jobs, count);
}

static const json_t *row_at(const Threshold *t, size_t cell, size_t query) {
  return json_array_get(t->sweep->rows[cell], query);
}

// 1: satisfied, 0: not satisfied, -1: neither.
static int verdict_at(const Threshold *t, size_t cell, size_t query) {
  const char *verdict = row_text(row_at(t, cell, query), "verdict");
  return !strcmp(verdict, "satisfied") ? 1 : !strcmp(verdict, "not satisfied") ? 0 : -1;
}

static const char *value_at(const Threshold *t, size_t cell) {
  return t->sweep->axes.items[0].values[cell];
}

// The next cell that has a verdict; the number of cells if there is none.
static size_t next_decided(const Threshold *t, size_t cell, size_t query) {
  while (++cell < t->sweep->cells && verdict_at(t, cell, query) < 0)
    continue;
  return cell;
}

// Halves until the verdicts of two neighbours differ, or there is none between them. Whether
// something new was tried.
static bool bisect(Threshold *t, size_t query, size_t low, size_t high) {
  const int below = verdict_at(t, low, query);
  bool is_new = false;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (!t->sweep->rows[middle]) {
      if (!decide(t, &middle, 1))
        break;
      is_new = true;
    }
    const int verdict = verdict_at(t, middle, query);
    if (verdict < 0)
      break;
    *(verdict == below ? &low : &high) = middle;
  }
  return is_new;
}

// Whether a probe has no verdict.
static bool is_open(const Threshold *t, size_t query) {
  for (size_t i = 0; i < t->probe_count; i++)
    if (verdict_at(t, t->probes[i], query) < 0)
      return true;
  return false;
}

// Finds where the verdicts of all queries change: the values that are tried for one of them may
// show another change of another one.
static void search(Threshold *t) {
  const size_t queries = json_array_size(t->sweep->rows[0]);
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (size_t query = 0; query < queries; query++) {
      if (is_open(t, query))
        continue;
      for (size_t low = 0, high; (high = next_decided(t, low, query)) < t->sweep->cells;
           low = high)
        if (verdict_at(t, low, query) != verdict_at(t, high, query))
          is_new |= bisect(t, query, low, high);
    }
  }
}

// One side of a change, with what a cell says of its evidence.
static json_t *side_at(const Threshold *t, size_t cell, size_t query) {
  const json_t *row = row_at(t, cell, query);
  json_t *evidence = json_object_get(row, "evidence");
  json_t *side = json_pack("{s:s, s:s, s:O?}", "value", value_at(t, cell), "verdict",
                           row_text(row, "verdict"), "evidence", evidence);
  if (!evidence)
    json_object_set_new(side, "reason", json_string(row_text(row, "reason")));
  if (evidence && !t->sweep->command->evidence) // the file is gone
    json_object_del(json_object_get(side, "evidence"), "file");
  return side;
}

// Evidence that is to be kept has to be there.
static int side_status(const Threshold *t, const json_t *side) {
  const json_t *evidence = json_object_get(side, "evidence");
  const bool is_right = json_is_object(evidence)
                            ? json_is_true(json_object_get(evidence, "accepted"))
                            : !t->sweep->command->evidence;
  return is_right ? STATUS_OK : STATUS_ERROR;
}

// Runs of equal verdicts among the cells that were decided.
static json_t *intervals(const Threshold *t, size_t query) {
  json_t *list = json_array();
  size_t first = 0, last = 0;
  for (size_t cell = 0; cell <= t->sweep->cells; cell++) {
    const bool is_end = cell == t->sweep->cells;
    if (!is_end && !t->sweep->rows[cell])
      continue;
    if (is_end || (cell && verdict_at(t, cell, query) != verdict_at(t, first, query))) {
      json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "from", value_at(t, first), "to",
                                            value_at(t, last), "verdict",
                                            row_text(row_at(t, first, query), "verdict")));
      first = cell;
    }
    last = cell;
  }
  return list;
}

// Removes the evidence of two cells and its folder.
static void clear(const Threshold *t, const size_t *cells) {
  char path[4096];
  for (size_t i = 0; i < 2; i++)
    for (size_t query = 1; query <= json_array_size(t->sweep->rows[cells[i]]); query++) {
      snprintf(path, sizeof path, "%s/cell-%zu-query-%zu", t->folder, cells[i] + 1, query);
      unlink(path);
    }
  rmdir(t->folder);
}

// Evidence for both sides of a change.
static int add_change(Threshold *t, json_t *found, size_t query, size_t low, size_t high) {
  const size_t both[] = {low, high};
  char scratch[] = "/tmp/tarn-threshold-XXXXXX";
  const char *const kept = t->sweep->command->evidence;
  t->folder = kept ? kept : mkdtemp(scratch);
  const bool ok = decide(t, both, 2);
  json_t *below = side_at(t, low, query), *above = side_at(t, high, query);
  json_object_set_new(found, "outcome", json_string("changes"));
  json_object_set_new(found, "sides", json_pack("[o, o]", below, above));
  const int a = side_status(t, below), b = side_status(t, above);
  if (!kept && t->folder)
    clear(t, both);
  t->folder = NULL;
  return !ok ? STATUS_UNDECIDED : a > b ? a : b;
}

// Probes without a verdict.
static json_t *open_probes(const Threshold *t, size_t query) {
  json_t *list = json_array();
  for (size_t i = 0; i < t->probe_count; i++) {
    const json_t *row = row_at(t, t->probes[i], query);
    if (verdict_at(t, t->probes[i], query) < 0)
      json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "value", value_at(t, t->probes[i]),
                                            "verdict", row_text(row, "verdict"), "reason",
                                            row_text(row, "reason")));
  }
  return list;
}

// The status of a query some of whose values have no verdict.
static int open_status(const Threshold *t, size_t query) {
  int status = STATUS_UNDECIDED;
  for (size_t cell = 0; cell < t->sweep->cells; cell++)
    if (t->sweep->rows[cell] && sweep_row_status(row_at(t, cell, query)) == STATUS_ERROR)
      status = STATUS_ERROR;
  return status;
}

// What search has found about a query.
static int describe(Threshold *t, json_t *found, size_t query) {
  const size_t cells = t->sweep->cells;
  size_t changes = 0, below = 0, above = 0;
  json_object_set_new(found, "outcome", json_string("undecided"));
  json_object_set_new(found, "open", open_probes(t, query));
  if (is_open(t, query))
    return open_status(t, query);
  for (size_t low = 0, high; (high = next_decided(t, low, query)) < cells; low = high) {
    if (verdict_at(t, low, query) == verdict_at(t, high, query))
      continue;
    changes++;
    below = low;
    above = high;
    if (high - low > 1) {
      json_object_set_new(found, "between",
                          json_pack("[s, s]", value_at(t, low), value_at(t, high)));
      return open_status(t, query);
    }
  }
  if (changes == 1)
    return add_change(t, found, query, below, above);
  json_object_set_new(found, "outcome", json_string(changes ? "not monotone" : "unchanged"));
  json_object_set_new(found, "intervals", intervals(t, query));
  return t->sweep->command->monotone && changes > 1 ? STATUS_ERROR : STATUS_OK;
}

static void put_side(const Threshold *t, const json_t *side) {
  const json_t *evidence = json_object_get(side, "evidence");
  const char *file = row_text(evidence, "file");
  printf("  %s = %s: %s; ", t->sweep->axes.items[0].name, row_text(side, "value"),
         row_text(side, "verdict"));
  const char *reason = row_text(side, "reason");
  if (!json_is_object(evidence))
    printf("no evidence could be made%s%.*s\n", *reason ? ": " : "", (int)strcspn(reason, "\n"),
           reason);
  else
    printf("a %s shows it, which was checked and %s%s%s\n", row_text(evidence, "kind"),
           json_is_true(json_object_get(evidence, "accepted")) ? "accepted" : "REJECTED",
           *file ? ": " : "", file);
}

static void put_change(const Threshold *t, const json_t *sides) {
  const char *name = t->sweep->axes.items[0].name;
  const json_t *low = json_array_get(sides, 0), *high = json_array_get(sides, 1);
  const char *sure = t->sweep->command->monotone ? "as it is monotone" : "assumed monotone";
  if (!strcmp(row_text(low, "verdict"), "satisfied"))
    printf("  the largest %s for which it holds is %s, %s\n", name, row_text(low, "value"), sure);
  else
    printf("  it holds from %s = %s on, %s; the largest %s for which it does not is %s\n", name,
           row_text(high, "value"), sure, name, row_text(low, "value"));
  put_side(t, low);
  put_side(t, high);
}

static void put_open(const Threshold *t, const json_t *part) {
  const char *reason = row_text(part, "reason");
  printf("  %s = %s: %s", t->sweep->axes.items[0].name, row_text(part, "value"),
         row_text(part, "verdict"));
  printf(*reason ? " (%s)\n" : "\n", reason);
}

static void put_text(const Threshold *t, const json_t *found) {
  const json_t *between = json_object_get(found, "between");
  const char *outcome = row_text(found, "outcome");
  size_t i;
  json_t *part;
  printf("%s:\n", row_text(found, "query"));
  json_array_foreach(json_object_get(found, "open"), i, part) put_open(t, part);
  if (between)
    printf("  undecided between %s and %s\n", json_string_value(json_array_get(between, 0)),
           json_string_value(json_array_get(between, 1)));
  if (!strcmp(outcome, "changes"))
    put_change(t, json_object_get(found, "sides"));
  if (!strcmp(outcome, "not monotone"))
    printf("  it is not monotone; these intervals were seen:\n");
  if (!strcmp(outcome, "unchanged"))
    printf("  the verdict does not change among the values that were tried:\n");
  json_array_foreach(json_object_get(found, "intervals"), i, part)
      printf("  %s to %s: %s\n", row_text(part, "from"), row_text(part, "to"),
             row_text(part, "verdict"));
}

static int run(Threshold *t) {
  const size_t cells = t->sweep->cells, *probes = t->probes;
  for (size_t i = 0; i < PROBES; i++) {
    const size_t cell = cells < PROBES ? i : i * (cells - 1) / (PROBES - 1);
    if (cell < cells)
      t->probes[t->probe_count++] = cell;
  }
  if (!decide(t, probes, t->probe_count))
    return command_fail("the probes were ended before all of them were decided"),
           STATUS_UNDECIDED;
  for (size_t i = 0; i < t->probe_count; i++)
    if (!strcmp(row_text(row_at(t, probes[i], 0), "verdict"), "error"))
      return command_fail("%s = %s: %s", t->sweep->axes.items[0].name, value_at(t, probes[i]),
                          row_text(row_at(t, probes[i], 0), "reason"));
  if (!strcmp(row_text(row_at(t, probes[0], 0), "verdict"), "explored"))
    return command_fail("%s has no queries: there is no verdict that could change",
                        t->sweep->command->model);
  search(t);
  int status = STATUS_OK;
  json_t *all = json_array();
  const bool is_json = t->sweep->command->json;
  for (size_t query = 0; query < json_array_size(t->sweep->rows[probes[0]]) && !interrupt_came();
       query++) {
    const json_t *text = json_object_get(row_at(t, probes[0], query), "query");
    json_t *result =
        json_pack("{s:s}", "query", json_is_string(text) ? json_string_value(text) : "?");
    const int found = describe(t, result, query);
    status = found > status ? found : status;
    if (!is_json)
      put_text(t, result);
    fflush(stdout);
    json_array_append_new(all, result);
  }
  if (is_json) {
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:b, s:O}", "tarn", tarn_version(), "schema",
                               "threshold-1.json", "model", t->sweep->command->model, "constant",
                               t->sweep->axes.items[0].name, "monotone",
                               t->sweep->command->monotone, "results", all);
    json_dumpf(object, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(object);
    t->sweep->command->has_json = true;
  }
  json_decref(all);
  return interrupt_came() ? STATUS_UNDECIDED : status;
}

// What was tried, as a table and a page.
static int put_files(Sweep *sweep) {
  Command *command = sweep->command;
  const bool quiet = command->quiet;
  int status = 0;
  sweep->is_kept = calloc(sweep->cells, sizeof *sweep->is_kept);
  if (command->csv && sweep->is_kept)
    status = sweep_open_csv(sweep);
  if (sweep->csv) {
    command->quiet = true; // it is not for the terminal
    sweep_print(sweep, true);
    command->quiet = quiet;
    if (fclose(sweep->csv))
      status = command_fail("%s cannot be written", command->csv);
    sweep->csv = NULL;
  }
  return !status && command->html ? sweep_write_page(sweep, command->html) : status;
}

int threshold_run(Sweep *sweep) {
  Command *command = sweep->command;
  Threshold t = {.sweep = sweep};
  const char *wrong = axes_add(&sweep->axes, command->threshold);
  if (wrong)
    return command_fail("--threshold %s: %s", command->threshold, wrong);
  if (command->resume)
    return command_fail("--resume does not go with --threshold");
  if (sweep->axes.items[0].count < 2)
    return command_fail("--threshold needs a range, such as N=1..1000");
  sweep->cells = sweep->axes.items[0].count;
  for (int i = 0; i < command->define_count; i++) {
    wrong = axes_add(&sweep->axes, command->defines[i]);
    if (wrong || sweep->axes.items[i + 1].count > 1)
      return command_fail("--define %s: %s", command->defines[i],
                          wrong ? wrong : "only the constant of --threshold has several values");
  }
  if (command->evidence && command_make_folder(command->evidence))
    return STATUS_ERROR;
  sweep->rows = calloc(sweep->cells, sizeof *sweep->rows);
  if (!sweep->rows)
    return command_fail("out of memory");
  const int status = run(&t), files = put_files(sweep);
  return files > status ? files : status;
}
