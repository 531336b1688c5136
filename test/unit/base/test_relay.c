// Relays: teams of several processes, played by threads, read all that is sent, find the end and
// not too early, and end together when one decides.
#include "base/random.h"
#include "base/team.h"
#include "fakelink.h"

#include <pthread.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_RANKS = 4, THREADS = 2, DEPTH = 6 };

// Work that makes work: a message of depth d leads to three of depth d - 1, to anybody.
typedef struct Rank {
  Link *link;
  Team *team;
  uint32_t all;
  uint64_t stop_after, read[THREADS];
  const void *decided;
  char decision[8];
} Rank;

static void send_one(Worker *worker, uint32_t to, uint64_t depth) {
  uint64_t *room = worker_room(worker, to);
  *room = depth;
  worker_wrote(worker, to, sizeof *room);
}

static void read_batch(Rank *rank, Worker *worker, uint32_t index, const Batch *batch,
                       Random *random) {
  for (size_t at = 0; at < batch->size; at += sizeof(uint64_t)) {
    uint64_t depth;
    memcpy(&depth, batch->bytes + at, sizeof depth);
    if (++rank->read[index] == rank->stop_after) {
      relay_decide(team_relay(rank->team), "decided", 8);
      team_stop(rank->team);
    }
    const uint32_t self = team_first(rank->team) + index;
    for (uint32_t i = 0; i < 3 && depth; i++)
      send_one(worker, (self + 1 + random_below(random, rank->all - 1)) % rank->all, depth - 1);
  }
}

static void work(void *context, uint32_t index) {
  Rank *rank = context;
  Worker *worker = team_worker(rank->team, index);
  Random random;
  random_seed(&random, team_first(rank->team) + index + 1);
  for (uint32_t to = 1; !rank->link->rank && !index && to < rank->all; to++)
    send_one(worker, to, DEPTH);
  while (!worker_is_over(worker)) {
    Batch *batch = worker_mail(worker);
    if (batch) {
      read_batch(rank, worker, index, batch, &random);
      worker_hand_back(worker, batch);
    } else if (worker_is_ahead(worker)) {
      worker_pause(worker);
    } else {
      while (worker_rest(worker, 0.001) == REST_TIMEOUT)
        ;
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

static uint64_t play(uint32_t ranks, uint64_t stop_after, Rank *players) {
  Link *link = fakelink_new(ranks);
  pthread_t threads[MOST_RANKS];
  for (uint32_t i = 0; i < ranks; i++) {
    players[i] = (Rank){.link = fakelink_at(link, i), .stop_after = stop_after};
    pthread_create(&threads[i], NULL, run, &players[i]);
  }
  uint64_t sum = 0;
  for (uint32_t i = 0; i < ranks; i++) {
    pthread_join(threads[i], NULL);
    sum += players[i].read[0] + players[i].read[1];
  }
  fakelink_release(link);
  return sum;
}

static void test_all_is_read(void **state) {
  (void)state;
  Rank players[MOST_RANKS];
  for (uint32_t ranks = 2; ranks <= MOST_RANKS; ranks++)
    for (int round = 0; round < 5; round++) { // 1 + 3 + ... + 3^6 for each of the first
      assert_int_equal(play(ranks, 0, players), (ranks * THREADS - 1) * 1093u);
      assert_string_equal(players[0].decision, "");
    }
}

// Whoever decides, rank 0 learns it, and all end.
static void test_decision(void **state) {
  (void)state;
  Rank players[MOST_RANKS];
  for (uint32_t ranks = 2; ranks <= MOST_RANKS; ranks++)
    for (uint64_t after = 1; after < 100; after *= 3) {
      play(ranks, after, players);
      assert_string_equal(players[0].decision, "decided");
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_is_read),
                                     cmocka_unit_test(test_decision)};
  return cmocka_run_group_tests_name("relay", tests, NULL, NULL);
}
