// `tarn verifyta`: the command line and the output of UPPAAL's verifyta, so that scripts that
// call it work with tarn.
#pragma once

#include "tarn.h"

// Without the name of the command; the exit status, 0 whatever the verdicts are.
int verifyta_run(Tarn *, int argc, char **argv);
