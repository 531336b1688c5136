// Diagnoses the queries of a document that is being read: those of the model, or of a file of
// queries. If the model has mistakes, it has no network; then queries are parsed, and their names
// are looked up among those that the text declares.
#pragma once

#include "plan/service/service_document.h"

// `names` are those of the model. The messages go to the document.
void service_queries_read(ServiceDocument *, const ServiceNames *names);
