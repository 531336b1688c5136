// Ranks: the messages that processes which search together (search/workers/workers.h,
// base/relay.h) exchange at the end of a search and afterwards, when rank 0 makes the evidence
// from the nodes of all.
#pragma once

#include "search/space/trail.h"
#include "search/workers/mail.h"

// Why a worker ended the search, for the others.
void ranks_decide(Reach *, ReachResult);
// After the search in this process: waits for the others. Rank 0 then has the sum of all
// statistics, and what was decided in `peers` and in the Reach.
void ranks_finish(Reach *);

// Appends the ordinals on the way to a node of all workers, last first, as far as one process
// knows it. Returns where to go on: NODE_NONE, or a reference of another process. With is_first
// it is a node; then, where nodes have trails, it is a mark. Rank 0 asks other processes.
NodeRef ranks_follow(const Reach *, NodeRef, bool is_first, Mem *, Ordinals *);
// The same of a passed list that keeps trails, with renamings and delays: at most so many steps.
NodeRef ranks_trail(const Peers *, NodeRef, bool is_first, uint32_t max, Mem *, TrailSteps *);

// What rank 0 asked, which begins with RANKS_ASK. The others answer while the search is there.
// With RANKS_WRITE they are asked to help with a certificate
// (answers/certificates/certificate.h).
enum { RANKS_ASK = 1000, RANKS_WRITE };
void ranks_answer(Reach *, const void *request);
