#include "check/waiting.h"

typedef struct Delays { // low <= d <= high, either strict; as numerators
  int64_t low, high;
  bool low_strict, high_strict, has_high, is_empty;
} Delays;

void waiting_init(Waiting *w, Mem *mem, const Net *net) {
  statetransitions_init(&w->outgoing, mem, net);
  w->outgoing.vm.max_constant = NET_MAX_WIDE;
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

// The delays after which the tests hold.
static void cut(Delays *d, const ClockTest *tests, uint32_t count, const int64_t *clocks,
                int64_t denominator) {
  for (uint32_t i = 0; i < count; i++) {
    const ClockTest t = tests[i];
    const int64_t bound = t.constant * denominator - clocks[t.i] + clocks[t.j];
    if (t.i && !t.j)
      lower_high(d, bound, t.strict);
    else if (!t.i && t.j)
      raise_low(d, -bound, t.strict);
    else if (t.strict ? bound <= 0 : bound < 0)
      d->is_empty = true;
  }
}

static bool is_none(const Delays *d) {
  return d->is_empty ||
         (d->has_high &&
          (d->low > d->high || (d->low == d->high && (d->low_strict || d->high_strict))));
}

// Whether a transition is possible after one of the delays.
static bool is_possible(const StateTransitions *a, const StateTransition *transition,
                        const int64_t *clocks, int64_t denominator, Delays delays) {
  cut(&delays, &a->tests.items[transition->first_test], transition->test_count, clocks,
      denominator);
  for (uint32_t i = 0; i < transition->drop_count;
       i++) { // x = y + d, and no clock becomes negative
    const Origin drop = a->drops.items[transition->first_drop + i];
    const int64_t least = -drop.d * denominator - clocks[drop.y];
    delays.is_empty |= !drop.y;
    raise_low(&delays, least, false);
  }
  return !is_none(&delays);
}

// What is known of the actions after a delay: that there is one, and that there may be.
typedef struct Outlook {
  bool has_action, may_have;
} Outlook;

static Outlook look(Waiting *w, const int32_t *state, const int64_t *clocks,
                    int64_t denominator) {
  StateTransitions *a = &w->outgoing;
  Outlook outlook = {0};
  Delays delays = {0};
  if (statetransitions_find(a, state))
    return (Outlook){.may_have = true};
  if (a->invariant_fails)
    return outlook;
  cut(&delays, a->invariant.items, a->invariant.size, clocks, denominator);
  Delays now = delays;
  lower_high(&now, 0, false);
  for (uint32_t i = 0; i < a->list.size; i++) {
    const StateTransition *transition = &a->list.items[i];
    const bool is_delay = !a->transitions.list.items[transition->ordinal].count;
    if (transition->is_blocked ||
        !is_possible(a, transition, clocks, denominator, a->can_delay ? delays : now))
      continue;
    // Where time passes in parts of the clock space, what follows is not looked at. A transition
    // that fails is an action, too: the state is not deadlocked.
    outlook.may_have = true;
    outlook.has_action |= !is_delay && !transition->is_weakened;
  }
  return outlook;
}

bool waiting_is_deadlocked(Waiting *w, const int32_t *state, const int64_t *clocks,
                           int64_t denominator) {
  return !look(w, state, clocks, denominator).may_have;
}

bool waiting_can_act(Waiting *w, const int32_t *state, const int64_t *clocks,
                     int64_t denominator) {
  return look(w, state, clocks, denominator).has_action;
}

bool waiting_is_endless(Waiting *w, const int32_t *state) {
  const StateTransitions *a = &w->outgoing;
  if (statetransitions_find(&w->outgoing, state) || a->invariant_fails || !a->can_delay)
    return false;
  for (uint32_t i = 0; i < a->invariant.size; i++)
    if (a->invariant.items[i].i && !a->invariant.items[i].j)
      return false;
  return true;
}
