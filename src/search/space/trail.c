#include "search/space/trail.h"

void trail_init(Trail *trail, Mem *mem, bool is_on) {
  *trail = (Trail){.is_on = is_on, .workers = 1};
  pool_init(&trail->marks, mem, sizeof(TrailMark));
  pool_init(&trail->newest, mem, sizeof(uint32_t));
  if (is_on)
    intern_init(&trail->renamings, mem);
}

uint32_t trail_newest(const Trail *trail, uint32_t ref) {
  return trail->is_on ? *(uint32_t *)pool_at(&trail->newest, ref) : 0;
}

void trail_take(Trail *trail, uint32_t ref) { trail->now = trail_newest(trail, ref); }

void trail_append(Trail *trail, TrailMark mark) {
  const uint32_t at = pool_add(&trail->marks);
  if (trail->workers > 1 && at >= UINT32_MAX / trail->workers - 1) // no marks left
    mem_exhausted(trail->marks.mem);
  *(TrailMark *)pool_at(&trail->marks, at) = mark;
}

void trail_set_newest(Trail *trail, uint32_t ref, uint32_t mark) {
  while (trail->newest.size <= ref)
    *(uint32_t *)pool_at(&trail->newest, pool_add(&trail->newest)) = 0;
  *(uint32_t *)pool_at(&trail->newest, ref) = mark;
}

void trail_reach(Trail *trail, uint32_t ref, uint32_t ordinal) {
  if (!trail->is_on)
    return;
  const uint32_t renaming = trail->order
                                ? intern_number(&trail->renamings, trail->order,
                                                trail->order_count * sizeof *trail->order)
                                : 0;
  trail_append(trail, (TrailMark){trail->now, ordinal, renaming});
  trail_set_newest(trail, ref, (trail->marks.size - 1) * trail->workers + trail->number + 1);
}

uint32_t trail_steps(const Trail *const *trails, uint32_t workers, uint32_t mark, uint32_t max,
                     Mem *mem, TrailSteps *steps) {
  for (uint32_t count = 0; mark && count < max; count++) {
    const Trail *trail = trails[(mark - 1) % workers];
    if (!trail)
      break;
    const TrailMark *at = pool_at(&trail->marks, (mark - 1) / workers);
    TrailStep step = {.ordinal = at->ordinal};
    if (at->renaming)
      step.order = trail->renamings.items.items[at->renaming - 1].bytes;
    vec_push(mem, steps, step);
    mark = at->parent;
  }
  return mark;
}
