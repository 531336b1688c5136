// What the service says about a document, as the JSON of the Language Server Protocol. The
// results belong to the caller; they are null where there is nothing to say.
#pragma once

#include "plan/service/service_document.h"

#include <jansson.h>

// The types of semantic tokens, in the order of their numbers, up to NULL.
extern const char *const service_token_types[];

json_t *service_diagnostics(const ServiceDocument *);
json_t *service_diagnostic(const ServiceDocument *, const Message *);
json_t *service_finding_diagnostic(const ServiceDocument *, const ServiceFinding *);
json_t *service_report(const ServiceDocument *); // the diagnostics, for clients that ask
json_t *service_symbols(const ServiceDocument *);
json_t *service_definition(const ServiceDocument *, uint32_t offset);
json_t *service_references(const ServiceDocument *, uint32_t offset, bool with_definition);
json_t *service_hover(const ServiceDocument *, uint32_t offset);
json_t *service_completion(const ServiceDocument *, uint32_t offset);
json_t *service_signature(const ServiceDocument *, uint32_t offset);
// A rename; NULL with a sentence if it cannot be done.
json_t *service_rename(const ServiceDocument *, uint32_t offset, const char *name,
                       const char **why);
json_t *service_formatting(const ServiceDocument *);
json_t *service_folding(const ServiceDocument *);
json_t *service_tokens(const ServiceDocument *);
json_t *service_lenses(const ServiceDocument *);
json_t *service_highlights(const ServiceDocument *, uint32_t offset);
