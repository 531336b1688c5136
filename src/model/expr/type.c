#include "model/expr/type.h"

#include <assert.h>
#include <string.h>

// Types without parameters exist once, so that the many expressions that have them share them.
static const Type int_type = {.kind = TYPE_INT, .min = INT32_MIN, .max = INT32_MAX, .slots = 1};
static const Type bool_type = {.kind = TYPE_INT, .is_bool = true, .max = 1, .slots = 1};
static const Type clock_type = {.kind = TYPE_CLOCK, .slots = 1};
static const Type channel_type = {.kind = TYPE_CHANNEL, .slots = 1};
static const Type void_type = {.kind = TYPE_VOID};
static const Type real_type = {.kind = TYPE_REAL, .slots = 2};

const Type *type_int(Arena *arena, int32_t min, int32_t max) {
  assert(min <= max);
  if (min == INT32_MIN && max == INT32_MAX)
    return &int_type;
  Type *type = ARENA_NEW(arena, Type);
  *type = (Type){.kind = TYPE_INT, .min = min, .max = max, .slots = 1};
  return type;
}

const Type *type_bool(Arena *arena) {
  (void)arena;
  return &bool_type;
}

const Type *type_clock(Arena *arena) {
  (void)arena;
  return &clock_type;
}

const Type *type_void(Arena *arena) {
  (void)arena;
  return &void_type;
}

const Type *type_real(Arena *arena) {
  (void)arena;
  return &real_type;
}

const Type *type_channel(Arena *arena) {
  (void)arena;
  return &channel_type;
}

static uint32_t saturated(uint64_t slots) {
  return slots > UINT32_MAX ? UINT32_MAX : (uint32_t)slots;
}

const Type *type_array(Arena *arena, const Type *element, int32_t first, uint32_t count) {
  Type *type = ARENA_NEW(arena, Type);
  *type = (Type){.kind = TYPE_ARRAY, .element = element, .first = first, .count = count};
  type->slots = saturated((uint64_t)count * element->slots);
  return type;
}

const Type *type_of_set(Arena *arena, const Type *plain, uint32_t scalar_set) {
  Type *type = ARENA_NEW(arena, Type);
  *type = *plain;
  type->scalar_set = scalar_set;
  return type;
}

const Type *type_struct(Arena *arena, const Field *fields, uint32_t count) {
  Field *copy = ARENA_ARRAY(arena, Field, count);
  uint32_t slots = 0;
  for (uint32_t k = 0; k < count; k++) {
    copy[k] = fields[k];
    copy[k].offset = slots;
    slots = saturated((uint64_t)slots + fields[k].type->slots);
  }
  Type *type = ARENA_NEW(arena, Type);
  *type = (Type){.kind = TYPE_STRUCT, .count = count, .fields = copy, .slots = slots};
  return type;
}

const Field *type_field(const Type *type, const char *name) {
  if (type->kind != TYPE_STRUCT)
    return NULL;
  for (uint32_t k = 0; k < type->count; k++)
    if (strcmp(type->fields[k].name, name) == 0)
      return &type->fields[k];
  return NULL;
}

bool type_fits(const Type *value, const Type *target) {
  if (value == target)
    return true;
  if (value->kind != target->kind || value->slots != target->slots)
    return false;
  if (target->kind == TYPE_REAL)
    return true;
  if (target->kind == TYPE_INT)
    return value->min >= target->min && value->max <= target->max;
  if (target->kind == TYPE_ARRAY)
    return value->count == target->count && type_fits(value->element, target->element);
  for (uint32_t k = 0; target->kind == TYPE_STRUCT && k < target->count; k++)
    if (k >= value->count || !type_fits(value->fields[k].type, target->fields[k].type))
      return false;
  return target->kind == TYPE_STRUCT && value->count == target->count;
}
