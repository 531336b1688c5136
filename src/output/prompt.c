#include "output/prompt.h"

#include "model/expr/print.h"
#include "model/state.h"
#include "output/jsonparts.h"
#include "output/obstacles.h"
#include "output/runtext.h"

#include <inttypes.h>
#include <jansson.h>

static void add_interval(Text *text, const Simulation *s, const Choice *choice) {
  text_add(text, choice->low % 2 ? "(" : "[");
  scale_print(text, choice->low / 2, s->denominator, net_unit(s->net));
  text_add(text, ", ");
  if (choice->high == SIMULATE_ENDLESS)
    text_add(text, "...)");
  else {
    scale_print(text, (choice->high + 1) / 2, s->denominator, net_unit(s->net));
    text_add(text, choice->high % 2 ? ")" : "]");
  }
}

// The exact zone of all runs with the same transitions.
static void add_zone(Text *text, const Simulation *s) {
  Arena arena = {.mem = text->mem};
  const Run run = simulate_run(s);
  const Bound **zones = ARENA_ARRAY(&arena, const Bound *, run.step_count);
  if (trace_zones(&run, s->net, &arena, zones))
    runtext_zone(text, s->net->clock_names, zones[run.step_count - 1], s->net->clock_count + 1,
                 net_unit(s->net));
  arena_release(&arena);
}

// The guards of the edges of the present joint transition, and what they do, in this order.
static void add_guards(Text *text, const Joint *joint) {
  obstacles_guards(text, joint->edges, joint->edge_count);
}

static void add_updates(Text *text, const Joint *joint) {
  const size_t before = text->size;
  for (uint32_t i = 0; i < joint->edge_count; i++)
    if (joint->edges[i]->update_stmts) {
      text_add(text, text->size > before ? "; " : "");
      stmt_print(text, joint->edges[i]->update_stmts);
    }
}

// A part of the line of a choice, if there is something to say.
static void add_part(Text *text, const char *word, const Joint *joint,
                     void (*add)(Text *, const Joint *)) {
  Text part = {.mem = text->mem};
  add(&part, joint);
  if (part.size)
    text_addf(text, "  %s %s", word, text_chars(&part));
  text_release(&part);
}

static void add_choice(Text *text, Simulation *s, uint32_t index) {
  simulate_show(s, index);
  text_addf(text, "%4u: ", index);
  if (s->choices.items[index].is_delay)
    text_add(text, "time passes");
  else
    joint_print(text, &s->stepper.joint);
  text_add(text, " after ");
  add_interval(text, s, &s->choices.items[index]);
  add_part(text, "when", &s->stepper.joint, add_guards);
  add_part(text, "do", &s->stepper.joint, add_updates);
  text_add_char(text, '\n');
}

// The transition that was taken last, and what it has set.
static void add_changes(Text *text, const Trace *trace) {
  const uint32_t last = trace->run.step_count - 1;
  Text set = {.mem = text->mem};
  runtext_edges(text, trace->net, trace->run.steps[last].edges,
                trace->run.steps[last].edge_count);
  runtext_state(&set, trace, last, false);
  text_addf(text, "%s%s", set.size ? "\n  " : "", text_chars(&set));
  text_release(&set);
}

void prompt_text(Text *text, Simulation *s, bool is_full) {
  const Trace trace = {.net = s->net, .kind = TRACE_CONCRETE, .run = simulate_run(s)};
  text_addf(text, "step %u, time ", s->steps.size - 1);
  scale_print(text, trace.run.end_time, s->denominator, net_unit(s->net));
  text_add(text, "\n  ");
  if (is_full || s->waited || s->steps.size == 1 || !s->choices.size)
    runtext_end(text, &trace);
  else
    add_changes(text, &trace);
  if (is_full && s->net->clock_count) {
    text_add(text, "\n  zone: ");
    add_zone(text, s);
  }
  text_add_char(text, '\n');
  for (uint32_t i = 0; i < s->choices.size; i++)
    add_choice(text, s, i);
  if (s->is_lost) {
    text_add(text, "  a limit was reached before the choices were found\n");
  } else if (!s->choices.size) {
    text_add(text, "  ");
    simulate_stuck(s, text);
    text_add_char(text, '\n');
    obstacles_print(text, s, "  ");
  }
}

// The present joint transition; one without edges is a delay.
static json_t *json_joint(const Net *net, const Joint *joint, Text *scratch) {
  json_t *object = json_object();
  if (joint->edge_count)
    joint_print(scratch, joint);
  json_object_set_new(object, "transition",
                      joint->edge_count ? jsonparts_text(scratch) : json_null());
  json_object_set_new(object, "edges",
                      jsonparts_edge_numbers(net, joint->edges, joint->edge_count));
  add_guards(scratch, joint);
  json_object_set_new(object, "guard", jsonparts_text(scratch));
  add_updates(scratch, joint);
  json_object_set_new(object, "update", jsonparts_text(scratch));
  return object;
}

static json_t *json_choice(Simulation *s, uint32_t index, Text *scratch) {
  const Choice choice = s->choices.items[index];
  simulate_show(s, index);
  json_t *object = json_joint(s->net, &s->stepper.joint, scratch);
  scale_print(scratch, choice.low / 2, s->denominator, net_unit(s->net));
  json_object_set_new(object, "low", jsonparts_text(scratch));
  json_object_set_new(object, "low_strict", json_boolean(choice.low % 2));
  if (choice.high != SIMULATE_ENDLESS) {
    scale_print(scratch, (choice.high + 1) / 2, s->denominator, net_unit(s->net));
    json_object_set_new(object, "high", jsonparts_text(scratch));
    json_object_set_new(object, "high_strict", json_boolean(choice.high % 2));
  }
  return object;
}

// A discrete state: as text and as numbers.
static void add_state(json_t *object, const Net *net, const int32_t *state, Text *scratch) {
  state_print(scratch, net, state);
  json_object_set_new(object, "state", jsonparts_text(scratch));
  json_object_set_new(object, "locations",
                      jsonparts_integers(state + net->location_slot, net->processes.size));
  json_object_set_new(object, "variables", jsonparts_integers(state, net->location_slot));
}

void prompt_json(Text *text, Simulation *s) {
  const RunStep *now = &s->steps.items[s->steps.size - 1];
  Text scratch = {.mem = text->mem};
  json_t *object = json_object(), *choices = json_array(), *clocks = json_object();
  json_object_set_new(object, "step", json_integer(s->steps.size - 1));
  scale_print(&scratch, now->time + s->waited, s->denominator, net_unit(s->net));
  json_object_set_new(object, "time", jsonparts_text(&scratch));
  json_object_set_new(object, "known", json_integer(s->known - 1));
  json_object_set_new(object, "taken",
                      jsonparts_edge_numbers(s->net, now->edges, now->edge_count));
  add_state(object, s->net, now->state, &scratch);
  for (ClockIndex x = 1; x <= s->net->clock_count; x++) {
    scale_print(&scratch, s->clocks[x], s->denominator, net_unit(s->net));
    json_object_set_new(clocks, s->net->clock_names[x], jsonparts_text(&scratch));
  }
  json_object_set_new(object, "clocks", clocks);
  add_zone(&scratch, s);
  json_object_set_new(object, "zone", jsonparts_text(&scratch));
  for (uint32_t i = 0; i < s->choices.size; i++)
    json_array_append_new(choices, json_choice(s, i, &scratch));
  json_object_set_new(object, "choices", choices);
  if (simulate_stuck(s, &scratch))
    json_object_set_new(object, "stuck", jsonparts_text(&scratch));
  jsonparts_line(text, object, 0);
  text_release(&scratch);
}

// Bounds of differences of clocks, [constant, is strict] or null: row i, column j is of
// clock i - clock j, clock 0 being zero.
static json_t *json_bounds(const Bound *zone, uint32_t n, int64_t unit) {
  json_t *rows = json_array();
  for (uint32_t i = 0; i < n; i++) {
    json_t *row = json_array();
    for (uint32_t j = 0; j < n; j++) {
      const Bound b = zone[i * dbm_stride(n) + j];
      json_array_append_new(row, b == BOUND_INF
                                     ? json_null()
                                     : json_pack("[I, b]", (json_int_t)(bound_constant(b) * unit),
                                                 (int)bound_is_strict(b)));
    }
    json_array_append_new(rows, row);
  }
  return rows;
}

void prompt_symbolic_json(Text *text, Symbolic *s) {
  const SymbolicStep *now = &vec_last(&s->steps);
  const uint32_t n = s->net->clock_count + 1;
  Text scratch = {.mem = text->mem};
  json_t *object = json_object(), *choices = json_array();
  json_object_set_new(object, "step", json_integer(s->steps.size - 1));
  json_object_set_new(object, "known", json_integer(s->known - 1));
  json_object_set_new(object, "taken",
                      jsonparts_edge_numbers(s->net, now->edges, now->edge_count));
  add_state(object, s->net, now->state, &scratch);
  runtext_zone(&scratch, s->net->clock_names, now->zone, n, net_unit(s->net));
  json_object_set_new(object, "zone", jsonparts_text(&scratch));
  json_object_set_new(object, "bounds", json_bounds(now->zone, n, net_unit(s->net)));
  for (uint32_t i = 0; i < s->choices.size; i++) {
    symbolic_show(s, i);
    json_array_append_new(choices, json_joint(s->net, &s->joint, &scratch));
  }
  json_object_set_new(object, "choices", choices);
  if (!s->choices.size)
    json_object_set_new(object, "stuck",
                        json_string("no transition is possible from any state of the zone"));
  jsonparts_line(text, object, 0);
  text_release(&scratch);
}

void prompt_answer(Answer *answer, Mem *mem, const Simulation *s) {
  *answer = (Answer){.verdict = VERDICT_UNDECIDED,
                     .reason = s->is_random ? ANSWER_RANDOM : ANSWER_SIMULATED,
                     .has_trace = true};
  answer->trace = (Trace){
      .net = s->net, .kind = TRACE_CONCRETE, .arena = {.mem = mem}, .run = simulate_run(s)};
}
