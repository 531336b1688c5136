#include "model/random_run.h"

static uint32_t mark(const Type *type, bool *is_real, uint32_t slot) {
  const bool is_array = type->kind == TYPE_ARRAY;
  if (is_array || type->kind == TYPE_STRUCT) {
    for (uint32_t k = 0; k < type->count; k++)
      slot = mark(is_array ? type->element : type->fields[k].type, is_real, slot);
    return slot;
  }
  is_real[slot] = type->kind == TYPE_REAL;
  return slot + type->slots;
}

void random_run_reals(const Net *net, bool *is_real) {
  for (uint32_t slot = 0; slot < net->slots.count; slot++)
    is_real[slot] = false;
  for (uint32_t k = 0; k < net->variables.size; k++)
    mark(net->variables.items[k].type, is_real, net->variables.items[k].base);
}
