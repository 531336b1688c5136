#include "check/certificate_reader.h"

#include <string.h>

enum { NEWEST = 6 };
enum { FORMS = CERTIFY_RENAMED | CERTIFY_ENDLESS | CERTIFY_DIAGONALS | CERTIFY_POINTS };

// Of older versions, which have one feature at most.
static const unsigned old_features[] = {
    [1] = 0,
    [2] = CERTIFY_RENAMED,
    [3] = CERTIFY_ENDLESS,
    [4] = CERTIFY_DIAGONALS,
    [5] = CERTIFY_POINTS,
};

// The first line is the prefix, a digit and its end. 0: it is not.
static unsigned version_of(const char *bytes, size_t size) {
  const size_t length = strlen(CERTIFY_PREFIX);
  if (size < length + 2 || memcmp(bytes, CERTIFY_PREFIX, length) != 0 ||
      bytes[length + 1] != '\n' || bytes[length] < '1' || bytes[length] > '0' + NEWEST)
    return 0;
  return (unsigned)(bytes[length] - '0');
}

bool certificate_is_one(const char *bytes, size_t size) { return version_of(bytes, size); }

uint64_t certificate_number(Certificate *c) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    if (c->at >= c->size)
      break;
    const unsigned char byte = c->bytes[c->at++];
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128)
      return value;
  }
  c->is_broken = true;
  return 0;
}

static uint32_t small_number(Certificate *c, uint64_t max) {
  const uint64_t value = certificate_number(c);
  if (value > max || value > UINT32_MAX)
    c->is_broken = true;
  return c->is_broken ? 0 : (uint32_t)value;
}

uint32_t certificate_small(Certificate *c, uint64_t max) { return small_number(c, max); }

static int64_t signed_value(uint64_t value) {
  return value & 1 ? -(int64_t)(value >> 1) - 1 : (int64_t)(value >> 1);
}

int32_t certificate_value(Certificate *c, int32_t low, int32_t high) {
  const int64_t value = signed_value(certificate_number(c));
  c->is_broken |= value < low || value > high;
  return c->is_broken ? low : (int32_t)value;
}

static const char *text(Certificate *c, size_t *size) {
  const uint64_t length = certificate_number(c);
  const char *from = (const char *)c->bytes + c->at;
  if (c->is_broken || length > c->size - c->at) {
    c->is_broken = true;
    return *size = 0, "";
  }
  c->at += length;
  *size = length;
  return from;
}

// Of infinite runs: differences are known in timed ones.
static bool knows_timed(unsigned features) {
  return features & CERTIFY_ENDLESS && features & CERTIFY_TIMED &&
         !(features &
           ~(unsigned)(CERTIFY_ENDLESS | CERTIFY_TIMED | CERTIFY_DIVERGES | CERTIFY_DIAGONALS));
}

// Points exclude all else; of the other forms no two are known to go together. Extreme values
// have any form but that of infinite runs. Transitions may be left out of the plain form, and of
// those with renamings and differences. A mark goes with differences only. Dead variables are
// known in the plain form; processes that are left out with nothing else.
static bool knows_features(unsigned features) {
  if (features & (CERTIFY_TIMED | CERTIFY_DIVERGES))
    return knows_timed(features);
  if (features & CERTIFY_SLICED)
    return features == CERTIFY_SLICED;
  const unsigned form =
      features & ~(unsigned)(CERTIFY_VALUES | CERTIFY_REDUCED | CERTIFY_MARKED | CERTIFY_FORGETS);
  const bool is_plain = !(form & (CERTIFY_ENDLESS | CERTIFY_POINTS));
  if (features & CERTIFY_MARKED && features & ~(unsigned)(CERTIFY_MARKED | CERTIFY_DIAGONALS))
    return false;
  if (features & CERTIFY_FORGETS && features & ~(unsigned)(CERTIFY_FORGETS | CERTIFY_REDUCED))
    return false;
  return !(form & ~(unsigned)FORMS) && !(form & (form - 1)) &&
         !(features & CERTIFY_VALUES && (form & CERTIFY_ENDLESS || features & CERTIFY_REDUCED)) &&
         (!(features & CERTIFY_REDUCED) || is_plain);
}

static void read_hash(Certificate *c) {
  c->is_broken |= c->size - c->at < CERTIFY_HASH;
  if (c->is_broken)
    return;
  c->head.hash = c->bytes + c->at;
  c->at += CERTIFY_HASH;
}

static CertificateClaim read_claim(Certificate *c) {
  const unsigned is = small_number(c, 2 * CERTIFY_EMPTY - 1);
  const int64_t low = signed_value(certificate_number(c));
  return (CertificateClaim){is, low, signed_value(certificate_number(c))};
}

CertificateClaim certificate_claim(const CertificateHead *head, const char *bytes, size_t size,
                                   uint32_t index) {
  Certificate c = {.bytes = (const unsigned char *)bytes, .size = size, .at = head->claims};
  for (uint32_t i = 0; i < index; i++)
    read_claim(&c);
  return read_claim(&c);
}

static void read_claims(Certificate *c) {
  c->head.claim_count = small_number(c, c->size - c->at);
  c->head.claims = c->at;
  for (uint32_t i = 0; i < c->head.claim_count && !c->is_broken; i++)
    read_claim(c);
}

static bool read_head(Certificate *c) {
  c->at = strlen(CERTIFY_MAGIC);
  c->version = version_of((const char *)c->bytes, c->size);
  if (!c->version)
    return false;
  c->head.features = c->version < NEWEST ? old_features[c->version] : small_number(c, UINT32_MAX);
  if (c->version == NEWEST)
    read_hash(c);
  c->is_live = c->head.features & CERTIFY_ENDLESS;
  c->has_diagonals = c->head.features & CERTIFY_DIAGONALS;
  c->head.kind = (int)small_number(c, CERTIFY_LABELS);
  c->head.query = text(c, &c->head.query_size);
  c->head.origin = text(c, &c->head.origin_size);
  if (c->head.features & CERTIFY_VALUES)
    read_claims(c);
  if (c->head.features & CERTIFY_MARKED)
    c->head.process = small_number(c, UINT32_MAX);
  return !c->is_broken;
}

bool certificate_head(CertificateHead *head, const char *bytes, size_t size, Text *why) {
  Certificate c = {.bytes = (const unsigned char *)bytes, .size = size};
  if (!read_head(&c))
    return text_refuse(why, "this is not a certificate, or it is cut off");
  *head = c.head;
  return true;
}

static uint64_t max_entry(const Certificate *c) {
  return net_is_wide(c->net) ? CERTIFY_MAX_WIDE : CERTIFY_MAX_ENTRY;
}

static int64_t read_bound(Certificate *c) {
  const uint64_t code = certificate_number(c);
  if (code > CERTIFY_FIRST + (uint64_t)net_max_constant(c->net) * 2)
    c->is_broken = true;
  return code == CERTIFY_NONE       ? BOUND_NONE
         : code == CERTIFY_INFINITE ? BOUND_INFINITE
                                    : (int64_t)code - CERTIFY_FIRST;
}

// The differences of clocks of a definition with k clocks.
static const NodeDiagonal *read_diagonals(Certificate *c, uint32_t k, uint32_t *count) {
  *count = c->has_diagonals ? small_number(c, c->size - c->at) : 0;
  NodeDiagonal *diagonals = ARENA_ARRAY(&c->arena, NodeDiagonal, *count);
  for (uint32_t d = 0; d < *count && !c->is_broken; d++) {
    diagonals[d].i = small_number(c, k - 1);
    diagonals[d].j = small_number(c, k - 1);
    const uint64_t bound = certificate_number(c);
    c->is_broken |= !diagonals[d].i || !diagonals[d].j || diagonals[d].i == diagonals[d].j ||
                    bound > max_entry(c);
    diagonals[d].bound = c->is_broken ? 0 : signed_value(bound);
  }
  return diagonals;
}

// A definition of bounds, the next one.
static void define_bounds(Certificate *c) {
  const uint32_t n = c->net->clock_count;
  const uint32_t k = small_number(c, n) + 1; // k * k fits in 32 bits: see NET_MAX_CLOCKS
  ClockIndex *clocks = ARENA_ARRAY(&c->arena, ClockIndex, k);
  int64_t *lower = ARENA_ARRAY(&c->arena, int64_t, k),
          *upper = ARENA_ARRAY(&c->arena, int64_t, k);
  uint32_t *position = ARENA_ARRAY(&c->arena, uint32_t, n + 1);
  memset(position, 0xff, (n + 1) * sizeof *position);
  position[0] = 0;
  for (uint32_t i = 1; i < k && !c->is_broken; i++) {
    clocks[i] = clocks[i - 1] + 1 + small_number(c, n);
    lower[i] = read_bound(c);
    upper[i] = read_bound(c);
    if (clocks[i] > n) {
      c->is_broken = true;
      return;
    }
    position[clocks[i]] = i;
  }
  uint32_t diagonal_count;
  const NodeDiagonal *diagonals = read_diagonals(c, k, &diagonal_count);
  const NodeBounds bounds = {k, clocks, lower, upper, position, diagonals, diagonal_count};
  vec_push(c->mem, &c->bounds, bounds);
  c->max_k = k > c->max_k ? k : c->max_k;
}

static NodeBound bound_coded(uint64_t code) {
  return code ? signed_value(code - 1) : NODEBOUND_INFINITE;
}

// A bit of each of eight bytes that are not numbers by themselves.
#define LONG_CODES UINT64_C(0x8080808080808080)

// Between two entries of the diagonal there are k others. Most numbers take one byte: for these
// there is a table, and eight of them are looked at together.
void certificate_matrix(Certificate *c, uint32_t node, NodeBound *matrix) {
  const uint32_t k = c->bounds.items[c->nodes.items[node].bounds].k;
  const unsigned char *const bytes = c->bytes;
  const size_t size = c->size;
  size_t at = c->nodes.items[node].offset;
  *matrix++ = NODEBOUND_ZERO;
  for (uint32_t i = 1; i < k; i++) {
    const NodeBound *const end = matrix + k;
    while (matrix < end) {
      uint64_t eight = LONG_CODES;
      if (end - matrix >= 8 && size - at >= 8)
        memcpy(&eight, bytes + at, sizeof eight);
      if (!(eight & LONG_CODES)) {
        for (unsigned b = 0; b < 8; b++)
          matrix[b] = c->short_bounds[bytes[at + b]];
        matrix += 8;
        at += 8;
        continue;
      }
      if (at < size && bytes[at] < 128) {
        *matrix++ = c->short_bounds[bytes[at++]];
        continue;
      }
      c->at = at;
      *matrix++ = bound_coded(certificate_number(c));
      at = c->at;
    }
    *matrix++ = NODEBOUND_ZERO;
  }
  c->at = at;
}

// A list of processes.
static void read_processes(Certificate *c, bool *in) {
  const uint32_t processes = c->net->processes.size;
  uint64_t next = 0;
  memset(in, 0, processes);
  const uint32_t count = small_number(c, processes);
  for (uint32_t i = 0; i < count && !c->is_broken; i++, next++) {
    next += small_number(c, processes - 1);
    c->is_broken |= next >= processes;
    if (!c->is_broken)
      in[next] = true;
  }
}

ReducedSet certificate_reduced(Certificate *c) {
  ReducedSet claim = {.in = c->claimed};
  if (!(c->head.features & CERTIFY_REDUCED))
    return claim;
  claim.reason = small_number(c, CERTIFY_STILL_BOUND);
  if (!claim.reason)
    return claim;
  if (claim.reason == CERTIFY_STILL_BOUND) {
    claim.process = small_number(c, c->net->processes.size - 1);
    claim.clock = small_number(c, c->net->clock_count);
  }
  read_processes(c, c->claimed);
  return claim;
}

static void skip_matrix(Certificate *c, uint32_t k) {
  for (uint32_t i = 0; i < k * (k - 1) && !c->is_broken; i++)
    if (certificate_number(c) > 2 * max_entry(c))
      c->is_broken = true;
}

// How a covering node is renamed, into `to`: after each number of one.
static void read_renaming(Certificate *c) {
  for (uint32_t f = 0; f < c->renamings.count; f++) {
    const uint32_t size = c->renamings.families[f].size;
    for (uint32_t i = 0; i < size; i++)
      c->to[f][i] = i;
    const uint32_t moved = small_number(c, size);
    for (uint32_t i = 0; i < moved && !c->is_broken; i++) {
      const uint32_t id = small_number(c, size - 1), to = small_number(c, size - 1);
      c->to[f][id] = to;
    }
  }
}

HintList certificate_hints(Certificate *c) {
  const uint64_t count = certificate_number(c);
  return (HintList){c->at, count, {.ordinal = UINT64_MAX, .node = UINT32_MAX}, false};
}

bool certificate_next_hint(Certificate *c, HintList *list, Hint *hint) {
  if (!list->left)
    return false;
  c->at = list->at;
  list->last.ordinal += 1 + certificate_number(c);
  list->last.node = (uint32_t)certificate_number(c);
  list->last.renaming = c->at;
  read_renaming(c);
  list->at = c->at;
  list->left--;
  list->has_last = true;
  *hint = list->last;
  return true;
}

uint32_t certificate_find_hint(Certificate *c, HintList *list, uint64_t ordinal) {
  Hint hint;
  while ((!list->has_last || list->last.ordinal < ordinal) &&
         certificate_next_hint(c, list, &hint))
    ;
  return list->has_last && list->last.ordinal == ordinal ? list->last.node : UINT32_MAX;
}

void certificate_rename(Certificate *c, const Hint *hint) {
  c->at = hint->renaming;
  read_renaming(c);
}

static void skip_list(Certificate *c) {
  HintList list = certificate_hints(c);
  Hint hint;
  while (!c->is_broken && certificate_next_hint(c, &list, &hint))
    ;
}

// Columns of numbers below a limit, how many of them first.
static const uint32_t *read_columns(Certificate *c, uint32_t size, uint32_t limit,
                                    uint32_t *columns) {
  *columns = small_number(c, limit);
  const uint64_t count = (uint64_t)*columns * size;
  if (count > limit || c->is_broken || !limit) { // nothing belongs to two ids
    c->is_broken |= count != 0;
    *columns = 0;
    return NULL;
  }
  uint32_t *items = ARENA_ARRAY(&c->arena, uint32_t, count);
  for (uint64_t i = 0; i < count && !c->is_broken; i++)
    items[i] = small_number(c, limit - 1);
  return items;
}

static void read_events(Certificate *c, RenamedFamily *f) {
  const Net *net = c->net;
  f->event_columns = small_number(c, c->size - c->at);
  RenamedEvents *events = ARENA_ARRAY(&c->arena, RenamedEvents, f->event_columns);
  for (uint32_t i = 0; i < f->event_columns && !c->is_broken; i++) {
    events[i].is_moved = small_number(c, f->process_columns ? 1 : 0);
    events[i].process = small_number(c, events[i].is_moved ? (uint64_t)f->process_columns - 1
                                                           : net->processes.size - 1);
    if (c->is_broken || (uint64_t)f->size > c->size - c->at) {
      c->is_broken = true;
      return;
    }
    EventId *list = ARENA_ARRAY(&c->arena, EventId, f->size);
    for (uint32_t k = 0; k < f->size; k++)
      list[k] = small_number(c, net->events.size - 1);
    events[i].events = list;
  }
  f->events = events;
}

static void read_values(Certificate *c, RenamedFamily *f) {
  const Net *net = c->net;
  f->value_columns = small_number(c, c->size - c->at);
  RenamedValues *values = ARENA_ARRAY(&c->arena, RenamedValues, f->value_columns);
  for (uint32_t i = 0; i < f->value_columns && !c->is_broken; i++) {
    values[i].sort = small_number(c, f->value_columns);
    if (c->is_broken || (uint64_t)f->size > c->size - c->at) {
      c->is_broken = true;
      return;
    }
    int32_t *list = ARENA_ARRAY(&c->arena, int32_t, f->size);
    for (uint32_t k = 0; k < f->size; k++) {
      const int64_t value = signed_value(certificate_number(c));
      c->is_broken |= value < INT32_MIN || value > INT32_MAX;
      list[k] = c->is_broken ? 0 : (int32_t)value;
    }
    values[i].values = list;
  }
  f->values = values;
  uint32_t *sort = ARENA_ARRAY(&c->arena, uint32_t, net->location_slot + 1);
  for (uint32_t s = 0; s < net->location_slot && !c->is_broken; s++)
    sort[s] = small_number(c, f->value_columns);
  f->sort = sort;
}

static void read_family(Certificate *c, RenamedFamily *f) {
  const Net *net = c->net;
  f->size = small_number(c, c->size - c->at); // its columns have as many bytes
  f->is_cyclic = small_number(c, 1);
  if (f->size < 2) {
    c->is_broken = true;
    return;
  }
  f->processes = read_columns(c, f->size, net->processes.size, &f->process_columns);
  f->clocks = read_columns(c, f->size, net->clock_count + 1, &f->clock_columns);
  f->slots = read_columns(c, f->size, net->location_slot, &f->slot_columns);
  if (!c->is_broken)
    read_events(c, f);
  if (!c->is_broken)
    read_values(c, f);
  c->is_broken |=
      !f->process_columns && !f->clock_columns && !f->slot_columns && !f->value_columns;
  bool *excluded = ARENA_ARRAY(&c->arena, bool, net->locations.size);
  const uint32_t count = c->is_broken ? 0 : small_number(c, net->locations.size);
  for (uint32_t i = 0; i < count && !c->is_broken; i++)
    excluded[small_number(c, net->locations.size - 1)] = true;
  f->excluded = excluded;
}

// Scalar sets can be more than there are processes, and their elements more than variables.
static void read_families(Certificate *c) {
  const Net *net = c->net;
  const uint64_t max = (uint64_t)net->processes.size + net->slots.count + net->clock_count;
  const uint32_t count = small_number(c, max < c->size - c->at ? max : c->size - c->at);
  RenamedFamily *families = ARENA_ARRAY(&c->arena, RenamedFamily, count);
  c->to = ARENA_ARRAY(&c->arena, uint32_t *, count);
  for (uint32_t f = 0; f < count && !c->is_broken; f++) {
    read_family(c, &families[f]);
    c->to[f] = ARENA_ARRAY(&c->arena, uint32_t, families[f].size);
  }
  c->renamings = (Renamings){families, c->is_broken ? 0 : count};
}

static void read_forgotten(Certificate *c) {
  const Net *net = c->net;
  ForgottenSlots *lists = ARENA_ARRAY(&c->arena, ForgottenSlots, net->locations.size);
  for (LocationId l = 0; l < net->locations.size && !c->is_broken; l++) {
    const uint64_t left = c->size - c->at;
    const uint32_t count = small_number(c, net->location_slot < left ? net->location_slot : left);
    uint32_t *items = ARENA_ARRAY(&c->arena, uint32_t, count);
    for (uint32_t i = 0, next = 0; i < count && !c->is_broken; next = items[i++] + 1) {
      items[i] = next + small_number(c, net->location_slot);
      c->is_broken |= items[i] >= net->location_slot;
    }
    lists[l] = (ForgottenSlots){items, c->is_broken ? 0 : count};
  }
  c->forgotten = lists;
}

static void read_left_out(Certificate *c) {
  bool *left_out = ARENA_ARRAY(&c->arena, bool, c->net->processes.size);
  read_processes(c, left_out);
  c->left_out = left_out;
}

static void read_node(Certificate *c, uint32_t group) {
  const uint32_t number = c->is_live ? small_number(c, c->missing.size) : 0;
  c->is_broken |= c->is_live && number >= c->missing.size;
  const uint32_t bounds = small_number(c, c->bounds.size);
  if (bounds == c->bounds.size && !c->is_broken)
    define_bounds(c);
  if (c->is_broken)
    return;
  const CertificateNode node = {c->at, group, bounds, number};
  vec_push(c->mem, &c->nodes, node);
  skip_matrix(c, c->bounds.items[bounds].k);
  certificate_reduced(c);
  skip_list(c);
}

static void read_group(Certificate *c) {
  const Net *net = c->net;
  for (uint32_t slot = 0; slot < net->slots.count; slot++) {
    const int64_t value = signed_value(certificate_number(c));
    if (value < net->slots.min[slot] || value > net->slots.max[slot])
      c->is_broken = true;
    vec_push(c->mem, &c->states, (int32_t)value);
  }
  const uint32_t max_mode = c->head.features & CERTIFY_TIMED ? UINT32_MAX : 1;
  vec_push(c->mem, &c->modes, c->is_live ? small_number(c, max_mode) : 0);
  vec_push(c->mem, &c->first_nodes, c->nodes.size);
  const uint64_t count = certificate_number(c);
  for (uint64_t i = 0; i < count && !c->is_broken; i++)
    read_node(c, c->group_count);
  c->group_count++;
}

static void read_missing(Certificate *c) {
  const uint64_t count = certificate_number(c);
  for (uint64_t i = 0; i < count && !c->is_broken; i++)
    vec_push(c->mem, &c->missing, small_number(c, UINT32_MAX));
}

// Whether it is for a model of this size.
static void read_sizes(Certificate *c) {
  const uint32_t slots = small_number(c, UINT32_MAX), clocks = small_number(c, UINT32_MAX);
  c->is_broken |= slots != c->net->slots.count || clocks != c->net->clock_count;
}

static void read_body(Certificate *c) {
  c->claimed = ARENA_ARRAY(&c->arena, bool, c->net->processes.size);
  if (c->head.features & CERTIFY_FORGETS)
    read_forgotten(c);
  if (c->head.features & CERTIFY_SLICED)
    read_left_out(c);
  if (c->head.features & CERTIFY_RENAMED)
    read_families(c);
  if (c->is_live)
    read_missing(c);
  c->initials = c->at;
  skip_list(c);
  const uint64_t groups = certificate_number(c);
  for (uint64_t i = 0; i < groups && !c->is_broken; i++) {
    mem_tick(c->mem);
    read_group(c);
  }
  vec_push(c->mem, &c->first_nodes, c->nodes.size);
  certificate_end(c);
}

const char *certificate_section(const char *bytes, size_t size, const CertifyCounts *counts,
                                uint64_t number, size_t *length) {
  Certificate c = {.bytes = (const unsigned char *)bytes, .size = size, .at = counts->sections};
  for (uint64_t left = c.at ? certificate_number(&c) : 0; left && !c.is_broken; left--) {
    const uint64_t found = certificate_number(&c);
    const char *chars = text(&c, length);
    if (found == number && !c.is_broken)
      return chars;
  }
  return NULL;
}

void certificate_end(Certificate *c) {
  c->sections = c->version < NEWEST ? 0 : c->at;
  uint64_t sections = c->version < NEWEST ? 0 : certificate_number(c);
  for (; sections && !c->is_broken; sections--) {
    size_t size;
    certificate_number(c);
    text(c, &size);
  }
  c->is_broken |= c->at != c->size;
}

bool certificate_begin(Certificate *c, Mem *mem, const Net *net, const char *bytes, size_t size,
                       Text *why) {
  *c = (Certificate){.mem = mem,
                     .net = net,
                     .arena = {.mem = mem},
                     .bytes = (const unsigned char *)bytes,
                     .size = size};
  if (!read_head(c))
    return text_refuse(why, "this is not a certificate, or it is cut off");
  if (!knows_features(c->head.features))
    return text_refuse(why, "it has features (%u) that this checker does not know",
                       c->head.features);
  if (net_is_wide(net) &&
      (c->head.features & ~(unsigned)CERTIFY_DIAGONALS || net->clock_count > CERTIFY_WIDE_CLOCKS))
    return text_refuse(why, "the constants of clocks are too large for such a certificate");
  read_sizes(c);
  for (unsigned code = 0; code < 128; code++)
    c->short_bounds[code] = bound_coded(code);
  return !c->is_broken || certificate_refuse(c, why);
}

bool certificate_refuse(const Certificate *c, Text *why) {
  return text_refuse(why, "byte %zu: the certificate is damaged, or is not one for this model",
                     c->at);
}

bool certificate_open(Certificate *c, Mem *mem, const Net *net, const char *bytes, size_t size,
                      Text *why) {
  if (!certificate_begin(c, mem, net, bytes, size, why))
    return false;
  read_body(c);
  return !c->is_broken || certificate_refuse(c, why);
}
