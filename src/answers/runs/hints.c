#include "answers/runs/hints.h"

#include "answers/certificates/covers.h"
#include "answers/certificates/encode.h"
#include "semantics/orbit.h"

void hints_clear(Hints *hints) {
  vec_clear(&hints->items);
  vec_clear(&hints->ends);
  text_clear(&hints->renamings);
}

static void put_renaming(Text *text, const OrbitFamily *family, bool is_renamed) {
  const uint32_t size = is_renamed && family->is_moved ? family->family->size : 0;
  uint32_t moved = 0;
  for (uint32_t i = 0; i < size; i++)
    moved += family->image[i] != i;
  encode_number(text, moved);
  for (uint32_t i = 0; i < size; i++)
    if (family->image[i] != i) {
      encode_number(text, i);
      encode_number(text, family->image[i]);
    }
}

void hints_add(Hints *hints, const Space *space, uint32_t ordinal, uint32_t place) {
  HintItem item = {.ordinal = ordinal, .place = place, .renaming = hints->renamings.size};
  for (uint32_t f = 0; space->orbit && f < space->orbit->count; f++)
    put_renaming(&hints->renamings, &space->orbit->families[f], space->is_renamed);
  item.renaming_bytes = (uint32_t)(hints->renamings.size - item.renaming);
  vec_push(hints->mem, &hints->items, item);
  // With a seed they come in any order.
  const uint32_t first = hints->ends.size ? hints->ends.items[hints->ends.size - 1] : 0;
  HintItem *items = hints->items.items;
  for (uint32_t i = hints->items.size - 1; i > first && items[i - 1].ordinal > ordinal; i--) {
    items[i] = items[i - 1];
    items[i - 1] = item;
  }
}

void hints_end(Hints *hints) { vec_push(hints->mem, &hints->ends, hints->items.size); }

bool hints_put(const Hints *hints, Text *text, uint32_t node, const uint32_t *answers) {
  const uint32_t first = node ? hints->ends.items[node - 1] : 0, end = hints->ends.items[node];
  uint32_t next = 0;
  encode_number(text, end - first);
  for (uint32_t i = first; i < end; i++) {
    const HintItem *item = &hints->items.items[i];
    if (answers[item->place] == COVERS_NONE)
      return false;
    encode_number(text, item->ordinal - next);
    encode_number(text, answers[item->place]);
    if (item->renaming_bytes)
      text_add_bytes(text, hints->renamings.chars + item->renaming, item->renaming_bytes);
    next = item->ordinal + 1;
  }
  return true;
}
