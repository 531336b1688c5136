#include "symmetry/match.h"

#include <string.h>

enum { MOST_LOCALS = 64, MOST_DEPTH = 16, MOST_STEPS = 1 << 18, MOST_PAIRS = 1 << 14 };

// What is known of a value: its sort; or, of a constant, what it is on both sides; or, of a local
// that was only set to a constant so far, which local it is: it is *open*, its sort is decided by
// the first use.
typedef enum Known { KNOWN_NOT, KNOWN_SORT, KNOWN_CONST, KNOWN_OPEN } Known;

typedef struct Value {
  Known known;
  uint32_t sort;    // KNOWN_SORT
  int32_t from, to; // KNOWN_CONST
  uint32_t local;   // KNOWN_OPEN
} Value;

static const Value no_match = {.known = KNOWN_NOT};

typedef struct Locals { // of one frame; `known` is KNOWN_SORT, or KNOWN_CONST for an open one
  Value values[MOST_LOCALS];
} Locals;

typedef struct Walk {
  const Match *match;
  const Permutation *perm;
  Locals *locals;
  Value result; // of the function being walked; KNOWN_NOT: nothing returned yet
  uint32_t steps, depth;
} Walk;

typedef struct Pair { // storage and its image, first slot, local or clock of each
  uint32_t from, to;
} Pair;

typedef struct Storage {
  ExprKind space; // EXPR_VAR, EXPR_LOCAL or EXPR_CLOCK
  uint32_t root;  // EXPR_LOCAL: the first local of the variable
  VEC(Pair) pairs;
} Storage;

static Value walk(Walk *, const Expr *, const Expr *);
static bool walk_stmts(Walk *, const Stmt *, const Stmt *);

static bool skips(const Walk *w, SymmetryRule rule) { return w->match->skip & rule; }

static Value of_sort(uint32_t sort) { return (Value){.known = KNOWN_SORT, .sort = sort}; }

static bool same_type(const Type *a, const Type *b) {
  if (a == b)
    return true;
  if (!a || !b || a->kind != b->kind || a->slots != b->slots || a->count != b->count)
    return false;
  if (a->kind == TYPE_INT)
    return a->min == b->min && a->max == b->max;
  if (a->kind == TYPE_ARRAY)
    return a->first == b->first && same_type(a->element, b->element);
  for (uint32_t i = 0; a->kind == TYPE_STRUCT && i < a->count; i++)
    if (!same_type(a->fields[i].type, b->fields[i].type))
      return false;
  return true;
}

// An open local gets its sort.
static bool decide(Walk *w, uint32_t local, uint32_t sort) {
  Value *value = &w->locals->values[local];
  if (permutation_value(w->perm, sort, value->from) != value->to)
    return false;
  *value = of_sort(sort);
  return true;
}

// Whether a value is of this sort, or can be.
static bool is_of(Walk *w, Value value, uint32_t sort) {
  switch (value.known) {
  case KNOWN_SORT:
    return value.sort == sort || (skips(w, RULE_PLAIN) && !(value.sort && sort));
  case KNOWN_CONST:
    return permutation_value(w->perm, sort, value.from) == value.to;
  case KNOWN_OPEN:
    return decide(w, value.local, sort);
  default:
    return false;
  }
}

static bool is_plain(Walk *w, Value value) { return is_of(w, value, SORT_PLAIN); }

// The sort that two values have in common.
static Value unite(Walk *w, Value a, Value b) {
  if (a.known == KNOWN_NOT || b.known == KNOWN_NOT)
    return no_match;
  const uint32_t sort = a.known == KNOWN_SORT   ? a.sort
                        : b.known == KNOWN_SORT ? b.sort
                                                : SORT_PLAIN;
  return is_of(w, a, sort) && is_of(w, b, sort) ? of_sort(sort) : no_match;
}

// The elements that an index can choose, each with its image.
static bool index_pairs(Walk *w, Storage *storage, const Expr *a, const Expr *b) {
  const Type *array = a->a->type;
  if (!same_type(array, b->a->type) || array->kind != TYPE_ARRAY)
    return false;
  Value index = walk(w, a->b, b->b);
  if (index.known == KNOWN_NOT || (index.known == KNOWN_OPEN && !is_plain(w, index)))
    return false;
  const uint32_t sort = index.known == KNOWN_SORT ? index.sort : SORT_PLAIN;
  const bool fixed = index.known == KNOWN_CONST;
  const uint32_t count = fixed ? 1 : array->count, before = storage->pairs.size;
  if ((uint64_t)before * count > MOST_PAIRS)
    return false;
  Storage longer = {.space = storage->space, .root = storage->root};
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

static bool find_pairs(Walk *w, Storage *storage, const Expr *a, const Expr *b) {
  if (a->kind != b->kind)
    return false;
  switch (a->kind) {
  case EXPR_VAR:
  case EXPR_LOCAL:
  case EXPR_CLOCK:
    storage->space = a->kind;
    storage->root = a->base;
    vec_push(w->match->mem, &storage->pairs, ((Pair){a->base, b->base}));
    return same_type(a->type, b->type) || skips(w, RULE_RANGES);
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

// Whether each slot goes where the image reads; the sort that all of them have.
static Value judge_slots(Walk *w, const Storage *storage, uint32_t slots) {
  const Permutation *perm = w->perm;
  Value value = no_match;
  for (uint32_t p = 0; p < storage->pairs.size; p++)
    for (uint32_t k = 0; k < slots; k++) {
      const uint32_t from = storage->pairs.items[p].from + k;
      if (perm->slot[from] != storage->pairs.items[p].to + k && !skips(w, RULE_INDICES))
        return no_match;
      if (value.known && value.sort != perm->sort[from])
        return no_match;
      value = of_sort(perm->sort[from]);
    }
  return value;
}

static Value judge_clocks(Walk *w, const Storage *storage) {
  for (uint32_t p = 0; p < storage->pairs.size; p++)
    if (w->perm->clock[storage->pairs.items[p].from] != storage->pairs.items[p].to)
      return no_match;
  return of_sort(SORT_PLAIN);
}

static Value judge_locals(Walk *w, const Storage *storage) {
  for (uint32_t p = 0; p < storage->pairs.size; p++)
    if (storage->pairs.items[p].from != storage->pairs.items[p].to)
      return no_match;
  if (storage->root >= MOST_LOCALS)
    return no_match;
  const Value value = w->locals->values[storage->root];
  if (value.known != KNOWN_CONST)
    return value;
  return (Value){.known = KNOWN_OPEN, .local = storage->root};
}

static Value walk_storage(Walk *w, const Expr *a, const Expr *b) {
  if (!same_type(a->type, b->type) && !skips(w, RULE_RANGES))
    return no_match;
  Storage storage = {0};
  Value value = no_match;
  if (find_pairs(w, &storage, a, b)) {
    if (storage.space == EXPR_VAR)
      value = judge_slots(w, &storage, a->type->slots);
    else
      value = storage.space == EXPR_CLOCK ? judge_clocks(w, &storage) : judge_locals(w, &storage);
  }
  vec_release(w->match->mem, &storage.pairs);
  return value;
}

static bool walk_clock(Walk *w, const Expr *a, const Expr *b) {
  return !a || !b ? a == b : walk_storage(w, a, b).known == KNOWN_SORT;
}

// The bound variable may be plain or, if its range is closed, of any other sort.
static Value walk_quantifier(Walk *w, const Expr *a, const Expr *b) {
  if (a->base != b->base || a->low != b->low || a->high != b->high || a->base >= MOST_LOCALS)
    return no_match;
  const Locals before = *w->locals;
  for (uint32_t sort = 0; sort < w->perm->sort_count; sort++) {
    bool closed = true;
    for (int64_t v = a->low; sort && closed && v <= a->high; v++) {
      const int32_t to = permutation_value(w->perm, sort, (int32_t)v);
      closed = (to >= a->low && to <= a->high) || skips(w, RULE_QUANTIFIERS);
    }
    w->locals->values[a->base] = of_sort(sort);
    if (closed && is_plain(w, walk(w, a->a, b->a)))
      return of_sort(SORT_PLAIN);
    *w->locals = before;
  }
  return no_match;
}

// Arguments become the locals of the callee. A constant leaves the sort of its parameter open.
static bool pass(Walk *w, const Expr *a, const Expr *b, Locals *callee) {
  uint32_t local = 0;
  for (uint32_t i = 0; i < a->arg_count; i++) {
    const Value value = walk(w, a->args[i], b->args[i]);
    const uint32_t slots = a->function->params[i]->slots;
    if (!same_type(a->function->params[i], b->function->params[i]) || value.known == KNOWN_NOT ||
        (value.known == KNOWN_OPEN && !is_plain(w, value)) || local >= MOST_LOCALS)
      return false;
    callee->values[local] = value.known == KNOWN_OPEN ? of_sort(SORT_PLAIN) : value;
    local += slots;
  }
  return true;
}

static Value walk_call(Walk *w, const Expr *a, const Expr *b) {
  if (a->arg_count != b->arg_count || !a->function || !b->function ||
      a->function->param_count != b->function->param_count || w->depth == MOST_DEPTH ||
      !same_type(a->function->result, b->function->result))
    return no_match;
  Locals callee = {0};
  if (!pass(w, a, b, &callee))
    return no_match;
  Locals *caller = w->locals;
  const Value result = w->result;
  w->locals = &callee;
  w->result = no_match;
  w->depth++;
  const bool good = walk_stmts(w, a->function->body, b->function->body);
  Value value = w->result;
  if (good && value.known == KNOWN_NOT) // nothing is returned
    value = of_sort(SORT_PLAIN);
  w->depth--;
  w->locals = caller;
  w->result = result;
  return good ? value : no_match;
}

static Value walk_plain(Walk *w, const Expr *a, const Expr *b) {
  const Expr *const from[] = {a->a, a->b, a->c}, *const to[] = {b->a, b->b, b->c};
  for (int i = 0; i < 3; i++) {
    if (!from[i] != !to[i])
      return no_match;
    if (from[i] && !is_plain(w, walk(w, from[i], to[i])))
      return no_match;
  }
  return of_sort(SORT_PLAIN);
}

static Value walk_at(Walk *w, const Expr *a, const Expr *b) {
  return w->perm->slot[a->base] == b->base && a->value == b->value ? of_sort(SORT_PLAIN)
                                                                   : no_match;
}

static Value walk_equal(Walk *w, const Expr *a, const Expr *b) {
  const Value left = walk(w, a->a, b->a);
  return unite(w, left, walk(w, a->b, b->b)).known ? of_sort(SORT_PLAIN) : no_match;
}

static Value walk_cond(Walk *w, const Expr *a, const Expr *b) {
  if (!is_plain(w, walk(w, a->a, b->a)))
    return no_match;
  const Value yes = walk(w, a->b, b->b);
  return unite(w, yes, walk(w, a->c, b->c));
}

static Value walk_test(Walk *w, const Expr *a, const Expr *b) {
  return a->op == b->op && walk_clock(w, a->a, b->a) && walk_clock(w, a->b, b->b) &&
                 is_plain(w, walk(w, a->c, b->c))
             ? of_sort(SORT_PLAIN)
             : no_match;
}

static Value walk(Walk *w, const Expr *a, const Expr *b) {
  if (++w->steps > MOST_STEPS || a->kind != b->kind)
    return no_match;
  switch (a->kind) {
  case EXPR_CONST:
    return (Value){.known = KNOWN_CONST, .from = a->value, .to = b->value};
  case EXPR_VAR:
  case EXPR_LOCAL:
  case EXPR_INDEX:
  case EXPR_FIELD:
    return walk_storage(w, a, b);
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
    return no_match;
  }
}

static bool walk_local(Walk *w, const Stmt *a, const Stmt *b) {
  const Expr *target = a->target;
  if (target->kind != EXPR_LOCAL || b->target->kind != EXPR_LOCAL ||
      target->base != b->target->base || target->base >= MOST_LOCALS ||
      !same_type(target->type, b->target->type) || !a->value != !b->value)
    return false;
  Value value = {.known = KNOWN_CONST};
  if (a->value)
    value = walk(w, a->value, b->value);
  if (value.known == KNOWN_OPEN && !is_plain(w, value))
    return false;
  w->locals->values[target->base] = value.known == KNOWN_OPEN ? of_sort(SORT_PLAIN) : value;
  return value.known != KNOWN_NOT;
}

static bool walk_return(Walk *w, const Stmt *a, const Stmt *b) {
  if (!a->value || !b->value)
    return a->value == b->value;
  const Value value = walk(w, a->value, b->value);
  if (value.known == KNOWN_NOT || (value.known == KNOWN_OPEN && !is_plain(w, value)))
    return false;
  const Value found = value.known == KNOWN_OPEN ? of_sort(SORT_PLAIN) : value;
  w->result = w->result.known ? unite(w, w->result, found) : found;
  return w->result.known;
}

static bool walk_clock_assign(Walk *w, const Stmt *a, const Stmt *b) {
  if (!walk_clock(w, a->target, b->target) || !walk_clock(w, a->source, b->source) ||
      !a->value != !b->value)
    return false;
  return !a->value || is_plain(w, walk(w, a->value, b->value));
}

static bool walk_stmt(Walk *w, const Stmt *a, const Stmt *b) {
  switch (a->kind) {
  case STMT_NOP:
    return true;
  case STMT_ASSIGN: {
    const Value target = walk_storage(w, a->target, b->target);
    return unite(w, target, walk(w, a->value, b->value)).known;
  }
  case STMT_CLOCK_ASSIGN:
    return walk_clock_assign(w, a, b);
  case STMT_IF:
    return is_plain(w, walk(w, a->value, b->value)) && walk_stmts(w, a->body, b->body) &&
           walk_stmts(w, a->other, b->other);
  case STMT_WHILE:
    return is_plain(w, walk(w, a->value, b->value)) && walk_stmts(w, a->body, b->body);
  case STMT_LOCAL:
    return walk_local(w, a, b);
  case STMT_RETURN:
    return walk_return(w, a, b);
  case STMT_CALL:
    return walk(w, a->value, b->value).known;
  default: // a kind that is not known here
    return false;
  }
}

static bool walk_stmts(Walk *w, const Stmt *a, const Stmt *b) {
  for (; a && b; a = a->next, b = b->next)
    if (++w->steps > MOST_STEPS || a->kind != b->kind || !walk_stmt(w, a, b))
      return false;
  return !a && !b;
}

bool match_expr(const Match *match, const Expr *a, const Expr *b) {
  if (!a || !b)
    return a == b;
  Locals locals = {0};
  Walk w = {.match = match, .perm = match->perm, .locals = &locals};
  return is_plain(&w, walk(&w, a, b));
}

bool match_stmts(const Match *match, const Stmt *a, const Stmt *b) {
  Locals locals = {0};
  Walk w = {.match = match, .perm = match->perm, .locals = &locals};
  return walk_stmts(&w, a, b);
}
