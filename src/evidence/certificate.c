#include "evidence/certificate.h"

#include "check/certificate_format.h"
#include "dbm/extra.h"
#include "evidence/encode.h"
#include "local/local.h"
#include "search/fly.h"
#include "search/nodes.h"
#include "symmetry/orbit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FLUSH = 1 << 16 };

typedef struct Hint { // a successor: its ordinal, and the node that covers it
  uint32_t ordinal, node;
  uint32_t renaming; // where in Writer.renamings it says how it was renamed
} Hint;

typedef struct Entry { // a group, to be sorted by its key
  const uint64_t *key;
  uint32_t words, group;
} Entry;

// Clock bounds that have been defined: their text, found again by hash.
typedef struct Known {
  uint64_t hash;
  size_t offset, size; // in `definitions`
} Known;

// How the nodes of a space are seen. Those of local time are seen as their synchronised zones,
// which are nodes of global time, modulo the simulation by clock bounds
// (doc/notes/local-time.md).
typedef struct View {
  void (*load)(Space *, const uint64_t *key, uint32_t zone);
  const Bound *(*zone)(Space *);
  bool (*uses_bounds)(const Space *); // what covers depends on clock bounds, else on inclusion
} View;

static void load_local(Space *space, const uint64_t *key, uint32_t zone) {
  space->load(space, key, zone);
}

static const View global_view = {zones_load, zones_zone, zones_uses_bounds};
static const View local_view = {load_local, local_zone, local_uses_bounds};

typedef struct Writer {
  FILE *file;
  Mem *mem;
  const Net *net;
  Reach *reach;
  Reach *now; // with the space that has the current node
  const View *view;
  const CertificateLive *live;
  bool is_m;
  Text out;
  bool failed;           // to write
  VEC(NodeRef) order;    // the stored nodes, in the order of the file
  VEC(uint32_t) numbers; // by NodeRef: its place there
  VEC(Entry) entries;
  VEC(Hint) hints;
  VEC(uint32_t) renamings; // of the hints: for each family how many ids move, and these
  VEC(Known) known;
  uint32_t *table; // open addressing: index in `known` + 1
  uint32_t mask;
  Text definitions, definition;
  int32_t *lower, *upper; // by clock
  bool has_differences;   // they matter in the search
  ClockTests differences; // of a node
  // With bounds that were found during the search, by NodeRef: the visited node that covers it
  // (NULL otherwise), and the children of each node.
  NodeRef *subsumers, *children;
  uint32_t *first_child; // and one more
} Writer;

// The zone engine that has the current node.
static Space *zones_now(const Writer *w) { return w->live ? w->live->zones : w->now->space; }

static void flush(Writer *w, size_t least) {
  w->failed |= !encode_flush(&w->out, w->file, least);
}

static int compare(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  for (uint32_t i = 0; i < x->words; i++)
    if (x->key[i] != y->key[i])
      return x->key[i] < y->key[i] ? -1 : 1;
  return 0;
}

static bool is_written(const Writer *w, NodeRef ref) {
  const Node *node = nodes_at(w->reach, ref);
  return w->subsumers ? w->subsumers[ref] == ref : node && node->is_stored;
}

// Groups by key, nodes of a group by age.
static void sort(Writer *w) {
  const Reach *reach = w->reach;
  const NodeRef limit = nodes_limit(reach);
  const uint32_t groups = nodes_group_limit(reach);
  Arena keys = {.mem = w->mem};
  uint32_t *first = mem_alloc(w->mem, (groups + (size_t)1) * sizeof *first);
  for (NodeRef ref = 0; ref < limit; ref++)
    if (is_written(w, ref))
      first[nodes_group(reach, ref)]++;
  for (uint32_t g = 0; g < groups; g++)
    if (first[g])
      vec_push(w->mem, &w->entries,
               ((Entry){nodes_keep_key(reach, &keys, g), reach->store.key_words, g}));
  if (w->entries.size) // none without an initial state, and qsort takes no NULL
    qsort(w->entries.items, w->entries.size, sizeof *w->entries.items, compare);
  arena_release(&keys);
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->entries.size; i++) {
    const uint32_t size = first[w->entries.items[i].group];
    first[w->entries.items[i].group] = count;
    count += size;
  }
  vec_reserve(w->mem, &w->order, count);
  vec_reserve(w->mem, &w->numbers, limit);
  w->order.size = count;
  w->numbers.size = limit;
  for (NodeRef ref = 0; ref < limit; ref++)
    if (is_written(w, ref)) {
      w->numbers.items[ref] = first[nodes_group(reach, ref)]++;
      w->order.items[w->numbers.items[ref]] = ref;
    }
  mem_free(w->mem, first);
}

// Codes of the bounds of a clock. For inclusion they are infinite, but not for clocks that do not
// matter: what a search with bounds for the whole model keeps of those need not be true.
static void put_bound(Text *text, int32_t lower, int32_t upper, bool uses_bounds) {
  if (!uses_bounds && (lower != CLOCK_NO_BOUND || upper != CLOCK_NO_BOUND)) {
    encode_number(text, CERTIFY_INFINITE);
    encode_number(text, CERTIFY_INFINITE);
    return;
  }
  encode_number(text, lower == CLOCK_NO_BOUND ? CERTIFY_NONE : (uint64_t)lower + CERTIFY_FIRST);
  encode_number(text, upper == CLOCK_NO_BOUND ? CERTIFY_NONE : (uint64_t)upper + CERTIFY_FIRST);
}

static void grow_table(Writer *w) {
  mem_free(w->mem, w->table);
  w->mask = w->mask * 2 + 1;
  w->table = mem_alloc(w->mem, (w->mask + (size_t)1) * sizeof *w->table);
  for (uint32_t i = 0; i < w->known.size; i++) {
    uint32_t at = (uint32_t)w->known.items[i].hash & w->mask;
    while (w->table[at])
      at = (at + 1) & w->mask;
    w->table[at] = i + 1;
  }
}

// The bounds of the current node, by clock.
static void find_bounds(Writer *w, NodeRef ref) {
  const uint32_t n = w->net->clock_count + 1;
  if (!w->subsumers) {
    if (!zones_local_bounds(zones_now(w), w->lower, w->upper))
      memset(w->lower, 0, n * sizeof *w->lower); // all matter
    for (uint32_t x = 0; w->is_m && x < n; x++)
      w->lower[x] = w->upper[x] = w->lower[x] > w->upper[x] ? w->lower[x] : w->upper[x];
    return;
  }
  const ActiveClocks *active = zones_active(zones_now(w));
  const PackedBounds *levels = fly_bounds(w->reach->fly, ref);
  for (uint32_t x = 0; x < n; x++)
    w->lower[x] = w->upper[x] = CLOCK_NO_BOUND;
  for (uint32_t i = 1; levels && i < active->k; i++) {
    w->lower[active->clocks[i]] = levels->lower[i];
    w->upper[active->clocks[i]] = levels->upper[i];
  }
}

static void put_differences(Writer *w, const ActiveClocks *active) {
  Text *text = &w->definition;
  zones_differences(zones_now(w), &w->differences);
  encode_number(text, w->differences.size);
  for (uint32_t i = 0; i < w->differences.size; i++) {
    const Constraint c = activeclocks_constraint(active, &w->differences.items[i]);
    encode_number(text, c.i);
    encode_number(text, c.j);
    encode_integer(text, c.bound);
  }
}

// The clocks and bounds of the current node: by index, and defined if they are new.
static void put_bounds(Writer *w, NodeRef ref) {
  const ActiveClocks *active = zones_active(zones_now(w));
  Text *text = &w->definition;
  text_clear(text);
  find_bounds(w, ref);
  encode_number(text, active->k - 1);
  for (uint32_t i = 1; i < active->k; i++) {
    const ClockId x = active->clocks[i];
    encode_number(text, x - active->clocks[i - 1] - 1);
    put_bound(text, w->lower[x], w->upper[x], w->view->uses_bounds(zones_now(w)));
  }
  if (w->has_differences)
    put_differences(w, active);
  if (w->known.size >= w->mask / 2)
    grow_table(w);
  const Known now = {XXH3_64bits(text->chars, text->size), w->definitions.size, text->size};
  uint32_t at = (uint32_t)now.hash & w->mask;
  for (; w->table[at]; at = (at + 1) & w->mask) {
    const Known *known = &w->known.items[w->table[at] - 1];
    if (known->hash == now.hash && known->size == now.size &&
        !memcmp(w->definitions.chars + known->offset, text->chars, now.size)) {
      encode_number(&w->out, w->table[at] - 1);
      return;
    }
  }
  encode_number(&w->out, w->known.size);
  text_add_bytes(&w->out, text->chars, text->size);
  text_add_bytes(&w->definitions, text->chars, text->size);
  vec_push(w->mem, &w->known, now);
  w->table[at] = w->known.size;
}

static void put_matrix(Writer *w) {
  const uint32_t k = zones_active(zones_now(w))->k, stride = dbm_stride(k);
  const Bound *zone = w->view->zone(zones_now(w));
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++)
      if (i != j) {
        const Bound bound = zone[i * stride + j];
        encode_number(&w->out, bound == BOUND_INF ? 0 : encode_sign(bound) + 1);
      }
}

// How the current node was renamed after it was made.
static void add_renaming(Writer *w) {
  const Space *space = w->now->space;
  for (uint32_t f = 0; space->orbit && f < space->orbit->count; f++) {
    const OrbitFamily *family = &space->orbit->families[f];
    const uint32_t first = w->renamings.size;
    vec_push(w->mem, &w->renamings, 0);
    for (uint32_t i = 0; space->is_renamed && family->is_moved && i < family->family->size; i++)
      if (family->image[i] != i) {
        w->renamings.items[first]++;
        vec_push(w->mem, &w->renamings, i);
        vec_push(w->mem, &w->renamings, family->image[i]);
      }
  }
}

static void put_renaming(Writer *w, const Hint *hint) {
  const Space *space = w->reach->space;
  const uint32_t *at = w->renamings.items + hint->renaming;
  for (uint32_t f = 0; space->orbit && f < space->orbit->count; f++)
    for (uint32_t count = 2 * *at + 1; count; count--)
      encode_number(&w->out, *at++);
}

static bool add_hint(Writer *w, uint32_t ordinal, NodeRef subsumer) {
  if (subsumer == NODE_NONE)
    return false;
  const Hint hint = {ordinal, w->numbers.items[subsumer], w->renamings.size};
  add_renaming(w);
  vec_push(w->mem, &w->hints, hint);
  // With a seed they come in any order.
  for (uint32_t i = w->hints.size - 1; i && w->hints.items[i - 1].ordinal > hint.ordinal; i--) {
    w->hints.items[i] = w->hints.items[i - 1];
    w->hints.items[i - 1] = hint;
  }
  return true;
}

// A hint for the space's current node, which the store must cover.
static bool add_current(Writer *w) {
  return add_hint(w, w->now->space->ordinal, nodes_subsumer(w->now));
}

// With bounds found during the search every successor is a node.
static bool add_children(Writer *w, NodeRef parent) {
  const uint32_t slot = parent == NODE_NONE ? w->reach->store.nodes.size : parent;
  for (uint32_t i = w->first_child[slot]; i < w->first_child[slot + 1]; i++) {
    const NodeRef child = w->children[i];
    if (!add_hint(w, store_node(&w->reach->store, child)->ordinal, w->subsumers[child]))
      return false;
  }
  return true;
}

// Children by parent, those without one last.
static void find_children(Writer *w) {
  const Store *store = &w->reach->store;
  const uint32_t count = store->nodes.size;
  w->subsumers = mem_alloc(w->mem, (count + (size_t)1) * sizeof *w->subsumers);
  w->children = mem_alloc(w->mem, (count + (size_t)1) * sizeof *w->children);
  w->first_child = mem_alloc(w->mem, (count + (size_t)3) * sizeof *w->first_child);
  fly_subsumers(w->reach->fly, w->subsumers);
  for (NodeRef ref = 0; ref < count; ref++) {
    const NodeRef parent = store_node(store, ref)->parent;
    w->first_child[(parent == NODE_NONE ? count : parent) + 2]++;
  }
  for (uint32_t i = 0; i < count + 1; i++)
    w->first_child[i + 2] += w->first_child[i + 1];
  for (NodeRef ref = 0; ref < count; ref++) {
    const NodeRef parent = store_node(store, ref)->parent;
    w->children[w->first_child[(parent == NODE_NONE ? count : parent) + 1]++] = ref;
  }
}

static void put_hints(Writer *w) {
  uint32_t next = 0;
  encode_number(&w->out, w->hints.size);
  for (uint32_t i = 0; i < w->hints.size; i++) {
    encode_number(&w->out, w->hints.items[i].ordinal - next);
    encode_number(&w->out, w->hints.items[i].node);
    put_renaming(w, &w->hints.items[i]);
    next = w->hints.items[i].ordinal + 1;
  }
  vec_clear(&w->hints);
  vec_clear(&w->renamings);
}

static bool put_initials(Writer *w) {
  Space *space = w->reach->space;
  if (w->subsumers && !add_children(w, NODE_NONE))
    return false;
  if (w->live)
    space->rewind(space);
  else
    zones_rewind(space);
  while (!w->subsumers && space->initial(space))
    if (!add_current(w))
      return false;
  put_hints(w);
  return true;
}

// Spaces of global time share their zones, those of local time do not.
static void load(Writer *w, NodeRef ref) {
  if (w->live) {
    w->reach->space->load(w->reach->space, nodes_key(w->reach, nodes_group(w->reach, ref)),
                          nodes_at(w->reach, ref)->zone);
    return;
  }
  w->now = w->view == &local_view ? nodes_owner(w->reach, ref) : w->reach;
  w->view->load(w->now->space, nodes_key(w->reach, nodes_group(w->reach, ref)),
                nodes_at(w->reach, ref)->zone);
}

static bool put_node(Writer *w, NodeRef ref) {
  load(w, ref);
  Space *space = w->now->space;
  if (w->live)
    encode_number(&w->out, w->live->sccs->numbers[ref]);
  put_bounds(w, ref);
  put_matrix(w);
  if (w->subsumers && !add_children(w, ref))
    return false;
  if (!w->subsumers)
    space->open(space, nodes_key(w->reach, nodes_group(w->reach, ref)),
                nodes_at(w->reach, ref)->zone);
  // Of several nodes that cover a successor it is the one for which the numbers are right.
  for (uint64_t i = w->live ? w->live->sccs->first[ref] : 0; !w->subsumers && space->next(space);
       i++)
    if (!(w->live ? add_hint(w, space->ordinal, w->live->sccs->links.items[i].to)
                  : add_current(w)))
      return false;
  put_hints(w);
  flush(w, FLUSH);
  return !space->failure;
}

static void put_state(Writer *w, NodeRef ref) {
  load(w, ref);
  const int32_t *state = zones_state(zones_now(w));
  for (uint32_t slot = 0; slot < w->net->slots.count; slot++)
    encode_integer(&w->out, state[slot]);
  if (w->live)
    encode_number(&w->out, w->live->mode(w->now->space, w->now->space->key));
}

static bool put_groups(Writer *w) {
  encode_number(&w->out, w->entries.size);
  for (uint32_t g = 0, at = 0; g < w->entries.size; g++) {
    mem_tick(w->mem);
    const uint32_t first = at;
    while (at < w->order.size &&
           nodes_group(w->reach, w->order.items[at]) == w->entries.items[g].group)
      at++;
    put_state(w, w->order.items[first]);
    encode_number(&w->out, at - first);
    for (uint32_t i = first; i < at; i++)
      if (mem_tick(w->mem), !put_node(w, w->order.items[i]))
        return false;
  }
  return true;
}

static void put_columns(Writer *w, const uint32_t *items, uint32_t columns, uint32_t size) {
  encode_number(&w->out, columns);
  for (uint32_t i = 0; i < columns * size; i++)
    encode_number(&w->out, items[i]);
}

static void put_family(Writer *w, const Family *f) {
  encode_number(&w->out, f->size);
  encode_number(&w->out, f->is_cyclic);
  put_columns(w, f->processes, f->process_columns, f->size);
  put_columns(w, f->clocks, f->clock_columns, f->size);
  put_columns(w, f->slots, f->slot_columns, f->size);
  encode_number(&w->out, f->event_columns);
  for (uint32_t c = 0; c < f->event_columns; c++) {
    encode_number(&w->out, f->events[c].is_moved);
    encode_number(&w->out, f->events[c].process);
    for (uint32_t i = 0; i < f->size; i++)
      encode_number(&w->out, f->events[c].events[i]);
  }
  encode_number(&w->out, f->value_columns);
  for (uint32_t c = 0; c < f->value_columns; c++) {
    encode_number(&w->out, f->values[c].sort);
    for (uint32_t i = 0; i < f->size; i++)
      encode_integer(&w->out, f->values[c].values[i]);
  }
  for (uint32_t s = 0; s < w->net->location_slot; s++)
    encode_number(&w->out, f->sort[s]);
  uint32_t excluded = 0;
  for (LocationId l = 0; f->excluded && l < w->net->locations.size; l++)
    excluded += f->excluded[l];
  encode_number(&w->out, excluded);
  for (LocationId l = 0; f->excluded && l < w->net->locations.size; l++)
    if (f->excluded[l])
      encode_number(&w->out, l);
}

static void put_head(Writer *w, const CertificateGoal *goal) {
  const Orbit *orbit = w->reach->space->orbit;
  const char *magic = w->live              ? CERTIFY_MAGIC_LIVE
                      : orbit              ? CERTIFY_MAGIC_RENAMED
                      : w->has_differences ? CERTIFY_MAGIC_GAPS
                                           : CERTIFY_MAGIC;
  encode_head(&w->out, magic, goal->query, goal->is_labels, goal->origin, w->net);
  if (w->live)
    put_columns(w, w->live->missing, w->live->count, 1);
  if (!orbit)
    return;
  encode_number(&w->out, orbit->count);
  for (uint32_t f = 0; f < orbit->count; f++)
    put_family(w, orbit->families[f].family);
}

bool certificate_write(FILE *file, Mem *mem, const Net *net, Reach *reach,
                       const CertificateGoal *goal) {
  Writer w = {.file = file, .mem = mem, .net = net, .reach = reach, .now = reach, .mask = 15};
  w.out.mem = w.definitions.mem = w.definition.mem = mem;
  w.table = mem_alloc(mem, (w.mask + (size_t)1) * sizeof *w.table);
  w.lower = mem_alloc(mem, (net->clock_count + 1) * sizeof *w.lower);
  w.upper = mem_alloc(mem, (net->clock_count + 1) * sizeof *w.upper);
  w.live = goal->live;
  w.is_m = goal->is_m;
  w.view = goal->is_local ? &local_view : &global_view;
  w.has_differences =
      !goal->is_local && !goal->live && zones_differences(reach->space, &w.differences);
  for (uint32_t i = 0; !goal->is_local && !goal->live && nodes_worker(reach, i); i++)
    zones_cover_by_simulation(nodes_worker(reach, i)->space);
  if (reach->fly)
    find_children(&w);
  sort(&w);
  put_head(&w, goal);
  errno = 0;
  const bool is_closed = put_initials(&w) && put_groups(&w);
  flush(&w, 0);
  text_release(&w.out);
  text_release(&w.definitions);
  text_release(&w.definition);
  vec_release(mem, &w.order);
  vec_release(mem, &w.numbers);
  vec_release(mem, &w.entries);
  vec_release(mem, &w.hints);
  vec_release(mem, &w.renamings);
  vec_release(mem, &w.known);
  vec_release(mem, &w.differences);
  mem_free(mem, w.table);
  mem_free(mem, w.subsumers);
  mem_free(mem, w.children);
  mem_free(mem, w.first_child);
  mem_free(mem, w.lower);
  mem_free(mem, w.upper);
  if (!is_closed)
    errno = 0;
  return is_closed && !w.failed && !fflush(file);
}
