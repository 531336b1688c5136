#include "uppaal_input.h"

#include "language/tchecker/tck_writer.h"
#include "language/uppaal/query_file.h"
#include "language/uppaal/uppaal.h"
#include "semantics/stochastic/watch.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 30 };

static const char small_model[] =
    "typedef int[0,2] id_t; typedef scalar[2] set_t; const int N = 3; int i; bool b; int[0,5] "
    "a[N];\n"
    "struct { int p; bool q[2]; } s; clock x, y[2]; chan c, d[N]; broadcast chan e; meta int m;\n"
    "double w = 1.5, v[2]; double h(double t) { return t * w; }\n"
    "int f(int n) { return n + i; } bool g(int[0,2] k) { return a[k] > 0; }\n"
    "process T(const id_t id, int &r) { int l; clock z; state A { z <= 5 }, B, C; commit C; init "
    "A;\n"
    "trans A -> B { guard z >= 2; sync d[id]!; assign r = l, z = 0; }, B -> C { select k : "
    "id_t;\n"
    "guard g(k); sync e?; }, C -> A { }; }\n"
    "P = T(0, i); Q(const id_t k) = T(k, i); system P, Q;\n";

// A copy of just this size, so that reading beyond it is seen.
static char *copy_input(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text)
    abort();
  if (size)
    memcpy(text, data, size);
  text[size] = 0;
  return text;
}

bool uppaal_input_is_xml(const uint8_t *data, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (!strchr(" \t\r\n", data[i]))
      return data[i] == '<';
  return false;
}

static void read_query(Mem *mem, const Net *net, const QueryNode *node) {
  Report report;
  Arena arena = {.mem = mem};
  Query query;
  Goal goal;
  const size_t size = node->end - node->begin;
  char *text = mem_copy_text(mem, node->source->text + node->begin, size);
  const Source source = {.name = "query", .text = text, .size = size};
  report_init(&report, mem);
  const bool ok = uppaal_query(&query, &arena, net, &source, 0, (uint32_t)source.size, &report);
  if (!ok && !report_failed(&report))
    abort(); // refused without a reason
  if (ok && (query.kind == QUERY_REACH || query.kind == QUERY_INVARIANT) &&
      !query_goal(&goal, &arena, net, &query, &report) && !report_failed(&report))
    abort();
  report_release(&report);
  arena_release(&arena);
  mem_free(mem, text);
}

static void read_queries(Mem *mem, const Net *net, const QueryNode *node) {
  for (; node; node = node->next)
    read_query(mem, net, node);
}

// A net of the text; false if it is refused.
static bool read_model(Net *net, const Source *source, Report *report) {
  if (uppaal_read(net, source, report))
    return true;
  if (!report_failed(report))
    abort(); // refused without a reason
  return false;
}

static bool is_enough(void *context) { return ++*(int *)context > 2; }

// A few short random runs: they end, or say why not.
static void try_runs(Mem *mem, Arena *arena, const Net *net, Report *report) {
  Laws laws;
  Watch watch;
  Race race;
  Outcome outcome;
  const PathQuery path = {.bound = {.kind = RUN_BOUND_STEPS, .limit = 12},
                          .goal = expr_const(arena, (Place){0}, 0)};
  if (!laws_make(&laws, arena, net, report) || !watch_path(&watch, arena, &laws, &path, report)) {
    if (!report_failed(report))
      abort();
    return;
  }
  race_init(&race, &laws, mem);
  race.should_stop = is_enough;
  for (uint64_t run = 0; run < 3; run++) {
    int asked = 0;
    race.stop_context = &asked;
    if (!watch_run(&watch, &race, 1, run, &outcome, NULL, NULL) && !race.is_cut &&
        !race.error.size)
      abort();
  }
  race_release(&race);
}

static void try_model(Mem *mem, const Source *source) {
  Report report;
  Net net;
  report_init(&report, mem);
  net_init(&net, mem);
  if (read_model(&net, source, &report)) {
    Text shown = {.mem = mem};
    Arena arena = {.mem = mem};
    tck_write(&shown, &net);
    const Net *random = uppaal_statistical(&net, &arena, &report);
    if (!random && !report_failed(&report))
      abort(); // refused without a reason
    if (random)
      try_runs(mem, &arena, random, &report);
    arena_release(&arena);
    read_queries(mem, &net, uppaal_queries(&net));
    text_release(&shown);
  }
  net_release(&net);
  report_release(&report);
  if (mem->bytes)
    abort(); // something is left behind
}

// The small model, read once.
static const Net *model_of_queries(void) {
  static Mem mem;
  static Net net;
  static const Source source = {
      .name = "model", .text = small_model, .size = sizeof small_model - 1};
  if (net.origin.uppaal)
    return &net;
  Report report;
  report_init(&report, &mem);
  net_init(&net, &mem);
  if (!read_model(&net, &source, &report))
    abort();
  report_release(&report);
  return &net;
}

static void try_queries(Mem *mem, const Source *source) {
  Arena arena = {.mem = mem};
  read_queries(mem, model_of_queries(), query_file_split(&arena, source, true));
  arena_release(&arena);
}

static void try_input(const uint8_t *data, size_t size, void (*try)(Mem *, const Source *)) {
  char *text = copy_input(data, size);
  const Source source = {.name = "input", .text = text, .size = size};
  Mem mem = {.limit = MAX_BYTES};
  jmp_buf escape;
  mem.escape = &escape;
  if (!setjmp(escape))
    try(&mem, &source);
  mem_release(&mem);
  free(text);
}

void uppaal_input_model(const uint8_t *data, size_t size) { try_input(data, size, try_model); }

void uppaal_input_queries(const uint8_t *data, size_t size) {
  try_input(data, size, try_queries);
}
