#include "symmetry/invariance.h"

#include "symmetry/classes.h"
#include "symmetry/verify.h"

#include <stdlib.h>
#include <string.h>

// A formula as text, with names permuted and operands sorted: two formulas with the same text
// mean the same. Only what cannot fail at run time is written so.

typedef struct Writer {
  Arena *arena;
  const Net *net;
  const Permutation *perm; // NULL: names stay
  bool failed;             // something that is not written so
} Writer;

typedef VEC(char *) Parts;

static void write_expr(Writer *, Text *, const Expr *, uint32_t sort);

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_operands(Writer *w, Parts *parts, const Expr *expr, ExprKind kind,
                         uint32_t sort) {
  if (expr->kind == kind && (kind == EXPR_AND || kind == EXPR_OR)) {
    add_operands(w, parts, expr->a, kind, sort);
    add_operands(w, parts, expr->b, kind, sort);
    return;
  }
  Text text = {.mem = w->arena->mem};
  text_add(&text, "");
  write_expr(w, &text, expr, sort);
  vec_push(w->arena->mem, parts, text.chars);
}

static void write_sorted(Writer *w, Text *text, const Expr *expr, uint32_t sort) {
  Mem *mem = w->arena->mem;
  Parts parts = {0};
  add_operands(w, &parts, expr->a, expr->kind, sort);
  add_operands(w, &parts, expr->b, expr->kind, sort);
  qsort(parts.items, parts.size, sizeof *parts.items, compare_texts);
  text_addf(text, "(%d", (int)expr->kind);
  for (uint32_t i = 0; i < parts.size; i++) {
    const bool repeats = i && !strcmp(parts.items[i], parts.items[i - 1]) &&
                         (expr->kind == EXPR_AND || expr->kind == EXPR_OR);
    if (!repeats)
      text_addf(text, " %s", parts.items[i]);
  }
  for (uint32_t i = 0; i < parts.size; i++)
    mem_free(mem, parts.items[i]);
  vec_release(mem, &parts);
  text_add(text, ")");
}

// The slot that an expression reads, if it is one; else NET_NONE.
static uint32_t slot_of(const Expr *expr) {
  uint32_t depth, slot;
  bool is_constant;
  if (expr->kind != EXPR_VAR && expr->kind != EXPR_INDEX && expr->kind != EXPR_FIELD)
    return NET_NONE;
  const Expr *root = classes_root(expr, &depth, &is_constant, &slot);
  return root->kind == EXPR_VAR && is_constant && expr->type->slots == 1 ? slot : NET_NONE;
}

static uint32_t sort_of(const Writer *w, const Expr *expr) {
  const uint32_t slot = slot_of(expr);
  return slot == NET_NONE || !w->perm ? SORT_PLAIN : w->perm->sort[slot];
}

// Values that move may be compared with constants and with each other.
static void write_equal(Writer *w, Text *text, const Expr *expr) {
  const uint32_t a = sort_of(w, expr->a), b = sort_of(w, expr->b);
  const bool one_moves = (a == 0) != (b == 0);
  if ((a && b && a != b) || (one_moves && (a ? expr->b : expr->a)->kind != EXPR_CONST))
    w->failed = true;
  write_sorted(w, text, expr, a ? a : b);
}

static void write_slot(Writer *w, Text *text, const Expr *expr, uint32_t sort) {
  const uint32_t slot = slot_of(expr);
  if (slot == NET_NONE || (w->perm && w->perm->sort[slot] != sort))
    w->failed = true;
  else
    text_addf(text, "s%u", w->perm ? w->perm->slot[slot] : slot);
}

static void write_clock(Writer *w, Text *text, const Expr *clock) {
  uint32_t depth, x = 0;
  bool is_constant = true;
  if (clock)
    classes_root(clock, &depth, &is_constant, &x);
  w->failed |= !is_constant;
  if (is_constant)
    text_addf(text, "c%u", w->perm ? w->perm->clock[x] : x);
}

static void write_test(Writer *w, Text *text, const Expr *expr) {
  text_addf(text, "[%d ", (int)expr->op);
  write_clock(w, text, expr->a);
  write_clock(w, text, expr->b);
  write_expr(w, text, expr->c, SORT_PLAIN);
  text_add(text, "]");
}

static void write_expr(Writer *w, Text *text, const Expr *expr, uint32_t sort) {
  switch (expr->kind) {
  case EXPR_CONST:
    text_addf(text, "%d", w->perm ? permutation_value(w->perm, sort, expr->value) : expr->value);
    return;
  case EXPR_VAR:
  case EXPR_INDEX:
  case EXPR_FIELD:
    write_slot(w, text, expr, sort);
    return;
  case EXPR_AT:
    text_addf(text, "p%u.%d", w->perm ? w->perm->slot[expr->base] : expr->base, expr->value);
    return;
  case EXPR_EQ:
  case EXPR_NE:
    write_equal(w, text, expr);
    return;
  case EXPR_AND:
  case EXPR_OR:
    write_sorted(w, text, expr, SORT_PLAIN);
    return;
  case EXPR_CLOCK_TEST:
    write_test(w, text, expr);
    return;
  case EXPR_NOT:
    text_add(text, "!");
    write_expr(w, text, expr->a, SORT_PLAIN);
    return;
  case EXPR_LT:
  case EXPR_LE:
  case EXPR_GT:
  case EXPR_GE:
    text_addf(text, "<%d ", (int)expr->kind);
    write_expr(w, text, expr->a, SORT_PLAIN);
    text_add(text, " ");
    write_expr(w, text, expr->b, SORT_PLAIN);
    text_add(text, ">");
    return;
  default:
    w->failed = true;
  }
}

static bool is_same_text(Arena *arena, const Net *net, const Permutation *perm,
                         const Expr *expr) {
  Writer own = {.arena = arena, .net = net}, moved = {.arena = arena, .net = net, .perm = perm};
  Text a = {.mem = arena->mem}, b = {.mem = arena->mem};
  write_expr(&own, &a, expr, SORT_PLAIN);
  write_expr(&moved, &b, expr, SORT_PLAIN);
  const bool same =
      !own.failed && !moved.failed && a.size == b.size && !memcmp(a.chars, b.chars, a.size);
  text_release(&a);
  text_release(&b);
  return same;
}

bool invariance_holds(const Family *family, Arena *arena, const Net *net, const Expr *expr) {
  if (symmetry_keeps(family, arena, net, expr))
    return true;
  uint32_t *image = ARENA_ARRAY(arena, uint32_t, family->size);
  for (int k = family->is_cyclic; k < 2; k++) {
    for (uint32_t i = 0; i < family->size; i++)
      image[i] = k ? (i + 1) % family->size : i < 2 ? 1 - i : i;
    const Permutation perm = family_permutation(family, arena, net, image);
    if (!is_same_text(arena, net, &perm, expr))
      return false;
  }
  return true;
}

// --- The ids that a formula names.

static void name_item(const uint32_t *columns, uint32_t count, uint32_t size, uint32_t item,
                      bool *named) {
  for (uint32_t i = 0; i < count * size; i++)
    if (columns[i] == item)
      named[i % size] = true;
}

// A constant that is compared with a variable of its sort.
static void name_value(const Family *family, const Expr *variable, const Expr *constant,
                       bool *named) {
  const uint32_t slot = slot_of(variable);
  if (slot == NET_NONE || constant->kind != EXPR_CONST || !family->sort[slot])
    return;
  for (uint32_t c = 0; c < family->value_columns; c++)
    for (uint32_t i = 0; i < family->size; i++)
      named[i] |= family->values[c].sort == family->sort[slot] &&
                  family->values[c].values[i] == constant->value;
}

static void find_named(const Family *family, const Net *net, const Expr *expr, bool *named) {
  if (!expr)
    return;
  uint32_t depth, slot;
  bool is_constant;
  switch (expr->kind) {
  case EXPR_EQ:
  case EXPR_NE:
    name_value(family, expr->a, expr->b, named);
    name_value(family, expr->b, expr->a, named);
    break;
  case EXPR_AT:
    name_item(family->processes, family->process_columns, family->size,
              expr->base - net->location_slot, named);
    break;
  case EXPR_VAR:
  case EXPR_CLOCK:
  case EXPR_INDEX:
  case EXPR_FIELD:
    classes_root(expr, &depth, &is_constant, &slot);
    if (is_constant && expr->type->kind == TYPE_CLOCK)
      name_item(family->clocks, family->clock_columns, family->size, slot, named);
    else if (is_constant)
      name_item(family->slots, family->slot_columns, family->size, slot, named);
    if (is_constant)
      return; // constant indices are no ids
    break;
  default:
    break;
  }
  find_named(family, net, expr->a, named);
  find_named(family, net, expr->b, named);
  find_named(family, net, expr->c, named);
  for (uint32_t i = 0; i < expr->arg_count; i++)
    find_named(family, net, expr->args[i], named);
}

static bool stabilise(Family *family, Arena *arena, const Net *net, const Expr *expr) {
  if (family->is_cyclic)
    return false;
  bool *named = ARENA_ARRAY(arena, bool, family->size);
  uint32_t *ids = ARENA_ARRAY(arena, uint32_t, family->size), count = 0;
  find_named(family, net, expr, named);
  for (uint32_t i = 0; i < family->size; i++)
    if (!named[i])
      ids[count++] = i;
  if (count < 2 || count == family->size)
    return false;
  *family = family_restrict(family, arena, ids, count);
  return invariance_holds(family, arena, net, expr);
}

Symmetry invariance_restrict(const Symmetry *symmetry, Arena *arena, const Net *net,
                             const Expr *expr) {
  Family *families = ARENA_ARRAY(arena, Family, symmetry->count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < symmetry->count; i++) {
    Family family = symmetry->families[i];
    if (!expr || invariance_holds(&family, arena, net, expr) ||
        stabilise(&family, arena, net, expr))
      families[count++] = family;
  }
  return (Symmetry){families, count};
}
