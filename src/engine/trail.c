#include "engine/trail.h"

typedef struct Mark {
  uint32_t parent, ordinal;
} Mark;

void trail_init(Trail *trail, Mem *mem, bool is_on) {
  *trail = (Trail){.is_on = is_on};
  pool_init(&trail->marks, mem, sizeof(Mark));
  pool_init(&trail->newest, mem, sizeof(uint32_t));
}

void trail_release(Trail *trail) {
  pool_release(&trail->marks);
  pool_release(&trail->newest);
}

void trail_take(Trail *trail, uint32_t ref) {
  if (trail->is_on)
    trail->now = *(uint32_t *)pool_at(&trail->newest, ref) + 1;
}

void trail_reach(Trail *trail, uint32_t ref, uint32_t ordinal) {
  if (!trail->is_on)
    return;
  const uint32_t mark = pool_add(&trail->marks);
  *(Mark *)pool_at(&trail->marks, mark) = (Mark){trail->now, ordinal};
  while (trail->newest.size <= ref)
    pool_add(&trail->newest);
  *(uint32_t *)pool_at(&trail->newest, ref) = mark;
}

void trail_path(const Trail *trail, uint32_t ref, Mem *mem, Ordinals *ordinals) {
  uint32_t mark = trail->is_on ? *(uint32_t *)pool_at(&trail->newest, ref) + 1 : 0;
  while (mark) {
    const Mark *at = pool_at(&trail->marks, mark - 1);
    if (at->ordinal != SPACE_DELAY)
      vec_push(mem, ordinals, at->ordinal);
    mark = at->parent;
  }
}
