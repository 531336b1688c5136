// The commands that write models: `tarn show`, `gen` and `convert`.
#pragma once

#include "command/command.h"

int show_command(Command *, int argc, char **argv);
int gen_command(Command *, int argc, char **argv);
int convert_command(Command *, int argc, char **argv);
