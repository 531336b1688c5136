#include "answers/queries/alive.h"

#include "base/testbuild.h"
#include "model/access.h"

#include <string.h>

#define UNBOUNDED INT32_MAX

// Cells that some invariant reads, by mark; false if these are locations, too.
static bool find_read(const Net *net, Access *access, bool *is_read) {
  for (LocationId l = 0; l < net->locations.size; l++)
    access_expr(access, net->locations.items[l].invariant_expr);
  bool reads_locations = false;
  for (uint32_t i = 0; i < access->marked.size; i++) {
    const CellId cell = access->marked.items[i];
    is_read[cell] = cell < access->first_clock;
    reads_locations |= cell >= access->first_location && cell < access->first_clock;
  }
  return !reads_locations;
}

// An update that can leave the range of a variable has to be run, unless that is an error.
static bool sets_constants(const Net *net, const Update *update) {
  if (update->code && (update->has_dynamic_clocks || !net->invalid_is_error))
    return false;
  for (uint32_t i = 0; i < update->clock_update_count; i++)
    if (update->clock_updates[i].y)
      return false;
  return true;
}

static void find_plain(Alive *a, Arena *arena) {
  const Net *net = a->net;
  Access access;
  Arena scratch = {.mem = arena->mem};
  access_init(&access, &scratch, net);
  bool *is_read = ARENA_ARRAY(&scratch, bool, access.cell_count);
  const bool is_possible =
      find_read(net, &access, is_read) && !net->hooks.before.stmts && !net->hooks.after.stmts;
  for (EdgeId e = 0; is_possible && e < net->edges.size; e++) {
    access_stmts_alone(&access, net->edges.items[e].update_stmts);
    a->is_plain[e] = sets_constants(net, &net->edges.items[e].update);
    for (uint32_t i = 0; i < access.marked.size; i++) {
      const CellId cell = access.marked.items[i];
      const bool writes = access.marks[cell] & ACCESS_WRITE && !PLANTED("alive-writes");
      a->is_plain[e] &= !writes || !is_read[cell];
    }
  }
  access_release(&access);
  arena_release(&scratch);
}

void alive_init(Alive *a, Arena *arena, const Net *net, Vm *vm, Joint *joint) {
  *a = (Alive){.net = net, .n = net->clock_count + 1, .vm = vm, .joint = joint};
  a->is_plain = ARENA_ARRAY(arena, bool, net->edges.size);
  a->most = ARENA_ARRAY(arena, int32_t, a->n);
  a->is_left = ARENA_ARRAY(arena, bool, a->n);
  a->origins = ARENA_ARRAY(arena, AliveOrigin, a->n);
  a->state = ARENA_ARRAY(arena, int32_t, net->slots.count);
  for (ClockIndex x = 0; x < a->n; x++)
    a->origins[x].clock = x;
  find_plain(a, arena);
}

static bool reads_variables(const Guard *guard) { return guard->test_count || guard->code; }

static bool invariant_is_static(const Net *net, const int32_t *state) {
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Guard *invariant = net->by_location.invariants[net_location_at(net, p, state)];
    if (invariant && reads_variables(invariant))
      return false;
  }
  return true;
}

static bool find_box(Alive *a, const int32_t *state) {
  vec_clear(&a->box);
  a->has_ends = false;
  if (a->is_static && !invariant_is_static(a->net, state))
    return false;
  if (joint_invariant(a->net, a->vm, state, &a->box) != VM_TRUE)
    return false;
  a->most[0] = 0;
  for (ClockIndex x = 1; x < a->n; x++)
    a->most[x] = UNBOUNDED;
  for (uint32_t i = 0; i < a->box.size; i++) {
    const ClockTest *t = &a->box.items[i];
    if (t->j || t->strict || t->constant < 0)
      return false;
    if (t->constant < a->most[t->i])
      a->most[t->i] = code_narrow(t->constant);
    a->has_ends = true;
  }
  return true;
}

// Whether the box, with clock x (0: none) at its largest value, lies within the test.
static bool box_entails(const Alive *a, ClockIndex x, const ClockTest *t) {
  const int64_t low = t->j && t->j == x ? a->most[x] : 0;
  if (a->most[t->i] == UNBOUNDED)
    return false;
  const int64_t difference = a->most[t->i] - low;
  return t->strict ? difference < t->constant : difference <= t->constant;
}

// Turns a test after the updates into one before them. True if that holds by itself, or in the
// whole box; `t` is changed otherwise.
static bool holds_before(const Alive *a, ClockTest *t) {
  const AliveOrigin i = a->origins[t->i], j = a->origins[t->j];
  *t = (ClockTest){i.clock, j.clock, t->constant - i.added + j.added, t->strict};
  if (t->i == t->j)
    return t->strict ? t->constant > 0 : t->constant >= 0;
  return box_entails(a, 0, t);
}

static void apply(Alive *a, const ClockUpdate *updates, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const ClockUpdate u = updates[i];
    a->origins[u.x] = (AliveOrigin){a->origins[u.y].clock, a->origins[u.y].added + u.constant};
  }
}

static void undo(Alive *a, const ClockUpdate *updates, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    a->origins[updates[i].x] = (AliveOrigin){updates[i].x, 0};
}

// Of the tests from `first` on, after the updates, keeps those that do not hold in the whole box,
// as tests before the updates.
static bool keep_open(Alive *a, uint32_t first) {
  uint32_t size = first;
  for (uint32_t i = first; i < a->tests.size; i++) {
    ClockTest t = a->tests.items[i];
    if (holds_before(a, &t))
      continue;
    if (t.i == t.j)
      return false;
    a->tests.items[size++] = t;
  }
  a->tests.size = size;
  return true;
}

// The target's invariant where all edges are plain: that of the processes which move, whose
// variables are as they were. The other processes' invariants are those of the box: clocks that
// are set must stay in it.
static bool add_plain_target(Alive *a, const int32_t *state) {
  const Joint *joint = a->joint;
  const uint32_t first = a->tests.size;
  bool is_known = true;
  for (uint32_t k = 0; k < joint->edge_count && is_known; k++) {
    const Guard *invariant = a->net->by_location.invariants[joint->edges[k]->target];
    is_known = !invariant || vm_guard(a->vm, invariant, state, &a->tests) == VM_TRUE;
  }
  for (uint32_t k = 0; k < joint->edge_count; k++)
    apply(a, joint->edges[k]->update.clock_updates, joint->edges[k]->update.clock_update_count);
  for (uint32_t k = 0; k < joint->edge_count; k++) {
    const Update *update = &joint->edges[k]->update;
    for (uint32_t i = 0; i < update->clock_update_count && is_known; i++) {
      const ClockIndex x = update->clock_updates[i].x;
      is_known = a->origins[x].added <= a->most[x];
    }
  }
  is_known = is_known && keep_open(a, first);
  for (uint32_t k = 0; k < joint->edge_count; k++)
    undo(a, joint->edges[k]->update.clock_updates, joint->edges[k]->update.clock_update_count);
  return is_known;
}

static bool add_target(Alive *a, const int32_t *state) {
  const uint32_t first = a->tests.size;
  vec_clear(&a->updates);
  memcpy(a->state, state, a->net->slots.count * sizeof *state);
  if (joint_fire(a->joint, a->vm, a->state, &a->updates) != VM_TRUE ||
      joint_invariant(a->net, a->vm, a->state, &a->tests) != VM_TRUE)
    return false;
  apply(a, a->updates.items, a->updates.size);
  const bool is_known = keep_open(a, first);
  undo(a, a->updates.items, a->updates.size);
  return is_known;
}

// The constraints of the present transition that do not hold in the whole box, in `tests`, over
// the clocks before it. False if it is not seen to be possible.
static bool find_tests(Alive *a, const int32_t *state) {
  const Joint *joint = a->joint;
  bool is_plain = true, is_static = true;
  for (uint32_t k = 0; k < joint->edge_count; k++) {
    const Edge *edge = joint->edges[k];
    const Guard *invariant = a->net->by_location.invariants[edge->target];
    is_plain &= a->is_plain[edge - a->net->edges.items];
    is_static &= !reads_variables(&edge->guard) && (!invariant || !reads_variables(invariant));
  }
  if (a->is_static && (!is_plain || !is_static))
    return false;
  vec_clear(&a->tests);
  if (!joint->edge_count || joint_guard(joint, a->vm, state, &a->tests) != VM_TRUE ||
      !keep_open(a, 0))
    return false;
  return is_plain ? add_plain_target(a, state) : add_target(a, state);
}

// The only clock at whose largest value all of `tests` hold, 0 if there is none: each test needs
// the clock that it bounds from below.
static ClockIndex find_end(const Alive *a) {
  const ClockIndex x = a->tests.items[0].j;
  if (!x || a->most[x] == UNBOUNDED)
    return 0;
  for (uint32_t i = 0; i < a->tests.size && !PLANTED("alive-ends"); i++)
    if (!box_entails(a, x, &a->tests.items[i]))
      return 0;
  return x;
}

static bool are_lower_bounds(const Alive *a) {
  for (uint32_t i = 0; i < a->tests.size; i++)
    if (a->tests.items[i].i)
      return false;
  return true;
}

bool alive_is_sure(Alive *a, const int32_t *state, bool flows, bool is_static) {
  a->is_static = is_static;
  if (!find_box(a, state))
    return false;
  uint32_t left = 0;
  for (ClockIndex x = 1; x < a->n && a->has_ends; x++)
    left += (a->is_left[x] = a->most[x] != UNBOUNDED);
  for (joint_begin(a->joint, state); joint_next(a->joint);) {
    if (!find_tests(a, state))
      continue;
    if (!a->tests.size || (flows && !a->has_ends && are_lower_bounds(a)))
      return true;
    const ClockIndex x = flows && a->has_ends ? find_end(a) : 0;
    if (!x || !a->is_left[x])
      continue;
    a->is_left[x] = false;
    if (!--left)
      return true;
  }
  return false;
}
