// The zone engine: how nodes with zones are made, remembered and exchanged, whatever the notion
// of time (semantics/zone/time.h). How they are compared is in semantics/zone/covering.h.
#pragma once

#include "semantics/zone/time.h"

// The functions of a space of zones, but `release`.
extern const Space engine_functions;

// The notions of time call these.
// Tries a transition of the opened node; false if it is not enabled.
bool engine_try(Zones *, uint32_t ordinal);
// The opened node, and the current one, become those with this key; nothing is forgotten.
void engine_open_vector(Zones *, const uint64_t *key);
void engine_load(Space *, const uint64_t *key, uint32_t zone);
// The opened zone forbids the transition that is tried.
bool engine_refuse(Zones *);
// For lists of a few clock tests: those of a guard that are constant, into `tests`.
void engine_constant_guard(Zones *, const Transition *);
// The integer part of a guard failed, or there is an error of the model, in the guard or in what
// follows it. An error counts only where the clock tests in `tests` can hold. False.
bool engine_give_up(Zones *, VmResult);
// Finishes a transition from the opened zone to the current node that another worker began.
bool engine_finish(Zones *, const OutgoingTransition *);

// What is known of a transformer on a zone: a zone, MEMO_EMPTY or ZONE_NONE.
static inline ZoneRef engine_recall(const Zones *zones, ZoneRef from, uint32_t transformer) {
  return zones->results.is_on && transformer ? memo_find(&zones->results.memo, from, transformer)
                                             : ZONE_NONE;
}
void engine_remember(Zones *, ZoneRef from, uint32_t transformer, ZoneRef result);
