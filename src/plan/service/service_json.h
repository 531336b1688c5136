// Makes values of the Language Server Protocol: positions, ranges and texts as JSON.
#pragma once

#include "plan/service/service_document.h"

#include <jansson.h>

json_t *service_json_range(const ServiceDocument *, uint32_t begin, uint32_t end);
json_t *service_json_text(const char *text, size_t size); // "?" if it is not UTF-8
// From 0; numbers that are none, or too large, are 0.
ServicePosition service_json_position(const json_t *);
