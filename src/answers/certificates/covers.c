#include "answers/certificates/covers.h"

#include "search/passed/nodes.h"
#include "search/workers/mail.h"

#include <string.h>

enum { MANY = 1 << 17 }; // words: 1 MiB

typedef struct Question {
  uint32_t worker;
  uint32_t words; // of what follows: the node
} Question;

typedef struct Opening { // of what is sent to a meeting
  uint32_t is_done, count;
} Opening;

struct CoversBox {
  VEC(uint64_t) words;  // an Opening, then questions
  VEC(uint32_t) places; // for the answers
};

_Static_assert(sizeof(Question) == sizeof(uint64_t) && sizeof(Opening) == sizeof(uint64_t),
               "they are words");

void covers_init(Covers *covers, Mem *mem, Talk *talk, Reach *reach) {
  *covers = (Covers){.mem = mem, .talk = talk, .reach = reach};
  covers->boxes = mem_alloc(mem, talk->ranks * sizeof *covers->boxes);
  for (uint32_t rank = 0; rank < talk->ranks; rank++)
    vec_push(mem, &covers->boxes[rank].words, 0);
}

bool covers_are_many(const Covers *covers) { return covers->asked > MANY; }

uint32_t covers_know(Covers *covers, NodeRef ref) {
  vec_push(covers->mem, &covers->answers, ref == NODE_NONE ? COVERS_NONE : covers->numbers[ref]);
  return covers->answers.size - 1;
}

static void ask(Covers *covers, Space *space, uint32_t worker) {
  CoversBox *box = &covers->boxes[worker / covers->reach->peers->count];
  const size_t max = sizeof(Question) + mail_message_bytes(space) + SPACE_SLACK;
  vec_reserve(covers->mem, &box->words, (uint32_t)(box->words.size + max / sizeof(uint64_t) + 1));
  Question *question = (Question *)(void *)(box->words.items + box->words.size);
  space->exchange.peer = SPACE_BY_VALUE;
  const size_t bytes = space->exchange.send(space, question + 1);
  space->exchange.peer = 0;
  *question = (Question){worker, (uint32_t)((bytes + 7) / 8)};
  box->words.size += 1 + question->words;
  covers->asked += 1 + question->words;
  vec_push(covers->mem, &box->places, covers->answers.size);
}

uint32_t covers_find(Covers *covers, Reach *from) {
  const uint32_t worker = covers->talk->link ? mail_owner(from) : 0;
  if (!covers->talk->link || peers_member(from->peers, worker))
    return covers_know(covers, nodes_subsumer(from));
  ask(covers, from->space, worker);
  return covers_know(covers, NODE_NONE);
}

static uint32_t answer(Covers *covers, const Question *question) {
  Reach *reach = covers->reach;
  const uint32_t worker = question->worker - reach->peers->first;
  Space *space = reach->peers->members[worker]->space;
  space->exchange.receive(space, question + 1);
  const NodeRef ref = space->failure ? NODE_NONE : nodes_covering(reach, worker);
  return ref == NODE_NONE ? COVERS_NONE : covers->numbers[ref];
}

// Answers the questions of another process, and reads its answers. Returns whether it is done.
static bool meet_one(Covers *covers, uint32_t rank, bool is_done) {
  CoversBox *box = &covers->boxes[rank];
  size_t size;
  const Opening mine = {is_done, box->places.size};
  memcpy(box->words.items, &mine, sizeof mine);
  for (uint32_t i = 0; i < SPACE_SLACK / sizeof(uint64_t); i++) // for reading the last one
    vec_push(covers->mem, &box->words, 0);
  const uint64_t *words = talk_swap(covers->talk, rank, box->words.items,
                                    box->words.size * sizeof *box->words.items, &size);
  box->words.size = 1;
  if (!words)
    return true;
  Opening theirs;
  memcpy(&theirs, words, sizeof theirs);
  // One more than there are: it is not empty.
  uint32_t *answers = mem_alloc(covers->mem, (theirs.count + (size_t)1) * sizeof *answers);
  const Question *question = (const Question *)(const void *)(words + 1);
  for (uint32_t i = 0; i < theirs.count; i++, question += 1 + question->words) {
    mem_tick(covers->mem);
    answers[i] = answer(covers, question);
  }
  const uint32_t *heard =
      talk_swap(covers->talk, rank, answers, (theirs.count + (size_t)1) * sizeof *answers, &size);
  for (uint32_t i = 0; heard && i < box->places.size; i++)
    covers->answers.items[box->places.items[i]] = heard[i];
  mem_free(covers->mem, answers);
  vec_clear(&box->places);
  return theirs.is_done;
}

bool covers_meet(Covers *covers, bool is_done) {
  const bool mine = is_done;
  for (uint32_t rank = 0; rank < covers->talk->ranks; rank++)
    if (rank != covers->talk->rank && !meet_one(covers, rank, mine))
      is_done = false;
  covers->asked = 0;
  return is_done || covers->talk->is_over;
}
