// Mutants of the model of a session, and the comparison with one: tarn_mutate, tarn_is_alike.
//
// A mutant is a text, which is read as any model. Sharing the syntax tree with the model would
// save little: for a public model of 101 processes, a mutant takes 11 million instructions to
// read, of which the text takes 2.6; the network, which the mutant needs for itself, takes the
// rest.
#pragma once

#include "plan/session.h"

// How many there are; -1 with an error.
long mutating_find(Tarn *, const char *operators);
// 1, 0, or -1 with an error.
int mutating_compare(Tarn *, const Tarn *other, size_t *states, int *is_all);
