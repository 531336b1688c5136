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
// With a relay a team whose `busy` is 0 is idle, and may be woken by a batch of another process,
// which is counted when it is delivered. Batches to others are no longer counted here when the
// relay has them. The end of all teams is argued for in base/relay.h.
//
// No deadlock: a worker that pauses because it is ahead waits for others to read what it sent,
// and still reads its own mail. A worker waits otherwise only when it rests. So mail is always
// read, as every worker with mail either runs or is woken by it.
#define _POSIX_C_SOURCE 200809L
#include "base/team.h"

#include "base/lock.h"
#include "base/timer.h"

#include <errno.h>
#include <pthread.h>
#include <stdalign.h>
#include <time.h>
#include <unistd.h>

enum { BATCH_BYTES = 1 << 14, MOST_AWAY = 256, SPINS = 1000 };
enum {
  FAR_SPINS = 200,
  FAR_INTERVAL = 16
}; // looks at the relay: before a nap; at mail between them
static const long nap_nanoseconds = 50000;

struct Worker {
  Team *team;
  Mem *mem;
  uint32_t number, index; // among all workers; in the team
  uint32_t looks;         // at its mail
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
  uint32_t first, all; // number of its first worker; workers of all teams
  Relay *relay;        // NULL: it is alone
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

static Worker *new_worker(Team *team, Mem *mem, uint32_t index) {
  Worker *worker = alloc_lines(mem, sizeof *worker);
  *worker = (Worker){.team = team, .mem = mem, .number = team->first + index, .index = index};
  worker->open = mem_alloc(mem, team->all * sizeof *worker->open);
  pthread_mutex_init(&worker->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&worker->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  return worker;
}

static bool is_own(const Team *team, uint32_t number) {
  return number - team->first < team->count;
}

static Worker *own_worker(const Team *team, uint32_t number) {
  return team->workers[number - team->first];
}

static void wake(Worker *worker, bool has_returned) {
  if (has_returned ? worker->is_paused : worker->is_waiting)
    pthread_cond_signal(&worker->changed);
}

// Puts a batch that is counted into the mailbox of a worker of this team.
static void put(Worker *worker, Batch *batch) {
  pthread_mutex_lock(&worker->mutex);
  if (worker->first)
    worker->last->next = batch;
  else
    worker->first = batch;
  worker->last = batch;
  atomic_store_explicit(&worker->has_mail, true, memory_order_relaxed);
  wake(worker, false);
  pthread_mutex_unlock(&worker->mutex);
}

static void give_back(void *context, Batch *batch) {
  Worker *worker = own_worker(context, batch->from);
  pthread_mutex_lock(&worker->mutex);
  batch->next = worker->returned;
  worker->returned = batch;
  wake(worker, true);
  pthread_mutex_unlock(&worker->mutex);
}

static void deliver(void *context, Batch *batch) {
  Team *team = context;
  batch->next = NULL;
  atomic_fetch_add(&team->busy, 1);
  put(own_worker(team, batch->to), batch);
}

static bool is_idle(void *context) { return !atomic_load(&((Team *)context)->busy); }

static void stop(void *context) { team_stop(context); }

static void connect(Team *team, Link *link) {
  const RelayTeam callbacks = {
      .team = team, .deliver = deliver, .give_back = give_back, .is_idle = is_idle, .stop = stop};
  team->first = link->rank * team->count;
  team->all = link->ranks * team->count;
  team->relay = relay_new(team->mem, link, callbacks, team->count, team->batch_bytes);
}

Team *team_new(Mem *const *mems, uint32_t count, size_t message_bytes, Link *link) {
  Team *team = alloc_lines(mems[0], sizeof *team);
  *team = (Team){
      .mem = mems[0], .count = count, .all = count, .message_bytes = (message_bytes + 7) / 8 * 8};
  const size_t least = 4 * team->message_bytes;
  team->batch_bytes = least > BATCH_BYTES ? least : BATCH_BYTES;
  if (link)
    connect(team, link);
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
  if (team->relay)
    relay_release(team->relay, team->mem);
}

Worker *team_worker(const Team *team, uint32_t index) { return team->workers[index]; }

Relay *team_relay(const Team *team) { return team->relay; }

uint32_t team_count(const Team *team) { return team->count; }

uint32_t team_all(const Team *team) { return team->all; }

uint32_t team_first(const Team *team) { return team->first; }

void team_lock(Team *team) { pthread_mutex_lock(&team->mutex); }

void team_unlock(Team *team) { pthread_mutex_unlock(&team->mutex); }

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
  Team *team = worker->team;
  Batch *batch = worker->open[to];
  worker->open[to] = NULL;
  worker->away++;
  batch->to = to;
  if (!is_own(team, to)) {
    relay_post(team->relay, batch);
    return;
  }
  atomic_fetch_add(&team->busy, 1);
  put(own_worker(team, to), batch);
}

void worker_wrote(Worker *worker, uint32_t to, size_t size) {
  const Team *team = worker->team;
  Batch *batch = worker->open[to];
  batch->size += (uint32_t)((size + 7) / 8 * 8);
  if (batch->size + team->message_bytes > team->batch_bytes)
    post(worker, to);
}

static bool has_written(const Worker *worker, uint32_t to) {
  return worker->open[to] && worker->open[to]->size;
}

void worker_flush(Worker *worker) {
  const Team *team = worker->team;
  for (uint32_t to = 0; to < team->all; to++)
    if (has_written(worker, to) && (is_own(team, to) || relay_is_quiet(team->relay, to)))
      post(worker, to);
}

// A worker that waits has nothing more to put into its batches.
static void flush_all(Worker *worker) {
  for (uint32_t to = 0; to < worker->team->all; to++)
    if (has_written(worker, to))
      post(worker, to);
}

static bool has_mail(Worker *worker) {
  return atomic_load_explicit(&worker->has_mail, memory_order_relaxed);
}

Batch *worker_mail(Worker *worker) {
  if (worker->team->relay && ++worker->looks % FAR_INTERVAL == 0)
    relay_progress(worker->team->relay);
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
  Team *team = worker->team;
  if (is_own(team, batch->from))
    give_back(team, batch);
  else
    relay_return(team->relay, batch);
  atomic_fetch_sub(&team->busy, 1);
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

static void nap(void) {
  const struct timespec time = {.tv_nsec = nap_nanoseconds};
  nanosleep(&time, NULL);
}

void worker_pause(Worker *worker) {
  flush_all(worker);
  if (worker->team->relay) {
    nap();
    relay_progress(worker->team->relay);
    return;
  }
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
    const uint32_t other = (worker->index + i) % team->count;
    if (atomic_load_explicit(&team->workers[other]->asks, memory_order_relaxed))
      return team->first + other;
  }
  return worker->number;
}

void worker_gave(Worker *worker, uint32_t to) {
  // Two may have given at a time.
  if (atomic_exchange(&own_worker(worker->team, to)->asks, false))
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
  if (atomic_fetch_sub(&worker->team->busy, 1) == 1 && !worker->team->relay)
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

// The same with a relay, which somebody has to look at. Short naps: the others need the
// processor.
static bool await_afar(Worker *worker, double seconds) {
  const double end = seconds > 0 ? timer_seconds() + seconds : 0;
  for (int i = 0;; i++) {
    relay_progress(worker->team->relay);
    if (has_mail(worker) || worker_is_over(worker))
      return true;
    if ((i > FAR_SPINS || i % FAR_INTERVAL == 0) && end > 0 && timer_seconds() > end)
      return false;
    if (i > FAR_SPINS)
      nap();
  }
}

bool worker_linger(Worker *worker) {
  flush_all(worker);
  for (int i = 0; i < SPINS && !has_mail(worker) && !worker_is_over(worker); i++) {
    lock_pause();
    if (worker->team->relay && i % FAR_INTERVAL == 0)
      relay_progress(worker->team->relay);
  }
  return has_mail(worker) || worker_is_over(worker);
}

static bool await_any(Worker *worker, double seconds) {
  if (worker->team->relay)
    return await_afar(worker, seconds);
  pthread_mutex_lock(&worker->mutex);
  const bool in_time = await(worker, seconds);
  pthread_mutex_unlock(&worker->mutex);
  return in_time;
}

Rest worker_rest(Worker *worker, double seconds) {
  flush_all(worker);
  if (!worker->is_resting && has_mail(worker))
    return REST_MAIL;
  if (!worker->is_resting)
    begin_rest(worker);
  if (!await_any(worker, seconds))
    return REST_TIMEOUT;
  if (worker_is_over(worker))
    return REST_OVER;
  atomic_fetch_add(&worker->team->busy, 1);
  worker->is_resting = false;
  return REST_MAIL;
}
