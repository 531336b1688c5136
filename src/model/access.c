#include "model/access.h"

#include "model/expr/clockuse.h"

void access_init(Access *access, Arena *arena, const Net *net) {
  *access = (Access){.mem = arena->mem, .net = net};
  CellId *first = ARENA_ARRAY(arena, CellId, net->variables.size);
  uint32_t count = 0;
  for (uint32_t v = 0; v < net->variables.size; v++) {
    const uint32_t slots = net->variables.items[v].type->slots;
    first[v] = count;
    count += slots > ACCESS_MAX_SLOTS ? 1 : slots;
  }
  access->first = first;
  access->first_location = count;
  access->first_clock = count + net->processes.size;
  access->cell_count = access->first_clock + net->clock_count + 1;
  access->marks = ARENA_ARRAY(arena, uint8_t, access->cell_count);
}

void access_release(Access *access) {
  vec_release(access->mem, &access->marked);
  vec_release(access->mem, &access->called);
}

void access_clear(Access *access) {
  for (uint32_t i = 0; i < access->marked.size; i++)
    access->marks[access->marked.items[i]] = 0;
  vec_clear(&access->marked);
  vec_clear(&access->called);
}

void access_mark(Access *access, CellId cell, unsigned kind) {
  if (!access->marks[cell])
    vec_push(access->mem, &access->marked, cell);
  access->marks[cell] = (uint8_t)(access->marks[cell] | kind);
}

// The variable that a slot belongs to.
static uint32_t variable_at(const Net *net, uint32_t slot) {
  uint32_t low = 0, high = net->variables.size;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (net->variables.items[middle].base <= slot)
      low = middle;
    else
      high = middle;
  }
  return low;
}

typedef struct Span { // slots that a storage expression can denote; none: of a local
  uint32_t low, size;
} Span;

// Elements that the index can reach. If a span is larger than its type, its place is not known;
// it stays as it is.
static Span element_span(Span span, const Type *array, const Expr *index) {
  if (span.size != array->slots)
    return span;
  const Range range = expr_range(index);
  const int64_t end = (int64_t)array->first + array->count - 1;
  const int64_t low = range.low > array->first ? range.low : array->first;
  const int64_t high = range.high < end ? range.high : end;
  if (low > high)
    return (Span){span.low, 0};
  const uint32_t slots = array->element->slots;
  return (Span){span.low + (uint32_t)(low - array->first) * slots,
                (uint32_t)(high - low + 1) * slots};
}

// Follows a storage expression to its root; the indices on the way are read.
static Span span_of(Access *access, const Expr *expr) {
  if (expr->kind == EXPR_VAR)
    return (Span){expr->base, expr->type->slots};
  if (expr->kind != EXPR_INDEX && expr->kind != EXPR_FIELD) {
    if (expr->kind == EXPR_CALL || expr->kind == EXPR_COND) // a part of its result
      access_expr(access, expr);
    return (Span){0, 0};
  }
  const Span span = span_of(access, expr->a);
  if (expr->kind == EXPR_INDEX) {
    access_expr(access, expr->b);
    return element_span(span, expr->a->type, expr->b);
  }
  return span.size == expr->a->type->slots ? (Span){span.low + expr->base, expr->type->slots}
                                           : span;
}

CellId access_cell(const Access *access, uint32_t slot) {
  const uint32_t v = variable_at(access->net, slot);
  const Name *variable = &access->net->variables.items[v];
  return access->first[v] +
         (variable->type->slots > ACCESS_MAX_SLOTS ? 0 : slot - variable->base);
}

static void mark_storage(Access *access, const Expr *expr, unsigned kind) {
  const Span span = span_of(access, expr);
  for (uint32_t slot = span.low; slot < span.low + span.size;) {
    const uint32_t v = variable_at(access->net, slot);
    const Name *variable = &access->net->variables.items[v];
    if (variable->type->slots > ACCESS_MAX_SLOTS) {
      access_mark(access, access->first[v], kind);
      slot = variable->base + variable->type->slots;
    } else {
      access_mark(access, access->first[v] + slot - variable->base, kind);
      slot++;
    }
  }
}

static void mark_clocks(Access *access, const Expr *expr, unsigned kind) {
  if (!expr)
    return;
  if (expr->kind == EXPR_CLOCK) {
    access_mark(access, access->first_clock + expr->base, kind);
    return;
  }
  span_of(access, expr); // for its indices
  ClockList clocks = {0};
  clockuse_clocks(access->mem, expr, &clocks);
  for (uint32_t i = 0; i < clocks.size; i++)
    access_mark(access, access->first_clock + clocks.items[i], kind);
  vec_release(access->mem, &clocks);
}

// Each body once: functions that call others twice have exponentially many paths to the last.
static void access_function(Access *access, const Function *function) {
  for (uint32_t i = 0; i < access->called.size; i++)
    if (access->called.items[i] == function)
      return;
  vec_push(access->mem, &access->called, function);
  access_stmts(access, function->body);
}

void access_expr(Access *access, const Expr *expr) {
  if (!expr)
    return;
  switch (expr->kind) {
  case EXPR_VAR:
  case EXPR_LOCAL:
  case EXPR_INDEX:
  case EXPR_FIELD:
    mark_storage(access, expr, ACCESS_READ);
    return;
  case EXPR_AT:
    access_mark(access, access->first_location + expr->base - access->net->location_slot,
                ACCESS_READ);
    return;
  case EXPR_CLOCK_TEST:
    mark_clocks(access, expr->a, ACCESS_READ);
    mark_clocks(access, expr->b, ACCESS_READ);
    access_expr(access, expr->c);
    return;
  case EXPR_CLOCK_VALUE:
    mark_clocks(access, expr->a, ACCESS_READ);
    return;
  case EXPR_ASSIGN:
    mark_storage(access, expr->a, ACCESS_WRITE);
    access_expr(access, expr->b);
    return;
  case EXPR_TABLE:
  case EXPR_REMOTE: // belongs to a frame
    return;
  case EXPR_CALL:
    for (uint32_t i = 0; i < expr->arg_count; i++)
      access_expr(access, expr->args[i]);
    access_function(access, expr->function);
    return;
  default:
    access_expr(access, expr->a);
    access_expr(access, expr->b);
    access_expr(access, expr->c);
  }
}

void access_expr_alone(Access *access, const Expr *expr) {
  access_clear(access);
  access_expr(access, expr);
}

bool access_has_clocks(const Access *access) {
  bool found = false;
  for (uint32_t i = 0; i < access->marked.size; i++)
    found |= access->marked.items[i] >= access->first_clock;
  return found;
}

bool access_finds_clocks(Arena *arena, const Net *net, const Expr *expr) {
  Access access;
  access_init(&access, arena, net);
  access_expr(&access, expr);
  const bool found = access_has_clocks(&access);
  access_release(&access);
  return found;
}

static void mark_assign(Access *access, const Stmt *stmt) {
  int32_t value;
  const bool is_reset =
      !stmt->source && (!stmt->value || (expr_is_const(stmt->value, &value) && value == 0));
  mark_clocks(access, stmt->target, is_reset ? ACCESS_WRITE : ACCESS_WRITE | ACCESS_SET);
  mark_clocks(access, stmt->source, ACCESS_READ);
  access_expr(access, stmt->value);
}

void access_stmts(Access *access, const Stmt *stmt) {
  for (; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_CLOCK_ASSIGN) {
      mark_assign(access, stmt);
      continue;
    }
    if (stmt->kind == STMT_ASSIGN)
      mark_storage(access, stmt->target, ACCESS_WRITE);
    access_expr(access, stmt->value);
    access_stmts(access, stmt->body);
    access_stmts(access, stmt->other);
  }
}

void access_stmts_alone(Access *access, const Stmt *stmts) {
  access_clear(access);
  access_stmts(access, stmts);
}

void access_invariant(Access *access, const Location *location) {
  access_expr(access, location->invariant_expr);
  for (uint32_t i = 0; i < location->clock_rate_count; i++) {
    span_of(access, location->clock_rates[i].clock); // for its indices
    access_expr(access, location->clock_rates[i].rate);
  }
}
