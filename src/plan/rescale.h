// The unit of time of the session's net, for a query. Constants of queries count, too, so that
// the net may have to be read again before a query is (model/scale.h).
#pragma once

#include "plan/handle.h"

// From now on the net has a unit that suits the model and these queries. If there is none the
// readers of the queries say so.
void rescale_for(Tarn *, const char *const *queries, size_t count);
// The same for one query, of which labels have no constants; NULL: none.
void rescale_to(Tarn *, const TarnQuery *);
// The unit of the model alone.
void rescale_to_model(Tarn *);
// After a query that is not known here was read, perhaps in vain: whether the net has another
// unit now.
bool rescale_again(Tarn *);
