#include "plan/service/service_lint.h"

#include "answers/queries/lint.h"
#include "base/timer.h"

#include <string.h>

typedef struct Stop {
  double end;
  bool (*stop)(void *state);
  void *state;
} Stop;

static const char *reached(void *state) {
  const Stop *s = state;
  return timer_seconds() > s->end || (s->stop && s->stop(s->state)) ? "time limit" : NULL;
}

// The document owns what is kept: the findings go with their own memory.
static void keep(ServiceDocument *d, const Lint *lint) {
  for (uint32_t i = 0; i < lint->findings.size; i++) {
    const Finding *f = &lint->findings.items[i];
    if (f->level == LINT_UNDECIDED)
      continue;
    const ServiceFinding kept = {.place = f->place,
                                 .kind = lint_kind(f->kind),
                                 .text = arena_text(&d->arena, f->text, strlen(f->text)),
                                 .is_note = f->level == LINT_NOTE,
                                 .is_unused = f->kind == LINT_CLOCK || f->kind == LINT_VARIABLE ||
                                              f->kind == LINT_SYNC};
    vec_push(&d->mem, &d->findings, kept);
  }
}

void service_lint(ServiceDocument *d, bool (*stop)(void *state), void *state) {
  d->findings.size = 0;
  if (!d->has_model || d->language == SERVICE_QUERIES || d->net.reading.is_statistical)
    return;
  Mem mem = {.limit = SERVICE_MAX_BYTES};
  Stop limit = {timer_seconds() + SERVICE_LINT_SECONDS, stop, state};
  MemWatch watch = {.reached = reached, .state = &limit};
  Statistics stats = {0};
  Lint lint = {.mem = &mem, .net = &d->net, .limits = &watch, .stats = &stats};
  Report report;
  report_init(&report, &mem);
  jmp_buf escape;
  mem.escape = &escape;
  mem_watch(&mem, &watch);
  if (!setjmp(escape) && lint_run(&lint, &report))
    keep(d, &lint);
  mem_watch(&mem, NULL);
  mem_release(&mem);
}
