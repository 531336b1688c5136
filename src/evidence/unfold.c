#include "evidence/unfold.h"

#include "model/joint.h"
#include "model/state.h"
#include "symmetry/orbit.h"

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
  Orbit *orbit;
  Vm vm;
  Joint joint;
  uint32_t **names; // by family: the id in the model that an id of the node stands for
  uint32_t *scratch;
  int32_t *node, *state; // the present node's and the model's
  Effect wanted, found;
} Unfolding;

static void begin(Unfolding *u, Mem *mem, Space *space) {
  *u = (Unfolding){.mem = mem,
                   .arena = {.mem = mem},
                   .tables = {.mem = mem},
                   .net = space->orbit->net,
                   .space = space,
                   .orbit = space->orbit};
  net_vm(u->net, &u->vm, mem);
  joint_init(&u->joint, u->net, &u->tables);
  const uint32_t slots = u->net->slots.count;
  u->names = ARENA_ARRAY(&u->tables, uint32_t *, u->orbit->count);
  uint32_t most = 1;
  for (uint32_t f = 0; f < u->orbit->count; f++) {
    const uint32_t size = u->orbit->families[f].family->size;
    most = size > most ? size : most;
    u->names[f] = ARENA_ARRAY(&u->tables, uint32_t, size);
    for (uint32_t i = 0; i < size; i++)
      u->names[f][i] = i;
  }
  u->scratch = ARENA_ARRAY(&u->tables, uint32_t, most);
  u->node = ARENA_ARRAY(&u->tables, int32_t, slots);
  u->state = ARENA_ARRAY(&u->tables, int32_t, slots);
  u->wanted.target = ARENA_ARRAY(&u->tables, int32_t, slots);
  u->found.target = ARENA_ARRAY(&u->tables, int32_t, slots);
}

static void end(Unfolding *u) {
  vec_release(u->mem, &u->wanted.tests);
  vec_release(u->mem, &u->wanted.updates);
  vec_release(u->mem, &u->found.tests);
  vec_release(u->mem, &u->found.updates);
  vm_release(&u->vm);
  joint_release(&u->joint);
  arena_release(&u->arena);
  arena_release(&u->tables);
}

// The ids of a family have a new order: each is named as the one that it was.
static void reorder(Unfolding *u, uint32_t f, const uint32_t *order) {
  const uint32_t size = u->orbit->families[f].family->size;
  memcpy(u->scratch, u->names[f], size * sizeof **u->names);
  for (uint32_t i = 0; i < size; i++)
    u->names[f][i] = u->scratch[order[i]];
}

// The space's current node was renamed.
static void rename_ids(Unfolding *u) {
  for (uint32_t f = 0; u->space->is_renamed && f < u->orbit->count; f++)
    if (u->orbit->families[f].is_moved)
      reorder(u, f, u->orbit->families[f].order);
}

// What a transition of the model must be like to be this one, under the names of the model.
static void name_effect(Unfolding *u, Effect *effect) {
  const Net *net = u->net;
  int32_t *image = ARENA_ARRAY(&u->arena, int32_t, net->slots.count);
  for (uint32_t f = 0; f < u->orbit->count; f++) {
    const Permutation perm =
        family_permutation(u->orbit->families[f].family, &u->arena, net, u->names[f]);
    permutation_apply(&perm, image, effect->target);
    memcpy(effect->target, image, net->slots.count * sizeof *image);
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

static bool find_effect(Unfolding *u, const int32_t *state, Effect *effect) {
  effect->tests.size = effect->updates.size = 0;
  memcpy(effect->target, state, u->net->slots.count * sizeof *state);
  return joint_guard(&u->joint, &u->vm, state, &effect->tests) == VM_TRUE &&
         joint_fire(&u->joint, &u->vm, effect->target, &effect->updates) == VM_TRUE;
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

// Where each clock comes from by all the updates together.
static void find_origins(const Net *net, const ClockUpdates *updates, ClockUpdate *origins) {
  for (ClockIndex x = 0; x <= net->clock_count; x++)
    origins[x] = (ClockUpdate){x, x, 0};
  for (uint32_t i = 0; i < updates->size; i++) {
    const ClockUpdate u = updates->items[i];
    origins[u.x].y = origins[u.y].y;
    origins[u.x].constant = origins[u.y].constant + u.constant;
  }
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
  ClockUpdate *from = ARENA_ARRAY(&u->arena, ClockUpdate, clocks);
  ClockUpdate *to = ARENA_ARRAY(&u->arena, ClockUpdate, clocks);
  find_origins(u->net, &a->updates, from);
  find_origins(u->net, &b->updates, to);
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

// The effect of a transition of the present node.
static bool find_own_effect(Unfolding *u, uint32_t ordinal, Effect *effect) {
  uint32_t count;
  const Edge *const *edges = find_edges(u, ordinal, &count);
  if (!edges)
    return false;
  effect->tests.size = effect->updates.size = 0;
  for (uint32_t i = 0; i < count; i++)
    if (vm_guard(&u->vm, &edges[i]->guard, u->node, &effect->tests) != VM_TRUE)
      return false;
  memcpy(effect->target, u->node, u->net->slots.count * sizeof *u->node);
  return joint_run(u->net, &u->vm, edges, count, effect->target, &effect->updates) == VM_TRUE;
}

// The ordinal in the model of the transition `ordinal` of the present node.
static bool find_ordinal(Unfolding *u, uint32_t ordinal, uint32_t *named) {
  if (!find_own_effect(u, ordinal, &u->wanted))
    return false;
  name_effect(u, &u->wanted);
  sort_tests(&u->wanted.tests);
  for (joint_begin(&u->joint, u->state); joint_next(&u->joint);) {
    if (!find_effect(u, u->state, &u->found))
      continue;
    sort_tests(&u->found.tests);
    if (is_same(u)) {
      *named = u->joint.ordinal;
      memcpy(u->state, u->found.target, u->net->slots.count * sizeof *u->state);
      return true;
    }
  }
  return false;
}

// The space's current node becomes the present one.
static void enter(Unfolding *u) {
  Space *space = u->space;
  StateLayout layout;
  state_layout(&layout, &u->arena, u->net);
  rename_ids(u);
  state_unpack(&layout, u->node, space->key);
}

static void open(Unfolding *u) {
  Space *space = u->space;
  const uint64_t *key = arena_copy(&u->arena, space->key, space->key_words * sizeof *key);
  space->open(space, key, space->keep(space));
}

// Makes the successor of the present node by a transition current.
static bool make(Unfolding *u, uint32_t ordinal) {
  Space *space = u->space;
  while (space->next(space))
    if (space->ordinal == ordinal)
      return true;
  return false;
}

// The model's state is the initial one of this number.
static bool find_initial(Unfolding *u, uint32_t ordinal) {
  uint32_t *choice = ARENA_ARRAY(&u->arena, uint32_t, u->net->processes.size);
  bool started = false;
  for (uint32_t i = 0; state_initial(u->net, u->state, choice, &started); i++)
    if (i == ordinal)
      return true;
  return false;
}

static bool start(Unfolding *u, uint32_t ordinal) {
  Space *space = u->space;
  space->rewind(space);
  while (space->initial(space))
    if (space->ordinal == ordinal && find_initial(u, ordinal)) {
      enter(u);
      return true;
    }
  return false;
}

bool unfold_run(Space *space, Mem *mem, uint32_t *ordinals, uint32_t count) {
  Unfolding u;
  const char *failure = space->failure; // of the transition after the run, if it ends with one
  space->failure = NULL;
  begin(&u, mem, space);
  bool ok = !count || start(&u, ordinals[0]);
  for (uint32_t i = 1; ok && i < count; i++) {
    arena_clear(&u.arena);
    uint32_t named = 0;
    open(&u);
    ok = find_ordinal(&u, ordinals[i], &named) && (i + 1 == count || make(&u, ordinals[i]));
    ordinals[i] = named;
    if (ok && i + 1 < count)
      enter(&u);
  }
  end(&u);
  space->failure = failure;
  return ok;
}

// --- Ways that know the renamings.

// The present node's state, from the model's.
static void find_node(Unfolding *u) {
  const size_t bytes = u->net->slots.count * sizeof *u->node;
  int32_t *image = ARENA_ARRAY(&u->arena, int32_t, u->net->slots.count);
  memcpy(u->node, u->state, bytes);
  for (uint32_t f = 0; f < u->orbit->count; f++) {
    const Family *family = u->orbit->families[f].family;
    uint32_t *back = ARENA_ARRAY(&u->arena, uint32_t, family->size);
    for (uint32_t i = 0; i < family->size; i++)
      back[u->names[f][i]] = i;
    const Permutation perm = family_permutation(family, &u->arena, u->net, back);
    permutation_apply(&perm, image, u->node);
    memcpy(u->node, image, bytes);
  }
}

static void reorder_all(Unfolding *u, const uint32_t *order) {
  for (uint32_t f = 0; order && f < u->orbit->count; f++) {
    reorder(u, f, order);
    order += u->orbit->families[f].family->size;
  }
}

// A transition or a delay, and how the node that it leads to was renamed.
static bool follow(Unfolding *u, uint32_t ordinal, const uint32_t *order, Ordinals *ordinals) {
  uint32_t named = ordinal;
  arena_clear(&u->arena);
  if (ordinal != SPACE_DELAY) {
    find_node(u);
    if (ordinals->size ? !find_ordinal(u, ordinal, &named) : !find_initial(u, ordinal))
      return false;
    vec_push(u->mem, ordinals, named);
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
    ok = follow(&u, steps->items[i].ordinal, steps->items[i].order, ordinals);
  ok = ok && follow(&u, last, NULL, ordinals);
  end(&u);
  return ok;
}
