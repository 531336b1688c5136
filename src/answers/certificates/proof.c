#define _POSIX_C_SOURCE 200809L
#include "answers/certificates/proof.h"

#include "analysis/diagonals.h"
#include "answers/certificates/certifiable.h"
#include "answers/certificates/pointproof.h"
#include "answers/certificates/runsproof.h"
#include "answers/certificates/wideproof.h"
#include "answers/runs/trace.h"
#include "base/testbuild.h"
#include "check/certify.h"
#include "check/pointset.h"
#include "check/replay.h"
#include "semantics/discrete/points.h"
#include "semantics/wide/wide.h"
#include "semantics/zone/abstraction.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CHECKED_NODES = 3000 }; // of searches whose proof is checked unbidden
// Nodes that a search for the proof may visit. A certificate of few zones is better than one of
// points; of too many points there is none.
enum { FEW_ZONES = LOWERED(3000, 3000, 1), MAX_UNBIDDEN = 30000, POINTS_PER_NODE = 50 };
// A search whose nodes stand for no more than their zones may visit so many times as many nodes.
enum { INCLUSIVE_GROWTH = 20 };
// Nodes with all values of meta variables, before dead ones are set back: not every checker reads
// certificates without these.
enum { FEW_KEPT = LOWERED(50000, 50000, 3) };

// Whether the nodes of the search are a proof: not if transitions were left out.
static bool is_certifiable(const Proof *proof) {
  const Engine engine = (Engine)proof->options->engine;
  return (engine == ENGINE_ZONES || engine == ENGINE_LOCAL) && !proof->reach->space->is_pruned;
}

static void add_options(Text *text, const Options *options) {
  const OptionInfo *info;
  for (uint32_t i = 0; (info = options_at(i)); i++) {
    if (info->offset == OPTION_COMMAND || info->kind != OPTION_CHOICE ||
        !strcmp(info->name, "trace"))
      continue;
    text_addf(text, " --%s ", info->name);
    options_value(text, options, info);
  }
}

// The nodes of a search: in zones, or in points.
static bool write_nodes(const Proof *proof, FILE *file, Reach *reach, bool is_points) {
  const bool is_own = reach == proof->reach;
  Text origin = {.mem = proof->mem};
  text_add(&origin, is_own      ? "the search with"
                    : is_points ? "a search in points, in place of one with"
                                : "a search in zones, in place of one with");
  add_options(&origin, proof->options);
  CertificateGoal goal = proof->about;
  goal.origin = text_chars(&origin);
  goal.is_local = is_own && !proof->about.sccs && proof->options->engine == ENGINE_LOCAL;
  goal.leaves_out = reach->stats->left_out > 0; // of all processes
  for (uint32_t i = 0; i < reach->peers->count; i++)
    goal.leaves_out |= reach->peers->members[i]->space->left_out > 0;
  const bool ok = is_points ? pointproof_write(file, proof->mem, proof->net, reach->space, &goal)
                  : goal.is_timed ? runsproof_write(file, proof->mem, proof->net, reach, &goal)
                  : net_is_wide(proof->net)
                      ? wideproof_write(file, proof->mem, proof->net, reach, &goal)
                      : certificate_write(file, proof->mem, proof->net, reach, &goal);
  text_release(&origin);
  return ok;
}

// The net of a search for the proof, and its goal.
typedef struct Searched {
  const Net *net;
  const Goal *goal;
  const ForgetList *forgotten; // that the net sets back; NULL: nothing
} Searched;

// False with errno 0 if the nodes are not closed, with EINTR if the search was stopped or cannot
// begin, with ERANGE if it failed: bounds of zones can be too large where moments of
// discrete time are not. EEXIST: it found what the proof's search did not.
static bool write_in(const Proof *proof, FILE *file, const Searched *in, bool is_points,
                     uint64_t max) {
  const bool is_wide = net_is_wide(proof->net);
  Options options;
  options_init(&options);
  if (proof->about.is_m)
    options.abstraction = ABSTRACTION_AM;
  if (proof->inclusion) {
    options.abstraction =
        proof->inclusion == PROOF_EXACT ? ABSTRACTION_NONE : ABSTRACTION_EXTRA_M;
    options.may_exceed = true;
  }
  if (is_wide && !abstraction_is_sound(ABSTRACTION_ALU, proof->net, proof->goal, false))
    options.abstraction = ABSTRACTION_NONE;
  Space *space = (is_points ? points_new
                  : is_wide ? wide_new
                            : zones_new)(proof->mem, in->net, in->goal, &options,
                                         is_points ? &(Report){0} : proof->report);
  errno = EINTR;
  if (!space)
    return false;
  if (proof->goal && proof->goal->ends) // the checker itself looks for deadlocks
    space->is_goal = NULL;
  Reach reach;
  Statistics stats = {0};
  reach_init(&reach, proof->mem, space, is_points ? ORDER_BFS : (SearchOrder)options.order,
             &stats);
  reach.max_visited = max;
  const ReachResult result = reach_run(&reach);
  errno = result == REACH_STOPPED  ? EINTR
          : result == REACH_FAILED ? ERANGE
          : result == REACH_GOAL   ? EEXIST
                                   : 0;
  Proof about = *proof;
  about.about.forgotten = in->forgotten;
  about.about.left_out = NULL;
  const bool ok = result == REACH_NONE && write_nodes(&about, file, &reach, is_points);
  reach_release(&reach);
  space_release(space);
  return ok;
}

static bool write_from(const Proof *proof, FILE *file, bool is_points, uint64_t max) {
  return write_in(proof, file, &(Searched){proof->net, proof->goal, NULL}, is_points, max);
}

// From a search in which dead variables are set back. EINTR: there are none that matter.
static bool write_forgetful(const Proof *proof, FILE *file, uint64_t max) {
  Arena arena = {.mem = proof->mem};
  Net net;
  Goal goal;
  const ForgetList *dead = proof->query && !net_is_wide(proof->net)
                               ? certifiable_dead(proof->net, &arena, proof->query, proof->goal)
                               : NULL;
  bool ok = dead;
  errno = EINTR;
  if (ok) {
    net_copy(&net, proof->net);
    forget_apply(&net, dead);
    ok = net_finish(&net, &(Report){0});
    const Net *view = ok ? query_keep_meta(proof->query, &net, &arena) : NULL;
    errno = EINTR;
    ok = ok && query_goal(&goal, &arena, view, proof->query, &(Report){0}) &&
         write_in(proof, file, &(Searched){view, &goal, dead}, false, max);
    const int error = errno;
    net_release(&net);
    errno = error;
  }
  arena_release(&arena);
  return ok;
}

static bool is_unfinished(void) { return errno == EINTR || errno == ERANGE; }

// Whether a search in points can be tried: in whole units of time, and pointset_check takes it.
static bool may_be_points(const Proof *proof) {
  const Engine engine = (Engine)proof->options->engine;
  return (engine == ENGINE_POINTS || engine == ENGINE_DARTS) && !proof->net->channels.size &&
         !proof->net->priority.is_used && !diagonals_occur(proof->net, proof->goal) &&
         !(proof->goal && proof->goal->ends);
}

// Whether states were compared without some variables (search/space/masked.h). That is not so in
// searches for infinite runs.
static bool is_masked(const Proof *proof) {
  return proof->net->slots.is_kept && !proof->about.sccs;
}

static bool write_to(const Proof *proof, FILE *file) {
  const uint64_t max = proof->is_unbidden ? MAX_UNBIDDEN : UINT64_MAX;
  if (is_masked(proof)) {
    return write_from(proof, file, false, FEW_KEPT) ||
           (is_unfinished() && write_forgetful(proof, file, max)) ||
           (is_unfinished() && write_from(proof, file, false, max));
  }
  if (proof->inclusion)
    return write_from(proof, file, false,
                      INCLUSIVE_GROWTH * proof->reach->stats->stored + MAX_UNBIDDEN);
  if (proof->about.sccs || is_certifiable(proof))
    return write_nodes(proof, file, proof->reach, false);
  const bool has_points = may_be_points(proof);
  const uint64_t points = POINTS_PER_NODE * (proof->reach->stats->stored + CHECKED_NODES);
  errno = EINTR;
  // Zones, if there are few. Unbidden, points are tried first, to see that they hold.
  return (has_points && !proof->is_unbidden && write_from(proof, file, false, FEW_ZONES)) ||
         (has_points && is_unfinished() &&
          write_from(proof, file, true, points < POINTSET_MAX ? points : POINTSET_MAX)) ||
         (is_unfinished() && write_from(proof, file, false, max));
}

// The user must not believe that there is a proof. Devices, pipes and links are written directly.
// Other files have another name until they are complete, so that a part of a proof is never taken
// for one.
static bool write_file(const Proof *proof, const char *path) {
  struct stat about;
  const volatile bool is_direct = !lstat(path, &about) && !S_ISREG(about.st_mode);
  Text text = {.mem = proof->mem};
  text_addf(&text, "%s%s", path, is_direct ? "" : ".part");
  const char *const name = text_chars(&text);
  FILE *const file = fopen(name, "wb");
  jmp_buf escape;
  jmp_buf *const outer = proof->mem->escape;
  volatile bool ok = false, is_limited = true; // half a certificate must not stay
  proof->mem->escape = &escape;
  if (!setjmp(escape)) {
    ok = file && write_to(proof, file);
    is_limited = false;
  }
  proof->mem->escape = outer;
  int reason = errno;
  const bool is_closed = file && !fclose(file);
  if (ok && (!is_closed || (!is_direct && rename(name, path)))) {
    ok = false;
    reason = errno;
  }
  if (!ok && !is_direct)
    remove(name);
  text_release(&text);
  if (is_limited)
    mem_exhausted(proof->mem);
  if (!ok)
    report_error(proof->report, (Place){0}, "%s: the certificate could not be written: %s", path,
                 !reason            ? "the nodes are not closed, which is a bug"
                 : reason == EINTR  ? "the search in zones that it takes was stopped"
                 : reason == ERANGE ? "the bounds of clocks in it are too large"
                 : reason == EEXIST ? "if states are compared with all meta variables, the state "
                                      "is reachable"
                                    : strerror(reason));
  return ok;
}

// Zones without abstraction may have no end, and there are none with large constants: then they
// are made only if they are asked for.
static bool may_not_end(const Proof *proof) {
  return !is_certifiable(proof) &&
         (net_is_wide(proof->net) || diagonals_occur(proof->net, proof->goal));
}

// Where clocks are compared with each other the checker looks for deadlocks in more states than a
// node stands for (check/stuck.h). So it may reject a proof that is one. Then there may be one
// whose nodes stand for no more than their zones.
static bool may_be_rejected(const Proof *proof) {
  return proof->goal && proof->goal->ends && diagonals_occur(proof->net, proof->goal);
}

typedef struct Written {
  FILE *file;
  char *bytes;
  size_t size;
} Written;

// Whether the checker accepts the proof, or there is none to reject. Warnings are shown only if a
// proof was asked for.
static bool is_written_accepted(const Proof *asked, Written *to, Text *why) {
  Proof own = *asked;
  own.report = &(Report){0};
  own.is_unbidden = true;
  CertifyCounts counts;
  errno = 0;
  const bool is_written = write_to(&own, to->file);
  const bool is_missing = !is_written && is_unfinished();
  fflush(to->file);
  const bool ok =
      is_written && (asked->claim ? certify_check_live(asked->mem, asked->net, asked->claim,
                                                       to->bytes, to->size, &counts, why)
                                  : certify_check(asked->mem, asked->net, asked->goal, to->bytes,
                                                  to->size, &counts, why));
  return ok || (is_missing && !asked->inclusion);
}

// A limit that is reached meanwhile leaves by the escape of the memory.
static bool is_accepted(const Proof *asked, Text *why) {
  Written to = {0};
  to.file = open_memstream(&to.bytes, &to.size);
  if (!to.file)
    return true;
  jmp_buf escape;
  jmp_buf *const outer = asked->mem->escape;
  volatile bool ok = false, is_limited = true;
  asked->mem->escape = &escape;
  if (!setjmp(escape)) {
    ok = is_written_accepted(asked, &to, why);
    is_limited = false;
  }
  asked->mem->escape = outer;
  fclose(to.file);
  free(to.bytes);
  if (is_limited)
    mem_exhausted(asked->mem);
  return ok;
}

static void check(const Proof *proof) {
  Text why = {.mem = proof->mem};
  trace_expect(may_not_end(proof) || may_be_rejected(proof) || is_accepted(proof, &why),
               "the proof of an answer", &why);
}

static bool write_accepted(const Proof *asked, const char *path) {
  Text why = {.mem = asked->mem}, unused = {.mem = asked->mem};
  Proof own = *asked;
  const Proof *proof = &own;
  bool ok = !may_be_rejected(proof) || is_accepted(proof, &why);
  while (!ok && own.inclusion < PROOF_EXTRAPOLATED) {
    own.inclusion++;
    ok = is_accepted(proof, &unused);
  }
  if (!ok)
    report_error(
        proof->report, (Place){0},
        "%s: there is no certificate: deadlocks where clocks are compared with each other "
        "cannot be proved absent in this model (%s)",
        path, text_chars(&why));
  text_release(&why);
  text_release(&unused);
  return ok && write_file(proof, path);
}

bool proof_finish(const Proof *proof, ReachResult result) {
  const char *path = proof->options->certificate;
  if (!path && is_masked(proof))
    return false;
  if (result == REACH_NONE && REPLAY_ALWAYS && !is_masked(proof) &&
      proof->reach->stats->stored <= CHECKED_NODES)
    check(proof);
  if (path && result == REACH_NONE)
    return write_accepted(proof, path);
  if (path)
    report_warning(proof->report, (Place){0}, "%s: no certificate: %s", path,
                   result == REACH_GOAL ? proof->claim
                                              ? "there is such a run; --trace shows it"
                                              : "the state is reachable; --trace shows how"
                                        : "the search did not end");
  return false;
}
