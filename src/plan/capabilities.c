#include "plan/capabilities.h"

#include "answers/queries/runs.h"
#include "semantics/zone/abstraction.h"

bool capabilities_is_infinite(const Query *query) {
  return query && (query->kind == QUERY_POSSIBLY || query->kind == QUERY_EVENTUALLY ||
                   query->kind == QUERY_LEADS_TO || query->kind == QUERY_BUCHI);
}

bool capabilities_is_extreme(const Query *query) {
  return query &&
         (query->kind == QUERY_SUP || query->kind == QUERY_INF || query->kind == QUERY_BOUNDS);
}

bool capabilities_is_statistical(const Query *query) {
  return query && query->kind == QUERY_STATISTICAL;
}

// Which element of an array of clocks it is depends on variables.
static bool has_unknown_clock(const Query *query) {
  for (uint32_t i = 0; i < query->value_count; i++) {
    const Expr *value = query->values[i];
    if (value->type->kind == TYPE_CLOCK && value->kind != EXPR_CLOCK)
      return true;
  }
  return false;
}

// Time passes by transitions of its own there (model/joint.h).
static bool has_urgent_clocks(const Net *net) {
  return net->traits.has_negated && net_has_urgent(net);
}

#define STOPPED "where clocks are stopped (x' == 0)"
#define LARGE "clock constants above 67108864 without a common divisor that makes them smaller"
#define SEVERAL                                                                                  \
  "there are no checkpoints for this query, which takes several searches: leave out "

// What cannot be answered: a condition on the request and the sentence. The first that applies
// counts.
#define REFUSALS(RULE)                                                                           \
  RULE(is_statistical && (o->certificate || o->graph || o->checkpoint || o->resume),             \
       "statistical queries have no certificates, graphs and checkpoints")                       \
  RULE(is_statistical && (o->alpha <= 0 || o->alpha >= 1 || o->beta <= 0 || o->beta >= 1),       \
       "--alpha and --beta must lie between 0 and 1")                                            \
  RULE(is_statistical && (o->truncation_error < 1e-14 || o->truncation_time_error < 1e-14),      \
       "truncation errors below 1e-14 cannot be kept")                                           \
  RULE(is_statistical && o->epsilon <= 0, "--epsilon must be larger than 0")                     \
  RULE(is_statistical && (o->u0 <= 0 || o->u0 >= o->u1), "--u0 must be less than --u1")          \
  RULE(is_statistical && (o->lower_delta <= 0 || o->upper_delta <= 0),                           \
       "--lower-delta and --upper-delta must be larger than 0")                                  \
  RULE(is_large && o->trace == TRACE_SYMBOLIC,                                                   \
       "there are no symbolic runs for " LARGE "; use --trace concrete")                         \
  RULE(is_large && r->query && (ends || is_infinite || is_extreme),                              \
       "only `E<>` and `A[]` without `deadlock` are answered for " LARGE)                        \
  RULE(ends && o->engine != ENGINE_AUTO && o->engine != ENGINE_ZONES,                            \
       "`deadlock` is answered by the engine zones only: in local time processes are at "        \
       "different times, and darts and points miss deadlocks between whole units")               \
  RULE(stops && o->engine != ENGINE_AUTO && o->engine != ENGINE_ZONES,                           \
       "only the engine zones searches " STOPPED)                                                \
  RULE(stops &&is_large, "there is no search for " LARGE " " STOPPED)                            \
  RULE(stops &&ends,                                                                             \
       "`deadlock` is not answered " STOPPED ": what can lead to an action is not a zone there") \
  RULE(stops && (is_infinite || is_extreme),                                                     \
       "only `E<>` and `A[]` are answered " STOPPED ": zones contain more than can be there")    \
  RULE(stops &&has_diagonals, "two clocks cannot be compared with each other " STOPPED)          \
  RULE(stops &&has_urgent_clocks(r->net), "an urgent channel cannot have clock guards " STOPPED) \
  RULE(stops && (o->bounds == BOUNDS_FLY || o->bounds == BOUNDS_LAZY),                           \
       "--bounds fly and lazy are not for models " STOPPED)                                      \
  RULE(stops && (o->abstraction == ABSTRACTION_CLOSURE ||                                        \
                 o->abstraction == ABSTRACTION_CLOSURE_LU_PLUS),                                 \
       "regions are not an abstraction " STOPPED "; use --abstraction alu")                      \
  RULE(stops && o->trace == TRACE_SYMBOLIC,                                                      \
       "there are no symbolic runs " STOPPED "; use --trace concrete")                           \
  RULE((is_infinite || is_extreme) && (o->checkpoint || o->resume),                              \
       SEVERAL "--checkpoint and --resume")                                                      \
  RULE(is_infinite && o->graph, "there is no graph for this query")                              \
  RULE(is_infinite && r->query->kind == QUERY_BUCHI && r->query->value_count > RUNS_MAX_LABELS,  \
       "there are too many conditions")                                                          \
  RULE(is_extreme && o->engine != ENGINE_AUTO && o->engine != ENGINE_ZONES,                      \
       "extreme values are found by the engine zones only")                                      \
  RULE(is_extreme &&has_unknown_clock(r->query),                                                 \
       "which clock it is depends on variables: name one of the array, as in `sup: x[1]`")

const char *capabilities_refusal(const Request *r) {
  const Options *o = r->options;
  const bool is_large = net_is_wide(r->net), ends = r->goal && r->goal->ends;
  const bool is_infinite = capabilities_is_infinite(r->query);
  const bool is_extreme = capabilities_is_extreme(r->query);
  const bool is_statistical = capabilities_is_statistical(r->query);
  const bool stops = !is_statistical && r->net->traits.has_stopwatches;
  const bool has_diagonals = r->net->traits.has_diagonals || (r->goal && r->goal->has_diagonals);
#define RULE(condition, sentence)                                                                \
  if (condition)                                                                                 \
    return sentence;
  REFUSALS(RULE)
#undef RULE
  return NULL;
}

static bool is_for_zones(int order) {
  return order == ORDER_RANK || order == ORDER_WAIT || order == ORDER_TW;
}

#define ZONES_ONLY " is for --engine zones only"
#define ONE_THREAD ": use --threads 1"
#define PLAIN_ZONES                                                                              \
  " needs an abstraction that stores plain zones; use --abstraction alu, am, closure or "        \
  "closure-lu+"

// Options that do not go together, as in `--engine local --graph`.
#define CONFLICTS(RULE)                                                                          \
  RULE(!zones && o->bounds == BOUNDS_FLY, "--bounds fly" ZONES_ONLY)                             \
  RULE(!zones && o->bounds == BOUNDS_LAZY, "--bounds lazy" ZONES_ONLY)                           \
  RULE(!zones && o->delay == DELAY_BEFORE, "--delay before" ZONES_ONLY)                          \
  RULE(!zones && o->compact, "--compact" ZONES_ONLY)                                             \
  RULE(!zones && o->graph, "--graph" ZONES_ONLY)                                                 \
  RULE(!zones && o->abstraction == ABSTRACTION_CLOSURE_LU_PLUS,                                  \
       "--abstraction closure-lu+" ZONES_ONLY)                                                   \
  RULE(is_discrete && o->effects & OPTION_ABSTRACTS,                                             \
       "--abstraction is for zones: leave it out, or use --engine zones")                        \
  RULE(is_discrete &&is_for_zones(o->order),                                                     \
       "orders rank, wait and tw are for zones, which cover each other: use bfs or dfs, or "     \
       "--engine zones")                                                                         \
  RULE(o->symmetry == SYMMETRY_ON && (o->bounds == BOUNDS_FLY || o->bounds == BOUNDS_LAZY),      \
       "--symmetry on does not combine with --bounds fly and lazy, which belong to single "      \
       "nodes; use local or global")                                                             \
  RULE(!zones && o->partial_order == PARTIAL_ON, "--partial-order on" ZONES_ONLY)                \
  RULE(o->partial_order == PARTIAL_ON && (o->bounds == BOUNDS_FLY || o->bounds == BOUNDS_LAZY),  \
       "--partial-order on does not combine with --bounds fly and lazy, which are found from "   \
       "all transitions; use local or global")                                                   \
  RULE(o->partial_order == PARTIAL_ON && o->delay == DELAY_BEFORE,                               \
       "--partial-order on needs zones after delay; use --delay after")                          \
  RULE(o->partial_order == PARTIAL_ON && o->graph,                                               \
       "--partial-order on does not combine with --graph, which shows every node")               \
  RULE(several && o->bounds == BOUNDS_FLY,                                                       \
       "--bounds fly changes nodes that others have made" ONE_THREAD)                            \
  RULE(several && o->bounds == BOUNDS_LAZY,                                                      \
       "--bounds lazy changes nodes that others have made" ONE_THREAD)                           \
  RULE(several && o->compact, "--compact needs zones that only one reads" ONE_THREAD)            \
  RULE(several && o->seed, "--seed is there to repeat the same search" ONE_THREAD)               \
  RULE(extrapolates && o->bounds == BOUNDS_FLY, "--bounds fly" PLAIN_ZONES)                      \
  RULE(extrapolates && o->bounds == BOUNDS_LAZY, "--bounds lazy" PLAIN_ZONES)

const char *capabilities_conflict(const Options *o) {
  const bool zones = o->engine == ENGINE_ZONES, several = o->threads != 1;
  const bool is_discrete = o->engine == ENGINE_DARTS || o->engine == ENGINE_POINTS;
  const bool extrapolates = o->abstraction != ABSTRACTION_NONE &&
                            abstraction_covering((Abstraction)o->abstraction) == PROBE_INCLUSION;
#define RULE(condition, sentence)                                                                \
  if (condition)                                                                                 \
    return sentence;
  CONFLICTS(RULE)
#undef RULE
  return NULL;
}
