#include "local/localaction.h"

void localaction_init(LocalActions *actions, Mem *mem, Arena *arena, const Components *components,
                      const OffsetShape *all) {
  *actions = (LocalActions){.mem = mem, .components = components, .all = all};
  actions->origin = ARENA_ARRAY(arena, uint32_t, all->stride);
  actions->becomes = ARENA_ARRAY(arena, int32_t, all->stride);
  actions->shift = ARENA_ARRAY(arena, int32_t, all->stride);
}

void localaction_release(LocalActions *actions) {
  vec_release(actions->mem, &actions->in);
  vec_release(actions->mem, &actions->out);
  vec_release(actions->mem, &actions->between);
  vec_release(actions->mem, &actions->kept);
}

// Links of an action. The bound may also be between two old variables, or a constant.
static bool add_bound(LocalActions *actions, uint32_t i, uint32_t j, Bound bound) {
  const uint32_t instant = actions->all->n;
  if (i == j)
    return bound >= BOUND_LE_ZERO;
  if (j == instant)
    vec_push(actions->mem, &actions->in, ((OffsetLink){i, bound}));
  else if (i == instant)
    vec_push(actions->mem, &actions->out, ((OffsetLink){j, bound}));
  else
    vec_push(actions->mem, &actions->between, ((Constraint){i, j, bound}));
  return true;
}

static void add_guard(LocalActions *actions, const ClockTest *test) {
  // x - y is offset of y less offset of x.
  const uint32_t i = test->j ? test->j - 1 : actions->all->n;
  const uint32_t j = test->i ? test->i - 1 : actions->all->n;
  add_bound(actions, i, j, bound_make(code_narrow(test->constant), test->strict));
}

static bool has_row(const OffsetShape *shape, uint32_t time) {
  for (uint32_t r = shape->frozen_from; r < shape->row_count; r++)
    if (shape->rows[r] == time)
      return true;
  return false;
}

// The time of a process of the domain is the instant: that is not after what bounds the time.
static void add_time(LocalActions *actions, const OffsetShape *from, const LocalParts *parts,
                     uint32_t time) {
  const uint32_t instant = actions->all->n;
  add_bound(actions, time, instant, BOUND_LE_ZERO);
  if (has_row(from, time))
    add_bound(actions, instant, time, BOUND_LE_ZERO);
  for (uint32_t c = 0; c < parts->ceiling_count; c++)
    if (parts->ceilings[c].i == time)
      add_bound(actions, instant, parts->ceilings[c].j, parts->ceilings[c].bound);
}

// The time of a process of the domain.
static uint32_t time_of(const LocalActions *actions, const LocalUse *use, uint32_t i) {
  return localaction_time(actions->all, use->domain ? use->domain[i] : i);
}

// The variable that holds when a resource was last written, if that matters.
static bool find_written(const LocalActions *actions, const OffsetShape *from, ResourceId id,
                         uint32_t *variable) {
  const Resource *resource = &actions->components->resources[id];
  if (resource->is_own) {
    *variable = actions->all->clocks + resource->written;
    return true;
  }
  *variable = resource->clock - 1;
  return resource->clock && resource->is_read && from->columns[*variable];
}

static void add_synchronisation(LocalActions *actions, const OffsetShape *from,
                                const LocalUse *use, const LocalParts *parts) {
  const uint32_t instant = actions->all->n;
  uint32_t written;
  for (uint32_t i = 0; i < use->domain_count; i++)
    add_time(actions, from, parts, time_of(actions, use, i));
  if (actions->components->rules & LOCAL_WRITES)
    for (uint32_t i = 0; i < use->writes.size; i++)
      add_bound(actions, localaction_known(actions->all, use->writes.items[i]), instant,
                BOUND_LE_ZERO);
  if (actions->components->rules & LOCAL_READ_AFTER)
    for (uint32_t i = 0; i < use->reads.size; i++)
      if (find_written(actions, from, use->reads.items[i], &written))
        add_bound(actions, written, instant, BOUND_LE_ZERO);
}

// Where the clocks of the target come from. One that matters there only is as good as set.
static void follow_updates(LocalActions *actions, const OffsetShape *from, const OffsetShape *to,
                           const LocalParts *parts) {
  for (uint32_t x = 0; x < to->clocks; x++) {
    int64_t shift;
    const ClockIndex clock = transition_trace(parts->updates, parts->update_count, x + 1, &shift);
    const bool is_set = !clock || (to->columns[x] && !from->columns[clock - 1]);
    actions->becomes[x] = is_set ? -1 : 0;
    actions->origin[x] = is_set ? x : clock - 1;
    actions->shift[x] = code_narrow(shift);
  }
}

static void name_times(LocalActions *actions, const LocalUse *use) {
  const Components *c = actions->components;
  int32_t *becomes = actions->becomes;
  for (uint32_t i = 0; i < use->domain_count; i++)
    becomes[time_of(actions, use, i)] = -1;
  for (uint32_t i = 0; i < use->writes.size; i++) {
    const ResourceId id = use->writes.items[i];
    becomes[localaction_known(actions->all, id)] = -1;
    if (c->resources[id].is_own)
      becomes[actions->all->clocks + c->resources[id].written] = -1;
  }
  if (actions->components->rules & LOCAL_READ_BEFORE)
    for (uint32_t i = 0; i < use->reads.size; i++)
      vec_push(actions->mem, &actions->kept,
               localaction_known(actions->all, use->reads.items[i]));
}

// What a clock of the target is in terms of the source; with what it is less than that.
static uint32_t trace_clock(const LocalActions *actions, ClockIndex clock, int32_t *shift) {
  *shift = clock ? actions->shift[clock - 1] : 0;
  return !clock || actions->becomes[clock - 1] ? actions->all->n : actions->origin[clock - 1];
}

// A test of the target's invariant, as it is at the instant, in terms of the source.
static bool add_invariant(LocalActions *actions, const ClockTest *test) {
  int32_t less_x, less_y;
  const uint32_t j = trace_clock(actions, test->i, &less_x);
  const uint32_t i = trace_clock(actions, test->j, &less_y);
  return add_bound(actions, i, j,
                   bound_make(code_narrow(test->constant + less_y - less_x), test->strict));
}

bool localaction_make(LocalActions *actions, const OffsetShape *from, const OffsetShape *to,
                      const LocalUse *use, const LocalParts *parts, OffsetAction *action) {
  vec_clear(&actions->in);
  vec_clear(&actions->out);
  vec_clear(&actions->between);
  vec_clear(&actions->kept);
  for (uint32_t i = 0; i < actions->all->stride; i++) {
    actions->origin[i] = i;
    actions->becomes[i] = actions->shift[i] = 0;
  }
  add_synchronisation(actions, from, use, parts);
  for (uint32_t t = 0; t < parts->guard.count; t++)
    add_guard(actions, &parts->guard.items[t]);
  follow_updates(actions, from, to, parts);
  name_times(actions, use);
  bool possible = true, is_copied = false, is_shifted = false;
  for (uint32_t t = 0; t < parts->invariant.count; t++)
    possible &= add_invariant(actions, &parts->invariant.items[t]);
  for (uint32_t x = 0; x < to->clocks; x++) {
    is_copied |= actions->origin[x] != x;
    is_shifted |= actions->shift[x] != 0;
  }
  *action = (OffsetAction){.in = actions->in.items,
                           .out = actions->out.items,
                           .in_count = actions->in.size,
                           .out_count = actions->out.size,
                           .between = actions->between.items,
                           .between_count = actions->between.size,
                           .becomes = actions->becomes,
                           .origin = is_copied ? actions->origin : NULL,
                           .shift = is_shifted ? actions->shift : NULL,
                           .kept = actions->kept.items,
                           .kept_count = actions->kept.size};
  return possible;
}
