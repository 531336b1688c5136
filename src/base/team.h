// Teams: worker threads that share nothing and send each other messages.
//
// A team may be one of several, each in its own process (base/relay.h). All teams have the same
// number of workers. The workers of all teams are numbered together, and those of this team begin
// at `first`. A message can go to any worker; everything else stays within one team.
//
// Messages travel in batches. A worker fills one batch for each other worker. A batch that is
// full, or that has waited long enough (worker_flush), is put into the receiver's mailbox. Its
// memory belongs to the worker that filled it, and returns to it when the batch has been read.
//
// The work is over when no worker has anything left to do and no batch is on its way, or when it
// is stopped. team.c proves that the end is detected, and not too early.
#pragma once

#include "base/relay.h"

typedef struct Team Team;
typedef struct Worker Worker;

typedef enum Rest { REST_MAIL, REST_OVER, REST_TIMEOUT, REST_QUIET } Rest;

uint32_t team_processors(void); // that this machine has

// A team of that many workers, for messages of up to the given size. Each worker allocates in
// its own Mem, from its own thread; team_new allocates in all of them. With a link it is one of
// as many teams as there are ranks.
Team *team_new(Mem *const *mems, uint32_t count, size_t message_bytes, Link *);
void team_release(Team *); // after team_run; the batches stay in the workers' Mems

Worker *team_worker(const Team *, uint32_t index); // of this team
Relay *team_relay(const Team *);                   // NULL: it is alone
// Workers of all teams; the number of this team's first one.
uint32_t team_all(const Team *);
uint32_t team_first(const Team *);
// Runs work(context, number) in one thread for each worker: the calling one is worker 0. Returns
// when all have returned. False if not enough threads can be started: then all is stopped. It
// allocates nothing itself.
bool team_run(Team *, void (*work)(void *context, uint32_t number), void *context);
// Tells all workers of this team that it is over; any of them may call it, more than once.
void team_stop(Team *);
// Asks all workers of all teams to begin nothing new; only rank 0 may. When no message is on its
// way, all of them are told REST_QUIET. Each then does its part and says so (worker_done). The
// one that asked waits for all (worker_await_done) and ends the pause (team_resume); then all go
// on (worker_await_resume). Nothing happens if there is a pause already, or it is over. It can
// also become over during a pause.
void team_pause(Team *, uint64_t stamp);
void team_resume(Team *);
uint64_t team_stamp(const Team *); // that of the pause
int team_error(Team *);            // what worker_done was told: the first that is not 0
// A lock for what little the workers share.
void team_lock(Team *);
void team_unlock(Team *);

// Room for one message to another worker, aligned to 8; then how much of it was written.
void *worker_room(Worker *, uint32_t to);
void worker_wrote(Worker *, uint32_t to, size_t size);
// Sends what has been written. For workers of other processes it waits until what was sent there
// before has been received: so batches are the larger the longer they take.
void worker_flush(Worker *);

// The next batch that came in, NULL if there is none. When it has been read, and what it led to
// been done or noted, it is handed back.
Batch *worker_mail(Worker *);
void worker_hand_back(Worker *, Batch *);

bool worker_is_over(const Worker *);
bool worker_is_pausing(const Worker *);
// After REST_QUIET. The others are false if it is over.
void worker_done(Worker *, int error);
bool worker_await_done(Worker *); // in rank 0
bool worker_await_resume(Worker *);
// Whether so much of what it sent is still unread that it should do nothing but read its own
// mail; worker_pause waits until something changes.
bool worker_is_ahead(Worker *);
void worker_pause(Worker *);
// A worker that will soon have nothing to do asks for work, and another one, perhaps of another
// process, gives it some: that one sees who asks (its own number: none does), and says that it
// sent some. A worker that got some from another process says so for it.
void worker_ask(Worker *); // nothing happens if it has asked already
uint32_t worker_asked(const Worker *);
void worker_gave(Worker *, uint32_t to);
// For a worker that has nothing to do: flushes, and looks for mail for a moment, as to fall
// asleep and be woken takes longer. True if some came, or it is over.
bool worker_linger(Worker *);
// The same, but waits for mail or the end, or as many
// seconds (0: as long as it takes). After REST_TIMEOUT it must call again: it counts as resting.
Rest worker_rest(Worker *, double seconds);
