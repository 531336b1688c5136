// The commands about evidence and runs: `tarn certify` and `simulate`.
#ifndef TARN_RUN_COMMANDS_H
#define TARN_RUN_COMMANDS_H

#include "command/command.h"

int certify_command(Command *, int argc, char **argv);
int simulate_command(Command *, int argc, char **argv);

#endif
