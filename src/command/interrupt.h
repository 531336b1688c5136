// What ends a search from outside: SIGINT and SIGTERM. The library asks while it works, and that
// is also when progress is shown.
#ifndef TARN_INTERRUPT_H
#define TARN_INTERRUPT_H

#include "command/command.h"

void interrupt_watch(Command *); // from now on signals end searches, undecided
bool interrupt_came(void);

#endif
