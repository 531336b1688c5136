#include "output/answer.h"

#include "output/estimates.h"
#include "output/jsonparts.h"
#include "output/messages.h"
#include "output/runtext.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

static const char *verdict_text(Verdict verdict) {
  static const char *const texts[] = {"not satisfied", "satisfied", "explored",
                                      "undecided",     "refused",   "estimated"};
  return texts[verdict];
}

static const char *end_of(const Answer *answer, const char *ending) {
  if (ending)
    return ending;
  return !answer->query ? "it ends" : answer->is_invariant ? "it does not hold" : "it holds";
}

const char *answer_end(const Answer *answer) { return end_of(answer, answer->ending); }

// The lines of a reason; those of a run, to an error, only if runs are shown.
static void add_indented(Text *text, const char *lines, bool with_run) {
  static const char run[] = "after this run";
  for (size_t size; *lines && (with_run || strncmp(lines, run, strlen(run)) != 0);
       lines += size) {
    size = strcspn(lines, "\n");
    size += lines[size] == '\n';
    text_add(text, "  ");
    text_add_bytes(text, lines, size);
  }
  if (text->chars[text->size - 1] != '\n')
    text_add_char(text, '\n');
}

// The first of what is new, and how many there are.
static void add_covers(Text *text, const char *covers) {
  enum { SHOWN = 3 };
  uint32_t count = 0;
  for (size_t size; *covers; covers += size, count++) {
    size = strcspn(covers, "\n");
    if (count < SHOWN) {
      text_add(text, count ? ", " : "");
      text_add_bytes(text, covers, size);
    }
    size += covers[size] == '\n';
  }
  if (count > SHOWN)
    text_addf(text, " and %u more", count - SHOWN);
}

void answer_text(Text *text, const Answer *answer, AnswerRun shown) {
  const RunText how = {.end = answer_end(answer),
                       .why = answer->obstacles,
                       .tells_end = answer->ending,
                       .is_full = shown == ANSWER_FULL_RUN};
  if (!answer->query && answer->has_trace) { // that was stored, and shows nothing but itself
    text_add(text, "a run:\n");
    runtext_write(text, &answer->trace, &how);
    return;
  }
  if (answer->query)
    text_addf(text, "%s: ", answer->query);
  text_add(text, verdict_text(answer->verdict));
  const bool is_long = answer->reason && strchr(answer->reason, '\n'); // with lines of a file
  if (answer->reason && !is_long)
    text_addf(text, " (%s)", answer->reason);
  if (answer->values)
    text_addf(text, " (%s)", answer->values);
  text_add_char(text, '\n');
  if (answer->estimate)
    estimates_text(text, answer->estimate);
  if (is_long)
    add_indented(text, answer->reason, shown != ANSWER_NO_RUN);
  if (!answer->has_trace || shown == ANSWER_NO_RUN)
    return;
  static const char *const kinds[] = {"a run", "a shortest run", "a fastest run"};
  text_addf(text, "%s that %s %s%s:\n", kinds[answer->preferred],
            answer->is_invariant ? "breaks" : "shows",
            answer->values && answer->covers ? answer->covers : "it",
            answer->is_any ? " (there may be shorter ones)" : "");
  runtext_write(text, &answer->trace, &how);
  for (uint32_t i = 0; i < answer->more_count; i++) {
    if (answer->values)
      text_add(text, "a run that shows ");
    else
      text_addf(text, "run %u, with ", i + 2);
    add_covers(text, answer->more[i].covers);
    text_add(text, ":\n");
    const char *ending = answer->more[i].ending;
    const RunText plain = {
        .end = end_of(answer, ending), .tells_end = ending, .is_full = how.is_full};
    runtext_write(text, &answer->more[i].trace, &plain);
  }
  if (answer->more_end)
    text_addf(text, "no more runs: %s\n", answer->more_end);
}

void answer_stats(Text *text, const Answer *answer) {
  if (answer->options.engine != ENGINE_ZONES && answer->options.engine != ENGINE_AUTO) {
    text_addf(text, "  %-12s ", "engine");
    options_value(text, &answer->options, options_find("engine"));
    text_add(text, "\n");
  }
  if (*answer->symmetry)
    text_addf(text, "  %-12s %s\n", "symmetry", answer->symmetry);
  for (uint32_t i = 0; i < statistics_count(); i++) {
    const StatisticInfo *info = statistics_at(i);
    if (!statistics_applies(info, &answer->options) ||
        info->offset == offsetof(Statistics, cpu_seconds)) // that is for JSON and CSV
      continue;
    const double value = statistics_value(&answer->stats, info);
    text_addf(text, "  %-12s ", info->name);
    if (statistics_is_time(info))
      text_addf(text, "%.3f\n", value);
    else
      text_addf(text, "%" PRIu64 "\n", (uint64_t)value);
  }
}

static json_t *json_clocks(const Trace *trace, const int64_t *clocks, Text *scratch) {
  json_t *object = json_object();
  for (uint32_t x = 1; x <= trace->net->clock_count; x++) {
    scale_print(scratch, clocks[x], trace->run.denominator, net_unit(trace->net));
    json_object_set_new(object, trace->net->clock_names[x], jsonparts_text(scratch));
  }
  return object;
}

static json_t *json_step(const Trace *trace, uint32_t index, Text *scratch) {
  const RunStep *step = &trace->run.steps[index];
  const Net *net = trace->net;
  json_t *object = json_object();
  if (index)
    json_object_set_new(object, "edges", jsonparts_edges(net, step->edges, step->edge_count));
  if (trace->kind == TRACE_CONCRETE) {
    scale_print(scratch, step->time, trace->run.denominator, net_unit(trace->net));
    json_object_set_new(object, "time", jsonparts_text(scratch));
  }
  json_t *variables = json_object();
  for (uint32_t s = 0; s < net->location_slot; s++)
    json_object_set_new(variables, net->slots.names[s], json_integer(step->state[s]));
  json_object_set_new(object, "locations", jsonparts_locations(net, step->state));
  json_object_set_new(object, "variables", variables);
  if (trace->zones) {
    runtext_zone(scratch, net->clock_names, trace->zones[index], net->clock_count + 1,
                 net_unit(net));
    json_object_set_new(object, "zone", jsonparts_text(scratch));
  } else {
    json_object_set_new(object, "clocks", json_clocks(trace, step->clocks, scratch));
  }
  return object;
}

static json_t *json_run(const Trace *trace, Preferred kind, Text *scratch) {
  static const char *const preferred[] = {"any", "shortest", "fastest"};
  json_t *steps = json_array();
  for (uint32_t i = 0; i < trace->run.step_count; i++)
    json_array_append_new(steps, json_step(trace, i, scratch));
  json_t *object =
      json_pack("{s:s}", "kind", trace->kind == TRACE_CONCRETE ? "concrete" : "symbolic");
  json_object_set_new(object, "preferred", json_string(preferred[kind]));
  json_object_set_new(object, "steps", steps);
  if (trace->kind == TRACE_CONCRETE) {
    scale_print(scratch, trace->run.end_time, trace->run.denominator, net_unit(trace->net));
    json_object_set_new(object, "end_time", jsonparts_text(scratch));
    json_object_set_new(object, "end_clocks", json_clocks(trace, trace->run.end_clocks, scratch));
  }
  if (trace->run.repeats) {
    json_t *loop = json_pack("{s:i}", "from", (int)trace->run.loop_from);
    if (trace->run.varies)
      json_object_set_new(loop, "times", json_string("vary"));
    if (trace->run.goes_on)
      json_object_set_new(loop, "to", json_integer(trace->run.loop_to));
    json_object_set_new(object, "loop", loop);
  }
  return object;
}

static json_t *json_trace(const Answer *answer, Text *scratch) {
  return json_run(&answer->trace, answer->preferred, scratch);
}

static json_t *json_covers(const char *covers) {
  json_t *list = json_array();
  for (size_t size; *covers; covers += size + (covers[size] == '\n')) {
    size = strcspn(covers, "\n");
    json_array_append_new(list, json_stringn(covers, size));
  }
  return list;
}

// All runs, the first one, which is also the trace of the answer, included.
static void add_runs(json_t *object, const Answer *answer, Text *scratch) {
  json_t *list = json_array(), *first = json_trace(answer, scratch);
  json_object_set_new(first, "covers", json_covers(answer->covers));
  json_array_append_new(list, first);
  for (uint32_t i = 0; i < answer->more_count; i++) {
    json_t *run = json_run(&answer->more[i].trace, PREFER_ANY, scratch);
    json_object_set_new(run, "covers", json_covers(answer->more[i].covers));
    json_array_append_new(list, run);
  }
  json_object_set_new(object, "traces", list);
  if (answer->more_end)
    json_object_set_new(object, "traces_end", json_string(answer->more_end));
}

static json_t *json_stats(const Statistics *stats, const Options *options) {
  json_t *object = json_object();
  for (uint32_t i = 0; i < statistics_count(); i++) {
    const StatisticInfo *info = statistics_at(i);
    const double value = statistics_value(stats, info);
    const bool is_whole = !statistics_is_time(info);
    json_object_set_new(object, info->name,
                        !statistics_applies(info, options) ? json_null()
                        : is_whole                         ? json_integer((json_int_t)value)
                                                           : json_real(value));
  }
  return object;
}

static json_t *json_numbers(const Answer *answer) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < answer->number_count; i++) {
    const AnswerNumber *number = &answer->numbers[i];
    const bool has_value = number->found && !number->is_infinite;
    json_t *object = json_pack("{s:o, s:s}", "expression", messages_text(number->expression),
                               "kind", number->is_inf ? "inf" : "sup");
    json_object_set_new(object, "value", has_value ? json_integer(number->value) : json_null());
    json_object_set_new(object, "strict", json_boolean(number->is_strict));
    json_object_set_new(object, "infinite", json_boolean(number->is_infinite));
    json_array_append_new(list, object);
  }
  return list;
}

static json_t *json_answer(const Answer *answer, Text *scratch, bool is_brief) {
  json_t *object = json_object();
  json_object_set_new(object, "query",
                      answer->query ? messages_text(answer->query) : json_null());
  if (answer->is_labels)
    json_object_set_new(object, "labels", json_true());
  json_object_set_new(object, "verdict", json_string(verdict_text(answer->verdict)));
  if (answer->options.engine != ENGINE_AUTO) { // else nothing was searched
    options_value(scratch, &answer->options, options_find("engine"));
    json_object_set_new(object, "engine", jsonparts_text(scratch));
  }
  if (*answer->symmetry)
    json_object_set_new(object, "symmetry", json_string(answer->symmetry));
  if (answer->reason)
    json_object_set_new(object, "reason", messages_text(answer->reason));
  if (answer->ending)
    json_object_set_new(object, "ending", json_string(answer->ending));
  if (answer->values)
    json_object_set_new(object, "values", messages_text(answer->values));
  if (answer->number_count)
    json_object_set_new(object, "numbers", json_numbers(answer));
  if (answer->estimate)
    json_object_set_new(object, "estimate", estimates_json(answer->estimate));
  json_object_set_new(object, "stats", json_stats(&answer->stats, &answer->options));
  if (answer->explanation)
    explanation_add_json(object, answer->explanation);
  if (answer->has_trace && !is_brief)
    json_object_set_new(object, "trace", json_trace(answer, scratch));
  if (answer->has_trace && !is_brief && answer->covers)
    add_runs(object, answer, scratch);
  return object;
}

// Those of statistical queries only if there was one.
static json_t *json_options(const Options *options, bool has_estimates, Text *scratch) {
  json_t *object = json_object();
  const OptionInfo *info;
  for (uint32_t i = 0; (info = options_at(i)); i++) {
    if (info->offset == OPTION_COMMAND || info->kind == OPTION_TEXT ||
        (info->effect & OPTION_ESTIMATES && !has_estimates) ||
        (info->effect & OPTION_RUNS && options->traces <= 1))
      continue;
    options_value(scratch, options, info);
    json_t *value = jsonparts_text(scratch);
    if (info->kind == OPTION_NUMBER) {
      json_t *number = json_integer(atoll(json_string_value(value)));
      json_decref(value);
      value = number;
    }
    if (info->kind == OPTION_SECONDS) {
      const double seconds = atof(json_string_value(value));
      json_decref(value);
      const json_int_t whole = (json_int_t)seconds;
      value = (double)whole < seconds ? json_real(seconds) : json_integer(whole);
    }
    if (info->kind == OPTION_FLAG) {
      const bool is_on = !strcmp(json_string_value(value), "yes");
      json_decref(value);
      value = json_boolean(is_on);
    }
    json_object_set_new(object, info->name, value);
  }
  return object;
}

// Constants of the command line. Numbers that JSON writes in another way, such as +5, are texts.
static void add_definitions(json_t *object, const char *define, Text *scratch) {
  json_t *constants = define ? json_object() : NULL;
  for (size_t size; define && *define; define += size + (define[size] == '\n')) {
    const size_t name = strcspn(define, "=");
    size = strcspn(define, "\n");
    const char *const text = define + name + 1;
    json_t *value = json_loadb(text, size - name - 1, JSON_DECODE_ANY, NULL);
    text_add_bytes(scratch, define, name);
    json_object_set_new(constants, text_chars(scratch),
                        value ? value : json_stringn(text, size - name - 1));
    text_clear(scratch);
  }
  if (constants)
    json_object_set_new(object, "constants", constants);
}

static json_t *object_of(Mem *mem, const Net *net, const Options *options, const Answers *answers,
                         bool is_brief) {
  Text scratch = {.mem = mem};
  json_t *results = json_array();
  bool has_estimates = false;
  for (uint32_t i = 0; i < answers->size; i++)
    has_estimates |= answers->items[i]->estimate != NULL;
  for (uint32_t i = 0; i < answers->size; i++)
    json_array_append_new(results, json_answer(answers->items[i], &scratch, is_brief));
  json_t *object = json_pack("{s:s, s:s, s:s}", "tarn", TARN_VERSION, "schema", ANSWER_SCHEMA,
                             "model", net->origin.name);
  add_definitions(object, net->origin.define, &scratch);
  json_object_set_new(object, "options", json_options(options, has_estimates, &scratch));
  json_object_set_new(object, "results", results);
  text_release(&scratch);
  return object;
}

json_t *answer_object(Mem *mem, const Net *net, const Options *options, const Answers *answers) {
  return object_of(mem, net, options, answers, false);
}

json_t *answer_object_briefly(Mem *mem, const Net *net, const Options *options,
                              const Answers *answers) {
  return object_of(mem, net, options, answers, true);
}

void answer_json(Text *text, const Net *net, const Options *options, const Answers *answers) {
  answer_json_with(text, net, options, answers, "", "");
}

void answer_json_with(Text *text, const Net *net, const Options *options, const Answers *answers,
                      const char *warnings, const char *errors) {
  json_t *object = answer_object(text->mem, net, options, answers);
  json_object_set_new(object, "warnings", messages_json(warnings));
  if (*errors)
    json_object_set_new(object, "errors", messages_json(errors));
  jsonparts_line(text, object, JSON_REAL_PRECISION(6));
}

void answer_errors(Text *text, const char *model, const char *warnings, const char *errors) {
  json_t *object = json_pack("{s:s, s:s}", "tarn", TARN_VERSION, "schema", ANSWER_SCHEMA);
  if (model)
    json_object_set_new(object, "model", messages_text(model));
  json_object_set_new(object, "errors", messages_json(errors));
  json_object_set_new(object, "warnings", messages_json(warnings));
  json_object_set_new(object, "results", json_array());
  jsonparts_line(text, object, JSON_REAL_PRECISION(6));
}
