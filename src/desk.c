// The services of tarn.h, and the desk behind each: one model that is read, checked and simulated
// by messages, for a workbench. Its methods are those of JSON-RPC whose names begin with `tarn/`:
// the table `methods`, and `read`. Any message is safe.
#include "base/timer.h"
#include "plan/load.h"
#include "plan/service/service.h"
#include "tarn.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Desk {
  Tarn *tarn; // NULL: no model was read
  bool is_read, is_simulated;
  void *state;
  void (*send)(void *state, const char *message, size_t size);
  double told;    // when progress was told last
  double seconds; // at most, of each call; 0: any
  unsigned mib;
  const char *why; // an error that the library does not know; NULL: none
} Desk;

static Desk *desk_new(void *state, void (*send)(void *state, const char *message, size_t size)) {
  Desk *e = calloc(1, sizeof *e);
  if (e)
    *e = (Desk){.state = state, .send = send};
  return e;
}

static void desk_release(void *desk) {
  Desk *e = desk;
  if (e)
    tarn_release(e->tarn);
  free(e);
}

// Tells how far a search is, ten times a second.
static int tell(void *desk) {
  Desk *e = desk;
  const double now = timer_seconds();
  char message[200];
  if (now - e->told < 0.1)
    return 0;
  e->told = now;
  const int size =
      snprintf(message, sizeof message,
               "{\"jsonrpc\":\"2.0\",\"method\":\"tarn/progress\",\"params\":"
               "{\"visited\":%.0f,\"bytes\":%.0f}}",
               tarn_statistic(e->tarn, "visited"), tarn_statistic(e->tarn, "node_bytes"));
  e->send(e->state, message, (size_t)size);
  return 0;
}

static const char *text_of(const json_t *params, const char *key) {
  return json_string_value(json_object_get(params, key));
}

static char *written(Tarn *tarn, const char *what, const char *format) {
  const long size = tarn_write_buffer(tarn, NULL, 0, what, format);
  char *text = size < 0 ? NULL : malloc((size_t)size + 1);
  if (text)
    tarn_write_buffer(tarn, text, (size_t)size + 1, what, format);
  return text;
}

static json_t *written_json(Tarn *tarn, const char *what) {
  char *text = written(tarn, what, "json");
  json_t *json = text ? json_loads(text, 0, NULL) : NULL;
  free(text);
  return json;
}

static json_t *written_text(Tarn *tarn, const char *what, const char *format) {
  char *text = written(tarn, what, format);
  json_t *json = text ? json_string(text) : NULL;
  free(text);
  return json;
}

// Senders of messages get no files.
static bool names_file(const char *name) {
  TarnOption option;
  for (size_t i = 0; !tarn_option(i, &option); i++)
    if (!strcmp(option.name, name))
      return option.argument &&
             (!strcmp(option.argument, "FILE") || !strcmp(option.argument, "DIR"));
  return false;
}

static void set_limit(Tarn *tarn, const json_t *options, const char *name, double max) {
  const char *given = text_of(options, name);
  const double wanted = given ? strtod(given, NULL) : 0;
  char text[40];
  if (max > 0 && !(wanted > 0 && wanted <= max)) {
    snprintf(text, sizeof text, strcmp(name, "time-limit") ? "%.0f" : "%.3f", max);
    tarn_set(tarn, name, text);
  }
}

// Earlier options are forgotten: each call gives all that are not the default.
static bool set_options(Desk *e, json_t *options) {
  const char *name;
  json_t *value;
  tarn_set(e->tarn, NULL, NULL);
  json_object_foreach(options, name, value) {
    if (names_file(name)) {
      e->why = "options that name a file are for the command line";
      return false;
    }
    if (!json_is_string(value) || tarn_set(e->tarn, name, json_string_value(value)))
      return false;
  }
  set_limit(e->tarn, options, "time-limit", e->seconds);
  set_limit(e->tarn, options, "memory-limit", e->mib);
  return true;
}

static json_t *queries(Tarn *tarn) {
  json_t *list = json_array();
  for (size_t i = 0; i < tarn_query_count(tarn); i++) {
    const TarnQuery *query = tarn_query_at(tarn, i);
    json_array_append_new(list, json_pack("{s:s, s:s?}", "text", tarn_query_text(query), "expect",
                                          tarn_query_expectation(query)));
  }
  return list;
}

static json_t *read_model(Desk *e, const json_t *params) {
  const char *text = text_of(params, "text"), *language = text_of(params, "language");
  tarn_release(e->tarn);
  e->is_read = e->is_simulated = false;
  e->tarn = tarn_init();
  if (!e->tarn || !text)
    return NULL;
  tarn_set_terminate(e->tarn, e, tell);
  if (!set_options(e, json_object_get(params, "options")) ||
      tarn_read_text(e->tarn, text, language ? language : "uppaal"))
    return NULL;
  e->is_read = true;
  return json_pack("{s:s, s:o, s:o*, s:s}", "language", tarn_language(e->tarn), "queries",
                   queries(e->tarn), "model", written_json(e->tarn, "model"), "warnings",
                   tarn_warnings(e->tarn));
}

static json_t *check(Desk *e, const json_t *params) {
  if (!set_options(e, json_object_get(params, "options")) ||
      tarn_check(e->tarn, text_of(params, "query")) < 0)
    return NULL;
  json_t *answer = written_json(e->tarn, "answer");
  if (json_is_object(answer))
    json_object_set_new(answer, "text", written_text(e->tarn, "answer", "text"));
  return answer;
}

static json_t *plan(Desk *e, const json_t *params) {
  return set_options(e, json_object_get(params, "options")) &&
                 !tarn_plan(e->tarn, text_of(params, "query"))
             ? written_text(e->tarn, "plan", "text")
             : NULL;
}

static json_t *simulate(Desk *e, const json_t *params) {
  const char *mode = text_of(params, "mode");
  e->is_simulated = false;
  if (mode && !strcmp(mode, "symbolic") ? tarn_simulate_symbolically(e->tarn)
                                        : tarn_simulate_text(e->tarn, text_of(params, "run")))
    return NULL;
  e->is_simulated = true;
  return written_json(e->tarn, "simulation");
}

static json_t *after(Desk *e, int result) {
  return result < 0 ? NULL : written_json(e->tarn, "simulation");
}

static size_t number_of(const json_t *params, const char *key) {
  const json_int_t number = json_integer_value(json_object_get(params, key));
  return number < 0 || number > 1000000000 ? 1000000000 : (size_t)number;
}

static json_t *step(Desk *e, const json_t *params) {
  return after(e, tarn_step(e->tarn, number_of(params, "choice"), text_of(params, "delay")));
}

static json_t *wait_delay(Desk *e, const json_t *params) {
  const char *delay = text_of(params, "delay");
  return after(e, tarn_wait(e->tarn, delay ? delay : ""));
}

static json_t *back(Desk *e, const json_t *params) {
  (void)params;
  return after(e, tarn_step_back(e->tarn));
}

static json_t *go_to(Desk *e, const json_t *params) {
  return after(e, tarn_step_to(e->tarn, number_of(params, "step")));
}

static json_t *go_randomly(Desk *e, const json_t *params) {
  return after(e, tarn_step_randomly(e->tarn, (int)number_of(params, "count"),
                                     (int)number_of(params, "seed")));
}

static json_t *run(Desk *e, const json_t *params) {
  (void)params;
  return written_json(e->tarn, "run");
}

static json_t *write_model(Desk *e, const json_t *params) {
  const char *format = text_of(params, "format");
  const bool is_tchecker = format && !strcmp(format, "tck");
  return written_text(e->tarn, "model", is_tchecker ? "tchecker" : format ? format : "xml");
}

static json_t *lint(Desk *e, const json_t *params) {
  if (!set_options(e, json_object_get(params, "options")) || tarn_lint(e->tarn, NULL, 0) == -1)
    return NULL;
  return written_json(e->tarn, "lint");
}

typedef enum Need { MODEL = 1, SIMULATION } Need;

static const struct {
  const char *method;
  json_t *(*answer)(Desk *, const json_t *params);
  Need need;
} methods[] = {
    {"check", check, MODEL},
    {"plan", plan, MODEL},
    {"lint", lint, MODEL},
    {"write", write_model, MODEL},
    {"simulate", simulate, MODEL},
    {"step", step, SIMULATION},
    {"wait", wait_delay, SIMULATION},
    {"back", back, SIMULATION},
    {"goto", go_to, SIMULATION},
    {"random", go_randomly, SIMULATION},
    {"run", run, SIMULATION},
};

static const char *error_of(const Desk *e) {
  return !e->tarn ? "out of memory" : e->why ? e->why : tarn_error(e->tarn);
}

static json_t *answer(Desk *e, const char *method, const json_t *params, const char **why) {
  e->why = NULL;
  if (!strcmp(method, "read")) {
    json_t *result = read_model(e, params);
    *why = error_of(e);
    if (!result && !**why)
      *why = "`text` is missing";
    return result;
  }
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    if (strcmp(method, methods[i].method) != 0)
      continue;
    if (!e->is_read || (methods[i].need == SIMULATION && !e->is_simulated)) {
      *why = e->is_read ? "no simulation was started" : "no model was read";
      return NULL;
    }
    json_t *result = methods[i].answer(e, params);
    *why = error_of(e);
    return result;
  }
  return NULL;
}

static char *desk_call(void *desk, const char *method, const json_t *params, const char **why) {
  json_t *result = answer(desk, method, params, why);
  char *text = result ? json_dumps(result, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
  json_decref(result);
  return text;
}

typedef struct Checking {
  const ServiceCheck *check;
  const Tarn *tarn;
} Checking;

static int stops(void *state) {
  const Checking *c = state;
  return c->check->stop(c->check->state, tarn_statistic(c->tarn, "visited"));
}

// The answer to a query of an open document, for the service.
static char *check_text(const ServiceCheck *check) {
  Tarn *tarn = tarn_init();
  char *answer = NULL;
  if (!tarn)
    return NULL;
  Checking checking = {check, tarn};
  const bool is_page = !strcmp(check->what, "page");
  tarn_set(tarn, "time-limit", check->time_limit);
  tarn_set(tarn, "memory-limit", check->memory_limit);
  tarn_set(tarn, "trace", strcmp(check->what, "check") ? "concrete" : "none");
  tarn_set_terminate(tarn, &checking, stops);
  if (!load_copy(tarn, check->name, check->text, strlen(check->text)))
    tarn_check(tarn, check->query);
  const char *format = is_page && tarn->state == ANSWERED ? "html" : "json";
  const long size = tarn_write_buffer(tarn, NULL, 0, "answers", format);
  if (size >= 0 && (answer = malloc((size_t)size + 1)))
    tarn_write_buffer(tarn, answer, (size_t)size + 1, "answers", format);
  tarn_release(tarn);
  return answer;
}

TarnService *tarn_service_new(void *state,
                              void (*send)(void *state, const char *message, size_t size)) {
  Desk *desk = desk_new(state, send);
  Service *service = desk ? service_new(&(ServiceCalls){.state = state,
                                                        .send = send,
                                                        .check = check_text,
                                                        .desk = desk,
                                                        .call = desk_call,
                                                        .end = desk_release})
                          : NULL;
  if (!service)
    desk_release(desk);
  return (TarnService *)service;
}

void tarn_service_set_limits(TarnService *service, double seconds, unsigned mib) {
  Desk *e = service_desk((const Service *)service);
  service_set_limits((Service *)service, seconds, mib);
  if (e) {
    e->seconds = seconds;
    e->mib = mib;
  }
}

void tarn_service_release(TarnService *service) { service_release((Service *)service); }

int tarn_service_receive(TarnService *service, const char *message, size_t size) {
  return service_receive((Service *)service, message, size);
}

int tarn_service_waits(const TarnService *service) {
  return service_waits((const Service *)service);
}

void tarn_service_idle(TarnService *service) { service_idle((Service *)service); }

void tarn_service_set_poll(TarnService *service, void *state, void (*poll)(void *state)) {
  service_set_poll((Service *)service, state, poll);
}

void tarn_service_notice(TarnService *service, const char *message, size_t size) {
  service_notice((Service *)service, message, size);
}
