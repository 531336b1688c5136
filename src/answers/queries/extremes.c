#include "answers/queries/extremes.h"

#include "semantics/zone/zones.h"

static bool fail(Space *space, const Vm *vm) {
  space->failure = vm->error;
  space->failure_place = vm->error_place;
  return false;
}

// Whether `value op constant` holds in the state. Where there is no value, `has_failed` is set.
static bool compares(Extremes *e, const int32_t *state, ExprKind op, int64_t constant) {
  Arena arena = {.mem = e->mem};
  const Place place = e->value->place;
  const Expr *test =
      expr_binary(&arena, place, op, e->value, expr_const(&arena, place, (int32_t)constant));
  const Guard guard = code_guard(&arena, test, expr_locals(test));
  const VmResult result = vm_guard(&e->vm, &guard, state, &e->tests);
  e->has_failed |= result == VM_ERROR || result == VM_INVALID;
  arena_release(&arena);
  return result == VM_TRUE;
}

// The value in a state, by bisection: conditions are all that can be evaluated.
static int64_t value_in(Extremes *e, const int32_t *state, int64_t low, int64_t high) {
  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    if (compares(e, state, EXPR_GE, middle))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

// False if the expression has no value.
static bool note_integer(Extremes *e, const int32_t *state) {
  const Range range = expr_range(e->value);
  compares(e, state, EXPR_GE, range.low); // those below may not be asked for
  if (e->has_failed)
    return false;
  if (!e->found) {
    e->least = e->max = value_in(e, state, range.low, range.high);
  } else if (e->max < range.high && compares(e, state, EXPR_GT, e->max)) {
    e->max = value_in(e, state, e->max + 1, range.high);
  } else if (e->least > range.low && compares(e, state, EXPR_LT, e->least)) {
    e->least = value_in(e, state, range.low, e->least - 1);
  }
  return true;
}

static void note_clock(Extremes *e, Bound low, Bound high) {
  e->low = !e->found || low > e->low ? low : e->low;
  e->high = !e->found || high > e->high ? high : e->high;
}

static bool constrain(Mem *mem, Bound *zone, uint32_t k, const ActiveClocks *active,
                      const ClockTests *tests) {
  for (uint32_t i = 0; i < tests->size; i++)
    if (!dbm_constrain(mem, zone, k, activeclocks_constraint(active, &tests->items[i])))
      return false;
  return true;
}

// Whether time can pass for ever where the collected tests and the invariant hold: none of them
// bounds a clock from above.
static bool is_endless(Extremes *e, const int32_t *state) {
  if (joint_invariant(e->net, &e->vm, state, &e->tests) != VM_TRUE ||
      !joint_can_delay(&e->joint, state))
    return false;
  for (uint32_t i = 0; i < e->tests.size; i++)
    if (e->tests.items[i].i && !e->tests.items[i].j)
      return false;
  return true;
}

// The part of the current node, from this clause on, in which the condition holds, as a zone in
// `zone`; false if there is none, or on failure.
static bool find_part(Extremes *e, Space *space, uint32_t *clause) {
  const ActiveClocks *active = zones_active(space);
  for (;; ++*clause) {
    vec_clear(&e->tests);
    const VmResult result =
        goal_clause(e->condition, &e->vm, zones_state(space), clause, &e->tests);
    if (result != VM_TRUE)
      return result == VM_ERROR ? fail(space, &e->vm) : false;
    dbm_copy(e->zone, zones_zone(space), active->k);
    if (constrain(e->mem, e->zone, active->k, active, &e->tests))
      return true;
  }
}

static bool collect(Space *space) {
  Extremes *e = space->goal_context;
  const int32_t *state = zones_state(space);
  const ActiveClocks *active = zones_active(space);
  for (uint32_t clause = 0; find_part(e, space, &clause); clause++) {
    if (e->clock) {
      const uint32_t x = active->position[e->clock];
      note_clock(e, e->zone[x], e->zone[x * dbm_stride(active->k)]);
      e->is_endless = e->is_endless || is_endless(e, state);
    } else if (!note_integer(e, state)) {
      return fail(space, &e->vm);
    }
    e->found = true;
  }
  return false;
}

void extremes_attach(Extremes *e, Mem *owner, Space *space, const Net *net, const Goal *condition,
                     const Expr *value, ClockIndex clock) {
  Mem *mem = mem_part(owner);
  *e = (Extremes){.mem = mem, .net = net, .condition = condition, .value = value, .clock = clock};
  e->arena.mem = mem;
  net_vm(net, &e->vm, mem);
  joint_init(&e->joint, net, &e->arena);
  e->zone = mem_alloc(mem, dbm_bytes(net->clock_count + 1));
  space->goal_context = e;
  space->is_goal = collect;
}

static bool has_end(Space *space) {
  Extremes *e = space->goal_context;
  for (e->clause = 0; find_part(e, space, &e->clause); e->clause++)
    if (is_endless(e, zones_state(space)))
      return true;
  return false;
}

void extremes_seek_end(Extremes *e, Space *space) {
  space->goal_context = e;
  space->is_goal = has_end;
}

void extremes_release(Extremes *e) { mem_release_part(e->mem); }
