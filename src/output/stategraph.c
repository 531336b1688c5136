#include "output/stategraph.h"

#include "model/joint.h"
#include "model/state.h"
#include "output/jsonparts.h"
#include "output/runtext.h"
#include "search/passed/nodes.h"
#include "semantics/zone/zones.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

typedef struct Graph {
  Text *text;
  Mem *mem;
  const Net *net;
  Reach *reach;
  json_t *nodes, *edges; // NULL: DOT is written
  Arena arena;
  Joint joint;
  Text label;
  int32_t *before;     // the state of a parent
  VEC(uint32_t) shown; // nodes, by NodeRef: their number, UINT32_MAX for none
  VEC(NodeRef) refs;   // by number
  uint32_t left_out;
  bool is_cut;     // a limit was reached while it was drawn
  size_t complete; // of the text: up to the last node or edge that is whole
} Graph;

// Text between the quotes of a DOT label, broken into lines at blanks and commas where one would
// be too long.
enum { WIDTH = 40 };
static void add_quoted(Text *text, const char *chars) {
  for (size_t column = 0; *chars; chars++, column++) {
    const bool is_break = *chars == ' ' || *chars == ',';
    if (is_break && column + strcspn(chars + 1, " ,") > WIDTH) {
      text_add(text, *chars == ',' ? ",\\n" : "\\n");
      column = 0;
      continue;
    }
    if (*chars == '"' || *chars == '\\')
      text_add_char(text, '\\');
    text_add_char(text, *chars);
  }
}

static void load(Graph *graph, NodeRef ref, bool opens) {
  const uint64_t *key = nodes_key(graph->reach, nodes_group(graph->reach, ref));
  const uint32_t zone = nodes_at(graph->reach, ref)->zone;
  if (opens)
    graph->reach->space->open(graph->reach->space, key, zone);
  else
    graph->reach->space->load(graph->reach->space, key, zone);
}

// Zone of the current node, over the clocks that it has.
static void add_zone(Graph *graph, Text *text) {
  const ActiveClocks *active = zones_active(graph->reach->space);
  const char **names = mem_alloc(graph->mem, active->k * sizeof *names);
  for (uint32_t i = 0; i < active->k; i++)
    names[i] = graph->net->clock_names[active->clocks[i]];
  runtext_zone(text, names, zones_zone(graph->reach->space), active->k, net_unit(graph->net));
  mem_free(graph->mem, names);
}

// What differs from the state of the parent; all of it without one.
static void add_changes(Text *text, const Net *net, const int32_t *state, const int32_t *before) {
  const char *separator = "";
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const uint32_t slot = net->location_slot + p;
    if (before && before[slot] == state[slot])
      continue;
    text_addf(text, "%s%s.%s", separator, net->processes.items[p].name,
              net_location(net, p, state[slot])->name);
    separator = ",";
  }
  for (uint32_t slot = 0; slot < net->location_slot; slot++) {
    if (before && before[slot] == state[slot])
      continue;
    text_addf(text, "%s%s=%d", separator, net->slots.names[slot], state[slot]);
    separator = ",";
  }
}

// The state of the node from which this one was reached, if it is shown; NULL if not.
static const int32_t *parent_state(Graph *graph, const Node *node) {
  if (node->parent == NODE_NONE || graph->shown.items[node->parent] == UINT32_MAX)
    return NULL;
  load(graph, node->parent, false);
  memcpy(graph->before, zones_state(graph->reach->space),
         graph->net->slots.count * sizeof *graph->before);
  return graph->before;
}

static void add_node(Graph *graph, uint32_t number) {
  Text zone = {.mem = graph->mem}, changes = {.mem = graph->mem};
  const Node *node = nodes_at(graph->reach, graph->refs.items[number]);
  const bool is_initial = node->parent == NODE_NONE;
  const int32_t *before = graph->nodes ? NULL : parent_state(graph, node);
  load(graph, graph->refs.items[number], false);
  text_clear(&graph->label);
  state_print(&graph->label, graph->net, zones_state(graph->reach->space));
  add_zone(graph, &zone);
  if (graph->nodes) {
    json_array_append_new(graph->nodes,
                          json_pack("{s:i, s:s, s:s, s:b, s:b}", "id", (int)number, "state",
                                    text_chars(&graph->label), "zone", text_chars(&zone),
                                    "initial", is_initial, "visited", node->is_visited));
  } else {
    add_changes(&changes, graph->net, zones_state(graph->reach->space), before);
    text_addf(graph->text, "  n%u [label=\"", number);
    add_quoted(graph->text, text_chars(&changes));
    text_add(graph->text, changes.size ? "\\n" : "");
    add_quoted(graph->text, text_chars(&zone));
    text_add(graph->text, "\", tooltip=\"");
    add_quoted(graph->text, text_chars(&graph->label));
    text_addf(graph->text, "\"%s%s];\n", is_initial ? ", penwidth=2" : "",
              node->is_visited ? "" : ", style=\"rounded,dashed\"");
  }
  text_release(&changes);
  text_release(&zone);
}

// The transition of the given ordinal from the opened node.
static void add_edge(Graph *graph, uint32_t from, uint32_t to, uint32_t ordinal, bool is_tree) {
  text_clear(&graph->label);
  if (joint_seek(&graph->joint, zones_source(graph->reach->space), ordinal))
    joint_print(&graph->label, &graph->joint);
  if (graph->edges) {
    json_array_append_new(
        graph->edges, json_pack("{s:i, s:i, s:s, s:b}", "from", (int)from, "to", (int)to,
                                "transition", text_chars(&graph->label), "covered", !is_tree));
    return;
  }
  text_addf(graph->text, "  n%u -> n%u [label=\"", from, to);
  add_quoted(graph->text, text_chars(&graph->label));
  text_addf(graph->text, "\"%s];\n", is_tree ? "" : ", style=dashed, constraint=false");
}

static void add_successors(Graph *graph, uint32_t number) {
  const NodeRef ref = graph->refs.items[number];
  Space *space = graph->reach->space;
  if (!nodes_at(graph->reach, ref)->is_visited)
    return;
  load(graph, ref, true);
  while (mem_tick(graph->mem), space->next(space)) {
    const uint32_t ordinal = space->ordinal;
    const NodeRef subsumer = nodes_subsumer(graph->reach);
    if (subsumer == NODE_NONE || graph->shown.items[subsumer] == UINT32_MAX)
      continue;
    const Node *node = nodes_at(graph->reach, subsumer);
    add_edge(graph, number, graph->shown.items[subsumer], ordinal,
             node->parent == ref && node->ordinal == ordinal);
    graph->complete = graph->text->size;
  }
}

// Where the search found what it looked for: a node that is not stored.
static void add_goal(Graph *graph) {
  const NodeRef parent = graph->reach->goal_parent;
  const uint32_t goal = graph->refs.size;
  if (graph->nodes)
    json_array_append_new(graph->nodes, json_pack("{s:i, s:b}", "id", (int)goal, "goal", 1));
  else
    text_addf(graph->text, "  n%u [label=\"goal\", shape=doublecircle];\n", goal);
  if (parent == NODE_NONE || graph->shown.items[parent] == UINT32_MAX ||
      !nodes_at(graph->reach, parent)->is_stored)
    return;
  load(graph, parent, true);
  add_edge(graph, graph->shown.items[parent], goal, graph->reach->goal_ordinal, true);
}

static void choose(Graph *graph) {
  const NodeRef limit = nodes_limit(graph->reach);
  for (NodeRef ref = 0; ref < limit; ref++) {
    const Node *node = nodes_at(graph->reach, ref);
    const bool has_zone = node && node->is_stored && node->zone;
    const bool is_shown = has_zone && graph->refs.size < STATEGRAPH_MAX;
    vec_push(graph->mem, &graph->shown, is_shown ? graph->refs.size : UINT32_MAX);
    if (is_shown)
      vec_push(graph->mem, &graph->refs, ref);
    else
      graph->left_out += has_zone;
  }
}

static void add_parts(Graph *graph, ReachResult result) {
  for (uint32_t i = 0; i < graph->refs.size; i++, graph->complete = graph->text->size) {
    mem_tick(graph->mem);
    add_node(graph, i);
  }
  for (uint32_t i = 0; i < graph->refs.size; i++)
    add_successors(graph, i);
  if (result == REACH_GOAL)
    add_goal(graph);
}

// One node can have more successors than anybody can draw: when a limit is reached, what is whole
// stays.
static void write_parts(Graph *graph, ReachResult result) {
  jmp_buf escape;
  jmp_buf *const outer = graph->mem->escape;
  graph->complete = graph->text->size;
  graph->mem->escape = &escape;
  if (setjmp(escape)) {
    graph->is_cut = true;
    graph->text->size = graph->complete;
    mem_watch(graph->mem, NULL);
    graph->mem->limit = 0; // a few bytes are always there
  } else {
    add_parts(graph, result);
  }
  graph->mem->escape = outer;
}

static void write_json(Graph *graph, ReachResult result) {
  graph->nodes = json_array();
  graph->edges = json_array();
  write_parts(graph, result);
  json_t *object = json_pack("{s:s, s:o, s:o, s:i, s:b}", "model", graph->net->origin.name,
                             "nodes", graph->nodes, "edges", graph->edges, "left_out",
                             (int)graph->left_out, "cut", graph->is_cut);
  jsonparts_line(graph->text, object, JSON_INDENT(1));
}

static void write_dot(Graph *graph, ReachResult result) {
  text_add(graph->text, "digraph explored {\n  node [shape=box, style=rounded];\n");
  if (graph->left_out)
    text_addf(graph->text, "  label=\"%u nodes more are not shown\";\n", graph->left_out);
  write_parts(graph, result);
  if (graph->is_cut)
    text_add(graph->text, "  label=\"a limit was reached: some of it is not shown\";\n");
  text_add(graph->text, "}\n");
}

StateGraphMissing stategraph_write(Text *text, const Net *net, Reach *reach, ReachResult result,
                                   bool is_json) {
  Graph graph = {.text = text, .mem = text->mem, .net = net, .reach = reach};
  graph.arena.mem = graph.label.mem = text->mem;
  joint_init(&graph.joint, net, &graph.arena);
  graph.before = ARENA_ARRAY(&graph.arena, int32_t, net->slots.count);
  choose(&graph);
  if (is_json)
    write_json(&graph, result);
  else
    write_dot(&graph, result);
  joint_release(&graph.joint);
  vec_release(text->mem, &graph.shown);
  vec_release(text->mem, &graph.refs);
  text_release(&graph.label);
  arena_release(&graph.arena);
  return (StateGraphMissing){graph.left_out, graph.is_cut};
}

void stategraph_write_file(const char *path, const Net *net, Reach *reach, ReachResult result,
                           Report *report) {
  const char *dot = strrchr(path, '.');
  Text text = {.mem = reach->mem};
  const StateGraphMissing gaps =
      stategraph_write(&text, net, reach, result, dot && !strcmp(dot, ".json"));
  FILE *file = fopen(path, "w");
  const bool ok = file && fwrite(text.chars, 1, text.size, file) == text.size && !fflush(file);
  const int reason = errno;
  if (file)
    fclose(file);
  if (!ok)
    report_error(report, (Place){0}, "%s: the graph could not be written: %s", path,
                 strerror(reason));
  else if (gaps.is_cut)
    report_warning(report, (Place){0},
                   "%s: a limit was reached while the graph was drawn: some of it is not shown",
                   path);
  else if (gaps.nodes)
    report_warning(report, (Place){0}, "%s: the graph is large: %u nodes are shown, %u are not",
                   path, STATEGRAPH_MAX, gaps.nodes);
  text_release(&text);
}
