// Lays out a model in TChecker's format: blanks, and blank lines in a row. Only white space
// changes; lines and comments stay.
#pragma once

#include "base/report.h"

void tck_pretty_print(Text *, const Source *);
