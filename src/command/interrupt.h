// Interrupts: SIGINT and SIGTERM end a search. The library polls for them while it works, and
// progress is shown at the same time.
#pragma once

#include "command/command.h"

void interrupt_watch(Command *); // from now on signals end searches, undecided
bool interrupt_came(void);
