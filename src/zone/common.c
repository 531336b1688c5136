#include "zone/common.h"

#include "zone/scene_inside.h"

#include <string.h>

enum { MAP_BOARD_BYTES = 1 << 20, JOINT_BOARD_BYTES = 1 << 18 };
#define NO_NUMBER UINT32_MAX // in common, as the board is full

void common_share(Scenes *first, Scenes *other) {
  if (!first->map_board) {
    first->owns_boards = true;
    first->map_board = board_new(first->mem, MAP_BOARD_BYTES);
    first->joint_board = board_new(first->mem, JOINT_BOARD_BYTES);
  }
  other->map_board = first->map_board;
  other->joint_board = first->joint_board;
}

// An entry of a list, 0 at first.
static uint32_t *entry_at(Scenes *scenes, Numbers *numbers, uint32_t index) {
  while (numbers->size <= index)
    vec_push(scenes->mem, numbers, 0);
  return &numbers->items[index];
}

uint32_t common_transition(Scenes *scenes, uint32_t transition) {
  const uint32_t singles = scenes->net->edges.size;
  if (transition < singles)
    return transition + 1;
  uint32_t *known = entry_at(scenes, &scenes->common_joints, transition - singles);
  const Transition *t = scenes->transitions.items[transition];
  if (t->extra.count || !t->edge_count) // edges do not say which it is
    return 0;
  if (!*known) {
    const uint32_t number =
        board_number(scenes->joint_board, t->edges, t->edge_count * sizeof *t->edges);
    *known = number ? number + singles : NO_NUMBER;
  }
  return *known == NO_NUMBER ? 0 : *known;
}

uint32_t common_own_transition(Scenes *scenes, uint32_t common) {
  const uint32_t singles = scenes->net->edges.size;
  if (common <= singles)
    return common - 1;
  uint32_t *number = entry_at(scenes, &scenes->own_joints, common - singles);
  if (!*number) {
    size_t size;
    const Edge *const *edges = board_at(scenes->joint_board, common - singles, &size);
    *number = scene_find_transition(scenes, edges, (uint32_t)(size / sizeof *edges));
  }
  return *number;
}

static uint32_t adopt_map(Scenes *scenes, uint32_t common) {
  size_t size;
  const ClockId *clocks = board_at(scenes->map_board, common, &size);
  Frame *frame = &scenes->draft;
  frame->k = (uint32_t)(size / sizeof *clocks);
  memcpy(frame->clocks, clocks, size);
  memset(frame->position, 0, scenes->n * sizeof *frame->position);
  for (uint32_t i = 1; i < frame->k; i++)
    frame->position[clocks[i]] = i;
  Frame adopted = *frame;
  return scene_share_map(scenes, &adopted);
}

Scene *common_scene(Scenes *scenes, uint32_t common) {
  uint32_t *number = entry_at(scenes, &scenes->own_maps, common);
  if (!*number)
    *number = adopt_map(scenes, common);
  const FrameMap *map = &scenes->maps.items[*number - 1];
  scenes->abroad->map = *number;
  scenes->abroad->frame = (Frame){.k = map->k, .clocks = map->clocks, .position = map->position};
  return scenes->abroad;
}
