#include "plan/resume.h"

#include "plan/machines.h"
#include "search/save/restore.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

// Options that say how a search is made; what else there is may change.
static bool is_of_search(const OptionInfo *info) {
  static const char *const others[] = {"trace",        "prefer", "time-limit",
                                       "memory-limit", "strict", "threads",
                                       "non-zeno",     "every",  "explain"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(info->name, others[i]))
      return false;
  return info->offset != OPTION_COMMAND && info->kind != OPTION_TEXT;
}

// What the search is of, in lines.
static const char *head_of(Check *check, const Options *options) {
  const Tarn *tarn = check->tarn;
  Text head = {.mem = &check->tarn->mem};
  text_addf(&head, "version %s\nmodel %016" PRIx64 "\nquery %s\n", TARN_VERSION,
            (uint64_t)XXH3_64bits(tarn->source.text, tarn->source.size),
            check->answer->query ? check->answer->query : "(none)");
  const OptionInfo *info;
  for (uint32_t i = 0; (info = options_at(i)); i++) {
    if (!is_of_search(info))
      continue;
    text_addf(&head, "%s ", info->name);
    options_value(&head, options, info);
    text_add(&head, "\n");
  }
  text_addf(&head, "define %s\n", tarn->net->origin.define ? tarn->net->origin.define : "");
  text_addf(&head, "symmetry %s\n", check->answer->symmetry);
  return arena_keep(&check->arena, &head);
}

static const char *refusal(const Check *check) {
  return check->space->passed || check->space->exchange.forget
             ? NULL
             : "there are no checkpoints of engine wide";
}

// What a rank tells of the checkpoint that it read.
typedef struct Reading {
  bool ok;
  char why[1000];
} Reading;

// All ranks go on from the checkpoint, or none.
static bool agree(Link *link, bool ok, Text *why) {
  Reading reading = {.ok = ok};
  snprintf(reading.why, sizeof reading.why, "%s", ok ? "" : text_chars(why));
  if (link->rank) {
    link_tell(link, 0, &reading, sizeof reading);
    link_hear_into(link, 0, &reading, sizeof reading);
    return reading.ok;
  }
  for (uint32_t rank = 1; rank < link->ranks; rank++) {
    link_hear_into(link, rank, &reading, sizeof reading);
    if (ok && !reading.ok) {
      ok = false;
      text_clear(why);
      text_addf(why, "process %" PRIu32 ": %s", rank, reading.why);
    }
  }
  reading.ok = ok;
  for (uint32_t rank = 1; rank < link->ranks; rank++)
    link_tell(link, rank, &reading, sizeof reading);
  return ok;
}

static void set_escape(const Peers *peers, jmp_buf *escape) {
  for (uint32_t i = 0; i < peers->count; i++)
    peers->mems[i]->escape = escape;
}

// A process that others wait for reads to the end, or says that it could not: limits of time wait
// until the search has begun.
static bool read_together(Check *check, const char *folder, Text *why) {
  Mem *mem = &check->tarn->mem;
  const Peers *peers = check->reach.peers;
  MemWatch *const watch = mem_watch(mem, NULL);
  jmp_buf *const outer = mem->escape;
  jmp_buf escape;
  volatile bool ok = false, is_exhausted = true;
  mem->escape = &escape;
  set_escape(peers, &escape);
  if (!setjmp(escape)) {
    ok = restore_read(&check->reach, folder, why);
    is_exhausted = false;
  }
  mem->escape = outer;
  set_escape(peers, outer);
  mem_watch(mem, watch);
  if (is_exhausted) {
    mem->limit = 0; // the search is not made: there is room for the reason
    text_clear(why);
    text_add(why, "memory ran out");
  }
  return agree(peers->link, ok, why);
}

static bool go_on(Check *check, const char *folder, bool is_strict) {
  Report *report = &check->tarn->report;
  const Peers *peers = check->reach.peers;
  Mem *mem = &check->tarn->mem;
  Text why = {.mem = mem};
  const bool ok = peers->link ? read_together(check, folder, &why)
                              : restore_read(&check->reach, folder, &why);
  const size_t limit = mem->limit;
  mem->limit = 0; // others may have begun the search: there is room for a message
  if (!ok)
    report_error(report, (Place){0}, "%s: cannot go on from the checkpoint: %s", folder,
                 text_chars(&why));
  else if (!is_strict)
    report_warning(report, (Place){0}, "goes on from a checkpoint after %s", text_chars(&why));
  text_release(&why);
  mem->limit = limit;
  return ok;
}

static bool attach(Check *check, const Options *options, Checkpoint *checkpoint) {
  const Peers *peers = check->reach.peers;
  if (!options->checkpoint && !options->resume)
    return true;
  const char *why_not = refusal(check);
  if (why_not)
    return report_error(&check->tarn->report, (Place){0}, "%s", why_not);
  *checkpoint = (Checkpoint){.folder = options->checkpoint, .every = options->every};
  if (check->goal.ends)
    checkpoint->doubtful = &check->deadgoal.doubtful;
  if (!peers->link || !peers->link->rank)
    checkpoint->head = head_of(check, options);
  checkpoint_attach(&check->reach, checkpoint);
  return true;
}

bool resume_begin(Check *check, const Options *options, Checkpoint *checkpoint) {
  return machines_agree(check, attach(check, options, checkpoint)) &&
         (!options->resume || go_on(check, options->resume, options->strict));
}

void resume_end(Check *check, const Checkpoint *checkpoint) {
  if (check->reach.checkpoint && checkpoint->error)
    report_warning(&check->tarn->report, (Place){0}, "%s: a checkpoint could not be written: %s",
                   checkpoint->folder, strerror(checkpoint->error));
  checkpoint_detach(&check->reach);
}
