// Edges of a process. `select` becomes one edge for each choice, a channel whose index depends on
// variables one for each element, with a guard, a channel that `?:` chooses one for each choice,
// and a branch point one for each branch.
#include "language/uppaal/elaborate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A location of the template. Large ones have many, so they are sorted by their ids, which are
// interned.
typedef struct Spot {
  const LocationNode *node;
  uint32_t index; // among those that are no branch points
} Spot;

typedef struct EdgeMaker {
  Elaborator *e;
  const TemplateNode *template;
  VEC(Spot) spots;
  const LocationId *locations;
  const EdgeNode *edge;
  const EdgeNode *branch; // NULL: the edge leads to a location
  Scope *branch_scope;    // what the branch selects, and all but what the edge selects
  const Expr *guard;      // of the present choice, without the branch
  uint32_t guard_locals;
  VEC(int32_t) choices;
  uint32_t choice, choice_count; // of what the edge itself selects, by number
} EdgeMaker;

// What `select` binds: on the edge, then on the branch.
static const VarNode *next_select(const EdgeMaker *m, const VarNode *select) {
  if (select->next || !m->branch || !m->branch->select)
    return select->next;
  for (const VarNode *v = m->branch->select; v; v = v->next)
    if (v == select)
      return NULL;
  return m->branch->select;
}

static const VarNode *first_select(const EdgeMaker *m) {
  return m->edge->select || !m->branch ? m->edge->select : m->branch->select;
}

static int compare_spots(const void *a, const void *b) {
  const Spot *x = a, *y = b;
  const uintptr_t p = (uintptr_t)x->node->id, q = (uintptr_t)y->node->id;
  return p != q ? (p < q ? -1 : 1) : x->index < y->index ? -1 : x->index > y->index;
}

static void find_spots(EdgeMaker *m) {
  uint32_t index = 0;
  for (const LocationNode *l = m->template->locations; l; l = l->next) {
    vec_push(m->e->mem, &m->spots, ((Spot){l, index}));
    index += !l->is_branch;
  }
  if (m->spots.size)
    qsort(m->spots.items, m->spots.size, sizeof *m->spots.items, compare_spots);
  for (uint32_t k = 1; k < m->spots.size; k++) {
    const LocationNode *first = m->spots.items[k - 1].node, *second = m->spots.items[k].node;
    if (first->id == second->id)
      elab_fail_twice(m->e, second->place, first->place, "the location `%s` is declared",
                      first->id);
  }
}

static const LocationNode *find(const EdgeMaker *m, const char *id, uint32_t *index) {
  uint32_t low = 0, high = m->spots.size;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if ((uintptr_t)m->spots.items[middle].node->id < (uintptr_t)id)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == m->spots.size || m->spots.items[low].node->id != id)
    return NULL;
  *index = m->spots.items[low].index;
  return m->spots.items[low].node;
}

// `i = 3, j = 0`, for traces; NULL if there was no choice.
static const char *select_text(EdgeMaker *m) {
  if (!m->choices.size)
    return NULL;
  Text text = {.mem = m->e->mem};
  uint32_t k = 0;
  for (const VarNode *v = first_select(m); v; v = next_select(m, v), k++)
    text_addf(&text, "%s%s=%d", k ? ", " : "", v->name, (int)m->choices.items[k]);
  return arena_keep(m->e->arena, &text);
}

// The updates, and those of the branch among them.
static const Stmt *updates(EdgeMaker *m, Scope *scope, uint32_t *locals, const Stmt **branch) {
  Elaborator *e = m->e;
  Frame frame = {0}, *outer = e->frame;
  StmtList list = {0};
  e->frame = &frame;
  elab_effects(e, scope, m->edge->update, &list);
  const Stmt *last = list.last;
  if (m->branch)
    elab_effects(e, m->branch_scope, m->branch->update, &list);
  e->frame = outer;
  *locals = frame.max;
  *branch = !m->branch ? NULL : last ? last->next : list.first;
  return list.first;
}

// Its frame begins anew: the weight is computed by itself.
static const Expr *make_weight(EdgeMaker *m) {
  Elaborator *e = m->e;
  const Tree *node = m->branch ? m->branch->weight : NULL;
  if (!node || !e->is_full)
    return NULL;
  Frame frame = {0}, *outer = e->frame;
  e->frame = &frame;
  const Expr *weight = elab_number(e, m->branch_scope, node);
  e->frame = outer;
  if (frame.has_effects)
    elab_fail(e, node->place, "a weight must not change variables");
  return weight;
}

// Whichever of the edge and its branch has the synchronisation; the edge if neither has one.
// UPPAAL takes both together as one edge, so a label of a branch counts as if the edge had it.
static const EdgeNode *synchronised(const EdgeMaker *m) {
  return !m->edge->channel && m->branch ? m->branch : m->edge;
}

static Scope *scope_of(const EdgeMaker *m, const EdgeNode *edge, Scope *scope) {
  return edge == m->branch ? m->branch_scope : scope;
}

static void add_edge(EdgeMaker *m, Scope *scope, EventId event, const Expr *guard) {
  Elaborator *e = m->e;
  uint32_t source = 0, target = 0;
  find(m, m->edge->source, &source);
  find(m, m->branch ? m->branch->target : m->edge->target, &target);
  if (e->net->edges.size >= ELABORATE_MAX_EDGES) {
    elab_fail(e, m->edge->place,
              "the model has more than %d edges, those for each choice of `select` and each "
              "element of a channel array counted",
              ELABORATE_MAX_EDGES);
    return;
  }
  uint32_t locals;
  const Stmt *branch, *stmts = updates(m, scope, &locals, &branch);
  const Expr *weight = make_weight(m);
  const EdgeId id =
      net_add_edge(e->making, m->locations[source], m->locations[target], event, m->edge->place);
  Edge *edge = &e->making->edges.items[id];
  edge->guard_expr = guard;
  edge->guard_locals = m->guard_locals;
  edge->update_stmts = stmts;
  edge->update_locals = locals;
  edge->select_text = select_text(m);
  if (!m->branch || !e->is_full)
    return;
  edge->weight = weight;
  edge->branch_stmts = branch;
  edge->stem = e->stems + m->choice + 1;
  edge->is_late =
      synchronised(m) == m->branch && m->branch->channel && m->branch->direction == SYNC_SEND;
  edge->is_conditional = guard != m->guard && (edge->is_late || m->branch->guard);
}

static const Expr *conjunction(Elaborator *e, const Expr *a, const Expr *b) {
  return a ? expr_binary(e->arena, a->place, EXPR_AND, a, b) : b;
}

// The index equals k: read from a table of the indices themselves, so that one outside the array
// is an error when it comes up.
static const Expr *index_is(Elaborator *e, const Expr *expr, int32_t k) {
  const Type *array = expr->a->type;
  const int64_t end = (int64_t)array->first + array->count - 1;
  const Range range = expr_range(expr->b);
  const Expr *value = expr->b;
  if (range.low < array->first || range.high > end) {
    const Type *any = type_int(e->arena, INT32_MIN, INT32_MAX);
    int32_t *indices = ARENA_ARRAY(e->arena, int32_t, array->count);
    for (uint32_t i = 0; i < array->count; i++)
      indices[i] = array->first + (int32_t)i;
    const Type *type = type_array(e->arena, any, array->first, array->count);
    // One table for all elements: the last one, if it is the same.
    const uint32_t size = e->net->tables.size;
    bool same = size >= array->count && array->count;
    for (uint32_t i = 0; same && i < array->count; i++)
      same = e->net->tables.items[size - array->count + i] == indices[i];
    const Expr *table =
        same ? expr_table(e->arena, expr->place, "index", type, indices, size - array->count)
             : elab_table(e, expr->place, "index", type, indices);
    value = expr_index(e->arena, expr->b->place, table, expr->b);
  }
  return expr_binary(e->arena, expr->place, EXPR_EQ, value, expr_const(e->arena, expr->place, k));
}

// Adds the edges for all channels that the expression can denote, `offset` of it.
static void synchronise(EdgeMaker *m, Scope *scope, const Expr *channel, uint32_t offset,
                        const Expr *guard) {
  Elaborator *e = m->e;
  if (channel->kind == EXPR_COND) {
    const Expr *no = expr_unary(e->arena, channel->a->place, EXPR_NOT, channel->a);
    synchronise(m, scope, channel->b, offset, conjunction(e, guard, channel->a));
    synchronise(m, scope, channel->c, offset, conjunction(e, guard, no));
    return;
  }
  if (channel->kind != EXPR_INDEX) {
    const Channel *c = &e->net->channels.items[channel->base + offset];
    add_edge(m, scope, synchronised(m)->direction == SYNC_SEND ? c->send : c->receive, guard);
    return;
  }
  const Type *array = channel->a->type;
  const uint32_t size = array->element->slots;
  int32_t index;
  if (expr_is_const(channel->b, &index)) {
    synchronise(m, scope, channel->a, offset + (uint32_t)(index - array->first) * size, guard);
    return;
  }
  const Range range = expr_range(channel->b);
  // Where no index fits, one edge stays, for its error.
  const bool never =
      range.high < array->first || range.low > (int64_t)array->first + (int64_t)array->count - 1;
  for (uint32_t k = 0; k < array->count; k++) {
    const int32_t value = array->first + (int32_t)k;
    if (never ? k > 0 : value < range.low || value > range.high)
      continue;
    synchronise(m, scope, channel->a, offset + k * size,
                conjunction(e, guard, index_is(e, channel, value)));
    if (e->failures)
      return;
  }
}

static void make(EdgeMaker *m, Scope *scope, const Expr *guard) {
  Elaborator *e = m->e;
  const EdgeNode *edge = synchronised(m);
  if (!edge->channel) {
    add_edge(m, scope, net_tau_event(e->making), guard);
    return;
  }
  if (edge->direction == SYNC_PLAIN) {
    elab_fail(e, edge->channel->place, "a synchronisation ends with `!` or `?`");
    return;
  }
  if (m->branch && edge != m->branch && m->branch->channel) {
    elab_fail(
        e, m->branch->channel->place,
        "the edge to the branch point has a synchronisation already: there can be only one");
    return;
  }
  Frame frame = {.next = m->guard_locals, .max = m->guard_locals}, *outer = e->frame;
  e->frame = &frame;
  const Value channel = elab_value(e, scope_of(m, edge, scope), edge->channel);
  e->frame = outer;
  m->guard_locals = frame.max;
  if (channel.kind == VALUE_BAD)
    return;
  if (frame.has_effects)
    elab_fail(e, edge->channel->place, "a synchronisation must not change variables");
  else if (channel.kind != VALUE_CHANNEL || channel.expr->type->kind != TYPE_CHANNEL)
    elab_fail(e, edge->channel->place,
              channel.kind == VALUE_CHANNEL ? "this array of channels needs an index"
                                            : "this is not a channel");
  else
    synchronise(m, scope, channel.expr, 0, guard);
}

// A test with `!=` that was made a disjunction.
static bool is_unequal(Place place) {
  return place.source && place.offset + 1 < place.source->size &&
         !memcmp(place.source->text + place.offset, "!=", 2);
}

// Adds a guard to `guard`, which stays NULL while there is nothing to ask. Returns false if it
// rules the edge out or is wrong.
static bool add_guard(EdgeMaker *m, Scope *scope, const Tree *node, const Expr **guard) {
  Elaborator *e = m->e;
  if (!node)
    return true;
  Frame frame = {.next = m->guard_locals, .max = m->guard_locals}, *outer = e->frame;
  e->frame = &frame;
  const Expr *expr = elab_constraint(e, scope, node);
  e->frame = outer;
  m->guard_locals = frame.max;
  if (!expr)
    return false;
  const Expr *flaw = expr_guard_flaw(expr);
  if (flaw)
    elab_fail(e, flaw->place,
              is_unequal(flaw->place)
                  ? "a clock cannot be tested with `!=`: split the edge, with `<` and with `>`"
                  : "this clock constraint has no place in a guard: only conjunctions are, and "
                    "disjunctions with one side on integers; write an edge for each case");
  if (frame.has_effects)
    elab_fail(e, node->place, "a guard must not change variables%s",
              node->kind == NODE_ASSIGN ? "; to compare, write `==`" : "");
  int32_t value;
  if (expr_is_const(expr, &value))
    return value;
  *guard = conjunction(e, *guard, expr);
  return true;
}

// One choice: the guard is looked at first, as it may rule the edge out.
static void make_choice(EdgeMaker *m, Scope *scope) {
  const Expr *guard = NULL;
  Elaborator *e = m->e;
  const uint32_t failures = e->failures;
  m->guard_locals = 0;
  bool is_possible = add_guard(m, scope, m->edge->guard, &guard);
  m->guard = guard;
  is_possible =
      is_possible && (!m->branch || add_guard(m, m->branch_scope, m->branch->guard, &guard));
  if (is_possible)
    make(m, scope, guard);
  if (e->failures == failures)
    return;
  // One label is wrong: the others are looked at for their own mistakes.
  uint32_t locals;
  const Stmt *branch;
  Frame frame = {0}, *outer = e->frame;
  e->frame = &frame;
  if (synchronised(m)->channel)
    elab_value(e, scope_of(m, synchronised(m), scope), synchronised(m)->channel);
  e->frame = outer;
  updates(m, scope, &locals, &branch);
}

// A branch is an edge of its own: it does not know what the edge to the branch point selects.
static void choose(EdgeMaker *m, Scope *scope, const VarNode *select) {
  Elaborator *e = m->e;
  int32_t low, high;
  bool is_own = false; // of the edge, not of the branch
  if (!select) {
    make_choice(m, scope);
    return;
  }
  for (const VarNode *v = m->edge->select; v; v = v->next)
    is_own |= v == select;
  Scope *outer = is_own ? scope : m->branch_scope;
  if (!select->name || !elab_range(e, outer, select->type, &low, &high))
    return;
  for (const VarNode *v = first_select(m); v != select; v = next_select(m, v))
    if (v->name == select->name) {
      elab_fail_twice(e, select->place, v->place, "`%s` is selected", v->name);
      return;
    }
  if ((int64_t)high - low >= ELABORATE_MAX_EDGES) {
    elab_fail(e, select->place, "`%s` has %" PRId64 " choices: at most %d are supported",
              select->name, (int64_t)high - low + 1, ELABORATE_MAX_EDGES);
    return;
  }
  const uint32_t choice = m->choice, width = (uint32_t)((int64_t)high - low + 1);
  for (int64_t value = low; value <= high; value++) {
    if (is_own)
      m->choice = choice * width + (uint32_t)(value - low);
    if (m->choice >= m->choice_count)
      m->choice_count = m->choice + 1;
    Scope *inner = scope_new(e->arena, outer, 1);
    scope_add(e, inner, select->name, select->place, SYMBOL_CONSTANT)->expr =
        expr_const(e->arena, select->place, (int32_t)value);
    vec_push(e->mem, &m->choices, (int32_t)value);
    const uint32_t failures = e->failures;
    if (!is_own)
      m->branch_scope = inner;
    choose(m, is_own ? inner : scope, next_select(m, select));
    if (!is_own)
      m->branch_scope = outer;
    (void)vec_pop(&m->choices);
    m->choice = choice;
    if (e->failures != failures)
      return;
  }
}

static const char *location_hint(const EdgeMaker *m, const char *name) {
  return name ? elab_nearest_location(m->e, m->template, name) : "";
}

static void follow(EdgeMaker *m, Scope *scope, uint32_t depth) {
  Elaborator *e = m->e;
  uint32_t index;
  const EdgeNode *last = m->branch ? m->branch : m->edge;
  const LocationNode *target = find(m, last->target, &index);
  if (!target) {
    elab_fail(e, last->target_place, "there is no location `%s`%s", last->target,
              location_hint(m, last->target));
    return;
  }
  if (!target->is_branch) {
    m->branch_scope = scope;
    choose(m, scope, first_select(m));
    return;
  }
  if (depth) {
    elab_fail(e, target->place, "a branch point cannot lead to another one");
    return;
  }
  m->choice_count = 1;
  for (const EdgeNode *b = m->template->edges; b; b = b->next)
    if (b->source == target->id) {
      m->branch = b;
      follow(m, scope, 1);
      m->branch = NULL;
    }
  e->stems += m->choice_count;
}

void elab_edges(Elaborator *e, Scope *scope, const TemplateNode *template,
                const LocationId *locations) {
  EdgeMaker m = {.e = e, .template = template, .locations = locations};
  find_spots(&m);
  for (const EdgeNode *edge = template->edges; edge && template->locations; edge = edge->next) {
    uint32_t index;
    if (!edge->source || !edge->target || (edge->is_broken && edge->select))
      continue; // it was not read
    const LocationNode *source = edge->source ? find(&m, edge->source, &index) : NULL;
    if (!source)
      elab_fail(e, edge->source_place, "there is no location `%s`%s",
                edge->source ? edge->source : "", location_hint(&m, edge->source));
    else if (!source->is_branch && edge->target) {
      m.edge = edge;
      follow(&m, scope, 0);
    }
  }
  vec_release(e->mem, &m.spots);
  vec_release(e->mem, &m.choices);
}
