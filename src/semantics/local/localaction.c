#include "semantics/local/localaction.h"

#include "base/testbuild.h"

void localaction_init(LocalActions *actions, Mem *mem, Arena *arena, const Resources *resources,
                      const OffsetShape *all) {
  *actions = (LocalActions){.mem = mem, .resources = resources, .all = all};
  actions->origin = ARENA_ARRAY(arena, uint32_t, all->stride);
  actions->becomes = ARENA_ARRAY(arena, int32_t, all->stride);
  actions->shift = ARENA_ARRAY(arena, int32_t, all->stride);
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

void localaction_guard(LocalActions *actions, const ClockTest *tests, uint32_t count) {
  const uint32_t instant = actions->all->n;
  for (const ClockTest *test = tests; test < tests + count;
       test++) // x - y is y's offset less x's
    add_bound(actions, test->j ? test->j - 1 : instant, test->i ? test->i - 1 : instant,
              bound_make(code_narrow(test->constant), test->strict));
}

// The time of a process of the domain is the instant: that is not after what bounds the time.
static void add_time(LocalActions *actions, uint32_t time, const Constraint *ceilings,
                     uint32_t count) {
  const uint32_t instant = actions->all->n;
  add_bound(actions, time, instant, BOUND_LE_ZERO);
  if (offset_has_row(actions->from, time))
    add_bound(actions, instant, time, BOUND_LE_ZERO);
  for (uint32_t c = 0; c < count; c++)
    if (ceilings[c].i == time)
      add_bound(actions, instant, ceilings[c].j, ceilings[c].bound);
}

// The time of a process of the domain.
static uint32_t time_of(const LocalActions *actions, const LocalUse *use, uint32_t i) {
  return localaction_time(actions->all, use->domain ? use->domain[i] : i);
}

// The variable that holds when a resource was last written, if that matters.
static bool find_written(const LocalActions *actions, ResourceId id, uint32_t *variable) {
  const Resource *resource = &actions->resources->items[id];
  if (resource->is_own) {
    *variable = actions->all->clocks + resource->written;
    return true;
  }
  *variable = resource->clock - 1;
  return resource->clock && resource->is_read && actions->from->columns[*variable];
}

static void add_synchronisation(LocalActions *actions, const LocalUse *use) {
  const uint32_t instant = actions->all->n;
  uint32_t written;
  if (!PLANTED("local-writes"))
    for (uint32_t i = 0; i < use->writes.size; i++)
      add_bound(actions, localaction_known(actions->all, use->writes.items[i]), instant,
                BOUND_LE_ZERO);
  if (!PLANTED("local-read-after"))
    for (uint32_t i = 0; i < use->reads.size; i++)
      if (find_written(actions, use->reads.items[i], &written))
        add_bound(actions, written, instant, BOUND_LE_ZERO);
}

static void name_times(LocalActions *actions, const LocalUse *use) {
  const Resources *c = actions->resources;
  int32_t *becomes = actions->becomes;
  for (uint32_t i = 0; i < use->domain_count; i++)
    becomes[time_of(actions, use, i)] = -1;
  for (uint32_t i = 0; i < use->writes.size; i++) {
    const ResourceId id = use->writes.items[i];
    becomes[localaction_known(actions->all, id)] = -1;
    if (c->items[id].is_own)
      becomes[actions->all->clocks + c->items[id].written] = -1;
  }
  if (!PLANTED("local-read-before"))
    for (uint32_t i = 0; i < use->reads.size; i++)
      vec_push(actions->mem, &actions->kept,
               localaction_known(actions->all, use->reads.items[i]));
}

void localaction_begin(LocalActions *actions, const OffsetShape *from, const LocalUse *use,
                       const Constraint *ceilings, uint32_t count) {
  actions->from = from;
  actions->is_possible = true;
  actions->is_copied = actions->is_shifted = false;
  vec_clear(&actions->in);
  vec_clear(&actions->out);
  vec_clear(&actions->between);
  vec_clear(&actions->kept);
  for (uint32_t i = 0; i < actions->all->stride; i++) {
    actions->origin[i] = i;
    actions->becomes[i] = actions->shift[i] = 0;
  }
  for (uint32_t i = 0; i < use->domain_count; i++)
    add_time(actions, time_of(actions, use, i), ceilings, count);
  add_synchronisation(actions, use);
  name_times(actions, use);
}

// Where the clocks of the target come from. One that matters there only is as good as set. There
// may be far more updates than clocks, so each clock is followed once.
void localaction_update(LocalActions *actions, const OffsetShape *to, const ClockUpdate *updates,
                        uint32_t count) {
  const int32_t *before = actions->from->columns;
  for (uint32_t x = 0; x < to->clocks; x++) {
    int64_t shift;
    const ClockIndex clock = transition_trace(updates, count, x + 1, &shift);
    const bool is_set = !clock || (to->columns[x] && !before[clock - 1]);
    actions->becomes[x] = is_set ? -1 : 0;
    actions->origin[x] = is_set ? x : clock - 1;
    actions->shift[x] = code_narrow(shift);
    actions->is_copied |= actions->origin[x] != x;
    actions->is_shifted |= shift != 0;
  }
}

// What a clock of the target is in terms of the source; with what it is less than that.
static uint32_t trace_clock(const LocalActions *actions, ClockIndex clock, int32_t *shift) {
  *shift = clock ? actions->shift[clock - 1] : 0;
  return !clock || actions->becomes[clock - 1] ? actions->all->n : actions->origin[clock - 1];
}

// As they are at the instant, in terms of the source.
void localaction_invariant(LocalActions *actions, const ClockTest *tests, uint32_t count) {
  for (const ClockTest *test = tests; test < tests + count; test++) {
    int32_t less_x, less_y;
    const uint32_t j = trace_clock(actions, test->i, &less_x);
    const uint32_t i = trace_clock(actions, test->j, &less_y);
    actions->is_possible &= add_bound(
        actions, i, j, bound_make(code_narrow(test->constant + less_y - less_x), test->strict));
  }
}

bool localaction_end(const LocalActions *actions, OffsetAction *action) {
  *action = (OffsetAction){.in = actions->in.items,
                           .out = actions->out.items,
                           .in_count = actions->in.size,
                           .out_count = actions->out.size,
                           .between = actions->between.items,
                           .between_count = actions->between.size,
                           .becomes = actions->becomes,
                           .origin = actions->is_copied ? actions->origin : NULL,
                           .shift = actions->is_shifted ? actions->shift : NULL,
                           .kept = actions->kept.items,
                           .kept_count = actions->kept.size};
  return actions->is_possible;
}
