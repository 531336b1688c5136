#include "language/uppaal/damage.h"

#include <string.h>

struct DamageName {
  const char *name;
  size_t length;
  DamageName *next;
};

bool damage_has(const Damage *damage, const char *name, size_t length) {
  for (const DamageName *n = damage->names; n; n = n->next)
    if (n->length == length && !memcmp(n->name, name, length))
      return true;
  return damage->count >= DAMAGE_MAX_NAMES;
}

void damage_add(Damage *damage, Arena *arena, const char *name, size_t length) {
  damage->is_any = true;
  if (damage_has(damage, name, length))
    return;
  DamageName *added = ARENA_NEW(arena, DamageName);
  *added = (DamageName){arena_text(arena, name, length), length, damage->names};
  damage->names = added;
  damage->count++;
}

bool damage_explains(const Damage *damage, const char *message) {
  for (const char *open = strchr(message, '`'); open;) {
    const char *close = strchr(open + 1, '`');
    if (!close)
      return false;
    for (const char *at = open + 1; at < close;) {
      size_t length = strcspn(at, ".`([");
      if (damage_has(damage, at, length))
        return true;
      at += length + 1;
    }
    open = strchr(close + 1, '`');
  }
  return false;
}
