#include "evidence/certificate.h"

#include "base/intern.h"
#include "check/certificate_format.h"
#include "dbm/extra.h"
#include "evidence/covers.h"
#include "evidence/encode.h"
#include "evidence/hints.h"
#include "evidence/parts.h"
#include "local/local.h"
#include "search/fly.h"
#include "search/nodes.h"
#include "search/ranks.h"
#include "symmetry/orbit.h"

#include <errno.h>
#include <string.h>

enum { FLUSH = 1 << 16 };

typedef struct Piece { // of a part, on its way to rank 0
  uint32_t is_last;
  uint32_t defined; // bounds of the file so far
} Piece;

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
  bool has_differences;   // they matter in the search
  ClockTests differences; // of a node
  // With bounds that were found during the search, by NodeRef: the visited node that covers it
  // (NULL otherwise). And as lists of references plus 1: the first child of each node, last of no
  // node, and the next child of the same parent.
  NodeRef *subsumers;
  uint32_t *first_child, *next_child;
} Writer;

// The zone engine that has the current node.
static Space *zones_now(const Writer *w) {
  return w->goal->live ? w->goal->live->zones : w->now->space;
}

// Others than rank 0 tell what they write to it. Their text begins with a Piece.
static void tell(Writer *w, bool is_last) {
  const Piece piece = {is_last, w->defined};
  memcpy(w->out.chars, &piece, sizeof piece);
  talk_tell(&w->talk, 0, w->out.chars, w->out.size);
  w->out.size = sizeof piece;
}

static void flush(Writer *w, size_t least) {
  if (w->talk.rank) {
    if (w->out.size >= least)
      tell(w, false);
    return;
  }
  errno = 0;
  if (!encode_flush(&w->out, w->file, least) && !w->error)
    w->error = errno ? errno : EIO;
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
  // What covers depends on clock bounds, else on inclusion.
  const bool uses_bounds =
      (w->goal->is_local ? local_uses_bounds : zones_uses_bounds)(zones_now(w));
  Text *text = &w->definition;
  text_clear(text);
  find_bounds(w, ref);
  encode_number(text, active->k - 1);
  for (uint32_t i = 1; i < active->k; i++) {
    const ClockId x = active->clocks[i];
    encode_number(text, x - active->clocks[i - 1] - 1);
    put_bound(text, w->lower[x], w->upper[x], uses_bounds);
  }
  if (w->has_differences)
    put_differences(w, active);
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

// With bounds found during the search every successor is a node.
static void add_children(Writer *w, NodeRef parent) {
  const Store *store = &w->reach->store;
  for (uint32_t at = w->first_child[parent == NODE_NONE ? store->nodes.size : parent]; at;
       at = w->next_child[at - 1])
    hints_add(&w->hints, w->now->space, store_node(store, at - 1)->ordinal,
              covers_know(&w->covers, w->subsumers[at - 1]));
}

static void find_children(Writer *w) {
  const Store *store = &w->reach->store;
  const uint32_t count = store->nodes.size;
  w->subsumers = ARENA_ARRAY(&w->arena, NodeRef, count + (size_t)1);
  w->next_child = ARENA_ARRAY(&w->arena, uint32_t, count + (size_t)1);
  w->first_child = ARENA_ARRAY(&w->arena, uint32_t, count + (size_t)1);
  fly_subsumers(w->reach->fly, w->subsumers);
  for (NodeRef ref = count; ref-- > 0;) {
    const NodeRef parent = store_node(store, ref)->parent;
    uint32_t *first = &w->first_child[parent == NODE_NONE ? count : parent];
    w->next_child[ref] = *first;
    *first = ref + 1;
  }
}

static void add_initials(Writer *w) {
  Space *space = w->reach->space;
  if (w->subsumers)
    add_children(w, NODE_NONE);
  space->next_initial = 0;
  while (!w->subsumers && space->initial(space))
    hints_add(&w->hints, space, space->ordinal, covers_find(&w->covers, w->now));
  hints_end(&w->hints);
}

// Spaces of global time share their zones, those of local time do not.
static void choose_space(Writer *w, NodeRef ref) {
  w->now = w->goal->is_local ? nodes_owner(w->reach, ref) : w->reach;
}

static void load(Writer *w, NodeRef ref) {
  choose_space(w, ref);
  w->now->space->load(w->now->space, nodes_key(w->reach, nodes_group(w->reach, ref)),
                      nodes_at(w->reach, ref)->zone);
}

// Finds what covers the successors of a node; false if there is a failure.
static bool visit(Writer *w, NodeRef ref) {
  choose_space(w, ref);
  Space *space = w->now->space;
  if (w->subsumers)
    add_children(w, ref);
  else
    space->open(space, nodes_key(w->reach, nodes_group(w->reach, ref)),
                nodes_at(w->reach, ref)->zone);
  // Of several nodes that cover a successor it is the one for which the numbers are right.
  for (uint64_t i = w->goal->live ? w->goal->live->sccs->first[ref] : 0;
       !w->subsumers && space->next(space); i++)
    hints_add(&w->hints, space, space->ordinal,
              w->goal->live ? covers_know(&w->covers, w->goal->live->sccs->links.items[i].to)
                            : covers_find(&w->covers, w->now));
  hints_end(&w->hints);
  return !space->failure;
}

// The nodes of a part.
static bool visit_part(Writer *w, uint32_t at, uint32_t end) {
  hints_clear(&w->hints);
  vec_clear(&w->covers.answers);
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
  if (w->goal->live)
    encode_number(&w->out, w->goal->live->mode(w->now->space, w->now->space->key));
  encode_number(&w->out, count);
}

// The current node, with the hints of this one of the part.
static bool put_node(Writer *w, NodeRef ref, uint32_t hints) {
  if (w->goal->live)
    encode_number(&w->out, w->goal->live->sccs->numbers[ref]);
  put_bounds(w, ref);
  put_matrix(w);
  const bool ok = hints_put(&w->hints, &w->out, hints, w->covers.answers.items);
  flush(w, FLUSH);
  return ok;
}

static bool put_part(Writer *w, const FilePart *part) {
  for (uint32_t g = part->group, at = part->node; g < part[1].group; g++) {
    const uint32_t first = at, end = w->parts.ends.items[g];
    for (; at < end; at++) {
      const NodeRef ref = w->parts.order.items[at];
      mem_tick(w->mem);
      load(w, ref);
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
  Piece piece;
  size_t size;
  talk_tell(&w->talk, rank, &w->defined, sizeof w->defined);
  do {
    const char *bytes = talk_hear(&w->talk, rank, &size);
    if (!bytes)
      return false;
    memcpy(&piece, bytes, sizeof piece);
    text_add_bytes(&w->out, bytes + sizeof piece, size - sizeof piece);
    flush(w, 0);
  } while (!piece.is_last && !w->error);
  w->defined = piece.defined;
  return !w->error;
}

// Another one writes a part when it is its turn.
static bool tell_part(Writer *w, const FilePart *part) {
  size_t size;
  const uint32_t *defined = talk_hear(&w->talk, 0, &size);
  if (!defined)
    return false;
  w->defined = *defined;
  const bool ok = put_part(w, part);
  if (ok)
    tell(w, true);
  return ok;
}

// The next part of each process.
static bool put_round(Writer *w, const FilePart *part) {
  if (!visit_part(w, part->node, part[1].node))
    return false;
  if (w->talk.rank)
    return tell_part(w, part);
  bool ok = put_part(w, part) && !w->error;
  for (uint32_t rank = 1; ok && rank < w->talk.ranks; rank++) {
    flush(w, 0);
    ok = !w->error && take_part(w, rank);
  }
  return ok;
}

static void put_head(Writer *w) {
  const Orbit *orbit = w->reach->space->orbit;
  const char *magic = w->goal->live        ? CERTIFY_MAGIC_LIVE
                      : orbit              ? CERTIFY_MAGIC_RENAMED
                      : w->has_differences ? CERTIFY_MAGIC_GAPS
                                           : CERTIFY_MAGIC;
  encode_head(&w->out, magic, w->goal->query, w->goal->is_labels, w->goal->origin, w->net);
  if (w->goal->live)
    encode_columns(&w->out, w->goal->live->missing, w->goal->live->count, 1);
  if (!orbit)
    return;
  encode_number(&w->out, orbit->count);
  for (uint32_t f = 0; f < orbit->count; f++)
    encode_family(&w->out, w->net, orbit->families[f].family);
}

// Initial nodes are asked for by rank 0.
static bool put_initials(Writer *w) {
  if (!w->talk.rank)
    add_initials(w);
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
  if (!ok || w->talk.rank)
    return ok;
  flush(w, 0);
  if (!w->error && fflush(w->file))
    w->error = errno;
  return !w->error;
}

// What is needed besides the talk.
static void prepare(Writer *w) {
  const bool is_plain = !w->goal->is_local && !w->goal->live;
  covers_init(&w->covers, w->mem, &w->talk, w->reach);
  if (w->talk.rank)
    text_add_bytes(&w->out, (const char *)&(Piece){0}, sizeof(Piece));
  w->lower = ARENA_ARRAY(&w->arena, int32_t, w->net->clock_count + 1);
  w->upper = ARENA_ARRAY(&w->arena, int32_t, w->net->clock_count + 1);
  w->has_differences = is_plain && zones_differences(w->reach->space, &w->differences);
  for (uint32_t i = 0; i < w->reach->peers->count; i++) {
    Space *space = w->reach->peers->members[i]->space;
    space->exchange.leaves_others = false; // successors are needed whole
    if (is_plain)
      zones_cover_by_simulation(space);
  }
  if (w->reach->fly)
    find_children(w);
}

// Another one that helps to write has no limits but the memory of its machine. Whoever meets a
// limit breaks off, from the first moment on: the others wait for it.
static bool put_together(Writer *w) {
  jmp_buf escape;
  jmp_buf *const outer = w->mem->escape;
  w->mem->escape = &escape;
  if (setjmp(escape)) {
    w->mem->escape = outer;
    talk_end(&w->talk, false);
    if (!w->talk.rank)
      mem_exhausted(w->mem);
    return false;
  }
  prepare(w);
  bool ok = put_all(w);
  ok = talk_end(&w->talk, ok);
  w->mem->escape = outer;
  return ok;
}

static void release(Writer *w) {
  Mem *mem = w->mem;
  covers_release(&w->covers);
  text_release(&w->out);
  intern_release(&w->definitions);
  text_release(&w->definition);
  parts_release(&w->parts);
  hints_release(&w->hints);
  vec_release(mem, &w->definition_numbers);
  vec_release(mem, &w->differences);
  arena_release(&w->arena);
  mem_free(mem, w);
}

// Others begin to write when rank 0 does.
static void call_others(const Talk *talk, const CertificateGoal *goal) {
  const CertificateCall call = {RANKS_WRITE, goal->is_local, goal->is_m};
  for (uint32_t rank = 1; !talk->rank && rank < talk->ranks; rank++)
    link_tell(talk->link, rank, &call, sizeof call);
}

bool certificate_write(FILE *file, Mem *mem, const Net *net, Reach *reach,
                       const CertificateGoal *goal) {
  Writer *w = mem_alloc(mem, sizeof *w);
  *w = (Writer){.file = file,
                .mem = mem,
                .arena = {.mem = mem},
                .net = net,
                .reach = reach,
                .now = reach,
                .goal = goal};
  w->out.mem = w->definition.mem = w->hints.mem = w->hints.renamings.mem = mem;
  intern_init(&w->definitions, mem);
  talk_init(&w->talk, mem, reach->peers->link);
  call_others(&w->talk, goal);
  const bool ok = put_together(w);
  const int error = w->error;
  release(w);
  errno = error;
  return ok;
}

bool certificate_help(const CertificateCall *call, Mem *mem, const Net *net, Reach *reach) {
  const CertificateGoal goal = {.is_local = call->is_local, .is_m = call->is_m};
  return certificate_write(NULL, mem, net, reach, &goal);
}
