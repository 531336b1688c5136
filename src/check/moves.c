#include "check/moves.h"

static bool is_shared(const Net *net, const Edge *edge) {
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
  uint32_t count = 0;
  for (LocationId l = 0; l < net->locations.size; l++) {
    moves->first[l] = count;
    for (uint32_t i = 0; i < net->edges.size; i++)
      if (net->edges.items[i].source == l)
        moves->out[count++] = &net->edges.items[i];
  }
  moves->first[net->locations.size] = count;
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
