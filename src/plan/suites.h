// Test suites of a session: tarn_cover.
#pragma once

#include "plan/session.h"

void suites_release(Tarn *); // what was kept of the last one
// 0, or -1 with an error.
int suites_run(Tarn *, const char *goal);
// "cover" as text, json or html; false if there is none.
bool suites_write(Tarn *, Text *, const char *format);
