// The commands about evidence and runs: `tarn certify` and `simulate`.
#pragma once

#include "command/command.h"

int certify_command(Command *, int argc, char **argv);
int simulate_command(Command *, int argc, char **argv);
