#include "answers/queries/stateruns.h"

#include "base/testbuild.h"
#include "dbm/simulation.h"
#include "semantics/zone/hulls.h"
#include "semantics/zone/reduce.h"
#include "semantics/zone/zones.h"

#include <string.h>

typedef struct StateRuns {
  Space space; // first: a Space * is a StateRuns *
  Mem *mem;
  Arena arena;
  RunsRules rules;
  Space *zones;
  Vm vm;
  ClockTests tests; // none is ever collected
  Deadlocks deadlocks;
  Hulls hulls;
  StateJoins joins;
  bool has_modes;
  uint32_t words;    // of the keys of `zones`
  uint64_t *key;     // of the current node, if there are modes
  uint64_t *opened;  // the key of the opened node, if there are modes
  uint32_t zone;     // its zone
  uint32_t mode;     // its mode
  bool has_hop;      // the step of the opened node into mode 1 is still to be made
  bool is_of_mode_1; // the current node
  // With RunsRules.starts_soon runs go over to mode 1 when they come to states in which they can.
  bool is_there;   // the opened node is one
  bool has_twin;   // the current node, of mode 1, is to be given in mode 0, too
  uint32_t parted; // its zone
  StateLayout layout;
  int32_t *state;
  Bound *wide, *hull;
  int32_t *lower, *upper;
} StateRuns;

static StateRuns *runs_of(Space *space) { return (StateRuns *)space; }

static bool has_clocks(const Goal *goal) {
  for (uint32_t i = 0; goal && i < goal->clause_count; i++)
    if (goal->clauses[i].expr && expr_has_clock_test(goal->clauses[i].expr))
      return true;
  return false;
}

// In the plain build zones are not extrapolated: they may be without number.
bool stateruns_admits(const Net *net, const RunsRules *rules) {
  return !IS_PLAIN && !net->traits.has_diagonals && !rules->is_divergent && !rules->kept &&
         !has_clocks(rules->claim.stay) && !has_clocks(rules->claim.start);
}

// The current node's state satisfies a condition.
static bool holds(StateRuns *r, const Goal *goal) {
  uint32_t clause = 0;
  const VmResult result = goal_clause(goal, &r->vm, zones_state(r->zones), &clause, &r->tests);
  if (result == VM_ERROR) {
    r->space.failure = r->vm.error;
    r->space.failure_place = r->vm.error_place;
  }
  return result == VM_TRUE;
}

// The node of the zone engine becomes the current one, in this mode.
static void show(StateRuns *r, uint32_t mode) {
  const Space *zones = r->zones;
  r->is_of_mode_1 = mode;
  r->space.zone = zones->zone;
  r->space.ordinal = zones->ordinal;
  if (!r->has_modes)
    return;
  memcpy(r->key, zones->key, r->words * sizeof *r->key);
  r->key[r->words] = mode;
}

static bool may_start(StateRuns *r) {
  return holds(r, r->rules.claim.start) && holds(r, r->rules.claim.stay);
}

static bool is_joined(StateRuns *r) {
  if (r->joins == STATES_JOIN_NONE || r->joins == STATES_JOIN_ALL)
    return r->joins;
  return r->has_modes && !r->is_of_mode_1 && (r->joins == STATES_JOIN_FREE || !may_start(r));
}

// The current node is one that the search will store, if nothing covers it.
static bool offer(StateRuns *r) {
  if (is_joined(r) && !r->space.failure) {
    hulls_join(&r->hulls, r->space.key, r->space.key_words);
    r->space.zone = r->zones->zone;
  }
  return !r->space.failure;
}

// The current node of the zone engine, of mode 0; first of mode 1, if it can start there.
static bool part(StateRuns *r) {
  show(r, 0);
  r->has_twin = r->rules.starts_soon && !r->is_there && may_start(r);
  if (!r->has_twin)
    return offer(r);
  r->parted = r->zones->keep(r->zones);
  show(r, 1);
  return offer(r);
}

// The current node, given in mode 1, in mode 0.
static bool give_twin(StateRuns *r) {
  const uint32_t ordinal = r->zones->ordinal;
  r->has_twin = false;
  r->zones->load(r->zones, r->key, r->parted);
  r->zones->ordinal = ordinal;
  show(r, 0);
  return offer(r);
}

static bool fail(StateRuns *r) {
  if (!r->space.failure) {
    r->space.failure = r->zones->failure;
    r->space.failure_place = r->zones->failure_place;
  }
  return false;
}

static bool runs_initial(Space *space) {
  StateRuns *r = runs_of(space);
  const uint32_t mode = r->rules.claim.stay && !r->has_modes;
  r->is_there = false;
  if (!space->next_initial) {
    r->has_twin = false;
    r->zones->next_initial = 0;
  }
  space->next_initial = 1; // the zones count
  if (r->has_twin)
    return give_twin(r);
  while (!space->failure && r->zones->initial(r->zones)) {
    if (r->has_modes)
      return part(r);
    show(r, mode);
    if (!mode || holds(r, r->rules.claim.stay))
      return offer(r);
  }
  return fail(r);
}

static void runs_open(Space *space, const uint64_t *key, uint32_t zone) {
  StateRuns *r = runs_of(space);
  r->mode = r->has_modes ? (uint32_t)key[r->words] : r->rules.claim.stay != NULL;
  r->has_hop = r->has_modes && !r->mode && !r->rules.starts_soon;
  r->has_twin = false;
  if (r->has_modes)
    memcpy(r->opened, key, (r->words + 1) * sizeof *key);
  r->zone = zone;
  if (r->rules.starts_soon && r->has_modes && !r->mode) {
    r->zones->load(r->zones, key, zone);
    r->is_there = may_start(r);
  }
  r->zones->open(r->zones, key, zone);
}

// From mode 0 into mode 1, in the midst of the opened node's delay or at its beginning.
static bool hop(StateRuns *r) {
  r->has_hop = false;
  r->zones->load(r->zones, r->opened, r->zone);
  if (PLANTED("stateruns-hop") || !may_start(r))
    return false;
  r->zones->ordinal = SPACE_DELAY;
  show(r, 1);
  return offer(r);
}

static bool runs_next(Space *space) {
  StateRuns *r = runs_of(space);
  if (r->has_twin)
    return give_twin(r);
  while (!space->failure && r->zones->next(r->zones)) {
    show(r, r->mode);
    if (zones_is_delay(r->zones)) {
      space->failure = deadlock_split;
      return false;
    }
    if (!r->mode && r->has_modes)
      return part(r);
    if (!r->mode || holds(r, r->rules.claim.stay))
      return offer(r);
  }
  if (r->zones->failure || space->failure)
    return fail(r);
  return r->has_hop && hop(r);
}

static void runs_load(Space *space, const uint64_t *key, uint32_t zone) {
  StateRuns *r = runs_of(space);
  r->zones->load(r->zones, key, zone);
  show(r, r->has_modes ? (uint32_t)key[r->words] : r->rules.claim.stay != NULL);
}

static uint32_t runs_find_subsumer(Space *space, const uint32_t *zones, uint32_t count) {
  Space *inner = runs_of(space)->zones;
  return inner->find_subsumer(inner, zones, count);
}

static uint32_t runs_find_subsumed(Space *space, const uint32_t *zones, uint32_t from,
                                   uint32_t count) {
  Space *inner = runs_of(space)->zones;
  return inner->find_subsumed(inner, zones, from, count);
}

static uint32_t runs_keep(Space *space) {
  Space *inner = runs_of(space)->zones;
  return space->zone = inner->keep(inner);
}

static bool runs_is_true(Space *space) {
  Space *inner = runs_of(space)->zones;
  return inner->is_true(inner);
}

static size_t runs_shared_bytes(const Space *space) {
  const Space *inner = ((const StateRuns *)space)->zones;
  return inner->shared_bytes(inner);
}

// What helps the speed of the zone engine helps here, too. Keys are foreseen without modes only.

static uint32_t runs_foresee(Space *space, const uint64_t **keys) {
  Space *inner = runs_of(space)->zones;
  return inner->speed.foresee(inner, keys);
}

static void runs_fetch_ahead(Space *space, FetchStage stage) {
  Space *inner = runs_of(space)->zones;
  inner->speed.fetch_ahead(inner, stage);
}

static void runs_fetch(const Space *space, const uint64_t *key, FetchStage stage) {
  const Space *inner = ((const StateRuns *)space)->zones;
  inner->speed.fetch(inner, key, stage);
}

static void runs_legend(Space *space, void *legend, const uint32_t *zones, uint32_t count) {
  Space *inner = runs_of(space)->zones;
  inner->speed.choose_legend(inner, legend, zones, count);
}

static void runs_sketch(Space *space, const void *legend, uint32_t zone, uint32_t *supply,
                        uint32_t *demand) {
  Space *inner = runs_of(space)->zones;
  inner->speed.sketch(inner, legend, zone, supply, demand);
}

uint32_t stateruns_marks(Space *space) {
  StateRuns *r = runs_of(space);
  uint32_t marks = r->space.ordinal == SPACE_DELAY || !(r->is_of_mode_1 || !r->rules.claim.stay)
                       ? 0
                       : RUNS_ACTION;
  for (uint32_t i = 0; i < r->rules.claim.label_count; i++)
    if (holds(r, &r->rules.claim.labels[i]))
      marks |= (uint32_t)RUNS_FIRST_LABEL << i;
  return marks;
}

// Whether a state for which the current node stands is deadlocked; with M bounds, and those of
// its zone only.
static RunsEnd find_stuck(StateRuns *r, const Federation *set) {
  Space *zones = r->zones;
  zones_widen(zones, r->wide);
  if (r->rules.is_m || PLANTED("runs-hull"))
    return federation_meets(set, r->wide) ? RUNS_STUCK : RUNS_GOES_ON;
  zones_local_bounds(zones, r->lower, r->upper);
  simulation_alu_hull(r->hull, r->wide, r->deadlocks.n, r->lower, r->upper);
  return federation_meets(set, r->hull) ? RUNS_UNCLEAR : RUNS_GOES_ON;
}

RunsEnd stateruns_end(Space *space) {
  StateRuns *r = runs_of(space);
  if (!r->is_of_mode_1)
    return RUNS_GOES_ON;
  if (zones_can_idle(r->zones))
    return RUNS_IDLES;
  const Federation *set = deadlocks_of(&r->deadlocks, zones_state(r->zones));
  if (!set) {
    space->failure = r->deadlocks.failure;
    space->failure_place = r->deadlocks.failure_place;
    return RUNS_FAILED;
  }
  return set->count ? find_stuck(r, set) : RUNS_GOES_ON;
}

uint32_t stateruns_mode(Space *space, const uint64_t *key) {
  const StateRuns *r = runs_of(space);
  return r->has_modes ? (uint32_t)key[r->words] : r->rules.claim.stay != NULL;
}

bool stateruns_is_inert(Space *space, const uint64_t *key) {
  return runs_of(space)->rules.claim.stay && !stateruns_mode(space, key);
}

const int32_t *stateruns_state(Space *space, const uint64_t *key) {
  StateRuns *r = runs_of(space);
  state_unpack(&r->layout, r->state, key);
  return r->state;
}

void stateruns_join(Space *space, StateJoins joins) {
  StateRuns *r = runs_of(space);
  hulls_release(&r->hulls);
  r->joins = joins;
  hulls_init(&r->hulls, r->mem, r->zones);
}

Space *stateruns_zones(Space *space) { return runs_of(space)->zones; }

static Space functions(const Space *zones, bool has_modes) {
  Space space = {.net = zones->net,
                 .key = zones->key,
                 .key_words = zones->key_words,
                 .initial = runs_initial,
                 .open = runs_open,
                 .next = runs_next,
                 .is_true = runs_is_true,
                 .find_subsumer = runs_find_subsumer,
                 .find_subsumed = runs_find_subsumed,
                 .keep = runs_keep,
                 .load = runs_load,
                 .shared_bytes = runs_shared_bytes};
  space.speed.sketch_words = zones->speed.sketch_words;
  space.speed.legend_bytes = zones->speed.legend_bytes;
  space.speed.choose_legend = runs_legend;
  space.speed.sketch = runs_sketch;
  if (has_modes)
    return space;
  space.speed.foresee = runs_foresee;
  space.speed.fetch_ahead = runs_fetch_ahead;
  space.speed.fetch = runs_fetch;
  return space;
}

Space *stateruns_new(Mem *owner, const Net *net, const RunsRules *rules, Report *report) {
  Mem *mem = mem_part(owner);
  Options options;
  options_init(&options);
  options.abstraction = rules->is_m ? ABSTRACTION_AM : ABSTRACTION_ALU;
  Space *zones = zones_new(mem, net, NULL, &options, report);
  if (!zones) {
    mem_release_part(mem);
    return NULL;
  }
  if (rules->symmetry && rules->symmetry->count)
    reduce_attach(zones, rules->symmetry, true);
  StateRuns *r = mem_alloc(mem, sizeof *r);
  *r = (StateRuns){.mem = mem, .arena = {.mem = mem}, .rules = *rules, .zones = zones};
  r->has_modes = rules->claim.stay && rules->claim.start;
  r->words = zones->key_words;
  r->space = functions(zones, r->has_modes);
  r->space.mem = mem;
  net_vm(net, &r->vm, mem);
  deadlocks_init(&r->deadlocks, mem, net);
  state_layout(&r->layout, &r->arena, net);
  const uint32_t n = net->clock_count + 1;
  r->state = ARENA_ARRAY(&r->arena, int32_t, net->slots.count);
  r->wide = arena_align(&r->arena, dbm_bytes(n), 0);
  r->hull = arena_align(&r->arena, dbm_bytes(n), 0);
  r->lower = ARENA_ARRAY(&r->arena, int32_t, dbm_stride(n));
  r->upper = ARENA_ARRAY(&r->arena, int32_t, dbm_stride(n));
  if (r->has_modes) {
    r->key = ARENA_ARRAY(&r->arena, uint64_t, r->words + 1);
    r->opened = ARENA_ARRAY(&r->arena, uint64_t, r->words + 1);
    r->space.key = r->key;
    r->space.key_words = r->words + 1;
  }
  return &r->space;
}
