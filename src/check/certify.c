#include "check/certify.h"

#include "check/descent.h"
#include "check/leftout.h"
#include "check/meaning.h"
#include "check/nodediagonals.h"
#include "check/pointset.h"
#include "check/sliced.h"
#include "check/statetransitions.h"
#include "check/stuck.h"
#include "check/subsumer.h"
#include "model/state.h"

#include <string.h>

typedef struct Checker {
  Mem *mem;
  const Net *net;
  const Goal *goal;
  Text *why;
  Certificate c;
  CertifyCounts *counts;
  const CertifyTaken *taken; // is told of the edges that nodes can take; NULL: nobody
  StateTransitions outgoing; // of the present state
  Stuck stuck;               // the same
  LeftOut leftout;           // of the present node
  Descent descent;           // of a certificate about infinite runs
  bool ticks;                // the present transition does (check/descent.h)
  VEC(Hint) hints;           // of the present node, if they are a set: see has_hint_set
  uint32_t group, node;
  bool has_start; // some initial state meets its invariant
  Subsumer subsumer;
  NodeBound *zone;   // of the present node, delayed
  NodeBound *source; // of the present transition
  NodeBound *met;    // of a transition that may be possible
  NodeBound *kept;   // `source`, before it is cut down to a part
  Origin *origins;   // of a transition that ticks
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

static bool reject_transition(Checker *c, const StateTransition *transition, const char *reason) {
  reject(c, "the transition ");
  statetransitions_print(c->why, &c->outgoing, transition);
  return text_refuse(c->why, " %s", reason);
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
static bool clocks_stay_positive(const Checker *c, const StateTransition *transition,
                                 const NodeBound *m, const NodeBounds *bounds) {
  const ClockTest *guard = &c->outgoing.tests.items[transition->first_test];
  for (uint32_t i = 0; i < transition->drop_count; i++) {
    const Origin drop = c->outgoing.drops.items[transition->first_drop + i];
    if (!drop.y)
      return false;
    if (is_tested(guard, transition->guard_count, drop) ||
        is_tested(c->outgoing.invariant.items, c->outgoing.invariant.size, drop))
      continue;
    const uint32_t y = bounds->position[drop.y];
    if (y == UINT32_MAX || m[y] > 1 + 2 * drop.d || bounds->upper[y] < -drop.d)
      return false;
  }
  return true;
}

// Whether the bounds of the covering node, and the differences that it lists, ask for no more
// than the source can promise, after a transition from the zone in `source`.
static bool carries(const Checker *c, const StateTransition *transition, const NodeBounds *from,
                    const NodeBounds *to, const Origin *origin) {
  const ClockTests *invariant = &c->outgoing.invariant;
  const DiagonalTests met = {&c->outgoing.tests.items[transition->first_test], invariant->items,
                             transition->test_count, invariant->size};
  return nodezone_carries(from, to, origin) &&
         nodediagonals_carry(from, to, origin, c->source, &met);
}

// With channels or priorities, and with parts: any of them may cover what a transition leads to.
static bool has_hint_set(const Checker *c) { return c->outgoing.is_split || c->descent.is_timed; }

static uint32_t mode_of(const Checker *c) { return c->c.modes.items[c->group]; }

// Whether the numbers allow a step from the present node to another one in this state.
static bool goes_on(Checker *c, const int32_t *target, uint32_t to) {
  const uint32_t number = c->c.nodes.items[c->node].number;
  return !c->c.is_live ||
         descent_allows(&c->descent, &c->outgoing, target, mode_of(c), c->ticks, number,
                        c->c.nodes.items[to].number, c->c.missing.items[number]);
}

// Where a transition leads to; the zone is in `source`.
static bool check_target(Checker *c, const StateTransition *transition, const NodeBounds *bounds,
                         uint32_t hint) {
  const Origin *origin = &c->outgoing.origins.items[transition->origin];
  if (hint == UINT32_MAX)
    return reject_transition(c, transition, "is possible, but nothing covers it");
  const int32_t *target =
      subsumer_rename(&c->subsumer, &c->outgoing.targets.items[transition->target]);
  if (!target || !subsumer_is_in(&c->subsumer, hint, target, mode_of(c)))
    return reject_transition(c, transition,
                             "leads to another state than the node that should cover it");
  if (!goes_on(c, target, hint))
    return reject_transition(c, transition, "goes on for ever, for all that the numbers say");
  origin = subsumer_origins(&c->subsumer, origin);
  const NodeBounds *to = certificate_bounds(&c->c, hint);
  if (!carries(c, transition, bounds, to, origin))
    return reject_transition(c, transition, "leads to a node whose clock bounds ask for more");
  subsumer_enter(&c->subsumer, c->source, bounds, hint, origin);
  return subsumer_covers(&c->subsumer, hint) ||
         reject_transition(c, transition, "is not covered");
}

// The same where any of the node's hints may be the one.
static bool check_targets(Checker *c, const StateTransition *transition,
                          const NodeBounds *bounds) {
  const Origin *origin = &c->outgoing.origins.items[transition->origin];
  for (uint32_t i = 0; i < c->hints.size; i++) {
    const uint32_t hint = c->hints.items[i].node;
    certificate_rename(&c->c, &c->hints.items[i]);
    const int32_t *target =
        subsumer_rename(&c->subsumer, &c->outgoing.targets.items[transition->target]);
    if (!target || !subsumer_is_in(&c->subsumer, hint, target, mode_of(c)) ||
        !goes_on(c, target, hint))
      continue;
    const Origin *named = subsumer_origins(&c->subsumer, origin);
    const NodeBounds *to = certificate_bounds(&c->c, hint);
    if (!carries(c, transition, bounds, to, named))
      continue;
    subsumer_enter(&c->subsumer, c->source, bounds, hint, named);
    if (subsumer_covers(&c->subsumer, hint))
      return true;
  }
  return reject_transition(c, transition, "is possible, but no node covers it");
}

// A branch without edges: time passes in `source`. False if nothing is left.
static bool pass_time(Checker *c, const ConditionalTransition *branch, const NodeBounds *bounds) {
  nodezone_delay(c->source, bounds, c->outgoing.rates.stands_still);
  return nodezone_meet(c->source, bounds, c->outgoing.invariant.items,
                       c->outgoing.invariant.size) &&
         nodezone_meet(c->source, bounds,
                       c->outgoing.conditional.tests.items + branch->first_after,
                       branch->after_count);
}

// Edges that a node can take.
static void note_edges(Checker *c, const StateTransition *transition) {
  const Transitions *t = &c->outgoing.transitions;
  const TransitionEdges *edges = &t->list.items[transition->ordinal];
  for (uint32_t i = 0; i < edges->count; i++)
    c->taken->call(c->taken->state, certificate_state(&c->c, c->group),
                   (EdgeId)(t->edges.items[edges->first + i] - c->net->edges.items));
}

// What `source` becomes in a mode of a state: after a transition, or without one (NULL).
typedef struct Entry {
  const StateTransition *transition;
  const Origin *origin;
  const int32_t *state;
  uint32_t mode;
} Entry;

// Whether one of the node's hints covers it.
static bool is_entered(Checker *c, const NodeBounds *bounds, const Entry *entry) {
  static const StateTransition none;
  const StateTransition *transition = entry->transition ? entry->transition : &none;
  for (uint32_t i = 0; i < c->hints.size; i++) {
    const uint32_t hint = c->hints.items[i].node;
    if (!subsumer_is_in(&c->subsumer, hint, entry->state, entry->mode) ||
        (entry->transition ? !goes_on(c, entry->state, hint)
                           : c->c.nodes.items[hint].number > c->c.nodes.items[c->node].number))
      continue;
    const NodeBounds *to = certificate_bounds(&c->c, hint);
    if (!carries(c, transition, bounds, to, entry->origin))
      continue;
    subsumer_enter(&c->subsumer, c->source, bounds, hint, entry->origin);
    if (subsumer_covers(&c->subsumer, hint))
      return true;
  }
  return false;
}

// Cuts `source` down to where the tests hold after the updates, as far as the node sees it. False
// if nothing is left.
static bool meet_after(Checker *c, const NodeBounds *bounds, const Origin *origin,
                       const ClockPart *part) {
  const ClockTest *tests = clockparts_tests(&c->descent.parts, part);
  for (uint32_t t = 0; t < part->count; t++) {
    const Origin i = origin[tests[t].i], j = origin[tests[t].j];
    const int64_t constant = tests[t].constant - i.d + j.d;
    const ClockTest back = {i.y, j.y, constant, tests[t].strict};
    if (i.y == j.y && (back.strict ? constant <= 0 : constant < 0))
      return false;
    // Beyond these limits it is left out, which makes the check stricter.
    if (i.y != j.y && constant <= NET_MAX_CONSTANT && constant >= -NET_MAX_CONSTANT &&
        !nodezone_meet(c->source, bounds, &back, 1))
      return false;
  }
  return true;
}

static size_t zone_bytes(const NodeBounds *bounds) {
  return sizeof(NodeBound) * bounds->k * bounds->k;
}

// `source` within each part of the entry's state is entered; or all of it, in mode 0.
static bool are_parts_entered(Checker *c, const NodeBounds *bounds, Entry entry, bool is_free) {
  if (is_free)
    return is_entered(c, bounds, &entry);
  const ClockPartsOf of = clockparts_of(&c->descent.parts, &c->outgoing, entry.state);
  bool ok = true;
  memcpy(c->kept, c->source, zone_bytes(bounds));
  for (uint32_t i = 0; i < of.count && ok; i++) {
    const ClockPart part = c->descent.parts.list.items[of.first + i];
    memcpy(c->source, c->kept, zone_bytes(bounds));
    entry.mode = i + 1;
    ok = !meet_after(c, bounds, entry.origin, &part) || is_entered(c, bounds, &entry);
  }
  memcpy(c->source, c->kept, zone_bytes(bounds));
  return ok;
}

// The transition from `source`, of a timed certificate. Where it may tick it does.
static bool check_into_parts(Checker *c, const StateTransition *transition,
                             const NodeBounds *bounds) {
  const uint32_t mode = mode_of(c), tick = c->descent.tick;
  const bool may_tick = descent_ticks(&c->descent, mode),
             is_free = !mode || !c->descent.claim->stay;
  Entry entry = {transition, &c->outgoing.origins.items[transition->origin],
                 &c->outgoing.targets.items[transition->target], 0};
  const ClockTest before = {tick, 0, 1, true}, after = {0, tick, -1, false};
  bool ok = true;
  if (!c->outgoing.transitions.list.items[transition->ordinal].count)
    return reject(c, "an urgent channel has clock guards: there is no such certificate");
  memcpy(c->met, c->source, zone_bytes(bounds));
  c->ticks = false;
  if (!may_tick || nodezone_meet(c->source, bounds, &before, 1))
    ok = are_parts_entered(c, bounds, entry, is_free);
  memcpy(c->source, c->met, zone_bytes(bounds));
  if (ok && may_tick && nodezone_meet(c->source, bounds, &after, 1)) {
    c->ticks = true;
    memcpy(c->origins, entry.origin, (c->net->clock_count + 1) * sizeof *c->origins);
    c->origins[tick] = (Origin){0, 0};
    entry.origin = c->origins;
    ok = are_parts_entered(c, bounds, entry, is_free);
    c->ticks = false;
  }
  return ok || reject_transition(c, transition, "is possible, but no node covers it");
}

// The part that the present node is in; NULL: it is in mode 0. False if there is no such part,
// so that it stands for nothing.
static bool find_part(Checker *c, ClockPart *copy, const ClockPart **part) {
  const uint32_t mode = c->descent.is_timed && c->descent.claim->stay ? mode_of(c) : 0;
  *part = NULL;
  if (!mode)
    return !c->descent.is_timed || !mode_of(c);
  const ClockPartsOf of =
      clockparts_of(&c->descent.parts, &c->outgoing, certificate_state(&c->c, c->group));
  if (mode > of.count)
    return false;
  *copy = c->descent.parts.list.items[of.first + mode - 1];
  *part = copy;
  return true;
}

static bool is_upper(const ClockTest *test) { return test->i && !test->j; }
static bool is_lower(const ClockTest *test) { return !test->i; }

// Cuts `source` down to the tests of a part; those of one kind are taken as not strict.
static bool meet_relaxed(Checker *c, const NodeBounds *bounds, const ClockPart *part,
                         bool (*is_relaxed)(const ClockTest *)) {
  for (uint32_t t = 0; t < part->count; t++) {
    ClockTest test = clockparts_tests(&c->descent.parts, part)[t];
    test.strict &= !is_relaxed(&test);
    if (!nodezone_meet(c->source, bounds, &test, 1))
      return false;
  }
  return true;
}

static bool meet_invariant(Checker *c, const NodeBounds *bounds) {
  return nodezone_meet(c->source, bounds, c->outgoing.invariant.items,
                       c->outgoing.invariant.size);
}

// Time passes from the part of the present node to another one: from a point of the first, all
// soon after which are in the other; or to a point of that, all just before which are in the
// first.
static bool check_passing(Checker *c, const NodeBounds *bounds, const ClockPart *from,
                          const ClockPart *to, uint32_t mode) {
  const Entry entry = {NULL, c->descent.same, certificate_state(&c->c, c->group), mode};
  const bool *stands_still = c->outgoing.rates.stands_still;
  memcpy(c->source, c->zone, zone_bytes(bounds));
  if (meet_relaxed(c, bounds, to, is_lower)) {
    nodezone_delay(c->source, bounds, stands_still);
    if (meet_invariant(c, bounds) && meet_after(c, bounds, entry.origin, to) &&
        !is_entered(c, bounds, &entry))
      return false;
  }
  memcpy(c->source, c->zone, zone_bytes(bounds));
  nodezone_delay(c->source, bounds, stands_still);
  return !meet_invariant(c, bounds) || !meet_relaxed(c, bounds, from, is_upper) ||
         !meet_after(c, bounds, entry.origin, to) || is_entered(c, bounds, &entry);
}

// All steps of the present node without edges, in a timed certificate.
static bool check_changes(Checker *c, const NodeBounds *bounds, const ClockPart *own) {
  const int32_t *state = certificate_state(&c->c, c->group);
  const ClockPartsOf of = clockparts_of(&c->descent.parts, &c->outgoing, state);
  for (uint32_t i = 0; own && c->outgoing.can_delay && i < of.count; i++) {
    const ClockPart to = c->descent.parts.list.items[of.first + i];
    if (i + 1 != mode_of(c) && !check_passing(c, bounds, own, &to, i + 1))
      return reject(c, "no node covers it where time passes to another part of the condition");
  }
  for (uint32_t i = 0; !mode_of(c) && c->descent.claim->stay && i < of.start_count; i++) {
    const ClockPart start = c->descent.parts.list.items[of.first_start + i];
    const Entry entry = {NULL, c->descent.same, state, 0};
    memcpy(c->source, c->zone, zone_bytes(bounds));
    if (meet_after(c, bounds, entry.origin, &start) &&
        !are_parts_entered(c, bounds, entry, false))
      return reject(c, "no node of another mode covers it where the condition begins");
  }
  return true;
}

// One transition from the present node; `hint` is the node said to cover it, or UINT32_MAX.
// Errors of updates count where the guards hold, whether or not the target's invariant does.
static bool check_transition(Checker *c, const StateTransition *transition,
                             const NodeBounds *bounds, uint32_t hint) {
  const ClockTest *tests = &c->outgoing.tests.items[transition->first_test];
  const uint32_t k = bounds->k, guards = transition->guard_count, all = transition->test_count;
  if (nodezone_misses(c->zone, bounds, tests, transition->drop_count ? guards : all))
    return true;
  memcpy(c->source, c->zone, sizeof *c->zone * k * k);
  if (!nodezone_meet(c->source, bounds, tests, guards))
    return true;
  if (transition->error)
    return reject_transition(c, transition, transition->error);
  if (!clocks_stay_positive(c, transition, c->source, bounds))
    return reject_transition(c, transition, "may set a clock to a negative value");
  if (transition->is_blocked || !nodezone_meet(c->source, bounds, tests + guards, all - guards))
    return true;
  if (c->outgoing.is_split && !c->outgoing.transitions.list.items[transition->ordinal].count &&
      !pass_time(c, &c->outgoing.conditional.list.items[transition->ordinal], bounds))
    return true;
  if (c->c.is_live && !c->descent.is_timed &&
      !descent_stays(&c->descent, &c->outgoing, &c->outgoing.targets.items[transition->target],
                     mode_of(c)))
    return true;
  c->counts->transitions++;
  if (c->taken)
    note_edges(c, transition);
  if (c->descent.is_timed)
    return check_into_parts(c, transition, bounds);
  return c->outgoing.is_split ? check_targets(c, transition, bounds)
                              : check_target(c, transition, bounds, hint);
}

// After a delay some transition of the present node is possible where the zone in `source` is.
static bool can_move(Checker *c, const NodeBounds *bounds) {
  const size_t bytes = sizeof *c->zone * bounds->k * bounds->k;
  if (c->outgoing.can_delay)
    nodezone_delay(c->source, bounds, c->outgoing.rates.stands_still);
  if (!nodezone_meet(c->source, bounds, c->outgoing.invariant.items, c->outgoing.invariant.size))
    return false;
  for (uint32_t i = 0; i < c->outgoing.list.size; i++) {
    const StateTransition *transition = &c->outgoing.list.items[i];
    memcpy(c->met, c->source, bytes);
    if (nodezone_meet(c->met, bounds, &c->outgoing.tests.items[transition->first_test],
                      transition->test_count))
      return true;
  }
  return false;
}

// Whether the node may stand for a state that meets a clause, whose tests are in `fresh`. A state
// that is not deadlocked is simulated by one that is not either.
static bool meets_clause(Checker *c, const NodeBounds *bounds, GoalEnd end) {
  const ClockTests *tests = &c->outgoing.fresh;
  if (end == GOAL_DEADLOCKED)
    return stuck_is_possible(&c->stuck, &c->outgoing, c->zone, bounds, tests->items, tests->size);
  memcpy(c->source, c->zone, sizeof *c->zone * bounds->k * bounds->k);
  return nodezone_meet(c->source, bounds, tests->items, tests->size) &&
         (end == GOAL_ANY || can_move(c, bounds));
}

static bool check_goal(Checker *c, const NodeBounds *bounds) {
  const int32_t *state = certificate_state(&c->c, c->group);
  for (uint32_t i = 0; c->goal && i < c->goal->clause_count; i++) {
    const char *error = NULL;
    vec_clear(&c->outgoing.fresh);
    if (!statetransitions_guard_holds(&c->outgoing, &c->goal->clauses[i], state,
                                      &c->outgoing.fresh, &error))
      continue;
    if (error)
      return reject(c, "the goal fails: %s", error);
    if (statetransitions_contradict(&c->outgoing, c->outgoing.fresh.items,
                                    c->outgoing.fresh.size))
      continue;
    if (meets_clause(c, bounds, c->goal->ends ? c->goal->ends[i] : GOAL_ANY))
      return reject(c, "it meets the goal");
  }
  return true;
}

// Of a node in mode 1, where a run may end: time cannot pass for ever, and something can happen.
static bool check_end(Checker *c, const NodeBounds *bounds, const ClockPart *part) {
  if (!c->c.is_live || !c->descent.claim->stay || !mode_of(c))
    return true;
  const ClockTest *tests = part ? clockparts_tests(&c->descent.parts, part) : NULL;
  const uint32_t count = part ? part->count : 0;
  if (stuck_can_idle(&c->outgoing, tests, count))
    return reject(c, "time can pass for ever");
  return c->descent.tick ||
         !stuck_stays(&c->stuck, &c->outgoing, c->zone, bounds, tests, count) ||
         reject(c, "it may be that nothing can happen any more");
}

// Of a node in mode 0: if a run may go over to mode 1, its node of that mode covers it.
static bool check_hop(Checker *c, uint32_t hint) {
  const int32_t *state = certificate_state(&c->c, c->group);
  if (!c->c.is_live || !descent_hops(&c->descent, &c->outgoing, state, mode_of(c)))
    return true;
  if (hint == UINT32_MAX || !subsumer_is_in(&c->subsumer, hint, state, 1))
    return reject(c, "no node of the other mode covers it");
  const CertificateNode *from = &c->c.nodes.items[c->node], *to = &c->c.nodes.items[hint];
  if (to->number > from->number)
    return reject(c, "its number grows with the mode");
  const NodeBounds *bounds = certificate_bounds(&c->c, c->node);
  if (!nodezone_carries(bounds, certificate_bounds(&c->c, hint), c->descent.same))
    return reject(c, "its clock bounds grow with the mode");
  subsumer_enter(&c->subsumer, c->zone, bounds, hint, c->descent.same);
  return subsumer_covers(&c->subsumer, hint) ||
         reject(c, "the node of the other mode does not cover it");
}

// Cuts the zone of the present node down to its invariant, and to its part (NULL: it has none).
static bool meet_own(Checker *c, const NodeBounds *bounds, const ClockPart *part) {
  return nodezone_meet(c->zone, bounds, c->outgoing.invariant.items,
                       c->outgoing.invariant.size) &&
         (!part ||
          nodezone_meet(c->zone, bounds, clockparts_tests(&c->descent.parts, part), part->count));
}

// The zone of the present node with its invariant and after delay. False if nothing is left.
static bool let_time_pass(Checker *c, const NodeBounds *bounds, const ClockPart *part) {
  if (!meet_own(c, bounds, part))
    return false;
  if (!c->outgoing.can_delay)
    return true;
  nodezone_delay(c->zone, bounds, c->outgoing.rates.stands_still);
  return meet_own(c, bounds, part);
}

// What the present node says about transitions that it leaves out; `*claims`: that it does.
static bool check_claim(Checker *c, const NodeBounds *bounds, bool *claims) {
  const ReducedSet claim = certificate_reduced(&c->c);
  *claims = claim.reason;
  const char *why =
      claim.reason ? leftout_refuse(&c->leftout, &c->outgoing, c->zone, bounds, &claim) : NULL;
  return !why || reject(c, "transitions are left out, but %s", why);
}

static bool check_node(Checker *c) {
  bool claims;
  ClockPart copy;
  const ClockPart *part;
  const NodeBounds *bounds = certificate_bounds(&c->c, c->node);
  certificate_matrix(&c->c, c->node, c->zone);
  if (!nodezone_is_tight(c->zone, bounds->k))
    return reject(c, "its zone is empty or its bounds are not tight");
  if (c->outgoing.invariant_fails || !find_part(c, &copy, &part) ||
      !let_time_pass(c, bounds, part))
    return true; // stands for nothing
  if (!check_claim(c, bounds, &claims))
    return false;
  HintList list = certificate_hints(&c->c);
  if (!check_goal(c, bounds) || !check_end(c, bounds, part))
    return false;
  vec_clear(&c->hints);
  Hint hint;
  while (has_hint_set(c) && certificate_next_hint(&c->c, &list, &hint))
    vec_push(c->mem, &c->hints, hint);
  for (uint32_t i = 0; i < c->outgoing.list.size; i++) {
    const StateTransition *transition = &c->outgoing.list.items[i];
    if (claims && leftout_allows(&c->leftout, transition))
      continue;
    if (!check_transition(c, transition, bounds,
                          certificate_find_hint(&c->c, &list, transition->ordinal)))
      return false;
  }
  if (c->descent.is_timed)
    return check_changes(c, bounds, part);
  return check_hop(c, certificate_find_hint(&c->c, &list, CERTIFY_HOP));
}

static int64_t initial_value(const Checker *c, ClockIndex x) {
  return c->net->clock_initial ? c->net->clock_initial[x] : 0;
}

static bool holds_initially(const Checker *c, const ClockTest *tests, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (nodebound_of(&tests[i]) <
        nodebound_moved(NODEBOUND_ZERO,
                        initial_value(c, tests[i].i) - initial_value(c, tests[i].j)))
      return false;
  return true;
}

// Does the invariant of an initial state hold with the initial values of the clocks?
static bool starts(Checker *c, const int32_t *state, const char **error) {
  vec_clear(&c->outgoing.fresh);
  if (!statetransitions_invariants_hold(&c->outgoing, state, &c->outgoing.fresh, error))
    return false;
  return holds_initially(c, c->outgoing.fresh.items, c->outgoing.fresh.size);
}

static bool reject_initial(Checker *c, const int32_t *state, const char *reason) {
  text_add(c->why, "initial state ");
  state_print(c->why, c->net, state);
  return text_refuse(c->why, ": %s", reason);
}

// Of a clock of the covering node.
static int64_t named_value(const Checker *c, ClockIndex x) {
  return initial_value(c, subsumer_clock(&c->subsumer, x));
}

static void enter_initially(Checker *c, const NodeBounds *to) {
  for (uint32_t i = 0; i < to->k; i++)
    for (uint32_t j = 0; j < to->k; j++)
      c->subsumer.entry[i * to->k + j] = nodebound_moved(
          NODEBOUND_ZERO, named_value(c, to->clocks[i]) - named_value(c, to->clocks[j]));
}

static bool is_entered_initially(Checker *c, const int32_t *state, uint32_t mode) {
  for (uint32_t i = 0; i < c->hints.size; i++) {
    const uint32_t hint = c->hints.items[i].node;
    if (!subsumer_is_in(&c->subsumer, hint, state, mode))
      continue;
    enter_initially(c, certificate_bounds(&c->c, hint));
    if (subsumer_covers(&c->subsumer, hint))
      return true;
  }
  return reject_initial(c, state, "nothing covers it");
}

// An initial state of a timed certificate, in each part to which it belongs.
static bool check_initial_parts(Checker *c, const int32_t *state) {
  if (!descent_first_mode(&c->descent))
    return is_entered_initially(c, state, 0);
  const ClockPartsOf of = clockparts_of(&c->descent.parts, &c->outgoing, state);
  for (uint32_t i = 0; i < of.count; i++) {
    const ClockPart *part = &c->descent.parts.list.items[of.first + i];
    if (holds_initially(c, clockparts_tests(&c->descent.parts, part), part->count) &&
        !is_entered_initially(c, state, i + 1))
      return false;
  }
  return true;
}

static bool check_initial(Checker *c, const int32_t *state, uint32_t hint) {
  const char *error = NULL;
  if (!starts(c, state, &error))
    return true;
  if (error)
    return reject_initial(c, state, error);
  c->has_start = true;
  if (c->descent.is_timed)
    return check_initial_parts(c, state);
  const uint32_t mode = c->c.is_live && descent_first_mode(&c->descent);
  if (c->c.is_live && !descent_stays(&c->descent, &c->outgoing, state, mode))
    return true;
  const int32_t *named = hint == UINT32_MAX ? NULL : subsumer_rename(&c->subsumer, state);
  if (!named || !subsumer_is_in(&c->subsumer, hint, named, mode))
    return reject_initial(c, state, "nothing covers it");
  enter_initially(c, certificate_bounds(&c->c, hint));
  return subsumer_covers(&c->subsumer, hint) || reject_initial(c, state, "it is not covered");
}

static bool check_initials(Checker *c) {
  c->c.at = c->c.initials;
  HintList list = certificate_hints(&c->c);
  bool ok = true;
  int32_t *state = mem_alloc(c->mem, c->net->slots.count * sizeof *state);
  Hint hint;
  while (c->descent.is_timed && certificate_next_hint(&c->c, &list, &hint))
    vec_push(c->mem, &c->hints, hint);
  for (uint32_t i = 0; ok && state_initial(c->net, state, i); i++)
    ok = check_initial(c, state, certificate_find_hint(&c->c, &list, i));
  // What holds of all states holds of none, too.
  if (ok && !c->has_start)
    text_add(c->why, "the model has no initial state, so that it would prove anything");
  return ok && c->has_start;
}

static bool check_all(Checker *c) {
  if (!check_initials(c))
    return false;
  for (c->group = 0; c->group < c->c.group_count; c->group++) {
    c->node = c->c.first_nodes.items[c->group];
    const char *error = statetransitions_find(&c->outgoing, certificate_state(&c->c, c->group));
    meaning_goal(&c->outgoing.vm, c->net, c->goal, certificate_state(&c->c, c->group));
    stuck_forget(&c->stuck);
    mem_tick(c->mem);
    if (error)
      return reject(c, "its invariant fails: %s", error);
    for (; c->node < c->c.first_nodes.items[c->group + 1]; c->node++)
      if (!check_node(c))
        return false;
  }
  const char *error = c->descent.error ? c->descent.error : c->descent.parts.error;
  if (error)
    text_add(c->why, error);
  return !error;
}

// Dead variables are dead.
static bool check_forgotten(Checker *c) {
  const char *why =
      c->c.forgotten ? forgotten_refuse(c->mem, c->net, c->goal, c->c.forgotten) : NULL;
  if (why)
    text_add(c->why, why);
  return !why;
}

// Nothing depends on processes that are left out.
static bool check_sliced(Checker *c) {
  const bool *left_out = c->c.left_out;
  const char *why = left_out ? sliced_refuse(c->mem, c->net, c->goal, left_out) : NULL;
  if (why)
    text_add(c->why, why);
  else if (left_out)
    transitions_leave_out(&c->outgoing.transitions, left_out);
  return !why;
}

// Renamings are symmetries of the network and of the goal.
static bool check_renamings(Checker *c) {
  if (!c->c.renamings.count)
    return true;
  return renaming_check(&c->c.renamings, c->mem, c->net, c->goal, c->why);
}

static bool check_opened(Checker *c) {
  Mem *mem = c->mem;
  const size_t bytes = sizeof *c->zone * c->c.max_k * c->c.max_k;
  statetransitions_init(&c->outgoing, mem, c->net);
  stuck_init(&c->stuck, mem, c->net);
  leftout_init(&c->leftout, mem, c->net, c->goal);
  c->zone = mem_alloc(mem, bytes);
  c->source = mem_alloc(mem, bytes);
  c->met = mem_alloc(mem, bytes);
  c->kept = mem_alloc(mem, bytes);
  c->origins = mem_alloc(mem, (c->net->clock_count + 1) * sizeof *c->origins);
  subsumer_init(&c->subsumer, mem, &c->c);
  const bool accepted =
      check_forgotten(c) && check_sliced(c) && check_renamings(c) && check_all(c);
  *c->counts =
      (CertifyCounts){c->c.group_count, c->c.nodes.size, c->counts->transitions, c->c.sections};
  return accepted;
}

// Where clocks stand still, only this is proved of a model: that a condition on states, which
// compares no two clocks, never holds (see rates_find). Whole values of clocks show nothing then.
static bool knows_rates(const Checker *c) {
  const Net *net = c->net;
  const bool is_urgent = net->traits.has_negated && net_has_urgent(net);
  return !net->traits.has_stopwatches ||
         (!c->c.is_live && !c->c.renamings.count && !net->traits.has_diagonals && !is_urgent &&
          !(c->goal && (c->goal->ends || c->goal->has_diagonals)));
}

static bool check_bytes(Checker *c, const char *bytes, size_t size) {
  *c->counts = (CertifyCounts){0};
  bool accepted = certificate_open(&c->c, c->mem, c->net, bytes, size, c->why);
  if (accepted && c->c.is_live != (c->descent.claim != NULL)) {
    text_add(c->why, "it is a certificate for another kind of query");
    accepted = false;
  }
  // Edges of other names, and in other states, are not seen.
  if (accepted && c->taken && (c->c.renamings.count || c->c.forgotten || c->c.left_out)) {
    text_add(c->why, c->c.forgotten  ? "it leaves out dead variables"
                     : c->c.left_out ? "it leaves out processes"
                                     : "it has renamings");
    accepted = false;
  }
  if (accepted && !knows_rates(c)) {
    text_add(c->why, "clocks are stopped in this model: there is no such certificate");
    accepted = false;
  }
  return accepted && check_opened(c);
}

bool certify_check(Mem *mem, const Net *net, const Goal *goal, const char *bytes, size_t size,
                   CertifyCounts *counts, Text *why) {
  CertificateHead head;
  if (!certificate_head(&head, bytes, size, why))
    return false;
  const bool is_points = head.features & CERTIFY_POINTS;
  if (is_points && net->traits.has_stopwatches)
    return text_refuse(why,
                       "clocks are stopped in this model: there is no certificate of points");
  if (is_points)
    return pointset_check(mem, net, goal, bytes, size, counts, why);
  Checker c = {.mem = mem_part(mem), .net = net, .goal = goal, .why = why, .counts = counts};
  const bool accepted = check_bytes(&c, bytes, size);
  mem_release_part(c.mem);
  return accepted;
}

bool certify_check_edges(Mem *mem, const Net *net, const char *bytes, size_t size,
                         const CertifyTaken *taken, CertifyCounts *counts, Text *why) {
  CertificateHead head;
  if (!certificate_head(&head, bytes, size, why))
    return false;
  if (head.features & CERTIFY_POINTS)
    return text_refuse(why, "it is a certificate of points");
  Checker c = {.mem = mem_part(mem), .net = net, .why = why, .counts = counts, .taken = taken};
  const bool accepted = check_bytes(&c, bytes, size);
  mem_release_part(c.mem);
  return accepted;
}

bool certify_check_live(Mem *mem, const Net *net, const LassoClaim *claim, const char *bytes,
                        size_t size, CertifyCounts *counts, Text *why) {
  CertificateHead head;
  if (!certificate_head(&head, bytes, size, why))
    return false;
  if (!(head.features & CERTIFY_DIVERGES) != !net->reading.measures_time)
    return text_refuse(why, "it is about other runs");
  Checker c = {.mem = mem_part(mem), .net = net, .why = why, .counts = counts};
  const bool is_known =
      descent_init(&c.descent, c.mem, net, claim, head.features & CERTIFY_TIMED);
  if (!is_known)
    text_add(why, "there are no such certificates of conditions that compare clocks");
  const bool accepted = is_known && check_bytes(&c, bytes, size);
  mem_release_part(c.mem);
  return accepted;
}
