#include "plan/hunts.h"

#include "base/testbuild.h"
#include "plan/engines.h"
#include "plan/slices.h"

enum {
  EARLIEST =
      LOWERED(200000, 200000, 20000), // transitions of the main search before the first hunt
  RICH = 10,  // times as many before slices, where partial order leaves out most transitions
  SHARE = 20, // transitions of the main search for one of a hunt
  FIRST_LENGTH = 1000,
};

// One search depth first. The first one tries transitions in their order, the others at random.
static ReachResult hunt_once(Hunts *hunts) {
  Check *check = hunts->check;
  Tarn *tarn = check->tarn;
  Statistics stats = {0};
  Reach reach;
  Space *space = engines_space(check, &tarn->mem, &hunts->options);
  if (!space)
    return REACH_STOPPED;
  reach_init(&reach, &tarn->mem, space, ORDER_DFS, &stats);
  reach.max_transitions = hunts->length;
  const ReachResult result = reach_run(&reach);
  hunts->spent += stats.transitions;
  reach_release(&reach);
  space_release(space);
  return result;
}

// Where partial order leaves out more transitions than are made, a slice is not that much
// smaller: edges that lose their partners are possible at more times, and less is left out of it.
// So the search gets more time.
static uint64_t slices_begin(const Hunts *hunts, uint64_t made) {
  return hunts->check->space->left_out > made ? (uint64_t)RICH * EARLIEST : EARLIEST;
}

static bool hunt_now(void *state) {
  Hunts *hunts = state;
  const uint64_t made = hunts->check->tarn->stats.transitions;
  if (made < EARLIEST)
    return false;
  if (hunts->may_slice && made >= slices_begin(hunts, made)) {
    hunts->may_slice = false;
    hunts->has_slice = slices_exist(hunts->check);
    if (hunts->has_slice)
      return true;
  }
  if ((hunts->spent + hunts->length) * SHARE > made)
    return false;
  const ReachResult result = hunt_once(hunts);
  hunts->has_found = result == REACH_GOAL || result == REACH_FAILED;
  if (hunts->has_found)
    return true;
  hunts->options.seed++;
  hunts->length += hunts->length / 2;
  return false;
}

void hunts_attach(Hunts *hunts, Check *check, const Options *options, bool may_slice) {
  *hunts = (Hunts){
      .check = check, .options = *options, .length = FIRST_LENGTH, .may_slice = may_slice};
  hunts->options.order = ORDER_DFS;
  hunts->options.is_reduced = false; // what is near may be found late
  check->reach.between = hunt_now;
  check->reach.between_state = hunts;
}
