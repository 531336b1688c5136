#include "plan/choice.h"

#include "analysis/components.h"

// Whether local time can take the model; and whether it suits it: at least half of the pairs of
// actions that set clocks are independent, which separates, with few exceptions, the known
// families that gain.
static bool find_looseness(Mem *mem, const Net *net, bool *is_loose) {
  const size_t mark = mem_mark(mem);
  Arena arena = {.mem = mem};
  Components components;
  const bool found = components_find(&components, &arena, net, &(Report){0});
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
  if (!(options->effects & OPTION_TUNES) && !has_diagonals)
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

// What is asked for and only engine zones knows; NULL: nothing.
static const char *find_global(const Options *options) {
  return options->bounds == BOUNDS_FLY                         ? "--bounds fly"
         : options->bounds == BOUNDS_LAZY                      ? "--bounds lazy"
         : options->delay == DELAY_BEFORE                      ? "--delay before"
         : options->compact                                    ? "--compact"
         : options->graph                                      ? "--graph"
         : options->abstraction == ABSTRACTION_CLOSURE_LU_PLUS ? "--abstraction closure-lu+"
                                                               : NULL;
}

// Why it is made for one thread; NULL: it is not.
static const char *find_single(const Options *options) {
  return options->bounds == BOUNDS_FLY    ? "--bounds fly changes nodes that others have made"
         : options->bounds == BOUNDS_LAZY ? "--bounds lazy changes nodes that others have made"
         : options->compact               ? "--compact needs zones that only one reads"
         : options->seed                  ? "--seed is there to repeat the same search"
                                          : NULL;
}

bool choice_is_possible(const Options *options, Report *report) {
  const char *global = find_global(options), *single = find_single(options);
  if (global && options->engine != ENGINE_ZONES)
    report_error(report, (Place){0}, "%s is for --engine zones only", global);
  else if (options->symmetry == SYMMETRY_ON &&
           (options->bounds == BOUNDS_FLY || options->bounds == BOUNDS_LAZY))
    // Bounds that are found for a node would have to be renamed with it.
    report_error(
        report, (Place){0},
        "--symmetry on does not combine with --bounds fly and lazy, which belong to single "
        "nodes; use local or global");
  else if (single && options->threads != 1)
    report_error(report, (Place){0}, "%s: use --threads 1", single);
  else
    return true;
  return false;
}
