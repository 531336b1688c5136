#include "analysis/symmetry/invariance.h"

#include "analysis/symmetry/classes.h"
#include "analysis/symmetry/verify.h"
#include "model/faults.h"

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
  if (expr->kind == kind && (kind == EXPR_AND || kind == EXPR_OR || kind == EXPR_ADD)) {
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
  case EXPR_ADD: // in another order another partial sum could overflow
    w->failed |= faults_in_expr(w->net, expr);
    write_sorted(w, text, expr, SORT_PLAIN);
    return;
  case EXPR_CLOCK_TEST:
    write_test(w, text, expr);
    return;
  case EXPR_DEADLOCK: // of the state under any names
    text_add(text, "D");
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
  for (uint32_t k = 0; k < expr_part_count(expr); k++)
    find_named(family, net, expr_part(expr, k), named);
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

// --- Orbits.

enum { MAX_IMAGES = 4000 };

// The formula under other names; NULL if something in it cannot be renamed.
static const Expr *image_of(Arena *arena, const Permutation *perm, const Expr *e, uint32_t sort) {
  const uint32_t slot = slot_of(e);
  if (e->kind == EXPR_CONST)
    return expr_const(arena, e->place, permutation_value(perm, sort, e->value));
  if (e->kind == EXPR_AT)
    return expr_at(arena, e->place, e->name, perm->slot[e->base], e->value);
  if (slot != NET_NONE)
    return perm->sort[slot] == sort
               ? expr_storage(arena, e->place, EXPR_VAR, e->name, e->type, perm->slot[slot])
               : NULL;
  const bool is_equal = e->kind == EXPR_EQ || e->kind == EXPR_NE;
  if (sort || !e->a || e->c ||
      (!is_equal && e->kind != EXPR_NOT && e->kind != EXPR_AND && e->kind != EXPR_OR &&
       (e->kind < EXPR_LT || e->kind > EXPR_GE)))
    return NULL;
  uint32_t wanted = SORT_PLAIN;
  for (int side = 0; is_equal && side < 2; side++) {
    const uint32_t at = slot_of(side ? e->b : e->a);
    wanted = at != NET_NONE && perm->sort[at] ? perm->sort[at] : wanted;
  }
  const Expr *a = image_of(arena, perm, e->a, wanted);
  const Expr *b = e->b ? image_of(arena, perm, e->b, wanted) : NULL;
  if (!a || (e->b && !b))
    return NULL;
  return e->b ? expr_binary(arena, e->place, e->kind, a, b)
              : expr_unary(arena, e->place, e->kind, a);
}

typedef struct OrbitBuilder {
  Arena *arena;
  const Net *net;
  const Family *family;
  const Expr *formula;
  bool all;
  uint32_t *named, named_count; // the ids
  uint32_t *to;                 // where each goes
  bool *taken;
  uint32_t *image;
  const Expr *sum;
  bool failed;
} OrbitBuilder;

// The whole permutation: the named ids go to `to`, the others to what is left, in order.
static void add_image(OrbitBuilder *b) {
  const uint32_t size = b->family->size;
  for (uint32_t i = 0; i < size; i++)
    b->image[i] = UINT32_MAX;
  for (uint32_t k = 0; k < b->named_count; k++)
    b->image[b->named[k]] = b->to[k];
  for (uint32_t i = 0, next = 0; i < size; i++) {
    if (b->image[i] != UINT32_MAX)
      continue;
    while (b->taken[next])
      next++;
    b->image[i] = next++;
  }
  const Permutation perm = family_permutation(b->family, b->arena, b->net, b->image);
  const Expr *image = image_of(b->arena, &perm, b->formula, SORT_PLAIN);
  b->failed |= !image;
  if (image)
    b->sum =
        !b->sum ? image
                : expr_binary(b->arena, image->place, b->all ? EXPR_AND : EXPR_OR, b->sum, image);
}

static void add_images(OrbitBuilder *b, uint32_t k) {
  if (k == b->named_count) {
    add_image(b);
    return;
  }
  for (uint32_t i = 0; i < b->family->size && !b->failed; i++) {
    if (b->taken[i])
      continue;
    b->taken[i] = true;
    b->to[k] = i;
    add_images(b, k + 1);
    b->taken[i] = false;
  }
}

const Expr *invariance_orbit(const Family *family, Arena *arena, const Net *net, const Expr *expr,
                             bool all) {
  if (family->is_cyclic || !family->keeps_initial || expr_has_clock_test(expr))
    return NULL;
  OrbitBuilder b = {.arena = arena, .net = net, .family = family, .formula = expr, .all = all};
  bool *named = ARENA_ARRAY(arena, bool, family->size);
  find_named(family, net, expr, named);
  b.named = ARENA_ARRAY(arena, uint32_t, family->size);
  uint64_t images = 1;
  for (uint32_t i = 0; i < family->size; i++)
    if (named[i]) {
      images *= family->size - b.named_count;
      b.named[b.named_count++] = i;
      if (images > MAX_IMAGES)
        return NULL;
    }
  b.to = ARENA_ARRAY(arena, uint32_t, family->size);
  b.image = ARENA_ARRAY(arena, uint32_t, family->size);
  b.taken = ARENA_ARRAY(arena, bool, family->size);
  add_images(&b, 0);
  return !b.failed && b.sum && invariance_holds(family, arena, net, b.sum) ? b.sum : NULL;
}
