// Certificates that can be changed, for the unit tests of their checker: read apart, and written
// again by code of its own.
#pragma once

#include "searching.h"

#include "answers/certificates/certificate.h"
#include "check/certificate_reader.h"
#include "plan/fingerprint.h"

typedef struct DraftHint {
  uint64_t ordinal;
  uint32_t node;
} DraftHint;

typedef VEC(DraftHint) DraftHints;

typedef struct DraftNode {
  uint32_t group; // index of its state
  uint32_t k;
  ClockIndex *clocks;
  int64_t *lower, *upper;
  NodeBound *matrix;
  DraftHints hints;
  bool dropped;
} DraftNode;

typedef struct Draft {
  Mem *mem;
  const Net *net;
  VEC(DraftNode) nodes;
  int32_t *states;
  uint32_t group_count;
  DraftHints initials;
} Draft;

// What a search writes.
static inline void draft_written(Search *s, Text *bytes) {
  unsigned char hash[SHA256_SIZE];
  fingerprint_model(hash, &s->mem, &s->reading.net);
  const CertificateGoal goal = {.query = s->query.formula ? s->query_text : NULL,
                                .hash = hash,
                                .origin = "a test",
                                .is_local = s->options.engine == ENGINE_LOCAL};
  FILE *file = tmpfile();
  assert_true(certificate_write(file, &s->mem, &s->reading.net, &s->reach, &goal));
  rewind(file);
  char buffer[4096];
  size_t size;
  text_clear(bytes);
  while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
    text_add_bytes(bytes, buffer, size);
  fclose(file);
}

static inline void draft_hints(Certificate *c, Mem *mem, DraftHints *hints) {
  const uint64_t count = certificate_number(c);
  uint64_t ordinal = UINT64_MAX;
  for (uint64_t i = 0; i < count; i++) {
    ordinal += 1 + certificate_number(c);
    const DraftHint hint = {ordinal, (uint32_t)certificate_number(c)};
    vec_push(mem, hints, hint);
  }
}

static inline void *draft_copy(Arena *arena, const void *from, size_t bytes) {
  void *to = arena_alloc(arena, bytes);
  memcpy(to, from, bytes);
  return to;
}

// The vectors are in `mem`, to be released with it; the rest is in the arena.
static inline void draft_read(Draft *d, Arena *arena, const Net *net, const Text *bytes) {
  Mem *mem = arena->mem;
  Text why = {.mem = mem};
  Certificate c;
  *d = (Draft){.mem = mem, .net = net};
  if (!certificate_open(&c, mem_part(mem), net, bytes->chars, bytes->size, &why))
    fail_msg("%s", text_chars(&why));
  d->group_count = c.group_count;
  d->states = draft_copy(arena, c.states.items, c.states.size * sizeof *c.states.items);
  c.at = c.initials;
  draft_hints(&c, mem, &d->initials);
  for (uint32_t i = 0; i < c.nodes.size; i++) {
    const NodeBounds *bounds = &c.bounds.items[c.nodes.items[i].bounds];
    const uint32_t k = bounds->k;
    DraftNode node = {.group = c.nodes.items[i].group, .k = k};
    node.clocks = draft_copy(arena, bounds->clocks, k * sizeof *node.clocks);
    node.lower = draft_copy(arena, bounds->lower, k * sizeof *node.lower);
    node.upper = draft_copy(arena, bounds->upper, k * sizeof *node.upper);
    node.matrix = ARENA_ARRAY(arena, NodeBound, k * k);
    certificate_matrix(&c, i, node.matrix);
    draft_hints(&c, mem, &node.hints);
    vec_push(mem, &d->nodes, node);
  }
  mem_release_part(c.mem);
}

static inline void draft_put(Text *text, uint64_t value) {
  for (; value > 127; value >>= 7)
    text_add_char(text, (char)(128 + value % 128));
  text_add_char(text, (char)value);
}

static inline uint64_t draft_code(int64_t value) {
  return value >= 0 ? (uint64_t)value * 2 : (uint64_t)(-value) * 2 - 1;
}

// Hints to dropped nodes are dropped.
static inline void draft_put_hints(const Draft *d, const uint32_t *numbers,
                                   const DraftHints *hints, Text *text) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < hints->size; i++)
    count += !d->nodes.items[hints->items[i].node].dropped;
  draft_put(text, count);
  uint64_t next = 0;
  for (uint32_t i = 0; i < hints->size; i++) {
    const DraftHint *hint = &hints->items[i];
    if (d->nodes.items[hint->node].dropped)
      continue;
    draft_put(text, hint->ordinal - next);
    draft_put(text, numbers[hint->node]);
    next = hint->ordinal + 1;
  }
}

static inline void draft_put_bound(Text *text, int64_t bound) {
  draft_put(text, bound == BOUND_NONE ? 0 : bound == BOUND_INFINITE ? 1 : (uint64_t)bound + 2);
}

static inline void draft_put_node(const Draft *d, const uint32_t *numbers, uint32_t index,
                                  Text *text) {
  const DraftNode *node = &d->nodes.items[index];
  draft_put(text, numbers[index]); // each has bounds of its own
  draft_put(text, node->k - 1);
  for (uint32_t i = 1; i < node->k; i++) {
    draft_put(text, node->clocks[i] - node->clocks[i - 1] - 1);
    draft_put_bound(text, node->lower[i]);
    draft_put_bound(text, node->upper[i]);
  }
  for (uint32_t i = 0; i < node->k * node->k; i++)
    if (i / node->k != i % node->k)
      draft_put(text,
                node->matrix[i] >= NODEBOUND_INFINITE ? 0 : draft_code(node->matrix[i]) + 1);
  draft_put_hints(d, numbers, &node->hints, text);
}

// The goal in the head is none: the caller of the checker states it. It is of the oldest version,
// so that this one is read, too.
static inline void draft_write(const Draft *d, Text *text) {
  text_clear(text);
  text_add(text, CERTIFY_PREFIX "1\n");
  for (int i = 0; i < 3; i++)
    draft_put(text, 0);
  draft_put(text, d->net->slots.count);
  draft_put(text, d->net->clock_count);
  uint32_t *numbers = mem_alloc(d->mem, d->nodes.size * sizeof *numbers), next = 0;
  for (uint32_t i = 0; i < d->nodes.size; i++) {
    numbers[i] = next;
    next += !d->nodes.items[i].dropped;
  }
  draft_put_hints(d, numbers, &d->initials, text);
  draft_put(text, d->group_count);
  for (uint32_t g = 0, at = 0; g < d->group_count; g++) {
    uint32_t count = 0, end = at;
    for (; end < d->nodes.size && d->nodes.items[end].group == g; end++)
      count += !d->nodes.items[end].dropped;
    for (uint32_t slot = 0; slot < d->net->slots.count; slot++)
      draft_put(text, draft_code(d->states[g * d->net->slots.count + slot]));
    draft_put(text, count);
    for (; at < end; at++)
      if (!d->nodes.items[at].dropped)
        draft_put_node(d, numbers, at, text);
  }
  mem_free(d->mem, numbers);
}

static inline void draft_release(Draft *d) {
  for (uint32_t i = 0; i < d->nodes.size; i++)
    vec_release(d->mem, &d->nodes.items[i].hints);
  vec_release(d->mem, &d->nodes);
  vec_release(d->mem, &d->initials);
}
