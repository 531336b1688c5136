#include "analysis/symmetry/match.h"

#include "analysis/symmetry/sorts.h"
#include "model/faults.h"
#include "model/intervals.h"

#include <string.h>

enum { MAX_DEPTH = 16, MAX_STEPS = 1 << 18, MAX_PAIRS = 1 << 14 };

static Value walk(Walk *, const Expr *, const Expr *);
static bool walk_stmts(Walk *, const Stmt *, const Stmt *);

// The elements that an index can choose, each with its image.
static bool index_pairs(Walk *w, Storage *storage, const Expr *a, const Expr *b) {
  const Type *array = a->a->type;
  if (!sorts_same_type(array, b->a->type) || array->kind != TYPE_ARRAY)
    return false;
  Value index = walk(w, a->b, b->b);
  if (index.known == KNOWN_NOT || (index.known == KNOWN_OPEN && !sorts_is_plain(w, index)))
    return false;
  const uint32_t sort = index.known == KNOWN_SORT ? index.sort : SORT_PLAIN;
  const bool fixed = index.known == KNOWN_CONST;
  const uint32_t count = fixed ? 1 : array->count, before = storage->pairs.size;
  if ((uint64_t)before * count > MAX_PAIRS)
    return false;
  Storage longer = {0};
  bool good = true;
  for (uint32_t p = 0; good && p < before; p++)
    for (uint32_t i = 0; good && i < count; i++) {
      const int32_t from = fixed ? index.from : array->first + (int32_t)i;
      const int32_t to = fixed ? index.to : permutation_value(w->perm, sort, from);
      const int64_t at = (int64_t)from - array->first, at_image = (int64_t)to - array->first;
      good = at >= 0 && at < array->count && at_image >= 0 && at_image < array->count;
      const Pair pair = {storage->pairs.items[p].from + (uint32_t)at * array->element->slots,
                         storage->pairs.items[p].to + (uint32_t)at_image * array->element->slots};
      if (good)
        vec_push(w->match->mem, &longer.pairs, pair);
    }
  vec_release(w->match->mem, &storage->pairs);
  storage->pairs.items = longer.pairs.items;
  storage->pairs.size = longer.pairs.size;
  storage->pairs.capacity = longer.pairs.capacity;
  return good;
}

static bool find_pairs(Walk *, Storage *, const Expr *, const Expr *);

// Storage of a caller: what was passed, in the caller's frame.
static bool remote_pairs(Walk *w, Storage *storage, const Expr *a, const Expr *b) {
  Locals *frame = w->locals;
  if (a->base != b->base || a->base >= MAX_LOCALS || !frame->from[a->base] || !frame->outer)
    return false;
  const Expr *from = frame->from[a->base], *to = frame->to[a->base];
  w->locals = frame->outer;
  const bool good = sorts_same_type(a->type, b->type) && a->type->slots == from->type->slots &&
                    find_pairs(w, storage, from, to);
  w->locals = frame;
  return good;
}

static bool find_pairs(Walk *w, Storage *storage, const Expr *a, const Expr *b) {
  if (a->kind != b->kind)
    return false;
  switch (a->kind) {
  case EXPR_REMOTE:
    return remote_pairs(w, storage, a, b);
  case EXPR_TABLE:
    storage->space = EXPR_TABLE;
    storage->from = a->table;
    storage->to = b->table;
    vec_push(w->match->mem, &storage->pairs, ((Pair){0, 0}));
    return sorts_same_type(a->type, b->type);
  case EXPR_VAR:
  case EXPR_LOCAL:
  case EXPR_CLOCK:
    storage->space = a->kind;
    storage->root = a->base;
    storage->frame = w->locals;
    vec_push(w->match->mem, &storage->pairs, ((Pair){a->base, b->base}));
    return sorts_same_type(a->type, b->type) || sorts_skips(w, RULE_RANGES);
  case EXPR_INDEX:
    return find_pairs(w, storage, a->a, b->a) && index_pairs(w, storage, a, b);
  case EXPR_FIELD:
    if (!find_pairs(w, storage, a->a, b->a) || a->base != b->base)
      return false;
    for (uint32_t p = 0; p < storage->pairs.size; p++) {
      storage->pairs.items[p].from += a->base;
      storage->pairs.items[p].to += b->base;
    }
    return true;
  default:
    return false;
  }
}

static Value walk_storage(Walk *w, const Expr *a, const Expr *b) {
  if (!sorts_same_type(a->type, b->type) && !sorts_skips(w, RULE_RANGES))
    return sorts_none;
  Storage storage = {0};
  Value value = sorts_none;
  if (find_pairs(w, &storage, a, b)) {
    const uint32_t slots = a->type->slots;
    value = sorts_of_storage(w, &storage, slots);
  }
  vec_release(w->match->mem, &storage.pairs);
  return value;
}

static bool walk_clock(Walk *w, const Expr *a, const Expr *b) {
  return !a || !b ? a == b : walk_storage(w, a, b).known == KNOWN_SORT;
}

static bool stmts_change(const Stmt *);

// Whether something is another one after the expression; `is_inside`: of a function, with which
// its locals end.
static bool changes(const void *is_inside, const Expr *e) {
  if (e->kind == EXPR_ASSIGN)
    return !*(const bool *)is_inside || expr_root(e->a)->kind != EXPR_LOCAL;
  return e->kind == EXPR_ADDRESS || (e->kind == EXPR_CALL && stmts_change(e->function->body));
}

static bool stmts_change(const Stmt *s) {
  const bool is_inside = true;
  for (; s; s = s->next)
    if (s->kind == STMT_CLOCK_ASSIGN ||
        (s->kind == STMT_ASSIGN && expr_root(s->target)->kind != EXPR_LOCAL) ||
        expr_any(s->target, changes, &is_inside) || expr_any(s->value, changes, &is_inside) ||
        stmts_change(s->body) || stmts_change(s->other))
      return true;
  return false;
}

// Whether the elements of a quantifier can be looked at in another order. `forall` and `exists`
// end at the first that decides, and do not meet an error behind it. A sum meets all, but it
// may become too large on the way. What one of them changes the next would find.
static bool has_no_order(const Walk *w, const Expr *quantifier) {
  const Net *net = w->perm->net;
  const bool is_inside = false;
  if (sorts_skips(w, RULE_FAILING))
    return true;
  if (expr_any(quantifier->a, changes, &is_inside))
    return false;
  if (quantifier->kind != EXPR_SUM)
    return !faults_in_expr(net, quantifier->a);
  const Range range = intervals_of_net(net, quantifier->a);
  const int64_t count = (int64_t)quantifier->high - quantifier->low + 1;
  return count <= INT16_MAX && range.low * count >= INT32_MIN && range.high * count <= INT32_MAX;
}

// The bound variable may be plain or, if its range is closed, of any other sort.
static Value walk_quantifier(Walk *w, const Expr *a, const Expr *b) {
  if (a->base != b->base || a->low != b->low || a->high != b->high || a->base >= MAX_LOCALS)
    return sorts_none;
  const Locals before = *w->locals;
  for (uint32_t sort = 0; sort < w->perm->sort_count; sort++) {
    bool closed = true;
    for (int64_t v = a->low; sort && closed && v <= a->high; v++) {
      const int32_t to = permutation_value(w->perm, sort, (int32_t)v);
      closed = (to >= a->low && to <= a->high) || sorts_skips(w, RULE_QUANTIFIERS);
    }
    closed = closed && (!sort || has_no_order(w, a));
    w->locals->values[a->base] = sorts_value(sort);
    w->locals->types[a->base] = NULL;
    if (closed && sorts_is_plain(w, walk(w, a->a, b->a)))
      return sorts_value(SORT_PLAIN);
    *w->locals = before;
  }
  return sorts_none;
}

// Arguments become the locals of the callee. A constant leaves the sort of its parameter open.
static bool pass(Walk *w, const Expr *a, const Expr *b, Locals *callee) {
  uint32_t local = 0;
  callee->outer = w->locals;
  for (uint32_t i = 0; i < a->arg_count; i++) {
    if (local >= MAX_LOCALS)
      return false;
    if (a->args[i]->kind == EXPR_ADDRESS) {
      if (b->args[i]->kind != EXPR_ADDRESS)
        return false;
      callee->from[local] = a->args[i]->a;
      callee->to[local] = b->args[i]->a;
      local += a->function->params[i]->slots;
      continue;
    }
    const Value value = walk(w, a->args[i], b->args[i]);
    const Type *type = a->function->params[i];
    if (!sorts_same_type(type, b->function->params[i]) || value.known == KNOWN_NOT ||
        !sorts_fits(w, value, type) || (value.known == KNOWN_OPEN && !sorts_is_plain(w, value)))
      return false;
    callee->values[local] = value.known == KNOWN_OPEN ? sorts_value(SORT_PLAIN) : value;
    callee->types[local] = type;
    local += type->slots;
  }
  return true;
}

static Value walk_call(Walk *w, const Expr *a, const Expr *b) {
  if (a->arg_count != b->arg_count || !a->function || !b->function ||
      a->function->param_count != b->function->param_count || w->depth == MAX_DEPTH ||
      !sorts_same_type(a->function->result, b->function->result))
    return sorts_none;
  Locals callee = {0};
  if (!pass(w, a, b, &callee))
    return sorts_none;
  Locals *caller = w->locals;
  const Value result = w->result;
  w->locals = &callee;
  w->result = sorts_none;
  w->depth++;
  const bool good = walk_stmts(w, a->function->body, b->function->body);
  Value value = w->result;
  if (good && value.known == KNOWN_NOT) // nothing is returned
    value = sorts_value(SORT_PLAIN);
  w->depth--;
  w->locals = caller;
  w->result = result;
  return good && sorts_fits(w, value, a->function->result) ? value : sorts_none;
}

static Value walk_plain(Walk *w, const Expr *a, const Expr *b) {
  const Expr *const from[] = {a->a, a->b, a->c}, *const to[] = {b->a, b->b, b->c};
  for (int i = 0; i < 3; i++) {
    if (!from[i] != !to[i])
      return sorts_none;
    if (from[i] && !sorts_is_plain(w, walk(w, from[i], to[i])))
      return sorts_none;
  }
  return sorts_value(SORT_PLAIN);
}

static Value walk_at(Walk *w, const Expr *a, const Expr *b) {
  return w->perm->slot[a->base] == b->base && a->value == b->value ? sorts_value(SORT_PLAIN)
                                                                   : sorts_none;
}

static Value walk_equal(Walk *w, const Expr *a, const Expr *b) {
  const Value left = walk(w, a->a, b->a);
  return sorts_unite(w, left, walk(w, a->b, b->b)).known ? sorts_value(SORT_PLAIN) : sorts_none;
}

static Value walk_cond(Walk *w, const Expr *a, const Expr *b) {
  if (!sorts_is_plain(w, walk(w, a->a, b->a)))
    return sorts_none;
  const Value yes = walk(w, a->b, b->b);
  return sorts_unite(w, yes, walk(w, a->c, b->c));
}

static Value walk_test(Walk *w, const Expr *a, const Expr *b) {
  return a->op == b->op && walk_clock(w, a->a, b->a) && walk_clock(w, a->b, b->b) &&
                 sorts_is_plain(w, walk(w, a->c, b->c))
             ? sorts_value(SORT_PLAIN)
             : sorts_none;
}

// A local that comes to life with this value. A constant leaves its sort open.
static bool introduce(Walk *w, const Expr *local, Value value) {
  if (value.known == KNOWN_NOT || !sorts_fits(w, value, local->type) ||
      (value.known == KNOWN_OPEN && !sorts_is_plain(w, value)))
    return false;
  w->locals->values[local->base] = value.known == KNOWN_OPEN ? sorts_value(SORT_PLAIN) : value;
  w->locals->types[local->base] = local->type;
  return true;
}

// A local that nothing is known of comes to life: variables with an initial value do so.
static bool is_new(const Walk *w, const Expr *a, const Expr *b) {
  return a->kind == EXPR_LOCAL && b->kind == EXPR_LOCAL && a->base == b->base &&
         a->base < MAX_LOCALS && sorts_same_type(a->type, b->type) &&
         w->locals->values[a->base].known == KNOWN_NOT;
}

static Value walk_assign(Walk *w, const Expr *target, const Expr *image, const Expr *a,
                         const Expr *b) {
  if (is_new(w, target, image)) {
    const Value value = walk(w, a, b);
    return introduce(w, target, value) ? value : sorts_none;
  }
  const Value storage = walk_storage(w, target, image);
  const Value value = sorts_unite(w, storage, walk(w, a, b));
  return sorts_fits(w, value, target->type) ? value : sorts_none;
}

static Value walk(Walk *w, const Expr *a, const Expr *b) {
  if (++w->steps > MAX_STEPS || a->kind != b->kind)
    return sorts_none;
  switch (a->kind) {
  case EXPR_CONST:
    return (Value){.known = KNOWN_CONST, .from = a->value, .to = b->value};
  case EXPR_VAR:
  case EXPR_LOCAL:
  case EXPR_INDEX:
  case EXPR_FIELD:
  case EXPR_TABLE:
  case EXPR_REMOTE:
    return walk_storage(w, a, b);
  case EXPR_ASSIGN:
    return walk_assign(w, a->a, b->a, a->b, b->b);
  case EXPR_AT:
    return walk_at(w, a, b);
  case EXPR_EQ:
  case EXPR_NE:
    return walk_equal(w, a, b);
  case EXPR_COND:
    return walk_cond(w, a, b);
  case EXPR_CALL:
    return walk_call(w, a, b);
  case EXPR_FORALL:
  case EXPR_EXISTS:
  case EXPR_SUM:
    return walk_quantifier(w, a, b);
  case EXPR_CLOCK_TEST:
    return walk_test(w, a, b);
  case EXPR_NEG:
  case EXPR_NOT:
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
  case EXPR_DIV:
  case EXPR_MOD:
  case EXPR_MIN:
  case EXPR_MAX:
  case EXPR_BIT_AND:
  case EXPR_BIT_OR:
  case EXPR_BIT_XOR:
  case EXPR_SHL:
  case EXPR_SHR:
  case EXPR_LT:
  case EXPR_LE:
  case EXPR_GT:
  case EXPR_GE:
  case EXPR_AND:
  case EXPR_OR:
    return walk_plain(w, a, b);
  default: // a kind that is not known here
    return sorts_none;
  }
}

static bool walk_local(Walk *w, const Stmt *a, const Stmt *b) {
  const Expr *target = a->target;
  if (target->kind != EXPR_LOCAL || b->target->kind != EXPR_LOCAL ||
      target->base != b->target->base || target->base >= MAX_LOCALS ||
      !sorts_same_type(target->type, b->target->type) || !a->value != !b->value)
    return false;
  Value value = {.known = KNOWN_CONST};
  if (a->value)
    value = walk(w, a->value, b->value);
  return introduce(w, target, value);
}

static bool walk_return(Walk *w, const Stmt *a, const Stmt *b) {
  if (!a->value || !b->value)
    return a->value == b->value;
  const Value value = walk(w, a->value, b->value);
  if (value.known == KNOWN_NOT || (value.known == KNOWN_OPEN && !sorts_is_plain(w, value)))
    return false;
  const Value found = value.known == KNOWN_OPEN ? sorts_value(SORT_PLAIN) : value;
  w->result = w->result.known ? sorts_unite(w, w->result, found) : found;
  return w->result.known;
}

static bool walk_clock_assign(Walk *w, const Stmt *a, const Stmt *b) {
  if (!walk_clock(w, a->target, b->target) || !walk_clock(w, a->source, b->source) ||
      !a->value != !b->value)
    return false;
  return !a->value || sorts_is_plain(w, walk(w, a->value, b->value));
}

static bool walk_stmt(Walk *w, const Stmt *a, const Stmt *b) {
  switch (a->kind) {
  case STMT_NOP:
    return true;
  case STMT_ASSIGN:
    return walk_assign(w, a->target, b->target, a->value, b->value).known;
  case STMT_CLOCK_ASSIGN:
    return walk_clock_assign(w, a, b);
  case STMT_IF:
    return sorts_is_plain(w, walk(w, a->value, b->value)) && walk_stmts(w, a->body, b->body) &&
           walk_stmts(w, a->other, b->other);
  case STMT_WHILE:
  case STMT_DO:
    return sorts_is_plain(w, walk(w, a->value, b->value)) && walk_stmts(w, a->body, b->body);
  case STMT_LOCAL:
    return walk_local(w, a, b);
  case STMT_RETURN:
    return walk_return(w, a, b);
  case STMT_CALL:
    return walk(w, a->value, b->value).known;
  case STMT_ASSERT:
    return sorts_is_plain(w, walk(w, a->value, b->value));
  default: // a kind that is not known here
    return false;
  }
}

static bool walk_stmts(Walk *w, const Stmt *a, const Stmt *b) {
  for (; a && b; a = a->next, b = b->next)
    if (++w->steps > MAX_STEPS || a->kind != b->kind || !walk_stmt(w, a, b))
      return false;
  return !a && !b;
}

bool match_expr(const Match *match, const Expr *a, const Expr *b) {
  if (!a || !b)
    return a == b;
  Locals locals = {0};
  Walk w = {.match = match, .perm = match->perm, .locals = &locals};
  return sorts_is_plain(&w, walk(&w, a, b));
}

typedef VEC(const Expr *) Operands;

static void add_operands(Mem *mem, Operands *list, const Expr *expr) {
  for (; expr->kind == EXPR_AND; expr = expr->b) {
    if (expr->a->kind == EXPR_AND)
      add_operands(mem, list, expr->a);
    else
      vec_push(mem, list, expr->a);
  }
  vec_push(mem, list, expr);
}

// Each operand of the first has one of the second for itself.
static bool pair_operands(const Match *match, const Operands *from, Operands *to) {
  for (uint32_t i = 0; i < from->size; i++) {
    uint32_t k = 0;
    while (k < to->size && !match_expr(match, from->items[i], to->items[k]))
      k++;
    if (k == to->size)
      return false;
    to->items[k] = vec_last(to);
    to->size--;
  }
  return !to->size;
}

bool match_conjunction(const Match *match, const Expr *a, const Expr *b) {
  enum { MAX_OPERANDS = 1000 };
  if (match_expr(match, a, b))
    return true;
  const Net *net = match->perm->net;
  const bool can_fail =
      !(match->skip & RULE_FAILING) && (faults_in_expr(net, a) || faults_in_expr(net, b));
  if (!a || !b || a->kind != EXPR_AND || b->kind != EXPR_AND || can_fail)
    return false;
  Operands from = {0}, to = {0};
  add_operands(match->mem, &from, a);
  add_operands(match->mem, &to, b);
  const bool good =
      from.size == to.size && from.size <= MAX_OPERANDS && pair_operands(match, &from, &to);
  vec_release(match->mem, &from);
  vec_release(match->mem, &to);
  return good;
}

bool match_stmts(const Match *match, const Stmt *a, const Stmt *b) {
  Locals locals = {0};
  Walk w = {.match = match, .perm = match->perm, .locals = &locals};
  return walk_stmts(&w, a, b);
}
