// Layout as edits: what `tarn fmt` would change in a document. Only white space changes, so each
// gap between words is one edit, and an editor keeps its marks. The result belongs to the caller.
#pragma once

#include "plan/service/service_document.h"

#include <jansson.h>

// The edits whose gaps lie between the offsets.
json_t *service_edits(const ServiceDocument *, uint32_t begin, uint32_t end);
