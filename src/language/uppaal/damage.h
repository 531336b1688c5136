// Damage: what mistakes of syntax leave unread in a model.
//
// Reading goes on after such a mistake, and the rest is checked for mistakes of meaning. What was
// left unread may declare names, and may be what a later message says is missing. Messages that
// quote such a name are consequences of the first mistake, and are not shown. Everything lives in
// the arena.
#pragma once

#include "model/syntax.h"

enum { DAMAGE_MAX_NAMES = 4096 }; // then every message is a consequence

void damage_add(Damage *, Arena *, const char *name, size_t length);
bool damage_has(const Damage *, const char *name, size_t length);
// Whether a message quotes one of the names: `name`, or a part of `P.name`.
bool damage_explains(const Damage *, const char *message);
