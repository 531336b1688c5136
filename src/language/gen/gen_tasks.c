// The task graphs of the time-darts paper: of a file, or random.
#include "base/random.h"
#include "base/vec.h"
#include "language/gen/gen_family.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A task graph: tasks 1..n, each with a duration and earlier tasks to wait for.
typedef struct Task {
  int duration;
  uint32_t first, end; // in Graph.before
} Task;

typedef struct Graph {
  VEC(Task) tasks; // task i at i - 1
  VEC(int) before;
} Graph;

// One number of a Standard Task Graph file, whose fields are separated by blanks. Comments
// start with `#`. Negative: there is none.
static int stg_number(const char **text) {
  for (; isspace((unsigned char)**text) || **text == '#'; (*text)++)
    if (**text == '#')
      *text += strcspn(*text, "\n") - 1;
  if (!isdigit((unsigned char)**text))
    return -1;
  char *end;
  errno = 0;
  const long value = strtol(*text, &end, 10);
  *text = end;
  return errno || value > INT_MAX ? -1 : (int)value;
}

// The file: how many tasks, then per task its number, duration, how many predecessors and
// which; a task 0 comes first, on which all that wait for nothing else depend.
static bool stg_task(Mem *mem, Graph *graph, const char **text, int number) {
  const int task = stg_number(text), duration = stg_number(text), count = stg_number(text);
  if (task != number || duration < 0 || count < 0)
    return false;
  Task new = {.duration = duration, .first = graph->before.size};
  for (int i = 0; i < count; i++) {
    const int other = stg_number(text);
    if (other < 0 || other >= number)
      return false;
    if (other > 0)
      vec_push(mem, &graph->before, other);
  }
  new.end = graph->before.size;
  if (number > 0)
    vec_push(mem, &graph->tasks, new);
  return true;
}

static bool read_text(Text *text, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  char buffer[4096];
  size_t size;
  while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
    text_add_bytes(text, buffer, size);
  const bool good = !ferror(file);
  fclose(file);
  return good;
}

static void read_graph(Gen *gen, Graph *graph, const char *path, int n) {
  Mem *mem = gen->out->mem;
  Text text = {.mem = mem};
  if (!read_text(&text, path)) {
    report_error(gen->report, (Place){0}, "cannot read the task graph '%s': %s", path,
                 strerror(errno));
  } else {
    const char *rest = text_chars(&text);
    const int count = stg_number(&rest);
    int task = 0;
    while (count >= 0 && task <= n && task <= count && stg_task(mem, graph, &rest, task))
      task++;
    if (count < 0 || (task <= n && task <= count))
      report_error(gen->report, (Place){0}, "'%s' is not a task graph in STG format, see task %d",
                   path, task);
    else if (count < n)
      report_error(gen->report, (Place){0}, "'%s' has only %d tasks, not %d", path, count, n);
  }
  text_release(&text);
}

static void random_graph(Gen *gen, Graph *graph, int n) {
  Mem *mem = gen->out->mem;
  Random random;
  random_seed(&random, (uint64_t)gen_number(gen, "seed"));
  for (int i = 1; i <= n; i++) {
    Task task = {.duration = random_between(&random, 1, gen_number(gen, "duration")),
                 .first = graph->before.size};
    for (int other = 1; other < i; other++)
      if (random_below(&random, (uint32_t)i) == 0) // one predecessor or so
        vec_push(mem, &graph->before, other);
    task.end = graph->before.size;
    vec_push(mem, &graph->tasks, task);
  }
}

// A task meets its predecessors one by one, last first, then takes a processor for its
// duration. The processor's clock is reset at both ends.
static void write_task(Text *out, const Graph *graph, int i, int processors) {
  const Task *task = graph->tasks.items + i - 1;
  const int waits = (int)(task->end - task->first);
  text_addf(out, "process:T%d\nlocation:T%d:w0{initial:}\n", i, i);
  for (int w = 1; w <= waits; w++)
    text_addf(out, "location:T%d:w%d\n", i, w);
  for (int p = 1; p <= processors; p++)
    text_addf(out, "location:T%d:r%d\n", i, p);
  text_addf(out, "location:T%d:d{labels:done%d}\n", i, i);
  for (int w = 0; w < waits; w++)
    text_addf(out, "edge:T%d:w%d:w%d:tau{provided:done%d==1}\n", i, w, w + 1,
              graph->before.items[(int)task->end - 1 - w]);
  for (int p = 1; p <= processors; p++) {
    text_addf(out, "edge:T%d:w%d:r%d:tau{provided:b%d==0 : do:b%d=1;c%d=0}\n", i, waits, p, p, p,
              p);
    text_addf(out, "edge:T%d:r%d:d:tau{provided:c%d==%d : do:b%d=0;c%d=0;done%d=1}\n", i, p, p,
              task->duration, p, p, i);
  }
}

static void write_graph(Text *out, const Graph *graph, int n, int processors) {
  text_addf(out, "system:tgs_%d\nevent:tau\n", n);
  for (int i = 1; i <= n; i++)
    text_addf(out, "int:1:0:1:0:done%d\n", i);
  for (int p = 1; p <= processors; p++)
    text_addf(out, "int:1:0:1:0:b%d\n", p);
  text_add(out, "process:CLK\n");
  for (int p = 1; p <= processors; p++)
    text_addf(out, "clock:1:c%d\n", p);
  text_add(out, "location:CLK:l{initial:}\n");
  for (int i = 1; i <= n; i++)
    write_task(out, graph, i, processors);
}

void gen_tasks(Gen *gen) {
  const int n = gen_number(gen, "n");
  const char *file = gen_text(gen, "file");
  Graph graph = {0};
  if (file)
    read_graph(gen, &graph, file, n);
  else
    random_graph(gen, &graph, n);
  if (!report_failed(gen->report))
    write_graph(gen->out, &graph, n, gen_number(gen, "processors"));
  vec_release(gen->out->mem, &graph.tasks);
  vec_release(gen->out->mem, &graph.before);
}
