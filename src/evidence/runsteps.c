#include "evidence/runsteps.h"

#include "queries/stateruns.h"

// The way to a node of the search with covering, with this node; behind it, if there is one, the
// current node of the space.
static void find_way(Liveness *l, CycleSteps *steps, NodeRef ref, bool has_current) {
  tour_find_way(&l->reach->store, ref, l->mem, &l->arena, steps);
  if (!has_current)
    return;
  const Space *space = l->space;
  const CycleStep step = {
      .ordinal = space->ordinal,
      .key = arena_copy(&l->arena, space->key, space->key_words * sizeof *space->key)};
  vec_push(l->mem, steps, step);
}

// The steps that were found, wherever the search for them began.
static void find_steps(Liveness *l, CycleSteps *steps, uint32_t *loop) {
  CycleSteps inside = {0};
  switch (l->rounds.source) {
  case LIVENESS_DEPTH:
    cycles_steps(l->cycles, steps, loop);
    break;
  case LIVENESS_INSIDE:
    cycles_steps(l->cycles, &inside, loop);
    find_way(l, steps, inside.items[0].ordinal, false);
    if (*loop != UINT32_MAX)
      *loop += steps->size - 1;
    for (uint32_t i = 1; i < inside.size; i++)
      vec_push(l->mem, steps, inside.items[i]);
    break;
  case LIVENESS_NODES:
    find_way(l, steps, l->reach->goal_parent, true);
    break;
  case LIVENESS_ROUNDS:
    *loop = l->rounds.loop;
    for (uint32_t i = 0; i < l->rounds.steps.size; i++)
      vec_push(l->mem, steps, l->rounds.steps.items[i]);
    break;
  }
  vec_release(l->mem, &inside);
}

// A step in terms of situations; for queries/runs.h keys say it.
static bool place_step(Liveness *l, const CycleStep *from, PathStep *step) {
  step->ordinal = from->ordinal;
  if (!l->is_discrete) {
    step->situation = runs_situation(*from->key);
    step->mode = runs_mode(*from->key);
    return true;
  }
  step->situation = situation_find(l->situations, stateruns_state(l->space, from->key));
  step->mode = stateruns_mode(l->space, from->key);
  return step->situation != UINT32_MAX &&
         situation_find_transitions(l->situations, situation_at(l->situations, step->situation));
}

bool runsteps_find(Liveness *l, PathSteps *steps, uint32_t *loop, Report *report) {
  CycleSteps found = {0};
  *loop = UINT32_MAX;
  if (l->is_discrete) {
    l->situations = mem_alloc(l->mem, sizeof *l->situations);
    if (!situations_init(l->situations, l->mem, l->net, l->rules.stay, l->rules.start, report))
      return false;
  } else {
    l->situations = runs_situations(l->space);
  }
  find_steps(l, &found, loop);
  bool ok = true;
  for (uint32_t i = 0; ok && i < found.size; i++) {
    PathStep step;
    ok = place_step(l, &found.items[i], &step);
    vec_push(l->mem, steps, step);
  }
  vec_release(l->mem, &found);
  return ok;
}
