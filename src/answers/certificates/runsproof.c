#include "answers/certificates/runsproof.h"

#include "answers/certificates/encode.h"
#include "answers/certificates/parts.h"
#include "answers/queries/runs.h"
#include "model/certificate_format.h"
#include "search/passed/nodes.h"

#include <errno.h>

typedef struct RunsWriter {
  FILE *file;
  Mem *mem;
  const Net *net;
  Reach *reach;
  const CertificateGoal *goal;
  Situations *situations;
  FileParts parts;
  Text out, definition;
  Intern definitions;
  uint32_t *position; // by clock: its position in the present definition, 0: none
  VEC(ClockIndex) clocks;
} RunsWriter;

static bool has_diagonal(const Situation *situation, ClockIndex x) {
  for (uint32_t i = 0; i < situation->diagonal_count; i++)
    if (situation->diagonals[i].i == x || situation->diagonals[i].j == x)
      return true;
  return false;
}

// The clocks that matter in a situation.
static void find_clocks(RunsWriter *w, const Situation *situation) {
  vec_clear(&w->clocks);
  vec_push(w->mem, &w->clocks, 0);
  for (ClockIndex x = 1; x <= w->net->clock_count; x++) {
    const bool matters = situation->lower[x] != CLOCK_NO_BOUND ||
                         situation->upper[x] != CLOCK_NO_BOUND || has_diagonal(situation, x);
    w->position[x] = matters ? w->clocks.size : 0;
    if (matters)
      vec_push(w->mem, &w->clocks, x);
  }
}

static void put_bounds(RunsWriter *w, const Situation *situation) {
  Text *text = &w->definition;
  text_clear(text);
  encode_number(text, w->clocks.size - 1);
  for (uint32_t i = 1; i < w->clocks.size; i++) {
    const ClockIndex x = w->clocks.items[i];
    encode_number(text, x - w->clocks.items[i - 1] - 1);
    encode_number(text, encode_bound(situation->lower[x]));
    encode_number(text, encode_bound(situation->upper[x]));
  }
  if (w->situations->has_diagonals)
    encode_number(text, situation->diagonal_count);
  for (uint32_t i = 0; i < situation->diagonal_count; i++) {
    const Constraint *c = &situation->diagonals[i];
    encode_number(text, w->position[c->i]);
    encode_number(text, w->position[c->j]);
    encode_integer(text, c->bound);
  }
  encode_definition(&w->out, &w->definitions, text);
}

static void put_matrix(RunsWriter *w, const Bound *zone) {
  const uint32_t stride = dbm_stride(w->net->clock_count + 1);
  for (uint32_t i = 0; i < w->clocks.size; i++)
    for (uint32_t j = 0; j < w->clocks.size; j++) {
      const Bound bound = zone[w->clocks.items[i] * stride + w->clocks.items[j]];
      if (i != j)
        encode_number(&w->out, bound == BOUND_INF ? 0 : encode_sign(bound) + 1);
    }
}

// A successor: ordinals say nothing. False if nothing covers it.
static bool put_hint(RunsWriter *w, NodeRef ref) {
  if (ref == NODE_NONE)
    return false;
  encode_number(&w->out, 0);
  encode_number(&w->out, w->parts.numbers.items[ref]);
  return true;
}

static bool put_initials(RunsWriter *w) {
  Space *space = w->reach->space;
  VEC(NodeRef) covers = {0};
  bool ok = true;
  for (space->next_initial = 0; space->initial(space);)
    vec_push(w->mem, &covers, store_subsumer(&w->reach->store));
  encode_number(&w->out, covers.size);
  for (uint32_t i = 0; ok && i < covers.size; i++)
    ok = put_hint(w, covers.items[i]);
  vec_release(w->mem, &covers);
  return ok && !space->failure;
}

static bool put_node(RunsWriter *w, NodeRef ref, const uint64_t *key) {
  Space *space = w->reach->space;
  const Sccs *sccs = w->goal->sccs;
  encode_number(&w->out, sccs->numbers[ref]);
  space->load(space, key, nodes_at(w->reach, ref)->zone);
  put_bounds(w, situation_at(w->situations, runs_situation(*key)));
  put_matrix(w, runs_zone(space));
  const uint64_t first = sccs->first[ref], end = sccs->first[ref + 1];
  encode_number(&w->out, end - first);
  bool ok = true;
  for (uint64_t link = first; ok && link < end; link++)
    ok = put_hint(w, sccs->links.items[link].to);
  return ok && encode_flush(&w->out, w->file, false);
}

static bool put_group(RunsWriter *w, uint32_t at, uint32_t end) {
  const uint64_t *key = nodes_key(w->reach, nodes_group(w->reach, w->parts.order.items[at]));
  const Situation *situation = situation_at(w->situations, runs_situation(*key));
  for (uint32_t slot = 0; slot < w->net->slots.count; slot++)
    encode_integer(&w->out, situation->state[slot]);
  encode_number(&w->out, runs_mode(*key));
  encode_number(&w->out, end - at);
  find_clocks(w, situation);
  bool ok = true;
  for (; ok && at < end; at++) {
    mem_tick(w->mem);
    ok = put_node(w, w->parts.order.items[at], key);
  }
  return ok;
}

static bool put_all(RunsWriter *w) {
  const unsigned features = CERTIFY_ENDLESS | CERTIFY_TIMED |
                            (w->net->reading.measures_time ? CERTIFY_DIVERGES : 0) |
                            (w->situations->has_diagonals ? CERTIFY_DIAGONALS : 0);
  const CertificateStart start = {.features = features,
                                  .hash = w->goal->hash,
                                  .query = w->goal->query,
                                  .is_labels = w->goal->is_labels,
                                  .origin = w->goal->origin};
  encode_head(&w->out, &start, w->net);
  encode_columns(&w->out, w->goal->missing, w->goal->sccs->list.size, 1);
  bool ok = put_initials(w);
  encode_number(&w->out, w->parts.ends.size);
  for (uint32_t g = 0, at = 0; ok && g < w->parts.ends.size; at = w->parts.ends.items[g++])
    ok = put_group(w, at, w->parts.ends.items[g]);
  encode_end(&w->out, NULL);
  return ok && encode_flush(&w->out, w->file, true);
}

// The nodes in the order of the file.
static void number_nodes(RunsWriter *w) {
  parts_init(&w->parts, w->mem, w->reach, NULL);
  const uint32_t count = w->parts.ends.size ? vec_last(&w->parts.ends) : 0;
  for (uint32_t i = 0; i < count; i++)
    w->parts.numbers.items[w->parts.order.items[i]] = i;
}

bool runsproof_write(FILE *file, Mem *owner, const Net *net, Reach *reach,
                     const CertificateGoal *goal) {
  Mem *mem = mem_part(owner);
  RunsWriter w = {.file = file,
                  .mem = mem,
                  .net = net,
                  .reach = reach,
                  .goal = goal,
                  .situations = runs_situations(reach->space),
                  .out.mem = mem,
                  .definition.mem = mem};
  intern_init(&w.definitions, mem);
  w.position = mem_alloc(mem, (net->clock_count + 1) * sizeof *w.position);
  number_nodes(&w);
  errno = 0;
  const bool ok = put_all(&w);
  const int error = errno;
  mem_release_part(mem);
  errno = error;
  return ok;
}
