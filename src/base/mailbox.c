#define _POSIX_C_SOURCE 200809L
#include "base/mailbox.h"

#include <errno.h>
#include <time.h>

void mailbox_init(Mailbox *box) {
  *box = (Mailbox){0};
  pthread_mutex_init(&box->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&box->changed, &attributes);
  pthread_condattr_destroy(&attributes);
}

void mailbox_release(Mailbox *box) {
  pthread_mutex_destroy(&box->mutex);
  pthread_cond_destroy(&box->changed);
}

void mailbox_put(Mailbox *box, Batch *batch) {
  pthread_mutex_lock(&box->mutex);
  if (box->first)
    box->last->next = batch;
  else
    box->first = batch;
  box->last = batch;
  atomic_store_explicit(&box->has_mail, true, memory_order_relaxed);
  if (box->is_waiting)
    pthread_cond_signal(&box->changed);
  pthread_mutex_unlock(&box->mutex);
}

void mailbox_return(Mailbox *box, Batch *batch) {
  pthread_mutex_lock(&box->mutex);
  batch->next = box->returned;
  box->returned = batch;
  if (box->is_paused)
    pthread_cond_signal(&box->changed);
  pthread_mutex_unlock(&box->mutex);
}

void mailbox_wake(Mailbox *box) {
  pthread_mutex_lock(&box->mutex);
  if (box->is_waiting)
    pthread_cond_signal(&box->changed);
  pthread_mutex_unlock(&box->mutex);
}

Batch *mailbox_take(Mailbox *box) {
  pthread_mutex_lock(&box->mutex);
  Batch *list = box->first;
  box->first = box->last = NULL;
  atomic_store_explicit(&box->has_mail, false, memory_order_relaxed);
  pthread_mutex_unlock(&box->mutex);
  return list;
}

uint32_t mailbox_collect(Mailbox *box) {
  pthread_mutex_lock(&box->mutex);
  Batch *returned = box->returned;
  box->returned = NULL;
  pthread_mutex_unlock(&box->mutex);
  for (Batch *next; returned; returned = next) {
    next = returned->next;
    returned->next = box->spare;
    box->spare = returned;
    box->away--;
  }
  return box->away;
}

Batch *mailbox_spare(Mailbox *box) {
  if (!box->spare && box->away)
    mailbox_collect(box);
  Batch *batch = box->spare;
  if (batch)
    box->spare = batch->next;
  return batch;
}

static struct timespec moment_after(double seconds) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  const double sum = (double)at.tv_nsec * 1e-9 + seconds;
  at.tv_sec += (time_t)sum;
  at.tv_nsec = (long)((sum - (double)(time_t)sum) * 1e9);
  return at;
}

bool mailbox_await(Mailbox *box, bool (*event)(void *context), void *context, double seconds) {
  int status = 0;
  const struct timespec at = moment_after(seconds);
  pthread_mutex_lock(&box->mutex);
  box->is_waiting = true;
  while (!event(context) && status != ETIMEDOUT)
    status = seconds > 0 ? pthread_cond_timedwait(&box->changed, &box->mutex, &at)
                         : pthread_cond_wait(&box->changed, &box->mutex);
  box->is_waiting = false;
  const bool in_time = event(context);
  pthread_mutex_unlock(&box->mutex);
  return in_time;
}

void mailbox_await_return(Mailbox *box, bool (*event)(void *context), void *context) {
  pthread_mutex_lock(&box->mutex);
  box->is_waiting = box->is_paused = true;
  while (!box->first && !box->returned && !event(context))
    pthread_cond_wait(&box->changed, &box->mutex);
  box->is_waiting = box->is_paused = false;
  pthread_mutex_unlock(&box->mutex);
}
