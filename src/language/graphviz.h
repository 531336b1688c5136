// Runs graphviz, the command `dot`, which may not be installed.
#ifndef TARN_LANGUAGE_GRAPHVIZ_H
#define TARN_LANGUAGE_GRAPHVIZ_H

#include "base/text.h"

// Adds what `dot` makes of the graphs, in a format such as "svg" or "plain". False if there is no
// such command, or if it takes more seconds of processor time.
bool graphviz_run(Text *, const Text *graphs, const char *format, int seconds);

#endif
