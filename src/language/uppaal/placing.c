#include "language/uppaal/placing.h"

#include "language/graphviz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 220, HEIGHT = 140, LINE = 16, LETTER = 8, BEND = 40, LOOP = 45, SECONDS = 5 };

typedef struct Graph {
  Arena *arena;
  LocationNode **locations;
  uint32_t count, edge_count;
  EdgeNode **edges;
  uint32_t *source, *target; // of edges; UINT32_MAX: there is no such location
} Graph;

static uint32_t find(const Graph *g, const char *id) {
  uint32_t k = 0;
  while (k < g->count && g->locations[k]->id != id)
    k++;
  return k < g->count ? k : UINT32_MAX;
}

static void make_graph(Graph *g, Arena *arena, TemplateNode *t) {
  *g = (Graph){.arena = arena};
  for (LocationNode *l = t->locations; l; l = l->next)
    g->count++;
  for (EdgeNode *e = t->edges; e; e = e->next)
    g->edge_count++;
  g->locations = ARENA_ARRAY(arena, LocationNode *, g->count);
  g->edges = ARENA_ARRAY(arena, EdgeNode *, g->edge_count);
  g->source = ARENA_ARRAY(arena, uint32_t, g->edge_count);
  g->target = ARENA_ARRAY(arena, uint32_t, g->edge_count);
  uint32_t k = 0;
  for (LocationNode *l = t->locations; l; l = l->next)
    g->locations[k++] = l;
  k = 0;
  for (EdgeNode *e = t->edges; e; e = e->next, k++) {
    g->edges[k] = e;
    g->source[k] = find(g, e->source);
    g->target[k] = find(g, e->target);
  }
}

// In layers.

// The layer of each location, from the initial one on; those that no edge reaches come last.
static uint32_t find_layers(const Graph *g, uint32_t first, uint32_t *layer) {
  uint32_t last = 0;
  for (uint32_t k = 0; k < g->count; k++)
    layer[k] = UINT32_MAX;
  if (first < g->count)
    layer[first] = 0;
  for (bool changed = true; changed; last++) {
    changed = false;
    for (uint32_t e = 0; e < g->edge_count; e++) {
      const uint32_t from = g->source[e], to = g->target[e];
      if (from >= g->count || to >= g->count || layer[from] != last || layer[to] != UINT32_MAX)
        continue;
      layer[to] = last + 1;
      changed = true;
    }
  }
  uint32_t rest = 0;
  for (uint32_t k = 0; k < g->count; k++)
    if (layer[k] == UINT32_MAX)
      layer[k] = last + rest++ / 8; // not more than eight beside each other
  return last + rest;
}

// Twice the mean place of the neighbours above.
static int64_t pull(const Graph *g, const uint32_t *layer, const int64_t *place, uint32_t k) {
  int64_t sum = 0, count = 0;
  for (uint32_t e = 0; e < g->edge_count; e++) {
    const uint32_t from = g->source[e], to = g->target[e];
    if (from >= g->count || to >= g->count || from == to || (from != k && to != k))
      continue;
    const uint32_t other = from == k ? to : from;
    if (layer[other] + 1 == layer[k]) {
      sum += place[other];
      count++;
    }
  }
  return count ? 2 * sum / count : 2 * place[k];
}

static void order_layer(const Graph *g, const uint32_t *layer, int64_t *place, uint32_t number) {
  uint32_t *members = ARENA_ARRAY(g->arena, uint32_t, g->count), size = 0;
  int64_t *key = ARENA_ARRAY(g->arena, int64_t, g->count);
  for (uint32_t k = 0; k < g->count; k++)
    if (layer[k] == number) {
      place[k] = size;
      key[k] = pull(g, layer, place, k);
      uint32_t at = size++;
      for (; at > 0 && key[members[at - 1]] > key[k]; at--)
        members[at] = members[at - 1];
      members[at] = k;
    }
  // Centred: places are in halves of a width.
  for (uint32_t i = 0; i < size; i++)
    place[members[i]] = 2 * (int64_t)i - ((int64_t)size - 1);
}

static void add_nail(const Graph *g, EdgeNode *edge, int32_t x, int32_t y) {
  NailNode **last = &edge->nails;
  while (*last)
    last = &(*last)->next;
  *last = ARENA_NEW(g->arena, NailNode);
  (*last)->at = (PointNode){x, y, true};
}

// Bends an edge by its number among those of the same two locations, or because it is long.
static void bend(const Graph *g, uint32_t e, const uint32_t *layer) {
  const uint32_t from = g->source[e], to = g->target[e];
  const PointNode a = g->locations[from]->at, b = g->locations[to]->at;
  int32_t same = 0;
  bool has_way_back = false;
  for (uint32_t k = 0; k < g->edge_count; k++) {
    same += k < e && g->source[k] == from && g->target[k] == to;
    has_way_back |= g->source[k] == to && g->target[k] == from;
  }
  if (from == to) {
    add_nail(g, g->edges[e], a.x - LOOP - 25 * same, a.y - LOOP - 15 * same);
    add_nail(g, g->edges[e], a.x + LOOP + 25 * same, a.y - LOOP - 15 * same);
    return;
  }
  const uint32_t span =
      layer[from] > layer[to] ? layer[from] - layer[to] : layer[to] - layer[from];
  const bool is_long = span > 1 || (!span && abs(b.x - a.x) > WIDTH);
  if (!is_long && !has_way_back && !same)
    return;
  // To the left of its direction, so that ways there and back are apart.
  const int32_t dx = b.x - a.x, dy = b.y - a.y;
  const int32_t length = abs(dx) + abs(dy) ? abs(dx) + abs(dy) : 1;
  const int32_t size = (is_long ? WIDTH / 2 : BEND) + BEND * same;
  add_nail(g, g->edges[e], (a.x + b.x) / 2 + dy * size / length,
           (a.y + b.y) / 2 - dx * size / length);
}

void placing_in_layers(Arena *arena, TemplateNode *t) {
  Graph g;
  make_graph(&g, arena, t);
  uint32_t *layer = ARENA_ARRAY(arena, uint32_t, g.count);
  int64_t *place = ARENA_ARRAY(arena, int64_t, g.count);
  const uint32_t init = find(&g, t->init), first = init < g.count ? init : 0;
  const uint32_t layers = find_layers(&g, first, layer);
  for (uint32_t number = 0; number < layers + 1; number++)
    order_layer(&g, layer, place, number);
  for (uint32_t k = 0; k < g.count; k++)
    g.locations[k]->at =
        (PointNode){(int32_t)(place[k] * WIDTH / 2), (int32_t)(layer[k] * HEIGHT), true};
  for (uint32_t e = 0; e < g.edge_count; e++) {
    g.edges[e]->nails = NULL;
    if (g.source[e] < g.count && g.target[e] < g.count)
      bend(&g, e, layer);
  }
}

// By graphviz.

static uint32_t count_lines(const LabelNode *label) {
  uint32_t lines = label->size ? 1 : 0;
  for (uint32_t i = 0; i < label->size; i++)
    lines += label->text[i] == '\n';
  return lines;
}

static uint32_t count_columns(const LabelNode *label) {
  uint32_t most = 0, columns = 0;
  for (uint32_t i = 0; i < label->size; i++) {
    columns = label->text[i] == '\n' ? 0 : columns + 1;
    most = columns > most ? columns : most;
  }
  return most;
}

// The lines of all labels of an edge, and the most columns of one.
static uint32_t box_of(const EdgeNode *e, uint32_t *columns) {
  uint32_t lines = 0;
  *columns = 0;
  for (int part = 0; part < EDGE_WEIGHT; part++) {
    const uint32_t wide = count_columns(&e->labels[part]);
    lines += count_lines(&e->labels[part]);
    *columns = wide > *columns ? wide : *columns;
  }
  return lines;
}

// Labels of an edge as a box of the right size: what they say does not matter here.
static void add_box(Text *dot, const EdgeNode *e) {
  uint32_t columns;
  const uint32_t lines = box_of(e, &columns);
  text_add(dot, " [label=\"");
  for (uint32_t i = 0; i < lines && i < 40; i++) {
    for (uint32_t k = 0; k < columns && k < 60; k++)
      text_add_char(dot, 'x');
    text_add(dot, "\\n");
  }
  text_add(dot, "\"];\n");
}

static double next_number(const char **at) {
  // The locale may have another mark than a point.
  char *end;
  const long whole = strtol(*at, &end, 10);
  const bool is_negative = memchr(*at, '-', (size_t)(end - *at));
  double value = (double)whole, weight = is_negative ? -.1 : .1;
  if (*end == '.')
    for (end++; *end >= '0' && *end <= '9'; end++, weight /= 10)
      value += weight * (*end - '0');
  *at = end + strspn(end, " ");
  return value;
}

static PointNode next_point(const char **at) {
  enum { INCH = 100 };
  const double x = next_number(at), y = next_number(at);
  return (PointNode){(int32_t)(x * INCH), (int32_t)(-y * INCH), true};
}

// The edge's number is its weight in the output's order: they come in the order of the input for
// equal ends, so the first edge of these ends that has no place is the one.
static void take_edge(const Graph *g, const char *at, bool *is_done) {
  const uint32_t from = (uint32_t)next_number(&at), to = (uint32_t)next_number(&at);
  uint32_t e = 0;
  while (e < g->edge_count && (is_done[e] || g->source[e] != from || g->target[e] != to))
    e++;
  if (e == g->edge_count)
    return;
  is_done[e] = true;
  EdgeNode *edge = g->edges[e];
  const uint32_t count = (uint32_t)next_number(&at);
  const PointNode a = g->locations[from]->at, b = g->locations[to]->at;
  edge->nails = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const PointNode point = next_point(&at);
    // Of a chain of Bézier curves those on the line; of one curve its middle.
    if ((i % 3 == 0 && i > 0 && i + 1 < count) || (count == 4 && from == to && i % 3))
      add_nail(g, edge, point.x, point.y);
    else if (count == 4 && i == 1 && (abs(a.x - b.x) < 5 ? abs(point.x - a.x) > 8 : false))
      add_nail(g, edge, point.x, (a.y + b.y) / 2);
  }
  if (*at != '"' && *at != 'x' && *at != '\\')
    return;
  const char *end = strchr(at, ' ');
  if (!end)
    return;
  at = end + 1;
  PointNode middle = next_point(&at);
  uint32_t columns;
  const uint32_t lines = box_of(edge, &columns);
  middle.x -= (int32_t)(columns * LETTER / 2);
  middle.y -= (int32_t)(lines * LINE / 2);
  for (int part = 0; part < EDGE_WEIGHT; part++)
    if (edge->labels[part].size) {
      edge->labels[part].at = middle;
      middle.y += (int32_t)(count_lines(&edge->labels[part]) * LINE);
    }
}

static bool place_by_graphviz(Arena *arena, TemplateNode *t) {
  Graph g;
  Text dot = {.mem = arena->mem}, plain = {.mem = arena->mem};
  make_graph(&g, arena, t);
  text_add(&dot, "digraph {\nnodesep=.6; ranksep=.7; node [shape=circle, width=.35, "
                 "fixedsize=true, label=\"\"];\n");
  for (uint32_t k = 0; k < g.count; k++)
    text_addf(&dot, "%u;\n", (unsigned)k);
  for (uint32_t e = 0; e < g.edge_count; e++)
    if (g.source[e] < g.count && g.target[e] < g.count) {
      text_addf(&dot, "%u -> %u", (unsigned)g.source[e], (unsigned)g.target[e]);
      add_box(&dot, g.edges[e]);
    }
  text_add(&dot, "}\n");
  bool ok = graphviz_run(&plain, &dot, "plain", SECONDS);
  uint32_t placed = 0;
  bool *is_done = ARENA_ARRAY(arena, bool, g.edge_count);
  for (const char *line = text_chars(&plain); ok && line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (!strncmp(line, "node ", 5)) {
      const char *at = line + 5;
      const uint32_t k = (uint32_t)next_number(&at);
      if (k < g.count) {
        g.locations[k]->at = next_point(&at);
        placed++;
      }
    } else if (!strncmp(line, "edge ", 5) && placed == g.count) {
      take_edge(&g, line + 5, is_done);
    }
  }
  text_release(&dot);
  text_release(&plain);
  return ok && placed == g.count;
}

// Names and invariants beside their locations.
static void place_labels(TemplateNode *t) {
  for (LocationNode *l = t->locations; l; l = l->next) {
    l->name_label.at = (PointNode){l->at.x + 12, l->at.y - 30, true};
    if (l->invariant_label.size)
      l->invariant_label.at = (PointNode){l->at.x + 12, l->at.y + 12, true};
  }
}

void placing_place(Arena *arena, TemplateNode *t) {
  const LocationNode *l = t->locations;
  while (l && l->at.is_given)
    l = l->next;
  if (!l)
    return;
  if (!place_by_graphviz(arena, t))
    placing_in_layers(arena, t);
  place_labels(t);
}
