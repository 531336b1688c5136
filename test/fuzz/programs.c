#include "programs.h"

#include "check/meaning.h"
#include "language/query_reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 4 };

typedef struct Sum {
  uint64_t programs, models, refused, compared, unknown;
} Sum;

uint32_t program_below(Program *p, uint32_t count) {
  p->random ^= p->random << 13;
  p->random ^= p->random >> 7;
  p->random ^= p->random << 17;
  return (uint32_t)((p->random * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % count;
}

void program_put(Program *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int size = vsnprintf(p->text + p->size, PROGRAM_TEXT - p->size, format, arguments);
  va_end(arguments);
  if (size < 0 || p->size + (size_t)size >= PROGRAM_TEXT) {
    fprintf(stderr, "the model is too large\n");
    exit(2);
  }
  p->size += (size_t)size;
}

typedef struct Run {
  Mem mem;
  Arena arena;
  const Net *net;
  Vm vm;
  ClockTests tests;
  ClockUpdates updates;
  int32_t *state, *after;
  Goal goals[PROGRAM_QUERIES];
  bool has_goal[PROGRAM_QUERIES];
  Source queries[PROGRAM_QUERIES];
} Run;

static void random_state(Program *m, Run *r) {
  const NetSlots *slots = &r->net->slots;
  for (uint32_t s = 0; s < slots->count; s++) {
    const int64_t low = slots->min[s], high = slots->max[s];
    const uint32_t how = program_below(m, 5);
    const int64_t width = high - low + 1;
    const int64_t any =
        low + (int64_t)(((uint64_t)program_below(m, 1 << 30) << 10 ^ program_below(m, 1 << 30)) %
                        (uint64_t)width);
    const int64_t small = (int64_t)program_below(m, 9) - 2;
    r->state[s] = (int32_t)(how == 0   ? low
                            : how == 1 ? high
                            : how == 2 ? any
                                       : (small < low    ? low
                                          : small > high ? high
                                                         : small));
  }
}

static void look_at(Run *r) {
  const Net *net = r->net;
  meaning_state(net, r->state);
  for (EdgeId e = 0; e < net->edges.size; e++) {
    meaning_guard(&r->vm, net, &net->edges.items[e].guard, r->state, &r->tests);
    memcpy(r->after, r->state, net->slots.count * sizeof *r->after);
    meaning_update(&r->vm, net, &net->edges.items[e].update, r->after, &r->updates);
    vec_clear(&r->tests);
    vec_clear(&r->updates);
  }
  for (LocationId l = 0; l < net->locations.size; l++)
    meaning_guard(&r->vm, net, &net->locations.items[l].invariant, r->state, &r->tests);
  vec_clear(&r->tests);
  for (int k = 0; k < PROGRAM_QUERIES; k++)
    if (r->has_goal[k])
      meaning_goal(&r->vm, net, &r->goals[k], r->state);
}

static uint32_t read_queries(const Program *m, Run *r) {
  uint32_t count = 0;
  for (int k = 0; k < PROGRAM_QUERIES; k++) {
    Report report;
    Query query;
    report_init(&report, &r->mem);
    r->queries[k] =
        (Source){.name = "<query>", .text = m->queries[k], .size = strlen(m->queries[k])};
    r->has_goal[k] = query_read(&query, &r->arena, r->net, &r->queries[k], &report) &&
                     query_goal(&r->goals[k], &r->arena, r->net, &query, &report);
    if (!r->has_goal[k] && getenv("AGREE_SHOW"))
      fprintf(stderr, "%s", text_chars(&report.error));
    count += r->has_goal[k];
    report_release(&report);
  }
  return count;
}

static bool run_model(const Programs *of, Program *m, uint64_t seed, Sum *sum) {
  Run r = {0};
  Net net;
  Report report;
  r.arena.mem = &r.mem;
  const Source source = {.name = "model", .text = m->text, .size = m->size};
  report_init(&report, &r.mem);
  net_init(&net, &r.mem);
  bool ok = true;
  if (!of->read(&net, &source, &report) || net.origin.obstacles) {
    sum->refused++;
    if (getenv("AGREE_SHOW"))
      fprintf(stderr, "seed %" PRIu64 ": %s%s\n", seed, text_chars(&report.error),
              net.origin.obstacles ? net.origin.obstacles : "");
  } else {
    r.net = meaning_net(&r.arena, &net);
    net_vm(r.net, &r.vm, &r.mem);
    r.state = mem_alloc(&r.mem, net.slots.count * sizeof *r.state);
    r.after = mem_alloc(&r.mem, net.slots.count * sizeof *r.after);
    sum->programs += 2 * net.edges.size + of->more + read_queries(m, &r);
    memcpy(r.state, net.slots.initial, net.slots.count * sizeof *r.state);
    for (int k = 0; k <= (seed ? STATES : 100) && !meaning_difference(r.net); k++) {
      look_at(&r);
      random_state(m, &r);
    }
    const MeaningCounts counts = meaning_counts(r.net);
    sum->models++;
    sum->compared += counts.compared;
    sum->unknown += counts.unknown;
    if (counts.unknown && getenv("AGREE_SHOW")) {
      Text where = {.mem = &r.mem};
      report_place(&where, counts.place);
      fprintf(stderr, "seed %" PRIu64 ": not known: %s: %s\n", seed, text_chars(&where),
              counts.why);
      text_release(&where);
    }
    const char *difference = meaning_difference(r.net);
    if (difference) {
      printf("%s\n", m->text);
      for (int k = 0; k < PROGRAM_QUERIES; k++)
        printf("%s\n", m->queries[k]);
      printf("seed %" PRIu64 ": %s\n", seed, difference);
      ok = false;
    }
    meaning_release(r.net);
    vm_release(&r.vm);
    vec_release(&r.mem, &r.tests);
    vec_release(&r.mem, &r.updates);
    mem_free(&r.mem, r.state);
    mem_free(&r.mem, r.after);
  }
  report_release(&report);
  net_release(&net);
  arena_release(&r.arena);
  return ok;
}

static bool read_model(Program *m, const char *path) {
  FILE *file = fopen(path, "r");
  m->random = 1;
  if (!file)
    return false;
  m->size = fread(m->text, 1, PROGRAM_TEXT - 1, file);
  fclose(file);
  return true;
}

int programs_main(int argc, char **argv, const Programs *of) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s COUNT [FIRST]\n", of->name);
    return 2;
  }
  const uint64_t count = strtoull(argv[1], NULL, 10);
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  Program *m = calloc(1, sizeof *m);
  Sum sum = {0};
  bool ok = m;
  if (ok && !strcmp(argv[1], "--file"))
    return !argv[2] || !read_model(m, argv[2]) || !run_model(of, m, 0, &sum) || sum.refused;
  if (ok && !strcmp(argv[1], "--print")) {
    of->make(m, seed);
    return puts(m->text) < 0;
  }
  for (; ok && sum.programs < count; seed++) {
    of->make(m, seed);
    ok = run_model(of, m, seed, &sum);
  }
  free(m);
  printf("%" PRIu64 " programs in %" PRIu64 " models (%" PRIu64
         " more were refused), evaluated %" PRIu64 " times, %" PRIu64 " not known: %s\n",
         sum.programs, sum.models, sum.refused, sum.compared, sum.unknown,
         ok ? "all agree" : "the two evaluators differ");
  return ok ? 0 : 1;
}
