// Decides one query, from its text to the answer with its evidence.
#ifndef TARN_DECIDE_H
#define TARN_DECIDE_H

#include "plan/session.h"

// A query or labels; NULL: explores everything. The verdict, or -1 after an error.
int decide(Tarn *, const char *text, bool is_labels);

// Only plans it, into tarn->planned: 0 or -1.
int decide_plan(Tarn *, const char *text, bool is_labels);

// Only reads it, and keeps it for the check: 0 or -1.
int decide_parse(Tarn *, const char *text, bool is_labels);

#endif
