#include "answers/statistics/estimate.h"

#include <math.h>
#include <string.h>

enum { MAX_UNSEEN = 1 << 15 }; // runs after which the intervals so far are found again

typedef struct Estimating {
  Estimate *estimate;
  const Statistical *query;
  Stopping stopping;
  RatioTest test;
  Comparison comparison;
  bool is_dual; // of a test `<= p`: the complement is tested with 1 - p
  uint64_t next_milestone, next_look;
  Outcome first; // of a pair
  EstimateStop *stop;
  void *context;
} Estimating;

static const char *ask(void *context) {
  const Estimating *e = context;
  return e->stop ? e->stop(e->context, e->estimate) : NULL;
}

static void add_milestone(Estimating *e) {
  Estimate *estimate = e->estimate;
  if (estimate->runs < e->next_milestone)
    return;
  e->next_milestone = estimate->runs + 1 + estimate->runs / 8;
  Milestone m = {.runs = estimate->runs};
  if (estimate->kind == STATISTICAL_EXPECTATION) {
    const double half = confidence_student(&estimate->sample, estimate->parameters.test.alpha);
    m.value = estimate->sample.mean;
    m.interval = (Interval){m.value - half, m.value + half};
  } else {
    m.value = (double)estimate->satisfied / (double)estimate->runs;
    m.interval =
        confidence_sequence(estimate->satisfied, estimate->runs, estimate->parameters.test.alpha);
  }
  vec_push(estimate->mem, &estimate->milestones, m);
}

static void add_value(Estimate *estimate, double value, uint64_t run) {
  const RunValue item = {value, run};
  confidence_add(&estimate->sample, value);
  vec_push(estimate->mem, &estimate->values, item);
}

// Takes an outcome into account; true if there are enough.
static bool add(Estimating *e, const Outcome *outcome, const Outcome *second, uint64_t run) {
  Estimate *estimate = e->estimate;
  estimate->runs++;
  estimate->steps += outcome->steps + (second ? second->steps : 0);
  estimate->satisfied += outcome->is_satisfied;
  if (estimate->kind == STATISTICAL_EXPECTATION)
    add_value(estimate, outcome->value, run);
  else if (estimate->has_distribution && outcome->is_satisfied)
    add_value(estimate, outcome->at, run);
  if (estimate->kind == STATISTICAL_TEST)
    return sequential_add(&e->test, outcome->is_satisfied != e->is_dual) != DECISION_OPEN;
  if (estimate->kind == STATISTICAL_COMPARISON) {
    estimate->other_satisfied += second->is_satisfied;
    return sequential_add_pair(&e->comparison, outcome->is_satisfied, second->is_satisfied) !=
           DECISION_OPEN;
  }
  add_milestone(e);
  return stopping_is_due(&e->stopping, estimate->satisfied, estimate->runs);
}

static void find_intervals(Estimate *estimate) {
  const double alpha = estimate->parameters.test.alpha;
  if (!estimate->runs)
    return;
  if (estimate->kind == STATISTICAL_EXPECTATION) {
    const double half = confidence_student(&estimate->sample, alpha);
    estimate->value = estimate->sample.mean;
    estimate->interval = (Interval){estimate->value - half, estimate->value + half};
    return;
  }
  estimate->value = (double)estimate->satisfied / (double)estimate->runs;
  estimate->interval = confidence_clopper_pearson(estimate->satisfied, estimate->runs, alpha);
  estimate->sequence = confidence_sequence(estimate->satisfied, estimate->runs, alpha);
}

// What is known so far, for progress reports.
static void look(Estimating *e) {
  const uint64_t runs = e->estimate->runs;
  if (runs < e->next_look)
    return;
  find_intervals(e->estimate);
  e->next_look = runs + (runs < MAX_UNSEEN ? runs : MAX_UNSEEN);
}

// Of a comparison, two outcomes at a time: one of each side.
static bool take(void *context, uint64_t run, const Outcome *outcome) {
  Estimating *e = context;
  const bool is_pair = e->query->kind == STATISTICAL_COMPARISON;
  if (is_pair && run % 2 == 0) {
    e->first = *outcome;
    return false;
  }
  e->estimate->is_complete =
      is_pair ? add(e, &e->first, outcome, run - 1) : add(e, outcome, NULL, run);
  look(e);
  return e->estimate->is_complete;
}

static bool run_crew(Estimating *e, Crew *crew, const char **reason, Report *report) {
  const bool is_open =
      e->query->kind == STATISTICAL_TEST || e->query->kind == STATISTICAL_COMPARISON;
  const CrewEnd end = crew_run(crew, is_open ? 0 : e->stopping.runs, take, e);
  *reason = end == CREW_STOPPED ? crew_stopped(crew) : NULL;
  if (end != CREW_FAILED)
    return true;
  Place place;
  const char *error = crew_error(crew, &place);
  return report_error(report, place, "%s", error);
}

typedef struct Recording {
  Estimate *estimate;
  Course *course;
  double last; // the time of the last point
} Recording;

enum { INNER_POINTS = 1000 }; // of a whole run: those within delays lie no closer

static void record(void *context, const Race *race, double time, const double *values,
                   bool is_inner) {
  Recording *recording = context;
  Estimate *estimate = recording->estimate;
  Course *course = recording->course;
  if (is_inner && time - recording->last < race->horizon / INNER_POINTS)
    return;
  recording->last = time;
  vec_push(estimate->mem, &course->points, time);
  for (uint32_t k = 0; k < estimate->value_count; k++)
    vec_push(estimate->mem, &course->points, values[k]);
}

static bool simulate(Estimating *e, Crew *crew, const Watch *watch, const char **reason,
                     Report *report) {
  Estimate *estimate = e->estimate;
  const uint64_t runs = e->query->path.bound.runs ? e->query->path.bound.runs : 1;
  const uint64_t kept = e->query->accepted ? e->query->accepted : runs;
  Race *race = crew_race(crew);
  estimate->value_count = e->query->value_count;
  for (uint64_t run = 0; run < runs; run++) {
    Course course = {.run = run};
    Recording recording = {.estimate = estimate, .course = &course};
    Outcome outcome;
    if (!watch_run(watch, race, estimate->parameters.seed, run, &outcome, record, &recording)) {
      vec_release(estimate->mem, &course.points);
      *reason = crew_stopped(crew);
      if (!*reason)
        report_error(report, race->error_place, "%s", text_chars(&race->error));
      return *reason;
    }
    estimate->runs++;
    estimate->steps += outcome.steps;
    estimate->satisfied += outcome.is_satisfied;
    if (watch->goal && outcome.is_satisfied)
      add_value(estimate, outcome.at, run);
    if ((watch->goal && !outcome.is_satisfied) || estimate->courses.size >= kept)
      vec_release(estimate->mem, &course.points);
    else
      vec_push(estimate->mem, &estimate->courses, course);
  }
  estimate->is_complete = true;
  return true;
}

static void prepare(Estimating *e) {
  const TestParameters *parameters = &e->estimate->parameters.test;
  const Statistical *query = e->query;
  e->stopping = (Stopping){.rule = e->estimate->parameters.stop,
                           .runs = query->path.bound.runs,
                           .alpha = parameters->alpha,
                           .epsilon = parameters->epsilon};
  if (query->kind == STATISTICAL_EXPECTATION && !e->stopping.runs)
    e->stopping.runs = stopping_runs(parameters->alpha, parameters->epsilon);
  e->is_dual = query->kind == STATISTICAL_TEST && query->is_at_most;
  if (query->kind == STATISTICAL_TEST)
    sequential_start(&e->test, e->is_dual ? 1 - query->threshold : query->threshold, parameters);
  if (query->kind == STATISTICAL_COMPARISON)
    sequential_compare(&e->comparison, parameters);
}

static bool has_numbers(const Statistical *query) {
  return query->kind == STATISTICAL_EXPECTATION || query->kind == STATISTICAL_SIMULATION;
}

uint32_t estimate_watches(Watch watches[2], Arena *arena, const Laws *laws,
                          const Statistical *query, Report *report) {
  if (has_numbers(query))
    watch_numbers(&watches[0], arena, laws, &query->path.bound, query->values, query->value_count,
                  query->is_min, query->path.goal);
  else
    watch_path(&watches[0], arena, laws, &query->path, report);
  if (query->kind == STATISTICAL_COMPARISON)
    watch_path(&watches[1], arena, laws, &query->other, report);
  return report_failed(report) ? 0 : query->kind == STATISTICAL_COMPARISON ? 2 : 1;
}

bool estimate_run(Estimate *estimate, Mem *mem, const Laws *laws, const Statistical *query,
                  const EstimateParameters *parameters, EstimateStop *stop, void *context,
                  const char **reason, Report *report) {
  *estimate = (Estimate){.mem = mem, .kind = query->kind, .parameters = *parameters};
  *reason = NULL;
  Estimating e = {.estimate = estimate, .query = query, .stop = stop, .context = context};
  Arena arena = {.mem = mem};
  Watch watches[2];
  const Watch *const both[2] = {&watches[0], &watches[1]};
  const uint32_t watch_count = estimate_watches(watches, &arena, laws, query, report);
  if (!watch_count) {
    arena_release(&arena);
    return false;
  }
  estimate->has_distribution =
      !has_numbers(query) && query->path.kind != PATH_ALWAYS && query->path.kind != PATH_MITL;
  estimate->is_filtered = query->kind == STATISTICAL_SIMULATION && query->path.goal;
  prepare(&e);
  Crew *crew = crew_new(mem, laws, both, watch_count, parameters->seed, parameters->threads);
  crew_set_stop(crew, ask, &e);
  const bool is_decided = query->kind == STATISTICAL_TEST && e.test.decision != DECISION_OPEN;
  const bool ok = is_decided ? true
                  : query->kind == STATISTICAL_SIMULATION
                      ? simulate(&e, crew, &watches[0], reason, report)
                      : run_crew(&e, crew, reason, report);
  estimate->is_complete |= is_decided;
  estimate->decision = query->kind == STATISTICAL_TEST         ? e.test.decision
                       : query->kind == STATISTICAL_COMPARISON ? e.comparison.test.decision
                                                               : DECISION_OPEN;
  estimate->is_close = e.comparison.is_close;
  find_intervals(estimate);
  crew_release(crew);
  arena_release(&arena);
  return ok;
}

void estimate_release(Estimate *estimate) {
  for (uint32_t k = 0; k < estimate->courses.size; k++)
    vec_release(estimate->mem, &estimate->courses.items[k].points);
  vec_release(estimate->mem, &estimate->courses);
  vec_release(estimate->mem, &estimate->values);
  vec_release(estimate->mem, &estimate->milestones);
  vec_release(estimate->mem, &estimate->levels);
  mem_free(estimate->mem, estimate->texts);
}

// The bits of a number in the order of numbers: as an unsigned number.
static uint64_t key_of(double value) {
  const double number = value + 0.0; // no -0
  const uint64_t sign = UINT64_C(1) << 63;
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits & sign ? ~bits : bits | sign;
}

enum { DIGIT = 11, DIGITS = 6 };

// Numbers are sorted by their digits, the lowest first; each pass keeps the order of equal ones,
// which come by run. Digits that all of them share are skipped.
void estimate_sort(Estimate *estimate) {
  const uint32_t size = estimate->values.size;
  if (size < 2)
    return;
  RunValue *other = mem_alloc_raw(estimate->mem, sizeof *other * size);
  RunValue *const begin = estimate->values.items, *scratch = other, *values = begin;
  uint32_t counts[DIGITS][1 << DIGIT] = {{0}};
  for (uint32_t k = 0; k < size; k++)
    for (uint32_t d = 0; d < DIGITS; d++)
      counts[d][key_of(values[k].value) >> d * DIGIT & ((1 << DIGIT) - 1)]++;
  for (uint32_t d = 0; d < DIGITS; d++) {
    const uint64_t shift = d * DIGIT, mask = (1 << DIGIT) - 1;
    if (counts[d][key_of(values[0].value) >> shift & mask] == size)
      continue;
    uint32_t sum = 0;
    for (uint32_t k = 0; k <= mask; k++) {
      const uint32_t count = counts[d][k];
      counts[d][k] = sum;
      sum += count;
    }
    for (uint32_t k = 0; k < size; k++)
      scratch[counts[d][key_of(values[k].value) >> shift & mask]++] = values[k];
    RunValue *const sorted = scratch;
    scratch = values, values = sorted;
  }
  if (values != begin)
    memcpy(begin, values, sizeof *begin * size);
  mem_free(estimate->mem, other);
}

const RunValue *estimate_quantile(const Estimate *estimate, double share) {
  const uint32_t count = estimate->values.size;
  const double rank = ceil(share * count);
  return &estimate->values.items[rank < 1 ? 0 : rank > count ? count - 1 : (uint32_t)rank - 1];
}

void estimate_histogram(Estimate *estimate, Histogram *histogram) {
  const uint32_t size = estimate->values.size;
  const double low = estimate->sample.least, span = estimate->sample.most - low;
  *histogram = (Histogram){.low = low};
  if (!size)
    return;
  double count =
      estimate->parameters.bar_count ? estimate->parameters.bar_count : ceil(sqrt((double)size));
  if (estimate->parameters.bar_width > 0)
    count = fmin(floor(span / estimate->parameters.bar_width) + 1, 1e6);
  histogram->count = span > 0 ? (uint32_t)count : 1;
  histogram->width = estimate->parameters.bar_width > 0 ? estimate->parameters.bar_width
                                                        : span / histogram->count;
  histogram->bars = mem_alloc(estimate->mem, sizeof(uint64_t) * histogram->count);
  for (uint32_t k = 0; k < size; k++) {
    const double at = (estimate->values.items[k].value - low) / histogram->width;
    const uint32_t bar = at >= 0 && at < histogram->count ? (uint32_t)at : histogram->count - 1;
    histogram->bars[span > 0 ? bar : 0]++;
  }
}
