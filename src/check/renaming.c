#include "check/renaming.h"

#include "model/access.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 1 << 12 };

// One permutation of the ids of a family; without a family nothing moves.
typedef struct Names {
  const Net *net;
  const RenamedFamily *family;
  const uint32_t *to;
  uint32_t *process, *clock, *slot; // images
} Names;

typedef struct Prover {
  Mem *mem;
  Arena arena;
  const Net *net;
  const Goal *goal;
  Text *why;
  const RenamedFamily *family;
  Access access;
  Vm vm;
  bool is_refused; // something was written that renaming does not allow
} Prover;

static bool refuse(Prover *p, const char *reason) {
  text_addf(p->why, "a renaming is no symmetry: %s", reason);
  return false;
}

static int32_t value_image(const Names *n, uint32_t sort, int32_t value) {
  const RenamedFamily *f = n->family;
  for (uint32_t c = 0; f && sort && c < f->value_columns; c++)
    for (uint32_t i = 0; f->values[c].sort == sort && i < f->size; i++)
      if (f->values[c].values[i] == value)
        return f->values[c].values[n->to[i]];
  return value;
}

static EventId event_image(const Names *n, ProcessId process, EventId event) {
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

static uint32_t sort_at(const Names *n, uint32_t slot) {
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

static Names make_names(Prover *p, const RenamedFamily *f, const uint32_t *to) {
  const Net *net = p->net;
  Names n = {.net = net, .family = f, .to = to};
  n.process = count_up(&p->arena, net->processes.size);
  n.clock = count_up(&p->arena, net->clock_count + 1);
  n.slot = count_up(&p->arena, net->slot_count);
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

static void write_expr(Prover *, const Names *, Text *, const Expr *, uint32_t sort);

static const Expr *root_of(const Expr *e) {
  while (e->kind == EXPR_INDEX || e->kind == EXPR_FIELD)
    e = e->a;
  return e;
}

// The sort of what an expression reads: of an array, that of all its elements.
static uint32_t sort_of(Prover *p, const Names *n, const Expr *e) {
  if (e->kind != EXPR_VAR && e->kind != EXPR_INDEX && e->kind != EXPR_FIELD)
    return 0;
  const Expr *root = root_of(e);
  if (root->kind != EXPR_VAR)
    return 0;
  const uint32_t sort = sort_at(n, root->base);
  for (uint32_t k = 1; k < root->type->slots; k++)
    p->is_refused |= sort_at(n, root->base + k) != sort;
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
    const int64_t to = (int64_t)value_image(n, sort, array->first + (int32_t)i) - array->first;
    for (uint32_t k = 0; k < stride; k++) {
      const int64_t begin = (int64_t)map[base + i * stride + k] - to * stride - k;
      if (to < 0 || to >= array->count || begin < 0 || (first != UINT32_MAX && begin != first))
        p->is_refused = true;
      first = (uint32_t)begin;
    }
  }
  text_addf(text, "%c%u[", is_clock ? 'c' : 's', first);
  write_expr(p, n, text, e->b, sort);
  text_add(text, "]");
}

static void write_storage(Prover *p, const Names *n, Text *text, const Expr *e, uint32_t sort) {
  if (e->kind == EXPR_LOCAL) {
    p->is_refused |= sort != 0;
    text_addf(text, "l%u", e->base);
  } else if (e->kind == EXPR_VAR && e->type->slots == 1) {
    p->is_refused |= n->family && sort_at(n, e->base) != sort;
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
  write_expr(p, n, text, e->a, sort);
  text_add(text, " ");
  write_expr(p, n, text, e->b, sort);
  text_add(text, ")");
}

static void write_expr(Prover *p, const Names *n, Text *text, const Expr *e, uint32_t sort) {
  switch (e->kind) {
  case EXPR_CONST:
    text_addf(text, "%d", value_image(n, sort, e->value));
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
      write_expr(p, n, text, children[i], 0);
  }
  text_add(text, ")");
}

static void write_stmts(Prover *p, const Names *n, Text *text, const Stmt *s) {
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
      write_expr(p, n, text, s->value, sort);
    text_add(text, " ");
    write_stmts(p, n, text, s->body);
    text_add(text, "|");
    write_stmts(p, n, text, s->other);
    text_add(text, "}");
  }
}

// --- Lists of texts.

typedef VEC(char *) Lines;

static int compare_lines(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_line(Prover *p, Lines *lines, Text *text) {
  text_add(text, "");
  vec_push(p->mem, lines, text->chars);
  *text = (Text){.mem = p->mem};
}

static void release_lines(Prover *p, Lines *lines) {
  for (uint32_t i = 0; i < lines->size; i++)
    mem_free(p->mem, lines->items[i]);
  vec_release(p->mem, lines);
}

static bool are_equal(Lines *a, Lines *b) {
  if (a->size != b->size)
    return false;
  if (a->size) {
    qsort(a->items, a->size, sizeof *a->items, compare_lines);
    qsort(b->items, b->size, sizeof *b->items, compare_lines);
  }
  for (uint32_t i = 0; i < a->size; i++)
    if (strcmp(a->items[i], b->items[i]) != 0)
      return false;
  return true;
}

static bool is_alone(const Net *net, const Edge *edge) {
  return net->async[(size_t)edge->process * net->events.size + edge->event];
}

// Event 0 of an edge that is taken alone: its name means nothing.
static EventId label_of(const Names *n, const Edge *edge) {
  return is_alone(n->net, edge) ? 0 : event_image(n, edge->process, edge->event) + 1;
}

// The edges that leave a location, written out.
static void write_edges(Prover *p, const Names *n, LocationId location, Lines *lines) {
  const Net *net = p->net;
  const Location *l = &net->locations.items[location];
  Text text = {.mem = p->mem};
  for (uint32_t i = 0; i < l->edge_count; i++) {
    const Edge *edge = &net->edges.items[net->out[l->first_edge + i]];
    text_addf(&text, "%d %u: ", net_index(net, edge->target), label_of(n, edge));
    if (edge->guard.expr)
      write_expr(p, n, &text, edge->guard.expr, 0);
    text_add(&text, " / ");
    write_stmts(p, n, &text, edge->update.stmts);
    add_line(p, lines, &text);
  }
}

// --- Relations, by running them.

static void rename_state(const Names *n, const int32_t *from, int32_t *to) {
  for (uint32_t s = 0; s < n->net->slot_count; s++)
    to[n->slot[s]] = value_image(n, sort_at(n, s), from[s]);
}

// What the edges that leave a location do in a state, written out under other names.
static void run_edges(Prover *p, const Names *n, LocationId location, const int32_t *state,
                      Lines *lines) {
  const Net *net = p->net;
  const Location *l = &net->locations.items[location];
  int32_t *after = ARENA_ARRAY(&p->arena, int32_t, net->slot_count);
  int32_t *renamed = ARENA_ARRAY(&p->arena, int32_t, net->slot_count);
  for (uint32_t i = 0; i < l->edge_count; i++) {
    const Edge *edge = &net->edges.items[net->out[l->first_edge + i]];
    ClockTests tests = {0};
    ClockUpdates updates = {0};
    memcpy(after, state, net->slot_count * sizeof *after);
    const VmResult guard = vm_guard(&p->vm, &edge->guard, state, &tests);
    const VmResult update =
        guard == VM_TRUE ? vm_update(&p->vm, &edge->update, after, &updates) : guard;
    const bool error = update == VM_ERROR || (update == VM_INVALID && net->invalid_is_error);
    Text text = {.mem = p->mem};
    text_addf(&text, "%d %u %d:", net_index(net, edge->target), label_of(n, edge), error);
    for (uint32_t t = 0; t < tests.size; t++)
      text_addf(&text, " %u-%u<%d%d", n->clock[tests.items[t].i], n->clock[tests.items[t].j],
                tests.items[t].constant, tests.items[t].strict);
    for (uint32_t u = 0; u < updates.size; u++)
      text_addf(&text, " %u=%u+%d", n->clock[updates.items[u].x], n->clock[updates.items[u].y],
                updates.items[u].constant);
    rename_state(n, after, renamed);
    for (uint32_t s = 0; s < net->slot_count && !error; s++)
      text_addf(&text, ",%d", renamed[s]);
    bool is_new = update == VM_TRUE || error;
    for (uint32_t k = 0; k < lines->size && is_new; k++)
      is_new = strcmp(lines->items[k], text_chars(&text)) != 0;
    if (is_new)
      add_line(p, lines, &text);
    text_release(&text);
    vec_release(p->mem, &tests);
    vec_release(p->mem, &updates);
  }
}

// The variables that the edges of a location access; false if they have too many values.
static bool find_accessed(Prover *p, LocationId location, bool *accessed) {
  const Net *net = p->net;
  const Location *l = &net->locations.items[location];
  access_clear(&p->access);
  for (uint32_t i = 0; i < l->edge_count; i++) {
    const Edge *edge = &net->edges.items[net->out[l->first_edge + i]];
    if (!is_alone(net, edge)) // others could write in between: not proved
      return false;
    access_expr(&p->access, edge->guard.expr);
    access_stmts(&p->access, edge->update.stmts);
  }
  for (uint32_t v = 0; v < net->variables.size; v++) {
    const Name *variable = &net->variables.items[v];
    const uint32_t slots = variable->type->slots;
    for (uint32_t k = 0; k < slots; k++) {
      const CellId cell = p->access.first[v] + (slots > ACCESS_MOST_SLOTS ? 0 : k);
      accessed[variable->base + k] |= p->access.marks[cell] != 0;
    }
  }
  for (ProcessId q = 0; q < net->processes.size; q++)
    accessed[net->location_slot + q] |= p->access.marks[p->access.first_location + q] != 0;
  access_clear(&p->access);
  uint64_t states = 1;
  for (uint32_t s = 0; s < net->slot_count && states <= MOST_VALUES; s++)
    if (accessed[s])
      states *= (uint64_t)((int64_t)net->slot_max[s] - net->slot_min[s] + 1);
  return states <= MOST_VALUES;
}

// For processes that stay: their location is the same under both names.
static bool run_alike(Prover *p, const Names *n, const Names *own, LocationId location) {
  const Net *net = p->net;
  bool *accessed = ARENA_ARRAY(&p->arena, bool, net->slot_count);
  if (net->before_stmts || net->after_stmts || !find_accessed(p, location, accessed))
    return false;
  for (uint32_t s = 0; s < net->slot_count; s++)
    if (accessed[s] && n->slot[s] != s)
      return false; // only values move here
  int32_t *state = ARENA_ARRAY(&p->arena, int32_t, net->slot_count);
  int32_t *image = ARENA_ARRAY(&p->arena, int32_t, net->slot_count);
  for (uint32_t s = 0; s < net->slot_count; s++)
    state[s] = accessed[s] ? net->slot_min[s] : net->slot_initial[s];
  for (;;) {
    Lines a = {0}, b = {0};
    rename_state(n, state, image);
    run_edges(p, n, location, state, &a);
    run_edges(p, own, location, image, &b);
    const bool same = are_equal(&a, &b);
    release_lines(p, &a);
    release_lines(p, &b);
    if (!same)
      return false;
    uint32_t s = 0;
    while (s < net->slot_count && (!accessed[s] || state[s] == net->slot_max[s])) {
      if (accessed[s])
        state[s] = net->slot_min[s];
      s++;
    }
    if (s == net->slot_count)
      return true;
    state[s]++;
  }
}

// --- The network.

static bool are_once(Prover *p, const uint32_t *items, uint32_t count, uint32_t limit) {
  bool *seen = ARENA_ARRAY(&p->arena, bool, limit + 1);
  for (uint32_t i = 0; i < count; i++) {
    if (items[i] >= limit || seen[items[i]])
      return false;
    seen[items[i]] = true;
  }
  return true;
}

static bool are_values_once(const RenamedFamily *f) {
  for (uint32_t a = 0; a < f->value_columns * f->size; a++)
    for (uint32_t b = 0; b < a; b++) {
      const RenamedValues *x = &f->values[a / f->size], *y = &f->values[b / f->size];
      if (x->sort == y->sort && x->values[a % f->size] == y->values[b % f->size])
        return false;
    }
  return true;
}

// Nothing belongs to two ids, so that permutations of the ids compose; ranges allow the values.
static bool check_family(Prover *p, const RenamedFamily *f) {
  const Net *net = p->net;
  if (f->size < 2 ||
      !are_once(p, f->processes, f->process_columns * f->size, net->processes.size) ||
      !are_once(p, f->clocks, f->clock_columns * f->size, net->clock_count + 1) ||
      !are_once(p, f->slots, f->slot_columns * f->size, net->location_slot) ||
      !are_values_once(f))
    return refuse(p, "something belongs to two ids");
  for (uint32_t i = 0; i < f->clock_columns * f->size; i++)
    if (!f->clocks[i])
      return refuse(p, "the constant zero moves");
  for (uint32_t i = 0; i < f->slot_columns * f->size; i++)
    if (f->sort[f->slots[i]] != f->sort[f->slots[i / f->size * f->size]])
      return refuse(p, "variables of different sorts change places");
  for (uint32_t s = 0; s < net->location_slot; s++)
    for (uint32_t c = 0; c < f->value_columns; c++)
      for (uint32_t i = 0; f->sort[s] && f->values[c].sort == f->sort[s] && i < f->size; i++)
        if (f->values[c].values[i] < net->slot_min[s] ||
            f->values[c].values[i] > net->slot_max[s])
          return refuse(p, "a value is outside the range of a variable");
  for (ProcessId q = 0; q < net->processes.size;
       q++) { // excluded locations: of processes that stay
    bool moves = false, excluded = false;
    for (uint32_t i = 0; i < f->process_columns * f->size; i++)
      moves |= f->processes[i] == q;
    for (uint32_t l = 0; l < net->processes.items[q].location_count; l++)
      excluded |= f->excluded[net->processes.items[q].first_location + l];
    if (moves && excluded)
      return refuse(p, "a location of a process that moves is excluded");
  }
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (f->excluded[net->edges.items[e].target] && !f->excluded[net->edges.items[e].source])
      return refuse(p, "the part where it holds is left");
  return true;
}

static bool same_location(Prover *p, const Names *n, const Names *own, LocationId from,
                          LocationId to) {
  const Location *a = &p->net->locations.items[from], *b = &p->net->locations.items[to];
  if (a->committed != b->committed || a->urgent != b->urgent)
    return false;
  Text x = {.mem = p->mem}, y = {.mem = p->mem};
  if (a->invariant.expr)
    write_expr(p, n, &x, a->invariant.expr, 0);
  if (b->invariant.expr)
    write_expr(p, own, &y, b->invariant.expr, 0);
  bool same = !p->is_refused && !strcmp(text_chars(&x), text_chars(&y));
  text_release(&x);
  text_release(&y);
  Lines lines = {0}, others = {0};
  write_edges(p, n, from, &lines);
  write_edges(p, own, to, &others);
  const bool written = !p->is_refused && are_equal(&lines, &others);
  p->is_refused = false;
  release_lines(p, &lines);
  release_lines(p, &others);
  return same && (written || (from == to && run_alike(p, n, own, from)));
}

static bool same_process(Prover *p, const Names *n, const Names *own, ProcessId q) {
  const Net *net = p->net;
  const Process *from = &net->processes.items[q], *to = &net->processes.items[n->process[q]];
  if (from->location_count != to->location_count ||
      (net->has_priorities && from->priority != to->priority))
    return false;
  for (uint32_t l = 0; l < from->location_count; l++) {
    const LocationId a = from->first_location + l, b = to->first_location + l;
    p->is_refused = false;
    if (!p->family->excluded[a] && !same_location(p, n, own, a, b))
      return false;
  }
  return true;
}

// Whether a participant only sets clocks to constants: its place among the others does not matter
// as long as no other one sets the same clock.
static bool only_resets(const Net *net, const SyncPart *part, bool *set) {
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    if (edge->process != part->process || edge->event != part->event)
      continue;
    if (edge->update.code || edge->update.slot_update_count || edge->guard.code)
      return false;
    for (uint32_t u = 0; u < edge->update.clock_update_count; u++) {
      if (edge->update.clock_updates[u].y || set[edge->update.clock_updates[u].x])
        return false;
    }
  }
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    for (uint32_t u = 0; edge->process == part->process && edge->event == part->event &&
                         u < edge->update.clock_update_count;
         u++)
      set[edge->update.clock_updates[u].x] = true;
  }
  return true;
}

static bool is_unordered(Prover *p, const Sync *sync) {
  bool *set = ARENA_ARRAY(&p->arena, bool, p->net->clock_count + 1);
  for (uint32_t k = 0; k < sync->parts.size; k++)
    if (!only_resets(p->net, &sync->parts.items[k], set))
      return false;
  return true;
}

static void write_syncs(Prover *p, const Names *n, Lines *lines) {
  const Net *net = p->net;
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    const Sync *sync = &net->syncs.items[s];
    const Channel *channel = sync->channel ? &net->channels.items[sync->channel - 1] : NULL;
    Lines parts = {0};
    Text text = {.mem = p->mem};
    for (uint32_t k = 0; k < sync->parts.size; k++) {
      const SyncPart *part = &sync->parts.items[k];
      text_addf(&text, "%u@%u%d", n->process[part->process],
                event_image(n, part->process, part->event), part->weak);
      add_line(p, &parts, &text);
    }
    if (is_unordered(p, sync) && parts.size)
      qsort(parts.items, parts.size, sizeof *parts.items, compare_lines);
    text_addf(&text, "%d %d %d %d", sync->broadcast, channel != NULL, channel && channel->urgent,
              channel ? channel->priority : 0);
    for (uint32_t k = 0; k < parts.size; k++)
      text_addf(&text, ":%s", parts.items[k]);
    add_line(p, lines, &text);
    release_lines(p, &parts);
  }
}

static void write_goal(Prover *p, const Names *n, Text *text, const Expr *e);

static void add_operands(Prover *p, const Names *n, Lines *lines, const Expr *e, ExprKind kind) {
  if (e->kind == kind) {
    add_operands(p, n, lines, e->a, kind);
    add_operands(p, n, lines, e->b, kind);
    return;
  }
  Text text = {.mem = p->mem};
  write_goal(p, n, &text, e);
  add_line(p, lines, &text);
}

// Formulas of locations, variables and clocks: operands of && and || in the order of their texts.
static void write_goal(Prover *p, const Names *n, Text *text, const Expr *e) {
  if (e->kind == EXPR_NOT) {
    text_add(text, "!");
    write_goal(p, n, text, e->a);
    return;
  }
  if (e->kind != EXPR_AND && e->kind != EXPR_OR) {
    write_expr(p, n, text, e, 0);
    return;
  }
  Lines lines = {0};
  add_operands(p, n, &lines, e, e->kind);
  qsort(lines.items, lines.size, sizeof *lines.items, compare_lines);
  text_addf(text, "(%d", (int)e->kind);
  for (uint32_t i = 0; i < lines.size; i++)
    text_addf(text, " %s", lines.items[i]);
  text_add(text, ")");
  release_lines(p, &lines);
}

static bool same_goal(Prover *p, const Names *n, const Names *own) {
  Lines a = {0}, b = {0};
  p->is_refused = false;
  for (uint32_t c = 0; p->goal && c < p->goal->clause_count; c++) {
    Text x = {.mem = p->mem}, y = {.mem = p->mem};
    if (p->goal->clauses[c].expr) {
      write_goal(p, n, &x, p->goal->clauses[c].expr);
      write_goal(p, own, &y, p->goal->clauses[c].expr);
    }
    add_line(p, &a, &x);
    add_line(p, &b, &y);
  }
  const bool same = !p->is_refused && are_equal(&a, &b) && !(p->goal && p->goal->ends);
  release_lines(p, &a);
  release_lines(p, &b);
  return same;
}

// The events that a process has, in edges or synchronisations.
static void find_events(const Net *net, ProcessId process, bool *used) {
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (net->edges.items[e].process == process)
      used[net->edges.items[e].event] = true;
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++)
      if (net->syncs.items[s].parts.items[k].process == process)
        used[net->syncs.items[s].parts.items[k].event] = true;
}

// Different events of a process become different ones.
static bool are_events_once(Prover *p, const Names *n) {
  const Net *net = p->net;
  for (uint32_t c = 0; c < p->family->event_columns; c++)
    for (uint32_t i = 0; i < p->family->size; i++)
      if (p->family->events[c].events[i] >= net->events.size)
        return false;
  for (ProcessId q = 0; q < net->processes.size; q++) {
    bool *seen = ARENA_ARRAY(&p->arena, bool, net->events.size);
    bool *used = ARENA_ARRAY(&p->arena, bool, net->events.size);
    find_events(net, q, used);
    for (EventId e = 0; e < net->events.size; e++) {
      const EventId to = event_image(n, q, e);
      if (!used[e])
        continue;
      if (to >= net->events.size || seen[to])
        return false;
      seen[to] = true;
    }
  }
  return true;
}

static bool check_generator(Prover *p, const uint32_t *to) {
  const Net *net = p->net;
  const Names n = make_names(p, p->family, to), own = make_names(p, NULL, NULL);
  for (uint32_t s = 0; s < net->location_slot; s++)
    if (net->slot_min[s] != net->slot_min[n.slot[s]] ||
        net->slot_max[s] != net->slot_max[n.slot[s]] ||
        (net->slot_is_meta && net->slot_is_meta[s] != net->slot_is_meta[n.slot[s]]))
      return refuse(p, "variables of different ranges change places");
  if (net->before_stmts || net->after_stmts)
    return refuse(p, "there are statements around all updates");
  if (!are_events_once(p, &n))
    return refuse(p, "events are not renamed one to one");
  for (ProcessId q = 0; q < net->processes.size; q++)
    if (!same_process(p, &n, &own, q))
      return refuse(p, net->processes.items[q].name);
  Lines a = {0}, b = {0};
  write_syncs(p, &n, &a);
  write_syncs(p, &own, &b);
  const bool same = are_equal(&a, &b);
  release_lines(p, &a);
  release_lines(p, &b);
  if (!same)
    return refuse(p, "the synchronisations differ");
  return same_goal(p, &n, &own) || refuse(p, "the query tells ids apart");
}

bool renaming_check(const Renamings *renamings, Mem *mem, const Net *net, const Goal *goal,
                    Text *why) {
  Prover p = {.mem = mem, .arena = {.mem = mem}, .net = net, .goal = goal, .why = why};
  access_init(&p.access, &p.arena, net);
  net_vm(net, &p.vm, mem);
  bool good = !net->is_listed || !renamings->count;
  if (!good)
    refuse(&p, "transitions depend on what others can do");
  for (uint32_t k = 0; good && k < renamings->count; k++) {
    const RenamedFamily *f = p.family = &renamings->families[k];
    uint32_t *to = ARENA_ARRAY(&p.arena, uint32_t, f->size);
    good = check_family(&p, f);
    for (int swaps = f->is_cyclic; good && swaps < 2; swaps++) {
      for (uint32_t i = 0; i < f->size; i++)
        to[i] = swaps ? (i + 1) % f->size : i < 2 ? 1 - i : i;
      good = check_generator(&p, to);
    }
  }
  access_release(&p.access);
  vm_release(&p.vm);
  arena_release(&p.arena);
  return good;
}

bool renaming_allows(const RenamedFamily *f, const Net *net, const int32_t *state,
                     const uint32_t *to) {
  bool is_identity = true;
  for (uint32_t i = 0; i < f->size; i++) {
    if (to[i] >= f->size || (f->is_cyclic && to[i] != (to[0] + i) % f->size))
      return false;
    for (uint32_t k = 0; k < i; k++)
      if (to[k] == to[i])
        return false;
    is_identity &= to[i] == i;
  }
  for (ProcessId q = 0; q < net->processes.size && !is_identity; q++)
    if (f->excluded[net->processes.items[q].first_location +
                    (uint32_t)state[net->location_slot + q]])
      return false;
  return true;
}

void renaming_apply(const RenamedFamily *f, const Net *net, const uint32_t *to, int32_t *state,
                    int32_t *scratch, ClockIndex *from, ClockIndex *scratch_clocks) {
  const Names n = {.net = net, .family = f, .to = to};
  memcpy(scratch, state, net->slot_count * sizeof *state);
  for (uint32_t s = 0; s < net->location_slot; s++)
    state[s] = value_image(&n, f->sort[s], scratch[s]);
  memcpy(scratch, state, net->slot_count * sizeof *state);
  for (uint32_t i = 0; i < f->slot_columns * f->size; i++)
    state[f->slots[i / f->size * f->size + to[i % f->size]]] = scratch[f->slots[i]];
  for (uint32_t i = 0; i < f->process_columns * f->size; i++)
    state[net->location_slot + f->processes[i / f->size * f->size + to[i % f->size]]] =
        scratch[net->location_slot + f->processes[i]];
  memcpy(scratch_clocks, from, (net->clock_count + 1) * sizeof *from);
  for (uint32_t i = 0; i < f->clock_columns * f->size; i++)
    from[f->clocks[i / f->size * f->size + to[i % f->size]]] = scratch_clocks[f->clocks[i]];
}
