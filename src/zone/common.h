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
// By such numbers: a scene that has nothing but that map, until the next one is asked for or all
// are forgotten; a transition.
Scene *common_scene(Scenes *, uint32_t map);
uint32_t common_own_transition(Scenes *, uint32_t common);

#endif
