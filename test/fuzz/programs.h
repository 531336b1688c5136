// What the testers of the second evaluator share (check/meaning.h): a model as text with its
// queries, and its comparison. The interpreter and the second evaluator run all guards, updates,
// invariants and queries of it on the initial state and on states of any values.
#pragma once

#include "model/net.h"

enum { PROGRAM_TEXT = 1 << 17, PROGRAM_QUERIES = 3 };

typedef struct Program {
  uint64_t random;
  char text[PROGRAM_TEXT];
  size_t size;
  char queries[PROGRAM_QUERIES][4000];
} Program;

// A random number below `count`.
uint32_t program_below(Program *, uint32_t count);
// Appends to the text.
void program_put(Program *, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct Programs {
  const char *name; // of the tester
  bool (*read)(Net *, const Source *, Report *);
  void (*make)(Program *, uint64_t seed);
  uint32_t more; // programs in each model, beside two for each edge
} Programs;

// NAME COUNT [FIRST], NAME --file MODEL, or NAME --print SEED: makes models of the seeds from
// FIRST (default 1) on until there were COUNT programs. Stops at the first difference and shows
// the model. The last line is the sum.
int programs_main(int argc, char **argv, const Programs *);
