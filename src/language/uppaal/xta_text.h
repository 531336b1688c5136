// Writes an UPPAAL model as .xta, from its syntax tree: with its names, comments, order and, in a
// layout block, its drawing.
#pragma once

#include "base/arena.h"
#include "model/syntax.h"

// False with errors if a name cannot be written.
bool xta_text_write(Text *, Arena *, const Document *, const QueryNode *queries, Report *);
