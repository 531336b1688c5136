#include "analysis/symmetry/syncs.h"

#include <stdlib.h>
#include <string.h>

typedef struct HashedSync {
  uint64_t hash; // of its participants in any order
  uint32_t sync;
  bool paired;
} HashedSync;

static int compare_syncs(const void *a, const void *b) {
  const HashedSync *x = a, *y = b;
  return x->hash < y->hash ? -1 : x->hash > y->hash ? 1 : x->sync < y->sync ? -1 : 1;
}

static SyncPart image_of(const Verifier *v, const SyncPart *part) {
  return (SyncPart){.process = v->perm->process[part->process],
                    .event = permutation_event(v->perm, part->process, part->event),
                    .weak = part->weak};
}

static uint64_t hash_sync(const Verifier *v, const Sync *sync, bool as_image) {
  uint64_t hash = sync->parts.size;
  for (uint32_t k = 0; k < sync->parts.size; k++) {
    const SyncPart *given = &sync->parts.items[k];
    const SyncPart part = as_image ? image_of(v, given) : *given;
    uint64_t h = ((uint64_t)part.process << 32 | part.event) * 0x9e3779b97f4a7c15u;
    hash += (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
  }
  return hash;
}

// Marks what the updates of a participant write, as its own; false if another one does, too.
static bool own_writes(Verifier *v, const SyncPart *part, uint32_t number, uint32_t *failing) {
  const Net *net = v->net;
  bool can_fail = false;
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    if (!net_is_of_part(edge, part))
      continue;
    can_fail |= edge->guard.code || edge->update.code;
    access_stmts_alone(&v->access, edge->update.stmts);
    for (uint32_t k = 0; k < v->access.marked.size; k++) {
      const CellId cell = v->access.marked.items[k];
      if (!(v->access.marks[cell] & ACCESS_WRITE))
        continue;
      if (v->cells[cell] && v->cells[cell] != number)
        return false;
      v->cells[cell] = number;
    }
  }
  *failing += can_fail;
  return true;
}

static bool reads_others(Verifier *v, const SyncPart *part, uint32_t number) {
  const Net *net = v->net;
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    if (!net_is_of_part(edge, part))
      continue;
    access_stmts_alone(&v->access, edge->update.stmts);
    for (uint32_t k = 0; k < v->access.marked.size; k++) {
      const CellId cell = v->access.marked.items[k];
      if (v->access.marks[cell] & ACCESS_READ && v->cells[cell] && v->cells[cell] != number)
        return true;
    }
  }
  return false;
}

// Whether the order of the participants does not matter: what one writes no other one writes, or
// reads in its update, and at most one of them can fail at run time (the order decides which
// failure is seen).
static bool is_unordered(Verifier *v, const Sync *sync) {
  if (verifier_skips(v, RULE_ORDER))
    return true;
  uint32_t failing = 0;
  bool good = true;
  for (uint32_t k = 0; good && k < sync->parts.size; k++)
    good = own_writes(v, &sync->parts.items[k], k + 1, &failing);
  for (uint32_t k = 0; good && k < sync->parts.size; k++)
    good = !reads_others(v, &sync->parts.items[k], k + 1);
  memset(v->cells, 0, v->access.cell_count * sizeof *v->cells);
  access_clear(&v->access);
  return good && failing <= 1;
}

static bool same_part(const Verifier *v, const SyncPart *a, const SyncPart *b) {
  return a->process == b->process && a->event == b->event &&
         (a->weak == b->weak || verifier_skips(v, RULE_WEAK));
}

// Processes take part once: each part has at most one that can be its image.
static bool has_part(const Verifier *v, const Sync *sync, const SyncPart *part) {
  for (uint32_t k = 0; k < sync->parts.size; k++)
    if (same_part(v, part, &sync->parts.items[k]))
      return true;
  return false;
}

static bool same_sync(Verifier *v, const Sync *a, const Sync *b) {
  const Net *net = v->net;
  if (a->parts.size != b->parts.size)
    return false;
  const Channel *x = a->channel ? &net->channels.items[a->channel - 1] : NULL;
  const Channel *y = b->channel ? &net->channels.items[b->channel - 1] : NULL;
  if (!verifier_skips(v, RULE_CHANNELS) &&
      (a->broadcast != b->broadcast || !verifier_same_channel(x, y)))
    return false;
  bool same_order = true;
  for (uint32_t k = 0; k < a->parts.size; k++) {
    const SyncPart part = image_of(v, &a->parts.items[k]);
    same_order &= same_part(v, &part, &b->parts.items[k]);
  }
  if (same_order)
    return true;
  for (uint32_t k = 0; k < a->parts.size; k++) {
    const SyncPart part = image_of(v, &a->parts.items[k]);
    if (!has_part(v, b, &part))
      return false;
  }
  return is_unordered(v, a) && is_unordered(v, b);
}

bool syncs_match(Verifier *v) {
  const Net *net = v->net;
  const uint32_t count = net->syncs.size;
  if (verifier_skips(v, RULE_SYNCS) || !count)
    return true;
  HashedSync *list = mem_alloc(v->mem, count * sizeof *list);
  for (uint32_t s = 0; s < count; s++)
    list[s] = (HashedSync){.hash = hash_sync(v, &net->syncs.items[s], false), .sync = s};
  qsort(list, count, sizeof *list, compare_syncs);
  bool good = true;
  for (uint32_t s = 0; good && s < count; s++) {
    const uint64_t hash = hash_sync(v, &net->syncs.items[s], true);
    uint32_t low = 0, high = count;
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (list[middle].hash < hash)
        low = middle + 1;
      else
        high = middle;
    }
    good = false;
    for (; !good && low < count && list[low].hash == hash; low++)
      good = !list[low].paired &&
             same_sync(v, &net->syncs.items[s], &net->syncs.items[list[low].sync]) &&
             (list[low].paired = true);
  }
  mem_free(v->mem, list);
  return good;
}
