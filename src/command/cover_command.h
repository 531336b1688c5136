// `tarn cover`: test suites.
#pragma once

#include "command/command.h"

int cover_command(Command *, int argc, char **argv);
