#include "answers/queries/deadgoal.h"

#include "semantics/zone/zones.h"

// Most discrete states have no deadlock at all, whatever the clocks: then the zone is not looked
// at.

static bool asks_only_for_deadlocks(const Goal *goal) {
  for (uint32_t i = 0; i < goal->clause_count; i++)
    if (goal->ends[i] != GOAL_DEADLOCKED)
      return false;
  return true;
}

static bool is_goal(Space *space) {
  Deadgoal *d = space->goal_context;
  const int32_t *state = zones_state(space);
  const Federation *set = deadlocks_of(&d->deadlocks, state);
  DeadlockAnswer answer = set ? DEADLOCK_NO : DEADLOCK_FAILED;
  if (set && (set->count || !asks_only_for_deadlocks(d->goal))) {
    zones_widen(space, d->zone);
    const bool has_bounds = !d->is_m && zones_local_bounds(space, d->lower, d->upper);
    answer = deadlocks_meet(&d->deadlocks, d->goal, state, d->zone, has_bounds ? d->lower : NULL,
                            has_bounds ? d->upper : NULL);
  }
  if (answer == DEADLOCK_FAILED) {
    space->failure = d->deadlocks.failure;
    space->failure_place = d->deadlocks.failure_place;
  }
  d->doubtful |= answer == DEADLOCK_DOUBT;
  return answer == DEADLOCK_YES;
}

void deadgoal_attach(Deadgoal *d, Mem *mem, Space *space, const Net *net, const Goal *goal,
                     bool is_m) {
  *d = (Deadgoal){.mem = mem, .goal = goal, .is_m = is_m};
  deadlocks_init(&d->deadlocks, mem, net);
  d->deadlocks.vm.invalid = &space->invalid;
  const uint32_t n = d->deadlocks.n;
  d->zone = mem_alloc(mem, dbm_bytes(n));
  d->lower = mem_alloc(mem, dbm_stride(n) * sizeof *d->lower);
  d->upper = mem_alloc(mem, dbm_stride(n) * sizeof *d->upper);
  space->goal_context = d;
  space->is_goal = is_goal;
}

void deadgoal_release(Deadgoal *d) {
  deadlocks_release(&d->deadlocks);
  mem_free(d->mem, d->zone);
  mem_free(d->mem, d->lower);
  mem_free(d->mem, d->upper);
}
