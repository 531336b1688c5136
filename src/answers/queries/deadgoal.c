#include "answers/queries/deadgoal.h"

#include "semantics/zone/zones.h"

// Most discrete states have no deadlock at all, whatever the clocks, and mostly whatever the
// variables: then the location vector has a note that says so, and nothing else is looked at.

enum { NOTE_ALIVE = 1, NOTE_OPEN }; // of a location vector: no deadlock in it, or it depends

static bool asks_only_for_deadlocks(const Goal *goal) {
  for (uint32_t i = 0; i < goal->clause_count; i++)
    if (goal->ends[i] != GOAL_DEADLOCKED)
      return false;
  return true;
}

static const Bound *widen(void *context) {
  Deadgoal *d = context;
  if (!d->has_zone)
    zones_widen(d->space, d->zone);
  d->has_zone = true;
  return d->zone;
}

static bool find_bounds(void *context, const int32_t **lower, const int32_t **upper) {
  Deadgoal *d = context;
  *lower = d->lower;
  *upper = d->upper;
  return zones_local_bounds(d->space, d->lower, d->upper);
}

static bool is_alive(Deadgoal *d) {
  uint32_t *note = zones_note(d->space);
  if (!*note)
    *note = deadlocks_are_never(&d->deadlocks, zones_state(d->space)) ? NOTE_ALIVE : NOTE_OPEN;
  return *note == NOTE_ALIVE;
}

static bool is_goal(Space *space) {
  Deadgoal *d = space->goal_context;
  if (space->exchange.is_unfinished) // its owner looks
    return false;
  const bool alive = is_alive(d);
  if (alive && d->asks_only)
    return false;
  const DeadlockZone zone = {widen, d->is_m ? NULL : find_bounds, d};
  d->has_zone = false;
  const DeadlockAnswer answer =
      deadlocks_meet(&d->deadlocks, d->goal, zones_state(space), alive, &zone);
  if (answer == DEADLOCK_FAILED) {
    space->failure = d->deadlocks.failure;
    space->failure_place = d->deadlocks.failure_place;
  }
  if (answer == DEADLOCK_DOUBT)
    __atomic_store_n(&d->first->doubtful, true, __ATOMIC_RELAXED);
  return answer == DEADLOCK_YES;
}

// A space for another thread looks for deadlocks, too, and tells the first one of doubts. It goes
// with the thread's memory.
static Space *new_sibling(Space *space, Mem *mem) {
  Deadgoal *d = space->goal_context, *other = mem_alloc(mem, sizeof *other);
  Space *sibling = d->make_sibling(space, mem);
  deadgoal_attach(other, mem, sibling, space->net, d->goal, d->is_m);
  other->first = d->first;
  return sibling;
}

void deadgoal_attach(Deadgoal *d, Mem *mem, Space *space, const Net *net, const Goal *goal,
                     bool is_m) {
  *d = (Deadgoal){.mem = mem, .space = space, .goal = goal, .is_m = is_m};
  d->first = d;
  d->make_sibling = space->exchange.sibling;
  d->asks_only = asks_only_for_deadlocks(goal);
  deadlocks_init(&d->deadlocks, mem, net);
  mem = d->deadlocks.mem;
  const uint32_t n = d->deadlocks.n;
  d->zone = mem_alloc(mem, dbm_bytes(n));
  d->lower = mem_alloc(mem, dbm_stride(n) * sizeof *d->lower);
  d->upper = mem_alloc(mem, dbm_stride(n) * sizeof *d->upper);
  space->goal_context = d;
  space->is_goal = is_goal;
  if (d->make_sibling)
    space->exchange.sibling = new_sibling;
}

void deadgoal_release(Deadgoal *d) { deadlocks_release(&d->deadlocks); }
