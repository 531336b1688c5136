#include "analysis/symmetry/verify.h"

#include "analysis/symmetry/syncs.h"
#include "analysis/symmetry/table.h"
#include "model/faults.h"

#include <stdlib.h>
#include <string.h>

// --- The family: no item twice, so that permutations of the ids compose.

static bool are_distinct(Verifier *v, const uint32_t *items, uint32_t count, uint32_t limit) {
  bool *seen = mem_alloc(v->mem, limit + 1);
  bool good = true;
  for (uint32_t i = 0; good && i < count; i++) {
    good = items[i] < limit && !seen[items[i]];
    if (good)
      seen[items[i]] = true;
  }
  mem_free(v->mem, seen);
  return good;
}

static bool are_values_distinct(const Family *family) {
  const uint32_t size = family->size;
  for (uint32_t c = 0; c < family->value_columns; c++)
    for (uint32_t d = 0; d <= c; d++)
      for (uint32_t i = 0; family->values[c].sort == family->values[d].sort && i < size; i++)
        for (uint32_t k = 0; k < (c == d ? i : size); k++)
          if (family->values[c].values[i] == family->values[d].values[k])
            return false;
  return true;
}

static bool is_proper(Verifier *v) {
  const Family *f = v->family;
  const Net *net = v->net;
  for (uint32_t c = 0; c < f->slot_columns; c++)
    for (uint32_t i = 1; i < f->size; i++)
      if (f->sort[f->slots[c * f->size + i]] != f->sort[f->slots[c * f->size]])
        return false;
  for (uint32_t c = 0; c < f->clock_columns * f->size; c++)
    if (!f->clocks[c])
      return false;
  return are_distinct(v, f->processes, f->process_columns * f->size, net->processes.size) &&
         are_distinct(v, f->clocks, f->clock_columns * f->size, net->clock_count + 1) &&
         are_distinct(v, f->slots, f->slot_columns * f->size, net->location_slot) &&
         (f->size < 2 || are_values_distinct(f));
}

// --- The permutation: one to one, and into the ranges.

static int compare_numbers(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

typedef VEC(uint64_t) Uses; // process and event

static void sort_uses(Uses *uses) {
  if (uses->size) // qsort does not take a null pointer
    qsort(uses->items, uses->size, sizeof *uses->items, compare_numbers);
}

// Whether different events of a process become different ones.
static bool are_events_distinct(Verifier *v) {
  const Net *net = v->net;
  Uses uses = {0};
  for (EdgeId i = 0; i < net->edges.size; i++)
    vec_push(v->mem, &uses,
             (uint64_t)net->edges.items[i].process << 32 | net->edges.items[i].event);
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++) {
      const SyncPart *part = &net->syncs.items[s].parts.items[k];
      vec_push(v->mem, &uses, (uint64_t)part->process << 32 | part->event);
    }
  sort_uses(&uses);
  uint32_t count = 0;
  for (uint32_t i = 0; i < uses.size; i++)
    if (!i || uses.items[i] != uses.items[i - 1])
      uses.items[count++] = uses.items[i];
  uses.size = count;
  for (uint32_t i = 0; i < count; i++) {
    const ProcessId p = (ProcessId)(uses.items[i] >> 32);
    uses.items[i] = (uint64_t)v->perm->process[p] << 32 |
                    permutation_event(v->perm, p, (EventId)uses.items[i]);
  }
  sort_uses(&uses);
  bool good = true;
  for (uint32_t i = 1; i < count; i++)
    good &= uses.items[i] != uses.items[i - 1];
  vec_release(v->mem, &uses);
  return good;
}

static bool is_value_map_good(const ValueMap *map, int32_t min, int32_t max) {
  for (uint32_t i = 0; i < map->count; i++) {
    const int32_t value = (int32_t)((uint32_t)map->low + i), to = map->to[i];
    if (to != value && (value < min || value > max || to < min || to > max))
      return false;
  }
  return true;
}

static bool are_slots_good(Verifier *v) {
  const Net *net = v->net;
  const Permutation *perm = v->perm;
  if (!are_distinct(v, perm->slot, net->location_slot, net->location_slot))
    return false;
  for (uint32_t s = 0; s < net->location_slot; s++) {
    const uint32_t to = perm->slot[s];
    if (perm->sort[s] >= perm->sort_count || perm->sort[s] != perm->sort[to])
      return false;
    // A meta variable is not kept: it has its initial value in every node.
    if (net->slots.is_meta && (net->slots.is_meta[s] != net->slots.is_meta[to] ||
                               (net->slots.is_meta[s] &&
                                permutation_value(perm, perm->sort[s], net->slots.initial[s]) !=
                                    net->slots.initial[to])))
      return false;
    if (verifier_skips(v, RULE_RANGES))
      continue;
    if (net->slots.min[s] != net->slots.min[to] || net->slots.max[s] != net->slots.max[to] ||
        !is_value_map_good(&perm->maps[perm->sort[s]], net->slots.min[s], net->slots.max[s]))
      return false;
  }
  return true;
}

static bool is_one_to_one(Verifier *v) {
  const Net *net = v->net;
  const Permutation *perm = v->perm;
  return are_distinct(v, perm->process, net->processes.size, net->processes.size) &&
         are_distinct(v, perm->clock, net->clock_count + 1, net->clock_count + 1) &&
         perm->clock[0] == 0 &&
         (!net->reading.measures_time || perm->clock[net->clock_count] == net->clock_count) &&
         are_slots_good(v);
}

// --- Processes: locations and edges.

static bool is_excluded(const Verifier *v, LocationId l) { return v->excluded[l]; }

// Whether what is left is worth it: the process can get there, and it is half of its locations.
static bool has_rest(Verifier *v, ProcessId p) {
  const Net *net = v->net;
  bool *reached = ARENA_ARRAY(v->arena, bool, net->locations.size);
  bool more = true, found = false;
  for (LocationId l = 0; l < net->locations.size; l++)
    reached[l] = net->locations.items[l].process == p && net->locations.items[l].initial;
  while (more) {
    more = false;
    for (EdgeId i = 0; i < net->edges.size; i++) {
      const Edge *edge = &net->edges.items[i];
      if (edge->process == p && reached[edge->source] && !reached[edge->target])
        more = reached[edge->target] = true;
    }
  }
  uint32_t left = 0;
  const Process *process = &net->processes.items[p];
  for (uint32_t l = 0; l < process->location_count; l++) {
    left += !v->excluded[process->first_location + l];
    found |= reached[process->first_location + l] && !v->excluded[process->first_location + l];
  }
  return found && 2 * left >= process->location_count;
}

// Excludes a location and what leads to it; false if the process moves, or nothing is left.
static bool exclude(Verifier *v, LocationId location) {
  const Net *net = v->net;
  const ProcessId p = net->locations.items[location].process;
  if (v->is_moved[p])
    return false;
  v->excluded[location] = true;
  bool more = !verifier_skips(v, RULE_CLOSED);
  while (more) {
    more = false;
    for (EdgeId i = 0; i < net->edges.size; i++) {
      const Edge *edge = &net->edges.items[i];
      if (edge->process == p && v->excluded[edge->target] && !v->excluded[edge->source])
        more = v->excluded[edge->source] = true;
    }
  }
  return has_rest(v, p);
}

static bool is_alone(const Verifier *v, const Edge *edge) {
  return v->net->async[(size_t)edge->process * v->net->events.size + edge->event];
}

static bool same_event(const Verifier *v, const Edge *a, const Edge *b) {
  const Net *net = v->net;
  if (verifier_skips(v, RULE_EVENTS))
    return true;
  const bool alone = is_alone(v, a);
  if (alone != is_alone(v, b))
    return false;
  if (!verifier_skips(v, RULE_CHANNELS) &&
      !verifier_same_channel(verifier_channel(net, a->event), verifier_channel(net, b->event)))
    return false;
  return alone || permutation_event(v->perm, a->process, a->event) == b->event;
}

// Whether they connect the same locations with the same event.
static bool same_ends(const Verifier *v, const Edge *a, const Edge *b) {
  return net_index(v->net, a->source) == net_index(v->net, b->source) &&
         net_index(v->net, a->target) == net_index(v->net, b->target) && same_event(v, a, b);
}

static bool same_edge(const Verifier *v, const Edge *a, const Edge *b) {
  return same_ends(v, a, b) &&
         (verifier_skips(v, RULE_GUARDS) ||
          match_conjunction(&v->match, a->guard.expr, b->guard.expr)) &&
         (verifier_skips(v, RULE_UPDATES) ||
          match_stmts(&v->match, a->update.stmts, b->update.stmts));
}

typedef struct Leaving { // the edges that leave a location, and which have a partner
  VEC(const Edge *) edges;
  bool *paired;
} Leaving;

static void find_leaving(Verifier *v, LocationId l, Leaving *leaving) {
  const Net *net = v->net;
  const Location *location = &net->locations.items[l];
  *leaving = (Leaving){0};
  for (uint32_t k = 0; k < location->edge_count; k++)
    vec_push(v->mem, &leaving->edges, &net->edges.items[net->out[location->first_edge + k]]);
  leaving->paired = mem_alloc(v->mem, location->edge_count + 1);
}

static void release_leaving(Verifier *v, Leaving *leaving) {
  vec_release(v->mem, &leaving->edges);
  mem_free(v->mem, leaving->paired);
}

// Edges that an edge joins with are those of the other participants of its synchronisations.
static bool others_write(Verifier *v, const Edge *edge, const SyncPart *part) {
  const Net *net = v->net;
  if (part->process == edge->process)
    return false;
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *other = &net->edges.items[i];
    if (!net_is_of_part(other, part))
      continue;
    access_stmts_alone(&v->access, other->update.stmts);
    for (uint32_t k = 0; k < v->access.marked.size; k++) {
      const CellId cell = v->access.marked.items[k];
      if (v->access.marks[cell] & ACCESS_WRITE && v->cells[cell])
        return true;
    }
  }
  return false;
}

// Whether what the update of an edge reads stays the same between its guard and its update.
static bool is_undisturbed(Verifier *v, const Edge *edge) {
  const Net *net = v->net;
  if (verifier_skips(v, RULE_TABLES))
    return true;
  if (net->hooks.before_stmts || net->hooks.after_stmts)
    return false;
  if (is_alone(v, edge))
    return true;
  access_stmts_alone(&v->access, edge->update.stmts);
  for (uint32_t k = 0; k < v->access.marked.size; k++) // also what it writes on a condition only
    v->cells[v->access.marked.items[k]] = 1;
  bool disturbed = false;
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    const Sync *sync = &net->syncs.items[s];
    const bool takes_part = net_is_of_sync(edge, sync);
    for (uint32_t k = 0; takes_part && !disturbed && k < sync->parts.size; k++)
      disturbed = others_write(v, edge, &sync->parts.items[k]);
  }
  memset(v->cells, 0, v->access.cell_count * sizeof *v->cells);
  access_clear(&v->access);
  return !disturbed;
}

// The edges among these that connect what `edge` connects (or its image, if it is of the source).
static uint32_t find_group(const Verifier *v, const Leaving *leaving, const Edge *edge,
                           bool is_image, bool of_image, const Edge **group) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < leaving->edges.size; i++) {
    const Edge *other = leaving->edges.items[i];
    bool same;
    if (is_image == of_image)
      same = net_index(v->net, edge->target) == net_index(v->net, other->target) &&
             (edge->event == other->event || (is_alone(v, edge) && is_alone(v, other)));
    else
      same = is_image ? same_ends(v, other, edge) : same_ends(v, edge, other);
    if (same)
      group[count++] = other;
  }
  return count;
}

// Compares the relation that an edge without a partner belongs to with its image.
static bool same_relation(Verifier *v, const Leaving *from, const Leaving *to, const Edge *edge,
                          bool is_image) {
  const Edge **a = mem_alloc(v->mem, (from->edges.size + 1) * sizeof *a);
  const Edge **b = mem_alloc(v->mem, (to->edges.size + 1) * sizeof *b);
  const uint32_t a_count = find_group(v, from, edge, is_image, false, a);
  const uint32_t b_count = find_group(v, to, edge, is_image, true, b);
  bool good = !verifier_skips(v, RULE_EVENTS); // else the groups mean nothing
  for (uint32_t i = 0; good && i < a_count; i++)
    good = is_undisturbed(v, a[i]);
  for (uint32_t i = 0; good && i < b_count; i++)
    good = is_undisturbed(v, b[i]);
  good = good &&
         table_match(v->perm, &v->access, &v->vm, (Relation){a, a_count}, (Relation){b, b_count});
  mem_free(v->mem, a);
  mem_free(v->mem, b);
  v->by_tables |= good;
  return good;
}

static void pair_up(Verifier *v, Leaving *from, Leaving *to) {
  for (uint32_t i = 0; i < from->edges.size; i++) {
    const uint32_t start = i < to->edges.size ? i : 0; // mostly it is the one at this place
    for (uint32_t n = 0; n < to->edges.size && !from->paired[i]; n++) {
      const uint32_t k = (start + n) % to->edges.size;
      if (!to->paired[k] && same_edge(v, from->edges.items[i], to->edges.items[k]))
        from->paired[i] = to->paired[k] = true;
    }
  }
}

static bool same_edges(Verifier *v, LocationId l, LocationId image) {
  Leaving from, to;
  find_leaving(v, l, &from);
  find_leaving(v, image, &to);
  pair_up(v, &from, &to);
  bool good = true;
  for (uint32_t i = 0; good && i < from.edges.size; i++)
    good = from.paired[i] || same_relation(v, &from, &to, from.edges.items[i], false);
  for (uint32_t i = 0; good && i < to.edges.size; i++)
    good = to.paired[i] || same_relation(v, &from, &to, to.edges.items[i], true);
  release_leaving(v, &from);
  release_leaving(v, &to);
  return good;
}

static bool same_location(Verifier *v, LocationId l, LocationId image) {
  const Location *a = &v->net->locations.items[l], *b = &v->net->locations.items[image];
  if (!verifier_skips(v, RULE_LOCATIONS) &&
      (a->committed != b->committed || a->urgent != b->urgent))
    return false;
  if (!verifier_skips(v, RULE_INVARIANTS) &&
      !match_expr(&v->match, a->invariant.expr, b->invariant.expr))
    return false;
  return same_edges(v, l, image);
}

static bool same_process(Verifier *v, ProcessId p) {
  const Net *net = v->net;
  const Process *from = &net->processes.items[p];
  const Process *to = &net->processes.items[v->perm->process[p]];
  if (from->location_count != to->location_count)
    return false;
  if (!verifier_skips(v, RULE_CHANNELS) && net->priority.is_used &&
      from->priority != to->priority)
    return false;
  for (uint32_t l = 0; l < from->location_count; l++) {
    const LocationId a = from->first_location + l, b = to->first_location + l;
    if (is_excluded(v, a) || same_location(v, a, b))
      continue;
    if (!exclude(v, a))
      return false;
  }
  return true;
}

// --- Generators.

static bool verify(Verifier *v, const uint32_t *image) {
  const Net *net = v->net;
  const Permutation perm = family_permutation(v->family, v->arena, net, image);
  v->perm = v->match.perm = &perm;
  if (!is_one_to_one(v) ||
      !match_stmts(&v->match, net->hooks.before_stmts, net->hooks.before_stmts) ||
      !match_stmts(&v->match, net->hooks.after_stmts, net->hooks.after_stmts))
    return false;
  for (ProcessId p = 0; p < net->processes.size; p++)
    if (!same_process(v, p))
      return false;
  return (verifier_skips(v, RULE_EVENTS) || are_events_distinct(v)) && syncs_match(v);
}

static bool keeps_initial(Verifier *v, const uint32_t *image) {
  const Permutation perm = family_permutation(v->family, v->arena, v->net, image);
  if (!permutation_keeps_initial(&perm))
    return false;
  for (LocationId l = 0; l < v->net->locations.size; l++)
    if (v->excluded[l])
      return false; // it holds in a part only, which need not have the initial states
  return true;
}

static void init(Verifier *v, const Family *family, Arena *arena, const Net *net, unsigned skip) {
  *v = (Verifier){.mem = arena->mem, .arena = arena, .net = net, .family = family, .skip = skip};
  v->match = (Match){.mem = arena->mem, .skip = skip};
  access_init(&v->access, arena, net);
  net_vm(net, &v->vm, arena->mem);
  v->excluded = ARENA_ARRAY(arena, bool, net->locations.size);
  v->is_moved = ARENA_ARRAY(arena, bool, net->processes.size);
  v->cells = ARENA_ARRAY(arena, uint32_t, v->access.cell_count);
  for (uint32_t i = 0; i < family->process_columns * family->size; i++)
    v->is_moved[family->processes[i]] = true;
}

static void release(Verifier *v) {
  access_release(&v->access);
  vm_release(&v->vm);
}

static void set_rotation(uint32_t *image, uint32_t size) {
  for (uint32_t i = 0; i < size; i++)
    image[i] = (i + 1) % size;
}

static void set_swap(uint32_t *image, uint32_t size, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < size; i++)
    image[i] = i == a ? b : i == b ? a : i;
}

static bool has_excluded(const Verifier *v) {
  for (LocationId l = 0; l < v->net->locations.size; l++)
    if (v->excluded[l])
      return true;
  return false;
}

// Invariants are looked at process by process, up to the first that is false: one that fails is
// not met behind it. So the order of processes matters if some invariant can fail.
static bool is_order_free(const Verifier *v) {
  if (!v->family->process_columns || verifier_skips(v, RULE_FAILING))
    return true;
  for (LocationId l = 0; l < v->net->locations.size; l++)
    if (faults_in_expr(v->net, v->net->locations.items[l].invariant.expr))
      return false;
  return true;
}

bool symmetry_verify(Family *family, Arena *arena, const Net *net, unsigned skip) {
  Verifier v;
  init(&v, family, arena, net, skip);
  uint32_t *image = ARENA_ARRAY(arena, uint32_t, family->size);
  bool good = family->size > 1 && is_order_free(&v) && is_proper(&v), initial = true;
  if (good) {
    set_rotation(image, family->size);
    good = verify(&v, image);
    initial = good && keeps_initial(&v, image);
  }
  if (good && !family->is_cyclic) {
    set_swap(image, family->size, 0, 1);
    good = verify(&v, image);
    initial = good && initial && keeps_initial(&v, image);
  }
  family->excluded = has_excluded(&v) ? v.excluded : NULL;
  family->by_tables = v.by_tables;
  family->keeps_initial = initial;
  release(&v);
  return good;
}

bool symmetry_verify_swap(Family *family, Arena *arena, const Net *net, uint32_t a, uint32_t b,
                          unsigned skip) {
  Verifier v;
  init(&v, family, arena, net, skip);
  uint32_t *image = ARENA_ARRAY(arena, uint32_t, family->size);
  set_swap(image, family->size, a, b);
  const bool good = is_order_free(&v) && is_proper(&v) && verify(&v, image) && !has_excluded(&v);
  release(&v);
  return good;
}

bool symmetry_keeps(const Family *family, Arena *arena, const Net *net, const Expr *expr) {
  uint32_t *image = ARENA_ARRAY(arena, uint32_t, family->size);
  for (int k = family->is_cyclic; k < 2; k++) {
    if (k)
      set_rotation(image, family->size);
    else
      set_swap(image, family->size, 0, 1);
    const Permutation perm = family_permutation(family, arena, net, image);
    const Match match = {.mem = arena->mem, .perm = &perm};
    if (!match_expr(&match, expr, expr))
      return false;
  }
  return true;
}
