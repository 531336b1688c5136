// Excerpts: the beginning and the end of a text that is too long. A page or a report has at most
// EXCERPT_MAX bytes. The command writes the whole text as JSON beside it.
#pragma once

#include "base/text.h"

enum { EXCERPT_MAX = 4 << 20 };

// Adds a text. If it has more than `max` bytes, adds its first and its last lines and, between
// them, how many are left out; returns whether some are.
bool excerpt_add(Text *, const Text *whole, size_t max);
