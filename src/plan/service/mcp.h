// A server of the Model Context Protocol without its streams: what an assistant that writes
// models is offered. Tools check, lint, simulate, explain and format a text, or a file below the
// folder of the server; resources are the language guides and examples. There is no shell and no
// network. Limits are the server's: a caller can lower them for one call, not raise them.
#pragma once

#include "plan/service/mcp_files.h"
#include "plan/service/service_work.h"

#include <jansson.h>

typedef struct McpLimits {
  double seconds; // for one call
  unsigned mib;   // of memory
  size_t bytes;   // of an answer
} McpLimits;

// A call of a tool that runs something. The model was read without errors.
typedef struct McpCall {
  const char *tool; // "check", "lint", "simulate" or "explain"
  const char *name, *text;
  size_t size;
  const char *const *queries; // those of the caller or of the model, up to NULL
  const json_t *arguments;
  McpLimits limits;
  void *state;
  int (*stop)(void *state, double visited);
} McpCall;

typedef struct Mcp {
  McpFiles files;
  McpLimits limits;
  json_t *(*run)(const McpCall *); // an object; NULL: out of memory
} Mcp;

// The answer to a request; NULL, with a code of JSON-RPC and a reason, if it is wrong.
json_t *mcp_answer(Mcp *, ServiceWork *, const char *method, const json_t *params, int *code,
                   const char **why);
