// Writes an UPPAAL model as XML (UPPAAL's format "flat 1.6"), from its syntax tree: with its
// names, comments and order. Templates without coordinates are laid out first
// (language/uppaal/placing.h).
#pragma once

#include "base/arena.h"
#include "model/syntax.h"

// What is added to the tree lies in the arena, which has to live as long as the tree.
void xml_write(Text *, Arena *, const Document *, const QueryNode *queries);
