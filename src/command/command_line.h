// Reads the command line of `tarn check`; the table of options is the library's.
#ifndef TARN_COMMAND_LINE_H
#define TARN_COMMAND_LINE_H

#include "command/command.h"

// 0 or a status.
int command_line_parse(Command *, int argc, char **argv);

#endif
