#include "local/commute.h"

#include "local/localstep.h"

#include <string.h>

// The step of a move, if it is the same wherever the transition is taken.
static bool is_plain(const LocalScenes *scenes, const LocalScene *scene, uint32_t ordinal) {
  const uint32_t transition = scene->scene->moves[ordinal].transition;
  return scene->steps[ordinal] && transition < scenes->accesses.size &&
         scene->steps[ordinal] == scenes->accesses.items[transition].step;
}

static CommuteOrigin find_origin(const LocalScenes *scenes, LocalOrigin from, ZoneRef zone) {
  const LocalScene *origin = from.scene ? scenes->list.items[from.scene - 1] : NULL;
  if (!origin || !origin->opened || localscene_results(origin)[from.move] != zone ||
      !is_plain(scenes, origin, from.move))
    return (CommuteOrigin){0};
  const uint32_t transition = origin->scene->moves[from.move].transition;
  return (CommuteOrigin){.scene = origin,
                         .transition = transition,
                         .step = origin->steps[from.move],
                         .move = from.move,
                         .touches = scenes->accesses.items[transition].touches};
}

void commute_open(Commute *commute, const LocalScenes *scenes, LocalScene *scene, ZoneRef zone) {
  if (scene->opened != zone)
    memset(localscene_results(scene), 0, scene->scene->move_count * sizeof(ZoneRef));
  scene->opened = zone;
  for (uint32_t i = 0; i < LOCAL_ORIGINS; i++)
    commute->origins[i] = find_origin(scenes, scene->origins[i], zone);
}

// The ordinal of a transition's move, looked for from some place on; the number of moves if there
// is none.
static uint32_t find_move(const Scene *scene, uint32_t transition, uint32_t from) {
  const Move *moves = scene->moves;
  const uint32_t count = scene->move_count;
  for (uint32_t i = from; i < count; i++)
    if (moves[i].transition == transition)
      return i;
  for (uint32_t i = 0; i < from && i < count; i++)
    if (moves[i].transition == transition)
      return i;
  return count;
}

// Whether b does not touch the process that has passed its ceiling.
static bool is_left_alone(const CommuteOrigin *by, ZoneRef passed) {
  return passed != MEMO_EMPTY && !(by->touches >> (MEMO_EMPTY - 1 - passed) & 1);
}

enum { NEAR = 2 }; // a move has about the same ordinal in scenes that are alike

static ZoneRef find_by(CommuteOrigin *by, LocalScenes *scenes, LocalScene *scene,
                       uint32_t ordinal, const LocalAccess *access) {
  const LocalScene *origin = by->scene;
  if (!origin || (access->touches & by->touches))
    return ZONE_NONE;
  const uint32_t transition = scene->scene->moves[ordinal].transition;
  const uint32_t a = find_move(origin->scene, transition, by->next);
  if (a == origin->scene->move_count)
    return ZONE_NONE;
  by->next = a + 1;
  const ZoneRef aside = localscene_results(origin)[a];
  if (!aside || origin->steps[a] != access->step)
    return ZONE_NONE;
  if (!memo_is_zone(aside))
    return is_left_alone(by, aside) ? aside : ZONE_NONE;
  const LocalScene *other = localscene_target(scenes, &origin->scene->moves[a]);
  if (other->opened != aside)
    return ZONE_NONE;
  const uint32_t b =
      find_move(other->scene, by->transition, by->move > NEAR ? by->move - NEAR : 0);
  if (b == other->scene->move_count || other->steps[b] != by->step)
    return ZONE_NONE;
  const ZoneRef result = localscene_results(other)[b];
  if (!result)
    return ZONE_NONE;
  if (!memo_is_zone(result))
    return result;
  const LocalScene *target = localscene_target(scenes, &other->scene->moves[b]);
  return localstep_link_known(scenes, scene, ordinal, target, access->step) ? result : ZONE_NONE;
}

ZoneRef commute_find(Commute *commute, LocalScenes *scenes, LocalScene *scene, uint32_t ordinal) {
  const uint32_t transition = scene->scene->moves[ordinal].transition;
  if (transition >= scenes->accesses.size || !scenes->accesses.items[transition].step)
    return ZONE_NONE;
  const LocalAccess *access = &scenes->accesses.items[transition];
  ZoneRef found = ZONE_NONE;
  for (uint32_t i = 0; i < LOCAL_ORIGINS && !found; i++)
    found = find_by(&commute->origins[i], scenes, scene, ordinal, access);
  return found;
}

void commute_forget(Commute *commute, LocalScenes *scenes) {
  for (uint32_t i = 0; i < scenes->list.size; i++)
    scenes->list.items[i]->opened = ZONE_NONE;
  *commute = (Commute){0};
}
