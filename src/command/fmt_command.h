// tarn fmt: lays out files.
#ifndef TARN_FMT_COMMAND_H
#define TARN_FMT_COMMAND_H

#include "command/command.h"

int fmt_command(Command *, int argc, char **argv);

#endif
