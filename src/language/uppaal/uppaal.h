// Reads UPPAAL's models: .xml of all versions, .xta, .ta, in the present syntax or in that of
// UPPAAL 3, and their queries.
#pragma once

#include "model/query.h"
#include "model/syntax.h"

// Whether a text is a model of this language; else it is TChecker's.
bool uppaal_is_model(const Source *);

// Fills an empty net and finishes it; false with errors in the report, as many as there are up to
// REPORT_MAX_ERRORS. NetOrigin.uppaal is set. The source must outlive the net.
// If only statistical queries can have the model, the net is for those: see NetOrigin.obstacles.
bool uppaal_read(Net *, const Source *, Report *);

// The queries in the model file, in its order, blank ones left out; NULL: there are none.
const QueryNode *uppaal_queries(const Net *);

// The syntax tree; NULL if the model is not UPPAAL's. Writers may fill in coordinates.
const Document *uppaal_document(const Net *);

// The template of a process, as parsed; NULL if the model is not UPPAAL's.
const TemplateNode *uppaal_template(const Net *, ProcessId);

// The network for statistical queries: with real variables and the values that clocks start with
// (Net.clock_start), rates and weights. It is made in the arena, and not released. NULL with
// errors in the report.
const Net *uppaal_statistical(const Net *, Arena *, Report *);

// Parses one symbolic query without its model: only the trees of the query are set. False with an
// error in the report or, of other kinds of queries, without one.
bool uppaal_query_parse(Query *, Arena *, const Source *, uint32_t begin, uint32_t end, Report *);

// Reads one query, the text from `begin` to `end`: a symbolic one, or a statistical one, whose
// expressions are of Statistical.net. False with an error in the report, which says what is
// wrong, or what the query asks for and that this is not supported.
bool uppaal_query(Query *, Arena *, const Net *, const Source *, uint32_t begin, uint32_t end,
                  Report *);
