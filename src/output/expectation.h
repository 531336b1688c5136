// What a model file expects of its queries.
#ifndef TARN_IO_EXPECTATION_H
#define TARN_IO_EXPECTATION_H

#include "output/answer.h"

// Whether an expectation such as `F,10MB` is met, 1 or 0; -1 if it is of no verdict.
int expectation_met(const char *expectation, Verdict);

#endif
