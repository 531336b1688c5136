#include "check/certify.h"

#include "check/branches.h"
#include "check/certificate_reader.h"
#include "check/moves.h"
#include "model/state.h"

#include <string.h>

// A joint transition of the present state, as far as the state decides it. Its tests are those
// of the guards and then those of the target's invariant, the latter carried back over the
// updates, so that all speak of the clocks before them.
typedef struct Arrow {
  uint32_t ordinal;
  uint32_t first_test, guard_count, test_count;
  uint32_t first_drop, drop_count; // of Checker.drops
  size_t target;                   // of Checker.targets: the state that it leads to
  size_t origin;                   // of Checker.origins: where each clock comes from
  const char *error;               // it fails where the guards hold
  bool is_blocked;                 // the target's invariant never holds
} Arrow;

typedef struct Origin { // a clock is clock y + d of before
  ClockIndex y;
  int64_t d;
} Origin;

typedef struct Checker {
  Mem *mem;
  const Net *net;
  const Goal *goal;
  Text *why;
  Certificate c;
  CertifyCounts *counts;
  Vm vm;
  Moves moves;
  bool is_split; // there are channels or priorities: moves are `branches`, and hints a set
  Branches branches;
  VEC(uint32_t) hints; // of the present node, if so
  ClockTests tests;    // of all arrows
  ClockTests fresh;
  ClockUpdates updates;
  VEC(Arrow) arrows;
  VEC(int32_t) targets;
  VEC(Origin) origins;
  VEC(Origin) drops;    // values with d < 0 that updates of the arrows set clocks to
  ClockTests invariant; // of the present state
  bool invariant_fails, can_delay;
  uint32_t group, node;
  Room *zone;   // of the present node, delayed
  Room *source; // of the present transition
  Room *entry;  // where it leads to
  Room *coverer;
  Origin *columns; // room for `enter`
  // Of a certificate with renamings: how the present target is renamed, its state, where its
  // clocks were, and scratch for both.
  int32_t *renamed, *scratch;
  ClockIndex *from, *scratch_clocks;
  Origin *renamed_origin;
} Checker;

static bool reject(Checker *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool reject(Checker *c, const char *format, ...) {
  text_addf(c->why, "node %u, ", c->node);
  state_print(c->why, c->net, certificate_state(&c->c, c->group));
  text_add(c->why, ": ");
  va_list arguments;
  va_start(arguments, format);
  text_addv(c->why, format, arguments);
  va_end(arguments);
  return false;
}

static bool reject_arrow(Checker *c, const Arrow *arrow, const char *reason) {
  reject(c, "the transition <");
  const MoveEdges move = c->moves.list.items[arrow->ordinal];
  for (uint32_t i = 0; i < move.count; i++) {
    const Edge *edge = c->moves.edges.items[move.first + i];
    text_addf(c->why, "%s%s.%s->%s", i ? ", " : "", c->net->processes.items[edge->process].name,
              c->net->locations.items[edge->source].name,
              c->net->locations.items[edge->target].name);
  }
  text_addf(c->why, "> %s", reason);
  return false;
}

// Nothing here overflows. A finite entry of a file is at most ROOM_MOST = 2^40 by absolute value,
// and so are the tests. An entry that is computed is the length of a simple path through at most
// NET_MOST_CLOCKS + 1 < 2^15 clocks, hence below 2^55. The d of an Origin is a sum of at
// most VM_MOST_STEPS < 2^24 constants of at most 2^26, hence at most 2^50; bounds are at most
// 2^50.
static Room sum(Room a, Room b) {
  return a >= ROOM_INFINITE || b >= ROOM_INFINITE ? ROOM_INFINITE : a + b - ((a | b) & 1);
}

static Room moved(Room room, int64_t by) {
  return room >= ROOM_INFINITE ? ROOM_INFINITE : room + 2 * by;
}

// Every entry is the least that follows from the others, no clock is negative, and there is a
// point.
static bool is_tight(const Room *m, uint32_t k) {
  for (uint32_t i = 0; i < k; i++) {
    if (m[i] > ROOM_ZERO)
      return false;
    for (uint32_t j = 0; j < k; j++) {
      const Room ij = m[i * k + j];
      if (ij >= ROOM_INFINITE)
        continue;
      if (sum(ij, m[j * k + i]) < ROOM_ZERO)
        return false;
      bool is_loose = false;
      for (uint32_t l = 0; l < k; l++)
        is_loose |= m[i * k + l] > sum(ij, m[j * k + l]);
      if (is_loose)
        return false;
    }
  }
  return true;
}

// Intersects with x_i - x_j <= room; false if nothing is left.
static bool constrain(Room *m, uint32_t k, uint32_t i, uint32_t j, Room room) {
  if (m[i * k + j] <= room)
    return true;
  if (sum(m[j * k + i], room) < ROOM_ZERO)
    return false;
  for (uint32_t a = 0; a < k; a++) {
    const Room to = sum(m[a * k + i], room);
    if (to >= ROOM_INFINITE)
      continue;
    for (uint32_t b = 0; b < k; b++) {
      const Room way = sum(to, m[j * k + b]);
      if (way < m[a * k + b])
        m[a * k + b] = way;
    }
  }
  return true;
}

// Whether the bounds make the node see a test (check/certify.h).
static bool is_seen(const NodeBounds *bounds, const ClockTest *test) {
  const uint32_t i = bounds->position[test->i], j = bounds->position[test->j];
  if (i == UINT32_MAX || j == UINT32_MAX)
    return false;
  if (!test->i)
    return bounds->lower[j] >= -(int64_t)test->constant;
  if (!test->j)
    return bounds->upper[i] >= test->constant || test->constant < 0 ||
           (test->constant == 0 && test->strict);
  return bounds->lower[i] == BOUND_INFINITE && bounds->upper[i] == BOUND_INFINITE &&
         bounds->lower[j] == BOUND_INFINITE && bounds->upper[j] == BOUND_INFINITE;
}

static Room room_of(const ClockTest *test) { return 2 * (int64_t)test->constant + !test->strict; }

// Intersects with the tests that are seen.
static bool constrain_all(Room *m, const NodeBounds *bounds, const ClockTest *tests,
                          uint32_t count) {
  for (uint32_t t = 0; t < count; t++)
    if (is_seen(bounds, &tests[t]) &&
        !constrain(m, bounds->k, bounds->position[tests[t].i], bounds->position[tests[t].j],
                   room_of(&tests[t])))
      return false;
  return true;
}

// Whether one of the tests that are seen misses the zone altogether: the usual case, for which
// nothing needs to be copied.
static bool misses(const Room *m, const NodeBounds *bounds, const ClockTest *tests,
                   uint32_t count) {
  const uint32_t k = bounds->k;
  for (uint32_t t = 0; t < count; t++)
    if (is_seen(bounds, &tests[t]) &&
        sum(m[bounds->position[tests[t].j] * k + bounds->position[tests[t].i]],
            room_of(&tests[t])) < ROOM_ZERO)
      return true;
  return false;
}

// Whether `small` is a subset of a_LU(big), by the criterion of HSW12: it is not iff for some y
// and x some point of small has x <= U_x, where big[y][x] is less than small[y][x] and
// remains too small with y lowered to just above L_y.
static bool is_covered(const Room *small, const Room *big, const NodeBounds *bounds) {
  const uint32_t k = bounds->k;
  for (uint32_t y = 0; y < k; y++) {
    if (bounds->lower[y] == BOUND_NONE)
      continue;
    for (uint32_t x = 0; x < k; x++) {
      const Room b = big[y * k + x];
      if (b >= small[y * k + x] || bounds->upper[x] == BOUND_NONE)
        continue;
      if (small[x] >= 1 - 2 * bounds->upper[x] && sum(b, -2 * bounds->lower[y]) < small[x])
        return false;
    }
  }
  return true;
}

// Adds the tests of a guard in a state. False if it does not hold; after an error there are none.
static bool guard_holds(Checker *c, const Guard *guard, const int32_t *state, ClockTests *tests,
                        const char **error) {
  const VmResult result = vm_guard(&c->vm, guard, state, tests);
  if (result == VM_ERROR || (result == VM_INVALID && c->net->invalid_is_error)) {
    vec_clear(tests);
    *error = c->vm.error;
    return true;
  }
  return result == VM_TRUE;
}

// An error in an invariant counts whatever the clocks are.
static bool invariants_hold(Checker *c, const int32_t *state, ClockTests *tests,
                            const char **error) {
  for (ProcessId p = 0; p < c->net->processes.size && !*error; p++) {
    const Location *location = net_location(c->net, p, state[c->net->location_slot + p]);
    if (!guard_holds(c, &location->invariant, state, tests, error))
      return false;
  }
  return true;
}

static void add_tests(Checker *c, const ClockTest *tests, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    vec_push(c->mem, &c->tests, tests[i]);
}

// The guards of a move. Comparisons with constants, of all its edges, come first, then the rest,
// edge by edge: an error in the rest counts only where the comparisons hold.
static bool guards_hold(Checker *c, const MoveEdges *move, const int32_t *state, Arrow *arrow) {
  const Edge *const *edges = &c->moves.edges.items[move->first];
  for (uint32_t i = 0; i < move->count; i++)
    for (uint32_t t = 0; t < edges[i]->guard.test_count; t++)
      if (!vm_test(&edges[i]->guard.tests[t], state))
        return false;
  for (uint32_t i = 0; i < move->count && !arrow->error; i++) {
    vec_clear(&c->fresh);
    if (!guard_holds(c, &edges[i]->guard, state, &c->fresh, &arrow->error))
      return false;
    add_tests(c, c->fresh.items, c->fresh.size);
  }
  if (arrow->error) {
    c->tests.size = arrow->first_test;
    for (uint32_t i = 0; i < move->count; i++)
      add_tests(c, edges[i]->guard.clock_tests, edges[i]->guard.clock_test_count);
  }
  if (c->is_split) {
    const Branch *branch = &c->branches.list.items[arrow->ordinal];
    add_tests(c, c->branches.tests.items + branch->first, branch->count);
  }
  arrow->guard_count = c->tests.size - arrow->first_test;
  return true;
}

// Runs an update of a move on the target state; false if there is no target.
static bool run_update(Checker *c, const Update *update, Arrow *arrow) {
  int32_t *target = &c->targets.items[arrow->target];
  const VmResult result = arrow->error ? VM_TRUE : vm_update(&c->vm, update, target, &c->updates);
  if (result == VM_ERROR || (result == VM_INVALID && c->net->invalid_is_error))
    arrow->error = c->vm.error;
  return result == VM_TRUE || arrow->error;
}

// Makes the target state of a move and where its clocks come from. False if there is none.
static bool find_target(Checker *c, const MoveEdges *move, Arrow *arrow) {
  const Net *net = c->net;
  const uint32_t clocks = net->clock_count + 1;
  arrow->target = c->targets.size;
  arrow->origin = c->origins.size;
  vec_reserve(c->mem, &c->targets, c->targets.size + net->slot_count);
  vec_reserve(c->mem, &c->origins, c->origins.size + clocks);
  int32_t *target = &c->targets.items[arrow->target];
  memcpy(target, certificate_state(&c->c, c->group), net->slot_count * sizeof *target);
  Origin *origin = &c->origins.items[arrow->origin];
  for (ClockIndex x = 0; x < clocks; x++)
    origin[x] = (Origin){x, 0};
  vec_clear(&c->updates);
  if (move->count && !run_update(c, &net->before, arrow))
    return false;
  for (uint32_t i = 0; i < move->count; i++)
    if (!run_update(c, &c->moves.edges.items[move->first + i]->update, arrow))
      return false;
  if (move->count && !run_update(c, &net->after, arrow))
    return false;
  for (uint32_t slot = 0; net->slot_is_meta && slot < net->location_slot; slot++)
    target[slot] = net->slot_is_meta[slot] ? net->slot_initial[slot] : target[slot];
  for (uint32_t i = 0; i < move->count; i++) {
    const Edge *edge = c->moves.edges.items[move->first + i];
    target[net->location_slot + edge->process] = net_index(net, edge->target);
  }
  for (uint32_t i = 0; i < c->updates.size; i++) {
    const ClockUpdate u = c->updates.items[i];
    origin[u.x] = (Origin){origin[u.y].y, origin[u.y].d + u.constant};
    if (origin[u.x].d < 0)
      vec_push(c->mem, &c->drops, origin[u.x]);
  }
  arrow->drop_count = c->drops.size - arrow->first_drop;
  return true;
}

// Carries the target's invariant back over the updates. False if it cannot hold.
static bool carry_back(Checker *c, const Arrow *arrow) {
  const Origin *origin = &c->origins.items[arrow->origin];
  for (uint32_t i = 0; i < c->fresh.size; i++) {
    const ClockTest test = c->fresh.items[i];
    const Origin a = origin[test.i], b = origin[test.j];
    const int64_t constant = test.constant - a.d + b.d;
    if (a.y == b.y) {
      if (test.strict ? constant <= 0 : constant < 0)
        return false;
      continue;
    }
    // Out of range it is made weaker, which can only add successors.
    if (constant > NET_MOST_CONSTANT)
      continue;
    const int32_t cut = (int32_t)(constant < -NET_MOST_CONSTANT ? -NET_MOST_CONSTANT : constant);
    const ClockTest back = {a.y, b.y, cut, test.strict};
    vec_push(c->mem, &c->tests, back);
  }
  return true;
}

// Whether a test alone or two of them are contradictory: then no valuation meets them, whatever a
// node sees.
static bool contradict(const ClockTest *tests, uint32_t count, const ClockTest *more,
                       uint32_t more_count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!tests[i].j && room_of(&tests[i]) < ROOM_ZERO) // a clock below 0
      return true;
    for (uint32_t j = 0; j < i + more_count; j++) {
      const ClockTest *other = j < i ? &tests[j] : &more[j - i];
      if (other->i == tests[i].j && other->j == tests[i].i &&
          sum(room_of(other), room_of(&tests[i])) < ROOM_ZERO)
        return true;
    }
  }
  return false;
}

static bool contradict_invariant(const Checker *c, const ClockTest *tests, uint32_t count) {
  return contradict(tests, count, c->invariant.items, c->invariant.size);
}

// What comes after the updates: the target's invariant.
static void find_entry(Checker *c, Arrow *arrow) {
  const int32_t *target = &c->targets.items[arrow->target];
  vec_clear(&c->fresh);
  arrow->is_blocked = !invariants_hold(c, target, &c->fresh, &arrow->error) ||
                      (!arrow->error && !carry_back(c, arrow));
}

// False if it can be left out: it is not possible, whatever the clocks are.
static bool find_arrow(Checker *c, uint32_t ordinal, Arrow *arrow) {
  const MoveEdges move = c->moves.list.items[ordinal];
  const int32_t *state = certificate_state(&c->c, c->group);
  *arrow = (Arrow){.ordinal = ordinal, .first_test = c->tests.size, .first_drop = c->drops.size};
  if (!guards_hold(c, &move, state, arrow))
    return false;
  if (!arrow->error) {
    if (!find_target(c, &move, arrow))
      return false;
    if (!arrow->error)
      find_entry(c, arrow);
    c->targets.size += c->net->slot_count;
    c->origins.size += c->net->clock_count + 1;
  }
  arrow->test_count = c->tests.size - arrow->first_test;
  const ClockTest *tests = &c->tests.items[arrow->first_test];
  if (contradict_invariant(c, tests, arrow->guard_count))
    return false;
  arrow->is_blocked |= contradict_invariant(c, tests, arrow->test_count);
  return !arrow->is_blocked || arrow->drop_count;
}

// What the present state decides, for all its nodes.
static bool find_arrows(Checker *c) {
  const int32_t *state = certificate_state(&c->c, c->group);
  const char *error = NULL;
  vec_clear(&c->arrows);
  vec_clear(&c->tests);
  vec_clear(&c->targets);
  vec_clear(&c->origins);
  vec_clear(&c->drops);
  vec_clear(&c->invariant);
  c->can_delay = moves_can_delay(c->net, state);
  c->invariant_fails = !invariants_hold(c, state, &c->invariant, &error);
  if (error)
    return reject(c, "its invariant fails: %s", error);
  if (c->is_split) {
    branches_find(&c->branches, state);
    c->can_delay = c->branches.can_delay;
  } else {
    moves_find(&c->moves, state);
  }
  for (uint32_t i = 0; i < c->moves.list.size; i++) {
    Arrow arrow;
    if (find_arrow(c, i, &arrow)) {
      vec_push(c->mem, &c->arrows, arrow);
      continue;
    }
    c->tests.size = arrow.first_test;
    c->drops.size = arrow.first_drop;
  }
  return true;
}

// The bounds of the coverer do not ask for more than those of the source can promise.
static bool bounds_carry(const NodeBounds *from, const NodeBounds *to, const Origin *origin) {
  for (uint32_t i = 1; i < to->k; i++) {
    const Origin o = origin[to->clocks[i]];
    if (!o.y)
      continue;
    const uint32_t y = from->position[o.y];
    const int64_t lower = y == UINT32_MAX ? BOUND_NONE : from->lower[y];
    const int64_t upper = y == UINT32_MAX ? BOUND_NONE : from->upper[y];
    const int64_t least = to->lower[i] == BOUND_INFINITE ? BOUND_INFINITE : to->lower[i] - o.d;
    const int64_t most = to->upper[i] == BOUND_INFINITE ? BOUND_INFINITE : to->upper[i] - o.d;
    if ((to->lower[i] != BOUND_NONE && least >= 0 && lower < least) ||
        (to->upper[i] != BOUND_NONE && most >= 0 && upper < most))
      return false;
  }
  return true;
}

// The zone after the updates, over the clocks of the coverer. A clock that the source does not
// know can be anything that is not negative: it is at least d, and 0. So its column is that of
// clock 0. `columns` is room for one entry per clock: y is a position in the source.
static void enter(const Room *m, const NodeBounds *from, const NodeBounds *to,
                  const Origin *origin, Origin *columns, Room *entry) {
  const uint32_t k = to->k;
  for (uint32_t j = 0; j < k; j++) {
    const Origin b = origin[to->clocks[j]];
    const uint32_t q = from->position[b.y];
    columns[j] = q == UINT32_MAX ? (Origin){0, b.d > 0 ? b.d : 0} : (Origin){q, b.d};
  }
  for (uint32_t i = 0; i < k; i++, entry += k) {
    const Origin a = origin[to->clocks[i]];
    const uint32_t p = from->position[a.y];
    const Room *row = p == UINT32_MAX ? NULL : m + p * from->k;
    for (uint32_t j = 0; j < k; j++)
      entry[j] = row ? moved(row[columns[j].y], a.d - columns[j].d) : ROOM_INFINITE;
    entry[i] = ROOM_ZERO;
  }
}

// Whether a test says that clock y is at least -d.
static bool is_tested(const ClockTest *tests, uint32_t count, Origin drop) {
  for (uint32_t t = 0; t < count; t++)
    if (!tests[t].i && tests[t].j == drop.y && tests[t].constant <= drop.d)
      return true;
  return false;
}

// No update sets a clock to y + d < 0. The node stands for valuations u that a point v of its
// zone simulates, and u may have y smaller than v has it, though not below U_y then. So it is not
// enough that v has y >= -d: u has it for sure if U_y >= -d too, or if a test says so, which u
// meets itself.
static bool clocks_stay_positive(const Checker *c, const Arrow *arrow, const Room *m,
                                 const NodeBounds *bounds) {
  const ClockTest *guard = &c->tests.items[arrow->first_test];
  for (uint32_t i = 0; i < arrow->drop_count; i++) {
    const Origin drop = c->drops.items[arrow->first_drop + i];
    if (!drop.y)
      return false;
    if (is_tested(guard, arrow->guard_count, drop) ||
        is_tested(c->invariant.items, c->invariant.size, drop))
      continue;
    const uint32_t y = bounds->position[drop.y];
    if (y == UINT32_MAX || m[y] > 1 + 2 * drop.d || bounds->upper[y] < -drop.d)
      return false;
  }
  return true;
}

// Whether node `to` covers `entry`, a zone in this state.
static bool node_covers(Checker *c, uint32_t to) {
  const size_t at = c->c.at;
  certificate_matrix(&c->c, to, c->coverer);
  c->c.at = at;
  return is_covered(c->entry, c->coverer, &c->c.bounds.items[c->c.nodes.items[to].bounds]);
}

static bool is_node_of(const Checker *c, uint32_t node, const int32_t *state) {
  return node < c->c.nodes.size && !memcmp(certificate_state(&c->c, c->c.nodes.items[node].group),
                                           state, c->net->slot_count * sizeof *state);
}

// The state under the names of the covering node, if there are renamings; NULL if the one that
// was read last is not allowed. `from` are its clocks.
static const int32_t *rename_state(Checker *c, const int32_t *state) {
  const Renamings *renamings = &c->c.renamings;
  if (!renamings->count)
    return state;
  memcpy(c->renamed, state, c->net->slot_count * sizeof *state);
  for (ClockIndex x = 0; x <= c->net->clock_count; x++)
    c->from[x] = x;
  for (uint32_t f = 0; f < renamings->count; f++) {
    const RenamedFamily *family = &renamings->families[f];
    if (!renaming_allows(family, c->net, c->renamed, c->c.to[f]))
      return NULL;
    renaming_apply(family, c->net, c->c.to[f], c->renamed, c->scratch, c->from,
                   c->scratch_clocks);
  }
  return c->renamed;
}

// Where the clocks of the renamed target come from.
static const Origin *rename_origins(Checker *c, const Origin *origin) {
  if (!c->c.renamings.count)
    return origin;
  for (ClockIndex x = 0; x <= c->net->clock_count; x++)
    c->renamed_origin[x] = origin[c->from[x]];
  return c->renamed_origin;
}

// Where a transition leads to; the zone is in `source`.
static bool check_target(Checker *c, const Arrow *arrow, const NodeBounds *bounds,
                         uint32_t hint) {
  const Origin *origin = &c->origins.items[arrow->origin];
  if (hint == UINT32_MAX)
    return reject_arrow(c, arrow, "is possible, but nothing covers it");
  const int32_t *target = rename_state(c, &c->targets.items[arrow->target]);
  if (!target || !is_node_of(c, hint, target))
    return reject_arrow(c, arrow, "leads to another state than the node that should cover it");
  origin = rename_origins(c, origin);
  const NodeBounds *to = &c->c.bounds.items[c->c.nodes.items[hint].bounds];
  if (!bounds_carry(bounds, to, origin))
    return reject_arrow(c, arrow, "leads to a node whose clock bounds ask for more");
  enter(c->source, bounds, to, origin, c->columns, c->entry);
  return node_covers(c, hint) || reject_arrow(c, arrow, "is not covered");
}

// The same where any of the node's hints may be the one.
static bool check_targets(Checker *c, const Arrow *arrow, const NodeBounds *bounds) {
  const Origin *origin = &c->origins.items[arrow->origin];
  for (uint32_t i = 0; i < c->hints.size; i++) {
    const uint32_t hint = c->hints.items[i];
    if (!is_node_of(c, hint, &c->targets.items[arrow->target]))
      continue;
    const NodeBounds *to = &c->c.bounds.items[c->c.nodes.items[hint].bounds];
    if (!bounds_carry(bounds, to, origin))
      continue;
    enter(c->source, bounds, to, origin, c->columns, c->entry);
    if (node_covers(c, hint))
      return true;
  }
  return reject_arrow(c, arrow, "is possible, but no node covers it");
}

// A branch without edges: time passes in `source`. False if nothing is left.
static bool pass_time(Checker *c, const Branch *branch, const NodeBounds *bounds) {
  for (uint32_t i = 1; i < bounds->k; i++)
    c->source[i * bounds->k] = ROOM_INFINITE;
  return constrain_all(c->source, bounds, c->invariant.items, c->invariant.size) &&
         constrain_all(c->source, bounds, c->branches.tests.items + branch->first_after,
                       branch->after_count);
}

// One transition from the present node; `hint` is the node said to cover it, or UINT32_MAX.
// Errors of updates count where the guards hold, whether or not the target's invariant does.
static bool check_arrow(Checker *c, const Arrow *arrow, const NodeBounds *bounds, uint32_t hint) {
  const ClockTest *tests = &c->tests.items[arrow->first_test];
  const uint32_t k = bounds->k, guards = arrow->guard_count, all = arrow->test_count;
  if (misses(c->zone, bounds, tests, arrow->drop_count ? guards : all))
    return true;
  memcpy(c->source, c->zone, sizeof *c->zone * k * k);
  if (!constrain_all(c->source, bounds, tests, guards))
    return true;
  if (arrow->error)
    return reject_arrow(c, arrow, arrow->error);
  if (!clocks_stay_positive(c, arrow, c->source, bounds))
    return reject_arrow(c, arrow, "may set a clock to a negative value");
  if (arrow->is_blocked || !constrain_all(c->source, bounds, tests + guards, all - guards))
    return true;
  if (c->is_split && !c->moves.list.items[arrow->ordinal].count &&
      !pass_time(c, &c->branches.list.items[arrow->ordinal], bounds))
    return true;
  c->counts->transitions++;
  return c->is_split ? check_targets(c, arrow, bounds) : check_target(c, arrow, bounds, hint);
}

static bool check_goal(Checker *c, const NodeBounds *bounds) {
  const int32_t *state = certificate_state(&c->c, c->group);
  for (uint32_t i = 0; c->goal && i < c->goal->clause_count; i++) {
    const char *error = NULL;
    vec_clear(&c->fresh);
    if (!guard_holds(c, &c->goal->clauses[i], state, &c->fresh, &error))
      continue;
    if (error)
      return reject(c, "the goal fails: %s", error);
    if (contradict_invariant(c, c->fresh.items, c->fresh.size))
      continue;
    memcpy(c->source, c->zone, sizeof *c->zone * bounds->k * bounds->k);
    if (constrain_all(c->source, bounds, c->fresh.items, c->fresh.size))
      return reject(c, "it meets the goal");
  }
  return true;
}

// The zone of the present node with its invariant and after delay. False if nothing is left.
static bool let_time_pass(Checker *c, const NodeBounds *bounds) {
  const uint32_t k = bounds->k;
  if (!constrain_all(c->zone, bounds, c->invariant.items, c->invariant.size))
    return false;
  if (!c->can_delay)
    return true;
  for (uint32_t i = 1; i < k; i++)
    c->zone[i * k] = ROOM_INFINITE;
  return constrain_all(c->zone, bounds, c->invariant.items, c->invariant.size);
}

static bool check_node(Checker *c) {
  const NodeBounds *bounds = &c->c.bounds.items[c->c.nodes.items[c->node].bounds];
  certificate_matrix(&c->c, c->node, c->zone);
  if (!is_tight(c->zone, bounds->k))
    return reject(c, "its zone is empty or its bounds are not tight");
  if (c->invariant_fails || !let_time_pass(c, bounds))
    return true; // stands for nothing
  if (!check_goal(c, bounds))
    return false;
  uint64_t count = certificate_number(&c->c), ordinal = UINT64_MAX;
  vec_clear(&c->hints);
  for (; c->is_split && count; count--) {
    certificate_number(&c->c);
    vec_push(c->mem, &c->hints, (uint32_t)certificate_number(&c->c));
  }
  // Both lists ascend.
  uint32_t hint = UINT32_MAX;
  bool has_hint = false;
  for (uint32_t i = 0; i < c->arrows.size; i++) {
    const Arrow *arrow = &c->arrows.items[i];
    while (count && (!has_hint || ordinal < arrow->ordinal)) {
      ordinal += 1 + certificate_number(&c->c);
      hint = (uint32_t)certificate_number(&c->c);
      certificate_renaming(&c->c);
      has_hint = true;
      count--;
    }
    const bool is_hinted = has_hint && ordinal == arrow->ordinal;
    if (!check_arrow(c, arrow, bounds, is_hinted ? hint : UINT32_MAX))
      return false;
  }
  return true;
}

static int64_t initial_value(const Checker *c, ClockIndex x) {
  return c->net->clock_initial ? c->net->clock_initial[x] : 0;
}

// Does the invariant of an initial state hold with the initial values of the clocks?
static bool starts(Checker *c, const int32_t *state, const char **error) {
  vec_clear(&c->fresh);
  if (!invariants_hold(c, state, &c->fresh, error))
    return false;
  for (uint32_t i = 0; i < c->fresh.size; i++) {
    const ClockTest *test = &c->fresh.items[i];
    const int64_t difference = initial_value(c, test->i) - initial_value(c, test->j);
    if (room_of(test) < moved(ROOM_ZERO, difference))
      return false;
  }
  return true;
}

static bool reject_initial(Checker *c, const int32_t *state, const char *reason) {
  text_add(c->why, "initial state ");
  state_print(c->why, c->net, state);
  text_addf(c->why, ": %s", reason);
  return false;
}

// Of a clock of the covering node.
static int64_t named_value(const Checker *c, ClockIndex x) {
  return initial_value(c, c->c.renamings.count ? c->from[x] : x);
}

static bool check_initial(Checker *c, const int32_t *state, uint32_t hint) {
  const char *error = NULL;
  if (!starts(c, state, &error))
    return true;
  if (error)
    return reject_initial(c, state, error);
  const int32_t *named = hint == UINT32_MAX ? NULL : rename_state(c, state);
  if (!named || !is_node_of(c, hint, named))
    return reject_initial(c, state, "nothing covers it");
  const NodeBounds *to = &c->c.bounds.items[c->c.nodes.items[hint].bounds];
  for (uint32_t i = 0; i < to->k; i++)
    for (uint32_t j = 0; j < to->k; j++)
      c->entry[i * to->k + j] =
          moved(ROOM_ZERO, named_value(c, to->clocks[i]) - named_value(c, to->clocks[j]));
  return node_covers(c, hint) || reject_initial(c, state, "it is not covered");
}

static bool check_initials(Checker *c) {
  c->c.at = c->c.initials;
  uint64_t count = certificate_number(&c->c), at = UINT64_MAX;
  uint32_t hint = UINT32_MAX;
  bool has_hint = false, started = false, ok = true;
  uint32_t *choice = mem_alloc(c->mem, c->net->processes.size * sizeof *choice);
  int32_t *state = mem_alloc(c->mem, c->net->slot_count * sizeof *state);
  for (uint64_t i = 0; ok && state_initial(c->net, state, choice, &started); i++) {
    while (count && (!has_hint || at < i)) {
      at += 1 + certificate_number(&c->c);
      hint = (uint32_t)certificate_number(&c->c);
      certificate_renaming(&c->c);
      has_hint = true;
      count--;
    }
    ok = check_initial(c, state, has_hint && at == i ? hint : UINT32_MAX);
  }
  mem_free(c->mem, choice);
  mem_free(c->mem, state);
  return ok;
}

static bool check_all(Checker *c) {
  if (!check_initials(c))
    return false;
  for (c->group = 0; c->group < c->c.group_count; c->group++) {
    c->node = c->c.first_nodes.items[c->group];
    if (!find_arrows(c))
      return false;
    for (; c->node < c->c.first_nodes.items[c->group + 1]; c->node++)
      if (!check_node(c))
        return false;
  }
  return true;
}

// Renamings are symmetries of the network and of the goal. With channels hints are a set, in
// which none is renamed.
static bool check_renamings(Checker *c) {
  if (!c->c.renamings.count)
    return true;
  if (c->is_split) {
    text_add(c->why, "renamings are not allowed in networks with channels");
    return false;
  }
  return renaming_check(&c->c.renamings, c->mem, c->net, c->goal, c->why);
}

static bool check_opened(Checker *c) {
  Mem *mem = c->mem;
  const size_t bytes = sizeof *c->zone * c->c.most_k * c->c.most_k;
  net_vm(c->net, &c->vm, mem);
  moves_init(&c->moves, mem, c->net);
  branches_init(&c->branches, mem, &c->moves, &c->vm);
  c->is_split = c->net->channels.size || c->net->has_priorities;
  c->zone = mem_alloc(mem, bytes);
  c->source = mem_alloc(mem, bytes);
  c->entry = mem_alloc(mem, bytes);
  c->coverer = mem_alloc(mem, bytes);
  c->columns = mem_alloc(mem, sizeof *c->columns * c->c.most_k);
  const uint32_t clocks = c->net->clock_count + 1;
  c->renamed = mem_alloc(mem, c->net->slot_count * sizeof *c->renamed);
  c->scratch = mem_alloc(mem, c->net->slot_count * sizeof *c->scratch);
  c->from = mem_alloc(mem, clocks * sizeof *c->from);
  c->scratch_clocks = mem_alloc(mem, clocks * sizeof *c->from);
  c->renamed_origin = mem_alloc(mem, clocks * sizeof *c->renamed_origin);
  const bool accepted = check_renamings(c) && check_all(c);
  *c->counts = (CertifyCounts){c->c.group_count, c->c.nodes.size, c->counts->transitions};
  mem_free(mem, c->zone);
  mem_free(mem, c->source);
  mem_free(mem, c->entry);
  mem_free(mem, c->coverer);
  mem_free(mem, c->columns);
  mem_free(mem, c->renamed);
  mem_free(mem, c->scratch);
  mem_free(mem, c->from);
  mem_free(mem, c->scratch_clocks);
  mem_free(mem, c->renamed_origin);
  vec_release(mem, &c->tests);
  vec_release(mem, &c->fresh);
  vec_release(mem, &c->updates);
  vec_release(mem, &c->arrows);
  vec_release(mem, &c->targets);
  vec_release(mem, &c->origins);
  vec_release(mem, &c->drops);
  vec_release(mem, &c->invariant);
  moves_release(&c->moves);
  branches_release(&c->branches);
  vec_release(mem, &c->hints);
  vm_release(&c->vm);
  return accepted;
}

bool certify_check(Mem *mem, const Net *net, const Goal *goal, const char *bytes, size_t size,
                   CertifyCounts *counts, Text *why) {
  Checker c = {.mem = mem, .net = net, .goal = goal, .why = why, .counts = counts};
  *counts = (CertifyCounts){0};
  const bool accepted = certificate_open(&c.c, mem, net, bytes, size, why) && check_opened(&c);
  certificate_release(&c.c);
  return accepted;
}
