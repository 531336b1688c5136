// The benchmarks of the time-darts paper: all constraints are closed. The train crossing and
// its Fischer are timed-arc Petri nets; here every token is an automaton, whose clock is the
// token's age and whose locations are the places it can be in.
#include "base/random.h"
#include "base/vec.h"
#include "language/gen/gen_family.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// All loops can end together only at a common multiple of 1..n.
void gen_lcm(Gen *gen) {
  const int n = gen_number(gen, "n");
  gen_add(gen, "system:lcm_$n\nevent:tau\nprocess:P\nclock:1:y\n", "n", n);
  for (int i = 1; i <= n; i++)
    gen_add(gen, "clock:1:x$i\n", "i", i);
  text_add(gen->out, "location:P:l{initial:}\nlocation:P:goal{labels:goal}\n");
  for (int i = 1; i <= n; i++)
    gen_add(gen, "edge:P:l:l:tau{provided:x$i==$i : do:x$i=0}\n", "i", i);
  text_add(gen->out, "edge:P:l:goal:tau{provided:");
  for (int i = 1; i <= n; i++)
    gen_add(gen, "x$i==0&&", "i", i);
  text_add(gen->out, "y>=1}\n");
}

void gen_darts_example(Gen *gen) {
  text_add(gen->out, "system:darts_fig4\nevent:tau\n"
                     "process:P\n"
                     "clock:1:x\nclock:1:y\n"
                     "location:P:l0{initial:}\nlocation:P:l1{}\nlocation:P:l2{}\n"
                     "location:P:l3{}\n"
                     "edge:P:l0:l1:tau{provided:x>=2}\n"
                     "edge:P:l1:l1:tau{do:x=0}\n"
                     "edge:P:l1:l2:tau{provided:x>=2&&y>=2 : do:x=0;y=0}\n"
                     "edge:P:l2:l1:tau{provided:x>=1}\n"
                     "edge:P:l2:l3:tau{provided:x<=1&&y>=2}\n");
}

// At most two cross together, with the torch; viking i needs i time units.
void gen_vikings(Gen *gen) {
  const int n = gen_number(gen, "n");
  gen_add(gen, "system:vikings_$n\nevent:take0\nevent:rel0\nevent:take1\nevent:rel1\n", "n", n);
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "process:V$i\n"
            "clock:1:y$i\n"
            "location:V$i:unsafe{initial:}\n"
            "location:V$i:over{}\n"
            "location:V$i:safe{}\n"
            "location:V$i:back{}\n"
            "edge:V$i:unsafe:over:take0{do:y$i=0}\n"
            "edge:V$i:over:safe:rel0{provided:y$i>=$i}\n"
            "edge:V$i:safe:back:take1{do:y$i=0}\n"
            "edge:V$i:back:unsafe:rel1{provided:y$i>=$i}\n",
            "i", i);
  text_add(gen->out, "process:Torch\n");
  for (int k = 0; k < 2; k++)
    gen_add(gen,
            k == 0 ? "location:Torch:free$k{initial:}\nlocation:Torch:one$k{}\n"
                     "location:Torch:two$k{}\nlocation:Torch:last$k{}\n"
                   : "location:Torch:free$k{}\nlocation:Torch:one$k{}\n"
                     "location:Torch:two$k{}\nlocation:Torch:last$k{}\n",
            "k", k);
  for (int k = 0; k < 2; k++)
    gen_add(gen,
            "edge:Torch:free$k:one$k:take$k{}\n"
            "edge:Torch:one$k:two$k:take$k{}\n"
            "edge:Torch:one$k:free$o:rel$k{}\n"
            "edge:Torch:two$k:last$k:rel$k{}\n"
            "edge:Torch:last$k:free$o:rel$k{}\n",
            "ko", k, 1 - k);
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "sync:V$i@take0:Torch@take0\n"
            "sync:V$i@rel0:Torch@rel0\n"
            "sync:V$i@take1:Torch@take1\n"
            "sync:V$i@rel1:Torch@rel1\n",
            "i", i);
}

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
static void write_task(Gen *gen, const Graph *graph, int i, int processors) {
  const Task *task = graph->tasks.items + i - 1;
  const int waits = (int)(task->end - task->first);
  gen_add(gen, "process:T$i\nlocation:T$i:w0{initial:}\n", "i", i);
  for (int w = 1; w <= waits; w++)
    gen_add(gen, "location:T$i:w$w\n", "iw", i, w);
  for (int p = 1; p <= processors; p++)
    gen_add(gen, "location:T$i:r$p\n", "ip", i, p);
  gen_add(gen, "location:T$i:d{labels:done$i}\n", "i", i);
  for (int w = 0; w < waits; w++)
    gen_add(gen, "edge:T$i:w$w:w$v:tau{provided:done$t==1}\n", "iwvt", i, w, w + 1,
            graph->before.items[(int)task->end - 1 - w]);
  for (int p = 1; p <= processors; p++)
    gen_add(gen,
            "edge:T$i:w$w:r$p:tau{provided:b$p==0 : do:b$p=1;c$p=0}\n"
            "edge:T$i:r$p:d:tau{provided:c$p==$d : do:b$p=0;c$p=0;done$i=1}\n",
            "iwpd", i, waits, p, task->duration);
}

static void write_graph(Gen *gen, const Graph *graph, int n, int processors) {
  gen_add(gen, "system:tgs_$n\nevent:tau\n", "n", n);
  for (int i = 1; i <= n; i++)
    gen_add(gen, "int:1:0:1:0:done$i\n", "i", i);
  for (int p = 1; p <= processors; p++)
    gen_add(gen, "int:1:0:1:0:b$p\n", "p", p);
  text_add(gen->out, "process:CLK\n");
  for (int p = 1; p <= processors; p++)
    gen_add(gen, "clock:1:c$p\n", "p", p);
  text_add(gen->out, "location:CLK:l{initial:}\n");
  for (int i = 1; i <= n; i++)
    write_task(gen, graph, i, processors);
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
    write_graph(gen, &graph, n, gen_number(gen, "processors"));
  vec_release(gen->out->mem, &graph.tasks);
  vec_release(gen->out->mem, &graph.before);
}

// A train, and the token that its sensor sends to the light: it is taken at once (invariant 0),
// so that the train, which needs time to come round, always finds its own token idle.
static void crossing_train(Gen *gen, int i, int scale) {
  gen_add(gen,
          "process:Train$i\n"
          "clock:1:x$i\n"
          "location:Train$i:Trains{initial:}\n"
          "location:Train$i:Approaching{invariant:x$i<=$b}\n"
          "location:Train$i:DangerZone{invariant:x$i<=$d : labels:danger,danger$i}\n"
          "edge:Train$i:Trains:Approaching:activate{do:x$i=0}\n"
          "edge:Train$i:Approaching:DangerZone:tau{provided:x$i>=$a&&x$i<=$b : do:x$i=0}\n"
          "edge:Train$i:DangerZone:Trains:tau{provided:x$i>=$c&&x$i<=$d : do:x$i=0}\n",
          "iabcd", i, 7 * scale, 10 * scale, 3 * scale, 6 * scale);
  gen_add(gen,
          "process:Request$i\n"
          "clock:1:r$i\n"
          "location:Request$i:None{initial:}\n"
          "location:Request$i:RedRequested{invariant:r$i<=0}\n"
          "edge:Request$i:None:RedRequested:activate{do:r$i=0}\n"
          "edge:Request$i:RedRequested:None:serve{}\n",
          "i", i);
}

void gen_train_crossing(Gen *gen) {
  const int n = gen_number(gen, "n"), scale = gen_number(gen, "scale");
  const int red = gen_number(gen, "red") * scale;
  gen_add(gen, "system:train_crossing_$n_$s\nevent:tau\nevent:activate\nevent:serve\n", "ns", n,
          scale);
  for (int i = 1; i <= n; i++)
    crossing_train(gen, i, scale);
  gen_add(gen,
          "process:Light\n"
          "clock:1:y\n"
          "location:Light:Green{initial: : labels:green,open}\n"
          "location:Light:Yellow{invariant:y<=$y : labels:yellow,open}\n"
          "location:Light:Red{invariant:y<=$r : labels:red}\n"
          "edge:Light:Yellow:Red:tau{provided:y==$y : do:y=0}\n"
          "edge:Light:Red:Green:tau{provided:y==$r : do:y=0}\n"
          "edge:Light:Green:Yellow:serve{do:y=0}\n"
          "edge:Light:Yellow:Yellow:serve{}\n" // the token keeps its age
          "edge:Light:Red:Red:serve{do:y=0}\n",
          "yr", 5 * scale, red);
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "sync:Train$i@activate:Request$i@activate\n"
            "sync:Request$i@serve:Light@serve\n",
            "i", i);
}

// A process whose place carries an underscore holds the shared variable; the token `udf` is
// there while nobody does. Choosing (choose) takes the variable from udf or from another holder,
// who loses it; only a holder enters. The net's open interval is closed, as in the paper: after
// writing within mc - 1 time units a process waits for mc.
static void net_process(Gen *gen, int i, int mc) {
  gen_add(gen,
          "process:P$i\n"
          "clock:1:x$i\n"
          "location:P$i:A{initial:}\n"
          "location:P$i:B{}\n"
          "location:P$i:C{}\n"
          "location:P$i:CS{labels:cs$i}\n"
          "location:P$i:A_{}\n"
          "location:P$i:B_{}\n"
          "location:P$i:C_{}\n"
          "location:P$i:CS_{labels:cs$i}\n"
          "edge:P$i:A:B:initiate{do:x$i=0}\n"
          "edge:P$i:B:C_:choose1{provided:x$i<=$w : do:x$i=0}\n"
          "edge:P$i:B:C_:choose2{provided:x$i<=$w : do:x$i=0}\n"
          "edge:P$i:B_:C_:tau{provided:x$i<=$w : do:x$i=0}\n"
          "edge:P$i:C_:CS_:tau{provided:x$i>=$m : do:x$i=0}\n"
          "edge:P$i:C_:B_:fail{do:x$i=0}\n"
          "edge:P$i:C:B:fail{do:x$i=0}\n"
          "edge:P$i:CS_:A:exit1{do:x$i=0}\n"
          "edge:P$i:CS:A:exit2{do:x$i=0}\n"
          "edge:P$i:CS:A:exit3{do:x$i=0}\n"
          "edge:P$i:A_:A:lose{do:x$i=0}\n"
          "edge:P$i:B_:B:lose{do:x$i=0}\n"
          "edge:P$i:C_:C:lose{do:x$i=0}\n"
          "edge:P$i:CS_:CS:lose{do:x$i=0}\n",
          "iwm", i, mc - 1, mc);
}

void gen_darts_fischer(Gen *gen) {
  const int n = gen_number(gen, "n"), mc = gen_number(gen, "mc");
  gen_add(gen,
          "system:darts_fischer_$n_$m\n"
          "event:tau\nevent:initiate\nevent:choose1\nevent:choose2\nevent:fail\nevent:exit1\n"
          "event:exit2\nevent:exit3\nevent:lose\nevent:test\nevent:take\nevent:put\n",
          "nm", n, mc);
  for (int i = 1; i <= n; i++)
    net_process(gen, i, mc);
  text_add(gen->out, "process:V\n"
                     "location:V:udf{initial:}\n"
                     "location:V:held{}\n"
                     "edge:V:udf:udf:test{}\n"
                     "edge:V:udf:held:take{}\n"
                     "edge:V:held:udf:put{}\n");
  for (int i = 1; i <= n; i++) {
    gen_add(gen,
            "sync:P$i@initiate:V@test\n"
            "sync:P$i@choose1:V@take\n"
            "sync:P$i@fail:V@test\n"
            "sync:P$i@exit1:V@put\n"
            "sync:P$i@exit3:V@test\n",
            "i", i);
    for (int j = 1; j <= n; j++)
      if (j != i)
        gen_add(gen,
                "sync:P$i@choose2:P$j@lose\n"
                "sync:P$i@exit2:P$j@lose:V@put\n",
                "ij", i, j);
  }
}
