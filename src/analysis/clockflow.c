#include "analysis/clockflow.h"

#include <assert.h>
#include <string.h>

bool clockflow_raise(Level *level, Level by) {
  const Level old = *level;
  level->lower = clockflow_larger(old.lower, by.lower);
  level->upper = clockflow_larger(old.upper, by.upper);
  return level->lower != old.lower || level->upper != old.upper;
}

bool clockflow_raise_all(Level *row, const Level *by, uint32_t size) {
  bool changed = false;
  for (uint32_t i = 0; i < size; i++)
    changed |= clockflow_raise(&row[i], by[i]);
  return changed;
}

// Calls `visit` for the calls in an expression, innermost first.
typedef void CallVisit(void *context, const Expr *call);
static void each_call(const Expr *expr, CallVisit *visit, void *context) {
  if (!expr)
    return;
  for (uint32_t k = 0; k < expr_part_count(expr); k++)
    each_call(expr_part(expr, k), visit, context);
  if (expr->kind == EXPR_CALL)
    visit(context, expr);
}

static void each_stmt_call(const Stmt *stmt, CallVisit *visit, void *context) {
  for (; stmt; stmt = stmt->next) {
    each_call(stmt->target, visit, context);
    each_call(stmt->source, visit, context);
    each_call(stmt->value, visit, context);
    each_stmt_call(stmt->body, visit, context);
    each_stmt_call(stmt->other, visit, context);
  }
}

typedef struct Touch {
  const bool *touches;
  bool found;
} Touch;

static void touch_assign(void *context, const Stmt *assign) {
  (void)assign;
  ((Touch *)context)->found = true;
}

static void touch_call(void *context, const Expr *call) {
  Touch *touch = context;
  touch->found |= touch->touches[call->function->id];
}

void clockflow_init(ClockFlow *flow, Mem *mem, const Net *net, int64_t max, Report *report) {
  *flow = (ClockFlow){.mem = mem, .net = net, .max = max, .report = report};
  flow->position = mem_alloc(mem, sizeof *flow->position * (net->clock_count + 1));
  memset(flow->position, 0xff, sizeof *flow->position * (net->clock_count + 1));
  flow->touches = mem_alloc(mem, sizeof *flow->touches * net->functions.size);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < net->functions.size; i++) {
      Touch touch = {flow->touches, false};
      clockuse_assigns(net->functions.items[i]->body, touch_assign, &touch);
      each_stmt_call(net->functions.items[i]->body, touch_call, &touch);
      changed |= touch.found != flow->touches[i];
      flow->touches[i] = touch.found;
      flow->some_touches |= touch.found;
    }
  }
}

typedef struct Assigns {
  const ClockFlow *flow;
  ClockAssignVisit *visit;
  void *context;
  bool *is_known; // by function: its assignments were visited
} Assigns;

static void assigns_of(Assigns *, const Stmt *);

static void assigns_of_call(void *context, const Expr *call) {
  Assigns *assigns = context;
  const uint32_t id = call->function->id;
  if (!assigns->flow->touches[id] || assigns->is_known[id])
    return;
  assigns->is_known[id] = true;
  assigns_of(assigns, call->function->body);
}

static void assigns_of(Assigns *assigns, const Stmt *stmts) {
  clockuse_assigns(stmts, assigns->visit, assigns->context);
  if (assigns->flow->some_touches)
    each_stmt_call(stmts, assigns_of_call, assigns);
}

void clockflow_assigns(const ClockFlow *flow, const Stmt *stmts, ClockAssignVisit *visit,
                       void *context) {
  Assigns assigns = {.flow = flow, .visit = visit, .context = context};
  if (flow->some_touches)
    assigns.is_known = mem_alloc(flow->mem, flow->net->functions.size);
  assigns_of(&assigns, stmts);
  mem_free(flow->mem, assigns.is_known);
}

// Below, `exit` is the front after the function that the statements are part of.
static void undo_list(const ClockFlow *, const Stmt *, Level *front, const Level *exit);

static Level *copy_front(const ClockFlow *flow, const Level *front) {
  Level *copy = mem_alloc(flow->mem, sizeof *front * 2 * flow->size);
  memcpy(copy, front, sizeof *front * 2 * flow->size);
  return copy;
}

// Joins another front, which is released.
static bool join(const ClockFlow *flow, Level *front, Level *other) {
  const bool changed = clockflow_raise_all(front, other, 2 * flow->size);
  mem_free(flow->mem, other);
  return changed;
}

// What is known of a function: the front before it, by the one after it. Functions that call
// others twice have exponentially many calls, but few fronts.
typedef struct ClockUndone {
  const Function *function;
  Level *after, *before;
} ClockUndone;
struct ClockUndones {
  VEC(ClockUndone) list;
};
enum { MAX_UNDONE = 1000 };

static const Level *find_undone(const ClockFlow *flow, const Function *function,
                                const Level *front) {
  for (uint32_t i = 0; i < flow->undone->list.size; i++) {
    const ClockUndone *known = &flow->undone->list.items[i];
    if (known->function == function &&
        !memcmp(known->after, front, sizeof *front * 2 * flow->size))
      return known->before;
  }
  return NULL;
}

static void undo_function(const ClockFlow *flow, const Function *function, Level *front) {
  if (!flow->touches[function->id] || report_failed(flow->report))
    return;
  const Level *known = find_undone(flow, function, front);
  if (known) {
    memcpy(front, known, sizeof *front * 2 * flow->size);
    return;
  }
  mem_tick(flow->mem);
  Level *exit = copy_front(flow, front);
  undo_list(flow, function->body, front, exit);
  if (flow->undone->list.size < MAX_UNDONE) {
    const ClockUndone result = {function, exit, copy_front(flow, front)};
    vec_push(flow->mem, &flow->undone->list, result);
    return;
  }
  mem_free(flow->mem, exit);
}

typedef struct MayCall {
  const ClockFlow *flow;
  Level *front;
  bool changed;
} MayCall;

static void undo_may_call(void *context, const Expr *call) {
  MayCall *may = context;
  Level *before = copy_front(may->flow, may->front);
  undo_function(may->flow, call->function, before);
  may->changed |= join(may->flow, may->front, before);
}

// The calls in an expression: any of them, any number of times, in any order.
static void undo_calls(const ClockFlow *flow, const Expr *expr, Level *front) {
  MayCall may = {flow, front, flow->some_touches};
  while (may.changed && !report_failed(flow->report)) {
    may.changed = false;
    each_call(expr, undo_may_call, &may);
  }
}

// A constant that y + addend is compared with, as one for y. Below 0 it tells nothing about y,
// but is 0 all the same: clocks that are tested, or copied to those, have a bound.
static int64_t less_constant(int64_t constant, int64_t addend) {
  if (constant == CLOCK_UNBOUNDED)
    return CLOCK_UNBOUNDED;
  return constant > addend ? constant - addend : 0;
}

static Level less(Level level, int64_t addend) {
  return (Level){less_constant(level.lower, addend), less_constant(level.upper, addend)};
}

static void check(const ClockFlow *flow, const Stmt *assign, ClockIndex source, Level level) {
  if (clockflow_larger(level.lower, level.upper) <= flow->limit)
    return;
  const char *name = flow->net->clock_names[source];
  if (flow->limit == flow->max)
    report_error(
        flow->report, assign->place,
        "with this update the values of clock `%s` matter beyond the limit of %lld: use a "
        "coarser unit of time, or an update that does not subtract",
        name, (long long)flow->max);
  else
    report_error(flow->report, assign->place,
                 "the values of clock `%s` matter without bound: repeated, this update subtracts "
                 "ever more before a test; reset the clock in between, or do not subtract",
                 name);
}

// x := x + c with c >= 0: no foreign level becomes an own one. If another process has the level,
// it keeps it; less would do.
static void undo_shift(const ClockFlow *flow, ClockIndex clock, int64_t addend, Level *front) {
  const uint32_t own = flow->position[clock], foreign = flow->size + own;
  front[own] = less(front[own], addend);
  front[foreign] = less(front[foreign], addend);
}

static void undo_move(const ClockFlow *flow, const Stmt *assign, ClockList targets,
                      ClockList sources, Level *front) {
  Level moved = NO_LEVEL;
  for (uint32_t i = 0; i < targets.size; i++) {
    const uint32_t k = flow->position[targets.items[i]];
    if (k == UINT32_MAX)
      continue;
    clockflow_raise(&moved, front[k]);
    clockflow_raise(&moved, front[flow->size + k]);
    if (targets.size == 1)
      front[k] = front[flow->size + k] = NO_LEVEL;
  }
  const int64_t addend = clockflow_addend(flow, assign);
  moved = less(moved, addend);
  if (addend < 0) // it is an error if y is too small, so that is asked too
    clockflow_raise(&moved, (Level){-addend, -addend});
  for (uint32_t i = 0; i < sources.size; i++) {
    clockflow_raise(&front[flow->position[sources.items[i]]], moved);
    check(flow, assign, sources.items[i], moved);
  }
}

static void undo_assign(const ClockFlow *flow, const Stmt *assign, Level *front) {
  ClockList targets = {0}, sources = {0};
  clockuse_clocks(flow->mem, assign->target, &targets);
  if (assign->source)
    clockuse_clocks(flow->mem, assign->source, &sources);
  const int64_t addend = clockflow_addend(flow, assign);
  if (targets.size == 1 && sources.size == 1 && targets.items[0] == sources.items[0] &&
      addend >= 0)
    undo_shift(flow, sources.items[0], addend, front);
  else
    undo_move(flow, assign, targets, sources, front);
  vec_release(flow->mem, &targets);
  vec_release(flow->mem, &sources);
}

static void undo_if(const ClockFlow *flow, const Stmt *stmt, Level *front, const Level *exit) {
  Level *other = copy_front(flow, front);
  undo_list(flow, stmt->other, other, exit);
  undo_list(flow, stmt->body, front, exit);
  join(flow, front, other);
}

static void undo_while(const ClockFlow *flow, const Stmt *stmt, Level *front, const Level *exit) {
  bool changed;
  do { // the front at the condition, which grows
    undo_calls(flow, stmt->value, front);
    Level *body = copy_front(flow, front);
    undo_list(flow, stmt->body, body, exit);
    changed = join(flow, front, body);
  } while (changed && !report_failed(flow->report));
}

static void undo_stmt(const ClockFlow *flow, const Stmt *stmt, Level *front, const Level *exit) {
  switch (stmt->kind) {
  case STMT_CLOCK_ASSIGN:
    undo_assign(flow, stmt, front);
    break;
  case STMT_IF:
    undo_if(flow, stmt, front, exit);
    break;
  case STMT_WHILE:
    undo_while(flow, stmt, front, exit);
    break;
  case STMT_RETURN:
    assert(exit); // only functions return
    memcpy(front, exit, sizeof *front * 2 * flow->size);
    break;
  case STMT_DO: // as its loop, which the body comes before once more
    undo_while(flow, stmt, front, exit);
    undo_list(flow, stmt->body, front, exit);
    return;
  case STMT_CALL:
    if (stmt->value->kind != EXPR_CALL)
      break;
    undo_function(flow, stmt->value->function, front);
    for (uint32_t i = stmt->value->arg_count; i-- > 0;) // the last one is the latest
      undo_calls(flow, stmt->value->args[i], front);
    return;
  default:
    break;
  }
  undo_calls(flow, stmt->value, front); // the places come before it
  undo_calls(flow, stmt->source, front);
  undo_calls(flow, stmt->target, front);
}

static void undo_list(const ClockFlow *flow, const Stmt *stmts, Level *front, const Level *exit) {
  if (!stmts)
    return;
  undo_list(flow, stmts->next, front, exit);
  undo_stmt(flow, stmts, front, exit);
}

void clockflow_undo(const ClockFlow *flow, const Stmt *stmts, Level *front) {
  struct ClockUndones undone = {0};
  ClockFlow remembering = *flow;
  remembering.undone = &undone;
  undo_list(&remembering, stmts, front, NULL);
  for (uint32_t i = 0; i < undone.list.size; i++) {
    mem_free(flow->mem, undone.list.items[i].after);
    mem_free(flow->mem, undone.list.items[i].before);
  }
  vec_release(flow->mem, &undone.list);
}

static void undo_around(const ClockFlow *flow, const Stmt *stmts, Level *front) {
  if (!stmts)
    return;
  Level *before = copy_front(flow, front);
  clockflow_undo(flow, stmts, before);
  clockflow_raise_all(front, before, 2 * flow->size);
  mem_free(flow->mem, before);
}

void clockflow_undo_edge(const ClockFlow *flow, const Edge *edge, Level *front) {
  undo_around(flow, flow->net->hooks.after_stmts, front);
  clockflow_undo(flow, edge->update_stmts, front);
  undo_around(flow, flow->net->hooks.before_stmts, front);
}
