// Reads queries (language/query_grammar.h). In queries about TChecker models, names have these
// meanings:
//
// Formulas are the expressions of language/tchecker/tck_expr.h with disjunction, implication and
// free negation. A name is an integer variable, a clock, a location (`Process.location`) or a
// label, which holds while some process is in a location that has it. If a name could be several
// of these, it is the first of them, with a warning. Conditions without clocks serve as the
// numbers 0 and 1: `P1.cs + P2.cs + P3.cs <= 1`.
#pragma once

#include "model/query.h"

// The source is one query. False with an error in the report; source and net must outlive
// the query, whose trees go to the arena.
bool query_read(Query *, Arena *, const Net *, const Source *, Report *);
// The query is a part of the source: a file, say, with others.
bool query_read_part(Query *, Arena *, const Net *, const Source *, size_t begin, size_t end,
                     Report *);

// The source is a list of labels, "a,b": can it happen that all of them hold?
bool query_read_labels(Query *, Arena *, const Net *, const Source *labels, Report *);
