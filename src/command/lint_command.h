// `tarn lint`.
#ifndef TARN_LINT_COMMAND_H
#define TARN_LINT_COMMAND_H

#include "command/command.h"

int lint_command(Command *, int argc, char **argv);

#endif
