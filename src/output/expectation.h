// What a model file expects of its queries.
#pragma once

#include "output/answer.h"

// Whether an expectation such as `F,10MB` is met, 1 or 0; -1 if it is of no verdict.
int expectation_met(const char *expectation, Verdict);
