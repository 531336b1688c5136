// Numbers in common: several workers number maps of active clocks and joint transitions alike, so
// that one can finish what another began (Exchange.finish).
#ifndef TARN_ZONE_COMMON_H
#define TARN_ZONE_COMMON_H

#include "zone/scene.h"

// For several workers, before the search: they number maps and joint transitions in common.
void common_share(Scenes *first, Scenes *other);
// The numbers of a scene's map and of a transition among them, 0 if it has none.
static inline uint32_t common_map(const Scenes *scenes, const Scene *scene) {
  return scene->map ? scenes->maps.items[scene->map - 1].common : 0;
}
uint32_t common_transition(Scenes *, uint32_t transition);
// The other way round. common_scene gives a scene of which only the map of active clocks is set;
// it is valid until the next call, or until all scenes are forgotten. common_own_transition gives
// this worker's number of a transition.
Scene *common_scene(Scenes *, uint32_t map);
uint32_t common_own_transition(Scenes *, uint32_t common);

#endif
