// `tarn workbench`: the page of the workbench with a model in it, as a file.
#pragma once

#include "command/command.h"

int workbench_command(Command *, int argc, char **argv);
