// `tarn workbench`: the page of the workbench with a model in it, as a file.
#pragma once

#include "command/command.h"

int workbench_command(Command *, int argc, char **argv);

// The page with a model (NULL: none) and more elements; freed by free(). NULL: there is none, or
// the model cannot be read, which is said.
char *workbench_page(const char *model, const char *more, size_t *size);
bool workbench_has_page(void);
