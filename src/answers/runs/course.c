#include "answers/runs/course.h"

#include "model/stopwatches.h"

void course_release(Course *c) { mem_release_part(c->mem); }

static void add_step(Course *c, uint32_t edge_count) {
  const RunStep step = {
      .edges = arena_copy(c->arena, c->stepper.joint.edges,
                          edge_count * sizeof *c->stepper.joint.edges),
      .edge_count = edge_count,
      .state = arena_copy(c->arena, c->state, c->net->slots.count * sizeof *c->state)};
  vec_push(c->mem, &c->steps,
           ((CourseStep){step, c->times.now, concretetimes_origins(&c->times, c->arena)}));
  if (c->has_stops)
    stoptimes_step(&c->stops);
}

void course_test(Course *c, const ClockTests *tests) {
  if (c->has_stops)
    stoptimes_test(&c->stops, tests->items, tests->size);
  else
    concretetimes_test(&c->times, tests->items, tests->size);
}

uint32_t course_tests(const Course *c) {
  return c->has_stops ? c->stops.tests.size : c->times.constraints.size;
}

void course_forget_tests(Course *c, uint32_t count) {
  if (c->has_stops)
    c->stops.tests.size = count;
  else
    c->times.constraints.size = count;
}

bool course_solve(Course *c) {
  if (c->has_stops)
    return stoptimes_solve(&c->stops, c->times.max_denominator) == SIMPLEX_SOLVED;
  return concretetimes_solve(&c->times);
}

// Upper bounds of clocks hold before a delay if they hold after it.
static void leave_out_upper(ClockTests *tests) {
  uint32_t size = 0;
  for (uint32_t i = 0; i < tests->size; i++)
    if (!tests->items[i].i || tests->items[i].j)
      tests->items[size++] = tests->items[i];
  tests->size = size;
}

static bool invariant(Course *c, bool is_entry) {
  if (stepper_invariant(&c->stepper, c->state) != VM_TRUE)
    return false;
  if (c->has_stops && is_entry)
    leave_out_upper(&c->stepper.tests);
  course_test(c, &c->stepper.tests);
  return true;
}

static void update(Course *c, const ClockUpdate *updates, uint32_t count) {
  if (c->has_stops)
    stoptimes_update(&c->stops, updates, count);
  else
    concretetimes_update(&c->times, updates, count);
}

bool course_init(Course *c, const Net *net, Arena *arena, const int32_t *state) {
  const int32_t *initial = net->clock_initial;
  *c = (Course){.net = net, .arena = arena, .mem = mem_part(arena->mem)};
  c->own.mem = c->mem;
  stepper_init(&c->stepper, net, &c->own);
  c->stepper.vm.max_constant = NET_MAX_WIDE;
  concretetimes_init(&c->times, c->mem, net->clock_count + 1);
  c->times.max_denominator = replay_max_denominator(net);
  c->state = arena_copy(arena, state, net->slots.count * sizeof *state);
  c->has_stops = net->traits.has_stopwatches;
  if (c->has_stops) {
    stoptimes_init(&c->stops, &c->own, net->clock_count + 1);
    c->stopped = ARENA_ARRAY(arena, bool, net->clock_count + 1);
  }
  for (ClockIndex x = 1; initial && x <= net->clock_count; x++)
    update(c, &(ClockUpdate){x, 0, initial[x]}, 1);
  add_step(c, 0);
  return invariant(c, true);
}

// The invariant holds at both ends of the delay and, being convex, in between.
bool course_delay(Course *c) {
  if (c->has_stops) {
    if (!joint_can_delay(&c->stepper.joint, c->state))
      return invariant(c, false);
    if (stopwatches_find(c->net, &c->stepper.vm, c->state, &c->stepper.tests, c->stopped) !=
        VM_TRUE)
      return false;
    stoptimes_delay(&c->stops, c->stopped);
    return invariant(c, false);
  }
  concretetimes_step(&c->times, c->passes || joint_can_delay(&c->stepper.joint, c->state));
  if (c->passes)
    concretetimes_test(&c->times, c->stepper.joint.after.items, c->stepper.joint.after.count);
  return invariant(c, false);
}

bool course_fire(Course *c, uint32_t ordinal) {
  Joint *joint = &c->stepper.joint;
  if (!joint_seek(joint, c->state, ordinal) || stepper_guard(&c->stepper, c->state) != VM_TRUE)
    return false;
  course_test(c, &c->stepper.tests);
  c->passes = !joint->edge_count;
  vec_clear(&c->stepper.updates); // as stepper_fire, but scratch variables keep their values
  if (joint_run(c->net, &c->stepper.vm, joint->edges, joint->edge_count, c->state,
                &c->stepper.updates) != VM_TRUE)
    return false;
  update(c, c->stepper.updates.items, c->stepper.updates.size);
  if (!c->passes)
    add_step(c, joint->edge_count);
  return invariant(c, true);
}

bool course_choose(Course *c, const Federation *zones) {
  const uint32_t kept = c->times.constraints.size;
  for (uint32_t i = 0; i < zones->count; i++) {
    c->times.constraints.size = kept;
    concretetimes_test_zone(&c->times, federation_zone(zones, i), zones->n, AS_IT_IS);
    if (concretetimes_solve(&c->times))
      return true;
  }
  return false;
}

// The same for `stops`.
static void fill_stops(const Course *c, Run *run, RunStep *steps) {
  const size_t bytes = (c->net->clock_count + 1) * sizeof(int64_t);
  StopWalk walk;
  stoptimes_walk(&walk, &c->stops);
  for (uint32_t i = 0; i < c->steps.size; i++) {
    stoptimes_next(&walk);
    steps[i] = c->steps.items[i].step;
    steps[i].time = walk.time;
    steps[i].clocks = arena_copy(c->arena, walk.values, bytes);
  }
  stoptimes_next(&walk);
  *run = (Run){.steps = steps,
               .step_count = c->steps.size,
               .denominator = c->stops.denominator,
               .end_time = walk.time,
               .end_clocks = arena_copy(c->arena, walk.values, bytes)};
}

void course_fill(const Course *c, Run *run) {
  const ConcreteTimes *times = &c->times;
  const uint32_t count = c->steps.size;
  RunStep *steps = ARENA_ARRAY(c->arena, RunStep, count);
  if (c->has_stops) {
    fill_stops(c, run, steps);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    const CourseStep *from = &c->steps.items[i];
    steps[i] = from->step;
    steps[i].time = times->times.items[from->moment];
    steps[i].clocks = concretetimes_clocks(times, from->origins, from->moment, c->arena);
  }
  run->steps = steps;
  run->step_count = count;
  run->denominator = times->denominator;
  run->end_time = times->times.items[times->now];
  run->end_clocks =
      concretetimes_clocks(times, vec_last(&c->steps).origins, times->now, c->arena);
}
