// Answers queries about infinite runs: `E[]`, `A<>`, `-->` and Büchi conditions.
#ifndef TARN_LIVE_H
#define TARN_LIVE_H

#include "plan/checking.h"

bool live_run(Check *);

#endif
