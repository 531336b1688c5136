#include "discrete/closed.h"

bool closed_accepts(const Net *net, const Goal *goal, const Options *options, const char *engine,
                    Report *report) {
  if (options->abstraction_chosen)
    report_error(report, (Place){0},
                 "--abstraction is for zones: leave it out, or use --engine zones");
  else if (options->order == ORDER_RANK || options->order == ORDER_WAIT ||
           options->order == ORDER_TW)
    report_error(
        report, (Place){0},
        "orders rank, wait and tw are for zones, which cover each other: use bfs or dfs, or "
        "--engine zones");
  else if (net->traits.has_strict)
    report_error(report, net->traits.strict_place,
                 "engine %s counts time in whole units and cannot take a strict constraint on "
                 "clocks; use --engine zones, or `<=` and `>=`",
                 engine);
  else if (net->traits.has_negated)
    report_error(
        report, net->traits.negated_place,
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
