#include "analysis/stubborn.h"

#include "base/testbuild.h"

#include <string.h>

// In tests with planted bugs, the rule of this name is left out.
#define RULE(name) (!PLANTED("por-" name))

enum { AS_PRESENT = 1, AS_CHAIN = 2 };

enum {
  KNOWN_BYTES = 8 << 20, // what is kept of other states
  KNOWN_LIMIT = 256,
  KNOWN_SETS = 4, // closed sets of each
  GOAL_LIMIT = 64 // tests of the goal; with more no sets are kept
};

static Word *sets(Arena *arena, uint32_t count, uint32_t words) {
  return ARENA_ARRAY(arena, Word, (size_t)count * words);
}

// How many words say what processes can do.
static size_t can_words(const Stubborn *s) {
  const Footprint *f = s->foot;
  const size_t of_process = f->row_words + 3 * (size_t)f->cell_words;
  return s->net->processes.size * of_process + f->cell_words + f->set_words;
}

// How many words a closed set takes.
static size_t set_words(const Stubborn *s) { return 1 + s->start_words + s->process_words; }

static size_t known_words(const Stubborn *s) { return can_words(s) + KNOWN_SETS * set_words(s); }

// What that depends on: constants, locations, statuses of the edges out of them.
static uint32_t count_key_words(const Stubborn *s) {
  const Net *net = s->net;
  uint32_t edges = 0;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    uint32_t most = 0;
    for (uint32_t l = 0; l < net->processes.items[p].location_count; l++) {
      const Location *at = &net->locations.items[net->processes.items[p].first_location + l];
      most = at->edge_count > most ? at->edge_count : most;
    }
    edges += most;
  }
  return s->foot->set_words + net->processes.size / 2 + edges / (uint32_t)sizeof(Word) + 2;
}

static void init_known(Stubborn *s, Arena *arena) {
  s->key_words = count_key_words(s);
  s->process_words = s->net->processes.size / 64 + 1;
  s->start_words = s->process_words + s->foot->cell_words + 1;
  s->start = sets(arena, 1, s->start_words);
  const size_t fit = KNOWN_BYTES / ((known_words(s) + s->key_words) * sizeof(Word));
  s->known_count = fit < 1 ? 1 : fit < KNOWN_LIMIT ? (uint32_t)fit : KNOWN_LIMIT;
  s->arena = arena;
  s->known = ARENA_ARRAY(arena, Word *, s->known_count);
  s->key = sets(arena, 1, s->key_words);
}

void stubborn_init(Stubborn *s, Arena *arena, Footprint *f, const Goal *goal) {
  const Net *net = f->net;
  const uint32_t edges = net->edges.size, processes = net->processes.size;
  *s = (Stubborn){.foot = f, .net = net, .goal = goal};
  for (uint32_t i = 0; goal && goal->ends && i < goal->clause_count; i++)
    s->asks_dead |= goal->ends[i] == GOAL_DEADLOCKED;
  s->is_strict = (s->asks_dead || f->can_fail) && !net->invalid_is_error && RULE("range");
  s->status = ARENA_ARRAY(arena, uint8_t, edges);
  s->taken = ARENA_ARRAY(arena, uint8_t, edges);
  s->pending = ARENA_ARRAY(arena, EdgeId, edges);
  s->offers = sets(arena, processes, f->event_words);
  s->anew = sets(arena, 1, f->set_words);
  init_known(s, arena);
  s->in = ARENA_ARRAY(arena, bool, processes);
  s->stack = ARENA_ARRAY(arena, uint32_t, processes);
  Word **const of_set[] = {&s->needs, &s->writes, &s->ups,   &s->downs,
                           &s->cells, &s->all,    &s->harms, &s->scratch};
  for (uint32_t i = 0; i < sizeof of_set / sizeof *of_set; i++)
    *of_set[i] = sets(arena, 1, f->cell_words);
  s->rivals = sets(arena, 1, f->set_words);
}

static const Word *can_of(const Stubborn *s, ProcessId p, uint32_t part) {
  return s->can + (size_t)p * s->foot->row_words + part;
}
static Word *cells_of(Word *by_process, const Stubborn *s, ProcessId p) {
  return by_process + (size_t)p * s->foot->cell_words;
}
static bool can_offer(const Stubborn *s, ProcessId p, EventId event) {
  return foot_has(can_of(s, p, s->foot->events), event);
}
static uint64_t flags_of(const Stubborn *s, ProcessId p) { return *can_of(s, p, s->foot->flags); }
static const Location *location_of(const Stubborn *s, ProcessId p) {
  return &s->net->locations.items[net_location_at(s->net, p, s->state)];
}
static const uint32_t *syncs_of(const Stubborn *s, ProcessId p, EventId event) {
  static const uint32_t none = 0;
  const uint32_t *list = s->foot->syncs[(size_t)p * s->net->events.size + event];
  return list ? list : &none;
}
static bool is_async(const Stubborn *s, const Edge *e) {
  return s->net->async[(size_t)e->process * s->net->events.size + e->event];
}

// --- What each process can do in zero time.

static bool has_partners(const Stubborn *s, const Edge *e) {
  if (is_async(s, e))
    return true;
  const uint32_t *list = syncs_of(s, e->process, e->event);
  for (uint32_t i = 1; i <= list[0]; i++) {
    const Sync *sync = &s->net->syncs.items[list[i]];
    bool all = true;
    for (uint32_t k = 0; k < sync->parts.size && all; k++) {
      const SyncPart *part = &sync->parts.items[k];
      all = part->weak || part->process == e->process ||
            foot_has(s->offers + (size_t)part->process * s->foot->event_words, part->event);
    }
    if (all)
      return true;
  }
  return false;
}

static void find_anew(Stubborn *s) {
  const Footprint *f = s->foot;
  memset(s->anew, 0, sizeof(Word) * f->set_words);
  for (uint32_t k = 0; k < f->constants.size; k++) {
    const FootConstant *c = &f->constants.items[k];
    if (c->slot == UINT32_MAX || s->state[c->slot] != c->value)
      foot_add(s->anew, k);
  }
}

static void take_up(Stubborn *s, ProcessId p, EdgeId e) {
  const Footprint *f = s->foot;
  const Word *follow = footprint_follow(s->foot, e);
  foot_unite(s->can + (size_t)p * f->row_words, follow, f->row_words);
  foot_unite(s->offers + (size_t)p * f->event_words, follow + f->events, f->event_words);
  foot_unite(s->changed, follow + f->row_words, f->cell_words);
  for (uint32_t w = 0; w < f->set_words; w++)
    for (Word left = follow[f->sets + w] & s->anew[w]; left; left &= left - 1)
      foot_add(s->changed, f->constants.items[w * 64 + (uint32_t)__builtin_ctzll(left)].cell);
}

// One round; false if nothing new was found.
static bool extend(Stubborn *s) {
  const Footprint *f = s->foot;
  const uint32_t count = s->pending_count;
  bool changed = false;
  s->pending_count = 0;
  for (uint32_t k = 0; k < count; k++) {
    const EdgeId i = s->pending[k];
    const Edge *e = &s->net->edges.items[i];
    Word *offers = s->offers + (size_t)e->process * f->event_words;
    const bool may_hold =
        s->status[i] != EDGE_FAILS ||
        foot_meets(f->guards + (size_t)i * f->cell_words, s->changed, f->cell_words);
    if (may_hold && !foot_has(offers, e->event)) {
      foot_add(offers, e->event);
      changed = true;
    }
    if (may_hold && has_partners(s, e)) {
      take_up(s, e->process, i);
      changed = true;
    } else {
      s->pending[s->pending_count++] = i;
    }
  }
  return changed && s->pending_count;
}

// Cells of constants, but for those in `less`, which change nothing.
static void add_cells(const Stubborn *s, const Word *constants, const Word *less, Word *cells) {
  for (uint32_t w = 0; w < s->foot->set_words; w++)
    for (Word left = less ? constants[w] & ~less[w] : constants[w]; left; left &= left - 1)
      foot_add(cells, s->foot->constants.items[w * 64 + (uint32_t)__builtin_ctzll(left)].cell);
}

static void find_idle(Stubborn *s) {
  const Footprint *f = s->foot;
  for (uint32_t k = 0; k < f->constants.size; k++)
    if (!foot_has(s->anew, k) && !foot_has(s->changed, f->constants.items[k].cell))
      foot_add(s->idle, k);
}

static void find_cells(Stubborn *s, ProcessId p) {
  const Footprint *f = s->foot;
  Word *all = cells_of(s->alls, s, p), *set = cells_of(s->set_cells, s, p);
  Word *touched = cells_of(s->touched, s, p);
  const Word *constants = can_of(s, p, f->sets);
  add_cells(s, constants, s->idle, set);
  foot_unite(all, set, f->cell_words);
  foot_unite(all, can_of(s, p, f->writes), f->cell_words);
  foot_unite(all, can_of(s, p, f->ups), f->cell_words);
  foot_unite(all, can_of(s, p, f->downs), f->cell_words);
  add_cells(s, constants, NULL, touched);
  foot_unite(touched, all, f->cell_words);
  foot_unite(touched, can_of(s, p, f->reads), f->cell_words);
}

static void find_can(Stubborn *s) {
  const uint32_t processes = s->net->processes.size;
  s->pending_count = 0;
  memset(s->offers, 0, sizeof(Word) * processes * s->foot->event_words);
  for (ProcessId p = 0; p < processes; p++) {
    const Location *at = location_of(s, p);
    for (uint32_t k = 0; k < at->edge_count; k++) {
      const EdgeId e = s->net->out[at->first_edge + k];
      if (s->status[e] != EDGE_NEVER)
        s->pending[s->pending_count++] = e;
    }
  }
  while (extend(s)) {
  }
  find_idle(s);
  for (ProcessId p = 0; p < processes; p++)
    if (flags_of(s, p) & FOOT_MOVES)
      find_cells(s, p);
}

static void find_key(Stubborn *s) {
  const Net *net = s->net;
  const uint32_t processes = net->processes.size;
  uint32_t *locations = (uint32_t *)(s->key + s->foot->set_words);
  uint8_t *statuses = (uint8_t *)(locations + processes);
  find_anew(s);
  memset(s->key, 0, sizeof(Word) * s->key_words);
  memcpy(s->key, s->anew, sizeof(Word) * s->foot->set_words);
  s->has_committed = false;
  for (ProcessId p = 0; p < processes; p++) {
    const Location *at = location_of(s, p);
    s->has_committed |= at->committed;
    locations[p] = (uint32_t)(at - net->locations.items);
    for (uint32_t k = 0; k < at->edge_count; k++)
      *statuses++ = s->status[net->out[at->first_edge + k]];
  }
}

static Word **find_known(Stubborn *s) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < s->key_words; i++) {
    hash = (hash ^ s->key[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return &s->known[hash % s->known_count];
}

static void point_at(Stubborn *s, Word *sets) {
  const Footprint *f = s->foot;
  const size_t processes = s->net->processes.size;
  s->can = sets;
  s->alls = s->can + processes * f->row_words;
  s->set_cells = s->alls + processes * f->cell_words;
  s->touched = s->set_cells + processes * f->cell_words;
  s->changed = s->touched + processes * f->cell_words;
  s->idle = s->changed + f->cell_words;
  s->sets = s->idle + f->set_words;
}

void stubborn_begin(Stubborn *s, const int32_t *state) {
  const size_t key_bytes = sizeof(Word) * s->key_words;
  s->state = state;
  find_key(s);
  Word **known = find_known(s);
  const bool is_known = *known && !memcmp(*known, s->key, key_bytes);
  if (!*known)
    *known = ARENA_ARRAY(s->arena, Word, s->key_words + known_words(s));
  point_at(s, *known + s->key_words);
  if (is_known)
    return;
  memcpy(*known, s->key, key_bytes);
  memset(s->can, 0, sizeof(Word) * known_words(s));
  find_can(s);
}

// --- The set.

void stubborn_clear(Stubborn *s) {
  const Footprint *f = s->foot;
  Word *const of_set[] = {s->needs, s->writes, s->ups, s->downs, s->cells, s->all, s->harms};
  for (uint32_t i = 0; i < sizeof of_set / sizeof *of_set; i++)
    memset(of_set[i], 0, sizeof(Word) * f->cell_words);
  memset(s->rivals, 0, sizeof(Word) * f->set_words);
  memset(s->in, 0, s->net->processes.size);
  memset(s->taken, 0, s->net->edges.size);
  s->top = 0;
  s->has_chain = false;
  vec_clear(&s->chain);
}

void stubborn_add(Stubborn *s, ProcessId p) {
  if (s->in[p])
    return;
  s->in[p] = true;
  s->stack[s->top++] = p;
  for (ProcessId q = 0;
       s->classes && s->classes[p] && q < s->net->processes.size && RULE("twins"); q++)
    if (s->classes[q] == s->classes[p])
      stubborn_add(s, q);
}

void stubborn_need(Stubborn *s, const Word *cells) {
  foot_unite(s->needs, cells, s->foot->cell_words);
}

static bool offers_now(const Stubborn *s, ProcessId p, EventId event) {
  const Location *at = location_of(s, p);
  for (uint32_t k = 0; k < at->edge_count; k++) {
    const EdgeId e = s->net->out[at->first_edge + k];
    if (s->net->edges.items[e].event == event && s->status[e] == EDGE_POSSIBLE)
      return true;
  }
  return false;
}

// Rule 4. The process hears this event: who can send it?
static void hear(Stubborn *s, ProcessId p, EventId event) {
  const uint32_t *list = syncs_of(s, p, event);
  for (uint32_t i = 1; i <= list[0]; i++) {
    const Sync *sync = &s->net->syncs.items[list[i]];
    bool is_weak = false, has_strong = false, all = true;
    for (uint32_t k = 0; k < sync->parts.size; k++) {
      const SyncPart *part = &sync->parts.items[k];
      if (part->process == p) {
        is_weak |= part->weak && part->event == event;
        continue;
      }
      has_strong |= !part->weak;
      all &= part->weak || (!s->in[part->process] && can_offer(s, part->process, part->event));
    }
    for (uint32_t k = 0; is_weak && all && k < sync->parts.size; k++) {
      const SyncPart *part = &sync->parts.items[k];
      if (part->process != p &&
          (has_strong ? !part->weak : can_offer(s, part->process, part->event)))
        stubborn_add(s, part->process);
    }
  }
}

static void hear_at(Stubborn *s, ProcessId p, LocationId l) {
  const Location *at = &s->net->locations.items[l];
  EventId last = NET_NONE;
  for (uint32_t k = 0; k < at->edge_count; k++) { // ordered by event
    const EventId event = s->net->edges.items[s->net->out[at->first_edge + k]].event;
    if (event != last)
      hear(s, p, event);
    last = event;
  }
}

// Rule 6. Committed locations that are entered are left before anything else happens.
static void enter_chain(Stubborn *s, LocationId l) {
  const Location *at = &s->net->locations.items[l];
  if (!at->committed || s->has_committed || !RULE("chain"))
    return;
  for (uint32_t c = 0; !s->has_chain && s->goal && c < s->goal->clause_count; c++)
    stubborn_need(s, s->foot->clauses + (size_t)c * s->foot->cell_words);
  s->has_chain = true;
  for (uint32_t k = 0; k < at->edge_count; k++)
    vec_push(s->net->mem, &s->chain, s->net->out[at->first_edge + k]);
}

static void enter_partner(Stubborn *s, ProcessId p, EventId event) {
  const Process *process = &s->net->processes.items[p];
  for (uint32_t l = 0; l < process->location_count && RULE("chain-partner"); l++) {
    const Location *at = &s->net->locations.items[process->first_location + l];
    for (uint32_t k = 0; k < at->edge_count; k++) {
      const EdgeId e = s->net->out[at->first_edge + k];
      if (s->net->edges.items[e].event == event)
        vec_push(s->net->mem, &s->chain, e);
    }
  }
}

// Rule 3. False if the edge has no partners, so that it cannot be taken.
static bool find_partners(Stubborn *s, const Edge *e, bool is_chain) {
  bool can = is_async(s, e);
  const uint32_t *list = syncs_of(s, e->process, e->event);
  for (uint32_t i = 1; i <= list[0]; i++) {
    const Sync *sync = &s->net->syncs.items[list[i]];
    bool all = true;
    for (uint32_t k = 0; k < sync->parts.size && all; k++) {
      const SyncPart *part = &sync->parts.items[k];
      all = part->weak || part->process == e->process ||
            (s->in[part->process] && !is_chain ? offers_now(s, part->process, part->event)
                                               : can_offer(s, part->process, part->event));
    }
    can |= all;
    for (uint32_t k = 0; k < sync->parts.size && all; k++) {
      const SyncPart *part = &sync->parts.items[k];
      const bool offers = can_offer(s, part->process, part->event);
      // Where a weak part has an edge it takes part, and waits for the guard: leaving the
      // location may allow the synchronisation. Receivers of broadcasts do not wait.
      const bool waits = part->weak && !sync->broadcast && RULE("waiting") &&
                         (flags_of(s, part->process) & FOOT_MOVES);
      if (part->process == e->process)
        continue;
      if ((offers && RULE("partners")) || waits)
        stubborn_add(s, part->process);
      if (offers && is_chain)
        enter_partner(s, part->process, part->event);
    }
  }
  return can;
}

// An edge that may be taken by the set.
static void take(Stubborn *s, EdgeId i, bool is_chain) {
  const Footprint *f = s->foot;
  const Edge *e = &s->net->edges.items[i];
  const uint8_t how = is_chain ? AS_CHAIN : AS_PRESENT;
  if (s->taken[i] & how || !find_partners(s, e, is_chain))
    return;
  s->taken[i] |= how;
  if (RULE("hearing"))
    hear_at(s, e->process, e->target);
  const Word *own = f->own + (size_t)i * f->row_words;
  if (RULE("reads"))
    stubborn_need(s, f->needs + (size_t)i * f->cell_words);
  foot_unite(s->writes, own + f->writes, f->cell_words);
  foot_unite(s->ups, own + f->ups, f->cell_words);
  foot_unite(s->downs, own + f->downs, f->cell_words);
  add_cells(s, own + f->sets, s->idle, s->cells);
  for (uint32_t w = 0; w < f->set_words; w++)
    for (Word left = own[f->sets + w] & ~s->idle[w]; left; left &= left - 1)
      foot_unite(s->rivals, f->rivals[w * 64 + (uint32_t)__builtin_ctzll(left)], f->set_words);
  if (f->has_harm[i] && RULE("harm"))
    foot_unite(s->harms, f->harms + (size_t)i * f->cell_words, f->cell_words);
  enter_chain(s, e->target);
}

static void take_process(Stubborn *s, ProcessId p) {
  const Footprint *f = s->foot;
  const Location *at = location_of(s, p);
  for (uint32_t k = 0; k < at->edge_count; k++) {
    const EdgeId e = s->net->out[at->first_edge + k];
    const Word *guard = f->guards + (size_t)e * f->cell_words;
    if (s->status[e] == EDGE_POSSIBLE)
      take(s, e, false);
    else if (s->status[e] == EDGE_FAILS) { // rule 2
      if (RULE("disabled"))
        stubborn_need(s, guard);
      if (foot_meets(guard, s->changed, f->cell_words) && RULE("waking"))
        hear(s, p, s->net->edges.items[e].event);
    }
  }
}

// Rule 5: whether what was taken and what a process can do do not commute.
static bool is_rival(const Stubborn *s, ProcessId r) {
  const Footprint *f = s->foot;
  const uint32_t words = f->cell_words;
  const Word *all = cells_of(s->alls, s, r), *set = cells_of(s->set_cells, s, r);
  const Word *ups = can_of(s, r, f->ups), *downs = can_of(s, r, f->downs);
  const Word *touched = cells_of(s->touched, s, r);
  if (!foot_meets(s->needs, touched, words) && !foot_meets(s->all, touched, words))
    return false; // as most are not
  if (foot_meets(s->needs, all, words) ||
      (foot_meets(s->all, can_of(s, r, f->reads), words) && RULE("writes-read")))
    return true;
  if (!RULE("writes"))
    return false;
  return foot_meets(s->writes, all, words) ||
         foot_meets(s->all, can_of(s, r, f->writes), words) || foot_meets(s->ups, downs, words) ||
         foot_meets(s->ups, set, words) || foot_meets(s->downs, ups, words) ||
         foot_meets(s->downs, set, words) || foot_meets(s->cells, ups, words) ||
         foot_meets(s->cells, downs, words) ||
         foot_meets(s->rivals, can_of(s, r, f->sets), f->set_words) ||
         (s->is_strict && (foot_meets(s->ups, ups, words) || foot_meets(s->downs, downs, words)));
}

// Rule 5, invariants: those of present locations that the set may make false.
static void add_harmed(Stubborn *s) {
  const Footprint *f = s->foot;
  for (ProcessId r = 0; r < s->net->processes.size; r++) {
    const LocationId l = net_location_at(s->net, r, s->state);
    const Word *invariant = f->invariants + (size_t)l * f->cell_words;
    if (!foot_meets(invariant, s->harms, f->cell_words))
      continue;
    stubborn_need(s, invariant);
    if (flags_of(s, r) & FOOT_MOVES)
      stubborn_add(s, r);
  }
}

static void close_data(Stubborn *s) {
  const Footprint *f = s->foot;
  do {
    while (s->top || s->chain.size)
      if (s->top)
        take_process(s, s->stack[--s->top]);
      else
        take(s, vec_pop(&s->chain), true);
    add_harmed(s);
    memcpy(s->all, s->cells, sizeof(Word) * f->cell_words);
    foot_unite(s->all, s->writes, f->cell_words);
    foot_unite(s->all, s->ups, f->cell_words);
    foot_unite(s->all, s->downs, f->cell_words);
    for (ProcessId r = 0; r < s->net->processes.size; r++)
      if (!s->in[r] && flags_of(s, r) & FOOT_MOVES && is_rival(s, r))
        stubborn_add(s, r);
  } while (s->top || s->chain.size);
}

// --- Rule 7: the goal.

static bool has_outside_writer(const Stubborn *s, const Word *cells) {
  for (ProcessId r = 0; r < s->net->processes.size; r++)
    if (!s->in[r] && foot_meets(cells_of(s->alls, s, r), cells, s->foot->cell_words))
      return true;
  return false;
}

// Keeps a test of a variable or location false, if that adds no process or if `even_more` is set.
static bool keep_false(Stubborn *s, const Test *test, bool even_more) {
  const Footprint *f = s->foot;
  memset(s->scratch, 0, sizeof(Word) * f->cell_words);
  if (test->slot < s->net->location_slot) {
    if (f->slot_cells[test->slot] == UINT32_MAX)
      return false;
    foot_add(s->scratch, f->slot_cells[test->slot]);
  } else {
    const ProcessId p = test->slot - s->net->location_slot;
    const uint32_t l = s->net->processes.items[p].first_location + (uint32_t)test->value;
    if (test->op == EXPR_EQ &&
        !(f->watched[l] && foot_has(can_of(s, p, f->targets), f->watched[l] - 1)))
      return true; // it is not entered
    foot_add(s->scratch, f->first_location + p);
  }
  if (!even_more && has_outside_writer(s, s->scratch))
    return false;
  stubborn_need(s, s->scratch);
  return true;
}

static bool keep_clocks_false(Stubborn *s, const ClockTest *t, bool even_more) {
  const Footprint *f = s->foot;
  memset(s->scratch, 0, sizeof(Word) * f->cell_words);
  foot_add(s->scratch, f->first_clock + t->i);
  foot_add(s->scratch, f->first_clock + t->j);
  if (!even_more && has_outside_writer(s, s->scratch))
    return false;
  stubborn_need(s, s->scratch);
  return true;
}

static void keep_goal_false(Stubborn *s, ClockTestFails *fails, void *context) {
  for (uint32_t c = 0; s->goal && c < s->goal->clause_count; c++) {
    const Guard *clause = &s->goal->clauses[c];
    bool done = s->goal->ends && s->goal->ends[c] == GOAL_DEADLOCKED; // rule 8
    for (int round = 0; round < 2 && !done; round++) {
      for (uint32_t i = 0; i < clause->test_count && !done; i++)
        done = !vm_test(&clause->tests[i], s->state) && keep_false(s, &clause->tests[i], round);
      for (uint32_t i = 0; i < clause->clock_test_count && !done; i++)
        done = fails(context, &clause->clock_tests[i]) &&
               keep_clocks_false(s, &clause->clock_tests[i], round);
    }
    if (!done)
      stubborn_need(s, s->foot->clauses + (size_t)c * s->foot->cell_words);
  }
}

// --- Errors at run time.

static void add_flagged(Stubborn *s, uint64_t flag) {
  for (ProcessId r = 0; r < s->net->processes.size; r++)
    if (flags_of(s, r) & flag)
      stubborn_add(s, r);
}

bool stubborn_misses_faults(const Stubborn *s) {
  for (ProcessId r = 0; r < s->net->processes.size; r++)
    if (!s->in[r] && flags_of(s, r) & FOOT_FAULT)
      return RULE("faults");
  return false;
}

bool stubborn_recurs(const Stubborn *s, const Edge *const *edges, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!footprint_recurs(s->foot, (EdgeId)(edges[i] - s->net->edges.items)))
      return false;
  return RULE("endless");
}

// --- Closed sets that are kept.

static uint64_t false_tests(const Stubborn *s, ClockTestFails *fails, void *context) {
  uint64_t found = 0;
  uint32_t bit = 0;
  for (uint32_t c = 0; s->goal && c < s->goal->clause_count; c++) {
    const Guard *clause = &s->goal->clauses[c];
    for (uint32_t i = 0; i < clause->test_count; i++, bit++)
      found |= (uint64_t)!vm_test(&clause->tests[i], s->state) << bit;
    for (uint32_t i = 0; i < clause->clock_test_count; i++, bit++)
      found |= (uint64_t)fails(context, &clause->clock_tests[i]) << bit;
  }
  return found;
}

static bool keeps_sets(const Stubborn *s) {
  uint32_t count = 0;
  for (uint32_t c = 0; s->goal && c < s->goal->clause_count; c++)
    count += s->goal->clauses[c].test_count + s->goal->clauses[c].clock_test_count;
  return count <= GOAL_LIMIT && !s->classes;
}

// Says what the set begins with.
static void find_start(Stubborn *s, ClockTestFails *fails, void *context) {
  memset(s->start, 0, sizeof(Word) * s->process_words);
  for (ProcessId p = 0; p < s->net->processes.size; p++)
    if (s->in[p])
      foot_add(s->start, p);
  memcpy(s->start + s->process_words, s->needs, sizeof(Word) * s->foot->cell_words);
  s->start[s->start_words - 1] = false_tests(s, fails, context);
}

// Begins the set again.
static void restart(Stubborn *s) {
  stubborn_clear(s);
  for (ProcessId p = 0; p < s->net->processes.size; p++)
    if (foot_has(s->start, p))
      stubborn_add(s, p);
  stubborn_need(s, s->start + s->process_words);
}

static bool recall(Stubborn *s) {
  for (uint32_t i = 0; i < KNOWN_SETS; i++) {
    const Word *set = s->sets + i * set_words(s);
    if (!set[0] || memcmp(set + 1, s->start, sizeof(Word) * s->start_words) != 0)
      continue;
    for (ProcessId p = 0; p < s->net->processes.size; p++)
      s->in[p] = foot_has(set + 1 + s->start_words, p);
    return true;
  }
  return false;
}

static void remember(Stubborn *s) {
  Word *set = s->sets + s->next_set++ % KNOWN_SETS * set_words(s);
  memset(set, 0, sizeof(Word) * set_words(s));
  set[0] = 1;
  memcpy(set + 1, s->start, sizeof(Word) * s->start_words);
  for (ProcessId p = 0; p < s->net->processes.size; p++)
    if (s->in[p])
      foot_add(set + 1 + s->start_words, p);
}

static void close_anew(Stubborn *s, ClockTestFails *fails, void *context) {
  if (RULE("goal"))
    keep_goal_false(s, fails, context);
  if (s->asks_dead && !s->has_committed && RULE("stuck"))
    add_flagged(s, FOOT_CAN_STICK);
  close_data(s);
}

void stubborn_close(Stubborn *s, ClockTestFails *fails, void *context) {
  const bool keeps = keeps_sets(s);
  find_start(s, fails, context);
  if (keeps && recall(s))
    return;
  close_anew(s, fails, context);
  if (keeps)
    remember(s);
}

void stubborn_take_faults(Stubborn *s, ClockTestFails *fails, void *context) {
  restart(s); // a set that was kept has no needs
  add_flagged(s, FOOT_FAULT);
  close_anew(s, fails, context);
}

bool stubborn_takes(const Stubborn *s, const Edge *const *edges, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (s->in[edges[i]->process])
      return true;
  return false;
}
