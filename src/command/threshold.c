// Where the verdict of a query changes as one constant grows.
#define _POSIX_C_SOURCE 200809L
#include "command/interrupt.h"
#include "command/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROBES = 20 };

// The cells of the sweep are the values of the constant. Their rows are found when they are
// asked for, and kept.
typedef struct Threshold {
  Sweep *sweep;
  const size_t *wanted; // cells of the present round
  const char *folder;   // evidence of the present round goes there; NULL: none is made
} Threshold;

static void work(void *state, size_t index, FILE *out) {
  const Threshold *t = state;
  cell_check(t->sweep->command, &t->sweep->axes, t->wanted[index], t->folder, out);
}

static void done(void *state, size_t index, const char *text, size_t size, bool ok) {
  const Threshold *t = state;
  json_t *rows = cell_rows(text, size, ok);
  json_decref(t->sweep->rows[t->wanted[index]]);
  t->sweep->rows[t->wanted[index]] = rows;
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

// Halves until the verdicts of two neighbours differ. False if that was ended before, or if a
// verdict between them is neither.
static bool bisect(Threshold *t, size_t query, size_t *low, size_t *high) {
  const int below = verdict_at(t, *low, query);
  while (*high - *low > 1) {
    const size_t middle = *low + (*high - *low) / 2;
    if (!t->sweep->rows[middle] && !decide(t, &middle, 1))
      return false;
    const int verdict = verdict_at(t, middle, query);
    if (verdict < 0)
      return false;
    *(verdict == below ? low : high) = middle;
  }
  return true;
}

// Evidence for one side of a change. What a cell says of it is a sentence.
static int put_evidence(Threshold *t, size_t cell, size_t query) {
  const char *name = t->sweep->axes.items[0].name;
  const json_t *evidence = json_object_get(row_at(t, cell, query), "evidence");
  const bool is_accepted = json_is_true(json_object_get(evidence, "accepted"));
  printf("  %s = %s: %s; ", name, value_at(t, cell), row_text(row_at(t, cell, query), "verdict"));
  if (!evidence)
    printf("no evidence could be made\n");
  else
    printf("a %s shows it, which was checked and %s%s%s\n", row_text(evidence, "kind"),
           is_accepted ? "accepted" : "REJECTED", t->sweep->command->evidence ? ": " : "",
           t->sweep->command->evidence ? row_text(evidence, "file") : "");
  return evidence && !is_accepted ? STATUS_ERROR : STATUS_OK;
}

// Runs of equal verdicts among the cells that were decided.
static void put_intervals(const Threshold *t, size_t query) {
  size_t first = 0, last = 0;
  for (size_t cell = 0; cell <= t->sweep->cells; cell++) {
    const bool is_end = cell == t->sweep->cells;
    if (!is_end && !t->sweep->rows[cell])
      continue;
    if (is_end || (cell && verdict_at(t, cell, query) != verdict_at(t, first, query))) {
      printf("  %s to %s: %s\n", value_at(t, first), value_at(t, last),
             row_text(row_at(t, first, query), "verdict"));
      first = cell;
    }
    last = cell;
  }
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

static int put_change(Threshold *t, size_t query, size_t low, size_t high) {
  const size_t both[] = {low, high};
  const char *name = t->sweep->axes.items[0].name;
  const bool holds_below = verdict_at(t, low, query) == 1;
  if (holds_below)
    printf("  the largest %s for which it holds is %s, %s\n", name, value_at(t, low),
           t->sweep->command->monotone ? "as it is monotone" : "assumed monotone");
  else
    printf("  it holds from %s = %s on, %s; the largest %s for which it does not is %s\n", name,
           value_at(t, high),
           t->sweep->command->monotone ? "as it is monotone" : "assumed monotone", name,
           value_at(t, low));
  char scratch[] = "/tmp/tarn-threshold-XXXXXX";
  const char *const kept = t->sweep->command->evidence;
  if (kept)
    mkdir(kept, 0777);
  t->folder = kept ? kept : mkdtemp(scratch);
  const bool ok = decide(t, both, 2);
  int status = STATUS_UNDECIDED;
  if (ok) {
    const int below = put_evidence(t, low, query), above = put_evidence(t, high, query);
    status = below > above ? below : above;
  }
  if (!kept && t->folder)
    clear(t, both);
  t->folder = NULL;
  return status;
}

static int find_change(Threshold *t, size_t query, const size_t *probes, size_t count) {
  size_t changes = 0, low = 0, high = 0;
  const char *text = row_text(row_at(t, probes[0], query), "query");
  bool ok = true;
  printf("%s:\n", *text ? text : "the model");
  for (size_t i = 0; i < count; i++)
    if (verdict_at(t, probes[i], query) < 0) {
      printf("  %s = %s: %s (%s)\n", t->sweep->axes.items[0].name, value_at(t, probes[i]),
             row_text(row_at(t, probes[i], query), "verdict"),
             row_text(row_at(t, probes[i], query), "reason"));
      ok = false;
    }
  if (!ok)
    return STATUS_UNDECIDED;
  for (size_t i = 0; i + 1 < count; i++) {
    if (verdict_at(t, probes[i], query) == verdict_at(t, probes[i + 1], query))
      continue;
    changes++;
    low = probes[i];
    high = probes[i + 1];
    ok &= bisect(t, query, &low, &high);
  }
  if (!ok) {
    printf("  undecided between %s and %s\n", value_at(t, low), value_at(t, high));
    return STATUS_UNDECIDED;
  }
  if (changes == 1)
    return put_change(t, query, low, high);
  if (changes)
    printf("  it is not monotone; %s were seen:\n", "these intervals");
  else
    printf("  the verdict does not change among the values that were tried:\n");
  put_intervals(t, query);
  return t->sweep->command->monotone && changes > 1 ? STATUS_ERROR : STATUS_OK;
}

static int run(Threshold *t) {
  size_t probes[PROBES], count = 0;
  const size_t cells = t->sweep->cells;
  for (size_t i = 0; i < PROBES; i++) {
    const size_t cell = cells < PROBES ? i : i * (cells - 1) / (PROBES - 1);
    if (cell < cells)
      probes[count++] = cell;
  }
  if (!decide(t, probes, count))
    return command_fail("the probes were ended before all of them were decided"),
           STATUS_UNDECIDED;
  for (size_t i = 0; i < count; i++)
    if (!strcmp(row_text(row_at(t, probes[i], 0), "verdict"), "error"))
      return command_fail("%s = %s: %s", t->sweep->axes.items[0].name, value_at(t, probes[i]),
                          row_text(row_at(t, probes[i], 0), "reason"));
  int status = STATUS_OK;
  for (size_t query = 0; query < json_array_size(t->sweep->rows[probes[0]]); query++) {
    const int found = find_change(t, query, probes, count);
    status = found > status ? found : status;
    if (interrupt_came())
      return STATUS_UNDECIDED;
  }
  return status;
}

int threshold_run(Sweep *sweep) {
  Command *command = sweep->command;
  Threshold t = {.sweep = sweep};
  const char *wrong = axes_add(&sweep->axes, command->threshold);
  if (wrong)
    return command_fail("--threshold %s: %s", command->threshold, wrong);
  if (sweep->axes.items[0].count < 2)
    return command_fail("--threshold needs a range, such as N=1..1000");
  sweep->cells = sweep->axes.items[0].count;
  for (int i = 0; i < command->define_count; i++) {
    wrong = axes_add(&sweep->axes, command->defines[i]);
    if (wrong || sweep->axes.items[i + 1].count > 1)
      return command_fail("--define %s: %s", command->defines[i],
                          wrong ? wrong : "only the constant of --threshold has several values");
  }
  sweep->rows = calloc(sweep->cells, sizeof *sweep->rows);
  if (!sweep->rows)
    return command_fail("out of memory");
  return run(&t);
}
