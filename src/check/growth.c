#include "check/growth.h"

#include "check/meaning.h"
#include "check/waiting.h"
#include "model/meta.h"

#include <string.h>

// Marks the clocks that are set between two steps, but to themselves. Their values do not tell: a
// clock may be set to what it would be anyway in the round that is given, and to less in the next
// one. False on an error.
static bool find_set(Mem *mem, const Net *net, const Run *run, uint32_t from, uint32_t to,
                     bool *is_set) {
  Vm vm;
  ClockUpdates updates = {0};
  int32_t *state = mem_alloc(mem, net->slots.count * sizeof *state);
  bool ok = true;
  net_vm(net, &vm, mem);
  vm.max_constant = NET_MAX_WIDE;
  for (uint32_t i = from + 1; ok && i <= to; i++) {
    const RunStep *step = &run->steps[i];
    memcpy(state, run->steps[i - 1].state, net->slots.count * sizeof *state);
    ok = meaning_update(&vm, net, &net->hooks.before, state, &updates) == VM_TRUE;
    for (uint32_t e = 0; ok && e < step->edge_count; e++)
      ok = meaning_update(&vm, net, &step->edges[e]->update, state, &updates) == VM_TRUE;
    ok = ok && meaning_update(&vm, net, &net->hooks.after, state, &updates) == VM_TRUE;
  }
  for (uint32_t i = 0; i < updates.size; i++)
    is_set[updates.items[i].x] |=
        updates.items[i].y != updates.items[i].x || updates.items[i].constant;
  return ok;
}

static bool passes_time(const Run *run, ClockIndex x, uint32_t from, uint32_t to) {
  return run->steps[to].clocks[x] - run->steps[from].clocks[x] ==
         run->steps[to].time - run->steps[from].time;
}

// Where differences matter a clock that grows has to be far from all others, which is not looked
// at: then all of them have to be equal.
bool growth_repeats(Mem *owner, const Net *net, ClockIndex clock, LassoLimits limits,
                    const Run *run, uint32_t from, uint32_t to) {
  const int64_t max = limits.diagonal >= 0 ? -1 : limits.max;
  const RunStep *a = &run->steps[from], *b = &run->steps[to];
  if (from >= to || a->time >= b->time || !meta_is_same(net, a->state, b->state))
    return false;
  Mem *mem = mem_part(owner);
  bool *is_set = mem_alloc(mem, (net->clock_count + 1) * sizeof *is_set);
  bool ok = find_set(mem, net, run, from, to, is_set) && !is_set[clock] &&
            passes_time(run, clock, from, to);
  for (ClockIndex x = 1; ok && x <= net->clock_count; x++) {
    const bool is_large = max >= 0 && a->clocks[x] > max * run->denominator;
    ok =
        a->clocks[x] == b->clocks[x] || (is_large && !is_set[x] && passes_time(run, x, from, to));
  }
  mem_release_part(mem);
  return ok;
}

static bool reject(Text *why, const char *reason) { return text_refuse(why, "%s", reason); }

static bool can_idle(Mem *owner, const Net *net, const int32_t *state) {
  Mem *mem = mem_part(owner);
  Waiting waiting;
  waiting_init(&waiting, mem, net);
  const bool is_endless = waiting_is_endless(&waiting, state);
  mem_release_part(mem);
  return is_endless;
}

// What follows the part that repeats: the clock is not set, and the condition holds in the end.
static bool goes_on(Mem *owner, const Net *net, const Goal *condition, ClockIndex clock,
                    const Run *run, Text *why) {
  Mem *mem = mem_part(owner);
  bool *is_set = mem_alloc(mem, (net->clock_count + 1) * sizeof *is_set);
  const bool is_kept =
      find_set(mem, net, run, run->loop_to, run->step_count - 1, is_set) && !is_set[clock];
  Run plain = *run;
  plain.repeats = false;
  mem_release_part(mem);
  return is_kept ? replay_run(owner, net, condition, &plain, why)
                 : reject(why, "the clock is set after the part that repeats");
}

bool growth_waits(Mem *mem, const Net *net, LassoLimits limits, const Run *run, uint32_t step) {
  const RunStep *at = &run->steps[step];
  const int64_t until = step + 1 < run->step_count ? at[1].time : run->end_time;
  bool ok = limits.max >= 0 && limits.diagonal < 0 && until > at->time;
  for (ClockIndex x = 1; ok && x <= net->clock_count; x++)
    ok = at->clocks[x] + (until - at->time) > limits.max * run->denominator;
  return ok && can_idle(mem, net, at->state);
}

// Whether the condition holds right after some step of the part that repeats.
static bool is_met(Mem *mem, const Net *net, const Goal *condition, const Run *run) {
  bool found = false;
  for (uint32_t i = run->loop_from + 1; i < run->step_count && !found; i++) {
    Text unused = {.mem = mem};
    const Run part = {.steps = run->steps,
                      .step_count = i + 1,
                      .denominator = run->denominator,
                      .end_time = run->steps[i].time};
    found = replay_run(mem, net, condition, &part, &unused);
    text_release(&unused);
  }
  return found;
}

bool growth_check(Mem *mem, const Net *net, const Goal *condition, ClockIndex clock,
                  const Run *run, Text *why) {
  const LassoClaim claim = {.stay = condition, .start = condition};
  const RunStep *last = &run->steps[run->step_count - 1];
  if (net->traits.has_stopwatches)
    return reject(why, "clocks are stopped in this model: it is not known what repeats");
  if (!run->repeats)
    return lasso_check(mem, net, &claim, run, why) &&
           (can_idle(mem, net, last->state) ||
            reject(why, "time cannot pass for ever at its end"));
  for (uint32_t i = 0; i < run->step_count; i++)
    if (!run->steps[i].clocks)
      return reject(why, "the clocks are not stated");
  Run plain = *run;
  plain.repeats = false;
  if (!replay_run(mem, net, NULL, &plain, why))
    return false;
  const LassoLimits limits = lasso_limits(net, &claim);
  const uint32_t end = run->step_count - 1, to = run->goes_on ? run->loop_to : end;
  const bool waits = run->goes_on && to == run->loop_from && to <= end;
  if (waits && !growth_waits(mem, net, limits, run, to))
    return reject(why, "the delay cannot be longer by any time");
  if (!waits && (to > end || !growth_repeats(mem, net, clock, limits, run, run->loop_from, to)))
    return reject(why, "the part does not repeat with the same delays, or sets the clock");
  if (run->goes_on)
    return goes_on(mem, net, condition, clock, run, why);
  return is_met(mem, net, condition, run) ||
         reject(why, "the condition does not hold in the part that repeats");
}
