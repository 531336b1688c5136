#include "answers/queries/liveness.h"

#include "answers/queries/stateruns.h"
#include "base/testbuild.h"
#include "base/timer.h"
#include "search/cycles/graft.h"
#include "search/cycles/shortest.h"
#include "search/cycles/suspects.h"

#include <string.h>

// A few thousand nodes depth first: most runs are found by them. Then, with covering, all nodes:
// their graph shows in most cases that there is no run. While it grows the search depth first
// goes on now and then, and cycles of the graph so far are tried out. If there are many, hulls of
// nodes may show that there is no run. In the end all that is left of the graph without covering.
enum {
  FIRST_VISITS = LOWERED(5000, 5000, 3),
  FIRST_LOOK = 20000, // visited nodes before anything is done beside the search with covering
  DEPTH_SHARE = 8,    // visited nodes of that search for one of the other
  TRIAL_GROWTH = 8,   // between two trials of the graph so far, which visit all of its nodes
  LAST_LOOK = 400000, // after which nothing is done beside it: it has to decide
  MAX_EXACT = LOWERED(60000, 60000, 3), // visited nodes of that search before hulls are tried
  MAX_ROUGH = LOWERED(400000, 400000, 50000), // and of each search with hulls
  FEW_ROUGH = LOWERED(100000, 100000, 20000), // likewise, if another one may be better
};

static const char too_many[] = "too many nodes";

static void tell(Liveness *l, const char *name, CyclesResult result) {
  if (!l->note)
    return;
  l->stats->seconds = timer_seconds() - l->told;
  l->told = timer_seconds();
  l->note(l->note_state, name, l->stats, result);
}

static bool is_stay(QueryKind kind) {
  return kind == QUERY_POSSIBLY || kind == QUERY_EVENTUALLY || kind == QUERY_LEADS_TO;
}

static bool build_goal(Liveness *l, Goal *goal, const Expr *expr, bool is_negated,
                       Report *report) {
  return goal_build(goal, &l->arena, expr, is_negated, l->query->place, report);
}

// What has to be known of the query in all searches.
static bool build_rules(Liveness *l, Report *report) {
  const Query *query = l->query;
  LassoClaim *claim = &l->rules.claim;
  l->rules =
      (RunsRules){.kept = l->kept, .is_divergent = l->is_divergent, .symmetry = l->symmetry};
  if (query->kind == QUERY_LEADS_TO || l->kept) { // without a conclusion anything is stayed in
    claim->start = &l->start;
    claim->stay = &l->stay;
    claim->labels = &l->start;
    claim->label_count = l->is_shown;
    return build_goal(l, &l->start, query->formula, false, report) &&
           build_goal(l, &l->stay, query->conclusion, query->conclusion, report);
  }
  if (is_stay(query->kind)) {
    claim->stay = &l->stay;
    return build_goal(l, &l->stay, query->formula, query->kind == QUERY_EVENTUALLY, report);
  }
  Goal *labels = ARENA_ARRAY(&l->arena, Goal, query->value_count);
  claim->labels = labels;
  claim->label_count = query->value_count;
  bool ok = true;
  for (uint32_t i = 0; ok && i < query->value_count; i++)
    ok = build_goal(l, &labels[i], query->values[i], false, report);
  return ok;
}

// Of the current node: whether a run ends there. It is kept in `end`.
static CyclesResult find_end(Space *space) {
  static const CyclesResult ends[] = {[RUNS_GOES_ON] = CYCLES_NONE,
                                      [RUNS_IDLES] = CYCLES_END,
                                      [RUNS_STUCK] = CYCLES_END,
                                      [RUNS_UNCLEAR] = CYCLES_UNCLEAR,
                                      [RUNS_FAILED] = CYCLES_FAILED};
  Liveness *l = space->goal_context;
  l->end = l->is_discrete ? stateruns_end(space) : runs_end(space);
  return ends[l->end];
}

static bool is_end(Space *space) {
  const CyclesResult verdict = find_end(space);
  return verdict == CYCLES_END || verdict == CYCLES_UNCLEAR;
}

static bool is_over(Liveness *l, const Statistics *stats, uint64_t max_visits) {
  l->stats->seconds = timer_seconds() - l->begin;
  l->stats->peak_bytes = l->mem->peak;
  if (max_visits && stats->visited > max_visits)
    l->stop_reason = too_many;
  else if (l->limits)
    l->stop_reason = l->limits->reached(l->limits->state);
  return l->stop_reason;
}

static bool stopped(void *state) {
  Liveness *l = state;
  return is_over(l, l->stats, l->max_visits);
}

// The search depth first pauses.
static bool pauses(void *state) {
  Liveness *l = state;
  return is_over(l, &l->beside.depth, l->beside.max_depth);
}

static void end_reach(Liveness *l) {
  if (l->reach) {
    reach_release(l->reach);
    mem_free(l->mem, l->reach);
  }
  l->sccs = NULL;
  l->reach = NULL;
}

static void end_cycles(Liveness *l) {
  if (l->cycles)
    cycles_release(l->cycles);
  l->cycles = NULL;
  vec_release(l->mem, &l->rounds.steps);
}

static void end_search(Liveness *l) {
  end_cycles(l);
  end_reach(l);
  if (l->space)
    space_release(l->space);
  l->space = NULL;
}

static bool make_space(Liveness *l, bool is_m, Report *report) {
  end_search(l);
  l->rules.starts_soon = l->beside.has_hulls && l->proof != LIVENESS_CERTIFICATE;
  l->rules.is_m = is_m;
  l->is_discrete = stateruns_admits(l->net, &l->rules);
  l->space = (l->is_discrete ? stateruns_new : runs_new)(l->mem, l->net, &l->rules, report);
  if (l->space)
    l->space->goal_context = l;
  return l->space;
}

// Whether a cycle counts only if it leads somewhere.
static bool is_leading(const Liveness *l) { return l->kept && !l->is_shown; }

static bool has_modes(const Liveness *l) { return l->rules.claim.stay && l->rules.claim.start; }

static CyclesRules cycles_rules(const Liveness *l) {
  return (CyclesRules){.all_marks = runs_all_marks(&l->rules),
                       .marks = l->is_discrete ? stateruns_marks : runs_marks,
                       .end = is_stay(l->query->kind) ? find_end : NULL,
                       .is_target = is_leading(l) ? runs_starts : NULL,
                       .hopeless = l->sccs && !is_leading(l) ? sccs_hopeless : NULL,
                       .hopeless_state = l->sccs,
                       .keeps_links = l->proof && !is_leading(l)};
}

// A search without covering, depth first, is begun.
static void begin_cycles(Liveness *l, Statistics *stats) {
  const CyclesRules rules = cycles_rules(l);
  *stats = (Statistics){0};
  end_cycles(l);
  l->space->next_initial = 0;
  l->cycles = cycles_new(l->mem, l->space, &rules, stats);
}

static CyclesResult go_on(Liveness *l, bool (*is_stopped)(void *)) {
  l->rounds.source = LIVENESS_DEPTH;
  return cycles_run(l->cycles, is_stopped, l);
}

// What is left of the graph without covering. An infinite run is at some time in a node of a
// suspicious component for good: so it is enough to begin there.
static CyclesResult search_inside(Liveness *l) {
  const Sccs *c = l->sccs;
  const Store *store = &l->reach->store;
  begin_cycles(l, l->stats);
  for (NodeRef ref = 0; !is_leading(l) && ref < c->count; ref++)
    if (c->numbers[ref] != UINT32_MAX && c->list.items[c->numbers[ref]].is_suspect) {
      const Node *node = store_node(store, ref);
      cycles_begin_at(l->cycles, store_key(store, node->group), node->zone, ref);
    }
  const CyclesResult result = go_on(l, stopped);
  l->rounds.source = is_leading(l) ? LIVENESS_DEPTH : LIVENESS_INSIDE;
  l->stats->peak_bytes = l->mem->peak;
  return result;
}

static SccsRules sccs_rules(Liveness *l, bool is_partial) {
  return (SccsRules){.all_marks = runs_all_marks(&l->rules),
                     .marks = l->is_discrete ? stateruns_marks : runs_marks,
                     .is_target = is_leading(l) ? runs_starts : NULL,
                     .is_inert = l->proof         ? NULL
                                 : l->is_discrete ? stateruns_is_inert
                                                  : runs_is_inert,
                     .stopped = stopped,
                     .state = l,
                     .is_partial = is_partial};
}

// Whether a suspicious component has a run. Where cycles have to lead somewhere, this is not
// asked.
static bool try_suspects(Liveness *l, const Sccs *sccs, const SccsRules *rules) {
  Suspects suspects = {.mem = l->mem, .arena = &l->arena, .sccs = sccs, .rules = rules};
  if (!sccs->has_suspects || rules->is_target)
    return false;
  const bool found = suspects_find(&suspects);
  const LivenessSource source = found ? LIVENESS_ROUNDS : l->rounds.source;
  vec_release(l->mem, &l->rounds.steps);
  l->rounds = (LivenessRounds){source, suspects.steps, suspects.loop};
  return found;
}

// The same in the graph so far.
static bool try_so_far(Liveness *l) {
  const SccsRules rules = sccs_rules(l, true);
  Mem *mem = mem_part(l->mem);
  Sccs sccs;
  const bool found =
      sccs_find(&sccs, mem, &l->reach->store, &rules) && try_suspects(l, &sccs, &rules);
  mem_release_part(mem);
  return found;
}

// Beside the search with covering; whether that decides, or a limit is reached.
static bool look_around(void *state) {
  Liveness *l = state;
  const uint64_t visited = l->stats->visited;
  if (visited < l->beside.next_look)
    return stopped(l);
  const bool is_trial = visited >= l->beside.next_trial;
  l->beside.next_look = visited > LAST_LOOK ? UINT64_MAX : 2 * visited;
  l->beside.found = CYCLES_STOPPED;
  if (l->cycles) {
    l->beside.max_depth = l->beside.depth.visited + visited / DEPTH_SHARE;
    l->beside.found = go_on(l, pauses);
    l->stop_reason = NULL;
  }
  if (l->beside.found == CYCLES_STOPPED && is_trial) {
    l->beside.next_trial = visited * TRIAL_GROWTH;
    l->beside.found = try_so_far(l) ? CYCLES_FOUND : CYCLES_STOPPED;
  }
  return l->beside.found != CYCLES_STOPPED || stopped(l);
}

static void begin_nodes(Liveness *l) {
  const bool is_asked = l->order != ORDER_DFS && l->order != ORDER_STAGES;
  *l->stats = (Statistics){0};
  l->space->next_initial = 0;
  l->space->is_goal = is_stay(l->query->kind) ? is_end : NULL;
  l->reach = mem_alloc(l->mem, sizeof *l->reach);
  reach_init(l->reach, l->mem, l->space, is_asked ? l->order : ORDER_STAGES, l->stats);
  if (l->max_visits)
    l->reach->max_visited = l->max_visits + 1;
  l->reach->between = is_asked ? stopped : look_around;
  l->reach->between_state = l;
  l->beside.next_look = l->beside.next_trial = FIRST_LOOK;
  l->beside.found = CYCLES_STOPPED;
}

// A limit that the clock has shown within a node ends all searches, too.
static ReachResult run_nodes(Liveness *l) {
  const ReachResult result = reach_run(l->reach);
  if (result == REACH_STOPPED && !l->stop_reason)
    l->stop_reason = reach_is_long(l->reach) ? too_many : l->reach->stop_reason;
  return result;
}

// With covering. CYCLES_FOUND of LIVENESS_NODES is a suspicion only.
static CyclesResult search_nodes(Liveness *l) {
  begin_nodes(l);
  const ReachResult result = run_nodes(l);
  if (l->beside.found != CYCLES_STOPPED) {
    *l->stats = l->rounds.source == LIVENESS_DEPTH ? l->beside.depth : *l->stats;
    return l->beside.found;
  }
  l->rounds.source = LIVENESS_NODES;
  if (result == REACH_GOAL)
    return l->end == RUNS_UNCLEAR ? CYCLES_UNCLEAR : CYCLES_END;
  if (result != REACH_NONE)
    return result == REACH_FAILED ? CYCLES_FAILED : CYCLES_STOPPED;
  const SccsRules rules = sccs_rules(l, false);
  end_cycles(l);
  l->sccs = mem_alloc(l->reach->own, sizeof *l->sccs);
  if (!sccs_find(l->sccs, l->reach->own, &l->reach->store, &rules))
    return l->space->failure ? CYCLES_FAILED : CYCLES_STOPPED;
  if (!l->sccs->has_suspects)
    return CYCLES_NONE;
  try_suspects(l, l->sccs, &rules);
  return l->stop_reason ? CYCLES_STOPPED : CYCLES_FOUND;
}

// Whether the few nodes of the first search have decided.
static bool search_soon(Liveness *l, CyclesResult *result) {
  if (PLANTED("hulls-lose")) // in small networks, too
    return false;
  const bool is_only = l->order == ORDER_DFS;
  if (!is_only && l->order != ORDER_STAGES)
    return false;
  l->beside.max_depth =
      is_only || (l->max_visits && l->max_visits < FIRST_VISITS) ? l->max_visits : FIRST_VISITS;
  begin_cycles(l, &l->beside.depth);
  *result = go_on(l, pauses);
  *l->stats = l->beside.depth;
  tell(l, "depth first, without covering", *result);
  if (*result == CYCLES_STOPPED)
    return is_only || l->beside.depth.visited <= FIRST_VISITS ||
           (l->max_visits && l->beside.depth.visited > l->max_visits);
  return *result != CYCLES_NONE || !l->proof;
}

// The nodes of some keys are joined: their zone is the hull of all that are met there. What the
// search meets then includes all that there is: so if no suspicious component is left, or no run
// in it, there is none. CYCLES_STOPPED: nothing is known.
static CyclesResult search_joining(Liveness *l, StateJoins joins) {
  stateruns_join(l->space, joins);
  begin_nodes(l);
  l->reach->between = stopped;
  const ReachResult result = run_nodes(l);
  stateruns_join(l->space, STATES_JOIN_NONE);
  const SccsRules rules = sccs_rules(l, false);
  if (result != REACH_NONE)
    return CYCLES_STOPPED;
  l->sccs = mem_alloc(l->reach->own, sizeof *l->sccs);
  if (!sccs_find(l->sccs, l->reach->own, &l->reach->store, &rules))
    return CYCLES_STOPPED;
  if (!l->sccs->has_suspects)
    return CYCLES_NONE;
  const bool is_hopeless = joins == STATES_JOIN_ALL && has_modes(l);
  return !is_hopeless && search_inside(l) == CYCLES_NONE ? CYCLES_NONE : CYCLES_STOPPED;
}

// Some limit other than this search's own has been reached.
static bool is_ended(const Liveness *l) { return l->stop_reason && l->stop_reason != too_many; }

typedef struct Joining {
  StateJoins joins;
  uint64_t max_visits;
} Joining;

// Whether a search with hulls has decided, or has ended all. All nodes are joined first; then, of
// `p --> q`, only those before p. In a certificate runs go over to the second mode with the zones
// of nodes with p: it may be better not to join these, or to join them.
static bool search_roughly(Liveness *l, bool is_m, CyclesResult *result, Report *report) {
  static const Joining plain[] = {{STATES_JOIN_ALL, MAX_ROUGH}, {STATES_JOIN_FREE, MAX_ROUGH}},
                       proved[] = {{STATES_JOIN_ALL, MAX_ROUGH},
                                   {STATES_JOIN_BEFORE, FEW_ROUGH},
                                   {STATES_JOIN_FREE, MAX_ROUGH},
                                   {STATES_JOIN_BEFORE, MAX_ROUGH}};
  const bool is_proof = l->proof == LIVENESS_CERTIFICATE;
  const int count = !has_modes(l) ? 1 : is_proof ? 4 : 2;
  l->beside.has_hulls = true;
  *result = CYCLES_STOPPED;
  for (int i = 0; i < count && *result == CYCLES_STOPPED; i++) {
    const Joining *joining = is_proof ? &proved[i] : &plain[i];
    l->max_visits = joining->max_visits;
    if (is_ended(l) || !make_space(l, is_m, report))
      continue;
    l->stop_reason = NULL;
    *result = search_joining(l, joining->joins);
    tell(l, "with hulls", *result);
  }
  l->beside.has_hulls = false;
  l->max_visits = 0;
  return *result == CYCLES_NONE || is_ended(l);
}

// The search with covering; if it is long, the whole comes after a rough one.
static bool search_long(Liveness *l, bool is_m, CyclesResult *result, Report *report) {
  const bool may_join = l->is_discrete && l->order == ORDER_STAGES && !l->max_visits;
  if (may_join)
    l->max_visits = PLANTED("hulls-lose") ? 1 : MAX_EXACT;
  if (!may_join || l->part != LIVENESS_LONG) {
    *result = search_nodes(l);
    tell(l, "with covering", *result);
  }
  if (!may_join)
    return true;
  l->max_visits = 0;
  if (l->part != LIVENESS_LONG &&
      (l->part == LIVENESS_SHORT || *result != CYCLES_STOPPED || l->stop_reason != too_many))
    return true;
  if (search_roughly(l, is_m, result, report))
    return true;
  l->stop_reason = NULL;
  if (!make_space(l, is_m, report))
    return false;
  if (search_soon(l, result)) // again, as that search goes on beside the next
    return true;
  l->stop_reason = NULL;
  *result = search_nodes(l);
  tell(l, "with covering, to the end", *result);
  return true;
}

static bool lacks_proof(const Liveness *l, CyclesResult result) {
  return result == CYCLES_NONE && l->proof && l->cycles && !is_leading(l) &&
         (!l->sccs || l->sccs->has_suspects);
}

// There is no run, as a search depth first has shown, from the beginning or inside suspicious
// components: the nodes that it has met become nodes of the graph.
static void graft(Liveness *l) {
  const SccsRules rules = sccs_rules(l, false);
  if (!l->sccs) {
    const Statistics known = *l->stats;
    end_reach(l);
    begin_nodes(l);
    *l->stats = known;
    l->sccs = mem_alloc(l->reach->own, sizeof *l->sccs);
    *l->sccs = (Sccs){.mem = l->reach->own, .store = &l->reach->store};
  }
  graft_nodes(l->sccs, l->cycles, &rules);
}

static bool search(Liveness *l, bool is_m, CyclesResult *result, Report *report) {
  l->stop_reason = NULL;
  if (!make_space(l, is_m, report))
    return false;
  if (l->part != LIVENESS_LONG && search_soon(l, result))
    return true;
  l->stop_reason = NULL;
  if (!search_long(l, is_m, result, report))
    return false;
  if (*result == CYCLES_FOUND && l->rounds.source == LIVENESS_NODES) {
    *result = search_inside(l);
    tell(l, "from suspicious components, without covering", *result);
  }
  if (lacks_proof(l, *result))
    graft(l);
  return true;
}

bool liveness_run(Liveness *l, CyclesResult *result, Report *report) {
  l->arena.mem = l->mem;
  l->begin = l->told = timer_seconds();
  bool ok = build_rules(l, report) && search(l, false, result, report);
  if (ok && *result == CYCLES_UNCLEAR)
    ok = search(l, true, result, report);
  l->stats->seconds = timer_seconds() - l->begin; // of all parts
  return ok;
}

bool liveness_is_long(const Liveness *l) { return l->stop_reason == too_many; }

bool liveness_shorten(Liveness *l, bool is_m, uint32_t longest, uint64_t max,
                      CyclesResult *result, Report *report) {
  l->arena.mem = l->mem;
  if (!build_rules(l, report) || !make_space(l, is_m, report))
    return false;
  const CyclesRules rules = cycles_rules(l);
  Shortest s = {.mem = l->mem,
                .arena = &l->arena,
                .space = l->space,
                .rules = &rules,
                .longest = longest,
                .max = max};
  *result = shortest_find(&s);
  vec_release(l->mem, &l->rounds.steps);
  l->rounds = (LivenessRounds){LIVENESS_ROUNDS, s.steps, s.loop};
  return true;
}

void liveness_release(Liveness *l) {
  end_search(l);
  arena_release(&l->arena);
}
