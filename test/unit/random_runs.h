// Random runs of ASKING_MODEL, recorded, for the unit tests of what shows, reads and replays
// them.
#pragma once

#include "asking.h"
#include "semantics/stochastic/recorder.h"

typedef struct Recorded {
  Asking asking;
  Watch watches[2];
  Race race;
  RandomRun run;
} Recorded;

static inline void recorded_begin(Recorded *r, const char *query, uint64_t number) {
  asking_begin(&r->asking, ASKING_MODEL, query);
  Check *check = &r->asking.check;
  assert_int_equal(estimate_watches(r->watches, &check->arena, &r->asking.laws, r->asking.query,
                                    &check->tarn->report),
                   1);
  race_init(&r->race, &r->asking.laws, &check->tarn->mem);
  if (!recorder_run(&r->run, &check->arena, &r->watches[0], &r->race, 1, number))
    fail_msg("%s", text_chars(&r->race.error));
}

static inline void recorded_release(Recorded *r) {
  race_release(&r->race);
  asking_release(&r->asking);
}
