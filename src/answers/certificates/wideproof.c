#include "answers/certificates/wideproof.h"

#include "answers/certificates/encode.h"
#include "answers/certificates/parts.h"
#include "answers/runs/hints.h"
#include "base/intern.h"
#include "model/certificate_format.h"
#include "search/passed/nodes.h"
#include "semantics/wide/wide.h"

#include <errno.h>

typedef struct WideWriter {
  FILE *file;
  Mem *mem;
  const Net *net;
  Reach *reach;
  FileParts parts;
  Text out, definition;
  Intern definitions;
  Hints hints;
  VEC(uint32_t) covers;   // by place of a hint: the number of the covering node
  VEC(ClockIndex) clocks; // that the present node lists, and 0
  bool is_too_large;
} WideWriter;

static uint64_t code_of(const WideNode *node, int64_t bound) {
  return !node->uses_bounds ? CERTIFY_INFINITE
         : bound < 0        ? CERTIFY_NONE
                            : (uint64_t)bound + CERTIFY_FIRST;
}

static void put_bounds(WideWriter *w, const WideNode *node) {
  Text *text = &w->definition;
  text_clear(text);
  encode_number(text, w->clocks.size - 1);
  for (uint32_t i = 1; i < w->clocks.size; i++) {
    const ClockIndex x = w->clocks.items[i];
    encode_number(text, x - w->clocks.items[i - 1] - 1);
    encode_number(text, code_of(node, node->lower[x]));
    encode_number(text, code_of(node, node->upper[x]));
  }
  encode_definition(&w->out, &w->definitions, text);
}

static void put_matrix(WideWriter *w, const WideNode *node) {
  const uint32_t n = w->net->clock_count + 1;
  for (uint32_t i = 0; i < w->clocks.size; i++)
    for (uint32_t j = 0; j < w->clocks.size; j++) {
      const WideBound bound = node->zone[w->clocks.items[i] * n + w->clocks.items[j]];
      w->is_too_large |=
          bound != WIDE_INF && (bound > CERTIFY_MAX_WIDE || bound < -CERTIFY_MAX_WIDE);
      if (i != j)
        encode_number(&w->out, bound == WIDE_INF ? 0 : encode_sign(bound) + 1);
    }
}

// What the space gives next is covered by a stored node.
static bool add_hint(WideWriter *w) {
  const NodeRef ref = store_subsumer(&w->reach->store);
  if (ref == NODE_NONE)
    return false;
  vec_push(w->mem, &w->covers, w->parts.numbers.items[ref]);
  hints_add(&w->hints, w->reach->space, w->reach->space->ordinal, w->covers.size - 1);
  return true;
}

// Of the initial nodes, or of the opened one.
static bool put_hints(WideWriter *w, bool (*next)(Space *)) {
  Space *space = w->reach->space;
  bool ok = true;
  hints_clear(&w->hints);
  vec_clear(&w->covers);
  while (ok && next(space))
    ok = add_hint(w);
  hints_end(&w->hints);
  return ok && !space->failure && hints_put(&w->hints, &w->out, 0, w->covers.items);
}

static bool put_node(WideWriter *w, NodeRef ref, const uint64_t *key) {
  Space *space = w->reach->space;
  const uint32_t zone = nodes_at(w->reach, ref)->zone;
  WideNode node;
  space->load(space, key, zone);
  wide_node(space, &node);
  vec_clear(&w->clocks);
  for (ClockIndex x = 0; x <= w->net->clock_count; x++)
    if (!x || node.lower[x] >= 0 || node.upper[x] >= 0)
      vec_push(w->mem, &w->clocks, x);
  put_bounds(w, &node);
  put_matrix(w, &node);
  space->open(space, key, zone);
  return put_hints(w, space->next) && encode_flush(&w->out, w->file, false);
}

static bool put_group(WideWriter *w, uint32_t at, uint32_t end) {
  Space *space = w->reach->space;
  const NodeRef first = w->parts.order.items[at];
  const uint64_t *key = nodes_key(w->reach, nodes_group(w->reach, first));
  WideNode node;
  bool ok = true;
  space->load(space, key, nodes_at(w->reach, first)->zone);
  wide_node(space, &node);
  for (uint32_t slot = 0; slot < w->net->slots.count; slot++)
    encode_integer(&w->out, node.state[slot]);
  encode_number(&w->out, end - at);
  for (; ok && at < end; at++) {
    mem_tick(w->mem);
    ok = put_node(w, w->parts.order.items[at], key);
  }
  return ok;
}

static bool put_all(WideWriter *w, const CertificateGoal *goal) {
  const CertificateStart start = {.hash = goal->hash,
                                  .query = goal->query,
                                  .is_labels = goal->is_labels,
                                  .origin = goal->origin};
  Space *space = w->reach->space;
  encode_head(&w->out, &start, w->net);
  space->next_initial = 0;
  bool ok = put_hints(w, space->initial);
  encode_number(&w->out, w->parts.ends.size);
  for (uint32_t g = 0, at = 0; ok && g < w->parts.ends.size; at = w->parts.ends.items[g++])
    ok = put_group(w, at, w->parts.ends.items[g]);
  encode_end(&w->out, NULL);
  return ok && encode_flush(&w->out, w->file, true);
}

bool wideproof_write(FILE *file, Mem *owner, const Net *net, Reach *reach,
                     const CertificateGoal *goal) {
  Mem *mem = mem_part(owner);
  WideWriter w = {.file = file,
                  .mem = mem,
                  .net = net,
                  .reach = reach,
                  .out.mem = mem,
                  .definition.mem = mem,
                  .is_too_large = net->clock_count > CERTIFY_WIDE_CLOCKS,
                  .hints = {.mem = mem, .renamings.mem = mem}};
  intern_init(&w.definitions, mem);
  parts_init(&w.parts, mem, reach, NULL);
  const uint32_t count = w.parts.ends.size ? vec_last(&w.parts.ends) : 0;
  for (uint32_t i = 0; i < count; i++)
    w.parts.numbers.items[w.parts.order.items[i]] = i;
  errno = 0;
  bool ok = put_all(&w, goal);
  const int error = w.is_too_large ? ERANGE : errno;
  ok = ok && !w.is_too_large;
  mem_release_part(mem);
  errno = error;
  return ok;
}
