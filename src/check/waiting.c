#include "check/waiting.h"

#include <string.h>

typedef struct WaitingOrigin { // x is the clock before, plus a constant
  ClockIndex clock;
  int64_t added; // a numerator
} WaitingOrigin;

typedef struct Delays { // low <= d <= high, either strict; as numerators
  int64_t low, high;
  bool low_strict, high_strict, has_high, is_empty;
} Delays;

void waiting_init(Waiting *w, Mem *mem, const Net *net, Moves *moves, Vm *vm) {
  *w = (Waiting){.mem = mem, .net = net, .moves = moves, .vm = vm};
  w->state = mem_alloc(mem, net->slots.count * sizeof *w->state);
  w->origins = mem_alloc(mem, (net->clock_count + 1) * sizeof *w->origins);
}

void waiting_release(Waiting *w) {
  mem_free(w->mem, w->state);
  mem_free(w->mem, w->origins);
  vec_release(w->mem, &w->tests);
  vec_release(w->mem, &w->updates);
}

static void raise_low(Delays *d, int64_t low, bool strict) {
  if (low > d->low || (low == d->low && strict)) {
    d->low = low;
    d->low_strict = strict;
  }
}

static void lower_high(Delays *d, int64_t high, bool strict) {
  if (!d->has_high || high < d->high || (high == d->high && strict)) {
    d->high = high;
    d->high_strict = strict;
    d->has_high = true;
  }
}

// The delays after which the tests hold of the clocks with these origins.
static void cut(Delays *d, const Waiting *w, const int64_t *clocks, int64_t denominator) {
  for (uint32_t i = 0; i < w->tests.size; i++) {
    const ClockTest t = w->tests.items[i];
    const WaitingOrigin a = w->origins[t.i], b = w->origins[t.j];
    // left + da * d - db * d within constant, where da and db are 0 or 1
    const int64_t room =
        t.constant * denominator - (clocks[a.clock] + a.added) + (clocks[b.clock] + b.added);
    const bool grows = a.clock && !b.clock, shrinks = !a.clock && b.clock;
    if (grows)
      lower_high(d, room, t.strict);
    else if (shrinks)
      raise_low(d, -room, t.strict);
    else if (t.strict ? room <= 0 : room < 0)
      d->is_empty = true;
  }
}

static bool is_none(const Delays *d) {
  return d->is_empty ||
         (d->has_high &&
          (d->low > d->high || (d->low == d->high && (d->low_strict || d->high_strict))));
}

static void reset_origins(Waiting *w) {
  for (ClockIndex x = 0; x <= w->net->clock_count; x++)
    w->origins[x] = (WaitingOrigin){x, 0};
}

// Collects the invariants of a state; false if the integer part of one fails.
static bool find_invariants(Waiting *w, const int32_t *state) {
  vec_clear(&w->tests);
  for (ProcessId p = 0; p < w->net->processes.size; p++) {
    const Location *location = net_location(w->net, p, state[w->net->location_slot + p]);
    if (vm_guard(w->vm, &location->invariant, state, &w->tests) != VM_TRUE)
      return false;
  }
  return true;
}

// Whether the move can be made after one of the delays.
static bool can_move(Waiting *w, const MoveEdges *move, const int32_t *state,
                     const int64_t *clocks, int64_t denominator, Delays delays) {
  const Edge *const *edges = &w->moves->edges.items[move->first];
  vec_clear(&w->tests);
  for (uint32_t i = 0; i < move->count; i++)
    if (vm_guard(w->vm, &edges[i]->guard, state, &w->tests) != VM_TRUE)
      return false;
  reset_origins(w);
  cut(&delays, w, clocks, denominator);
  memcpy(w->state, state, w->net->slots.count * sizeof *state);
  vec_clear(&w->updates);
  for (uint32_t i = 0; i < move->count; i++)
    if (vm_update(w->vm, &edges[i]->update, w->state, &w->updates) != VM_TRUE)
      return false;
  for (uint32_t i = 0; i < move->count; i++)
    w->state[w->net->location_slot + edges[i]->process] = net_index(w->net, edges[i]->target);
  for (uint32_t i = 0; i < w->updates.size; i++) {
    const ClockUpdate u = w->updates.items[i];
    w->origins[u.x] =
        (WaitingOrigin){w->origins[u.y].clock, w->origins[u.y].added + u.constant * denominator};
  }
  if (!find_invariants(w, w->state))
    return false;
  cut(&delays, w, clocks, denominator);
  return !is_none(&delays);
}

bool waiting_is_deadlocked(Waiting *w, const int32_t *state, const int64_t *clocks,
                           int64_t denominator) {
  Delays delays = {0};
  reset_origins(w);
  if (!moves_can_delay(w->net, state))
    lower_high(&delays, 0, false);
  if (find_invariants(w, state))
    cut(&delays, w, clocks, denominator);
  moves_find(w->moves, state);
  for (uint32_t i = 0; i < w->moves->list.size; i++) {
    const MoveEdges move = w->moves->list.items[i];
    if (can_move(w, &move, state, clocks, denominator, delays))
      return false;
  }
  return true;
}

bool waiting_is_endless(Waiting *w, const int32_t *state) {
  if (!moves_can_delay(w->net, state) || !find_invariants(w, state))
    return false;
  for (uint32_t i = 0; i < w->tests.size; i++)
    if (w->tests.items[i].i && !w->tests.items[i].j)
      return false;
  return true;
}
