#include "output/trace_text.h"

#include "model/expr/print.h"

static void add_state(Text *text, const Net *net, const RunStep *step, int64_t denominator) {
  text_add(text, "\nState:\n( ");
  for (ProcessId p = 0; p < net->processes.size; p++)
    text_addf(text, "%s.%s ", net->processes.items[p].name,
              net_location(net, p, step->state[net->location_slot + p])->name);
  text_add(text, ")\n");
  const char *blank = "";
  for (uint32_t x = 1; step->clocks && x <= net->clock_count; x++) {
    text_addf(text, "%s%s=", blank, net->clock_names[x]);
    scale_print(text, step->clocks[x], denominator, net_unit(net));
    blank = " ";
  }
  for (uint32_t slot = 0; slot < net->location_slot; slot++) {
    text_addf(text, "%s%s=%d", blank, net->slots.names[slot], (int)step->state[slot]);
    blank = " ";
  }
  text_add(text, "\n");
}

static void add_edge(Text *text, const Net *net, const Edge *edge) {
  const char *process = net->processes.items[edge->process].name;
  const char *event = net->events.items[edge->event].name;
  text_addf(text, "  %s.%s->%s.%s { ", process, net->locations.items[edge->source].name, process,
            net->locations.items[edge->target].name);
  if (edge->guard_expr)
    expr_print(text, edge->guard_expr);
  else
    text_add_char(text, '1');
  text_addf(text, ", %s, ", event);
  if (edge->update_stmts)
    stmt_print(text, edge->update_stmts);
  else
    text_add_char(text, '1');
  text_add(text, " }");
  if (edge->select_text)
    text_addf(text, " [%s]", edge->select_text);
  text_add_char(text, '\n');
}

void trace_text(Text *text, const Trace *trace) {
  for (uint32_t i = 0; i < trace->run.step_count; i++) {
    const RunStep *step = &trace->run.steps[i];
    if (i) {
      const int64_t delay = step->time - trace->run.steps[i - 1].time;
      if (delay) {
        text_add(text, "\nDelay: ");
        scale_print(text, delay, trace->run.denominator, net_unit(trace->net));
        text_add_char(text, '\n');
      }
      text_add(text, "\nTransitions:\n");
      for (uint32_t k = 0; k < step->edge_count; k++)
        add_edge(text, trace->net, step->edges[k]);
    }
    add_state(text, trace->net, step, trace->run.denominator);
  }
}
