#include "output/show.h"

#include "model/expr/print.h"
#include "model/stopwatches.h"

#include <string.h>

// Attributes are written `{key: value : key: value}`: opens or continues the list.
static void add_key(Text *text, bool *any, const char *key) {
  text_addf(text, "%s%s:", *any ? " : " : "{", key);
  *any = true;
}

static void add_kept(Text *text, bool *any, const Attributes *attributes) {
  for (uint32_t i = 0; i < attributes->size; i++) {
    add_key(text, any, attributes->items[i].key);
    if (*attributes->items[i].value)
      text_addf(text, " %s", attributes->items[i].value);
  }
}

static void end_attributes(Text *text, bool any) { text_add(text, any ? "}\n" : "\n"); }

static void end_kept(Text *text, const Attributes *attributes) {
  bool any = false;
  add_kept(text, &any, attributes);
  end_attributes(text, any);
}

static void show_labels(Text *text, const Net *net, const Location *location) {
  for (uint32_t i = 0; i < location->labels.size; i++)
    text_addf(text, "%s%s", i ? "," : " ", net->labels.items[location->labels.items[i]].name);
}

static void show_location(Text *text, const Net *net, const Location *location) {
  bool any = false;
  text_addf(text, "location:%s:%s", net->processes.items[location->process].name, location->name);
  if (location->initial)
    add_key(text, &any, "initial");
  if (location->committed)
    add_key(text, &any, "committed");
  if (location->urgent)
    add_key(text, &any, "urgent");
  if (location->labels.size) {
    add_key(text, &any, "labels");
    show_labels(text, net, location);
  }
  if (location->invariant_expr || location->clock_rate_count) {
    add_key(text, &any, "invariant");
    text_add_char(text, ' ');
    stopwatches_print(text, location);
  }
  add_kept(text, &any, &location->attributes);
  end_attributes(text, any);
}

static void show_edge(Text *text, const Net *net, const Edge *edge) {
  bool any = false;
  text_addf(text, "edge:%s:%s:%s:%s", net->processes.items[edge->process].name,
            net->locations.items[edge->source].name, net->locations.items[edge->target].name,
            net->events.items[edge->event].name);
  if (edge->guard_expr) {
    add_key(text, &any, "provided");
    text_add_char(text, ' ');
    expr_print(text, edge->guard_expr);
  }
  if (edge->update_stmts) {
    add_key(text, &any, "do");
    text_add_char(text, ' ');
    stmt_print(text, edge->update_stmts);
  }
  add_kept(text, &any, &edge->attributes);
  end_attributes(text, any);
}

static void show_names(Text *text, const Net *net) {
  for (uint32_t i = 0; i < net->events.size; i++) {
    text_addf(text, "event:%s", net->events.items[i].name);
    end_kept(text, &net->events.items[i].attributes);
  }
  for (uint32_t i = 0; i < net->clocks.size; i++) {
    const Name *clock = &net->clocks.items[i];
    text_addf(text, "clock:%u:%s", clock->type->slots, clock->name);
    end_kept(text, &clock->attributes);
  }
  for (uint32_t i = 0; i < net->variables.size; i++) {
    const Name *variable = &net->variables.items[i];
    const Type *type =
        variable->type->kind == TYPE_ARRAY ? variable->type->element : variable->type;
    text_addf(text, "int:%u:%d:%d:%d:%s", variable->type->slots, type->min, type->max,
              variable->initial[0], variable->name);
    end_kept(text, &variable->attributes);
  }
}

// Edges can follow their process only if the model has them in this order, too.
static bool edges_are_grouped(const Net *net) {
  for (EdgeId i = 1; i < net->edges.size; i++)
    if (net->edges.items[i].process < net->edges.items[i - 1].process)
      return false;
  return true;
}

// Which edges can be taken, by process and event: alone, or with others.
static bool *find_possible(Mem *mem, const Net *net) {
  const size_t events = net->events.size, count = net->processes.size * events;
  bool *possible = mem_alloc(mem, count * sizeof *possible);
  for (size_t i = 0; i < count; i++)
    possible[i] = net->async[i];
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++) {
      const SyncPart *part = &net->syncs.items[s].parts.items[k];
      possible[part->process * events + part->event] = true;
    }
  return possible;
}

// Edges that wait for others on a channel that no other process uses are left out: in TChecker's
// language an event without a synchronisation is one of the process alone.
static void show_possible(Text *text, const Net *net, const Edge *edge, const bool *possible) {
  if (possible[(size_t)edge->process * net->events.size + edge->event])
    show_edge(text, net, edge);
}

static void show_processes(Text *text, const Net *net) {
  const bool grouped = edges_are_grouped(net);
  bool *possible = find_possible(text->mem, net);
  EdgeId edge = 0;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    text_addf(text, "\nprocess:%s", process->name);
    end_kept(text, &process->attributes);
    for (uint32_t i = 0; i < process->location_count; i++)
      show_location(text, net, net_location(net, p, (int32_t)i));
    for (; grouped && edge < net->edges.size && net->edges.items[edge].process == p; edge++)
      show_possible(text, net, &net->edges.items[edge], possible);
  }
  if (edge < net->edges.size)
    text_add_char(text, '\n');
  for (; edge < net->edges.size; edge++)
    show_possible(text, net, &net->edges.items[edge], possible);
  mem_free(text->mem, possible);
}

static void show_sync(Text *text, const Net *net, const Sync *sync) {
  text_add(text, "sync");
  for (uint32_t i = 0; i < sync->parts.size; i++) {
    const SyncPart *part = &sync->parts.items[i];
    text_addf(text, ":%s@%s%s", net->processes.items[part->process].name,
              net->events.items[part->event].name, part->weak ? "?" : "");
  }
  end_kept(text, &sync->attributes);
}

void show_model(Text *text, const Net *net) {
  text_addf(text, "system:%s", net->origin.name);
  end_kept(text, &net->origin.attributes);
  if (net->events.size || net->clocks.size || net->variables.size)
    text_add_char(text, '\n');
  show_names(text, net);
  show_processes(text, net);
  if (net->syncs.size)
    text_add_char(text, '\n');
  for (uint32_t i = 0; i < net->syncs.size; i++)
    show_sync(text, net, &net->syncs.items[i]);
}

// Text between the quotes of a DOT name.
static void add_quoted(Text *text, const char *chars) {
  for (; *chars; chars++) {
    if (*chars == '"' || *chars == '\\')
      text_add_char(text, '\\');
    text_add_char(text, *chars == '\n' ? ' ' : *chars);
  }
}

void show_escaped(Text *text, const char *chars, size_t size) {
  for (size_t i = 0; i < size; i++)
    switch (chars[i]) {
    case '<':
      text_add(text, "&lt;");
      break;
    case '>':
      text_add(text, "&gt;");
      break;
    case '&':
      text_add(text, "&amp;");
      break;
    case '\n':
      text_add_char(text, ' ');
      break;
    default:
      text_add_char(text, chars[i]);
    }
}

// Where a line ends that begins here: it holds at most WIDTH characters if it can be broken so,
// after `;`, `,` or before an operator; else up to the next such place.
enum { WIDTH = 36 };
static size_t line_length(const char *chars, size_t size) {
  size_t best = 0;
  if (size <= WIDTH)
    return size;
  for (size_t i = 2; i < size; i++) {
    if (i > WIDTH && best)
      return best;
    const bool is_end = chars[i - 1] == ' ' && (chars[i - 2] == ';' || chars[i - 2] == ',');
    const bool is_operator =
        chars[i - 1] == ' ' && (!strncmp(chars + i, "&& ", 3) || !strncmp(chars + i, "|| ", 3));
    if (is_end || is_operator)
      best = i;
  }
  return best && size > WIDTH ? best : size;
}

// A part of a label in a colour of its own, broken into lines.
static void add_lines(Text *text, const char *colour, const char *chars, size_t left) {
  while (left) {
    const size_t length = line_length(chars, left);
    size_t shown = length;
    while (shown && chars[shown - 1] == ' ')
      shown--;
    text_addf(text, "<br/><font color=\"%s\">", colour);
    show_escaped(text, chars, shown);
    text_add(text, "</font>");
    chars += length;
    left -= length;
  }
}

const char *const show_part_colours[EDGE_WEIGHT] = {SHOW_SOFT, SHOW_GUARD, SHOW_SYNC,
                                                    SHOW_UPDATE};

static void dot_location(Text *text, const Net *net, LocationId id) {
  const Location *location = &net->locations.items[id];
  Text line = {.mem = text->mem};
  text_addf(text, "    l%u [id=\"tarn-location%u\", label=<<font color=\"%s\">", id, id,
            SHOW_NAME);
  show_escaped(text, location->name, strlen(location->name));
  text_add(text, "</font>");
  if (stopwatches_print(&line, location)) {
    add_lines(text, SHOW_INVARIANT, text_chars(&line), line.size);
    text_clear(&line);
  }
  if (location->labels.size) {
    text_add(&line, "labels:");
    show_labels(&line, net, location);
    add_lines(text, SHOW_SOFT, text_chars(&line), line.size);
  }
  text_addf(text, ">%s%s];\n", location->committed ? ", peripheries=2" : "",
            location->urgent ? ", style=\"rounded,dashed\"" : "");
  if (location->initial)
    text_addf(text, "    i%u [shape=point, label=\"\"];\n    i%u -> l%u;\n", id, id, id);
  text_release(&line);
}

static void dot_edge(Text *text, const Net *net, const Edge *edge) {
  Text line = {.mem = text->mem};
  const char *event = net->events.items[edge->event].name;
  const bool is_sync = !net->async[edge->process * net->events.size + edge->event];
  text_addf(text, "    l%u -> l%u [id=\"tarn-edge%u\", label=<<font color=\"%s\">", edge->source,
            edge->target, (unsigned)(edge - net->edges.items), is_sync ? SHOW_SYNC : SHOW_SOFT);
  show_escaped(text, event, strlen(event));
  text_add(text, "</font>");
  if (edge->guard_expr) {
    expr_print(&line, edge->guard_expr);
    add_lines(text, SHOW_GUARD, text_chars(&line), line.size);
    text_clear(&line);
  }
  if (edge->update_stmts) {
    stmt_print(&line, edge->update_stmts);
    add_lines(text, SHOW_UPDATE, text_chars(&line), line.size);
  }
  text_add(text, ">];\n");
  text_release(&line);
}

static void dot_process(Text *text, const Net *net, ProcessId p) {
  const Process *process = &net->processes.items[p];
  text_add(text, "    label=\"");
  add_quoted(text, process->name);
  text_add(text, "\";\n");
  for (uint32_t i = 0; i < process->location_count; i++) {
    const Location *location = net_location(net, p, (int32_t)i);
    dot_location(text, net, process->first_location + i);
    for (uint32_t k = 0; k < location->edge_count; k++)
      dot_edge(text, net, &net->edges.items[net->out[location->first_edge + k]]);
  }
}

#define STYLE                                                                                    \
  "  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=12];\n"                    \
  "  edge [fontname=\"Helvetica\", fontsize=11];\n"

void show_process_dot(Text *text, const Net *net) {
  text_add(text, "digraph \"");
  add_quoted(text, net->origin.name);
  text_add(text, "\" {\n  fontname=\"Helvetica\";\n" STYLE);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    text_addf(text, "  subgraph cluster_%u {\n", p);
    dot_process(text, net, p);
    text_add(text, "  }\n");
  }
  text_add(text, "}\n");
}

static void begin_graph(Text *text, uint32_t number) {
  text_addf(text, "digraph g%u {\n  labelloc=t; fontname=\"Helvetica\";\n" STYLE, number);
}

void show_process_graph(Text *text, const Net *net, ProcessId p) {
  begin_graph(text, p);
  dot_process(text, net, p);
  text_add(text, "}\n");
}

// The place of a location among all, branch points included; the number of these if there is
// none.
static uint32_t find_location(const TemplateNode *template, const char *id) {
  uint32_t k = 0;
  for (const LocationNode *l = template->locations; l && l->id != id; l = l->next)
    k++;
  return k;
}

static void dot_node(Text *text, const LocationNode *location, uint32_t place, LocationId id,
                     bool is_initial) {
  if (location->is_branch) {
    text_addf(text, "    l%u [shape=point, width=.08];\n", place);
    return;
  }
  text_addf(text, "    l%u [id=\"tarn-location%u\", label=<<font color=\"" SHOW_NAME "\">", place,
            id);
  show_escaped(text, location->name, strlen(location->name));
  text_add(text, "</font>");
  const LabelNode *invariant = &location->invariant_label;
  add_lines(text, SHOW_INVARIANT, invariant->text, invariant->size);
  text_addf(text, ">%s%s];\n", location->is_committed ? ", peripheries=2" : "",
            location->is_urgent ? ", style=\"rounded,dashed\"" : "");
  if (is_initial)
    text_addf(text, "    i [shape=point, label=\"\"];\n    i -> l%u;\n", place);
}

void show_template_graph(Text *text, const TemplateNode *template, const char *title,
                         uint32_t number, LocationId first) {
  begin_graph(text, number);
  text_add(text, "    label=\"");
  add_quoted(text, title);
  text_add(text, "\";\n");
  uint32_t place = 0, index = 0;
  for (const LocationNode *l = template->locations; l; l = l->next, place++) {
    dot_node(text, l, place, first + index, l->id == template->init);
    index += !l->is_branch;
  }
  index = 0;
  for (const EdgeNode *edge = template->edges; edge; edge = edge->next, index++) {
    Text label = {.mem = text->mem};
    for (int part = 0; part < EDGE_WEIGHT; part++)
      add_lines(&label, show_part_colours[part], edge->labels[part].text,
                edge->labels[part].size);
    text_addf(text, "    l%u -> l%u [id=\"tarn-edge%u-%u\"",
              find_location(template, edge->source), find_location(template, edge->target),
              number, index);
    if (label.size)
      text_addf(text, ", label=<%s>", text_chars(&label) + strlen("<br/>"));
    text_add(text, "];\n");
    text_release(&label);
  }
  text_add(text, "}\n");
}
