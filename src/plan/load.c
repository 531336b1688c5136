#include "plan/load.h"

#include "base/timer.h"
#include "language/tchecker/tck.h"
#include "language/uppaal/query_file.h"
#include "language/uppaal/uppaal.h"
#include "model/meta.h"
#include "plan/handle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool read_net(Tarn *tarn, bool is_uppaal) {
  const char *const define = tarn->options.define;
  if (define && !is_uppaal)
    return report_error(&tarn->report, (Place){0},
                        "%s: TChecker's language has no constants: --define %.*s cannot be used",
                        tarn->source.name, (int)strcspn(define, "\n"), define);
  tarn->loaded.origin.define = define;
  if (!(is_uppaal ? uppaal_read : tck_read)(&tarn->loaded, &tarn->source, &tarn->report))
    return false;
  const Name *kept = meta_first_kept(tarn->net);
  tarn->units = (Units){.net = tarn->net};
  tarn->net_number++;
  certified_clear(&tarn->certified);
  if (kept)
    report_warning(&tarn->report, kept->place,
                   "the meta variable `%s` may be read before it is written in the same "
                   "transition: states are compared without it, so that answers may depend on "
                   "the order of the search",
                   kept->name);
  return true;
}

// Queries are read one by one when they are asked: each may be refused for itself.
static void add_queries(Tarn *tarn, const QueryNode *node) {
  const bool has_expectations = tarn->net->origin.uppaal;
  tarn->query_nodes = node;
  for (; node; node = node->next)
    handle_add(tarn, node->source, node->begin, node->end, has_expectations ? node->expect : NULL,
               node->position);
}

static bool read_query_file(Tarn *tarn, const char *path, const char *text) {
  Arena *arena = &tarn->query_arena;
  Source *source = ARENA_NEW(arena, Source);
  if (path ? !session_read_source(tarn, source, path)
           : !session_take_evidence(tarn, source, NULL, text))
    return false;
  add_queries(tarn, query_file_split(arena, source, tarn->net->origin.uppaal != NULL));
  return true;
}

// The queries in MODEL.q beside MODEL.tck, if there is such a file; those in an UPPAAL model come
// first.
static bool queries_beside(Tarn *tarn, const char *path) {
  if (tarn->net->origin.uppaal && uppaal_queries(tarn->net)) {
    add_queries(tarn, uppaal_queries(tarn->net));
    return true;
  }
  if (!strcmp(path, "-"))
    return true;
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  const size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
  Text name = {.mem = &tarn->mem};
  text_add_bytes(&name, path, stem);
  text_add(&name, ".q");
  FILE *file = fopen(name.chars, "rb");
  if (!file && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG))
    return true;
  if (file)
    fclose(file);
  if (!read_query_file(tarn, name.chars, NULL))
    return false;
  // A user with such a file expects its queries to be checked.
  if (!tarn->queries.size)
    report_warning(&tarn->report, (Place){0}, "%s: there is no query in this file", name.chars);
  return true;
}

// The end of a read: one that failed leaves nothing behind but its message.
static int finish_read(Tarn *tarn, size_t mark, bool ok) {
  session_unlimit(tarn);
  tarn->reading = timer_seconds() - tarn->began;
  ok = ok && session_is_clean(tarn);
  if (ok) {
    tarn->state = LOADED;
    session_keep_messages(tarn);
    return 0;
  }
  mem_release_to(&tarn->mem, mark);
  session_keep_messages(tarn);
  net_init(&tarn->loaded, &tarn->mem);
  tarn->queries = (QueryList){0};
  tarn->query_nodes = NULL;
  tarn->query_arena = (Arena){.mem = &tarn->mem};
  tarn->source = (Source){0};
  return -1;
}

static int give_up(Tarn *tarn, size_t mark) {
  report_clear(&tarn->report);
  mem_release_to(&tarn->mem, mark);
  session_ran_out(tarn, " while the model was read");
  return finish_read(tarn, mark, false);
}

int load_model(Tarn *tarn, const char *path, bool with_queries) {
  tarn->path = mem_copy_text(&tarn->mem, path, strlen(path));
  const size_t mark = session_begin(tarn);
  jmp_buf escape;
  session_limit(tarn);
  if (GUARD(tarn, escape))
    return give_up(tarn, mark);
  const bool ok = session_read_source(tarn, &tarn->source, path) &&
                  read_net(tarn, uppaal_is_model(&tarn->source)) &&
                  (!with_queries || queries_beside(tarn, path));
  return finish_read(tarn, mark, ok);
}

int load_text(Tarn *tarn, const char *text, const char *language) {
  const size_t mark = session_begin(tarn);
  const bool is_uppaal = !strcmp(language, "uppaal");
  if (!is_uppaal && strcmp(language, "tchecker")) {
    report_error(&tarn->report, (Place){0}, "there is no language `%s`; use tchecker or uppaal",
                 language);
    return -1;
  }
  jmp_buf escape;
  session_limit(tarn);
  if (GUARD(tarn, escape))
    return give_up(tarn, mark);
  tarn->source = (Source){.name = "<text>",
                          .text = mem_copy_text(&tarn->mem, text, strlen(text)),
                          .size = strlen(text)};
  const bool ok = read_net(tarn, is_uppaal);
  if (ok && is_uppaal)
    add_queries(tarn, uppaal_queries(tarn->net));
  return finish_read(tarn, mark, ok);
}

int load_copy(Tarn *tarn, const char *name, const char *text, size_t size) {
  const size_t mark = session_begin(tarn);
  jmp_buf escape;
  session_limit(tarn);
  if (GUARD(tarn, escape))
    return give_up(tarn, mark);
  tarn->source = (Source){.name = mem_copy_text(&tarn->mem, name, strlen(name)),
                          .text = mem_copy_text(&tarn->mem, text, size),
                          .size = size};
  const bool ok = read_net(tarn, uppaal_is_model(&tarn->source));
  return finish_read(tarn, mark, ok);
}

int load_query_file(Tarn *tarn, const char *path, const char *text) {
  session_begin(tarn);
  jmp_buf escape;
  bool ok = false;
  vec_clear(&tarn->queries);
  session_limit(tarn);
  if (GUARD(tarn, escape))
    session_ran_out(tarn, " while the queries were read");
  else
    ok = read_query_file(tarn, path, text);
  session_unlimit(tarn);
  return ok ? 0 : -1;
}
