#include "model/enabled.h"

#include "base/testbuild.h"
#include "model/state.h"

#include <string.h>

void enabled_init(Enabled *e, Mem *owner, const Net *net, const JointTable *table) {
  Mem *mem = mem_part(owner);
  *e = (Enabled){.mem = mem, .net = net, .table = table};
  net_vm(net, &e->vm, mem);
  pieces_init(&e->pieces, mem);
}

void enabled_release(Enabled *e) { mem_release_part(e->mem); }

static void append(Enabled *e, ClockTests *tests, const ClockTest *more, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    vec_push(e->mem, tests, more[i]);
}

static const Choices *choices_of(const Enabled *e, const Part *part) {
  return &part->choices[e->place->now[part->process]->index];
}

static bool contradicts(Enabled *e) {
  return pieces_contradict(&e->pieces, e->context.items, e->context.size, NULL, 0);
}

// Channels are compared first, then processes: of a synchronisation, the highest one.
static int64_t priority_of(const Net *net, const EdgeList *edges) {
  const uint32_t channel = net->event_channels ? net->event_channels[edges->items[0]->event] : 0;
  const int64_t first = channel ? net->channels.items[channel - 1].priority : net->priority.tau;
  int64_t second = INT32_MIN;
  for (uint32_t i = 0; i < edges->size; i++) {
    const int64_t own = net->processes.items[edges->items[i]->process].priority;
    second = own > second ? own : second;
  }
  return first * ((int64_t)1 << 32) + (second - INT32_MIN);
}

static EnabledTransition add_offer(Enabled *e, uint32_t sync) {
  const EnabledTransition transition = {.sync = sync,
                                        .first_edge = e->edges.size,
                                        .edge_count = e->chosen.size,
                                        .first_test = e->tests.size,
                                        .test_count = e->chosen_tests.size};
  for (uint32_t i = 0; i < e->chosen.size; i++)
    vec_push(e->mem, &e->edges, e->chosen.items[i]);
  append(e, &e->tests, e->chosen_tests.items, e->chosen_tests.size);
  return transition;
}

// The chosen edges as an action, if the integer part of their guards holds.
static void add_action(Enabled *e, uint32_t sync) {
  TransitionDraft action = {.first = e->draft_tests.size,
                            .priority = priority_of(e->net, &e->chosen)};
  for (uint32_t i = 0; i < e->chosen.size; i++) {
    const VmResult result =
        vm_guard(&e->vm, &e->chosen.items[i]->guard, e->state, &e->draft_tests);
    action.fails |= result == VM_ERROR;
    if (action.fails)
      break;
    if (result != VM_TRUE) {
      e->draft_tests.size = action.first;
      return;
    }
  }
  append(e, &e->draft_tests, e->chosen_tests.items, e->chosen_tests.size);
  action.count = e->draft_tests.size - action.first;
  action.transition = add_offer(e, sync);
  vec_push(e->mem, &e->drafts, action);
}

static void add_chosen(Enabled *e, uint32_t sync) {
  mem_tick(e->mem);
  if (e->net->priority.is_used)
    add_action(e, sync);
  else
    vec_push(e->mem, &e->transitions, add_offer(e, sync));
}

// The parts from `part` on, in every way, the last one fastest.
static void unfold(Enabled *e, uint32_t sync, uint32_t part) {
  const Parts *parts = &e->table->syncs[sync];
  if (part == parts->count) {
    if (e->chosen.size)
      add_chosen(e, sync);
    return;
  }
  const Choices *choices = choices_of(e, &parts->items[part]);
  for (uint32_t i = 0; i < choices->count; i++) {
    vec_push(e->mem, &e->chosen, choices->edges[i]);
    unfold(e, sync, part + 1);
    e->chosen.size--;
  }
  if (!choices->count && parts->items[part].weak)
    unfold(e, sync, part + 1);
}

// Whether commitment allows a synchronisation whose participants locations decide.
static bool is_allowed(const Enabled *e, const Parts *parts) {
  bool allowed = !e->place->committed;
  for (uint32_t k = 0; k < parts->count; k++)
    allowed |= choices_of(e, &parts->items[k])->count &&
               e->place->now[parts->items[k].process]->committed;
  return allowed;
}

// The edges of a receiver whose guards hold as far as integers decide. One with a run-time error
// takes part: then firing it fails.
static void find_options(Enabled *e, const Choices *choices) {
  for (uint32_t i = 0; i < choices->count; i++) {
    const Edge *edge = choices->edges[i];
    const uint32_t first = e->option_tests.size;
    const VmResult result = vm_guard(&e->vm, &edge->guard, e->state, &e->option_tests);
    const bool fails = result == VM_ERROR;
    if (result == VM_TRUE || fails)
      vec_push(e->mem, &e->options,
               ((ReceiverOption){edge, first, e->option_tests.size - first}));
  }
}

// In every piece where none of the guards holds the receiver stays out.
static void add_absences(Enabled *e, const Receiver *receiver) {
  pieces_begin(&e->pieces);
  for (uint32_t i = 0; i < receiver->count; i++) {
    const ReceiverOption *option = &e->options.items[receiver->first + i];
    pieces_subtract(&e->pieces, e->option_tests.items + option->first, option->count, NULL, 0);
  }
  for (uint32_t p = 0; p < e->pieces.ends.size; p++) {
    uint32_t count;
    const ClockTest *tests = pieces_at(&e->pieces, p, &count);
    vec_push(e->mem, &e->options, ((ReceiverOption){NULL, e->option_tests.size, count}));
    append(e, &e->option_tests, tests, count);
  }
}

static void find_receivers(Enabled *e, const Parts *parts) {
  vec_clear(&e->receivers);
  e->committed_end = 0;
  vec_clear(&e->options);
  vec_clear(&e->option_tests);
  for (uint32_t k = 1; k < parts->count; k++) {
    Receiver receiver = {.first = e->options.size,
                         .committed = e->place->now[parts->items[k].process]->committed};
    find_options(e, choices_of(e, &parts->items[k]));
    receiver.count = e->options.size - receiver.first;
    if (!receiver.count || (PLANTED("receiver") && k + 1 == parts->count))
      continue;
    if (!PLANTED("split"))
      add_absences(e, &receiver);
    receiver.count = e->options.size - receiver.first;
    vec_push(e->mem, &e->receivers, receiver);
    if (receiver.committed)
      e->committed_end = e->receivers.size;
  }
}

// The receivers from `next` on, in every way that the clocks can allow.
static void receive(Enabled *e, uint32_t sync, uint32_t next, bool allowed) {
  mem_tick(e->mem);
  if (!allowed && next >= e->committed_end)
    return; // no participant is left that would allow it
  if (next == e->receivers.size) {
    if (allowed)
      add_chosen(e, sync);
    return;
  }
  const Receiver receiver = e->receivers.items[next];
  for (uint32_t i = 0; i < receiver.count; i++) {
    const ReceiverOption option = e->options.items[receiver.first + i];
    const ClockTest *tests = e->option_tests.items + option.first;
    const uint32_t edges = e->chosen.size, extra = e->chosen_tests.size;
    const uint32_t context = e->context.size;
    append(e, &e->context, tests, option.count);
    if (!option.count || !contradicts(e)) {
      if (option.edge)
        vec_push(e->mem, &e->chosen, option.edge);
      else
        append(e, &e->chosen_tests, tests, option.count);
      receive(e, sync, next + 1, allowed || (option.edge && receiver.committed));
    }
    e->chosen.size = edges;
    e->chosen_tests.size = extra;
    e->context.size = context;
  }
}

static void broadcast(Enabled *e, uint32_t sync) {
  const Parts *parts = &e->table->syncs[sync];
  const Choices *senders = choices_of(e, &parts->items[0]);
  const bool allowed = !e->place->committed || e->place->now[parts->items[0].process]->committed;
  find_receivers(e, parts);
  for (uint32_t i = 0; i < senders->count; i++) {
    const Guard *guard = &senders->edges[i]->guard;
    vec_clear(&e->context);
    append(e, &e->context, guard->clock_tests, guard->clock_test_count);
    vec_push(e->mem, &e->chosen, senders->edges[i]);
    receive(e, sync, 0, allowed);
    e->chosen.size--;
  }
}

static void add_async(Enabled *e, ProcessId process) {
  const Spot *spot = e->place->now[process];
  if (e->place->committed && !spot->committed)
    return;
  for (uint32_t i = 0; i < spot->async.count; i++) {
    vec_push(e->mem, &e->chosen, spot->async.edges[i]);
    add_chosen(e, NET_NONE);
    e->chosen.size--;
  }
}

// The tests of the action and of the invariants. Where one has x <= c and a guard x == c, only x
// < c is left where the guard does not hold: without that each such guard would double the
// pieces.
static void find_context(Enabled *e, const TransitionDraft *action) {
  vec_clear(&e->context);
  append(e, &e->context, e->draft_tests.items + action->first, action->count);
  for (ProcessId p = 0; p < e->net->processes.size; p++) {
    const Guard *invariant = e->net->by_location.invariants[net_location_at(e->net, p, e->state)];
    const uint32_t size = e->context.size;
    if (invariant && vm_guard(&e->vm, invariant, e->state, &e->context) != VM_TRUE)
      e->context.size = size;
  }
}

// The pieces of an action in which nothing of higher priority is enabled.
static void yield_to_higher(Enabled *e, const TransitionDraft *action) {
  bool has_context = false;
  pieces_begin(&e->pieces);
  for (uint32_t i = 0; i < e->drafts.size && e->pieces.ends.size; i++) {
    const TransitionDraft *other = &e->drafts.items[i];
    if (other->priority <= action->priority || other->fails || PLANTED("priority"))
      continue;
    if (!has_context)
      find_context(e, action);
    has_context = true;
    pieces_subtract(&e->pieces, e->draft_tests.items + other->first, other->count,
                    e->context.items, e->context.size);
  }
}

static void apply_priorities(Enabled *e) {
  for (uint32_t i = 0; i < e->drafts.size; i++) {
    const TransitionDraft *action = &e->drafts.items[i];
    yield_to_higher(e, action);
    for (uint32_t p = 0; p < e->pieces.ends.size; p++) {
      EnabledTransition transition = action->transition;
      uint32_t count;
      const ClockTest *piece = pieces_at(&e->pieces, p, &count);
      transition.first_test = e->tests.size;
      transition.test_count += count;
      for (uint32_t t = 0; t < action->transition.test_count; t++) {
        const ClockTest test = e->tests.items[action->transition.first_test + t];
        vec_push(e->mem, &e->tests, test);
      }
      append(e, &e->tests, piece, count);
      vec_push(e->mem, &e->transitions, transition);
    }
  }
}

// Adds the synchronisation's clock guards to the list of conjunctions in `options`; true if it is
// enabled whatever the clocks are.
static bool add_urgent(Enabled *e, const Edge *sender, const Edge *receiver) {
  const uint32_t first = e->option_tests.size;
  if (vm_guard(&e->vm, &sender->guard, e->state, &e->option_tests) != VM_TRUE ||
      (receiver && vm_guard(&e->vm, &receiver->guard, e->state, &e->option_tests) != VM_TRUE)) {
    e->option_tests.size = first;
    return false;
  }
  const uint32_t count = e->option_tests.size - first;
  vec_push(e->mem, &e->options, ((ReceiverOption){sender, first, count}));
  return !count;
}

// An urgent broadcast needs its sender only.
static bool find_urgent(Enabled *e, uint32_t sync) {
  const Parts *parts = &e->table->syncs[sync];
  const Choices *senders = choices_of(e, &parts->items[0]);
  const bool is_broadcast = e->net->syncs.items[sync].broadcast;
  const Choices *receivers = is_broadcast ? NULL : choices_of(e, &parts->items[1]);
  for (uint32_t i = 0; i < senders->count; i++) {
    if (is_broadcast && add_urgent(e, senders->edges[i], NULL))
      return true;
    for (uint32_t k = 0; receivers && k < receivers->count; k++)
      if (add_urgent(e, senders->edges[i], receivers->edges[k]))
        return true;
  }
  return false;
}

JointDelay enabled_delay(Enabled *e, const JointPlace *place, const int32_t *state) {
  e->state = state;
  e->place = place;
  vec_clear(&e->options);
  vec_clear(&e->option_tests);
  for (uint32_t w = 0; w < e->table->word_count; w++)
    for (uint64_t bits = place->candidates[w] & e->table->urgent[w]; bits; bits &= bits - 1)
      if (find_urgent(e, w * 64 + (uint32_t)__builtin_ctzll(bits)))
        return JOINT_STILL;
  return e->options.size ? JOINT_SPLIT : JOINT_FLOWS;
}

static bool transitions(const Net *net, const Location *location, const Channel *channel) {
  for (uint32_t k = 0; k < location->edge_count; k++) {
    const EventId event = net->edges.items[net->out[location->first_edge + k]].event;
    if (event == channel->send || (event == channel->receive && !channel->broadcast))
      return true;
  }
  return false;
}

void enabled_stops(Enabled *e, const JointPlace *place, const int32_t *state, bool *stops) {
  const Net *net = e->net;
  e->state = state;
  e->place = place;
  vec_clear(&e->options);
  vec_clear(&e->option_tests);
  memset(stops, false, net->processes.size);
  for (uint32_t w = 0; w < e->table->word_count; w++)
    for (uint64_t bits = place->candidates[w] & e->table->urgent[w]; bits; bits &= bits - 1) {
      const uint32_t sync = w * 64 + (uint32_t)__builtin_ctzll(bits);
      if (!find_urgent(e, sync))
        continue;
      const Channel *channel = &net->channels.items[net->syncs.items[sync].channel - 1];
      for (ProcessId p = 0; p < net->processes.size; p++)
        stops[p] |=
            transitions(net, net_location(net, p, state[net->location_slot + p]), channel);
    }
}

// Appends tests, with strict bounds of single clocks on one side made weak: time comes to x = c
// by itself where x < c held, and leaves it where x > c will hold.
static void append_closed(Enabled *e, ClockTests *tests, const ClockTest *more, uint32_t count,
                          bool below) {
  for (uint32_t i = 0; i < count; i++) {
    ClockTest test = more[i];
    test.strict &= below ? test.i != 0 : test.j != 0;
    vec_push(e->mem, tests, test);
  }
}

// Time passes from piece `from` on into piece `to`, or within it.
static void add_delay(Enabled *e, uint32_t from, uint32_t to) {
  uint32_t from_count, to_count;
  const ClockTest *from_tests = pieces_at(&e->pieces, from, &from_count);
  const ClockTest *to_tests = pieces_at(&e->pieces, to, &to_count);
  EnabledTransition transition = {
      .sync = NET_NONE, .first_edge = e->edges.size, .first_test = e->tests.size};
  append(e, &e->tests, from_tests, from_count);
  if (from != to)
    append_closed(e, &e->tests, to_tests, to_count, true);
  transition.test_count = e->tests.size - transition.first_test;
  if (pieces_contradict(&e->pieces, e->tests.items + transition.first_test, transition.test_count,
                        NULL, 0)) {
    e->tests.size = transition.first_test;
    return;
  }
  transition.first_after = e->tests.size;
  for (uint32_t i = 0; i < to_count; i++)
    if (to_tests[i].i && !to_tests[i].j)
      append_closed(e, &e->tests, &to_tests[i], 1, false);
  transition.after_count = e->tests.size - transition.first_after;
  vec_push(e->mem, &e->transitions, transition);
}

// Time may pass as long as no urgent synchronisation is enabled. The rest falls into convex
// pieces. A delay goes on in one of them, from a point of it or of another one at its lower end,
// up to its upper end. A longer delay is several.
static void add_delays(Enabled *e) {
  pieces_begin(&e->pieces);
  for (uint32_t i = 0; i < e->options.size; i++) {
    const ReceiverOption *option = &e->options.items[i];
    pieces_subtract(&e->pieces, e->option_tests.items + option->first, option->count, NULL, 0);
  }
  for (uint32_t from = 0; from < e->pieces.ends.size; from++)
    for (uint32_t to = 0; to < e->pieces.ends.size; to++)
      add_delay(e, from, to);
}

void enabled_find(Enabled *e, const JointPlace *place, const int32_t *state) {
  const Net *net = e->net;
  e->state = state;
  e->place = place;
  vec_clear(&e->transitions);
  vec_clear(&e->edges);
  vec_clear(&e->tests);
  vec_clear(&e->chosen);
  vec_clear(&e->chosen_tests);
  vec_clear(&e->drafts);
  vec_clear(&e->draft_tests);
  for (uint32_t w = 0; w < e->table->word_count; w++)
    for (uint64_t bits = place->candidates[w]; bits; bits &= bits - 1) {
      const uint32_t sync = w * 64 + (uint32_t)__builtin_ctzll(bits);
      if (net->syncs.items[sync].broadcast)
        broadcast(e, sync);
      else if (is_allowed(e, &e->table->syncs[sync]))
        unfold(e, sync, 0);
    }
  for (ProcessId p = 0; p < e->table->process_count; p++)
    add_async(e, p);
  if (net->priority.is_used)
    apply_priorities(e);
  if (e->table->urgent && state_may_delay(net, state) &&
      enabled_delay(e, place, state) == JOINT_SPLIT)
    add_delays(e);
}
