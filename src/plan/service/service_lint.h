// Lint of an open document: what `tarn lint` would say of it, without queries and within a short
// time. The findings are kept with the document until its text changes.
#pragma once

#include "plan/service/service_document.h"

#define SERVICE_LINT_SECONDS 1.0

// Of a document that was read. Nothing is found if it has mistakes. `stop` ends it early.
void service_lint(ServiceDocument *, bool (*stop)(void *state), void *state);
