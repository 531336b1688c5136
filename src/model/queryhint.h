// Hints for queries written in other query languages: what to write instead. Both readers of
// queries ask here when they cannot parse a query.
#pragma once

#include <stddef.h>

// A sentence about the first such thing in the text, and where it is; NULL: there is none.
const char *queryhint_find(const char *text, size_t size, size_t *at);
