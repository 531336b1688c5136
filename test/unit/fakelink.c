#include "fakelink.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct Message {
  struct Message *next;
  uint32_t from, looks; // looks until it can be seen
  LinkTag tag;
  size_t size;
  bool is_taken, is_needed; // the sender has not asked yet
  char bytes[];
} Message;

typedef struct Fake {
  Link link; // first
  struct Fake *all;
  Message *first;
  Message *tickets[4096];
  unsigned seed;
  pthread_mutex_t mutex; // of this rank's messages
} Fake;

static uint32_t send(Link *link, uint32_t to, LinkTag tag, const void *bytes, size_t size) {
  Fake *self = (Fake *)link, *other = &self->all[to];
  Message *message = malloc(sizeof *message + size);
  *message = (Message){.from = link->rank, .tag = tag, .size = size, .is_needed = true};
  message->looks = (uint32_t)rand_r(&self->seed) % 8;
  memcpy(message->bytes, bytes, size);
  pthread_mutex_lock(&other->mutex);
  Message **at = &other->first;
  while (*at)
    at = &(*at)->next;
  *at = message;
  pthread_mutex_unlock(&other->mutex);
  uint32_t ticket = 0;
  while (self->tickets[ticket])
    ticket++;
  self->tickets[ticket] = message;
  return ticket;
}

static bool is_sent(Link *link, uint32_t ticket) {
  Fake *self = (Fake *)link;
  Message *message = self->tickets[ticket];
  bool is_taken = false;
  for (uint32_t i = 0; i < link->ranks; i++)
    pthread_mutex_lock(&self->all[i].mutex);
  if ((is_taken = message->is_taken))
    free(message);
  for (uint32_t i = 0; i < link->ranks; i++)
    pthread_mutex_unlock(&self->all[i].mutex);
  if (is_taken)
    self->tickets[ticket] = NULL;
  return is_taken;
}

static Message **find(Fake *self, LinkTag tag, uint32_t rank) {
  Message **at = &self->first;
  while (*at && ((*at)->tag != tag || (rank != LINK_ANY && (*at)->from != rank)))
    at = &(*at)->next;
  return at;
}

static bool has_come(Link *link, LinkTag tag, uint32_t rank, uint32_t *from, size_t *size) {
  Fake *self = (Fake *)link;
  pthread_mutex_lock(&self->mutex);
  Message *message = *find(self, tag, rank);
  const bool has = message && (!message->looks || !message->looks--);
  if (has) {
    message->looks = 0;
    *from = message->from;
    *size = message->size;
  }
  pthread_mutex_unlock(&self->mutex);
  return has;
}

static void take(Link *link, LinkTag tag, uint32_t from, void *bytes, size_t size) {
  Fake *self = (Fake *)link;
  pthread_mutex_lock(&self->mutex);
  Message **at = find(self, tag, from), *message = *at;
  *at = message->next;
  memcpy(bytes, message->bytes, size);
  message->is_taken = true;
  pthread_mutex_unlock(&self->mutex);
}

static void close_link(Link *link) { (void)link; }

Link *fakelink_new(uint32_t ranks) {
  Fake *all = calloc(ranks, sizeof *all);
  for (uint32_t i = 0; i < ranks; i++) {
    all[i] = (Fake){.link = {.ranks = ranks,
                             .rank = i,
                             .neighbours = 1,
                             .send = send,
                             .is_sent = is_sent,
                             .has_come = has_come,
                             .take = take,
                             .close = close_link},
                    .all = all,
                    .seed = i + 1};
    pthread_mutex_init(&all[i].mutex, NULL);
  }
  return &all->link;
}

void fakelink_release(Link *first) {
  Fake *all = (Fake *)first;
  for (uint32_t i = 0; i < first->ranks; i++) {
    // Each message that its sender has not asked for again is one of his tickets, taken or not.
    for (uint32_t k = 0; k < sizeof all[i].tickets / sizeof *all[i].tickets; k++)
      free(all[i].tickets[k]);
    pthread_mutex_destroy(&all[i].mutex);
  }
  free(all);
}

Link *fakelink_at(Link *first, uint32_t rank) { return &((Fake *)first)->all[rank].link; }
