#include "semantics/local/localvector.h"

#include "dbm/stored/offsetpack.h"
#include "semantics/zone/locvector_make.h"

#include <string.h>

// Whether time stands still in a location.
static bool is_frozen(const LocalVectors *vectors, LocationId location) {
  return vectors->net->by_location.urgent[location] && !PLANTED("local-urgent");
}

void localvector_add_ceiling(LocalVectors *vectors, ProcessId p, LocationId location,
                             const ClockTest *test) {
  if (test->i && !test->j && !is_frozen(vectors, location) && !PLANTED("local-ceilings"))
    vec_push(vectors->mem, &vectors->found,
             ((Constraint){localaction_time(&vectors->all, p), test->i - 1,
                           bound_make(code_narrow(test->constant), test->strict)}));
}

static int16_t *new_mask(LocalVectors *vectors) {
  return ARENA_ARRAY(&vectors->of->arena, int16_t, offsetstep_stride(vectors->all.n));
}

static void find_variables(LocalVectors *vectors) {
  const Net *net = vectors->net;
  const Resources *c = vectors->resources;
  OffsetShape *all = &vectors->all;
  all->clocks = net->clock_count;
  all->first_time = all->clocks + c->written_count;
  all->times = net->processes.size;
  all->n = all->first_time + all->times + c->count;
  all->stride = dbm_stride(all->n);
  vectors->times = new_mask(vectors);
  for (uint32_t p = 0; p < all->times; p++)
    vectors->times[all->first_time + p] = -1;
}

// In local time most location vectors have one zone: what is known of them is not asked for
// often, and a larger share was no faster.
enum { SHARE = 12 };

bool localvector_keep_small(LocalVectors *vectors) {
  const size_t more =
      vectors->numbers[LOCAL_SETTINGS].bytes + vectors->numbers[LOCAL_STEPS].bytes;
  locvector_keep_small(vectors->of, SHARE, more);
  if (vectors->of->list.size)
    return false;
  for (uint32_t t = 0; t < vectors->of->transitions.size; t++)
    vectors->of->transitions.items[t]->more = NULL;
  for (uint32_t i = 0; i < LOCAL_NUMBERS; i++)
    if (i != LOCAL_SHAPES)
      intern_clear(&vectors->numbers[i]);
  return true;
}

static LocalShape *make_shape(LocalVectors *vectors, uint32_t number, const uint32_t *rows,
                              uint32_t count) {
  Arena *arena = &vectors->of->arena;
  const OffsetShape *all = &vectors->all;
  LocalShape *result = ARENA_NEW(arena, LocalShape);
  OffsetShape *shape = &result->shape;
  uint32_t *own = ARENA_ARRAY(arena, uint32_t, count);
  uint32_t *place = ARENA_ARRAY(arena, uint32_t, all->n);
  int32_t *columns = ARENA_ARRAY(arena, int32_t, all->stride);
  int16_t *narrow = new_mask(vectors);
  uint64_t *clocks = ARENA_ARRAY(arena, uint64_t, localvector_set_words(vectors));
  result->number = number;
  *shape = *all;
  for (uint32_t i = all->clocks; i < all->n; i++)
    columns[i] = -1;
  for (uint32_t r = 0; r < count; r++) {
    own[r] = rows[r];
    place[rows[r]] = r;
    columns[rows[r]] = -1;
    if (rows[r] < all->clocks)
      localvector_add_clock(clocks, rows[r]);
    shape->clock_rows += rows[r] < all->clocks;
    shape->frozen_from += rows[r] < all->first_time;
  }
  for (uint32_t i = 0; i < all->n; i++)
    narrow[i] = (int16_t)columns[i];
  shape->rows = own;
  shape->row_count = count;
  shape->place = place;
  shape->columns = columns;
  result->clocks = clocks;
  result->masks = (OffsetStepShape){.columns = narrow, .times = vectors->times};
  return result;
}

// The active clocks, the events, the frozen times.
static const LocalShape *find_shape(LocalVectors *vectors, const ActiveClocks *active) {
  const OffsetShape *all = &vectors->all;
  const bool *stops = vectors->stops;
  LocVectors *of = vectors->of;
  locvector_begin_words(of, all->n, 0, 0, 0);
  uint32_t *rows = of->draft.words.items + of->draft.words.size, count = 0;
  for (uint32_t i = 1; i < active->k; i++)
    rows[count++] = active->clocks[i] - 1;
  for (uint32_t i = all->clocks; i < all->first_time; i++)
    rows[count++] = i;
  if (stops)
    joint_stops(&of->joint, of->draft.state, vectors->stops);
  for (ProcessId p = 0; vectors->has_frozen && p < all->times; p++)
    if ((stops && stops[p]) || is_frozen(vectors, localvector_location(vectors, p)))
      rows[count++] = localaction_time(all, p);
  of->draft.words.size += count;
  const uint32_t number = locvector_end_words(of, &vectors->numbers[LOCAL_SHAPES]);
  InternItem *item = intern_at(&vectors->numbers[LOCAL_SHAPES], number);
  if (!item->value)
    item->value = make_shape(vectors, number, rows, count);
  return item->value;
}

// The same, found again by the clocks alone if there are no frozen times.
static const LocalShape *recall_shape(LocalVectors *vectors, const LocVector *vector) {
  if (vectors->has_frozen)
    return find_shape(vectors, &vector->active);
  InternItem *map = intern_at(&vectors->of->numbers[VECTOR_MAPS], vector->map);
  if (!map->value)
    map->value = find_shape(vectors, &vector->active);
  return map->value;
}

const LocalSetting *localvector_setting(LocalVectors *vectors, const LocalShape *shape,
                                        uint32_t bounds) {
  const uint32_t count = vectors->found.size, clocks = vectors->all.clocks;
  vectors->found.items[0] = (Constraint){shape->number, bounds, 0};
  const uint32_t number = intern_number(&vectors->numbers[LOCAL_SETTINGS], vectors->found.items,
                                        count * sizeof(Constraint));
  InternItem *item = intern_at(&vectors->numbers[LOCAL_SETTINGS], number);
  if (item->value)
    return item->value;
  const Constraint *kept = item->bytes;
  LocalSetting *setting =
      arena_alloc(&vectors->of->cache, sizeof *setting + offsetpack_padded(clocks));
  int8_t *least = (int8_t *)(setting + 1);
  offsetpack_least(least, clocks, kept + 1, count - 1);
  *setting = (LocalSetting){.number = number,
                            .shape = shape,
                            .bounds = bounds,
                            .ceilings = kept + 1,
                            .ceiling_count = count - 1,
                            .least = least};
  return item->value = setting;
}

// The setting of LocVectors.draft; without ceilings, and is_dynamic is set, if some depend on
// variables.
static const LocalSetting *find_setting(LocalVectors *vectors, const LocalShape *shape,
                                        uint32_t bounds, bool *is_dynamic) {
  localvector_clear_ceilings(vectors);
  for (uint32_t i = 0; i < vectors->limited_count; i++) {
    const ProcessId p = vectors->limited[i];
    const LocationId location = localvector_location(vectors, p);
    const Guard *guard = vectors->net->by_location.invariants[location];
    if (!guard)
      continue;
    *is_dynamic |= guard->test_count || guard->code;
    for (uint32_t t = 0; t < guard->clock_test_count; t++)
      localvector_add_ceiling(vectors, p, location, &guard->clock_tests[t]);
  }
  if (*is_dynamic)
    localvector_clear_ceilings(vectors);
  return localvector_setting(vectors, shape, bounds);
}

// As LocVectors.after_make.
static void make_vector(void *context, LocVector *of) {
  LocalVectors *vectors = context;
  LocalVector *vector = arena_alloc(&vectors->of->cache, sizeof *vector);
  vector->vector = of;
  const LocalShape *shape = recall_shape(vectors, of);
  vector->shape = &shape->shape;
  vector->setting =
      find_setting(vectors, shape, of->active.bounds->packed.number, &vector->is_dynamic);
  of->more = vector;
}

void localvector_init(LocalVectors *vectors, Mem *mem, const Net *net, LocVectors *of,
                      const Resources *resources) {
  *vectors = (LocalVectors){.mem = mem, .net = net, .of = of, .resources = resources};
  of->wants.only_bounds = true; // invariants are those of each process, see LocalSetting
  of->after_make = make_vector;
  of->make_context = vectors;
  for (uint32_t i = 0; i < LOCAL_NUMBERS; i++)
    intern_init(&vectors->numbers[i], mem);
  vectors->has_frozen = resources->has_urgent;
  vectors->limited = ARENA_ARRAY(&of->arena, ProcessId, net->processes.size);
  for (LocationId l = 0; l < net->locations.size; l++) { // those of a process are neighbours
    const ProcessId p = net->locations.items[l].process;
    vectors->has_frozen |= is_frozen(vectors, l);
    if (net->by_location.invariants[l] &&
        (!vectors->limited_count || vectors->limited[vectors->limited_count - 1] != p))
      vectors->limited[vectors->limited_count++] = p;
  }
  if (resources->has_urgent)
    vectors->stops = ARENA_ARRAY(&of->arena, bool, net->processes.size);
  find_variables(vectors);
  vec_reserve(mem, &vectors->found, 1);
  localaction_init(&vectors->maker, mem, &of->arena, resources, &vectors->all);
}
