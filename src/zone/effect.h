// Effects: what a transition does to zones, as numbers. The *passage* of a transition, its guard
// and where clocks come from, over positions in the matrix, and the *entry* of the target's
// setting are together its effect: equal effects make the same of equal zones (zone/memo.h).
#ifndef TARN_ZONE_EFFECT_H
#define TARN_ZONE_EFFECT_H

#include "zone/scene.h"

// Where clocks come from by a transition without needs_clocks.
void effect_origins(const Frame *from, const Transition *, const Frame *to, Origins *);
// Finds the target of a move, from the packed state that it leads to.
void effect_link(Scenes *, const Scene *, Move *, const uint64_t *packed);
// Whether the move led to another scene the last time.
bool effect_is_astray(const Scenes *, const Move *, const uint64_t *packed);

// The effect of a transition with neither needs_guard nor needs_clocks; 0 if it depends on
// variables.
uint32_t effect_find(Scenes *, const Scene *from, uint32_t transition, const Scene *target);

#endif
