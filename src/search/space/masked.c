#include "search/space/masked.h"

#include "base/intern.h"
#include "model/state.h"

#include <string.h>

typedef struct Masked {
  Space space; // first: a Space * is a Masked *
  Space *inner;
  Mem *mem;
  uint32_t words;        // of keys
  uint64_t *masks, *key; // by word: bits that are left out; the current key without them
  uint64_t *whole;       // a key of the inner space
  uint64_t *pair;        // the number of a zone, and by word what is left out of the key
  Intern pairs;
  VEC(uint32_t) list; // zones of the inner space, to be compared
} Masked;

static Masked *masked_of(Space *space) { return (Masked *)space; }

// The node of the inner space is the current one. The search must not take the number of its zone
// for one of its own.
static bool show(Masked *m) {
  m->space.ordinal = m->inner->ordinal;
  m->space.zone = 0;
  for (uint32_t i = 0; i < m->words; i++)
    m->key[i] = m->inner->key[i] & ~m->masks[i];
  return true;
}

static bool fail(Masked *m) {
  m->space.failure = m->inner->failure;
  m->space.failure_place = m->inner->failure_place;
  m->space.ordinal = m->inner->ordinal;
  return false;
}

static bool initial(Space *space) {
  Masked *m = masked_of(space);
  m->inner->next_initial = space->next_initial;
  const bool found = m->inner->initial(m->inner);
  space->next_initial = m->inner->next_initial;
  return found ? show(m) : fail(m);
}

static bool next(Space *space) {
  Masked *m = masked_of(space);
  return m->inner->next(m->inner) ? show(m) : fail(m);
}

// The pair with this number; the whole key is made of it.
static uint32_t find_pair(Masked *m, const uint64_t *key, uint32_t number) {
  const uint64_t *pair = intern_at(&m->pairs, number)->bytes;
  for (uint32_t i = 0; i < m->words; i++)
    m->whole[i] = key[i] | pair[i + 1];
  return (uint32_t)pair[0];
}

static void open(Space *space, const uint64_t *key, uint32_t zone) {
  Masked *m = masked_of(space);
  const uint32_t inner = find_pair(m, key, zone);
  m->inner->open(m->inner, m->whole, inner);
}

static void load(Space *space, const uint64_t *key, uint32_t zone) {
  Masked *m = masked_of(space);
  const uint32_t inner = find_pair(m, key, zone);
  m->inner->load(m->inner, m->whole, inner);
  show(m);
}

static uint32_t keep(Space *space) {
  Masked *m = masked_of(space);
  m->pair[0] = m->inner->keep(m->inner);
  for (uint32_t i = 0; i < m->words; i++)
    m->pair[i + 1] = m->inner->key[i] & m->masks[i];
  return intern_number(&m->pairs, m->pair, (m->words + 1) * sizeof *m->pair);
}

static bool is_goal(Space *space) {
  Masked *m = masked_of(space);
  const bool found = m->inner->is_goal && m->inner->is_goal(m->inner);
  return m->inner->failure ? fail(m) : found;
}

static bool is_true(Space *space) {
  return masked_of(space)->inner->is_true(masked_of(space)->inner);
}

// The zones in the list of the inner space, from `from` on.
static const uint32_t *translate(Masked *m, const uint32_t *zones, uint32_t from,
                                 uint32_t count) {
  vec_reserve(m->mem, &m->list, count + SPACE_SLACK / sizeof *zones);
  for (uint32_t i = from; i < count; i++)
    m->list.items[i] = (uint32_t) * (const uint64_t *)intern_at(&m->pairs, zones[i])->bytes;
  return m->list.items;
}

static uint32_t find_subsumer(Space *space, const uint32_t *zones, uint32_t count) {
  Masked *m = masked_of(space);
  return m->inner->find_subsumer(m->inner, translate(m, zones, 0, count), count);
}

static uint32_t find_subsumed(Space *space, const uint32_t *zones, uint32_t from,
                              uint32_t count) {
  Masked *m = masked_of(space);
  return m->inner->find_subsumed(m->inner, translate(m, zones, from, count), from, count);
}

static bool order_run(Space *space, const Goal *goal, uint32_t *ordinals, uint32_t count) {
  Space *inner = masked_of(space)->inner;
  return inner->order_run(inner, goal, ordinals, count);
}

static size_t shared_bytes(const Space *space) {
  const Masked *m = (const Masked *)space;
  return m->pairs.bytes + (m->inner->shared_bytes ? m->inner->shared_bytes(m->inner) : 0);
}

static void find_masks(Masked *m, const Net *net) {
  Arena arena = {.mem = m->mem};
  StateLayout layout;
  state_layout(&layout, &arena, net);
  for (uint32_t slot = 0; slot < net->location_slot; slot++)
    if (net->slots.is_kept[slot] && !(net->slots.control && net->slots.control[slot]))
      m->masks[layout.fields[slot].word] |= layout.fields[slot].mask << layout.fields[slot].shift;
  arena_release(&arena);
}

Space *masked_new(const Net *net, Space *inner) {
  Mem *mem = inner->mem;
  if (inner->passed || inner->needs || inner->orbit)
    return inner;
  Masked *m = mem_alloc(mem, sizeof *m);
  const uint32_t words = inner->key_words;
  const size_t bytes = words * sizeof *m->key;
  *m = (Masked){.inner = inner, .mem = mem, .words = words};
  m->masks = mem_alloc(mem, bytes);
  m->key = mem_alloc(mem, bytes);
  m->whole = mem_alloc(mem, bytes);
  m->pair = mem_alloc(mem, bytes + sizeof *m->pair);
  intern_init(&m->pairs, mem);
  find_masks(m, net);
  m->space = (Space){.net = inner->net,
                     .key_words = words,
                     .key = m->key,
                     .initial = initial,
                     .open = open,
                     .next = next,
                     .is_goal = is_goal,
                     .is_true = inner->is_true ? is_true : NULL,
                     .find_subsumer = find_subsumer,
                     .find_subsumed = find_subsumed,
                     .keep = keep,
                     .load = load,
                     .order_run = inner->order_run ? order_run : NULL,
                     .mem = mem,
                     .shared_bytes = shared_bytes};
  return &m->space;
}

Space *masked_inner(Space *space) {
  return space->open == open ? masked_of(space)->inner : space;
}
