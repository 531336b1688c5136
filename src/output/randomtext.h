// Random runs as text for people, and as JSON that `tarn certify` reads. Exact times and clocks
// are fractions in JSON, "3/2"; others are numbers.
#pragma once

#include "base/text.h"
#include "model/random_run.h"

typedef struct RandomText {
  const char *query;
  bool has_value;   // the value of E is shown
  bool has_outcome; // whether the run is a hit is shown
  bool is_full;     // the whole state after each step
} RandomText;

void randomtext_write(Text *, const Net *, const RandomRun *, const RandomText *);
void randomtext_json(Text *, const Net *, const RandomRun *, const RandomText *);
