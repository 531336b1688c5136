// The tools of the server for assistants (plan/service/mcp.h), each made of calls of tarn.h.
#include "base/timer.h"
#include "plan/load.h"
#include "plan/service/mcp.h"
#include "plan/service/service.h"
#include "tarn.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Work {
  const McpCall *call;
  Tarn *tarn;
  double end;
} Work;

static int stops(void *state) {
  const Work *w = state;
  return w->call->stop(w->call->state, tarn_statistic(w->tarn, "visited"));
}

// What is left of the time of the call; at least a little, so that it is a limit.
static void limit(const Work *w) {
  char seconds[40];
  const double left = w->end - timer_seconds();
  snprintf(seconds, sizeof seconds, "%.3f", left > 0.001 ? left : 0.001);
  tarn_set(w->tarn, "time-limit", seconds);
}

// At most as much as an answer may have: larger ones are not even made.
static char *written(const Work *w, const char *what, const char *format) {
  const long size = tarn_write_buffer(w->tarn, NULL, 0, what, format);
  char *text = size < 0 || (size_t)size > w->call->limits.bytes ? NULL : malloc((size_t)size + 1);
  if (text)
    tarn_write_buffer(w->tarn, text, (size_t)size + 1, what, format);
  return text;
}

static void set_text(const Work *w, json_t *object, const char *key, const char *what,
                     const char *format) {
  char *text = written(w, what, format);
  json_t *string = text ? json_string(text) : NULL;
  json_object_set_new(object, key, string ? string : json_string("(too large)"));
  free(text);
}

static json_t *written_json(const Work *w, const char *what) {
  char *text = written(w, what, "json");
  json_t *json = text ? json_loads(text, 0, NULL) : NULL;
  free(text);
  return json;
}

static void set_error(const Work *w, json_t *object) {
  json_t *text = json_string(tarn_error(w->tarn));
  json_object_set_new(object, "error", text ? text : json_string("an error"));
}

static json_t *check(const Work *w) {
  const bool has_trace = json_is_true(json_object_get(w->call->arguments, "trace"));
  json_t *all = json_array(), *result = json_object();
  tarn_set(w->tarn, "trace", has_trace ? "concrete" : "none");
  for (size_t i = 0; !i || w->call->queries[i]; i++) {
    const char *query = w->call->queries[i];
    limit(w);
    const int verdict = tarn_check(w->tarn, query);
    json_t *answer = verdict < 0 ? NULL : written_json(w, "answer");
    json_t *one = json_array_get(json_object_get(answer, "results"), 0);
    if (one) {
      json_array_append(all, one);
    } else {
      json_t *failed = json_object();
      json_object_set_new(failed, "query", query ? json_string(query) : json_null());
      if (verdict < 0)
        set_error(w, failed);
      else
        json_object_set_new(failed, "cut", json_string("the answer is too large"));
      json_array_append_new(all, failed);
    }
    json_decref(answer);
    if (!query)
      break;
  }
  json_object_set_new(result, "results", all);
  return result;
}

static size_t count_queries(const char *const *queries) {
  size_t count = 0;
  while (queries[count])
    count++;
  return count;
}

static json_t *lint(const Work *w) {
  limit(w);
  json_t *result = NULL;
  if (tarn_lint(w->tarn, w->call->queries, count_queries(w->call->queries)) != -1)
    result = written_json(w, "lint");
  if (!result) {
    result = json_object();
    set_error(w, result);
  }
  return result;
}

static int number_of(const Work *w, const char *key, int initial, int max) {
  const json_t *value = json_object_get(w->call->arguments, key);
  const json_int_t number = json_integer_value(value);
  return !json_is_integer(value) || number < 0 ? initial : number > max ? max : (int)number;
}

static json_t *simulate(const Work *w) {
  json_t *result = json_object();
  limit(w);
  if (tarn_simulate_text(w->tarn, NULL) ||
      tarn_step_randomly(w->tarn, number_of(w, "steps", 10, 1000),
                         number_of(w, "seed", 1, 1 << 30)) < 0) {
    set_error(w, result);
    return result;
  }
  json_t *run = written_json(w, "run");
  json_object_set_new(result, "run", run ? run : json_object());
  const char *stuck = tarn_stuck(w->tarn);
  json_object_set_new(result, "stuck", stuck ? json_string(stuck) : json_null());
  set_text(w, result, "text", "run", "text");
  return result;
}

static json_t *explain(const Work *w) {
  json_t *list = json_array();
  tarn_set(w->tarn, "trace", "concrete");
  tarn_set(w->tarn, "explain", "yes");
  for (size_t i = 0; !i || w->call->queries[i]; i++) {
    const char *query = w->call->queries[i];
    json_t *one = json_object();
    json_object_set_new(one, "query", query ? json_string(query) : json_null());
    limit(w);
    if (tarn_plan(w->tarn, query)) {
      set_error(w, one);
    } else {
      set_text(w, one, "plan", "plan", "text");
      if (tarn_check(w->tarn, query) < 0) {
        set_error(w, one);
      } else {
        set_text(w, one, "answer", "answer", "text");
        set_text(w, one, "stages", "stages", "text");
      }
    }
    json_array_append_new(list, one);
    if (!query)
      break;
  }
  return json_pack("{s:o}", "explanations", list);
}

static const struct {
  const char *name;
  json_t *(*run)(const Work *);
} tools[] = {{"check", check}, {"lint", lint}, {"simulate", simulate}, {"explain", explain}};

static json_t *run(const McpCall *call) {
  Work w = {call, tarn_init(), timer_seconds() + call->limits.seconds};
  json_t *result = NULL;
  char memory[20];
  if (!w.tarn)
    return NULL;
  snprintf(memory, sizeof memory, "%u", call->limits.mib);
  tarn_set(w.tarn, "memory-limit", memory);
  limit(&w);
  tarn_set_terminate(w.tarn, &w, stops);
  if (load_copy(w.tarn, call->name, call->text, call->size)) {
    result = json_object();
    set_error(&w, result);
  }
  for (size_t i = 0; !result && i < sizeof tools / sizeof *tools; i++)
    if (!strcmp(tools[i].name, call->tool))
      result = tools[i].run(&w);
  tarn_release(w.tarn);
  return result;
}

TarnService *tarn_mcp_new(const char *root, double seconds, unsigned mib, size_t bytes,
                          void *state,
                          void (*send)(void *state, const char *message, size_t size)) {
  Mcp *mcp = calloc(1, sizeof *mcp);
  if (!mcp)
    return NULL;
  *mcp = (Mcp){.files = {-1}, .limits = {seconds, mib, bytes}, .run = run};
  Service *service = root && !mcp_files_open(&mcp->files, root)
                         ? NULL
                         : service_new(&(ServiceCalls){.state = state, .send = send, .mcp = mcp});
  if (!service) {
    mcp_files_close(&mcp->files);
    free(mcp);
  }
  return (TarnService *)service;
}
