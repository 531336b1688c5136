#define _POSIX_C_SOURCE 200809L
#include "plan/refuse.h"

#include "answers/queries/bounds.h"
#include "answers/queries/liveness.h"
#include "language/source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

// Makes the folder for checkpoints if it is not there. Returns whether files can be made in it.
static bool can_save(Tarn *tarn) {
  const char *folder = tarn->options.checkpoint;
  if (!folder)
    return true;
  if (mkdir(folder, 0777) && errno != EEXIST) {
    report_error(&tarn->report, (Place){0}, "%s: this folder cannot be made: %s", folder,
                 strerror(errno));
    return false;
  }
  Text path = {.mem = &tarn->mem};
  text_addf(&path, "%s/tarn.checkpoint.new", folder);
  const bool ok = source_is_writable(text_chars(&path), &tarn->report);
  text_release(&path);
  return ok;
}

// What is to be written can be; better known before the search than after it.
bool refuse_unwritable(Tarn *tarn) {
  const Options *options = &tarn->options;
  return (!options->certificate || source_is_writable(options->certificate, &tarn->report)) &&
         (!options->graph || source_is_writable(options->graph, &tarn->report)) &&
         can_save(tarn) && session_open_disk(tarn);
}

static const char *deadlock_refusal(const Check *check) {
  const Options *options = &check->tarn->options;
  if (options->engine != ENGINE_AUTO && options->engine != ENGINE_ZONES)
    return "`deadlock` is answered by the engine zones only";
  return NULL;
}

// What engine wide cannot do, of a model that needs it.
static const char *wide_refusal(const Check *check) {
  const Options *options = &check->tarn->options;
  const QueryKind kind = check->query.kind;
  if (options->certificate)
    return "there are no certificates for clock constants above 67108864 without a common "
           "divisor "
           "that makes them smaller";
  if (options->trace == TRACE_SYMBOLIC)
    return "there are no symbolic runs for clock constants above 67108864 without a common "
           "divisor "
           "that makes them smaller; use --trace concrete";
  if (check->has_query && (check->goal.ends || (kind != QUERY_REACH && kind != QUERY_INVARIANT)))
    return "only `E<>` and `A[]` without `deadlock` are answered for clock constants above "
           "67108864 without a common divisor that makes them smaller";
  return NULL;
}

static const char no_checkpoints[] =
    "there are no checkpoints for this query, which takes several searches: leave out "
    "--checkpoint and --resume";

// Why the query cannot be decided; NULL if it can.
static const char *refusal(const Check *check) {
  if (net_is_wide(&check->tarn->net) && wide_refusal(check))
    return wide_refusal(check);
  if (!check->has_query)
    return NULL;
  switch (check->query.kind) {
  case QUERY_REACH:
  case QUERY_INVARIANT:
    return check->goal.ends ? deadlock_refusal(check) : NULL;
  case QUERY_POSSIBLY:
  case QUERY_EVENTUALLY:
  case QUERY_LEADS_TO:
  case QUERY_BUCHI:
    if (check->tarn->options.checkpoint || check->tarn->options.resume)
      return no_checkpoints;
    if (check->tarn->options.graph)
      return "there is no graph for this query";
    return liveness_refusal(&check->query);
  case QUERY_SUP:
  case QUERY_INF:
  case QUERY_BOUNDS:
    if (check->tarn->options.checkpoint || check->tarn->options.resume)
      return no_checkpoints;
    break;
  }
  return bounds_refusal(&check->query, &check->tarn->options);
}

bool refuse(Check *check) {
  const char *reason = refusal(check);
  if (!reason)
    return false;
  check->answer->verdict = VERDICT_REFUSED;
  check->answer->reason = reason;
  check->tarn->verdict = VERDICT_REFUSED;
  arena_release(&check->arena);
  return true;
}
