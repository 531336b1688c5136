#define _POSIX_C_SOURCE 200809L
#include "base/relay.h"

#include "base/timer.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

enum { RECEIVED = 64 }; // batches that wait for their workers at most
enum { YIELDS = 100 };  // before a nap

typedef enum WordKind {
  WORD_ASK,    // rank 0: answer when your team is idle
  WORD_ANSWER, // to rank 0: `sent` and `received`
  WORD_DECIDE, // to rank 0: a decision
  WORD_OVER,   // rank 0: it is over
  WORD_PAUSE,  // rank 0: begin nothing new; `sent` is the stamp
  WORD_QUIET,  // rank 0: all have come to rest
  WORD_DONE,   // to rank 0: my team has done its part; `sent` is an error
  WORD_RESUME, // rank 0: go on
  WORD_NEED,   // to any: my worker of the number `sent` has nothing to do
  WORD_END     // to each: `sent` batches came from me, and nothing more will come
} WordKind;

typedef struct Word {
  WordKind kind;
  uint32_t size; // of the decision
  uint64_t sent, received;
  char decision[RELAY_DECISION];
} Word;

typedef struct Letter { // a word on its way
  struct Letter *next;
  uint32_t ticket;
  Word word;
} Letter;

typedef struct RelayNeed {
  atomic_uint needy; // a worker of another rank that has nothing to do, plus 1; 0: none
  uint32_t told;     // the rank that was last told so of one of ours
} RelayNeed;

typedef struct RelayPause {
  bool is_on, is_quiet;
  uint32_t done; // of rank 0: how many have done their parts, with which error
  int error;
} RelayPause;

struct Relay {
  pthread_mutex_t mutex; // of all that follows
  Mem *own;              // whichever thread it is allocates here
  Link *link;
  RelayTeam team;
  uint32_t threads; // workers of each rank
  Batch *on_way;    // batches that are being sent
  Batch *free;      // to receive into
  Batch *scrap;     // for those that will not be read
  Letter *letters;  // words that are being sent
  Letter *old;      // letters that have been
  uint64_t sent, received;
  uint64_t *sent_to, *received_from; // by rank
  uint64_t *expected;                // by rank: batches from there, once `has_ended`
  bool *has_ended;
  atomic_uint *away; // by rank: batches on their way there
  RelayNeed need;
  bool is_asked; // and has not answered yet
  bool is_over;
  RelayPause pause;
  // Of rank 0: the wave, and what the one before it found.
  bool is_asking, has_before;
  uint32_t answers;
  uint64_t wave_sent, wave_received, before_received;
  bool is_decided;
  char decision[RELAY_DECISION];
};

Relay *relay_new(Mem *mem, Link *link, RelayTeam team, uint32_t threads, size_t batch_bytes) {
  Relay *relay = mem_alloc(mem, sizeof *relay);
  *relay = (Relay){.link = link, .team = team, .threads = threads, .own = mem_branch(mem)};
  pthread_mutex_init(&relay->mutex, NULL);
  Mem *own = relay->own;
  relay->sent_to = mem_alloc(own, link->ranks * sizeof *relay->sent_to);
  relay->received_from = mem_alloc(own, link->ranks * sizeof *relay->received_from);
  relay->expected = mem_alloc(own, link->ranks * sizeof *relay->expected);
  relay->has_ended = mem_alloc(own, link->ranks * sizeof *relay->has_ended);
  relay->away = mem_alloc(own, link->ranks * sizeof *relay->away);
  relay->scrap = mem_alloc_raw(own, sizeof(Batch) + batch_bytes + TEAM_SLACK);
  for (uint32_t i = 0; i < RECEIVED; i++) {
    Batch *batch = mem_alloc_raw(own, sizeof *batch + batch_bytes + TEAM_SLACK);
    batch->next = relay->free;
    relay->free = batch;
  }
  return relay;
}

void relay_release(Relay *relay, Mem *mem) {
  pthread_mutex_destroy(&relay->mutex);
  mem_release_branch(mem, relay->own);
  mem_free(mem, relay);
}

// A batch travels from `from` on.
static size_t head_bytes(void) { return sizeof(Batch) - offsetof(Batch, from); }

static void say(Relay *relay, uint32_t to, const Word *word) {
  Letter *letter = relay->old;
  if (letter)
    relay->old = letter->next;
  else
    letter = mem_alloc(relay->own, sizeof *letter);
  const size_t bytes = offsetof(Word, decision) + word->size;
  memcpy(&letter->word, word, bytes);
  letter->ticket = relay->link->send(relay->link, to, LINK_WORD, &letter->word, bytes);
  letter->next = relay->letters;
  relay->letters = letter;
}

static void say_to_all(Relay *relay, const Word *word) {
  for (uint32_t rank = 0; rank < relay->link->ranks; rank++)
    if (rank != relay->link->rank)
      say(relay, rank, word);
}

void relay_post(Relay *relay, Batch *batch) {
  const uint32_t rank = batch->to / relay->threads;
  pthread_mutex_lock(&relay->mutex);
  relay->sent++;
  relay->sent_to[rank]++;
  atomic_fetch_add_explicit(&relay->away[rank], 1, memory_order_relaxed);
  batch->ticket =
      relay->link->send(relay->link, rank, LINK_BATCH, &batch->from, head_bytes() + batch->size);
  batch->next = relay->on_way;
  relay->on_way = batch;
  pthread_mutex_unlock(&relay->mutex);
}

void relay_return(Relay *relay, Batch *batch) {
  pthread_mutex_lock(&relay->mutex);
  batch->next = relay->free;
  relay->free = batch;
  pthread_mutex_unlock(&relay->mutex);
}

bool relay_is_quiet(const Relay *relay, uint32_t worker) {
  return !atomic_load_explicit(&relay->away[worker / relay->threads], memory_order_relaxed);
}

// What has been sent is no longer needed.
static void collect(Relay *relay) {
  Link *link = relay->link;
  for (Batch **at = &relay->on_way, *batch; (batch = *at);) {
    if (!link->is_sent(link, batch->ticket)) {
      at = &batch->next;
      continue;
    }
    *at = batch->next;
    atomic_fetch_sub_explicit(&relay->away[batch->to / relay->threads], 1, memory_order_relaxed);
    relay->team.give_back(relay->team.team, batch);
  }
  for (Letter **at = &relay->letters, *letter; (letter = *at);) {
    if (!link->is_sent(link, letter->ticket)) {
      at = &letter->next;
      continue;
    }
    *at = letter->next;
    letter->next = relay->old;
    relay->old = letter;
  }
}

static void end(Relay *relay) {
  if (relay->is_over)
    return;
  relay->is_over = true;
  if (!relay->link->rank)
    say_to_all(relay, &(Word){.kind = WORD_OVER});
  relay->team.stop(relay->team.team);
}

// In rank 0.
static void decide(Relay *relay, const void *decision, size_t size) {
  if (!relay->is_decided && !relay->is_over) {
    memcpy(relay->decision, decision, size);
    relay->is_decided = true;
  }
  end(relay);
}

static void pause(Relay *relay, uint64_t stamp) {
  relay->pause = (RelayPause){.is_on = true};
  relay->team.pause(relay->team.team, stamp);
}

static void be_quiet(Relay *relay) {
  relay->pause.is_quiet = true;
  if (!relay->link->rank)
    say_to_all(relay, &(Word){.kind = WORD_QUIET});
  relay->team.quiet(relay->team.team);
}

static void resume(Relay *relay) {
  relay->pause = (RelayPause){0};
  relay->has_before = false;
  relay->team.resume(relay->team.team);
}

// In rank 0: one more team has done its part.
static void count_done(Relay *relay, int error) {
  RelayPause *of = &relay->pause;
  of->error = of->error ? of->error : error;
  if (++of->done == relay->link->ranks)
    relay->team.all_done(relay->team.team, of->error);
}

// An answer to rank 0, or its own. The last one ends the wave.
static void count(Relay *relay, uint64_t sent, uint64_t received) {
  relay->wave_sent += sent;
  relay->wave_received += received;
  if (++relay->answers < relay->link->ranks)
    return;
  relay->is_asking = false;
  const bool is_at_rest = relay->has_before && relay->before_received == relay->wave_sent;
  relay->has_before = true;
  relay->before_received = relay->wave_received;
  if (is_at_rest && relay->pause.is_on)
    be_quiet(relay);
  else if (is_at_rest)
    end(relay);
}

// Rank 0, whose team is idle, begins a wave with its own answer.
static void ask(Relay *relay) {
  relay->is_asking = true;
  relay->answers = 0;
  relay->wave_sent = relay->wave_received = 0;
  say_to_all(relay, &(Word){.kind = WORD_ASK});
  count(relay, relay->sent, relay->received);
}

static void obey(Relay *relay, uint32_t from, const Word *word) {
  switch (word->kind) {
  case WORD_ASK:
    relay->is_asked = true;
    break;
  case WORD_ANSWER:
    count(relay, word->sent, word->received);
    break;
  case WORD_DECIDE:
    decide(relay, word->decision, word->size);
    break;
  case WORD_OVER:
    end(relay);
    break;
  case WORD_PAUSE:
    pause(relay, word->sent);
    break;
  case WORD_QUIET:
    be_quiet(relay);
    break;
  case WORD_DONE:
    count_done(relay, (int)word->sent);
    break;
  case WORD_RESUME:
    resume(relay);
    break;
  case WORD_NEED:
    atomic_store(&relay->need.needy, (uint32_t)word->sent + 1);
    break;
  case WORD_END:
    relay->expected[from] = word->sent;
    relay->has_ended[from] = true;
    break;
  }
}

static void take_words(Relay *relay) {
  Link *link = relay->link;
  uint32_t from;
  size_t size;
  Word word;
  while (link->has_come(link, LINK_WORD, LINK_ANY, &from, &size)) {
    link->take(link, LINK_WORD, from, &word, size);
    obey(relay, from, &word);
  }
}

// When it is over, batches are taken but no longer read.
static void take_batches(Relay *relay) {
  Link *link = relay->link;
  uint32_t from;
  size_t size;
  while ((relay->free || relay->is_over) &&
         link->has_come(link, LINK_BATCH, LINK_ANY, &from, &size)) {
    Batch *batch = relay->is_over ? relay->scrap : relay->free;
    link->take(link, LINK_BATCH, from, &batch->from, size);
    relay->received++;
    relay->received_from[from]++;
    if (relay->is_over)
      continue;
    relay->free = batch->next;
    relay->team.deliver(relay->team.team, batch);
  }
}

static void step(Relay *relay) {
  collect(relay);
  take_words(relay);
  take_batches(relay);
  if (relay->is_over || relay->pause.is_quiet || !relay->team.is_idle(relay->team.team))
    return;
  if (relay->is_asked) {
    relay->is_asked = false;
    say(relay, 0, &(Word){.kind = WORD_ANSWER, .sent = relay->sent, .received = relay->received});
  }
  if (!relay->link->rank && !relay->is_asking)
    ask(relay);
}

void relay_progress(Relay *relay) {
  if (pthread_mutex_trylock(&relay->mutex))
    return;
  step(relay);
  pthread_mutex_unlock(&relay->mutex);
}

void relay_need(Relay *relay, uint32_t worker) {
  pthread_mutex_lock(&relay->mutex);
  do
    relay->need.told = (relay->need.told + 1) % relay->link->ranks;
  while (relay->need.told == relay->link->rank);
  if (!relay->is_over)
    say(relay, relay->need.told, &(Word){.kind = WORD_NEED, .sent = worker});
  pthread_mutex_unlock(&relay->mutex);
}

uint32_t relay_needy(const Relay *relay, uint32_t nobody) {
  const uint32_t needy =
      relay ? atomic_load_explicit(&relay->need.needy, memory_order_relaxed) : 0;
  return needy ? needy - 1 : nobody;
}

void relay_fed(Relay *relay, uint32_t worker) {
  uint32_t needy = worker + 1;
  atomic_compare_exchange_strong(&relay->need.needy, &needy, 0);
}

void relay_decide(Relay *relay, const void *decision, size_t size) {
  pthread_mutex_lock(&relay->mutex);
  if (relay->link->rank) {
    Word word = {.kind = WORD_DECIDE, .size = (uint32_t)size};
    memcpy(word.decision, decision, size);
    say(relay, 0, &word);
  } else {
    decide(relay, decision, size);
  }
  pthread_mutex_unlock(&relay->mutex);
}

void relay_pause(Relay *relay, uint64_t stamp) {
  pthread_mutex_lock(&relay->mutex);
  if (!relay->is_over && !relay->pause.is_on) {
    say_to_all(relay, &(Word){.kind = WORD_PAUSE, .sent = stamp});
    pause(relay, stamp);
  }
  pthread_mutex_unlock(&relay->mutex);
}

void relay_done(Relay *relay, int error) {
  pthread_mutex_lock(&relay->mutex);
  if (relay->link->rank)
    say(relay, 0, &(Word){.kind = WORD_DONE, .sent = (uint64_t)error});
  else
    count_done(relay, error);
  pthread_mutex_unlock(&relay->mutex);
}

void relay_resume(Relay *relay) {
  pthread_mutex_lock(&relay->mutex);
  if (!relay->is_over) {
    say_to_all(relay, &(Word){.kind = WORD_RESUME});
    resume(relay);
  }
  pthread_mutex_unlock(&relay->mutex);
}

static void nap(uint32_t *count) {
  if (++*count < YIELDS)
    sched_yield();
  else
    timer_nap(20000);
}

static bool has_all(const Relay *relay) {
  for (uint32_t rank = 0; rank < relay->link->ranks; rank++)
    if (rank != relay->link->rank &&
        (!relay->has_ended[rank] || relay->received_from[rank] < relay->expected[rank]))
      return false;
  return !relay->on_way && !relay->letters;
}

const void *relay_finish(Relay *relay) {
  uint32_t count = 0;
  for (; !relay->is_over; nap(&count))
    step(relay);
  for (uint32_t rank = 0; rank < relay->link->ranks; rank++)
    if (rank != relay->link->rank)
      say(relay, rank, &(Word){.kind = WORD_END, .sent = relay->sent_to[rank]});
  // A process that has ended does not send again, and earlier messages arrive earlier.
  for (; !has_all(relay); nap(&count))
    step(relay);
  return relay->is_decided ? relay->decision : NULL;
}
