// Answers queries about extreme values: `sup`, `inf` and `bounds`.
#ifndef TARN_VALUES_H
#define TARN_VALUES_H

#include "plan/checking.h"

bool values_run(Check *);

#endif
