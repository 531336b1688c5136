#include "plan/parsed.h"

#include <string.h>

static bool may_keep(const Tarn *tarn) {
  const Scale *scale = tarn->net.origin.scale;
  return !scale || (scale_unit(scale) == 1 && scale->most <= NET_MOST_CONSTANT);
}

// The one at this place is the caller's from now on.
static Parsed remove_at(Tarn *tarn, uint32_t at) {
  const Parsed parsed = tarn->parsed.items[at];
  for (; at + 1 < tarn->parsed.size; at++)
    tarn->parsed.items[at] = tarn->parsed.items[at + 1];
  tarn->parsed.size--;
  return parsed;
}

bool parsed_keep(Tarn *tarn, Parsed parsed) {
  if (!may_keep(tarn))
    return false;
  if (tarn->parsed.size == PARSED_MOST) {
    Parsed oldest = remove_at(tarn, 0);
    arena_release(&oldest.arena);
  }
  vec_push(&tarn->mem, &tarn->parsed, parsed);
  return true;
}

bool parsed_take(Tarn *tarn, const char *text, bool is_labels, Parsed *parsed) {
  for (uint32_t i = 0; i < tarn->parsed.size; i++) {
    const Parsed *kept = &tarn->parsed.items[i];
    if (kept->is_labels == is_labels && !strcmp(kept->text, text)) {
      *parsed = remove_at(tarn, i);
      return true;
    }
  }
  return false;
}

void parsed_forget(Tarn *tarn) {
  while (tarn->parsed.size) {
    Parsed last = remove_at(tarn, tarn->parsed.size - 1);
    arena_release(&last.arena);
  }
}
