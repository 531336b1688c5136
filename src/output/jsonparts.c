#include "output/jsonparts.h"

#include <jansson.h>
#include <stdlib.h>

json_t *jsonparts_text(Text *text) {
  json_t *value = json_stringn(text_chars(text), text->size);
  text_clear(text);
  return value;
}

json_t *jsonparts_integers(const int32_t *values, uint32_t count) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(list, json_integer(values[i]));
  return list;
}

json_t *jsonparts_edges(const Net *net, const Edge *const *edges, uint32_t count) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < count; i++) {
    const Edge *edge = edges[i];
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:i}", "process",
                                          net->processes.items[edge->process].name, "source",
                                          net->locations.items[edge->source].name, "target",
                                          net->locations.items[edge->target].name, "event",
                                          net->events.items[edge->event].name, "index",
                                          (int)(edge - net->edges.items)));
  }
  return list;
}

json_t *jsonparts_edge_numbers(const Net *net, const Edge *const *edges, uint32_t count) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(list, json_integer(edges[i] - net->edges.items));
  return list;
}

json_t *jsonparts_locations(const Net *net, const int32_t *state) {
  json_t *locations = json_object();
  for (ProcessId p = 0; p < net->processes.size; p++)
    json_object_set_new(locations, net->processes.items[p].name,
                        json_string(net_location(net, p, state[net->location_slot + p])->name));
  return locations;
}

void jsonparts_add(Text *text, json_t *value, size_t flags) {
  char *dumped = json_dumps(value, flags | JSON_ENCODE_ANY);
  text_add(text, dumped ? dumped : "null");
  free(dumped);
  json_decref(value);
}

void jsonparts_line(Text *text, json_t *value, size_t flags) {
  jsonparts_add(text, value, flags);
  text_add_char(text, '\n');
}
