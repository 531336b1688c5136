#define _POSIX_C_SOURCE 200809L
#include "command/sweep_command.h"

#include "command/command_line.h"
#include "command/interrupt.h"
#include "command/sweep.h"

#include <stdlib.h>
#include <string.h>

bool sweep_is_done(const json_t *rows) {
  size_t i;
  json_t *row;
  json_array_foreach(rows, i,
                     row) if (!strcmp(row_text(row, "reason"), "interrupted")) return false;
  return rows;
}

static void work(void *state, size_t index, FILE *out) {
  Sweep *sweep = state;
  cell_check(sweep->command, &sweep->axes, index, NULL, out);
}

static void done(void *state, size_t index, const char *text, size_t size, bool ok) {
  Sweep *sweep = state;
  json_t *rows = cell_rows(text, size, ok);
  if (sweep_is_done(rows))
    sweep->rows[index] = rows;
  else
    json_decref(rows);
  sweep_print(sweep, false);
}

// Cells that the file has already are not decided: the jobs work on the others.
typedef struct Open {
  Sweep *sweep;
  size_t *cells;
} Open;

static void work_open(void *state, size_t index, FILE *out) {
  const Open *open = state;
  work(open->sweep, open->cells[index], out);
}

static void done_open(void *state, size_t index, const char *text, size_t size, bool ok) {
  const Open *open = state;
  done(open->sweep, open->cells[index], text, size, ok);
}

int sweep_row_status(const json_t *row) {
  const char *verdict = row_text(row, "verdict");
  if (!strcmp(verdict, "error") || !strcmp(verdict, "refused"))
    return STATUS_ERROR;
  return !strcmp(verdict, "undecided") ? STATUS_UNDECIDED : STATUS_OK;
}

static int status_of(const Sweep *sweep) {
  int status = STATUS_OK;
  for (size_t cell = 0; cell < sweep->cells; cell++) {
    size_t i;
    json_t *row;
    if (!sweep->rows[cell] && status < STATUS_UNDECIDED)
      status = STATUS_UNDECIDED;
    json_array_foreach(sweep->rows[cell], i, row) {
      const int of_row = sweep_row_status(row);
      if (of_row == STATUS_ERROR)
        return STATUS_ERROR;
      status = of_row ? of_row : status;
    }
  }
  return status;
}

static int run(Sweep *sweep) {
  Command *command = sweep->command;
  Open open = {.sweep = sweep, .cells = calloc(sweep->cells, sizeof *open.cells)};
  Jobs jobs = {.at_once = command->jobs ? atoi(command->jobs) : 1,
               .deadline = sweep->deadline,
               .state = &open,
               .work = work_open,
               .done = done_open};
  size_t count = 0;
  if (!open.cells)
    return command_fail("out of memory");
  for (size_t cell = 0; cell < sweep->cells; cell++)
    if (!sweep->is_kept[cell])
      open.cells[count++] = cell;
  jobs_run(&jobs, count);
  sweep_print(sweep, true);
  free(open.cells);
  if (sweep->csv && fclose(sweep->csv))
    return command_fail("%s cannot be written", command->csv);
  if (command->json) {
    json_t *object = sweep_object(sweep);
    json_dumpf(object, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(object);
    command->has_json = true;
  }
  const int status = command->html ? sweep_write_page(sweep, command->html) : 0;
  return status ? status : status_of(sweep);
}

// One cell first, in this process' child, would not tell more than all of them do. What can be
// known before: the file is there, and the constants are well formed.
static int prepare(Sweep *sweep) {
  Command *command = sweep->command;
  if (!strcmp(command->model, "-"))
    return command_fail("sweep reads the model many times: it cannot be standard input");
  for (int i = 0; i < command->define_count; i++) {
    const char *wrong = axes_add(&sweep->axes, command->defines[i]);
    if (wrong)
      return command_fail("--define %s: %s", command->defines[i], wrong);
  }
  if (!sweep->axes.count)
    return command_fail(
        "which constants? -D NAME=VALUES, such as -D N=2..10; see `tarn help sweep`");
  sweep->cells = axes_cells(&sweep->axes);
  if (!sweep->cells)
    return command_fail("there are more than %d combinations", AXES_MAX_CELLS);
  sweep->rows = calloc(sweep->cells, sizeof(json_t *));
  sweep->is_kept = calloc(sweep->cells, sizeof *sweep->is_kept);
  return sweep->rows && sweep->is_kept ? 0 : command_fail("out of memory");
}

int sweep_command(Command *command, int argc, char **argv) {
  Sweep sweep = {.command = command};
  int status = command_line_parse(command, "sweep", argc, argv, 1);
  if (!status && command->jobs && !atoi(command->jobs))
    return command_fail("--jobs needs a whole number from 1 on");
  if (!status && command->resume && !command->csv)
    return command_fail("--resume continues a file: name it with --csv");
  int thresholds = 0;
  for (int i = 0; !status && i < command->setting_count; i++)
    thresholds += !strcmp(command->settings[i].name, "threshold");
  if (thresholds > 1)
    return command_fail(
        "--threshold is for one constant; give the others one value each with -D");
  if (!status)
    status = command_try_writing(command->html);
  if (command->total_time_limit && atof(command->total_time_limit) > 0)
    sweep.deadline = jobs_now() + atof(command->total_time_limit);
  if (!status)
    tarn_share(command->tarn, command->jobs ? atoi(command->jobs) : 1);
  if (!status) {
    interrupt_watch(command);
    if (command->threshold) {
      status = threshold_run(&sweep);
    } else {
      status = prepare(&sweep);
      if (!status)
        status = sweep_open_csv(&sweep);
      if (!status)
        status = run(&sweep);
    }
  }
  for (size_t cell = 0; sweep.rows && cell < sweep.cells; cell++)
    json_decref(sweep.rows[cell]);
  free(sweep.rows);
  free(sweep.is_kept);
  axes_release(&sweep.axes);
  return status;
}
