#define _POSIX_C_SOURCE 200809L // popen, mkstemp
#include "io/page.h"

#include "io/show.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char *const page_lines[]; // src/io/page.html, made into text by the Makefile

// Beyond these a page would be too large to be of use: then it has no zones.
enum { MOST_CLOCKS = 16, MOST_STEPS = 1000 };

// Text inside of HTML.
static void add_escaped(Text *text, const char *chars) {
  for (; *chars; chars++)
    switch (*chars) {
    case '<':
      text_add(text, "&lt;");
      break;
    case '&':
      text_add(text, "&amp;");
      break;
    default:
      text_add_char(text, *chars);
    }
}

static json_t *json_net(const Net *net) {
  json_t *processes = json_array(), *clocks = json_array();
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    json_t *locations = json_array();
    for (uint32_t i = 0; i < process->location_count; i++)
      json_array_append_new(locations, json_string(net_location(net, p, (int32_t)i)->name));
    json_array_append_new(processes,
                          json_pack("{s:s, s:i, s:o}", "name", process->name, "first",
                                    (int)process->first_location, "locations", locations));
  }
  for (ClockIndex x = 1; x <= net->clock_count; x++)
    json_array_append_new(clocks, json_string(net->clock_names[x]));
  return json_pack("{s:o, s:o}", "processes", processes, "clocks", clocks);
}

// A matrix, rows of 2c + 1 for <= c, 2c for < c, null for no bound.
static json_t *json_zone(const Bound *zone, uint32_t n) {
  json_t *rows = json_array();
  for (uint32_t i = 0; i < n; i++) {
    json_t *row = json_array();
    for (uint32_t j = 0; j < n; j++) {
      const Bound bound = zone[i * dbm_stride(n) + j];
      json_array_append_new(row, bound == BOUND_INF ? json_null() : json_integer(bound));
    }
    json_array_append_new(rows, row);
  }
  return rows;
}

// The zones along the run of an answer, NULL if there are none to show.
static json_t *json_zones(Mem *mem, const Net *net, const Trace *trace) {
  const uint32_t n = net->clock_count + 1;
  if (n == 1 || n > MOST_CLOCKS + 1 || trace->step_count > MOST_STEPS)
    return NULL;
  Arena arena = {.mem = mem};
  const Run run = trace_run(trace, &arena);
  const Bound **zones = ARENA_ARRAY(&arena, const Bound *, run.step_count);
  json_t *list = NULL;
  if (trace_zones(&run, net, &arena, zones)) {
    list = json_array();
    for (uint32_t i = 0; i < run.step_count; i++)
      json_array_append_new(list, json_zone(zones[i], n));
  }
  arena_release(&arena);
  return list;
}

// The data of the page. `<` is written in another way, so that nothing ends the script early.
static void add_data(Text *text, const Net *net, const Options *options, const Answers *answers) {
  json_t *object = answer_object(text->mem, net, options, answers);
  json_object_set_new(object, "net", json_net(net));
  json_t *results = json_object_get(object, "results");
  for (uint32_t i = 0; i < answers->size; i++)
    if (answers->items[i]->has_trace) {
      json_t *zones = json_zones(text->mem, net, &answers->items[i]->trace);
      if (zones)
        json_object_set_new(json_array_get(results, i), "zones", zones);
    }
  char *dumped = json_dumps(object, JSON_REAL_PRECISION(6) | JSON_COMPACT);
  for (const char *c = dumped; *c; c++)
    if (*c == '<')
      text_add(text, "\\u003c");
    else
      text_add_char(text, *c);
  free(dumped);
  json_decref(object);
}

// What `dot` makes of the graphs in the file, each from its <svg> on; false if there is nothing.
static bool add_drawn(Text *text, const char *path) {
  char command[128], buffer[4096];
  snprintf(command, sizeof command, "dot -Tsvg '%s' 2>/dev/null", path);
  FILE *pipe = popen(command, "r");
  if (!pipe)
    return false;
  Text drawn = {.mem = text->mem};
  size_t size;
  while ((size = fread(buffer, 1, sizeof buffer, pipe)) > 0)
    text_add_bytes(&drawn, buffer, size);
  const bool ok = !pclose(pipe);
  const char *svg = strstr(text_chars(&drawn), "<svg");
  const bool found = ok && svg;
  while (found && svg) {
    const char *end = strstr(svg, "</svg>");
    if (!end)
      break;
    text_add_bytes(text, svg, (size_t)(end - svg) + strlen("</svg>"));
    svg = strstr(end, "<svg");
  }
  text_release(&drawn);
  return found;
}

static void add_automata(Text *text, const Net *net) {
  char path[] = "/tmp/tarn-XXXXXX";
  Text dot = {.mem = text->mem};
  show_process_graphs(&dot, net);
  const int descriptor = mkstemp(path);
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  bool ok = file && fwrite(dot.chars, 1, dot.size, file) == dot.size;
  if (file)
    ok &= !fclose(file);
  if (!ok || !add_drawn(text, path))
    text_add(text, "<p>Not drawn: graphviz (the command <code>dot</code>) was not found.</p>");
  if (descriptor >= 0)
    remove(path);
  text_release(&dot);
}

void page_write(Text *text, const Net *net, const Options *options, const Answers *answers) {
  for (const char *const *line = page_lines; *line; line++) {
    const char *mark = strchr(*line, '@');
    if (mark && !strncmp(mark, "@TITLE@", 7)) {
      text_add_bytes(text, *line, (size_t)(mark - *line));
      add_escaped(text, net->name);
      text_add(text, mark + 7);
    } else if (mark && !strncmp(mark, "@SVG@", 5)) {
      text_add_bytes(text, *line, (size_t)(mark - *line));
      add_automata(text, net);
      text_add(text, mark + 5);
    } else if (mark && !strncmp(mark, "@DATA@", 6)) {
      text_add_bytes(text, *line, (size_t)(mark - *line));
      add_data(text, net, options, answers);
      text_add(text, mark + 6);
    } else {
      text_add(text, *line);
    }
  }
}
