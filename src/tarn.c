#include "tarn.h"

#include "base/available.h"
#include "base/team.h"
#include "base/timer.h"
#include "check/waiting.h"
#include "discrete/darts.h"
#include "discrete/points.h"
#include "evidence/bounds.h"
#include "evidence/lassorun.h"
#include "evidence/prefer.h"
#include "evidence/proof.h"
#include "evidence/trace.h"
#include "io/answer.h"
#include "io/complete.h"
#include "io/convert.h"
#include "io/evidence.h"
#include "io/gen.h"
#include "io/graph.h"
#include "io/junit.h"
#include "io/manual.h"
#include "io/page.h"
#include "io/prompt.h"
#include "io/query_reader.h"
#include "io/run_reader.h"
#include "io/show.h"
#include "io/source.h"
#include "io/tck.h"
#include "local/choice.h"
#include "local/local.h"
#include "model/initial.h"
#include "search/workers.h"
#include "space/options.h"
#include "symmetry/invariance.h"
#include "uppaal/trace_text.h"
#include "uppaal/uppaal.h"
#include "uppaal/xta_writer.h"
#include "zone/abstraction.h"
#include "zone/deadgoal.h"
#include "zone/zones.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum TarnState { EMPTY = 1, LOADED = 2, ANSWERED = 4 } TarnState;

struct Tarn {
  TarnState state;
  Mem mem;
  Report report;
  Options options;
  Source source; // of the model; text owned
  Source query_file;
  Net net;
  Queries queries;             // that came with the model
  VEC(const char *) positions; // of these queries, as verifyta shows them
  VEC(const char *) expected;  // of these queries, NULL: nothing; for UPPAAL models
  Answers answers;
  Statistics stats;       // of the last or running search
  int verdict;            // of the last tarn_check, -1: none
  Text warnings, errors;  // of all reads and checks
  size_t limit;           // bytes that the running search may use; 0: any
  size_t available;       // bytes that may be used if there is no limit; 0: not known yet
  char memory_reason[80]; // which limit it is
  Text finding;           // of the last tarn_certify
  Text composed;          // what had no room in the buffer of the last tarn_write_buffer
  Text composed_of;       // its words; empty: nothing is kept
  Simulation *simulation; // NULL: none was started
  void *terminate_state;
  int (*terminate)(void *state);
};

// The API is a state machine; misuse is a bug of the caller, found at once in every build.
#define REQUIRE(tarn, states)                                                                    \
  do {                                                                                           \
    if (!(tarn) || !((tarn)->state & (states)))                                                  \
      misuse(__func__);                                                                          \
  } while (0)

static _Noreturn void misuse(const char *function) {
  fprintf(stderr, "%s: called in a wrong state; see tarn.h\n", function);
  abort();
}

const char *tarn_version(void) { return TARN_VERSION; }

Tarn *tarn_init(void) {
  Tarn *tarn = calloc(1, sizeof *tarn);
  if (!tarn)
    return NULL;
  tarn->state = EMPTY;
  tarn->verdict = -1;
  report_init(&tarn->report, &tarn->mem);
  options_init(&tarn->options);
  net_init(&tarn->net, &tarn->mem);
  tarn->warnings.mem = tarn->errors.mem = &tarn->mem;
  tarn->finding.mem = tarn->composed.mem = tarn->composed_of.mem = &tarn->mem;
  return tarn;
}

void tarn_release(Tarn *tarn) {
  if (!tarn)
    return;
  mem_release(&tarn->mem);
  free(tarn);
}

int tarn_set(Tarn *tarn, const char *option, const char *value) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  report_clear(&tarn->report);
  if (!option) {
    options_init(&tarn->options);
    return 0;
  }
  const OptionInfo *info = options_find(option);
  if (info && info->kind == OPTION_TEXT && info->scope == OPTION_ENGINE)
    value = mem_copy_text(&tarn->mem, value, strlen(value)); // kept as long as the Tarn
  return options_set(&tarn->options, option, value, &tarn->report) ? 0 : -1;
}

const char *tarn_error(const Tarn *tarn) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  return text_chars(&tarn->report.error);
}

const char *tarn_warnings(const Tarn *tarn) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  return text_chars(&tarn->report.warnings);
}

static bool read_source(Tarn *tarn, Source *source, const char *path) {
  return source_read(source, &tarn->mem, path, SOURCE_MOST_MODEL, &tarn->report);
}

static bool read_evidence(Tarn *tarn, Source *source, const char *path) {
  return source_read(source, &tarn->mem, path, SOURCE_MOST_EVIDENCE, &tarn->report);
}

// From now on the call may use no more memory than the user, or the system, allows.
static void limit_memory(Tarn *tarn) {
  enum { SHARE = 85 }; // percent of what is available
  size_t limit = (size_t)tarn->options.memory_limit << 20;
  if (!limit && !tarn->available)
    tarn->available = tarn->mem.bytes + available_memory() / 100 * SHARE;
  snprintf(tarn->memory_reason, sizeof tarn->memory_reason, "memory limit");
  if (!limit && tarn->available > tarn->mem.bytes) {
    limit = tarn->available;
    snprintf(tarn->memory_reason, sizeof tarn->memory_reason,
             "memory limit: %zu MiB, %d %% of what was available", limit >> 20, SHARE);
  }
  tarn->mem.limit = tarn->limit = limit;
}

// With --strict a warning is an error; false if there is one.
static bool is_clean(Tarn *tarn) {
  Report *report = &tarn->report;
  if (!tarn->options.strict || !report->warnings.size)
    return true;
  text_add(&report->error, text_chars(&report->warnings));
  text_add(&report->error, "with --strict a warning is an error\n");
  text_clear(&report->warnings);
  return false;
}

// At the end of a call, when nothing is released any more: what was said stays known.
static void keep_messages(Tarn *tarn) {
  text_add(&tarn->warnings, text_chars(&tarn->report.warnings));
  text_add(&tarn->errors, text_chars(&tarn->report.error));
}

static bool read_net(Net *net, const Source *source, Report *report) {
  return uppaal_is_model(source) ? uppaal_read(net, source, report)
                                 : tck_read(net, source, report);
}

// Queries of UPPAAL are read one by one when they are asked: each may be refused for itself.
static void add_queries(Tarn *tarn, const QueryNode *node) {
  for (; node; node = node->next) {
    uint32_t begin = node->begin, end = node->end;
    while (begin < end && strchr(" \t\r\n", node->source->text[begin]))
      begin++;
    while (end > begin && strchr(" \t\r\n", node->source->text[end - 1]))
      end--;
    const char *text = arena_text(&tarn->net.arena, node->source->text + begin, end - begin);
    const Query query = {.text = text, .place = {node->source, node->begin}};
    vec_push(&tarn->mem, &tarn->queries, query);
    vec_push(&tarn->mem, &tarn->expected, node->expect);
    vec_push(&tarn->mem, &tarn->positions, node->position);
  }
}

static bool read_query_file(Tarn *tarn) {
  if (!tarn->net.uppaal)
    return query_read_file(&tarn->queries, &tarn->net.arena, &tarn->net, &tarn->query_file,
                           &tarn->report);
  add_queries(tarn, uppaal_query_file(&tarn->net.arena, &tarn->query_file));
  return true;
}

// The queries in MODEL.q beside MODEL.tck, if there is such a file; those in an UPPAAL model come
// first.
static bool load_queries(Tarn *tarn, const char *path) {
  if (tarn->net.uppaal && uppaal_queries(&tarn->net)) {
    add_queries(tarn, uppaal_queries(&tarn->net));
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
  if (!read_source(tarn, &tarn->query_file, name.chars) || !read_query_file(tarn))
    return false;
  // Who has such a file counts on its being asked.
  if (!tarn->queries.size)
    report_warning(&tarn->report, (Place){0}, "%s: there is no query in this file",
                   tarn->query_file.name);
  return true;
}

// Guards one call against running out of memory: `escaped` is true after the jump.
#define GUARD(tarn, buffer) ((tarn)->mem.escape = &(buffer), setjmp(buffer) != 0)

// Before a call whose allocations may be dropped as a whole: what outlives them comes first.
static size_t begin(Tarn *tarn) {
  text_release(&tarn->composed);
  text_release(&tarn->composed_of);
  report_clear(&tarn->report);
  text_add(&tarn->report.error, "");
  text_add(&tarn->report.warnings, "");
  return mem_mark(&tarn->mem);
}

// The end of a read: one that failed leaves nothing behind but its message.
static int finish_read(Tarn *tarn, size_t mark, bool ok) {
  tarn->mem.escape = NULL;
  tarn->mem.limit = 0;
  ok = ok && is_clean(tarn);
  if (ok) {
    tarn->state = LOADED;
    keep_messages(tarn);
    return 0;
  }
  mem_release_to(&tarn->mem, mark);
  keep_messages(tarn);
  net_init(&tarn->net, &tarn->mem);
  tarn->queries = (Queries){0};
  tarn->positions.items = NULL;
  tarn->positions.size = tarn->positions.capacity = 0;
  tarn->expected.items = NULL;
  tarn->expected.size = tarn->expected.capacity = 0;
  tarn->source = tarn->query_file = (Source){0};
  return -1;
}

static int out_of_memory(Tarn *tarn, size_t mark) {
  report_clear(&tarn->report);
  mem_release_to(&tarn->mem, mark);
  report_error(&tarn->report, (Place){0}, "%s while the model was read",
               tarn->mem.limit ? tarn->memory_reason : "out of memory");
  return finish_read(tarn, mark, false);
}

int tarn_read(Tarn *tarn, const char *path) {
  REQUIRE(tarn, EMPTY);
  const size_t mark = begin(tarn);
  jmp_buf escape;
  limit_memory(tarn);
  if (GUARD(tarn, escape))
    return out_of_memory(tarn, mark);
  const bool ok = read_source(tarn, &tarn->source, path) &&
                  read_net(&tarn->net, &tarn->source, &tarn->report) && load_queries(tarn, path);
  return finish_read(tarn, mark, ok);
}

int tarn_read_text(Tarn *tarn, const char *text, const char *language) {
  REQUIRE(tarn, EMPTY);
  const size_t mark = begin(tarn);
  const bool is_uppaal = !strcmp(language, "uppaal");
  if (!is_uppaal && strcmp(language, "tchecker")) {
    report_error(&tarn->report, (Place){0}, "there is no language `%s`; use tchecker or uppaal",
                 language);
    return -1;
  }
  jmp_buf escape;
  limit_memory(tarn);
  if (GUARD(tarn, escape))
    return out_of_memory(tarn, mark);
  tarn->source = (Source){.name = "<text>",
                          .text = mem_copy_text(&tarn->mem, text, strlen(text)),
                          .size = strlen(text)};
  const bool ok = is_uppaal ? uppaal_read(&tarn->net, &tarn->source, &tarn->report)
                            : tck_read(&tarn->net, &tarn->source, &tarn->report);
  if (ok && is_uppaal)
    add_queries(tarn, uppaal_queries(&tarn->net));
  return finish_read(tarn, mark, ok);
}

size_t tarn_query_count(const Tarn *tarn) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return tarn->queries.size;
}

const char *tarn_expectation(const Tarn *tarn, size_t index) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return index < tarn->expected.size ? tarn->expected.items[index] : NULL;
}

const char *tarn_query_position(const Tarn *tarn, size_t index) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return index < tarn->positions.size ? tarn->positions.items[index] : NULL;
}

int tarn_read_queries(Tarn *tarn, const char *path) {
  REQUIRE(tarn, LOADED | ANSWERED);
  begin(tarn);
  jmp_buf escape;
  bool ok = false;
  vec_clear(&tarn->queries);
  vec_clear(&tarn->expected);
  vec_clear(&tarn->positions);
  Source *source = ARENA_NEW(&tarn->net.arena, Source);
  if (GUARD(tarn, escape))
    report_error(&tarn->report, (Place){0}, "out of memory");
  else if (read_source(tarn, source, path)) {
    tarn->query_file = *source;
    ok = read_query_file(tarn);
  }
  tarn->mem.escape = NULL;
  return ok ? 0 : -1;
}

int tarn_has_run(const Tarn *tarn) {
  REQUIRE(tarn, ANSWERED);
  return vec_last(&tarn->answers)->has_trace;
}

int tarn_refuses(const Tarn *tarn) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return tarn->net.uppaal != NULL;
}

const char *tarn_query(const Tarn *tarn, size_t index) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return index < tarn->queries.size ? tarn->queries.items[index].text : NULL;
}

// One check. Everything it allocates after `mark` is dropped if memory runs out.
typedef struct Check {
  Tarn *tarn;
  Answer *answer;
  Arena arena;
  Query query;
  bool has_query;
  Goal goal;
  Symmetry symmetry; // by which the search is reduced
  Space *space;
  Reach reach;
  Deadgoal deadgoal; // if the goal asks for deadlocks
  double start;
  uint64_t most_visited;  // after which the search is cut short; 0: never
  bool is_cut;            // it was
  uint64_t invalid_count; // transitions that the search did not take for the range of a variable
  Place first_invalid;
} Check;

// The limit of time covers a query as a whole, with what comes before the search and after it.
static const char *limit_reached(void *state) {
  const Check *check = state;
  const Tarn *tarn = check->tarn;
  const double limit = tarn->options.time_limit;
  return limit > 0 && timer_seconds() - check->start > limit         ? "time limit"
         : tarn->terminate && tarn->terminate(tarn->terminate_state) ? "interrupted"
                                                                     : NULL;
}

static Source query_source(const char *text, bool is_labels) {
  return (Source){.name = is_labels ? "<labels>" : "<query>", .text = text, .size = strlen(text)};
}

static bool read_query(Check *check, const Source *source, bool is_labels) {
  Tarn *tarn = check->tarn;
  const bool ok =
      is_labels
          ? query_read_labels(&check->query, &check->arena, &tarn->net, source, &tarn->report)
          : query_read(&check->query, &check->arena, &tarn->net, source, &tarn->report);
  check->has_query = true;
  check->answer->is_invariant = ok && check->query.kind == QUERY_INVARIANT;
  return ok && query_goal(&check->goal, &check->arena, &tarn->net, &check->query, &tarn->report);
}

// A run-time error of the model becomes an error message with the run to it.
static void report_failure(Check *check) {
  Tarn *tarn = check->tarn;
  const Space *space = check->space;
  Text run = {.mem = &tarn->mem};
  Trace trace;
  if (check->reach.goal_parent != NODE_NONE &&
      trace_build(&trace, &tarn->mem, &tarn->net, NULL, &check->reach, REACH_FAILED,
                  TRACE_CONCRETE)) {
    answer_trace(&run, &trace, "it ends");
    trace_release(&trace);
  }
  report_error(&tarn->report, space->failure_place, "%s", space->failure);
  if (run.size)
    text_addf(&tarn->report.error, "after this run:\n%s", text_chars(&run));
}

// The model once more, with a clock that measures time.
static bool read_timed(Check *check, Net *timed, Query *query) {
  Tarn *tarn = check->tarn;
  Report unused;
  report_init(&unused, &tarn->mem);
  net_init(timed, &tarn->mem);
  timed->measures_time = true;
  Source *source = ARENA_NEW(&check->arena, Source);
  *source = (Source){
      .name = "<query>", .text = check->answer->query, .size = strlen(check->answer->query)};
  const bool ok = read_net(timed, &tarn->source, &unused) &&
                  (check->answer->is_labels ? query_read_labels : query_read)(
                      query, &check->arena, timed, source, &unused);
  report_release(&unused);
  return ok;
}

// A better run than the one that was found, as the options ask for it.
static bool find_better(Check *check, Trace *trace) {
  Tarn *tarn = check->tarn;
  const Preference preference = {&tarn->mem, &tarn->net, &check->goal, &check->reach,
                                 (TraceKind)tarn->options.trace};
  Trace timing;
  bool ok = false;
  if (tarn->options.prefer == PREFER_SHORTEST) {
    ok = prefer_shortest(trace, &preference);
  } else if (trace_build(&timing, &tarn->mem, &tarn->net, &check->goal, &check->reach, REACH_GOAL,
                         TRACE_CONCRETE)) {
    const int64_t most = (timing.end_time + timing.denominator - 1) / timing.denominator;
    Net timed;
    Query query;
    ok = read_timed(check, &timed, &query) &&
         prefer_fastest(trace, &preference, &timed, &query, most);
    net_release(&timed);
    trace_release(&timing);
  }
  return ok;
}

// Replaces the run of the answer by a better one, if that is wanted. If a limit is reached before
// there is one, the run stays, and the answer says that it is any run.
static void prefer(Check *check) {
  Tarn *tarn = check->tarn;
  Answer *answer = check->answer;
  if (!answer->has_trace || tarn->options.prefer == PREFER_ANY)
    return;
  const size_t mark = mem_mark(&tarn->mem);
  jmp_buf *const outer = tarn->mem.escape;
  jmp_buf escape;
  volatile bool ok = false;
  Trace trace;
  tarn->mem.escape = &escape;
  if (setjmp(escape))
    mem_release_to(&tarn->mem, mark);
  else
    ok = find_better(check, &trace);
  tarn->mem.escape = outer;
  if (!ok) {
    mem_watch(&tarn->mem, NULL); // time is up, and has been of use
    report_warning(&tarn->report, (Place){0}, "no better run was found in time: this is any run");
    return;
  }
  trace_release(&answer->trace);
  answer->trace = trace;
  answer->preferred = (Preferred)tarn->options.prefer;
}

// Of a run to a deadlock: which kind it is.
static void describe_deadlock(Check *check) {
  Tarn *tarn = check->tarn;
  Answer *answer = check->answer;
  const Trace *trace = &answer->trace;
  const int32_t *state = trace->steps[trace->step_count - 1].state;
  Moves moves;
  Vm vm;
  Waiting waiting;
  net_vm(&tarn->net, &vm, &tarn->mem);
  moves_init(&moves, &tarn->mem, &tarn->net);
  waiting_init(&waiting, &tarn->mem, &tarn->net, &moves, &vm);
  if (waiting_is_deadlocked(&waiting, state, trace->end_clocks, trace->denominator))
    answer->ending = waiting_is_endless(&waiting, state)
                         ? "deadlock: time can pass, but nothing else can happen"
                         : "time-lock: time cannot go on, and no action is possible";
  waiting_release(&waiting);
  moves_release(&moves);
  vm_release(&vm);
}

static void conclude(Check *check, ReachResult result) {
  Answer *answer = check->answer;
  const bool is_invariant = answer->is_invariant;
  if (result == REACH_STOPPED) {
    answer->verdict = VERDICT_UNDECIDED;
    answer->reason = check->reach.stop_reason;
  } else if (!check->has_query) {
    answer->verdict = VERDICT_EXPLORED;
  } else {
    answer->verdict =
        (result == REACH_GOAL) != is_invariant ? VERDICT_SATISFIED : VERDICT_NOT_SATISFIED;
  }
  check->tarn->verdict = (int)answer->verdict; // it stands if there is no memory for evidence
  if (result != REACH_GOAL || check->tarn->options.trace == TRACE_NONE)
    return;
  answer->has_trace =
      trace_build(&answer->trace, &check->tarn->mem, &check->tarn->net, &check->goal,
                  &check->reach, result, (TraceKind)check->tarn->options.trace);
  if (!answer->has_trace)
    report_error(&check->tarn->report, (Place){0},
                 "the run could not be rebuilt; please report this model as a bug");
  prefer(check);
  if (answer->has_trace && check->goal.ends && answer->trace.kind == TRACE_CONCRETE)
    describe_deadlock(check);
}

static void prove(Check *check, ReachResult result) {
  Tarn *tarn = check->tarn;
  const Proof proof = {.mem = &tarn->mem,
                       .net = &tarn->net,
                       .goal = check->has_query ? &check->goal : NULL,
                       .options = &tarn->options,
                       .reach = &check->reach,
                       .query = check->answer->query,
                       .is_labels = check->answer->is_labels,
                       .report = &tarn->report};
  proof_finish(&proof, result);
}

// The explored graph, if it is asked for.
static void draw(Check *check, ReachResult result) {
  Tarn *tarn = check->tarn;
  if (tarn->options.graph)
    graph_write_file(tarn->options.graph, &tarn->net, &check->reach, result, &tarn->report);
}

static Space *new_space(Check *check, const Options *options) {
  Tarn *tarn = check->tarn;
  if (!choice_is_possible(options, &tarn->report))
    return NULL;
  const Goal *goal = check->has_query ? &check->goal : NULL;
  switch ((Engine)options->engine) {
  case ENGINE_LOCAL:
    return local_new(&tarn->mem, &tarn->net, goal, options, &tarn->report);
  case ENGINE_DARTS:
    return darts_new(&tarn->mem, &tarn->net, goal, options, &tarn->report);
  case ENGINE_POINTS:
    return points_new(&tarn->mem, &tarn->net, goal, options, &tarn->report);
  case ENGINE_AUTO: // decided before
  case ENGINE_ZONES:
    break;
  }
  Space *space = zones_new(&tarn->mem, &tarn->net, goal, options, &tarn->report);
  if (space && check->symmetry.count)
    zones_reduce(space, &check->symmetry, !options->certificate);
  return space;
}

// A query that names some of several equal processes is as good as one about any of them, if
// these are alike in the initial state: then all of them can be exchanged. Not if the run
// matters, or the proof.
static void widen_query(Check *check, const Symmetry *found) {
  Tarn *tarn = check->tarn;
  const Options *options = &tarn->options;
  if (!check->has_query || !check->query.formula || options->trace != TRACE_NONE ||
      options->certificate)
    return;
  const bool all = check->query.kind == QUERY_INVARIANT;
  for (uint32_t i = 0; i < found->count; i++) {
    Query query = check->query;
    Goal goal;
    if (invariance_holds(&found->families[i], &check->arena, &tarn->net, query.formula))
      continue;
    query.formula =
        invariance_orbit(&found->families[i], &check->arena, &tarn->net, query.formula, all);
    if (!query.formula || !query_goal(&goal, &check->arena, &tarn->net, &query, &tarn->report))
      continue;
    check->query.formula = query.formula;
    check->goal = goal;
  }
}

// The symmetries that the search can use: those of the model and of the query.
static void find_symmetry(Check *check) {
  Tarn *tarn = check->tarn;
  const Options *options = &tarn->options;
  // Not for deadlocks, nor where transitions depend on what others can do: that is not proved.
  // Nor with tables of constants and references, which the matching of expressions does not
  // follow.
  if (options->symmetry == SYMMETRY_OFF || options->graph || check->goal.ends ||
      tarn->net.is_listed || tarn->net.has_tables || tarn->net.has_references ||
      (options->symmetry == SYMMETRY_AUTO && options->names_algorithm))
    return;
  Symmetry found;
  symmetry_find(&found, &check->arena, &tarn->net);
  widen_query(check, &found);
  check->symmetry = invariance_restrict(&found, &check->arena, &tarn->net,
                                        check->has_query ? check->query.formula : NULL);
}

// With all permutations of some processes zones of global time are few. Rotations save less than
// local time may do, unless processes take turns by a variable that they share.
static bool prefers_zones(const Check *check) {
  bool is_large = check->tarn->options.symmetry == SYMMETRY_ON;
  for (uint32_t i = 0; i < check->symmetry.count; i++) {
    const Family *family = &check->symmetry.families[i];
    is_large |= family->is_cyclic ? family->value_columns > 0 : family->size > 2;
  }
  return is_large && check->symmetry.count;
}

static void choose_engine(Check *check) {
  Tarn *tarn = check->tarn;
  const Goal *goal = check->has_query ? &check->goal : NULL;
  find_symmetry(check);
  if (tarn->options.engine == ENGINE_AUTO && prefers_zones(check))
    tarn->options.engine = ENGINE_ZONES;
  tarn->options.engine = choice_engine(&tarn->options, &tarn->mem, &tarn->net, goal);
  check->answer->options.engine = tarn->options.engine;
  if (tarn->options.engine != ENGINE_ZONES)
    check->symmetry.count = 0;
  if (check->symmetry.count)
    net_forget_ranges(&tarn->net); // a state may be exchanged for one that is not reachable
  Text name = {.mem = &tarn->mem};
  symmetry_name(&name, &check->symmetry);
  snprintf(check->answer->symmetry, sizeof check->answer->symmetry, "%s", text_chars(&name));
  text_release(&name);
}

static int cut_short(void *state) {
  Check *check = state;
  check->is_cut |= check->most_visited && check->tarn->stats.visited >= check->most_visited;
  return check->is_cut;
}

static bool search(Check *check, const Options *options, ReachResult *result) {
  Tarn *tarn = check->tarn;
  check->space = new_space(check, options);
  if (!check->space || !is_clean(tarn))
    return false;
  if (check->goal.ends)
    deadgoal_attach(&check->deadgoal, &tarn->mem, check->space, &tarn->net, &check->goal,
                    abstraction_is_maximal((Abstraction)options->abstraction));
  reach_init(&check->reach, &tarn->mem, check->space, (SearchOrder)options->order, &tarn->stats);
  const uint32_t threads = options->threads ? (uint32_t)options->threads : team_processors();
  if (threads > 1)
    workers_divide(&check->reach, threads, (SearchOrder)options->order);
  if (check->most_visited) {
    check->reach.terminate = cut_short;
    check->reach.terminate_state = check;
  }
  *tarn->net.invalid = (VmInvalid){0};
  *result = reach_run(&check->reach);
  check->invalid_count = tarn->net.invalid->count;
  check->first_invalid = tarn->net.invalid->first;
  return true;
}

static void end_search(Check *check) {
  if (check->goal.ends)
    deadgoal_release(&check->deadgoal);
  reach_release(&check->reach);
  check->space->release(check->space);
}

// --order hunt: random searches depth first, each a half longer than the one before. A bug that
// is not far off is found by most of them; a search that has gone wrong is given up soon. In the
// end the default order decides.
static bool hunt(Check *check, Options options, ReachResult *result) {
  enum { HUNTS = 16, FIRST = 500 };
  const Options asked = options;
  options.order = ORDER_DFS;
  options.threads = 1; // random orders are for one
  check->most_visited = FIRST;
  for (int i = 0; i < HUNTS; i++, check->most_visited += check->most_visited / 2) {
    options.seed = asked.seed + 1 + i > 0 ? asked.seed + 1 + i : 1;
    if (!search(check, &options, result))
      return false;
    if (!check->is_cut)
      return true;
    end_search(check);
    check->is_cut = false;
    check->tarn->stats = (Statistics){0};
  }
  options = asked;
  options.order = ORDER_STAGES;
  check->most_visited = 0;
  return search(check, &options, result);
}

static bool search_as_asked(Check *check, const Options *options, ReachResult *result) {
  return options->order == ORDER_HUNT ? hunt(check, *options, result)
                                      : search(check, options, result);
}

// A space that keeps its nodes itself knows the way to a failure only if it was told to.
static bool search_again(Check *check, ReachResult *result) {
  Options options = check->tarn->options;
  if (*result != REACH_FAILED || !check->space->passed || options.trace != TRACE_NONE)
    return true;
  options.trace = TRACE_CONCRETE;
  end_search(check);
  check->tarn->stats = (Statistics){0};
  return search_as_asked(check, &options, result);
}

// What holds of all states holds of none, too: such an answer would mean nothing.
static bool has_states(Tarn *tarn, ReachResult result) {
  if (result != REACH_NONE || tarn->stats.max_stored)
    return true;
  const Location *location = initial_obstacle(&tarn->mem, &tarn->net);
  if (location)
    report_error(
        &tarn->report, location->place,
        "there is no initial state, so nothing can be reached and every `A[]` would hold: "
        "the invariant of %s.%s does not hold at the beginning",
        tarn->net.processes.items[location->process].name, location->name);
  else
    report_error(
        &tarn->report, tarn->net.place,
        "there is no initial state, so nothing can be reached and every `A[]` would hold: "
        "the invariants of the initial locations do not hold together");
  return false;
}

// In TChecker's format an update out of range disables its edge. That may be meant, or a mistake.
static void warn_of_ranges(Check *check) {
  Tarn *tarn = check->tarn;
  if (check->invalid_count && !tarn->net.invalid_is_error)
    report_warning(
        &tarn->report, check->first_invalid,
        "a value out of the range of its variable made transitions impossible, %" PRIu64
        " times; this is the first",
        check->invalid_count);
}

// What is to be written can be; better known before the search than after it.
static bool can_write(Tarn *tarn) {
  const Options *options = &tarn->options;
  return (!options->certificate || source_is_writable(options->certificate, &tarn->report)) &&
         (!options->graph || source_is_writable(options->graph, &tarn->report));
}

static const char *deadlock_refusal(const Check *check) {
  const Options *options = &check->tarn->options;
  if (check->tarn->net.has_diagonals || check->goal.has_diagonals)
    return "`deadlock` is not answered where clocks are compared with each other";
  if (options->engine != ENGINE_AUTO && options->engine != ENGINE_ZONES)
    return "`deadlock` is answered by the engine zones only";
  return options->certificate ? "there is no certificate of deadlock freedom yet" : NULL;
}

// Why the query cannot be decided; NULL if it can.
static const char *refusal(const Check *check) {
  if (!check->has_query)
    return NULL;
  switch (check->query.kind) {
  case QUERY_REACH:
  case QUERY_INVARIANT:
    return check->goal.ends ? deadlock_refusal(check) : NULL;
  case QUERY_POSSIBLY:
  case QUERY_EVENTUALLY:
  case QUERY_LEADS_TO:
  case QUERY_BUCHI:
    if (check->tarn->options.certificate || check->tarn->options.graph)
      return "there is neither a certificate nor a graph for this query yet";
    return liveness_refusal(&check->tarn->net, &check->query);
  case QUERY_SUP:
  case QUERY_INF:
  case QUERY_BOUNDS:
    break;
  }
  return bounds_refusal(&check->tarn->net, &check->query, &check->tarn->options);
}

static bool refuse(Check *check) {
  const char *reason = refusal(check);
  if (!reason)
    return false;
  check->answer->verdict = VERDICT_REFUSED;
  check->answer->reason = reason;
  check->tarn->verdict = VERDICT_REFUSED;
  arena_release(&check->arena);
  return true;
}

static bool is_real(Check *check) {
  Trace trace;
  const bool ok = trace_build(&trace, &check->tarn->mem, &check->tarn->net, &check->goal,
                              &check->reach, REACH_GOAL, TRACE_CONCRETE);
  trace_release(&trace);
  return ok;
}

// With the abstraction that the options name, or a_LU, deadlocks may be found that are none; and
// where there is doubt, none being found shows nothing. Then the search is made again with M
// bounds, under which neither happens.
static bool search_deadlock(Check *check, ReachResult *result) {
  Options *options = &check->answer->options;
  options->engine = ENGINE_ZONES;
  options->threads = 1;
  options->delay = DELAY_AFTER;
  if (options->bounds == BOUNDS_FLY || options->bounds == BOUNDS_LAZY)
    options->bounds = BOUNDS_LOCAL;
  if (!search(check, options, result))
    return false;
  const bool is_done =
      check->deadgoal.is_m || options->abstraction == ABSTRACTION_NONE ||
      (*result == REACH_GOAL ? is_real(check)
                             : *result != REACH_NONE || !check->deadgoal.doubtful);
  if (is_done)
    return true;
  options->abstraction = ABSTRACTION_AM;
  options->bounds = BOUNDS_LOCAL;
  end_search(check);
  check->tarn->stats = (Statistics){0};
  return search(check, options, result);
}

// `E[]` and Büchi conditions hold if there is such a run; `A<>` and `-->` if there is none.
static void conclude_liveness(Check *check, const Liveness *l, CyclesResult result) {
  Answer *answer = check->answer;
  const bool is_universal =
      check->query.kind == QUERY_EVENTUALLY || check->query.kind == QUERY_LEADS_TO;
  if (result == CYCLES_STOPPED) {
    answer->verdict = VERDICT_UNDECIDED;
    answer->reason = l->stop_reason;
  } else {
    const bool found = result != CYCLES_NONE;
    answer->verdict = found != is_universal ? VERDICT_SATISFIED : VERDICT_NOT_SATISFIED;
  }
  answer->is_invariant = is_universal;
  check->tarn->verdict = (int)answer->verdict;
}

// The run that a search for one has found, if it is asked for.
static void show_lasso(Check *check, Liveness *l, CyclesResult result) {
  Answer *answer = check->answer;
  if ((result != CYCLES_FOUND && result != CYCLES_END) ||
      check->tarn->options.trace != TRACE_CONCRETE)
    return;
  answer->has_trace = lassorun_build(&answer->trace, &check->tarn->mem, &check->tarn->net, l);
  if (!answer->has_trace)
    report_warning(&check->tarn->report, (Place){0},
                   "the run has no part that repeats after a few rounds, and is not shown");
  else if (result == CYCLES_END)
    answer->ending = l->end == RUNS_IDLES ? "from here on time can pass for ever"
                                          : "from here on nothing can happen any more";
}

static bool run_liveness(Check *check) {
  Tarn *tarn = check->tarn;
  Net *net = &tarn->net;
  Query *query = &check->query;
  if (tarn->options.non_zeno) {
    net = ARENA_NEW(&tarn->net.arena, Net);
    query = ARENA_NEW(&check->arena, Query);
    if (!read_timed(check, net, query)) {
      report_error(&tarn->report, (Place){0}, "the model could not be read again");
      return false;
    }
  }
  Liveness l = {.mem = &tarn->mem,
                .net = net,
                .query = query,
                .is_divergent = tarn->options.non_zeno,
                .stats = &tarn->stats,
                .time_limit = tarn->options.time_limit,
                .terminate = tarn->terminate,
                .terminate_state = tarn->terminate_state};
  CyclesResult result;
  tarn->options.engine = check->answer->options.engine = ENGINE_ZONES;
  bool ok = liveness_run(&l, &result, &tarn->report);
  if (ok && result == CYCLES_FAILED) {
    report_error(&tarn->report, l.space->failure_place, "%s", l.space->failure);
    ok = false;
  } else if (ok) {
    conclude_liveness(check, &l, result);
    show_lasso(check, &l, result);
  }
  liveness_release(&l);
  arena_release(&check->arena);
  return ok;
}

// A run to a state with an extreme value, or one that comes within 1 of it.
static void show_value(Check *check, const ValueBounds *bounds) {
  Tarn *tarn = check->tarn;
  Arena *arena = &check->arena;
  if (tarn->options.trace == TRACE_NONE || !bounds->found || check->query.value_count > 1)
    return;
  const bool is_low = check->query.kind == QUERY_INF;
  const bool strict = is_low ? bounds->low_strict : bounds->high_strict;
  const int64_t value = bounds->is_infinite ? 0 : is_low ? bounds->low : bounds->high;
  const int64_t near = value + (!strict ? 0 : is_low ? 1 : -1);
  const ExprKind op = is_low ? (strict ? EXPR_LT : EXPR_LE) : strict ? EXPR_GT : EXPR_GE;
  const Place place = check->query.place;
  const Expr *bound = expr_const(arena, place, (int32_t)near);
  const Expr *test = bounds->is_clock
                         ? expr_clock_test(arena, place, bounds->value, NULL, op, bound)
                         : expr_binary(arena, place, op, bounds->value, bound);
  if (check->query.formula)
    test = expr_binary(arena, place, EXPR_AND, check->query.formula, test);
  ReachResult result;
  const Statistics stats = tarn->stats;
  if (goal_build(&check->goal, arena, test, false, place, &tarn->report) &&
      search(check, &check->answer->options, &result)) {
    check->answer->has_trace =
        result == REACH_GOAL &&
        trace_build(&check->answer->trace, &tarn->mem, &tarn->net, &check->goal, &check->reach,
                    result, (TraceKind)tarn->options.trace);
    end_search(check);
  }
  tarn->stats = stats;
}

static bool run_bounds(Check *check) {
  Tarn *tarn = check->tarn;
  Answer *answer = check->answer;
  Net *timed = ARENA_NEW(&tarn->net.arena, Net);
  Query query;
  const bool has_timed = read_timed(check, timed, &query);
  BoundsSearch b = {.mem = &tarn->mem,
                    .net = &tarn->net,
                    .timed = has_timed ? timed : NULL,
                    .query = &check->query,
                    .options = &tarn->options,
                    .stats = &tarn->stats,
                    .terminate = tarn->terminate,
                    .terminate_state = tarn->terminate_state};
  Text text = {.mem = &tarn->mem};
  tarn->options.engine = answer->options.engine = ENGINE_ZONES;
  ValueBounds bounds = {0};
  bool ok = true;
  for (uint32_t i = 0; ok && i < check->query.value_count; i++) {
    ok = bounds_find(&b, i, &bounds, &tarn->report);
    text_add(&text, i ? "; " : "");
    if (ok)
      bounds_print(&text, check->query.kind, &bounds);
  }
  answer->verdict = ok ? VERDICT_SATISFIED : b.stop_reason ? VERDICT_UNDECIDED : VERDICT_REFUSED;
  answer->reason = b.stop_reason ? b.stop_reason : b.refusal;
  if (ok) {
    answer->values = mem_copy_text(&tarn->mem, text_chars(&text), text.size);
    show_value(check, &bounds);
  } else if (b.failure) {
    report_error(&tarn->report, b.failure_place, "%s", b.failure);
  }
  tarn->verdict = (int)answer->verdict;
  text_release(&text);
  arena_release(&check->arena);
  return !report_failed(&tarn->report);
}

static bool is_bounds(const Check *check) {
  const QueryKind kind = check->query.kind;
  return check->has_query && (kind == QUERY_SUP || kind == QUERY_INF || kind == QUERY_BOUNDS);
}

static bool is_liveness(const Check *check) {
  const QueryKind kind = check->query.kind;
  return check->has_query && (kind == QUERY_POSSIBLY || kind == QUERY_EVENTUALLY ||
                              kind == QUERY_LEADS_TO || kind == QUERY_BUCHI);
}

static bool run(Check *check, const Source *source, bool is_labels) {
  Tarn *tarn = check->tarn;
  ReachResult result;
  if (source && !read_query(check, source, is_labels))
    return false;
  if (refuse(check))
    return true;
  if (!can_write(tarn))
    return false;
  if (is_liveness(check))
    return run_liveness(check);
  if (is_bounds(check))
    return run_bounds(check);
  choose_engine(check);
  if (check->goal.ends
          ? !search_deadlock(check, &result)
          : !search_as_asked(check, &tarn->options, &result) || !search_again(check, &result))
    return false;
  if (result == REACH_STOPPED) // then only the graph is left to be written, of what was explored
    mem_watch(&tarn->mem, NULL);
  bool ok = result != REACH_FAILED;
  if (!ok)
    report_failure(check);
  else if ((ok = has_states(tarn, result))) {
    warn_of_ranges(check);
    conclude(check, result);
    if (!check->goal.ends)
      prove(check, result);
    draw(check, result);
  }
  end_search(check);
  arena_release(&check->arena);
  return ok;
}

static Answer *new_answer(Tarn *tarn, const Source *source, bool is_labels) {
  Answer *answer = mem_alloc(&tarn->mem, sizeof *answer);
  answer->is_labels = is_labels;
  if (source)
    answer->query = mem_copy_text(&tarn->mem, source->text, source->size);
  answer->options = tarn->options;
  return answer;
}

// There is no time or memory left: for the search, or only for the evidence.
static void give_up(Tarn *tarn, Answer *answer, const char *limit) {
  const char *const reason = limit             ? limit
                             : tarn->mem.limit ? tarn->memory_reason
                                               : "out of memory";
  answer->has_trace = false;
  if (tarn->verdict >= 0) {
    report_error(&tarn->report, (Place){0}, "%s while the evidence was made: there is none",
                 reason);
    return;
  }
  answer->verdict = VERDICT_UNDECIDED;
  tarn->mem.limit = 0; // a few bytes are always there
  answer->reason = mem_copy_text(&tarn->mem, reason, strlen(reason));
}

// The query of an UPPAAL model cannot be answered: others may be. What was said becomes the
// reason.
static int refuse_with_report(Tarn *tarn, const Source *source) {
  Answer *answer = new_answer(tarn, source, false);
  answer->verdict = VERDICT_REFUSED;
  const Text *said = &tarn->report.error;
  size_t size = said->size;
  while (size && said->chars[size - 1] == '\n')
    size--;
  answer->reason = mem_copy_text(&tarn->mem, text_chars(said), size);
  report_clear(&tarn->report);
  vec_push(&tarn->mem, &tarn->answers, answer);
  tarn->state = ANSWERED;
  return tarn->verdict = VERDICT_REFUSED;
}

// Evidence that was asked for and is not there is an error, but the answer stands.
static int check(Tarn *tarn, const Source *source, bool is_labels) {
  vec_reserve(&tarn->mem, &tarn->answers, tarn->answers.size + 1);
  const size_t before = begin(tarn);
  Answer *answer = new_answer(tarn, source, is_labels);
  tarn->stats = (Statistics){0};
  tarn->verdict = -1;
  tarn->mem.peak = tarn->mem.bytes;
  limit_memory(tarn);
  Check now = {
      .tarn = tarn, .answer = answer, .arena = {.mem = &tarn->mem}, .start = timer_seconds()};
  MemWatch watch = {.reached = limit_reached, .state = &now};
  const int engine = tarn->options.engine;
  const size_t mark = mem_mark(&tarn->mem);
  jmp_buf escape;
  mem_watch(&tarn->mem, &watch);
  if (GUARD(tarn, escape)) {
    mem_watch(&tarn->mem, NULL);
    tarn->stats.seconds = timer_seconds() - now.start;
    tarn->stats.peak_bytes = tarn->mem.peak;
    mem_release_to(&tarn->mem, mark);
    give_up(tarn, answer, watch.struck);
  } else if (!run(&now, source, is_labels)) {
    mem_watch(&tarn->mem, NULL);
    tarn->options.engine = engine;
    tarn->mem.escape = NULL;
    tarn->mem.limit = 0;
    mem_release_to(&tarn->mem, before);
    if (tarn->net.uppaal && source)
      return refuse_with_report(tarn, source);
    keep_messages(tarn);
    return -1;
  }
  mem_watch(&tarn->mem, NULL);
  tarn->options.engine = engine;
  tarn->mem.escape = NULL;
  tarn->mem.limit = 0;
  answer->stats = tarn->stats;
  vec_push(&tarn->mem, &tarn->answers, answer);
  tarn->state = ANSWERED;
  tarn->verdict = (int)answer->verdict;
  is_clean(tarn);
  keep_messages(tarn);
  return report_failed(&tarn->report) ? -1 : tarn->verdict;
}

int tarn_check(Tarn *tarn, const char *query) {
  REQUIRE(tarn, LOADED | ANSWERED);
  if (!query)
    return check(tarn, NULL, false);
  const Source source = query_source(query, false);
  return check(tarn, &source, false);
}

int tarn_check_labels(Tarn *tarn, const char *labels) {
  REQUIRE(tarn, LOADED | ANSWERED);
  const Source source = query_source(labels, true);
  return check(tarn, &source, true);
}

static int parse(Tarn *tarn, const char *text, bool is_labels) {
  const Source source = query_source(text, is_labels);
  const size_t mark = begin(tarn);
  Answer answer = {0};
  Check check = {.tarn = tarn, .answer = &answer, .arena = {.mem = &tarn->mem}};
  volatile bool ok = false;
  jmp_buf escape;
  if (GUARD(tarn, escape))
    report_error(&tarn->report, (Place){0}, "out of memory");
  else
    ok = read_query(&check, &source, is_labels);
  tarn->mem.escape = NULL;
  mem_release_to(&tarn->mem, mark);
  return ok ? 0 : -1;
}

int tarn_parse(Tarn *tarn, const char *query) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return parse(tarn, query, false);
}

int tarn_parse_labels(Tarn *tarn, const char *labels) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return parse(tarn, labels, true);
}

int tarn_verdict(const Tarn *tarn) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  return tarn->verdict;
}

const char *tarn_reason(const Tarn *tarn) {
  REQUIRE(tarn, ANSWERED);
  return vec_last(&tarn->answers)->reason;
}

int tarn_certify(Tarn *tarn, const char *path) {
  REQUIRE(tarn, LOADED | ANSWERED);
  text_clear(&tarn->finding);
  text_add(&tarn->finding, "");
  const size_t mark = begin(tarn);
  Source source;
  jmp_buf escape;
  int result = -1;
  if (GUARD(tarn, escape))
    report_error(&tarn->report, (Place){0}, "out of memory");
  else
    result = read_evidence(tarn, &source, path)
                 ? evidence_check(&tarn->mem, &tarn->net, &source, &tarn->finding, &tarn->report)
                 : -1;
  tarn->mem.escape = NULL;
  mem_release_to(&tarn->mem, mark);
  return result;
}

const char *tarn_finding(const Tarn *tarn) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return text_chars(&tarn->finding);
}

static void add_run(Tarn *tarn, Arena *arena, const StoredRun *stored) {
  Answer *answer = ARENA_NEW(arena, Answer);
  answer->query = stored->query;
  answer->is_labels = stored->is_labels;
  answer->reason = stored->reason;
  answer->is_invariant = stored->query && !strncmp(stored->query, "A[]", 3);
  answer->verdict = answer->is_invariant ? VERDICT_NOT_SATISFIED : VERDICT_SATISFIED;
  answer->has_trace = true;
  trace_from_run(&answer->trace, &tarn->mem, &tarn->net, &stored->run);
  vec_push(&tarn->mem, &tarn->answers, answer);
}

int tarn_read_runs(Tarn *tarn, const char *path) {
  REQUIRE(tarn, LOADED | ANSWERED);
  vec_reserve(&tarn->mem, &tarn->answers, 8);
  begin(tarn);
  jmp_buf escape;
  Source source;
  StoredRuns runs = {0};
  Arena *arena = &tarn->net.arena; // they live as long as the model
  int result = -1;
  if (GUARD(tarn, escape)) {
    report_error(&tarn->report, (Place){0}, "out of memory");
  } else if (read_evidence(tarn, &source, path) &&
             run_read(&runs, arena, &tarn->net, &source, &tarn->report)) {
    for (uint32_t i = 0; i < runs.size; i++)
      add_run(tarn, arena, &runs.items[i]);
    tarn->state = ANSWERED;
    result = 0;
  }
  tarn->mem.escape = NULL;
  return result;
}

static bool start_simulation(Tarn *tarn, const char *path) {
  Source source;
  StoredRuns runs = {0};
  Text why = {.mem = &tarn->mem};
  if (path && (!read_evidence(tarn, &source, path) ||
               !run_read(&runs, &tarn->net.arena, &tarn->net, &source, &tarn->report)))
    return false;
  if (path && !replay_run(&tarn->mem, &tarn->net, NULL, &runs.items[0].run, &why)) {
    report_error(&tarn->report, (Place){0}, "%s: %s", path, text_chars(&why));
    return false;
  }
  Simulation *simulation = mem_alloc(&tarn->mem, sizeof *simulation);
  if (!simulate_init(simulation, &tarn->mem, &tarn->net)) {
    report_error(&tarn->report, (Place){0}, "no initial state satisfies its invariant");
    return false;
  }
  if (path)
    simulate_adopt(simulation, &runs.items[0].run);
  tarn->simulation = simulation;
  return true;
}

int tarn_simulate(Tarn *tarn, const char *run) {
  REQUIRE(tarn, LOADED | ANSWERED);
  begin(tarn);
  jmp_buf escape;
  int result = -1;
  if (GUARD(tarn, escape))
    report_error(&tarn->report, (Place){0}, "out of memory");
  else
    result = start_simulation(tarn, run) ? 0 : -1;
  tarn->mem.escape = NULL;
  return result;
}

static Simulation *simulation_of(Tarn *tarn, const char *function) {
  if (!tarn || !tarn->simulation)
    misuse(function);
  begin(tarn);
  return tarn->simulation;
}

// A delay such as `3/2`.
static bool read_delay(Tarn *tarn, const char *delay, int64_t *over, int64_t *under) {
  char *end = NULL;
  errno = 0;
  *under = 1;
  *over = strtoll(delay, &end, 10);
  if (*end == '/')
    *under = strtoll(end + 1, &end, 10);
  if (end != delay && !*end && !errno && *over >= 0 && *under >= 1)
    return true;
  report_error(&tarn->report, (Place){0}, "`%s` is no delay: write 3 or 3/2", delay);
  return false;
}

int tarn_step(Tarn *tarn, size_t choice, const char *delay) {
  Simulation *simulation = simulation_of(tarn, __func__);
  int64_t over = -1, under = 1;
  if (delay && !read_delay(tarn, delay, &over, &under))
    return -1;
  if (simulate_step(simulation, choice > UINT32_MAX ? UINT32_MAX : (uint32_t)choice, over, under))
    return 0;
  report_error(&tarn->report, (Place){0}, "%s", simulation->error);
  return -1;
}

int tarn_wait(Tarn *tarn, const char *delay) {
  Simulation *simulation = simulation_of(tarn, __func__);
  int64_t over, under;
  if (!read_delay(tarn, delay, &over, &under))
    return -1;
  if (simulate_wait(simulation, over, under))
    return 0;
  report_error(&tarn->report, (Place){0}, "%s", simulation->error);
  return -1;
}

int tarn_step_to(Tarn *tarn, size_t step) {
  Simulation *simulation = simulation_of(tarn, __func__);
  if (step <= UINT32_MAX && simulate_go(simulation, (uint32_t)step))
    return 0;
  report_error(&tarn->report, (Place){0}, "there is no step %zu: the last one is %u", step,
               simulation->known - 1);
  return -1;
}

const char *tarn_stuck(Tarn *tarn) {
  Simulation *simulation = simulation_of(tarn, __func__);
  text_clear(&tarn->finding);
  return simulate_stuck(simulation, &tarn->finding) ? text_chars(&tarn->finding) : NULL;
}

int tarn_step_back(Tarn *tarn) {
  if (simulate_back(simulation_of(tarn, __func__)))
    return 0;
  report_error(&tarn->report, (Place){0}, "this is the beginning");
  return -1;
}

int tarn_step_randomly(Tarn *tarn, int count, int seed) {
  Simulation *simulation = simulation_of(tarn, __func__);
  Random random;
  random_seed(&random, (uint64_t)seed);
  return (int)simulate_random(simulation, count > 0 ? (uint32_t)count : 0, &random);
}

static bool write_simulation(Tarn *tarn, Text *text, const char *what, const char *format) {
  const bool is_json = !strcmp(format, "json"), is_page = !strcmp(format, "html");
  if (!tarn->simulation || (!is_json && !is_page && strcmp(format, "text")))
    return false;
  if (!strcmp(what, "simulation") && !is_page) {
    (is_json ? prompt_json : prompt_text)(text, tarn->simulation);
    return true;
  }
  if (strcmp(what, "run"))
    return false;
  Answer answer;
  Answer *items[] = {&answer};
  const Answers answers = {items, 1, 1};
  prompt_answer(&answer, &tarn->mem, tarn->simulation);
  if (is_json)
    answer_json(text, &tarn->net, &tarn->options, &answers);
  else if (is_page)
    page_write(text, &tarn->net, &tarn->options, &answers);
  else {
    if (!tarn->simulation->waited)
      answer.trace.end_clocks = NULL; // the last step is the end
    answer_trace(text, &answer.trace, "it ends");
  }
  trace_release(&answer.trace);
  return true;
}

double tarn_statistic(const Tarn *tarn, const char *name) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  if (!strcmp(name, "limit_bytes"))
    return (double)tarn->limit;
  for (uint32_t i = 0; i < statistics_count(); i++)
    if (!strcmp(statistics_at(i)->name, name))
      return statistics_value(&tarn->stats, statistics_at(i));
  return NAN;
}

void tarn_set_terminate(Tarn *tarn, void *state, int (*terminate)(void *state)) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  tarn->terminate_state = state;
  tarn->terminate = terminate;
}

static int put(Report *report, FILE *file, Text *text) {
  const bool ok = fwrite(text_chars(text), 1, text->size, file) == text->size && !fflush(file);
  text_release(text);
  if (ok)
    return 0;
  report_error(report, (Place){0}, "cannot write: %s", strerror(errno));
  return -1;
}

// What tarn_write is asked for, as text; false if there is no such thing.
static bool compose(Tarn *tarn, Text *text, const char *what, const char *format) {
  const bool is_text = !strcmp(format, "text");
  if (!strcmp(what, "model") && is_text) {
    show_model(text, &tarn->net);
  } else if (!strcmp(what, "model") && !strcmp(format, "dot")) {
    show_process_dot(text, &tarn->net);
  } else if (!strcmp(what, "symmetry") && is_text) {
    Arena arena = {.mem = &tarn->mem};
    Symmetry symmetry;
    symmetry_find(&symmetry, &arena, &tarn->net);
    symmetry_print(text, &symmetry, &tarn->net);
    arena_release(&arena);
  } else if (!strcmp(what, "answers") && !strcmp(format, "html")) {
    page_write(text, &tarn->net, &tarn->options, &tarn->answers);
  } else if (!strcmp(what, "answer") && !strcmp(format, "json")) {
    const Answers last = {&tarn->answers.items[tarn->answers.size - 1], 1, 1};
    answer_json(text, &tarn->net, &tarn->options, &last);
  } else if (!strcmp(what, "model") && !strcmp(format, "xta")) {
    if (tarn->net.uppaal)
      report_error(&tarn->report, (Place){0}, "this is an UPPAAL model already");
    return !tarn->net.uppaal && xta_write(text, &tarn->net, &tarn->report);
  } else if (!strcmp(what, "model") && !strcmp(format, "tchecker")) {
    return convert_to_tchecker(text, &tarn->net, &tarn->report);
  } else if (!strcmp(what, "run of the answer") && !strcmp(format, "uppaal")) {
    trace_text(text, &vec_last(&tarn->answers)->trace);
  } else if (!strcmp(what, "answer") && is_text) {
    answer_text(text, vec_last(&tarn->answers));
  } else if (!strcmp(what, "stats") && is_text) {
    const Answer *answer = vec_last(&tarn->answers);
    answer_stats(text, answer);
    const char *hint =
        choice_hint(&answer->options, &tarn->mem, &tarn->net, answer->stats.visited);
    if (hint)
      text_addf(text, "  hint         %s\n", hint);
  } else if (!write_simulation(tarn, text, what, format)) {
    report_error(&tarn->report, (Place){0}, "cannot write `%s` as `%s`", what, format);
    return false;
  }
  return true;
}

// A report can be written in every state: it tells also the error of the call before.
static void compose_report(Tarn *tarn, Text *text, const char *format, const char *error) {
  if (!strcmp(format, "junit")) {
    junit_write(text, tarn->state == EMPTY ? "model" : tarn->net.name, &tarn->answers, error);
    return;
  }
  const Text *kept = &tarn->errors;
  const size_t length = strlen(error);
  Text errors = {.mem = &tarn->mem};
  text_add(&errors, text_chars(kept));
  if (length > kept->size || strcmp(text_chars(kept) + kept->size - length, error) != 0)
    text_add(&errors, error); // of a call that answers nothing
  if (tarn->state == EMPTY)
    answer_errors(text, text_chars(&tarn->warnings), text_chars(&errors));
  else
    answer_json_with(text, &tarn->net, &tarn->options, &tarn->answers,
                     text_chars(&tarn->warnings), text_chars(&errors));
  text_release(&errors);
}

// Misuse is told by the name of the function that was called.
static bool is_report(const char *what, const char *format) {
  return !strcmp(what, "answers") && (!strcmp(format, "junit") || !strcmp(format, "json"));
}

static bool compose_guarded(Tarn *tarn, Text *text, const char *what, const char *format,
                            const char *function) {
  const bool is_of_answer = !strcmp(what, "answer") || !strcmp(what, "stats");
  if (!tarn ||
      !(is_report(what, format) || tarn->state & (is_of_answer ? ANSWERED : LOADED | ANSWERED)))
    misuse(function);
  char *error = mem_copy_text(&tarn->mem, tarn_error(tarn), strlen(tarn_error(tarn)));
  begin(tarn);
  jmp_buf escape;
  bool ok = false;
  if (GUARD(tarn, escape))
    report_error(&tarn->report, (Place){0}, "out of memory");
  else if (is_report(what, format))
    compose_report(tarn, text, format, error), ok = true;
  else
    ok = compose(tarn, text, what, format);
  mem_free(&tarn->mem, error);
  tarn->mem.escape = NULL;
  return ok;
}

int tarn_write(Tarn *tarn, FILE *file, const char *what, const char *format) {
  Text text = {.mem = tarn ? &tarn->mem : NULL};
  return compose_guarded(tarn, &text, what, format, __func__) ? put(&tarn->report, file, &text)
                                                              : -1;
}

// As snprintf does it: what has room, a NUL, and the length of all.
static long fill(char *buffer, size_t size, const Text *text) {
  if (size) {
    const size_t length = text->size < size ? text->size : size - 1;
    memcpy(buffer, text_chars(text), length);
    buffer[length] = 0;
  }
  return (long)text->size;
}

// Whether the text of these words is still there, because it had no room a moment ago.
static bool is_composed(const Tarn *tarn, const char *words) {
  return tarn && tarn->composed_of.size && !strcmp(text_chars(&tarn->composed_of), words);
}

// Fills the buffer; what has no room is kept for the next call.
static long fill_or_keep(Tarn *tarn, char *buffer, size_t size, const char *words) {
  const long length = fill(buffer, size, &tarn->composed);
  text_release(&tarn->composed_of);
  if (tarn->composed.size >= size)
    text_add(&tarn->composed_of, words);
  else
    text_release(&tarn->composed);
  return length;
}

long tarn_write_buffer(Tarn *tarn, char *buffer, size_t size, const char *what,
                       const char *format) {
  char words[64];
  snprintf(words, sizeof words, "%s %s", what, format);
  if (!is_composed(tarn, words) &&
      !compose_guarded(tarn, &tarn->composed, what, format, __func__))
    return -1;
  return fill_or_keep(tarn, buffer, size, words);
}

static bool generate(Tarn *tarn, Text *text, const char *family, int count,
                     const char *const *arguments) {
  begin(tarn);
  jmp_buf escape;
  bool ok = false;
  if (GUARD(tarn, escape)) {
    report_error(&tarn->report, (Place){0}, "out of memory");
  } else if (!family) {
    gen_list(text);
    ok = true;
  } else {
    ok = gen_write(text, &tarn->report, family, count, arguments);
  }
  tarn->mem.escape = NULL;
  if (!ok)
    text_release(text);
  return ok;
}

int tarn_generate(Tarn *tarn, FILE *file, const char *family, int count,
                  const char *const *arguments) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  Text text = {.mem = &tarn->mem};
  return generate(tarn, &text, family, count, arguments) ? put(&tarn->report, file, &text) : -1;
}

long tarn_generate_buffer(Tarn *tarn, char *buffer, size_t size, const char *family, int count,
                          const char *const *arguments) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  if (!generate(tarn, &tarn->composed, family, count, arguments))
    return -1;
  const long length = fill(buffer, size, &tarn->composed);
  text_release(&tarn->composed);
  return length;
}

int tarn_option(size_t index, TarnOption *option) {
  if (index >= options_count())
    return -1;
  const OptionInfo *info = options_at((uint32_t)index);
  *option = (TarnOption){.name = info->name,
                         .letter = info->letter,
                         .argument = info->values,
                         .initial = info->initial,
                         .help = info->help,
                         .is_engine = info->scope == OPTION_ENGINE};
  return 0;
}

static bool compose_help(Text *text, const char *topic, const char *format) {
  void (*whole)(Text *) = !strcmp(format, "man")    ? manual_page
                          : !strcmp(format, "bash") ? complete_bash
                          : !strcmp(format, "zsh")  ? complete_zsh
                                                    : NULL;
  if (!whole)
    return manual_topic(text, topic);
  whole(text);
  return true;
}

int tarn_help(FILE *file, const char *topic, const char *format) {
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  Text text = {.mem = &mem};
  const int result = compose_help(&text, topic, format) ? put(&report, file, &text) : -1;
  mem_release(&mem);
  return result;
}

long tarn_help_buffer(char *buffer, size_t size, const char *topic, const char *format) {
  Mem mem = {0};
  Text text = {.mem = &mem};
  const long length = compose_help(&text, topic, format) ? fill(buffer, size, &text) : -1;
  mem_release(&mem);
  return length;
}
