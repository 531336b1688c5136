#include "semantics/zone/setup.h"

#include "dbm/kernel/step.h"
#include "model/access.h"
#include "semantics/zone/covering.h"
#include "semantics/zone/message.h"
#include "semantics/zone/partialorder.h"
#include "semantics/zone/reduce.h"
#include "semantics/zone/zonediagonals.h"

static bool compute_bounds(Zones *zones, Report *report) {
  const ClockBounds *bounds = NULL;
  if (!zonediagonals_find(zones, report))
    return false;
  zones->covering.kind = abstraction_covering(zones->abstraction);
  zones->extrapolation =
      zones->covering.kind == PROBE_INCLUSION ? zones->abstraction : ABSTRACTION_NONE;
  if (zones->abstraction != ABSTRACTION_NONE) {
    Net net = *zones->net;
    // Bounds that are found during the search must not exceed the static ones
    // (search/passed/fly.c). They know nothing of ranges by location: so those do not count
    // there.
    if (zones->options.bounds == BOUNDS_FLY || zones->options.bounds == BOUNDS_LAZY)
      net.slots.local = NULL;
    if (!clockbounds_compute_beside(&zones->bounds, &zones->arena, &net, zones->goal,
                                    zonediagonals_sets(zones), report))
      return false;
    bounds = &zones->bounds;
    zones->max = abstraction_max(bounds, zones->net->clock_count + 1);
    zones->step_max = step_max(zones->max);
  }
  locvector_init(&zones->vectors, zones->mem, zones->net, &zones->layout, bounds,
                 zonediagonals_sets(zones), zones->options.bounds == BOUNDS_GLOBAL,
                 abstraction_is_maximal(zones->abstraction));
  return true;
}

// The processes whose locations the goal looks at.
static const bool *focus_of(Arena *arena, const Net *net, const Goal *goal) {
  bool *focus = ARENA_ARRAY(arena, bool, net->processes.size);
  Access access;
  access_init(&access, arena, net);
  for (uint32_t i = 0; i < goal->clause_count; i++)
    access_expr(&access, goal->clauses[i].expr);
  for (ProcessId p = 0; p < net->processes.size; p++)
    focus[p] = access.marks[access.first_location + p];
  access_release(&access);
  return focus;
}

static Space *new_sibling(Space *space, Mem *mem) {
  Zones *zones = (Zones *)space;
  message_partition(zones);
  Space *other = zones->make(mem, zones->net, zones->goal, &zones->options, &(Report){0});
  if (zones->covering.table == &zones->table) // in local time zones are swept
    zonetable_share(&zones->table, &((Zones *)other)->table);
  if (zones->reduction)
    reduce_attach(other, zones->reduction->symmetry, zones->prune);
  if (zones->partialorder)
    partialorder_attach((Zones *)other);
  other->exchange.partition = space->exchange.partition;
  return other;
}

bool setup_init(Zones *zones, const Time *time, Mem *mem, const Net *net, const Goal *goal,
                const Options *options, Report *report) {
  zones->space = engine_functions;
  zones->space.mem = mem;
  zones->space.exchange = message_functions;
  zones->space.exchange.sibling = new_sibling;
  zones->time = time;
  zones->mem = mem;
  zones->arena = (Arena){.mem = mem};
  zones->net = net;
  zones->goal = goal;
  zones->options = *options;
  zones->abstraction = (Abstraction)options->abstraction;
  zones->opened.is_random = options->seed != 0;
  zones->covering.table = &zones->table;
  random_seed(&zones->opened.random, (uint64_t)options->seed);
  net_vm(net, &zones->vm, mem);
  zones->vm.invalid = &zones->space.invalid;
  state_layout(&zones->layout, &zones->arena, net);
  states_init(&zones->states, &zones->arena, net, &zones->layout, &zones->vm);
  zones->opened.ahead_keys =
      ARENA_ARRAY(&zones->arena, uint64_t, zones->layout.words * SPACE_AHEAD);
  zones->space.net = net;
  zones->space.key = zones->states.key;
  zones->space.key_words = zones->layout.words;
  if (options->is_focused && goal)
    zones->opened.focus = focus_of(&zones->arena, net, goal);
  if (!goal)
    zones->space.is_goal = NULL;
  return net_is_narrow(net, report) &&
         abstraction_admits(options, net, goal, time->knows_diagonals, report) &&
         compute_bounds(zones, report);
}

void setup_prepare(Zones *zones, size_t max_bytes) {
  Covering *covering = &zones->covering;
  const uint32_t k = zones->vectors.n;
  zones->space.exchange.message_bytes = message_max_bytes(zones, max_bytes);
  probe_init(&covering->probe, arena_align(&zones->arena, probe_bytes(k), 0), k);
  covering_allow_sketches(zones);
#ifdef TARN_PLAIN
  covering->probe.only_32 = true;
  zones->space.speed = (Speed){0};
#else
  zones->results.is_on = !zones->space.needs; // the way to a result tells what it needs
  memo_init(&zones->results.memo, zones->mem);
#endif
}
