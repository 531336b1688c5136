#include "output/charts.h"

#include "output/estimates.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 560, HEIGHT = 250, LEFT = 62, RIGHT = 14, TOP = 14, BOTTOM = 42 };
enum { MAX_BARS = 120, MAX_PLOTS = 12, MAX_LINES = 12, DASHES = 4 };

// What the axes show. A logarithmic axis holds the logarithms to the base 10.
typedef struct Plot {
  Text *text;
  double x_low, x_high, y_low, y_high;
  bool has_log_x;
} Plot;

static double across(const Plot *plot, double x) {
  const double at = plot->has_log_x ? log10(x) : x;
  return LEFT + (at - plot->x_low) / (plot->x_high - plot->x_low) * (WIDTH - LEFT - RIGHT);
}

static double down(const Plot *plot, double y) {
  const double share = (y - plot->y_low) / (plot->y_high - plot->y_low);
  return TOP + (1 - fmin(fmax(share, 0), 1)) * (HEIGHT - TOP - BOTTOM);
}

// The distance of about `count` round numbers in a range: 1, 2 or 5 times a power of ten.
static double round_step(double range, int count) {
  const double power = pow(10, floor(log10(range / count))), rest = range / count / power;
  return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
}

static void add_ticks(const Plot *plot) {
  const double y_step = round_step(plot->y_high - plot->y_low, 5);
  for (double k = ceil(plot->y_low / y_step - 1e-9); k * y_step <= plot->y_high + 1e-9 * y_step;
       k++)
    text_addf(plot->text,
              "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text "
              "class=\"tick-name\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
              LEFT, WIDTH - RIGHT, down(plot, k * y_step), down(plot, k * y_step), LEFT - 6,
              down(plot, k * y_step) + 4, k == 0 ? 0 : k * y_step);
  const double x_step = plot->has_log_x ? fmax(1, ceil((plot->x_high - plot->x_low) / 7))
                                        : round_step(plot->x_high - plot->x_low, 7);
  for (double k = ceil(plot->x_low / x_step - 1e-9); k * x_step <= plot->x_high + 1e-9 * x_step;
       k++) {
    const double value = plot->has_log_x ? pow(10, k * x_step) : k == 0 ? 0 : k * x_step;
    text_addf(plot->text,
              "<line class=\"tick\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text "
              "class=\"tick-name\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
              across(plot, value), across(plot, value), HEIGHT - BOTTOM, HEIGHT - BOTTOM + 4,
              across(plot, value), HEIGHT - BOTTOM + 17, value);
  }
}

static void begin(Plot *plot, const char *title, const char *x_name, const char *y_name) {
  if (!(plot->x_high > plot->x_low))
    plot->x_low -= 0.5, plot->x_high = plot->x_low + 1;
  if (!(plot->y_high > plot->y_low))
    plot->y_low -= 0.5, plot->y_high = plot->y_low + 1;
  text_addf(plot->text, "<figure><figcaption>");
  text_add_xml(plot->text, title);
  text_addf(plot->text, "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
            WIDTH, HEIGHT);
  text_add_xml(plot->text, title);
  text_add(plot->text, "\">\n");
  add_ticks(plot);
  text_addf(plot->text, "<text class=\"axis-name\" x=\"%d\" y=\"%d\" text-anchor=\"end\">",
            WIDTH - RIGHT, HEIGHT - 6);
  text_add_xml(plot->text, x_name);
  text_addf(plot->text,
            "</text><text class=\"axis-name\" transform=\"translate(12 %d) rotate(-90)\" "
            "text-anchor=\"end\">",
            TOP);
  text_add_xml(plot->text, y_name);
  text_add(plot->text, "</text>\n");
}

static void end(const Plot *plot) {
  text_addf(plot->text, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n</svg></figure>\n", LEFT, TOP,
            HEIGHT - BOTTOM, WIDTH - RIGHT);
}

// A line that is drawn point by point. Of the points in one column of pixels it has the first,
// the least, the largest and the last one.
typedef struct Pen {
  const Plot *plot;
  bool is_down;
  double column, first, least, most, last;
} Pen;

static void put(Pen *pen, double y) {
  text_addf(pen->plot->text, "%s%.0f,%.1f", pen->is_down ? " " : "", pen->column, y);
  pen->is_down = true;
}

static void lift(Pen *pen) {
  if (isnan(pen->column))
    return;
  put(pen, pen->first);
  if (pen->least < pen->first && pen->least < pen->last)
    put(pen, pen->least);
  if (pen->most > pen->first && pen->most > pen->last)
    put(pen, pen->most);
  if (pen->last != pen->first)
    put(pen, pen->last);
  pen->column = NAN;
}

static void draw(Pen *pen, double x, double y) {
  if (!isfinite(x) || !isfinite(y))
    return;
  const double column = round(across(pen->plot, x)), at = down(pen->plot, y);
  if (column != pen->column) {
    lift(pen);
    pen->column = column;
    pen->first = pen->least = pen->most = at;
  }
  pen->least = fmin(pen->least, at);
  pen->most = fmax(pen->most, at);
  pen->last = at;
}

static void add_upright(const Plot *plot, const char *class, double x, const char *name,
                        int line) {
  text_addf(plot->text,
            "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text x=\"%.1f\" "
            "y=\"%d\" text-anchor=\"%s\">%s %g</text>\n",
            class, across(plot, x), across(plot, x), TOP, HEIGHT - BOTTOM,
            across(plot, x) + (across(plot, x) > WIDTH * 0.7 ? -4 : 4), TOP + 10 + 13 * line,
            across(plot, x) > WIDTH * 0.7 ? "end" : "start", name, x);
}

static const char *name_of_values(const Estimate *estimate) {
  static const char *const counted[] = {"time (units of the model)", "cost (value of the clock)",
                                        "steps"};
  return estimate->kind == STATISTICAL_EXPECTATION ? estimate->texts[0]
                                                   : counted[estimate->bound];
}

// One side of the stairs: the share of runs up to each value, moved by a part of the band.
static void draw_shares(Pen *pen, const Estimate *estimate, double shift, bool is_backwards) {
  const uint32_t size = estimate->values.size;
  const double runs = (double)estimate->runs;
  const Plot *plot = pen->plot;
  if (!is_backwards)
    draw(pen, plot->x_low, shift);
  for (uint32_t i = 0; i < size; i++) {
    const uint32_t k = is_backwards ? size - 1 - i : i;
    const double before = k / runs + shift, after = (k + 1) / runs + shift;
    if (is_backwards && !i)
      draw(pen, plot->x_high, after);
    draw(pen, estimate->values.items[k].value, is_backwards ? after : before);
    draw(pen, estimate->values.items[k].value, is_backwards ? before : after);
  }
  draw(pen, is_backwards ? plot->x_low : plot->x_high,
       is_backwards ? shift : size / runs + shift);
}

static void add_distribution(Text *text, const Estimate *estimate) {
  const double least = estimate->sample.least, most = estimate->sample.most;
  Plot plot = {.text = text, .x_low = fmin(0, least), .x_high = most, .y_high = 1};
  if (estimate->kind == STATISTICAL_EXPECTATION)
    plot.x_low = least - 0.03 * (most - least), plot.x_high = most + 0.03 * (most - least);
  const double band = estimates_band(estimate),
               percent = 100 * (1 - estimate->parameters.test.alpha);
  begin(&plot,
        estimate->kind == STATISTICAL_EXPECTATION ? "Distribution of the values"
                                                  : "When the goal is reached",
        name_of_values(estimate), "share of all runs");
  Pen pen = {.plot = &plot, .column = NAN};
  text_add(text, "<polygon class=\"band\" points=\"");
  draw_shares(&pen, estimate, band, false);
  lift(&pen);
  draw_shares(&pen, estimate, -band, true);
  lift(&pen);
  text_add(text, "\"/>\n<polyline class=\"line\" points=\"");
  pen = (Pen){.plot = &plot, .column = NAN};
  draw_shares(&pen, estimate, 0, false);
  lift(&pen);
  text_add(text, "\"/>\n");
  const double share = estimate->values.size / (double)estimate->runs;
  text_addf(text,
            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">band: %g %%, all at once</text>\n",
            WIDTH - RIGHT - 4, down(&plot, share > 0.5 ? 0.06 : 0.94), percent);
  end(&plot);
}

static void add_histogram(Text *text, Estimate *estimate) {
  Histogram histogram;
  estimate_histogram(estimate, &histogram);
  const uint32_t joined = (histogram.count + MAX_BARS - 1) / MAX_BARS; // bars that are one here
  const uint32_t count = (histogram.count + joined - 1) / joined;
  const double width = histogram.width > 0 ? histogram.width * joined : 1;
  double most = 0, sums[MAX_BARS] = {0};
  for (uint32_t k = 0; k < histogram.count; k++)
    most = fmax(most, sums[k / joined] += (double)histogram.bars[k]);
  mem_free(estimate->mem, histogram.bars);
  Plot plot = {.text = text,
               .x_low = histogram.low,
               .x_high = histogram.low + width * count,
               .y_high = most * 1.2};
  begin(&plot, "Histogram", name_of_values(estimate), "runs");
  for (uint32_t k = 0; k < count; k++) {
    const double from = across(&plot, histogram.low + k * width),
                 to = across(&plot, histogram.low + (k + 1) * width);
    text_addf(text,
              "<rect class=\"column\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
              "<title>%g to %g: %.0f runs</title></rect>\n",
              from, down(&plot, sums[k]), fmax(to - from - 0.5, 0.3),
              HEIGHT - BOTTOM - down(&plot, sums[k]), histogram.low + k * width,
              histogram.low + (k + 1) * width, sums[k]);
  }
  static const struct {
    double share;
    const char *name;
  } marks[] = {{0.05, "5 %:"}, {0.5, "median:"}, {0.95, "95 %:"}};
  for (int k = 0; k < 3; k++)
    add_upright(&plot, k == 1 ? "median" : "quantile",
                estimate_quantile(estimate, marks[k].share)->value, marks[k].name, k);
  end(&plot);
}

static void draw_bounds(Pen *pen, const Estimate *estimate, bool is_upper) {
  const uint32_t size = estimate->milestones.size;
  for (uint32_t i = 0; i < size; i++) {
    const Milestone *m = &estimate->milestones.items[is_upper ? i : size - 1 - i];
    draw(pen, (double)m->runs, is_upper ? m->interval.high : m->interval.low);
  }
  lift(pen);
}

static void add_convergence(Text *text, const Estimate *estimate) {
  const uint32_t size = estimate->milestones.size;
  const bool is_mean = estimate->kind == STATISTICAL_EXPECTATION;
  Plot plot = {.text = text, .y_high = 1, .has_log_x = true};
  // The first means of few runs have intervals that would hide all else.
  if (is_mean)
    plot.y_low = estimate->sample.least, plot.y_high = estimate->sample.most;
  if (size < 2)
    return;
  plot.x_low = log10((double)estimate->milestones.items[0].runs);
  plot.x_high = log10((double)estimate->milestones.items[size - 1].runs);
  begin(&plot, "How the estimate converged", "runs (logarithmic)",
        is_mean ? "mean" : "probability");
  Pen pen = {.plot = &plot, .column = NAN};
  text_add(text, "<polygon class=\"band\" points=\"");
  draw_bounds(&pen, estimate, true);
  draw_bounds(&pen, estimate, false);
  text_add(text, "\"/>\n<polyline class=\"line\" points=\"");
  pen = (Pen){.plot = &plot, .column = NAN};
  for (uint32_t k = 0; k < size; k++)
    draw(&pen, (double)estimate->milestones.items[k].runs, estimate->milestones.items[k].value);
  lift(&pen);
  text_addf(text, "\"/>\n<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">band: %g %%, %s</text>\n",
            WIDTH - RIGHT - 4,
            down(&plot, plot.y_low +
                            (plot.y_high - plot.y_low) *
                                (estimate->value > (plot.y_low + plot.y_high) / 2 ? 0.06 : 0.94)),
            100 * (1 - estimate->parameters.test.alpha),
            is_mean ? "after each number of runs" : "at any time");
  end(&plot);
}

// The courses of one expression in the first runs.
static void add_courses(Text *text, const Estimate *estimate, uint32_t value) {
  const uint32_t width = estimate->value_count + 1;
  const uint32_t lines = estimate->courses.size < MAX_LINES ? estimate->courses.size : MAX_LINES;
  Plot plot = {.text = text, .x_low = 0, .x_high = 0, .y_low = INFINITY, .y_high = -INFINITY};
  for (uint32_t k = 0; k < lines; k++) {
    const Course *course = &estimate->courses.items[k];
    for (uint32_t i = 0; i < course->points.size; i += width) {
      const double at = course->points.items[i + 1 + value];
      plot.x_high = fmax(plot.x_high, course->points.items[i]);
      if (isfinite(at))
        plot.y_low = fmin(plot.y_low, at), plot.y_high = fmax(plot.y_high, at);
    }
  }
  if (!(plot.y_low <= plot.y_high) || !isfinite(plot.y_high - plot.y_low))
    return;
  begin(&plot, estimate->texts[value], "time (units of the model)", "value");
  for (uint32_t k = 0; k < lines; k++) {
    const Course *course = &estimate->courses.items[k];
    Pen pen = {.plot = &plot, .column = NAN};
    text_addf(text, "<g><title>run %" PRIu64 "</title><polyline class=\"line dash-%u\" points=\"",
              course->run, k % DASHES);
    for (uint32_t i = 0; i < course->points.size; i += width)
      draw(&pen, course->points.items[i], course->points.items[i + 1 + value]);
    lift(&pen);
    text_add(text, "\"/></g>\n");
  }
  end(&plot);
}

// Which dashes are which runs.
static void add_key(Text *text, const Estimate *estimate) {
  const uint32_t size = estimate->courses.size, lines = size < MAX_LINES ? size : MAX_LINES;
  text_add(text, "<p class=\"soft\">");
  for (uint32_t k = 0; k < lines; k++)
    text_addf(text,
              "<svg class=\"key\" viewBox=\"0 0 34 10\"><line class=\"line dash-%u\" x1=\"0\" "
              "x2=\"34\" y1=\"5\" y2=\"5\"/></svg> run %" PRIu64 " &ensp;",
              k % DASHES, estimate->courses.items[k].run);
  if (lines < size)
    text_addf(text, "%u more runs are not shown; ", size - lines);
  if (estimate->value_count > MAX_PLOTS)
    text_addf(text, "%u more expressions are not shown; ", estimate->value_count - MAX_PLOTS);
  text_addf(text, "seed %" PRIu64 "</p>\n", estimate->parameters.seed);
}

void charts_write(Text *text, Estimate *estimate) {
  switch (estimate->kind) {
  case STATISTICAL_SIMULATION:
    add_key(text, estimate);
    for (uint32_t k = 0; k < estimate->value_count && k < MAX_PLOTS; k++)
      add_courses(text, estimate, k);
    break;
  case STATISTICAL_PROBABILITY:
  case STATISTICAL_EXPECTATION:
    if (!isfinite(estimate->sample.most - estimate->sample.least))
      break;
    if (estimate->values.size) {
      add_distribution(text, estimate);
      add_histogram(text, estimate);
    }
    add_convergence(text, estimate);
    break;
  case STATISTICAL_TEST: // a number of runs that depends on chance tells no distribution
  case STATISTICAL_COMPARISON:
    break;
  }
}
