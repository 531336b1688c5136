#define _POSIX_C_SOURCE 200809L
#include "command/cell.h"

#include "command/interrupt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put(FILE *out, json_t *row) {
  json_dumpf(row, out, JSON_COMPACT);
  fputc('\n', out);
  json_decref(row);
}

// The message without the name of the command: its first line.
static void put_error(FILE *out, const char *query, const char *message) {
  json_t *text = json_stringn(message, strcspn(message, "\n"));
  put(out, json_pack("{s:s?, s:s, s:o}", "query", query, "verdict", "error", "reason",
                     text ? text : json_string("the message is not UTF-8")));
}

// The evidence of the last answer: a certificate was written to the path if there is one, else
// there may be a run. Both are checked by a Tarn of their own.
static void add_evidence(Command *command, json_t *row, const char *path, const Axes *axes,
                         size_t cell) {
  const char *kind = "certificate";
  if (tarn_has_run(command->tarn)) {
    FILE *file = fopen(path, "w");
    kind = "run";
    if (!file || tarn_write(command->tarn, file, "answer", "json"))
      kind = NULL;
    if (file && fclose(file))
      kind = NULL;
  }
  Tarn *checker = kind && !access(path, R_OK) ? tarn_init() : NULL;
  if (!checker)
    return;
  for (size_t i = 0; i < axes->count; i++) {
    char text[512];
    snprintf(text, sizeof text, "%s=%s", axes->items[i].name, axes_value(axes, cell, i));
    tarn_set(checker, "define", text);
  }
  if (!tarn_read_model(checker, command->model)) {
    const int found = tarn_certify(checker, path);
    if (found >= 0)
      json_object_set_new(
          row, "evidence",
          json_pack("{s:s, s:s, s:b}", "kind", kind, "file", path, "accepted", found));
  }
  tarn_release(checker);
}

static void check(Command *command, TarnQuery *query, const char *path, const Axes *axes,
                  size_t cell, FILE *out) {
  Tarn *tarn = command->tarn;
  const char *text = query ? tarn_query_text(query) : NULL;
  if (path) {
    unlink(path);
    tarn_set(tarn, "certificate", path);
    tarn_set(tarn, "trace", "concrete");
  }
  tarn_check_query(tarn, query);
  json_t *row = tarn_verdict(tarn) < 0 ? NULL : row_of_answer(tarn);
  if (!row) {
    put_error(out, text, tarn_error(tarn));
    return;
  }
  if (path)
    add_evidence(command, row, path, axes, cell);
  put(out, row);
}

void cell_check(Command *command, const Axes *axes, size_t cell, const char *folder, FILE *out) {
  Tarn *tarn = command->tarn;
  char text[4096];
  for (size_t i = 0; i < axes->count; i++) {
    snprintf(text, sizeof text, "%s=%s", axes->items[i].name, axes_value(axes, cell, i));
    if (tarn_set(tarn, "define", text)) {
      put_error(out, NULL, tarn_error(tarn));
      return;
    }
  }
  if (command->task_count ? tarn_read_model(tarn, command->model)
                          : tarn_read(tarn, command->model)) {
    put_error(out, NULL, tarn_error(tarn));
    return;
  }
  const size_t given = (size_t)command->task_count;
  const size_t count = given ? given : tarn_query_count(tarn);
  for (size_t i = 0; i < (count ? count : 1) && !interrupt_came(); i++) {
    const Task *task = &command->tasks[i];
    TarnQuery *query = !given            ? tarn_query_at(tarn, i)
                       : task->is_labels ? tarn_query_labels(tarn, task->text)
                                         : tarn_query_new(tarn, task->text);
    if (folder)
      snprintf(text, sizeof text, "%s/cell-%zu-query-%zu", folder, cell + 1, i + 1);
    check(command, query, folder ? text : NULL, axes, cell, out);
  }
}

json_t *cell_rows(const char *text, size_t size, bool ok) {
  json_t *rows = json_array();
  const char *const end = text + size;
  for (const char *line = text; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    json_t *row = stop ? json_loadb(line, (size_t)(stop - line), 0, NULL) : NULL;
    if (row)
      json_array_append_new(rows, row);
    line = stop ? stop + 1 : end;
  }
  if (!ok || !json_array_size(rows))
    json_array_append_new(rows,
                          json_pack("{s:n, s:s, s:s}", "query", "verdict", "error", "reason",
                                    "the process that decided it has crashed or was killed"));
  return rows;
}
