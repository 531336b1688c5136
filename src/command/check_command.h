// `tarn check`.
#ifndef TARN_CHECK_COMMAND_H
#define TARN_CHECK_COMMAND_H

#include "command/command.h"

int check_command(Command *, int argc, char **argv);

#endif
