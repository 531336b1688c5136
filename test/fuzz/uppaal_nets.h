// Random networks as UPPAAL's users write them: .xta text with templates, functions, select,
// structs, arrays, quantifiers, channels of all kinds, urgency, priorities and all kinds of clock
// constraints, read by the reader of uppaal/; and a random query. The same seed gives the same
// text.
#pragma once

#include "base/random.h"
#include "model/query.h"

enum { UPPAAL_NETS_CONSTANT = 5 }; // the largest that a clock is compared with or set to
enum { UPPAAL_NETS_PROCESSES = 6 };

typedef struct UppaalNet {
  Mem *mem;
  Random random;
  Text text, query; // the model and the query
  Source source, query_source;
  Net net;
  Report report;
  Goal goal;
  Arena arena; // of the goal
  // While the text is written:
  uint32_t clocks;       // x[0] ..
  bool has_clock_guards; // on receivers and urgent edges, and with priorities
  bool suits_local;      // no guards on receivers, nothing else that local time refuses
  bool has_priorities;
  bool is_urgent[3], is_broadcast[3]; // channels a, b and those of d
  // What can be named: in a template its parameters and locals, on an edge what select chose.
  bool in_template, has_local, has_own_clock, has_choice, has_element;
  bool has_counter; // `n` from 0 to 2, local to the template, of which clock bounds are made
  bool is_counting; // the edge at hand counts it up, under a guard
  char processes[UPPAAL_NETS_PROCESSES][16];
  bool process_has_local[UPPAAL_NETS_PROCESSES];
  uint32_t process_count, locations; // of the process to ask for
} UppaalNet;

void uppaal_nets_make(UppaalNet *, Mem *, uint64_t seed);
void uppaal_nets_release(UppaalNet *);
