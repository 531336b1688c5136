#define _POSIX_C_SOURCE 200809L
#include "output/estimates.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double shares[] = {0.05, 0.25, 0.5, 0.75, 0.95};
enum { SHARES = sizeof shares / sizeof *shares, CHART = 40, FEW_CHARTS = 3, FEW_HITS = 10 };

static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

static const char *const rules[] = {"uppaal", "runs", "sequence", "relative"};

void estimates_keep_texts(Estimate *estimate, const Statistical *query) {
  estimate->path = query->path.kind;
  estimate->bound = query->path.bound.kind;
  estimate->is_min = query->is_min;
  estimate->is_at_most = query->is_at_most;
  estimate->threshold = query->threshold;
  estimate->texts = mem_alloc(estimate->mem, sizeof *estimate->texts * (query->value_count + 1));
  for (uint32_t k = 0; k < query->value_count; k++)
    estimate->texts[k] =
        mem_copy_text(estimate->mem, query->value_texts[k], strlen(query->value_texts[k]));
}

static const char *const number_names[] = {"runs",     "satisfied", "steps",
                                           "estimate", "lower",     "upper"};
enum { NUMBERS = sizeof number_names / sizeof *number_names };

static uint32_t find_number(const char *name) {
  uint32_t k = 0;
  while (k < NUMBERS && strcmp(number_names[k], name) != 0)
    k++;
  return k;
}

bool estimates_is_number(const char *name) { return find_number(name) < NUMBERS; }

double estimates_number(const Estimate *e, const char *name) {
  if (!e)
    return 0;
  const double numbers[NUMBERS] = {(double)e->runs, (double)e->satisfied, (double)e->steps,
                                   e->value,        e->interval.low,      e->interval.high};
  return numbers[find_number(name)];
}

static double confidence_of(const Estimate *estimate) {
  return 100 * (1 - estimate->parameters.test.alpha);
}

static bool is_mean(const Estimate *estimate) {
  return estimate->kind == STATISTICAL_EXPECTATION;
}

double estimates_band(const Estimate *estimate) {
  return sqrt(log(2 / estimate->parameters.test.alpha) / (2 * (double)estimate->runs));
}

// One line of bars, with the least and the largest value at its ends.
static void add_chart(Text *text, Estimate *estimate) {
  const double low = estimate->sample.least, span = estimate->sample.most - low;
  uint64_t counts[CHART] = {0}, most = 0;
  if (estimate->values.size < 2 || !(span > 0) || !isfinite(span))
    return;
  for (uint32_t k = 0; k < estimate->values.size; k++) {
    const double at = (estimate->values.items[k].value - low) / span * CHART;
    uint64_t *count = &counts[at < CHART ? (int)at : CHART - 1];
    most = ++*count > most ? *count : most;
  }
  text_addf(text, "  %-12s%g ", "", low);
  for (int k = 0; k < CHART; k++)
    text_add(text, bars[counts[k] ? 1 + (counts[k] * 8 - 1) / most : 0]);
  text_addf(text, " %g\n", estimate->sample.most);
}

static void add_distribution(Text *text, Estimate *estimate) {
  static const char *const counted[] = {"time", "cost", "steps"};
  if (!estimate->values.size)
    return;
  text_addf(text, "  %-12smean %g ± %g, median %g, 90 %% between %g and %g\n",
            is_mean(estimate) ? "values" : counted[estimate->bound], estimate->sample.mean,
            confidence_student(&estimate->sample, estimate->parameters.test.alpha),
            estimate_quantile(estimate, 0.5)->value, estimate_quantile(estimate, 0.05)->value,
            estimate_quantile(estimate, 0.95)->value);
  add_chart(text, estimate);
  const bool is_low = is_mean(estimate) && estimate->is_min;
  const uint64_t least = estimate_quantile(estimate, 0)->run;
  const uint64_t largest = estimate_quantile(estimate, 1)->run;
  text_addf(text, "  %-12s%s %" PRIu64 ", median %" PRIu64 ", %s %" PRIu64, "runs",
            is_low ? "worst" : "earliest", least, estimate_quantile(estimate, 0.5)->run,
            is_mean(estimate) && !is_low ? "worst" : "latest", largest);
  text_addf(text, "; see tarn simulate --run %" PRIu64 " --seed %" PRIu64 "\n",
            is_mean(estimate) && !is_low ? largest : least, estimate->parameters.seed);
}

// What each level let through; of many, the first and the last ones.
static void add_levels(Text *text, const Estimate *estimate) {
  enum { FIRST = 4, LAST = 4 };
  const uint32_t count = estimate->levels.size;
  text_addf(text, "  %-12s%g, in [%g, %g] (%g %%); %" PRIu64 " parts of runs\n", "estimate",
            estimate->value, estimate->interval.low, estimate->interval.high,
            confidence_of(estimate), estimate->runs);
  text_addf(text, "  %-12s", "levels");
  for (uint32_t k = 0; k < count; k++) {
    const LevelCount *level = &estimate->levels.items[k];
    if (k >= FIRST && k + LAST < count) {
      text_add(text, k == FIRST ? ", .." : "");
      continue;
    }
    text_addf(text, "%s%g: %" PRIu64 "/%" PRIu64, k ? ", " : "", level->threshold, level->reached,
              level->runs);
  }
  text_add_char(text, '\n');
}

static void add_exact(Text *text, const Estimate *estimate) {
  if (estimate->exact_why)
    text_addf(text, "  %-12s%.9g: %s%s\n", "exactly", estimate->exact, estimate->exact_why,
              estimate->runs ? "" : "; no runs are needed");
}

static void add_probability(Text *text, const Estimate *estimate) {
  text_addf(text, "  %-12s%g, in [%g, %g] (%g %%); %" PRIu64 " of %" PRIu64 " runs\n", "estimate",
            estimate->value, estimate->interval.low, estimate->interval.high,
            confidence_of(estimate), estimate->satisfied, estimate->runs);
  text_addf(text, "  %-12sin [%g, %g] (%g %%, also after every run before)\n", "at any time",
            estimate->sequence.low, estimate->sequence.high, confidence_of(estimate));
  if (estimate->satisfied && estimate->satisfied < FEW_HITS)
    text_addf(text,
              "  %-12sonly %" PRIu64 " runs carry this estimate: make more, or use --levels\n",
              "rare", estimate->satisfied);
}

static void add_test(Text *text, const Estimate *estimate) {
  text_addf(text, "  %-12s%" PRIu64 " runs, %" PRIu64 " satisfied; errors at most %g and %g\n",
            "test", estimate->runs, estimate->satisfied, estimate->parameters.test.alpha,
            estimate->parameters.test.beta);
}

static void add_comparison(Text *text, const Estimate *estimate) {
  text_addf(text, "  %-12s%" PRIu64 " pairs of runs, %" PRIu64 " and %" PRIu64 " satisfied%s\n",
            "comparison", estimate->runs, estimate->satisfied, estimate->other_satisfied,
            estimate->is_close ? "; the probabilities differ by at most epsilon" : "");
}

// One line of CHART signs for the course of an expression in a run: in each part of the time the
// last value.
static void add_course_chart(Text *text, const Estimate *estimate, const Course *course,
                             uint32_t value) {
  const uint32_t width = estimate->value_count + 1, size = course->points.size;
  const double *points = course->points.items, end = points[size - width];
  double low = INFINITY, high = -INFINITY;
  for (uint32_t i = 1 + value; i < size; i += width)
    low = fmin(low, points[i]), high = fmax(high, points[i]);
  if (!(high > low) || !isfinite(high - low) || !(end > 0))
    return;
  text_addf(text, "  %-12s%g ", "", low);
  uint32_t i = 0;
  for (int k = 1; k <= CHART; k++) {
    while (i + width < size && points[i + width] <= end * k / CHART)
      i += width;
    text_add(text, bars[1 + (int)((points[i + 1 + value] - low) / (high - low) * 7.999)]);
  }
  text_addf(text, " %g  %s\n", high, estimate->texts[value]);
}

static void add_courses(Text *text, const Estimate *estimate) {
  const uint32_t width = estimate->value_count + 1;
  for (uint32_t k = 0; k < estimate->courses.size; k++) {
    const Course *course = &estimate->courses.items[k];
    const double *end = course->points.items + course->points.size - width;
    text_addf(text, "  run %-8" PRIu64 "%u points, at time %g:", course->run,
              course->points.size / width, end[0]);
    for (uint32_t i = 1; i < width; i++)
      text_addf(text, "%s %s = %g", i > 1 ? "," : "", estimate->texts[i - 1], end[i]);
    text_add_char(text, '\n');
    for (uint32_t i = 0; i < estimate->value_count && k < FEW_CHARTS; i++)
      add_course_chart(text, estimate, course, i);
  }
}

void estimates_text(Text *text, Estimate *estimate) {
  add_exact(text, estimate);
  if (!estimate->runs)
    return;
  switch (estimate->kind) {
  case STATISTICAL_PROBABILITY:
    if (estimate->levels.size) {
      add_levels(text, estimate);
      break;
    }
    add_probability(text, estimate);
    add_distribution(text, estimate);
    break;
  case STATISTICAL_TEST:
    add_test(text, estimate);
    break;
  case STATISTICAL_COMPARISON:
    add_comparison(text, estimate);
    break;
  case STATISTICAL_EXPECTATION:
    text_addf(text, "  %-12s%g, in [%g, %g] (%g %%); %" PRIu64 " runs\n", "estimate",
              estimate->value, estimate->interval.low, estimate->interval.high,
              confidence_of(estimate), estimate->runs);
    add_distribution(text, estimate);
    break;
  case STATISTICAL_SIMULATION:
    if (estimate->is_filtered)
      add_probability(text, estimate);
    add_courses(text, estimate);
    break;
  }
}

// JSON has no infinite numbers.
static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *json_interval(const Interval *interval) {
  return json_pack("{s:o, s:o}", "lower", number(interval->low), "upper", number(interval->high));
}

enum { MAX_SHARES = 200 };

// The share of all runs with a value up to this one, at no more than MAX_SHARES values.
static json_t *json_shares(const Estimate *estimate) {
  const uint32_t size = estimate->values.size, count = size < MAX_SHARES ? size : MAX_SHARES;
  json_t *points = json_array();
  for (uint32_t k = 1; k <= count; k++) {
    const uint64_t rank = (uint64_t)size * k / count;
    json_array_append_new(points,
                          json_pack("[o, o]", number(estimate->values.items[rank - 1].value),
                                    number((double)rank / (double)estimate->runs)));
  }
  return points;
}

static void add_json_distribution(json_t *object, Estimate *estimate) {
  Histogram histogram;
  estimate_histogram(estimate, &histogram);
  json_t *counts = json_array(), *quantiles = json_object();
  for (uint32_t k = 0; k < histogram.count; k++)
    json_array_append_new(counts, json_integer((json_int_t)histogram.bars[k]));
  mem_free(estimate->mem, histogram.bars);
  for (uint32_t k = 0; k < SHARES; k++) {
    char name[16];
    snprintf(name, sizeof name, "%g", shares[k]);
    json_object_set_new(quantiles, name, number(estimate_quantile(estimate, shares[k])->value));
  }
  const double half = confidence_student(&estimate->sample, estimate->parameters.test.alpha);
  json_object_set_new(
      object, "distribution",
      json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o}}", "shares",
                json_shares(estimate), "band", number(estimates_band(estimate)), "mean",
                number(estimate->sample.mean), "mean_half_width", number(half), "least",
                number(estimate->sample.least), "largest", number(estimate->sample.most),
                "quantiles", quantiles, "histogram", "low", number(histogram.low), "width",
                number(histogram.width), "bars", counts));
  json_object_set_new(object, "marked_runs",
                      json_pack("{s:I, s:I, s:I}", "least",
                                (json_int_t)estimate_quantile(estimate, 0)->run, "median",
                                (json_int_t)estimate_quantile(estimate, 0.5)->run, "largest",
                                (json_int_t)estimate_quantile(estimate, 1)->run));
}

static json_t *json_courses(const Estimate *estimate) {
  json_t *courses = json_array();
  const uint32_t width = estimate->value_count + 1;
  for (uint32_t k = 0; k < estimate->courses.size; k++) {
    const Course *course = &estimate->courses.items[k];
    json_t *points = json_array();
    for (uint32_t i = 0; i < course->points.size; i += width) {
      json_t *point = json_array();
      for (uint32_t j = 0; j < width; j++)
        json_array_append_new(point, number(course->points.items[i + j]));
      json_array_append_new(points, point);
    }
    json_array_append_new(
        courses, json_pack("{s:I, s:o}", "run", (json_int_t)course->run, "points", points));
  }
  return courses;
}

static void add_json_interval(json_t *object, const Estimate *estimate) {
  json_object_set_new(object, "value", number(estimate->value));
  json_object_set_new(object, "lower", number(estimate->interval.low));
  json_object_set_new(object, "upper", number(estimate->interval.high));
  if (!is_mean(estimate) && !estimate->levels.size)
    json_object_set_new(object, "sequence", json_interval(&estimate->sequence));
}

json_t *estimates_json(Estimate *estimate) {
  static const char *const kinds[] = {"probability", "test", "comparison", "expectation",
                                      "simulation"};
  json_t *object = json_pack(
      "{s:s, s:I, s:I, s:I, s:b, s:o, s:I}", "kind", kinds[estimate->kind], "runs",
      (json_int_t)estimate->runs, "satisfied", (json_int_t)estimate->satisfied, "steps",
      (json_int_t)estimate->steps, "complete", estimate->is_complete, "confidence",
      number(1 - estimate->parameters.test.alpha), "seed", (json_int_t)estimate->parameters.seed);
  if (estimate->kind == STATISTICAL_COMPARISON)
    json_object_set_new(object, "other_satisfied",
                        json_integer((json_int_t)estimate->other_satisfied));
  if (estimate->kind == STATISTICAL_SIMULATION) {
    json_t *names = json_array();
    for (uint32_t k = 0; k < estimate->value_count; k++)
      json_array_append_new(names, json_string(estimate->texts[k]));
    json_object_set_new(object, "expressions", names);
    json_object_set_new(object, "courses", json_courses(estimate));
    if (estimate->is_filtered && estimate->runs)
      add_json_interval(object, estimate);
    return object;
  }
  if (estimate->exact_why) {
    json_object_set_new(object, "exact", number(estimate->exact));
    json_object_set_new(object, "exact_why", json_string(estimate->exact_why));
  }
  if (!estimate->runs && !estimate->exact_why)
    return object;
  if (estimate->levels.size) {
    json_t *levels = json_array();
    for (uint32_t k = 0; k < estimate->levels.size; k++) {
      const LevelCount *level = &estimate->levels.items[k];
      json_array_append_new(levels,
                            json_pack("[o, I, I]", number(level->threshold),
                                      (json_int_t)level->reached, (json_int_t)level->runs));
    }
    json_object_set_new(object, "levels", levels);
  }
  add_json_interval(object, estimate);
  json_object_set_new(object, "stop", json_string(rules[estimate->parameters.stop]));
  if (estimate->values.size)
    add_json_distribution(object, estimate);
  json_t *milestones = json_array();
  for (uint32_t k = 0; k < estimate->milestones.size; k++) {
    const Milestone *m = &estimate->milestones.items[k];
    json_array_append_new(milestones,
                          json_pack("[I, o, o, o]", (json_int_t)m->runs, number(m->value),
                                    number(m->interval.low), number(m->interval.high)));
  }
  json_object_set_new(object, "convergence", milestones);
  return object;
}

// The shortest digits that give the number again.
static void add_number(Text *text, double value) {
  char digits[40];
  for (int precision = 6; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (strtod(digits, NULL) == value)
      break;
  }
  text_add(text, digits);
}

static void add_uppaal_values(Text *text, Estimate *estimate) {
  Histogram histogram;
  if (!estimate->values.size)
    return;
  estimate_histogram(estimate, &histogram);
  text_add(text, "Values in [");
  add_number(text, estimate->sample.least);
  text_add(text, ",");
  add_number(text, estimate->sample.most);
  text_add(text, "] mean=");
  add_number(text, estimate->sample.mean);
  text_add(text, " steps=");
  add_number(text, histogram.width);
  text_add(text, ":");
  for (uint32_t k = 0; k < histogram.count; k++)
    text_addf(text, " %" PRIu64, histogram.bars[k]);
  text_add_char(text, '\n');
  mem_free(estimate->mem, histogram.bars);
}

// One line for each run: (time,value) pairs, in which a step has its time twice.
static void add_uppaal_courses(Text *text, const Estimate *estimate) {
  const uint32_t width = estimate->value_count + 1;
  for (uint32_t v = 0; v < estimate->value_count; v++) {
    text_addf(text, "%s:\n", estimate->texts[v]);
    for (uint32_t k = 0; k < estimate->courses.size; k++) {
      const Course *course = &estimate->courses.items[k];
      text_addf(text, "[%u]:", k);
      for (uint32_t i = 0; i < course->points.size; i += width)
        text_addf(text, " (%g,%g)", course->points.items[i], course->points.items[i + 1 + v]);
      text_add_char(text, '\n');
    }
  }
}

static const char *const uppaal_paths[] = {"<> …", "[] …", "… U …", "…"};

static void add_uppaal_interval(Text *text, const Estimate *estimate) {
  text_addf(text, " -- Result: (%" PRIu64 "/%" PRIu64 " runs) Pr(%s) in [%g,%g] (%g%% CI)\n",
            estimate->satisfied, estimate->runs, uppaal_paths[estimate->path],
            estimate->interval.low, estimate->interval.high, confidence_of(estimate));
}

void estimates_uppaal(Text *text, Estimate *estimate) {
  const char *path = uppaal_paths[estimate->path];
  switch (estimate->kind) {
  case STATISTICAL_PROBABILITY:
    add_uppaal_interval(text, estimate);
    add_uppaal_values(text, estimate);
    break;
  case STATISTICAL_TEST:
    text_addf(text, " -- Result: (%" PRIu64 " runs) Pr(%s) %s %g with confidence %g.\n",
              estimate->runs, path, estimate->is_at_most ? "<=" : ">=", estimate->threshold,
              1 - estimate->parameters.test.alpha);
    break;
  case STATISTICAL_COMPARISON:
    text_addf(text, " -- Result: (%" PRIu64 " runs) with confidence %g.\n", 2 * estimate->runs,
              1 - estimate->parameters.test.alpha);
    break;
  case STATISTICAL_EXPECTATION: {
    const double half = (estimate->interval.high - estimate->interval.low) / 2;
    text_addf(text, " -- Result: (%" PRIu64 " runs) E(%s) = ", estimate->runs,
              estimate->is_min ? "min" : "max");
    if (half > 0)
      text_addf(text, "%g ± %g (%g%% CI)\n", estimate->value, half, confidence_of(estimate));
    else
      text_addf(text, "≈ %g\n", estimate->value);
    add_uppaal_values(text, estimate);
    break;
  }
  case STATISTICAL_SIMULATION:
    if (estimate->is_filtered)
      add_uppaal_interval(text, estimate);
    add_uppaal_courses(text, estimate);
    break;
  }
}

// A file of the folder, with its first line; NULL with an error.
static FILE *open_table(const char *folder, uint32_t number, const char *name, const char *heads,
                        Report *report) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%u-%s.csv", folder, number, name);
  FILE *file = fopen(path, "w");
  if (!file)
    report_error(report, (Place){0}, "cannot write %s: %s", path, strerror(errno));
  else
    fprintf(file, "%s\n", heads);
  return file;
}

static bool write_values(Estimate *estimate, const char *folder, uint32_t number_of_query,
                         Report *report) {
  FILE *file = open_table(folder, number_of_query, "values", "run,seed,value", report);
  for (uint32_t k = 0; file && k < estimate->values.size; k++)
    fprintf(file, "%" PRIu64 ",%" PRIu64 ",%.17g\n", estimate->values.items[k].run,
            estimate->parameters.seed, estimate->values.items[k].value);
  if (!file || fclose(file))
    return false;
  // The share of all runs with a value up to this one.
  file = open_table(folder, number_of_query, "distribution", "value,share,lower,upper", report);
  const double runs = (double)estimate->runs;
  const double band = estimates_band(estimate);
  for (uint32_t k = 0; file && k < estimate->values.size; k++) {
    const double share = (k + 1) / runs;
    fprintf(file, "%.17g,%.9g,%.9g,%.9g\n", estimate->values.items[k].value, share,
            fmax(share - band, 0), fmin(share + band, 1));
  }
  if (!file || fclose(file))
    return false;
  Histogram histogram;
  estimate_histogram(estimate, &histogram);
  file = open_table(folder, number_of_query, "histogram", "from,to,count", report);
  for (uint32_t k = 0; file && k < histogram.count; k++)
    fprintf(file, "%.9g,%.9g,%" PRIu64 "\n", histogram.low + k * histogram.width,
            histogram.low + (k + 1) * histogram.width, histogram.bars[k]);
  mem_free(estimate->mem, histogram.bars);
  return file && !fclose(file);
}

static bool write_convergence(const Estimate *estimate, const char *folder, uint32_t number_of,
                              Report *report) {
  FILE *file = open_table(folder, number_of, "convergence", "runs,estimate,lower,upper", report);
  for (uint32_t k = 0; file && k < estimate->milestones.size; k++) {
    const Milestone *m = &estimate->milestones.items[k];
    fprintf(file, "%" PRIu64 ",%.9g,%.9g,%.9g\n", m->runs, m->value, m->interval.low,
            m->interval.high);
  }
  return file && !fclose(file);
}

static bool write_courses(const Estimate *estimate, const char *folder, uint32_t number_of,
                          Report *report) {
  const uint32_t width = estimate->value_count + 1;
  Text heads = {.mem = estimate->mem};
  text_add(&heads, "run,time");
  for (uint32_t k = 0; k < estimate->value_count; k++)
    text_addf(&heads, ",\"%s\"", estimate->texts[k]);
  FILE *file = open_table(folder, number_of, "courses", text_chars(&heads), report);
  text_release(&heads);
  for (uint32_t k = 0; file && k < estimate->courses.size; k++) {
    const Course *course = &estimate->courses.items[k];
    for (uint32_t i = 0; i < course->points.size; i++) {
      if (i % width == 0)
        fprintf(file, "%s%" PRIu64, i ? "\n" : "", course->run);
      fprintf(file, ",%.17g", course->points.items[i]);
    }
    fputc('\n', file);
  }
  return file && !fclose(file);
}

bool estimates_write_data(Estimate *estimate, const char *folder, uint32_t number_of,
                          Report *report) {
  mkdir(folder, 0777); // if it is not there; else opening a file tells
  if (estimate->kind == STATISTICAL_SIMULATION)
    return write_courses(estimate, folder, number_of, report);
  return write_values(estimate, folder, number_of, report) &&
         write_convergence(estimate, folder, number_of, report);
}
