#include "plan/service/service_document.h"

#include "base/timer.h"
#include "language/tchecker/tck.h"
#include "language/uppaal/query_file.h"
#include "language/uppaal/uppaal.h"
#include "plan/service/service_queries.h"

#include <stdlib.h>
#include <string.h>

// file:///a%20b.xta as /a b.xta; other URIs as they are.
static char *path_of(const char *uri) {
  static const char scheme[] = "file://";
  if (!strncmp(uri, scheme, sizeof scheme - 1))
    uri += sizeof scheme - 1;
  char *path = malloc(strlen(uri) + 1), *to = path;
  for (; path && *uri; uri++) {
    unsigned code;
    char digits[3] = {uri[0] == '%' && uri[1] ? uri[1] : (char)0, uri[1] ? uri[2] : (char)0, 0};
    char *end = digits;
    code = uri[0] == '%' ? (unsigned)strtoul(digits, &end, 16) : 0;
    if (uri[0] == '%' && end == digits + 2) {
      *to++ = (char)code;
      uri += 2;
    } else {
      *to++ = *uri;
    }
  }
  if (path)
    *to = '\0';
  return path;
}

ServiceDocument *service_document_open(const char *uri, const char *text, size_t size) {
  ServiceDocument *d = calloc(1, sizeof *d);
  if (!d)
    return NULL;
  d->uri = malloc(strlen(uri) + 1);
  d->path = path_of(uri);
  if (!d->uri || !d->path) {
    service_document_close(d);
    return NULL;
  }
  strcpy(d->uri, uri);
  service_text_set(&d->text, &d->text_mem, text, size);
  return d;
}

void service_document_changed(ServiceDocument *d) { d->is_read = d->is_published = false; }

void service_document_close(ServiceDocument *d) {
  mem_release(&d->mem);
  mem_release(&d->text_mem);
  free(d->uri);
  free(d->path);
  free(d);
}

typedef struct Limit {
  double end;
  bool (*stop)(void *state);
  void *state;
  volatile bool is_stopped; // longjmp keeps it
} Limit;

static const char *reached(void *state) {
  Limit *limit = state;
  limit->is_stopped = limit->stop && limit->stop(limit->state);
  return limit->is_stopped || timer_seconds() > limit->end ? "time limit" : NULL;
}

static bool read_net(ServiceDocument *d, const Source *source, bool is_uppaal) {
  net_init(&d->net, &d->mem);
  return (is_uppaal ? uppaal_read : tck_read)(&d->net, source, &d->report);
}

static void read_queries(ServiceDocument *d, const ServiceNames *names) {
  service_queries_read(&(ServiceQueries){.first = d->queries,
                                         .net = &d->net,
                                         .has_model = d->has_model,
                                         .names = names,
                                         .mem = &d->mem,
                                         .arena = &d->arena},
                       &d->messages);
}

static void read_model(ServiceDocument *d) {
  const bool is_uppaal = text_ends_with(d->path, ".xta") || text_ends_with(d->path, ".ta") ||
                         text_ends_with(d->path, ".xml") || uppaal_is_model(&d->source);
  d->language = is_uppaal ? SERVICE_UPPAAL : SERVICE_TCHECKER;
  d->has_model = read_net(d, &d->source, is_uppaal);
  service_names_find(&d->names, &d->mem, &d->source, &d->net, is_uppaal);
  d->queries = is_uppaal ? uppaal_queries(&d->net) : NULL;
  read_queries(d, &d->names);
}

static void read_query_file(ServiceDocument *d, ServiceFind *find, void *state) {
  static const char *const endings[] = {".xml", ".xta", ".ta", ".tck"};
  d->language = SERVICE_QUERIES;
  Report unused;
  report_init(&unused, &d->mem);
  const Report outer = d->report;
  d->report = unused; // mistakes in the model are those of another document
  for (size_t k = 0; k < sizeof endings / sizeof *endings && !d->has_model; k++) {
    Text name = {.mem = &d->mem};
    text_add_bytes(&name, d->path, strlen(d->path) - 2);
    text_add(&name, endings[k]);
    if (!find(state, text_chars(&name), &d->mem, &d->model_source))
      continue;
    const bool is_uppaal = uppaal_is_model(&d->model_source);
    d->has_model = read_net(d, &d->model_source, is_uppaal);
    service_names_find(&d->model_names, &d->mem, &d->model_source, &d->net, is_uppaal);
    break;
  }
  d->report = outer;
  const bool is_uppaal = !d->has_model || d->net.origin.uppaal;
  d->queries = query_file_split(&d->arena, &d->source, is_uppaal);
  service_names_queries(&d->names, &d->mem, &d->source,
                        d->model_names.arena.mem ? &d->model_names : NULL);
  read_queries(d, &d->model_names);
}

// Before it is read: nothing is known.
static void forget(ServiceDocument *d) {
  d->has_model = false;
  d->queries = NULL;
  d->messages = (MessageList){0};
  d->findings.items = NULL;
  d->findings.size = d->findings.capacity = 0;
  d->names = d->model_names = (ServiceNames){0};
  d->arena = (Arena){.mem = &d->mem};
  net_init(&d->net, &d->mem);
}

bool service_document_read(ServiceDocument *d, ServiceFind *find, bool (*stop)(void *state),
                           void *state) {
  if (d->is_read)
    return true;
  mem_release(&d->mem);
  d->mem = (Mem){.limit = SERVICE_MAX_BYTES};
  forget(d);
  d->source =
      (Source){.name = d->path, .text = text_chars(&d->text.text), .size = d->text.text.size};
  report_init(&d->report, &d->mem);
  d->report.list = &d->messages;
  Limit limit = {timer_seconds() + SERVICE_MAX_SECONDS, stop, state, false};
  MemWatch watch = {.reached = reached, .state = &limit};
  jmp_buf escape;
  d->mem.escape = &escape;
  mem_watch(&d->mem, &watch);
  if (setjmp(escape)) { // too large, or too slow: nothing is known of it
    mem_watch(&d->mem, NULL);
    mem_release(&d->mem);
    d->mem = (Mem){0};
    forget(d);
    report_init(&d->report, &d->mem);
    d->report.list = &d->messages;
    if (limit.is_stopped)
      return false;
    report_warning(&d->report, (Place){0}, "reading this takes too long here");
  } else if (text_ends_with(d->path, ".q")) {
    read_query_file(d, find, state);
  } else {
    read_model(d);
  }
  mem_watch(&d->mem, NULL);
  d->mem.escape = NULL;
  d->is_read = true;
  return true;
}
