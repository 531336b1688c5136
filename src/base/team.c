// Termination. `busy` is the number of workers that are not resting, plus that of batches that
// have been put into a mailbox and not yet been handed back. It begins with all workers.
// - A batch is counted before it can be seen, by a worker that is itself counted; it is
//   uncounted only after it was read, by a worker that is counted: hand_back never makes it 0.
// - A worker begins to rest only when it has nothing to do and has flushed, and is uncounted
//   then. It ends its rest only when a batch lies in its mailbox, which is counted: `busy` is not
//   0 at that moment, and it counts itself before it reads the batch.
// So while there is something to do, some worker or batch is counted; and when `busy` becomes 0
// there is nothing to do, nor can there be again: only counted workers make work. The one that
// made it 0 tells the others.
//
// No deadlock: a worker that pauses because it is ahead waits for others to read what it sent,
// and still reads its own mail. A worker waits otherwise only when it rests. So mail is always
// read, as every worker with mail either runs or is woken by it.
#define _POSIX_C_SOURCE 200809L
#include "base/team.h"

#include "base/lock.h"

#include <errno.h>
#include <pthread.h>
#include <stdalign.h>
#include <time.h>
#include <unistd.h>

enum { BATCH_BYTES = 1 << 14, MOST_AWAY = 256, SPINS = 1000 };

struct Worker {
  Team *team;
  Mem *mem;
  uint32_t number;
  bool is_resting;
  Batch **open;  // by receiver: being filled, or NULL
  Batch *inbox;  // taken from the mailbox, to be read
  Batch *spare;  // to be filled
  uint32_t away; // batches that are neither open nor spare

  // The mailbox: what others see.
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool is_waiting, is_paused; // for mail; also for what it sent to come back
  Batch *first, *last;
  Batch *returned;
  alignas(64) atomic_bool has_mail; // `first` is not NULL
  atomic_bool asks;
};

typedef struct Start {
  Team *team;
  uint32_t number;
  pthread_t thread;
} Start;

struct Team {
  Mem *mem;
  uint32_t count;
  size_t message_bytes, batch_bytes;
  Worker **workers;
  pthread_mutex_t mutex;
  void (*work)(void *context, uint32_t number);
  void *context;
  Start *starts;
  alignas(64) atomic_size_t busy;
  atomic_bool is_over;
  alignas(64) atomic_uint asking; // workers
};

uint32_t team_processors(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 1 ? (uint32_t)count : 1;
}

// Memory aligned to 64 bytes: no line of it is another's.
static void *alloc_lines(Mem *mem, size_t size) {
  char *memory = mem_alloc(mem, size + 128);
  return memory + (64 - (uintptr_t)memory % 64) % 64;
}

static Worker *new_worker(Team *team, Mem *mem, uint32_t number) {
  Worker *worker = alloc_lines(mem, sizeof *worker);
  *worker = (Worker){.team = team, .mem = mem, .number = number};
  worker->open = mem_alloc(mem, team->count * sizeof *worker->open);
  pthread_mutex_init(&worker->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&worker->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  return worker;
}

Team *team_new(Mem *const *mems, uint32_t count, size_t message_bytes) {
  Team *team = alloc_lines(mems[0], sizeof *team);
  *team = (Team){.mem = mems[0], .count = count, .message_bytes = (message_bytes + 7) / 8 * 8};
  const size_t least = 4 * team->message_bytes;
  team->batch_bytes = least > BATCH_BYTES ? least : BATCH_BYTES;
  atomic_init(&team->busy, count);
  atomic_init(&team->is_over, false);
  pthread_mutex_init(&team->mutex, NULL);
  team->workers = mem_alloc(team->mem, count * sizeof(Worker *));
  team->starts = mem_alloc(team->mem, count * sizeof *team->starts);
  for (uint32_t i = 0; i < count; i++)
    team->workers[i] = new_worker(team, mems[i], i);
  return team;
}

void team_release(Team *team) {
  for (uint32_t i = 0; i < team->count; i++) {
    pthread_mutex_destroy(&team->workers[i]->mutex);
    pthread_cond_destroy(&team->workers[i]->changed);
  }
  pthread_mutex_destroy(&team->mutex);
}

Worker *team_worker(const Team *team, uint32_t number) { return team->workers[number]; }

void team_lock(Team *team) { pthread_mutex_lock(&team->mutex); }

void team_unlock(Team *team) { pthread_mutex_unlock(&team->mutex); }

static void wake(Worker *worker, bool has_returned) {
  if (has_returned ? worker->is_paused : worker->is_waiting)
    pthread_cond_signal(&worker->changed);
}

void team_stop(Team *team) {
  atomic_store(&team->is_over, true);
  for (uint32_t i = 0; i < team->count; i++) {
    pthread_mutex_lock(&team->workers[i]->mutex);
    wake(team->workers[i], false);
    pthread_mutex_unlock(&team->workers[i]->mutex);
  }
}

static void *run(void *argument) {
  const Start *start = argument;
  start->team->work(start->team->context, start->number);
  return NULL;
}

bool team_run(Team *team, void (*work)(void *context, uint32_t number), void *context) {
  Start *starts = team->starts;
  uint32_t started = 1;
  team->work = work;
  team->context = context;
  for (; started < team->count; started++) {
    starts[started] = (Start){.team = team, .number = started};
    if (pthread_create(&starts[started].thread, NULL, run, &starts[started]))
      break;
  }
  const bool ok = started == team->count;
  if (ok)
    work(context, 0);
  else
    team_stop(team);
  for (uint32_t i = 1; i < started; i++)
    pthread_join(starts[i].thread, NULL);
  return ok;
}

// What came back is spare again.
static void collect(Worker *worker) {
  pthread_mutex_lock(&worker->mutex);
  Batch *returned = worker->returned;
  worker->returned = NULL;
  pthread_mutex_unlock(&worker->mutex);
  while (returned) {
    Batch *next = returned->next;
    returned->next = worker->spare;
    worker->spare = returned;
    worker->away--;
    returned = next;
  }
}

static Batch *new_batch(Worker *worker) {
  if (!worker->spare && worker->away)
    collect(worker);
  Batch *batch = worker->spare;
  if (batch)
    worker->spare = batch->next;
  else
    batch = mem_alloc(worker->mem, sizeof *batch + worker->team->batch_bytes + TEAM_SLACK);
  batch->next = NULL;
  batch->from = worker->number;
  batch->size = 0;
  return batch;
}

void *worker_room(Worker *worker, uint32_t to) {
  if (!worker->open[to])
    worker->open[to] = new_batch(worker);
  return worker->open[to]->bytes + worker->open[to]->size;
}

static void post(Worker *worker, uint32_t to) {
  Worker *other = worker->team->workers[to];
  Batch *batch = worker->open[to];
  worker->open[to] = NULL;
  worker->away++;
  atomic_fetch_add(&worker->team->busy, 1);
  pthread_mutex_lock(&other->mutex);
  if (other->first)
    other->last->next = batch;
  else
    other->first = batch;
  other->last = batch;
  atomic_store_explicit(&other->has_mail, true, memory_order_relaxed);
  wake(other, false);
  pthread_mutex_unlock(&other->mutex);
}

void worker_wrote(Worker *worker, uint32_t to, size_t size) {
  const Team *team = worker->team;
  Batch *batch = worker->open[to];
  batch->size += (size + 7) / 8 * 8;
  if (batch->size + team->message_bytes > team->batch_bytes)
    post(worker, to);
}

void worker_flush(Worker *worker) {
  for (uint32_t to = 0; to < worker->team->count; to++)
    if (worker->open[to] && worker->open[to]->size)
      post(worker, to);
}

static bool has_mail(Worker *worker) {
  return atomic_load_explicit(&worker->has_mail, memory_order_relaxed);
}

Batch *worker_mail(Worker *worker) {
  if (!worker->inbox && has_mail(worker)) {
    pthread_mutex_lock(&worker->mutex);
    worker->inbox = worker->first;
    worker->first = worker->last = NULL;
    atomic_store_explicit(&worker->has_mail, false, memory_order_relaxed);
    pthread_mutex_unlock(&worker->mutex);
  }
  Batch *batch = worker->inbox;
  if (batch)
    worker->inbox = batch->next;
  return batch;
}

void worker_hand_back(Worker *worker, Batch *batch) {
  Worker *other = worker->team->workers[batch->from];
  pthread_mutex_lock(&other->mutex);
  batch->next = other->returned;
  other->returned = batch;
  wake(other, true);
  pthread_mutex_unlock(&other->mutex);
  atomic_fetch_sub(&worker->team->busy, 1);
}

bool worker_is_over(const Worker *worker) {
  return atomic_load_explicit(&worker->team->is_over, memory_order_relaxed);
}

bool worker_is_ahead(Worker *worker) {
  if (worker->away < MOST_AWAY)
    return false;
  collect(worker);
  return worker->away >= MOST_AWAY;
}

void worker_pause(Worker *worker) {
  worker_flush(worker);
  pthread_mutex_lock(&worker->mutex);
  worker->is_waiting = worker->is_paused = true;
  while (!worker->first && !worker->returned && !worker_is_over(worker))
    pthread_cond_wait(&worker->changed, &worker->mutex);
  worker->is_waiting = worker->is_paused = false;
  pthread_mutex_unlock(&worker->mutex);
}

void worker_ask(Worker *worker) {
  if (atomic_load_explicit(&worker->asks, memory_order_relaxed))
    return;
  atomic_store(&worker->asks, true);
  atomic_fetch_add(&worker->team->asking, 1);
}

uint32_t worker_asked(const Worker *worker) {
  const Team *team = worker->team;
  if (!atomic_load_explicit(&team->asking, memory_order_relaxed))
    return worker->number;
  for (uint32_t i = 1; i < team->count; i++) {
    const uint32_t other = (worker->number + i) % team->count;
    if (atomic_load_explicit(&team->workers[other]->asks, memory_order_relaxed))
      return other;
  }
  return worker->number;
}

void worker_gave(Worker *worker, uint32_t to) {
  // Two may have given at a time.
  if (atomic_exchange(&worker->team->workers[to]->asks, false))
    atomic_fetch_sub(&worker->team->asking, 1);
}

static struct timespec moment_after(double seconds) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  const double sum = (double)at.tv_nsec * 1e-9 + seconds;
  at.tv_sec += (time_t)sum;
  at.tv_nsec = (long)((sum - (double)(time_t)sum) * 1e9);
  return at;
}

static void begin_rest(Worker *worker) {
  worker->is_resting = true;
  if (atomic_fetch_sub(&worker->team->busy, 1) == 1)
    team_stop(worker->team);
}

// Under the mutex: waits for mail; false if time is up.
static bool await(Worker *worker, double seconds) {
  int status = 0;
  const struct timespec at = moment_after(seconds);
  worker->is_waiting = true;
  while (!worker->first && !worker_is_over(worker) && status != ETIMEDOUT)
    status = seconds > 0 ? pthread_cond_timedwait(&worker->changed, &worker->mutex, &at)
                         : pthread_cond_wait(&worker->changed, &worker->mutex);
  worker->is_waiting = false;
  return worker->first || worker_is_over(worker);
}

bool worker_linger(Worker *worker) {
  worker_flush(worker);
  for (int i = 0; i < SPINS && !has_mail(worker) && !worker_is_over(worker); i++)
    lock_pause();
  return has_mail(worker) || worker_is_over(worker);
}

Rest worker_rest(Worker *worker, double seconds) {
  worker_flush(worker);
  if (!worker->is_resting && has_mail(worker))
    return REST_MAIL;
  if (!worker->is_resting)
    begin_rest(worker);
  pthread_mutex_lock(&worker->mutex);
  const bool in_time = await(worker, seconds);
  pthread_mutex_unlock(&worker->mutex);
  if (!in_time)
    return REST_TIMEOUT;
  if (worker_is_over(worker))
    return REST_OVER;
  atomic_fetch_add(&worker->team->busy, 1);
  worker->is_resting = false;
  return REST_MAIL;
}
