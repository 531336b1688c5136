#include "output/randomtext.h"

#include "output/jsonparts.h"
#include "output/runtext.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

static void add_locations(Text *text, const Net *net, const int32_t *state) {
  for (ProcessId p = 0; p < net->processes.size; p++)
    text_addf(text, "%s%s.%s", p ? "," : "", net->processes.items[p].name,
              net_location(net, p, state[net->location_slot + p])->name);
}

// The variables; with the state before, only those that have changed.
static void add_variables(Text *text, const Net *net, const bool *is_real, const int32_t *state,
                          const int32_t *before) {
  for (uint32_t slot = 0; slot < net->location_slot; slot += is_real[slot] ? 2 : 1) {
    const bool is_wide = is_real[slot];
    if (before && before[slot] == state[slot] &&
        (!is_wide || before[slot + 1] == state[slot + 1]))
      continue;
    text_addf(text, "%s%s=", text->size ? "  " : "", net->slots.names[slot]);
    if (is_wide)
      text_addf(text, "%g", real_load(state + slot));
    else
      text_addf(text, "%d", state[slot]);
  }
}

static void add_clocks(Text *text, const Net *net, const double *clocks) {
  for (ClockIndex x = 1; x <= net->clock_count; x++)
    text_addf(text, "%s%s=%g", text->size ? "  " : "", net->clock_names[x], clocks[x]);
}

static void add_whole(Text *text, Text *line, const Net *net, const bool *is_real,
                      const int32_t *state, const double *clocks) {
  add_locations(line, net, state);
  runtext_add_line(text, line);
  add_variables(line, net, is_real, state, NULL);
  add_clocks(line, net, clocks);
  runtext_add_line(text, line);
}

void randomtext_write(Text *text, const Net *net, const RandomRun *run, const RandomText *how) {
  Text line = {.mem = text->mem};
  bool *is_real = mem_alloc(text->mem, net->slots.count + 1);
  random_run_reals(net, is_real);
  text_addf(text, "run %" PRIu64 " of seed %" PRIu64 "%s%s:\n", run->run, run->seed,
            how->query ? ", " : "", how->query ? how->query : "");
  for (uint32_t k = 0; k < run->step_count; k++) {
    const RandomStep *step = &run->steps[k];
    if (k) {
      runtext_edges(&line, net, step->edges, step->edge_count);
      text_addf(text, "%4u  at %.9g  %s\n", k, step->time, text_chars(&line));
      text_clear(&line);
    }
    if (!k || how->is_full) {
      add_whole(text, &line, net, is_real, step->state, step->clocks);
    } else {
      add_variables(&line, net, is_real, step->state, step[-1].state);
      runtext_add_line(text, &line);
    }
  }
  text_addf(text, "      at %.9g  the end", run->end_time);
  if (how->has_outcome)
    text_addf(text, ": %s", run->is_satisfied ? "satisfied" : "not satisfied");
  if (how->has_value)
    text_addf(text, ": the value is %g", run->value);
  text_add_char(text, '\n');
  add_whole(text, &line, net, is_real, run->steps[run->step_count - 1].state, run->end_clocks);
  mem_free(text->mem, is_real);
  text_release(&line);
}

// A number that JSON has; others are null.
static json_t *real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

// An exact number as a fraction, if both parts are small.
static json_t *exact(double value) {
  int64_t under = 1;
  while (under < INT64_C(1) << 52 && value * (double)under != floor(value * (double)under))
    under *= 2;
  const double over = value * (double)under;
  if (over != floor(over) || fabs(over) > 0x1p62)
    return real(value);
  char digits[64];
  if (under == 1)
    snprintf(digits, sizeof digits, "%" PRId64, (int64_t)over);
  else
    snprintf(digits, sizeof digits, "%" PRId64 "/%" PRId64, (int64_t)over, under);
  return json_string(digits);
}

static json_t *number(const RandomRun *run, double value) {
  return run->tolerance == 0 ? exact(value) : real(value);
}

static json_t *json_clocks(const Net *net, const RandomRun *run, const double *clocks) {
  json_t *object = json_object();
  for (ClockIndex x = 1; x <= net->clock_count; x++)
    json_object_set_new(object, net->clock_names[x], number(run, clocks[x]));
  return object;
}

static json_t *json_state(const Net *net, const bool *is_real, const int32_t *state) {
  json_t *variables = json_object();
  for (uint32_t slot = 0; slot < net->location_slot; slot += is_real[slot] ? 2 : 1)
    json_object_set_new(variables, net->slots.names[slot],
                        is_real[slot] ? real(real_load(state + slot))
                                      : json_integer(state[slot]));
  return json_pack("{s:o, s:o}", "locations", jsonparts_locations(net, state), "variables",
                   variables);
}

static json_t *json_step(const Net *net, const RandomRun *run, const bool *is_real,
                         const RandomStep *step) {
  json_t *object = json_state(net, is_real, step->state);
  json_t *draws = json_array();
  for (uint32_t k = 0; k < step->draw_count; k++)
    json_array_append_new(draws, real(step->draws[k]));
  json_object_set_new(object, "time", number(run, step->time));
  json_object_set_new(object, "clocks", json_clocks(net, run, step->clocks));
  json_object_set_new(object, "edges", jsonparts_edges(net, step->edges, step->edge_count));
  if (step->draw_count)
    json_object_set_new(object, "draws", draws);
  else
    json_decref(draws);
  return object;
}

void randomtext_json(Text *text, const Net *net, const RandomRun *run, const RandomText *how) {
  bool *is_real = mem_alloc(text->mem, net->slots.count + 1);
  json_t *steps = json_array();
  random_run_reals(net, is_real);
  for (uint32_t k = 0; k < run->step_count; k++)
    json_array_append_new(steps, json_step(net, run, is_real, &run->steps[k]));
  json_t *object =
      json_pack("{s:s, s:I, s:I, s:o}", "kind", "random run", "seed", (json_int_t)run->seed,
                "run", (json_int_t)run->run, "tolerance", real(run->tolerance));
  if (how->query)
    json_object_set_new(object, "query", json_string(how->query));
  if (how->has_outcome)
    json_object_set_new(object, "satisfied", json_boolean(run->is_satisfied));
  if (how->has_value)
    json_object_set_new(object, "value", real(run->value));
  json_object_set_new(object, "steps", steps);
  json_object_set_new(object, "end_time", number(run, run->end_time));
  json_object_set_new(object, "end_clocks", json_clocks(net, run, run->end_clocks));
  jsonparts_line(text, object, JSON_COMPACT | JSON_REAL_PRECISION(17));
  mem_free(text->mem, is_real);
}
