// `tarn check`.
#pragma once

#include "command/command.h"

int check_command(Command *, int argc, char **argv);
