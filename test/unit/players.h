// Processes that search together, each of which is played by a thread: for tests of what they do
// after a search.
#pragma once

#include "fakelink.h"
#include "spaces.h"

#include <pthread.h>

enum { PLAYERS = 3 };

typedef struct Player Player;
struct Player {
  Link *link;
  void (*after)(Player *); // what it does
  Player *all;
  uint32_t size; // of the model
  bool is_torn;  // memory came to its end in the middle of something
  Search s;
};

static inline void *players_play(void *context) {
  Player *p = context;
  char text[20];
  const char *arguments[] = {text};
  snprintf(text, sizeof text, "n=%u", p->size);
  search_generate(&p->s, "fischer", 1, arguments);
  p->s.space = spaces_new(&p->s, false);
  reach_init(&p->s.reach, &p->s.mem, p->s.space, ORDER_BFS, &p->s.stats);
  workers_divide(&p->s.reach, 2, ORDER_BFS, p->link);
  p->s.result = reach_run(&p->s.reach);
  p->after(p);
  if (p->is_torn) {
    mem_release(&p->s.mem);
    reading_release(&p->s.reading);
  } else {
    search_release(&p->s);
  }
  return NULL;
}

// All explore a model of this size with two threads each, and do this afterwards.
static inline void players_run(uint32_t size, void (*after)(Player *)) {
  static Player players[PLAYERS];
  pthread_t threads[PLAYERS];
  Link *link = fakelink_new(PLAYERS);
  for (uint32_t i = 0; i < PLAYERS; i++)
    players[i] =
        (Player){.link = fakelink_at(link, i), .after = after, .all = players, .size = size};
  for (uint32_t i = 1; i < PLAYERS; i++)
    pthread_create(&threads[i], NULL, players_play, &players[i]);
  players_play(&players[0]);
  for (uint32_t i = 1; i < PLAYERS; i++)
    pthread_join(threads[i], NULL);
  fakelink_release(link);
}
