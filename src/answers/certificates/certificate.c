#include "answers/certificates/certificate.h"

#include "answers/certificates/covers.h"
#include "answers/certificates/encode.h"
#include "answers/certificates/parts.h"
#include "answers/queries/stateruns.h"
#include "answers/runs/hints.h"
#include "base/intern.h"
#include "dbm/extra.h"
#include "model/certificate_format.h"
#include "search/passed/fly.h"
#include "search/passed/nodes.h"
#include "search/workers/ranks.h"
#include "semantics/local/local.h"
#include "semantics/orbit.h"
#include "semantics/zone/partialorder.h"

#include <errno.h>
#include <string.h>

typedef struct Writer {
  FILE *file; // of rank 0
  Mem *mem;
  Arena arena;
  const Net *net;
  Talk talk;
  Covers covers;
  Reach *reach;
  Reach *now; // with the space that has the current node
  // Nodes of local time are seen as their synchronised zones, which are nodes of global time,
  // modulo the simulation by clock bounds (doc/notes/local-time.md).
  const CertificateGoal *goal;
  Text out;
  int error; // why it failed to write; 0: it did not
  FileParts parts;
  Hints hints;                      // of the nodes of a part
  uint32_t defined;                 // clock bounds of the file so far
  Intern definitions;               // those of this process
  VEC(uint32_t) definition_numbers; // in the file
  Text definition;
  int32_t *lower, *upper; // by clock
  bool has_diagonals;     // they matter in the search
  bool is_reduced;        // nodes leave out transitions
  Text claims;            // of the nodes of a part: what they say about that
  VEC(uint32_t) claim_ends;
  ClockTests diagonals; // of a node
  // With bounds that were found during the search, by NodeRef: the visited node that covers it
  // (NULL otherwise); and its first child, of no node the last one.
  NodeRef *subsumers, *first_child;
} Writer;

// The zone engine that has the current node.
static Space *zones_now(const Writer *w) {
  return w->goal->sccs ? stateruns_zones(w->now->space) : w->now->space;
}

// Others than rank 0 tell it what they write, in pieces. Each begins with the number of bounds of
// the file so far, and the last one of a part is shorter than ENCODE_MANY.
static void tell(Writer *w) {
  memcpy(w->out.chars, &w->defined, sizeof w->defined);
  talk_tell(&w->talk, 0, w->out.chars, w->out.size);
  w->out.size = sizeof w->defined;
}

static bool flush(Writer *w, bool is_end) {
  if (w->talk.rank && (is_end || w->out.size >= ENCODE_MANY))
    tell(w);
  const bool ok = w->talk.rank || encode_flush(&w->out, w->file, is_end);
  w->error = ok ? 0 : errno;
  return ok;
}

// The bounds of the current node, by clock.
static void find_bounds(Writer *w, NodeRef ref) {
  const uint32_t n = w->net->clock_count + 1;
  if (!w->subsumers) {
    if (!zones_local_bounds(zones_now(w), w->lower, w->upper))
      memset(w->lower, 0, n * sizeof *w->lower); // all matter
    for (uint32_t x = 0; w->goal->is_m && x < n; x++)
      w->lower[x] = w->upper[x] = w->lower[x] > w->upper[x] ? w->lower[x] : w->upper[x];
    return;
  }
  const ActiveClocks *active = zones_active(zones_now(w));
  const PackedBounds *levels = fly_bounds(w->reach->fly, ref);
  for (uint32_t i = 1; i < active->k; i++) {
    w->lower[active->clocks[i]] = levels ? levels->lower[i] : CLOCK_NO_BOUND;
    w->upper[active->clocks[i]] = levels ? levels->upper[i] : CLOCK_NO_BOUND;
  }
}

static void put_diagonals(Writer *w, const ActiveClocks *active) {
  Text *text = &w->definition;
  zones_diagonals(zones_now(w), &w->diagonals);
  encode_number(text, w->diagonals.size);
  for (uint32_t i = 0; i < w->diagonals.size; i++) {
    const Constraint c = activeclocks_constraint(active, &w->diagonals.items[i]);
    encode_number(text, c.i);
    encode_number(text, c.j);
    encode_integer(text, c.bound);
  }
}

// The clocks and bounds of the current node: by index, and defined if they are new.
static void put_bounds(Writer *w, NodeRef ref) {
  const ActiveClocks *active = zones_active(zones_now(w));
  // What covers depends on clock bounds, else on inclusion.
  const bool uses_bounds =
      (w->goal->is_local ? local_uses_bounds : zones_uses_bounds)(zones_now(w));
  Text *text = &w->definition;
  text_clear(text);
  find_bounds(w, ref);
  encode_number(text, active->k - 1);
  for (uint32_t i = 1; i < active->k; i++) {
    const ClockId x = active->clocks[i];
    const uint64_t lower = encode_bound(w->lower[x]), upper = encode_bound(w->upper[x]);
    // For inclusion bounds are infinite, but not those of clocks that do not matter: what a
    // search with bounds for the whole model keeps of those need not be true.
    const bool is_infinite = !uses_bounds && (lower != CERTIFY_NONE || upper != CERTIFY_NONE);
    encode_number(text, x - active->clocks[i - 1] - 1);
    encode_number(text, is_infinite ? CERTIFY_INFINITE : lower);
    encode_number(text, is_infinite ? CERTIFY_INFINITE : upper);
  }
  if (w->has_diagonals)
    put_diagonals(w, active);
  const uint32_t number = intern_number(&w->definitions, text->chars, text->size) - 1;
  const bool is_new = number == w->definition_numbers.size;
  if (is_new)
    vec_push(w->mem, &w->definition_numbers, w->defined++);
  encode_number(&w->out, w->definition_numbers.items[number]);
  if (is_new)
    text_add_bytes(&w->out, text->chars, text->size);
}

static void put_matrix(Writer *w) {
  const uint32_t k = zones_active(zones_now(w))->k, stride = dbm_stride(k);
  const Bound *zone = (w->goal->is_local ? local_zone : zones_zone)(zones_now(w));
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++)
      if (i != j) {
        const Bound bound = zone[i * stride + j];
        encode_number(&w->out, bound == BOUND_INF ? 0 : encode_sign(bound) + 1);
      }
}

// With bounds found during the search every successor is a node. Those of one node follow each
// other. The parent NODE_NONE is that of the initial ones.
static void find_children(Writer *w) {
  const Store *store = &w->reach->store;
  const uint32_t count = store->nodes.size;
  w->subsumers = ARENA_ARRAY(&w->arena, NodeRef, count + (size_t)1);
  w->first_child = ARENA_ARRAY(&w->arena, NodeRef, count + (size_t)1);
  fly_subsumers(w->reach->fly, w->subsumers);
  for (NodeRef ref = count; ref-- > 0;) {
    const NodeRef parent = store_node(store, ref)->parent;
    w->first_child[parent < count ? parent : count] = ref;
  }
}

static void add_children(Writer *w, NodeRef parent) {
  const Store *store = &w->reach->store;
  const uint32_t count = store->nodes.size;
  for (NodeRef ref = w->first_child[parent < count ? parent : count];
       ref < count && store_node(store, ref)->parent == parent; ref++)
    hints_add(&w->hints, w->now->space, store_node(store, ref)->ordinal,
              covers_know(&w->covers, w->subsumers[ref]));
}

// A node becomes the current one, or the opened one. Spaces of global time share their zones,
// those of local time do not.
static void enter(Writer *w, NodeRef ref, bool is_opened) {
  w->now = w->goal->is_local ? nodes_owner(w->reach, ref) : w->reach;
  Space *space = w->now->space;
  (is_opened ? space->open : space->load)(space, nodes_key(w->reach, nodes_group(w->reach, ref)),
                                          nodes_at(w->reach, ref)->zone);
}

// The same for all others.
static void add_successors(Writer *w, NodeRef ref) {
  const Sccs *sccs = ref == NODE_NONE ? NULL : w->goal->sccs;
  uint64_t link = sccs ? sccs->first[ref] : 0;
  if (ref == NODE_NONE)
    w->now->space->next_initial = 0;
  else
    enter(w, ref, true);
  Space *space = w->now->space;
  // Of several nodes that cover a successor it is the one for which the numbers are right.
  while ((ref == NODE_NONE ? space->initial : space->next)(space))
    hints_add(&w->hints, space, space->ordinal,
              sccs ? covers_know(&w->covers, sccs->links.items[link++].to)
                   : covers_find(&w->covers, w->now));
}

// What the opened node says about the transitions that it leaves out.
static void add_claim(Writer *w) {
  const PartialClaim claim = partialorder_claim(w->now->space);
  encode_number(&w->claims, claim.reason);
  if (claim.reason == CERTIFY_STILL_BOUND) {
    encode_number(&w->claims, claim.process);
    encode_number(&w->claims, claim.clock);
  }
  if (claim.reason)
    encode_processes(&w->claims, claim.in, w->net->processes.size);
  vec_push(w->mem, &w->claim_ends, (uint32_t)w->claims.size);
}

// Finds what covers the successors of a node, or the initial nodes; false if there is a failure.
static bool visit(Writer *w, NodeRef ref) {
  (w->subsumers ? add_children : add_successors)(w, ref);
  if (w->is_reduced && ref != NODE_NONE)
    add_claim(w);
  hints_end(&w->hints);
  return !w->now->space->failure;
}

// The nodes of a part.
static bool visit_part(Writer *w, uint32_t at, uint32_t end) {
  hints_clear(&w->hints);
  vec_clear(&w->covers.answers);
  text_clear(&w->claims);
  vec_clear(&w->claim_ends);
  do {
    for (; at < end && !covers_are_many(&w->covers); at++)
      if (mem_tick(w->mem), !visit(w, w->parts.order.items[at]))
        return false;
  } while (!covers_meet(&w->covers, at == end));
  return !w->talk.is_over;
}

// What the current node's group begins with.
static void put_group(Writer *w, uint32_t count) {
  const int32_t *state = zones_state(zones_now(w));
  for (uint32_t slot = 0; slot < w->net->slots.count; slot++)
    encode_integer(&w->out, state[slot]);
  if (w->goal->sccs)
    encode_number(&w->out, stateruns_mode(w->now->space, w->now->space->key));
  encode_number(&w->out, count);
}

// The current node, with the hints of this one of the part.
static bool put_node(Writer *w, NodeRef ref, uint32_t hints) {
  if (w->goal->sccs)
    encode_number(&w->out, w->goal->sccs->numbers[ref]);
  put_bounds(w, ref);
  put_matrix(w);
  if (w->is_reduced) {
    const uint32_t from = hints ? w->claim_ends.items[hints - 1] : 0;
    text_add_bytes(&w->out, w->claims.chars + from, w->claim_ends.items[hints] - from);
  }
  return hints_put(&w->hints, &w->out, hints, w->covers.answers.items) && flush(w, false);
}

static bool put_part(Writer *w, const FilePart *part) {
  for (uint32_t g = part->group, at = part->node; g < part[1].group; g++) {
    const uint32_t first = at, end = w->parts.ends.items[g];
    for (; at < end; at++) {
      const NodeRef ref = w->parts.order.items[at];
      mem_tick(w->mem);
      enter(w, ref, false);
      if (at == first)
        put_group(w, end - first);
      if (!put_node(w, ref, at - part->node))
        return false;
    }
  }
  return true;
}

// Rank 0 takes a part of another one, piece by piece.
static bool take_part(Writer *w, uint32_t rank) {
  size_t size;
  talk_tell(&w->talk, rank, &w->defined, sizeof w->defined);
  do {
    const char *bytes = talk_hear(&w->talk, rank, &size);
    if (!bytes)
      return false;
    memcpy(&w->defined, bytes, sizeof w->defined);
    text_add_bytes(&w->out, bytes + sizeof w->defined, size - sizeof w->defined);
    if (!flush(w, false))
      return false;
  } while (size >= ENCODE_MANY);
  return true;
}

// Another one writes a part when it is its turn.
static bool tell_part(Writer *w, const FilePart *part) {
  size_t size;
  const uint32_t *defined = talk_hear(&w->talk, 0, &size);
  if (!defined)
    return false;
  w->defined = *defined;
  return put_part(w, part) && flush(w, true);
}

// The next part of each process.
static bool put_round(Writer *w, const FilePart *part) {
  if (!visit_part(w, part->node, part[1].node))
    return false;
  if (w->talk.rank)
    return tell_part(w, part);
  bool ok = put_part(w, part);
  for (uint32_t rank = 1; ok && rank < w->talk.ranks; rank++)
    ok = take_part(w, rank);
  return ok;
}

static void put_head(Writer *w) {
  const Orbit *orbit = w->reach->space->orbit;
  const CertificateStart start = {
      (w->goal->sccs ? CERTIFY_ENDLESS : 0) | (orbit ? CERTIFY_RENAMED : 0) |
          (w->has_diagonals ? CERTIFY_DIAGONALS : 0) | (w->is_reduced ? CERTIFY_REDUCED : 0) |
          (w->goal->forgotten ? CERTIFY_FORGETS : 0) | (w->goal->left_out ? CERTIFY_SLICED : 0),
      w->goal->hash,
      w->goal->query,
      w->goal->is_labels,
      w->goal->origin,
      w->goal->claims,
      w->goal->marked};
  encode_head(&w->out, &start, w->net);
  for (LocationId l = 0; w->goal->forgotten && l < w->net->locations.size; l++)
    encode_gaps(&w->out, w->goal->forgotten[l].items, w->goal->forgotten[l].count);
  if (w->goal->left_out)
    encode_processes(&w->out, w->goal->left_out, w->net->processes.size);
  if (orbit)
    encode_number(&w->out, orbit->count);
  for (uint32_t f = 0; orbit && f < orbit->count; f++)
    encode_family(&w->out, w->net, orbit->families[f].family);
  if (w->goal->sccs)
    encode_columns(&w->out, w->goal->missing, w->goal->sccs->list.size, 1);
}

// Initial nodes are asked for by rank 0.
static bool put_initials(Writer *w) {
  if (!w->talk.rank && !visit(w, NODE_NONE))
    return false;
  covers_meet(&w->covers, true);
  if (w->talk.rank || w->talk.is_over)
    return !w->talk.is_over;
  const bool ok = hints_put(&w->hints, &w->out, 0, w->covers.answers.items);
  encode_number(&w->out, w->parts.all_groups);
  return ok;
}

static bool put_all(Writer *w) {
  parts_init(&w->parts, w->mem, w->reach, w->subsumers);
  if (!parts_plan(&w->parts, &w->talk))
    return false;
  w->covers.numbers = w->parts.numbers.items;
  if (!w->talk.rank)
    put_head(w);
  bool ok = put_initials(w);
  for (uint32_t round = 0; ok && round < w->parts.rounds; round++)
    ok = put_round(w, &w->parts.list.items[round]);
  if (!w->talk.rank)
    encode_end(&w->out, w->goal->runs);
  return ok && (w->talk.rank || flush(w, true));
}

// Reduced sets only where there are any: not every checker knows them.
static void prepare_reduction(Writer *w) {
  w->is_reduced = w->goal->leaves_out;
  for (uint32_t i = 0; !w->is_reduced && i < w->reach->peers->count; i++)
    partialorder_end(w->reach->peers->members[i]->space);
  if (w->is_reduced)
    partialorder_begin_proof(w->reach->space);
}

// What is needed besides the talk.
static void prepare(Writer *w) {
  const bool is_plain = !w->goal->is_local && !w->goal->sccs;
  covers_init(&w->covers, w->mem, &w->talk, w->reach);
  if (w->talk.rank)
    text_add_bytes(&w->out, (const char *)&w->defined, sizeof w->defined);
  w->lower = ARENA_ARRAY(&w->arena, int32_t, w->net->clock_count + 1);
  w->upper = ARENA_ARRAY(&w->arena, int32_t, w->net->clock_count + 1);
  w->has_diagonals = is_plain && zones_diagonals(w->reach->space, &w->diagonals);
  if (is_plain && partialorder_is_attached(w->reach->space))
    prepare_reduction(w);
  for (uint32_t i = 0; i < w->reach->peers->count; i++) {
    Space *space = w->reach->peers->members[i]->space;
    space->exchange.leaves_others = false; // successors are needed whole
    if (is_plain)
      zones_cover_by_simulation(space);
  }
  if (w->reach->fly)
    find_children(w);
}

// A process that helps to write has no limit but the memory of its machine. A process that meets
// a limit gives up at once, because the others wait for it.
static bool put_together(Writer *w) {
  jmp_buf escape;
  jmp_buf *const outer = mem_whole(w->mem)->escape;
  mem_whole(w->mem)->escape = &escape;
  if (setjmp(escape)) {
    mem_whole(w->mem)->escape = outer;
    talk_end(&w->talk, false);
    if (!w->talk.rank)
      mem_exhausted(w->mem);
    return false;
  }
  prepare(w);
  bool ok = put_all(w);
  ok = talk_end(&w->talk, ok);
  mem_whole(w->mem)->escape = outer;
  return ok;
}

// Others begin to write when rank 0 does.
static void call_others(const Talk *talk, const CertificateGoal *goal) {
  const CertificateCall call = {RANKS_WRITE, goal->is_local, goal->is_m, goal->leaves_out};
  for (uint32_t rank = 1; !talk->rank && rank < talk->ranks; rank++)
    link_tell(talk->link, rank, &call, sizeof call);
}

bool certificate_write(FILE *file, Mem *owner, const Net *net, Reach *reach,
                       const CertificateGoal *goal) {
  Mem *mem = mem_part(owner);
  Writer *w = mem_alloc(mem, sizeof *w);
  *w = (Writer){.file = file,
                .mem = mem,
                .arena = {.mem = mem},
                .net = net,
                .reach = reach,
                .now = reach,
                .goal = goal};
  w->out.mem = w->definition.mem = w->claims.mem = w->hints.mem = w->hints.renamings.mem = mem;
  intern_init(&w->definitions, mem);
  talk_init(&w->talk, owner, reach->peers->link);
  call_others(&w->talk, goal);
  const bool ok = put_together(w);
  const int error = w->error;
  mem_release_part(mem);
  errno = error;
  return ok;
}

bool certificate_help(const CertificateCall *call, Mem *mem, const Net *net, Reach *reach) {
  const CertificateGoal goal = {
      .is_local = call->is_local, .is_m = call->is_m, .leaves_out = call->leaves_out};
  return certificate_write(NULL, mem, net, reach, &goal);
}
