// `tarn watch`: checks a model again whenever it is saved.
#pragma once

#include "command/command.h"

int watch_command(Command *, int argc, char **argv);
