#define _POSIX_C_SOURCE 200809L // truncate
#include "plan/recheck.h"

#include "base/timer.h"
#include "plan/evidence.h"
#include "plan/mapping.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Recheck {
  Mapping mapping;
  double end;
  const MemWatch *outer; // the limits of the query; NULL: none
} Recheck;

static const char *time_is_up(void *state) {
  Recheck *r = state;
  mapping_let_go(&r->mapping); // certificates may be larger than memory
  return timer_seconds() > r->end
             ? "that would take longer than the search took; `tarn certify` checks it"
         : r->outer ? r->outer->reached(r->outer->state)
                    : NULL;
}

static void warn(Tarn *tarn, const char *reason) {
  report_warning(&tarn->report, (Place){0}, "%s: the certificate is unchecked: %s",
                 tarn->options.certificate, reason);
}

// Where a link leads to, an empty file is left. Where the answer compares states without some
// meta variables, the checker may find a goal that the answer leaves out.
static void reject(Tarn *tarn, const char *why) {
  const char *path = tarn->options.certificate;
  const bool is_removed = !truncate(path, 0) && !remove(path);
  report_error(&tarn->report, (Place){0}, "%s: the certificate is %s, %s: %.*s", path,
               is_removed ? "removed" : "no proof",
               tarn->net->slots.is_kept
                   ? "as the checker compares states with all meta variables, and the answer "
                     "does not"
                   : "as the checker rejects it; please report this model as a bug",
               (int)strcspn(why, "\n"), why);
}

static void check(Tarn *tarn, const Recheck *r) {
  Text finding = {.mem = &tarn->mem};
  Report report;
  report_init(&report, &tarn->mem);
  const int result = evidence_check(&tarn->mem, tarn->net, &r->mapping.source, &finding,
                                    (EvidenceKeep){0}, &report);
  if (result != 1)
    reject(tarn, text_chars(result ? &report.error : &finding));
  report_release(&report);
  text_release(&finding);
}

void recheck_certificate(Tarn *tarn, double max_seconds) {
  Mem *mem = &tarn->mem;
  const size_t mark = mem_mark(mem);
  Recheck *const r = mem_alloc(mem, sizeof *r);
  if (!mapping_open(&r->mapping, mem, tarn->options.certificate)) {
    mem_release_to(mem, mark);
    warn(tarn, "it is not in a regular file");
    return;
  }
  r->end = timer_seconds() + max_seconds;
  r->outer = mem->watch;
  MemWatch watch = {.reached = time_is_up, .state = r};
  MemWatch *const outer = mem_watch(mem, &watch);
  jmp_buf *const before = mem->escape;
  jmp_buf escape;
  volatile bool is_done = false;
  if (!GUARD(tarn, escape)) {
    check(tarn, r);
    is_done = true;
  }
  mem->escape = before;
  mem_watch(mem, outer);
  mapping_close(&r->mapping);
  if (!is_done) {
    mem_watch(mem, NULL); // time is up, and the answer is told all the same
    mem_release_to(mem, mark);
    warn(tarn, watch.struck ? watch.struck : "there is too little memory");
  } else {
    mem_free(mem, r);
  }
}
