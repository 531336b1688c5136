// The lists of the Model Context Protocol: which tools there are, with the schemas of their
// arguments and results, and which resources.
#pragma once

#include "base/text.h"

#include <jansson.h>

json_t *mcp_tools(void);     // the result of tools/list
json_t *mcp_resources(void); // of resources/list
// Adds the text of a resource; NULL if there is none of this address, else its type.
const char *mcp_resource(Text *, const char *uri);
