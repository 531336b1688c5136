#include "search/flybounds.h"

void flybounds_raise(Fly *fly, NodeRef ref, LevelsRef by) {
  FlyNode *node = fly_at(fly, ref);
  LevelsRef bounds = levels_join(&fly->table, node->bounds, by);
  if (bounds == node->bounds)
    return;
  bounds = levels_join(&fly->table, bounds, node->stay);
  node->stay = 0;
  node->bounds = bounds;
  fly->stats->raised++;
  if (node->state == FLY_VISITED && bounds == fly_group(fly, ref)->limits)
    fly_group(fly, ref)->better--;
  if (!node->is_raised) {
    node->is_raised = true;
    vec_push(fly->mem, &fly->raised, ref);
  }
}

void flybounds_pass_up(Fly *fly, NodeRef ref, LevelsRef bounds) {
  const NodeRef parent = store_node(fly->store, ref)->parent;
  FlyNode *node = fly_at(fly, ref);
  if (parent == NODE_NONE || !bounds)
    return;
  if (node->cut) {
    flybounds_raise(fly, parent, node->cut);
    node->cut = 0;
  }
  flybounds_raise(fly, parent, levels_back(&fly->table, bounds, node->way));
}

void flybounds_soil(Fly *fly, NodeRef ref) {
  FlyNode *node = fly_at(fly, ref);
  if (node->covered == NODE_NONE || node->is_dirty)
    return;
  node->is_dirty = true;
  vec_push(fly->mem, &fly->dirty, ref);
}

void flybounds_pass_all(Fly *fly) {
  while (fly->raised.size) {
    mem_tick(fly->mem);
    const NodeRef ref = vec_pop(&fly->raised);
    FlyNode *node = fly_at(fly, ref);
    node->is_raised = false;
    flybounds_soil(fly, ref);
    for (NodeRef c = node->covered; c != NODE_NONE; c = fly_at(fly, c)->next_covered) {
      flybounds_pass_up(fly, c, node->bounds);
      for (NodeRef d = fly_at(fly, c)->covered; d != NODE_NONE; d = fly_at(fly, d)->next_covered)
        flybounds_pass_up(fly, d, node->bounds);
    }
    flybounds_pass_up(fly, ref, node->bounds);
  }
}
