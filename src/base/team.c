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
// Pauses. While a team pauses its workers read their mail and finish what they were lent, no
// more. The argument above finds out when all rest and no batch is on its way; then the team is
// quiet, and the end is put off. In a team that is alone, the worker that makes `busy` 0 and
// team_pause each check, under the lock, what the other did. When a pause ends, all workers count
// as busy again before one of them goes on.
//
// No deadlock: a worker that pauses because it is ahead waits for others to read what it sent,
// and still reads its own mail. A worker waits otherwise only when it rests. So mail is always
// read, as every worker with mail either runs or is woken by it.
#define _POSIX_C_SOURCE 200809L
#include "base/team.h"

#include "base/lock.h"
#include "base/mailbox.h"
#include "base/timer.h"

#include <unistd.h>

enum { BATCH_BYTES = 1 << 14, MAX_AWAY = 256, SPINS = 1000 };
enum { FAR_SPINS = 200, FAR_INTERVAL = 16 }; // looks at the relay: before a nap; at mail between
static const long nap_nanoseconds = 50000;

struct Worker {
  Team *team;
  Mem *mem;
  uint32_t number, index; // among all workers; in the team
  uint32_t looks;         // at its mail
  bool is_resting;
  Batch **open; // by receiver: being filled, or NULL
  Batch *inbox; // taken from the mailbox, to be read
  Mailbox box;
  atomic_bool asks;
};

typedef struct Start {
  Team *team;
  uint32_t number;
  pthread_t thread;
} Start;

typedef enum Phase { RUNNING, PAUSING, QUIET } Phase;

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
  _Atomic Phase phase;
  // Of a pause: its stamp; how many workers have done their parts; whether those of all teams
  // have, which rank 0 learns; the first error of one.
  uint64_t stamp;
  atomic_uint done;
  atomic_bool are_all_done;
  atomic_int error;
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
  mailbox_init(&worker->box);
  return worker;
}

static bool is_own(const Team *team, uint32_t number) {
  return number - team->first < team->count;
}

static Worker *own_worker(const Team *team, uint32_t number) {
  return team->workers[number - team->first];
}

static void give_back(void *context, Batch *batch) {
  mailbox_return(&own_worker(context, batch->from)->box, batch);
}

static void deliver(void *context, Batch *batch) {
  Team *team = context;
  batch->next = NULL;
  atomic_fetch_add(&team->busy, 1);
  mailbox_put(&own_worker(team, batch->to)->box, batch);
}

static bool is_idle(void *context) { return !atomic_load(&((Team *)context)->busy); }

static void stop(void *context) { team_stop(context); }

static void wake_all(Team *team) {
  for (uint32_t i = 0; i < team->count; i++)
    mailbox_wake(&team->workers[i]->box);
}

static void begin_pause(void *context, uint64_t stamp) {
  Team *team = context;
  team->stamp = stamp;
  atomic_store(&team->done, 0);
  atomic_store(&team->error, 0);
  atomic_store(&team->are_all_done, false);
  atomic_store(&team->phase, PAUSING);
}

static void be_quiet(void *context) {
  Team *team = context;
  atomic_store(&team->phase, QUIET);
  wake_all(team);
}

static void set_error(Team *team, int error) {
  int none = 0;
  if (error)
    atomic_compare_exchange_strong(&team->error, &none, error);
}

static void know_all_done(void *context, int error) {
  Team *team = context;
  set_error(team, error);
  atomic_store(&team->are_all_done, true);
  wake_all(team);
}

static void end_pause(void *context) {
  Team *team = context;
  atomic_fetch_add(&team->busy, team->count);
  atomic_store(&team->phase, RUNNING);
  wake_all(team);
}

static void connect(Team *team, Link *link) {
  const RelayTeam callbacks = {.team = team,
                               .deliver = deliver,
                               .give_back = give_back,
                               .is_idle = is_idle,
                               .stop = stop,
                               .pause = begin_pause,
                               .quiet = be_quiet,
                               .all_done = know_all_done,
                               .resume = end_pause};
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
  for (uint32_t i = 0; i < team->count; i++)
    mailbox_release(&team->workers[i]->box);
  pthread_mutex_destroy(&team->mutex);
  if (team->relay)
    relay_release(team->relay, team->mem);
}

Worker *team_worker(const Team *team, uint32_t index) { return team->workers[index]; }

Relay *team_relay(const Team *team) { return team->relay; }

uint32_t team_all(const Team *team) { return team->all; }

uint32_t team_first(const Team *team) { return team->first; }

void team_lock(Team *team) { pthread_mutex_lock(&team->mutex); }

void team_unlock(Team *team) { pthread_mutex_unlock(&team->mutex); }

void team_stop(Team *team) {
  atomic_store(&team->is_over, true);
  wake_all(team);
}

void team_pause(Team *team, uint64_t stamp) {
  if (atomic_load(&team->phase) != RUNNING)
    return;
  if (team->relay) {
    relay_pause(team->relay, stamp);
    return;
  }
  team_lock(team);
  if (!atomic_load(&team->is_over) && atomic_load(&team->phase) == RUNNING)
    begin_pause(team, stamp);
  team_unlock(team);
}

uint64_t team_stamp(const Team *team) { return team->stamp; }

int team_error(Team *team) { return atomic_load(&team->error); }

void team_resume(Team *team) {
  if (team->relay)
    relay_resume(team->relay);
  else
    end_pause(team);
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

static Batch *new_batch(Worker *worker) {
  Batch *batch = mailbox_spare(&worker->box);
  if (!batch)
    batch = mem_alloc(worker->mem, sizeof *batch + worker->team->batch_bytes + TEAM_SLACK);
  *batch = (Batch){.from = worker->number};
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
  worker->box.away++;
  batch->to = to;
  if (!is_own(team, to)) {
    relay_post(team->relay, batch);
    return;
  }
  atomic_fetch_add(&team->busy, 1);
  mailbox_put(&own_worker(team, to)->box, batch);
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

static bool has_mail(const Worker *worker) { return mailbox_has_mail(&worker->box); }

Batch *worker_mail(Worker *worker) {
  if (worker->team->relay && (has_mail(worker) || ++worker->looks % FAR_INTERVAL == 0))
    relay_progress(worker->team->relay);
  if (!worker->inbox && has_mail(worker))
    worker->inbox = mailbox_take(&worker->box);
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

static bool is_over(void *worker) { return worker_is_over(worker); }

bool worker_is_pausing(const Worker *worker) {
  return atomic_load_explicit(&worker->team->phase, memory_order_relaxed) != RUNNING;
}

bool worker_is_ahead(Worker *worker) {
  return worker->box.away >= MAX_AWAY && mailbox_collect(&worker->box) >= MAX_AWAY;
}

void worker_pause(Worker *worker) {
  flush_all(worker);
  if (worker->team->relay) {
    timer_nap(nap_nanoseconds);
    relay_progress(worker->team->relay);
    return;
  }
  mailbox_await_return(&worker->box, is_over, worker);
}

void worker_ask(Worker *worker) {
  if (atomic_load_explicit(&worker->asks, memory_order_relaxed))
    return;
  atomic_store(&worker->asks, true);
  atomic_fetch_add(&worker->team->asking, 1);
  if (worker->team->relay)
    relay_need(worker->team->relay, worker->number);
}

uint32_t worker_asked(const Worker *worker) {
  const Team *team = worker->team;
  const bool asks = atomic_load_explicit(&team->asking, memory_order_relaxed);
  for (uint32_t i = 1; asks && i < team->count; i++) {
    const uint32_t other = (worker->index + i) % team->count;
    if (atomic_load_explicit(&team->workers[other]->asks, memory_order_relaxed))
      return team->first + other;
  }
  return relay_needy(team->relay, worker->number);
}

void worker_gave(Worker *worker, uint32_t to) {
  if (!is_own(worker->team, to))
    relay_fed(worker->team->relay, to);
  // Two may have given at a time.
  else if (atomic_exchange(&own_worker(worker->team, to)->asks, false))
    atomic_fetch_sub(&worker->team->asking, 1);
}

// No worker is busy in a team that is alone.
static void settle(Team *team) {
  team_lock(team);
  if (atomic_load(&team->phase) == PAUSING)
    be_quiet(team);
  else
    team_stop(team);
  team_unlock(team);
}

static void begin_rest(Worker *worker) {
  worker->is_resting = true;
  if (atomic_fetch_sub(&worker->team->busy, 1) == 1 && !worker->team->relay)
    settle(worker->team);
}

// What a worker waits for, besides the end.
typedef bool Event(void *worker);

static bool is_quiet(const Worker *worker) { return atomic_load(&worker->team->phase) == QUIET; }

static bool is_called(void *context) {
  const Worker *worker = context;
  return has_mail(worker) || is_quiet(worker) || worker_is_over(worker);
}

static bool are_all_done(void *context) {
  const Worker *worker = context;
  return atomic_load(&worker->team->are_all_done) || worker_is_over(worker);
}

static bool is_resumed(void *worker) { return !is_quiet(worker) || worker_is_over(worker); }

// With a relay somebody has to look at it. Short naps: the others need the processor.
static bool await_afar(Worker *worker, Event *event, double seconds) {
  const double end = seconds > 0 ? timer_seconds() + seconds : 0;
  for (int i = 0;; i++) {
    relay_progress(worker->team->relay);
    if (event(worker))
      return true;
    if ((i > FAR_SPINS || i % FAR_INTERVAL == 0) && end > 0 && timer_seconds() > end)
      return false;
    if (i > FAR_SPINS)
      timer_nap(nap_nanoseconds);
  }
}

// As many seconds, 0: as long as it takes; false if time is up.
static bool await(Worker *worker, Event *event, double seconds) {
  return worker->team->relay ? await_afar(worker, event, seconds)
                             : mailbox_await(&worker->box, event, worker, seconds);
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

Rest worker_rest(Worker *worker, double seconds) {
  flush_all(worker);
  if (!worker->is_resting && has_mail(worker))
    return REST_MAIL;
  if (!worker->is_resting)
    begin_rest(worker);
  if (!await(worker, is_called, seconds))
    return REST_TIMEOUT;
  if (worker_is_over(worker))
    return REST_OVER;
  if (is_quiet(worker))
    return REST_QUIET;
  atomic_fetch_add(&worker->team->busy, 1);
  worker->is_resting = false;
  return REST_MAIL;
}

void worker_done(Worker *worker, int error) {
  Team *team = worker->team;
  set_error(team, error);
  if (atomic_fetch_add(&team->done, 1) + 1 < team->count)
    return;
  if (team->relay)
    relay_done(team->relay, atomic_load(&team->error));
  else
    know_all_done(team, 0);
}

bool worker_await_done(Worker *worker) {
  await(worker, are_all_done, 0);
  return !worker_is_over(worker);
}

bool worker_await_resume(Worker *worker) {
  await(worker, is_resumed, 0);
  worker->is_resting = false;
  return !worker_is_over(worker);
}
