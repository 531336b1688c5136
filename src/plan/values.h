// Answers queries about extreme values: `sup`, `inf` and `bounds`.
#pragma once

#include "plan/checking.h"

bool values_run(Check *);
