#include "semantics/local/localtransition.h"

#include "base/testbuild.h"
#include "semantics/zone/locvector_make.h"

#include <string.h>

static void add_id(LocalVectors *vectors, uint32_t id) {
  for (uint32_t i = 0; i < vectors->ids.size; i++)
    if (vectors->ids.items[i] == id)
      return;
  vec_push(vectors->mem, &vectors->ids, id);
}

static void add_ids(LocalVectors *vectors, ResourceList list, ResourceList except) {
  for (uint32_t i = 0; i < list.size; i++)
    if (!resources_has(except, list.items[i]))
      add_id(vectors, list.items[i]);
}

static ResourceList take_ids(LocalVectors *vectors) {
  const uint32_t size = vectors->ids.size;
  const ResourceId *items =
      arena_copy(&vectors->of->cache, vectors->ids.items, size * sizeof *items);
  vec_clear(&vectors->ids);
  return (ResourceList){items, size};
}

static EdgeId edge_id(const Net *net, const Edge *edge) {
  return (EdgeId)(edge - net->edges.items);
}

// What the action writes, and what it reads besides: by its guards and updates, and by the
// invariants that its participants leave and enter.
static void find_accesses(LocalVectors *vectors, Transition *t) {
  const Resources *c = vectors->resources;
  const ResourceList none = {0};
  LocalAccess *access = t->more = arena_alloc(&vectors->of->cache, sizeof *access);
  uint64_t *sets =
      arena_alloc(&vectors->of->cache, localvector_set_words(vectors) * sizeof *sets);
  for (uint32_t u = 0; u < t->clock_count; u++)
    localvector_add_clock(sets, t->clocks[u].x - 1);
  access->sets = sets;
  vec_clear(&vectors->ids);
  if (!c->count)
    return;
  for (uint32_t i = 0; i < t->edge_count; i++)
    add_ids(vectors, c->edge_writes[edge_id(vectors->net, t->edges[i])], none);
  access->writes = take_ids(vectors);
  for (uint32_t i = 0; i < t->edge_count; i++) {
    const Edge *edge = t->edges[i];
    add_ids(vectors, c->edge_reads[edge_id(vectors->net, edge)], access->writes);
    if (!PLANTED("local-exit"))
      add_ids(vectors, c->invariant_reads[edge->source], access->writes);
    if (!PLANTED("local-entry"))
      add_ids(vectors, c->invariant_reads[edge->target], access->writes);
  }
  access->reads = take_ids(vectors);
  for (LocationId l = 0; l < vectors->net->locations.size && !PLANTED("local-present"); l++)
    access->may_involve |= resources_meet(c->invariant_reads[l], access->writes);
}

static LocalAccess *access_of(LocalVectors *vectors, Transition *t) {
  if (!t->more)
    find_accesses(vectors, t);
  return t->more;
}

// The participants, in `ids`; the weak ones that do not take part, and the processes that rely
// on what is written, in the state of LocVectors.draft.
static void find_domain(LocalVectors *vectors, const Transition *t, const LocalAccess *access,
                        uint32_t sync) {
  const Net *net = vectors->net;
  const ResourceList *reads = vectors->resources->invariant_reads;
  vec_clear(&vectors->ids);
  for (uint32_t i = 0; i < t->edge_count; i++)
    add_id(vectors, t->edges[i]->process);
  if (vectors->resources->has_weak && sync != NET_NONE)
    for (uint32_t k = 0; k < net->syncs.items[sync].parts.size; k++)
      add_id(vectors, net->syncs.items[sync].parts.items[k].process);
  for (ProcessId p = 0; access->may_involve && p < net->processes.size; p++)
    if (resources_meet(reads[localvector_location(vectors, p)], access->writes))
      add_id(vectors, p);
}

// A part of an action, kept, and added to the words by which the action gets its number.
static const void *keep_part(LocalVectors *vectors, const void *words, uint32_t count) {
  locvector_add_words(vectors->of, &count, 1);
  locvector_add_words(vectors->of, words, count);
  return arena_copy(&vectors->of->cache, words, count * sizeof(uint32_t));
}

// Keeps the action and returns its number.
static uint32_t keep_action(LocalVectors *vectors, OffsetAction *action) {
  const uint32_t stride = vectors->all.stride, parts = 7;
  const uint32_t in = 2 * action->in_count, out = 2 * action->out_count;
  const uint32_t between = 3 * action->between_count, kept = action->kept_count;
  locvector_begin_words(vectors->of, parts + in + out + between + 3 * stride + kept,
                        action->origin != NULL, action->shift != NULL, 0);
  action->in = keep_part(vectors, action->in, in);
  action->out = keep_part(vectors, action->out, out);
  action->between = keep_part(vectors, action->between, between);
  action->becomes = keep_part(vectors, action->becomes, stride);
  if (action->origin)
    action->origin = keep_part(vectors, action->origin, stride);
  if (action->shift)
    action->shift = keep_part(vectors, action->shift, stride);
  action->kept = keep_part(vectors, action->kept, kept);
  return locvector_end_words(vectors->of, &vectors->numbers[LOCAL_ACTIONS]);
}

static void make_masks(LocalVectors *vectors, LocalTransition *step) {
  const size_t bytes = offsetstep_stride(vectors->all.n) * sizeof(int16_t);
  const OffsetAction *action = &step->action;
  int16_t *becomes = arena_alloc(&vectors->of->cache, bytes);
  for (uint32_t i = 0; i < vectors->all.n; i++)
    becomes[i] = (int16_t)action->becomes[i];
  step->masks.becomes = becomes;
  if (!action->kept_count)
    return;
  int16_t *kept = arena_alloc(&vectors->of->cache, bytes);
  for (uint32_t i = 0; i < action->kept_count; i++)
    kept[action->kept[i]] = -1;
  step->masks.kept = kept;
}

// The location in which a process of the domain is after the transition.
static LocationId target_of(const LocalVectors *vectors, const Transition *t, ProcessId p) {
  for (uint32_t i = 0; i < t->edge_count; i++)
    if (t->edges[i]->process == p)
      return t->edges[i]->target;
  return localvector_location(vectors, p);
}

// The action of a step that does not depend on variables; it is kept.
static void make_action(LocalVectors *vectors, const LocalVector *vector, const Transition *t,
                        const LocalVector *target, LocalTransition *step) {
  step->has_action =
      !t->needs_guard && !t->needs_clocks && !vector->is_dynamic && !target->is_dynamic;
  if (!step->has_action)
    return;
  LocalActions *maker = &vectors->maker;
  localaction_begin(maker, vector->shape, &step->use, vector->setting->ceilings,
                    vector->setting->ceiling_count);
  for (uint32_t i = 0; i < t->edge_count; i++)
    localaction_guard(maker, t->edges[i]->guard.clock_tests, t->edges[i]->guard.clock_test_count);
  localaction_update(maker, target->shape, t->clocks, t->clock_count);
  for (uint32_t i = 0; i < step->use.domain_count; i++) {
    const LocationId location = target_of(vectors, t, step->use.domain[i]);
    const Guard *guard = vectors->net->by_location.invariants[location];
    if (guard)
      localaction_invariant(maker, guard->clock_tests, guard->clock_test_count);
  }
  step->is_impossible = !localaction_end(maker, &step->action);
  step->number = keep_action(vectors, &step->action);
  step->is_tiny = offsetstep_can(&step->action, PACKED_8);
  step->is_small = offsetstep_can(&step->action, PACKED_16);
  if (step->is_tiny)
    make_masks(vectors, step);
}

// Whether a step depends on the clocks that matter before and after it: if some are copied, or
// one matters only after it. With urgent channels, on the times that stand still, too.
static bool depends_on_shapes(const LocalVectors *vectors, const LocalShape *from,
                              const Transition *t, const LocalShape *to) {
  const uint64_t *sets = ((const LocalAccess *)t->more)->sets;
  uint64_t found = t->has_copies || t->needs_clocks || vectors->stops;
  for (uint32_t i = 0; i < localvector_set_words(vectors); i++)
    found |= to->clocks[i] & ~from->clocks[i] & ~sets[i];
  return found;
}

// The number of a step whose domain is in `ids`, made if it is new.
static uint32_t find_step(LocalVectors *vectors, const LocalVector *vector, uint32_t transition,
                          const LocalVector *target, bool has_shapes) {
  const Transition *t = vectors->of->transitions.items[transition];
  const bool is_dynamic = vector->is_dynamic || target->is_dynamic;
  locvector_begin_words(vectors->of, vectors->ids.size, transition << 1 | is_dynamic,
                        has_shapes ? vector->setting->shape->number : 0,
                        has_shapes ? target->setting->shape->number : 0);
  for (uint32_t i = t->edge_count; i < vectors->ids.size; i++) {
    const LocationId location = localvector_location(vectors, vectors->ids.items[i]);
    locvector_add_words(vectors->of, &location, 1);
  }
  const uint32_t number = locvector_end_words(vectors->of, &vectors->numbers[LOCAL_STEPS]);
  InternItem *item = intern_at(&vectors->numbers[LOCAL_STEPS], number);
  if (item->value)
    return number;
  const LocalAccess *access = t->more;
  LocalTransition *step = arena_alloc(&vectors->of->cache, sizeof *step);
  const ResourceList domain = take_ids(vectors);
  step->use = (LocalUse){domain.items, domain.size, access->reads, access->writes};
  make_action(vectors, vector, t, target, step);
  item->value = step;
  return number;
}

LocalUse localtransition_use(LocalVectors *vectors, const int32_t *state, uint32_t transition,
                             uint32_t sync) {
  Transition *t = vectors->of->transitions.items[transition];
  const LocalAccess *access = access_of(vectors, t);
  memcpy(vectors->of->draft.state, state, vectors->of->layout->slots * sizeof *state);
  find_domain(vectors, t, access, sync);
  return (LocalUse){vectors->ids.items, vectors->ids.size, access->reads, access->writes};
}

static uint64_t bits_of(const uint32_t *ids, uint32_t count, uint32_t from) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < count; i++)
    bits |= (uint64_t)1 << (from + ids[i]) % 64;
  return bits;
}

// What a plain step touches.
static uint64_t find_touches(const LocalVectors *vectors, const LocalUse *use) {
  const uint32_t resources = vectors->net->processes.size;
  return bits_of(use->domain, use->domain_count, 0) |
         bits_of(use->reads.items, use->reads.size, resources) |
         bits_of(use->writes.items, use->writes.size, resources);
}

// The number of the step that a transition is, which may depend on the target.
static uint32_t link_step(LocalVectors *vectors, LocalVector *vector, uint32_t ordinal,
                          const LocalVector *target) {
  const uint32_t transition = vector->vector->outgoing[ordinal].transition;
  Transition *t = vectors->of->transitions.items[transition];
  LocalAccess *access = access_of(vectors, t);
  const bool has_shapes =
      depends_on_shapes(vectors, vector->setting->shape, t, target->setting->shape);
  const bool is_plain = !has_shapes && !vectors->resources->has_weak && !access->may_involve &&
                        !vector->is_dynamic && !target->is_dynamic;
  if (is_plain && access->step)
    return access->step;
  Joint *joint = &vectors->of->joint;
  int32_t *state = vectors->of->draft.state;
  state_unpack(vectors->of->layout, state, vector->vector->words);
  const bool has_sync = vectors->resources->has_weak && joint_seek(joint, state, ordinal);
  find_domain(vectors, t, access, has_sync ? joint->sync : NET_NONE);
  const uint32_t number = find_step(vectors, vector, transition, target, has_shapes);
  if (is_plain) {
    access->step = number;
    access->touches = find_touches(vectors, &localvector_step(vectors, number)->use);
  }
  return number;
}

static inline void set_link(LocalVectors *vectors, LocalVector *vector, uint32_t ordinal,
                            const LocalVector *target, uint32_t number) {
  OutgoingTransition *out = &vector->vector->outgoing[ordinal];
  const LocalTransition *step = localvector_step(vectors, number);
  vector->steps[ordinal] = number;
  out->target = target->vector->number;
  out->transformer = step->has_action && !step->is_impossible
                         ? locvector_number_transformer(vectors->of, step->number,
                                                        target->setting->shape->number)
                         : 0;
}

void localtransition_link(LocalVectors *vectors, LocalVector *vector, uint32_t ordinal,
                          const uint64_t *packed) {
  const LocalVector *target = locvector_find(vectors->of, packed)->more;
  set_link(vectors, vector, ordinal, target, link_step(vectors, vector, ordinal, target));
}

bool localtransition_link_known(LocalVectors *vectors, LocalVector *vector, uint32_t ordinal,
                                const LocalVector *target, uint32_t step) {
  const Transition *t = locvector_transition(vectors->of, &vector->vector->outgoing[ordinal]);
  if (depends_on_shapes(vectors, vector->setting->shape, t, target->setting->shape))
    return false;
  set_link(vectors, vector, ordinal, target, step);
  return true;
}
