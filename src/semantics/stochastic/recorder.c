#include "semantics/stochastic/recorder.h"

typedef struct Recorder {
  Arena *arena;
  VEC(RandomStep) steps;
} Recorder;

static void record(void *context, const Race *race) {
  Recorder *recorder = context;
  Arena *arena = recorder->arena;
  const Motion *motion = &race->motion;
  const Edge **edges = ARENA_ARRAY(arena, const Edge *, race->taken.size);
  for (uint32_t k = 0; k < race->taken.size; k++)
    edges[k] = race->taken.items[k]->edge;
  const RandomStep step = {
      .edges = edges,
      .edge_count = race->taken.size,
      .time = race->time,
      .draws = arena_copy(arena, race->drawn.items, sizeof(double) * race->drawn.size),
      .draw_count = race->drawn.size,
      .state = arena_copy(arena, motion->state, sizeof(int32_t) * race->laws->net->slots.count),
      .clocks = arena_copy(arena, motion->clocks, sizeof(double) * motion->clock_count)};
  vec_push(arena->mem, &recorder->steps, step);
}

bool recorder_run(RandomRun *run, Arena *arena, const Watch *watch, Race *race, uint64_t seed,
                  uint64_t number) {
  Recorder recorder = {.arena = arena};
  Outcome outcome;
  race->record = record, race->record_context = &recorder;
  const bool is_good = watch_run(watch, race, seed, number, &outcome, NULL, NULL);
  race->record = NULL;
  *run = (RandomRun){
      .seed = seed,
      .run = number,
      .steps = arena_copy(arena, recorder.steps.items, sizeof(RandomStep) * recorder.steps.size),
      .step_count = recorder.steps.size,
      .end_time = race->time,
      .end_clocks =
          arena_copy(arena, race->motion.clocks, sizeof(double) * race->motion.clock_count),
      .is_satisfied = outcome.is_satisfied,
      .value = outcome.value};
  vec_release(arena->mem, &recorder.steps);
  return is_good;
}
