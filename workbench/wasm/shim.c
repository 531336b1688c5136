// The engine in a worker of a browser: one service (tarn.h), whose messages go to JavaScript.
#include "output/page.h"
#include "plan/recheck.h"
#include "plan/service/mcp.h"
#include "tarn.h"

#include <emscripten.h>
#include <string.h>

// The server for assistants reads files: a page has none.
void mcp_files_close(McpFiles *files) { (void)files; }
json_t *mcp_answer(Mcp *mcp, ServiceWork *work, const char *method, const json_t *params,
                   int *code, const char **why) {
  (void)mcp, (void)work, (void)method, (void)params, (void)code, (void)why;
  return NULL;
}

// No certificate is written, as there are no files: the code that checks one is left out.
void recheck_certificate(Tarn *tarn, double max_seconds) { (void)tarn, (void)max_seconds; }

// The page of a result is made of files that are not here (embedded_files.c).
bool page_write(Text *text, const Net *net, const Options *options, const Answers *answers) {
  (void)text, (void)net, (void)options, (void)answers;
  return false;
}

EM_JS(void, shim_send, (const char *message), { Module.onmessage(UTF8ToString(message)); });

static TarnService *service;

static void send_message(void *state, const char *message, size_t size) {
  (void)state, (void)size;
  shim_send(message);
}

EMSCRIPTEN_KEEPALIVE int shim_start(void) {
  service = tarn_service_new(NULL, send_message);
  return service != NULL;
}

EMSCRIPTEN_KEEPALIVE int shim_receive(const char *message) {
  return tarn_service_receive(service, message, strlen(message));
}

EMSCRIPTEN_KEEPALIVE void shim_idle(void) { tarn_service_idle(service); }
