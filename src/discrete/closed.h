// What an engine that counts time in whole units can take: closed constraints only, for with
// those, and only those, whole delays reach whatever real ones reach.
#ifndef TARN_DISCRETE_CLOSED_H
#define TARN_DISCRETE_CLOSED_H

#include "model/query.h"
#include "space/options.h"

// False, with an error in the report, if the model, the goal (may be NULL) or the options do not
// suit the engine of that name.
bool closed_accepts(const Net *, const Goal *, const Options *, const char *engine, Report *);

#endif
