#include "plan/service/service_work.h"

#include "base/timer.h"

#include <stdio.h>
#include <string.h>

#define POLL_SECONDS 0.02
#define TELL_SECONDS 0.2
enum { MAX_CANCELLED = 1000 };

void service_work_release(ServiceWork *w) {
  json_decref(w->cancelled);
  json_decref(w->token);
}

static size_t find_cancelled(const ServiceWork *w, const json_t *id) {
  size_t i = 0;
  while (i < json_array_size(w->cancelled) && !json_equal(json_array_get(w->cancelled, i), id))
    i++;
  return i;
}

void service_work_forget(ServiceWork *w, const json_t *id) {
  const size_t i = id ? find_cancelled(w, id) : SIZE_MAX;
  if (i < json_array_size(w->cancelled))
    json_array_remove(w->cancelled, i);
}

bool service_work_begin(ServiceWork *w, json_t *id) {
  w->id = id;
  w->is_cancelled = false;
  w->polled = timer_seconds();
  if (w->poll)
    w->poll(w->poll_state);
  return !w->is_cancelled && find_cancelled(w, id) == json_array_size(w->cancelled);
}

static void send_progress(ServiceWork *w, const char *kind, const char *message) {
  json_t *value = json_pack("{s:s}", "kind", kind);
  if (!strcmp(kind, "begin")) {
    json_object_set_new(value, "title", json_string(w->title));
    json_object_set_new(value, "cancellable", json_true());
  }
  if (message)
    json_object_set_new(value, "message", json_string(message));
  w->send(w->state, json_pack("{s:s, s:s, s:{s:O, s:o}}", "jsonrpc", "2.0", "method",
                              "$/progress", "params", "token", w->token, "value", value));
}

void service_work_end(ServiceWork *w) {
  if (w->token && w->has_begun && !w->is_mcp)
    send_progress(w, "end", w->is_cancelled ? "cancelled" : NULL);
  json_decref(w->token);
  w->token = w->id = NULL;
  w->waits = w->has_begun = w->is_mcp = false;
  w->step = 0;
}

void service_work_tell(ServiceWork *w, json_t *token, const char *title) {
  w->title = title;
  w->told = 0;
  if (json_is_string(token) || json_is_integer(token)) {
    w->token = json_incref(token);
  } else if (w->makes_tokens && !w->is_mcp) {
    char name[40];
    snprintf(name, sizeof name, "tarn-%llu", (unsigned long long)++w->tokens);
    w->token = json_string(name);
    w->waits = true;
    w->send(w->state,
            json_pack("{s:s, s:O, s:s, s:{s:O}}", "jsonrpc", "2.0", "id", w->token, "method",
                      "window/workDoneProgress/create", "params", "token", w->token));
  }
}

static void tell(ServiceWork *w, double visited) {
  char text[60];
  snprintf(text, sizeof text, "%.0f states", visited);
  if (w->is_mcp) {
    w->step = visited > w->step ? visited : w->step + 1; // it must grow
    w->send(w->state, json_pack("{s:s, s:s, s:{s:O, s:f, s:s}}", "jsonrpc", "2.0", "method",
                                "notifications/progress", "params", "progressToken", w->token,
                                "progress", w->step, "message", text));
    return;
  }
  send_progress(w, w->has_begun ? "report" : "begin", text);
  w->has_begun = true;
}

bool service_work_stops(ServiceWork *w, double visited) {
  const double now = timer_seconds();
  if (now - w->polled < POLL_SECONDS)
    return w->is_cancelled;
  w->polled = now;
  if (w->poll)
    w->poll(w->poll_state);
  if (w->token && !w->waits && now - w->told > TELL_SECONDS) {
    tell(w, visited);
    w->told = now;
  }
  return w->is_cancelled;
}

static bool contains(const char *text, size_t size, const char *words) {
  const size_t length = strlen(words);
  for (size_t i = 0; i + length <= size; i++) {
    const char *at = memchr(text + i, *words, size - length - i + 1);
    if (!at)
      return false;
    i = (size_t)(at - text);
    if (!memcmp(at, words, length))
      return true;
  }
  return false;
}

void service_work_notice(ServiceWork *w, const char *message, size_t size) {
  w->has_change |= contains(message, size, "textDocument/did");
  if (size > 4096 || (!contains(message, size, "ancel") && !w->waits))
    return;
  json_t *json = json_loadb(message, size, 0, NULL);
  const char *method = json_string_value(json_object_get(json, "method"));
  json_t *params = json_object_get(json, "params");
  json_t *id = !method                                      ? NULL
               : !strcmp(method, "$/cancelRequest")         ? json_object_get(params, "id")
               : !strcmp(method, "notifications/cancelled") ? json_object_get(params, "requestId")
                                                            : NULL;
  if (!method && w->waits && json_equal(json_object_get(json, "id"), w->token)) {
    w->waits = false;
    if (json_object_get(json, "error")) { // it wants no progress
      json_decref(w->token);
      w->token = NULL;
    }
  } else if (method && !strcmp(method, "window/workDoneProgress/cancel")) {
    w->is_cancelled |= w->token && json_equal(json_object_get(params, "token"), w->token);
  } else if (id && w->id && json_equal(id, w->id)) {
    w->is_cancelled = true;
  } else if (id && json_array_size(w->cancelled) < MAX_CANCELLED) {
    w->cancelled = w->cancelled ? w->cancelled : json_array();
    json_array_append(w->cancelled, id);
  }
  json_decref(json);
}
