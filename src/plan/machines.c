#include "plan/machines.h"

#include <string.h>

// Texts that are NULL are not there.
static void tell_all(Link *link, Said said, const char *const *texts, Mem *mem) {
  size_t size = sizeof said;
  for (uint32_t i = 0; texts && i < SAY_TEXTS; i++) {
    said.bytes[i] = texts[i] ? (uint32_t)strlen(texts[i]) + 1 : 0;
    size += said.bytes[i];
  }
  char *bytes = mem_alloc(mem, size), *at = bytes + sizeof said;
  memcpy(bytes, &said, sizeof said);
  for (uint32_t i = 0; texts && i < SAY_TEXTS; at += said.bytes[i], i++)
    if (texts[i])
      memcpy(at, texts[i], said.bytes[i]);
  for (uint32_t rank = 1; rank < link->ranks; rank++)
    link_tell(link, rank, bytes, size);
  mem_free(mem, bytes);
}

const char *machines_text(const Said *said, uint32_t text) {
  const char *at = (const char *)(said + 1);
  for (uint32_t i = 0; i < text; i++)
    at += said->bytes[i];
  return said->bytes[text] ? at : NULL;
}

static void tell_model(Tarn *tarn) {
  const char *texts[SAY_TEXTS] = {[SAY_NAME] = tarn->source.name,
                                  [SAY_TEXT] = tarn->source.text,
                                  [SAY_DEFINE] = tarn->net->origin.define};
  tell_all(tarn->link, (Said){.kind = SAY_MODEL}, texts, &tarn->mem);
  tarn->has_told_model = true;
}

// What is made for one worker, or for the nodes of one process.
static bool is_for_all(const Check *check, const Options *options, uint64_t max_visited) {
  const QueryKind kind = check->query.kind;
  // Of points and darts that are renamed, the way is in one process only.
  if (check->space->passed && check->symmetry.count)
    return false;
  return !check->goal.ends && !max_visited && !options->graph && !options->compact &&
         !options->seed && options->bounds != BOUNDS_FLY && options->bounds != BOUNDS_LAZY &&
         (!check->has_query || kind == QUERY_REACH || kind == QUERY_INVARIANT);
}

Link *machines_begin(Check *check, const Options *options, uint64_t max_visited,
                     uint32_t threads) {
  Tarn *tarn = check->tarn;
  Link *link = tarn->link;
  if (!link || link->rank)
    return link;
  if (!is_for_all(check, options, max_visited)) {
    report_warning(&tarn->report, (Place){0},
                   "this search is made by one process alone; the others wait");
    return NULL;
  }
  if (!tarn->has_told_model)
    tell_model(tarn);
  const char *texts[SAY_TEXTS] = {[SAY_QUERY] = check->has_query ? check->answer->query : "",
                                  [SAY_DISK] = options->disk,
                                  [SAY_CHECKPOINT] = options->checkpoint,
                                  [SAY_RESUME] = options->resume};
  Said said = {.kind = SAY_SEARCH,
               .has_query = check->has_query,
               .is_labels = check->answer->is_labels,
               .has_certificate = options->certificate,
               .options = *options};
  said.options.certificate = said.options.graph = said.options.disk = NULL;
  said.options.checkpoint = said.options.resume = said.options.define = NULL;
  said.options.threads = (int)threads;
  said.options.time_limit = 0;
  said.options.strict = false;
  tell_all(link, said, texts, &tarn->mem);
  check->is_awaited = true;
  return link;
}

bool machines_agree(Check *check, bool ok) {
  Link *link = check->tarn->link;
  if (!check->is_awaited)
    return ok;
  check->is_awaited = false;
  bool are_all = ok, is_other;
  for (uint32_t rank = 1; !link->rank && rank < link->ranks; rank++) {
    link_hear_into(link, rank, &is_other, sizeof is_other);
    are_all &= is_other;
  }
  for (uint32_t rank = 1; !link->rank && rank < link->ranks; rank++)
    link_tell(link, rank, &are_all, sizeof are_all);
  if (link->rank) {
    link_tell(link, 0, &ok, sizeof ok);
    link_hear_into(link, 0, &are_all, sizeof are_all);
  }
  if (ok && !are_all)
    mem_exhausted(&check->tarn->mem);
  return ok;
}

void machines_leave(Tarn *tarn) {
  Link *link = tarn->link;
  if (!link)
    return;
  if (!link->rank)
    tell_all(link, (Said){.kind = SAY_END}, NULL, &tarn->mem);
  link->close(link);
  tarn->link = NULL;
}
