#include "semantics/discrete/tickspace.h"

#include "semantics/discrete/tickcheckpoint.h"

static bool initial(Space *space) {
  Ticks *ticks = (Ticks *)space;
  const int32_t *clocks = ticks->net->clock_initial;
  while (state_initial(ticks->net, ticks->state, space->next_initial)) {
    mem_tick(ticks->arena.mem);
    space->ordinal = space->next_initial++;
    for (ClockIndex x = 0; x < ticks->n; x++)
      ticks->values[x] = clocks ? clocks[x] : 0;
    if (ticks->kind->begin(ticks))
      return true;
    if (space->failure)
      return false;
  }
  return false;
}

static bool is_goal(Space *space) {
  Ticks *ticks = (Ticks *)space;
  for (uint32_t clause = 0; ticks->goal; clause++) {
    if (!ticks_holds(ticks, stepper_goal(&ticks->stepper, ticks->goal, ticks->state, &clause)))
      return false;
    if (ticks->kind->meets(ticks))
      return true;
  }
  return false;
}

static size_t send(Space *space, void *message) {
  const Ticks *ticks = (Ticks *)space;
  char *at = message;
  const size_t bytes = space->key_words * sizeof *space->key;
  memcpy(at, space->key, bytes);
  memcpy(at + bytes, &ticks->waiting, sizeof ticks->waiting);
  tickrename_send(ticks, at + bytes + sizeof ticks->waiting);
  return space->exchange.message_bytes;
}

// What `add` needs: the goal is looked for where a node is made.
static void receive(Space *space, const void *message) {
  Ticks *ticks = (Ticks *)space;
  const char *at = message;
  const size_t bytes = space->key_words * sizeof *space->key;
  memcpy(ticks->key, at, bytes);
  memcpy(&ticks->waiting, at + bytes, sizeof ticks->waiting);
  tickrename_receive(ticks, at + bytes + sizeof ticks->waiting);
  ticks->is_packed = true;
}

static Space *sibling(Space *space, Mem *mem) {
  const Ticks *ticks = (Ticks *)space;
  Space *other =
      tickspace_new(ticks->kind, mem, ticks->net, ticks->goal, &ticks->options, &(Report){0});
  if (ticks->reduction)
    tickrename_attach(other, ticks->reduction->symmetry);
  return other;
}

static const Space functions = {
    .initial = initial,
    .is_goal = is_goal,
    .exchange = {.sibling = sibling, .pack = ticks_pack, .send = send, .receive = receive},
};

// Room for nodes whose values are up to most[x], with so many bytes besides.
static void make_room(Ticks *ticks, const int32_t *max, uint32_t value_bytes) {
  Arena *arena = &ticks->arena;
  state_layout_with(&ticks->layout, arena, ticks->net, max, ticks->n);
  const uint32_t words = ticks->layout.words;
  if (fold_suits(words))
    fold_init(&ticks->fold, arena->mem, words);
  keytable_init(&ticks->table, arena->mem,
                ticks->fold.words ? (uint32_t)sizeof(uint64_t) : ticks->layout.bytes,
                value_bytes);
  ticks->key = ARENA_ARRAY(arena, uint64_t, words);
  ticks->space.key = ticks->key;
  ticks->space.key_words = words;
  ticks->space.exchange.message_bytes = words * sizeof *ticks->key + sizeof ticks->waiting;
}

// Closed constraints only: with those, and only those, whole delays reach whatever real ones
// reach. False, with an error in the report, if the model or the goal do not suit.
static bool is_closed(const Ticks *ticks, Report *report) {
  const Goal *goal = ticks->goal;
  const NetTraits *traits = &ticks->net->traits;
  const char *engine = ticks->kind->engine;
  if (traits->has_strict)
    report_error(report, traits->strict_place,
                 "engine %s counts time in whole units and cannot take a strict constraint on "
                 "clocks; use --engine zones, or `<=` and `>=`",
                 engine);
  else if (traits->has_negated)
    report_error(
        report, traits->negated_place,
        "engine %s counts time in whole units, and what happens depends on whether this "
        "clock guard does not hold (it is of a broadcast receiver, an urgent channel, or "
        "the model has priorities); use --engine zones",
        engine);
  else if (goal && goal->has_strict)
    report_error(report, goal->strict_place,
                 "engine %s counts time in whole units and cannot search for a state with a "
                 "strict constraint on clocks (`A[] x<=5` looks for x>5); use --engine zones",
                 engine);
  return !report_failed(report);
}

static bool prepare(Ticks *ticks, Report *report) {
  const Net *net = ticks->net;
  const TickKind *kind = ticks->kind;
  Arena *arena = &ticks->arena;
  int32_t *max = ARENA_ARRAY(arena, int32_t, ticks->n);
  uint32_t value_bytes = 0;
  if (!net_is_narrow(net, report) || !is_closed(ticks, report) ||
      !clockbounds_compute(&ticks->bounds, arena, net, ticks->goal, report) ||
      !diagonallimits_compute(&ticks->diagonals, arena, net, ticks->goal, &ticks->bounds, report))
    return false;
  if (!kind->prepare(ticks, max, &value_bytes))
    return report_error(report, (Place){0},
                        "the differences of clocks that matter are too large for "
                        "engine %s; use --engine zones",
                        kind->engine);
  make_room(ticks, max, value_bytes);
  return true;
}

Space *tickspace_new(const TickKind *kind, Mem *owner, const Net *net, const Goal *goal,
                     const Options *options, Report *report) {
  Mem *mem = mem_part(owner);
  Ticks *ticks = mem_alloc(mem, kind->bytes);
  Arena *arena = &ticks->arena;
  ticks->space = functions;
  ticks->space.mem = mem;
  ticks->space.next = kind->next;
  ticks->space.passed = &ticks->passed;
  ticks->passed = (Passed){
      .add = kind->add, .open = kind->open, .trail = &ticks->trail, .parts = &tickcheckpoint};
  ticks->kind = kind;
  arena->mem = mem;
  ticks->net = net;
  ticks->goal = goal;
  ticks->options = *options;
  ticks->n = net->clock_count + 1;
  stepper_init(&ticks->stepper, net, arena);
  ticks->stepper.vm.invalid = &ticks->space.invalid;
  shuffle_init(&ticks->shuffle, mem, &ticks->stepper.joint, options->seed);
  trail_init(&ticks->trail, mem, options->trace != TRACE_NONE);
  ticks->source = ARENA_ARRAY(arena, int32_t, net->slots.count + ticks->n);
  ticks->state = ARENA_ARRAY(arena, int32_t, net->slots.count + ticks->n);
  ticks->source_values = ticks->source + net->slots.count;
  ticks->values = ticks->state + net->slots.count;
  if (!prepare(ticks, report)) {
    mem_release_part(mem);
    return NULL;
  }
  return &ticks->space;
}

const int32_t *tickspace_at(Space *space, uint32_t ref) {
  Ticks *ticks = (Ticks *)space;
  state_unpack(&ticks->layout, ticks->source, ticks_key(ticks, ref));
  return ticks->source;
}

void tickspace_take(Ticks *ticks, uint32_t ref) {
  tickspace_at(&ticks->space, ref);
  trail_take(&ticks->trail, ref);
  shuffle_begin(&ticks->shuffle, ticks->source);
  if (ticks->reduction)
    tickrename_take(ticks);
}
