// Searches in generated networks, for the unit tests of what checks their answers.
#pragma once

#include "reading.h"

#include "answers/runs/trace.h"
#include "base/random.h"
#include "language/gen/gen.h"
#include "semantics/zone/zones.h"

typedef struct Search {
  Reading reading;
  Text model;
  Mem mem;
  Statistics stats;
  Options options;
  Space *space;
  Reach reach;
  ReachResult result;
  Query query;
  Goal goal;
  Source source;
  char query_text[128];
} Search;

// Reads a generated model.
static inline void search_generate(Search *s, const char *family, int count,
                                   const char *const *arguments) {
  *s = (Search){0};
  s->model.mem = &s->mem;
  Report report;
  report_init(&report, &s->mem);
  if (!gen_write(&s->model, &report, family, count, arguments))
    fail_msg("%s", text_chars(&report.error));
  report_release(&report);
  reading_accept(&s->reading, text_chars(&s->model));
  options_init(&s->options);
  s->options.effects |= OPTION_ABSTRACTS;
}

// A random network of the seed; `more` is one more argument, or NULL.
static inline void search_random(Search *s, int seed, const char *more) {
  char text[32];
  snprintf(text, sizeof text, "seed=%d", seed);
  const char *const arguments[] = {text, more};
  search_generate(s, "random", more ? 2 : 1, arguments);
}

static inline void search_ask(Search *s, const char *query) {
  Reading *r = &s->reading;
  snprintf(s->query_text, sizeof s->query_text, "%s", query);
  s->source = (Source){.name = "query", .text = s->query_text, .size = strlen(s->query_text)};
  if (!query_read(&s->query, &r->arena, &r->net, &s->source, &r->report) ||
      !query_goal(&s->goal, &r->arena, &r->net, &s->query, &r->report))
    fail_msg("%s", text_chars(&r->report.error));
}

// Two random locations and perhaps a bound on a clock.
static inline void search_ask_random(Search *s, Random *random) {
  const Net *net = &s->reading.net;
  char query[64];
  const LocationId a = random_below(random, net->locations.size);
  const LocationId b = random_below(random, net->locations.size);
  const Location *l = &net->locations.items[a], *m = &net->locations.items[b];
  const char *clock = net->clock_count ? net->clock_names[net->clock_count] : "0";
  snprintf(query, sizeof query, "E<> %s.%s && %s.%s && %s %s %u",
           net->processes.items[l->process].name, l->name, net->processes.items[m->process].name,
           m->name, clock, random_below(random, 2) ? ">" : "<=", random_below(random, 5));
  search_ask(s, query);
}

// Without a query everything is explored. False if the combination is refused.
static inline bool search_run(Search *s) {
  Reading *r = &s->reading;
  s->space =
      zones_new(&s->mem, &r->net, s->query.formula ? &s->goal : NULL, &s->options, &r->report);
  if (!s->space)
    return false;
  reach_init(&s->reach, &s->mem, s->space, (SearchOrder)s->options.order, &s->stats);
  s->result = reach_run(&s->reach);
  return true;
}

static inline void search_end(Search *s) {
  if (s->space) {
    reach_release(&s->reach);
    space_release(s->space);
    s->space = NULL;
  }
}

static inline void search_release(Search *s) {
  search_end(s);
  reading_release(&s->reading);
  text_release(&s->model);
  assert_int_equal(s->mem.bytes, 0);
}

// The same where parts of it are released with their memory only.
static inline void search_drop(Search *s) {
  mem_release(&s->reading.mem);
  mem_release(&s->mem);
}
