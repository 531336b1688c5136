// Runs graphviz, the command `dot`, which may not be installed.
#pragma once

#include "base/text.h"

// Adds what `dot` makes of the graphs, in a format such as "svg" or "plain". False if there is no
// such command, or if it takes more seconds of processor time.
bool graphviz_run(Text *, const Text *graphs, const char *format, int seconds);
