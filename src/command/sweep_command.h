// `tarn sweep`: checks a model for many values of its constants.
#ifndef TARN_COMMAND_SWEEP_COMMAND_H
#define TARN_COMMAND_SWEEP_COMMAND_H

#include "command/command.h"

int sweep_command(Command *, int argc, char **argv);

#endif
