// `tarn sweep`: checks a model for many values of its constants.
#pragma once

#include "command/command.h"

int sweep_command(Command *, int argc, char **argv);
