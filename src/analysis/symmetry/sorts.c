#include "analysis/symmetry/sorts.h"

bool sorts_same_type(const Type *a, const Type *b) {
  if (a == b)
    return true;
  if (!a || !b || a->kind != b->kind || a->slots != b->slots || a->count != b->count)
    return false;
  if (a->kind == TYPE_INT)
    return a->min == b->min && a->max == b->max;
  if (a->kind == TYPE_ARRAY)
    return a->first == b->first && sorts_same_type(a->element, b->element);
  for (uint32_t i = 0; a->kind == TYPE_STRUCT && i < a->count; i++)
    if (!sorts_same_type(a->fields[i].type, b->fields[i].type))
      return false;
  return true;
}

static bool is_within(const Type *type, int32_t value) {
  return value >= type->min && value <= type->max;
}

// The same of all values of a sort.
static bool sort_fits(const ValueMap *map, const Type *type) {
  if (type->kind == TYPE_ARRAY)
    return sort_fits(map, type->element);
  for (uint32_t i = 0; type->kind == TYPE_STRUCT && i < type->count; i++)
    if (!sort_fits(map, type->fields[i].type))
      return false;
  for (uint32_t i = 0; type->kind == TYPE_INT && i < map->count; i++)
    if (is_within(type, map->low + (int32_t)i) != is_within(type, map->to[i]))
      return false;
  return true;
}

bool sorts_fits(const Walk *w, Value value, const Type *type) {
  if (sorts_skips(w, RULE_RANGES) || !type)
    return true;
  if (value.known == KNOWN_SORT)
    return sort_fits(&w->perm->maps[value.sort], type);
  return value.known != KNOWN_CONST || type->kind != TYPE_INT ||
         is_within(type, value.from) == is_within(type, value.to);
}

// An open local gets its sort.
static bool decide(Walk *w, Locals *frame, uint32_t local, uint32_t sort) {
  Value *value = &frame->values[local];
  if (permutation_value(w->perm, sort, value->from) != value->to ||
      !sorts_fits(w, sorts_value(sort), frame->types[local]))
    return false;
  *value = sorts_value(sort);
  return true;
}

// Whether a value is of this sort, or can be.
bool sorts_is(Walk *w, Value value, uint32_t sort) {
  switch (value.known) {
  case KNOWN_SORT:
    return value.sort == sort || (sorts_skips(w, RULE_PLAIN) && !(value.sort && sort));
  case KNOWN_CONST:
    return permutation_value(w->perm, sort, value.from) == value.to;
  case KNOWN_OPEN:
    return decide(w, value.frame, value.local, sort);
  default:
    return false;
  }
}

bool sorts_is_plain(Walk *w, Value value) { return sorts_is(w, value, SORT_PLAIN); }

// The sort that two values have in common.
Value sorts_unite(Walk *w, Value a, Value b) {
  if (a.known == KNOWN_NOT || b.known == KNOWN_NOT)
    return sorts_none;
  const uint32_t sort = a.known == KNOWN_SORT   ? a.sort
                        : b.known == KNOWN_SORT ? b.sort
                                                : SORT_PLAIN;
  return sorts_is(w, a, sort) && sorts_is(w, b, sort) ? sorts_value(sort) : sorts_none;
}

// Whether each slot goes where the image reads; the sort that all of them have.
static Value judge_slots(Walk *w, const Storage *storage, uint32_t slots) {
  const Permutation *perm = w->perm;
  Value value = sorts_none;
  for (uint32_t p = 0; p < storage->pairs.size; p++)
    for (uint32_t k = 0; k < slots; k++) {
      const uint32_t from = storage->pairs.items[p].from + k;
      if (perm->slot[from] != storage->pairs.items[p].to + k && !sorts_skips(w, RULE_INDICES))
        return sorts_none;
      if (value.known && value.sort != perm->sort[from])
        return sorts_none;
      value = sorts_value(perm->sort[from]);
    }
  return value;
}

static Value judge_clocks(Walk *w, const Storage *storage) {
  for (uint32_t p = 0; p < storage->pairs.size; p++)
    if (w->perm->clock[storage->pairs.items[p].from] != storage->pairs.items[p].to)
      return sorts_none;
  return sorts_value(SORT_PLAIN);
}

static Value judge_locals(const Storage *storage) {
  for (uint32_t p = 0; p < storage->pairs.size; p++)
    if (storage->pairs.items[p].from != storage->pairs.items[p].to)
      return sorts_none;
  if (storage->root >= MAX_LOCALS)
    return sorts_none;
  const Value value = storage->frame->values[storage->root];
  if (value.known != KNOWN_CONST)
    return value;
  return (Value){.known = KNOWN_OPEN, .local = storage->root, .frame = storage->frame};
}

static bool is_table_of(const Walk *w, const Storage *storage, uint32_t slots, uint32_t sort) {
  for (uint32_t p = 0; p < storage->pairs.size; p++)
    for (uint32_t k = 0; k < slots; k++)
      if (permutation_value(w->perm, sort, storage->from[storage->pairs.items[p].from + k]) !=
          storage->to[storage->pairs.items[p].to + k])
        return false;
  return true;
}

// Constants: plain ones if these will do, else of the first sort whose values move so.
static Value judge_table(Walk *w, const Storage *storage, uint32_t slots) {
  for (uint32_t sort = SORT_PLAIN; sort < w->perm->sort_count; sort++)
    if (is_table_of(w, storage, slots, sort))
      return sorts_value(sort);
  return sorts_none;
}

Value sorts_of_storage(Walk *w, const Storage *storage, uint32_t slots) {
  return storage->space == EXPR_VAR     ? judge_slots(w, storage, slots)
         : storage->space == EXPR_TABLE ? judge_table(w, storage, slots)
         : storage->space == EXPR_CLOCK ? judge_clocks(w, storage)
                                        : judge_locals(storage);
}
