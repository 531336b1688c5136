#include "answers/runs/alike.h"

#include "base/intern.h"
#include "search/options.h"
#include "semantics/zone/zones.h"

#include <stdlib.h>
#include <string.h>

// A node of one side as bytes: the discrete state, then the bounds in units of the source.
typedef struct Form {
  const char *bytes;
  size_t size;
  uint32_t number; // in `keys`
  uint32_t zone;
} Form;
typedef VEC(Form) Forms;

typedef struct Side {
  Net timed;
  Space *space;
  Bound *zone; // over all clocks
  Intern keys;
  Forms forms; // successors of the opened node
} Side;

typedef struct Pair { // one node, in both networks
  uint32_t keys[2], zones[2];
} Pair;

typedef struct Comparison {
  Mem *mem;
  Arena arena; // of the bytes of forms
  Side sides[2];
  Intern seen;
  VEC(Pair) pairs;
} Comparison;

static int64_t in_source(const Net *net, Bound b) {
  return b == BOUND_INF ? INT64_MAX : bound_constant(b) * net_unit(net) * 2 + !bound_is_strict(b);
}

static void note(Comparison *c, Side *side) {
  Space *space = side->space;
  const Net *net = &side->timed;
  const uint32_t n = net->clock_count + 1;
  const size_t states = sizeof(int32_t) * net->slots.count;
  const size_t size = states + sizeof(int64_t) * n * n;
  zones_widen(space, side->zone);
  char *bytes = arena_alloc(&c->arena, size);
  memcpy(bytes, zones_state(space), states);
  for (uint32_t i = 0; i < n * n; i++) {
    const int64_t bound = in_source(net, side->zone[i / n * dbm_stride(n) + i % n]);
    memcpy(bytes + states + sizeof bound * i, &bound, sizeof bound);
  }
  const Form form = {
      .bytes = bytes,
      .size = size,
      .number = intern_number(&side->keys, space->key, sizeof *space->key * space->key_words),
      .zone = space->keep(space)};
  vec_push(c->mem, &side->forms, form);
}

static int by_bytes(const void *a, const void *b) {
  const Form *x = a, *y = b;
  return memcmp(x->bytes, y->bytes, x->size); // all of a network have one size
}

static void sort_forms(Forms *forms) {
  uint32_t kept = 0;
  if (forms->size)
    qsort(forms->items, forms->size, sizeof *forms->items, by_bytes);
  for (uint32_t i = 0; i < forms->size; i++)
    if (!kept || by_bytes(&forms->items[kept - 1], &forms->items[i]))
      forms->items[kept++] = forms->items[i];
  forms->size = kept;
}

// Both sides have made their successors: they are compared, and new ones are put into the queue.
static Alike match(Comparison *c) {
  Side *a = &c->sides[0], *b = &c->sides[1];
  if (a->space->failure || b->space->failure)
    return a->space->failure && b->space->failure ? ALIKE_UNKNOWN : ALIKE_DIFFERENT;
  sort_forms(&a->forms);
  sort_forms(&b->forms);
  if (a->forms.size != b->forms.size)
    return ALIKE_DIFFERENT;
  for (uint32_t i = 0; i < a->forms.size; i++) {
    const Form *one = &a->forms.items[i], *other = &b->forms.items[i];
    if (by_bytes(one, other))
      return ALIKE_DIFFERENT;
    const uint32_t known = c->seen.items.size;
    if (intern_number(&c->seen, one->bytes, one->size) > known)
      vec_push(c->mem, &c->pairs,
               ((Pair){{one->number, other->number}, {one->zone, other->zone}}));
  }
  arena_release(&c->arena);
  return ALIKE_SAME;
}

static void open(Side *side, uint32_t number, uint32_t zone) {
  const InternItem *key = intern_at(&side->keys, number);
  side->space->open(side->space, key->bytes, zone);
}

static bool begin(Comparison *c, const Net *const *nets, const Options *options, Report *report) {
  for (int i = 0; i < 2; i++) {
    Side *side = &c->sides[i];
    intern_init(&side->keys, c->mem);
    net_measure(&side->timed, nets[i], &c->arena);
    side->space = zones_new(c->mem, &side->timed, NULL, options, report);
    if (!side->space)
      return false;
    const uint32_t n = side->timed.clock_count + 1;
    side->zone = mem_alloc(c->mem, sizeof *side->zone * n * dbm_stride(n));
  }
  return true;
}

static Alike explore(Comparison *c, uint32_t *nodes, bool *is_all) {
  const uint32_t most = *nodes;
  for (int i = 0; i < 2; i++)
    while (c->sides[i].space->initial(c->sides[i].space))
      note(c, &c->sides[i]);
  Alike found = match(c);
  for (*nodes = 0; found == ALIKE_SAME && *nodes < c->pairs.size && *nodes < most; ++*nodes) {
    const Pair pair = c->pairs.items[*nodes];
    for (int i = 0; i < 2; i++) {
      Side *side = &c->sides[i];
      vec_clear(&side->forms);
      open(side, pair.keys[i], pair.zones[i]);
      while (side->space->next(side->space))
        note(c, side);
    }
    found = match(c);
    mem_tick(c->mem);
  }
  *is_all = *nodes == c->pairs.size;
  return found;
}

static Alike compare(Mem *owner, const Net *const *nets, int delay, uint32_t *nodes,
                     bool *is_all) {
  Mem *mem = mem_part(owner);
  Comparison c = {.mem = mem, .arena = {.mem = mem}};
  Options options;
  Report report;
  Alike found = ALIKE_UNKNOWN;
  options_init(&options);
  options.engine = ENGINE_ZONES;
  options.abstraction = ABSTRACTION_NONE;
  options.delay = delay;
  report_init(&report, mem);
  intern_init(&c.seen, mem);
  const bool ok = begin(&c, nets, &options, &report);
  c.arena = (Arena){.mem = mem}; // what the networks are made of stays
  if (ok)
    found = explore(&c, nodes, is_all);
  mem_release_part(mem);
  return found;
}

// Zones before the delay have the times at which a state is entered, those after it the times for
// which it can last. Neither tells all of the other.
Alike alike_compare(Mem *mem, const Net *one, const Net *other, uint32_t *nodes, bool *is_all) {
  const Net *const nets[] = {one, other};
  if (net_is_wide(one) || net_is_wide(other) || one->traits.has_stopwatches ||
      other->traits.has_stopwatches || one->traits.has_unread_rates ||
      other->traits.has_unread_rates) // there, equal zones would not mean equal runs
    return ALIKE_UNKNOWN;
  if (one->slots.count != other->slots.count || one->clock_count != other->clock_count)
    return ALIKE_DIFFERENT;
  uint32_t again = *nodes;
  bool is_all_again = false;
  Alike found = compare(mem, nets, DELAY_AFTER, nodes, is_all);
  if (found == ALIKE_SAME)
    found = compare(mem, nets, DELAY_BEFORE, &again, &is_all_again);
  if (found == ALIKE_SAME && again < *nodes)
    *nodes = again;
  *is_all = *is_all && is_all_again;
  return found;
}
