#include "analysis/symmetry/table.h"

#include <string.h>

// What an edge does in a state: whether it is possible, what it asks of clocks, what it does to
// them, and the state after it.
typedef struct Outcome {
  VmResult guard, update;
  ClockTests tests;
  ClockUpdates updates;
  int32_t *after;
} Outcome;

typedef VEC(Outcome) Outcomes;

typedef struct Table {
  Mem *mem;
  const Permutation *perm;
  const Net *net;
  Vm *vm;
  VEC(uint32_t) slots; // that take all their values
  int32_t *state, *image, *mapped;
  Outcomes from, to;
} Table;

// Adds the slots of marked cells; false if a cell is an array as a whole.
static bool add_slots(Table *table, const Access *access, const uint32_t *back) {
  const Net *net = table->net;
  for (uint32_t v = 0; v < net->variables.size; v++) {
    const Name *variable = &net->variables.items[v];
    const uint32_t slots = variable->type->slots;
    const uint32_t cells = slots > ACCESS_MAX_SLOTS ? 1 : slots;
    for (uint32_t k = 0; k < cells; k++) {
      if (!access->marks[access->first[v] + k])
        continue;
      if (slots > ACCESS_MAX_SLOTS)
        return false;
      vec_push(table->mem, &table->slots, back[variable->base + k]);
    }
  }
  for (ProcessId p = 0; p < net->processes.size; p++)
    if (access->marks[access->first_location + p])
      vec_push(table->mem, &table->slots, back[net->location_slot + p]);
  return true;
}

static void mark_edges(Access *access, Relation list) {
  access_clear(access);
  for (uint32_t i = 0; i < list.count; i++) {
    access_expr(access, list.items[i]->guard.expr);
    access_stmts(access, list.items[i]->update.stmts);
  }
}

// The slots of both relations, those of the second by where they come from, each once; false if
// they have too many values.
static bool find_slots(Table *table, Access *access, Relation from, Relation to) {
  const uint32_t count = table->net->slots.count;
  uint32_t *same = mem_alloc(table->mem, count * sizeof *same);
  uint32_t *back = mem_alloc(table->mem, count * sizeof *back);
  for (uint32_t s = 0; s < count; s++) {
    same[s] = s;
    back[table->perm->slot[s]] = s;
  }
  mark_edges(access, from);
  bool good = add_slots(table, access, same);
  mark_edges(access, to);
  good = good && add_slots(table, access, back);
  access_clear(access);
  mem_free(table->mem, same);
  mem_free(table->mem, back);
  uint32_t kept = 0;
  uint64_t states = 1;
  for (uint32_t i = 0; good && i < table->slots.size; i++) {
    const uint32_t slot = table->slots.items[i];
    bool known = false;
    for (uint32_t k = 0; k < kept; k++)
      known |= table->slots.items[k] == slot;
    if (known)
      continue;
    table->slots.items[kept++] = slot;
    states *= (uint64_t)((int64_t)table->net->slots.max[slot] - table->net->slots.min[slot] + 1);
    good = states <= TABLE_MAX_STATES;
  }
  table->slots.size = kept;
  return good;
}

static void add_outcome(Table *table, Outcomes *list, const Edge *edge, const int32_t *state) {
  Mem *mem = table->mem;
  Outcome outcome = {.update = VM_TRUE};
  outcome.guard = vm_guard(table->vm, &edge->guard, state, &outcome.tests);
  if (outcome.guard == VM_TRUE) {
    outcome.after = mem_alloc(mem, table->net->slots.count * sizeof(int32_t));
    memcpy(outcome.after, state, table->net->slots.count * sizeof(int32_t));
    outcome.update = vm_update(table->vm, &edge->update, outcome.after, &outcome.updates);
  }
  vec_push(mem, list, outcome);
}

static void clear(Table *table, Outcomes *list) {
  for (uint32_t i = 0; i < list->size; i++) {
    vec_release(table->mem, &list->items[i].tests);
    vec_release(table->mem, &list->items[i].updates);
    mem_free(table->mem, list->items[i].after);
  }
  vec_clear(list);
}

static bool same_tests(const Permutation *perm, const Outcome *a, const Outcome *b) {
  if (a->tests.size != b->tests.size)
    return false;
  for (uint32_t i = 0; i < a->tests.size; i++) {
    const ClockTest x = a->tests.items[i], y = b->tests.items[i];
    if (perm->clock[x.i] != y.i || perm->clock[x.j] != y.j || x.constant != y.constant ||
        x.strict != y.strict)
      return false;
  }
  return true;
}

static bool same_updates(const Permutation *perm, const Outcome *a, const Outcome *b) {
  if (a->updates.size != b->updates.size)
    return false;
  for (uint32_t i = 0; i < a->updates.size; i++) {
    const ClockUpdate x = a->updates.items[i], y = b->updates.items[i];
    if (perm->clock[x.x] != y.x || perm->clock[x.y] != y.y || x.constant != y.constant)
      return false;
  }
  return true;
}

// An edge that is not possible has no outcome.
static bool is_nothing(const Outcome *outcome) {
  const VmResult result = outcome->guard != VM_TRUE ? outcome->guard : outcome->update;
  return result == VM_FALSE || result == VM_INVALID;
}

static bool same_outcome(Table *table, const Outcome *a, const Outcome *b) {
  if (a->guard != b->guard || a->update != b->update)
    return false;
  if (a->guard != VM_TRUE)
    return true; // both fail
  if (!same_tests(table->perm, a, b))
    return false;
  if (a->update != VM_TRUE)
    return true;
  permutation_apply(table->perm, table->mapped, a->after);
  return same_updates(table->perm, a, b) &&
         !memcmp(table->mapped, b->after, table->net->slots.count * sizeof(int32_t));
}

static bool each_has_its_like(Table *table, bool forth) {
  const Outcomes *list = forth ? &table->from : &table->to;
  const Outcomes *others = forth ? &table->to : &table->from;
  for (uint32_t i = 0; i < list->size; i++) {
    bool found = is_nothing(&list->items[i]);
    for (uint32_t k = 0; !found && k < others->size; k++)
      found = forth ? same_outcome(table, &list->items[i], &others->items[k])
                    : same_outcome(table, &others->items[k], &list->items[i]);
    if (!found)
      return false;
  }
  return true;
}

static bool agree_here(Table *table, Relation from, Relation to) {
  permutation_apply(table->perm, table->image, table->state);
  for (uint32_t i = 0; i < from.count; i++)
    add_outcome(table, &table->from, from.items[i], table->state);
  for (uint32_t i = 0; i < to.count; i++)
    add_outcome(table, &table->to, to.items[i], table->image);
  const bool good = each_has_its_like(table, true) && each_has_its_like(table, false);
  clear(table, &table->from);
  clear(table, &table->to);
  return good;
}

// The next values of the slots, as a counter; false after the last.
static bool count_up(Table *table) {
  for (uint32_t i = 0; i < table->slots.size; i++) {
    const uint32_t slot = table->slots.items[i];
    if (table->state[slot] < table->net->slots.max[slot]) {
      table->state[slot]++;
      return true;
    }
    table->state[slot] = table->net->slots.min[slot];
  }
  return false;
}

bool table_match(const Permutation *perm, Access *access, Vm *vm, Relation from, Relation to) {
  const Net *net = perm->net;
  Mem *mem = mem_part(access->mem);
  Table table = {.mem = mem, .perm = perm, .net = net, .vm = vm};
  bool good = find_slots(&table, access, from, to);
  const size_t bytes = net->slots.count * sizeof(int32_t);
  table.state = mem_alloc(mem, bytes);
  table.image = mem_alloc(mem, bytes);
  table.mapped = mem_alloc(mem, bytes);
  memcpy(table.state, net->slots.initial, bytes);
  for (uint32_t i = 0; i < table.slots.size; i++)
    table.state[table.slots.items[i]] = net->slots.min[table.slots.items[i]];
  if (good)
    do
      good = agree_here(&table, from, to);
    while (good && count_up(&table));
  mem_release_part(mem);
  return good;
}
