#include "space/trail.h"

typedef struct Mark {
  uint32_t parent, ordinal;
} Mark;

void trail_init(Trail *trail, Mem *mem, bool is_on) {
  *trail = (Trail){.is_on = is_on, .workers = 1};
  pool_init(&trail->marks, mem, sizeof(Mark));
  pool_init(&trail->newest, mem, sizeof(uint32_t));
}

void trail_release(Trail *trail) {
  pool_release(&trail->marks);
  pool_release(&trail->newest);
}

// The newest mark of a node, among those of all workers, + 1.
static uint32_t newest(const Trail *trail, uint32_t ref) {
  return *(uint32_t *)pool_at(&trail->newest, ref) * trail->workers + trail->number + 1;
}

void trail_take(Trail *trail, uint32_t ref) {
  if (trail->is_on)
    trail->now = newest(trail, ref);
}

void trail_reach(Trail *trail, uint32_t ref, uint32_t ordinal) {
  if (!trail->is_on)
    return;
  const uint32_t mark = pool_add(&trail->marks);
  if (trail->workers > 1 && mark >= UINT32_MAX / trail->workers - 1) // no marks left
    mem_exhausted(trail->marks.mem);
  *(Mark *)pool_at(&trail->marks, mark) = (Mark){trail->now, ordinal};
  while (trail->newest.size <= ref)
    *(uint32_t *)pool_at(&trail->newest, pool_add(&trail->newest)) = 0;
  *(uint32_t *)pool_at(&trail->newest, ref) = mark;
}

void trail_path(const Trail *const *trails, uint32_t number, uint32_t ref, Mem *mem,
                Ordinals *ordinals) {
  const uint32_t workers = trails[number]->workers;
  uint32_t mark = trails[number]->is_on ? newest(trails[number], ref) : 0;
  while (mark) {
    const Mark *at = pool_at(&trails[(mark - 1) % workers]->marks, (mark - 1) / workers);
    if (at->ordinal != SPACE_DELAY)
      vec_push(mem, ordinals, at->ordinal);
    mark = at->parent;
  }
}
