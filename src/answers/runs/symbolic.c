#include "answers/runs/symbolic.h"

#include "answers/runs/course.h"
#include "semantics/zone/zones.h"

static const SymbolicStep *present(const Symbolic *s) { return &vec_last(&s->steps); }

// The current node of the space as a step.
static SymbolicStep copy_node(const Symbolic *s, Arena *arena, uint32_t ordinal) {
  const size_t size = s->net->slots.count * sizeof(int32_t);
  return (SymbolicStep){
      .ordinal = ordinal,
      .state = arena_copy(arena, zones_state(s->space), size),
      .zone = arena_copy(arena, zones_zone(s->space), dbm_bytes(s->net->clock_count + 1))};
}

// The space's current node becomes the present state.
static bool replay(const Symbolic *s) {
  bool ok = zones_replay_initial(s->space, s->steps.items[0].ordinal);
  for (uint32_t i = 1; ok && i < s->steps.size; i++)
    ok = zones_replay(s->space, s->steps.items[i].ordinal);
  return ok;
}

static void find_choices(Symbolic *s) {
  vec_clear(&s->choices);
  arena_release(&s->choices_arena);
  s->choices_arena = (Arena){.mem = s->mem};
  if (!replay(s) || !zones_replay_open(s->space))
    return;
  joint_begin(&s->joint, present(s)->state);
  while (joint_next(&s->joint)) {
    const uint32_t ordinal = s->joint.ordinal, count = s->joint.edge_count;
    if (!zones_replay_try(s->space, ordinal))
      continue;
    SymbolicStep choice = copy_node(s, &s->choices_arena, ordinal);
    choice.edges = arena_copy(&s->choices_arena, s->joint.edges, count * sizeof *choice.edges);
    choice.edge_count = count;
    vec_push(s->mem, &s->choices, choice);
  }
}

bool symbolic_init(Symbolic *s, Mem *owner, const Net *net, Report *report) {
  Mem *mem = mem_part(owner);
  *s = (Symbolic){.mem = mem, .net = net, .arena = {.mem = mem}, .choices_arena = {.mem = mem}};
  Options options;
  options_init(&options);
  options.abstraction = ABSTRACTION_NONE;
  joint_init(&s->joint, net, &s->arena);
  s->space = zones_new(mem, net, NULL, &options, report);
  if (!s->space)
    return false;
  s->space->next_initial = 0;
  if (!s->space->initial(s->space))
    return report_error(report, (Place){0}, "no initial state satisfies its invariant");
  vec_push(mem, &s->steps, copy_node(s, &s->arena, s->space->ordinal));
  s->known = 1;
  find_choices(s);
  return true;
}

void symbolic_release(Symbolic *s) { mem_release_part(s->mem); }

bool symbolic_step(Symbolic *s, uint32_t choice) {
  if (choice >= s->choices.size)
    return false;
  SymbolicStep step = s->choices.items[choice];
  const uint32_t n = s->net->clock_count + 1;
  step.edges = arena_copy(&s->arena, step.edges, step.edge_count * sizeof *step.edges);
  step.state = arena_copy(&s->arena, step.state, s->net->slots.count * sizeof *step.state);
  step.zone = arena_copy(&s->arena, step.zone, dbm_bytes(n));
  vec_push(s->mem, &s->steps, step);
  s->known = s->steps.size;
  find_choices(s);
  return true;
}

bool symbolic_go(Symbolic *s, uint32_t step) {
  if (step >= s->known)
    return false;
  s->steps.size = step + 1;
  find_choices(s);
  return true;
}

uint32_t symbolic_random(Symbolic *s, uint32_t count, Random *random) {
  uint32_t done = 0;
  while (done < count && s->choices.size)
    done += symbolic_step(s, random_below(random, s->choices.size));
  return done;
}

bool symbolic_run(const Symbolic *s, Arena *arena, Run *run) {
  Course c;
  bool ok = course_init(&c, s->net, arena, s->steps.items[0].state);
  for (uint32_t i = 1; ok && i < s->steps.size; i++)
    ok = course_delay(&c) && course_fire(&c, s->steps.items[i].ordinal);
  ok = ok && course_delay(&c) && course_solve(&c);
  if (ok)
    course_fill(&c, run);
  course_release(&c);
  return ok;
}

void symbolic_show(Symbolic *s, uint32_t choice) {
  joint_seek(&s->joint, present(s)->state, s->choices.items[choice].ordinal);
}
