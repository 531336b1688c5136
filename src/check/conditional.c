#include "check/conditional.h"

#include "check/meaning.h"

void conditional_init(ConditionalTransitions *b, Mem *mem, Transitions *transitions, Vm *vm) {
  *b = (ConditionalTransitions){.mem = mem, .transitions = transitions, .vm = vm};
}

static void append(ConditionalTransitions *b, ClockTests *to, const ClockTest *tests,
                   uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    vec_push(b->mem, to, tests[i]);
}

// The row of a clock in the matrix, which gets one if it has none.
static uint32_t row_of(ConditionalTransitions *b, ClockIndex clock) {
  for (uint32_t i = 0; i < b->clocks.size; i++)
    if (b->clocks.items[i] == clock)
      return i;
  vec_push(b->mem, &b->clocks, clock);
  return b->clocks.size - 1;
}

#define FAR (INT64_C(1) << 60) // no test

// Whether some valuation meets all tests: shortest ways between the clocks that occur, twice the
// constant and one more if not strict.
//
// Nothing overflows, and no way is as long as FAR. Constants are at most NET_MAX_CONSTANT = 2^26,
// so an entry is below 2^28. As long as no cycle is negative, a shortest way has at most
// NET_MAX_CLOCKS = 2^14 tests, so it is below 2^42. Where constants are large they are at most
// 2^48, of at most 1,000 clocks (CERTIFY_WIDE_CLOCKS), so a way is below 2^60. The first negative
// cycle ends the search, for ways around it would grow with each clock.
static bool are_possible(ConditionalTransitions *b, const ClockTest *tests, uint32_t count) {
  vec_clear(&b->clocks);
  row_of(b, 0);
  for (uint32_t t = 0; t < count; t++) {
    row_of(b, tests[t].i);
    row_of(b, tests[t].j);
  }
  const uint32_t k = b->clocks.size;
  vec_reserve(b->mem, &b->matrix, k * k);
  int64_t *m = b->matrix.items;
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++)
      m[i * k + j] = i == j || !i ? 1 : FAR;
  for (uint32_t t = 0; t < count; t++) {
    int64_t *entry = &m[row_of(b, tests[t].i) * k + row_of(b, tests[t].j)];
    const int64_t bound = 2 * (int64_t)tests[t].constant + !tests[t].strict;
    *entry = bound < *entry ? bound : *entry;
  }
  for (uint32_t via = 0; via < k; via++)
    for (uint32_t i = 0; i < k; i++) {
      for (uint32_t j = 0; j < k; j++) {
        const int64_t a = m[i * k + via], c = m[via * k + j];
        const int64_t way = a >= FAR || c >= FAR ? FAR : (a & ~1) + (c & ~1) + (a & c & 1);
        m[i * k + j] = way < m[i * k + j] ? way : m[i * k + j];
      }
      if (m[i * k + i] < 1)
        return false;
    }
  return true;
}

// Makes the parts of `now` that meet none of the conjunctions from `next` on. The first
// `context` tests of `now` are no part of them.
static void leave_out(ConditionalTransitions *b, uint32_t next, uint32_t context) {
  if (next == b->conjunctions.size) {
    const uint32_t count = b->now.size - context;
    vec_push(b->mem, &b->parts, ((Conjunction){b->part_tests.size, count}));
    append(b, &b->part_tests, b->now.items + context, count);
    return;
  }
  const Conjunction c = b->conjunctions.items[next];
  const uint32_t size = b->now.size;
  // The context does not decide whether the conjunction meets the part.
  append(b, &b->now, b->conjunction_tests.items + c.first, c.count);
  const bool meets = are_possible(b, b->now.items + context, b->now.size - context);
  b->now.size = size;
  if (!meets)
    leave_out(b, next + 1, context);
  for (uint32_t t = 0; t < c.count && meets; t++) {
    const ClockTest test = b->conjunction_tests.items[c.first + t];
    const ClockTest negated = {test.j, test.i, -test.constant, !test.strict};
    append(b, &b->now, b->conjunction_tests.items + c.first, t);
    vec_push(b->mem, &b->now, negated);
    if (are_possible(b, b->now.items, b->now.size))
      leave_out(b, next + 1, context);
    b->now.size = size;
  }
}

static void begin_conjunctions(ConditionalTransitions *b) {
  vec_clear(&b->conjunctions);
  vec_clear(&b->conjunction_tests);
  vec_clear(&b->now);
}

static const Location *location_of(const ConditionalTransitions *b, ProcessId p) {
  return net_location(b->transitions->net, p, b->state[b->transitions->net->location_slot + p]);
}

static void out_edges(const ConditionalTransitions *b, ProcessId p, uint32_t *from,
                      uint32_t *to) {
  const LocationId id = (LocationId)(location_of(b, p) - b->transitions->net->locations.items);
  *from = b->transitions->first[id];
  *to = b->transitions->first[id + 1];
}

// Adds the chosen edges with these tests, if commitment allows it.
static void add(ConditionalTransitions *b, const ClockTest *tests, uint32_t count) {
  Transitions *transitions = b->transitions;
  bool allowed = !b->committed;
  for (uint32_t i = 0; i < transitions->chosen.size; i++)
    allowed |= location_of(b, transitions->chosen.items[i]->process)->committed;
  if (!allowed)
    return;
  const TransitionEdges transition = {transitions->edges.size, transitions->chosen.size};
  for (uint32_t i = 0; i < transitions->chosen.size; i++)
    vec_push(b->mem, &transitions->edges, transitions->chosen.items[i]);
  vec_push(b->mem, &transitions->list, transition);
  vec_push(b->mem, &b->list, ((ConditionalTransition){.first = b->tests.size, .count = count}));
  append(b, &b->tests, tests, count);
}

typedef struct Sending {
  ConditionalTransitions *b;
  const Channel *channel;
  ProcessId sender;  // NET_NONE: it is left out
  ClockTests absent; // tests of those who stay out
  ClockTests known;  // these and the guards
} Sending;

// The parts in which process p stays out, as a list of its own.
typedef struct Absence {
  ClockTests tests;
  VEC(Conjunction) parts;
} Absence;

static Absence find_absence(Sending *s, ProcessId p, bool *has_edges) {
  ConditionalTransitions *b = s->b;
  uint32_t from, to;
  begin_conjunctions(b);
  *has_edges = false;
  out_edges(b, p, &from, &to);
  for (uint32_t i = from; i < to; i++) {
    const Edge *edge = b->transitions->out[i];
    if (edge->event != s->channel->receive)
      continue;
    const uint32_t first = b->conjunction_tests.size;
    const VmResult result =
        meaning_guard(b->vm, b->transitions->net, &edge->guard, b->state, &b->conjunction_tests);
    if (result != VM_TRUE && result != VM_ERROR)
      continue;
    *has_edges = true;
    vec_push(b->mem, &b->conjunctions, ((Conjunction){first, b->conjunction_tests.size - first}));
  }
  Absence absence = {0};
  vec_clear(&b->parts);
  vec_clear(&b->part_tests);
  leave_out(b, 0, 0);
  append(b, &absence.tests, b->part_tests.items, b->part_tests.size);
  for (uint32_t i = 0; i < b->parts.size; i++)
    vec_push(b->mem, &absence.parts, b->parts.items[i]);
  return absence;
}

static void receive(Sending *s, ProcessId p);

static void go_on(Sending *s, ProcessId p, uint32_t known, uint32_t absent) {
  if (are_possible(s->b, s->known.items, s->known.size))
    receive(s, p + 1);
  s->known.size = known;
  s->absent.size = absent;
}

// Processes from p on: each takes part with one of its enabled edges, or stays out where none is.
static void receive(Sending *s, ProcessId p) {
  ConditionalTransitions *b = s->b;
  Transitions *transitions = b->transitions;
  if (p == transitions->net->processes.size) {
    if (transitions->chosen.size)
      add(b, s->absent.items, s->absent.size);
    return;
  }
  const uint32_t known = s->known.size, absent = s->absent.size;
  bool has_edges = false;
  if (p == s->sender) {
    receive(s, p + 1);
    return;
  }
  Absence absence = find_absence(s, p, &has_edges);
  uint32_t from, to;
  out_edges(b, p, &from, &to);
  for (uint32_t i = from; i < to && has_edges; i++) {
    const Edge *edge = transitions->out[i];
    if (edge->event != s->channel->receive)
      continue;
    const VmResult result =
        meaning_guard(b->vm, b->transitions->net, &edge->guard, b->state, &s->known);
    if (result == VM_TRUE || result == VM_ERROR) {
      vec_push(b->mem, &transitions->chosen, edge);
      go_on(s, p, known, absent);
      transitions->chosen.size--;
    }
    s->known.size = known;
  }
  for (uint32_t i = 0; i < absence.parts.size; i++) {
    const Conjunction part = absence.parts.items[i];
    append(b, &s->absent, absence.tests.items + part.first, part.count);
    append(b, &s->known, absence.tests.items + part.first, part.count);
    go_on(s, p, known, absent);
  }
  vec_release(b->mem, &absence.tests);
  vec_release(b->mem, &absence.parts);
}

// The parts of a binary synchronisation from `part` on, in every way.
static void pair(ConditionalTransitions *b, const Meeting *meeting, uint32_t part) {
  Transitions *transitions = b->transitions;
  if (part == meeting->count) {
    add(b, NULL, 0);
    return;
  }
  uint32_t i, end;
  for (out_edges(b, meeting->parts[part].process, &i, &end); i < end; i++)
    if (transitions->out[i]->event == meeting->parts[part].event) {
      vec_push(b->mem, &transitions->chosen, transitions->out[i]);
      pair(b, meeting, part + 1);
      transitions->chosen.size--;
    }
}

static void broadcast_from(ConditionalTransitions *b, const Meeting *meeting, ProcessId sender) {
  const Net *net = b->transitions->net;
  Sending sending = {
      .b = b, .channel = &net->channels.items[meeting->sync->channel - 1], .sender = sender};
  receive(&sending, 0);
  vec_release(b->mem, &sending.absent);
  vec_release(b->mem, &sending.known);
}

static void broadcast(ConditionalTransitions *b, const Meeting *meeting) {
  Transitions *transitions = b->transitions;
  uint32_t i, end;
  if (meeting->lacks_sender) {
    broadcast_from(b, meeting, NET_NONE);
    return;
  }
  for (out_edges(b, meeting->parts[0].process, &i, &end); i < end; i++) {
    if (transitions->out[i]->event != meeting->parts[0].event)
      continue;
    vec_push(b->mem, &transitions->chosen, transitions->out[i]);
    broadcast_from(b, meeting, meeting->parts[0].process);
    transitions->chosen.size--;
  }
}

static void alone(ConditionalTransitions *b, ProcessId p) {
  Transitions *transitions = b->transitions;
  uint32_t i, end;
  for (out_edges(b, p, &i, &end); i < end; i++) {
    if (transitions->is_shared[transitions->out[i] - transitions->net->edges.items])
      continue;
    vec_push(b->mem, &transitions->chosen, transitions->out[i]);
    add(b, NULL, 0);
    transitions->chosen.size--;
  }
}

// The guards and other tests of a branch, in `conjunction_tests`: 1, or 0 if integers forbid it,
// or -1 on a run-time error.
static int add_guards(ConditionalTransitions *b, uint32_t index) {
  const TransitionEdges transition = b->transitions->list.items[index];
  for (uint32_t i = 0; i < transition.count; i++) {
    const Guard *guard = &b->transitions->edges.items[transition.first + i]->guard;
    const VmResult result =
        meaning_guard(b->vm, b->transitions->net, guard, b->state, &b->conjunction_tests);
    if (result != VM_TRUE)
      return result == VM_ERROR ? -1 : 0;
  }
  const ConditionalTransition *branch = &b->list.items[index];
  append(b, &b->conjunction_tests, b->tests.items + branch->first, branch->count);
  return 1;
}

// Adds what is known of every point of the state to the context: a part that the invariants
// exclude is left out (model/enabled.c does so, too).
static void add_invariants(ConditionalTransitions *b) {
  const Net *net = b->transitions->net;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Guard *invariant = &net->locations.items[net_location_at(net, p, b->state)].invariant;
    const uint32_t size = b->now.size;
    if (meaning_guard(b->vm, net, invariant, b->state, &b->now) != VM_TRUE)
      b->now.size = size;
  }
}

// The parts of each branch where nothing of higher priority is enabled.
static void apply_priorities(ConditionalTransitions *b) {
  Transitions *transitions = b->transitions;
  const uint32_t count = transitions->list.size;
  for (uint32_t own = 0; own < count; own++) {
    begin_conjunctions(b);
    if (add_guards(b, own) == 0)
      continue;
    append(b, &b->now, b->conjunction_tests.items, b->conjunction_tests.size);
    add_invariants(b);
    const uint32_t context = b->now.size;
    vec_clear(&b->conjunction_tests);
    for (uint32_t other = 0; other < count; other++) {
      const uint32_t first = b->conjunction_tests.size;
      if (!transitions_is_higher(transitions, &transitions->list.items[other],
                                 &transitions->list.items[own]))
        continue;
      if (add_guards(b, other) == 1)
        vec_push(b->mem, &b->conjunctions,
                 ((Conjunction){first, b->conjunction_tests.size - first}));
      else
        b->conjunction_tests.size = first;
    }
    vec_clear(&b->parts);
    vec_clear(&b->part_tests);
    leave_out(b, 0, context);
    for (uint32_t p = 0; p < b->parts.size; p++) {
      const Conjunction part = b->parts.items[p];
      const ConditionalTransition *old = &b->list.items[own];
      ConditionalTransition branch = {.first = b->tests.size, .count = old->count + part.count};
      for (uint32_t t = 0; t < old->count; t++) {
        const ClockTest test = b->tests.items[old->first + t];
        vec_push(b->mem, &b->tests, test);
      }
      append(b, &b->tests, b->part_tests.items + part.first, part.count);
      const TransitionEdges transition = transitions->list.items[own];
      vec_push(b->mem, &b->list, branch);
      vec_push(b->mem, &transitions->list, transition);
    }
  }
  const uint32_t kept = transitions->list.size - count;
  for (uint32_t i = 0; i < kept; i++) {
    transitions->list.items[i] = transitions->list.items[count + i];
    b->list.items[i] = b->list.items[count + i];
  }
  transitions->list.size = b->list.size = kept;
}

// Time passes from a point of one part into another part, or on in the same: up to its end.
static void add_delay(ConditionalTransitions *b, Conjunction from, Conjunction to) {
  ConditionalTransition branch = {.first = b->tests.size};
  append(b, &b->tests, b->part_tests.items + from.first, from.count);
  for (uint32_t t = 0; t < to.count; t++) {
    ClockTest test = b->part_tests.items[to.first + t];
    if (from.first == to.first)
      break;
    test.strict &= test.i != 0; // x > c will hold soon if x >= c does
    vec_push(b->mem, &b->tests, test);
  }
  branch.count = b->tests.size - branch.first;
  branch.first_after = b->tests.size;
  for (uint32_t t = 0; t < to.count; t++) {
    ClockTest test = b->part_tests.items[to.first + t];
    test.strict &= test.j != 0; // x < c held until x <= c
    if (test.i && !test.j)
      vec_push(b->mem, &b->tests, test);
  }
  branch.after_count = b->tests.size - branch.first_after;
  if (!are_possible(b, b->tests.items + branch.first, branch.count))
    return;
  vec_push(b->mem, &b->list, branch);
  vec_push(b->mem, &b->transitions->list, ((TransitionEdges){b->transitions->edges.size, 0}));
}

// Adds the guards of an urgent synchronisation to the conjunctions.
static void add_urgent(ConditionalTransitions *b, const Edge *sender, const Edge *receiver) {
  const uint32_t first = b->conjunction_tests.size;
  if (meaning_guard(b->vm, b->transitions->net, &sender->guard, b->state,
                    &b->conjunction_tests) == VM_TRUE &&
      (!receiver || meaning_guard(b->vm, b->transitions->net, &receiver->guard, b->state,
                                  &b->conjunction_tests) == VM_TRUE)) {
    vec_push(b->mem, &b->conjunctions, ((Conjunction){first, b->conjunction_tests.size - first}));
    b->can_delay &= b->conjunction_tests.size > first;
  } else {
    b->conjunction_tests.size = first;
  }
}

static void find_urgent(ConditionalTransitions *b) {
  const Transitions *transitions = b->transitions;
  const Net *net = transitions->net;
  begin_conjunctions(b);
  for (uint32_t m = 0; m < transitions->meetings.size; m++) {
    const Meeting *meeting = &transitions->meetings.items[m];
    const Sync *sync = meeting->sync;
    if (!sync->channel || !net->channels.items[sync->channel - 1].urgent)
      continue;
    uint32_t from, to; // those that are left out have no edges: they do not make it urgent
    out_edges(b, sync->parts.items[0].process, &from, &to);
    for (uint32_t i = from; i < to; i++) {
      if (transitions->out[i]->event != sync->parts.items[0].event)
        continue;
      if (sync->broadcast)
        add_urgent(b, transitions->out[i], NULL);
      uint32_t k = 0, end = 0;
      if (!sync->broadcast)
        out_edges(b, sync->parts.items[1].process, &k, &end);
      for (; k < end; k++)
        if (transitions->out[k]->event == sync->parts.items[1].event)
          add_urgent(b, transitions->out[i], transitions->out[k]);
    }
  }
}

static void find_delays(ConditionalTransitions *b) {
  b->can_delay = transitions_can_delay(b->transitions, b->state);
  if (!b->can_delay)
    return;
  find_urgent(b);
  if (!b->can_delay || !b->conjunctions.size)
    return;
  b->can_delay = false;
  vec_clear(&b->parts);
  vec_clear(&b->part_tests);
  leave_out(b, 0, 0);
  for (uint32_t from = 0; from < b->parts.size; from++)
    for (uint32_t to = 0; to < b->parts.size; to++)
      add_delay(b, b->parts.items[from], b->parts.items[to]);
}

void conditional_find(ConditionalTransitions *b, const int32_t *state) {
  Transitions *transitions = b->transitions;
  b->state = state;
  const bool committed = transitions_some_committed(transitions, state);
  vec_clear(&b->list);
  vec_clear(&b->tests);
  vec_clear(&transitions->list);
  vec_clear(&transitions->edges);
  vec_clear(&transitions->chosen);
  for (uint32_t m = 0; m < transitions->meetings.size; m++) {
    const Meeting *meeting = &transitions->meetings.items[m];
    b->committed = committed && !meeting->may_commit;
    if (meeting->sync->broadcast)
      broadcast(b, meeting);
    else
      pair(b, meeting, 0);
  }
  b->committed = committed;
  for (ProcessId p = 0; p < transitions->net->processes.size; p++)
    alone(b, p);
  if (transitions->net->priority.is_used)
    apply_priorities(b);
  find_delays(b);
}
