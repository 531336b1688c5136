#include "io/evidence.h"

#include "check/certificate_reader.h"
#include "check/certify.h"
#include "check/lasso.h"
#include "io/query_reader.h"
#include "io/run_reader.h"

#include <string.h>

typedef struct Evidence {
  Mem *mem;
  const Net *net;
  Text *finding;
  Report *report;
} Evidence;

static bool is_lasso(const Query *query) {
  return query->kind == QUERY_POSSIBLY || query->kind == QUERY_EVENTUALLY ||
         query->kind == QUERY_LEADS_TO || query->kind == QUERY_BUCHI;
}

// The query of a piece of evidence, and its goal.
static bool read_goal(const Evidence *e, Arena *arena, const char *text, bool is_labels,
                      Query *query, Goal *goal) {
  Source *source = ARENA_NEW(arena, Source);
  *source =
      (Source){.name = is_labels ? "<labels>" : "<query>", .text = text, .size = strlen(text)};
  return (is_labels ? query_read_labels(query, arena, e->net, source, e->report)
                    : query_read(query, arena, e->net, source, e->report)) &&
         query_goal(goal, arena, e->net, query, e->report);
}

// What a run without end has to show; `goal` is that of the query. False with an error.
static bool read_claim(const Evidence *e, Arena *arena, const Query *query, const Goal *goal,
                       LassoClaim *claim) {
  Goal *conclusion = ARENA_NEW(arena, Goal);
  Goal *labels = ARENA_ARRAY(arena, Goal, query->value_count);
  *claim = (LassoClaim){.labels = labels, .label_count = query->value_count};
  for (uint32_t i = 0; i < query->value_count; i++)
    if (!goal_build(&labels[i], arena, query->values[i], false, query->place, e->report))
      return false;
  if (query->kind == QUERY_LEADS_TO &&
      !goal_build(conclusion, arena, query->conclusion, true, query->place, e->report))
    return false;
  if (query->kind != QUERY_BUCHI)
    claim->stay = query->kind == QUERY_LEADS_TO ? conclusion : goal;
  claim->start = query->kind == QUERY_LEADS_TO ? goal : NULL;
  return true;
}

// A run without end. False with an error, too.
static bool check_lasso(const Evidence *e, Arena *arena, const Query *query, const Goal *goal,
                        const Run *run, Text *why) {
  LassoClaim claim;
  return read_claim(e, arena, query, goal, &claim) &&
         lasso_check(e->mem, e->net, &claim, run, why);
}

static int check_run(const Evidence *e, Arena *arena, const StoredRun *stored) {
  Query query;
  Goal goal;
  if (stored->query && !read_goal(e, arena, stored->query, stored->is_labels, &query, &goal))
    return -1;
  Text why = {.mem = e->mem};
  const bool accepted =
      stored->query && is_lasso(&query)
          ? check_lasso(e, arena, &query, &goal, &stored->run, &why)
          : replay_run(e->mem, e->net, stored->query ? &goal : NULL, &stored->run, &why);
  if (report_failed(e->report)) {
    text_release(&why);
    return -1;
  }
  text_addf(e->finding, "%s: ", stored->query ? stored->query : "a run");
  if (accepted)
    text_addf(e->finding, "the run of %u steps is accepted\n", stored->run.step_count - 1);
  else
    text_addf(e->finding, "the run is rejected: %s\n", text_chars(&why));
  text_release(&why);
  return accepted;
}

static bool is_universal(const Query *query) {
  return query->kind == QUERY_INVARIANT || query->kind == QUERY_EVENTUALLY ||
         query->kind == QUERY_LEADS_TO;
}

static int check_proof(const Evidence *e, Arena *arena, const Source *source) {
  CertificateHead head;
  CertifyCounts counts;
  Query asked;
  Goal goal;
  Text why = {.mem = e->mem};
  if (!certificate_head(&head, source->text, source->size, &why)) {
    report_error(e->report, (Place){0}, "%s: %s", source->name, text_chars(&why));
    text_release(&why);
    return -1;
  }
  const char *query = arena_text(arena, head.query, head.query_size);
  const bool has_query = head.kind != CERTIFY_ALL;
  if (has_query && !read_goal(e, arena, query, head.kind == CERTIFY_LABELS, &asked, &goal))
    return -1;
  const bool is_live = has_query && is_lasso(&asked);
  LassoClaim claim;
  if (has_query && !is_live && asked.kind != QUERY_REACH && asked.kind != QUERY_INVARIANT) {
    report_error(e->report, (Place){0},
                 "%s: there are no certificates of `sup`, `inf` and `bounds`", source->name);
    return -1;
  }
  if (is_live && !read_claim(e, arena, &asked, &goal, &claim))
    return -1;
  const bool accepted = is_live ? certify_check_live(e->mem, e->net, &claim, source->text,
                                                     source->size, &counts, &why)
                                : certify_check(e->mem, e->net, has_query ? &goal : NULL,
                                                source->text, source->size, &counts, &why);
  text_addf(e->finding, "%s: ", has_query ? query : "all states");
  if (accepted)
    text_addf(e->finding, "the certificate is accepted: no run %s; %u states, %u nodes\n",
              !has_query             ? "leaves it"
              : is_universal(&asked) ? "breaks it"
                                     : "shows it",
              counts.states, counts.nodes);
  else
    text_addf(e->finding, "the certificate is rejected: %s\n", text_chars(&why));
  text_release(&why);
  return accepted;
}

int evidence_check(Mem *mem, const Net *net, const Source *source, Text *finding,
                   Report *report) {
  const Evidence e = {mem, net, finding, report};
  Arena arena = {.mem = mem};
  StoredRuns runs = {0};
  int result = 1;
  if (certificate_is_one(source->text, source->size))
    result = check_proof(&e, &arena, source);
  else if (!run_read(&runs, &arena, net, source, report))
    result = -1;
  for (uint32_t i = 0; result > 0 && i < runs.size; i++)
    result = check_run(&e, &arena, &runs.items[i]);
  vec_release(mem, &runs);
  arena_release(&arena);
  return result;
}
