#include "output/explanation.h"

#include <inttypes.h>
#include <jansson.h>

static const char *option_text(Text *scratch, const Options *options, const char *name) {
  text_clear(scratch);
  options_value(scratch, options, options_find(name));
  return text_chars(scratch);
}

void explanation_plan(Explanation *e, PlannedStage stage) {
  if (e->planned_count < EXPLANATION_STAGES)
    e->planned[e->planned_count++] = stage;
}

void explanation_done(Explanation *e, DoneStage stage) {
  if (e->done_count < EXPLANATION_STAGES)
    e->done[e->done_count++] = stage;
  if (stage.number)
    statistics_follow(&e->total, &stage.stats);
}

// The number of stages from this one on that differ in their limits only.
static uint32_t count_alike(const Explanation *e, uint32_t first) {
  const PlannedStage *one = &e->planned[first];
  uint32_t count = 1;
  for (; first + count < e->planned_count; count++) {
    const PlannedStage *other = &e->planned[first + count];
    if (one->name != other->name || one->purpose != other->purpose ||
        (*one->when && one->when != other->when))
      break;
  }
  return count;
}

static void write_limit(Text *text, uint64_t first, uint64_t last, const char *what) {
  if (!first)
    return;
  text_addf(text, "; at most %" PRIu64, first);
  if (last != first)
    text_addf(text, " to %" PRIu64, last);
  text_addf(text, " %s", what);
}

static void write_planned(Text *text, const Explanation *e, uint32_t first, uint32_t count) {
  const PlannedStage *stage = &e->planned[first], *last = stage + count - 1;
  text_addf(text, "  %" PRIu32, first + 1);
  if (count > 1)
    text_addf(text, " to %" PRIu32, first + count);
  text_addf(text, ". %s", stage->name);
  if (*stage->when)
    text_addf(text, ", %s", stage->when);
  text_addf(text, ": %s", stage->purpose);
  write_limit(text, stage->max_visited, last->max_visited, "visited nodes");
  write_limit(text, stage->max_transitions, last->max_transitions, "transitions");
  text_add_char(text, '\n');
}

static void write_search(Text *text, const Explanation *e, Text *scratch) {
  text_addf(text, "  engine %s: %s\n", option_text(scratch, &e->options, "engine"),
            e->engine_why);
  text_addf(text, "  symmetry %s: %s\n", *e->symmetry ? e->symmetry : "none", e->symmetry_why);
  text_addf(text, "  partial order %s: %s\n", e->options.is_reduced ? "on" : "off",
            e->partial_why);
  static const char *const names[] = {"abstraction", "bounds", "order", "threads"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    text_addf(text, "%s%s %s", i ? ", " : "  ", names[i],
              option_text(scratch, &e->options, names[i]));
  text_add_char(text, '\n');
}

void explanation_write_plan(Text *text, const Explanation *e) {
  Text scratch = {.mem = text->mem};
  if (!e->is_planned)
    return;
  text_add(text, "plan:\n");
  if (!e->laws)
    write_search(text, e, &scratch);
  for (uint32_t i = 0, count; i < e->planned_count; i += count) {
    count = count_alike(e, i);
    write_planned(text, e, i, count);
  }
  if (e->laws)
    text_add(text, e->laws);
  text_release(&scratch);
}

static void write_counts(Text *text, const Statistics *stats) {
  if (!stats->visited && !stats->transitions)
    text_addf(text, "seconds %.3f", stats->seconds);
  else
    text_addf(text,
              "visited %" PRIu64 ", stored %" PRIu64 ", transitions %" PRIu64 ", seconds %.3f",
              stats->visited, stats->stored, stats->transitions, stats->seconds);
}

void explanation_write_stages(Text *text, const Explanation *e) {
  uint32_t decided = 0;
  if (!e->is_planned)
    return;
  text_add(text, "stages:\n");
  for (uint32_t i = 0; i < e->done_count; i++) {
    const DoneStage *stage = &e->done[i];
    decided += stage->number != 0;
    if (stage->number)
      text_addf(text, "  %" PRIu32 ". ", stage->number);
    else
      text_add(text, "     ");
    text_addf(text, "%s: ", stage->name);
    write_counts(text, &stage->stats);
    text_addf(text, "; %s\n", stage->outcome);
  }
  if (decided > 1) {
    text_add(text, "  in all: ");
    write_counts(text, &e->total);
    text_add_char(text, '\n');
  }
}

static json_t *json_counts(const Statistics *stats) {
  return json_pack("{s:I, s:I, s:I, s:f}", "visited", (json_int_t)stats->visited, "stored",
                   (json_int_t)stats->stored, "transitions", (json_int_t)stats->transitions,
                   "seconds", stats->seconds);
}

void explanation_add_json(json_t *answer, const Explanation *e) {
  Mem mem = {0};
  Text scratch = {.mem = &mem};
  if (!e->is_planned)
    return;
  json_t *plan = json_object(), *planned = json_array(), *done = json_array();
  static const char *const names[] = {"engine", "abstraction", "bounds", "order", "threads"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    json_object_set_new(plan, names[i],
                        json_string(option_text(&scratch, &e->options, names[i])));
  if (e->laws)
    json_object_set_new(plan, "laws", json_string(e->laws));
  json_object_set_new(plan, "symmetry", json_string(*e->symmetry ? e->symmetry : "none"));
  json_object_set_new(plan, "engine_why", json_string(e->engine_why ? e->engine_why : ""));
  json_object_set_new(plan, "symmetry_why", json_string(e->symmetry_why ? e->symmetry_why : ""));
  json_object_set_new(plan, "partial_order", json_boolean(e->options.is_reduced));
  json_object_set_new(plan, "partial_order_why",
                      json_string(e->partial_why ? e->partial_why : ""));
  for (uint32_t i = 0; i < e->planned_count; i++) {
    const PlannedStage *stage = &e->planned[i];
    json_t *object = json_pack("{s:i, s:s, s:s, s:s}", "number", (int)i + 1, "name", stage->name,
                               "when", stage->when, "purpose", stage->purpose);
    if (stage->max_visited)
      json_object_set_new(object, "max_visited", json_integer((json_int_t)stage->max_visited));
    if (stage->max_transitions)
      json_object_set_new(object, "max_transitions",
                          json_integer((json_int_t)stage->max_transitions));
    json_array_append_new(planned, object);
  }
  json_object_set_new(plan, "stages", planned);
  for (uint32_t i = 0; i < e->done_count; i++) {
    const DoneStage *stage = &e->done[i];
    json_array_append_new(done, json_pack("{s:i, s:s, s:s, s:o}", "number", (int)stage->number,
                                          "name", stage->name, "outcome", stage->outcome, "stats",
                                          json_counts(&stage->stats)));
  }
  json_object_set_new(answer, "plan", plan);
  json_object_set_new(answer, "stages", done);
  json_object_set_new(answer, "total", json_counts(&e->total));
  text_release(&scratch);
}
