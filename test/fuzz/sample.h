// Random networks, for the programs that compare searches on them.
#pragma once

#include <stddef.h>

typedef struct SampleValue { // an argument of `tarn gen random`
  const char *name;
  int value;
} SampleValue;

// The next number below n of a sequence of its own, not the library's.
unsigned sample_below(unsigned long long *random, unsigned n);
// Adds to a text of which *size bytes are in use. What does not fit is left out.
__attribute__((format(printf, 4, 5))) void sample_add(char *text, size_t room, size_t *size,
                                                      const char *format, ...);
// Adds a part to a text, with what stands between two parts before it if it is not the first.
__attribute__((format(printf, 4, 5))) void
sample_part(char *text, size_t room, const char *between, const char *format, ...);
// The text of a network, allocated. The program ends with status 2 if there is none.
char *sample_network(const SampleValue *values, int count);
// A network whose locations are all asked for, by their labels; and what was said first.
enum { SAMPLE_QUERIES = 20, SAMPLE_LABEL = 32 };
typedef struct SampleCase {
  unsigned long seed;
  unsigned long long random;
  char *model;
  char labels[SAMPLE_QUERIES][SAMPLE_LABEL];
  int query_count;
  int verdicts[SAMPLE_QUERIES + 1]; // the last one: explored
  int deadlock;                     // of `E<> deadlock`, for those that ask for it
} SampleCase;
// That of a seed; closed networks have no strict constraints. The caller frees the model.
SampleCase sample_case(unsigned long seed, unsigned max_constant, int is_closed);

// The seeds from *first up to, but without, *last that `COUNT [FIRST]` on the command line means.
// The program ends with status 2 if it does not say.
void sample_seeds(int argc, char **argv, unsigned long *first, unsigned long *last);
