#include "check/moves.h"

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
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    const Sync *sync = &net->syncs.items[s];
    for (uint32_t i = 0; i < sync->parts.size; i++)
      if (sync->parts.items[i].process == edge->process &&
          sync->parts.items[i].event == edge->event)
        return true;
  }
  return false;
}

void moves_init(Moves *moves, Mem *mem, const Net *net) {
  *moves = (Moves){.mem = mem, .net = net};
  moves->out = mem_alloc(mem, net->edges.size * sizeof *moves->out);
  moves->first = mem_alloc(mem, (net->locations.size + 1) * sizeof *moves->first);
  moves->is_shared = mem_alloc(mem, net->edges.size * sizeof *moves->is_shared);
  // first[l + 1] counts the edges of l, then becomes where they begin, then where they end.
  for (uint32_t i = 0; i < net->edges.size; i++)
    moves->first[net->edges.items[i].source + 1]++;
  uint32_t begin = 0;
  for (LocationId l = 0; l < net->locations.size; l++) {
    const uint32_t count = moves->first[l + 1];
    moves->first[l + 1] = begin;
    begin += count;
  }
  for (uint32_t i = 0; i < net->edges.size; i++)
    moves->out[moves->first[net->edges.items[i].source + 1]++] = &net->edges.items[i];
  for (uint32_t i = 0; i < net->edges.size; i++)
    moves->is_shared[i] = is_shared(net, &net->edges.items[i]);
}

void moves_release(Moves *moves) {
  mem_free(moves->mem, moves->out);
  mem_free(moves->mem, moves->first);
  mem_free(moves->mem, moves->is_shared);
  vec_release(moves->mem, &moves->list);
  vec_release(moves->mem, &moves->edges);
  vec_release(moves->mem, &moves->chosen);
  vec_release(moves->mem, &moves->tests);
}

static const Location *location_of(const Net *net, const int32_t *state, ProcessId p) {
  return net_location(net, p, state[net->location_slot + p]);
}

bool moves_can_delay(const Net *net, const int32_t *state) {
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Location *location = location_of(net, state, p);
    if (location->committed || location->urgent)
      return false;
  }
  return true;
}

static bool some_committed(const Net *net, const int32_t *state) {
  for (ProcessId p = 0; p < net->processes.size; p++)
    if (location_of(net, state, p)->committed)
      return true;
  return false;
}

// The edges that start in the present location of a process: out[*from .. *to - 1].
static void out_edges(const Moves *moves, const int32_t *state, ProcessId p, uint32_t *from,
                      uint32_t *to) {
  const Location *location = location_of(moves->net, state, p);
  const LocationId id = (LocationId)(location - moves->net->locations.items);
  *from = moves->first[id];
  *to = moves->first[id + 1];
}

// Adds the chosen edges as one move, if commitment allows it.
static void add(Moves *moves, const int32_t *state, bool committed) {
  bool allowed = !committed;
  for (uint32_t i = 0; i < moves->chosen.size; i++)
    allowed |= location_of(moves->net, state, moves->chosen.items[i]->process)->committed;
  if (!allowed || !moves->chosen.size)
    return;
  const MoveEdges move = {moves->edges.size, moves->chosen.size};
  for (uint32_t i = 0; i < moves->chosen.size; i++)
    vec_push(moves->mem, &moves->edges, moves->chosen.items[i]);
  vec_push(moves->mem, &moves->list, move);
}

// The parts from `part` on, in every way. A weak part stays out only if it has no edge here.
static void unfold(Moves *moves, const int32_t *state, const Sync *sync, uint32_t part,
                   bool committed) {
  if (part == sync->parts.size) {
    add(moves, state, committed);
    return;
  }
  const SyncPart *now = &sync->parts.items[part];
  bool served = false;
  uint32_t i, end;
  for (out_edges(moves, state, now->process, &i, &end); i < end; i++) {
    if (moves->out[i]->event != now->event)
      continue;
    served = true;
    vec_push(moves->mem, &moves->chosen, moves->out[i]);
    unfold(moves, state, sync, part + 1, committed);
    moves->chosen.size--;
  }
  if (!served && now->weak)
    unfold(moves, state, sync, part + 1, committed);
}

void moves_find(Moves *moves, const int32_t *state) {
  const Net *net = moves->net;
  const bool committed = some_committed(net, state);
  vec_clear(&moves->list);
  vec_clear(&moves->edges);
  vec_clear(&moves->chosen);
  for (uint32_t s = 0; s < net->syncs.size; s++)
    unfold(moves, state, &net->syncs.items[s], 0, committed);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    uint32_t i, end;
    for (out_edges(moves, state, p, &i, &end); i < end; i++) {
      if (moves->is_shared[moves->out[i] - net->edges.items])
        continue;
      vec_push(moves->mem, &moves->chosen, moves->out[i]);
      add(moves, state, committed);
      moves->chosen.size--;
    }
  }
}

bool moves_contain(const Moves *moves, const Edge *const *edges, uint32_t count) {
  for (uint32_t m = 0; m < moves->list.size; m++) {
    const MoveEdges move = moves->list.items[m];
    bool same = move.count == count;
    for (uint32_t i = 0; same && i < count; i++)
      same = moves->edges.items[move.first + i] == edges[i];
    if (same)
      return true;
  }
  return false;
}

// The guard of an edge at a point: 1 it holds, 0 not, -1 a run-time error.
static int guard_at(Moves *moves, Vm *vm, const MovePoint *at, const Edge *edge) {
  vec_clear(&moves->tests);
  const VmResult result = vm_guard(vm, &edge->guard, at->state, &moves->tests);
  if (result == VM_ERROR || (result == VM_INVALID && moves->net->invalid_is_error))
    return -1;
  if (result != VM_TRUE)
    return 0;
  for (uint32_t i = 0; i < moves->tests.size; i++) {
    const ClockTest *test = &moves->tests.items[i];
    const int64_t left = at->clocks[test->i] - at->clocks[test->j];
    const int64_t right = test->constant * at->denominator;
    if (test->strict ? left >= right : left > right)
      return 0;
  }
  return 1;
}

typedef struct Search { // of moves_at
  Moves *moves;
  Vm *vm;
  const MovePoint *at;
  const Channel *channel;
  bool committed, fails;
} Search;

// The enabled receiving edges of process p and of those after it: of each process that has some,
// one takes part.
static void receive(Search *s, ProcessId p) {
  Moves *moves = s->moves;
  if (p == moves->net->processes.size) {
    add(moves, s->at->state, s->committed);
    return;
  }
  uint32_t from, to;
  bool served = false;
  out_edges(moves, s->at->state, p, &from, &to);
  for (uint32_t i = from; i < to && p != moves->chosen.items[0]->process; i++) {
    if (moves->out[i]->event != s->channel->receive)
      continue;
    const int holds = guard_at(moves, s->vm, s->at, moves->out[i]);
    s->fails |= holds < 0;
    if (holds <= 0)
      continue;
    served = true;
    vec_push(moves->mem, &moves->chosen, moves->out[i]);
    receive(s, p + 1);
    moves->chosen.size--;
  }
  if (!served)
    receive(s, p + 1);
}

// All that one enabled edge begins: alone, as the sender of a channel.
static void begin(Search *s, const Edge *edge) {
  Moves *moves = s->moves;
  s->channel = channel_of(moves->net, edge);
  if (s->channel && edge->event == s->channel->receive)
    return;
  const int holds = guard_at(moves, s->vm, s->at, edge);
  s->fails |= holds < 0;
  if (holds <= 0)
    return;
  vec_push(moves->mem, &moves->chosen, edge);
  if (!s->channel)
    add(moves, s->at->state, s->committed);
  else if (s->channel->broadcast)
    receive(s, 0);
  for (ProcessId p = 0; p < moves->net->processes.size && s->channel; p++) {
    uint32_t i, end;
    for (out_edges(moves, s->at->state, p, &i, &end); i < end; i++) {
      if (s->channel->broadcast || p == edge->process ||
          moves->out[i]->event != s->channel->receive)
        continue;
      const int meets = guard_at(moves, s->vm, s->at, moves->out[i]);
      s->fails |= meets < 0;
      if (meets <= 0)
        continue;
      vec_push(moves->mem, &moves->chosen, moves->out[i]);
      add(moves, s->at->state, s->committed);
      moves->chosen.size--;
    }
  }
  moves->chosen.size--;
}

bool moves_is_higher(const Moves *moves, const MoveEdges *a, const MoveEdges *b) {
  int64_t channel[2], process[2];
  for (int k = 0; k < 2; k++) {
    const MoveEdges *move = k ? b : a;
    const Channel *c = channel_of(moves->net, moves->edges.items[move->first]);
    channel[k] = c ? c->priority : moves->net->priority.tau;
    process[k] = INT64_MIN;
    for (uint32_t i = 0; i < move->count; i++) {
      const ProcessId p = moves->edges.items[move->first + i]->process;
      const int64_t own = moves->net->processes.items[p].priority;
      process[k] = own > process[k] ? own : process[k];
    }
  }
  return channel[0] != channel[1] ? channel[0] > channel[1] : process[0] > process[1];
}

static void drop_lower(Moves *moves) {
  uint32_t kept = 0;
  bool *is_lower = mem_alloc(moves->mem, moves->list.size + 1);
  for (uint32_t a = 0; a < moves->list.size; a++)
    for (uint32_t b = 0; b < moves->list.size; b++)
      is_lower[a] |= moves_is_higher(moves, &moves->list.items[b], &moves->list.items[a]);
  for (uint32_t a = 0; a < moves->list.size; a++)
    if (!is_lower[a])
      moves->list.items[kept++] = moves->list.items[a];
  moves->list.size = kept;
  mem_free(moves->mem, is_lower);
}

bool moves_at(Moves *moves, Vm *vm, const MovePoint *at) {
  const Net *net = moves->net;
  Search s = {.moves = moves, .vm = vm, .at = at};
  s.committed = some_committed(net, at->state);
  vec_clear(&moves->list);
  vec_clear(&moves->edges);
  vec_clear(&moves->chosen);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    uint32_t i, end;
    for (out_edges(moves, at->state, p, &i, &end); i < end; i++)
      if (channel_of(net, moves->out[i]) || !moves->is_shared[moves->out[i] - net->edges.items])
        begin(&s, moves->out[i]);
  }
  if (net->priority.is_used)
    drop_lower(moves);
  return !s.fails;
}

// Cuts the interval of delays, in which the tests hold; `low` and `high` are numerators.
typedef struct Interval {
  int64_t low, high;
  bool low_open, high_open;
} Interval;

static void cut(Interval *interval, const MovePoint *at, const ClockTest *test) {
  const int64_t room =
      test->constant * at->denominator - (at->clocks[test->i] - at->clocks[test->j]);
  if (test->i && test->j) { // a delay does not change it
    if (test->strict ? room <= 0 : room < 0)
      interval->high = -1;
  } else if (test->i) { // x + d <= c
    if (room < interval->high || (room == interval->high && test->strict)) {
      interval->high = room;
      interval->high_open = test->strict;
    }
  } else if (-room > interval->low || (-room == interval->low && test->strict)) {
    interval->low = -room;
    interval->low_open = test->strict;
  }
}

// Whether the guards of both edges (the second may be NULL) hold at a delay from 0 up to, but not
// including, `delay`; with delay 0, now.
static bool is_enabled_soon(Moves *moves, Vm *vm, const MovePoint *at, const Edge *const edges[2],
                            int64_t delay) {
  Interval interval = {.high = delay, .high_open = delay > 0};
  for (uint32_t k = 0; k < 2 && edges[k]; k++) {
    vec_clear(&moves->tests);
    if (vm_guard(vm, &edges[k]->guard, at->state, &moves->tests) != VM_TRUE)
      return false;
    for (uint32_t i = 0; i < moves->tests.size; i++)
      cut(&interval, at, &moves->tests.items[i]);
  }
  return interval.low < interval.high ||
         (interval.low == interval.high && !interval.low_open && !interval.high_open);
}

bool moves_urgent(Moves *moves, Vm *vm, const MovePoint *at, int64_t delay) {
  const Net *net = moves->net;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    uint32_t i, end;
    for (out_edges(moves, at->state, p, &i, &end); i < end; i++) {
      const Edge *sender = moves->out[i];
      const Channel *channel = channel_of(net, sender);
      if (!channel || !channel->urgent || sender->event != channel->send)
        continue;
      if (channel->broadcast &&
          is_enabled_soon(moves, vm, at, (const Edge *const[]){sender, NULL}, delay))
        return true;
      for (ProcessId q = 0; q < net->processes.size && !channel->broadcast; q++) {
        uint32_t k, last;
        for (out_edges(moves, at->state, q, &k, &last); k < last && q != p; k++)
          if (moves->out[k]->event == channel->receive &&
              is_enabled_soon(moves, vm, at, (const Edge *const[]){sender, moves->out[k]}, delay))
            return true;
      }
    }
  }
  return false;
}
