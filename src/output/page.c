#include "output/page.h"

#include "answers/runs/simulate.h"
#include "base/embedded.h"
#include "output/charts.h"
#include "output/drawing.h"
#include "output/estimates.h"
#include "output/excerpt.h"
#include "output/jsonparts.h"
#include "output/netjson.h"
#include "output/runtext.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// Beyond these a page would be too large to be of use: then it has no zones, or does not say what
// was enabled.
enum { MAX_CLOCKS = 16, MAX_STEPS = 1000, MAX_ENABLED = 300000 };
enum { MAX_REASON = EXCERPT_MAX / 64, FEW_STEPS = 16 };

// What a page that would be too large leaves out: the middle of long runs; then the drawings;
// then the pictures of statistical answers; then the runs and the model.
typedef struct Extent {
  uint32_t max_steps; // of each run; 0: there are no runs
  bool has_drawings, has_charts;
  bool is_cut; // something of a run was left out
} Extent;

// The steps of a run that are shown: the first `head` and the last ones, `count` together.
typedef struct Shown {
  uint32_t head, count, left_out;
} Shown;

static Shown shown_of(const Run *run, const Extent *extent) {
  const uint32_t max = extent->max_steps;
  return run->step_count <= max ? (Shown){run->step_count, run->step_count, 0}
                                : (Shown){max / 2, max, run->step_count - max};
}

// The step at this place among those that are shown.
static uint32_t shown_step(const Shown *shown, uint32_t at) {
  return at < shown->head ? at : at + shown->left_out;
}

// A matrix, rows of 2c + 1 for <= c, 2c for < c, null for no bound.
static json_t *json_zone(const Bound *zone, uint32_t n, int64_t unit) {
  json_t *rows = json_array();
  for (uint32_t i = 0; i < n; i++) {
    json_t *row = json_array();
    for (uint32_t j = 0; j < n; j++) {
      const Bound bound = zone[i * dbm_stride(n) + j];
      json_array_append_new(
          row, bound == BOUND_INF
                   ? json_null()
                   : json_integer(2 * unit * bound_constant(bound) + !bound_is_strict(bound)));
    }
    json_array_append_new(rows, row);
  }
  return rows;
}

// The zones along the run of an answer, NULL if there are none to show.
static json_t *json_zones(Mem *mem, const Net *net, const Trace *trace, const Shown *shown) {
  const uint32_t n = net->clock_count + 1;
  if (n == 1 || n > MAX_CLOCKS + 1 || trace->run.step_count > MAX_STEPS)
    return NULL;
  Arena arena = {.mem = mem};
  const Bound **zones = ARENA_ARRAY(&arena, const Bound *, trace->run.step_count);
  json_t *list = NULL;
  if (trace_zones(&trace->run, net, &arena, zones)) {
    list = json_array();
    for (uint32_t i = 0; i < shown->count; i++)
      json_array_append_new(list, json_zone(zones[shown_step(shown, i)], n, net_unit(net)));
  }
  arena_release(&arena);
  return list;
}

// Times in the unit of the model.
static json_t *json_numbers(const Net *net, const int64_t *values, uint32_t count) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(array, json_integer(values[i] * net_unit(net)));
  return array;
}

// The number of the present joint transition in the list; each is there once, by its edges.
static json_t *json_transition(json_t *list, json_t *known, const Joint *joint, Text *scratch) {
  for (uint32_t i = 0; i < joint->edge_count; i++)
    text_addf(scratch, "%u,", (unsigned)(joint->edges[i] - joint->net->edges.items));
  json_t *number = json_object_get(known, text_chars(scratch));
  if (!number) {
    number = json_integer((json_int_t)json_array_size(list));
    json_object_set_new(known, text_chars(scratch), number);
    json_array_append_new(list,
                          jsonparts_edge_numbers(joint->net, joint->edges, joint->edge_count));
  }
  text_clear(scratch);
  return number;
}

// What is enabled in the present state: [transition, least delay, greatest or null, strictness].
static json_t *json_choices(Simulation *s, json_t *list, json_t *known, Text *scratch) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < s->choices.size; i++) {
    const Choice choice = s->choices.items[i];
    simulate_show(s, i);
    json_t *number = json_transition(list, known, &s->stepper.joint, scratch),
           *entry = json_array();
    json_array_append(entry, number);
    json_array_append_new(entry, json_integer(choice.low / 2 * net_unit(s->net)));
    json_array_append_new(entry, choice.high == SIMULATE_ENDLESS
                                     ? json_null()
                                     : json_integer((choice.high + 1) / 2 * net_unit(s->net)));
    json_array_append_new(entry, json_integer(choice.low % 2 + 2 * (choice.high % 2)));
    json_array_append_new(array, entry);
  }
  return array;
}

// What was enabled in the states of a concrete run that are shown. The simulator walks it
// backwards.
static void add_enabled(json_t *object, Mem *mem, const Net *net, const Run *run,
                        const Shown *shown) {
  Simulation s;
  Text scratch = {.mem = mem};
  json_t *steps = json_array(), *list = json_array(), *known = json_object();
  size_t count = 0;
  for (uint32_t i = 0; i < shown->count; i++)
    json_array_append_new(steps, json_null());
  if (simulate_init(&s, mem, net) && simulate_adopt(&s, run)) {
    for (uint32_t i = shown->count; i-- > 0 && count < MAX_ENABLED;) {
      simulate_go(&s, shown_step(shown, i));
      count += s.choices.size;
      json_array_set_new(steps, i, json_choices(&s, list, known, &scratch));
    }
  }
  simulate_release(&s);
  json_decref(known);
  text_release(&scratch);
  json_object_set_new(object, "enabled", steps);
  json_object_set_new(object, "transitions", list);
}

// A run that was read from a file need not state the clocks.
static bool states_clocks(const Trace *trace) {
  for (uint32_t i = 0; i < trace->run.step_count; i++)
    if (!trace->run.steps[i].clocks)
      return false;
  return true;
}

static void add_times(json_t *object, Mem *mem, const Trace *trace, const Shown *shown) {
  const Net *net = trace->net;
  const RunStep *const steps = trace->run.steps;
  json_t *times = json_array(), *clocks = json_array();
  for (uint32_t i = 0; i < shown->count; i++)
    json_array_append_new(times, json_integer(steps[shown_step(shown, i)].time * net_unit(net)));
  json_object_set_new(object, "denominator", json_integer(trace->run.denominator));
  json_object_set_new(object, "times", times);
  if (!states_clocks(trace)) {
    json_decref(clocks);
    return;
  }
  for (uint32_t i = 0; i < shown->count; i++)
    json_array_append_new(
        clocks, json_numbers(net, steps[shown_step(shown, i)].clocks + 1, net->clock_count));
  json_object_set_new(object, "clocks", clocks);
  if (trace->run.end_clocks)
    json_object_set_new(
        object, "end",
        json_pack("{s:I, s:o}", "time", (json_int_t)(trace->run.end_time * net_unit(net)),
                  "clocks", json_numbers(net, trace->run.end_clocks + 1, net->clock_count)));
  add_enabled(object, mem, net, &trace->run, shown);
  json_t *zones = json_zones(mem, net, trace, shown);
  if (zones)
    json_object_set_new(object, "zones", zones);
}

static json_t *json_zone_texts(Mem *mem, const Trace *trace, const Shown *shown) {
  Text scratch = {.mem = mem};
  json_t *array = json_array();
  for (uint32_t i = 0; i < shown->count; i++) {
    runtext_zone(&scratch, trace->net->clock_names, trace->zones[shown_step(shown, i)],
                 trace->net->clock_count + 1, net_unit(trace->net));
    json_array_append_new(array, jsonparts_text(&scratch));
  }
  text_release(&scratch);
  return array;
}

// The part of a run that repeats: the step, and its place among those that are shown, or the last
// place before it.
static void add_loop(json_t *object, const Run *run, const Shown *shown) {
  const uint32_t from = run->loop_from;
  const uint32_t at = from < shown->head                      ? from
                      : from >= shown->head + shown->left_out ? from - shown->left_out
                                                              : shown->head - 1;
  json_object_set_new(object, "loop", json_integer(at));
  json_object_set_new(object, "loop_step", json_integer(from));
}

// The run of an answer, by numbers: a page of 5,000 steps and 60 processes has to load at once.
static json_t *json_run(Mem *mem, const Answer *answer, Extent *extent) {
  const Trace *trace = &answer->trace;
  const Net *net = trace->net;
  const Shown shown = shown_of(&trace->run, extent);
  json_t *locations = json_array(), *variables = json_array(), *edges = json_array();
  for (uint32_t i = 0; i < shown.count; i++) {
    const RunStep *step = &trace->run.steps[shown_step(&shown, i)];
    json_array_append_new(variables, jsonparts_integers(step->state, net->location_slot));
    json_array_append_new(
        locations, jsonparts_integers(step->state + net->location_slot, net->processes.size));
    json_array_append_new(edges, jsonparts_edge_numbers(net, step->edges, step->edge_count));
  }
  const char *note = answer_end(answer);
  json_t *object = json_pack("{s:o, s:o, s:o, s:s, s:b, s:b, s:i, s:i}", "locations", locations,
                             "variables", variables, "edges", edges, "note", note, "is_bad",
                             answer->is_invariant, "is_neutral", !answer->query, "head",
                             (int)shown.head, "left_out", (int)shown.left_out);
  extent->is_cut |= shown.left_out > 0;
  if (trace->run.repeats && !trace->run.goes_on) // else the note tells
    add_loop(object, &trace->run, &shown);
  if (trace->kind == TRACE_CONCRETE)
    add_times(object, mem, trace, &shown);
  else
    json_object_set_new(object, "zone_texts", json_zone_texts(mem, trace, &shown));
  return object;
}

// A run that answers no query has a title of its own.
static json_t *json_title(const Net *net, const Answer *answer) {
  const char *kind = answer->reason ? answer->reason : "";
  return json_sprintf("%s of %s",
                      !strcmp(kind, ANSWER_RANDOM)      ? "Random run"
                      : !strcmp(kind, ANSWER_SIMULATED) ? "Simulated run"
                                                        : "Run",
                      net->origin.name);
}

// A reason can hold a long run, to an error.
static void shorten_reason(json_t *result, Mem *mem, Extent *extent) {
  const char *reason = json_string_value(json_object_get(result, "reason"));
  Text whole = {.mem = mem}, part = {.mem = mem};
  if (!reason)
    return;
  text_add(&whole, reason);
  if (excerpt_add(&part, &whole, MAX_REASON)) {
    json_object_set_new(result, "reason", jsonparts_text(&part));
    extent->is_cut = true;
  }
  text_release(&whole);
  text_release(&part);
}

static void add_result(json_t *result, Mem *mem, const Net *net, const Answer *answer,
                       Extent *extent) {
  shorten_reason(result, mem, extent);
  if (answer->estimate) { // what is drawn needs no numbers
    json_t *estimate = json_object_get(result, "estimate");
    json_object_del(estimate, "courses");
    json_object_del(estimate, "convergence");
    json_object_del(json_object_get(estimate, "distribution"), "shares");
    json_object_del(json_object_get(estimate, "distribution"), "histogram");
  }
  if (!answer->has_trace)
    return;
  json_object_set_new(result, "has_run", json_true());
  extent->is_cut |= !extent->max_steps;
  if (extent->max_steps)
    json_object_set_new(result, "run", json_run(mem, answer, extent));
  if (!answer->query)
    json_object_set_new(result, "title", json_title(net, answer));
}

// The data of the page. `<` is written in another way, so that nothing ends the script early.
static void add_data(Text *text, const Drawings *drawings, const Options *options,
                     const Answers *answers, Extent *extent) {
  const Net *net = drawings->net;
  Text scratch = {.mem = text->mem};
  json_t *object = answer_object_briefly(text->mem, net, options, answers);
  json_object_set_new(object, "net",
                      extent->max_steps ? netjson_of(drawings, &scratch)
                                        : json_pack("{s:[], s:[], s:[], s:[]}", "processes",
                                                    "clocks", "variables", "edges"));
  json_t *results = json_object_get(object, "results");
  for (uint32_t i = 0; i < answers->size; i++)
    add_result(json_array_get(results, i), text->mem, net, answers->items[i], extent);
  char *dumped = json_dumps(object, JSON_REAL_PRECISION(6) | JSON_COMPACT);
  for (const char *c = dumped; *c; c++)
    if (*c == '<')
      text_add(text, "\\u003c");
    else
      text_add_char(text, *c);
  free(dumped);
  json_decref(object);
  text_release(&scratch);
}

// The statistical answers: each with its numbers, as text, and its pictures.
static void add_estimates(Text *text, const Answers *answers, const Extent *extent) {
  Text numbers = {.mem = text->mem};
  for (uint32_t i = 0; i < answers->size; i++) {
    const Answer *answer = answers->items[i];
    if (!answer->estimate)
      continue;
    text_clear(&numbers);
    estimates_text(&numbers, answer->estimate);
    text_addf(text, "<section class=\"wide estimate\" data-answer=\"%u\"><h2>", i);
    text_add_xml(text, answer->query);
    text_add(text, "</h2><pre>");
    for (const char *line = text_chars(&numbers); *line; line += strcspn(line, "\n") + 1) {
      text_add_xml_bytes(text, line, strcspn(line, "\n"));
      text_add_char(text, '\n');
    }
    text_add(text, "</pre><div class=\"charts\">");
    if (extent->has_charts)
      charts_write(text, answer->estimate);
    else
      text_add(text, "<p>Not drawn: the page would be larger than 4 MB.</p>");
    text_add(text, "</div></section>\n");
  }
  text_release(&numbers);
}

static void write_page(Text *text, const Drawings *drawings, const Text *drawn,
                       const Options *options, const Answers *answers, Extent *extent) {
  const char *name = drawings->net->origin.name;
  for (const char *line = embedded_lines("page.html"); *line; line = embedded_next(line)) {
    const char *mark = strchr(line, '@');
    if (mark && !strncmp(mark, "@TITLE@", 7)) {
      text_add_bytes(text, line, (size_t)(mark - line));
      text_add_xml(text, name);
      text_add(text, mark + 7);
    } else if (mark && !strncmp(mark, "@SVG@", 5)) {
      text_add_bytes(text, line, (size_t)(mark - line));
      text_add(text, extent->has_drawings
                         ? text_chars(drawn)
                         : "<p>Not drawn: the page would be larger than 4 MB.</p>");
      text_add(text, mark + 5);
    } else if (mark && !strncmp(mark, "@DATA@", 6)) {
      text_add_bytes(text, line, (size_t)(mark - line));
      add_data(text, drawings, options, answers, extent);
      text_add(text, mark + 6);
    } else if (!strcmp(line, "@ESTIMATES@\n")) {
      add_estimates(text, answers, extent);
    } else if (!strcmp(line, "@CSS@\n")) {
      embedded_add(text, "page.css");
    } else if (!strcmp(line, "@SCRIPT@\n")) {
      embedded_add(text, "run_charts.js");
      embedded_add(text, "page.js");
      embedded_add(text, "page_panels.js");
    } else {
      text_add(text, line);
    }
  }
}

// The next smaller page; false if there is none.
static bool reduce(Extent *extent) {
  if (extent->max_steps > FEW_STEPS)
    extent->max_steps /= 2;
  else if (extent->has_drawings)
    extent->has_drawings = false;
  else if (extent->has_charts)
    extent->has_charts = false;
  else if (extent->max_steps)
    extent->max_steps = 0;
  else
    return false;
  return true;
}

// Steps that are too many in any case are not even tried: a number takes two bytes and more.
static uint32_t steps_at_most(const Net *net) {
  const uint32_t numbers = net->slots.count + net->clock_count + 1;
  return EXCERPT_MAX / 2 / numbers > FEW_STEPS ? EXCERPT_MAX / 2 / numbers : FEW_STEPS;
}

enum { MAX_DRAWING = 10 }; // seconds

// Graphviz comes after the queries, whose time limit does not cover it: it has a tenth of that,
// but at least a second.
static int drawing_seconds(const Options *options) {
  const double share = options->time_limit / 10;
  return !(share > 0) || share > MAX_DRAWING ? MAX_DRAWING : share < 1 ? 1 : (int)share;
}

bool page_write(Text *text, const Net *net, const Options *options, const Answers *answers) {
  Arena arena = {.mem = text->mem};
  Text drawn = {.mem = text->mem}, page = {.mem = text->mem};
  Extent extent = {.max_steps = steps_at_most(net), .has_drawings = true, .has_charts = true};
  Drawings drawings;
  drawing_find(&drawings, &arena, net);
  drawing_write(&drawn, &drawings, &arena, drawing_seconds(options));
  do {
    text_clear(&page);
    extent.is_cut = false;
    write_page(&page, &drawings, &drawn, options, answers, &extent);
  } while (page.size > EXCERPT_MAX && reduce(&extent));
  text_add_bytes(text, text_chars(&page), page.size);
  text_release(&page);
  text_release(&drawn);
  arena_release(&arena);
  return extent.is_cut;
}
