#include "plan/engines.h"

#include "plan/capabilities.h"
#include "search/space/masked.h"
#include "semantics/discrete/darts.h"
#include "semantics/discrete/points.h"
#include "semantics/discrete/tickrename.h"
#include "semantics/local/local.h"
#include "semantics/wide/wide.h"
#include "semantics/zone/partialorder.h"
#include "semantics/zone/reduce.h"
#include "semantics/zone/zones.h"

typedef Space *MakeSpace(Mem *, const Net *, const Goal *, const Options *, Report *);

static MakeSpace *const makers[] = {
    [ENGINE_AUTO] = zones_new,  [ENGINE_ZONES] = zones_new,   [ENGINE_LOCAL] = local_new,
    [ENGINE_DARTS] = darts_new, [ENGINE_POINTS] = points_new, [ENGINE_WIDE] = wide_new};

// Whether states are compared without the meta variables that are kept: in one thread, where
// nothing else is asked of the nodes. Else they are compared with them, which is exact.
static bool ignores_meta(const Check *check, const Options *options) {
  return check->net->slots.is_kept && options->threads == 1 && !check->tarn->link &&
         !options->graph && !options->checkpoint && !options->resume;
}

Space *engines_space(Check *check, Mem *mem, const Options *options) {
  Report *report = &check->tarn->report;
  const char *conflict = capabilities_conflict(options);
  if (conflict) {
    report_error(report, (Place){0}, "%s", conflict);
    return NULL;
  }
  Space *space = makers[options->engine](mem, check->net, check->has_query ? &check->goal : NULL,
                                         options, report);
  if (space && ignores_meta(check, options))
    return masked_new(check->net, space);
  if (!space)
    return NULL;
  const bool is_discrete = options->engine == ENGINE_DARTS || options->engine == ENGINE_POINTS;
  const bool is_renamed = check->symmetry.count && options->symmetry != SYMMETRY_OFF;
  if (is_renamed && is_discrete)
    tickrename_attach(space, &check->symmetry);
  else if (is_renamed && options->engine != ENGINE_WIDE)
    reduce_attach(space, &check->symmetry, !options->certificate);
  if (options->is_reduced)
    partialorder_attach((Zones *)space);
  return space;
}
