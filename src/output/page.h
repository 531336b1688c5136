// The result of a check as one HTML page that needs nothing else: answers and statistics, the run
// as a chart of locations over time, variables and clocks of each step, zones of two clocks, and
// the automata with the path of the run.
#pragma once

#include "output/answer.h"

// The automata are drawn by graphviz; where there is no `dot`, the page says so instead. A page
// has at most EXCERPT_MAX bytes: of long runs it shows the first and the last steps, as many as
// have room. Returns true if some are left out.
bool page_write(Text *, const Net *, const Options *, const Answers *);
