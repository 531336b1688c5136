// Certificates of slices on random networks: agree_slices KIND COUNT [FIRST]
//
// KIND: uppaal (uppaal_nets.h), bursts (burst_nets.h), channels (channel_nets.h), loose
// (loose_nets.h), lines (TChecker's language, with the locations of all processes as queries).
// Each seed gives a network and queries, which a search decides. For every set of processes a
// certificate that leaves them out is forged, in two ways: of the network without them
// (analysis/slice.h), whether or not the query depends on them; and of one where they do nothing
// but synchronise, at any time. The list of the file is that set, or another one. None may be
// accepted if the state can be reached or the network fails at run time; a naive search on
// regions confirms those that are accepted, where it can. The slices that tarn itself makes have
// to be accepted. Shows what is wrong; the last line is the sum.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "burst_nets.h"
#include "channel_nets.h"
#include "loose_nets.h"
#include "regions.h"
#include "sample.h"
#include "uppaal_nets.h"

#include "analysis/slice.h"
#include "answers/certificates/certificate.h"
#include "check/certify.h"
#include "check/sliced.h"
#include "language/query_reader.h"
#include "language/tchecker/tck.h"
#include "language/uppaal/uppaal.h"
#include "model/initial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PROCESSES = 6, MAX_VISITED = 3000, MAX_REGIONS = 20000, SHOWN = 3, LISTS = 2 };

typedef struct Sum {
  unsigned long networks, queries, reachable, failing, large;
  unsigned long forged, lists, lies, accepted, confirmed, own, wrong;
} Sum;

typedef struct Case { // a network and a query
  Mem *mem;
  const Net *net;
  const Goal *goal;
  const Expr *condition; // of the query; NULL: slices of tarn itself are not made
  const char *text, *query;
  unsigned long seed;
  unsigned long long random;
  int32_t constant; // for the search on regions; 0: there is none
  ReachResult truth;
  Sum *sum;
} Case;

typedef struct File { // a certificate that was made
  char *bytes;
  size_t size;
} File;

// How a search ends, in zones; with a file (NULL: none is wanted) its certificate if that is
// REACH_NONE.
static ReachResult search(Case *c, const Net *net, const bool *left_out, File *file) {
  Options options;
  Statistics stats = {0};
  Reach reach;
  options_init(&options);
  Space *space = zones_new(c->mem, net, c->goal, &options, &(Report){0});
  if (!space)
    return REACH_STOPPED;
  reach_init(&reach, c->mem, space, ORDER_BFS, &stats);
  reach.max_visited = MAX_VISITED;
  const ReachResult result = reach_run(&reach);
  if (file && result == REACH_NONE) {
    FILE *to = open_memstream(&file->bytes, &file->size);
    const CertificateGoal goal = {.origin = "agree_slices", .left_out = left_out};
    if (!certificate_write(to, c->mem, net, &reach, &goal))
      abort();
    fclose(to);
  }
  reach_release(&reach);
  space_release(space);
  return result;
}

static void show(const Case *c, const bool *left_out, const char *what) {
  if (c->sum->wrong++ >= SHOWN)
    return;
  printf("seed %lu: %s; left out:", c->seed, what);
  for (ProcessId p = 0; p < c->net->processes.size; p++)
    if (left_out[p])
      printf(" %s", c->net->processes.items[p].name);
  printf("\n%s\n%s\n\n", c->text ? c->text : "", c->query ? c->query : "");
}

// Whether a naive search finds the state or an error, too.
static bool is_refuted(Case *c) {
  uint32_t visited;
  if (!c->constant || c->net->traits.has_diagonals)
    return false;
  const RegionsResult result =
      regions_search(c->mem, c->net, c->goal, c->constant, MAX_REGIONS, &visited);
  c->sum->confirmed += result == REGIONS_NONE;
  return result == REGIONS_GOAL || result == REGIONS_FAILED;
}

static bool is_found(const Case *c) { return c->truth == REACH_GOAL || c->truth == REACH_FAILED; }

static bool is_accepted(Case *c, const File *file, const bool *left_out) {
  CertifyCounts counts;
  Text why = {.mem = c->mem};
  const bool accepted =
      certify_check(c->mem, c->net, c->goal, file->bytes, file->size, &counts, &why);
  text_release(&why);
  if (accepted && (c->goal->ends || is_found(c) || is_refuted(c)))
    show(c, left_out, "a false certificate is accepted");
  c->sum->accepted += accepted;
  c->sum->lies += !accepted && is_found(c);
  return accepted;
}

// --- The two smaller networks.

static bool copy_without(Case *c, Net *net, const bool *left_out) {
  net_copy(net, c->net);
  slice_apply(net, left_out, NULL);
  return net_finish(net, &(Report){0});
}

static bool is_initial(const Net *net, LocationId l) { return net->locations.items[l].initial; }

// Whether an edge with the event leaves an initial location already.
static bool has_loop(const Net *net, uint32_t count, LocationId l, EventId event) {
  for (EdgeId e = 0; e < count; e++)
    if (net->edges.items[e].source == l && net->edges.items[e].event == event)
      return true;
  return false;
}

// Processes that are left out stay where they start and synchronise at any time, without effect.
static bool copy_liberated(Case *c, Net *net, const bool *left_out) {
  net_copy(net, c->net);
  VEC(Edge) gone = {0};
  uint32_t kept = 0;
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (left_out[net->edges.items[e].process])
      vec_push(c->mem, &gone, net->edges.items[e]);
    else
      net->edges.items[kept++] = net->edges.items[e];
  net->edges.size = kept;
  for (uint32_t i = 0; i < gone.size; i++)
    for (LocationId l = 0; l < net->locations.size; l++) {
      const Edge *edge = &gone.items[i];
      if (net->locations.items[l].process == edge->process && is_initial(net, l) &&
          !has_loop(net, net->edges.size, l, edge->event))
        vec_push(c->mem, &net->edges,
                 ((Edge){.place = edge->place,
                         .process = edge->process,
                         .source = l,
                         .target = l,
                         .event = edge->event}));
    }
  for (LocationId l = 0; l < net->locations.size; l++)
    if (left_out[net->locations.items[l].process]) {
      net->locations.items[l].invariant_expr = NULL;
      net->locations.items[l].committed = net->locations.items[l].urgent = false;
    }
  vec_release(c->mem, &gone);
  return net_finish(net, &(Report){0});
}

// --- What is forged.

static void set_of(const Case *c, unsigned mask, bool *left_out) {
  for (ProcessId p = 0; p < c->net->processes.size; p++)
    left_out[p] = mask >> p & 1;
}

typedef bool (*Copier)(Case *, Net *, const bool *left_out);

// True if there is a certificate, and it is accepted.
static bool forge(Case *c, Copier copier, const bool *left_out, const bool *list) {
  Net net;
  File file = {0};
  bool accepted = false;
  if (copier(c, &net, left_out) && search(c, &net, list, &file) == REACH_NONE) {
    c->sum->forged++;
    accepted = is_accepted(c, &file, list);
  }
  net_release(&net);
  free(file.bytes);
  return accepted;
}

static void try_own(Case *c, bool is_loose) {
  bool *dropped = mem_alloc(c->mem, c->net->processes.size);
  if (slice_find(c->net, c->condition, is_loose, dropped) &&
      !sliced_refuse(c->mem, c->net, c->goal, dropped)) {
    Net net;
    File file = {0};
    if (copy_without(c, &net, dropped) && search(c, &net, dropped, &file) == REACH_NONE) {
      c->sum->own++;
      if (!is_accepted(c, &file, dropped) && !c->net->traits.has_diagonals)
        show(c, dropped, "a slice of tarn is rejected");
    }
    net_release(&net);
    free(file.bytes);
  }
  mem_free(c->mem, dropped);
}

static void try_query(Case *c) {
  bool left_out[MAX_PROCESSES], list[MAX_PROCESSES];
  const uint32_t processes = c->net->processes.size;
  c->truth = search(c, c->net, NULL, NULL);
  c->sum->queries++;
  c->sum->reachable += c->truth == REACH_GOAL;
  c->sum->failing += c->truth == REACH_FAILED;
  c->sum->large += c->truth == REACH_STOPPED;
  if (c->truth == REACH_STOPPED || processes > MAX_PROCESSES || c->net->slots.is_kept)
    return;
  for (unsigned mask = 1; mask < 1u << processes; mask++) {
    set_of(c, mask, left_out);
    forge(c, copy_without, left_out, left_out);
    forge(c, copy_liberated, left_out, left_out);
  }
  for (int i = 0; i < LISTS; i++) {
    set_of(c, 1 + sample_below(&c->random, (1u << processes) - 1), left_out);
    set_of(c, sample_below(&c->random, 1u << processes), list);
    c->sum->lists++;
    forge(c, i % 2 ? copy_without : copy_liberated, left_out, list);
  }
  for (int is_loose = 0; c->condition && is_loose < 2; is_loose++)
    try_own(c, is_loose);
}

// --- The kinds of networks.

static void try_uppaal(Case *c) {
  UppaalNet made;
  uppaal_nets_make(&made, c->mem, c->seed);
  if (!report_failed(&made.report)) {
    c->net = &made.net;
    c->goal = &made.goal;
    c->condition = made.goal.clause_count == 1 ? made.goal.clauses[0].expr : NULL;
    c->text = text_chars(&made.text);
    c->query = text_chars(&made.query);
    c->constant = UPPAAL_NETS_CONSTANT;
    try_query(c);
  }
  uppaal_nets_release(&made);
}

static void try_channels(Case *c) {
  ChannelNet made;
  channel_nets_make(&made, c->mem, c->seed, false);
  if (!report_failed(&made.report)) {
    c->net = &made.net;
    c->goal = &made.goal;
    c->condition = made.goal.clause_count == 1 ? made.goal.clauses[0].expr : NULL;
    c->constant = CHANNEL_NETS_CONSTANT;
    try_query(c);
  }
  channel_nets_release(&made);
}

static Source source_of(const char *text) {
  return (Source){.name = "text", .text = text, .size = strlen(text)};
}

// A query about a network that was read.
static void try_text(Case *c, const Net *net, const char *text, bool is_labels) {
  Arena arena = {.mem = c->mem};
  Report report;
  Query query;
  Goal goal;
  const Source source = source_of(text);
  report_init(&report, c->mem);
  if ((is_labels ? query_read_labels : query_read)(&query, &arena, net, &source, &report) &&
      (query.kind == QUERY_REACH || query.kind == QUERY_INVARIANT)) {
    c->net = query_keep_meta(&query, net, &arena);
    if (query_goal(&goal, &arena, c->net, &query, &report)) {
      c->goal = &goal;
      c->condition = goal.ends ? NULL : query.formula;
      c->query = text;
      try_query(c);
    }
  }
  report_release(&report);
  arena_release(&arena);
}

typedef bool (*Reader)(Net *, const Source *, Report *);

static void try_texts(Case *c, Reader read, const char *text, const char *queries, size_t room,
                      int count) {
  Net net;
  Report report;
  const Source source = source_of(text);
  report_init(&report, c->mem);
  net_init(&net, c->mem);
  c->text = text;
  if (read(&net, &source, &report))
    for (int i = 0; i < count; i++)
      try_text(c, &net, queries + room * (size_t)i, read == tck_read);
  net_release(&net);
  report_release(&report);
}

static void try_bursts(Case *c) {
  static BurstNet made;
  burst_nets_make(&made, c->seed);
  try_texts(c, uppaal_read, made.text, made.queries[0], BURST_QUERY, BURST_QUERIES);
}

static void try_loose(Case *c) {
  static LooseNet made;
  loose_nets_make(&made, c->seed);
  c->constant = LOOSE_CONSTANT;
  try_texts(c, uppaal_read, made.text, made.queries[0], LOOSE_QUERY, LOOSE_QUERIES);
}

static void try_lines(Case *c) {
  SampleCase made = sample_case(c->seed, 4, c->seed % 2);
  try_texts(c, tck_read, made.model, made.labels[0], SAMPLE_LABEL, made.query_count);
  free(made.model);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*call)(Case *);
  } kinds[] = {{"uppaal", try_uppaal},
               {"channels", try_channels},
               {"bursts", try_bursts},
               {"loose", try_loose},
               {"lines", try_lines}};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  unsigned long seed, last;
  int kind = 0;
  while (kind < KINDS && !(argc > 2 && !strcmp(argv[1], kinds[kind].name)))
    kind++;
  if (kind == KINDS) {
    fprintf(stderr, "usage: agree_slices uppaal|channels|bursts|loose|lines COUNT [FIRST]\n");
    return 2;
  }
  sample_seeds(argc - 1, argv + 1, &seed, &last);
  const unsigned long first = seed;
  Sum sum = {0};
  for (; seed < last; seed++) {
    Mem mem = {0};
    Case c = {.mem = &mem, .seed = seed, .random = seed * 2 + 1, .sum = &sum};
    kinds[kind].call(&c);
    sum.networks++;
    mem_release(&mem);
  }
  printf("%s %s: %lu networks from seed %lu on, %lu queries (%lu with a state that is found, %lu "
         "that fail, %lu too large): %lu forged certificates, %lu of them with another list; %lu "
         "false ones rejected, %lu accepted, %lu of these by regions; %lu slices of tarn; %lu "
         "wrong\n",
         sum.wrong ? "FAIL" : "ok", kinds[kind].name, sum.networks, first, sum.queries,
         sum.reachable, sum.failing, sum.large, sum.forged, sum.lists, sum.lies, sum.accepted,
         sum.confirmed, sum.own, sum.wrong);
  return sum.wrong != 0;
}
