// Teams: messages arrive whole, in order and once; the end is found, and not too early; nobody
// waits for ever.
#include "base/team.h"

#include "base/random.h"

#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_WORKERS = 7, MAX_BYTES = 5000, MAX_LATER = 1 << 13 };

// Work that makes work: a message of depth d leads to a few of depth d - 1, to anybody. The
// number of all of them is known.
typedef struct Seed {
  uint64_t depth, number; // how many its sender sent before, to the same worker
  uint32_t from, size;    // bytes in all
} Seed;

typedef struct Play {
  Team *team;
  uint32_t workers;
  uint64_t stop_after; // messages read by one; 0: never
  bool has_rested[MAX_WORKERS];
  uint64_t read[MAX_WORKERS];              // by worker
  uint64_t sent[MAX_WORKERS][MAX_WORKERS]; // from, to
  uint64_t got[MAX_WORKERS][MAX_WORKERS];  // to, from
  bool failed[MAX_WORKERS];
  uint32_t pauses;                    // that worker 0 makes
  Seed later[MAX_WORKERS][MAX_LATER]; // that came in a pause
  uint32_t later_count[MAX_WORKERS];
} Play;

static void send_one(Play *play, uint32_t self, uint32_t to, uint64_t depth, Random *random) {
  Worker *worker = team_worker(play->team, self);
  const uint32_t size =
      (uint32_t)sizeof(Seed) + random_below(random, 8) * random_below(random, 60);
  char *room = worker_room(worker, to);
  memset(room, (int)(depth + size) & 255, size);
  *(Seed *)(void *)room = (Seed){depth, play->sent[self][to]++, self, size};
  worker_wrote(worker, to, size);
}

static void answer(Play *play, uint32_t self, const Seed *seed, Random *random) {
  for (uint32_t i = 0; i < 3 && seed->depth; i++)
    send_one(play, self, (self + 1 + random_below(random, play->workers - 1)) % play->workers,
             seed->depth - 1, random);
}

static void read_batch(Play *play, uint32_t self, const Batch *batch, Random *random) {
  for (size_t at = 0; at < batch->size;) {
    const Seed *seed = (const Seed *)(const void *)(batch->bytes + at);
    const char *bytes = batch->bytes + at;
    for (uint32_t i = sizeof *seed; i < seed->size; i++)
      play->failed[self] |= bytes[i] != (char)(seed->depth + seed->size);
    play->failed[self] |= seed->number != play->got[self][seed->from]++;
    play->read[self]++;
    if (play->read[self] == play->stop_after)
      team_stop(play->team);
    if (worker_is_pausing(team_worker(play->team, self)))
      play->later[self][play->later_count[self]++] = *seed;
    else
      answer(play, self, seed, random);
    at += (seed->size + 7) / 8 * 8;
  }
}

// In a pause all that was sent has been read.
static void pause(Play *play, uint32_t self) {
  Worker *worker = team_worker(play->team, self);
  worker_done(worker, self == 1 ? 7 : 0);
  if (!self && worker_await_done(worker)) {
    for (uint32_t i = 0; i < play->workers; i++)
      for (uint32_t j = 0; j < play->workers; j++)
        play->failed[i] |= play->sent[i][j] != play->got[j][i];
    play->failed[0] |= team_error(play->team) != 7 || team_stamp(play->team) != 77;
    play->pauses--;
    team_resume(play->team);
  }
  worker_await_resume(worker);
}

static void rest(Play *play, uint32_t self) {
  Worker *worker = team_worker(play->team, self);
  Rest rest = worker_rest(worker, self ? 0 : 0.001);
  play->has_rested[self] |= rest == REST_TIMEOUT;
  while (rest == REST_TIMEOUT) {
    if (!self && play->pauses)
      team_pause(play->team, 77);
    rest = worker_rest(worker, 0.001);
  }
  if (rest == REST_QUIET)
    pause(play, self);
}

static void work(void *context, uint32_t self) {
  Play *play = context;
  Worker *worker = team_worker(play->team, self);
  Random random;
  random_seed(&random, self + 1);
  for (uint32_t to = 0; !self && to < play->workers; to++)
    if (to)
      send_one(play, 0, to, 7, &random);
  while (!worker_is_over(worker)) {
    Batch *batch = worker_mail(worker);
    if (batch) {
      if (play->pauses && !self && random_below(&random, 8) == 0)
        team_pause(play->team, 77);
      read_batch(play, self, batch, &random);
      worker_hand_back(worker, batch);
    } else if (play->later_count[self] && !worker_is_pausing(worker)) {
      answer(play, self, &play->later[self][--play->later_count[self]], &random);
    } else if (worker_is_ahead(worker)) {
      worker_pause(worker);
    } else {
      rest(play, self);
    }
  }
}

static uint32_t paused; // how often, in all

static uint64_t play_once(uint32_t workers, uint64_t stop_after, uint32_t pauses) {
  Mem mem = {0}, others[MAX_WORKERS] = {{0}};
  Mem *mems[MAX_WORKERS] = {&mem};
  for (uint32_t i = 1; i < workers; i++)
    mems[i] = &others[i];
  static Play play;
  play = (Play){.workers = workers, .stop_after = stop_after, .pauses = pauses};
  play.team = team_new(mems, workers, MAX_BYTES, NULL);
  assert_true(team_run(play.team, work, &play));
  paused += pauses - play.pauses;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < workers; i++) {
    assert_false(play.failed[i]);
    sum += play.read[i];
    for (uint32_t j = 0; j < workers && !stop_after; j++)
      assert_int_equal(play.sent[i][j], play.got[j][i]);
  }
  team_release(play.team);
  for (uint32_t i = 0; i < workers; i++)
    mem_release(mems[i]);
  return sum;
}

static void test_all_is_read(void **state) {
  (void)state;
  for (uint32_t workers = 2; workers <= MAX_WORKERS; workers++)
    for (uint32_t round = 0; round < 5; round++) // 1 + 3 + ... + 3^7 for each of the first
      assert_int_equal(play_once(workers, 0, 2 * round), (workers - 1) * 3280u);
  assert_true(paused > 0);
}

static void test_stop(void **state) {
  (void)state;
  for (uint32_t workers = 2; workers <= MAX_WORKERS; workers++)
    for (uint64_t after = 1; after < 500; after *= 3)
      assert_true(play_once(workers, after, after % 2) <= (workers - 1) * 3280u);
}

static void do_nothing(void *context, uint32_t number) {
  Team *team = *(Team **)context;
  assert_int_equal(worker_rest(team_worker(team, number), 0), REST_OVER);
}

// Without a single message it is over when all rest; and it takes no memory then, whose end would
// be met with workers that nobody stops.
static void test_nothing_to_do(void **state) {
  (void)state;
  for (int round = 0; round < 200; round++) {
    Mem mem = {0}, other = {0}, third = {0};
    Mem *mems[] = {&mem, &other, &third};
    Team *team = team_new(mems, 3, 8, NULL);
    for (int i = 0; i < 3; i++)
      mems[i]->limit = mems[i]->bytes; // beyond it: abort
    assert_true(team_run(team, do_nothing, &team));
    team_release(team);
    for (int i = 0; i < 3; i++)
      mem_release(mems[i]);
  }
}

// The first sends far more than the second reads for a while: it is told that it is ahead.
static void flood(void *context, uint32_t self) {
  Play *play = context;
  Worker *worker = team_worker(play->team, self);
  Random random;
  random_seed(&random, 1);
  for (uint32_t i = 0; !self && i < 200000; i++) {
    send_one(play, 0, 1, 0, &random);
    while (worker_is_ahead(worker)) {
      play->has_rested[0] = true;
      worker_pause(worker);
    }
  }
  Rest rest = REST_MAIL;
  while (rest != REST_OVER) {
    Batch *batch = worker_mail(worker);
    if (batch) {
      read_batch(play, self, batch, &random);
      worker_hand_back(worker, batch);
    } else {
      rest = worker_rest(worker, 0);
    }
  }
}

static void test_flood(void **state) {
  (void)state;
  Mem mem = {0}, other = {0};
  Mem *mems[] = {&mem, &other};
  Play play = {.workers = 2};
  play.team = team_new(mems, 2, MAX_BYTES, NULL);
  assert_true(team_run(play.team, flood, &play));
  assert_int_equal(play.read[1], 200000);
  assert_false(play.failed[1]);
  assert_true(mem.peak < 8 << 20); // not all at once
  team_release(play.team);
  mem_release(&mem);
  mem_release(&other);
}

// Who asks is seen by others until one of them says that it gave.
static void test_asking(void **state) {
  (void)state;
  Mem mem = {0}, *mems[3] = {&mem, &mem, &mem};
  Team *team = team_new(mems, 3, 8, NULL);
  Worker *workers[3];
  for (uint32_t i = 0; i < 3; i++)
    workers[i] = team_worker(team, i);
  assert_int_equal(worker_asked(workers[1]), 1);
  worker_ask(workers[0]);
  worker_ask(workers[0]);
  assert_int_equal(worker_asked(workers[0]), 0); // not itself
  assert_int_equal(worker_asked(workers[1]), 0);
  worker_ask(workers[2]);
  assert_int_equal(worker_asked(workers[1]), 2);
  worker_gave(workers[1], 2);
  worker_gave(workers[0], 2);
  assert_int_equal(worker_asked(workers[1]), 0);
  worker_gave(workers[1], 0);
  for (uint32_t i = 0; i < 3; i++)
    assert_int_equal(worker_asked(workers[i]), i);
  team_release(team);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_is_read),   cmocka_unit_test(test_stop),
      cmocka_unit_test(test_nothing_to_do), cmocka_unit_test(test_flood),
      cmocka_unit_test(test_asking),
  };
  return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
