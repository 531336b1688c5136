#include "model/query.h"

#include "model/expr/clockuse.h"
#include "model/meta.h"

#include <assert.h>

// The formula, or its negation, is brought into a disjunction of clauses by pushing negations
// inwards and distributing `&&` over `||`; but a subformula without clock tests is never
// taken apart. Quantifiers around clock tests are expanded.

typedef VEC(const Expr *) Clauses; // NULL: true

typedef struct Builder {
  Mem *mem;
  Arena *arena;
  Report *report;
  Place place;       // of the query
  uint32_t expanded; // instances of quantifiers so far
  int64_t max;       // constant of clocks
} Builder;

static void split(Builder *, const Expr *, bool negated, Clauses *);

static void refuse(Builder *builder) {
  report_error(builder->report, builder->place,
               "the query splits into more than %d cases over its clock constraints: ask for "
               "its parts one by one",
               GOAL_MAX_CLAUSES);
}

// Adds a clause unless it is false.
static void add_clause(Builder *builder, const Expr *clause, Clauses *out) {
  int32_t value;
  if (clause && expr_is_const(clause, &value)) {
    if (!value)
      return;
    clause = NULL;
  }
  if (out->size == GOAL_MAX_CLAUSES)
    refuse(builder);
  else
    vec_push(builder->mem, out, clause);
}

static const Expr *both(Builder *builder, const Expr *a, const Expr *b) {
  return a && b ? expr_binary(builder->arena, a->place, EXPR_AND, a, b) : a ? a : b;
}

// Adds the product of two disjunctions.
static void add_product(Builder *builder, const Clauses *a, const Clauses *b, Clauses *out) {
  for (uint32_t i = 0; i < a->size; i++)
    for (uint32_t k = 0; k < b->size && !report_failed(builder->report); k++)
      add_clause(builder, both(builder, a->items[i], b->items[k]), out);
}

static void split_and(Builder *builder, const Expr *a, bool not_a, const Expr *b, bool not_b,
                      Clauses *out) {
  Clauses left = {0}, right = {0};
  split(builder, a, not_a, &left);
  split(builder, b, not_b, &right);
  add_product(builder, &left, &right, out);
  vec_release(builder->mem, &left);
  vec_release(builder->mem, &right);
}

// a && b || c && d, where each may be negated.
static void split_cases(Builder *builder, const Expr *choice, const Expr *yes, bool not_yes,
                        const Expr *no, bool not_no, Clauses *out) {
  split_and(builder, choice, false, yes, not_yes, out);
  split_and(builder, choice, true, no, not_no, out);
}

static ExprKind negation(ExprKind op) {
  switch (op) {
  case EXPR_EQ:
    return EXPR_NE;
  case EXPR_NE:
    return EXPR_EQ;
  case EXPR_LT:
    return EXPR_GE;
  case EXPR_LE:
    return EXPR_GT;
  case EXPR_GT:
    return EXPR_LE;
  default:
    assert(op == EXPR_GE);
    return EXPR_LT;
  }
}

static void split_test(Builder *builder, const Expr *test, bool negated, Clauses *out) {
  Arena *arena = builder->arena;
  const Expr *folded = clockuse_fold(arena, test);
  if (folded != test) {
    split(builder, folded, negated, out);
    return;
  }
  const ExprKind op = negated ? negation(test->op) : test->op;
  if (op == EXPR_NE) {
    const ExprKind ops[] = {EXPR_LT, EXPR_GT};
    for (int i = 0; i < 2; i++)
      add_clause(builder, expr_clock_test(arena, test->place, test->a, test->b, ops[i], test->c),
                 out);
  } else if (op == test->op)
    add_clause(builder, test, out);
  else
    add_clause(builder, expr_clock_test(arena, test->place, test->a, test->b, op, test->c), out);
}

// The expression with a value in place of a bound local; nested quantifiers bind others.
static const Expr *instance(Arena *arena, const Expr *expr, uint32_t local, int32_t value) {
  if (!expr)
    return NULL;
  if (expr->kind == EXPR_LOCAL && expr->base == local)
    return expr_const(arena, expr->place, value);
  const Expr *made = clockuse_rebuild(arena, expr, instance(arena, expr->a, local, value),
                                      instance(arena, expr->b, local, value),
                                      instance(arena, expr->c, local, value));
  if (!expr->arg_count)
    return made;
  const Expr **args = ARENA_ARRAY(arena, const Expr *, expr->arg_count);
  for (uint32_t i = 0; i < expr->arg_count; i++)
    args[i] = instance(arena, expr->args[i], local, value);
  return expr_call(arena, expr->place, expr->function, args);
}

static bool expand(Builder *builder, const Expr *expr) {
  const int64_t count = (int64_t)expr->high - expr->low + 1;
  if (count > GOAL_MAX_CLAUSES - (int64_t)builder->expanded)
    return report_error(builder->report, expr->place,
                        "this quantifier makes more than %d instances of a clock constraint",
                        GOAL_MAX_CLAUSES);
  builder->expanded += count > 0 ? (uint32_t)count : 0;
  return true;
}

static void split_quantifier(Builder *builder, const Expr *expr, bool negated, Clauses *out) {
  if (!expand(builder, expr))
    return;
  const bool all = (expr->kind == EXPR_FORALL) != negated;
  Clauses product = {0};
  add_clause(builder, NULL, &product);
  for (int64_t value = expr->low; value <= expr->high; value++) {
    if (report_failed(builder->report))
      break;
    const Expr *body = instance(builder->arena, expr->a, expr->base, (int32_t)value);
    Clauses cases = {0}, longer = {0};
    split(builder, body, negated, all ? &cases : out);
    if (all) {
      add_product(builder, &product, &cases, &longer);
      vec_release(builder->mem, &product);
      product = (Clauses){longer.items, longer.size, longer.capacity};
    }
    vec_release(builder->mem, &cases);
  }
  for (uint32_t i = 0; all && i < product.size; i++)
    add_clause(builder, product.items[i], out);
  vec_release(builder->mem, &product);
}

// Adds the clauses of the expression, or of its negation.
static void split(Builder *builder, const Expr *expr, bool negated, Clauses *out) {
  if (report_failed(builder->report))
    return;
  if (!expr_has_clock_test(expr)) {
    add_clause(builder, negated ? expr_unary(builder->arena, expr->place, EXPR_NOT, expr) : expr,
               out);
    return;
  }
  switch (expr->kind) {
  case EXPR_NOT:
    split(builder, expr->a, !negated, out);
    break;
  case EXPR_AND:
  case EXPR_OR:
    if ((expr->kind == EXPR_AND) != negated)
      split_and(builder, expr->a, negated, expr->b, negated, out);
    else {
      split(builder, expr->a, negated, out);
      split(builder, expr->b, negated, out);
    }
    break;
  case EXPR_COND:
    split_cases(builder, expr->a, expr->b, negated, expr->c, negated, out);
    break;
  case EXPR_EQ: // of conditions: both or neither
  case EXPR_NE:
    negated = (expr->kind == EXPR_NE) != negated;
    split_cases(builder, expr->a, expr->b, negated, expr->b, !negated, out);
    break;
  case EXPR_FORALL:
  case EXPR_EXISTS:
    split_quantifier(builder, expr, negated, out);
    break;
  case EXPR_DEADLOCK:
    add_clause(builder, negated ? expr_unary(builder->arena, expr->place, EXPR_NOT, expr) : expr,
               out);
    break;
  default: // front ends refuse clock tests inside arithmetic
    assert(expr->kind == EXPR_CLOCK_TEST);
    split_test(builder, expr, negated, out);
  }
}

// The clause without `deadlock`, which is reported in *deadlocked and *live; NULL: true.
static const Expr *strip(Builder *builder, const Expr *clause, bool *deadlocked, bool *live) {
  if (!clause || !expr_has_kind(clause, EXPR_DEADLOCK))
    return clause;
  if (clause->kind == EXPR_AND)
    return both(builder, strip(builder, clause->a, deadlocked, live),
                strip(builder, clause->b, deadlocked, live));
  assert(clause->kind == EXPR_DEADLOCK || clause->kind == EXPR_NOT);
  *(clause->kind == EXPR_NOT ? live : deadlocked) = true;
  return NULL;
}

// Takes `deadlock` out of the clauses, and drops those that ask for both. NULL if there is none.
static const GoalEnd *strip_all(Builder *builder, Clauses *clauses) {
  GoalEnd *ends = ARENA_ARRAY(builder->arena, GoalEnd, clauses->size);
  bool found = false;
  uint32_t count = 0;
  for (uint32_t i = 0; i < clauses->size; i++) {
    bool deadlocked = false, live = false;
    const Expr *clause = strip(builder, clauses->items[i], &deadlocked, &live);
    found |= deadlocked || live;
    if (deadlocked && live)
      continue;
    ends[count] = deadlocked ? GOAL_DEADLOCKED : live ? GOAL_NOT_DEADLOCKED : GOAL_ANY;
    clauses->items[count++] = clause;
  }
  clauses->size = count;
  return found ? ends : NULL;
}

static void compile(Goal *goal, Builder *builder, Clauses *clauses) {
  const GoalEnd *ends = strip_all(builder, clauses);
  Guard *guards = ARENA_ARRAY(builder->arena, Guard, clauses->size);
  ClockTraits traits = {0};
  for (uint32_t i = 0; i < clauses->size; i++) {
    const Expr *clause = clauses->items[i];
    if (!clause)
      continue;
    clockuse_check_tests(clause, builder->max, builder->report);
    clockuse_traits(clause, &traits);
    guards[i] = code_guard(builder->arena, clause, expr_locals(clause));
  }
  *goal = (Goal){.clauses = guards,
                 .clause_count = clauses->size,
                 .ends = ends,
                 .has_diagonals = traits.has_diagonals,
                 .diagonal_place = traits.diagonal_place,
                 .has_strict = traits.has_strict,
                 .strict_place = traits.strict_place};
}

static bool build(Goal *goal, Arena *arena, const Expr *condition, bool negated, Place place,
                  int64_t max, Report *report) {
  *goal = (Goal){0};
  Builder builder = {
      .mem = arena->mem, .arena = arena, .report = report, .place = place, .max = max};
  Clauses clauses = {0};
  if (condition)
    split(&builder, condition, negated, &clauses);
  else if (!negated)
    add_clause(&builder, NULL, &clauses);
  if (!report_failed(report))
    compile(goal, &builder, &clauses);
  vec_release(arena->mem, &clauses);
  return !report_failed(report);
}

bool query_goal(Goal *goal, Arena *arena, const Net *net, const Query *query, Report *report) {
  (void)net; // names are resolved
  const bool negated = query->kind == QUERY_INVARIANT || query->kind == QUERY_EVENTUALLY;
  const bool ok =
      build(goal, arena, query->formula, negated, query->place, net_max_constant(net), report);
  goal->tree = query->tree;
  goal->is_opposite = negated;
  return ok;
}

bool goal_build(Goal *goal, Arena *arena, const Expr *condition, bool negated, Place place,
                Report *report) {
  return build(goal, arena, condition, negated, place, NET_MAX_CONSTANT, report);
}

VmResult goal_clause(const Goal *goal, Vm *vm, const int32_t *state, uint32_t *clause,
                     ClockTests *tests) {
  for (; *clause < goal->clause_count; ++*clause) {
    const Guard *guard = &goal->clauses[*clause];
    const VmResult result = guard->expr ? vm_guard(vm, guard, state, tests) : VM_TRUE;
    if (result != VM_FALSE)
      return result == VM_TRUE ? VM_TRUE : VM_ERROR;
  }
  return VM_FALSE;
}

const Net *query_keep_meta(const Query *query, const Net *net, Arena *arena) {
  net = meta_keep(net, arena, query->formula);
  net = meta_keep(net, arena, query->conclusion);
  for (uint32_t i = 0; i < query->value_count; i++)
    net = meta_keep(net, arena, query->values[i]);
  return net;
}

void query_note(const Query *query, Scale *scale) {
  scale->is_dynamic |= query->kind == QUERY_STATISTICAL; // rates are not divided
  scale_note_expr(scale, query->formula);
  scale_note_expr(scale, query->conclusion);
  for (uint32_t i = 0; i < query->value_count; i++)
    scale_note_expr(scale, query->values[i]);
}

static void note_clocks(Mem *mem, const Expr *expr, bool *reads) {
  if (!expr)
    return;
  if (expr->type && expr->type->kind == TYPE_CLOCK) {
    ClockList clocks = {0};
    clockuse_clocks(mem, expr, &clocks);
    for (uint32_t k = 0; k < clocks.size; k++)
      reads[clocks.items[k]] = true;
    vec_release(mem, &clocks);
    return;
  }
  for (uint32_t k = 0; k < expr_part_count(expr); k++)
    note_clocks(mem, expr_part(expr, k), reads);
}

void query_note_clocks(const Query *query, Mem *mem, bool *reads) {
  note_clocks(mem, query->formula, reads);
  note_clocks(mem, query->conclusion, reads);
  for (uint32_t i = 0; i < query->value_count; i++)
    note_clocks(mem, query->values[i], reads);
}

Query query_in_unit(const Query *query, Arena *arena, int64_t unit) {
  const ScaleDivider d = {.arena = arena, .unit = unit};
  Query divided = *query;
  if (unit == 1)
    return divided;
  divided.formula = scale_expr(&d, query->formula);
  divided.conclusion = scale_expr(&d, query->conclusion);
  const Expr **values = ARENA_ARRAY(arena, const Expr *, query->value_count);
  for (uint32_t i = 0; i < query->value_count; i++)
    values[i] = scale_expr(&d, query->values[i]);
  divided.values = values;
  return divided;
}
