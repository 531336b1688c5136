#include "local/choice.h"

#include "local/components.h"

// Whether local time can take the model; and whether it suits it: at least half of the pairs of
// actions that set clocks are independent, which separates, with few exceptions, the known
// families that gain.
static bool find_looseness(Mem *mem, const Net *net, bool *is_loose) {
  const size_t mark = mem_mark(mem);
  Arena arena = {.mem = mem};
  Components components;
  Report report;
  report_init(&report, mem);
  const bool found = components_find(&components, &arena, net, &report);
  *is_loose = found && components.independent >= 0.5;
  mem_release_to(mem, mark);
  return found;
}

Engine choice_engine(const Options *options, Mem *mem, const Net *net, const Goal *goal) {
  if (options->engine != ENGINE_AUTO)
    return (Engine)options->engine;
  if (net_is_wide(net))
    return ENGINE_WIDE;
  const bool has_diagonals = net->traits.has_diagonals || (goal && goal->has_diagonals);
  bool is_loose = false;
  if (!options->is_tuned && !has_diagonals)
    find_looseness(mem, net, &is_loose);
  return is_loose ? ENGINE_LOCAL : ENGINE_ZONES;
}

const char *choice_hint(const Options *options, Mem *mem, const Net *net, uint64_t visited) {
  bool is_loose;
  if (visited < CHOICE_LEAST_VISITED ||
      (options->engine != ENGINE_ZONES && options->engine != ENGINE_LOCAL) ||
      !find_looseness(mem, net, &is_loose) || is_loose == (options->engine == ENGINE_LOCAL))
    return NULL;
  return is_loose ? "many actions that set clocks are independent: --engine local may store far "
                    "fewer nodes"
                  : "few actions that set clocks are independent: --engine zones is likely to be "
                    "faster";
}

// What only engine zones knows.
static bool check_engine(const Options *options, Report *report) {
  const char *what = options->bounds == BOUNDS_FLY    ? "--bounds fly"
                     : options->bounds == BOUNDS_LAZY ? "--bounds lazy"
                     : options->delay == DELAY_BEFORE ? "--delay before"
                     : options->compact               ? "--compact"
                     : options->graph                 ? "--graph"
                     : options->abstraction == ABSTRACTION_CLOSURE_LU_PLUS
                         ? "--abstraction closure-lu+"
                         : NULL;
  if (options->engine == ENGINE_ZONES || !what)
    return true;
  report_error(report, (Place){0}, "%s is for --engine zones only", what);
  return false;
}

// Bounds that are found for a node would have to be renamed with it.
static bool check_symmetry(const Options *options, Report *report) {
  if (options->symmetry != SYMMETRY_ON ||
      (options->bounds != BOUNDS_FLY && options->bounds != BOUNDS_LAZY))
    return true;
  report_error(
      report, (Place){0},
      "--symmetry on does not combine with --bounds fly and lazy, which belong to single "
      "nodes; use local or global");
  return false;
}

// What is made for one thread.
static bool check_threads(const Options *options, Report *report) {
  const char *why =
      options->bounds == BOUNDS_FLY    ? "--bounds fly changes nodes that others have made"
      : options->bounds == BOUNDS_LAZY ? "--bounds lazy changes nodes that others have made"
      : options->compact               ? "--compact needs zones that only one reads"
      : options->seed                  ? "--seed is there to repeat the same search"
                                       : NULL;
  if (options->threads == 1 || !why)
    return true;
  report_error(report, (Place){0}, "%s: use --threads 1", why);
  return false;
}

bool choice_is_possible(const Options *options, Report *report) {
  return check_engine(options, report) && check_symmetry(options, report) &&
         check_threads(options, report);
}
