// `tarn fmt`: lays out files.
#pragma once

#include "command/command.h"

int fmt_command(Command *, int argc, char **argv);
