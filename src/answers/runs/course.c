#include "answers/runs/course.h"

void course_release(Course *c) {
  stepper_release(&c->stepper);
  concretetimes_release(&c->times);
  vec_release(c->arena->mem, &c->steps);
}

static void add_step(Course *c, uint32_t edge_count) {
  const RunStep step = {
      .edges = arena_copy(c->arena, c->stepper.joint.edges,
                          edge_count * sizeof *c->stepper.joint.edges),
      .edge_count = edge_count,
      .state = arena_copy(c->arena, c->state, c->net->slots.count * sizeof *c->state)};
  vec_push(c->arena->mem, &c->steps,
           ((CourseStep){step, c->times.now, concretetimes_origins(&c->times, c->arena)}));
}

static bool invariant(Course *c) {
  if (stepper_invariant(&c->stepper, c->state) != VM_TRUE)
    return false;
  concretetimes_test(&c->times, c->stepper.tests.items, c->stepper.tests.size);
  return true;
}

bool course_init(Course *c, const Net *net, Arena *arena, const int32_t *state) {
  const int32_t *initial = net->clock_initial;
  *c = (Course){.net = net, .arena = arena};
  stepper_init(&c->stepper, net, arena);
  c->stepper.vm.max_constant = NET_MAX_WIDE;
  concretetimes_init(&c->times, arena->mem, net->clock_count + 1);
  c->times.max_denominator = replay_max_denominator(net);
  c->state = arena_copy(arena, state, net->slots.count * sizeof *state);
  for (ClockIndex x = 1; initial && x <= net->clock_count; x++)
    concretetimes_update(&c->times, &(ClockUpdate){x, 0, initial[x]}, 1);
  add_step(c, 0);
  return invariant(c);
}

// The invariant holds at both ends of the delay and, being convex, in between.
bool course_delay(Course *c) {
  concretetimes_step(&c->times, c->passes || joint_can_delay(&c->stepper.joint, c->state));
  if (c->passes)
    concretetimes_test(&c->times, c->stepper.joint.after.items, c->stepper.joint.after.count);
  return invariant(c);
}

bool course_fire(Course *c, uint32_t ordinal) {
  Joint *joint = &c->stepper.joint;
  if (!joint_seek(joint, c->state, ordinal) || stepper_guard(&c->stepper, c->state) != VM_TRUE)
    return false;
  concretetimes_test(&c->times, c->stepper.tests.items, c->stepper.tests.size);
  c->passes = !joint->edge_count;
  vec_clear(&c->stepper.updates); // as stepper_fire, but scratch variables keep their values
  if (joint_run(c->net, &c->stepper.vm, joint->edges, joint->edge_count, c->state,
                &c->stepper.updates) != VM_TRUE)
    return false;
  concretetimes_update(&c->times, c->stepper.updates.items, c->stepper.updates.size);
  if (!c->passes)
    add_step(c, joint->edge_count);
  return invariant(c);
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

void course_fill(const Course *c, Run *run) {
  const ConcreteTimes *times = &c->times;
  const uint32_t count = c->steps.size;
  RunStep *steps = ARENA_ARRAY(c->arena, RunStep, count);
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
