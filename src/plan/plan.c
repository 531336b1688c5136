#include "plan/plan.h"

#include "analysis/diagonals.h"
#include "base/team.h"
#include "base/testbuild.h"
#include "search/save/restore.h"

#include <assert.h>
#include <string.h>

enum {
  LOOSE_LIMIT = 5000000,                     // transitions in a loose slice
  FREE_LIMIT = 500000,                       // with one process less
  FREED_LIMIT = 16,                          // processes that are tried
  EXACT_LIMIT = LOWERED(200000, 200000, 50), // before a search for deadlocks is tried with hulls
  HULLS_LIMIT = 5000000,                     // transitions of that one
  JOINED_LIMIT = 1000000,                    // likewise, where the search is not for deadlocks
  CANDIDATES = 8,                            // further runs, where clocks are stopped
  FULL_LIMIT = 100000,                       // of a search whose certificate leaves nothing out
  DEAD_LIMIT = 1000000, // of one that leaves out dead variables, before one without processes
  SHORT_LIMIT = 10,     // of all three, where the tests want smaller networks
  HUNTS = 16,           // of --order hunt
  FIRST_HUNT = 500,     // visited nodes of the first
  STAGES_LIMIT = 8 + HUNTS + FREED_LIMIT,
};

typedef struct Planner {
  Mem *mem;
  const Request *request;
  bool is_linked;
  Stage *stages;
  uint32_t count;
} Planner;

static uint64_t proof_limit(uint64_t usual) {
  return PLANTED("short-proofs") ? SHORT_LIMIT : usual;
}

static bool looks_for_deadlocks(const Planner *p) {
  return p->request->goal && p->request->goal->ends;
}

static void add(Planner *p, Stage stage) {
  assert(p->count < STAGES_LIMIT);
  p->stages[p->count++] = stage;
}

static void add_repeat(Planner *p, const Options *options, bool stays_in_slice) {
  add(p, (Stage){.kind = STAGE_REPEAT,
                 .when = OPEN_HIT,
                 .purpose = "make the search that found something once more, to know the way",
                 .options = *options,
                 .stays_in_slice = stays_in_slice,
                 .proves_reached = true});
}

// Whether short random searches beside the main one fit: it looks for states, and no option says
// how.
static bool may_hunt(const Planner *p, const Options *options) {
  const bool is_zones = options->engine == ENGINE_ZONES || options->engine == ENGINE_LOCAL;
  return is_zones && p->request->query && !looks_for_deadlocks(p) &&
         !options_fix_algorithm(options) && options->threads == 1 &&
         options->order == ORDER_STAGES && !options->graph && !p->is_linked &&
         !p->request->net->slots.is_kept && !options->checkpoint && !options->resume &&
         !options->compact;
}

static Stage *add_slice(Planner *p, const Options *options, SliceKind kind, ProcessId freed) {
  static const char *const purposes[] = {
      [SLICE_LOOSE] = "leave out the processes on which the query hardly depends",
      [SLICE_FREE] = "leave out one process more",
      [SLICE_EXACT] = "leave out the processes on which the query does not depend",
      [SLICE_WHOLE] = "set dead variables back"};
  add(p, (Stage){.kind = STAGE_SLICE,
                 .when = OPEN_SLICES | OPEN_NOTHING | OPEN_LIMIT,
                 .purpose = purposes[kind],
                 .options = *options,
                 .max_transitions = kind == SLICE_LOOSE  ? LOOSE_LIMIT
                                    : kind == SLICE_FREE ? FREE_LIMIT
                                                         : 0,
                 .slice = kind,
                 .freed = freed,
                 .has_hunts = true,
                 .proves_reached = kind == SLICE_WHOLE && options->trace == TRACE_NONE});
  return &p->stages[p->count - 1];
}

// A search that hunts beside; if it becomes long, smaller networks first.
static void plan_long(Planner *p, const Options *options) {
  const uint32_t processes = p->request->net->processes.size;
  Stage search = {.kind = STAGE_SEARCH,
                  .when = OPEN_START,
                  .purpose = "search the model; stop early if a smaller network may decide",
                  .options = *options,
                  .has_hunts = true,
                  .may_slice = true,
                  .proves_reached = true};
  add(p, search);
  add_repeat(p, options, false);
  for (SliceKind kind = SLICE_LOOSE; kind < SLICE_KINDS; kind++)
    for (ProcessId q = 0; q < (kind == SLICE_FREE ? processes : 1) && q < FREED_LIMIT; q++)
      add_slice(p, options, kind, q);
  add_repeat(p, options, true);
  search.when = OPEN_SLICES | OPEN_NOTHING | OPEN_LIMIT;
  search.purpose = "search the model to the end";
  search.may_slice = false;
  add(p, search);
  add_repeat(p, options, false);
}

// --order hunt: random searches depth first, each a half longer than the one before. A bug that
// is not far off is found by most of them; a search that has gone wrong is given up soon. Every
// second one lets the processes that the query names go first: two of many processes have to meet
// by chance otherwise. In the end the default order decides.
static void plan_hunt(Planner *p, const Options *asked) {
  Options options = *asked;
  const uint32_t threads = asked->threads ? (uint32_t)asked->threads : team_processors();
  const int last = INT32_MAX - HUNTS * (int)threads - 1;
  const bool is_pack = threads > 1 && !looks_for_deadlocks(p);
  uint64_t length = FIRST_HUNT;
  options.order = ORDER_DFS;
  options.threads = 1; // of each search: random orders are for one
  options.seed = asked->seed < last ? asked->seed + 1 : 1;
  options.checkpoint = options.resume = NULL; // are for the last search
  options.is_reduced = false;                 // what is near may be found late
  for (int i = 0; !asked->resume && i < HUNTS; i++, length += length / 2) {
    options.is_focused = options.seed % 2;
    add(p, (Stage){.kind = is_pack ? STAGE_PACK : STAGE_SEARCH,
                   .when = i ? OPEN_LIMIT : OPEN_START,
                   .purpose = "look for a state that is near, at random",
                   .options = options,
                   .max_visited = length,
                   .proves_reached = true});
    options.seed += is_pack ? (int)threads : 1;
  }
  if (is_pack)
    add_repeat(p, &options, false);
  options = *asked;
  options.order = ORDER_STAGES;
  options.seed = threads > 1 ? 0 : asked->seed;
  add(p, (Stage){.kind = STAGE_SEARCH,
                 .when = OPEN_START | OPEN_LIMIT,
                 .purpose = "search the model to the end",
                 .options = options,
                 .proves_reached = true});
}

// A certificate without reduced sets is one that more checkers read, the proved one among them;
// and so is one of deadlock freedom without symmetry. So it is tried for a while without them,
// unless the user asks for them.
static void add_search(Planner *p, const Stage *search) {
  const Options *options = &search->options;
  Stage stage = *search;
  const bool is_reduced = options->is_reduced && options->partial_order == PARTIAL_AUTO;
  const bool is_renamed =
      p->request->has_symmetry && looks_for_deadlocks(p) && options->symmetry == SYMMETRY_AUTO;
  if (options->certificate && (is_reduced || is_renamed) && !options->checkpoint &&
      !options->resume && !p->is_linked) {
    stage.purpose = is_renamed
                        ? "search without symmetry: more checkers read the certificate then"
                        : "search all transitions: the certificate leaves out none then";
    stage.options.is_reduced = options->is_reduced && !is_reduced;
    stage.options.symmetry = is_renamed ? SYMMETRY_OFF : options->symmetry;
    stage.options.threads = 1; // it is short
    stage.max_transitions = FULL_LIMIT;
    add(p, stage);
    stage = *search;
    stage.when = OPEN_LIMIT;
  }
  add(p, stage);
}

// No option names an algorithm, or asks for what only that search knows.
static bool may_join(const Planner *p, const Options *options) {
  return options->abstraction == ABSTRACTION_ALU && options->order == ORDER_STAGES &&
         !options_fix_algorithm(options) && !options->graph && !options->checkpoint &&
         !options->resume && !options->compact && !p->is_linked &&
         !p->request->net->slots.is_kept;
}

// With engine zones, and a certificate that leaves out no transition.
static void add_joined(Planner *p, const Options *options) {
  Stage hulls = {.kind = STAGE_HULLS,
                 .when = OPEN_LIMIT,
                 .purpose =
                     "one zone for each discrete state: if none meets the goal, no state does",
                 .options = *options,
                 .max_transitions = proof_limit(JOINED_LIMIT)};
  hulls.options.engine = ENGINE_ZONES;
  hulls.options.is_reduced = false;
  add(p, hulls);
}

// Slices of which there is a certificate. Those that leave out processes come late, because few
// checkers read it.
static void add_certifiable(Planner *p, const Options *options) {
  if (p->request->has_dead)
    add_slice(p, options, SLICE_WHOLE, 0)->max_transitions =
        p->request->has_slice ? proof_limit(DEAD_LIMIT) : 0;
  if (p->request->has_slice) {
    add_slice(p, options, SLICE_LOOSE, 0);
    add_slice(p, options, SLICE_EXACT, 0);
  }
  if (p->request->has_dead && p->request->has_slice)
    add_slice(p, options, SLICE_WHOLE, 0);
  if (p->request->has_dead)
    add_repeat(p, options, true);
}

// A search whose nodes are the certificate: of the whole network, without the values of dead
// variables, or without some processes. What can be reached is found by the hunts beside it.
static void plan_proof(Planner *p, const Options *options) {
  Stage search = {.kind = STAGE_SEARCH,
                  .when = OPEN_START,
                  .purpose = "look for the state",
                  .options = *options,
                  .has_hunts = true,
                  .proves_reached = true};
  if (p->request->has_dead || p->request->has_slice || may_join(p, options)) {
    Stage first = search;
    first.purpose = "search all of the model: more checkers read the certificate then";
    first.options.is_reduced &= options->partial_order != PARTIAL_AUTO;
    first.max_transitions = proof_limit(FULL_LIMIT);
    add(p, first);
    add_repeat(p, &first.options, false);
    if (may_join(p, options))
      add_joined(p, &first.options);
    add_certifiable(p, options);
    search.when = OPEN_LIMIT | OPEN_NOTHING;
    add(p, search);
  } else {
    add_search(p, &search);
  }
  add_repeat(p, options, false);
}

// Where clocks are stopped, zones contain more than can be. That nothing is found is so; what is
// found need not be, and then others runs are looked for: the shortest, and some at random.
static void plan_stopwatches(Planner *p, Options options) {
  options.order = options.order == ORDER_HUNT ? ORDER_STAGES : options.order;
  Stage search = {.kind = STAGE_SEARCH,
                  .when = OPEN_START,
                  .purpose = p->request->query ? "look for the state" : "explore all states",
                  .options = options,
                  .proves_reached = true};
  add(p, search);
  search.when = OPEN_DOUBT;
  search.purpose = "look for another run: this one has no exact times";
  search.options.threads = 1;
  search.options.checkpoint = search.options.resume = NULL;
  for (int i = 0; i < CANDIDATES; i++) {
    search.options.order = i ? ORDER_DFS : ORDER_BFS;
    search.options.seed = i;
    add(p, search);
  }
}

// Smaller searches for deadlocks than that of all zones. The hulls are a certificate, which
// leaves out no transition; a smaller network may have one.
static void plan_hulls(Planner *p, const Options *options) {
  Stage hulls = {.kind = STAGE_HULLS,
                 .when = OPEN_LIMIT,
                 .purpose = "one zone for each discrete state: if no deadlock is possible there, "
                            "there is none",
                 .options = *options,
                 .max_transitions = HULLS_LIMIT};
  hulls.options.is_reduced &= !options->certificate;
  add(p, hulls);
  // States that differ in dead variables only have the same future: both are deadlocked, or none.
  if (!options->certificate || p->request->has_dead)
    add(p, (Stage){.kind = STAGE_SLICE,
                   .when = OPEN_LIMIT | OPEN_NOTHING,
                   .purpose = "set dead variables back",
                   .options = *options,
                   .slice = SLICE_WHOLE,
                   .proves_reached = options->trace == TRACE_NONE});
}

// Deadlocks are looked for in zones after delay, with static bounds. With the
// abstraction that the options name, or a_LU, deadlocks may be found that are none; and where
// there is doubt, none being found shows nothing. Then the search is made again with M bounds,
// under which neither happens.
static void plan_deadlock(Planner *p, Options options) {
  options.engine = ENGINE_ZONES;
  options.delay = DELAY_AFTER;
  if (options.bounds == BOUNDS_FLY || options.bounds == BOUNDS_LAZY)
    options.bounds = BOUNDS_LOCAL;
  // Where clocks are compared with each other there is no zone that contains all that a node
  // stands for: the search begins with M bounds.
  if (options.abstraction != ABSTRACTION_NONE &&
      diagonals_occur(p->request->net, p->request->goal))
    options.abstraction = ABSTRACTION_AM;
  // The last of the stages below has written the checkpoint: it is the only one now.
  if (options.resume && restore_is_of(p->mem, options.resume, "\nabstraction am\n")) {
    options.abstraction = ABSTRACTION_AM;
    options.bounds = BOUNDS_LOCAL;
  }
  const bool joins = may_join(p, &options);
  Stage search = {.kind = STAGE_SEARCH,
                  .when = OPEN_START,
                  .purpose = "look for a deadlock",
                  .options = options,
                  .max_transitions = !joins                  ? 0
                                     : PLANTED("hulls-lose") ? 1
                                                             : EXACT_LIMIT,
                  .proves_reached = true};
  if (joins)
    search.options.threads = 1; // it is short
  add_search(p, &search);
  if (joins) {
    plan_hulls(p, &options);
    search.when = OPEN_LIMIT | OPEN_NOTHING;
    search.options = options;
    search.max_transitions = 0;
    search.purpose = "look for a deadlock to the end";
    add(p, search);
  }
  search.when = OPEN_DOUBT;
  search.purpose = "look again with M bounds, which leave no doubt";
  search.max_transitions = 0;
  search.options = options;
  search.options.abstraction = ABSTRACTION_AM;
  search.options.bounds = BOUNDS_LOCAL;
  search.options.resume = NULL;
  add_search(p, &search);
}

// A run that is to be shown is looked for without symmetry, and with all variables. Dead
// variables do not change which runs there are.
static void plan_infinite(Planner *p, const Options *options) {
  Stage search = {.kind = STAGE_INFINITE,
                  .when = OPEN_START,
                  .purpose = "look for such a run: depth first, with covering, with hulls",
                  .options = *options,
                  .proves_reached = true};
  if (options->order == ORDER_STAGES && !options->certificate && !options->non_zeno) {
    search.part = LIVENESS_SHORT;
    search.purpose = "look for such a run: depth first, with covering";
    add(p, search);
    search.part = LIVENESS_LONG;
    search.when = OPEN_LIMIT;
    search.purpose = "set dead variables back; with hulls, with covering";
    search.slice = SLICE_WHOLE;
    search.forgets = true;
    add(p, search);
    search.when = OPEN_LIMIT | OPEN_NOTHING;
    search.purpose = "look for such a run to the end: with hulls, with covering";
    search.forgets = false;
  }
  add(p, search);
  search.part = LIVENESS_ALL;
  search.when = OPEN_NO_RUN;
  search.purpose = "look for a run to show: without symmetry, with all variables";
  add(p, search);
}

const Plan *plan_make(Arena *arena, const Request *request, bool is_linked) {
  Stage stages[STAGES_LIMIT]; // they are large, and a plan has few
  Planner p = {.request = request, .mem = arena->mem, .is_linked = is_linked, .stages = stages};
  Options options = *request->options;
  if (capabilities_is_infinite(request->query))
    plan_infinite(&p, &options);
  else if (capabilities_is_extreme(request->query))
    add(&p, (Stage){.kind = STAGE_EXTREME,
                    .when = OPEN_START,
                    .purpose = "find the extreme values",
                    .options = options,
                    .proves_reached = true});
  else if (capabilities_is_statistical(request->query))
    add(&p, (Stage){.kind = STAGE_ESTIMATE,
                    .when = OPEN_START,
                    .purpose = "simulate random runs",
                    .options = options});
  else if (request->net->traits.has_stopwatches)
    plan_stopwatches(&p, options);
  else if (looks_for_deadlocks(&p))
    plan_deadlock(&p, options);
  else if (options.order == ORDER_HUNT)
    plan_hunt(&p, &options);
  else if (may_hunt(&p, &options))
    (options.certificate ? plan_proof : plan_long)(&p, &options);
  else
    add_search(&p,
               &(Stage){.kind = STAGE_SEARCH,
                        .when = OPEN_START,
                        .purpose = request->query ? "look for the state" : "explore all states",
                        .options = options,
                        .proves_reached = true});
  // A space that keeps its nodes itself knows the way to a failure only if it was told to.
  const bool is_discrete = options.engine == ENGINE_DARTS || options.engine == ENGINE_POINTS;
  if (is_discrete && options.trace == TRACE_NONE)
    add(&p, (Stage){.kind = STAGE_REPEAT,
                    .when = OPEN_NO_RUN,
                    .purpose = "make the search once more and keep the path to the failure",
                    .options = options,
                    .proves_reached = true});
  Stage *kept = ARENA_ARRAY(arena, Stage, p.count);
  memcpy(kept, stages, p.count * sizeof *kept);
  Plan *plan = ARENA_NEW(arena, Plan);
  *plan = (Plan){kept, p.count};
  return plan;
}
