#include "evidence/course.h"

#include <string.h>

void course_release(Course *c) {
  vm_release(&c->vm);
  joint_release(&c->joint);
  concretetimes_release(&c->times);
  vec_release(c->mem, &c->tests);
  vec_release(c->mem, &c->updates);
  vec_release(c->mem, &c->after);
  vec_release(c->mem, &c->steps);
}

static void add_step(Course *c, uint32_t edge_count) {
  const RunStep step = {
      .edges = arena_copy(c->arena, c->joint.edges, edge_count * sizeof *c->joint.edges),
      .edge_count = edge_count,
      .state = arena_copy(c->arena, c->state, c->net->slots.count * sizeof *c->state)};
  vec_push(c->mem, &c->steps,
           ((CourseStep){step, c->times.now, concretetimes_origins(&c->times, c->arena)}));
}

static bool invariant(Course *c) {
  vec_clear(&c->tests);
  if (joint_invariant(c->net, &c->vm, c->state, &c->tests) != VM_TRUE)
    return false;
  concretetimes_test(&c->times, c->tests.items, c->tests.size);
  return true;
}

bool course_init(Course *c, Mem *mem, const Net *net, Arena *arena, const int32_t *state) {
  const int32_t *initial = net->clock_initial;
  *c = (Course){.mem = mem, .net = net, .arena = arena};
  net_vm(net, &c->vm, mem);
  c->vm.most_constant = NET_MOST_WIDE;
  joint_init(&c->joint, net, arena);
  concretetimes_init(&c->times, mem, net->clock_count + 1);
  c->times.most_denominator = replay_most_denominator(net);
  c->state = arena_copy(arena, state, net->slots.count * sizeof *state);
  for (ClockIndex x = 1; initial && x <= net->clock_count; x++)
    concretetimes_update(&c->times, &(ClockUpdate){x, 0, initial[x]}, 1);
  add_step(c, 0);
  return invariant(c);
}

// The invariant holds at both ends of the delay and, being convex, in between.
bool course_delay(Course *c) {
  concretetimes_step(&c->times, c->passes || joint_can_delay(&c->joint, c->state));
  if (c->passes)
    concretetimes_test(&c->times, c->after.items, c->after.size);
  return invariant(c);
}

bool course_fire(Course *c, uint32_t ordinal) {
  const Joint *joint = &c->joint;
  vec_clear(&c->tests);
  if (!joint_seek(&c->joint, c->state, ordinal) ||
      joint_guard(joint, &c->vm, c->state, &c->tests) != VM_TRUE)
    return false;
  concretetimes_test(&c->times, c->tests.items, c->tests.size);
  c->passes = !joint->edge_count;
  vec_clear(&c->after);
  for (uint32_t i = 0; c->passes && i < joint->after.count; i++)
    vec_push(c->mem, &c->after, joint->after.items[i]);
  vec_clear(&c->updates);
  if (joint_fire(joint, &c->vm, c->state, &c->updates) != VM_TRUE)
    return false;
  concretetimes_update(&c->times, c->updates.items, c->updates.size);
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
