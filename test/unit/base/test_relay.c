// Relays: teams of several processes, played by threads, read all that is sent, find the end and
// not too early, and end together when one decides. In a pause nothing is on its way.
#include "base/random.h"
#include "base/team.h"
#include "fakelink.h"

#include <pthread.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_RANKS = 4, THREADS = 2, DEPTH = 6, MAX_LATER = 1 << 13 };

// Work that makes work: a message of depth d leads to three of depth d - 1, to anybody.
typedef struct Rank {
  struct Rank *ranks; // all of them
  uint32_t pauses;    // that rank 0 makes
  Link *link;
  Team *team;
  uint32_t all;
  uint64_t stop_after, read[THREADS], sent[THREADS];
  uint64_t later[THREADS][MAX_LATER]; // depths of messages that were read in a pause
  uint32_t later_count[THREADS];
  const void *decided;
  char decision[8];
} Rank;

static void send_one(Rank *rank, uint32_t index, uint32_t to, uint64_t depth) {
  Worker *worker = team_worker(rank->team, index);
  rank->sent[index]++;
  uint64_t *room = worker_room(worker, to);
  *room = depth;
  worker_wrote(worker, to, sizeof *room);
}

static void answer(Rank *rank, uint32_t index, uint64_t depth, Random *random) {
  const uint32_t self = team_first(rank->team) + index;
  for (uint32_t i = 0; i < 3 && depth; i++)
    send_one(rank, index, (self + 1 + random_below(random, rank->all - 1)) % rank->all,
             depth - 1);
}

static void read_batch(Rank *rank, uint32_t index, const Batch *batch, Random *random) {
  for (size_t at = 0; at < batch->size; at += sizeof(uint64_t)) {
    uint64_t depth;
    memcpy(&depth, batch->bytes + at, sizeof depth);
    if (++rank->read[index] == rank->stop_after) {
      relay_decide(team_relay(rank->team), "decided", 8);
      team_stop(rank->team);
    }
    if (worker_is_pausing(team_worker(rank->team, index)))
      rank->later[index][rank->later_count[index]++] = depth;
    else
      answer(rank, index, depth, random);
  }
}

// Nothing is on its way: all that was sent has been read. One part fails.
static void check_quiet(const Rank *rank) {
  uint64_t sent = 0, read = 0;
  for (uint32_t r = 0; r < rank->all / THREADS; r++)
    for (uint32_t i = 0; i < THREADS; i++) {
      sent += rank->ranks[r].sent[i];
      read += rank->ranks[r].read[i];
    }
  assert_int_equal(sent, read);
  assert_int_equal(team_error(rank->team), 7);
}

static void pause(Rank *rank, Worker *worker, uint32_t index) {
  assert_int_equal(team_stamp(rank->team), 77);
  worker_done(worker, rank->link->rank + 1 == rank->all / THREADS ? 7 : 0);
  if (!rank->link->rank && !index && worker_await_done(worker)) {
    check_quiet(rank);
    rank->pauses--;
    team_resume(rank->team);
  }
  worker_await_resume(worker);
}

static void rest(Rank *rank, Worker *worker, uint32_t index) {
  for (Rest rest = REST_TIMEOUT; rest == REST_TIMEOUT || rest == REST_QUIET;) {
    rest = worker_rest(worker, 0.001);
    if (rest == REST_QUIET) {
      pause(rank, worker, index);
      return;
    }
  }
}

static void work(void *context, uint32_t index) {
  Rank *rank = context;
  Worker *worker = team_worker(rank->team, index);
  Random random;
  random_seed(&random, team_first(rank->team) + index + 1);
  for (uint32_t to = 1; !rank->link->rank && !index && to < rank->all; to++)
    send_one(rank, index, to, DEPTH);
  while (!worker_is_over(worker)) {
    Batch *batch = worker_mail(worker);
    if (batch) {
      if (rank->pauses && !index && random_below(&random, 4) == 0)
        team_pause(rank->team, 77);
      read_batch(rank, index, batch, &random);
      worker_hand_back(worker, batch);
    } else if (rank->later_count[index] && !worker_is_pausing(worker)) {
      answer(rank, index, rank->later[index][--rank->later_count[index]], &random);
    } else if (worker_is_ahead(worker)) {
      worker_pause(worker);
    } else {
      rest(rank, worker, index);
    }
  }
}

static void *run(void *context) {
  Rank *rank = context;
  Mem mems[THREADS] = {{0}}, *list[THREADS] = {&mems[0], &mems[1]};
  rank->team = team_new(list, THREADS, sizeof(uint64_t), rank->link);
  rank->all = team_all(rank->team);
  assert_true(team_run(rank->team, work, rank));
  const void *decision = relay_finish(team_relay(rank->team));
  if (decision)
    memcpy(rank->decision, decision, sizeof rank->decision);
  team_release(rank->team);
  for (uint32_t i = 0; i < THREADS; i++)
    mem_release(&mems[i]);
  return NULL;
}

static Rank players[MAX_RANKS];

static uint32_t paused; // how often, in all

static uint64_t play(uint32_t ranks, uint64_t stop_after, uint32_t pauses) {
  Link *link = fakelink_new(ranks);
  pthread_t threads[MAX_RANKS];
  for (uint32_t i = 0; i < ranks; i++) {
    players[i] = (Rank){.ranks = players,
                        .pauses = i ? 0 : pauses,
                        .link = fakelink_at(link, i),
                        .stop_after = stop_after};
    pthread_create(&threads[i], NULL, run, &players[i]);
  }
  uint64_t sum = 0;
  for (uint32_t i = 0; i < ranks; i++) {
    pthread_join(threads[i], NULL);
    sum += players[i].read[0] + players[i].read[1];
  }
  paused += pauses - players[0].pauses;
  fakelink_release(link);
  return sum;
}

static void test_all_is_read(void **state) {
  (void)state;
  for (uint32_t ranks = 2; ranks <= MAX_RANKS; ranks++)
    for (uint32_t round = 0; round < 5; round++) { // 1 + 3 + ... + 3^6 for each of the first
      assert_int_equal(play(ranks, 0, 2 * round), (ranks * THREADS - 1) * 1093u);
      assert_string_equal(players[0].decision, "");
    }
  assert_true(paused > 0);
}

// Whoever decides, rank 0 learns it, and all end.
static void test_decision(void **state) {
  (void)state;
  for (uint32_t ranks = 2; ranks <= MAX_RANKS; ranks++)
    for (uint64_t after = 1; after < 100; after *= 3) {
      play(ranks, after, after % 2);
      assert_string_equal(players[0].decision, "decided");
    }
}

// A worker without work: one rank after the other is told, until it gives some.
static void test_need(void **state) {
  (void)state;
  Mem mems[3] = {{0}};
  Link *link = fakelink_new(3);
  Team *teams[3];
  for (uint32_t i = 0; i < 3; i++)
    teams[i] = team_new(&(Mem *){&mems[i]}, 1, sizeof(uint64_t), fakelink_at(link, i));
  for (uint32_t round = 1; round <= 4; round++) {
    relay_need(team_relay(teams[0]), 0);
    const uint32_t told = round % 2 ? 1 : 2;
    Relay *relay = team_relay(teams[told]);
    for (uint32_t i = 0; i < 1000000 && relay_needy(relay, 9) == 9; i++)
      relay_progress(relay);
    assert_int_equal(relay_needy(relay, 9), 0);
    assert_int_equal(worker_asked(team_worker(teams[told], 0)), 0);
    assert_int_equal(relay_needy(team_relay(teams[3 - told]), 9), 9);
    relay_fed(relay, 5); // another one
    assert_int_equal(relay_needy(relay, 9), 0);
    relay_fed(relay, 0);
    assert_int_equal(worker_asked(team_worker(teams[told], 0)), told);
  }
  assert_int_equal(relay_needy(NULL, 7), 7);
  for (uint32_t i = 0; i < 3; i++) {
    team_release(teams[i]);
    mem_release(&mems[i]);
  }
  fakelink_release(link);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_is_read),
                                     cmocka_unit_test(test_decision),
                                     cmocka_unit_test(test_need)};
  return cmocka_run_group_tests_name("relay", tests, NULL, NULL);
}
