// Decides one query, from its handle to the answer with its evidence.
#pragma once

#include "plan/handle.h"

// NULL: explores everything. The verdict, or -1 after an error.
int decide(Tarn *, TarnQuery *);

// Only plans it, into tarn->planned: 0 or -1.
int decide_plan(Tarn *, TarnQuery *);

// Only reads it: 0 or -1.
int decide_read(Tarn *, TarnQuery *);
