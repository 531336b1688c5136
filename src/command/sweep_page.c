// The page of a sweep: a chart, and the table.
#include "command/sweep.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 860, HEIGHT = 320, LEFT = 70, TOP = 20, BOTTOM = 40, CELL = 34 };

static const char head[] =
    "<!doctype html>\n<meta charset=utf-8>\n<title>tarn sweep</title>\n<style>\n"
    ":root { color-scheme: light dark; }\n"
    "body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 "
    "1em; }\n"
    "table { border-collapse: collapse; } td, th { padding: .2em .8em; text-align: right; }\n"
    "td.text, th.text { text-align: left; } tr:nth-child(even) { background: #8881; }\n"
    "svg text { fill: currentColor; font: 12px system-ui, sans-serif; }\n"
    ".line { fill: none; stroke: #2a6fb0; stroke-width: 2; } .axis { stroke: #8888; }\n"
    ".yes { fill: #2e8b57; } .no { fill: #c0392b; } .open { fill: #999; }\n"
    "</style>\n";

static void put_text(FILE *file, const char *text) {
  for (; *text; text++)
    if (*text == '<')
      fputs("&lt;", file);
    else if (*text == '&')
      fputs("&amp;", file);
    else
      fputc(*text, file);
}

static const char *class_of(const json_t *row) {
  const char *verdict = row_text(row, "verdict");
  return !strcmp(verdict, "satisfied")       ? "yes"
         : !strcmp(verdict, "not satisfied") ? "no"
                                             : "open";
}

// Verdicts are signs as well as colours.
static const char *sign_of(const json_t *row) {
  const char *class = class_of(row);
  return *class == 'y' ? "\u2713" : *class == 'n' ? "\u2717" : "?";
}

static double seconds_of(const json_t *row) {
  const double seconds = json_number_value(json_object_get(row, "seconds"));
  return seconds > 1e-6 ? seconds : 1e-6;
}

// Seconds over the values of one constant, on a logarithmic scale.
static void put_curve(const Sweep *sweep, FILE *file, size_t query) {
  double low = INFINITY, high = 0;
  const double cells = (double)sweep->cells;
  for (size_t cell = 0; cell < sweep->cells; cell++) {
    const json_t *row = json_array_get(sweep->rows[cell], query);
    low = row ? fmin(low, seconds_of(row)) : low;
    high = row ? fmax(high, seconds_of(row)) : high;
  }
  if (!(high > 0))
    return;
  low = floor(log10(low));
  high = fmax(ceil(log10(high)), low + 1);
  fprintf(file, "<svg viewBox='0 0 %d %d' role=img aria-label='seconds'>\n", WIDTH, HEIGHT);
  for (double power = low; power <= high; power++) {
    const double y = TOP + (HEIGHT - TOP - BOTTOM) * (high - power) / (high - low);
    fprintf(file, "<line class=axis x1=%d x2=%d y1=%.1f y2=%.1f /><text x=4 y=%.1f>%g s</text>\n",
            LEFT, WIDTH, y, y, y + 4, pow(10, power));
  }
  const double step = (WIDTH - LEFT - 20) / cells;
  fputs("<polyline class=line points='", file);
  for (int pass = 0; pass < 2; pass++) {
    for (size_t cell = 0; cell < sweep->cells; cell++) {
      const json_t *row = json_array_get(sweep->rows[cell], query);
      const double x = LEFT + step * ((double)cell + 0.5);
      if (!row)
        continue;
      const double y =
          TOP + (HEIGHT - TOP - BOTTOM) * (high - log10(seconds_of(row))) / (high - low);
      if (!pass)
        fprintf(file, "%.1f,%.1f ", x, y);
      else if (sweep->cells <= 40 || cell % (sweep->cells / 20) == 0)
        fprintf(file,
                "<circle class=%s cx=%.1f cy=%.1f r=4 /><text x=%.1f y=%.1f "
                "text-anchor=middle>%s</text>"
                "<text x=%.1f y=%d text-anchor=middle>%s</text>\n",
                class_of(row), x, y, x, y - 8, sign_of(row), x, HEIGHT - 16,
                axes_value(&sweep->axes, cell, 0));
    }
    fputs(pass ? "" : "' />\n", file);
  }
  fprintf(file, "<text x=%d y=%d text-anchor=end>", WIDTH, HEIGHT - 2);
  put_text(file, sweep->axes.items[0].name);
  fputs("</text></svg>\n", file);
}

// Verdicts over the values of two constants, with the seconds.
static void put_grid(const Sweep *sweep, FILE *file, size_t query) {
  const Axis *rows = &sweep->axes.items[0], *columns = &sweep->axes.items[1];
  fprintf(file,
          "<svg viewBox='0 0 %zu %zu' style='max-width:%zupx' role=img aria-label='verdicts'>\n",
          LEFT + 2 * CELL * columns->count, TOP + CELL * (rows->count + 1),
          LEFT + 2 * CELL * columns->count);
  for (size_t cell = 0; cell < sweep->cells; cell++) {
    const json_t *row = json_array_get(sweep->rows[cell], query);
    const size_t x = LEFT + 2 * CELL * (cell % columns->count),
                 y = TOP + CELL * (cell / columns->count);
    if (!row)
      continue;
    fprintf(file,
            "<rect class=%s x=%zu y=%zu width=%d height=%d opacity=.35 /><text x=%zu y=%zu>%s "
            "%.2g s</text>\n",
            class_of(row), x, y, 2 * CELL - 2, CELL - 2, x + 4, y + 20, sign_of(row),
            seconds_of(row));
  }
  for (size_t i = 0; i < rows->count; i++)
    fprintf(file, "<text x=0 y=%zu>%s = %s</text>\n", TOP + CELL * i + 20, rows->name,
            rows->values[i]);
  for (size_t i = 0; i < columns->count; i++)
    fprintf(file, "<text x=%zu y=14>%s = %s</text>\n", LEFT + 2 * CELL * i + 4, columns->name,
            columns->values[i]);
  fputs("</svg>\n", file);
}

static void put_table(const Sweep *sweep, FILE *file) {
  fputs("<table><tr>", file);
  for (size_t i = 0; i < sweep->axes.count; i++)
    fprintf(file, "<th>%s", sweep->axes.items[i].name);
  fputs("<th class=text>query<th class=text>verdict<th>seconds<th>stored\n", file);
  for (size_t cell = 0; cell < sweep->cells; cell++) {
    size_t k;
    json_t *row;
    json_array_foreach(sweep->rows[cell], k, row) {
      fputs("<tr>", file);
      for (size_t i = 0; i < sweep->axes.count; i++)
        fprintf(file, "<td>%s", axes_value(&sweep->axes, cell, i));
      fputs("<td class=text>", file);
      put_text(file, row_text(row, "query"));
      fprintf(file, "<td class=text>%s ", sign_of(row));
      put_text(file, row_text(row, "verdict"));
      fprintf(file, "<td>%.3g<td>%lld\n", json_number_value(json_object_get(row, "seconds")),
              (long long)json_integer_value(json_object_get(row, "stored")));
    }
  }
  fputs("</table>\n", file);
}

int sweep_write_page(const Sweep *sweep, const char *path) {
  FILE *file = fopen(path, "w");
  const char *slash = strrchr(sweep->command->model, '/');
  const char *name = slash ? slash + 1 : sweep->command->model;
  size_t queries = 0;
  const json_t *first = NULL;
  if (!file)
    return command_fail("%s cannot be written: %s", path, strerror(errno));
  fputs(head, file);
  fputs("<h1>", file);
  put_text(file, name);
  fputs("</h1>\n", file);
  for (size_t cell = 0; cell < sweep->cells; cell++)
    if (json_array_size(sweep->rows[cell]) > queries) {
      queries = json_array_size(sweep->rows[cell]);
      first = sweep->rows[cell];
    }
  for (size_t query = 0; query < queries && sweep->axes.count <= 2; query++) {
    fputs("<h2>", file);
    put_text(file, row_text(json_array_get(first, query), "query"));
    fputs("</h2>\n", file);
    (sweep->axes.count == 1 ? put_curve : put_grid)(sweep, file, query);
  }
  put_table(sweep, file);
  return fclose(file) ? command_fail("%s cannot be written: %s", path, strerror(errno)) : 0;
}
