#include "model/counters.h"

#include "model/access.h"

enum { MAX_WORK = 10000000 }; // edges looked at: then the rest keeps its declared range

typedef struct Counters {
  const Net *net;
  Access access;
  bool *is_other;            // by cell: written in another way, too
  bool *is_shifted, *is_set; // by slot
  int64_t *max; // by location: what was added at most on the way to it; NONE: not reached
  uint64_t work;
} Counters;

static const int64_t none = INT64_MIN;

static void mark_others(Counters *c) {
  for (uint32_t i = 0; i < c->access.marked.size; i++) {
    const CellId cell = c->access.marked.items[i];
    c->is_other[cell] |= (c->access.marks[cell] & ACCESS_WRITE) != 0;
  }
}

static void visit(Counters *c, const Edge *edge) {
  const Update *update = &edge->update;
  access_expr_alone(&c->access, edge->guard_expr);
  if (!update->has_shifts)
    access_stmts(&c->access, edge->update_stmts);
  mark_others(c);
  for (uint32_t i = 0; update->has_shifts && i < update->slot_update_count; i++)
    c->is_set[update->slot_updates[i].slot] = true;
  for (uint32_t i = 0; update->has_shifts && i < update->shift_count; i++)
    c->is_shifted[update->shifts[i].slot] = true;
}

static void visit_all(Counters *c) {
  const Net *net = c->net;
  bool some = false;
  for (EdgeId e = 0; e < net->edges.size; e++)
    some |= net->edges.items[e].update.has_shifts && net->edges.items[e].update.shift_count;
  if (!some)
    return;
  for (EdgeId e = 0; e < net->edges.size; e++)
    visit(c, &net->edges.items[e]);
  access_clear(&c->access);
  for (LocationId l = 0; l < net->locations.size; l++)
    access_invariant(&c->access, &net->locations.items[l]);
  access_stmts(&c->access, net->hooks.before_stmts);
  access_stmts(&c->access, net->hooks.after_stmts);
  mark_others(c);
}

static int64_t delta_of(const Edge *edge, uint32_t slot) {
  for (uint32_t i = 0; edge->update.has_shifts && i < edge->update.shift_count; i++)
    if (edge->update.shifts[i].slot == slot)
      return edge->update.shifts[i].delta;
  return 0;
}

// One round over the edges of a process; true if something grew.
static bool relax(Counters *c, const Process *process, uint32_t slot, int64_t sign) {
  const Net *net = c->net;
  bool grew = false;
  for (uint32_t l = 0; l < process->location_count; l++) {
    const LocationId source = process->first_location + l;
    const Location *location = &net->locations.items[source];
    c->work += location->edge_count + 1;
    for (uint32_t k = 0; k < location->edge_count && c->max[source] != none; k++) {
      const Edge *edge = &net->edges.items[net->out[location->first_edge + k]];
      const int64_t sum = c->max[source] + sign * delta_of(edge, slot);
      if (sum > c->max[edge->target]) {
        c->max[edge->target] = sum;
        grew = true;
      }
    }
  }
  return grew;
}

// The most that a process adds, times `sign`; false if there is no end.
static bool add_process(Counters *c, const Process *process, uint32_t slot, int64_t sign,
                        int64_t *sum) {
  const Net *net = c->net;
  int64_t max = 0;
  for (uint32_t l = 0; l < process->location_count; l++) {
    const LocationId at = process->first_location + l;
    c->max[at] = net->locations.items[at].initial ? 0 : none;
  }
  for (uint32_t round = 0; relax(c, process, slot, sign); round++)
    if (round > process->location_count || c->work > MAX_WORK)
      return false;
  for (uint32_t l = 0; l < process->location_count; l++)
    max = c->max[process->first_location + l] > max ? c->max[process->first_location + l] : max;
  *sum += max;
  return true;
}

// How far the slot can get from its initial value in one direction.
static bool find_reach(Counters *c, uint32_t slot, int64_t sign, int64_t *sum) {
  *sum = 0;
  for (ProcessId p = 0; p < c->net->processes.size; p++)
    if (!add_process(c, &c->net->processes.items[p], slot, sign, sum))
      return false;
  return true;
}

static void limit(Counters *c, uint32_t slot, int32_t *low, int32_t *high) {
  const int64_t initial = c->net->slots.initial[slot];
  int64_t sum;
  if (find_reach(c, slot, 1, &sum) && initial + sum < high[slot])
    high[slot] = (int32_t)(initial + sum);
  if (find_reach(c, slot, -1, &sum) && initial - sum > low[slot])
    low[slot] = (int32_t)(initial - sum);
}

void counters_limit(const Net *net, int32_t *low, int32_t *high) {
  Arena arena = {.mem = net->mem};
  Counters c = {.net = net};
  access_init(&c.access, &arena, net);
  c.is_other = ARENA_ARRAY(&arena, bool, c.access.cell_count);
  c.is_shifted = ARENA_ARRAY(&arena, bool, net->slots.count);
  c.is_set = ARENA_ARRAY(&arena, bool, net->slots.count);
  c.max = ARENA_ARRAY(&arena, int64_t, net->locations.size);
  visit_all(&c);
  for (uint32_t v = 0; v < net->variables.size; v++) {
    const Name *variable = &net->variables.items[v];
    const uint32_t slots = variable->type->slots;
    for (uint32_t k = 0; k < slots && !variable->is_meta && c.work <= MAX_WORK; k++) {
      const uint32_t slot = variable->base + k;
      const CellId cell = c.access.first[v] + (slots > ACCESS_MAX_SLOTS ? 0 : k);
      if (c.is_shifted[slot] && !c.is_set[slot] && !c.is_other[cell])
        limit(&c, slot, low, high);
    }
  }
  access_release(&c.access);
  arena_release(&arena);
}
