// What a model file expects of its queries.
#ifndef TARN_EXPECTATION_H
#define TARN_EXPECTATION_H

#include "tarn.h"

// The verdict that an expectation such as `F,10MB` is about; -1: none.
int expectation_verdict(const char *expectation);

#endif
