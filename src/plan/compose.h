// Makes what a session can write as text: models, answers, statistics, reports, help.
#pragma once

#include "plan/session.h"

#include <stdio.h>

// What tarn_write is asked for; false after an error. `function` is named if the state is wrong.
bool compose(Tarn *, Text *, const char *what, const char *format, const char *function);

bool compose_help(Text *, const char *topic, const char *format);

// Writes the text to a file and releases it: 0 or -1.
int compose_put(Report *, FILE *, Text *);

// As snprintf does it: what has room, a NUL, and the length of all.
long compose_fill(char *buffer, size_t size, const Text *);
