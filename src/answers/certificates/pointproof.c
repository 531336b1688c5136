#include "answers/certificates/pointproof.h"

#include "answers/certificates/encode.h"
#include "model/certificate_format.h"
#include "semantics/discrete/points.h"
#include "semantics/discrete/tickspace.h"

#include <errno.h>
#include <string.h>

typedef struct PointWriter {
  FILE *file;
  Mem *mem;
  Arena arena;
  const Net *net;
  Space *space;
  Text out;
  uint32_t n;      // clocks, clock 0 included
  KeyTable states; // of the points
  KeyTable points; // number of the state, and values; a value: it is written
  uint32_t *first; // by state: its first point + 1
  uint32_t *next;  // by point: the next one of its state + 1; 0: there is none
  int32_t *limits, *values;
  uint64_t *state_key, *key;
} PointWriter;

static void set_key(PointWriter *w, uint32_t state, const int32_t *values) {
  memset(w->key, 0, w->points.key_words * sizeof *w->key);
  memcpy(w->key, &state, sizeof state);
  memcpy((char *)w->key + sizeof state, values + 1, (w->n - 1) * sizeof *values);
}

// All points, in tables of our own: those of the search have no way to look a point up only.
// Those of a state keep their order, so the last one is added first.
static void collect(PointWriter *w) {
  const uint32_t count = points_count(w->space), slots = w->net->slots.count;
  uint32_t *states = ARENA_ARRAY(&w->arena, uint32_t, count);
  bool is_new;
  for (uint32_t ref = 0; ref < count; ref++) {
    const int32_t *point = tickspace_at(w->space, ref);
    memset(w->state_key, 0, w->states.key_words * sizeof *w->state_key);
    memcpy(w->state_key, point, slots * sizeof *point);
    states[ref] = keytable_add(&w->states, w->state_key, &is_new);
    set_key(w, states[ref], point + slots);
    keytable_add(&w->points, w->key, &is_new);
  }
  w->next = ARENA_ARRAY(&w->arena, uint32_t, count);
  w->first = ARENA_ARRAY(&w->arena, uint32_t, w->states.size);
  for (uint32_t ref = count; ref-- > 0;) {
    w->next[ref] = w->first[states[ref]];
    w->first[states[ref]] = ref + 1;
  }
}

// The point that delay leads to from the one in `key`; UINT32_MAX if it is not there, or is
// written. The table grows by points that are not found; they count as written.
static uint32_t next_of(PointWriter *w, uint32_t state) {
  bool is_new, changes = false;
  memcpy(w->values + 1, (const char *)w->key + sizeof state, (w->n - 1) * sizeof *w->values);
  for (ClockIndex x = 1; x < w->n; x++)
    if (w->values[x] < w->limits[x]) {
      w->values[x]++;
      changes = true;
    }
  if (!changes)
    return UINT32_MAX;
  set_key(w, state, w->values);
  const uint32_t next = keytable_add(&w->points, w->key, &is_new);
  if (is_new)
    keytable_set_value(&w->points, next, 1);
  return keytable_value(&w->points, next) ? UINT32_MAX : next;
}

// The chain that begins with a point.
static void write_chain(PointWriter *w, Text *chains, uint32_t state, uint32_t at) {
  uint32_t length = 0;
  keytable_key(&w->points, at, w->key);
  memcpy(w->values + 1, (const char *)w->key + sizeof state, (w->n - 1) * sizeof *w->values);
  for (ClockIndex x = 1; x < w->n; x++)
    encode_number(chains, (uint64_t)w->values[x]);
  for (; at != UINT32_MAX; at = next_of(w, state), length++)
    keytable_set_value(&w->points, at, 1);
  encode_number(chains, length - 1);
}

static bool write_state(PointWriter *w, uint32_t state, Text *chains) {
  keytable_key(&w->states, state, w->state_key);
  int32_t *slots = (int32_t *)(void *)w->state_key;
  for (uint32_t s = 0; s < w->net->slots.count; s++)
    encode_integer(&w->out, slots[s]);
  points_limits(w->space, slots, w->limits);
  for (ClockIndex x = 1; x < w->n; x++)
    encode_number(&w->out, (uint64_t)w->limits[x]);
  uint64_t count = 0;
  text_clear(chains);
  for (uint32_t at = w->first[state]; at; at = w->next[at - 1])
    if (!keytable_value(&w->points, at - 1)) {
      write_chain(w, chains, state, at - 1);
      count++;
    }
  encode_number(&w->out, count);
  text_add_bytes(&w->out, chains->chars, chains->size);
  return encode_flush(&w->out, w->file, false);
}

static bool write_all(PointWriter *w, const CertificateGoal *goal) {
  Text chains = {.mem = w->mem};
  const CertificateStart start = {CERTIFY_POINTS, goal->hash,   goal->query, goal->is_labels,
                                  goal->origin,   goal->claims, goal->marked};
  encode_head(&w->out, &start, w->net);
  const uint32_t states = w->states.size;
  encode_number(&w->out, states);
  bool ok = true;
  for (uint32_t s = 0; ok && s < states; s++)
    ok = write_state(w, s, &chains);
  encode_end(&w->out, goal->runs);
  return ok && encode_flush(&w->out, w->file, true);
}

bool pointproof_write(FILE *file, Mem *owner, const Net *net, Space *space,
                      const CertificateGoal *goal) {
  Mem *mem = mem_part(owner);
  PointWriter w = {.file = file,
                   .mem = mem,
                   .arena = {.mem = mem},
                   .net = net,
                   .space = space,
                   .out.mem = mem};
  w.n = net->clock_count + 1;
  keytable_init(&w.states, mem, net->slots.count * (uint32_t)sizeof(int32_t), 0);
  keytable_init(&w.points, mem, w.n * (uint32_t)sizeof(int32_t), 1);
  w.limits = ARENA_ARRAY(&w.arena, int32_t, w.n);
  w.values = ARENA_ARRAY(&w.arena, int32_t, w.n);
  w.state_key = ARENA_ARRAY(&w.arena, uint64_t, net->slots.count / 2 + 1);
  w.key = ARENA_ARRAY(&w.arena, uint64_t, w.n / 2 + 1);
  collect(&w);
  const bool ok = write_all(&w, goal);
  const int error = errno;
  mem_release_part(mem);
  errno = error;
  return ok;
}
