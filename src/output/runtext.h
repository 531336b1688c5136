// Runs as text for people: the state at the beginning; for each step its transition, with the
// locations that change, and a line with the variables and clocks that it sets; the state at the
// end. Arrays are folded (state_show).
#pragma once

#include "answers/runs/trace.h"

typedef struct RunText {
  const char *end; // what is said of the end
  const char *why; // lines below it; NULL: none
  bool tells_end;  // also of a symbolic run
  bool is_full;    // the whole state after each step
  uint32_t last;   // only so many steps, the last ones; 0: all
} RunText;

void runtext_write(Text *, const Trace *, const RunText *);

// The parts of it, each without a newline: the transition of a step; the state after a step, or
// what the step has set, which may be nothing; the state at the end of a concrete run.
void runtext_edges(Text *, const Net *, const Edge *const *, uint32_t count);
void runtext_state(Text *, const Trace *, uint32_t step, bool is_whole);
void runtext_end(Text *, const Trace *);
// A zone as constraints, without those that others imply; names of the clocks, [0] for zero.
// Constants are multiplied by the unit of the net.
void runtext_zone(Text *, const char *const *names, const Bound *zone, uint32_t n, int64_t unit);
// A line that was put together, which is empty afterwards; nothing if it is empty.
void runtext_add_line(Text *, Text *line);
