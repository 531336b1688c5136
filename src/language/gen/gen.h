// Generators: the papers' benchmark models and some of our own, at any size, written in the
// TChecker text format. Same arguments, same text, on every machine.
#pragma once

#include "base/report.h"

// Writes one model of a family. Arguments are as on the command line, `tarn gen FAMILY [N]
// [key=value...]`: a bare number is the parameter called n, the others have defaults.
// False after an error, which is then in the report; what `out` holds is of no use then.
bool gen_write(Text *out, Report *, const char *family, int count, const char *const *arguments);

// Every family with its parameters, their defaults and ranges.
void gen_list(Text *out);

// The name of family i, or NULL when there are no more: for tests that try them all.
const char *gen_name(int i);
