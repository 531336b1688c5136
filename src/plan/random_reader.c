#include "plan/random_reader.h"

#include "plan/run_reader.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
  Arena *arena;
  const Net *net;
  Report *report;
  bool *is_real;
  unsigned step;
} Reader;

static bool refuse(Reader *r, const char *what) {
  return report_error(r->report, (Place){0}, "step %u of the run: %s", r->step, what);
}

bool random_reader_is_one(const Source *source) {
  static const char head[] = "{\"kind\":\"random run\"";
  size_t k = 0; // without blanks
  for (size_t i = 0; i < source->size && head[k]; i++) {
    const char c = source->text[i];
    if (c == head[k])
      k++;
    else if (!strchr(" \t\r\n", c) || !c)
      return false;
  }
  return !head[k];
}

static json_t *load(const Source *source, Report *report) {
  json_error_t error;
  json_t *root = json_loadb(source->text, source->size, JSON_REJECT_DUPLICATES, &error);
  if (!root)
    report_error(report, (Place){source, error.position > 0 ? (uint32_t)error.position : 0},
                 "not JSON, as `tarn simulate --run --json` prints runs: %s", error.text);
  return root;
}

const char *random_reader_query(const Source *source, Arena *arena, Report *report) {
  json_t *root = load(source, report);
  const char *query = json_string_value(json_object_get(root, "query"));
  const char *copy = query ? arena_text(arena, query, strlen(query)) : NULL;
  if (root && !query)
    report_error(report, (Place){0}, "%s: the run has no query", source->name);
  json_decref(root);
  return copy;
}

// `7`, `0.5` or the fraction "7/2", whose value must be a number of the machine.
static bool read_number(Reader *r, const json_t *json, double *value) {
  if (json_is_number(json)) {
    *value = json_number_value(json);
    return isfinite(*value) || refuse(r, "a number is too large");
  }
  const char *text = json_string_value(json);
  char *end;
  if (!text)
    return refuse(r, "a number is missing");
  errno = 0;
  const int64_t over = strtoll(text, &end, 10);
  int64_t under = 1;
  if (end != text && *end == '/')
    under = strtoll(text = end + 1, &end, 10);
  if (end == text || *end || errno || under < 1)
    return refuse(r, "not a number");
  *value = (double)over / (double)under;
  if ((int64_t)(double)over != over || fabs((double)over) > 0x1p62 || (under & (under - 1)) != 0)
    return refuse(r, "a fraction is not one of a power of two, or too long");
  return true;
}

static bool read_clocks(Reader *r, const json_t *json, const double **clocks) {
  double *values = ARENA_ARRAY(r->arena, double, r->net->clock_count + 1);
  for (ClockIndex x = 1; x <= r->net->clock_count; x++)
    if (!read_number(r, json_object_get(json, r->net->clock_names[x]), &values[x]))
      return false;
  *clocks = values;
  return true;
}

static bool read_variable(Reader *r, const json_t *json, int32_t *slot, bool is_real) {
  double value;
  if (is_real) {
    if (!read_number(r, json, &value))
      return false;
    real_store(slot, value);
    return true;
  }
  if (!json_is_integer(json) || json_integer_value(json) != (int32_t)json_integer_value(json))
    return refuse(r, "the value of a variable is missing");
  *slot = (int32_t)json_integer_value(json);
  return true;
}

static bool read_state(Reader *r, const json_t *step, const int32_t **state) {
  const Net *net = r->net;
  const json_t *variables = json_object_get(step, "variables");
  int32_t *values = ARENA_ARRAY(r->arena, int32_t, net->slots.count + 1);
  for (uint32_t slot = 0; slot < net->location_slot; slot += r->is_real[slot] ? 2 : 1)
    if (!read_variable(r, json_object_get(variables, net->slots.names[slot]), values + slot,
                       r->is_real[slot]))
      return false;
  *state = values;
  return run_read_locations(net, json_object_get(step, "locations"), values) ||
         refuse(r, "the location of a process is missing or unknown");
}

static bool read_step(Reader *r, const json_t *json, RandomStep *step) {
  const json_t *edges = json_object_get(json, "edges"), *draws = json_object_get(json, "draws");
  const size_t edge_count = json_array_size(edges), draw_count = json_array_size(draws);
  const Edge **list = ARENA_ARRAY(r->arena, const Edge *, edge_count);
  double *numbers = ARENA_ARRAY(r->arena, double, draw_count);
  const char *why;
  for (size_t k = 0; k < edge_count; k++)
    if (!(list[k] = run_read_edge(r->net, json_array_get(edges, k), &why)))
      return refuse(r, why);
  for (size_t k = 0; k < draw_count; k++)
    if (!read_number(r, json_array_get(draws, k), &numbers[k]))
      return false;
  *step = (RandomStep){.edges = list,
                       .edge_count = (uint32_t)edge_count,
                       .draws = numbers,
                       .draw_count = (uint32_t)draw_count};
  return read_number(r, json_object_get(json, "time"), &step->time) &&
         read_state(r, json, &step->state) &&
         read_clocks(r, json_object_get(json, "clocks"), &step->clocks);
}

enum { MAX_TOLERANCE = 1 }; // larger ones would accept anything

static bool read_run(Reader *r, const json_t *root, RandomRun *run) {
  const json_t *steps = json_object_get(root, "steps"), *value = json_object_get(root, "value");
  const size_t count = json_array_size(steps);
  RandomStep *list = ARENA_ARRAY(r->arena, RandomStep, count);
  *run = (RandomRun){
      .seed = (uint64_t)json_integer_value(json_object_get(root, "seed")),
      .run = (uint64_t)json_integer_value(json_object_get(root, "run")),
      .steps = list,
      .step_count = (uint32_t)count,
      .is_satisfied = json_is_true(json_object_get(root, "satisfied")),
  };
  if (!count)
    return refuse(r, "there are no steps");
  if (!read_number(r, json_object_get(root, "tolerance"), &run->tolerance) ||
      (value && !read_number(r, value, &run->value)))
    return false;
  if (!(run->tolerance >= 0 && run->tolerance < MAX_TOLERANCE))
    return refuse(r, "the tolerance must be at least 0 and below 1");
  for (size_t k = 0; k < count; k++) {
    r->step = (unsigned)k;
    if (!read_step(r, json_array_get(steps, k), &list[k]))
      return false;
  }
  return read_number(r, json_object_get(root, "end_time"), &run->end_time) &&
         read_clocks(r, json_object_get(root, "end_clocks"), &run->end_clocks);
}

bool random_reader_run(const Source *source, Arena *arena, const Net *net, RandomRun *run,
                       Report *report) {
  json_t *root = load(source, report);
  Reader r = {.arena = arena,
              .net = net,
              .report = report,
              .is_real = ARENA_ARRAY(arena, bool, net->slots.count + 1)};
  random_run_reals(net, r.is_real);
  const bool ok = root && read_run(&r, root, run);
  json_decref(root);
  return ok;
}
