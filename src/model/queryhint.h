// Hints for queries written in other query languages: what to write instead. Both readers of
// queries ask here when they cannot parse a query.
#pragma once

#include <stddef.h>

// What is not a query: about how it begins, or else as queryhint_find.
const char *queryhint_begin(const char *text, size_t size, size_t *at);
// A sentence about the first such thing in the text, and where it is; NULL: there is none.
const char *queryhint_find(const char *text, size_t size, size_t *at);
