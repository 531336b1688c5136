// `tarn lint`.
#pragma once

#include "command/command.h"

int lint_command(Command *, int argc, char **argv);
