// Nodes are opened in the order of their distance from the start. A cycle is looked for from its
// node that is nearest to the start: some step leads back to that one from a node that is not
// nearer. This is done whenever the number of opened nodes has doubled, and in the end. No node
// needs to be opened that is as far away as the best run is long.
#include "search/cycles/shortest.h"

#include "base/pairs.h"

enum { FIRST_CHECK = 16 }; // opened nodes

typedef struct Link {
  NodeRef to;
  uint32_t ordinal, marks;
} Link;

typedef struct Meeting { // what is known of a node
  uint32_t distance;
  uint32_t first_link, link_count; // none before it is opened
  bool is_opened;
  bool is_again; // it was met more than once
} Meeting;

typedef struct Visit { // on a way round a cycle
  uint32_t from, link; // the visit before, and the link from there
  NodeRef node;
  uint32_t marks, length;
} Visit;

typedef VEC(uint32_t) Numbers;

typedef struct Finder {
  Mem *mem;
  Shortest *s;
  Statistics stats;
  Store store;
  Pairs nodes; // by group and zone: node + 1
  VEC(Meeting) meetings;
  VEC(Link) links;
  Numbers now, next; // nodes of this distance, and of one more; the same of visits
  uint64_t work;
  uint32_t best;  // length of the best run so far
  uint32_t level; // the distance of `now`
  Pairs seen;     // by node and marks: visit + 1
  VEC(Visit) visits;
  Numbers round, after;
} Finder;

static bool is_over(Finder *f) {
  mem_tick(f->mem);
  return f->s->max && ++f->work > f->s->max;
}

// The space's current node is met, from another one or at the start.
static NodeRef meet(Finder *f, NodeRef from, uint32_t distance) {
  Space *space = f->s->space;
  const uint32_t group = store_group(&f->store), zone = space->keep(space);
  NodeRef ref = pairs_get(&f->nodes, group, zone) - 1;
  if (ref == NODE_NONE) {
    ref = store_new_node(&f->store, group, from);
    pairs_set(&f->nodes, group, zone, ref + 1);
    vec_push(f->mem, &f->meetings, ((Meeting){.distance = UINT32_MAX}));
  } else {
    f->meetings.items[ref].is_again = true;
  }
  if (distance >= f->meetings.items[ref].distance)
    return ref;
  Node *node = store_node(&f->store, ref);
  node->zone = zone;
  node->parent = from;
  node->ordinal = space->ordinal;
  f->meetings.items[ref].distance = distance;
  if (distance == f->level)
    vec_push(f->mem, &f->now, ref);
  else
    vec_push(f->mem, &f->next, ref);
  return ref;
}

static CyclesResult open_node(Finder *f, NodeRef ref) {
  Space *space = f->s->space;
  const Node *node = store_node(&f->store, ref);
  const uint32_t zone = node->zone, first = f->links.size;
  space->load(space, store_key(&f->store, node->group), zone);
  const CyclesResult end = f->s->rules->end ? f->s->rules->end(space) : CYCLES_NONE;
  if (end != CYCLES_NONE)
    return end;
  f->meetings.items[ref].is_opened = true;
  space->open(space, store_opening_key(&f->store, node->group), zone);
  while (space->next(space)) {
    const uint32_t marks = f->s->rules->marks(space), ordinal = space->ordinal;
    const NodeRef to = meet(f, ref, f->level + (ordinal != SPACE_DELAY));
    vec_push(f->mem, &f->links, ((Link){to, ordinal, marks}));
    if (is_over(f))
      return CYCLES_STOPPED;
  }
  f->meetings.items[ref].first_link = first;
  f->meetings.items[ref].link_count = f->links.size - first;
  return space->failure ? CYCLES_FAILED : CYCLES_NONE;
}

// The way to the node `to`, and round a cycle to the last visit.
static void keep_run(Finder *f, NodeRef to, uint32_t length, const Visit *last) {
  Shortest *s = f->s;
  vec_clear(&s->steps);
  tour_find_way(&f->store, to, s->mem, s->arena, &s->steps);
  f->best = s->length = length;
  s->loop = last ? s->steps.size - 1 : UINT32_MAX;
  const uint32_t first = s->steps.size;
  for (; last && last->from != UINT32_MAX; last = &f->visits.items[last->from]) {
    const Node *node = store_node(&f->store, last->node);
    const CycleStep step = {f->links.items[last->link].ordinal,
                            arena_copy(s->arena, store_key(&f->store, node->group),
                                       f->store.key_words * sizeof(uint64_t)),
                            node->zone};
    vec_push(s->mem, &s->steps, step);
  }
  vec_reverse(&s->steps, first);
}

// Adds a visit, unless the node was visited with these marks on a way that is as short.
static void visit(Finder *f, Visit visit) {
  PairsEntry *entry = pairs_place(&f->seen, visit.node, visit.marks);
  const uint32_t number = f->visits.size;
  if (entry->value && f->visits.items[entry->value - 1].length <= visit.length)
    return;
  if (entry->value)
    entry->value = number + 1;
  else
    pairs_set(&f->seen, visit.node, visit.marks, number + 1);
  const bool is_near = !number || visit.length == f->visits.items[visit.from].length;
  vec_push(f->mem, &f->visits, visit);
  if (is_near)
    vec_push(f->mem, &f->round, number);
  else
    vec_push(f->mem, &f->after, number);
}

// Follows the links of a visit; keeps the run if one of them closes the cycle and it is better.
// False if that is over.
static bool follow(Finder *f, NodeRef root, uint32_t number) {
  const Visit from = f->visits.items[number];
  const uint32_t all = f->s->rules->all_marks;
  const uint32_t distance = f->meetings.items[root].distance;
  const Meeting meeting = f->meetings.items[from.node];
  for (uint32_t i = 0; i < meeting.link_count; i++) {
    const Link link = f->links.items[meeting.first_link + i];
    const Visit next = {number, meeting.first_link + i, link.to, from.marks | (link.marks & all),
                        from.length + (link.ordinal != SPACE_DELAY)};
    if (is_over(f))
      return false;
    if (f->meetings.items[link.to].distance < distance || distance + next.length >= f->best)
      continue;
    if (link.to == root && next.marks == all)
      keep_run(f, root, distance + next.length, &next);
    else
      visit(f, next);
  }
  return true;
}

// The shortest cycle through a node, if it makes a better run. False if that is over.
static bool go_round(Finder *f, NodeRef root) {
  bool ok = true;
  pairs_release(&f->seen); // and not cleared: most cycles are short
  pairs_init(&f->seen, f->mem);
  vec_clear(&f->visits);
  vec_clear(&f->round);
  vec_clear(&f->after);
  visit(f, (Visit){UINT32_MAX, 0, root, 0, 0});
  while (ok && f->round.size) {
    for (uint32_t i = 0; ok && i < f->round.size; i++)
      ok = follow(f, root, f->round.items[i]);
    const Numbers done = f->round;
    f->round = f->after;
    f->after = done;
    vec_clear(&f->after);
  }
  return ok;
}

static bool check_cycles(Finder *f) {
  for (NodeRef ref = 0; ref < f->meetings.size; ref++)
    if (f->meetings.items[ref].is_opened && f->meetings.items[ref].is_again &&
        f->meetings.items[ref].distance < f->best && !go_round(f, ref))
      return false;
  return true;
}

// Opens the nodes of one distance. An end is the shortest run to an end.
static CyclesResult open_level(Finder *f) {
  for (uint32_t i = 0; i < f->now.size; i++) {
    const NodeRef ref = f->now.items[i];
    const Meeting meeting = f->meetings.items[ref];
    const CyclesResult result =
        meeting.is_opened || meeting.distance < f->level ? CYCLES_NONE : open_node(f, ref);
    if (result == CYCLES_END)
      keep_run(f, ref, f->level, NULL);
    if (result != CYCLES_NONE)
      return result;
  }
  const Numbers done = f->now;
  f->now = f->next;
  f->next = done;
  vec_clear(&f->next);
  f->level++;
  return CYCLES_NONE;
}

static CyclesResult find(Finder *f) {
  Space *space = f->s->space;
  CyclesResult result = CYCLES_NONE;
  uint32_t next_check = FIRST_CHECK;
  space->next_initial = 0;
  while (space->initial(space))
    meet(f, NODE_NONE, 0);
  while (result == CYCLES_NONE && f->now.size && f->level < f->best) {
    result = open_level(f);
    if (result == CYCLES_NONE && f->store.nodes.size >= next_check) {
      next_check = 2 * f->store.nodes.size;
      result = check_cycles(f) ? CYCLES_NONE : CYCLES_STOPPED;
    }
  }
  if (space->failure)
    return CYCLES_FAILED;
  if (result != CYCLES_NONE && result != CYCLES_END)
    return result;
  if (!check_cycles(f))
    return CYCLES_STOPPED;
  return !f->s->steps.size ? CYCLES_NONE : f->s->loop == UINT32_MAX ? CYCLES_END : CYCLES_FOUND;
}

CyclesResult shortest_find(Shortest *s) {
  Finder f = {.mem = mem_part(s->mem),
              .s = s,
              .best = s->longest == UINT32_MAX ? UINT32_MAX : s->longest + 1};
  vec_clear(&s->steps);
  store_init(&f.store, f.mem, s->space, &f.stats);
  pairs_init(&f.nodes, f.mem);
  pairs_init(&f.seen, f.mem);
  const CyclesResult result = find(&f);
  mem_release_part(f.mem);
  return result;
}
