#define _POSIX_C_SOURCE 200809L
#include "plan/session.h"

#include "base/spill.h"
#include "base/timer.h"
#include "plan/available.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

_Noreturn void session_misuse(const char *function) {
  fprintf(stderr, "%s: called in a wrong state; see tarn.h\n", function);
  abort();
}

SessionUser *session_enter(const Tarn *tarn, const char *function) {
  static _Thread_local char here;
  uintptr_t before = 0;
  if (!tarn)
    session_misuse(function);
  if (atomic_compare_exchange_strong(tarn->user, &before, (uintptr_t)&here))
    return tarn->user;
  if (before == (uintptr_t)&here)
    return NULL;
  fprintf(stderr, "%s: another thread uses this Tarn; see tarn.h\n", function);
  abort();
}

void session_leave(SessionUser *const *user) {
  if (*user)
    atomic_store(*user, 0);
}

// From now on the call may use no more memory than the user, or the system, allows.
void session_limit_memory(Tarn *tarn) {
  enum { SHARE = 85 }; // percent of what is available
  size_t limit = (size_t)tarn->options.memory_limit << 20;
  if (!limit && !tarn->available)
    tarn->available = tarn->mem.bytes + available_memory() / 100 * SHARE /
                                            (tarn->link ? tarn->link->neighbours : 1) /
                                            (tarn->share ? tarn->share : 1);
  snprintf(tarn->memory_reason, sizeof tarn->memory_reason, "memory limit");
  if (!limit && tarn->available > tarn->mem.bytes) {
    limit = tarn->available;
    snprintf(tarn->memory_reason, sizeof tarn->memory_reason,
             "memory limit: %zu MiB, %d %% of what was available", limit >> 20, SHARE);
  }
  tarn->mem.limit = tarn->limit = limit;
  if (tarn->mem.spill)
    spill_limit(tarn->mem.spill, limit);
}

const char *session_time_limit(void *state) {
  Tarn *tarn = state;
  const double limit = tarn->options.time_limit;
  tarn->stats.seconds = timer_seconds() - tarn->began; // progress is shown by `terminate`
  return limit > 0 && tarn->stats.seconds + tarn->reading > limit    ? "time limit"
         : tarn->terminate && tarn->terminate(tarn->terminate_state) ? "interrupted"
                                                                     : NULL;
}

void session_limit(Tarn *tarn) {
  session_limit_memory(tarn);
  tarn->watch = (MemWatch){.reached = session_time_limit, .state = tarn};
  mem_watch(&tarn->mem, &tarn->watch);
}

void session_unlimit(Tarn *tarn) {
  mem_watch(&tarn->mem, NULL);
  tarn->mem.escape = NULL;
  tarn->mem.limit = 0;
}

const char *session_reason(const Tarn *tarn) {
  const Spill *spill = tarn->mem.spill;
  return tarn->watch.struck              ? tarn->watch.struck
         : spill && spill_is_full(spill) ? "the disk is full"
         : tarn->mem.limit               ? tarn->memory_reason
                                         : "out of memory";
}

void session_ran_out(Tarn *tarn, const char *during) {
  const char *const reason = session_reason(tarn);
  session_unlimit(tarn);
  if (!tarn->answers.size)
    tarn->verdict = VERDICT_UNDECIDED;
  report_error(&tarn->report, (Place){0}, "%s%s", reason, during);
}

bool session_open_disk(Tarn *tarn) {
  const char *folder = tarn->options.disk;
  if (!folder || tarn->mem.spill)
    return true;
  tarn->mem.spill = spill_open(folder);
  if (!tarn->mem.spill)
    report_error(&tarn->report, (Place){0}, "%s: there can be no file in this folder: %s", folder,
                 strerror(errno));
  else
    session_limit_memory(tarn);
  return tarn->mem.spill;
}

// Makes the folder for checkpoints if it is not there. Returns whether files can be made in it.
static bool can_save(Tarn *tarn) {
  const char *folder = tarn->options.checkpoint;
  if (!folder)
    return true;
  if (mkdir(folder, 0777) && errno != EEXIST)
    return report_error(&tarn->report, (Place){0}, "%s: this folder cannot be made: %s", folder,
                        strerror(errno));
  Text path = {.mem = &tarn->mem};
  text_addf(&path, "%s/tarn.checkpoint.new", folder);
  const bool ok = source_is_writable(text_chars(&path), &tarn->report);
  text_release(&path);
  return ok;
}

// What is to be written can be; better known before the search than after it.
bool session_can_write(Tarn *tarn) {
  const Options *options = &tarn->options;
  return (!options->certificate || source_is_writable(options->certificate, &tarn->report)) &&
         (!options->graph || source_is_writable(options->graph, &tarn->report)) &&
         can_save(tarn) && session_open_disk(tarn);
}

// With --strict a warning is an error; false if there is one.
bool session_is_clean(Tarn *tarn) {
  Report *report = &tarn->report;
  if (!tarn->options.strict || !report->warnings.size)
    return true;
  text_add(&report->error, text_chars(&report->warnings));
  text_add(&report->error, "with --strict a warning is an error\n");
  text_clear(&report->warnings);
  return false;
}

// At the end of a call, when nothing else will be released: keeps the messages.
void session_keep_messages(Tarn *tarn) {
  text_add(&tarn->warnings, text_chars(&tarn->report.warnings));
  text_add(&tarn->errors, text_chars(&tarn->report.error));
}

// Before a call whose allocations may be dropped as a whole: what outlives them comes first.
size_t session_begin(Tarn *tarn) {
  tarn->began = timer_seconds();
  text_release(&tarn->composed);
  text_release(&tarn->composed_of);
  report_clear(&tarn->report);
  text_add(&tarn->report.error, "");
  text_add(&tarn->report.warnings, "");
  return mem_mark(&tarn->mem);
}

void session_tell_ignored(Tarn *tarn, const Net *net) {
  const char *ignored = net->origin.ignored;
  if (!ignored || tarn->told_number == tarn->net_number)
    return;
  report_warning(&tarn->report, (Place){0}, "%s", ignored);
  tarn->told_number = tarn->net_number;
}

bool session_is_symbolic(Tarn *tarn) {
  const char *obstacles = tarn->net->origin.obstacles;
  if (obstacles)
    text_add(&tarn->report.error, obstacles);
  else
    session_tell_ignored(tarn, tarn->net);
  return !obstacles;
}

bool session_read_source(Tarn *tarn, Source *source, const char *path) {
  return source_read(source, &tarn->mem, path, SOURCE_MAX_MODEL, &tarn->report);
}

bool session_read_evidence(Tarn *tarn, Source *source, const char *path) {
  return source_read(source, &tarn->mem, path, SOURCE_MAX_EVIDENCE, &tarn->report);
}

bool session_take_evidence(Tarn *tarn, Source *source, const char *path, const char *text) {
  if (path)
    return session_read_evidence(tarn, source, path);
  const size_t size = strlen(text);
  *source =
      (Source){.name = "<text>", .text = mem_copy_text(&tarn->mem, text, size), .size = size};
  return true;
}
