// Mutants of the model of a session, and the comparison with one: tarn_mutate, tarn_is_alike.
//
// A mutant is a text, which is read as any model. Sharing the syntax tree with the model would
// save little: for a public model of 101 processes, reading a mutant takes 11 million
// instructions: 2.6 for the text, the rest for the network, which cannot be shared.
#pragma once

#include "plan/session.h"

// How many there are; -1 with an error.
long mutating_find(Tarn *, const char *operators);
// 1, 0, or -1 with an error.
int mutating_compare(Tarn *, const Tarn *other, size_t *states, int *is_all);
