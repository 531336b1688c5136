// Mutants of the model of a session, and the comparison with one: tarn_mutate, tarn_is_alike.
#pragma once

#include "plan/session.h"

// How many there are; -1 with an error.
long mutating_find(Tarn *, const char *operators);
// 1, 0, or -1 with an error.
int mutating_compare(Tarn *, const Tarn *other, size_t *states, int *is_all);
