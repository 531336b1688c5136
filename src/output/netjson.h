// The model as JSON: processes with their templates and locations, edges with what is drawn for
// them, clocks and variables.
#pragma once

#include "output/drawing.h"

struct json_t;

struct json_t *netjson_of(const Drawings *, Text *scratch);
// Adds it to the text; `path` and `paths` say which elements of the XML file processes' locations
// and edges are.
void netjson_write(Text *, const Net *);
