// The engine in a worker of a browser: one service (tarn.h), whose messages go to JavaScript.
#include "tarn.h"

#include <emscripten.h>
#include <string.h>

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
