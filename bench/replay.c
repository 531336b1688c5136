// What a division among many workers would cost: replay [OPTION...] MODEL.tck
//
//   --workers LIST      numbers of workers, 2,3,4,6,8,12,16,32,...,1024 by default
//   --network US:MBS    latency in microseconds and megabytes per second of each rank; up to
//                       four of them. Default: 2:10000 (InfiniBand) and 50:125 (gigabit Ethernet)
//   --message-cost NS   processor time of a message, for each side; 150 by default
//   --batch-cost NS     the same for a batch of messages; 1500 by default
//   --unfinished        nodes are sent unfinished: none is seen to have been sent before
//
// Searches the model with one thread and records all transitions (bench/record.h). Then, for each
// number of workers, both for tarn's division (search/workers/partition.h) and for a hash of the
// state:
//   share     visited nodes of the worker that has most, relative to the mean
//   states    the same for discrete states
//   cross     transitions that lead to another worker, percent
//   sent      of these what is sent, percent: not what the sender remembers to have sent
//   MB        bytes sent by all workers together, with dictionaries of zones as in
//   semantics/zone/message.h known     discrete states that a worker meets in its own or as
//   targets, summed over the
//             workers, relative to all states: for each it prepares
//   x US:MBS  how many times faster than one worker that network allows
// The estimate is doc/notes/shares.md, with what it leaves out.
#include "record.h"

#include "search/workers/mail.h"
#include "semantics/zone/message.h"
#include "semantics/zone/time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NETWORKS = 4, MOST_COUNTS = 32, REMEMBERED = 1 << 15, FLUSHED = 64 };
enum {
  ALL_SLOTS = 1 << 21,
  LEAST_SLOTS = 1 << 10,
  MOST_SLOTS = 1 << 18
};                        // as in semantics/zone/message.c
enum { BATCH_HEAD = 64 }; // bytes of a batch besides its messages, with those of MPI and TCP
enum { BATCH_BYTES = 1 << 14 }; // of a full one

typedef struct Network {
  double latency, bandwidth; // seconds, bytes per second
} Network;

typedef struct Plan {
  uint32_t counts[MOST_COUNTS], count_size;
  Network networks[MOST_NETWORKS];
  uint32_t network_size;
  double message_cost, batch_cost; // seconds
  bool is_unfinished;
} Plan;

// What a worker does.
typedef struct Load {
  uint64_t visited, made, arrived; // nodes; transitions from them; transitions to its own nodes
  uint64_t sent, received, bytes_out, bytes_in;
  uint64_t batches[MOST_NETWORKS]; // sent and received
} Load;

typedef struct Replay {
  Record *record;
  const Plan *plan;
  uint32_t workers;
  uint16_t *zone_bytes;
  uint32_t *owner;  // by state
  uint32_t *depth;  // by node: transitions that cross on the way to it
  uint32_t *visits; // by worker
  uint32_t *known;  // by state: the last worker that met it, plus 1
  uint32_t *memory; // of the sender: nodes that it sent, plus 1
  uint64_t *slots;  // dictionaries of the sender: its number and the zone
  uint32_t slot_mask;
  uint64_t *flushed; // by network and receiver: the flush for which it has a batch
  uint64_t *filling; // by network and receiver: bytes of that batch
  Load *loads;
} Replay;

typedef struct Outcome {
  double share, states, cross, sent, bytes, known;
  double speedup[MOST_NETWORKS];
} Outcome;

static double most_of(const uint64_t *values, uint32_t count) {
  uint64_t most = 0, sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    most = values[i] > most ? values[i] : most;
    sum += values[i];
  }
  return sum ? (double)most * count / (double)sum : 0;
}

static double largest_state_share(const Replay *replay) {
  uint64_t *shares = calloc(replay->workers, sizeof *shares);
  for (uint32_t s = 1; s <= replay->record->states.items.size; s++)
    shares[replay->owner[s]]++;
  const double share = most_of(shares, replay->workers);
  free(shares);
  return share;
}

static uint32_t owner_of(const Replay *replay, uint32_t node) {
  return replay->owner[replay->record->nodes.items[node].state];
}

// Transitions that cross on the way to a node, and the most of any.
static uint32_t find_depths(Replay *replay) {
  const Record *record = replay->record;
  uint32_t most = 0;
  for (uint32_t i = 0; i < record->nodes.size; i++) {
    const uint32_t parent = record->nodes.items[i].parent;
    replay->depth[i] =
        parent == i ? 0
                    : replay->depth[parent] + (owner_of(replay, i) != owner_of(replay, parent));
    most = replay->depth[i] > most ? replay->depth[i] : most;
  }
  return most;
}

// Lists the visits by worker: where those of each begin.
static uint32_t *sort_visits(Replay *replay) {
  const Record *record = replay->record;
  uint32_t *start = calloc(replay->workers + 2, sizeof *start);
  for (uint32_t i = 0; i < record->visited.size; i++)
    start[owner_of(replay, record->visited.items[i]) + 2]++;
  for (uint32_t w = 1; w <= replay->workers; w++)
    start[w + 1] += start[w];
  for (uint32_t i = 0; i < record->visited.size; i++)
    replay->visits[start[owner_of(replay, record->visited.items[i]) + 1]++] = i;
  return start;
}

static uint32_t meet(Replay *replay, uint32_t state, uint32_t worker) {
  const bool is_new = replay->known[state] != worker + 1;
  replay->known[state] = worker + 1;
  return is_new;
}

static bool was_sent(Replay *replay, uint32_t node) {
  uint32_t *slot = &replay->memory[node * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (REMEMBERED - 1)];
  const bool is_found = *slot == node + 1;
  *slot = node + 1;
  return is_found && !replay->plan->is_unfinished;
}

static size_t message_bytes(Replay *replay, uint32_t node, uint32_t from, uint32_t to) {
  const Zones *zones = replay->record->zones;
  const Space *space = &zones->space;
  const uint32_t zone = replay->record->nodes.items[node].zone;
  const size_t head = mail_message_bytes(space) - space->exchange.message_bytes;
  const size_t least = head + space->key_words * sizeof(uint64_t) + sizeof(ZoneMessage);
  const uint32_t at = (uint32_t)(zone * UINT64_C(0x9e3779b97f4a7c15) >> 40) & replay->slot_mask;
  uint64_t *slot = &replay->slots[(size_t)to * (replay->slot_mask + 1) + at];
  const uint64_t entry = (uint64_t)(from + 1) << 32 | zone;
  const bool is_known = *slot == entry;
  *slot = entry;
  return least + (is_known ? 0 : replay->zone_bytes[zone]);
}

// A batch for each receiver and each time that the worker flushes: after so many nodes, or when
// the batch before has arrived, or when it is full.
static void count_batch(Replay *replay, uint32_t from, uint32_t to, uint64_t visit,
                        size_t bytes) {
  const Record *record = replay->record;
  const double node_seconds = record->seconds / record->visited.size;
  for (uint32_t i = 0; i < replay->plan->network_size; i++) {
    const double wait = 2 * replay->plan->networks[i].latency / node_seconds;
    const uint64_t interval = wait > FLUSHED ? (uint64_t)wait : FLUSHED;
    const uint64_t flush = (uint64_t)(from + 1) << 32 | (visit / interval + 1);
    uint64_t *last = &replay->flushed[i * replay->workers + to];
    uint64_t *size = &replay->filling[i * replay->workers + to];
    if (*last == flush && (*size += bytes) < BATCH_BYTES)
      continue;
    *last = flush;
    *size = bytes;
    replay->loads[from].batches[i]++;
    replay->loads[to].batches[i]++;
  }
}

static void send(Replay *replay, uint32_t from, uint32_t to, uint64_t visit, uint32_t node) {
  if (was_sent(replay, node))
    return;
  const size_t bytes = message_bytes(replay, node, from, to);
  replay->loads[from].sent++;
  replay->loads[from].bytes_out += bytes;
  replay->loads[to].received++;
  replay->loads[to].bytes_in += bytes;
  count_batch(replay, from, to, visit, bytes);
}

// All that one worker does; how many states it meets.
static uint64_t replay_worker(Replay *replay, uint32_t worker, const uint32_t *visits,
                              uint32_t count) {
  const Record *record = replay->record;
  Load *load = &replay->loads[worker];
  uint64_t known = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t visit = visits[i];
    known += meet(replay, record->nodes.items[record->visited.items[visit]].state, worker);
    load->visited++;
    for (uint32_t t = record->first.items[visit]; t < record->first.items[visit + 1]; t++) {
      const uint32_t node = record->transitions.items[t], to = owner_of(replay, node);
      load->made++;
      replay->loads[to].arrived++;
      known += meet(replay, record->nodes.items[node].state, worker);
      if (to != worker)
        send(replay, worker, to, i, node);
    }
  }
  return known;
}

// Seconds of the whole search: of the worker that takes longest, and the longest way of a message
// that waits for another one. Half of the work of a transition is to make it, half to store it.
static double estimate(const Replay *replay, uint32_t network, uint32_t depth) {
  const Plan *plan = replay->plan;
  const Network *net = &plan->networks[network];
  const double each = replay->record->seconds / replay->record->transitions.size / 2;
  double longest = 0;
  for (uint32_t w = 0; w < replay->workers; w++) {
    const Load *load = &replay->loads[w];
    const uint64_t batch_bytes = BATCH_HEAD * load->batches[network] / 2;
    const uint64_t most = load->bytes_out > load->bytes_in ? load->bytes_out : load->bytes_in;
    const double work = each * (double)(load->made + load->arrived) +
                        plan->message_cost * (double)(load->sent + load->received) +
                        plan->batch_cost * (double)load->batches[network];
    const double wire = (double)(most + batch_bytes) / net->bandwidth;
    longest = work > longest ? work : longest;
    longest = wire > longest ? wire : longest;
  }
  return longest + net->latency * depth;
}

static Outcome summarise(const Replay *replay, uint64_t known, uint32_t depth) {
  const Record *record = replay->record;
  Outcome outcome = {.states = largest_state_share(replay),
                     .known = (double)known / record->states.items.size};
  uint64_t crossing = 0, sent = 0, bytes = 0, most = 0;
  for (uint32_t w = 0; w < replay->workers; w++) {
    most = replay->loads[w].visited > most ? replay->loads[w].visited : most;
    sent += replay->loads[w].sent;
    bytes += replay->loads[w].bytes_out;
  }
  for (uint32_t i = 0; i < record->visited.size; i++)
    for (uint32_t t = record->first.items[i]; t < record->first.items[i + 1]; t++)
      crossing += owner_of(replay, record->visited.items[i]) !=
                  owner_of(replay, record->transitions.items[t]);
  outcome.share = (double)most * replay->workers / record->visited.size;
  outcome.cross = 100.0 * (double)crossing / record->transitions.size;
  outcome.sent = crossing ? 100.0 * (double)sent / (double)crossing : 0;
  outcome.bytes = (double)bytes;
  for (uint32_t i = 0; i < replay->plan->network_size; i++)
    outcome.speedup[i] = record->seconds / estimate(replay, i, depth);
  return outcome;
}

static Outcome replay_all(Replay *replay) {
  uint32_t slots = MOST_SLOTS;
  while (slots > LEAST_SLOTS && (uint64_t)slots * replay->workers > ALL_SLOTS)
    slots /= 2;
  const size_t flushes = (size_t)replay->workers * MOST_NETWORKS;
  replay->slot_mask = slots - 1;
  replay->slots = calloc((size_t)slots * replay->workers, sizeof *replay->slots);
  replay->flushed = calloc(flushes, sizeof *replay->flushed);
  replay->filling = calloc(flushes, sizeof *replay->filling);
  replay->loads = calloc(replay->workers, sizeof *replay->loads);
  memset(replay->known, 0, (replay->record->states.items.size + 1) * sizeof *replay->known);
  uint32_t *start = sort_visits(replay);
  uint64_t known = 0;
  for (uint32_t w = 0; w < replay->workers; w++) {
    memset(replay->memory, 0, REMEMBERED * sizeof *replay->memory);
    known += replay_worker(replay, w, replay->visits + start[w], start[w + 1] - start[w]);
  }
  const Outcome outcome = summarise(replay, known, find_depths(replay));
  free(start);
  free(replay->slots);
  free(replay->flushed);
  free(replay->filling);
  free(replay->loads);
  return outcome;
}

// Whose the states are, by the code that the workers use.
static void find_owners(Replay *replay, const Partition *partition) {
  Record *record = replay->record;
  Space *space = &record->zones->space;
  space->exchange.partition = partition;
  const Reach reach = {.space = space, .store.workers = replay->workers};
  for (uint32_t s = 1; s <= record->states.items.size; s++)
    replay->owner[s] = mail_owner_of(&reach, record_key(record, s));
  space->exchange.partition = NULL;
}

static void show(const Plan *plan, uint32_t workers, const char *division,
                 const Outcome *outcome) {
  printf("%7u  %-5s  %6.3f  %6.3f  %5.1f  %5.1f  %8.1f  %6.2f", workers, division, outcome->share,
         outcome->states, outcome->cross, outcome->sent, outcome->bytes / 1e6, outcome->known);
  for (uint32_t i = 0; i < plan->network_size; i++)
    printf("  %9.1f", outcome->speedup[i]);
  printf("\n");
  fflush(stdout);
}

static void show_head(const Record *record, const Plan *plan) {
  printf("%u discrete states, %u nodes visited, %u transitions, %.2f s\n",
         record->states.items.size, record->visited.size, record->transitions.size,
         record->seconds);
  printf("workers  by     share  states  cross   sent        MB   known");
  for (uint32_t i = 0; i < plan->network_size; i++) {
    char name[32];
    snprintf(name, sizeof name, "x %.0f:%.0f", plan->networks[i].latency * 1e6,
             plan->networks[i].bandwidth / 1e6);
    printf("  %9s", name);
  }
  printf("\n");
}

static void replay_plan(Record *record, const Plan *plan) {
  Replay replay = {.record = record, .plan = plan, .zone_bytes = record_zone_bytes(record)};
  const uint32_t states = record->states.items.size + 1;
  replay.owner = calloc(states, sizeof *replay.owner);
  replay.known = calloc(states, sizeof *replay.known);
  replay.depth = calloc(record->nodes.size, sizeof *replay.depth);
  replay.visits = calloc(record->visited.size, sizeof *replay.visits);
  replay.memory = calloc(REMEMBERED, sizeof *replay.memory);
  Zones *zones = record->zones;
  show_head(record, plan);
  for (uint32_t i = 0; i < plan->count_size; i++) {
    replay.workers = plan->counts[i];
    const Partition *partition =
        partition_new(&zones->arena, &record->net, &zones->layout, replay.workers);
    for (int is_hash = !partition; is_hash < 2; is_hash++) {
      find_owners(&replay, is_hash ? NULL : partition);
      const Outcome outcome = replay_all(&replay);
      show(plan, replay.workers, is_hash ? "hash" : "parts", &outcome);
    }
  }
  free(replay.owner);
  free(replay.known);
  free(replay.depth);
  free(replay.visits);
  free(replay.memory);
}

static int refuse(const char *what) {
  fprintf(stderr, "replay: %s; see the head of bench/replay.c\n", what);
  return 2;
}

static bool read_counts(Plan *plan, const char *text) {
  plan->count_size = 0;
  while (*text && plan->count_size < MOST_COUNTS) {
    char *end;
    const unsigned long count = strtoul(text, &end, 10);
    if (end == text || count < 2 || count > 4096)
      return false;
    plan->counts[plan->count_size++] = (uint32_t)count;
    text = *end == ',' ? end + 1 : end;
  }
  return !*text && plan->count_size;
}

static bool read_network(Plan *plan, const char *text, bool is_first) {
  double latency, bandwidth;
  plan->network_size = is_first ? 0 : plan->network_size;
  if (plan->network_size == MOST_NETWORKS || sscanf(text, "%lf:%lf", &latency, &bandwidth) != 2 ||
      latency < 0 || bandwidth <= 0)
    return false;
  plan->networks[plan->network_size++] = (Network){latency * 1e-6, bandwidth * 1e6};
  return true;
}

static bool read_cost(double *cost, const char *text) {
  char *end;
  *cost = strtod(text, &end) * 1e-9;
  return end != text && !*end && *cost >= 0;
}

// Reads the options; the model's path, NULL if something is wrong.
static const char *read_plan(Plan *plan, int count, char **arguments) {
  bool has_network = false, ok = true;
  int i = 1;
  for (; ok && i < count && !strncmp(arguments[i], "--", 2); i++) {
    const char *name = arguments[i];
    if (!strcmp(name, "--unfinished")) {
      plan->is_unfinished = true;
      continue;
    }
    if (++i == count)
      return NULL;
    ok = !strcmp(name, "--workers")        ? read_counts(plan, arguments[i])
         : !strcmp(name, "--network")      ? read_network(plan, arguments[i], !has_network)
         : !strcmp(name, "--message-cost") ? read_cost(&plan->message_cost, arguments[i])
         : !strcmp(name, "--batch-cost")   ? read_cost(&plan->batch_cost, arguments[i])
                                           : false;
    has_network |= !strcmp(name, "--network");
  }
  return ok && i == count - 1 ? arguments[i] : NULL;
}

int main(int count, char **arguments) {
  Plan plan = {.networks = {{2e-6, 1e10}, {50e-6, 125e6}},
               .network_size = 2,
               .message_cost = 150e-9,
               .batch_cost = 1500e-9};
  read_counts(&plan, "2,3,4,6,8,12,16,32,64,128,256,512,1024");
  const char *path = read_plan(&plan, count, arguments);
  if (!path)
    return refuse("wrong options");
  Record record;
  const bool ok = record_make(&record, path);
  if (ok)
    replay_plan(&record, &plan);
  else
    fprintf(stderr, "%s\n", text_chars(&record.report.error));
  record_release(&record);
  return ok ? 0 : 1;
}
