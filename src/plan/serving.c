#define _POSIX_C_SOURCE 200809L
#include "plan/serving.h"

#include "answers/certificates/certificate.h"
#include "plan/choice.h"
#include "plan/load.h"
#include "plan/searching.h"
#include "search/workers/ranks.h"

#include <signal.h>
#include <string.h>

// A search that is under way in another rank than 0, or has ended and is asked for evidence.
typedef struct Service {
  Tarn *tarn;
  TarnQuery query;
  Check check;
  Answer answer;
  size_t mark;
  bool is_open;
} Service;

static void forget(Service *service) {
  service->is_open = false;
  service->tarn->mem.escape = NULL;
  handle_release_to(service->tarn, NULL, service->mark);
}

static void end_search(Service *service) {
  if (!service->is_open)
    return;
  searching_end(&service->check);
  forget(service);
}

// The same as in rank 0 (plan/decide.c), as far as the search.
static bool search(Service *service, const Said *said) {
  const char *query = machines_text(said, SAY_QUERY);
  Tarn *tarn = service->tarn;
  Check *check = &service->check;
  ReachResult result;
  service->answer = (Answer){.query = query, .is_labels = said->is_labels};
  tarn->options = service->answer.options = said->options;
  tarn->options.certificate = said->has_certificate ? "" : NULL;
  tarn->options.disk = machines_text(said, SAY_DISK);
  tarn->options.checkpoint = machines_text(said, SAY_CHECKPOINT);
  tarn->options.resume = machines_text(said, SAY_RESUME);
  tarn->stats = (Statistics){0};
  session_open_disk(tarn); // without it there is less room
  session_limit_memory(tarn);
  if (!checking_read_query(check, said->has_query ? &service->query : NULL))
    return false;
  checking_keep_meta(check);
  choice_make(check, &tarn->options);
  tarn->options.engine = service->answer.options.engine = (int)check->choice.engine;
  return searching_run(check, &tarn->options, &(Stage){0}, NULL, &result);
}

// Memory may run out before the search begins: then it does nowhere. If it does later, a worker
// catches that (search/workers/workers.c).
static void try_search(Service *service, const Said *said) {
  Tarn *tarn = service->tarn;
  const char *query = machines_text(said, SAY_QUERY);
  if (said->has_query)
    handle_init(&service->query, tarn, query, said->is_labels);
  service->mark = session_begin(tarn);
  service->check = (Check){
      .tarn = tarn, .answer = &service->answer, .arena = {.mem = &tarn->mem}, .is_awaited = true};
  jmp_buf escape;
  if (!GUARD(tarn, escape))
    service->is_open = search(service, said);
  session_unlimit(tarn);
  const Peers *peers = service->is_open ? service->check.reach.peers : NULL;
  for (uint32_t i = 0; peers && i < peers->count; i++)
    peers->mems[i]->escape = NULL;
  if (!service->is_open) {
    machines_agree(&service->check, false);
    forget(service);
  }
}

static bool is_about_search(const Said *said) {
  return said->kind == RANKS_ASK || said->kind == RANKS_WRITE;
}

static void obey(Service *service, const Said *said) {
  Tarn *tarn = service->tarn;
  if (said->kind == RANKS_ASK) {
    ranks_answer(&service->check.reach, said);
    return;
  }
  if (said->kind == RANKS_WRITE) {
    certificate_help((const CertificateCall *)said, &tarn->mem, service->check.net,
                     &service->check.reach);
    return;
  }
  end_search(service);
  if (said->kind == SAY_MODEL) {
    const char *const define = machines_text(said, SAY_DEFINE);
    tarn->options.define = define ? mem_copy_text(&tarn->mem, define, strlen(define)) : NULL;
    load_copy(tarn, machines_text(said, SAY_NAME), machines_text(said, SAY_TEXT),
              said->bytes[SAY_TEXT] - 1);
  } else if (said->kind == SAY_SEARCH)
    try_search(service, said);
}

// Whatever rank 0 says, until it has nothing more to say.
static void serve(Tarn *tarn) {
  Service *service = mem_alloc(&tarn->mem, sizeof *service);
  Mem *heard = mem_branch(&tarn->mem);
  service->tarn = tarn;
  for (Said *said, *last = NULL;; last = said) {
    size_t size;
    said = link_hear(tarn->link, heard, 0, &size);
    const bool is_end = said->kind == SAY_END;
    obey(service, said);
    if (is_about_search(said)) { // whose query is still needed
      mem_free(heard, said);
      said = last;
    } else {
      mem_free(heard, last);
    }
    if (is_end)
      return;
  }
}

int serving_join(Tarn *tarn) {
  const char *error;
  tarn->link = link_open(&tarn->mem, &error);
  if (error) {
    report_error(&tarn->report, (Place){0}, "%s", error);
    return -1;
  }
  if (tarn->link && tarn->link->rank) {
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
  }
  return serving_attach(tarn, tarn->link);
}

int serving_attach(Tarn *tarn, Link *link) {
  tarn->link = link;
  if (!link || !link->rank)
    return 0;
  serve(tarn);
  return 1;
}
