#include "plan/run_reader.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DENOMINATOR = 1 << 30 };
#define MAX_NUMERATOR (INT64_C(1) << 60)

typedef struct Reader {
  Arena *arena;
  const Net *net;
  Report *report;
  int64_t denominator; // common one of the present run
  unsigned result, step;
} Reader;

static bool refuse(Reader *r, const char *what) {
  return report_error(r->report, (Place){0}, "result %u, step %u of the run: %s", r->result,
                      r->step, what);
}

typedef struct Fraction {
  int64_t over, under;
} Fraction;

// The number in the unit of the net (model/scale.h). Denominators stay small, which the replayer
// counts on.
static bool to_unit(Reader *r, Fraction *fraction) {
  const int64_t unit = net_unit(r->net), common = text_divisor(fraction->over, unit);
  fraction->over /= common;
  if (__builtin_mul_overflow(fraction->under, unit / common, &fraction->under) ||
      fraction->under > MAX_DENOMINATOR)
    return refuse(r, "a time is too fine for this model");
  return true;
}

// `7`, `"7"` or `"7/2"`; none is negative.
static bool read_fraction(Reader *r, const json_t *json, Fraction *fraction) {
  *fraction = (Fraction){0, 1};
  if (json_is_integer(json)) {
    fraction->over = json_integer_value(json);
  } else if (json_is_string(json)) {
    const char *text = json_string_value(json);
    char *end;
    errno = 0;
    fraction->over = strtoll(text, &end, 10);
    if (end == text)
      return refuse(r, "a number is missing");
    if (*end == '/')
      fraction->under = strtoll(text = end + 1, &end, 10);
    if (*end || end == text || errno)
      return refuse(r, "not a number");
  } else {
    return refuse(r, "a number is missing");
  }
  if (fraction->over < 0)
    return refuse(r, "a time or the value of a clock is negative");
  if (fraction->under < 1 || fraction->under > MAX_DENOMINATOR || fraction->over > MAX_NUMERATOR)
    return refuse(r, "a number is out of range");
  return to_unit(r, fraction);
}

// Makes the common denominator one of this number too.
static bool widen(Reader *r, const json_t *json) {
  Fraction fraction;
  if (!read_fraction(r, json, &fraction))
    return false;
  // Both are at most MAX_DENOMINATOR: their product is below 2^61.
  r->denominator = r->denominator / text_divisor(r->denominator, fraction.under) * fraction.under;
  return r->denominator <= MAX_DENOMINATOR || refuse(r, "the denominators are too large");
}

static bool widen_all(Reader *r, json_t *clocks) {
  const char *name;
  json_t *value;
  json_object_foreach(clocks, name, value) if (!widen(r, value)) return false;
  return true;
}

static bool find_denominator(Reader *r, json_t *trace, json_t *steps) {
  json_t *step;
  size_t i;
  r->denominator = 1;
  json_array_foreach(steps, i, step) {
    r->step = (unsigned)i;
    if (!widen(r, json_object_get(step, "time")) ||
        !widen_all(r, json_object_get(step, "clocks")))
      return false;
  }
  return widen(r, json_object_get(trace, "end_time")) &&
         widen_all(r, json_object_get(trace, "end_clocks"));
}

static bool read_scaled(Reader *r, const json_t *json, int64_t *value) {
  Fraction fraction;
  if (!read_fraction(r, json, &fraction))
    return false;
  if (__builtin_mul_overflow(fraction.over, r->denominator / fraction.under, value))
    return refuse(r, "a number is out of range");
  return true;
}

static bool read_clocks(Reader *r, const json_t *json, const int64_t **clocks) {
  if (!json)
    return true;
  int64_t *values = ARENA_ARRAY(r->arena, int64_t, r->net->clock_count + 1);
  for (ClockIndex x = 1; x <= r->net->clock_count; x++)
    if (!read_scaled(r, json_object_get(json, r->net->clock_names[x]), &values[x]))
      return false;
  *clocks = values;
  return true;
}

bool run_read_locations(const Net *net, const json_t *json, int32_t *state) {
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const char *name = json_string_value(json_object_get(json, net->processes.items[p].name));
    const LocationId location = name ? net_find_location(net, p, name) : NET_NONE;
    if (location == NET_NONE)
      return false;
    state[net->location_slot + p] = net_index(net, location);
  }
  return true;
}

static bool read_state(Reader *r, const json_t *step, const int32_t **state) {
  const Net *net = r->net;
  const json_t *variables = json_object_get(step, "variables");
  int32_t *values = ARENA_ARRAY(r->arena, int32_t, net->slots.count);
  for (uint32_t slot = 0; slot < net->location_slot; slot++) {
    const json_t *value = json_object_get(variables, net->slots.names[slot]);
    if (!json_is_integer(value) ||
        json_integer_value(value) != (int32_t)json_integer_value(value))
      return refuse(r, "the value of a variable is missing");
    values[slot] = (int32_t)json_integer_value(value);
  }
  *state = values;
  return run_read_locations(net, json_object_get(step, "locations"), values) ||
         refuse(r, "the location of a process is missing or unknown");
}

static bool is_named(const json_t *object, const char *key, const char *name) {
  const char *value = json_string_value(json_object_get(object, key));
  return value && !strcmp(value, name);
}

static bool fits(const Net *net, const Edge *edge, const json_t *json) {
  return is_named(json, "process", net->processes.items[edge->process].name) &&
         is_named(json, "source", net->locations.items[edge->source].name) &&
         is_named(json, "target", net->locations.items[edge->target].name) &&
         is_named(json, "event", net->events.items[edge->event].name);
}

const Edge *run_read_edge(const Net *net, const json_t *json, const char **why) {
  const json_t *index = json_object_get(json, "index");
  const Edge *found = NULL;
  *why = "there is no such edge";
  if (index && !json_is_integer(index)) {
    *why = "the index of an edge is not a number";
    return NULL;
  }
  for (uint32_t i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    if ((index && json_integer_value(index) != (json_int_t)i) || !fits(net, edge, json))
      continue;
    if (found) {
      *why = "several edges are of this description; give the index";
      return NULL;
    }
    found = edge;
  }
  return found;
}

static const Edge *read_edge(Reader *r, const json_t *json) {
  const char *why;
  const Edge *edge = run_read_edge(r->net, json, &why);
  if (!edge)
    refuse(r, why);
  return edge;
}

static bool read_step(Reader *r, const json_t *json, RunStep *step) {
  json_t *edges = json_object_get(json, "edges"), *edge;
  const size_t count = json_array_size(edges);
  const Edge **list = ARENA_ARRAY(r->arena, const Edge *, count);
  size_t i;
  json_array_foreach(edges, i, edge) if (!(list[i] = read_edge(r, edge))) return false;
  step->edges = list;
  step->edge_count = (uint32_t)count;
  return read_scaled(r, json_object_get(json, "time"), &step->time) &&
         read_state(r, json, &step->state) &&
         read_clocks(r, json_object_get(json, "clocks"), &step->clocks);
}

// `"loop": {"from": 3}`: what follows step 3 repeats for ever; with `"times": "vary"` at other
// times in each round. With `"to": 5` steps 4 and 5 repeat, any number of times, and then the
// rest follows; with `"to": 3` time can pass there for as long as one likes.
static bool read_loop(Reader *r, const json_t *loop, Run *run) {
  if (!loop)
    return true;
  const json_t *from = json_object_get(loop, "from"), *to = json_object_get(loop, "to");
  if (!json_is_integer(from) || json_integer_value(from) < 0 ||
      json_integer_value(from) >= (json_int_t)run->step_count - !to)
    return refuse(r, "`loop` needs `from`, the number of a step before it");
  if (to && (!json_is_integer(to) || json_integer_value(to) < json_integer_value(from) ||
             json_integer_value(to) >= (json_int_t)run->step_count))
    return refuse(r, "`to` of `loop` is no step, or before that of `from`");
  run->goes_on = to;
  run->loop_to = to ? (uint32_t)json_integer_value(to) : 0;
  run->repeats = true;
  run->varies = is_named(loop, "times", "vary");
  run->loop_from = (uint32_t)json_integer_value(from);
  return true;
}

static bool read_trace(Reader *r, json_t *trace, Run *run) {
  json_t *steps = json_object_get(trace, "steps"), *json;
  if (!json_array_size(steps))
    return refuse(r, "there are no steps");
  if (!find_denominator(r, trace, steps))
    return false;
  RunStep *list = ARENA_ARRAY(r->arena, RunStep, json_array_size(steps));
  size_t i;
  json_array_foreach(steps, i, json) {
    r->step = (unsigned)i;
    if (!read_step(r, json, &list[i]))
      return false;
  }
  *run = (Run){.steps = list,
               .step_count = (uint32_t)json_array_size(steps),
               .denominator = r->denominator};
  return read_loop(r, json_object_get(trace, "loop"), run) &&
         read_scaled(r, json_object_get(trace, "end_time"), &run->end_time) &&
         read_clocks(r, json_object_get(trace, "end_clocks"), &run->end_clocks);
}

// The runs of a result: `traces` has all, `trace` the first of them.
static json_t *runs_of(json_t *result) {
  json_t *traces = json_object_get(result, "traces"), *trace = json_object_get(result, "trace");
  if (json_is_array(traces))
    return json_incref(traces);
  return trace ? json_pack("[O]", trace) : json_array();
}

// One run of a result.
static bool read_result(Reader *r, StoredRuns *runs, const json_t *result, json_t *trace,
                        RunNet *net_of, void *state) {
  const char *query = json_string_value(json_object_get(result, "query"));
  const char *reason = json_string_value(json_object_get(result, "reason"));
  const char *values = json_string_value(json_object_get(result, "values"));
  const char *verdict = json_string_value(json_object_get(result, "verdict"));
  StoredRun stored = {.is_labels = json_is_true(json_object_get(result, "labels"))};
  if (query)
    stored.query = arena_text(r->arena, query, strlen(query));
  const char *shows = json_string_value(json_array_get(json_object_get(trace, "covers"), 0));
  if (values)
    stored.values = arena_text(r->arena, values, strlen(values));
  if (values && shows)
    stored.shows = arena_text(r->arena, shows, strlen(shows));
  if (verdict)
    stored.verdict = arena_text(r->arena, verdict, strlen(verdict));
  if (!query && reason)
    stored.reason = arena_text(r->arena, reason, strlen(reason));
  stored.net = r->net = net_of(state, &stored);
  if (!r->net || !read_trace(r, trace, &stored.run))
    return false;
  vec_push(r->arena->mem, runs, stored);
  return true;
}

static bool read_results(Reader *r, StoredRuns *runs, json_t *results, RunNet *net_of,
                         void *state) {
  json_t *result, *trace;
  size_t i, k;
  bool ok = true;
  json_array_foreach(results, i, result) {
    json_t *list = runs_of(result);
    r->result = (unsigned)i;
    json_array_foreach(list, k, trace) {
      r->step = 0;
      ok = ok && (!is_named(trace, "kind", "concrete") ||
                  read_result(r, runs, result, trace, net_of, state));
    }
    json_decref(list);
  }
  return ok;
}

bool run_read(StoredRuns *runs, Arena *arena, RunNet *net_of, void *state, const Source *source,
              Report *report) {
  Reader reader = {.arena = arena, .report = report};
  json_error_t error;
  json_t *root = json_loadb(source->text, source->size, JSON_REJECT_DUPLICATES, &error);
  if (!root) {
    const uint32_t offset = error.position > 0 ? (uint32_t)error.position : 0;
    return report_error(report, (Place){source, offset},
                        "not JSON, as `tarn check --trace concrete --json` prints runs: %s",
                        error.text);
  }
  const uint32_t before = runs->size;
  const bool ok = read_results(&reader, runs, json_object_get(root, "results"), net_of, state);
  json_decref(root);
  if (ok && runs->size == before)
    report_error(report, (Place){0},
                 "%s: there is no concrete run in it; use --json --trace concrete", source->name);
  return ok && runs->size > before;
}
