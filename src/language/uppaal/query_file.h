// Files of queries (.q), for all models: one query per line, blank lines, and comments. A comment
// may say which answer is expected of its query: `// EXPECT: F`.
#pragma once

#include "base/arena.h"
#include "model/syntax.h"

// The queries of a file, without the comments behind them, in the arena. `#` begins a comment; in
// UPPAAL's language only in front of a query, as names can have it. There a backslash at the end
// of a line lets the query go on.
const QueryNode *query_file_split(Arena *, const Source *, bool is_uppaal);

// The end of the comment that begins here, `//` or `/* */`; 0: none does.
uint32_t query_file_comment_end(const char *text, uint32_t at, uint32_t end);

// What a comment of this query says is expected of it; NULL: nothing.
const char *query_file_expectation(Arena *, const char *query, size_t size);

// Adds the query without its comments and the blanks around it.
void query_file_bare(Text *, const char *query);
