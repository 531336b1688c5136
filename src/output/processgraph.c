#include "output/processgraph.h"

#include "language/tchecker/tck_writer.h"
#include "model/expr/print.h"
#include "model/stopwatches.h"

#include <string.h>

// Text between the quotes of a DOT name.
static void add_quoted(Text *text, const char *chars) {
  for (; *chars; chars++) {
    if (*chars == '"' || *chars == '\\')
      text_add_char(text, '\\');
    text_add_char(text, *chars == '\n' ? ' ' : *chars);
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
    text_add_xml_bytes(text, chars, shown);
    text_add(text, "</font>");
    chars += length;
    left -= length;
  }
}

const char *const processgraph_colours[EDGE_WEIGHT] = {COLOUR_SOFT, COLOUR_GUARD, COLOUR_SYNC,
                                                       COLOUR_UPDATE};

static void dot_location(Text *text, const Net *net, LocationId id) {
  const Location *location = &net->locations.items[id];
  Text line = {.mem = text->mem};
  text_addf(text, "    l%u [id=\"tarn-location%u\", label=<<font color=\"%s\">", id, id,
            COLOUR_NAME);
  text_add_xml(text, location->name);
  text_add(text, "</font>");
  if (stopwatches_print(&line, location, NULL)) {
    add_lines(text, COLOUR_INVARIANT, text_chars(&line), line.size);
    text_clear(&line);
  }
  if (location->labels.size) {
    text_add(&line, "labels:");
    tck_write_labels(&line, net, location);
    add_lines(text, COLOUR_SOFT, text_chars(&line), line.size);
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
            edge->target, (unsigned)(edge - net->edges.items),
            is_sync ? COLOUR_SYNC : COLOUR_SOFT);
  text_add_xml(text, event);
  text_add(text, "</font>");
  if (edge->guard_expr) {
    expr_print(&line, edge->guard_expr);
    add_lines(text, COLOUR_GUARD, text_chars(&line), line.size);
    text_clear(&line);
  }
  if (edge->update_stmts) {
    stmt_print(&line, edge->update_stmts);
    add_lines(text, COLOUR_UPDATE, text_chars(&line), line.size);
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

void processgraph_all(Text *text, const Net *net) {
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

void processgraph_write(Text *text, const Net *net, ProcessId p) {
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
  text_addf(text, "    l%u [id=\"tarn-location%u\", label=<<font color=\"" COLOUR_NAME "\">",
            place, id);
  text_add_xml(text, location->name);
  text_add(text, "</font>");
  const LabelNode *invariant = &location->invariant_label;
  add_lines(text, COLOUR_INVARIANT, invariant->text, invariant->size);
  text_addf(text, ">%s%s];\n", location->is_committed ? ", peripheries=2" : "",
            location->is_urgent ? ", style=\"rounded,dashed\"" : "");
  if (is_initial)
    text_addf(text, "    i [shape=point, label=\"\"];\n    i -> l%u;\n", place);
}

void processgraph_template(Text *text, const TemplateNode *template, const char *title,
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
      add_lines(&label, processgraph_colours[part], edge->labels[part].text,
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
