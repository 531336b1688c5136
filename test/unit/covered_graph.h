// Random graphs in which a node can cover others of its key, as a Space: for the tests of
// search/cycles/cycles.h, search/cycles/sccs.h and search/cycles/suspects.h. A node's zone is its
// size: among nodes of one key the larger ones can do more.
#pragma once

#include "base/random.h"
#include "search/reach.h"

#include <stdint.h>
#include <string.h>

enum { KEYS = 9, SIZES = 3, NODES = KEYS * SIZES, GRAPHS = 4000, MARKS = 3 };

typedef struct Graph {
  Space space;
  uint64_t key;
  uint32_t at, opened, marks;
  uint32_t edges[NODES][NODES]; // marks + 4; 0: none
  bool is_end[NODES];           // left to who needs ends
} Graph;

static uint32_t index_of(uint64_t key, uint32_t zone) { return (uint32_t)key * SIZES + zone - 1; }

static void set_current(Graph *g, uint32_t node, uint32_t marks) {
  g->key = node / SIZES;
  g->space.zone = node % SIZES + 1;
  g->space.ordinal = node;
  g->marks = marks;
}

static bool initial(Space *space) {
  set_current((Graph *)space, 0, 0);
  return !space->next_initial++;
}

static void open(Space *space, const uint64_t *key, uint32_t zone) {
  Graph *g = (Graph *)space;
  g->opened = index_of(*key, zone);
  g->at = 0;
}

static bool next(Space *space) {
  Graph *g = (Graph *)space;
  while (g->at < NODES && !g->edges[g->opened][g->at])
    g->at++;
  if (g->at == NODES)
    return false;
  set_current(g, g->at, g->edges[g->opened][g->at] & MARKS);
  g->at++;
  return true;
}

static void load(Space *space, const uint64_t *key, uint32_t zone) {
  set_current((Graph *)space, index_of(*key, zone), 0);
}

static uint32_t find_subsumer(Space *space, const uint32_t *zones, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (zones[i] >= space->zone)
      return i;
  return count;
}

static uint32_t find_subsumed(Space *space, const uint32_t *zones, uint32_t from,
                              uint32_t count) {
  for (uint32_t i = from; i < count; i++)
    if (zones[i] <= space->zone)
      return i;
  return count;
}

static uint32_t keep(Space *space) { return space->zone; }
static uint32_t marks(Space *space) { return ((Graph *)space)->marks; }

// A larger node has the edges of the smaller one, to nodes at least as large, with their marks.
static void make(Graph *g, Random *random) {
  memset(g, 0, sizeof *g);
  g->space = (Space){.key_words = 1,
                     .key = &g->key,
                     .initial = initial,
                     .open = open,
                     .next = next,
                     .load = load,
                     .find_subsumer = find_subsumer,
                     .find_subsumed = find_subsumed,
                     .keep = keep};
  for (uint32_t node = 0; node < NODES; node++) {
    for (uint32_t to = 0; node % SIZES && to < NODES; to++) {
      const uint32_t edge = g->edges[node - 1][to];
      const uint32_t larger =
          to / SIZES * SIZES + (uint32_t)random_between(random, (int32_t)(to % SIZES), SIZES - 1);
      if (edge)
        g->edges[node][larger] |= edge;
    }
    if (!node || random_below(random, 4))
      g->edges[node][random_below(random, NODES)] |=
          4 | (random_below(random, 3) ? 0 : 1u + (uint32_t)random_below(random, 3));
  }
}
