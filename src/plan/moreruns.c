#include "plan/moreruns.h"

#include "answers/runs/differ.h"

typedef struct More {
  Check *check;
  DifferUsed used;
  Trace trace; // the last one that was found
  ReachResult result;
} More;

static bool find(void *state) {
  More *more = state;
  Check *check = more->check;
  Tarn *tarn = check->tarn;
  const DifferSearch search = {.mem = &tarn->mem,
                               .used = &more->used,
                               .query = &check->query,
                               .kind = (TraceKind)tarn->options.trace,
                               .stats = &(Statistics){0},
                               .max = 10000};
  more->result = differ_find(&search, &more->trace);
  return more->result == REACH_GOAL || more->result == REACH_NONE;
}

static const char *name_new(More *more, const Run *run) {
  Mem *mem = &more->check->tarn->mem;
  Text names = {.mem = mem};
  differ_add(&more->used, run, &names);
  return text_keep(&names, mem);
}

static const char *ended(const More *more, bool ok) {
  static const char *const all[] = {
      [DIFFER_EDGES] = "every other run to it takes edges of these only",
      [DIFFER_LOCATIONS] = "every other run to it enters locations of these only",
      [DIFFER_PROCESSES] = "every other run to it moves processes of these only"};
  return ok ? all[more->used.by] : "the search for another one reached a limit";
}

void moreruns_find(Check *check,
                   bool (*attempt)(Check *, bool (*find)(void *state), void *state)) {
  Tarn *tarn = check->tarn;
  Answer *answer = check->answer;
  const uint32_t wanted = (uint32_t)tarn->options.traces;
  const QueryKind kind = check->query.kind;
  if (wanted < 2 || !check->has_query || (kind != QUERY_REACH && kind != QUERY_INVARIANT))
    return;
  Arena arena = {.mem = &tarn->mem};
  More more = {.check = check};
  differ_init(&more.used, &arena, check->model, (Differ)tarn->options.differ);
  answer->more = mem_alloc(&tarn->mem, sizeof *answer->more * wanted);
  answer->covers = name_new(&more, &answer->trace.run);
  while (answer->more_count + 1 < wanted) {
    const bool ok = attempt(check, find, &more);
    if (!ok || more.result != REACH_GOAL) {
      answer->more_end = ended(&more, ok);
      break;
    }
    const char *covers = name_new(&more, &more.trace.run);
    answer->more[answer->more_count++] = (MoreRun){.trace = more.trace, .covers = covers};
  }
  arena_release(&arena);
}
