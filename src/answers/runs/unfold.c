#include "answers/runs/unfold.h"

#include "model/joint.h"
#include "model/meta.h"
#include "model/state.h"
#include "semantics/orbit.h"

#include <stdlib.h>
#include <string.h>

// What a transition is, apart from names of edges: its clock tests and updates and its target.
typedef struct Effect {
  ClockTests tests;
  ClockUpdates updates;
  int32_t *target;
} Effect;

typedef struct Unfolding {
  Mem *mem;
  Arena arena;  // of one step
  Arena tables; // of all
  const Net *net;
  Space *space;
  Vm vm;
  Joint joint;
  uint32_t **names;      // by family: the id in the model that an id of the node stands for
  int32_t *node, *state; // the present node's and the model's
  Effect wanted, found;
} Unfolding;

static void begin(Unfolding *u, Mem *owner, Space *space) {
  Mem *mem = mem_part(owner);
  *u = (Unfolding){.mem = mem,
                   .arena = {.mem = mem},
                   .tables = {.mem = mem},
                   .net = space->orbit->net,
                   .space = space};
  net_vm(u->net, &u->vm, mem);
  joint_init(&u->joint, u->net, &u->tables);
  const uint32_t slots = u->net->slots.count;
  u->names = ARENA_ARRAY(&u->tables, uint32_t *, u->space->orbit->count);
  for (uint32_t f = 0; f < u->space->orbit->count; f++) {
    const uint32_t size = u->space->orbit->families[f].family->size;
    u->names[f] = ARENA_ARRAY(&u->tables, uint32_t, size);
    for (uint32_t i = 0; i < size; i++)
      u->names[f][i] = i;
  }
  u->node = ARENA_ARRAY(&u->tables, int32_t, slots);
  u->state = ARENA_ARRAY(&u->tables, int32_t, slots);
  u->wanted.target = ARENA_ARRAY(&u->tables, int32_t, slots);
  u->found.target = ARENA_ARRAY(&u->tables, int32_t, slots);
}

static void end(Unfolding *u) { mem_release_part(u->mem); }

// The ids of a family have a new order: each is named as the one that it was.
static void reorder(Unfolding *u, uint32_t f, const uint32_t *order) {
  const uint32_t size = u->space->orbit->families[f].family->size;
  const uint32_t *old = arena_copy(&u->arena, u->names[f], size * sizeof *old);
  for (uint32_t i = 0; i < size; i++)
    u->names[f][i] = old[order[i]];
}

// Renames the ids of a family in a state.
static Permutation rename_state(Unfolding *u, uint32_t f, const uint32_t *names, int32_t *state) {
  const Permutation perm =
      family_permutation(u->space->orbit->families[f].family, &u->arena, u->net, names);
  permutation_apply(&perm, state,
                    arena_copy(&u->arena, state, u->net->slots.count * sizeof *state));
  return perm;
}

// What a transition of the model must be like to be this one, under the names of the model.
static void name_effect(Unfolding *u, Effect *effect) {
  for (uint32_t f = 0; f < u->space->orbit->count; f++) {
    const Permutation perm = rename_state(u, f, u->names[f], effect->target);
    for (uint32_t i = 0; i < effect->tests.size; i++) {
      ClockTest *test = &effect->tests.items[i];
      test->i = perm.clock[test->i];
      test->j = perm.clock[test->j];
    }
    for (uint32_t i = 0; i < effect->updates.size; i++) {
      ClockUpdate *update = &effect->updates.items[i];
      update->x = perm.clock[update->x];
      update->y = perm.clock[update->y];
    }
  }
}

static bool find_effect(Unfolding *u, const int32_t *state, const Edge *const *edges,
                        uint32_t count, Effect *effect) {
  effect->tests.size = effect->updates.size = 0;
  memcpy(effect->target, state, u->net->slots.count * sizeof *state);
  for (uint32_t i = 0; i < count; i++)
    if (vm_guard(&u->vm, &edges[i]->guard, state, &effect->tests) != VM_TRUE)
      return false;
  const VmResult result =
      joint_run(u->net, &u->vm, edges, count, effect->target, &effect->updates);
  meta_forget(u->net, effect->target);
  return result == VM_TRUE;
}

static int compare_tests(const void *a, const void *b) {
  const ClockTest *x = a, *y = b;
  if (x->i != y->i)
    return x->i < y->i ? -1 : 1;
  if (x->j != y->j)
    return x->j < y->j ? -1 : 1;
  if (x->constant != y->constant)
    return x->constant < y->constant ? -1 : 1;
  return (int)x->strict - (int)y->strict;
}

static void sort_tests(ClockTests *tests) {
  if (tests->size)
    qsort(tests->items, tests->size, sizeof *tests->items, compare_tests);
}

// By clock: from which clock, and with what added, its value comes by all the updates together.
static const ClockUpdate *find_origins(Unfolding *u, const ClockUpdates *updates) {
  ClockUpdate *from = ARENA_ARRAY(&u->arena, ClockUpdate, u->net->clock_count + 1);
  for (ClockIndex x = 0; x <= u->net->clock_count; x++)
    from[x] = (ClockUpdate){x, x, 0};
  for (uint32_t i = 0; i < updates->size; i++) {
    const ClockUpdate update = updates->items[i];
    from[update.x].y = from[update.y].y;
    from[update.x].constant = from[update.y].constant + update.constant;
  }
  return from;
}

static bool is_same(Unfolding *u) {
  const Effect *a = &u->wanted, *b = &u->found;
  const uint32_t clocks = u->net->clock_count + 1;
  if (memcmp(a->target, b->target, u->net->slots.count * sizeof *a->target) != 0 ||
      a->tests.size != b->tests.size)
    return false;
  for (uint32_t i = 0; i < a->tests.size; i++)
    if (compare_tests(&a->tests.items[i], &b->tests.items[i]))
      return false;
  const ClockUpdate *from = find_origins(u, &a->updates), *to = find_origins(u, &b->updates);
  for (ClockIndex x = 1; x < clocks; x++)
    if (from[x].y != to[x].y || from[x].constant != to[x].constant)
      return false;
  return true;
}

// The edges of a transition of the present node; NULL if there is none.
static const Edge *const *find_edges(Unfolding *u, uint32_t ordinal, uint32_t *count) {
  if (u->space->edges)
    return u->space->edges(u->space, ordinal, count);
  if (!joint_seek(&u->joint, u->node, ordinal))
    return NULL;
  *count = u->joint.edge_count;
  return arena_copy(&u->arena, u->joint.edges, *count * sizeof *u->joint.edges);
}

// The present node's state, from the model's.
static void find_node(Unfolding *u) {
  memcpy(u->node, u->state, u->net->slots.count * sizeof *u->node);
  for (uint32_t f = u->space->orbit->count; f-- > 0;) { // backwards
    const uint32_t size = u->space->orbit->families[f].family->size;
    uint32_t *back = ARENA_ARRAY(&u->arena, uint32_t, size);
    for (uint32_t i = 0; i < size; i++)
      back[u->names[f][i]] = i;
    rename_state(u, f, back, u->node);
  }
}

// The ordinal in the model of a transition of the present node; the model's state follows it.
static bool find_ordinal(Unfolding *u, uint32_t ordinal, uint32_t *named) {
  uint32_t count;
  find_node(u);
  const Edge *const *edges = find_edges(u, ordinal, &count);
  if (!edges || !find_effect(u, u->node, edges, count, &u->wanted))
    return false;
  name_effect(u, &u->wanted);
  sort_tests(&u->wanted.tests);
  const Joint *joint = &u->joint;
  for (joint_begin(&u->joint, u->state); joint_next(&u->joint);) {
    if (!find_effect(u, u->state, joint->edges, joint->edge_count, &u->found))
      continue;
    sort_tests(&u->found.tests);
    if (is_same(u)) {
      *named = joint->ordinal;
      memcpy(u->state, u->found.target, u->net->slots.count * sizeof *u->state);
      return true;
    }
  }
  return false;
}

// --- Ways that are made again.

static void open(Unfolding *u) {
  Space *space = u->space;
  const uint64_t *key = arena_copy(&u->arena, space->key, space->key_words * sizeof *key);
  space->open(space, key, space->keep(space));
}

// Makes an initial node or a successor of the opened one, which becomes the present node.
static bool make(Unfolding *u, bool (*more)(Space *), uint32_t ordinal) {
  Space *space = u->space;
  while (more(space)) {
    if (space->ordinal != ordinal)
      continue;
    for (uint32_t f = 0; space->is_renamed && f < u->space->orbit->count; f++)
      if (u->space->orbit->families[f].is_moved)
        reorder(u, f, u->space->orbit->families[f].order);
    return true;
  }
  return false;
}

bool unfold_run(Space *space, Mem *mem, uint32_t *ordinals, uint32_t count) {
  Unfolding u;
  const char *failure = space->failure; // of the transition after the run, if it ends with one
  space->failure = NULL;
  begin(&u, mem, space);
  space->next_initial = 0;
  bool ok = !count ||
            (state_initial(u.net, u.state, ordinals[0]) && make(&u, space->initial, ordinals[0]));
  for (uint32_t i = 1; ok && i < count; i++) {
    const uint32_t ordinal = ordinals[i];
    arena_clear(&u.arena);
    open(&u);
    ok = find_ordinal(&u, ordinal, &ordinals[i]) &&
         (i + 1 == count || make(&u, space->next, ordinal));
  }
  end(&u);
  space->failure = failure;
  return ok;
}

// --- Ways that know the renamings.

static void reorder_all(Unfolding *u, const uint32_t *order) {
  for (uint32_t f = 0; order && f < u->space->orbit->count; f++) {
    reorder(u, f, order);
    order += u->space->orbit->families[f].family->size;
  }
}

// A transition or a delay, and how the node that it leads to was renamed.
static bool follow(Unfolding *u, uint32_t ordinal, const uint32_t *order, Mem *mem,
                   Ordinals *ordinals) {
  uint32_t named = ordinal;
  arena_clear(&u->arena);
  if (ordinal != SPACE_DELAY) {
    if (ordinals->size ? !find_ordinal(u, ordinal, &named)
                       : !state_initial(u->net, u->state, ordinal))
      return false;
    vec_push(mem, ordinals, named);
  }
  reorder_all(u, order);
  return true;
}

bool unfold_steps(Space *space, Mem *mem, const TrailSteps *steps, uint32_t last,
                  Ordinals *ordinals) {
  Unfolding u;
  begin(&u, mem, space);
  bool ok = true;
  for (uint32_t i = steps->size; ok && i-- > 0;)
    ok = follow(&u, steps->items[i].ordinal, steps->items[i].order, mem, ordinals);
  ok = ok && follow(&u, last, NULL, mem, ordinals);
  end(&u);
  return ok;
}
