// Writers of statistical answers: lines of text with a small chart, JSON, the lines of UPPAAL's
// verifyta, tables for other programs.
#pragma once

#include "answers/statistics/estimate.h"

// Copies what the writers need of the query, as it ends before the answer.
void estimates_keep_texts(Estimate *, const Statistical *);

// Numbers by name, for programs: runs, satisfied, steps, estimate, lower, upper. 0 if the
// estimate is NULL.
bool estimates_is_number(const char *name);
double estimates_number(const Estimate *, const char *name);

// Half the width of the band of Dvoretzky, Kiefer and Wolfowitz around a distribution of all
// runs, which holds for all values at once.
double estimates_band(const Estimate *);

void estimates_text(Text *, Estimate *);
struct json_t *estimates_json(Estimate *);
void estimates_uppaal(Text *, Estimate *);
// Writes N-values.csv, N-distribution.csv, N-histogram.csv, N-convergence.csv or N-courses.csv to
// a folder, which it makes if need be. False with an error.
bool estimates_write_data(Estimate *, const char *folder, uint32_t number, Report *);
