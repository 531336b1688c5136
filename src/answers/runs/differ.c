#include "answers/runs/differ.h"

#include "answers/queries/deadgoal.h"
#include "answers/runs/prefer.h"
#include "model/marking.h"

void differ_init(DifferUsed *used, Arena *arena, const Net *net, Differ by) {
  *used = (DifferUsed){.by = by, .net = net};
  used->count = by == DIFFER_EDGES       ? net->edges.size
                : by == DIFFER_LOCATIONS ? net->locations.size
                                         : net->processes.size;
  used->used = ARENA_ARRAY(arena, bool, used->count);
}

// What an edge uses. Processes count if they move; locations if they are entered.
static uint32_t item_of(const DifferUsed *used, const Edge *edge) {
  return used->by == DIFFER_EDGES       ? (uint32_t)(edge - used->net->edges.items)
         : used->by == DIFFER_LOCATIONS ? edge->target
                                        : edge->process;
}

static void add_name(const DifferUsed *used, const Edge *edge, Text *names) {
  const Net *net = used->net;
  const char *process = net->processes.items[edge->process].name;
  const Location *locations = net->locations.items;
  if (used->by == DIFFER_PROCESSES)
    text_addf(names, "%s\n", process);
  else if (used->by == DIFFER_LOCATIONS)
    text_addf(names, "%s.%s\n", process, locations[edge->target].name);
  else if (edge->event + 1 == net->priority.tau_event)
    text_addf(names, "%s.%s -> %s\n", process, locations[edge->source].name,
              locations[edge->target].name);
  else
    text_addf(names, "%s.%s -> %s (%s)\n", process, locations[edge->source].name,
              locations[edge->target].name, net->events.items[edge->event].name);
}

// Initial locations are in every run from that state.
static void add_initial(DifferUsed *used, const Run *run) {
  for (ProcessId p = 0; used->by == DIFFER_LOCATIONS && p < used->net->processes.size; p++)
    used->used[net_location_at(used->net, p, run->steps[0].state)] = true;
}

void differ_add(DifferUsed *used, const Run *run, Text *names) {
  add_initial(used, run);
  for (uint32_t i = 1; i < run->step_count; i++)
    for (uint32_t e = 0; e < run->steps[i].edge_count; e++) {
      const Edge *edge = run->steps[i].edges[e];
      const uint32_t item = item_of(used, edge);
      if (names && !used->used[item])
        add_name(used, edge, names);
      used->used[item] = true;
    }
}

// One search in the marked net. The run is one of that net. `is_long`: it reached s->max.
static ReachResult search(const DifferSearch *s, const Net *net, const Goal *goal, bool is_short,
                          Trace *trace, bool *is_long) {
  Options options;
  Space *space = prefer_space(s->mem, net, goal, &options);
  if (!space)
    return REACH_STOPPED;
  Deadgoal deadgoal;
  if (goal->ends)
    deadgoal_attach(&deadgoal, s->mem, space, net, goal, true);
  Reach reach;
  Statistics stats = {0};
  reach_init(&reach, s->mem, space, is_short ? ORDER_BFS : ORDER_STAGES, &stats);
  reach.store.keeps_all = is_short;
  if (is_short)
    reach.max_transitions = s->max;
  ReachResult result = reach_run(&reach);
  *is_long = result == REACH_STOPPED && reach_is_long(&reach);
  if (result == REACH_GOAL &&
      !trace_build(trace, s->mem, net, goal, &reach, result, s->kind, NULL))
    result = REACH_STOPPED; // clocks are stopped, and this is no run
  statistics_follow(s->stats, &stats);
  if (goal->ends)
    deadgoal_release(&deadgoal);
  reach_release(&reach);
  space_release(space);
  return result;
}

static ReachResult find(const DifferSearch *s, const Net *marked, Arena *arena, Trace *trace) {
  const Query *query = s->query;
  const Expr *wanted = marking_expr(arena, query->formula, marked);
  if (query->kind == QUERY_INVARIANT)
    wanted = expr_unary(arena, query->place, EXPR_NOT, wanted);
  const Expr *new = marking_test(arena, marked, 1);
  const Query asked = {.kind = QUERY_REACH,
                       .formula =
                           wanted ? expr_binary(arena, query->place, EXPR_AND, wanted, new) : new,
                       .place = query->place};
  Goal goal;
  Trace found;
  const Net *net = query_keep_meta(&asked, marked, arena);
  if (!goal_build(&goal, arena, asked.formula, false, query->place, &(Report){0}))
    return REACH_STOPPED;
  bool is_long;
  ReachResult result = search(s, net, &goal, true, &found, &is_long);
  if (is_long)
    result = search(s, net, &goal, false, &found, &is_long);
  if (result != REACH_GOAL)
    return result;
  *trace = found;
  trace->net = s->used->net;
  trace->run = marking_run(&trace->arena, &found.run, net, s->used->net);
  return REACH_GOAL;
}

ReachResult differ_find(const DifferSearch *s, Trace *trace) {
  const DifferUsed *used = s->used;
  const Net *net = used->net;
  Arena arena = {.mem = s->mem};
  int32_t *values = ARENA_ARRAY(&arena, int32_t, net->edges.size);
  bool is_some = false;
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const bool is_new = !used->used[item_of(used, &net->edges.items[e])];
    values[e] = is_new ? 1 : -1;
    is_some |= is_new;
  }
  Net marked;
  ReachResult result = REACH_NONE;
  if (is_some && !marking_make(&marked, net, values, 1, &(Report){0}))
    result = REACH_STOPPED;
  else if (is_some) {
    result = find(s, &marked, &arena, trace);
    net_release(&marked);
  }
  arena_release(&arena);
  return result;
}
