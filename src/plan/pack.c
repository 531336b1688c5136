#include "plan/pack.h"

#include "base/team.h"
#include "plan/engines.h"

#include <stdatomic.h>

typedef struct Pack Pack;

// All that a hunt allocates is in its own Mem, and goes with it.
typedef struct Member {
  Pack *pack;
  Mem *mem;
  MemWatch watch;
  Reach reach;
  Statistics own, *stats;
  ReachResult result;
} Member;

struct Pack {
  Check *check;
  uint32_t count;
  uint64_t max; // visited nodes
  Member *members;
  atomic_bool is_over;
  bool is_stopped;
};

// Only the first, in the caller's thread, asks the caller.
static const char *is_enough(void *state) {
  Member *member = state;
  Pack *pack = member->pack;
  if (member == pack->members && session_time_limit(pack->check->tarn)) {
    pack->is_stopped = true;
    atomic_store(&pack->is_over, true);
  }
  return atomic_load(&pack->is_over) ? "another one came first" : NULL;
}

static void hunt(void *context, uint32_t number) {
  Pack *pack = context;
  Member *member = &pack->members[number];
  jmp_buf escape;
  member->mem->escape = &escape;
  if (setjmp(escape)) // out of memory
    return;
  member->result = reach_run(&member->reach);
  if (member->result != REACH_STOPPED)
    atomic_store(&pack->is_over, true);
}

static bool begin(Pack *pack, uint32_t number, Options options) {
  Tarn *tarn = pack->check->tarn;
  Member *member = &pack->members[number];
  member->pack = pack;
  member->result = REACH_STOPPED;
  member->mem = mem_branch(&tarn->mem);
  member->stats = number ? &member->own : &tarn->stats;
  if (tarn->mem.limit > tarn->mem.bytes)
    member->mem->limit = (tarn->mem.limit - tarn->mem.bytes) / pack->count;
  options.seed += (int)number;
  options.is_focused = options.seed % 2;
  Space *space = engines_space(pack->check, member->mem, &options);
  if (!space)
    return false;
  reach_init(&member->reach, member->mem, space, ORDER_DFS, member->stats);
  member->reach.max_visited = pack->max;
  member->watch = (MemWatch){.reached = is_enough, .state = member};
  mem_watch(member->mem, &member->watch);
  return true;
}

static void end(Pack *pack) {
  Tarn *tarn = pack->check->tarn;
  for (uint32_t i = pack->count; i-- > 0;)
    if (pack->members[i].mem)
      mem_release_branch(&tarn->mem, pack->members[i].mem);
  mem_free(&tarn->mem, pack->members);
  tarn->stats = (Statistics){0};
}

static void run(Pack *pack) {
  Tarn *tarn = pack->check->tarn;
  Mem **mems = mem_alloc(&tarn->mem, pack->count * sizeof *mems);
  for (uint32_t i = 0; i < pack->count; i++)
    mems[i] = pack->members[i].mem;
  Team *team = team_new(mems, pack->count, 8, NULL);
  team_run(team, hunt, pack);
  team_release(team);
  mem_free(&tarn->mem, mems);
}

PackResult pack_run(Check *check, const Options *options, uint32_t count, uint64_t max,
                    int *seed) {
  Tarn *tarn = check->tarn;
  Pack pack = {.check = check, .count = count, .max = max};
  PackResult result = PACK_NOTHING;
  pack.members = mem_alloc(&tarn->mem, count * sizeof *pack.members);
  for (uint32_t i = 0; i < count && result == PACK_NOTHING; i++)
    if (!begin(&pack, i, *options))
      result = PACK_FAILED;
  if (result == PACK_NOTHING) {
    run(&pack);
    result = pack.is_stopped ? PACK_STOPPED : PACK_NOTHING;
    for (uint32_t i = 0; i < count && result == PACK_NOTHING; i++)
      if (pack.members[i].result != REACH_STOPPED) {
        result = PACK_FOUND;
        *seed = options->seed + (int)i;
      }
  }
  end(&pack);
  return result;
}
