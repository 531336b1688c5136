#include "symmetry/symmetry.h"

#include "symmetry/propose.h"
#include "symmetry/verify.h"

enum { MOST_WORK = 200000 }; // edges looked at to find which neighbours can be swapped

typedef VEC(Family) Families;

static Family without(const Family *family, Arena *arena, uint32_t from, uint32_t to) {
  uint32_t *ids = ARENA_ARRAY(arena, uint32_t, to - from);
  for (uint32_t i = from; i < to; i++)
    ids[i - from] = i;
  return family_restrict(family, arena, ids, to - from);
}

static bool try_family(Families *found, Arena *arena, const Net *net, Family family,
                       bool is_cyclic) {
  family.is_cyclic = is_cyclic;
  if (!symmetry_verify(&family, arena, net, 0))
    return false;
  vec_push(arena->mem, found, family);
  return true;
}

// Runs of ids of which each can be swapped with the next.
static void try_runs(Families *found, Arena *arena, const Net *net, Family *family) {
  if ((uint64_t)family->size * net->edges.size > MOST_WORK)
    return;
  uint32_t first = 0;
  for (uint32_t i = 1; i <= family->size; i++) {
    if (i < family->size && symmetry_verify_swap(family, arena, net, i - 1, i, 0))
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

void symmetry_find(Symmetry *symmetry, Arena *arena, const Net *net) {
  Families found = {0};
  Proposals proposals;
  Family family;
  proposals_init(&proposals, arena, net);
  while (proposals_next(&proposals, arena, &family))
    try_groups(&found, arena, net, &family);
  proposals_release(&proposals);
  Family *families = ARENA_ARRAY(arena, Family, found.size);
  for (uint32_t i = 0; i < found.size; i++)
    families[i] = found.items[i];
  *symmetry = (Symmetry){families, found.size};
  vec_release(arena->mem, &found);
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
    for (uint32_t k = 0; k < family->size; k++)
      text_addf(text, "%s%s", k ? ", " : "", net->processes.items[family->processes[k]].name);
    print_excluded(text, family, net);
    text_add(text, "\n");
  }
}
