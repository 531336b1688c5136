#include "local/choice.h"

#include "local/components.h"

// The caller releases the memory.
static bool find_components(Components *components, Mem *mem, const Net *net) {
  Arena arena = {.mem = mem};
  Report report;
  report_init(&report, mem);
  return components_find(components, &arena, net, &report);
}

// Whether local time suits the model: most pairs of its actions are independent.
static bool is_loose(Mem *mem, const Net *net) {
  const size_t mark = mem_mark(mem);
  Components components;
  const bool result = find_components(&components, mem, net) && components_are_loose(&components);
  mem_release_to(mem, mark);
  return result;
}

Engine choice_engine(const Options *options, Mem *mem, const Net *net, const Goal *goal) {
  if (options->engine != ENGINE_AUTO)
    return (Engine)options->engine;
  if (net_is_wide(net))
    return ENGINE_WIDE;
  const bool has_diagonals = net->traits.has_diagonals || (goal && goal->has_diagonals);
  return !options->is_tuned && !has_diagonals && is_loose(mem, net) ? ENGINE_LOCAL : ENGINE_ZONES;
}

const char *choice_hint(const Options *options, Mem *mem, const Net *net, uint64_t visited) {
  if (visited < CHOICE_LEAST_VISITED ||
      (options->engine != ENGINE_ZONES && options->engine != ENGINE_LOCAL))
    return NULL;
  const size_t mark = mem_mark(mem);
  Components components;
  const char *hint = find_components(&components, mem, net)
                         ? components_hint(&components, options->engine == ENGINE_LOCAL)
                         : NULL;
  mem_release_to(mem, mark);
  return hint;
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
