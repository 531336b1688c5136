// Hints for people who know other languages: the second half of messages about syntax and about
// unknown names.
#pragma once

#include "language/uppaal/token.h"

// A hint for the token at `at`, where `what` was expected, without the `; ` before it; NULL:
// there is none.
const char *advice_find(const Source *, const UTokens *, uint32_t at, const char *what);
// What to write for a name of another language, `; ` included; "" for other names.
const char *advice_name(const char *name);
