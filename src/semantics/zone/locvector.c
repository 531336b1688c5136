#include "semantics/zone/locvector.h"

#include "dbm/extra.h"
#include "semantics/zone/locvector_make.h"

#include <string.h>

_Static_assert(CLOCK_NO_BOUND == CLOCK_UNBOUNDED, "one value for a missing bound");

// Location vectors may take a share of the memory in use, and always LEAST_BYTES.
enum { LEAST_BYTES = LOWERED(8 << 20, 1 << 18, 1 << 12) };
enum { FULLER = LOWERED(1, 1, 1 << 20) }; // by how much the share is smaller

bool locvector_keep_small(LocVectors *vectors, uint32_t share, size_t more) {
  const size_t bytes = vectors->cache.bytes + vectors->list.size * vectors->list.item_bytes +
                       vectors->numbers[VECTOR_JOINTS].bytes + more;
  if (bytes < LEAST_BYTES || bytes < mem_in_use(vectors->mem) / (share * FULLER))
    return false;
  arena_clear(&vectors->cache);
  vectors->list.size = 0;
  pairs_clear(&vectors->known);
  for (uint32_t i = 0; i < VECTOR_PARTS; i++)
    intern_clear(&vectors->numbers[i]);
  joint_forget_numbers(&vectors->joint);
  vec_clear(&vectors->maps);
  pairs_clear(&vectors->passages);
  vectors->transitions.size = vectors->net->edges.size;
  Intern *parts = &vectors->numbers[VECTOR_PARTS];
  for (uint32_t i = 1; i <= parts->items.size; i++)
    intern_at(parts, i)->value = NULL; // settings: they keep their numbers
  if (parts->bytes < LEAST_BYTES / 4)
    return false;
  intern_clear(parts);
  return true;
}

static void add_bounds(LocVectors *vectors, const Setting *setting, uint32_t k) {
  locvector_add_words(vectors, setting->bounds->lower, k);
  locvector_add_words(vectors, setting->bounds->upper, k);
  locvector_add_words(vectors, setting->diagonals.items, 3 * setting->diagonals.count);
}

// Keeps a setting, made from the draft.
static const Setting *keep_setting(LocVectors *vectors, const Setting *made, uint32_t k) {
  Arena *cache = &vectors->cache;
  Setting *setting = arena_copy(cache, made, sizeof *made);
  const uint32_t count = made->invariant.count + made->diagonals.count;
  setting->invariant.items = arena_copy(cache, made->invariant.items, count * sizeof(Constraint));
  setting->diagonals.items = setting->invariant.items + made->invariant.count;
  setting->is_upper = true;
  for (uint32_t i = 0; i < made->invariant.count; i++)
    setting->is_upper &= made->invariant.items[i].i && !made->invariant.items[i].j;
  setting->bounds = activeclocks_new_bounds(cache, k, vectors->wants.entry_bounds);
  memcpy(setting->bounds->lower, made->bounds->lower, sizeof(int32_t) * k);
  memcpy(setting->bounds->upper, made->bounds->upper, sizeof(int32_t) * k);
  packed_bounds(&setting->bounds->packed, k);
  locvector_begin_words(vectors, 2 * k + 3 * made->diagonals.count, PART_BOUNDS, k, 0);
  add_bounds(vectors, made, k);
  setting->bounds->packed.number = locvector_end_words(vectors, &vectors->numbers[VECTOR_PARTS]);
  if (vectors->wants.stay && !made->is_dynamic && (made->invariant.count || made->can_delay))
    setting->stay = locvector_number_transformer(vectors, 0, made->number);
  return setting;
}

// The constant clock tests of the invariants, over the active clocks; true if there are others.
static bool find_invariant(LocVectors *vectors, const ActiveClocks *active,
                           const int32_t *state) {
  const Net *net = vectors->net;
  bool is_dynamic = false;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Guard *guard = &net_location(net, p, state[net->location_slot + p])->invariant;
    is_dynamic |= guard->test_count || guard->code;
    activeclocks_add(active, vectors->mem, &vectors->draft.constraints, guard->clock_tests,
                     guard->clock_test_count);
  }
  return is_dynamic;
}

static bool has_rates(const Net *net, const int32_t *state) {
  bool has = false;
  for (ProcessId p = 0; net->by_location.rates && p < net->processes.size; p++)
    has |= net->by_location.rates[net_location_at(net, p, state)] != NULL;
  return has;
}

// With `after`: of a delay by a transition, after which these tests hold.
static Setting draft_setting(LocVectors *vectors, const ActiveClocks *active,
                             const int32_t *state, const ClockTestList *after) {
  VectorDraft *draft = &vectors->draft;
  Setting made = {.bounds = active->bounds, .is_delay = after != NULL};
  vec_clear(&draft->constraints);
  if (!vectors->wants.only_bounds) {
    made.is_dynamic = find_invariant(vectors, active, state);
    made.has_rates = has_rates(vectors->net, state);
    made.is_dynamic |= made.has_rates;
    made.can_delay = after || joint_can_delay(&vectors->joint, state);
  }
  if (after) {
    made.after_count = after->count;
    activeclocks_add(active, vectors->mem, &draft->constraints, after->items, after->count);
  }
  const uint32_t count = draft->constraints.size;
  activeclocks_add(active, vectors->mem, &draft->constraints, draft->tests.items,
                   draft->tests.size);
  made.invariant = (ConstraintList){draft->constraints.items, count};
  if (draft->tests.size)
    made.diagonals = (ConstraintList){draft->constraints.items + count, draft->tests.size};
  return made;
}

static const Setting *find_setting(LocVectors *vectors, const ActiveClocks *active,
                                   const int32_t *state, const ClockTestList *after) {
  Setting made = draft_setting(vectors, active, state, after);
  const uint32_t k = active->k, delays = made.can_delay + made.is_delay;
  const uint32_t constraints = made.diagonals.count + made.invariant.count;
  locvector_begin_words(vectors, 2 * k + 3 * constraints,
                        PART_SETTING | delays << 3 | made.after_count << 5, k,
                        made.diagonals.count << 2 | made.has_rates << 1 | made.is_dynamic);
  add_bounds(vectors, &made, k);
  locvector_add_words(vectors, made.invariant.items, 3 * made.invariant.count);
  Intern *parts = &vectors->numbers[VECTOR_PARTS];
  made.number = locvector_end_words(vectors, parts);
  if (!intern_at(parts, made.number)->value) { // keeping it adds parts: items may move
    const Setting *kept = keep_setting(vectors, &made, k);
    intern_at(parts, made.number)->value = kept;
  }
  return intern_at(parts, made.number)->value;
}

static void need_compared(VectorDraft *draft, bool needed) {
  for (uint32_t i = 0; i < draft->tests.size; i++)
    draft->needed[draft->tests.items[i].i] = draft->needed[draft->tests.items[i].j] = needed;
}

// The differences that matter, in `tests`, and their clocks. Without a state: anywhere.
static void find_diagonals(LocVectors *vectors, const int32_t *state) {
  VectorDraft *draft = &vectors->draft;
  const Diagonals *diagonals = draft->diagonals;
  need_compared(draft, false); // those of the last one
  if (state)
    diagonals_of_state(diagonals, vectors->mem, vectors->net, state, &draft->tests);
  for (uint32_t i = 0; !state && i < diagonals->all.count; i++)
    vec_push(vectors->mem, &draft->tests, diagonals->all.items[i]);
  need_compared(draft, true);
}

// The clocks that matter, in `draft`.
static const ActiveClocks *draft_active(LocVectors *vectors, const int32_t *state) {
  VectorDraft *draft = &vectors->draft;
  if (!vectors->is_global)
    clockbounds_of_state(vectors->bounds, vectors->net, state, draft->lower, draft->upper);
  if (!vectors->is_global && draft->diagonals)
    find_diagonals(vectors, state);
  activeclocks_set(&draft->active, vectors->n, draft->lower, draft->upper, draft->needed,
                   vectors->wants.is_m);
  return &draft->active;
}

// The bounds of all location vectors, if they are the same everywhere: without any, all clocks
// matter.
static void find_global(LocVectors *vectors) {
  VectorDraft *draft = &vectors->draft;
  const ClockBounds *bounds = vectors->bounds;
  if (draft->diagonals)
    find_diagonals(vectors, NULL);
  for (uint32_t x = 1; x < vectors->n; x++) {
    draft->lower[x] = bounds ? code_narrow(bounds->global_lower[x]) : CLOCK_NO_BOUND;
    draft->upper[x] = bounds ? code_narrow(bounds->global_upper[x]) : CLOCK_NO_BOUND;
    draft->needed[x] |= !bounds;
  }
}

static ActiveClocks make_map(LocVectors *vectors, const ActiveClocks *active) {
  ActiveClocks map = {.k = active->k,
                      .clocks = ARENA_ARRAY(&vectors->cache, ClockId, dbm_stride(active->k)),
                      .position = arena_copy(&vectors->cache, active->position,
                                             vectors->n * sizeof *active->position)};
  memcpy(map.clocks, active->clocks, active->k * sizeof *active->clocks);
  return map;
}

// The number of a location vector's map, to which its active clocks then lead.
static uint32_t share_map(LocVectors *vectors, ActiveClocks *active) {
  const uint32_t number = intern_number(&vectors->numbers[VECTOR_MAPS], active->clocks,
                                        active->k * sizeof *active->clocks);
  if (number > vectors->maps.size)
    vec_push(vectors->mem, &vectors->maps, make_map(vectors, active));
  *active = vectors->maps.items[number - 1];
  return number;
}

LocVector *locvector_receive(LocVectors *vectors, const uint64_t *set) {
  ActiveClocks active = vectors->draft.active;
  active.k = 1;
  for (ClockId x = 1; x < vectors->n; x++) {
    const bool matters = set[x / 64] >> x % 64 & 1;
    active.position[x] = matters ? active.k : ACTIVE_NONE;
    active.clocks[active.k] = x;
    active.k += matters;
  }
  vectors->received->map = share_map(vectors, &active);
  vectors->received->active = active;
  return vectors->received;
}

LocVector *locvector_make(LocVectors *vectors, const uint64_t *packed,
                          const ClockTestList *after) {
  state_unpack(vectors->layout, vectors->draft.state, packed);
  const ActiveClocks *active = draft_active(vectors, vectors->draft.state);
  LocVector *vector = pool_at(&vectors->list, pool_add(&vectors->list));
  *vector = (LocVector){.active = *active, .number = vectors->list.size};
  vector->setting = find_setting(vectors, active, vectors->draft.state, after);
  vector->entry =
      vector->setting->is_dynamic || vectors->wants.only_bounds ? 0 : vector->setting->number;
  vector->map = share_map(vectors, &vector->active);
  vector->active.bounds = vector->setting->bounds;
  for (uint32_t i = 0; i < vectors->layout->words; i++)
    vector->words[i] = packed[i] & vectors->masks[i];
  vectors->made++;
  return vector;
}

LocVector *locvector_find(LocVectors *vectors, const uint64_t *packed) {
  const uint64_t hash = locvector_hash(vectors, packed);
  uint32_t number, twins = 0; // others with this hash
  for (; (number = pairs_get(&vectors->known, hash, twins)); twins++) {
    LocVector *vector = pool_at(&vectors->list, number - 1);
    if (locvector_is_of(vectors, vector, packed))
      return vector;
  }
  LocVector *vector = locvector_make(vectors, packed, NULL);
  pairs_set(&vectors->known, hash, twins, vector->number);
  if (vectors->after_make)
    vectors->after_make(vectors->make_context, vector);
  return vector;
}

static ClockTestList keep_tests(Arena *arena, ClockTestList list) {
  list.items = arena_copy(arena, list.items, sizeof *list.items * list.count);
  return list;
}

// `tested` has tests beyond the guards; NULL: there are none.
static void add_transition(LocVectors *vectors, Arena *arena, const Edge *const *joint,
                           uint32_t count, const Joint *tested) {
  ClockTestList extra = {0}, after = {0};
  if (tested) {
    extra = keep_tests(arena, tested->extra);
    after = keep_tests(arena, tested->after);
  }
  const Edge *const *edges = arena_copy(arena, joint, sizeof *edges * count);
  Transition *t = ARENA_NEW(arena, Transition);
  *t = transition_make(arena, vectors->net, vectors->layout, edges, count, extra, after);
  vec_push(vectors->mem, &vectors->transitions, t);
}

// The transitions of single edges, made once.
static void make_singles(LocVectors *vectors) {
  for (EdgeId e = 0; e < vectors->net->edges.size; e++) {
    const Edge *edge = &vectors->net->edges.items[e];
    add_transition(vectors, &vectors->arena, &edge, 1, NULL);
  }
}

static void add_tests(LocVectors *vectors, ClockTestList list) {
  for (uint32_t i = 0; i < list.count; i++) {
    const ClockTest test = list.items[i];
    const uint32_t words[4] = {test.i, test.j, (uint32_t)test.constant, test.strict};
    locvector_add_words(vectors, words, 4);
  }
}

uint32_t locvector_find_transition(LocVectors *vectors, const Edge *const *joint, uint32_t count,
                                   const Joint *tested) {
  const Net *net = vectors->net;
  Intern *joints = &vectors->numbers[VECTOR_JOINTS];
  uint32_t number = net->edges.size - 1;
  if (count == 1 && !tested)
    return (uint32_t)(joint[0] - net->edges.items);
  if (tested) { // an odd number of words: no list of pointers has that
    const uint32_t tests = tested->extra.count + tested->after.count;
    locvector_begin_words(vectors, 2 * count + 4 * tests, count, tested->extra.count, 0);
    locvector_add_words(vectors, joint, 2 * count);
    add_tests(vectors, tested->extra);
    add_tests(vectors, tested->after);
    number += locvector_end_words(vectors, joints);
  } else {
    number += intern_number(joints, joint, sizeof *joint * count);
  }
  if (number == vectors->transitions.size)
    add_transition(vectors, &vectors->cache, joint, count, tested);
  return number;
}

static void make_masks(LocVectors *vectors) {
  const StateLayout *layout = vectors->layout;
  vectors->masks = ARENA_ARRAY(&vectors->arena, uint64_t, layout->words);
  for (uint32_t slot = 0; slot < layout->slots; slot++) {
    const StateField *field = &layout->fields[slot];
    if (slot >= vectors->net->location_slot ||
        (vectors->net->slots.control && vectors->net->slots.control[slot]))
      vectors->masks[field->word] |= field->mask << field->shift;
  }
}

void locvector_init(LocVectors *vectors, Mem *mem, const Net *net, const StateLayout *layout,
                    const ClockBounds *bounds, const Diagonals *diagonals, bool is_global,
                    bool is_m) {
  const uint32_t n = net->clock_count + 1;
  *vectors = (LocVectors){.mem = mem,
                          .net = net,
                          .layout = layout,
                          .bounds = bounds,
                          .draft.diagonals = diagonals,
                          .is_global = is_global || !bounds,
                          .wants.is_m = is_m,
                          .n = n,
                          .arena = {.mem = mem},
                          .cache = {.mem = mem}};
  Arena *arena = &vectors->arena;
  for (uint32_t i = 0; i < VECTOR_NUMBERS; i++)
    intern_init(&vectors->numbers[i], mem);
  pairs_init(&vectors->known, mem);
  pairs_init(&vectors->passages, mem);
  vectors->draft.lower = ARENA_ARRAY(arena, int32_t, n);
  vectors->draft.upper = ARENA_ARRAY(arena, int32_t, n);
  vectors->draft.needed = ARENA_ARRAY(arena, bool, n);
  vectors->draft.state = ARENA_ARRAY(arena, int32_t, layout->slots);
  vectors->origins.origin = ARENA_ARRAY(arena, ClockId, dbm_stride(n));
  vectors->origins.offset = ARENA_ARRAY(arena, int32_t, dbm_stride(n));
  pool_init(&vectors->list, mem, sizeof(LocVector) + layout->words * sizeof(uint64_t));
  joint_init(&vectors->joint, net, arena);
  make_singles(vectors);
  make_masks(vectors);
  vectors->draft.joint = ARENA_ARRAY(arena, const Edge *, net->processes.size);
  vectors->received = ARENA_NEW(arena, LocVector);
  activeclocks_init(&vectors->draft.active, arena, n);
  if (vectors->is_global)
    find_global(vectors);
}

// The transitions of one process alone.
static void add_singles(LocVectors *vectors, ProcessId process) {
  uint32_t count;
  const Edge *const *edges = joint_async(&vectors->joint, process, &count);
  vec_reserve(vectors->mem, &vectors->draft.outgoing, vectors->draft.outgoing.size + count);
  OutgoingTransition *outgoing = vectors->draft.outgoing.items + vectors->draft.outgoing.size;
  for (uint32_t i = 0; i < count; i++)
    outgoing[i] =
        (OutgoingTransition){.transition = (uint32_t)(edges[i] - vectors->net->edges.items)};
  vectors->draft.outgoing.size += count;
}

void locvector_find_outgoing(LocVectors *vectors, LocVector *vector) {
  Joint *joint = &vectors->joint;
  if (vector->outgoing)
    return;
  vec_clear(&vectors->draft.outgoing);
  state_unpack(vectors->layout, vectors->draft.state, vector->words);
  if (vectors->before_outgoing)
    vectors->before_outgoing(vectors->before_context, vector);
  for (joint_begin(joint, vectors->draft.state); joint_next_number(joint);) {
    if (!joint->number) {
      const Joint *tested = joint->extra.count || !joint->edge_count ? joint : NULL;
      joint->number =
          locvector_find_transition(vectors, joint->edges, joint->edge_count, tested) + 1;
      if (!tested)
        joint_give_number(joint, joint->number);
    }
    vec_push(vectors->mem, &vectors->draft.outgoing,
             (OutgoingTransition){.transition = joint->number - 1});
  }
  const uint32_t processes = joint_has_async(joint) ? vectors->net->processes.size : 0;
  for (ProcessId p = 0; p < processes; p++)
    add_singles(vectors, p);
  const uint32_t count = vectors->draft.outgoing.size;
  vector->outgoing = arena_copy(&vectors->cache, vectors->draft.outgoing.items,
                                sizeof(OutgoingTransition) * count);
  vector->outgoing_count = count;
}
