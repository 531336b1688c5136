#define _POSIX_C_SOURCE 200809L
#include "command/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void put_csv(const Sweep *sweep, size_t cell, const json_t *row) {
  for (size_t i = 0; i < sweep->axes.count; i++)
    fprintf(sweep->csv, "%s,", axes_value(&sweep->axes, cell, i));
  row_put(sweep->csv, row);
}

static int width_of(const Axis *axis) {
  size_t width = strlen(axis->name);
  for (size_t i = 0; i < axis->count; i++)
    if (strlen(axis->values[i]) > width)
      width = strlen(axis->values[i]);
  return (int)width;
}

static void put_line(Sweep *sweep, size_t cell, const json_t *row) {
  char seconds[32], stored[32];
  const Axes *axes = &sweep->axes;
  if (!sweep->has_head) {
    for (size_t i = 0; i < axes->count; i++)
      printf("%*s  ", width_of(&axes->items[i]), axes->items[i].name);
    printf("%10s %10s  %-13s  %s\n", "seconds", "stored", "verdict", "query");
  }
  sweep->has_head = true;
  for (size_t i = 0; i < axes->count; i++)
    printf("%*s  ", width_of(&axes->items[i]), axes_value(axes, cell, i));
  row_field(row, "seconds", seconds, sizeof seconds);
  row_field(row, "stored", stored, sizeof stored);
  const char *query = row_text(row, "query"), *reason = row_text(row, "reason");
  const char *values = row_text(row, "values");
  printf("%10s %10s  %-13s  %.60s%s", seconds, stored, row_text(row, "verdict"), query,
         strlen(query) > 60 ? "..." : "");
  if (*reason)
    printf(" (%.*s)", (int)strcspn(reason, "\n"), reason);
  if (*values)
    printf(": %.*s", (int)strcspn(values, "\n"), values);
  putchar('\n');
}

void sweep_print(Sweep *sweep, bool is_end) {
  for (; sweep->printed < sweep->cells; sweep->printed++) {
    const size_t cell = sweep->printed;
    size_t i;
    json_t *row;
    if (!sweep->rows[cell] && !is_end)
      break;
    json_array_foreach(sweep->rows[cell], i, row) {
      if (sweep->csv && !sweep->is_kept[cell])
        put_csv(sweep, cell, row);
      if (!sweep->command->json && !sweep->command->quiet)
        put_line(sweep, cell, row);
    }
  }
  fflush(stdout);
  if (sweep->csv)
    fflush(sweep->csv);
}

static void put_head(const Sweep *sweep, FILE *file) {
  for (size_t i = 0; i < sweep->axes.count; i++)
    fprintf(file, "%s,", sweep->axes.items[i].name);
  row_put_head(file);
}

// The cell whose values begin the line, which is behind them then; `cells` if there is none.
static size_t cell_of(const Sweep *sweep, const char **line) {
  size_t cell = 0;
  for (size_t i = 0; i < sweep->axes.count; i++) {
    const Axis *axis = &sweep->axes.items[i];
    const size_t size = strcspn(*line, ",\n");
    size_t k = 0;
    while (k < axis->count &&
           (strlen(axis->values[k]) != size || memcmp(axis->values[k], *line, size)))
      k++;
    if (k == axis->count || (*line)[size] != ',')
      return sweep->cells;
    cell = cell * axis->count + k;
    *line += size + 1;
  }
  return cell;
}

// A row of the file belongs to its cell.
static void keep_row(Sweep *sweep, size_t cell, const char *columns) {
  json_t *row = row_read(columns);
  if (!row)
    return;
  if (!sweep->rows[cell])
    sweep->rows[cell] = json_array();
  json_array_append_new(sweep->rows[cell], row);
  sweep->is_kept[cell] = true;
}

static void drop_cell(Sweep *sweep, size_t cell) {
  if (cell == sweep->cells || !sweep->is_kept[cell])
    return;
  json_decref(sweep->rows[cell]);
  sweep->rows[cell] = NULL;
  sweep->is_kept[cell] = false;
}

// The text as it comes back from a table: on one line, and cut.
static bool is_query(const char *text, const char *kept) {
  size_t i = 0;
  for (; kept[i] && (kept[i] == text[i] || (kept[i] == ' ' && strchr("\n\r", text[i]))); i++)
    continue;
  return !kept[i] && (!text[i] || i >= 4000);
}

// Whether the rows that are kept answer the queries of the command line.
static bool has_queries(const Sweep *sweep) {
  const Command *command = sweep->command;
  for (size_t cell = 0; command->task_count && cell < sweep->cells; cell++) {
    const json_t *rows = sweep->rows[cell];
    const size_t count = json_array_size(rows);
    if (!rows || (count == 1 && !*row_text(json_array_get(rows, 0), "query"))) // an error
      continue;
    if (count != (size_t)command->task_count)
      return false;
    for (size_t i = 0; i < count; i++)
      if (!is_query(command->tasks[i].text, row_text(json_array_get(rows, i), "query")))
        return false;
  }
  return true;
}

// Keeps the cells of a file but the last one, which may lack rows. 0 or a status.
static int keep_rows(Sweep *sweep, FILE *file, long *end) {
  const char *path = sweep->command->csv;
  char *head = NULL, *line = NULL;
  size_t head_size = 0, room = 0, last = sweep->cells;
  FILE *expected = open_memstream(&head, &head_size);
  if (!expected)
    return command_fail("out of memory");
  put_head(sweep, expected);
  fclose(expected);
  ssize_t size = getline(&line, &room, file);
  int status = 0;
  if (size > 0 && strcmp(line, head))
    status = command_fail("%s is of another sweep: its first line is not %.*s", path,
                          (int)strcspn(head, "\n"), head);
  for (long begin = 0, next; !status && size > 0 && line[size - 1] == '\n'; begin = next) {
    const char *columns = line;
    const size_t cell = begin ? cell_of(sweep, &columns) : sweep->cells;
    next = ftell(file);
    if (!begin)
      *end = next;
    else if (cell != last)
      *end = begin;
    if (cell < sweep->cells)
      keep_row(sweep, cell, columns);
    last = cell;
    size = getline(&line, &room, file);
  }
  drop_cell(sweep, last);
  free(line);
  free(head);
  if (!status && !has_queries(sweep))
    status = command_fail("%s is of another sweep: it has answers to other queries", path);
  return status;
}

// The rows of a file are about the model as it was then.
static int check_age(const Sweep *sweep, FILE *file) {
  const char *path = sweep->command->csv, *model = sweep->command->model;
  struct stat of_file, of_model;
  if (fstat(fileno(file), &of_file) || stat(model, &of_model) ||
      of_model.st_mtim.tv_sec < of_file.st_mtim.tv_sec ||
      (of_model.st_mtim.tv_sec == of_file.st_mtim.tv_sec &&
       of_model.st_mtim.tv_nsec <= of_file.st_mtim.tv_nsec))
    return 0;
  return command_fail("%s was changed after %s: --resume would mix the answers of two models; "
                      "remove the table, or leave out --resume",
                      model, path);
}

int sweep_open_csv(Sweep *sweep) {
  const char *path = sweep->command->csv;
  long end = 0;
  if (!path)
    return 0;
  if (sweep->command->resume) {
    FILE *file = fopen(path, "r");
    int status = file ? check_age(sweep, file) : 0;
    if (file && !status)
      status = keep_rows(sweep, file, &end);
    if (file)
      fclose(file);
    if (status)
      return status;
  }
  sweep->csv = fopen(path, end ? "r+" : "w");
  if (!sweep->csv ||
      (end && (fseek(sweep->csv, end, SEEK_SET) || ftruncate(fileno(sweep->csv), end))))
    return command_fail("%s cannot be written: %s", path, strerror(errno));
  if (!end)
    put_head(sweep, sweep->csv);
  return fflush(sweep->csv) ? command_fail("%s cannot be written: %s", path, strerror(errno)) : 0;
}

json_t *sweep_object(const Sweep *sweep) {
  const Axes *axes = &sweep->axes;
  json_t *constants = json_object(), *all = json_array();
  for (size_t i = 0; i < axes->count; i++) {
    json_t *values = json_array();
    for (size_t k = 0; k < axes->items[i].count; k++)
      json_array_append_new(values, json_string(axes->items[i].values[k]));
    json_object_set_new(constants, axes->items[i].name, values);
  }
  for (size_t cell = 0; cell < sweep->cells; cell++) {
    size_t i;
    json_t *row;
    json_array_foreach(sweep->rows[cell], i, row) {
      json_t *of = json_object();
      for (size_t k = 0; k < axes->count; k++)
        json_object_set_new(of, axes->items[k].name, json_string(axes_value(axes, cell, k)));
      json_object_set_new(row, "constants", of);
      json_array_append(all, row);
    }
  }
  return json_pack("{s:s, s:s, s:s, s:o, s:o}", "tarn", tarn_version(), "schema", "sweep-1.json",
                   "model", sweep->command->model, "constants", constants, "rows", all);
}
