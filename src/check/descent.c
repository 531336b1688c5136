#include "check/descent.h"

#include "check/meaning.h"

static bool asks_for_ends(const Goal *goal) {
  for (uint32_t i = 0; goal && goal->ends && i < goal->clause_count; i++)
    if (goal->ends[i] != GOAL_ANY)
      return true;
  return false;
}

static bool has_clocks(const Goal *goal) {
  for (uint32_t i = 0; goal && i < goal->clause_count; i++)
    if (goal->clauses[i].expr && expr_has_clock_test(goal->clauses[i].expr))
      return true;
  return false;
}

bool descent_init(Descent *p, Mem *mem, const Net *net, const LassoClaim *claim, bool is_timed) {
  *p = (Descent){.mem = mem, .claim = claim, .is_timed = is_timed};
  bool is_known = !asks_for_ends(claim->stay) && !asks_for_ends(claim->start) &&
                  (is_timed || (!has_clocks(claim->stay) && !has_clocks(claim->start)));
  for (uint32_t i = 0; i < claim->label_count; i++)
    is_known &= !asks_for_ends(&claim->labels[i]) && !has_clocks(&claim->labels[i]);
  if (!is_known)
    return false;
  p->tick = net->reading.measures_time ? net->clock_count : 0;
  p->same = mem_alloc(mem, (net->clock_count + 1) * sizeof *p->same);
  for (ClockIndex x = 0; x <= net->clock_count; x++)
    p->same[x] = (Origin){x, 0};
  if (is_timed)
    clockparts_init(&p->parts, mem, net, claim->stay, claim->start);
  return true;
}

// An error counts as true, and the certificate is rejected for it in the end.
static bool holds(Descent *p, StateTransitions *a, const Goal *goal, const int32_t *state) {
  meaning_goal(&a->vm, a->net, goal, state);
  for (uint32_t i = 0; i < goal->clause_count; i++) {
    const char *error = NULL;
    vec_clear(&a->fresh);
    const bool is_true =
        statetransitions_guard_holds(a, &goal->clauses[i], state, &a->fresh, &error);
    if (error)
      p->error = error;
    if (is_true)
      return true;
  }
  return false;
}

uint32_t descent_first_mode(const Descent *p) { return p->claim->stay && !p->claim->start; }

bool descent_stays(Descent *p, StateTransitions *a, const int32_t *state, uint32_t mode) {
  return !mode || !p->claim->stay || holds(p, a, p->claim->stay, state);
}

bool descent_hops(Descent *p, StateTransitions *a, const int32_t *state, uint32_t mode) {
  return !mode && p->claim->stay && p->claim->start && holds(p, a, p->claim->start, state) &&
         holds(p, a, p->claim->stay, state);
}

bool descent_ticks(const Descent *p, uint32_t mode) {
  return p->tick && (mode || !p->claim->stay);
}

bool descent_allows(Descent *p, StateTransitions *a, const int32_t *target, uint32_t mode,
                    bool ticks, uint32_t from, uint32_t to, uint32_t missing) {
  if (to != from)
    return to < from;
  if (!missing)
    return p->claim->stay && !mode;
  if (missing <= p->claim->label_count)
    return !holds(p, a, &p->claim->labels[missing - 1], target);
  return p->tick && missing == p->claim->label_count + 1 && !ticks;
}
