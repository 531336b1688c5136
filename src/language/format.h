// Lays out files: models in any format and files of queries. White space changes and nothing
// else, so that the model is the same; laying out the result again changes nothing.
#pragma once

#include "base/report.h"

// Appends the text as it should look. In XML only the texts that are read change: declarations,
// labels and queries. False with an error if this cannot be done.
bool format_text(Text *, const Source *, Report *);
