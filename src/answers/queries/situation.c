#include "answers/queries/situation.h"

#include <string.h>

static size_t zone_bytes(const Situations *s) { return dbm_bytes(s->n); }

static Goal join_goals(Arena *arena, const Goal *a, const Goal *b) {
  const uint32_t first = a ? a->clause_count : 0, second = b ? b->clause_count : 0;
  Guard *clauses = ARENA_ARRAY(arena, Guard, first + second);
  for (uint32_t i = 0; i < first + second; i++)
    clauses[i] = i < first ? a->clauses[i] : b->clauses[i - first];
  return (Goal){.clauses = clauses,
                .clause_count = first + second,
                .has_diagonals = (a && a->has_diagonals) || (b && b->has_diagonals)};
}

bool situations_init(Situations *s, Mem *owner, const Net *net, const Goal *stay,
                     const Goal *start, Report *report) {
  Mem *mem = mem_part(owner);
  *s = (Situations){.mem = mem, .net = net, .n = net->clock_count + 1};
  s->arena.mem = mem;
  s->stay = stay;
  s->start = start;
  s->zone_size = dbm_bytes(s->n) / sizeof(Bound);
  const Goal goal = join_goals(&s->arena, stay, start);
  net_vm(net, &s->vm, mem);
  joint_init(&s->joint, net, &s->arena);
  intern_init(&s->states, mem);
  pool_init(&s->list, mem, sizeof(Situation));
  federation_init(&s->pieces, mem, s->n);
  deadlocks_init(&s->deadlocks, mem, net);
  s->state = ARENA_ARRAY(&s->arena, int32_t, net->slots.count);
  s->zone = arena_align(&s->arena, zone_bytes(s), 0);
  s->left = arena_align(&s->arena, zone_bytes(s), 0);
  s->is_m = s->has_diagonals = diagonals_occur(net, &goal);
  return net_is_narrow(net, report) &&
         (!s->has_diagonals ||
          diagonals_compute(&s->diagonals, &s->arena, net, &goal, true, report)) &&
         clockbounds_compute_cut(&s->bounds, &s->arena, net, &goal,
                                 s->has_diagonals ? &s->diagonals : NULL, report);
}

void situations_release(Situations *s) { mem_release_part(s->mem); }

static bool fail(Situations *s, const char *failure, Place place) {
  if (!s->failure) {
    s->failure = failure;
    s->failure_place = place;
  }
  return false;
}

static bool constrain(Situations *s, Bound *zone, const ClockTest *tests, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const Constraint c = {tests[i].i, tests[i].j,
                          bound_make(code_narrow(tests[i].constant), tests[i].strict)};
    if (!dbm_constrain(s->mem, zone, s->n, c))
      return false;
  }
  return true;
}

static const Bound *keep_zone(Situations *s, const Bound *zone) {
  Bound *kept = arena_align(&s->arena, zone_bytes(s), 0);
  dbm_copy(kept, zone, s->n);
  return kept;
}

static ZoneList keep_pieces(Situations *s) {
  ZoneList list = {NULL, s->pieces.count};
  if (!list.count)
    return list;
  Bound *zones = arena_align(&s->arena, list.count * zone_bytes(s), 0);
  for (uint32_t i = 0; i < list.count; i++)
    dbm_copy(zones + i * s->zone_size, federation_zone(&s->pieces, i), s->n);
  list.zones = zones;
  return list;
}

// Takes what meets all of the tests out of the zones of `part`: each is cut at one test after the
// other. Subtraction of a zone would cut at constraints that follow from the tests, too, which
// simulations need not know.
static void take_out(Situations *s, Federation *part, const ClockTest *tests, uint32_t count) {
  Federation rest;
  federation_init(&rest, s->mem, s->n);
  for (uint32_t i = 0; i < part->count; i++) {
    Bound *zone = s->left;
    bool is_left = true;
    dbm_copy(zone, federation_zone(part, i), s->n);
    for (uint32_t t = 0; is_left && t < count; t++) {
      const ClockTest outside = {tests[t].j, tests[t].i, -tests[t].constant, !tests[t].strict};
      dbm_copy(s->zone, zone, s->n);
      if (constrain(s, s->zone, &outside, 1))
        federation_add(&rest, s->zone);
      is_left = constrain(s, zone, &tests[t], 1);
    }
  }
  federation_copy(part, &rest);
  federation_release(&rest);
}

// The zones of the clauses that hold in the state, within its invariant. With is_disjoint each is
// what the ones before do not have.
static bool find_parts(Situations *s, const Situation *situation, const Goal *goal,
                       bool is_disjoint, ZoneList *list) {
  Federation part;
  ClockTests before = {0};  // of the clauses that hold, one after the other
  VEC(uint32_t) ends = {0}; // where the tests of a clause end
  federation_init(&part, s->mem, s->n);
  federation_clear(&s->pieces);
  VmResult result = VM_TRUE;
  for (uint32_t clause = 0;; clause++) {
    vec_clear(&s->tests);
    result = goal_clause(goal, &s->vm, situation->state, &clause, &s->tests);
    if (result != VM_TRUE)
      break;
    dbm_copy(s->zone, situation->invariant, s->n);
    if (!constrain(s, s->zone, s->tests.items, s->tests.size))
      continue;
    federation_clear(&part);
    federation_add(&part, s->zone);
    for (uint32_t i = 0, from = 0; is_disjoint && i < ends.size; from = ends.items[i++])
      take_out(s, &part, before.items + from, ends.items[i] - from);
    for (uint32_t i = 0; i < part.count; i++)
      federation_add(&s->pieces, federation_zone(&part, i));
    for (uint32_t i = 0; i < s->tests.size; i++)
      vec_push(s->mem, &before, s->tests.items[i]);
    vec_push(s->mem, &ends, before.size);
  }
  federation_release(&part);
  vec_release(s->mem, &before);
  vec_release(s->mem, &ends);
  *list = keep_pieces(s);
  return result == VM_FALSE || fail(s, s->vm.error, s->vm.error_place);
}

static void find_diagonals(Situations *s, Situation *situation) {
  diagonals_of_state(&s->diagonals, s->mem, s->net, situation->state, &s->tests);
  Constraint *list = ARENA_ARRAY(&s->arena, Constraint, s->tests.size + 1);
  for (uint32_t i = 0; i < s->tests.size; i++) {
    const ClockTest t = s->tests.items[i];
    list[i] = (Constraint){t.i, t.j, bound_make(code_narrow(t.constant), t.strict)};
  }
  situation->diagonals = list;
  situation->diagonal_count = s->tests.size;
}

static void find_bounds(Situations *s, Situation *situation) {
  int32_t *lower = ARENA_ARRAY(&s->arena, int32_t, dbm_stride(s->n));
  int32_t *upper = ARENA_ARRAY(&s->arena, int32_t, dbm_stride(s->n));
  clockbounds_of_state(&s->bounds, s->net, situation->state, lower, upper);
  for (ClockIndex x = 1; x < s->n; x++) {
    if (x == s->watched) {
      lower[x] = lower[x] > 1 ? lower[x] : 1;
      upper[x] = upper[x] > 1 ? upper[x] : 1;
    }
    if (s->is_m)
      lower[x] = upper[x] = lower[x] > upper[x] ? lower[x] : upper[x];
  }
  lower[0] = upper[0] = 0;
  situation->lower = lower;
  situation->upper = upper;
}

static bool fill(Situations *s, Situation *situation) {
  vec_clear(&s->tests);
  const VmResult result = joint_invariant(s->net, &s->vm, situation->state, &s->tests);
  if (result == VM_ERROR)
    return fail(s, s->vm.error, s->vm.error_place);
  dbm_universal(s->zone, s->n);
  if (result != VM_TRUE || !constrain(s, s->zone, s->tests.items, s->tests.size))
    return true;
  situation->is_possible = true;
  situation->invariant = keep_zone(s, s->zone);
  const JointDelay delay = joint_delay(&s->joint, situation->state);
  if (delay == JOINT_SPLIT)
    return fail(s, deadlock_split, (Place){0});
  situation->can_delay = delay == JOINT_FLOWS;
  find_bounds(s, situation);
  if (s->has_diagonals)
    find_diagonals(s, situation);
  return (!s->stay || find_parts(s, situation, s->stay, true, &situation->stays)) &&
         (!s->start || find_parts(s, situation, s->start, false, &situation->starts));
}

uint32_t situation_find(Situations *s, const int32_t *state) {
  const size_t bytes = s->net->slots.count * sizeof *state;
  const uint32_t number = intern_number(&s->states, state, bytes) - 1;
  if (number < s->list.size) {
    const Situation *known = situation_at(s, number);
    return !known->error || fail(s, known->error, known->error_place) ? number : UINT32_MAX;
  }
  Situation *situation = pool_at(&s->list, pool_add(&s->list));
  *situation = (Situation){.state = arena_copy(&s->arena, state, bytes)};
  if (fill(s, situation))
    return number;
  situation->error = s->failure;
  situation->error_place = s->failure_place;
  return UINT32_MAX;
}

static bool add_transition(Situations *s, const Situation *situation) {
  SituationTransition t = {.ordinal = s->joint.ordinal};
  vec_clear(&s->tests);
  vec_clear(&s->updates);
  VmResult result = joint_guard(&s->joint, &s->vm, situation->state, &s->tests);
  if (result != VM_TRUE && result != VM_ERROR)
    return true;
  if (result == VM_ERROR) { // it counts where the clock tests hold
    t.error = s->vm.error;
    t.error_place = s->vm.error_place;
  }
  Constraint *guard = ARENA_ARRAY(&s->arena, Constraint, s->tests.size);
  for (uint32_t i = 0; i < s->tests.size; i++)
    guard[i] = (Constraint){
        s->tests.items[i].i, s->tests.items[i].j,
        bound_make(code_narrow(s->tests.items[i].constant), s->tests.items[i].strict)};
  t.guard = guard;
  t.guard_count = s->tests.size;
  memcpy(s->state, situation->state, s->net->slots.count * sizeof *s->state);
  if (result == VM_TRUE)
    result = joint_fire(&s->joint, &s->vm, s->state, &s->updates);
  if (result == VM_ERROR) {
    t.error = s->vm.error;
    t.error_place = s->vm.error_place;
  } else if (result != VM_TRUE) {
    return true;
  } else {
    const uint32_t update_count = s->updates.size;
    t.updates = arena_copy(&s->arena, s->updates.items, update_count * sizeof *t.updates);
    t.update_count = update_count;
    t.target = situation_find(s, s->state);
    if (t.target == UINT32_MAX) { // that its invariant fails matters only if it is entered
      t.error = s->failure;
      t.error_place = s->failure_place;
      s->failure = NULL;
    } else if (!situation_at(s, t.target)->is_possible) {
      return true;
    }
  }
  vec_push(s->mem, &s->transitions, t);
  return true;
}

bool situation_find_transitions(Situations *s, Situation *situation) {
  if (situation->has_transitions)
    return true;
  vec_clear(&s->transitions);
  joint_begin(&s->joint, situation->state);
  while (joint_next(&s->joint))
    if (!add_transition(s, situation))
      return false;
  situation->transitions = arena_copy(&s->arena, s->transitions.items,
                                      s->transitions.size * sizeof *s->transitions.items);
  situation->transition_count = s->transitions.size;
  situation->has_transitions = true;
  return true;
}

void situation_initial_zone(const Situations *s, Bound *zone) {
  dbm_zero(zone, s->n);
  for (ClockIndex x = 1; s->net->clock_initial && x < s->n; x++)
    if (s->net->clock_initial[x])
      dbm_assign(zone, s->n, x, s->net->clock_initial[x]);
}

bool situation_fire(Situations *s, const SituationTransition *transition, Bound *zone) {
  if (!dbm_constrain_all(s->mem, zone, s->n, transition->guard, transition->guard_count))
    return false;
  if (transition->error)
    return fail(s, transition->error, transition->error_place);
  for (uint32_t i = 0; i < transition->update_count; i++) {
    const ClockUpdate u = transition->updates[i];
    const int32_t constant = code_narrow(u.constant);
    if (!u.y) {
      dbm_assign(zone, s->n, u.x, constant);
      continue;
    }
    if (constant < 0 && zone[u.y] > bound_le(constant))
      return fail(s, "a clock is set to a negative value", (Place){0});
    dbm_assign_clock(zone, s->n, u.x, u.y, constant);
  }
  return true;
}

const Federation *situation_find_stuck(Situations *s, Situation *situation, uint32_t part) {
  if (!situation->stuck)
    situation->stuck = ARENA_ARRAY(&s->arena, Federation, situation->stays.count);
  Federation *stuck = &situation->stuck[part];
  if (stuck->mem)
    return stuck;
  const Federation *deadlocks = deadlocks_of(&s->deadlocks, situation->state);
  if (!deadlocks) {
    fail(s, s->deadlocks.failure, s->deadlocks.failure_place);
    return NULL;
  }
  const Bound *zone = situation_zone(s, &situation->stays, part);
  federation_init(stuck, s->mem, s->n);
  federation_copy(stuck, deadlocks);
  federation_intersect(stuck, zone);
  if (!situation->can_delay)
    return stuck;
  federation_clear(&s->pieces); // from where time can pass out of the part
  federation_add(&s->pieces, situation->invariant);
  federation_subtract(&s->pieces, zone);
  federation_down(&s->pieces);
  federation_subtract_all(stuck, &s->pieces);
  return stuck;
}
