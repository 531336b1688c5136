#include "output/lawtext.h"

#include "model/expr/print.h"

#include <math.h>
#include <string.h>

enum { MAX_CHOICES = 12 }; // that are listed

static void add_number(Text *text, const LawNumber *number, const Expr *expr) {
  if (!number->code)
    text_addf(text, "%g", number->constant);
  else
    expr_print(text, expr);
}

static bool bounds_delay(const LawLocation *law) {
  return law->invariant && condition_is_moving(law->invariant);
}

static void add_delay(Text *text, const LawLocation *law) {
  bool is_urgent = false;
  for (uint32_t c = 0; c < law->output_count; c++)
    is_urgent |= law->outputs[c].is_urgent;
  if (law->is_committed) {
    text_add(text, "no delay, and before all others (committed)");
  } else if (law->is_urgent) {
    text_add(text, "no delay (urgent)");
  } else if (!law->output_count) {
    text_add(text, bounds_delay(law) ? "waits for others; time ends with " : "waits for others");
    if (bounds_delay(law))
      expr_print(text, law->location->invariant_expr);
  } else if (bounds_delay(law)) {
    text_add(text, "uniform, from the first edge that opens to the end of ");
    expr_print(text, law->location->invariant_expr);
    if (law->has_rate)
      text_add(text, "; the rate is ignored");
  } else if (law->has_rate) {
    text_add(text, "exponential with the rate ");
    add_number(text, &law->rate, law->location->exponential);
    text_add(text, ", from the first edge that opens");
  } else {
    text_add(text, is_urgent ? "until an urgent channel can be used" : "no law: an error");
  }
  if (is_urgent && (law->has_rate || bounds_delay(law)))
    text_add(text, "; at once if an urgent channel can be used");
}

// The edge, or the branches with their probabilities.
static void add_choice(Text *text, const Net *net, const LawChoice *choice) {
  double total = 0;
  bool is_constant = true;
  for (uint32_t k = 0; k < choice->edge_count; k++) {
    is_constant &= !choice->edges[k].weight.code;
    total += choice->edges[k].weight.constant;
  }
  for (uint32_t k = 0; k < choice->edge_count; k++) {
    const LawEdge *edge = &choice->edges[k];
    text_addf(text, "%s%s", k ? " or " : "", net->locations.items[edge->target].name);
    if (edge->channel)
      text_addf(text, " with %s", net->events.items[edge->edge->event].name);
    if (edge->edge->select_text)
      text_addf(text, " [%s]", edge->edge->select_text);
    if (choice->edge_count == 1)
      continue;
    if (is_constant && total > 0)
      text_addf(text, " (%g)", edge->weight.constant / total);
    else {
      text_add(text, " (weight ");
      add_number(text, &edge->weight, edge->edge->weight);
      text_add(text, ")");
    }
  }
  if (choice->edges->edge->guard_expr) {
    text_add(text, " if ");
    expr_print(text, choice->edges->edge->guard_expr);
  }
}

static void add_location(Text *text, const Net *net, const LawLocation *law) {
  add_delay(text, law);
  text_add_char(text, '\n');
  for (uint32_t k = 0; k < law->clock_rate_count; k++) {
    text_addf(text, "      clock %s moves at the rate ",
              net->clock_names[(uint32_t)law->clock_rates[k].clock.constant]);
    add_number(text, &law->clock_rates[k].rate, law->location->clock_rates[k].rate);
    text_add(text, law->clock_rates[k].is_curved ? " (a differential equation)\n" : "\n");
  }
  if (law->output_count > 1)
    text_addf(text, "      of %u edges, those that are enabled are equally likely:\n",
              law->output_count);
  for (uint32_t c = 0; c < law->output_count && c < MAX_CHOICES; c++) {
    text_add(text, "      -> ");
    add_choice(text, net, &law->outputs[c]);
    text_add_char(text, '\n');
  }
  if (law->output_count > MAX_CHOICES)
    text_addf(text, "      .. and %u more\n", law->output_count - MAX_CHOICES);
}

static const char *family(const Process *process) {
  return process->template_name ? process->template_name : process->name;
}

// A process before this one that is of the same template, and whose location of this name reads
// alike.
static bool is_told(const Laws *laws, LocationId id, const Text *said, Text *scratch) {
  const Net *net = laws->net;
  const Location *location = &net->locations.items[id];
  const Process *own = &net->processes.items[location->process];
  for (ProcessId p = 0; p < location->process; p++) {
    const Process *other = &net->processes.items[p];
    if (strcmp(family(other), family(own)) != 0 || location->index >= other->location_count)
      continue;
    const LocationId twin = other->first_location + location->index;
    text_clear(scratch);
    add_location(scratch, net, &laws->locations[twin]);
    if (!strcmp(net->locations.items[twin].name, location->name) && scratch->size == said->size &&
        !strcmp(text_chars(scratch), text_chars(said)))
      return true;
  }
  return false;
}

enum { MAX_TOLD = 200 }; // locations

void lawtext_write(Text *text, const Laws *laws) {
  const Net *net = laws->net;
  Text said = {.mem = text->mem}, scratch = {.mem = text->mem};
  uint32_t told = 0, alike = 0;
  text_add(text, "laws of the runs:\n");
  for (LocationId id = 0; id < net->locations.size && told < MAX_TOLD; id++) {
    const Location *location = &net->locations.items[id];
    text_clear(&said);
    add_location(&said, net, &laws->locations[id]);
    if (is_told(laws, id, &said, &scratch)) {
      alike++;
      continue;
    }
    told++;
    text_addf(text, "  %s.%s: %s", net->processes.items[location->process].name, location->name,
              text_chars(&said));
  }
  if (alike)
    text_addf(text, "  %u locations of other processes are like these\n", alike);
  if (told == MAX_TOLD)
    text_add(text, "  ..\n");
  text_release(&said);
  text_release(&scratch);
}

// The values of one clock at which a guard holds, if it is a conjunction of tests of that clock.
typedef struct Window {
  ClockIndex clock;
  double low, high;
} Window;

static bool find_window(const Guard *guard, Window *window) {
  *window = (Window){0, 0, INFINITY};
  if (guard->code || !guard->clock_test_count)
    return false;
  for (uint32_t k = 0; k < guard->clock_test_count; k++) {
    const ClockTest *test = &guard->clock_tests[k];
    const ClockIndex clock = test->i ? test->i : test->j;
    if ((test->i && test->j) || (window->clock && window->clock != clock))
      return false;
    window->clock = clock;
    if (test->i)
      window->high = fmin(window->high, (double)test->constant);
    else
      window->low = fmax(window->low, (double)-test->constant);
  }
  return true;
}

// Whether no edge of the location is open for a while between two windows of a clock.
static bool has_gap(const LawLocation *law) {
  for (uint32_t c = 0; c < law->output_count; c++) {
    Window window, other;
    double next = INFINITY;
    if (!find_window(&law->outputs[c].edges->edge->guard, &window))
      return false; // it may be open in between
    for (uint32_t i = 0; i < law->output_count; i++) {
      if (!find_window(&law->outputs[i].edges->edge->guard, &other) ||
          other.clock != window.clock)
        return false;
      if (other.high > window.high)
        next = fmin(next, other.low);
    }
    if (isfinite(next) && next > window.high)
      return true;
  }
  return false;
}

// Whether two tests of guards exclude each other: n == 1 and n == 2, b and !b.
static bool excludes(const Guard *a, const Guard *b) {
  for (uint32_t i = 0; i < a->test_count; i++)
    for (uint32_t k = 0; k < b->test_count; k++) {
      const Test *left = &a->tests[i], *right = &b->tests[k];
      if (left->slot != right->slot)
        continue;
      const bool is_equal = left->value == right->value;
      if (left->op == EXPR_EQ && right->op == EXPR_EQ && !is_equal)
        return true;
      if (is_equal && ((left->op == EXPR_EQ && right->op == EXPR_NE) ||
                       (left->op == EXPR_NE && right->op == EXPR_EQ)))
        return true;
      if (left->op >= EXPR_LT && right->op >= EXPR_LT && is_equal &&
          (left->op == EXPR_LT || left->op == EXPR_LE) !=
              (right->op == EXPR_LT || right->op == EXPR_LE) &&
          (left->op == EXPR_LT || left->op == EXPR_GT || right->op == EXPR_LT ||
           right->op == EXPR_GT))
        return true;
    }
  return false;
}

static const LawEdge *find_double(const LawLocation *law) {
  for (uint32_t c = 0; c < law->input_count; c++)
    for (uint32_t i = 0; i < c; i++)
      if (law->inputs[c].edges->channel == law->inputs[i].edges->channel &&
          !excludes(&law->inputs[c].edges->edge->guard, &law->inputs[i].edges->edge->guard))
        return law->inputs[c].edges;
  return NULL;
}

static void warn(const Net *net, const Location *location, Report *report, const char *what) {
  report_warning(report, location->place, "%s.%s: %s",
                 net->processes.items[location->process].name, location->name, what);
}

void lawtext_warn(const Laws *laws, Report *report) {
  const Net *net = laws->net;
  for (LocationId id = 0; id < net->locations.size; id++) {
    const LawLocation *law = &laws->locations[id];
    const Location *location = &net->locations.items[id];
    const Process *process = &net->processes.items[location->process];
    const bool is_first =
        !location->process ||
        strcmp(family(process), family(&net->processes.items[location->process - 1])) != 0;
    if (!is_first) // one of each template
      continue;
    const bool is_instant = law->is_committed || law->is_urgent;
    if (law->has_rate && (is_instant || bounds_delay(law)) && law->output_count)
      warn(net, location, report,
           is_instant ? "the rate has no meaning: no time passes here"
                      : "the rate is ignored, as the invariant bounds the delay: it is uniform");
    if (!is_instant && !law->has_rate && !bounds_delay(law) && law->output_count) {
      bool is_urgent = false;
      for (uint32_t c = 0; c < law->output_count; c++)
        is_urgent |= law->outputs[c].is_urgent;
      if (!is_urgent)
        warn(net, location, report,
             "the delay has no law: neither an invariant bounds it nor is there a rate");
    }
    if (!is_instant && bounds_delay(law) && has_gap(law))
      warn(net, location, report,
           "the guards leave a gap: delays are uniform over all of it, and in the gap nothing "
           "happens");
    if (find_double(law))
      warn(net, location, report,
           "several edges may receive on the same channel at once: one of them is drawn");
  }
}
