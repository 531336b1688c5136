#include "answers/runs/simulate.h"

#include "model/state.h"

#include <string.h>

// Of numerators, and of the denominator: products with each other and with constants of the model
// are at most 2^60.
static int64_t max_time(const Simulation *s) {
  return INT64_C(1) << (net_is_wide(s->net) ? 48 : 40);
}
static int64_t max_denominator(const Simulation *s) {
  return INT64_C(1) << (net_is_wide(s->net) ? 12 : 20);
}

static RunStep *present(const Simulation *s) { return &s->steps.items[s->steps.size - 1]; }

// Cuts the interval of delays by a test on clocks; a test that the delay does not change empties
// it, or not at all.
static void cut(const Simulation *s, Choice *choice, const SimulatedClock *clocks,
                const ClockTest *test) {
  const SimulatedClock x = clocks[test->i], y = clocks[test->j];
  const int64_t max = INT64_C(1) << 61; // no delay is as large, and twice that can be told
  const int64_t space = test->constant * s->denominator - (x.value - y.value);
  const int64_t limit = 2 * (space > max ? max : space < -max ? -max : space) - test->strict;
  if (x.runs && !y.runs) // x + d <= c
    choice->high = limit < choice->high ? limit : choice->high;
  else if (y.runs && !x.runs) // -(x + d) <= c
    choice->low = -limit > choice->low ? -limit : choice->low;
  else if (limit < 0)
    choice->high = -1;
}

static void cut_all(const Simulation *s, Choice *choice, const SimulatedClock *clocks,
                    const ClockTest *tests, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    cut(s, choice, clocks, &tests[i]);
}

// By the invariant of a state; false if it does not hold whatever the clocks are.
static bool cut_invariant(Simulation *s, Choice *choice, const SimulatedClock *clocks,
                          const int32_t *state) {
  if (stepper_invariant(&s->stepper, state) != VM_TRUE)
    return false;
  cut_all(s, choice, clocks, s->stepper.tests.items, s->stepper.tests.size);
  return true;
}

// What a joint transition makes of the present state and clocks; false if it cannot be.
static bool look_ahead(Simulation *s, const Edge *const *edges, uint32_t count) {
  memcpy(s->target, present(s)->state, s->net->slots.count * sizeof *s->target);
  memcpy(s->then, s->now, (s->net->clock_count + 1) * sizeof *s->then);
  vec_clear(&s->stepper.updates);
  if (joint_run(s->net, &s->stepper.vm, edges, count, s->target, &s->stepper.updates) != VM_TRUE)
    return false;
  for (uint32_t i = 0; i < s->stepper.updates.size; i++) {
    const ClockUpdate u = s->stepper.updates.items[i];
    s->then[u.x] = s->then[u.y];
    s->then[u.x].value += u.constant * s->denominator;
  }
  return true;
}

// A delay by a transition: its tests hold now, those of `after` and the invariants in the end.
static bool find_delay(Simulation *s, Choice *choice) {
  Choice begin = {.high = 0};
  const Joint *joint = &s->stepper.joint;
  cut_all(s, &begin, s->now, joint->extra.items, joint->extra.count);
  choice->is_delay = true;
  choice->low = 1;
  cut_all(s, choice, s->now, joint->after.items, joint->after.count);
  return begin.low <= begin.high && cut_invariant(s, choice, s->now, present(s)->state) &&
         choice->low <= choice->high;
}

// Whether the present joint transition is possible after some delay, for all that is known
// without clocks; then the choice.
static bool find_choice(Simulation *s, Choice *choice) {
  const int32_t *state = present(s)->state;
  *choice = (Choice){.ordinal = s->stepper.joint.ordinal, .high = SIMULATE_ENDLESS};
  if (!s->stepper.joint.edge_count)
    return find_delay(s, choice);
  if (!joint_can_delay(&s->stepper.joint, state))
    choice->high = 0;
  choice->obstacle = OBSTACLE_GUARD;
  if (stepper_guard(&s->stepper, state) != VM_TRUE)
    return false;
  cut_all(s, choice, s->now, s->stepper.tests.items, s->stepper.tests.size);
  if (!cut_invariant(s, choice, s->now, state) || choice->low > choice->high)
    return false;
  choice->obstacle = OBSTACLE_UPDATE;
  if (!look_ahead(s, s->stepper.joint.edges, s->stepper.joint.edge_count))
    return false;
  for (ClockIndex x = 1; x <= s->net->clock_count; x++) // no clock becomes negative
    cut(s, choice, s->then, &(ClockTest){.j = x});
  if (choice->low <= choice->high)
    choice->obstacle = OBSTACLE_TARGET;
  s->before = *choice;
  return cut_invariant(s, choice, s->then, s->target) && choice->low <= choice->high;
}

Obstacle simulate_obstacle(Simulation *s) {
  Choice choice;
  return find_choice(s, &choice) ? OBSTACLE_NONE : choice.obstacle;
}

Choice simulate_stay(Simulation *s, ProcessId process, bool is_target) {
  const int32_t *state = is_target ? s->target : present(s)->state;
  const Guard *invariant =
      s->net->by_location.invariants[net_location_at(s->net, process, state)];
  Choice choice = is_target ? s->before : (Choice){.high = SIMULATE_ENDLESS};
  vec_clear(&s->stepper.tests);
  if (invariant && vm_guard(&s->stepper.vm, invariant, state, &s->stepper.tests) != VM_TRUE)
    choice.high = -1;
  cut_all(s, &choice, is_target ? s->then : s->now, s->stepper.tests.items,
          s->stepper.tests.size);
  return choice;
}

// How long time may pass, if locations let it pass freely.
static void find_wait(Simulation *s) {
  const int32_t *state = present(s)->state;
  s->wait = (Choice){.low = 1, .high = SIMULATE_ENDLESS};
  if (!joint_can_delay(&s->stepper.joint, state) || !cut_invariant(s, &s->wait, s->now, state))
    s->wait.high = -1;
}

static void find_clocks(Simulation *s) {
  for (ClockIndex x = 1; x <= s->net->clock_count; x++) {
    s->clocks[x] = present(s)->clocks[x] + s->waited;
    s->now[x] = (SimulatedClock){s->clocks[x], true};
  }
}

void simulate_lose_choices(Simulation *s) {
  s->wait.high = -1;
  s->is_lost = true;
  vec_clear(&s->choices);
}

static void find_choices(Simulation *s) {
  find_clocks(s);
  simulate_lose_choices(s);
  find_wait(s);
  joint_begin(&s->stepper.joint, present(s)->state);
  while (joint_next(&s->stepper.joint)) {
    Choice choice;
    if (find_choice(s, &choice))
      vec_push(s->mem, &s->choices, choice);
  }
  s->is_lost = false;
}

static void push(Simulation *s, RunStep step) {
  vec_push(s->mem, &s->steps, step);
  s->known = s->steps.size;
  s->waited = 0;
  find_clocks(s);
}

static void begin(Simulation *s, const int32_t *state) {
  int64_t *clocks = ARENA_ARRAY(&s->arena, int64_t, s->net->clock_count + 1);
  for (ClockIndex x = 1; s->net->clock_initial && x <= s->net->clock_count; x++)
    clocks[x] = s->net->clock_initial[x] * s->denominator;
  vec_clear(&s->steps);
  push(s, (RunStep){.state = state, .clocks = clocks});
}

// Takes a joint transition after a delay; false if it cannot be.
static bool take(Simulation *s, const Edge *const *edges, uint32_t count, int64_t delay) {
  if (!look_ahead(s, edges, count))
    return false;
  int64_t *clocks = ARENA_ARRAY(&s->arena, int64_t, s->net->clock_count + 1);
  for (ClockIndex x = 1; x <= s->net->clock_count; x++)
    clocks[x] = s->then[x].value + s->then[x].runs * delay;
  push(s, (RunStep){arena_copy(&s->arena, edges, count * sizeof *edges), count,
                    present(s)->time + s->waited + delay,
                    arena_copy(&s->arena, s->target, s->net->slots.count * sizeof *s->target),
                    clocks});
  return true;
}

bool simulate_init(Simulation *s, Mem *owner, const Net *net) {
  Mem *mem = mem_part(owner);
  *s = (Simulation){.mem = mem, .net = net, .arena = {.mem = mem}, .denominator = 1};
  stepper_init(&s->stepper, net, &s->arena);
  s->target = ARENA_ARRAY(&s->arena, int32_t, net->slots.count);
  s->clocks = ARENA_ARRAY(&s->arena, int64_t, net->clock_count + 1);
  s->now = ARENA_ARRAY(&s->arena, SimulatedClock, net->clock_count + 1);
  s->then = ARENA_ARRAY(&s->arena, SimulatedClock, net->clock_count + 1);
  int32_t *state = ARENA_ARRAY(&s->arena, int32_t, net->slots.count);
  begin(s, state);
  bool found = false;
  for (uint32_t i = 0; !found && state_initial(net, state, i); i++) {
    Choice now = {.high = 0};
    found = cut_invariant(s, &now, s->now, state) && now.low <= now.high;
  }
  if (found)
    find_choices(s);
  return found;
}

void simulate_release(Simulation *s) { mem_release_part(s->mem); }

void simulate_show(Simulation *s, uint32_t choice) {
  joint_seek(&s->stepper.joint, present(s)->state, s->choices.items[choice].ordinal);
}

Run simulate_run(const Simulation *s) {
  return (Run){.steps = s->steps.items,
               .step_count = s->steps.size,
               .denominator = s->denominator,
               .end_time = present(s)->time + s->waited,
               .end_clocks = s->clocks};
}

// Multiplies all numbers, so that the denominator is a multiple of `under`; false if it would be
// too large.
static bool refine(Simulation *s, int64_t under) {
  const int64_t factor = under / text_divisor(s->denominator, under);
  if (factor == 1)
    return true;
  if (s->denominator * factor > max_denominator(s))
    return false;
  const size_t size = s->net->clock_count + 1;
  int64_t *clocks = ARENA_ARRAY(&s->arena, int64_t, s->known * size); // nothing fails after it
  s->denominator *= factor;
  s->waited *= factor;
  for (uint32_t i = 0; i < s->known; i++, clocks += size) {
    RunStep *step = &s->steps.items[i];
    for (ClockIndex x = 1; x <= s->net->clock_count; x++)
      clocks[x] = step->clocks[x] * factor;
    step->clocks = clocks;
    step->time *= factor;
  }
  find_choices(s);
  return true;
}

bool simulate_adopt(Simulation *s, const Run *run) {
  const int64_t max = s->stepper.vm.max_constant;
  s->denominator = run->denominator;
  s->stepper.vm.max_constant = NET_MAX_WIDE; // as for the replayer
  begin(s, run->steps[0].state);
  bool ok = true;
  for (uint32_t i = 1; ok && i < run->step_count; i++) {
    const RunStep *step = &run->steps[i];
    ok = take(s, step->edges, step->edge_count, step->time - present(s)->time);
  }
  s->stepper.vm.max_constant = max;
  s->waited = run->end_time - present(s)->time;
  find_choices(s);
  return ok;
}

static bool contains(const Choice *choice, int64_t delay) {
  return choice->low <= 2 * delay && 2 * delay <= choice->high;
}

// The earliest delay of an open interval does not exist: half way to the next whole number, or to
// the end.
static bool earliest(Simulation *s, uint32_t index, int64_t *delay) {
  const bool is_open = s->choices.items[index].low % 2;
  if (is_open && !refine(s, 2 * s->denominator))
    return false;
  const Choice *choice = &s->choices.items[index];
  const int64_t low = choice->low / 2, high = (choice->high + 1) / 2;
  *delay = low + (!is_open                      ? 0
                  : high - low < s->denominator ? (high - low) / 2
                                                : s->denominator / 2);
  return true;
}

static bool refuse(Simulation *s, const char *error) {
  s->error = error;
  return false;
}

// The delay with the denominator of the run, which may become finer for it. If it is negative,
// the earliest of a choice.
static bool scale(Simulation *s, uint32_t choice, int64_t over, int64_t under, int64_t *delay) {
  if (over < 0) {
    if (!earliest(s, choice, delay))
      return refuse(s, "the times become too fine; go back, or choose whole delays");
  } else if (under < 1 || under > max_denominator(s) || over > max_time(s) / 2 ||
             !refine(s, under)) {
    return refuse(s, "this delay is too large or too fine");
  } else {
    *delay = over * (s->denominator / under);
  }
  return present(s)->time + s->waited + *delay <= max_time(s) ||
         refuse(s, "the time is too large");
}

bool simulate_step(Simulation *s, uint32_t choice, int64_t over, int64_t under) {
  int64_t delay;
  s->is_random = false;
  if (choice >= s->choices.size)
    return refuse(s, "there is no such choice");
  if (!scale(s, choice, over, under, &delay))
    return false;
  if (!contains(&s->choices.items[choice], delay))
    return refuse(s, "the transition is not possible after this delay");
  simulate_show(s, choice);
  if (s->choices.items[choice].is_delay)
    s->waited += delay;
  else
    take(s, s->stepper.joint.edges, s->stepper.joint.edge_count, delay);
  find_choices(s);
  return true;
}

bool simulate_wait(Simulation *s, int64_t over, int64_t under) {
  int64_t delay;
  s->is_random = false;
  if (!scale(s, 0, over, under, &delay))
    return false;
  bool is_possible = !delay || contains(&s->wait, delay);
  for (uint32_t i = 0; i < s->choices.size; i++)
    is_possible |= s->choices.items[i].is_delay && contains(&s->choices.items[i], delay);
  if (!is_possible)
    return refuse(s, "time cannot pass so long");
  s->waited += delay;
  find_choices(s);
  return true;
}

bool simulate_go(Simulation *s, uint32_t step) {
  if (step >= s->known)
    return false;
  s->steps.size = step + 1;
  s->waited = 0;
  find_choices(s);
  return true;
}

// To the beginning of the wait, or else to the step before; from the first one to none.
bool simulate_back(Simulation *s) { return simulate_go(s, s->steps.size - 1 - !s->waited); }

// A whole delay within reach, or the earliest.
static int64_t random_delay(const Simulation *s, const Choice *choice, Random *random) {
  const int64_t unit = s->denominator;
  const int64_t first = (choice->low + 2 * unit - 1) / (2 * unit);
  const int64_t last =
      choice->high == SIMULATE_ENDLESS ? first + 3 : (choice->high + 1) / 2 / unit;
  const int64_t span = last - first > 1000 ? 1000 : last - first;
  if (span < 0 || random_below(random, 2) == 0)
    return -1;
  const int64_t delay = first + (int64_t)random_below(random, (uint32_t)span + 1);
  return contains(choice, delay * unit) ? delay : -1;
}

uint32_t simulate_random(Simulation *s, uint32_t count, Random *random) {
  uint32_t done = 0;
  const bool is_random = s->is_random || s->steps.size == 1;
  for (uint32_t delays = 0; done < count && delays < 1000 && s->choices.size;) {
    const uint32_t choice = random_below(random, s->choices.size);
    const bool is_delay = s->choices.items[choice].is_delay;
    const int64_t delay = random_delay(s, &s->choices.items[choice], random);
    if (!simulate_step(s, choice, delay, 1))
      break;
    done += !is_delay;
    delays = is_delay ? delays + 1 : 0;
  }
  s->is_random = is_random;
  return done;
}

// The process that does not let time pass now: its location is urgent or committed; else NULL.
static const Location *find_urgent(const Simulation *s) {
  for (ProcessId p = 0; p < s->net->processes.size; p++) {
    const Location *location =
        net_location(s->net, p, present(s)->state[s->net->location_slot + p]);
    if (location->urgent || location->committed)
      return location;
  }
  return NULL;
}

bool simulate_stuck(Simulation *s, Text *text) {
  if (s->choices.size || s->is_lost)
    return false;
  if (s->wait.high == SIMULATE_ENDLESS) {
    text_add(text, "deadlock: no transition is possible, now or after any delay");
    return true;
  }
  const Location *location = find_urgent(s);
  text_add(text, "time-lock: no transition is possible, and ");
  if (location) {
    text_addf(text, "no time can pass: %s.%s is %s",
              s->net->processes.items[location->process].name, location->name,
              location->committed ? "committed" : "urgent");
  } else if (s->wait.low > s->wait.high) {
    text_add(text, "no time can pass");
  } else {
    text_addf(text, "invariants let time pass for %s ", s->wait.high % 2 ? "less than" : "only");
    text_add_fraction(text, (s->wait.high + 1) / 2, s->denominator);
    text_add(text, " more");
  }
  return true;
}
