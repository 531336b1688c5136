// Structs with clocks. The state of a network keeps clocks apart from variables. So a struct with
// clock fields is stored twice, as a struct of its clocks and as a struct of the rest, and
// `a[i].f` is looked for in both. Names stay as they were declared: `a[2].x`.
#include "uppaal/elab_value.h"

bool elab_is_record(const Type *type) {
  type = leaf(type);
  if (type->kind != TYPE_STRUCT)
    return false;
  for (uint32_t k = 0; k < type->count; k++)
    if (leaf(type->fields[k].type)->kind == TYPE_CLOCK || elab_is_record(type->fields[k].type))
      return true;
  return false;
}

const Type *elab_part(Elaborator *e, const Type *type, bool clocks) {
  if (type->kind == TYPE_ARRAY) {
    const Type *element = elab_part(e, type->element, clocks);
    return element
               ? type_of_set(e->arena, type_array(e->arena, element, type->first, type->count),
                             type->scalar_set)
               : NULL;
  }
  if (type->kind != TYPE_STRUCT)
    return (type->kind == TYPE_CLOCK) == clocks ? type : NULL;
  Field *fields = ARENA_ARRAY(e->arena, Field, type->count);
  uint32_t count = 0;
  for (uint32_t k = 0; k < type->count; k++) {
    const Type *part = elab_part(e, type->fields[k].type, clocks);
    if (part)
      fields[count++] = (Field){.name = type->fields[k].name, .type = part};
  }
  return count ? type_struct(e->arena, fields, count) : NULL;
}

// Goes on in the two parts; returns the number of slots of the type that are clocks.
static uint32_t split(const Type *type, const int32_t *values, int32_t *data, int32_t *clocks) {
  if (type->kind == TYPE_CLOCK || type->kind == TYPE_INT) {
    *(type->kind == TYPE_CLOCK ? clocks : data) = *values;
    return type->kind == TYPE_CLOCK;
  }
  uint32_t found = 0, done = 0;
  for (uint32_t k = 0; k < type->count; k++) {
    const Type *part = type->kind == TYPE_ARRAY ? type->element : type->fields[k].type;
    found += split(part, values + done, data + (done - found), clocks + found);
    done += part->slots;
  }
  return found;
}

void elab_part_values(const Type *type, const int32_t *values, int32_t *data, int32_t *clocks) {
  split(type, values, data, clocks);
}

bool elab_fits_record(Elaborator *e, const Type *type, const Expr *data, const Expr *clocks) {
  const Type *rest = elab_part(e, type, false), *timed = elab_part(e, type, true);
  return timed && elab_same_type(timed, clocks->type) && !rest == !data &&
         (!rest || elab_same_type(rest, data->type));
}
