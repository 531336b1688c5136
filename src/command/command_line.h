// Reads the command line of a command. The library has the table of options, and checks values.
#pragma once

#include "command/command.h"

// Sets the fields of the Command that are options. What is no option goes to the beginning of
// argv; the Command has the model, which is the first, and how many there are. With `max`, there
// are no more than that. 0 or a status.
int command_line_parse(Command *, const char *name, int argc, char **argv, int max);
