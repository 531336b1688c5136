#include "semantics/zone/transformer.h"

#include "semantics/zone/locvector_make.h"

// Passages are found again by many vectors, or, where each joint transition is of few, by none.
enum { FEW_PASSAGES = (1 << 14) - 2, MAX_PASSAGES = 1 << 17 };

// Updates other than resets: each clock is followed from the last update back to the first.
static void follow_copies(const ActiveClocks *from, const Transition *t, const ActiveClocks *to,
                          Origins *origins) {
  for (uint32_t i = 1; i < to->k; i++) {
    int64_t offset;
    const ClockIndex clock = transition_trace(t->clocks, t->clock_count, to->clocks[i], &offset);
    origins->origin[i] = from->position[clock];
    origins->offset[i] = code_narrow(offset);
    origins->has_offset |= offset != 0;
  }
}

void transformer_origins(const ActiveClocks *from, const Transition *t, const ActiveClocks *to,
                         Origins *origins) {
  const uint32_t k = to->k, padded = dbm_stride(k);
  const uint32_t *position = from->position;
  bool is_identity = k == from->k && !t->clock_count;
  origins->has_offset = false;
  origins->origin[0] = 0;
  for (uint32_t i = 1; i < k; i++) {
    origins->origin[i] = position[to->clocks[i]];
    origins->offset[i] = 0;
    is_identity &= origins->origin[i] == i;
  }
  for (uint32_t i = k; i < padded; i++)
    origins->origin[i] = 0;
  origins->is_identity = is_identity;
  if (t->has_copies)
    follow_copies(from, t, to, origins);
  else
    for (uint32_t u = 0; u < t->clock_count; u++) // at position 0 if it is not active
      origins->origin[to->position[t->clocks[u].x]] = 0;
}

static uint32_t number_passage(LocVectors *vectors, const ActiveClocks *from, const Transition *t,
                               const ActiveClocks *to) {
  const Origins *origins = &vectors->origins;
  const uint32_t k = to->k;
  transformer_origins(from, t, to, &vectors->origins);
  locvector_begin_words(vectors, 3 * t->guard_count + 2 * k, PART_PASSAGE, k,
                        t->guard_count << 2 | (uint32_t)origins->is_identity << 1 |
                            origins->has_offset);
  for (uint32_t i = 0; i < t->guard_count; i++) {
    const Constraint c = activeclocks_translate(from, t->guard[i]);
    locvector_add_words(vectors, &c, 3);
  }
  if (!origins->is_identity)
    locvector_add_words(vectors, origins->origin, k);
  if (origins->has_offset)
    locvector_add_words(vectors, origins->offset, k);
  return locvector_end_words(vectors, &vectors->numbers[VECTOR_PARTS]);
}

static uint32_t find_passage(LocVectors *vectors, const LocVector *vector, uint32_t transition,
                             const LocVector *target) {
  const uint64_t maps = locvector_maps(vector, target);
  uint32_t number = pairs_get(&vectors->passages, maps, transition);
  if (!number) {
    const Transition *t = vectors->transitions.items[transition];
    number = number_passage(vectors, &vector->active, t, &target->active);
    const uint32_t known = vectors->passages.count;
    if (known >= (known / 4 < vectors->transitions.size ? FEW_PASSAGES : MAX_PASSAGES))
      pairs_clear(&vectors->passages);
    pairs_set(&vectors->passages, maps, transition, number);
  }
  return number;
}

uint32_t transformer_find(LocVectors *vectors, const LocVector *from, uint32_t transition,
                          const LocVector *target) {
  if (!target->entry)
    return 0;
  return locvector_number_transformer(vectors, find_passage(vectors, from, transition, target),
                                      target->entry);
}

void transformer_link(LocVectors *vectors, const LocVector *vector, OutgoingTransition *out,
                      const uint64_t *packed) {
  const Transition *t = locvector_transition(vectors, out);
  const LocVector *target = t->edge_count ? locvector_find(vectors, packed)
                                          : locvector_make(vectors, packed, &t->after);
  out->target = target->number;
  out->transformer = 0;
  if (!t->needs_clocks && !t->needs_guard && !vectors->wants.ways)
    out->transformer = transformer_find(vectors, vector, out->transition, target);
}
