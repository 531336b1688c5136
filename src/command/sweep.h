// What the parts of `tarn sweep` share: the constants, the rows of the cells, the output.
#pragma once

#include "command/cell.h"
#include "command/jobs.h"

typedef struct Sweep {
  Command *command;
  Axes axes;
  size_t cells;
  json_t **rows;  // by cell, arrays; NULL: not decided
  bool *is_kept;  // the rows were in the file before
  FILE *csv;      // NULL: none
  size_t printed; // cells whose rows are in the table and in the file
  bool has_head;  // of the table
  double deadline;
} Sweep;

bool sweep_is_done(const json_t *rows); // no row was interrupted
// Whether there is a verdict, or an estimate, as a status.
int sweep_row_status(const json_t *row);

// The table on the terminal and the CSV file (sweep_table.c). What was decided goes there in the
// order of the cells; with `is_end`, also behind a cell that was not.
void sweep_print(Sweep *, bool is_end);
// Opens the CSV file. With --resume, cells that it has are not decided again. 0 or a status.
int sweep_open_csv(Sweep *);
json_t *sweep_object(const Sweep *); // the rows as JSON

// A page with a chart (sweep_page.c). 0 or a status.
int sweep_write_page(const Sweep *, const char *path);

// Where a verdict changes (threshold.c). A status.
int threshold_run(Sweep *);
