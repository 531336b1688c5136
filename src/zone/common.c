#include "zone/common.h"

#include "zone/locvector_inside.h"

#include <string.h>

enum { MAP_BOARD_BYTES = 1 << 20, JOINT_BOARD_BYTES = 1 << 18 };
#define NO_NUMBER UINT32_MAX // in common, as the board is full

void common_share(LocVectors *first, LocVectors *other) {
  if (!first->common.maps) {
    first->common.owns_boards = true;
    first->common.maps = board_new(first->mem, MAP_BOARD_BYTES);
    first->common.joints = board_new(first->mem, JOINT_BOARD_BYTES);
  }
  other->common.maps = first->common.maps;
  other->common.joints = first->common.joints;
}

// An entry of a list, 0 at first.
static uint32_t *entry_at(LocVectors *vectors, Numbers *numbers, uint32_t index) {
  while (numbers->size <= index)
    vec_push(vectors->mem, numbers, 0);
  return &numbers->items[index];
}

uint32_t common_transition(LocVectors *vectors, uint32_t transition) {
  const uint32_t singles = vectors->net->edges.size;
  if (transition < singles)
    return transition + 1;
  uint32_t *known = entry_at(vectors, &vectors->common.common_joints, transition - singles);
  const Transition *t = vectors->transitions.items[transition];
  if (t->extra.count || !t->edge_count) // edges do not say which it is
    return 0;
  if (!*known) {
    const uint32_t number =
        board_number(vectors->common.joints, t->edges, t->edge_count * sizeof *t->edges);
    *known = number ? number + singles : NO_NUMBER;
  }
  return *known == NO_NUMBER ? 0 : *known;
}

uint32_t common_own_transition(LocVectors *vectors, uint32_t common) {
  const uint32_t singles = vectors->net->edges.size;
  if (common <= singles)
    return common - 1;
  uint32_t *number = entry_at(vectors, &vectors->common.own_joints, common - singles);
  if (!*number) {
    size_t size;
    const Edge *const *edges = board_at(vectors->common.joints, common - singles, &size);
    *number = locvector_find_transition(vectors, edges, (uint32_t)(size / sizeof *edges));
  }
  return *number;
}

static uint32_t adopt_map(LocVectors *vectors, const ClockId *clocks, uint32_t k) {
  ActiveClocks *active = &vectors->draft.active;
  active->k = k;
  memcpy(active->clocks, clocks, k * sizeof *clocks);
  memset(active->position, 0, vectors->n * sizeof *active->position);
  for (uint32_t i = 1; i < active->k; i++)
    active->position[clocks[i]] = i;
  ActiveClocks adopted = *active;
  return locvector_share_map(vectors, &adopted);
}

static LocVector *vector_of_map(LocVectors *vectors, uint32_t number) {
  const ClockMap *map = &vectors->maps.items[number - 1];
  vectors->common.abroad->map = number;
  vectors->common.abroad->active =
      (ActiveClocks){.k = map->k, .clocks = map->clocks, .position = map->position};
  return vectors->common.abroad;
}

LocVector *common_vector(LocVectors *vectors, uint32_t common) {
  uint32_t *number = entry_at(vectors, &vectors->common.own_maps, common);
  if (!*number) {
    size_t size;
    const ClockId *clocks = board_at(vectors->common.maps, common, &size);
    *number = adopt_map(vectors, clocks, (uint32_t)(size / sizeof *clocks));
  }
  return vector_of_map(vectors, *number);
}

LocVector *common_find_vector(LocVectors *vectors, const ClockId *clocks, uint32_t k) {
  return vector_of_map(vectors, adopt_map(vectors, clocks, k));
}

uint32_t common_find_transition(LocVectors *vectors, const Edge *const *edges, uint32_t count) {
  return locvector_find_transition(vectors, edges, count);
}
