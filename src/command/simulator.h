// The prompt of `tarn simulate`, a part of the command. On a terminal, lines can be edited
// (command/line_editor.h). Otherwise they are read as they come: other programs use it so.
#pragma once

#include "tarn.h"

// Obeys lines of the standard input until the end; a simulation has been started. Random steps
// are made from the seed. `format` is what is shown: text, full or json. 0, or -1 if
// the output could not be written.
int simulator_run(Tarn *, const char *format, unsigned seed);

// Writes the run so far to a file: as a page if its name ends in .html, else as JSON. 0, or -1
// after a message.
int simulator_save(Tarn *, const char *path);
