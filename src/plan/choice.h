// Choice: which engine suits a model and a question, and which options go together.
#ifndef TARN_LOCAL_CHOICE_H
#define TARN_LOCAL_CHOICE_H

#include "model/query.h"
#include "search/options.h"

enum { CHOICE_LEAST_VISITED = 10000 }; // less takes no time: there is nothing to gain

// The engine that the options name or, if that is auto, the one to take; goal may be NULL.
Engine choice_engine(const Options *, Mem *, const Net *, const Goal *);
// One sentence if another engine fits the model better than the one that has visited so many
// nodes, and these are enough to care; else NULL.
const char *choice_hint(const Options *, Mem *, const Net *, uint64_t visited);
// False, with an error, if the engine (which is not auto) or several threads cannot do what is
// asked.
bool choice_is_possible(const Options *, Report *);

#endif
