#include "check/statetransitions.h"

#include "check/meaning.h"
#include "check/nodediagonals.h"

#include <string.h>

// Of a clock from where it comes from: matrices do not overflow then (check/nodezone.h).
#define MAX_SHIFT (INT64_C(1) << 50)

void statetransitions_init(StateTransitions *a, Mem *mem, const Net *net) {
  *a = (StateTransitions){.mem = mem, .net = net};
  a->is_split = net->channels.size || net->priority.is_used;
  net_vm(net, &a->vm, mem);
  a->vm.max_constant = net_is_wide(net) ? net_max_constant(net) : a->vm.max_constant;
  transitions_init(&a->transitions, mem, net);
  conditional_init(&a->conditional, mem, &a->transitions, &a->vm);
  rates_init(&a->rates, mem, net);
}

// Adds the tests of a guard in a state. False if it does not hold; after an error there are none.
bool statetransitions_guard_holds(StateTransitions *a, const Guard *guard, const int32_t *state,
                                  ClockTests *tests, const char **error) {
  const VmResult result = meaning_guard(&a->vm, a->net, guard, state, tests);
  if (result == VM_ERROR) {
    vec_clear(tests);
    *error = a->vm.error;
    return true;
  }
  return result == VM_TRUE;
}

// An error in an invariant counts whatever the clocks are.
bool statetransitions_invariants_hold(StateTransitions *a, const int32_t *state,
                                      ClockTests *tests, const char **error) {
  for (ProcessId p = 0; p < a->net->processes.size && !*error; p++) {
    const Location *location = net_location(a->net, p, state[a->net->location_slot + p]);
    if (a->transitions.left_out && a->transitions.left_out[p])
      continue;
    if (!statetransitions_guard_holds(a, &location->invariant, state, tests, error))
      return false;
  }
  return true;
}

static void add_tests(StateTransitions *a, const ClockTest *tests, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    vec_push(a->mem, &a->tests, tests[i]);
}

// The guards of a transition. Comparisons with constants, of all its edges, come first, then the
// rest, edge by edge: an error in the rest counts only where the comparisons hold.
static bool guards_hold(StateTransitions *a, const TransitionEdges *joint, const int32_t *state,
                        StateTransition *transition) {
  const Edge *const *edges = &a->transitions.edges.items[joint->first];
  for (uint32_t i = 0; i < joint->count; i++)
    for (uint32_t t = 0; t < edges[i]->guard.test_count; t++)
      if (!vm_test(&edges[i]->guard.tests[t], state)) {
        const char *error = NULL;
        vec_clear(&a->fresh);
        if (a->net->twin) // that this guard is false, both evaluators have to say
          (void)statetransitions_guard_holds(a, &edges[i]->guard, state, &a->fresh, &error);
        return false;
      }
  for (uint32_t i = 0; i < joint->count && !transition->error; i++) {
    vec_clear(&a->fresh);
    if (!statetransitions_guard_holds(a, &edges[i]->guard, state, &a->fresh, &transition->error))
      return false;
    add_tests(a, a->fresh.items, a->fresh.size);
  }
  if (transition->error) {
    a->tests.size = transition->first_test;
    for (uint32_t i = 0; i < joint->count; i++)
      add_tests(a, edges[i]->guard.clock_tests, edges[i]->guard.clock_test_count);
  }
  if (a->is_split) {
    const ConditionalTransition *branch = &a->conditional.list.items[transition->ordinal];
    add_tests(a, a->conditional.tests.items + branch->first, branch->count);
  }
  transition->guard_count = a->tests.size - transition->first_test;
  return true;
}

// Runs an update of a transition on the target state; false if there is no target.
static bool run_update(StateTransitions *a, const Update *update, StateTransition *transition) {
  int32_t *target = &a->targets.items[transition->target];
  const VmResult result =
      transition->error ? VM_TRUE : meaning_update(&a->vm, a->net, update, target, &a->updates);
  if (result == VM_ERROR)
    transition->error = a->vm.error;
  return result == VM_TRUE || transition->error;
}

// Makes the target state of a transition and where its clocks come from. False if there is none.
static bool find_target(StateTransitions *a, const TransitionEdges *joint,
                        StateTransition *transition) {
  const Net *net = a->net;
  const uint32_t clocks = net->clock_count + 1;
  transition->target = a->targets.size;
  transition->origin = a->origins.size;
  vec_reserve(a->mem, &a->targets, a->targets.size + net->slots.count);
  vec_reserve(a->mem, &a->origins, a->origins.size + clocks);
  int32_t *target = &a->targets.items[transition->target];
  memcpy(target, a->state, net->slots.count * sizeof *target);
  Origin *origin = &a->origins.items[transition->origin];
  for (ClockIndex x = 0; x < clocks; x++)
    origin[x] = (Origin){x, 0};
  vec_clear(&a->updates);
  if (joint->count && !run_update(a, &net->hooks.before, transition))
    return false;
  for (uint32_t i = 0; i < joint->count; i++)
    if (!run_update(a, &a->transitions.edges.items[joint->first + i]->update, transition))
      return false;
  if (joint->count && !run_update(a, &net->hooks.after, transition))
    return false;
  for (uint32_t slot = 0; net->slots.is_meta && slot < net->location_slot; slot++)
    target[slot] = net->slots.is_meta[slot] ? net->slots.initial[slot] : target[slot];
  for (uint32_t i = 0; i < joint->count; i++) {
    const Edge *edge = a->transitions.edges.items[joint->first + i];
    target[net->location_slot + edge->process] = net_index(net, edge->target);
  }
  for (uint32_t i = 0; i < a->updates.size; i++) {
    const ClockUpdate u = a->updates.items[i];
    origin[u.x] = (Origin){origin[u.y].y, origin[u.y].d + u.constant};
    if (origin[u.x].d < 0)
      vec_push(a->mem, &a->drops, origin[u.x]);
    if (origin[u.x].d > MAX_SHIFT || origin[u.x].d < -MAX_SHIFT) {
      transition->error = "a clock is set to one that is too far away";
      return true;
    }
  }
  transition->drop_count = a->drops.size - transition->first_drop;
  return true;
}

// Carries the target's invariant back over the updates. False if it cannot hold.
static bool carry_back(StateTransitions *a, StateTransition *transition) {
  const Origin *origin = &a->origins.items[transition->origin];
  const int64_t max = net_max_constant(a->net);
  for (uint32_t t = 0; t < a->fresh.size; t++) {
    const ClockTest test = a->fresh.items[t];
    const Origin i = origin[test.i], j = origin[test.j];
    const int64_t constant = test.constant - i.d + j.d;
    if (i.y == j.y) {
      if (test.strict ? constant <= 0 : constant < 0)
        return false;
      continue;
    }
    // Out of range it is made weaker, which can only add successors.
    transition->is_weakened |= constant > max || constant < -max;
    if (constant > max)
      continue;
    const int64_t cut = constant < -max ? -max : constant;
    const ClockTest back = {i.y, j.y, cut, test.strict};
    vec_push(a->mem, &a->tests, back);
  }
  return true;
}

// Whether a test alone, two of them, or one of a difference and two of its clocks are
// contradictory: then no valuation meets them, whatever a node sees.
static bool contradict(const ClockTest *tests, uint32_t count, const ClockTest *more,
                       uint32_t more_count) {
  const DiagonalTests all = {tests, more, count, more_count};
  for (uint32_t i = 0; i < count; i++) {
    if (!tests[i].j && nodebound_of(&tests[i]) < NODEBOUND_ZERO) // a clock below 0
      return true;
    if (nodediagonals_contradict(&all, &tests[i]))
      return true;
    for (uint32_t j = 0; j < i + more_count; j++) {
      const ClockTest *other = j < i ? &tests[j] : &more[j - i];
      if (other->i == tests[i].j && other->j == tests[i].i &&
          nodebound_sum(nodebound_of(other), nodebound_of(&tests[i])) < NODEBOUND_ZERO)
        return true;
    }
  }
  return false;
}

bool statetransitions_contradict(const StateTransitions *a, const ClockTest *tests,
                                 uint32_t count) {
  return contradict(tests, count, a->invariant.items, a->invariant.size);
}

// What comes after the updates: the target's invariant.
static void find_entry(StateTransitions *a, StateTransition *transition) {
  const int32_t *target = &a->targets.items[transition->target];
  vec_clear(&a->fresh);
  transition->is_blocked =
      !statetransitions_invariants_hold(a, target, &a->fresh, &transition->error) ||
      (!transition->error && !carry_back(a, transition));
}

// False if it can be left out: it is not possible, whatever the clocks are.
static bool find_transition(StateTransitions *a, uint32_t ordinal, StateTransition *transition) {
  const TransitionEdges joint = a->transitions.list.items[ordinal];
  const int32_t *state = a->state;
  *transition = (StateTransition){
      .ordinal = ordinal, .first_test = a->tests.size, .first_drop = a->drops.size};
  if (!guards_hold(a, &joint, state, transition))
    return false;
  if (!transition->error) {
    if (!find_target(a, &joint, transition))
      return false;
    if (!transition->error)
      find_entry(a, transition);
    a->targets.size += a->net->slots.count;
    a->origins.size += a->net->clock_count + 1;
  }
  transition->test_count = a->tests.size - transition->first_test;
  const ClockTest *tests = &a->tests.items[transition->first_test];
  if (statetransitions_contradict(a, tests, transition->guard_count))
    return false;
  transition->is_blocked |= statetransitions_contradict(a, tests, transition->test_count);
  return !transition->is_blocked || transition->drop_count;
}

const char *statetransitions_find(StateTransitions *a, const int32_t *state) {
  const char *error = NULL;
  a->state = state;
  meaning_state(a->net, state);
  vec_clear(&a->list);
  vec_clear(&a->tests);
  vec_clear(&a->targets);
  vec_clear(&a->origins);
  vec_clear(&a->drops);
  vec_clear(&a->invariant);
  a->can_delay = transitions_can_delay(&a->transitions, state);
  a->invariant_fails = !statetransitions_invariants_hold(a, state, &a->invariant, &error);
  if (error)
    return error;
  if (a->is_split) {
    conditional_find(&a->conditional, state);
    a->can_delay = a->conditional.can_delay;
  } else {
    transitions_find(&a->transitions, state);
  }
  if (a->can_delay && !a->invariant_fails && (error = rates_find(&a->rates, &a->vm, state)))
    return error;
  for (uint32_t i = 0; i < a->transitions.list.size; i++) {
    StateTransition transition;
    if (find_transition(a, i, &transition)) {
      vec_push(a->mem, &a->list, transition);
      continue;
    }
    a->tests.size = transition.first_test;
    a->drops.size = transition.first_drop;
  }
  return NULL;
}

void statetransitions_print(Text *text, const StateTransitions *a,
                            const StateTransition *transition) {
  const TransitionEdges joint = a->transitions.list.items[transition->ordinal];
  text_add_char(text, '<');
  for (uint32_t i = 0; i < joint.count; i++) {
    const Edge *edge = a->transitions.edges.items[joint.first + i];
    text_addf(text, "%s%s.%s->%s", i ? ", " : "", a->net->processes.items[edge->process].name,
              a->net->locations.items[edge->source].name,
              a->net->locations.items[edge->target].name);
  }
  text_add_char(text, '>');
}
