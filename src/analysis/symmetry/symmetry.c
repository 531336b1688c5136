#include "analysis/symmetry/symmetry.h"

#include "analysis/symmetry/propose.h"
#include "analysis/symmetry/verify.h"
#include "analysis/symmetry/widening.h"

#include <string.h>

enum { MAX_WORK = 200000 }; // edges looked at to find which neighbours can be swapped

typedef struct Families {
  VEC(Family) list;
  unsigned skip; // rules that are left out
} Families;

static Family without(const Family *family, Arena *arena, uint32_t from, uint32_t to) {
  uint32_t *ids = ARENA_ARRAY(arena, uint32_t, to - from);
  for (uint32_t i = from; i < to; i++)
    ids[i - from] = i;
  return family_restrict(family, arena, ids, to - from);
}

static bool meets(const uint32_t *a, uint32_t count, const uint32_t *b, uint32_t other_count,
                  bool *marks) {
  bool found = false;
  for (uint32_t i = 0; i < count; i++)
    marks[a[i]] = true;
  for (uint32_t i = 0; i < other_count; i++)
    found |= marks[b[i]];
  for (uint32_t i = 0; i < count; i++)
    marks[a[i]] = false;
  return found;
}

// Whether a slot can hold ids of both families, and some value stands for an id of each.
static bool values_meet(const Net *net, const Family *a, const Family *b) {
  for (uint32_t s = 0; s < net->location_slot; s++)
    for (uint32_t c = 0; c < a->value_columns; c++)
      for (uint32_t d = 0; d < b->value_columns; d++) {
        if (a->values[c].sort != a->sort[s] || b->values[d].sort != b->sort[s])
          continue;
        for (uint32_t i = 0; i < a->size; i++)
          for (uint32_t k = 0; k < b->size; k++)
            if (a->values[c].values[i] == b->values[d].values[k])
              return true;
      }
  return false;
}

// Permutations of families that have nothing in common commute.
static bool families_meet(Arena *arena, const Net *net, const Family *a, const Family *b) {
  bool *marks = ARENA_ARRAY(
      arena, bool, net->slots.count + (size_t)net->clock_count + net->processes.size + 1);
  return meets(a->processes, a->process_columns * a->size, b->processes,
               b->process_columns * b->size, marks) ||
         meets(a->clocks, a->clock_columns * a->size, b->clocks, b->clock_columns * b->size,
               marks) ||
         meets(a->slots, a->slot_columns * a->size, b->slots, b->slot_columns * b->size, marks) ||
         values_meet(net, a, b);
}

static bool try_family(Families *found, Arena *arena, const Net *net, Family family,
                       bool is_cyclic) {
  family.is_cyclic = is_cyclic;
  if (!symmetry_verify(&family, arena, net, found->skip))
    return false;
  for (uint32_t i = 0; i < found->list.size; i++)
    if (families_meet(arena, net, &found->list.items[i], &family))
      return false;
  vec_push(arena->mem, &found->list, family);
  return true;
}

// Sequences of ids in which each can be swapped with the next.
static void try_runs(Families *found, Arena *arena, const Net *net, Family *family) {
  if ((uint64_t)family->size * net->edges.size > MAX_WORK)
    return;
  uint32_t first = 0;
  for (uint32_t i = 1; i <= family->size; i++) {
    if (i < family->size && symmetry_verify_swap(family, arena, net, i - 1, i, found->skip))
      continue;
    if (i - first > 1)
      try_family(found, arena, net, without(family, arena, first, i), false);
    first = i;
  }
}

// All permutations; or all of the ids but one, where the value of that one means something else,
// too; or rotations; or what can be swapped.
static void try_groups(Families *found, Arena *arena, const Net *net, Family *family) {
  const uint32_t size = family->size;
  if (try_family(found, arena, net, *family, false))
    return;
  if (size > 2 && try_family(found, arena, net, *family, true))
    return;
  if (size > 2 && try_family(found, arena, net, without(family, arena, 1, size), false))
    return;
  if (size > 2 && try_family(found, arena, net, without(family, arena, 0, size - 1), false))
    return;
  try_runs(found, arena, net, family);
}

void symmetry_find_with(Symmetry *symmetry, Arena *arena, const Net *net, unsigned skip) {
  *symmetry = (Symmetry){0};
  Families found = {.skip = skip};
  Proposals proposals;
  Family family;
  proposals_init(&proposals, arena, net);
  while (proposals_next(&proposals, arena, &family))
    try_groups(&found, arena, net, &family);
  proposals_release(&proposals);
  Family *families = ARENA_ARRAY(arena, Family, found.list.size);
  for (uint32_t i = 0; i < found.list.size; i++)
    families[i] = found.list.items[i];
  *symmetry = (Symmetry){families, found.list.size};
  vec_release(arena->mem, &found.list);
}

void symmetry_find(Symmetry *symmetry, Arena *arena, const Net *net) {
  symmetry_find_with(symmetry, arena, net, 0);
}

const Net *symmetry_widen_ranges(const Symmetry *symmetry, Arena *arena, const Net *net) {
  return widening_apply(symmetry->families, symmetry->count, arena, net);
}

static void name_group(Text *text, const Family *family) {
  text_addf(text, "%c_%u", family->is_cyclic ? 'C' : 'S', family->size);
}

void symmetry_name(Text *text, const Symmetry *symmetry) {
  for (uint32_t i = 0; i < symmetry->count; i++) {
    text_add(text, i ? " x " : "");
    name_group(text, &symmetry->families[i]);
  }
}

static void print_excluded(Text *text, const Family *family, const Net *net) {
  const char *before = " after ";
  for (LocationId l = 0; family->excluded && l < net->locations.size; l++)
    if (family->excluded[l]) {
      const Location *location = &net->locations.items[l];
      text_addf(text, "%s%s.%s", before, net->processes.items[location->process].name,
                location->name);
      before = ", ";
    }
}

void symmetry_print(Text *text, const Symmetry *symmetry, const Net *net) {
  if (!symmetry->count)
    text_add(text, "none\n");
  for (uint32_t i = 0; i < symmetry->count; i++) {
    const Family *family = &symmetry->families[i];
    name_group(text, family);
    text_add(text, " of ");
    for (uint32_t k = 0; family->process_columns && k < family->size; k++)
      text_addf(text, "%s%s", k ? ", " : "", net->processes.items[family->processes[k]].name);
    if (!family->process_columns)
      text_add(text, "a scalar set");
    print_excluded(text, family, net);
    text_add(text, "\n");
  }
}
