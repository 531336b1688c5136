#include "check/naming.h"

#include <stdlib.h>
#include <string.h>

int32_t naming_value(const Names *n, uint32_t sort, int32_t value) {
  const RenamedFamily *f = n->family;
  for (uint32_t c = 0; f && sort && c < f->value_columns; c++)
    for (uint32_t i = 0; f->values[c].sort == sort && i < f->size; i++)
      if (f->values[c].values[i] == value)
        return f->values[c].values[n->to[i]];
  return value;
}

EventId naming_event(const Names *n, ProcessId process, EventId event) {
  const RenamedFamily *f = n->family;
  for (uint32_t c = 0; f && c < f->event_columns; c++)
    for (uint32_t i = 0; i < f->size; i++) {
      const RenamedEvents *e = &f->events[c];
      const ProcessId p = e->is_moved ? f->processes[e->process * f->size + i] : e->process;
      if (p == process && e->events[i] == event)
        return e->events[n->to[i]];
    }
  return event;
}

uint32_t naming_sort(const Names *n, uint32_t slot) {
  return n->family && slot < n->net->location_slot ? n->family->sort[slot] : 0;
}

static void move(uint32_t *map, const uint32_t *columns, uint32_t count, uint32_t size,
                 const uint32_t *to) {
  for (uint32_t i = 0; i < count * size; i++)
    map[columns[i]] = columns[i / size * size + to[i % size]];
}

static uint32_t *count_up(Arena *arena, uint32_t count) {
  uint32_t *map = ARENA_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    map[i] = i;
  return map;
}

Names naming_make(Prover *p, const RenamedFamily *f, const uint32_t *to) {
  const Net *net = p->net;
  Names n = {.net = net, .family = f, .to = to};
  n.process = count_up(&p->arena, net->processes.size);
  n.clock = count_up(&p->arena, net->clock_count + 1);
  n.slot = count_up(&p->arena, net->slots.count);
  if (!f)
    return n;
  move(n.process, f->processes, f->process_columns, f->size, to);
  move(n.clock, f->clocks, f->clock_columns, f->size, to);
  move(n.slot, f->slots, f->slot_columns, f->size, to);
  for (ProcessId q = 0; q < net->processes.size; q++)
    n.slot[net->location_slot + q] = net->location_slot + n.process[q];
  return n;
}

// --- Texts. `sort` is what the place wants: constants are renamed as its values are.

// The sort of what an expression reads: of an array, that of all its elements.
static uint32_t sort_of(Prover *p, const Names *n, const Expr *e) {
  if (e->kind != EXPR_VAR && e->kind != EXPR_INDEX && e->kind != EXPR_FIELD)
    return 0;
  const Expr *root = expr_root(e);
  if (root->kind != EXPR_VAR)
    return 0;
  const uint32_t sort = naming_sort(n, root->base);
  for (uint32_t k = 1; k < root->type->slots; k++)
    p->is_refused |= naming_sort(n, root->base + k) != sort;
  return sort;
}

// An array with one index, by name: its elements must go where the index goes.
static void write_element(Prover *p, const Names *n, Text *text, const Expr *e) {
  const Type *array = e->a->type;
  const bool is_clock = e->a->kind == EXPR_CLOCK;
  const uint32_t *map = is_clock ? n->clock : n->slot;
  const uint32_t base = e->a->base, stride = array->element->slots;
  const uint32_t sort = sort_of(p, n, e->b);
  if (e->b->kind == EXPR_CONST) {
    const int64_t at = (int64_t)e->b->value - array->first;
    if (at < 0 || at >= array->count || stride != 1)
      p->is_refused = true;
    else
      text_addf(text, "%c%u", is_clock ? 'c' : 's', map[base + (uint32_t)at]);
    return;
  }
  uint32_t first = UINT32_MAX; // where the array begins under the new names
  for (uint32_t i = 0; i < array->count; i++) {
    const int64_t to = (int64_t)naming_value(n, sort, array->first + (int32_t)i) - array->first;
    for (uint32_t k = 0; k < stride; k++) {
      const int64_t begin = (int64_t)map[base + i * stride + k] - to * stride - k;
      if (to < 0 || to >= array->count || begin < 0 || (first != UINT32_MAX && begin != first))
        p->is_refused = true;
      first = (uint32_t)begin;
    }
  }
  // Which elements there are, and which index the first has, decides what an index means.
  text_addf(text, "%c%u:%d:%u[", is_clock ? 'c' : 's', first, (int)array->first,
            (unsigned)array->count);
  naming_write_expr(p, n, text, e->b, sort);
  text_add(text, "]");
}

static void write_storage(Prover *p, const Names *n, Text *text, const Expr *e, uint32_t sort) {
  if (e->kind == EXPR_LOCAL) {
    p->is_refused |= sort != 0 || e->type->kind != TYPE_INT;
    text_addf(text, "l%u:%d:%d", e->base, (int)e->type->min, (int)e->type->max);
  } else if (e->kind == EXPR_VAR && e->type->slots == 1) {
    p->is_refused |= n->family && naming_sort(n, e->base) != sort;
    text_addf(text, "s%u", n->slot[e->base]);
  } else if (e->kind == EXPR_CLOCK && e->type->slots == 1) {
    text_addf(text, "c%u", n->clock[e->base]);
  } else if (e->kind == EXPR_INDEX && (e->a->kind == EXPR_VAR || e->a->kind == EXPR_CLOCK) &&
             e->type->slots == 1) {
    p->is_refused |= n->family && e->a->kind == EXPR_VAR && sort_of(p, n, e) != sort;
    write_element(p, n, text, e);
  } else {
    p->is_refused = true; // structs, arrays of arrays, local arrays: not needed, not allowed
  }
}

static void write_equal(Prover *p, const Names *n, Text *text, const Expr *e) {
  const uint32_t a = sort_of(p, n, e->a), b = sort_of(p, n, e->b), sort = a ? a : b;
  p->is_refused |= (a && b && a != b) || (a && !b && e->b->kind != EXPR_CONST) ||
                   (b && !a && e->a->kind != EXPR_CONST);
  text_addf(text, "(%d ", (int)e->kind);
  naming_write_expr(p, n, text, e->a, sort);
  text_add(text, " ");
  naming_write_expr(p, n, text, e->b, sort);
  text_add(text, ")");
}

void naming_write_expr(Prover *p, const Names *n, Text *text, const Expr *e, uint32_t sort) {
  switch (e->kind) {
  case EXPR_CONST:
    text_addf(text, "%d", naming_value(n, sort, e->value));
    return;
  case EXPR_VAR:
  case EXPR_LOCAL:
  case EXPR_CLOCK:
  case EXPR_INDEX:
  case EXPR_FIELD:
    write_storage(p, n, text, e, sort);
    return;
  case EXPR_AT:
    text_addf(text, "p%u.%d", n->slot[e->base], e->value);
    return;
  case EXPR_EQ:
  case EXPR_NE:
    p->is_refused |= sort != 0;
    write_equal(p, n, text, e);
    return;
  case EXPR_CALL:
  case EXPR_FORALL:
  case EXPR_EXISTS:
  case EXPR_SUM:
    p->is_refused = true;
    return;
  default:
    break;
  }
  p->is_refused |= sort != 0;
  text_addf(text, "(%d %d", (int)e->kind, (int)e->op);
  const Expr *const children[] = {e->a, e->b, e->c};
  for (int i = 0; i < 3; i++) {
    text_add(text, " ");
    if (children[i])
      naming_write_expr(p, n, text, children[i], 0);
  }
  text_add(text, ")");
}

void naming_write_stmts(Prover *p, const Names *n, Text *text, const Stmt *s) {
  for (; s; s = s->next) {
    const uint32_t sort = s->kind == STMT_ASSIGN ? sort_of(p, n, s->target) : 0;
    p->is_refused |= s->kind == STMT_RETURN || s->kind == STMT_CALL;
    text_addf(text, "{%d ", (int)s->kind);
    if (s->target)
      write_storage(p, n, text, s->target, sort);
    text_add(text, " ");
    if (s->source)
      write_storage(p, n, text, s->source, 0);
    text_add(text, " ");
    if (s->value)
      naming_write_expr(p, n, text, s->value, sort);
    text_add(text, " ");
    naming_write_stmts(p, n, text, s->body);
    text_add(text, "|");
    naming_write_stmts(p, n, text, s->other);
    text_add(text, "}");
  }
}

// --- Lists of texts.

int naming_compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void naming_add_line(Prover *p, Lines *lines, Text *text) {
  text_add(text, "");
  vec_push(p->mem, lines, text->chars);
  *text = (Text){.mem = p->mem};
}

void naming_release(Prover *p, Lines *lines) {
  for (uint32_t i = 0; i < lines->size; i++)
    mem_free(p->mem, lines->items[i]);
  vec_release(p->mem, lines);
}

bool naming_same_lines(Lines *a, Lines *b) {
  if (a->size != b->size)
    return false;
  if (a->size) {
    qsort(a->items, a->size, sizeof *a->items, naming_compare);
    qsort(b->items, b->size, sizeof *b->items, naming_compare);
  }
  for (uint32_t i = 0; i < a->size; i++)
    if (strcmp(a->items[i], b->items[i]) != 0)
      return false;
  return true;
}

bool naming_is_alone(const Net *net, const Edge *edge) {
  return net->async[(size_t)edge->process * net->events.size + edge->event];
}

// The name of the event of an edge that is taken alone means nothing.
void naming_write_label(const Names *n, Text *text, const Edge *edge) {
  const Net *net = n->net;
  const uint32_t number = net->event_channels ? net->event_channels[edge->event] : 0;
  const Channel *channel = number ? &net->channels.items[number - 1] : NULL;
  text_addf(text, "%u",
            naming_is_alone(net, edge) ? 0 : naming_event(n, edge->process, edge->event) + 1);
  if (channel)
    text_addf(text, "~%d%d%d", channel->broadcast, channel->urgent, channel->priority);
}

// The edges that leave a location, written out.
void naming_write_edges(Prover *p, const Names *n, LocationId location, Lines *lines) {
  const Net *net = p->net;
  const Location *l = &net->locations.items[location];
  Text text = {.mem = p->mem};
  for (uint32_t i = 0; i < l->edge_count; i++) {
    const Edge *edge = &net->edges.items[net->out[l->first_edge + i]];
    text_addf(&text, "%d ", net_index(net, edge->target));
    naming_write_label(n, &text, edge);
    text_add(&text, ": ");
    if (edge->guard.expr)
      naming_write_expr(p, n, &text, edge->guard.expr, 0);
    text_add(&text, " / ");
    naming_write_stmts(p, n, &text, edge->update.stmts);
    naming_add_line(p, lines, &text);
  }
}
