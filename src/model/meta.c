#include "model/meta.h"

#include <string.h>

enum { MAX_BITS = 64 }; // slots of a variable; larger ones have one bit as a whole

typedef struct Effects { // sets of bits
  uint64_t *exposed;     // may be read before they are written
  uint64_t *written;     // are written whatever happens
} Effects;

typedef struct Flow {
  const Net *net;
  Arena arena;
  uint32_t *bits; // by slot of a variable: its bit + 1; 0: it is not meta
  uint32_t words;
  Effects now;
  uint64_t *returned;  // written at each return so far
  Effects **functions; // by id; NULL: not looked at yet
} Flow;

static uint64_t *new_set(Flow *f, bool is_full) {
  uint64_t *set = ARENA_ARRAY(&f->arena, uint64_t, f->words);
  memset(set, is_full ? 0xff : 0, f->words * sizeof *set);
  return set;
}

static uint64_t *copy_set(Flow *f, const uint64_t *set) {
  return arena_copy(&f->arena, set, f->words * sizeof *set);
}

static void intersect(const Flow *f, uint64_t *set, const uint64_t *other) {
  for (uint32_t i = 0; i < f->words; i++)
    set[i] &= other[i];
}

// What happens after what has happened so far.
static void append(Flow *f, const Effects *next) {
  for (uint32_t i = 0; i < f->words; i++) {
    f->now.exposed[i] |= next->exposed[i] & ~f->now.written[i];
    f->now.written[i] |= next->written[i];
  }
}

typedef struct Span { // slots that a storage expression can denote; none: of a local
  uint32_t low, size;
  bool is_exact; // it denotes all of them
} Span;

static Span span_of(const Expr *expr) {
  if (expr->kind == EXPR_VAR)
    return (Span){expr->base, expr->type->slots, true};
  if (expr->kind != EXPR_INDEX && expr->kind != EXPR_FIELD)
    return (Span){0};
  Span span = span_of(expr->a);
  if (span.is_exact && expr->kind == EXPR_FIELD)
    return (Span){span.low + expr->base, expr->type->slots, true};
  int32_t index;
  if (!span.is_exact) // which element it is a part of is not known
    return span;
  span.is_exact = span.size && expr_is_const(expr->b, &index);
  if (!span.is_exact)
    return span;
  const int64_t at = (int64_t)index - expr->a->type->first;
  if (at < 0 || at >= expr->a->type->count) // an error when it is run
    return (Span){0};
  return (Span){span.low + (uint32_t)at * expr->type->slots, expr->type->slots, true};
}

static void read_storage(Flow *f, const Expr *storage) {
  const Span span = span_of(storage);
  for (uint32_t slot = span.low; slot < span.low + span.size; slot++) {
    const uint32_t bit = f->bits[slot] - 1, word = bit / 64;
    if (f->bits[slot])
      f->now.exposed[word] |= (uint64_t)1 << bit % 64 & ~f->now.written[word];
  }
}

static void write_storage(Flow *f, const Expr *storage) {
  const Span span = span_of(storage);
  for (uint32_t slot = span.low; span.is_exact && slot < span.low + span.size; slot++) {
    const uint32_t bit = f->bits[slot] - 1;
    // A large variable is written if all of it is.
    const bool is_part = (span.low && f->bits[span.low - 1] == f->bits[slot]) ||
                         f->bits[span.low + span.size] == f->bits[slot];
    if (f->bits[slot] && !is_part)
      f->now.written[bit / 64] |= (uint64_t)1 << bit % 64;
  }
}

static void visit(Flow *, const Expr *);
static void visit_stmts(Flow *, const Stmt *);

// What need not be evaluated: it may read, but what it writes does not count.
static void visit_perhaps(Flow *f, const Expr *expr) {
  if (!expr)
    return;
  uint64_t *before = copy_set(f, f->now.written);
  visit(f, expr);
  intersect(f, f->now.written, before);
}

// The indices on the way to the root, and the root if it is computed.
static void visit_path(Flow *f, const Expr *storage) {
  for (; storage->kind == EXPR_INDEX || storage->kind == EXPR_FIELD; storage = storage->a)
    if (storage->kind == EXPR_INDEX)
      visit(f, storage->b);
  if (!expr_is_storage(storage))
    visit(f, storage);
}

// A body is looked at once: functions that call others twice have exponentially many paths.
static const Effects *find_function(Flow *f, const Function *function) {
  Effects **known = &f->functions[function->id];
  if (*known)
    return *known;
  const Effects outer = f->now;
  uint64_t *const outer_returned = f->returned;
  *known = ARENA_NEW(&f->arena, Effects);
  **known = f->now = (Effects){new_set(f, false), new_set(f, false)};
  f->returned = new_set(f, true);
  visit_stmts(f, function->body);
  intersect(f, f->now.written, f->returned);
  **known = f->now;
  f->now = outer;
  f->returned = outer_returned;
  return *known;
}

// Which of both is evaluated first is not assumed.
static void visit_assignment(Flow *f, const Expr *target, const Expr *value) {
  uint64_t *before = copy_set(f, f->now.written);
  visit_path(f, target);
  intersect(f, f->now.written, before);
  visit(f, value);
  write_storage(f, target);
}

static void visit(Flow *f, const Expr *expr) {
  if (!expr)
    return;
  switch (expr->kind) {
  case EXPR_VAR:
  case EXPR_INDEX:
  case EXPR_FIELD:
    visit_path(f, expr);
    read_storage(f, expr);
    return;
  case EXPR_ADDRESS: // it may be read there
    visit_path(f, expr->a);
    read_storage(f, expr->a);
    return;
  case EXPR_ASSIGN:
    visit_assignment(f, expr->a, expr->b);
    return;
  case EXPR_CALL:
    for (uint32_t i = 0; i < expr->arg_count; i++)
      visit(f, expr->args[i]);
    append(f, find_function(f, expr->function));
    return;
  case EXPR_FORALL:
  case EXPR_EXISTS:
  case EXPR_SUM:
    visit_perhaps(f, expr->a);
    return;
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_COND:
    visit(f, expr->a);
    visit_perhaps(f, expr->b);
    visit_perhaps(f, expr->c);
    return;
  default:
    visit(f, expr->a);
    visit(f, expr->b);
    visit(f, expr->c);
  }
}

// What both branches write is written. A loop may end at once.
static void visit_branch(Flow *f, const Stmt *stmt) {
  visit(f, stmt->value);
  uint64_t *other = copy_set(f, f->now.written);
  visit_stmts(f, stmt->body);
  if (stmt->kind == STMT_IF) {
    uint64_t *body = f->now.written;
    f->now.written = other;
    visit_stmts(f, stmt->other);
    other = body;
  }
  intersect(f, f->now.written, other);
}

static void visit_stmts(Flow *f, const Stmt *stmt) {
  for (; stmt; stmt = stmt->next)
    switch (stmt->kind) {
    case STMT_ASSIGN:
      visit_assignment(f, stmt->target, stmt->value);
      break;
    case STMT_CLOCK_ASSIGN:
      visit_path(f, stmt->target);
      if (stmt->source)
        visit_path(f, stmt->source);
      visit(f, stmt->value);
      break;
    case STMT_IF:
    case STMT_WHILE:
      visit_branch(f, stmt);
      break;
    case STMT_RETURN: // nothing follows: whatever would be written there counts
      visit(f, stmt->value);
      intersect(f, f->returned, f->now.written);
      memset(f->now.written, 0xff, f->words * sizeof *f->now.written);
      break;
    default:
      visit_stmts(f, stmt->body);
      visit(f, stmt->value);
    }
}

static Effects find_effects(Flow *f, const Stmt *stmts) {
  f->now = (Effects){new_set(f, false), new_set(f, false)};
  visit_stmts(f, stmts);
  return f->now;
}

// By event that a channel receives: what all its senders write, which run before.
static uint64_t **find_sent(Flow *f, const Effects *updates) {
  const Net *net = f->net;
  uint64_t **sent = ARENA_ARRAY(&f->arena, uint64_t *, net->events.size);
  for (uint32_t c = 0; c < net->channels.size; c++)
    sent[net->channels.items[c].send] = new_set(f, true);
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (sent[net->edges.items[e].event])
      intersect(f, sent[net->edges.items[e].event], updates[e].written);
  for (uint32_t c = 0; c < net->channels.size; c++) {
    const Channel *channel = &net->channels.items[c];
    sent[channel->receive] = sent[channel->send];
    sent[channel->send] = NULL;
  }
  return sent;
}

// What all transitions together expose: hooks and updates in the order in which they run. The
// sender of a channel goes first; of receivers no order is assumed.
static void follow_transitions(Flow *f, uint64_t *exposed) {
  const Net *net = f->net;
  const Effects before = find_effects(f, net->hooks.before_stmts);
  const Effects after = find_effects(f, net->hooks.after_stmts);
  Effects *updates = ARENA_ARRAY(&f->arena, Effects, net->edges.size);
  for (EdgeId e = 0; e < net->edges.size; e++) {
    mem_tick(net->mem);
    updates[e] = find_effects(f, net->edges.items[e].update_stmts);
  }
  uint64_t **sent = find_sent(f, updates);
  f->now.exposed = exposed;
  for (EdgeId e = 0; e < net->edges.size; e++) {
    uint64_t *earlier = sent[net->edges.items[e].event];
    f->now.written = new_set(f, false);
    append(f, &before);
    if (earlier)
      append(f, &(Effects){new_set(f, false), earlier});
    append(f, &updates[e]);
    append(f, &after);
  }
}

static void begin(Flow *f, const Net *net) {
  uint32_t count = 0;
  *f = (Flow){.net = net, .arena = {.mem = net->mem}};
  f->bits = ARENA_ARRAY(&f->arena, uint32_t, net->slots.count + 1);
  for (uint32_t v = 0; v < net->variables.size; v++) {
    const Name *variable = &net->variables.items[v];
    const uint32_t slots = variable->is_meta ? variable->type->slots : 0;
    for (uint32_t k = 0; k < slots; k++)
      f->bits[variable->base + k] = count += !k || slots <= MAX_BITS;
  }
  f->words = count / 64 + 1;
  f->functions = ARENA_ARRAY(&f->arena, Effects *, net->functions.size);
  f->returned = new_set(f, true);
}

static bool is_in(const uint64_t *set, uint32_t bit) { return set[bit / 64] >> bit % 64 & 1; }

// Distributes the meta variables.
static void divide(const Flow *f, Net *net, Arena *arena, const uint64_t *exposed) {
  bool *scratch = ARENA_ARRAY(arena, bool, net->slots.count);
  bool *kept = ARENA_ARRAY(arena, bool, net->slots.count), has_scratch = false, has_kept = false;
  for (uint32_t slot = 0; slot < net->location_slot; slot++) {
    const bool is_exposed = f->bits[slot] && is_in(exposed, f->bits[slot] - 1);
    has_kept |= kept[slot] = is_exposed || (net->slots.is_kept && net->slots.is_kept[slot]);
    has_scratch |= scratch[slot] = f->bits[slot] && !kept[slot];
  }
  net->slots.is_meta = has_scratch ? scratch : NULL;
  net->slots.is_kept = has_kept ? kept : NULL;
}

void meta_find(Net *net) {
  bool has_meta = false;
  net->slots.is_meta = net->slots.is_kept = NULL;
  for (uint32_t v = 0; v < net->variables.size; v++)
    has_meta |= net->variables.items[v].is_meta;
  if (!has_meta)
    return;
  Flow f;
  begin(&f, net);
  f.now = (Effects){new_set(&f, false), new_set(&f, false)};
  for (LocationId l = 0; l < net->locations.size; l++) {
    const Location *location = &net->locations.items[l];
    visit_perhaps(&f, location->invariant_expr);
    for (uint32_t k = 0; k < location->clock_rate_count; k++)
      visit_perhaps(&f, location->clock_rates[k].rate);
  }
  for (EdgeId e = 0; e < net->edges.size; e++)
    visit_perhaps(&f, net->edges.items[e].guard_expr);
  follow_transitions(&f, f.now.exposed);
  divide(&f, net, &net->arena, f.now.exposed);
  arena_release(&f.arena);
}

const Net *meta_keep(const Net *net, Arena *arena, const Expr *expr) {
  if (!net->slots.is_meta || !expr)
    return net;
  Flow f;
  begin(&f, net);
  f.now = (Effects){new_set(&f, false), new_set(&f, false)};
  visit(&f, expr);
  bool has_new = false;
  for (uint32_t slot = 0; slot < net->location_slot; slot++)
    has_new |= net->slots.is_meta[slot] && is_in(f.now.exposed, f.bits[slot] - 1);
  if (has_new) {
    Net *view = arena_copy(arena, net, sizeof *net);
    divide(&f, view, arena, f.now.exposed);
    net = view;
  }
  arena_release(&f.arena);
  return net;
}

const Name *meta_first_kept(const Net *net) {
  for (uint32_t v = 0; net->slots.is_kept && v < net->variables.size; v++) {
    const Name *variable = &net->variables.items[v];
    for (uint32_t k = 0; k < variable->type->slots; k++)
      if (net->slots.is_kept[variable->base + k])
        return variable;
  }
  return NULL;
}
