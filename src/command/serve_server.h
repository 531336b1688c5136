// The server of `tarn serve`: JSON-RPC 2.0 over HTTP on 127.0.0.1, for a workbench.
//
//   GET  /TOKEN/        the page
//   GET  /TOKEN/events  begins an engine (serve_engine.h), and is the stream of what it says
//                       unasked, as server-sent events; the first one, tarn/ready, has its number
//   POST /TOKEN/rpc/N   a message to engine N, and the answer
//
// An engine lives as long as its stream. A request is cancelled when its client disconnects. Host
// and Origin must be ours, so a page of another origin, under any name, gets nothing.
#pragma once

#include "command/http_library.h"
#include "command/serve_engine.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ServeOptions {
  unsigned port;        // 0: any that is free
  EngineLimits limits;  // of each request
  size_t request_bytes; // of a message, at most
  unsigned jobs;        // checks at once
  void *state;
  char *(*page)(void *state, size_t *size); // freed by free(); NULL: there is none
  void (*begun)(const char *url);
} ServeOptions;

#if HAS_HTTP
// Until a signal ends it. False: the port cannot be used.
bool serve_server(const HttpLibrary *, const ServeOptions *);
#endif
