#include "local/localstep.h"

#include "local/localscene_inside.h"

static void add_id(LocalScenes *scenes, uint32_t id) {
  for (uint32_t i = 0; i < scenes->ids.size; i++)
    if (scenes->ids.items[i] == id)
      return;
  vec_push(scenes->mem, &scenes->ids, id);
}

static void add_ids(LocalScenes *scenes, ResourceList list, ResourceList except) {
  for (uint32_t i = 0; i < list.size; i++)
    if (!components_has(except, list.items[i]))
      add_id(scenes, list.items[i]);
}

static ResourceList take_ids(LocalScenes *scenes) {
  const uint32_t size = scenes->ids.size;
  const ResourceId *items = localscene_copy(scenes, scenes->ids.items, size * sizeof *items);
  vec_clear(&scenes->ids);
  return (ResourceList){items, size};
}

static EdgeId edge_id(const Net *net, const Edge *edge) {
  return (EdgeId)(edge - net->edges.items);
}

static bool reads_any(const Components *c, LocationId location, ResourceList writes) {
  for (uint32_t i = 0; i < writes.size; i++)
    if (components_has(c->invariant_reads[location], writes.items[i]))
      return true;
  return false;
}

static const uint64_t *find_sets(LocalScenes *scenes, const Transition *t) {
  uint64_t *sets = localscene_keep(scenes, localscene_set_words(scenes) * sizeof *sets);
  for (uint32_t u = 0; u < t->clock_count; u++)
    localscene_add_clock(sets, t->clocks[u].x - 1);
  return sets;
}

// What the action writes, and what it reads besides: by its guards and updates, and by the
// invariants that its participants leave and enter.
static void find_accesses(LocalScenes *scenes, const Transition *t, LocalAccess *access) {
  const Components *c = scenes->components;
  const ResourceList none = {0};
  access->is_known = true;
  access->sets = find_sets(scenes, t);
  vec_clear(&scenes->ids);
  if (!c->count)
    return;
  for (uint32_t i = 0; i < t->edge_count; i++)
    add_ids(scenes, c->edge_writes[edge_id(scenes->net, t->edges[i])], none);
  access->writes = take_ids(scenes);
  for (uint32_t i = 0; i < t->edge_count; i++) {
    const Edge *edge = t->edges[i];
    add_ids(scenes, c->edge_reads[edge_id(scenes->net, edge)], access->writes);
    if (scenes->rules & LOCAL_EXIT)
      add_ids(scenes, c->invariant_reads[edge->source], access->writes);
    if (scenes->rules & LOCAL_ENTRY)
      add_ids(scenes, c->invariant_reads[edge->target], access->writes);
  }
  access->reads = take_ids(scenes);
  for (LocationId l = 0; (scenes->rules & LOCAL_PRESENT) && l < scenes->net->locations.size; l++)
    access->may_involve |= reads_any(c, l, access->writes);
}

static LocalAccess *access_of(LocalScenes *scenes, uint32_t transition) {
  if (transition < scenes->accesses.size && scenes->accesses.items[transition].is_known)
    return &scenes->accesses.items[transition];
  while (scenes->accesses.size <= transition)
    vec_push(scenes->mem, &scenes->accesses, (LocalAccess){0});
  LocalAccess *access = &scenes->accesses.items[transition];
  if (!access->is_known)
    find_accesses(scenes, scenes->scenes->transitions.items[transition], access);
  return access;
}

// The participants, in `ids`; the weak ones that do not take part, and the processes that rely
// on what is written.
static void find_domain(LocalScenes *scenes, const LocalScene *scene, uint32_t ordinal,
                        const Transition *t, const LocalAccess *access) {
  const Net *net = scenes->net;
  vec_clear(&scenes->ids);
  for (uint32_t i = 0; i < t->edge_count; i++)
    add_id(scenes, t->edges[i]->process);
  if (!scenes->has_weak && !access->may_involve)
    return;
  state_unpack(scenes->scenes->layout, scenes->scenes->state, scene->scene->words);
  Joint *joint = &scenes->scenes->joint;
  if (scenes->has_weak && joint_seek(joint, scenes->scenes->state, ordinal) &&
      joint->sync != NET_NONE)
    for (uint32_t k = 0; k < net->syncs.items[joint->sync].parts.size; k++)
      add_id(scenes, net->syncs.items[joint->sync].parts.items[k].process);
  for (ProcessId p = 0; access->may_involve && p < net->processes.size; p++)
    if (reads_any(scenes->components, localscene_location(scenes, p), access->writes))
      add_id(scenes, p);
}

static void keep_action(LocalScenes *scenes, OffsetAction *action) {
  const size_t bytes = scenes->all.stride * sizeof(uint32_t);
  action->in = localscene_copy(scenes, action->in, action->in_count * sizeof *action->in);
  action->out = localscene_copy(scenes, action->out, action->out_count * sizeof *action->out);
  action->between =
      localscene_copy(scenes, action->between, action->between_count * sizeof *action->between);
  action->becomes = localscene_copy(scenes, action->becomes, bytes);
  if (action->origin)
    action->origin = localscene_copy(scenes, action->origin, bytes);
  if (action->shift)
    action->shift = localscene_copy(scenes, action->shift, bytes);
  action->kept = localscene_copy(scenes, action->kept, action->kept_count * sizeof *action->kept);
}

static void add_words(LocalScenes *scenes, const void *words, uint32_t count) {
  localscene_add_word(scenes, count);
  for (uint32_t i = 0; i < count; i++)
    localscene_add_word(scenes, ((const uint32_t *)words)[i]);
}

static uint32_t number_action(LocalScenes *scenes, const OffsetAction *action) {
  const uint32_t n = scenes->all.n;
  vec_clear(&scenes->words);
  add_words(scenes, action->in, 2 * action->in_count);
  add_words(scenes, action->out, 2 * action->out_count);
  add_words(scenes, action->between, 3 * action->between_count);
  add_words(scenes, action->becomes, n);
  add_words(scenes, action->origin, action->origin ? n : 0);
  add_words(scenes, action->shift, action->shift ? n : 0);
  add_words(scenes, action->kept, action->kept_count);
  return localscene_number_words(scenes, &scenes->actions);
}

static void make_masks(LocalScenes *scenes, LocalStep *step) {
  const size_t bytes = offset8_stride(scenes->all.n) * sizeof(int16_t);
  const OffsetAction *action = &step->action;
  int16_t *becomes = localscene_keep(scenes, bytes);
  for (uint32_t i = 0; i < scenes->all.n; i++)
    becomes[i] = (int16_t)action->becomes[i];
  step->masks.becomes = becomes;
  if (!action->kept_count)
    return;
  int16_t *kept = localscene_keep(scenes, bytes);
  for (uint32_t i = 0; i < action->kept_count; i++)
    kept[action->kept[i]] = -1;
  step->masks.kept = kept;
}

static void add_tests(LocalScenes *scenes, ClockTests *to, const Guard *guard) {
  for (uint32_t t = 0; guard && t < guard->clock_test_count; t++)
    vec_push(scenes->mem, to, guard->clock_tests[t]);
}

// The location in which a process of the domain is after the transition.
static LocationId target_of(const LocalScenes *scenes, const Transition *t, ProcessId p) {
  for (uint32_t i = 0; i < t->edge_count; i++)
    if (t->edges[i]->process == p)
      return t->edges[i]->target;
  return localscene_location(scenes, p);
}

// The action of a step of which nothing depends on variables, for good.
static void make_action(LocalScenes *scenes, const LocalScene *scene, const Transition *t,
                        const LocalScene *target, LocalStep *step) {
  step->has_action =
      !t->needs_guard && !t->needs_clocks && !scene->is_dynamic && !target->is_dynamic;
  if (!step->has_action)
    return;
  vec_clear(&scenes->guard);
  vec_clear(&scenes->invariant);
  for (uint32_t i = 0; i < t->edge_count; i++)
    add_tests(scenes, &scenes->guard, &t->edges[i]->guard);
  const LocalSetting *from = scene->setting;
  for (uint32_t i = 0; i < step->use.domain_count; i++)
    add_tests(scenes, &scenes->invariant,
              scenes->net->invariants[target_of(scenes, t, step->use.domain[i])]);
  const LocalParts parts = {.guard = scenes->guard.items,
                            .guard_count = scenes->guard.size,
                            .invariant = scenes->invariant.items,
                            .invariant_count = scenes->invariant.size,
                            .updates = t->clocks,
                            .update_count = t->clock_count,
                            .ceilings = from->ceilings,
                            .ceiling_count = from->ceiling_count};
  step->is_impossible = !localaction_make(&scenes->maker, scene->shape, target->shape, &step->use,
                                          &parts, &step->action);
  keep_action(scenes, &step->action);
  step->number = number_action(scenes, &step->action);
  step->is_tiny = offset8_can(&step->action, PACKED_8);
  step->is_small = offset8_can(&step->action, PACKED_16);
  if (step->is_tiny)
    make_masks(scenes, step);
}

// Whether a step depends on the clocks that matter before and after it: if some are copied, or
// one matters only after it.
static bool depends_on_shapes(const LocalScenes *scenes, const LocalShape *from,
                              uint32_t transition, const LocalShape *to) {
  const Transition *t = scenes->scenes->transitions.items[transition];
  const uint64_t *sets = scenes->accesses.items[transition].sets;
  uint64_t found = t->has_copies || t->needs_clocks;
  for (uint32_t i = 0; i < localscene_set_words(scenes); i++)
    found |= to->clocks[i] & ~from->clocks[i] & ~sets[i];
  return found;
}

// The number of a step whose domain is in `ids`, made if it is new.
static uint32_t find_step(LocalScenes *scenes, const LocalScene *scene, uint32_t transition,
                          const LocalScene *target, bool has_shapes) {
  const Transition *t = scenes->scenes->transitions.items[transition];
  const bool is_dynamic = scene->is_dynamic || target->is_dynamic;
  vec_clear(&scenes->words);
  localscene_add_word(scenes, transition << 1 | is_dynamic);
  localscene_add_word(scenes, has_shapes ? scene->setting->shape->number : 0);
  localscene_add_word(scenes, has_shapes ? target->setting->shape->number : 0);
  for (uint32_t i = t->edge_count; i < scenes->ids.size; i++)
    localscene_add_word(scenes, localscene_location(scenes, scenes->ids.items[i]));
  const uint32_t number = localscene_number_words(scenes, &scenes->contents);
  if (number <= scenes->steps.size)
    return number;
  const LocalAccess *access = &scenes->accesses.items[transition];
  LocalStep *step = localscene_keep(scenes, sizeof *step);
  const ResourceList domain = take_ids(scenes);
  step->use = (LocalUse){domain.items, domain.size, access->reads, access->writes};
  make_action(scenes, scene, t, target, step);
  vec_push(scenes->mem, &scenes->steps, step);
  return number;
}

LocalUse localstep_use(LocalScenes *scenes, const LocalScene *scene, uint32_t ordinal) {
  const uint32_t transition = scene->scene->moves[ordinal].transition;
  const LocalAccess *access = access_of(scenes, transition);
  find_domain(scenes, scene, ordinal, scenes->scenes->transitions.items[transition], access);
  return (LocalUse){scenes->ids.items, scenes->ids.size, access->reads, access->writes};
}

// What a plain step touches.
static uint64_t find_touches(const LocalScenes *scenes, const LocalUse *use) {
  const uint32_t resources = scenes->net->processes.size;
  uint64_t touches = 0;
  for (uint32_t i = 0; i < use->domain_count; i++)
    touches |= (uint64_t)1 << use->domain[i] % 64;
  for (uint32_t i = 0; i < use->reads.size; i++)
    touches |= (uint64_t)1 << (resources + use->reads.items[i]) % 64;
  for (uint32_t i = 0; i < use->writes.size; i++)
    touches |= (uint64_t)1 << (resources + use->writes.items[i]) % 64;
  return touches;
}

// The number of the step that a move is, which may depend on the target.
static uint32_t link_step(LocalScenes *scenes, LocalScene *scene, uint32_t ordinal,
                          const LocalScene *target) {
  const uint32_t transition = scene->scene->moves[ordinal].transition;
  const Transition *t = scenes->scenes->transitions.items[transition];
  LocalAccess *access = access_of(scenes, transition);
  const bool has_shapes =
      depends_on_shapes(scenes, scene->setting->shape, transition, target->setting->shape);
  const bool is_plain = !has_shapes && !scenes->has_weak && !access->may_involve &&
                        !scene->is_dynamic && !target->is_dynamic;
  if (is_plain && access->step)
    return access->step;
  find_domain(scenes, scene, ordinal, t, access);
  const uint32_t number = find_step(scenes, scene, transition, target, has_shapes);
  if (is_plain) {
    access->step = number;
    access->touches = find_touches(scenes, &scenes->steps.items[number - 1]->use);
  }
  return number;
}

// Actions and shapes are few: their numbers together are that of the effect. If they are not, it
// has none.
static void set_link(LocalScenes *scenes, LocalScene *scene, uint32_t ordinal,
                     const LocalScene *target, uint32_t number) {
  Move *move = &scene->scene->moves[ordinal];
  const LocalStep *step = scenes->steps.items[number - 1];
  const uint32_t shape = target->setting->shape->number;
  scene->steps[ordinal] = number;
  move->target = target->scene->number;
  if (step->has_action && !step->is_impossible && step->number <= UINT16_MAX &&
      shape <= UINT16_MAX)
    move->effect = step->number << 16 | shape;
}

void localstep_link(LocalScenes *scenes, LocalScene *scene, uint32_t ordinal,
                    const uint64_t *packed) {
  const LocalScene *target = localscene_find(scenes, packed);
  set_link(scenes, scene, ordinal, target, link_step(scenes, scene, ordinal, target));
}

bool localstep_link_known(LocalScenes *scenes, LocalScene *scene, uint32_t ordinal,
                          const LocalScene *target, uint32_t step) {
  if (depends_on_shapes(scenes, scene->setting->shape, scene->scene->moves[ordinal].transition,
                        target->setting->shape))
    return false;
  set_link(scenes, scene, ordinal, target, step);
  return true;
}
