#include "check/transitions.h"

#include "check/meaning.h"

#include <string.h>

// The channel of an edge, or NULL.
static const Channel *channel_of(const Net *net, const Edge *edge) {
  for (uint32_t c = 0; c < net->channels.size; c++) {
    const Channel *channel = &net->channels.items[c];
    if (edge->event == channel->send || edge->event == channel->receive)
      return channel;
  }
  return NULL;
}

static bool is_shared(const Net *net, const Edge *edge) {
  if (channel_of(net, edge))
    return true;
  for (uint32_t s = 0; s < net->syncs.size; s++)
    if (net_is_of_sync(edge, &net->syncs.items[s]))
      return true;
  return false;
}

static bool keeps(const Transitions *transitions, ProcessId p) {
  return !transitions->left_out || !transitions->left_out[p];
}

static void list_edges(Transitions *transitions) {
  const Net *net = transitions->net;
  memset(transitions->first, 0, (net->locations.size + 1) * sizeof *transitions->first);
  // first[l + 1] counts the edges of l, then becomes where they begin, then where they end.
  for (uint32_t i = 0; i < net->edges.size; i++)
    transitions->first[net->edges.items[i].source + 1] +=
        keeps(transitions, net->edges.items[i].process);
  uint32_t begin = 0;
  for (LocationId l = 0; l < net->locations.size; l++) {
    const uint32_t count = transitions->first[l + 1];
    transitions->first[l + 1] = begin;
    begin += count;
  }
  for (uint32_t i = 0; i < net->edges.size; i++)
    if (keeps(transitions, net->edges.items[i].process))
      transitions->out[transitions->first[net->edges.items[i].source + 1]++] =
          &net->edges.items[i];
}

// Whether a process has an edge of this part from a committed location.
static bool may_commit(const Net *net, const SyncPart *part) {
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    if (net_is_of_part(edge, part) && net->locations.items[edge->source].committed)
      return true;
  }
  return false;
}

static Meeting meeting_of(const Transitions *transitions, const Sync *sync) {
  Meeting meeting = {.sync = sync, .parts = sync->parts.items, .is_whole = true};
  SyncPart *parts = NULL;
  for (uint32_t k = 0; k < sync->parts.size; k++)
    meeting.is_whole &= keeps(transitions, sync->parts.items[k].process);
  if (!meeting.is_whole)
    meeting.parts = parts = mem_alloc(transitions->mem, sync->parts.size * sizeof *parts);
  for (uint32_t k = 0; k < sync->parts.size; k++) {
    const SyncPart *part = &sync->parts.items[k];
    if (!keeps(transitions, part->process)) {
      meeting.lacks_sender |= sync->broadcast && !k;
      meeting.may_commit |= may_commit(transitions->net, part);
      continue;
    }
    if (parts)
      parts[meeting.count] = *part;
    meeting.count++;
  }
  return meeting;
}

static bool is_same_part(const SyncPart *a, const SyncPart *b) {
  return a->process == b->process && a->event == b->event && a->weak == b->weak;
}

// Whether another partner that is left out makes the same transitions possible.
static bool is_repeated(const Transitions *transitions, const Meeting *meeting) {
  for (uint32_t i = 0; i < transitions->meetings.size; i++) {
    const Meeting *other = &transitions->meetings.items[i];
    bool same = !other->is_whole && other->sync->channel == meeting->sync->channel &&
                other->sync->broadcast == meeting->sync->broadcast &&
                other->lacks_sender == meeting->lacks_sender &&
                other->may_commit == meeting->may_commit && other->count == meeting->count;
    for (uint32_t k = 0; same && k < meeting->count; k++)
      same = is_same_part(&other->parts[k], &meeting->parts[k]);
    if (same)
      return true;
  }
  return false;
}

static void list_meetings(Transitions *transitions) {
  const Net *net = transitions->net;
  vec_clear(&transitions->meetings);
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    const Meeting meeting = meeting_of(transitions, &net->syncs.items[s]);
    if (meeting.count && (meeting.is_whole || !is_repeated(transitions, &meeting)))
      vec_push(transitions->mem, &transitions->meetings, meeting);
  }
}

void transitions_init(Transitions *transitions, Mem *mem, const Net *net) {
  *transitions = (Transitions){.mem = mem, .net = net};
  transitions->out = mem_alloc(mem, net->edges.size * sizeof *transitions->out);
  transitions->first = mem_alloc(mem, (net->locations.size + 1) * sizeof *transitions->first);
  transitions->is_shared = mem_alloc(mem, net->edges.size * sizeof *transitions->is_shared);
  for (uint32_t i = 0; i < net->edges.size; i++)
    transitions->is_shared[i] = is_shared(net, &net->edges.items[i]);
  list_edges(transitions);
  list_meetings(transitions);
}

void transitions_leave_out(Transitions *transitions, const bool *left_out) {
  transitions->left_out = left_out;
  list_edges(transitions);
  list_meetings(transitions);
}

static const Location *location_of(const Net *net, const int32_t *state, ProcessId p) {
  return net_location(net, p, state[net->location_slot + p]);
}

bool transitions_can_delay(const Transitions *transitions, const int32_t *state) {
  const Net *net = transitions->net;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Location *location = location_of(net, state, p);
    if (keeps(transitions, p) && (location->committed || location->urgent))
      return false;
  }
  return true;
}

bool transitions_some_committed(const Transitions *transitions, const int32_t *state) {
  const Net *net = transitions->net;
  for (ProcessId p = 0; p < net->processes.size; p++)
    if (keeps(transitions, p) && location_of(net, state, p)->committed)
      return true;
  return false;
}

// The edges that start in the present location of a process: out[*from .. *to - 1].
static void out_edges(const Transitions *transitions, const int32_t *state, ProcessId p,
                      uint32_t *from, uint32_t *to) {
  const Location *location = location_of(transitions->net, state, p);
  const LocationId id = (LocationId)(location - transitions->net->locations.items);
  *from = transitions->first[id];
  *to = transitions->first[id + 1];
}

// Adds the chosen edges as one transition, if commitment allows it.
static void add(Transitions *transitions, const int32_t *state, bool committed) {
  bool allowed = !committed;
  for (uint32_t i = 0; i < transitions->chosen.size; i++)
    allowed |=
        location_of(transitions->net, state, transitions->chosen.items[i]->process)->committed;
  if (!allowed || !transitions->chosen.size)
    return;
  const TransitionEdges transition = {transitions->edges.size, transitions->chosen.size};
  for (uint32_t i = 0; i < transitions->chosen.size; i++)
    vec_push(transitions->mem, &transitions->edges, transitions->chosen.items[i]);
  vec_push(transitions->mem, &transitions->list, transition);
}

// The parts from `part` on, in every way. A weak part stays out only if it has no edge here.
static void unfold(Transitions *transitions, const int32_t *state, const Meeting *meeting,
                   uint32_t part, bool committed) {
  if (part == meeting->count) {
    add(transitions, state, committed && !meeting->may_commit);
    return;
  }
  const SyncPart *now = &meeting->parts[part];
  bool served = false;
  uint32_t i, end;
  for (out_edges(transitions, state, now->process, &i, &end); i < end; i++) {
    if (transitions->out[i]->event != now->event)
      continue;
    served = true;
    vec_push(transitions->mem, &transitions->chosen, transitions->out[i]);
    unfold(transitions, state, meeting, part + 1, committed);
    transitions->chosen.size--;
  }
  if (!served && now->weak)
    unfold(transitions, state, meeting, part + 1, committed);
}

void transitions_find(Transitions *transitions, const int32_t *state) {
  const Net *net = transitions->net;
  const bool committed = transitions_some_committed(transitions, state);
  vec_clear(&transitions->list);
  vec_clear(&transitions->edges);
  vec_clear(&transitions->chosen);
  for (uint32_t m = 0; m < transitions->meetings.size; m++)
    unfold(transitions, state, &transitions->meetings.items[m], 0, committed);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    uint32_t i, end;
    for (out_edges(transitions, state, p, &i, &end); i < end; i++) {
      if (transitions->is_shared[transitions->out[i] - net->edges.items])
        continue;
      vec_push(transitions->mem, &transitions->chosen, transitions->out[i]);
      add(transitions, state, committed);
      transitions->chosen.size--;
    }
  }
}

bool transitions_contain(const Transitions *transitions, const Edge *const *edges,
                         uint32_t count) {
  for (uint32_t m = 0; m < transitions->list.size; m++) {
    const TransitionEdges transition = transitions->list.items[m];
    bool same = transition.count == count;
    for (uint32_t i = 0; same && i < count; i++)
      same = transitions->edges.items[transition.first + i] == edges[i];
    if (same)
      return true;
  }
  return false;
}

// The guard of an edge at a point: 1 it holds, 0 not, -1 a run-time error.
static int guard_at(Transitions *transitions, Vm *vm, const TransitionPoint *at,
                    const Edge *edge) {
  vec_clear(&transitions->tests);
  const VmResult result =
      meaning_guard(vm, transitions->net, &edge->guard, at->state, &transitions->tests);
  if (result == VM_ERROR)
    return -1;
  if (result != VM_TRUE)
    return 0;
  for (uint32_t i = 0; i < transitions->tests.size; i++) {
    const ClockTest *test = &transitions->tests.items[i];
    const int64_t left = at->clocks[test->i] - at->clocks[test->j];
    const int64_t right = test->constant * at->denominator;
    if (test->strict ? left >= right : left > right)
      return 0;
  }
  return 1;
}

typedef struct Search { // of transitions_at
  Transitions *transitions;
  Vm *vm;
  const TransitionPoint *at;
  const Edge *const *step; // edges whose transition it is about; NULL: all
  uint32_t step_count;
  const Channel *channel;
  bool committed, fails;
} Search;

static bool is_of_step(const Search *s, const Edge *edge) {
  for (uint32_t i = 0; i < s->step_count; i++)
    if (s->step[i] == edge)
      return true;
  return !s->step;
}

// A guard fails, of an edge that would move with the chosen ones. With priorities it is not known
// then whether the transition is one that has to come first.
static void note_failure(Search *s, const Edge *first) {
  s->fails |= s->transitions->net->priority.is_used || is_of_step(s, first);
}

// Whether some process has a receiving edge for this sender in the state. Without one there is no
// transition, whatever its guard is.
static bool has_partner(const Search *s, const Edge *sender) {
  for (ProcessId p = 0; p < s->transitions->net->processes.size; p++) {
    uint32_t i, end;
    for (out_edges(s->transitions, s->at->state, p, &i, &end); i < end; i++)
      if (p != sender->process && s->transitions->out[i]->event == s->channel->receive)
        return true;
  }
  return false;
}

// The enabled receiving edges of process p and of those after it: of each process that has some,
// one takes part.
static void receive(Search *s, ProcessId p) {
  Transitions *transitions = s->transitions;
  if (p == transitions->net->processes.size) {
    add(transitions, s->at->state, s->committed);
    return;
  }
  uint32_t from, to;
  bool served = false;
  out_edges(transitions, s->at->state, p, &from, &to);
  for (uint32_t i = from; i < to && p != transitions->chosen.items[0]->process; i++) {
    if (transitions->out[i]->event != s->channel->receive)
      continue;
    const int holds = guard_at(transitions, s->vm, s->at, transitions->out[i]);
    if (holds < 0)
      note_failure(s, transitions->chosen.items[0]);
    if (holds <= 0)
      continue;
    served = true;
    vec_push(transitions->mem, &transitions->chosen, transitions->out[i]);
    receive(s, p + 1);
    transitions->chosen.size--;
  }
  if (!served)
    receive(s, p + 1);
}

// All that one enabled edge begins: alone, as the sender of a channel.
static void begin(Search *s, const Edge *edge) {
  Transitions *transitions = s->transitions;
  s->channel = channel_of(transitions->net, edge);
  if (s->channel && edge->event == s->channel->receive)
    return;
  if (s->channel && !s->channel->broadcast && !has_partner(s, edge))
    return;
  const int holds = guard_at(transitions, s->vm, s->at, edge);
  if (holds < 0)
    note_failure(s, edge);
  if (holds <= 0)
    return;
  vec_push(transitions->mem, &transitions->chosen, edge);
  if (!s->channel)
    add(transitions, s->at->state, s->committed);
  else if (s->channel->broadcast)
    receive(s, 0);
  for (ProcessId p = 0; p < transitions->net->processes.size && s->channel; p++) {
    uint32_t i, end;
    for (out_edges(transitions, s->at->state, p, &i, &end); i < end; i++) {
      if (s->channel->broadcast || p == edge->process ||
          transitions->out[i]->event != s->channel->receive)
        continue;
      const int meets = guard_at(transitions, s->vm, s->at, transitions->out[i]);
      if (meets < 0 && (transitions->net->priority.is_used ||
                        (is_of_step(s, edge) && is_of_step(s, transitions->out[i]))))
        s->fails = true;
      if (meets <= 0)
        continue;
      vec_push(transitions->mem, &transitions->chosen, transitions->out[i]);
      add(transitions, s->at->state, s->committed);
      transitions->chosen.size--;
    }
  }
  transitions->chosen.size--;
}

bool transitions_is_higher(const Transitions *transitions, const TransitionEdges *a,
                           const TransitionEdges *b) {
  int64_t channel[2], process[2];
  for (int k = 0; k < 2; k++) {
    const TransitionEdges *transition = k ? b : a;
    const Channel *c = channel_of(transitions->net, transitions->edges.items[transition->first]);
    channel[k] = c ? c->priority : transitions->net->priority.tau;
    process[k] = INT64_MIN;
    for (uint32_t i = 0; i < transition->count; i++) {
      const ProcessId p = transitions->edges.items[transition->first + i]->process;
      const int64_t own = transitions->net->processes.items[p].priority;
      process[k] = own > process[k] ? own : process[k];
    }
  }
  return channel[0] != channel[1] ? channel[0] > channel[1] : process[0] > process[1];
}

static void drop_lower(Transitions *transitions) {
  uint32_t kept = 0;
  bool *is_lower = mem_alloc(transitions->mem, transitions->list.size + 1);
  for (uint32_t a = 0; a < transitions->list.size; a++)
    for (uint32_t b = 0; b < transitions->list.size; b++)
      is_lower[a] |= transitions_is_higher(transitions, &transitions->list.items[b],
                                           &transitions->list.items[a]);
  for (uint32_t a = 0; a < transitions->list.size; a++)
    if (!is_lower[a])
      transitions->list.items[kept++] = transitions->list.items[a];
  transitions->list.size = kept;
  mem_free(transitions->mem, is_lower);
}

bool transitions_at(Transitions *transitions, Vm *vm, const TransitionPoint *at,
                    const Edge *const *step, uint32_t step_count) {
  const Net *net = transitions->net;
  Search s = {
      .transitions = transitions, .vm = vm, .at = at, .step = step, .step_count = step_count};
  s.committed = transitions_some_committed(transitions, at->state);
  vec_clear(&transitions->list);
  vec_clear(&transitions->edges);
  vec_clear(&transitions->chosen);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    uint32_t i, end;
    for (out_edges(transitions, at->state, p, &i, &end); i < end; i++)
      if (channel_of(net, transitions->out[i]) ||
          !transitions->is_shared[transitions->out[i] - net->edges.items])
        begin(&s, transitions->out[i]);
  }
  if (net->priority.is_used)
    drop_lower(transitions);
  return !s.fails;
}

// Cuts the interval of delays, in which the tests hold; `low` and `high` are numerators.
typedef struct Interval {
  int64_t low, high;
  bool low_open, high_open;
} Interval;

static void cut(Interval *interval, const TransitionPoint *at, const ClockTest *test) {
  const int64_t bound =
      test->constant * at->denominator - (at->clocks[test->i] - at->clocks[test->j]);
  if (test->i && test->j) { // a delay does not change it
    if (test->strict ? bound <= 0 : bound < 0)
      interval->high = -1;
  } else if (test->i) { // x + d <= c
    if (bound < interval->high || (bound == interval->high && test->strict)) {
      interval->high = bound;
      interval->high_open = test->strict;
    }
  } else if (-bound > interval->low || (-bound == interval->low && test->strict)) {
    interval->low = -bound;
    interval->low_open = test->strict;
  }
}

// Whether the guards of both edges (the second may be NULL) hold at a delay from 0 up to, but not
// including, `delay`; with delay 0, now.
static bool is_enabled_soon(Transitions *transitions, Vm *vm, const TransitionPoint *at,
                            const Edge *const edges[2], int64_t delay) {
  Interval interval = {.high = delay, .high_open = delay > 0};
  for (uint32_t k = 0; k < 2 && edges[k]; k++) {
    vec_clear(&transitions->tests);
    if (meaning_guard(vm, transitions->net, &edges[k]->guard, at->state, &transitions->tests) !=
        VM_TRUE)
      return false;
    for (uint32_t i = 0; i < transitions->tests.size; i++)
      cut(&interval, at, &transitions->tests.items[i]);
  }
  return interval.low < interval.high ||
         (interval.low == interval.high && !interval.low_open && !interval.high_open);
}

bool transitions_urgent(Transitions *transitions, Vm *vm, const TransitionPoint *at,
                        int64_t delay) {
  const Net *net = transitions->net;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    uint32_t i, end;
    for (out_edges(transitions, at->state, p, &i, &end); i < end; i++) {
      const Edge *sender = transitions->out[i];
      const Channel *channel = channel_of(net, sender);
      if (!channel || !channel->urgent || sender->event != channel->send)
        continue;
      if (channel->broadcast &&
          is_enabled_soon(transitions, vm, at, (const Edge *const[]){sender, NULL}, delay))
        return true;
      for (ProcessId q = 0; q < net->processes.size && !channel->broadcast; q++) {
        uint32_t k, last;
        for (out_edges(transitions, at->state, q, &k, &last); k < last && q != p; k++)
          if (transitions->out[k]->event == channel->receive &&
              is_enabled_soon(transitions, vm, at,
                              (const Edge *const[]){sender, transitions->out[k]}, delay))
            return true;
      }
    }
  }
  return false;
}
