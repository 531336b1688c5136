#include "check/growth.h"

#include "check/waiting.h"
#include "model/meta.h"

// Between two steps, all that is set is set to less than it would be: a clock that is set to a
// larger value would be rejected, too, as it is not known to have passed the time.
static bool is_set(const Run *run, ClockIndex x, uint32_t from, uint32_t to) {
  for (uint32_t i = from + 1; i <= to; i++)
    if (run->steps[i].clocks[x] - run->steps[i - 1].clocks[x] !=
        run->steps[i].time - run->steps[i - 1].time)
      return true;
  return false;
}

// Where differences matter a clock that grows has to be far from all others, which is not looked
// at: then all of them have to be equal.
bool growth_repeats(const Net *net, ClockIndex clock, LassoLimits limits, const Run *run,
                    uint32_t from, uint32_t to) {
  const int64_t max = limits.diagonal >= 0 ? -1 : limits.max;
  const RunStep *a = &run->steps[from], *b = &run->steps[to];
  if (from >= to || a->time >= b->time || is_set(run, clock, from, to) ||
      !meta_is_same(net, a->state, b->state))
    return false;
  for (ClockIndex x = 1; x <= net->clock_count; x++) {
    const bool is_large = max >= 0 && a->clocks[x] > max * run->denominator;
    if (a->clocks[x] != b->clocks[x] && (!is_large || is_set(run, x, from, to)))
      return false;
  }
  return true;
}

static bool reject(Text *why, const char *reason) {
  text_add(why, reason);
  return false;
}

static bool can_idle(Mem *mem, const Net *net, const int32_t *state) {
  Waiting waiting;
  waiting_init(&waiting, mem, net);
  const bool is_endless = waiting_is_endless(&waiting, state);
  waiting_release(&waiting);
  return is_endless;
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
  if (!growth_repeats(net, clock, limits, run, run->loop_from, run->step_count - 1))
    return reject(why, "the part does not repeat with the same delays, or sets the clock");
  return is_met(mem, net, condition, run) ||
         reject(why, "the condition does not hold in the part that repeats");
}
