// The commands that write models: `tarn show`, `gen` and `convert`.
#ifndef TARN_MODEL_COMMANDS_H
#define TARN_MODEL_COMMANDS_H

#include "command/command.h"

int show_command(Command *, int argc, char **argv);
int gen_command(Command *, int argc, char **argv);
int convert_command(Command *, int argc, char **argv);

#endif
