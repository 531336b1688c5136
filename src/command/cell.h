// One cell of a sweep: all queries of the model with the constants of the cell.
#pragma once

#include "command/axes.h"
#include "command/command.h"
#include "command/row.h"

// In a process of its own: reads the model with these constants, decides all queries, and writes
// one JSON object on a line for each, as row_of_answer makes it. If the model cannot be read, it
// is one object with an `error`. With `folder`, evidence goes there, too, is checked, and what it
// shows is in `evidence`.
void cell_check(Command *, const Axes *, size_t cell, const char *folder, FILE *);

// The objects that a cell has written, as an array; of a cell that ended badly, one with an
// error.
json_t *cell_rows(const char *text, size_t size, bool ok);
