#include "discrete/ticks.h"

#include "discrete/closed.h"

void ticks_init(Ticks *ticks, Mem *mem, const Net *net, const Goal *goal,
                const Options *options) {
  const uint32_t n = net->clock_count + 1;
  Arena *arena = &ticks->arena;
  ticks->mem = mem;
  ticks->arena = (Arena){.mem = mem};
  ticks->net = net;
  ticks->goal = goal;
  ticks->options = *options;
  ticks->n = n;
  net_vm(net, &ticks->vm, mem);
  shuffle_init(&ticks->shuffle, mem, arena, net, options->seed);
  trail_init(&ticks->trail, mem, options->trace != TRACE_NONE);
  ticks->space.passed = &ticks->passed;
  ticks->passed.trail = &ticks->trail;
  ticks->source = ARENA_ARRAY(arena, int32_t, net->slots.count);
  ticks->state = ARENA_ARRAY(arena, int32_t, net->slots.count);
  ticks->source_values = ARENA_ARRAY(arena, int32_t, n);
  ticks->values = ARENA_ARRAY(arena, int32_t, n);
  ticks->initial_choice = ARENA_ARRAY(arena, uint32_t, net->processes.size);
}

void ticks_release(Ticks *ticks) {
  vm_release(&ticks->vm);
  shuffle_release(&ticks->shuffle);
  keytable_release(&ticks->table);
  fold_release(&ticks->fold);
  trail_release(&ticks->trail);
  vec_release(ticks->mem, &ticks->tests);
  vec_release(ticks->mem, &ticks->updates);
  arena_release(&ticks->arena);
}

bool ticks_accept(Ticks *ticks, const char *engine, Report *report) {
  const Net *net = ticks->net;
  const Goal *goal = ticks->goal;
  Arena *arena = &ticks->arena;
  return net_is_narrow(net, report) &&
         closed_accepts(net, goal, &ticks->options, engine, report) &&
         clockbounds_compute(&ticks->bounds, arena, net, goal, report) &&
         diagonals_compute(&ticks->diagonals, arena, net, goal, &ticks->bounds, report);
}

bool ticks_refuse(const char *engine, Report *report) {
  report_error(report, (Place){0},
               "the differences of clocks that matter are too large for "
               "engine %s; use --engine zones",
               engine);
  return false;
}

void ticks_keep(Ticks *ticks, const int32_t *most, uint32_t value_bytes) {
  packing_init(&ticks->packing, &ticks->arena, ticks->net, most);
  if (fold_suits(ticks->packing.words))
    fold_init(&ticks->fold, ticks->mem, ticks->packing.words);
  keytable_init(&ticks->table, ticks->mem,
                ticks->fold.words ? (uint32_t)sizeof(uint64_t) : ticks->packing.bytes,
                value_bytes);
  ticks->state_key = ARENA_ARRAY(&ticks->arena, uint64_t, ticks->packing.words);
  ticks->key = ARENA_ARRAY(&ticks->arena, uint64_t, ticks->packing.words);
  ticks->space.key = ticks->key;
  ticks->space.key_words = ticks->packing.words;
  ticks->space.exchange.message_bytes = ticks->packing.words * sizeof *ticks->key;
}

bool ticks_initial(Ticks *ticks) {
  mem_tick(ticks->mem);
  if (!state_initial(ticks->net, ticks->state, ticks->initial_choice, &ticks->initial_started))
    return false;
  ticks->space.ordinal = ticks->initial_count++;
  return true;
}

void ticks_read(Ticks *ticks, uint32_t ref) {
  uint64_t folded;
  keytable_key(&ticks->table, ref, ticks->fold.words ? &folded : ticks->key);
  if (ticks->fold.words)
    memcpy(ticks->key, fold_base(&ticks->fold, folded),
           ticks->packing.words * sizeof *ticks->key);
  packing_read(&ticks->packing, ticks->key, ticks->source, ticks->source_values, ticks->n);
}

void ticks_take(Ticks *ticks, uint32_t ref) {
  ticks_read(ticks, ref);
  trail_take(&ticks->trail, ref);
  shuffle_begin(&ticks->shuffle, ticks->source);
}
