#include "output/runtext.h"

#include "model/state.h"

#include <string.h>

void runtext_edges(Text *text, const Net *net, const Edge *const *edges, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const Edge *edge = edges[i];
    text_addf(text, "%s%s: %s -> %s (%s)", i ? ", " : "",
              net->processes.items[edge->process].name, net->locations.items[edge->source].name,
              net->locations.items[edge->target].name, net->events.items[edge->event].name);
    if (edge->select_text)
      text_addf(text, " [%s]", edge->select_text);
  }
}

static void add_bound(Text *text, const char *const *names, uint32_t i, uint32_t j, Bound bound,
                      int64_t unit) {
  const long long constant = bound_constant(bound) * unit;
  const char *relation = bound_is_strict(bound) ? "<" : "<=";
  if (!i)
    text_addf(text, "%lld%s%s", -constant, relation, names[j]);
  else if (!j)
    text_addf(text, "%s%s%lld", names[i], relation, constant);
  else if (!constant)
    text_addf(text, "%s%s%s", names[i], relation, names[j]);
  else
    text_addf(text, "%s-%s%s%lld", names[i], names[j], relation, constant);
}

// The first clock, or 0, from which clock j differs by a constant; j if there is none.
static uint32_t anchor_of(const Bound *zone, uint32_t n, uint32_t j) {
  const uint32_t stride = dbm_stride(n);
  for (uint32_t i = 0; i < j; i++)
    if (zone[i * stride + j] != BOUND_INF && zone[j * stride + i] != BOUND_INF &&
        bound_sum(zone[i * stride + j], zone[j * stride + i]) == BOUND_LE_ZERO)
      return i;
  return j;
}

// `x=5`, `x=y`, `x=y+3`.
static void add_equality(Text *text, const char *const *names, uint32_t i, uint32_t j,
                         Bound bound, int64_t unit) {
  const long long constant = bound_constant(bound) * unit;
  text_addf(text, "%s=", names[j]);
  if (!i)
    text_addf(text, "%lld", constant);
  else if (constant)
    text_addf(text, "%s%+lld", names[i], constant);
  else
    text_add(text, names[i]);
}

// Whether two constraints that are still there imply the entry [i][j].
static bool is_implied(const Bound *zone, const bool *dropped, uint32_t n, uint32_t i,
                       uint32_t j) {
  const uint32_t stride = dbm_stride(n);
  for (uint32_t k = 0; k < n; k++)
    if (k != i && k != j && !dropped[i * n + k] && !dropped[k * n + j] &&
        bound_sum(zone[i * stride + k], zone[k * stride + j]) <= zone[i * stride + j])
      return true;
  return false;
}

// Clocks that differ from another one by a constant are told so, and then left out: what is said
// of them follows from what is said of the other. Of the rest, the constraints without those that
// others imply, taken away one by one, so that what is left implies them all; x >= 0 goes without
// saying.
void runtext_zone(Text *text, const char *const *names, const Bound *zone, uint32_t n,
                  int64_t unit) {
  const uint32_t stride = dbm_stride(n);
  bool *dropped = mem_alloc(text->mem, (size_t)n * n);
  const char *separator = "";
  for (uint32_t j = 1; j < n; j++) {
    const uint32_t i = anchor_of(zone, n, j);
    if (i == j)
      continue;
    text_add(text, separator);
    add_equality(text, names, i, j, zone[j * stride + i], unit);
    separator = " && ";
    for (uint32_t k = 0; k < n; k++)
      dropped[j * n + k] = dropped[k * n + j] = true;
  }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      const Bound bound = zone[i * stride + j];
      if (i == j || dropped[i * n + j] || bound == BOUND_INF || (!i && bound == BOUND_LE_ZERO))
        continue;
      dropped[i * n + j] = is_implied(zone, dropped, n, i, j);
      if (dropped[i * n + j])
        continue;
      text_add(text, separator);
      add_bound(text, names, i, j, bound, unit);
      separator = " && ";
    }
  if (!*separator)
    text_add(text, "true");
  mem_free(text->mem, dropped);
}

// The clocks; with the step before, only those that a transition has set.
static void add_clocks(Text *text, const Trace *trace, const int64_t *clocks, int64_t time,
                       const RunStep *before) {
  const Net *net = trace->net;
  const char *separator = "";
  for (uint32_t x = 1; x <= net->clock_count; x++) {
    if (before && clocks[x] == before->clocks[x] + time - before->time)
      continue;
    text_addf(text, "%s%s=", separator, net->clock_names[x]);
    scale_print(text, clocks[x], trace->run.denominator, net_unit(net));
    separator = " ";
  }
}

static void add_zone(Text *text, const Trace *trace, uint32_t index, bool is_whole) {
  const uint32_t n = trace->net->clock_count + 1;
  const Bound *zone = trace->zones[index];
  if (is_whole || memcmp(zone, trace->zones[index - 1], dbm_bytes(n)) != 0)
    runtext_zone(text, trace->net->clock_names, zone, n, net_unit(trace->net));
}

// The two parts of a state, or the one that is there.
static void join(Text *text, Text *state, Text *clocks) {
  text_addf(text, "%s%s%s", text_chars(state), state->size && clocks->size ? "  " : "",
            text_chars(clocks));
  text_release(state);
  text_release(clocks);
}

void runtext_state(Text *text, const Trace *trace, uint32_t index, bool is_whole) {
  const RunStep *step = &trace->run.steps[index], *before = is_whole ? NULL : step - 1;
  Text state = {.mem = text->mem}, clocks = {.mem = text->mem};
  state_show(&state, trace->net, step->state, before ? before->state : NULL);
  if (trace->net->clock_count && trace->zones)
    add_zone(&clocks, trace, index, is_whole);
  else if (step->clocks)
    add_clocks(&clocks, trace, step->clocks, step->time, before);
  join(text, &state, &clocks);
}

void runtext_end(Text *text, const Trace *trace) {
  const Run *run = &trace->run;
  Text state = {.mem = text->mem}, clocks = {.mem = text->mem};
  state_show(&state, trace->net, run->steps[run->step_count - 1].state, NULL);
  add_clocks(&clocks, trace, run->end_clocks, run->end_time, NULL);
  join(text, &state, &clocks);
}

static void add_step(Text *text, const Trace *trace, uint32_t index) {
  const RunStep *step = &trace->run.steps[index];
  text_addf(text, "%4u  ", index);
  if (trace->kind == TRACE_CONCRETE) {
    text_add(text, "at ");
    scale_print(text, step->time, trace->run.denominator, net_unit(trace->net));
    text_add(text, "  ");
  }
  runtext_edges(text, trace->net, step->edges, step->edge_count);
  text_add_char(text, '\n');
}

// A line below that of a step, if there is something in it.
void runtext_add_line(Text *text, Text *line) {
  if (line->size)
    text_addf(text, "      %s\n", text_chars(line));
  text_clear(line);
}

static void add_rounds(Text *text, const Run *run) {
  if (run->loop_from == run->loop_to)
    text_add(text, "      here time can pass for as long as one likes\n");
  else
    text_addf(text, "      what followed step %u can be repeated here, any number of times\n",
              run->loop_from);
}

void runtext_write(Text *text, const Trace *trace, const RunText *how) {
  const Run *run = &trace->run;
  const uint32_t last = run->step_count - 1;
  const uint32_t first = how->last && last > how->last ? last - how->last : 0;
  const bool is_lasso = run->repeats && !run->goes_on, has_end = run->end_clocks && !is_lasso;
  const bool is_told = how->is_full || first == last; // the whole last state
  Text line = {.mem = text->mem};
  for (uint32_t i = first; i <= last; i++) {
    if (i > first)
      add_step(text, trace, i);
    runtext_state(&line, trace, i,
                  how->is_full || i == first || (i == last && !has_end) ||
                      (run->repeats && i == run->loop_from) ||
                      (run->goes_on && i == run->loop_to));
    runtext_add_line(text, &line);
    if (run->goes_on && i == run->loop_to)
      add_rounds(text, run);
  }
  if (is_lasso)
    text_addf(text, "      from here on it repeats what followed step %u%s\n", run->loop_from,
              run->varies ? ", with other times and clocks in each round" : "");
  if (!run->end_clocks && how->tells_end)
    text_addf(text, "      %s\n", how->end);
  if (has_end) {
    text_add(text, "      at ");
    scale_print(text, run->end_time, run->denominator, net_unit(trace->net));
    text_addf(text, "  %s\n", how->end);
    if (!is_told || run->end_time != run->steps[last].time)
      runtext_end(&line, trace);
    runtext_add_line(text, &line);
    text_add(text, how->why ? how->why : "");
  }
  text_release(&line);
}
