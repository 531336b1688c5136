#include "semantics/zone/partialorder.h"

#include "analysis/stubborn.h"
#include "base/testbuild.h"
#include "dbm/simulation.h"
#include "model/certificate_format.h"
#include "semantics/zone/globalzone.h"
#include "semantics/zone/reduce.h"

#include <string.h>

enum {
  STARTS_LIMIT = 12, // processes that stop time in a whole node: the best set of these is taken
  PARTIAL_LIMIT = 3, // in a part of a node
  // A search that gains little at first rests from the reduction (is_poor). Nodes: that are
  // looked at before it is seen at once, and before it is known, that are met if nothing is left
  // out of them, the same once something was, of the first rest, and how many times longer each
  // rest is than the one before.
  SHORT_TRIAL = 12,
  TRIAL = 32,
  PATIENCE = 500,
  PATIENCE_LATER = 100000,
  FIRST_REST = 3900,
  REST_GROWTH = 4,
};

// Of the nodes since the last rest.
typedef struct Gain {
  uint32_t met, looked; // nodes; met: since something was left out
  uint64_t left, kept;  // transitions that may be possible
} Gain;

// U, the part of a node in which time stands still, is the node with clock x at its upper bound:
// -x <= low. All of it if x is 0.
typedef struct Still {
  uint32_t x; // position
  Bound low;
} Still;

typedef struct PartialOrder {
  uint32_t *group; // by process: see has_groups
  bool is_made;    // what is below, when it is needed first
  Footprint foot;
  Stubborn stubborn;
  Vm vm; // its own: invalid values that it meets are not the search's
  const Bound *zone;
  uint32_t stride;
  const uint32_t *position; // by clock
  Still still;
  bool looks_wide; // deadlocks and errors of states that the node stands for count, too
  Bound *hull;     // that contains them
  Bound *most;     // by position: the upper bound that the invariant gives
  ClockTests tests, reasons;
  ClockUpdates updates;
  int32_t *copy; // of a state
  uint32_t *classes;
  bool *best; // by process: the set that leaves most out
  uint32_t best_kept;
  Still best_still;
  PartialClaim claim, best_claim; // of the set that is tried, of the best one
  bool is_claimed;                // the best one leaves out something
  bool is_proof;                  // for a certificate: see find_zone
  bool is_patient;                // it never rests
  int32_t *lower, *upper;         // bounds of a certificate: by clock, then by position
  VEC(bool) pruned;
  Gain gain;
  uint64_t rest, next_rest; // nodes
} PartialOrder;

// --- Clock tests in U.

static Bound entry(const PartialOrder *po, uint32_t i, uint32_t j) {
  const Bound plain = po->zone[i * po->stride + j];
  const uint32_t x = po->still.x;
  if (!x)
    return plain;
  const Bound over = bound_sum(po->zone[i * po->stride], po->still.low);
  return bound_min(plain, bound_sum(over, po->zone[x * po->stride + j]));
}

static bool place(const PartialOrder *po, ClockIndex clock, uint32_t *at) {
  *at = clock ? po->position[clock] : 0;
  return !clock || *at != ACTIVE_NONE;
}

// Whether a test fails in all of U.
static bool fails(void *context, const ClockTest *t) {
  const PartialOrder *po = context;
  uint32_t i, j;
  return place(po, t->i, &i) && place(po, t->j, &j) &&
         bound_sum(entry(po, j, i), bound_make(code_narrow(t->constant), t->strict)) <
             BOUND_LE_ZERO;
}

// Whether it holds in all of U.
static bool holds(const PartialOrder *po, const ClockTest *t) {
  uint32_t i, j;
  return place(po, t->i, &i) && place(po, t->j, &j) &&
         entry(po, i, j) <= bound_make(code_narrow(t->constant), t->strict);
}

// --- Edges.

static EdgeStatus status_of(PartialOrder *po, EdgeId i, const int32_t *state) {
  const Footprint *f = &po->foot;
  const Edge *e = &f->net->edges.items[i];
  for (uint32_t k = f->first_lower[i]; k < f->first_lower[i + 1]; k++) {
    const FootLower *lower = &f->lowers.items[k];
    const ClockTest test = {0, lower->clock, -lower->bound, lower->strict};
    if (fails(po, &test))
      return EDGE_NEVER;
  }
  vec_clear(&po->tests);
  const VmResult result = vm_guard(&po->vm, &e->guard, state, &po->tests);
  if (result == VM_ERROR)
    return EDGE_POSSIBLE;
  if (result != VM_TRUE)
    return EDGE_FAILS;
  for (uint32_t k = 0; k < po->tests.size; k++)
    if (fails(po, &po->tests.items[k]))
      return EDGE_FAILS;
  return EDGE_POSSIBLE;
}

static void look(PartialOrder *po, const int32_t *state) {
  const Net *net = po->foot.net;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Location *at = &net->locations.items[net_location_at(net, p, state)];
    for (uint32_t k = 0; k < at->edge_count; k++) {
      const EdgeId e = net->out[at->first_edge + k];
      po->stubborn.status[e] = (uint8_t)status_of(po, e, state);
    }
  }
  stubborn_begin(&po->stubborn, state);
}

// --- Transitions.

static bool may_fire(const PartialOrder *po, const Transition *t) {
  for (uint32_t i = 0; i < t->edge_count; i++)
    if (po->stubborn.status[t->edges[i] - po->foot.net->edges.items] != EDGE_POSSIBLE)
      return false;
  return true;
}

// Collects the clock tests of the guards; false if a guard fails.
static bool find_guard(PartialOrder *po, const Transition *t, const int32_t *state) {
  vec_clear(&po->tests);
  for (uint32_t i = 0; i < t->edge_count; i++)
    if (vm_guard(&po->vm, &t->edges[i]->guard, state, &po->tests) != VM_TRUE)
      return false;
  return true;
}

// Whether a target invariant, looked at before the updates, holds in all of U.
static bool holds_before(const PartialOrder *po, ClockTest t) {
  int64_t a, b;
  t.i = transition_trace(po->updates.items, po->updates.size, t.i, &a);
  t.j = transition_trace(po->updates.items, po->updates.size, t.j, &b);
  t.constant += b - a;
  if (t.i == t.j)
    return t.strict ? t.constant > 0 : t.constant >= 0;
  return t.constant <= NET_MAX_CONSTANT && t.constant >= -NET_MAX_CONSTANT && holds(po, &t);
}

// Whether a transition is possible in all of U: a key (rule 8).
static bool is_key(PartialOrder *po, const Transition *t, const int32_t *state) {
  const Net *net = po->foot.net;
  if (t->extra.count || !find_guard(po, t, state))
    return false;
  for (uint32_t i = 0; i < po->tests.size; i++)
    if (!holds(po, &po->tests.items[i]))
      return false;
  memcpy(po->copy, state, net->slots.count * sizeof *state);
  vec_clear(&po->updates);
  vec_clear(&po->tests);
  if (joint_run(net, &po->vm, t->edges, t->edge_count, po->copy, &po->updates) != VM_TRUE ||
      joint_invariant(net, &po->vm, po->copy, &po->tests) != VM_TRUE)
    return false;
  for (uint32_t i = 0; i < po->tests.size; i++)
    if (!holds_before(po, po->tests.items[i]))
      return false;
  return true;
}

static bool enters_committed(const PartialOrder *po, const Transition *t) {
  for (uint32_t i = 0; i < t->edge_count; i++)
    if (po->foot.net->locations.items[t->edges[i]->target].committed)
      return true;
  return false;
}

// Rule 9, of a key: a run in zero time takes it finitely often, and no chain begins with it.
static bool ends(const PartialOrder *po, const Transition *t) {
  return (po->stubborn.has_committed || !enters_committed(po, t)) &&
         !stubborn_recurs(&po->stubborn, t->edges, t->edge_count);
}

// Whether a transition is possible in no part of the node but U.
static bool is_within(PartialOrder *po, const Transition *t, const int32_t *state) {
  const Still *still = &po->still;
  if (!still->x || PLANTED("por-within"))
    return true;
  if (!find_guard(po, t, state))
    return false;
  for (uint32_t i = 0; i < po->tests.size; i++) {
    const ClockTest *c = &po->tests.items[i];
    uint32_t y;
    if (!c->i && place(po, c->j, &y) &&
        bound_sum(bound_make(code_narrow(c->constant), c->strict),
                  po->zone[y * po->stride + still->x]) <= still->low)
      return true;
  }
  return false;
}

static const Transition *outgoing(const Zones *zones, uint32_t ordinal) {
  return locvector_transition(&zones->vectors, &zones->opened.vector->outgoing[ordinal]);
}

static bool is_left_out(Zones *zones, uint32_t ordinal, const int32_t *state) {
  PartialOrder *po = zones->partialorder;
  const Transition *t = outgoing(zones, ordinal);
  return !stubborn_takes(&po->stubborn, t->edges, t->edge_count) && is_within(po, t, state);
}

// --- Starts.

// Whether the set has a key; for errors at run time (rule 9), one that comes to an end.
static bool has_key(Zones *zones, const int32_t *state, bool for_errors) {
  PartialOrder *po = zones->partialorder;
  const Stubborn *s = &po->stubborn;
  for (uint32_t i = 0; i < zones->opened.vector->outgoing_count; i++) {
    const Transition *t = outgoing(zones, i);
    if (may_fire(po, t) && stubborn_takes(s, t->edges, t->edge_count) &&
        (!for_errors || ends(po, t)) && is_key(po, t, state))
      return true;
  }
  return false;
}

// Closes the set that has been begun, and keeps it if it leaves more out than others did.
static void try_set(Zones *zones, const int32_t *state) {
  PartialOrder *po = zones->partialorder;
  Stubborn *s = &po->stubborn;
  uint32_t kept = 0;
  stubborn_close(s, fails, po);
  if (stubborn_misses_faults(s) && !has_key(zones, state, true))
    stubborn_take_faults(s, fails, po);
  if (s->asks_dead && !has_key(zones, state, false) && !PLANTED("por-key"))
    return;
  for (uint32_t i = 0; i < zones->opened.vector->outgoing_count; i++) {
    const Transition *t = outgoing(zones, i);
    // What is impossible in U may be possible in the rest of the node: no set leaves it out.
    kept += may_fire(po, t) ? !is_left_out(zones, i, state) : po->still.x > 0;
  }
  // Of equal sets in parts of a node the last: fewer nodes on most models (bench).
  if (kept > po->best_kept || (kept == po->best_kept && !po->still.x))
    return;
  po->best_kept = kept;
  po->best_still = po->still;
  po->best_claim = po->claim;
  memcpy(po->best, s->in, po->foot.net->processes.size * sizeof *s->in);
}

// Processes in committed or urgent locations.
static void try_locations(Zones *zones, const int32_t *state) {
  PartialOrder *po = zones->partialorder;
  const Net *net = po->foot.net;
  uint32_t starts = 0;
  for (ProcessId p = 0; p < net->processes.size && starts < STARTS_LIMIT && po->best_kept > 1;
       p++) {
    const Location *at = &net->locations.items[net_location_at(net, p, state)];
    if (po->stubborn.has_committed ? !at->committed : !at->urgent)
      continue;
    starts++;
    po->claim = (PartialClaim){
        .reason = at->committed ? CERTIFY_STILL_COMMITTED : CERTIFY_STILL_URGENT, .process = p};
    stubborn_clear(&po->stubborn);
    stubborn_add(&po->stubborn, p);
    try_set(zones, state);
  }
}

static bool is_urgent(const PartialOrder *po, const Transition *t) {
  const Net *net = po->foot.net;
  const uint32_t channel = net->event_channels ? net->event_channels[t->edges[0]->event] : 0;
  bool urgent = channel && net->channels.items[channel - 1].urgent && may_fire(po, t);
  for (uint32_t k = 0; k < t->edge_count && urgent; k++)
    urgent = !expr_has_clock_test(t->edges[k]->guard_expr) &&
             (!t->edges[k]->guard.expr || !t->edges[k]->guard.clock_test_count);
  return urgent;
}

// Enabled urgent synchronisations without clock guards.
static void try_urgent(Zones *zones, const int32_t *state) {
  PartialOrder *po = zones->partialorder;
  uint32_t starts = 0;
  for (uint32_t i = 0;
       i < zones->opened.vector->outgoing_count && starts < STARTS_LIMIT && po->best_kept > 1;
       i++) {
    const Transition *t = outgoing(zones, i);
    if (!is_urgent(po, t) || !find_guard(po, t, state)) // an error may look possible
      continue;
    starts++;
    po->claim = (PartialClaim){.reason = CERTIFY_STILL_CHANNEL};
    stubborn_clear(&po->stubborn);
    for (uint32_t k = 0; k < t->edge_count; k++)
      stubborn_add(&po->stubborn, t->edges[k]->process);
    try_set(zones, state);
  }
}

// A process whose invariant says x <= c, where x = c: in the whole node, or in a part of it.
static void try_bound(Zones *zones, const int32_t *state, ProcessId p, const ClockTest *c,
                      uint32_t x, bool whole) {
  PartialOrder *po = zones->partialorder;
  Stubborn *s = &po->stubborn;
  const LocationId at = net_location_at(po->foot.net, p, state);
  po->still = whole ? (Still){0} : (Still){x, bound_le(-code_narrow(c->constant))};
  po->claim = (PartialClaim){.reason = CERTIFY_STILL_BOUND, .process = p, .clock = c->i};
  if (!whole)
    look(po, state);
  stubborn_clear(s);
  stubborn_add(s, p);
  if (!PLANTED("por-reason"))
    stubborn_need(s, po->foot.invariants + (size_t)at * po->foot.cell_words);
  try_set(zones, state);
}

static void try_bounds(Zones *zones, const int32_t *state, bool whole) {
  PartialOrder *po = zones->partialorder;
  const Net *net = po->foot.net;
  uint32_t starts = 0;
  for (ProcessId p = 0; p < net->processes.size && po->best_kept > 1; p++) {
    const Guard *invariant = net->by_location.invariants[net_location_at(net, p, state)];
    vec_clear(&po->reasons);
    if (!invariant || vm_guard(&po->vm, invariant, state, &po->reasons) != VM_TRUE)
      continue;
    for (uint32_t i = 0; i < po->reasons.size; i++) {
      const ClockTest c = po->reasons.items[i];
      uint32_t x;
      if (c.j || !c.i || c.strict || !place(po, c.i, &x))
        continue;
      const Bound low = bound_le(-code_narrow(c.constant));
      if ((po->zone[x] <= low) != whole ||
          po->zone[x * po->stride] != bound_le(code_narrow(c.constant)))
        continue;
      if (starts++ == (whole ? STARTS_LIMIT : PARTIAL_LIMIT))
        return;
      try_bound(zones, state, p, &c, x, whole);
      break;
    }
  }
}

// --- Nodes.

// The bounds that the certificate has for the opened node (answers/certificates/certificate.c).
static void find_proof_bounds(Zones *zones, const int32_t *state) {
  PartialOrder *po = zones->partialorder;
  const ActiveClocks *active = &zones->opened.vector->active;
  const bool is_m = po->stubborn.asks_dead && abstraction_is_maximal(zones->abstraction);
  clockbounds_of_state(&zones->bounds, zones->net, state, po->lower, po->upper);
  for (uint32_t i = 1; i < active->k; i++) { // positions are in the order of clocks
    const int32_t lower = po->lower[active->clocks[i]], upper = po->upper[active->clocks[i]];
    po->lower[i] = is_m && upper > lower ? upper : lower;
    po->upper[i] = is_m && lower > upper ? lower : upper;
  }
}

// The opened zone; for deadlocks, errors and certificates one that contains all states that it
// stands for: those of a certificate by its own bounds. False if there is none.
static bool find_zone(Zones *zones, const int32_t *state) {
  PartialOrder *po = zones->partialorder;
  const ActiveClocks *active = &zones->opened.vector->active;
  po->zone = globalzone_source(zones);
  po->stride = dbm_stride(active->k);
  po->position = active->position;
  po->still = (Still){0};
  if (!po->looks_wide)
    return true;
  if (po->is_proof)
    find_proof_bounds(zones, state);
  simulation_alu_hull(po->hull, po->zone, active->k,
                      po->is_proof ? po->lower : active->bounds->lower,
                      po->is_proof ? po->upper : active->bounds->upper);
  po->zone = po->hull;
  vec_clear(&po->tests);
  if (joint_invariant(zones->net, &po->vm, state, &po->tests) != VM_TRUE)
    return false;
  for (uint32_t i = 0; i < active->k; i++)
    po->most[i] = BOUND_INF;
  for (uint32_t i = 0; i < po->tests.size; i++) {
    const Constraint c = activeclocks_constraint(active, &po->tests.items[i]);
    if (!c.j)
      po->most[c.i] = bound_min(po->most[c.i], c.bound);
    else if (!dbm_constrain(zones->mem, po->hull, active->k, c))
      return false;
  }
  return dbm_cut_above(po->hull, active->k, po->most);
}

static bool has_choice(const Zones *zones) {
  uint32_t possible = 0;
  for (uint32_t i = 0; i < zones->opened.vector->outgoing_count; i++) {
    const Transition *t = outgoing(zones, i);
    if (!t->edge_count)
      return false; // a delay
    possible += may_fire(zones->partialorder, t);
  }
  return possible > 1;
}

// The best set for the opened node; false if there is none.
static bool choose(Zones *zones, const int32_t *state) {
  PartialOrder *po = zones->partialorder;
  const bool is_still = !zones->opened.vector->setting->can_delay;
  po->best_kept = UINT32_MAX;
  if (!find_zone(zones, state))
    return false;
  look(po, state);
  if (!has_choice(zones))
    return false;
  if (is_still)
    try_locations(zones, state);
  if (po->stubborn.has_committed)
    return po->best_kept < UINT32_MAX;
  if (is_still)
    try_urgent(zones, state);
  try_bounds(zones, state, true);
  if (!is_still && po->best_kept == UINT32_MAX)
    try_bounds(zones, state, false);
  return po->best_kept < UINT32_MAX;
}

// --- A quick look, before anything is made for the reduction.

static Bound opened_entry(const Zones *zones, uint32_t i, uint32_t j) {
  const StoredZone *bounds = zones->opened.bounds;
  return packed_entry(bounds->entries, (PackedFormat)bounds->format, i * bounds->k + j);
}

// Whether a transition may be possible in U, as far as constant guards tell. x is a position.
static bool may_hold(const Zones *zones, const Transition *t, uint32_t x, Bound low) {
  const uint32_t *position = zones->opened.vector->active.position;
  if (!states_meet(&zones->states, t))
    return false;
  for (uint32_t i = 0; i < t->guard_count; i++) {
    const Constraint c = t->guard[i];
    const uint32_t from = position[c.j], to = position[c.i];
    Bound back = opened_entry(zones, from, to);
    if (x)
      back = bound_min(back, bound_sum(bound_sum(opened_entry(zones, from, 0), low),
                                       opened_entry(zones, x, to)));
    if (bound_sum(back, c.bound) < BOUND_LE_ZERO)
      return false;
  }
  return true;
}

// Whether some transition may be possible only where clock x (a position) has its bound.
static bool has_late(const Zones *zones, uint32_t x, Bound low) {
  if (PLANTED("por-within"))
    return true;
  const uint32_t *position = zones->opened.vector->active.position;
  for (uint32_t i = 0; i < zones->opened.vector->outgoing_count; i++) {
    const Transition *t = outgoing(zones, i);
    if (!states_meet(&zones->states, t))
      continue;
    if (t->needs_guard)
      return true;
    for (uint32_t k = 0; k < t->guard_count; k++) {
      const Constraint c = t->guard[k];
      if (!c.i && bound_sum(c.bound, opened_entry(zones, position[c.j], x)) <= low)
        return true;
    }
  }
  return false;
}

static uint32_t find_group(uint32_t *group, ProcessId p) {
  while (group[p] != p)
    p = group[p] = group[group[p]];
  return p;
}

// Whether the transitions that may be possible in U fall into groups that share no process. A set
// with one of a group has all of it (rule 3): so nothing is left out if there is one group only.
static bool has_groups(const Zones *zones, uint32_t x, Bound low) {
  uint32_t *group = zones->partialorder->group, count = 0;
  memset(group, 0xff, zones->net->processes.size * sizeof *group);
  for (uint32_t i = 0; i < zones->opened.vector->outgoing_count; i++) {
    const Transition *t = outgoing(zones, i);
    if (!may_hold(zones, t, x, low))
      continue;
    if (t->needs_guard) { // it may be impossible
      count++;
      continue;
    }
    for (uint32_t k = 0; k < t->edge_count; k++) {
      const ProcessId p = t->edges[k]->process, first = t->edges[0]->process;
      if (group[p] == UINT32_MAX) {
        group[p] = p;
        count++;
      }
      const uint32_t one = find_group(group, p), other = find_group(group, first);
      count -= one != other;
      group[one] = other;
    }
  }
  return count > 1;
}

// Whether time stands still in the node, or in a part of it in which a transition may be left
// out, and there are groups of transitions there.
static bool stands_still(const Zones *zones) {
  const Setting *setting = zones->opened.vector->setting;
  if (!setting->can_delay)
    return has_groups(zones, 0, 0);
  bool found = setting->is_dynamic;
  for (uint32_t i = 0; i < setting->invariant.count && !found; i++) {
    const Constraint c = setting->invariant.items[i];
    if (!c.i || c.j || bound_is_strict(c.bound) || opened_entry(zones, c.i, 0) != c.bound)
      continue;
    const Bound low = bound_le(-bound_constant(c.bound));
    const bool whole = opened_entry(zones, 0, c.i) <= low;
    found = (whole || has_late(zones, c.i, low)) && has_groups(zones, whole ? 0 : c.i, low);
  }
  return found;
}

static bool has_several(const Zones *zones) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < zones->opened.vector->outgoing_count && count < 2; i++)
    count += states_meet(&zones->states, outgoing(zones, i));
  return count > 1;
}

// --- The whole.

static void make(Zones *zones) {
  PartialOrder *po = zones->partialorder;
  const Net *net = zones->net;
  Arena *arena = &zones->arena;
  footprint_make(&po->foot, arena, net, zones->goal);
  stubborn_init(&po->stubborn, arena, &po->foot, zones->goal);
  net_vm(net, &po->vm, zones->mem);
  po->is_proof = zones->options.certificate;
  po->looks_wide = po->is_proof || ((po->stubborn.asks_dead || po->foot.can_fail) &&
                                    zones->covering.kind != PROBE_INCLUSION &&
                                    !abstraction_is_maximal(zones->abstraction));
  po->looks_wide = po->looks_wide && !PLANTED("por-hull");
  po->lower = ARENA_ARRAY(arena, int32_t, net->clock_count + 1);
  po->upper = ARENA_ARRAY(arena, int32_t, net->clock_count + 1);
  po->hull = arena_align(arena, dbm_bytes(net->clock_count + 1), 0);
  po->most = ARENA_ARRAY(arena, Bound, net->clock_count + 1);
  po->copy = ARENA_ARRAY(arena, int32_t, net->slots.count);
  po->classes = ARENA_ARRAY(arena, uint32_t, net->processes.size);
  po->best = ARENA_ARRAY(arena, bool, net->processes.size);
  po->is_made = true;
}

// Whether the reduction costs more than it saves. Where little is left out of the first nodes in
// which time may stand still, most of it leads to nodes that are found by another way, too
// (bench: partial-order.tsv). After a rest more is asked for.
static bool is_poor(const PartialOrder *po) {
  const Gain *g = &po->gain;
  if (g->looked == SHORT_TRIAL || g->looked == TRIAL)
    return (po->next_rest ? 1 : g->looked == TRIAL ? 5 : 6) * g->left < g->kept;
  return g->met == (g->left ? PATIENCE_LATER : PATIENCE);
}

// Rests, each longer than the one before, so that a search that gains later is reduced later.
static void judge(PartialOrder *po) {
  if (!is_poor(po))
    return;
  po->next_rest = po->next_rest ? REST_GROWTH * po->next_rest : FIRST_REST;
  po->rest = po->next_rest;
  po->gain = (Gain){0};
}

// Without a set nothing is left out.
static void count_kept(Zones *zones) {
  for (uint32_t i = 0; i < zones->opened.vector->outgoing_count; i++)
    zones->partialorder->gain.kept += may_hold(zones, outgoing(zones, i), 0, 0);
}

// Marks what the best set leaves out.
static const bool *leave_out(Zones *zones, const bool *pruned, const int32_t *state) {
  PartialOrder *po = zones->partialorder;
  const uint32_t count = zones->opened.vector->outgoing_count;
  po->still = po->best_still;
  memcpy(po->stubborn.in, po->best, zones->net->processes.size * sizeof *po->best);
  vec_reserve(zones->mem, &po->pruned, count);
  for (uint32_t i = 0; i < count; i++) {
    const bool is_out = is_left_out(zones, i, state);
    zones->space.left_out += is_out && states_meet(&zones->states, outgoing(zones, i));
    if (may_hold(zones, outgoing(zones, i), 0, 0)) {
      po->gain.left += is_out;
      po->gain.kept += !is_out;
      po->gain.met = is_out ? 0 : po->gain.met;
    }
    po->is_claimed |= is_out;
    po->pruned.items[i] = is_out || (pruned && pruned[i]);
  }
  return po->pruned.items;
}

// Not inlined: most nodes of a search that gains little are met while it rests.
__attribute__((noinline)) static const bool *reduce(Zones *zones, const bool *pruned) {
  PartialOrder *po = zones->partialorder;
  po->gain.met++;
  if (has_several(zones) && stands_still(zones)) {
    if (!po->is_made)
      make(zones);
    po->gain.looked++;
    const int32_t *state = states_source(&zones->states);
    po->stubborn.classes =
        zones->prune && reduce_twin_classes(zones, po->classes) ? po->classes : NULL;
    if (choose(zones, state))
      pruned = leave_out(zones, pruned, state);
    else
      count_kept(zones);
  }
  if (!po->is_patient)
    judge(po);
  return pruned;
}

// Marks the transitions of the opened node that are left out, beside those in `pruned` (NULL:
// none), which have twins that are not.
static const bool *narrow(Zones *zones, const bool *pruned) {
  PartialOrder *po = zones->partialorder;
  po->is_claimed = false;
  if (!po->rest)
    return reduce(zones, pruned);
  po->rest--;
  return pruned;
}

void partialorder_attach(Zones *zones) {
  zones->partialorder = ARENA_NEW(&zones->arena, PartialOrder);
  zones->partialorder->is_patient = zones->options.partial_order == PARTIAL_ON;
  zones->partialorder->group = ARENA_ARRAY(&zones->arena, uint32_t, zones->net->processes.size);
  zones->narrow = narrow;
  zones->space.is_pruned = !zones->options.certificate; // else the certificate says so
}

bool partialorder_is_attached(const Space *space) { return ((const Zones *)space)->partialorder; }

void partialorder_begin_proof(Space *space) {
  Zones *zones = (Zones *)space;
  zones->narrow = narrow;
  zones->partialorder->is_patient = true;
  zones->partialorder->rest = 0;
}

void partialorder_end(Space *space) { ((Zones *)space)->narrow = NULL; }

PartialClaim partialorder_claim(const Space *space) {
  const PartialOrder *po = ((const Zones *)space)->partialorder;
  PartialClaim claim = po && po->is_claimed ? po->best_claim : (PartialClaim){0};
  claim.in = po ? po->best : NULL;
  return claim;
}
