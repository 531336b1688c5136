// `tarn mutate`: which mistakes in a model its queries notice.
#pragma once

#include "command/command.h"

int mutate_command(Command *, int argc, char **argv);
