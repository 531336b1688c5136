#include "output/drawing.h"

#include "language/graphviz.h"
#include "language/uppaal/uppaal.h"
#include "output/processgraph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void drawing_find(Drawings *drawings, Arena *arena, const Net *net) {
  const uint32_t size = net->processes.size;
  uint32_t *of_process = ARENA_ARRAY(arena, uint32_t, size);
  *drawings = (Drawings){
      .net = net, .items = ARENA_ARRAY(arena, Drawing, size), .of_process = of_process};
  for (ProcessId p = 0; p < size; p++) {
    const TemplateNode *template = uppaal_template(net, p);
    uint32_t d = 0;
    while (d < drawings->count && (!template || drawings->items[d].template != template))
      d++;
    if (d == drawings->count)
      drawings->items[drawings->count++] = (Drawing){template, p, 0};
    drawings->items[d].process_count++;
    of_process[p] = d;
  }
}

// What can be looked up in a template: edges by their places, locations by their ids.
typedef struct Entry {
  uintptr_t key;
  uint32_t offset, index;
} Entry;

static int compare(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  return x->key != y->key ? (x->key < y->key ? -1 : 1)
                          : (x->offset > y->offset) - (x->offset < y->offset);
}

typedef struct Index {
  const TemplateNode *template;
  uint32_t edge_count, location_count; // branch points included
  Entry *edges, *locations;
  const EdgeNode **edge;         // by place
  const LocationNode **location; // by place, branch points included
  uint32_t *target;              // of each edge: the place of its location
  uint32_t *local;               // of each location: what the net calls it
} Index;

static uint32_t look_up(const Entry *entries, uint32_t count, uintptr_t key, uint32_t offset) {
  const Entry wanted = {.key = key, .offset = offset};
  const Entry *found = count ? bsearch(&wanted, entries, count, sizeof *entries, compare) : NULL;
  return found ? found->index : UINT32_MAX;
}

static uint32_t find_location(const Index *index, const char *id) {
  return look_up(index->locations, index->location_count, (uintptr_t)id, 0);
}

static void make_index(Index *index, Arena *arena, const TemplateNode *template) {
  *index = (Index){.template = template};
  for (const EdgeNode *e = template->edges; e; e = e->next)
    index->edge_count++;
  for (const LocationNode *l = template->locations; l; l = l->next)
    index->location_count++;
  index->edges = ARENA_ARRAY(arena, Entry, index->edge_count);
  index->edge = ARENA_ARRAY(arena, const EdgeNode *, index->edge_count);
  index->target = ARENA_ARRAY(arena, uint32_t, index->edge_count);
  index->locations = ARENA_ARRAY(arena, Entry, index->location_count);
  index->location = ARENA_ARRAY(arena, const LocationNode *, index->location_count);
  index->local = ARENA_ARRAY(arena, uint32_t, index->location_count);
  uint32_t k = 0, local = 0;
  for (const LocationNode *l = template->locations; l; l = l->next, k++) {
    index->locations[k] = (Entry){(uintptr_t)l->id, 0, k};
    index->location[k] = l;
    index->local[k] = l->is_branch ? UINT32_MAX : local++;
  }
  if (k)
    qsort(index->locations, k, sizeof *index->locations, compare);
  k = 0;
  for (const EdgeNode *e = template->edges; e; e = e->next, k++) {
    index->edges[k] = (Entry){(uintptr_t)e->place.source, e->place.offset, k};
    index->edge[k] = e;
    index->target[k] = find_location(index, e->target);
  }
  if (k)
    qsort(index->edges, k, sizeof *index->edges, compare);
}

// The edge of the template and, if it leads to a branch point, the branches from there to the
// target of this edge of the net.
static const uint32_t *drawn_parts(const Index *index, Arena *arena, const Net *net,
                                   const Edge *edge) {
  const uint32_t first =
      look_up(index->edges, index->edge_count, (uintptr_t)edge->place.source, edge->place.offset);
  const uint32_t target = first == UINT32_MAX ? UINT32_MAX : index->target[first];
  const bool is_branching = target != UINT32_MAX && index->location[target]->is_branch;
  uint32_t *parts = ARENA_ARRAY(arena, uint32_t, (is_branching ? index->edge_count : 0) + 2);
  uint32_t count = 0;
  if (first != UINT32_MAX)
    parts[count++] = first;
  for (uint32_t k = 0; is_branching && k < index->edge_count; k++)
    if (index->edge[k]->source == index->location[target]->id && index->target[k] != UINT32_MAX &&
        index->local[index->target[k]] == (uint32_t)net_index(net, edge->target))
      parts[count++] = k;
  parts[count] = UINT32_MAX;
  return parts;
}

const uint32_t **drawing_edges(const Drawings *drawings, Arena *arena) {
  const Net *net = drawings->net;
  const uint32_t **parts = ARENA_ARRAY(arena, const uint32_t *, net->edges.size);
  Index *indices = ARENA_ARRAY(arena, Index, drawings->count);
  for (uint32_t d = 0; d < drawings->count; d++)
    if (drawings->items[d].template)
      make_index(&indices[d], arena, drawings->items[d].template);
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    const Index *index = &indices[drawings->of_process[edge->process]];
    parts[e] = index->template ? drawn_parts(index, arena, net, edge) : NULL;
  }
  return parts;
}

// Drawings with the coordinates of the file, as in UPPAAL's editor.
enum { RADIUS = 15, BRANCH_RADIUS = 4, LINE = 15, LETTER = 7, MARGIN = 12, HEAD = 9 };

typedef struct Canvas {
  Text body;
  double left, top, right, bottom; // of all that is drawn
} Canvas;

typedef struct Vector {
  double x, y;
} Vector;

static void cover(Canvas *c, double x, double y) {
  c->left = x < c->left ? x : c->left;
  c->right = x > c->right ? x : c->right;
  c->top = y < c->top ? y : c->top;
  c->bottom = y > c->bottom ? y : c->bottom;
}

// Newton's method, good enough for drawings: it spares users of the library libm.
static double length_of(double dx, double dy) {
  const double square = dx * dx + dy * dy;
  double root = square > 1 ? square : 1;
  for (int i = 0; i < 40; i++)
    root = (root + square / root) / 2;
  return root;
}

// With one digit, whatever the locale says of points.
static void add_number(Text *text, double value) {
  const long tenths = (long)((value < 0 ? -value : value) * 10 + .5);
  text_addf(text, "%s%ld.%ld", value < 0 ? "-" : "", tenths / 10, tenths % 10);
}

static void add_point(Text *text, Vector v) {
  add_number(text, v.x);
  text_add_char(text, ',');
  add_number(text, v.y);
}

// A label, line by line, from its upper left corner on. Returns the number of lines.
static uint32_t draw_label(Canvas *c, const LabelNode *label, const char *colour, double x,
                           double y) {
  uint32_t lines = 0;
  for (size_t at = 0, end; at < label->size; at = end + 1) {
    const char *newline = memchr(label->text + at, '\n', label->size - at);
    end = newline ? (size_t)(newline - label->text) : label->size;
    while (at < end && strchr(" \t\r", label->text[at]))
      at++;
    if (at == end)
      continue;
    text_addf(&c->body, "<text fill=\"%s\" x=\"", colour);
    add_number(&c->body, x);
    text_add(&c->body, "\" y=\"");
    add_number(&c->body, y + LINE * (lines + .8));
    text_add(&c->body, "\">");
    text_add_xml_bytes(&c->body, label->text + at, end - at);
    text_add(&c->body, "</text>");
    cover(c, x, y + LINE * lines++);
    cover(c, x + LETTER * (double)(end - at), y + LINE * lines);
  }
  return lines;
}

static void draw_ellipse(Canvas *c, PointNode at, int radius, const char *more) {
  text_addf(&c->body, "<ellipse cx=\"%d\" cy=\"%d\" rx=\"%d\" ry=\"%d\" %s/>", at.x, at.y, radius,
            radius, more);
  cover(c, at.x - radius, at.y - radius);
  cover(c, at.x + radius, at.y + radius);
}

static void draw_location(Canvas *c, const TemplateNode *template, const LocationNode *location,
                          LocationId id) {
  const PointNode at = location->at;
  if (location->is_branch) {
    draw_ellipse(c, at, BRANCH_RADIUS, "fill=\"currentColor\"");
    return;
  }
  text_addf(&c->body, "\n<g class=\"node\" id=\"tarn-location%u\"><title>", id);
  text_add_xml(&c->body, location->name);
  text_add(&c->body, "</title>");
  draw_ellipse(c, at, RADIUS, "fill=\"none\"");
  if (location->id == template->init)
    draw_ellipse(c, at, RADIUS - 4, "fill=\"none\"");
  if (location->is_committed || location->is_urgent)
    text_addf(&c->body, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%c</text>", at.x,
              at.y + 5, location->is_committed ? 'C' : 'U');
  const LabelNode *name = &location->name_label, *invariant = &location->invariant_label;
  draw_label(c, name, COLOUR_NAME, name->at.is_given ? name->at.x : at.x - 10,
             name->at.is_given ? name->at.y : at.y - RADIUS - LINE - 2);
  draw_label(c, invariant, COLOUR_INVARIANT, invariant->at.is_given ? invariant->at.x : at.x - 10,
             invariant->at.is_given ? invariant->at.y : at.y + RADIUS + 2);
  text_add(&c->body, "</g>");
}

// The point on the border of a location from where, or to where, an edge goes.
static Vector border(const LocationNode *location, Vector other) {
  const Vector at = {location->at.x, location->at.y};
  const double dx = other.x - at.x, dy = other.y - at.y, length = length_of(dx, dy);
  const double radius = location->is_branch ? BRANCH_RADIUS : RADIUS;
  return length < radius ? at
                         : (Vector){at.x + dx / length * radius, at.y + dy / length * radius};
}

static void draw_head(Canvas *c, Vector from, Vector tip) {
  const double dx = tip.x - from.x, dy = tip.y - from.y, length = length_of(dx, dy);
  const Vector unit = length > 0 ? (Vector){dx / length, dy / length} : (Vector){0, 1};
  const Vector base = {tip.x - unit.x * HEAD, tip.y - unit.y * HEAD};
  text_add(&c->body, "<polygon points=\"");
  add_point(&c->body, tip);
  text_add_char(&c->body, ' ');
  add_point(&c->body, (Vector){base.x - unit.y * HEAD / 2, base.y + unit.x * HEAD / 2});
  text_add_char(&c->body, ' ');
  add_point(&c->body, (Vector){base.x + unit.y * HEAD / 2, base.y - unit.x * HEAD / 2});
  text_add(&c->body, "\"/>");
}

// The line of an edge, over its nails; returns its middle, where labels without a place go.
static Vector draw_line(Canvas *c, const LocationNode *from, const LocationNode *to,
                        const EdgeNode *edge, Arena *arena) {
  uint32_t count = 0;
  for (const NailNode *n = edge->nails; n; n = n->next)
    count += n->at.is_given;
  Vector *points = ARENA_ARRAY(arena, Vector, count + 4);
  count = 1;
  for (const NailNode *n = edge->nails; n; n = n->next)
    if (n->at.is_given)
      points[count++] = (Vector){n->at.x, n->at.y};
  if (from == to && count == 1) {
    points[count++] = (Vector){from->at.x - 1.5 * RADIUS, from->at.y - 3 * RADIUS};
    points[count++] = (Vector){from->at.x + 1.5 * RADIUS, from->at.y - 3 * RADIUS};
  }
  points[0] = border(from, count > 1 ? points[1] : (Vector){to->at.x, to->at.y});
  points[count] = border(to, points[count - 1]);
  text_add(&c->body, "<path fill=\"none\" d=\"M");
  for (uint32_t i = 0; i <= count; i++) {
    add_point(&c->body, points[i]);
    text_add(&c->body, i < count ? " L" : "\"/>");
    cover(c, points[i].x, points[i].y);
  }
  draw_head(c, points[count - 1], points[count]);
  const Vector a = points[count / 2], b = points[(count + 1) / 2];
  return (Vector){(a.x + b.x) / 2, (a.y + b.y) / 2};
}

static void draw_edge(Canvas *c, const Index *index, uint32_t k, uint32_t number, Arena *arena) {
  const EdgeNode *edge = index->edge[k];
  const uint32_t from = find_location(index, edge->source), to = index->target[k];
  if (from == UINT32_MAX || to == UINT32_MAX)
    return;
  text_addf(&c->body, "\n<g class=\"edge\" id=\"tarn-edge%u-%u\">", number, k);
  Vector free = draw_line(c, index->location[from], index->location[to], edge, arena);
  for (int part = 0; part < EDGE_WEIGHT; part++) {
    const LabelNode *label = &edge->labels[part];
    if (label->at.is_given)
      draw_label(c, label, processgraph_colours[part], label->at.x, label->at.y);
    else
      free.y += LINE * draw_label(c, label, processgraph_colours[part], free.x + 5, free.y);
  }
  text_add(&c->body, "</g>");
}

static void begin_figure(Text *text, uint32_t number) {
  text_addf(text, "<figure data-drawing=\"%u\">", number);
}

static void draw_template(Text *text, const Index *index, const char *title, uint32_t number,
                          LocationId first, Arena *arena) {
  const PointNode origin = index->location[0]->at;
  Canvas c = {.body = {.mem = text->mem}};
  c.left = c.right = origin.x;
  c.top = c.bottom = origin.y;
  for (uint32_t k = 0; k < index->edge_count; k++)
    draw_edge(&c, index, k, number, arena);
  for (uint32_t k = 0; k < index->location_count; k++)
    draw_location(&c, index->template, index->location[k], first + index->local[k]);
  const LabelNode label = {.text = title, .size = (uint32_t)strlen(title)};
  draw_label(&c, &label, "black", c.left, c.top - 2 * LINE);
  begin_figure(text, number);
  const int left = (int)c.left - MARGIN, top = (int)c.top - MARGIN;
  const int width = (int)c.right - left + MARGIN, height = (int)c.bottom - top + MARGIN;
  text_addf(text,
            "<svg class=\"placed\" width=\"%d\" height=\"%d\" viewBox=\"%d %d %d %d\"><g "
            "class=\"graph\" font-family=\"Helvetica,sans-serif\" font-size=\"13\">",
            width, height, left, top, width, height);
  text_add(text, text_chars(&c.body));
  text_add(text, "</g></svg></figure>\n");
  text_release(&c.body);
}

static bool is_placed(const TemplateNode *template) {
  for (const LocationNode *l = template->locations; l; l = l->next)
    if (!l->at.is_given)
      return false;
  return template->locations;
}

// What `dot` makes of the graphs, each from its <svg> on. Their numbers are in `numbers`.
static void add_graphs(Text *text, const Text *dot, const uint32_t *numbers, int seconds) {
  Text drawn = {.mem = text->mem};
  const bool ok = graphviz_run(&drawn, dot, "svg", seconds);
  const char *svg = ok ? strstr(text_chars(&drawn), "<svg") : NULL;
  if (!svg)
    text_addf(text,
              "<p>Not drawn: graphviz (the command <code>dot</code>) was not found, or takes "
              "longer than %d s.</p>",
              seconds);
  for (const char *end; svg && (end = strstr(svg, "</svg>")); svg = strstr(end, "<svg")) {
    begin_figure(text, *numbers++);
    text_add_bytes(text, svg, (size_t)(end - svg) + strlen("</svg>"));
    text_add(text, "</figure>\n");
  }
  text_release(&drawn);
}

// The name of a process that is the only one, else that of the template and how many there are.
static const char *title_of(const Drawings *drawings, const Drawing *drawing, Text *scratch) {
  text_clear(scratch);
  if (drawing->process_count == 1)
    text_add(scratch, drawings->net->processes.items[drawing->process].name);
  else
    text_addf(scratch, "%s, %u processes", drawing->template->name, drawing->process_count);
  return text_chars(scratch);
}

void drawing_write(Text *text, const Drawings *drawings, Arena *arena, int seconds) {
  const Net *net = drawings->net;
  Text dot = {.mem = text->mem}, scratch = {.mem = text->mem};
  uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, drawings->count), count = 0;
  for (uint32_t d = 0; d < drawings->count; d++) {
    const Drawing *drawing = &drawings->items[d];
    const LocationId first = net->processes.items[drawing->process].first_location;
    const char *title = title_of(drawings, drawing, &scratch);
    if (drawing->template && is_placed(drawing->template)) {
      Index index;
      make_index(&index, arena, drawing->template);
      draw_template(text, &index, title, d, first, arena);
      continue;
    }
    numbers[count++] = d;
    if (drawing->template)
      processgraph_template(&dot, drawing->template, title, d, first);
    else
      processgraph_write(&dot, net, drawing->process);
  }
  if (dot.size)
    add_graphs(text, &dot, numbers, seconds);
  text_release(&dot);
  text_release(&scratch);
}
