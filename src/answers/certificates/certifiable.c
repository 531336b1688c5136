#include "answers/certificates/certifiable.h"

#include "analysis/diagonals.h"
#include "check/forgotten.h"

RenamedFamily certifiable_family(const Family *f, Arena *arena, const Net *net) {
  return (RenamedFamily){.size = f->size,
                         .is_cyclic = f->is_cyclic,
                         .process_columns = f->process_columns,
                         .clock_columns = f->clock_columns,
                         .slot_columns = f->slot_columns,
                         .event_columns = f->event_columns,
                         .value_columns = f->value_columns,
                         .processes = f->processes,
                         .clocks = f->clocks,
                         .slots = f->slots,
                         .events = f->events,
                         .values = f->values,
                         .sort = f->sort,
                         .excluded = f->excluded ? f->excluded
                                                 : ARENA_ARRAY(arena, bool, net->locations.size)};
}

Symmetry certifiable_restrict(const Symmetry *symmetry, Arena *arena, const Net *net,
                              const Goal *goal) {
  Family *families = ARENA_ARRAY(arena, Family, symmetry->count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < symmetry->count; i++) {
    const RenamedFamily family = certifiable_family(&symmetry->families[i], arena, net);
    const Renamings renamings = {&family, 1};
    Text why = {.mem = arena->mem};
    if (renaming_check(&renamings, arena->mem, net, goal, &why))
      families[count++] = symmetry->families[i];
    text_release(&why);
  }
  return (Symmetry){families, count};
}

const ForgetList *certifiable_dead(const Net *net, Arena *arena, const Query *query,
                                   const Goal *goal) {
  if (diagonals_occur(net, goal) && !goal->ends) // deadlocks are searched without listing them
    return NULL;
  const ForgetList *dead = forget_find(net, arena, query);
  ForgottenSlots *lists = ARENA_ARRAY(arena, ForgottenSlots, net->locations.size);
  for (LocationId l = 0; dead && l < net->locations.size; l++)
    lists[l] = (ForgottenSlots){dead[l].items, dead[l].count};
  return dead && !forgotten_refuse(arena->mem, net, goal, lists) ? dead : NULL;
}
