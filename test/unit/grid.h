// Naive semantics for tests of the engine: concrete states, with every clock a multiple of
// 1/scale, one after the other. It shares the discrete part (model/joint.h) with the engine,
// and nothing that knows of zones.
#pragma once

#include "language/gen/gen.h"
#include "model/joint.h"
#include "model/state.h"
#include "reading.h"

enum { POINT_SLOTS = 24, POINT_CLOCKS = 8 };

typedef struct Point {
  int32_t state[POINT_SLOTS];
  int64_t clocks[POINT_CLOCKS]; // times the scale; [0] is 0
} Point;

// What moves points.
typedef struct Mover {
  Mem *mem;
  const Net *net;
  int64_t scale;
  Arena arena;
  Vm vm;
  Joint joint;
  ClockTests tests;
  ClockUpdates updates;
  bool has_failed; // a run-time error of the model
} Mover;

static inline void mover_init(Mover *m, Mem *mem, const Net *net, int64_t scale) {
  *m = (Mover){.mem = mem, .net = net, .scale = scale, .arena = {.mem = mem}};
  assert_true(net->slots.count <= POINT_SLOTS && net->clock_count < POINT_CLOCKS);
  net_vm(net, &m->vm, mem);
  joint_init(&m->joint, net, &m->arena);
}

static inline void mover_release(Mover *m) {
  vm_release(&m->vm);
  vec_release(m->mem, &m->tests);
  vec_release(m->mem, &m->updates);
  arena_release(&m->arena);
}

static inline bool mover_holds(Mover *m, VmResult result, const Point *point) {
  m->has_failed |= result == VM_ERROR;
  if (result != VM_TRUE)
    return false;
  for (uint32_t i = 0; i < m->tests.size; i++) {
    const ClockTest t = m->tests.items[i];
    const int64_t room = t.constant * m->scale - (point->clocks[t.i] - point->clocks[t.j]);
    if (t.strict ? room <= 0 : room < 0)
      return false;
  }
  return true;
}

static inline bool mover_stays(Mover *m, const Point *point) { // the invariant holds
  vec_clear(&m->tests);
  return mover_holds(m, joint_invariant(m->net, &m->vm, point->state, &m->tests), point);
}

// False if time may not pass that much; the invariants are convex, so that the end decides.
static inline bool mover_delay(Mover *m, Point *point, int64_t time) {
  if (time && !state_may_delay(m->net, point->state))
    return false;
  for (ClockIndex x = 1; x <= m->net->clock_count; x++)
    point->clocks[x] += time;
  return mover_stays(m, point);
}

// The joint transition that m->joint is on; false if it is not enabled.
static inline bool mover_fire(Mover *m, Point *point) {
  vec_clear(&m->tests);
  if (!mover_holds(m, joint_guard(&m->joint, &m->vm, point->state, &m->tests), point))
    return false;
  vec_clear(&m->updates);
  const VmResult result = joint_fire(&m->joint, &m->vm, point->state, &m->updates);
  m->has_failed |= result == VM_ERROR;
  if (result != VM_TRUE)
    return false;
  for (uint32_t i = 0; i < m->updates.size; i++) {
    const ClockUpdate u = m->updates.items[i];
    point->clocks[u.x] = point->clocks[u.y] + u.constant * m->scale;
    if (point->clocks[u.x] < 0) {
      m->has_failed = true;
      return false;
    }
  }
  return mover_stays(m, point);
}

// A set of numbers, kept sorted when it is complete.
typedef VEC(uint64_t) Set;

static inline int set_order(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static inline void set_finish(Set *set) {
  if (set->size)
    qsort(set->items, set->size, sizeof *set->items, set_order);
  uint32_t size = 0;
  for (uint32_t i = 0; i < set->size; i++)
    if (!size || set->items[size - 1] != set->items[i])
      set->items[size++] = set->items[i];
  set->size = size;
}

static inline bool set_includes(const Set *big, const Set *small) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < small->size; i++) {
    while (at < big->size && big->items[at] < small->items[i])
      at++;
    if (at == big->size || big->items[at] != small->items[i])
      return false;
  }
  return true;
}

static inline bool set_equals(const Set *a, const Set *b) {
  return a->size == b->size && set_includes(a, b);
}

// The points found, in a table with open addressing; beyond `max` it gives up.
typedef struct Points {
  Mover mover;
  int64_t cap; // clocks stop here: no test tells larger values apart
  VEC(Point) list;
  uint32_t *table; // index + 1
  uint32_t mask, max;
} Points;

static inline void points_add(Points *p, Point point) {
  for (uint32_t x = 1; x < POINT_CLOCKS; x++)
    point.clocks[x] = point.clocks[x] > p->cap ? p->cap : point.clocks[x];
  uint64_t hash = 1469598103934665603u;
  for (uint32_t i = 0; i < sizeof point; i++)
    hash = (hash ^ ((const unsigned char *)&point)[i]) * 1099511628211u;
  uint32_t at = (uint32_t)(hash >> 32) & p->mask;
  for (; p->table[at]; at = (at + 1) & p->mask)
    if (!memcmp(&p->list.items[p->table[at] - 1], &point, sizeof point))
      return;
  if (p->list.size == p->max)
    return;
  vec_push(p->mover.mem, &p->list, point);
  p->table[at] = p->list.size;
}

static inline void points_expand(Points *p, Point from) {
  Mover *m = &p->mover;
  Point next = from;
  if (state_may_delay(m->net, from.state) && mover_delay(m, &next, 1))
    points_add(p, next);
  joint_begin(&m->joint, from.state);
  while (joint_next(&m->joint)) {
    next = from;
    if (mover_fire(m, &next))
      points_add(p, next);
  }
}

// The discrete states (packed in one word) that are reached on the grid of 1/scale, in `reached`;
// false if there are too many points or the model fails at run time.
static inline bool points_explore(Set *reached, Mem *mem, const Net *net, int64_t scale,
                                  int64_t max_constant, uint32_t max_points) {
  Points p = {.cap = (max_constant + 1) * scale, .max = max_points, .mask = 1};
  mover_init(&p.mover, mem, net, scale);
  while (p.mask < 4 * max_points)
    p.mask = 2 * p.mask + 1;
  p.table = mem_alloc(mem, sizeof *p.table * (p.mask + 1));
  StateLayout layout;
  state_layout(&layout, &p.mover.arena, net);
  assert_true(layout.words == 1);
  Point point = {0};
  for (uint32_t i = 0; state_initial(net, point.state, i); i++)
    if (mover_stays(&p.mover, &point))
      points_add(&p, point);
  for (uint32_t i = 0; i < p.list.size; i++) {
    points_expand(&p, p.list.items[i]);
    uint64_t key;
    state_pack(&layout, &key, p.list.items[i].state);
    vec_push(mem, reached, key);
  }
  set_finish(reached);
  const bool complete = p.list.size < max_points && !p.mover.has_failed;
  mem_free(mem, p.table);
  vec_release(mem, &p.list);
  mover_release(&p.mover);
  return complete;
}

// A random net: the arguments of `tarn gen random`, NULL at the end, the seed put before them.
// The text is malloc's.
static inline char *points_random_text(uint64_t seed, const char *const *arguments) {
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  Text text = {.mem = &mem};
  char number[32];
  snprintf(number, sizeof number, "seed=%u", (unsigned)seed);
  const char *all[20] = {number};
  int count = 1;
  while (*arguments && count < 20)
    all[count++] = *arguments++;
  if (!gen_write(&text, &report, "random", count, all))
    fail_msg("%s", text_chars(&report.error));
  char *copy = malloc(text.size + 1);
  memcpy(copy, text_chars(&text), text.size + 1);
  mem_release(&mem);
  return copy;
}
