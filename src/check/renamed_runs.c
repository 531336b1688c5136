#include "check/renamed_runs.h"

#include <string.h>

enum { MAX_VALUES = 1 << 12 };

static void rename_state(const Names *n, const int32_t *from, int32_t *to) {
  for (uint32_t s = 0; s < n->net->slots.count; s++)
    to[n->slot[s]] = naming_value(n, naming_sort(n, s), from[s]);
}

// What the edges that leave a location do in a state, written out under other names.
static void run_edges(Prover *p, const Names *n, LocationId location, const int32_t *state,
                      Lines *lines) {
  const Net *net = p->net;
  const Location *l = &net->locations.items[location];
  int32_t *after = ARENA_ARRAY(&p->arena, int32_t, net->slots.count);
  int32_t *renamed = ARENA_ARRAY(&p->arena, int32_t, net->slots.count);
  for (uint32_t i = 0; i < l->edge_count; i++) {
    const Edge *edge = &net->edges.items[net->out[l->first_edge + i]];
    ClockTests tests = {0};
    ClockUpdates updates = {0};
    memcpy(after, state, net->slots.count * sizeof *after);
    const VmResult guard = vm_guard(&p->vm, &edge->guard, state, &tests);
    const VmResult update =
        guard == VM_TRUE ? vm_update(&p->vm, &edge->update, after, &updates) : guard;
    const bool error = update == VM_ERROR;
    // A guard that fails gives no tests: it fails where those that need no code hold.
    for (uint32_t t = 0; guard != VM_TRUE && t < edge->guard.clock_test_count; t++)
      vec_push(p->mem, &tests, edge->guard.clock_tests[t]);
    Text text = {.mem = p->mem};
    text_addf(&text, "%d %d ", net_index(net, edge->target), error);
    naming_write_label(n, &text, edge);
    for (uint32_t t = 0; t < tests.size; t++)
      text_addf(&text, " %u-%u<%lld%d", n->clock[tests.items[t].i], n->clock[tests.items[t].j],
                (long long)tests.items[t].constant, tests.items[t].strict);
    for (uint32_t u = 0; u < updates.size; u++)
      text_addf(&text, " %u=%u+%lld", n->clock[updates.items[u].x], n->clock[updates.items[u].y],
                (long long)updates.items[u].constant);
    rename_state(n, after, renamed);
    for (uint32_t s = 0; s < net->slots.count && !error; s++)
      text_addf(&text, ",%d", renamed[s]);
    bool is_new = update == VM_TRUE || error;
    for (uint32_t k = 0; k < lines->size && is_new; k++)
      is_new = strcmp(lines->items[k], text_chars(&text)) != 0;
    if (is_new)
      naming_add_line(p, lines, &text);
    text_release(&text);
    vec_release(p->mem, &tests);
    vec_release(p->mem, &updates);
  }
}

// The variables that the edges of a location access; false if they have too many values.
static bool find_accessed(Prover *p, LocationId location, bool *accessed) {
  const Net *net = p->net;
  const Location *l = &net->locations.items[location];
  access_clear(&p->access);
  for (uint32_t i = 0; i < l->edge_count; i++) {
    const Edge *edge = &net->edges.items[net->out[l->first_edge + i]];
    if (!naming_is_alone(net, edge)) // others could write in between: not proved
      return false;
    access_expr(&p->access, edge->guard.expr);
    access_stmts(&p->access, edge->update.stmts);
  }
  for (uint32_t slot = 0; slot < net->location_slot; slot++)
    accessed[slot] |= p->access.marks[access_cell(&p->access, slot)] != 0;
  for (ProcessId q = 0; q < net->processes.size; q++)
    accessed[net->location_slot + q] |= p->access.marks[p->access.first_location + q] != 0;
  access_clear(&p->access);
  uint64_t states = 1;
  for (uint32_t s = 0; s < net->slots.count && states <= MAX_VALUES; s++)
    if (accessed[s])
      states *= (uint64_t)((int64_t)net->slots.max[s] - net->slots.min[s] + 1);
  return states <= MAX_VALUES;
}

// For processes that stay: their location is the same under both names.
bool renamed_runs_agree(Prover *p, const Names *n, const Names *own, LocationId location) {
  const Net *net = p->net;
  bool *accessed = ARENA_ARRAY(&p->arena, bool, net->slots.count);
  if (net->hooks.before_stmts || net->hooks.after_stmts || !find_accessed(p, location, accessed))
    return false;
  for (uint32_t s = 0; s < net->slots.count; s++)
    if (accessed[s] && n->slot[s] != s)
      return false; // only values move here
  int32_t *state = ARENA_ARRAY(&p->arena, int32_t, net->slots.count);
  int32_t *image = ARENA_ARRAY(&p->arena, int32_t, net->slots.count);
  for (uint32_t s = 0; s < net->slots.count; s++)
    state[s] = accessed[s] ? net->slots.min[s] : net->slots.initial[s];
  for (;;) {
    Lines a = {0}, b = {0};
    rename_state(n, state, image);
    run_edges(p, n, location, state, &a);
    run_edges(p, own, location, image, &b);
    const bool same = naming_same_lines(&a, &b);
    naming_release(p, &a);
    naming_release(p, &b);
    if (!same)
      return false;
    uint32_t s = 0;
    while (s < net->slots.count && (!accessed[s] || state[s] == net->slots.max[s])) {
      if (accessed[s])
        state[s] = net->slots.min[s];
      s++;
    }
    if (s == net->slots.count)
      return true;
    state[s]++;
  }
}
