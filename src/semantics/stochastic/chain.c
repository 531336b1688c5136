#include "semantics/stochastic/chain.h"

#include "base/intern.h"

#include <math.h>

enum { MAX_MOVES = 200000, MAX_LISTENERS = 64, MAX_ACTORS = 4096 };

typedef struct Actor { // a choice that is possible, with its probability
  ProcessId process;
  const LawChoice *choice;
  double probability;
} Actor;

typedef struct Maker {
  Chain *chain;
  const Laws *laws;
  Motion motion;
  Intern known; // states
  uint32_t max_states;
  int32_t *present; // the state that is left
  Actor actors[MAX_ACTORS];
  uint32_t actor_count;
  bool fails;
} Maker;

// What a step has done so far.
typedef struct Firing {
  ProcessId listeners[MAX_LISTENERS];
  uint32_t listener_count;
  uint32_t channel;
} Firing;

static bool fail(Maker *m) {
  m->fails = true;
  return false;
}

static const LawLocation *location_of(const Maker *m, ProcessId p) {
  return &m->laws->locations[net_location_at(m->laws->net, p, m->motion.state)];
}

static bool reads_clock(Access *access) {
  for (uint32_t k = 0; k < access->marked.size; k++)
    if (access->marked.items[k] >= access->first_clock &&
        access->marks[access->marked.items[k]] & ACCESS_READ)
      return true;
  return false;
}

// Whether all branches have the guard of the first one, and none of them sends: receivers of a
// branch look at the state after the stem, which answer() does not know.
static bool is_plain(const LawChoice *choice) {
  return !choice->is_conditional && !choice->is_late &&
         !condition_is_moving(choice->edges->guard);
}

// Whether no delay, choice or value depends on clocks.
static bool is_clockless(const Laws *laws, Mem *mem) {
  const Net *net = laws->net;
  Arena arena = {.mem = mem};
  Access access;
  access_init(&access, &arena, net);
  access_stmts(&access, net->hooks.before_stmts);
  access_stmts(&access, net->hooks.after_stmts);
  for (uint32_t k = 0; k < net->edges.size; k++) {
    const Edge *edge = &net->edges.items[k];
    access_expr(&access, edge->guard_expr);
    access_expr(&access, edge->weight);
    access_stmts(&access, edge->update_stmts);
  }
  bool is_free = true;
  for (uint32_t k = 0; k < net->locations.size; k++) {
    access_expr(&access, net->locations.items[k].invariant_expr);
    access_expr(&access, net->locations.items[k].exponential);
    const Condition *invariant = laws->locations[k].invariant;
    is_free &= !invariant || !condition_is_moving(invariant);
    for (uint32_t c = 0; c < laws->locations[k].output_count; c++)
      is_free &= is_plain(&laws->locations[k].outputs[c]);
    for (uint32_t c = 0; c < laws->locations[k].input_count; c++)
      is_free &= is_plain(&laws->locations[k].inputs[c]);
  }
  is_free = is_free && !reads_clock(&access);
  access_release(&access);
  arena_release(&arena);
  return is_free;
}

static bool number(Maker *m, const LawNumber *what, double *value) {
  *value = what->constant;
  return !what->code || vm_value(&m->motion.vm, what->code, m->motion.state, value) == VM_TRUE ||
         fail(m);
}

static bool update(Maker *m, const Update *what) {
  vec_clear(&m->motion.updates);
  return vm_update(&m->motion.vm, what, m->motion.state, &m->motion.updates) == VM_TRUE ||
         fail(m);
}

static bool holds(Maker *m, const Condition *condition) {
  const VmResult result = condition ? condition_holds(condition, &m->motion) : VM_TRUE;
  m->fails |= result == VM_ERROR || result == VM_INVALID;
  return result == VM_TRUE;
}

static uint32_t find_state(Maker *m) {
  const uint32_t before = m->known.items.size;
  const uint32_t found =
      intern_number(&m->known, m->motion.state, sizeof(int32_t) * m->laws->net->slots.count);
  if (m->known.items.size > before) {
    const ChainState state = {0};
    vec_push(m->chain->mem, &m->chain->states, state);
    m->fails |= m->chain->states.size > m->max_states;
  }
  return found - 1;
}

static bool listen(Maker *m, ProcessId sender, uint32_t channel, Firing *firing) {
  firing->channel = channel;
  for (uint32_t k = 0; channel && k < m->laws->receiver_counts[channel - 1]; k++) {
    const ProcessId p = m->laws->receivers[channel - 1][k];
    const LawLocation *law = location_of(m, p);
    bool is_ready = false;
    for (uint32_t c = 0; c < law->input_count && p != sender; c++)
      is_ready |= law->inputs[c].channel == channel && holds(m, law->inputs[c].edges->guard);
    if (is_ready && firing->listener_count == MAX_LISTENERS)
      return fail(m);
    if (is_ready)
      firing->listeners[firing->listener_count++] = p;
  }
  return !m->fails;
}

static void take_choice(Maker *, const LawChoice *, Firing, uint32_t next, double probability);

static void arrive(Maker *m, double probability) {
  const Net *net = m->laws->net;
  if (net->hooks.after_stmts && !update(m, &net->hooks.after))
    return;
  for (ProcessId p = 0; p < net->processes.size; p++)
    if (location_of(m, p)->invariant && !holds(m, location_of(m, p)->invariant))
      fail(m);
  if (m->fails || m->chain->moves.size >= MAX_MOVES) {
    fail(m);
    return;
  }
  const ChainMove move = {find_state(m), probability};
  vec_push(m->chain->mem, &m->chain->moves, move);
}

// The next of those that answer: each of its edges that were enabled before all updates.
static void answer(Maker *m, const Firing *firing, uint32_t next, double probability) {
  if (next == firing->listener_count) {
    arrive(m, probability);
    return;
  }
  const size_t size = sizeof(int32_t) * m->laws->net->slots.count;
  const LawLocation *law = location_of(m, firing->listeners[next]);
  int32_t *now = mem_alloc(m->chain->mem, size);
  const LawChoice *ready[MAX_LISTENERS];
  uint32_t count = 0;
  memcpy(now, m->motion.state, size);
  memcpy(m->motion.state, m->present, size); // guards are those before the step
  for (uint32_t c = 0; c < law->input_count && count < MAX_LISTENERS; c++)
    if (law->inputs[c].channel == firing->channel && holds(m, law->inputs[c].edges->guard))
      ready[count++] = &law->inputs[c];
  for (uint32_t c = 0; c < count && !m->fails; c++) {
    memcpy(m->motion.state, now, size);
    take_choice(m, ready[c], *firing, next, probability / count);
  }
  m->fails |= !count;
  mem_free(m->chain->mem, now);
}

// The branches of a choice, from the present state of the motion on. `next` is the number of the
// listener that answers after it.
static void take_choice(Maker *m, const LawChoice *choice, Firing firing, uint32_t next,
                        double probability) {
  const Net *net = m->laws->net;
  const size_t size = sizeof(int32_t) * net->slots.count;
  const bool is_sender = next == UINT32_MAX;
  const ProcessId p = choice->edges->edge->process;
  double total = 0, weight;
  if (choice->has_stem && !update(m, &choice->stem))
    return;
  for (uint32_t k = 0; k < choice->edge_count; k++) {
    if (!number(m, &choice->edges[k].weight, &weight))
      return;
    m->fails |= !(weight >= 0) || isinf(weight);
    total += weight;
  }
  if (!(total > 0))
    fail(m);
  int32_t *now = mem_alloc(m->chain->mem, size);
  memcpy(now, m->motion.state, size);
  for (uint32_t k = 0; k < choice->edge_count && !m->fails; k++) {
    const LawEdge *edge = &choice->edges[k];
    memcpy(m->motion.state, now, size);
    if (!number(m, &edge->weight, &weight))
      break;
    if (weight == 0)
      continue;
    if (!update(m, &edge->update))
      break;
    m->motion.state[net->location_slot + p] = net_index(net, edge->target);
    answer(m, &firing, is_sender ? 0 : next + 1, probability * weight / total);
  }
  mem_free(m->chain->mem, now);
}

static void fire(Maker *m, const Actor *actor) {
  const Net *net = m->laws->net;
  Firing firing = {0};
  memcpy(m->motion.state, m->present, sizeof(int32_t) * net->slots.count);
  if (net->hooks.before_stmts) // guards of receivers would be those after it
    fail(m);
  if (!listen(m, actor->process, actor->choice->channel, &firing))
    return;
  take_choice(m, actor->choice, firing, UINT32_MAX, actor->probability);
}

// Whether a broadcast reaches a process in a committed location.
static bool serves_committed(Maker *m, ProcessId sender, const LawChoice *choice) {
  const uint32_t channel = choice->channel;
  for (uint32_t k = 0; channel && k < m->laws->receiver_counts[channel - 1]; k++) {
    const ProcessId p = m->laws->receivers[channel - 1][k];
    const LawLocation *law = location_of(m, p);
    for (uint32_t c = 0; c < law->input_count && p != sender && law->is_committed; c++)
      if (law->inputs[c].channel == channel && holds(m, law->inputs[c].edges->guard))
        return true;
  }
  return false;
}

// Adds what a process can do now, each with the same share of the weight. *is_urgent: an urgent
// channel makes it act at once.
static uint32_t add_actors(Maker *m, ProcessId p, bool is_committed, bool *is_urgent) {
  const LawLocation *law = location_of(m, p);
  const uint32_t first = m->actor_count;
  *is_urgent = false;
  for (uint32_t c = 0; c < law->output_count; c++) {
    const LawChoice *choice = &law->outputs[c];
    if (!holds(m, choice->edges->guard) ||
        (is_committed && !law->is_committed && !serves_committed(m, p, choice)))
      continue;
    if (m->actor_count == MAX_ACTORS)
      return fail(m);
    *is_urgent |= choice->is_urgent;
    m->actors[m->actor_count++] = (Actor){p, choice, 0};
  }
  const uint32_t count = m->actor_count - first;
  for (uint32_t k = first; k < m->actor_count; k++)
    m->actors[k].probability = 1. / count;
  return count;
}

// Who acts, with which probability; the rate of the state.
static double find_actors(Maker *m) {
  const uint32_t processes = m->laws->net->processes.size;
  bool is_committed = false, is_urgent = false, hurries;
  double total = 0, rate;
  for (ProcessId p = 0; p < processes; p++) {
    is_committed |= location_of(m, p)->is_committed;
    m->actor_count = 0;
    add_actors(m, p, false, &hurries);
    is_urgent |= hurries || location_of(m, p)->is_urgent;
  }
  m->actor_count = 0;
  for (ProcessId p = 0; p < processes && !m->fails; p++) {
    const LawLocation *law = location_of(m, p);
    const uint32_t first = m->actor_count;
    const uint32_t count = add_actors(m, p, is_committed, &hurries);
    const bool acts = count && (is_committed || !is_urgent || hurries || law->is_urgent);
    rate = 1;
    if (acts && !is_committed && !is_urgent &&
        (!law->has_rate || !number(m, &law->rate, &rate) || !(rate >= 0) || isinf(rate)))
      fail(m);
    if (!acts)
      m->actor_count = first;
    for (uint32_t k = first; k < m->actor_count; k++)
      m->actors[k].probability *= rate;
    total += acts ? rate : 0;
  }
  for (uint32_t k = 0; k < m->actor_count && total > 0; k++)
    m->actors[k].probability /= total;
  if ((is_committed || is_urgent) && !(total > 0)) // a time-lock
    fail(m);
  return is_committed || is_urgent ? INFINITY : total;
}

static void expand(Maker *m, uint32_t index, const Condition *goal, const Condition *trap) {
  const size_t size = sizeof(int32_t) * m->laws->net->slots.count;
  memcpy(m->present, intern_at(&m->known, index + 1)->bytes, size);
  memcpy(m->motion.state, m->present, size);
  ChainState state = {.is_goal = goal && holds(m, goal), .is_trap = trap && holds(m, trap)};
  state.first = m->chain->moves.size;
  if (!state.is_goal && !state.is_trap) {
    state.rate = find_actors(m);
    for (uint32_t k = 0; k < m->actor_count && !m->fails && state.rate > 0; k++)
      if (m->actors[k].probability > 0)
        fire(m, &m->actors[k]);
  }
  state.count = m->chain->moves.size - state.first;
  m->chain->states.items[index] = state;
}

bool chain_make(Chain *chain, Mem *owner, const Laws *laws, const Condition *goal,
                const Condition *trap, uint32_t max_states) {
  const Net *net = laws->net;
  *chain = (Chain){.mem = owner};
  if ((goal && condition_is_moving(goal)) || (trap && condition_is_moving(trap)) ||
      !is_clockless(laws, owner))
    return false;
  Mem *mem = mem_part(owner);
  Maker *m = mem_alloc(mem, sizeof *m);
  *m = (Maker){.chain = chain, .laws = laws, .max_states = max_states};
  const uint32_t clocks = net->clock_count + 1;
  net_vm(net, &m->motion.vm, mem);
  m->motion.clock_count = clocks;
  m->motion.state = mem_alloc(mem, sizeof(int32_t) * (net->slots.count + 1));
  m->motion.clocks = mem_alloc(mem, sizeof(double) * clocks * 4);
  m->motion.rates = m->motion.clocks + clocks;
  m->motion.moved = m->motion.rates + clocks;
  m->motion.zeros = m->motion.moved + clocks;
  m->motion.vm.clocks = m->motion.clocks;
  m->present = mem_alloc(mem, sizeof(int32_t) * (net->slots.count + 1));
  intern_init(&m->known, mem);
  memcpy(m->motion.state, laws->initial, sizeof(int32_t) * net->slots.count);
  find_state(m);
  for (ProcessId p = 0; p < net->processes.size; p++)
    if (location_of(m, p)->invariant && !holds(m, location_of(m, p)->invariant))
      fail(m);
  for (uint32_t k = 0; k < chain->states.size && !m->fails; k++)
    expand(m, k, goal, trap);
  const bool ok = !m->fails;
  mem_release_part(mem);
  return ok;
}

void chain_release(Chain *chain) {
  vec_release(chain->mem, &chain->states);
  vec_release(chain->mem, &chain->moves);
}
