// Shows the progress of a search as a line on the standard error.
#pragma once

#include "command/command.h"

// Before a search; shows progress if it is time for that; removes the line.
void progress_begin(Command *);
void progress_poll(Command *);
void progress_clear(Command *);
