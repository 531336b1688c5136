// Reads a model in the TChecker language.
//
// Each declaration has its own line, and `#` starts a comment; text in braces may span several
// lines. As in TChecker, conditions and statements may use clocks and variables that are declared
// later; everything else is declared before it is used. An attribute that is given twice counts
// twice: conditions are conjoined, and statements follow each other.
#pragma once

#include "model/net.h"

// Limits of a model, refused beyond.
enum { TCK_MAX_CLOCKS = 1000, TCK_MAX_ELEMENTS = 1 << 16 };

// Fills an empty net and finishes it; false with an error in the report. The source must
// outlive the net.
bool tck_read(Net *, const Source *, Report *);
