// Random networks and queries, decided by tarn, on regions and, without strict constraints, on
// points:
// agree_queries COUNT [FIRST] [diagonals]
//
// With `diagonals` networks and queries compare clocks with each other.
// Each seed from FIRST (default 1) on gives a network and some queries of every kind. Verdicts
// must be those that a naive search of the region graph gives (regiongraph.h). Stops at the first
// difference and shows it; the last line is the sum. Networks with too many regions are left out,
// as are queries that tarn refuses: both are counted.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "regiongraph.h"
#include "sample.h"

#include "language/query_reader.h"
#include "language/tchecker/tck.h"
#include "tarn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_REGIONS = 3000, FORMULA = 400 };

typedef struct Case {
  unsigned long seed;
  unsigned long long random;
  int processes, clocks, locations, constant, ints;
  bool diagonals;
  char *model;
  Mem mem;
  Report report;
  Net net, timed; // the second with a clock for ticks
  Source source;
  char *run; // the answer with a run to some query, as JSON
  char run_query[FORMULA];
  bool closed;
  Regions regions, ticks, wide; // the last one tells larger values of clocks apart
  Regions points;               // of closed networks
} Case;

typedef enum Kind {
  DEADLOCK,
  POSSIBLY,
  EVENTUALLY,
  LEADS_TO,
  BUCHI,
  DIVERGES,
  CLOCK,
  INTEGER,
  KINDS
} Kind;
static const char *const kind_names[] = {"deadlock", "E[]",      "A<>",    "-->",
                                         "buchi",    "non-zeno", "clocks", "integers"};

typedef struct Sum {
  unsigned long networks, large, refused, failed;
  unsigned long runs, unshown, forged;  // runs accepted, runs not shown, forgeries rejected
  unsigned long values, unshown_values; // runs to extreme values accepted, or not shown
  unsigned long asked[KINDS], satisfied[KINDS], points[KINDS];
} Sum;

static unsigned below(Case *c, unsigned n) { return sample_below(&c->random, n); }

static void make_model(Case *c) {
  c->processes = 1 + (int)below(c, 2);
  c->clocks = c->diagonals ? 2 + (below(c, 4) == 0) : 1 + (int)below(c, 2);
  c->locations = 2 + (int)below(c, c->processes == 1 ? 4 : 2);
  c->constant = 1 + (int)below(c, c->clocks == 1 ? 4 : 2);
  c->ints = (int)below(c, 2);
  c->closed = below(c, 2);
  const SampleValue values[] = {
      {"seed", (int)c->seed},
      {"processes", c->processes},
      {"locations", c->locations},
      {"edges", c->locations + (int)below(c, 4)},
      {"clocks", c->clocks},
      {"constant", c->constant},
      {"ints", c->ints},
      {"syncs", (int)below(c, 3)},
      {"guards", 40 + (int)below(c, 50)},
      {"invariants", (int)below(c, 90)},
      {"committed", below(c, 2) ? 0 : 10},
      {"urgent", below(c, 2) ? 0 : 10},
      {"closed", c->closed},
      {"shifts", 0},
      {"copies", (int)below(c, 2)},
      {"arrays", 0},
      {"bounds", (int)below(c, 3) == 0},
      {"diagonals", c->diagonals},
  };
  c->model = sample_network(values, sizeof values / sizeof *values);
}

static void add_atom(Case *c, char *text) {
  static const char *const relations[] = {"<", "<=", ">", ">=", "==", "!="};
  char atom[60];
  const unsigned kind = below(c, 10);
  if (kind < 5)
    snprintf(atom, sizeof atom, "P%u.l%u", below(c, (unsigned)c->processes),
             below(c, (unsigned)c->locations));
  else if (kind == 5 && c->diagonals && c->clocks > 1)
    snprintf(atom, sizeof atom, "x0 - x%d %s %d", c->clocks - 1, relations[below(c, 6)],
             (int)below(c, 2 * (unsigned)c->constant + 1) - c->constant);
  else if (kind < 6 && c->ints)
    snprintf(atom, sizeof atom, "v0 %s %u", relations[below(c, 6)], below(c, 4));
  else
    snprintf(atom, sizeof atom, "x%u %s %u", below(c, (unsigned)c->clocks),
             relations[below(c, 6)], below(c, (unsigned)c->constant + 1));
  if (below(c, 4) == 0)
    strcat(text, "not ");
  strcat(text, atom);
}

static void add_formula(Case *c, char *text, int depth) {
  if (!depth || below(c, 3) == 0) {
    add_atom(c, text);
    return;
  }
  strcat(text, "(");
  add_formula(c, text, depth - 1);
  strcat(text, below(c, 2) ? " and " : " or ");
  add_formula(c, text, depth - 1);
  strcat(text, ")");
}

static void make_query(Case *c, Kind kind, char *text) {
  static const char *const deadlocks[] = {"E<> deadlock",          "A[] not deadlock",
                                          "E<> deadlock and ",     "A[] deadlock imply ",
                                          "E<> not deadlock and ", "E<> deadlock or "};
  unsigned choice;
  switch (kind) {
  case DEADLOCK:
    choice = below(c, 6);
    strcpy(text, deadlocks[choice]);
    if (choice > 1)
      add_formula(c, text, 1);
    return;
  case POSSIBLY:
  case EVENTUALLY:
    strcpy(text, kind == POSSIBLY ? "E[] " : "A<> ");
    add_formula(c, text, 2);
    return;
  case BUCHI:
    sprintf(text, "buchi: P0.l%u%s", below(c, (unsigned)c->locations), below(c, 2) ? "" : ", ");
    if (text[strlen(text) - 1] == ' ')
      sprintf(text + strlen(text), "not P%u.l%u", below(c, (unsigned)c->processes),
              below(c, (unsigned)c->locations));
    return;
  case CLOCK:
    sprintf(text, "bounds{");
    add_formula(c, text, 1);
    sprintf(text + strlen(text), "}: x%u", below(c, (unsigned)c->clocks));
    return;
  case INTEGER:
    sprintf(text, "bounds{");
    add_formula(c, text, 1);
    sprintf(text + strlen(text), "}: %s", c->ints ? "v0 * 2 - 3" : "P0.l1 + P0.l0 * 3");
    return;
  case DIVERGES:
    if (below(c, 3)) {
      make_query(c, (Kind)(POSSIBLY + below(c, 4)), text);
      return;
    }
    strcpy(text, "E[] true");
    return;
  default:
    add_formula(c, text, 1);
    strcat(text, " --> ");
    add_formula(c, text, 1);
  }
}

static bool some_region(Regions *r, const Expr *condition, bool *from) {
  bool some = false;
  for (uint32_t i = 0; i < r->list.size; i++)
    some |= from[i] = regions_holds(r, &r->list.items[i], condition);
  return some;
}

static int expected(Regions *r, const Query *query) {
  bool *from = calloc(r->list.size + 1, 1);
  bool holds = false;
  switch (query->kind) {
  case QUERY_REACH:
    holds = some_region(r, query->formula, from);
    break;
  case QUERY_INVARIANT:
    holds = true;
    for (uint32_t i = 0; i < r->list.size; i++)
      holds = holds && regions_holds(r, &r->list.items[i], query->formula);
    break;
  case QUERY_POSSIBLY:
    holds = regions_stays(r, NULL, query->formula, false);
    break;
  case QUERY_EVENTUALLY:
    holds = !regions_stays(r, NULL, query->formula, true);
    break;
  case QUERY_LEADS_TO:
    some_region(r, query->formula, from);
    holds = !regions_stays(r, from, query->conclusion, true);
    break;
  default:
    holds = regions_recurs(r, query->values, query->value_count);
  }
  free(from);
  return holds;
}

// The bounds as tarn prints them. Values of clocks beyond what the regions tell apart are
// infinite.
static void expected_bounds(Regions *r, const Query *query, char *text) {
  const Expr *value = query->values[0];
  const bool is_clock = value->type->kind == TYPE_CLOCK;
  int64_t low = 0, high = 0; // doubled, and one less or more if strict
  bool found = false, infinite = false;
  for (uint32_t i = 0; i < r->list.size; i++) {
    const Region *region = &r->list.items[i];
    if (!regions_holds(r, region, query->formula))
      continue;
    int64_t least, max;
    if (is_clock) {
      const int64_t at = region->clocks[value->base], whole = at / r->scale;
      least = 2 * whole + (at % r->scale != 0);
      max = at % r->scale ? 2 * whole + 1 : 2 * whole;
      infinite |= at > (int64_t)r->max * r->scale;
      if (at > (int64_t)r->max * r->scale)
        least = 2 * r->max + 1;
    } else {
      least = max = 2 * regions_value(r, region, value);
    }
    low = !found || least < low ? least : low;
    high = !found || max > high ? max : high;
    found = true;
  }
  if (!found) {
    strcpy(text, "no state satisfies the condition");
    return;
  }
  const bool low_strict = low & 1, high_strict = high & 1;
  text += sprintf(text, "%s %lld, ", low_strict ? ">" : ">=", (long long)(low - low_strict) / 2);
  if (infinite)
    strcpy(text, "grows without end");
  else
    sprintf(text, "%s %lld", high_strict ? "<" : "<=", (long long)(high + high_strict) / 2);
}

// What tarn said, without the name of the value.
static void said_bounds(Tarn *tarn, const char *value, char *said) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  tarn_write(tarn, file, "answer", "text");
  fclose(file);
  char *from = strstr(text, ": satisfied (");
  char *end = from ? strchr(from, '\n') : NULL;
  *said = 0;
  if (end && end[-1] == ')') {
    end[-1] = 0;
    for (from += strlen(": satisfied ("); *from;)
      if (!strncmp(from, value, strlen(value)) && from[strlen(value)] == ' ')
        from += strlen(value) + 1;
      else
        *said++ = *from++;
    *said = 0;
  }
  free(text);
}

static bool read_net(Case *c) {
  net_init(&c->net, &c->mem);
  if (!tck_read(&c->net, &c->source, &c->report))
    return false;
  net_measure(&c->timed, &c->net, &c->net.arena);
  return true;
}

static bool read_case(Case *c, unsigned long seed, bool diagonals) {
  *c = (Case){.seed = seed, .random = seed, .diagonals = diagonals};
  c->regions.gaps = c->ticks.gaps = c->wide.gaps = diagonals;
  make_model(c);
  report_init(&c->report, &c->mem);
  c->source = (Source){.name = "random", .text = c->model, .size = strlen(c->model)};
  return read_net(c);
}

static void end_case(Case *c) {
  regions_release(&c->regions);
  regions_release(&c->ticks);
  regions_release(&c->wide);
  regions_release(&c->points);
  mem_release(&c->mem);
  free(c->model);
  free(c->run);
}

static char *as_json(Tarn *tarn) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  tarn_write(tarn, file, "answers", "json");
  fclose(file);
  return text;
}

// What tarn_certify says of this evidence.
static int certify(const Case *c, const char *json) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/agree_queries.%ld.json", (long)getpid());
  FILE *file = fopen(path, "w");
  fputs(json, file);
  fclose(file);
  Tarn *tarn = tarn_init();
  const int result = tarn_read_text(tarn, c->model, "tchecker") ? -2 : tarn_certify(tarn, path);
  if (result < 0)
    printf("seed %lu: %s\n", c->seed, tarn_error(tarn));
  tarn_release(tarn);
  remove(path);
  return result;
}

// The run of one query as one of another, for which there is none.
static bool forgery_is_rejected(Case *c, Sum *sum, const char *text) {
  char *at = strstr(c->run, c->run_query);
  if (!at)
    return true;
  const size_t size = strlen(c->run) + strlen(text) + 1;
  char *forged = malloc(size);
  snprintf(forged, size, "%.*s%s%s", (int)(at - c->run), c->run, text, at + strlen(c->run_query));
  const bool rejected = certify(c, forged) == 0;
  if (!rejected)
    printf("seed %lu: a forged run is accepted: %s\n%s\n%s", c->seed, text, forged, c->model);
  sum->forged++;
  free(forged);
  return rejected;
}

// Runs are there, and are accepted; those of other queries are not.
static bool check_runs(Case *c, Sum *sum, Tarn *tarn, const char *text, bool has_run) {
  if (!has_run)
    return !c->run || forgery_is_rejected(c, sum, text);
  char *json = as_json(tarn);
  if (!strstr(json, "\"steps\"")) {
    sum->unshown++;
    free(json);
    return true;
  }
  sum->runs++;
  const bool accepted = certify(c, json) == 1;
  if (!accepted)
    printf("seed %lu: the run is rejected: %s\n%s\n%s", c->seed, text, json, c->model);
  free(c->run);
  c->run = json;
  strcpy(c->run_query, text);
  return accepted;
}

// The run to an extreme value, or in which a clock grows without end, is accepted.
static bool check_value(Case *c, Sum *sum, Tarn *tarn, const char *text) {
  char *json = as_json(tarn);
  const bool accepted = certify(c, json) == 1;
  sum->values++;
  if (!accepted)
    printf("seed %lu: the run is rejected: %s\n%s\n%s", c->seed, text, json, c->model);
  free(json);
  return accepted;
}

// Whether points decide the query.
static bool is_for_points(const Case *c, Kind kind, const Query *query) {
  if (!c->closed || !c->points.list.size || kind == DIVERGES || kind == CLOCK)
    return false;
  return kind == DEADLOCK || kind == INTEGER || kind == BUCHI ||
         (!expr_has_clock_test(query->formula) &&
          (!query->conclusion || !expr_has_clock_test(query->conclusion)));
}

// Whether points and regions agree; they share how states are made, but not how time passes.
static bool compare_points(Case *c, Sum *sum, Kind kind, const Query *query, const char *text) {
  if (!is_for_points(c, kind, query))
    return true;
  char values[2][100] = {"", ""};
  sum->points[kind]++;
  if (kind == INTEGER) {
    expected_bounds(&c->regions, query, values[0]);
    expected_bounds(&c->points, query, values[1]);
  } else {
    values[0][0] = expected(&c->regions, query) ? '1' : '0';
    values[1][0] = expected(&c->points, query) ? '1' : '0';
  }
  if (!strcmp(values[0], values[1]))
    return true;
  printf("seed %lu: %s: on regions %s, on points %s\n%s", c->seed, text, values[0], values[1],
         c->model);
  return false;
}

// Whether they agree.
static bool compare(Case *c, Sum *sum, Kind kind, const char *text) {
  Arena arena = {.mem = &c->mem};
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  Query query;
  const bool timed = kind == DIVERGES;
  if (!query_read(&query, &arena, timed ? &c->timed : &c->net, &source, &c->report)) {
    printf("seed %lu: %s: %s", c->seed, text, text_chars(&c->report.error));
    return false;
  }
  if (!compare_points(c, sum, kind, &query, text))
    return false;
  Tarn *tarn = tarn_init();
  tarn_set(tarn, "non-zeno", timed ? "yes" : "no");
  tarn_set(tarn, "time-limit", "3");
  tarn_set(tarn, "trace", "concrete");
  tarn_set(tarn, "prefer", "any"); // the run of this search
  // By which of its searches a question about infinite runs is decided.
  static const char *const orders[] = {"stages", "bfs", "dfs", "bfs"};
  if (kind != DEADLOCK && kind < CLOCK && c->seed % 4) // to name one turns others off
    tarn_set(tarn, "order", orders[c->seed % 4]);
  bool ok = !tarn_read_text(tarn, c->model, "tchecker");
  const int verdict = ok ? tarn_check(tarn, text) : -1;
  if (verdict == TARN_REFUSED) {
    sum->refused++;
  } else if (verdict < 0) {
    printf("seed %lu: %s: %s", c->seed, text, tarn_error(tarn));
    ok = false;
  } else if (kind >= CLOCK) {
    char right[100], said[200];
    expected_bounds(kind == CLOCK ? &c->wide : &c->regions, &query, right);
    said_bounds(tarn, strrchr(text, ':') + 2, said);
    sum->asked[kind]++;
    sum->satisfied[kind] += !strstr(said, "without end");
    ok = !strcmp(said, right);
    if (!ok)
      printf("seed %lu: %s: %s, on regions %s\n%s", c->seed, text, said, right, c->model);
    else if (tarn_has_run(tarn))
      ok = check_value(c, sum, tarn, text);
    else
      sum->unshown_values++;
  } else {
    const int right = expected(timed ? &c->ticks : &c->regions, &query);
    sum->asked[kind]++;
    sum->satisfied[kind] += verdict == TARN_SATISFIED;
    ok = verdict == right;
    if (!ok)
      printf("seed %lu: %s%s: %d, on regions %d\n%s", c->seed, text, timed ? " (--non-zeno)" : "",
             verdict, right, c->model);
    const bool is_universal = query.kind == QUERY_INVARIANT || query.kind == QUERY_EVENTUALLY ||
                              query.kind == QUERY_LEADS_TO;
    // With --non-zeno there may be other runs, so that a foreign one need not be wrong.
    if (ok && (!timed || right != is_universal))
      ok = check_runs(c, sum, tarn, text, right != is_universal);
  }
  tarn_release(tarn);
  arena_release(&arena);
  return ok;
}

static bool run_case(unsigned long seed, bool diagonals, Sum *sum) {
  Case c;
  bool ok = true;
  if (!read_case(&c, seed, diagonals)) {
    printf("seed %lu: %s", seed, text_chars(&c.report.error));
    return false;
  }
  int32_t max = regions_max(&c.net);
  max = max > c.constant ? max : c.constant; // of the queries
  if (diagonals)
    max *= 2; // clocks are set to constants, too
  if (!regions_make(&c.regions, &c.net, max, false, MAX_REGIONS) ||
      !regions_make(&c.ticks, &c.timed, max, true, 2 * MAX_REGIONS) ||
      !regions_make(&c.wide, &c.net, 4 * max + 2, false, 8 * MAX_REGIONS)) {
    sum->large++;
  } else if (c.regions.has_failed) {
    sum->failed++;
  } else {
    sum->networks++;
    c.points.is_points = true;
    if (c.closed && !diagonals && !regions_make(&c.points, &c.net, max, false, MAX_REGIONS))
      c.points.list.size = 0;
    for (int i = 0; ok && i < KINDS; i++) {
      char text[FORMULA] = "";
      make_query(&c, (Kind)i, text);
      ok = compare(&c, sum, (Kind)i, text);
    }
  }
  end_case(&c);
  return ok;
}

int main(int argc, char **argv) {
  unsigned long seed, last;
  Sum sum = {0};
  bool ok = true;
  const bool diagonals = argc > 3 && !strcmp(argv[3], "diagonals");
  for (sample_seeds(argc, argv, &seed, &last); ok && seed < last; seed++)
    ok = run_case(seed, diagonals, &sum);
  printf("%lu networks agree, %lu too large, %lu with run-time errors, %lu queries refused; %lu "
         "runs "
         "accepted, %lu not shown, %lu forgeries rejected; %lu runs to values accepted, %lu not "
         "shown;",
         sum.networks, sum.large, sum.failed, sum.refused, sum.runs, sum.unshown, sum.forged,
         sum.values, sum.unshown_values);
  for (int i = 0; i < KINDS; i++)
    printf(" %s %lu (%lu satisfied, %lu on points)%s", kind_names[i], sum.asked[i],
           sum.satisfied[i], sum.points[i], i + 1 < KINDS ? "," : "\n");
  return !ok;
}
