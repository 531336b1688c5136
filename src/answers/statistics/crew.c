#include "answers/statistics/crew.h"

#include "base/team.h"

// Runs that a thread takes at once: few of small batches, so that no thread waits long for the
// last.
enum { MAX_CHUNK = 16, CHUNKS = 16, LEAST_SHARED = 64 };

typedef struct Hand {
  Crew *crew;
  Mem *mem;
  Race race;
} Hand;

struct Crew {
  Mem *mem;
  const Watch *const *watches;
  uint32_t watch_count;
  uint64_t seed;
  Hand *hands;
  Mem **mems;
  uint32_t count;
  // Of the present call:
  uint64_t first;
  uint32_t runs, chunk;
  VEC(Outcome) outcomes;
  atomic_uint next;   // chunk
  atomic_uint failed; // the least run that failed, from `first` on
  Text error;
  Place error_place;
  const char *(*stop)(void *context);
  void *stop_context;
  const char *reason; // to stop, by the calling thread
  atomic_bool is_over;
};

// Only the calling thread asks; the others hear of it.
static bool should_stop(void *context) {
  const Hand *hand = context;
  Crew *crew = hand->crew;
  if (hand == crew->hands && crew->stop && !crew->reason &&
      (crew->reason = crew->stop(crew->stop_context)))
    atomic_store(&crew->is_over, true);
  return atomic_load_explicit(&crew->is_over, memory_order_relaxed);
}

void crew_set_stop(Crew *crew, const char *(*stop)(void *context), void *context) {
  crew->stop = stop, crew->stop_context = context;
}

const char *crew_stopped(const Crew *crew) { return crew->reason; }

Crew *crew_new(Mem *mem, const Laws *laws, const Watch *const *watches, uint32_t watch_count,
               uint64_t seed, uint32_t threads) {
  Crew *crew = mem_alloc(mem, sizeof *crew);
  crew->mem = mem;
  crew->watches = watches, crew->watch_count = watch_count;
  crew->seed = seed;
  crew->count = threads;
  crew->hands = mem_alloc(mem, sizeof *crew->hands * threads);
  crew->mems = mem_alloc(mem, sizeof *crew->mems * threads);
  crew->error.mem = mem;
  for (uint32_t i = 0; i < threads; i++) {
    Hand *hand = &crew->hands[i];
    crew->mems[i] = hand->mem = mem_branch(mem);
    hand->mem->escape = mem->escape;
    hand->crew = crew;
    race_init(&hand->race, laws, hand->mem);
    hand->race.should_stop = should_stop;
    hand->race.stop_context = hand;
  }
  return crew;
}

void crew_release(Crew *crew) {
  for (uint32_t i = crew->count; i-- > 0;)
    mem_release_branch(crew->mem, crew->hands[i].mem);
  vec_release(crew->mem, &crew->outcomes);
  text_release(&crew->error);
  mem_free(crew->mem, crew->mems);
  mem_free(crew->mem, crew->hands);
  mem_free(crew->mem, crew);
}

static void note_failure(Crew *crew, uint32_t run) {
  uint32_t least = atomic_load(&crew->failed);
  while (run < least && !atomic_compare_exchange_weak(&crew->failed, &least, run))
    ;
}

static void work(void *context, uint32_t number) {
  Crew *crew = context;
  Hand *hand = &crew->hands[number];
  jmp_buf escape;
  hand->mem->escape = &escape;
  volatile uint32_t at = 0;
  if (setjmp(escape)) {
    note_failure(crew, at);
    return;
  }
  for (;;) {
    const uint32_t begin = atomic_fetch_add(&crew->next, 1) * crew->chunk;
    if (begin >= crew->runs || begin > atomic_load(&crew->failed))
      return;
    const uint32_t end = begin + crew->chunk < crew->runs ? begin + crew->chunk : crew->runs;
    for (at = begin; at < end; at++) {
      const uint64_t run = crew->first + at;
      if (should_stop(hand) ||
          !watch_run(crew->watches[run % crew->watch_count], &hand->race, crew->seed, run,
                     &crew->outcomes.items[at], NULL, NULL)) {
        note_failure(crew, at);
        return;
      }
    }
  }
}

// The first run that failed once more, in this thread, for its message.
static void explain(Crew *crew, uint32_t failed) {
  const uint64_t run = crew->first + failed;
  Race *race = &crew->hands[0].race;
  Outcome outcome;
  crew->hands[0].mem->escape = crew->mem->escape;
  text_clear(&crew->error);
  if (crew->reason)
    return;
  if (watch_run(crew->watches[run % crew->watch_count], race, crew->seed, run, &outcome, NULL,
                NULL))
    text_add(&crew->error, "too little memory");
  else
    text_add(&crew->error, text_chars(&race->error));
  crew->error_place = race->error_place;
}

uint32_t crew_run(Crew *crew, uint64_t first, uint32_t count, const Outcome **outcomes) {
  crew->first = first;
  crew->runs = count;
  vec_reserve(crew->mem, &crew->outcomes, count);
  atomic_store(&crew->next, 0);
  atomic_store(&crew->failed, count);
  const uint32_t share = count / (CHUNKS * crew->count);
  crew->chunk = share < 1 ? 1 : share > MAX_CHUNK ? MAX_CHUNK : share;
  const uint32_t threads = count < LEAST_SHARED ? 1 : crew->count;
  if (threads == 1) {
    work(crew, 0);
  } else {
    Team *team = team_new(crew->mems, threads, 8, NULL);
    if (!team_run(team, work, crew)) // too few threads
      work(crew, 0);
    team_release(team);
  }
  const uint32_t failed = atomic_load(&crew->failed);
  if (failed < count)
    explain(crew, failed);
  *outcomes = crew->outcomes.items;
  return failed;
}

const char *crew_error(const Crew *crew, Place *place) {
  *place = crew->error_place;
  return text_chars(&crew->error);
}

Race *crew_race(Crew *crew) {
  crew->hands[0].mem->escape = crew->mem->escape;
  return &crew->hands[0].race;
}
