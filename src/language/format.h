// Lays out files: models in any format and files of queries. Only white space changes, so the
// model stays the same. Laying out the result again changes nothing.
#pragma once

#include "base/report.h"

// Appends the text as it should look. In XML only the texts that are read change: declarations,
// labels and queries. False with an error if this cannot be done.
bool format_text(Text *, const Source *, Report *);
