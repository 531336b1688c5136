// `tarn serve`: the workbench on 127.0.0.1, with this tarn as its engine.
#pragma once

#include "command/command.h"

int serve_command(Command *, int argc, char **argv);
