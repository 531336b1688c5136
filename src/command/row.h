// Rows of tables: an answer as a flat object, and as a line of CSV.
#pragma once

#include "tarn.h"

#include <jansson.h>
#include <stdio.h>

// What a JSON document that tarn_write makes has; NULL if there is none. The caller's.
json_t *row_written(Tarn *, const char *what);
// The last answer: query, verdict, reason, values, numbers, seconds, cpu_seconds, stored,
// visited, memory, engine, symmetry, plan, and whether it is expected. NULL if there is none. The
// caller's.
json_t *row_of_answer(Tarn *);
// A text of a row; never NULL.
const char *row_text(const json_t *row, const char *name);

// The columns that every table has: the names, and the fields of a row, with a newline.
void row_put_head(FILE *);
void row_put(FILE *, const json_t *row);
// A row from its columns in a line of a table, as far as these tell. NULL: it has other columns.
// The caller's.
json_t *row_read(const char *line);
// One field, quoted if it has a comma or a quote; it is on one line.
void row_put_field(FILE *, const char *text);
// A field of a column as text.
void row_field(const json_t *row, const char *column, char *text, size_t size);
