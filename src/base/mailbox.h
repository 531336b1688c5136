// Mailbox: holds the batches for one worker of a team (base/team.h), and its own batches when
// they return. Any thread puts batches in; the worker waits for them and takes them out.
#pragma once

#include "base/relay.h"

#include <pthread.h>
#include <stdalign.h>

typedef struct Mailbox {
  // The worker's own.
  Batch *spare;  // that came back
  uint32_t away; // batches that it sent and that are not spare yet
  // What others see.
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool is_waiting, is_paused; // for mail or a call; also for what it sent to come back
  Batch *first, *last;
  Batch *returned;
  alignas(64) atomic_bool has_mail; // `first` is not NULL
} Mailbox;

void mailbox_init(Mailbox *);
void mailbox_release(Mailbox *);

void mailbox_put(Mailbox *, Batch *);
void mailbox_return(Mailbox *, Batch *); // one that its worker had sent
void mailbox_wake(Mailbox *);            // what its worker waits for may have happened

// For the worker. The list of all that lies there, in the order in which it came.
Batch *mailbox_take(Mailbox *);
// What came back becomes spare: how much is still away. One that is spare, NULL if there is none.
uint32_t mailbox_collect(Mailbox *);
Batch *mailbox_spare(Mailbox *);
static inline bool mailbox_has_mail(const Mailbox *box) {
  return atomic_load_explicit(&box->has_mail, memory_order_relaxed);
}
// Waits until `event` is true; as many seconds at most, 0: as long as it takes. False if time is
// up. The thread that makes it true calls mailbox_wake or puts a batch in.
bool mailbox_await(Mailbox *, bool (*event)(void *context), void *context, double seconds);
// Waits until there is mail, or something came back, or `event` is true.
void mailbox_await_return(Mailbox *, bool (*event)(void *context), void *context);
