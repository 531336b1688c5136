#include "plan/mutating.h"

#include "answers/runs/alike.h"
#include "plan/handle.h"

long mutating_find(Tarn *tarn, const char *operators) {
  uint32_t kinds;
  jmp_buf escape;
  volatile long found = -1;
  session_begin(tarn);
  mutants_release(&tarn->mutants);
  if (!mutants_choose(&kinds, operators, &tarn->report))
    return -1;
  session_limit(tarn);
  if (GUARD(tarn, escape)) {
    session_ran_out(tarn, " while the mutants were made");
  } else {
    tarn->mutants.text = tarn->source.text;
    tarn->mutants.size = tarn->source.size;
    tarn->mutants.kinds = kinds;
    mutants_find(&tarn->mutants, tarn->net->origin.uppaal != NULL);
    found = tarn->mutants.list.size;
  }
  session_unlimit(tarn);
  session_keep_messages(tarn);
  return found;
}

int mutating_compare(Tarn *tarn, const Tarn *other, size_t *states, int *is_all) {
  const size_t mark = session_begin(tarn);
  uint32_t nodes = *states < UINT32_MAX ? (uint32_t)*states : UINT32_MAX;
  bool is_whole = false;
  jmp_buf escape;
  volatile int result = -1;
  session_limit(tarn);
  if (GUARD(tarn, escape)) {
    session_ran_out(tarn, " while the models were compared");
  } else if (session_is_symbolic(tarn)) {
    const Alike found = other->net->origin.obstacles
                            ? ALIKE_UNKNOWN
                            : alike_compare(&tarn->mem, tarn->net, other->net, &nodes, &is_whole);
    if (found == ALIKE_UNKNOWN)
      report_error(&tarn->report, (Place){0}, "these models cannot be compared");
    else
      result = found == ALIKE_SAME;
    *states = nodes;
    *is_all = is_whole;
  }
  session_unlimit(tarn);
  handle_release_to(tarn, NULL, mark);
  session_keep_messages(tarn);
  return result;
}
