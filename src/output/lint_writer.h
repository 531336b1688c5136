// Writes what lint found: one line for each finding, as compilers do it, or JSON.
#ifndef TARN_IO_LINT_WRITER_H
#define TARN_IO_LINT_WRITER_H

#include "answers/queries/lint.h"

void lint_text(Text *, const Lint *);
void lint_json(Text *, const Lint *);

#endif
