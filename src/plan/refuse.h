// Says before a search why it cannot be done.
#ifndef TARN_REFUSE_H
#define TARN_REFUSE_H

#include "plan/checking.h"

// Whether the query cannot be decided; then the answer says why.
bool refuse(Check *);

// Whether what is to be written can be: better known before the search than after it.
bool refuse_unwritable(Tarn *);

#endif
