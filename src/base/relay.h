// Relays: the part of a team (base/team.h) that sends batches to the teams of other processes and
// detects when no team has anything left to do. Each process has one relay; the relay of rank 0
// coordinates.
//
// The end (four counters, Mattern 1987). A team is *idle* when none of its workers has anything
// to do and no batch waits for one. An idle team makes no work by itself; only a batch from
// outside ends its idleness. Relay i counts the batches that it sent, s_i, and those that it
// received, r_i: a batch is counted as received before the team could be seen idle again.
//
// Rank 0 asks in waves. A relay answers a question when its team is idle, with s_i and r_i at
// that moment. A wave ends when all have answered, and the next begins after that. Let a_i be the
// moment of the answer of relay i in one wave, t its end, b_i the moment of its answer in the
// next wave: a_i <= t <= b_i. If the sum of all r_i(a_i) equals that of all s_i(b_i), it was over
// at t:
// - Counters never decrease, and at any moment no more was received than sent:
//   sum r_i(a_i) <= sum r_i(t) <= sum s_i(t) <= sum s_i(b_i). So all four are equal.
// - As sum r_i(t) = sum s_i(t), no batch was on its way at t.
// - As r_i(a_i) <= r_i(t) for each i and the sums are equal, relay i received nothing between a_i
//   and t. Its team was idle at a_i, so it was idle at t.
// If all teams are idle and no batch is on its way, nothing is left to do, now or later.
// Conversely, once the work is over, nothing changes, so the next two waves detect it.
//
// Pauses. Rank 0 tells all relays to pause; then their teams begin nothing new. If a wave finds,
// as above, that all teams were idle and no batch was on its way, this is not the end: all are
// quiet. Each relay learns that it pauses before it learns that it is quiet, and says when its
// team has done its part. When all have, and rank 0 has done its own work, rank 0 tells them to
// resume. Between quiet and resume no wave begins. The next wave does not use earlier answers,
// because a team that resumes is busy without having received a batch.
//
// A process that finds a goal, a failure or a limit tells rank 0, which tells all others that the
// search is over. Then each relay tells every other how many batches it sent there, and receives
// as many as it was told: after that the network is empty.
#pragma once

#include "base/link.h"

// A batch of messages from one worker to another.
typedef struct Batch {
  struct Batch *next;
  uint32_t ticket;   // while it is on its way to another process
  uint32_t from, to; // workers; it is memory of the one that it is from, or of a relay
  uint32_t size;     // bytes in use
  char bytes[];      // aligned to 8; TEAM_SLACK more of them are readable
} Batch;

enum { TEAM_SLACK = 64 };

typedef struct Relay Relay;

// What a relay asks of its team; called by any of its threads.
typedef struct RelayTeam {
  void *team;
  void (*deliver)(void *team, Batch *);   // a batch came in
  void (*give_back)(void *team, Batch *); // a batch was received by its relay
  bool (*is_idle)(void *team);
  void (*stop)(void *team); // it is over
  void (*pause)(void *team, uint64_t stamp);
  void (*quiet)(void *team);
  void (*all_done)(void *team, int error); // in rank 0: all have done their parts
  void (*resume)(void *team);
} RelayTeam;

enum { RELAY_DECISION = 1 << 10 }; // bytes of a decision, at most

// For `threads` workers of each rank: the first has those with the numbers from 0 on, and so
// forth.
Relay *relay_new(Mem *, Link *, RelayTeam, uint32_t threads, size_t batch_bytes);
void relay_release(Relay *, Mem *);

// Any thread may call these.
void relay_post(Relay *, Batch *);   // sends it
void relay_return(Relay *, Batch *); // one that was delivered has been read
void relay_progress(Relay *);        // looks for what has come in, unless another thread does
// Whether nothing is on its way to the rank of that worker.
bool relay_is_quiet(const Relay *, uint32_t worker);
// A worker of this team has nothing to do: the next rank, each time another one, is told. Which
// worker of another rank told it so last, `nobody` if none did or there is no relay; and that it
// has been given some work.
void relay_need(Relay *, uint32_t worker);
uint32_t relay_needy(const Relay *, uint32_t nobody);
void relay_fed(Relay *, uint32_t worker);
// Ends the work of all; the first decision counts.
void relay_decide(Relay *, const void *decision, size_t size);

// Pauses; rank 0 begins and ends them. Nothing happens if there is one already, or it is over.
void relay_pause(Relay *, uint64_t stamp);
void relay_done(Relay *, int error); // the team has done its part
void relay_resume(Relay *);

// When the team has ended, in one thread: waits until it is over for all, and nothing is on its
// way. In rank 0 it then says what was decided; NULL: nothing, it came to its end.
const void *relay_finish(Relay *);
