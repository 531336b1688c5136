#define _POSIX_C_SOURCE 200809L // strdup
#include "forge.h"

#include "sample.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The layout is that of src/model/certificate_format.h, written here a second time.
static const char magic[] = "tarn certificate 6\n";
// Features; renamings and points are not forged.
enum { ENDLESS = 2, DIAGONALS = 4, VALUES = 32, TIMED = 128, DIVERGES = 256, HASH = 32 };
enum { VERSION = 6, DIGIT = 17 }; // where magic has it
enum { KIND_ALL, KIND_QUERY };
enum { MAX_SECTIONS = 16, MAX_CLAIMS = 16 };
#define NONE INT64_MIN // an infinite entry

typedef struct Bytes { // being written
  unsigned char *items;
  size_t size, capacity;
} Bytes;

typedef struct Hint {
  uint64_t ordinal, node;
} Hint;

typedef struct Hints {
  Hint *items;
  uint32_t count;
} Hints;

typedef struct Gap { // x_i - x_j within a bound
  uint64_t i, j, bound;
} Gap;

typedef struct ForgedNode {
  uint32_t group, k;       // k: clocks listed, and zero
  uint64_t number;         // of a certificate about infinite runs
  uint64_t *clocks;        // k - 1
  uint64_t *lower, *upper; // codes
  int64_t *matrix;         // k * k
  Gap *gaps;               // with room for one more
  uint32_t diagonal_count;
  Hints hints;
} ForgedNode;

typedef struct Claim { // of a value
  uint64_t bits;
  int64_t low, high;
} Claim;

typedef struct Section {
  uint64_t id;
  const char *text;
  size_t size;
  char *forged; // in place of the text, or NULL
} Section;

typedef struct Forgery {
  unsigned long long *random;
  const unsigned char *bytes;
  size_t size, at;
  int is_broken;
  int has_diagonals; // it lists differences of clocks
  int is_live;       // it is about infinite runs
  int is_timed;      // with parts as modes
  int diverges;      // only runs in which time diverges count
  uint64_t *missing; // by number
  uint32_t number_count;
  uint64_t *modes; // by group
  const unsigned char *hash;
  uint64_t version, odd_features; // features that are said, or not, whatever follows
  uint64_t kind, slots, clocks;
  Claim claims[MAX_CLAIMS];
  uint32_t claim_count;
  int has_values;
  Section sections[MAX_SECTIONS];
  uint32_t section_count;
  const char *query, *origin;
  size_t query_size, origin_size;
  Hints initials;
  int64_t *states; // group_count * slots
  uint32_t group_count;
  ForgedNode *nodes;
  uint32_t node_count;
  struct Definition { // of bounds, as read
    uint32_t k;
    uint64_t *clocks, *lower, *upper;
    Gap *gaps;
    uint32_t diagonal_count;
  } * definitions;
  uint32_t definition_count;
} Forgery;

static unsigned below(Forgery *f, unsigned n) { return sample_below(f->random, n); }

static void *room(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory)
    abort();
  return memory;
}

static void *grow(void *items, size_t count, size_t size) {
  if (count & (count - 1)) // room was made up to the next power of two
    return items;
  void *memory = realloc(items, (count ? 2 * count : 1) * size);
  if (!memory)
    abort();
  return memory;
}

static void put(Bytes *out, unsigned char byte) {
  out->items = grow(out->items, out->size, 1);
  out->items[out->size++] = byte;
}

static void put_number(Bytes *out, uint64_t value) {
  for (; value >= 128; value >>= 7)
    put(out, (unsigned char)(value | 128));
  put(out, (unsigned char)value);
}

static void put_text(Bytes *out, const char *text, size_t size) {
  put_number(out, size);
  for (size_t i = 0; i < size; i++)
    put(out, (unsigned char)text[i]);
}

static uint64_t signed_code(int64_t value) {
  return value < 0 ? 2 * (uint64_t)(-(value + 1)) + 1 : 2 * (uint64_t)value;
}

static int64_t signed_value(uint64_t code) {
  return code & 1 ? -(int64_t)(code >> 1) - 1 : (int64_t)(code >> 1);
}

static uint64_t number(Forgery *f) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 63 && f->at < f->size; shift += 7) {
    const unsigned char byte = f->bytes[f->at++];
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128)
      return value;
  }
  f->is_broken = 1;
  return 0;
}

// A count that the rest of the bytes can hold.
static uint32_t count_of(Forgery *f) {
  const uint64_t count = number(f);
  if (count > f->size - f->at)
    f->is_broken = 1;
  return f->is_broken ? 0 : (uint32_t)count;
}

static const char *read_text(Forgery *f, size_t *size) {
  *size = count_of(f);
  const char *text = (const char *)f->bytes + f->at;
  f->at += *size;
  return text;
}

static Hints read_hints(Forgery *f) {
  Hints hints = {.count = count_of(f)};
  hints.items = room(hints.count + 1, sizeof *hints.items);
  uint64_t last = UINT64_MAX;
  for (uint32_t i = 0; i < hints.count; i++) {
    last += 1 + number(f);
    hints.items[i] = (Hint){last, number(f)};
  }
  return hints;
}

static void read_definition(Forgery *f) {
  struct Definition d = {.k = count_of(f) + 1};
  d.clocks = room(d.k, sizeof *d.clocks);
  d.lower = room(d.k, sizeof *d.lower);
  d.upper = room(d.k, sizeof *d.upper);
  for (uint32_t i = 1; i < d.k; i++) {
    d.clocks[i] = d.clocks[i - 1] + 1 + number(f);
    d.lower[i] = number(f);
    d.upper[i] = number(f);
  }
  d.diagonal_count = f->has_diagonals ? count_of(f) : 0;
  d.gaps = room(d.diagonal_count + 1, sizeof *d.gaps);
  for (uint32_t i = 0; i < d.diagonal_count; i++) {
    d.gaps[i].i = number(f);
    d.gaps[i].j = number(f);
    d.gaps[i].bound = number(f);
  }
  f->definitions = grow(f->definitions, f->definition_count, sizeof *f->definitions);
  f->definitions[f->definition_count++] = d;
}

static void *copy(const void *from, size_t size) { return memcpy(room(size, 1), from, size); }

static void read_node(Forgery *f, uint32_t group) {
  const uint64_t own = f->is_live ? number(f) : 0;
  const uint64_t index = number(f);
  if (index == f->definition_count)
    read_definition(f);
  if (index >= f->definition_count)
    f->is_broken = 1;
  if (f->is_broken)
    return;
  const struct Definition *d = &f->definitions[index];
  const uint32_t k = d->k;
  ForgedNode node = {
      .group = group, .number = own, .k = k, .matrix = room((size_t)k * k, sizeof(int64_t))};
  node.clocks = copy(d->clocks, k * sizeof *d->clocks);
  node.lower = copy(d->lower, k * sizeof *d->lower);
  node.upper = copy(d->upper, k * sizeof *d->upper);
  node.gaps = copy(d->gaps, (d->diagonal_count + 1) * sizeof *d->gaps);
  node.diagonal_count = d->diagonal_count;
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++) {
      const uint64_t code = i == j ? 3 : number(f);
      node.matrix[i * k + j] = code ? signed_value(code - 1) : NONE;
    }
  node.hints = read_hints(f);
  f->nodes = grow(f->nodes, f->node_count, sizeof *f->nodes);
  f->nodes[f->node_count++] = node;
}

static void read_claims(Forgery *f) {
  const uint32_t count = count_of(f);
  f->is_broken |= count > MAX_CLAIMS;
  for (; f->claim_count < count && !f->is_broken; f->claim_count++) {
    Claim *claim = &f->claims[f->claim_count];
    claim->bits = number(f);
    claim->low = signed_value(number(f));
    claim->high = signed_value(number(f));
  }
}

static void read_sections(Forgery *f) {
  const uint32_t count = count_of(f);
  f->is_broken |= count > MAX_SECTIONS;
  for (; f->section_count < count && !f->is_broken; f->section_count++) {
    Section *section = &f->sections[f->section_count];
    section->id = number(f);
    section->text = read_text(f, &section->size);
  }
}

static int read_certificate(Forgery *f) {
  const size_t length = strlen(magic);
  if (f->size < length || memcmp(f->bytes, magic, length) != 0)
    return 0;
  f->at = length;
  const uint64_t features = number(f);
  f->is_live = (features & ENDLESS) != 0;
  f->has_diagonals = (features & DIAGONALS) != 0;
  f->is_timed = (features & TIMED) != 0;
  f->diverges = (features & DIVERGES) != 0;
  f->has_values = (features & VALUES) != 0;
  f->version = VERSION;
  if (features & ~(uint64_t)(ENDLESS | DIAGONALS | VALUES | TIMED | DIVERGES) ||
      f->size - f->at < HASH)
    return 0;
  f->hash = f->bytes + f->at;
  f->at += HASH;
  f->kind = number(f);
  f->query = read_text(f, &f->query_size);
  f->origin = read_text(f, &f->origin_size);
  if (f->has_values)
    read_claims(f);
  f->slots = number(f);
  f->clocks = number(f);
  f->number_count = f->is_live ? count_of(f) : 0;
  f->missing = room(f->number_count + 1, sizeof *f->missing);
  for (uint32_t i = 0; i < f->number_count; i++)
    f->missing[i] = number(f);
  f->initials = read_hints(f);
  const uint32_t groups = count_of(f);
  f->states = room((size_t)groups * f->slots, sizeof *f->states);
  f->modes = room(groups + 1, sizeof *f->modes);
  for (; f->group_count < groups && !f->is_broken; f->group_count++) {
    for (uint64_t slot = 0; slot < f->slots; slot++)
      f->states[f->group_count * f->slots + slot] = signed_value(number(f));
    f->modes[f->group_count] = f->is_live ? number(f) : 0;
    for (uint32_t count = count_of(f); count && !f->is_broken; count--)
      read_node(f, f->group_count);
  }
  read_sections(f);
  return !f->is_broken;
}

static void release(Forgery *f) {
  for (uint32_t n = 0; n < f->node_count; n++) {
    ForgedNode *node = &f->nodes[n];
    free(node->clocks);
    free(node->lower);
    free(node->upper);
    free(node->gaps);
    free(node->matrix);
    free(node->hints.items);
  }
  for (uint32_t d = 0; d < f->definition_count; d++) {
    free(f->definitions[d].clocks);
    free(f->definitions[d].lower);
    free(f->definitions[d].upper);
    free(f->definitions[d].gaps);
  }
  free(f->definitions);
  free(f->nodes);
  free(f->states);
  free(f->modes);
  free(f->missing);
  free(f->initials.items);
  for (uint32_t i = 0; i < f->section_count; i++)
    free(f->sections[i].forged);
}

// Numbers at the edges of types and of what is allowed.
static int64_t extreme(Forgery *f) {
  const unsigned bits =
      below(f, 4) ? (unsigned[]){26, 27, 30, 31, 32, 40, 41, 50, 51, 55, 56, 61, 62}[below(f, 13)]
                  : below(f, 63);
  const int64_t value = (INT64_C(1) << bits) + (int64_t)below(f, 5) - 2;
  return below(f, 2) ? value : -value;
}

static ForgedNode *some_node(Forgery *f) { return &f->nodes[below(f, f->node_count)]; }

static uint64_t some_bound(Forgery *f) {
  switch (below(f, 5)) {
  case 0:
    return 0; // none
  case 1:
    return 1; // infinite
  case 2:
    return 2 + (uint64_t)below(f, 12);
  case 3:
    return 2 + (UINT64_C(1) << 26) + below(f, 3);
  default:
    return signed_code(extreme(f));
  }
}

// Of one node or of all.
static void change_bounds(Forgery *f) {
  const unsigned all = below(f, 2);
  const uint64_t bound = some_bound(f), other = below(f, 2) ? bound : some_bound(f);
  ForgedNode *from = all ? f->nodes : some_node(f),
             *end = all ? f->nodes + f->node_count : from + 1;
  for (ForgedNode *node = from; node < end; node++)
    for (uint32_t i = 1; i < node->k; i++) {
      if (below(f, 4))
        node->lower[i] = bound;
      if (below(f, 4))
        node->upper[i] = other;
    }
}

// The least matrix that follows, so that the checker has no reason to stop there.
static void close_matrix(ForgedNode *node) {
  const uint32_t k = node->k;
  int64_t *m = node->matrix;
  for (uint32_t l = 0; l < k; l++)
    for (uint32_t i = 0; i < k; i++)
      for (uint32_t j = 0; j < k; j++) {
        const int64_t a = m[i * k + l], b = m[l * k + j], c = m[i * k + j];
        const int64_t max = INT64_C(1) << 60;
        if (i == j || a == NONE || b == NONE || a > max || b > max || a < -max || b < -max)
          continue;
        const int64_t sum = a + b - ((a | b) & 1);
        if (c == NONE || sum < c)
          m[i * k + j] = sum;
      }
}

// Every value of the clocks.
static void make_universal(ForgedNode *node) {
  for (uint32_t i = 0; i < node->k; i++)
    for (uint32_t j = 0; j < node->k; j++)
      node->matrix[i * node->k + j] = i == j || !i ? 1 : NONE;
}

// Clocks are large, and nothing is known of those that are not: without bounds such a node covers
// everything, and claims nothing of small values.
static void lift(Forgery *f) {
  const unsigned all = below(f, 2), is_bare = below(f, 4);
  ForgedNode *from = all ? f->nodes : some_node(f),
             *end = all ? f->nodes + f->node_count : from + 1;
  const int64_t least = below(f, 3) ? 2 * (int64_t)below(f, 20) : extreme(f);
  for (ForgedNode *node = from; node < end; node++) {
    make_universal(node);
    for (uint32_t i = 1; i < node->k; i++) {
      if (below(f, 2))
        node->matrix[i] = 1 - least;
      if (is_bare)
        node->lower[i] = node->upper[i] = 0;
    }
    close_matrix(node);
  }
}

static void change_zone(Forgery *f) {
  ForgedNode *node = some_node(f);
  const uint32_t k = node->k, i = below(f, k), j = below(f, k);
  if (k < 2 || i == j)
    return;
  int64_t *entry = &node->matrix[i * k + j];
  switch (below(f, 6)) {
  case 0:
    make_universal(node);
    return;
  case 1:
    *entry = extreme(f);
    break;
  case 2:
    *entry = NONE;
    break;
  case 3: // narrower, or wider
    *entry = (*entry == NONE ? 9 : *entry) - 3 + (int64_t)below(f, 6);
    break;
  case 4: // one point
    for (uint32_t x = 1; x < k; x++) {
      const int64_t value = 2 * (int64_t)below(f, 6);
      node->matrix[x * k] = value + 1;
      node->matrix[x] = 1 - value;
    }
    break;
  default: // at least something
    node->matrix[1 + below(f, k - 1)] = 1 - 2 * (int64_t)below(f, 12);
  }
  if (below(f, 3))
    close_matrix(node);
}

static uint64_t some_target(Forgery *f, uint64_t old) {
  if (below(f, 5) == 0)
    return (uint64_t)extreme(f);
  // One of the same state, if there is another.
  for (int tries = 0; tries < 6; tries++) {
    const uint64_t node = below(f, f->node_count);
    if (old < f->node_count && f->nodes[node].group == f->nodes[old].group)
      return node;
  }
  return below(f, f->node_count);
}

static void change_hints(Forgery *f) {
  Hints *hints = below(f, 5) ? &some_node(f)->hints : &f->initials;
  if (!hints->count)
    return;
  const uint32_t at = below(f, hints->count);
  switch (below(f, 4)) {
  case 0:
    hints->items[at].node = some_target(f, hints->items[at].node);
    break;
  case 1:
    memmove(&hints->items[at], &hints->items[at + 1],
            (hints->count - at - 1) * sizeof *hints->items);
    hints->count--;
    break;
  case 2:
    hints->items[at].ordinal = (uint64_t)extreme(f);
    break;
  default:
    for (uint32_t i = 0; i < hints->count; i++)
      hints->items[i].node = some_target(f, hints->items[i].node);
  }
}

static void change_state(Forgery *f) {
  if (!f->slots)
    return;
  int64_t *value = &f->states[below(f, f->group_count) * f->slots + below(f, (unsigned)f->slots)];
  *value = below(f, 3) ? *value + (below(f, 2) ? 1 : -1) : extreme(f);
}

// A clock less: its row and column go.
static void drop_clock(Forgery *f) {
  ForgedNode *node = some_node(f);
  const uint32_t k = node->k;
  if (k < 2)
    return;
  const uint32_t x = 1 + below(f, k - 1);
  uint32_t to = 0;
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++)
      if (i != x && j != x)
        node->matrix[to++] = node->matrix[i * k + j];
  for (uint32_t i = x; i + 1 < k; i++) {
    node->clocks[i] = node->clocks[i + 1];
    node->lower[i] = node->lower[i + 1];
    node->upper[i] = node->upper[i + 1];
  }
  uint32_t left = 0;
  for (uint32_t g = 0; g < node->diagonal_count; g++) {
    const Gap gap = node->gaps[g];
    if (gap.i != x && gap.j != x)
      node->gaps[left++] = (Gap){gap.i - (gap.i > x), gap.j - (gap.j > x), gap.bound};
  }
  node->diagonal_count = left;
  node->k--;
}

// The zone and the bounds of another node.
static void exchange(Forgery *f) {
  ForgedNode *a = some_node(f), *b = some_node(f), old = *a;
  a->k = b->k, b->k = old.k;
  a->clocks = b->clocks, b->clocks = old.clocks;
  a->lower = b->lower, b->lower = old.lower;
  a->upper = b->upper, b->upper = old.upper;
  a->matrix = b->matrix, b->matrix = old.matrix;
  a->gaps = b->gaps, b->gaps = old.gaps;
  a->diagonal_count = b->diagonal_count, b->diagonal_count = old.diagonal_count;
}

static void change_gap(Forgery *f, ForgedNode *node) {
  Gap *gap = &node->gaps[node->diagonal_count ? below(f, node->diagonal_count) : 0];
  const unsigned kind = node->diagonal_count ? below(f, 6) : 4;
  if (kind == 0) { // one less
    *gap = node->gaps[--node->diagonal_count];
  } else if (kind == 1) {
    const uint64_t old = gap->i;
    gap->i = gap->j;
    gap->j = old;
  } else if (kind == 2) {
    gap->bound = signed_code(signed_value(gap->bound) + (int64_t)below(f, 5) - 2);
  } else if (kind == 3) {
    gap->bound = signed_code(extreme(f));
  } else if (node->k > 2) { // another one in place of the last, or of none
    node->diagonal_count += !node->diagonal_count;
    node->gaps[node->diagonal_count - 1] =
        (Gap){1 + below(f, node->k - 1), below(f, node->k + 1), below(f, 20)};
  }
}

// Differences of clocks, of one node or of all; mostly they go.
static void change_gaps(Forgery *f) {
  const unsigned all = below(f, 2), is_gone = below(f, 3) == 0;
  ForgedNode *from = all ? f->nodes : some_node(f),
             *end = all ? f->nodes + f->node_count : from + 1;
  for (ForgedNode *node = from; node < end && f->has_diagonals; node++)
    if (is_gone)
      node->diagonal_count = 0;
    else
      change_gap(f, node);
}

static void put_hints(Bytes *out, const Hints *hints) {
  put_number(out, hints->count);
  uint64_t last = UINT64_MAX;
  for (uint32_t i = 0; i < hints->count; i++) {
    put_number(out, (hints->items[i].ordinal - last - 1) & INT64_MAX);
    put_number(out, hints->items[i].node & INT64_MAX);
    last = hints->items[i].ordinal;
  }
}

static void put_gaps(Bytes *out, const ForgedNode *node) {
  put_number(out, node->diagonal_count);
  for (uint32_t g = 0; g < node->diagonal_count; g++) {
    put_number(out, node->gaps[g].i & INT64_MAX);
    put_number(out, node->gaps[g].j & INT64_MAX);
    put_number(out, node->gaps[g].bound & INT64_MAX);
  }
}

static void put_node(Bytes *out, const ForgedNode *node, uint64_t definition, int has_diagonals) {
  const uint32_t k = node->k;
  put_number(out, definition);
  put_number(out, k - 1);
  for (uint32_t i = 1; i < k; i++) {
    put_number(out, (node->clocks[i] - (i > 1 ? node->clocks[i - 1] : 0) - 1) & INT64_MAX);
    put_number(out, node->lower[i] & INT64_MAX);
    put_number(out, node->upper[i] & INT64_MAX);
  }
  if (has_diagonals)
    put_gaps(out, node);
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++)
      if (i != j) {
        const int64_t entry = node->matrix[i * k + j];
        put_number(out, entry == NONE ? 0 : (signed_code(entry) + 1) & INT64_MAX);
      }
  put_hints(out, &node->hints);
}

static int has_gaps(const Forgery *f) { return f->has_diagonals && (!f->is_live || f->is_timed); }

static uint64_t features_of(const Forgery *f) {
  return ((f->is_live ? ENDLESS | (f->is_timed ? TIMED : 0) : 0) |
          (f->is_live && f->diverges ? DIVERGES : 0) | (has_gaps(f) ? DIAGONALS : 0) |
          (f->has_values ? VALUES : 0)) ^
         f->odd_features;
}

// Up to the claims. Older versions say nothing of features and model.
static void write_head(Forgery *f, Bytes *out) {
  for (size_t i = 0; i < strlen(magic); i++)
    put(out, (unsigned char)(i == DIGIT ? '0' + (char)f->version : magic[i]));
  if (f->version >= VERSION) {
    put_number(out, features_of(f));
    for (size_t i = 0; i < HASH; i++)
      put(out, f->hash[i]);
  }
  put_number(out, f->kind);
  put_text(out, f->query, f->query_size);
  put_text(out, f->origin, f->origin_size);
  if (f->has_values)
    put_number(out, f->claim_count);
  for (uint32_t i = 0; i < f->claim_count && f->has_values; i++) {
    put_number(out, f->claims[i].bits & INT64_MAX);
    put_number(out, signed_code(f->claims[i].low) & INT64_MAX);
    put_number(out, signed_code(f->claims[i].high) & INT64_MAX);
  }
}

static void write_sections(const Forgery *f, Bytes *out) {
  if (f->version < VERSION)
    return;
  put_number(out, f->section_count);
  for (uint32_t i = 0; i < f->section_count; i++) {
    const Section *section = &f->sections[i];
    const char *text = section->forged ? section->forged : section->text;
    put_number(out, section->id);
    put_text(out, text, section->forged ? strlen(text) : section->size);
  }
}

static void write_certificate(Forgery *f, Bytes *out) {
  const uint32_t dropped = below(f, 12) ? UINT32_MAX : below(f, f->node_count + 1);
  write_head(f, out);
  put_number(out, f->slots);
  put_number(out, f->clocks);
  if (f->is_live)
    put_number(out, f->number_count);
  for (uint32_t i = 0; i < f->number_count && f->is_live; i++)
    put_number(out, f->missing[i] & INT64_MAX);
  put_hints(out, &f->initials);
  put_number(out, f->group_count);
  uint64_t definition = 0;
  for (uint32_t g = 0, n = 0; g < f->group_count; g++) {
    for (uint64_t slot = 0; slot < f->slots; slot++)
      put_number(out, signed_code(f->states[g * f->slots + slot]) & INT64_MAX);
    if (f->is_live)
      put_number(out, f->modes[g] & INT64_MAX);
    uint32_t count = 0;
    while (n + count < f->node_count && f->nodes[n + count].group == g)
      count++;
    put_number(out, count - (dropped >= n && dropped < n + count));
    for (uint32_t end = n + count; n < end; n++) {
      if (n == dropped)
        continue;
      if (f->is_live)
        put_number(out, f->nodes[n].number & INT64_MAX);
      put_node(out, &f->nodes[n], definition++, has_gaps(f));
    }
  }
  write_sections(f, out);
}

// Numbers of nodes, marks and modes: as somebody does who wants a cycle to look like none.
static void change_numbers(Forgery *f) {
  if (!f->is_live || !f->number_count)
    return;
  switch (below(f, 6)) {
  case 0:
    some_node(f)->number = below(f, f->number_count);
    break;
  case 1: // each node a number of its own
    f->number_count = f->node_count;
    free(f->missing);
    f->missing = room(f->number_count + 1, sizeof *f->missing);
    for (uint32_t i = 0; i < f->node_count; i++) {
      f->nodes[i].number = below(f, 2) ? i : f->node_count - 1 - i;
      f->missing[i] = below(f, 3);
    }
    break;
  case 2:
    f->missing[below(f, f->number_count)] = below(f, 4) ? below(f, 4) : (uint64_t)extreme(f);
    break;
  case 3: // one number for all
    for (uint32_t i = 0; i < f->node_count; i++)
      f->nodes[i].number = 0;
    f->missing[0] = below(f, 3);
    break;
  case 4:
    f->modes[below(f, f->group_count)] = below(f, f->is_timed ? 5 : 2);
    break;
  default:
    some_node(f)->number = (uint64_t)extreme(f);
  }
}

// A certificate of the other kind, or modes for all.
static void change_kind(Forgery *f) {
  if (f->is_live && below(f, 3) == 0) {
    f->is_timed = below(f, 4) != 0;
    f->diverges = below(f, 2);
    f->clocks += (uint64_t)below(f, 3) - 1;
    return;
  }
  if (below(f, 3)) {
    const uint64_t mode = below(f, f->is_timed ? 4 : 2);
    for (uint32_t g = 0; g < f->group_count; g++)
      f->modes[g] = mode;
    return;
  }
  f->is_live = !f->is_live;
  if (!f->number_count) {
    free(f->missing);
    f->missing = room(2, sizeof *f->missing);
    f->number_count = 1;
  }
}

// The version, or a feature that is said without what it adds, or the other way round; sizes.
static void change_head(Forgery *f) {
  switch (below(f, 5)) {
  case 0: // most often the one that has this layout
    f->version = below(f, 3) ? (f->is_live ? 3 : has_gaps(f) ? 4 : 1) : 1 + below(f, 9);
    break;
  case 1:
    f->odd_features ^= UINT64_C(1) << below(f, 12);
    break;
  case 2:
    f->kind = below(f, 4);
    break;
  case 3:
    f->clocks = below(f, 3) ? f->clocks + 1 - 2 * (uint64_t)below(f, 2) : (uint64_t)extreme(f);
    break;
  default:
    f->slots = f->slots ? f->slots - 1 : 0;
  }
}

static Hints copy_hints(const Hints *hints) {
  return (Hints){copy(hints->items, (hints->count + 1) * sizeof *hints->items), hints->count};
}

static ForgedNode copy_node(const ForgedNode *node) {
  ForgedNode new = *node;
  new.clocks = copy(node->clocks, node->k * sizeof *node->clocks);
  new.lower = copy(node->lower, node->k * sizeof *node->lower);
  new.upper = copy(node->upper, node->k * sizeof *node->upper);
  new.gaps = room(node->diagonal_count + 1, sizeof *node->gaps); // as of any node, with one more
  memcpy(new.gaps, node->gaps, node->diagonal_count * sizeof *node->gaps);
  new.matrix = copy(node->matrix, (size_t)node->k * node->k * sizeof *node->matrix);
  new.hints = copy_hints(&node->hints);
  return new;
}

// A node once more, as the last one of its group or in a group of its own with the same state;
// the second may say other things than the first.
static void double_node(Forgery *f) {
  const ForgedNode new = copy_node(&f->nodes[f->node_count - 1]);
  f->nodes = grow(f->nodes, f->node_count, sizeof *f->nodes);
  f->nodes[f->node_count++] = new;
  if (below(f, 2))
    return;
  const size_t size = f->slots * sizeof *f->states;
  int64_t *states = room(f->group_count + 1, size ? size : 1);
  memcpy(states, f->states, f->group_count * size);
  memcpy(states + f->group_count * f->slots, states + (f->group_count - 1) * f->slots, size);
  uint64_t *modes = room(f->group_count + 1, sizeof *modes);
  memcpy(modes, f->modes, f->group_count * sizeof *modes);
  modes[f->group_count] = modes[f->group_count - 1];
  free(f->states);
  free(f->modes);
  f->states = states;
  f->modes = modes;
  f->nodes[f->node_count - 1].group = f->group_count++;
}

// What is said of values, and the runs that show it.
static void change_claims(Forgery *f) {
  if (!f->has_values || !f->claim_count)
    return;
  Claim *claim = &f->claims[below(f, f->claim_count)];
  switch (below(f, 6)) {
  case 0:
    claim->bits ^= UINT64_C(1) << below(f, 7);
    break;
  case 1:
    claim->bits ^= (uint64_t[]){10, 20, 40, 48, 36, 33}[below(f, 6)];
    break;
  case 2:
    claim->low += (int64_t)below(f, 5) - 2;
    break;
  case 3:
    claim->high += (int64_t)below(f, 5) - 2;
    break;
  case 4:
    *(below(f, 2) ? &claim->low : &claim->high) = extreme(f);
    break;
  default:
    for (uint32_t i = 0; i < f->section_count; i++) {
      Section *section = &f->sections[i];
      if (section->forged)
        continue;
      char *text = room(section->size + 1, 1);
      memcpy(text, section->text, section->size);
      section->forged = forge_run(f->random, text, NULL, below(f, 4));
      free(text);
    }
  }
}

// Bytes anywhere.
static void damage(Forgery *f, Bytes *out) {
  for (unsigned i = 1 + below(f, 3); i && out->size; i--)
    out->items[below(f, (unsigned)out->size)] =
        below(f, 3) ? (unsigned char)below(f, 256) : (unsigned char)(below(f, 2) ? 255 : 128);
  if (below(f, 4) == 0)
    out->size -= below(f, (unsigned)out->size);
}

static void change(Forgery *f) {
  static void (*const changes[])(Forgery *) = {
      change_bounds, change_zone, change_zone,    change_hints,   change_state, drop_clock,
      exchange,      lift,        change_numbers, change_numbers, change_kind,  double_node};
  if (below(f, 40) == 0)
    change_head(f);
  else if (f->has_values && below(f, 2) == 0)
    change_claims(f);
  else if (f->node_count && f->has_diagonals && below(f, 3) == 0)
    change_gaps(f);
  else if (f->node_count)
    changes[below(f, sizeof changes / sizeof *changes)](f);
}

int forge_asks(const char *bytes, size_t size, const char *query) {
  Forgery f = {.bytes = (const unsigned char *)bytes, .size = size, .at = strlen(magic)};
  if (size < f.at || memcmp(bytes, magic, DIGIT) != 0)
    return 0;
  if (bytes[DIGIT] == magic[DIGIT]) {
    number(&f);
    f.at += HASH;
  }
  if (f.at >= size || number(&f) != KIND_QUERY)
    return 0;
  f.query = read_text(&f, &f.query_size);
  return !f.is_broken && f.query_size == strlen(query) && !memcmp(f.query, query, f.query_size);
}

char *forge_claims(const char *bytes, size_t size) {
  Forgery f = {.bytes = (const unsigned char *)bytes, .size = size};
  const int is_read = read_certificate(&f) && f.has_values && f.at == size;
  char *text = is_read ? room(f.claim_count + 1, 80) : NULL, *end = text;
  for (uint32_t i = 0; i < f.claim_count && is_read; i++)
    end += sprintf(end, "%llu %lld %lld,", (unsigned long long)f.claims[i].bits,
                   (long long)f.claims[i].low, (long long)f.claims[i].high);
  release(&f);
  return text;
}

char *forge_certificate(unsigned long long *random, const char *bytes, size_t size,
                        const char *query, const unsigned char *hash, size_t *forged_size) {
  Forgery f = {.random = random, .bytes = (const unsigned char *)bytes, .size = size};
  Bytes out = {0};
  if (read_certificate(&f)) {
    if (hash)
      f.hash = hash;
    if (query) {
      f.kind = KIND_QUERY;
      f.query = query;
      f.query_size = strlen(query);
    }
    for (unsigned i = below(&f, 6); i; i--)
      change(&f);
    write_certificate(&f, &out);
  } else
    for (size_t i = 0; i < size; i++)
      put(&out, (unsigned char)bytes[i]);
  if (below(&f, 20) == 0)
    damage(&f, &out);
  release(&f);
  *forged_size = out.size;
  put(&out, 0);
  return (char *)out.items;
}

// Runs.

// Numbers that were changed before may be too large to compute with.
static long long near_zero(long long number) { return number % (1LL << 30); }

// A number as times and clocks are written: huge, negative, or with a strange denominator.
static json_t *strange_number(Forgery *f, const char *old) {
  char text[80];
  const long long over = near_zero(strtoll(old ? old : "0", NULL, 10));
  switch (below(f, 7)) {
  case 0:
    snprintf(text, sizeof text, "%lld", (long long)extreme(f));
    break;
  case 1:
    snprintf(text, sizeof text, "%lld/%lld", (long long)extreme(f), (long long)extreme(f));
    break;
  case 2:
    snprintf(text, sizeof text, "%lld/%u", over, below(f, 4));
    break;
  case 3:
    snprintf(text, sizeof text, "%lld/%lld", (long long)extreme(f), 1LL << below(f, 32));
    break;
  case 4:
    snprintf(text, sizeof text, "%lld", over - 3 + (long long)below(f, 7));
    break;
  case 5:
    snprintf(text, sizeof text, "%u/%u", below(f, 40), 1 + below(f, 9));
    break;
  default:
    return json_integer(below(f, 2) ? (json_int_t)extreme(f) : (json_int_t)below(f, 20));
  }
  return json_string(text);
}

// A value of an object, by chance.
static const char *some_key(Forgery *f, json_t *object) {
  const unsigned size = (unsigned)json_object_size(object);
  if (!size)
    return NULL;
  unsigned at = below(f, size);
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) if (!at--) return key;
  return NULL;
}

static void change_number(Forgery *f, json_t *object, const char *key) {
  if (key)
    json_object_set_new(object, key,
                        strange_number(f, json_string_value(json_object_get(object, key))));
}

static void change_step(Forgery *f, json_t *steps) {
  const size_t count = json_array_size(steps);
  if (!count)
    return;
  const size_t at = below(f, (unsigned)count), other = below(f, (unsigned)count);
  json_t *step = json_array_get(steps, at);
  json_t *clocks = json_object_get(step, "clocks"),
         *variables = json_object_get(step, "variables");
  json_t *edge = json_array_get(json_object_get(step, "edges"), 0);
  switch (below(f, 9)) {
  case 0:
  case 1:
    change_number(f, step, "time");
    break;
  case 2:
    change_number(f, clocks, some_key(f, clocks));
    break;
  case 3: // what is not said need not agree
    json_object_del(step, "clocks");
    break;
  case 4: {
    const char *key = some_key(f, variables);
    if (key)
      json_object_set_new(variables, key, json_integer((json_int_t)extreme(f)));
    break;
  }
  case 5:
    json_object_set_new(
        edge, "index",
        json_integer(below(f, 3) ? (json_int_t)below(f, 12) : (json_int_t)extreme(f)));
    break;
  case 6:
    json_array_remove(steps, at);
    break;
  case 7: {
    json_t *doubled = json_deep_copy(json_array_get(steps, other));
    json_array_insert_new(steps, at, doubled);
    break;
  }
  default: // the edges of another step
    json_object_set(step, "edges", json_object_get(json_array_get(steps, other), "edges"));
  }
}

// A time that is near the largest or least number once it is multiplied by 2^shift, the common
// denominator.
static long long edge_time(Forgery *f, unsigned shift) {
  const long long value = 1LL << (62 - shift - below(f, 3)), near = (long long)below(f, 3) - 1;
  return below(f, 3) ? -value - value + (shift ? near : 1) : value + near;
}

static void set_time(json_t *object, const char *key, long long over, long long under) {
  char text[80];
  snprintf(text, sizeof text, under == 1 ? "%lld" : "%lld/%lld", over, under);
  json_object_set_new(object, key, json_string(text));
}

// All times: later by a huge amount, divided by a strange denominator, back and forth, or, from
// some step on, at the edge.
static void change_times(Forgery *f, json_t *trace, json_t *steps) {
  const unsigned way = below(f, 4), shift = below(f, 8) ? below(f, 3) : below(f, 31);
  const long long by = (long long)extreme(f), last = edge_time(f, shift);
  const size_t turn = 1 + below(f, (unsigned)json_array_size(steps));
  size_t i;
  json_t *step;
  json_array_foreach(steps, i, step) {
    const char *old = json_string_value(json_object_get(step, "time"));
    const long long time = near_zero(strtoll(old ? old : "0", NULL, 10));
    if (way == 0)
      set_time(step, "time", i ? by : time, 1);
    else if (way == 1)
      set_time(step, "time", time, 1LL << shift);
    else if (way == 2)
      set_time(step, "time", i % 2 ? time : by, 1);
    else if (i >= turn)
      set_time(step, "time", last, 1);
    else if (i)
      set_time(step, "time", (1LL << shift) * time + (long long)below(f, 2), 1LL << shift);
    if (below(f, 4))
      json_object_del(step, "clocks");
  }
  json_object_set(trace, "end_time", json_object_get(json_array_get(steps, i - 1), "time"));
  if (way == 3 && turn >= i)
    set_time(trace, "end_time", last, 1);
  json_object_del(trace, "end_clocks");
}

static void change_trace(Forgery *f, json_t *trace) {
  json_t *steps = json_object_get(trace, "steps");
  json_t *clocks = json_object_get(trace, "end_clocks");
  switch (below(f, 8)) {
  case 0:
    change_number(f, trace, "end_time");
    break;
  case 1:
    change_number(f, clocks, some_key(f, clocks));
    break;
  case 2:
    json_object_del(trace, "end_clocks");
    break;
  case 3:
    if (json_array_size(steps))
      change_times(f, trace, steps);
    break;
  default:
    change_step(f, steps);
  }
}

char *forge_run(unsigned long long *random, const char *json, const char *query,
                unsigned changes) {
  Forgery f = {.random = random};
  json_t *root = json_loads(json, 0, NULL);
  if (!root)
    return strdup(json);
  size_t i;
  json_t *result;
  json_array_foreach(json_object_get(root, "results"), i, result) {
    if (query) {
      json_object_set_new(result, "query", json_string(query));
      json_object_del(result, "labels");
    }
    json_t *trace = json_object_get(result, "trace");
    for (unsigned n = changes; n && trace; n--)
      change_trace(&f, trace);
    if (trace && below(&f, 3) == 0) // a part repeats, at other times each round
      json_object_set_new(trace, "loop",
                          json_pack("{s:i, s:s}", "from", (int)below(&f, 6), "times", "vary"));
  }
  char *text = json_dumps(root, 0);
  json_decref(root);
  return text;
}
