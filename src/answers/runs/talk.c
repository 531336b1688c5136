#include "answers/runs/talk.h"

#include <assert.h>
#include <sched.h>

void talk_init(Talk *talk, Mem *mem, Link *link) {
  *talk = (Talk){.mem = mem, .link = link, .ranks = link ? link->ranks : 1};
  talk->rank = link ? link->rank : 0;
  talk->has_left = mem_alloc(mem, talk->ranks * sizeof *talk->has_left);
  talk->tickets = mem_alloc(mem, talk->ranks * sizeof *talk->tickets);
}

void talk_tell(Talk *talk, uint32_t to, const void *bytes, size_t size) {
  assert(size);
  if (!talk->is_over)
    link_tell(talk->link, to, bytes, size);
}

const void *talk_hear(Talk *talk, uint32_t from, size_t *size) {
  mem_free(talk->mem, talk->heard);
  talk->heard = NULL;
  if (talk->is_over)
    return NULL;
  talk->heard = link_hear(talk->link, talk->mem, from, size);
  if (*size)
    return talk->heard;
  talk->is_over = talk->has_left[from] = true;
  return NULL;
}

const void *talk_swap(Talk *talk, uint32_t with, const void *bytes, size_t size, size_t *heard) {
  if (talk->rank < with)
    talk_tell(talk, with, bytes, size);
  const void *const answer = talk_hear(talk, with, heard);
  if (talk->rank > with)
    talk_tell(talk, with, bytes, size);
  return answer;
}

// Receives what the processes that go on still send. The memory limit does not count for it.
static void drain(Talk *talk) {
  Link *link = talk->link;
  const size_t limit = talk->mem->limit;
  talk->mem->limit = 0;
  for (uint32_t rank = 0; rank < talk->ranks; rank++) {
    uint32_t from;
    size_t size;
    if (rank == talk->rank || talk->has_left[rank] ||
        !link->has_come(link, LINK_TALK, rank, &from, &size))
      continue;
    void *bytes = mem_alloc(talk->mem, size + 1);
    link->take(link, LINK_TALK, rank, bytes, size);
    mem_free(talk->mem, bytes);
    talk->has_left[rank] = !size;
  }
  talk->mem->limit = limit;
  sched_yield();
}

// All are told before any of them is waited for: one may wait for another one.
static void break_off(Talk *talk) {
  Link *link = talk->link;
  for (uint32_t rank = 0; rank < talk->ranks; rank++)
    if (rank != talk->rank)
      talk->tickets[rank] = link->send(link, rank, LINK_TALK, "", 0);
  for (uint32_t rank = 0; rank < talk->ranks; rank++) {
    while (rank != talk->rank && !link->is_sent(link, talk->tickets[rank]))
      drain(talk);
    while (rank != talk->rank && !talk->has_left[rank])
      drain(talk);
  }
}

// Rank 0 hears that all others are done, and then they hear that all are.
static void agree(Talk *talk) {
  const char done = 1;
  size_t size;
  if (talk->rank) {
    talk_tell(talk, 0, &done, sizeof done);
    talk_hear(talk, 0, &size);
    return;
  }
  for (uint32_t rank = 1; rank < talk->ranks; rank++)
    talk_hear(talk, rank, &size);
  for (uint32_t rank = 1; rank < talk->ranks; rank++)
    talk_tell(talk, rank, &done, sizeof done);
}

bool talk_end(Talk *talk, bool is_whole) {
  if (talk->link && is_whole)
    agree(talk);
  const bool is_over = talk->is_over || !is_whole;
  if (talk->link && is_over)
    break_off(talk);
  mem_free(talk->mem, talk->heard);
  mem_free(talk->mem, talk->has_left);
  mem_free(talk->mem, talk->tickets);
  return !is_over;
}
