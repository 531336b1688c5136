#include "output/netjson.h"

#include "language/uppaal/uppaal.h"
#include "model/expr/print.h"
#include "model/stopwatches.h"
#include "output/jsonparts.h"

#include <jansson.h>

static json_t *json_process(const Drawings *drawings, ProcessId p, Text *scratch) {
  const Net *net = drawings->net;
  const Process *process = &net->processes.items[p];
  const uint32_t number = drawings->of_process[p];
  const Drawing *drawing = &drawings->items[number];
  json_t *locations = json_array();
  for (uint32_t i = 0; i < process->location_count; i++) {
    const Location *location = net_location(net, p, (int32_t)i);
    json_t *object = json_pack("{s:s}", "name", location->name);
    if (stopwatches_print(scratch, location, NULL)) {
      json_object_set_new(object, "invariant", jsonparts_text(scratch));
    }
    json_array_append_new(locations, object);
  }
  json_t *object = json_pack(
      "{s:s, s:i, s:i, s:o}", "name", process->name, "drawing", (int)number, "first",
      (int)net->processes.items[drawing->process].first_location, "locations", locations);
  if (drawing->template)
    json_object_set_new(object, "template", json_string(drawing->template->name));
  return object;
}

// `parts` are the edges of the template that are drawn for it, or NULL.
static json_t *json_edge(const Net *net, const Edge *edge, const uint32_t *parts, Text *scratch) {
  json_t *object =
      json_pack("{s:i, s:i, s:i, s:s, s:b}", "process", (int)edge->process, "source",
                (int)net_index(net, edge->source), "target", (int)net_index(net, edge->target),
                "event", net->events.items[edge->event].name, "is_sync",
                !net->async[edge->process * net->events.size + edge->event]);
  if (edge->guard_expr) {
    expr_print(scratch, edge->guard_expr);
    json_object_set_new(object, "guard", jsonparts_text(scratch));
  }
  if (edge->update_stmts) {
    stmt_print(scratch, edge->update_stmts);
    json_object_set_new(object, "update", jsonparts_text(scratch));
  }
  if (!parts)
    return object;
  json_t *list = json_array();
  for (; *parts != UINT32_MAX; parts++)
    json_array_append_new(list, json_integer(*parts));
  json_object_set_new(object, "drawn", list);
  return object;
}

json_t *netjson_of(const Drawings *drawings, Text *scratch) {
  const Net *net = drawings->net;
  Arena arena = {.mem = scratch->mem};
  const uint32_t **parts = drawing_edges(drawings, &arena);
  json_t *processes = json_array(), *clocks = json_array(), *variables = json_array();
  json_t *edges = json_array();
  for (ProcessId p = 0; p < net->processes.size; p++)
    json_array_append_new(processes, json_process(drawings, p, scratch));
  for (ClockIndex x = 1; x <= net->clock_count; x++)
    json_array_append_new(clocks, json_string(net->clock_names[x]));
  for (uint32_t slot = 0; slot < net->location_slot; slot++)
    json_array_append_new(variables, json_string(net->slots.names[slot]));
  for (EdgeId i = 0; i < net->edges.size; i++)
    json_array_append_new(edges, json_edge(net, &net->edges.items[i], parts[i], scratch));
  arena_release(&arena);
  return json_pack("{s:o, s:o, s:o, s:o}", "processes", processes, "clocks", clocks, "variables",
                   variables, "edges", edges);
}

// Where a template stands in the file, as XPath numbers elements; 0: it is not in the document.
static unsigned template_number(const Document *document, const TemplateNode *template) {
  unsigned number = 1;
  for (const TemplateNode *t = document ? document->templates : NULL; t; t = t->next, number++)
    if (t == template)
      return number;
  return 0;
}

// By location of the process: its number among the elements <location> of its template.
static void add_location_paths(json_t *process, unsigned number) {
  size_t i;
  json_t *location;
  json_array_foreach(json_object_get(process, "locations"), i, location) json_object_set_new(
      location, "path", json_sprintf("/nta/template[%u]/location[%u]", number, (unsigned)i + 1));
}

static void add_edge_paths(json_t *edge, unsigned number) {
  size_t i;
  json_t *part, *paths = json_array();
  json_array_foreach(json_object_get(edge, "drawn"), i, part)
      json_array_append_new(paths, json_sprintf("/nta/template[%u]/transition[%u]", number,
                                                (unsigned)json_integer_value(part) + 1));
  json_object_set_new(edge, "paths", paths);
}

void netjson_write(Text *text, const Net *net) {
  Arena arena = {.mem = text->mem};
  Text scratch = {.mem = text->mem};
  Drawings drawings;
  drawing_find(&drawings, &arena, net);
  const Document *document = uppaal_document(net);
  json_t *model = netjson_of(&drawings, &scratch);
  json_object_set_new(model, "name", json_string(net->origin.name));
  for (ProcessId p = 0; p < net->processes.size; p++) {
    json_t *process = json_array_get(json_object_get(model, "processes"), p);
    const Drawing *drawing = &drawings.items[drawings.of_process[p]];
    const unsigned number =
        document && drawing->template ? template_number(document, drawing->template) : 0;
    if (number)
      add_location_paths(process, number);
  }
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    json_t *object = json_array_get(json_object_get(model, "edges"), i);
    const Drawing *drawing = &drawings.items[drawings.of_process[edge->process]];
    const unsigned number =
        document && drawing->template ? template_number(document, drawing->template) : 0;
    if (number)
      add_edge_paths(object, number);
    if (edge->select_text)
      json_object_set_new(object, "select", json_string(edge->select_text));
  }
  jsonparts_add(text, model, JSON_COMPACT);
  text_release(&scratch);
  arena_release(&arena);
}
