#define _POSIX_C_SOURCE 200809L
#include "answers/statistics/crew.h"

#include <pthread.h>
#include <time.h>

// Runs that a thread takes at once: few at the beginning, when little may be enough, and near the
// end, so that no thread waits long for the last. `AHEAD` pieces for each thread may wait for
// those before them.
enum { MAX_PIECE = 32, PIECES = 4, AHEAD = 32 };
enum { NAP = 10 * 1000 * 1000 }; // nanoseconds between questions whether to stop

// A few runs in a row.
typedef struct Piece {
  Outcome outcomes[MAX_PIECE];
  uint64_t first;
  uint32_t runs, made; // fewer if one of them failed
  bool is_done;
} Piece;

typedef struct Hand {
  Crew *crew;
  uint32_t number;
  pthread_t thread;
  Mem *mem;
  Race *race; // made by its thread, in lines that no other one uses; NULL: not yet
} Hand;

struct Crew {
  Mem *mem;
  const Laws *laws;
  const Watch *const *watches;
  uint32_t watch_count;
  uint64_t seed;
  Hand *hands;
  uint32_t count;
  Piece *pieces; // a ring
  uint32_t piece_count;
  // Of the present call:
  uint64_t runs;
  CrewTake *take;
  void *context;
  CrewEnd end;
  bool is_given;     // the last outcome was handed over
  bool is_exhausted; // there was no memory for what `take` keeps
  const char *(*stop)(void *context);
  void *stop_context;
  const char *reason; // to stop, by the calling thread
  Text error;
  Place error_place;
  pthread_mutex_t mutex; // for what follows
  pthread_cond_t changed;
  uint64_t next;         // run
  uint64_t taken, given; // pieces: taken by threads; handed over
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
  crew->laws = laws;
  crew->watches = watches, crew->watch_count = watch_count;
  crew->seed = seed;
  crew->count = threads;
  crew->hands = mem_alloc(mem, sizeof *crew->hands * threads);
  crew->piece_count = AHEAD * threads;
  crew->pieces = mem_alloc(mem, sizeof *crew->pieces * crew->piece_count);
  crew->error.mem = mem;
  for (uint32_t i = 0; i < threads; i++) {
    Hand *hand = &crew->hands[i];
    hand->mem = mem_branch(mem);
    hand->crew = crew;
    hand->number = i;
  }
  pthread_mutex_init(&crew->mutex, NULL);
  pthread_cond_init(&crew->changed, NULL);
  return crew;
}

void crew_release(Crew *crew) {
  for (uint32_t i = crew->count; i-- > 0;)
    mem_release_branch(crew->mem, crew->hands[i].mem);
  pthread_mutex_destroy(&crew->mutex);
  pthread_cond_destroy(&crew->changed);
  text_release(&crew->error);
  mem_free(crew->mem, crew->pieces);
  mem_free(crew->mem, crew->hands);
  mem_free(crew->mem, crew);
}

static Race *race_of(Hand *hand) {
  if (!hand->race) {
    Race *race = mem_alloc(hand->mem, sizeof *race);
    race_init(race, hand->crew->laws, hand->mem);
    race->should_stop = should_stop;
    race->stop_context = hand;
    hand->race = race;
  }
  return hand->race;
}

// The next runs to make; NULL: there are none, or no room for them. With the lock.
static Piece *take_piece(Crew *crew) {
  const uint64_t left = crew->runs ? crew->runs - crew->next : UINT64_MAX;
  if (!left || crew->taken - crew->given == crew->piece_count)
    return NULL;
  const uint64_t near = crew->next < left ? crew->next : left;
  const uint64_t size = near / (PIECES * crew->count);
  Piece *piece = &crew->pieces[crew->taken++ % crew->piece_count];
  piece->first = crew->next;
  piece->runs = size < 1 ? 1 : size > MAX_PIECE ? MAX_PIECE : (uint32_t)size;
  piece->made = 0;
  piece->is_done = false;
  crew->next += piece->runs;
  return piece;
}

static void make_runs(Hand *hand, Piece *piece) {
  const Crew *crew = hand->crew;
  jmp_buf escape;
  hand->mem->escape = &escape;
  if (!setjmp(escape)) {
    Race *race = race_of(hand);
    while (piece->made < piece->runs) {
      const uint64_t run = piece->first + piece->made;
      Outcome outcome; // written all the time, so it is not where other threads write
      if (!watch_run(crew->watches[run % crew->watch_count], race, crew->seed, run, &outcome,
                     NULL, NULL))
        break;
      piece->outcomes[piece->made++] = outcome;
    }
  }
  hand->mem->escape = NULL;
}

// The run that failed once more, in this thread, for its message.
static void explain(Crew *crew, uint64_t run) {
  Outcome outcome;
  Race *race = crew_race(crew);
  text_clear(&crew->error);
  if (watch_run(crew->watches[run % crew->watch_count], race, crew->seed, run, &outcome, NULL,
                NULL))
    text_add(&crew->error, "too little memory");
  else
    text_add(&crew->error, text_chars(&race->error));
  crew->error_place = race->error_place;
  crew->end = crew->reason ? CREW_STOPPED : CREW_FAILED;
}

// Hands over a piece. True if it is the last.
static bool give(Crew *crew, const Piece *piece) {
  for (uint32_t k = 0; k < piece->made; k++)
    if (crew->take(crew->context, piece->first + k, &piece->outcomes[k]))
      return crew->is_given = true;
  if (piece->made < piece->runs && !crew->reason)
    explain(crew, piece->first + piece->made);
  crew->is_given = crew->runs && piece->first + piece->made == crew->runs;
  return crew->is_given || piece->made < piece->runs;
}

// The same; what ends it for want of memory must not leave the other threads alone.
static bool give_safely(Crew *crew, const Piece *piece) {
  jmp_buf escape, *const outer = crew->mem->escape;
  bool is_last = true;
  crew->mem->escape = &escape;
  if (setjmp(escape))
    crew->is_exhausted = true;
  else
    is_last = give(crew, piece);
  crew->mem->escape = outer;
  return is_last;
}

static Piece *first_piece(const Crew *crew) {
  return &crew->pieces[crew->given % crew->piece_count];
}

// Hands over all that is there, in the calling thread; true after the last. With the lock, which
// it gives up for the time.
static bool give_all(Crew *crew) {
  bool is_last = false;
  while (!is_last && crew->given < crew->taken && first_piece(crew)->is_done) {
    pthread_mutex_unlock(&crew->mutex);
    is_last = give_safely(crew, first_piece(crew));
    pthread_mutex_lock(&crew->mutex);
    if (crew->taken - crew->given++ == crew->piece_count) // others may wait for room
      pthread_cond_broadcast(&crew->changed);
  }
  return is_last;
}

// With the lock. The calling thread also looks whether to stop.
static void await_change(Hand *hand) {
  Crew *crew = hand->crew;
  if (hand->number) {
    pthread_cond_wait(&crew->changed, &crew->mutex);
    return;
  }
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += NAP;
  end.tv_sec += end.tv_nsec / 1000000000, end.tv_nsec %= 1000000000;
  if (!pthread_cond_timedwait(&crew->changed, &crew->mutex, &end))
    return;
  pthread_mutex_unlock(&crew->mutex);
  should_stop(hand);
  pthread_mutex_lock(&crew->mutex);
}

static bool is_over(const Crew *crew) {
  return atomic_load_explicit(&crew->is_over, memory_order_relaxed);
}

static void *work(void *context) {
  Hand *hand = context;
  Crew *crew = hand->crew;
  pthread_mutex_lock(&crew->mutex);
  while (!is_over(crew)) {
    if (!hand->number && give_all(crew))
      break;
    Piece *piece = take_piece(crew);
    if (!piece && hand->number && crew->next == crew->runs)
      break;
    if (!piece) {
      await_change(hand);
      continue;
    }
    pthread_mutex_unlock(&crew->mutex);
    make_runs(hand, piece);
    pthread_mutex_lock(&crew->mutex);
    piece->is_done = true;
    if (hand->number && piece == first_piece(crew))
      pthread_cond_broadcast(&crew->changed);
  }
  if (!hand->number)
    atomic_store(&crew->is_over, true);
  pthread_cond_broadcast(&crew->changed);
  pthread_mutex_unlock(&crew->mutex);
  return NULL;
}

CrewEnd crew_run(Crew *crew, uint64_t count, CrewTake *take, void *context) {
  crew->runs = count;
  crew->take = take, crew->context = context;
  crew->end = CREW_DONE;
  crew->is_given = crew->is_exhausted = false;
  crew->next = crew->taken = crew->given = 0;
  atomic_store(&crew->is_over, false);
  uint32_t started = 1;
  while (started < crew->count && (!count || started < count) &&
         !pthread_create(&crew->hands[started].thread, NULL, work, &crew->hands[started]))
    started++;
  work(&crew->hands[0]); // with fewer threads if there cannot be as many
  for (uint32_t i = 1; i < started; i++)
    pthread_join(crew->hands[i].thread, NULL);
  // What was made before there was a reason to stop.
  while (crew->reason && !crew->is_given && !crew->is_exhausted && crew->given < crew->taken &&
         !give_safely(crew, first_piece(crew)))
    crew->given++;
  if (crew->is_exhausted)
    mem_exhausted(crew->mem);
  return crew->reason && !crew->is_given ? CREW_STOPPED : crew->end;
}

const char *crew_error(const Crew *crew, Place *place) {
  *place = crew->error_place;
  return text_chars(&crew->error);
}

Race *crew_race(Crew *crew) {
  crew->hands[0].mem->escape = crew->mem->escape;
  return race_of(&crew->hands[0]);
}
